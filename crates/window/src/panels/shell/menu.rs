//! The menus.

use eframe::egui;
use walkable_editor::{
    command::{
        Command, Commands, ExportKind, KeysCommand, Pane, PathCommand, TourCommand, ViewCommand,
        lower_first,
    },
    format,
    prefs::MemoryBudget,
    session::{SessionView, StageView, ToolKind},
};

use crate::{
    panels::{Chrome, MemoryUse},
    widgets::{
        command_button::{menu_entry, menu_entry_called, menu_switch},
        numeric::{self, NumberSpec},
    },
};

/// Draws the menus' buttons in a row.
pub(super) fn menus_ui(
    ui: &mut egui::Ui,
    view: &SessionView<'_>,
    chrome: &Chrome<'_>,
    out: &mut Commands,
) {
    ui.menu_button("File", |ui| file_ui(ui, view, chrome, out));
    ui.menu_button("Edit", |ui| edit_ui(ui, view, out));
    ui.menu_button("Bake", |ui| bake_ui(ui, view, chrome, out));
    ui.menu_button("View", |ui| view_ui(ui, view, chrome, out));
    ui.menu_button("Path", |ui| path_ui(ui, view, out));
    ui.menu_button("Help", |ui| {
        ui.set_min_width(200.0);
        menu_entry(ui, view, TourCommand::Start.into(), out);
        menu_entry(ui, view, KeysCommand::Edit.into(), out);
        menu_entry(ui, view, Command::Palette, out);
    });
}

fn file_ui(ui: &mut egui::Ui, view: &SessionView<'_>, chrome: &Chrome<'_>, out: &mut Commands) {
    ui.set_min_width(220.0);
    menu_entry(ui, view, Command::Open, out);
    ui.menu_button("Open sample", |ui| {
        for sample in chrome.samples {
            let load = Command::Load(sample.source.clone());
            menu_entry_called(ui, sample.source.name(), view, load, out)
                .on_hover_text(&sample.what);
        }
    });
    ui.add_enabled_ui(!chrome.prefs.recent.is_empty(), |ui| {
        ui.menu_button("Open recent", |ui| {
            for source in &chrome.prefs.recent {
                menu_entry_called(ui, source.name(), view, Command::Load(source.clone()), out);
            }
        });
    });
    ui.separator();
    menu_entry(ui, view, Command::Save, out);
    menu_entry(ui, view, Command::SaveAs, out);
    ui.separator();
    menu_entry(ui, view, Command::ImportOptions, out);
    ui.separator();
    menu_entry(ui, view, Command::ExportDialog, out);
    menu_entry(ui, view, Command::Export(ExportKind::NAVMESH), out);
    // A page ends with its tab.
    if !cfg!(target_family = "wasm") {
        ui.separator();
        menu_entry(ui, view, Command::Quit, out);
    }
}

fn edit_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.set_min_width(220.0);
    let named = |verb: &str, label: Option<&str>| match label {
        Some(label) => format!("{verb} {}", lower_first(label)),
        None => verb.to_owned(),
    };
    let (undo, redo) = (view.history.undo_label(), view.history.redo_label());
    menu_entry_called(ui, named("Undo", undo), view, Command::Undo, out);
    menu_entry_called(ui, named("Redo", redo), view, Command::Redo, out);
    ui.separator();
    menu_entry(ui, view, Command::ResetSettings, out);
    ui.separator();
    menu_entry(ui, view, Command::Palette, out);
}

fn bake_ui(ui: &mut egui::Ui, view: &SessionView<'_>, chrome: &Chrome<'_>, out: &mut Commands) {
    ui.set_min_width(220.0);
    menu_entry(ui, view, Command::Bake, out);
    ui.add_enabled_ui(view.bake.progress.is_some(), |ui| {
        menu_entry(ui, view, Command::CancelBake, out);
    });
    ui.separator();
    menu_switch(ui, chrome.prefs.auto_bake.into(), Command::ToggleAutoBake, out);
    ui.menu_button("Memory limit", |ui| {
        for n in [1, 2, 4, 8, 16, 32] {
            let is_set = chrome.prefs.max_memory == u64::from(n) * 1_000_000_000;
            menu_switch(ui, is_set.into(), Command::LimitMemory(n), out);
        }
    });
    ui.menu_button("Time limit", |ui| {
        for n in [1, 4, 24] {
            let is_set = chrome.prefs.max_secs == u32::from(n) * 3600;
            menu_switch(ui, is_set.into(), Command::LimitTime(n), out);
        }
    });
}

fn view_ui(ui: &mut egui::Ui, view: &SessionView<'_>, chrome: &Chrome<'_>, out: &mut Commands) {
    ui.set_min_width(220.0);
    menu_entry(ui, view, Command::View(ViewCommand::FrameAll), out);
    menu_entry(ui, view, Command::View(ViewCommand::Top), out);
    menu_entry(ui, view, Command::View(ViewCommand::ToggleOrthographic), out);
    menu_entry(ui, view, Command::View(ViewCommand::Keep), out);
    ui.separator();
    ui.menu_button("Stage", |ui| {
        for stage in StageView::ALL {
            menu_entry_called(
                ui,
                stage.name().to_owned(),
                view,
                Command::View(ViewCommand::Stage(stage)),
                out,
            );
        }
        ui.separator();
        menu_entry(ui, view, Command::View(ViewCommand::NextStage), out);
        menu_entry(ui, view, Command::View(ViewCommand::PreviousStage), out);
        menu_entry(ui, view, Command::View(ViewCommand::PlayStages), out);
    });
    ui.separator();
    menu_switch(ui, view.show_level.into(), Command::View(ViewCommand::ToggleLevel), out);
    menu_switch(ui, view.show_backs.into(), Command::View(ViewCommand::ToggleBacks), out);
    menu_switch(ui, chrome.prefs.grid.into(), Command::View(ViewCommand::ToggleGrid), out);
    ui.separator();
    menu_switch(ui, chrome.prefs.panels.into(), Command::TogglePanels, out);
    for pane in Pane::panels() {
        menu_switch(ui, chrome.in_front.contains(&pane).into(), Command::ShowPanel(pane), out);
    }
    menu_entry(ui, view, Command::ResetLayout, out);
    ui.separator();
    menu_switch(ui, chrome.prefs.light.into(), Command::ToggleTheme, out);
    menu_entry(ui, view, Command::ZoomIn, out);
    menu_entry(ui, view, Command::ZoomOut, out);
    ui.separator();
    ui.menu_button("Memory", |ui| memory_ui(ui, chrome, out));
}

/// Draws the memory budget of caches and its current use.
fn memory_ui(ui: &mut egui::Ui, chrome: &Chrome<'_>, out: &mut Commands) {
    const NAME: &str = "Memory budget";
    let [least, most] = MemoryBudget::LIMITS.map(f64::from);
    let spec =
        NumberSpec { unit: "MiB", slider: [least, 16384.0], limits: [least, most], step: 64.0 };
    ui.set_min_width(240.0);
    ui.horizontal(|ui| {
        ui.label(NAME).on_hover_text(
            "Memory for stages and renderings of tiles. Those farthest from the view are dropped \
            first, and computed again when needed",
        );
        let mut mib = f64::from(chrome.prefs.memory.mib);
        if numeric::named_field(ui, NAME, &mut mib, &spec, 90.0).changed() {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "within the limits of the field"
            )]
            let mib = mib.round() as u32;
            out.push(Command::SetMemory(MemoryBudget { mib }));
        }
    });
    let MemoryUse { stages, pictures, graphics, .. } = chrome.memory;
    ui.label(format!("In use: {}", format::bytes(stages + pictures + graphics)));
    for (name, n_bytes, budget) in [
        ("stages", stages, chrome.prefs.memory.stages()),
        ("pictures", pictures, chrome.prefs.memory.pictures()),
        ("on the graphics device", graphics, chrome.prefs.memory.graphics()),
    ] {
        let [n_bytes, budget] = [n_bytes, budget].map(format::bytes);
        ui.label(format!("{name}: {n_bytes} of {budget}"));
    }
}

fn path_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.set_min_width(220.0);
    menu_entry(ui, view, Command::ChooseTool(ToolKind::Path), out);
    menu_entry(ui, view, Command::Path(PathCommand::Keep), out);
    menu_entry(ui, view, Command::Path(PathCommand::Swap), out);
    menu_entry(ui, view, Command::Path(PathCommand::Clear), out);
}

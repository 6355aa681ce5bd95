//! The menus.

use eframe::egui::{self, Key, Popup};
use walkable_editor::{
    command::{
        Command, Commands, ExportKind, GameCommand, KeysCommand, Pane, PathCommand, PiecesCommand,
        ThingCommand, TourCommand, ViewCommand, lower_first,
    },
    lang::tr,
    session::{SessionView, Side, StageView, ToolKind},
    text,
};

use crate::{
    panels::Chrome,
    widgets::{
        author_id::AuthorId as _,
        command_button::{menu_entry, menu_entry_called, menu_switch},
    },
};

/// Draws the entries of a menu.
type MenuUi = fn(&mut egui::Ui, &SessionView<'_>, &Chrome<'_>, &mut Commands);

/// The menus, with their ids and titles.
const MENUS: [(&str, &str, MenuUi); 6] = [
    ("menu.file", text!("File"), file_ui),
    ("menu.edit", text!("Edit"), edit_ui),
    ("menu.bake", text!("Bake"), bake_ui),
    ("menu.view", text!("View"), view_ui),
    ("menu.path", text!("Path"), path_ui),
    ("menu.help", text!("Help"), help_ui),
];

/// The row of menus.
#[derive(Debug, Default)]
pub struct Menus {
    /// Whether the first menu opens in the next frame.
    opens: bool,
}

impl Menus {
    /// Opens the first menu and moves the keyboard focus to it.
    pub fn open(&mut self) {
        self.opens = true;
    }

    /// Draws the menus' buttons in a row.
    pub(super) fn ui(
        &mut self,
        ui: &mut egui::Ui,
        view: &SessionView<'_>,
        chrome: &Chrome<'_>,
        out: &mut Commands,
    ) {
        let buttons = MENUS.map(|(id, title, entries_ui)| {
            let menu = ui.menu_button(tr(title), |ui| entries_ui(ui, view, chrome, out));
            let is_open = menu.inner.is_some();
            (menu.response.author_id(id), is_open)
        });
        let open = buttons.iter().position(|(button, is_open)| *is_open && button.has_focus());
        let neighbor = open.and_then(|open| {
            let pressed = |key| ui.input(|input| input.key_pressed(key));
            let n = MENUS.len();
            let next = pressed(Key::ArrowRight).then(|| (open + 1) % n);
            next.or_else(|| pressed(Key::ArrowLeft).then(|| (open + n - 1) % n))
        });
        let opened = std::mem::take(&mut self.opens).then_some(0).or(neighbor);
        if let Some((button, _)) = opened.and_then(|index| buttons.get(index)) {
            button.request_focus();
            Popup::open_id(ui.ctx(), Popup::default_response_id(button));
        }
    }
}

fn help_ui(ui: &mut egui::Ui, view: &SessionView<'_>, _: &Chrome<'_>, out: &mut Commands) {
    ui.set_min_width(200.0);
    menu_entry(ui, view, Command::ReadGuide, out);
    menu_entry(ui, view, TourCommand::Start.into(), out);
    menu_entry(ui, view, KeysCommand::Edit.into(), out);
    menu_entry(ui, view, Command::Palette, out);
    ui.separator();
    ui.weak(concat!("Walkable ", env!("CARGO_PKG_VERSION")));
}

fn file_ui(ui: &mut egui::Ui, view: &SessionView<'_>, chrome: &Chrome<'_>, out: &mut Commands) {
    ui.set_min_width(220.0);
    menu_entry(ui, view, Command::Open, out);
    // A web page has no folders.
    if !cfg!(target_family = "wasm") {
        menu_entry(ui, view, PiecesCommand::Open.into(), out);
    }
    ui.menu_button(tr!("Open sample"), |ui| {
        for sample in chrome.samples {
            let load = Command::Load(sample.source.clone());
            menu_entry_called(ui, sample.source.name(), view, load, out)
                .on_hover_text(tr(&sample.what));
        }
    });
    ui.add_enabled_ui(!chrome.prefs.recent.is_empty(), |ui| {
        ui.menu_button(tr!("Open recent"), |ui| {
            for source in chrome.prefs.recent.iter().map(|recent| &recent.source) {
                menu_entry_called(ui, source.name(), view, Command::Load(source.clone()), out);
            }
        });
    });
    menu_entry(ui, view, Command::CloseLevel, out);
    ui.separator();
    menu_entry(ui, view, Command::Save, out);
    menu_entry(ui, view, Command::SaveAs, out);
    menu_entry(ui, view, Command::RecoverWork, out);
    ui.separator();
    menu_entry(ui, view, Command::ImportOptions, out);
    // A web page cannot listen.
    if !cfg!(target_family = "wasm") {
        menu_entry(ui, view, GameCommand::Connect.into(), out);
    }
    ui.separator();
    menu_entry(ui, view, Command::ExportDialog, out);
    menu_entry(ui, view, Command::Export(ExportKind::NAVMESH), out);
    // A web page ends when its browser tab is closed.
    if !cfg!(target_family = "wasm") {
        ui.separator();
        menu_entry(ui, view, Command::Quit, out);
    }
}

fn edit_ui(ui: &mut egui::Ui, view: &SessionView<'_>, _: &Chrome<'_>, out: &mut Commands) {
    ui.set_min_width(220.0);
    let (undo, redo) = (view.history.undo_label(), view.history.redo_label());
    let [undo, redo] = [undo, redo].map(|label| label.map(lower_first));
    let undo = undo.map_or_else(|| tr!("Undo").to_owned(), |label| tr!("Undo {label}"));
    let redo = redo.map_or_else(|| tr!("Redo").to_owned(), |label| tr!("Redo {label}"));
    menu_entry_called(ui, undo, view, Command::Undo, out);
    menu_entry_called(ui, redo, view, Command::Redo, out);
    ui.separator();
    menu_entry(ui, view, ThingCommand::Cut.into(), out);
    menu_entry(ui, view, ThingCommand::Copy.into(), out);
    menu_entry(ui, view, ViewCommand::Paste.into(), out);
    menu_entry(ui, view, ThingCommand::Duplicate.into(), out);
    menu_entry(ui, view, ThingCommand::Delete.into(), out);
    menu_entry(ui, view, ThingCommand::ChooseAll.into(), out);
    ui.separator();
    menu_entry(ui, view, Command::ResetSettings, out);
    ui.separator();
    menu_entry(ui, view, Command::Palette, out);
    menu_entry(ui, view, Command::EditPrefs, out);
}

fn bake_ui(ui: &mut egui::Ui, view: &SessionView<'_>, chrome: &Chrome<'_>, out: &mut Commands) {
    ui.set_min_width(220.0);
    menu_entry(ui, view, Command::Bake, out);
    ui.add_enabled_ui(view.bake.progress.is_some(), |ui| {
        menu_entry(ui, view, Command::CancelBake, out);
    });
    ui.separator();
    menu_switch(ui, chrome.prefs.auto_bake.into(), Command::ToggleAutoBake, out);
}

fn view_ui(ui: &mut egui::Ui, view: &SessionView<'_>, chrome: &Chrome<'_>, out: &mut Commands) {
    ui.set_min_width(220.0);
    menu_entry(ui, view, Command::View(ViewCommand::FrameAll), out);
    menu_entry(ui, view, Command::View(ViewCommand::FrameSelected), out);
    menu_entry(ui, view, Command::View(ViewCommand::Top), out);
    ui.menu_button(tr!("Look from"), |ui| {
        for &side in Side::ALL {
            menu_entry(ui, view, ViewCommand::From(side).into(), out);
        }
    });
    menu_entry(ui, view, Command::View(ViewCommand::ToggleOrthographic), out);
    menu_entry(ui, view, Command::View(ViewCommand::Keep), out);
    ui.separator();
    ui.menu_button(tr!("Stage"), |ui| {
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
    menu_switch(ui, chrome.prefs.panels.into(), Command::TogglePanels, out);
    for pane in Pane::panels() {
        menu_switch(ui, chrome.in_front.contains(&pane).into(), Command::ShowPanel(pane), out);
    }
    menu_entry(ui, view, Command::ResetLayout, out);
    ui.separator();
    menu_entry(ui, view, Command::ZoomIn, out);
    menu_entry(ui, view, Command::ZoomOut, out);
    menu_entry(ui, view, Command::ZoomReset, out);
}

fn path_ui(ui: &mut egui::Ui, view: &SessionView<'_>, _: &Chrome<'_>, out: &mut Commands) {
    ui.set_min_width(220.0);
    menu_entry(ui, view, Command::ChooseTool(ToolKind::Path), out);
    menu_entry(ui, view, Command::Path(PathCommand::Keep), out);
    menu_entry(ui, view, Command::Path(PathCommand::Swap), out);
    menu_entry(ui, view, Command::Path(PathCommand::Clear), out);
}

//! The differences between the pinned bake and the current one.

use eframe::egui::{self, RichText, vec2};
use walkable::debug_draw::Paint;
use walkable_editor::{
    command::{Command, Commands, DisplayCommand, GroundCommand},
    session::SessionView,
    task::TaskId,
};
use walkable_workspace::{
    changes::{Change, ChangeKind, FoundChanges, ground_text},
    lang::{self, tr},
};

use crate::{
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        command_button::command_button,
        legend::{column, empty, swatch},
    },
};

/// Maximum number of rows; smaller changes are only counted.
const MAX_ROWS: usize = 200;

pub fn changes_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    if !view.bake.before.as_ref().is_some_and(|before| before.is_pinned) {
        empty(ui, tr!("Pin the current bake to list what later bakes change."));
        command_button(ui, view, DisplayCommand::PinBaseline, out);
        return;
    }
    match &view.changes.result {
        None if view.runs(TaskId::Changes) => empty(ui, tr!("Comparing…")),
        None => empty(ui, tr!("There is no navmesh to compare with the pinned bake.")),
        Some(Err(why)) => {
            let why = lang::error_text(why);
            empty(ui, &tr!("The bakes cannot be compared: {why}"));
        }
        Some(Ok(found)) => {
            egui::ScrollArea::both().auto_shrink([false, false]).show(ui, |ui| {
                summary_ui(ui, found, view, out);
                list_ui(ui, found, view, out);
            });
        }
    }
}

fn summary_ui(ui: &mut egui::Ui, found: &FoundChanges, view: &SessionView<'_>, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    let comparison = &found.comparison;
    let tolerance = comparison.limits.tolerance;
    ui.horizontal_wrapped(|ui| {
        for (kind, change) in
            [(ChangeKind::Gained, &comparison.gained), (ChangeKind::Lost, &comparison.lost)]
        {
            if let Some(paint) = paint(kind) {
                swatch(ui, theme.paint(paint));
            }
            ui.label(format!("{} {}", kind.label(), ground_text(change, tolerance)));
            ui.add_space(12.0);
        }
        let mut is_shown = view.changes.is_shown;
        let show = Command::from(GroundCommand::ShowChanges(!is_shown));
        let check = ui.checkbox(&mut is_shown, show.text()).author_id("changes.show");
        if check.on_hover_text(show.tooltip()).changed() {
            out.push(show);
        }
        if view.runs(TaskId::Changes) {
            ui.label(RichText::new(tr!("Comparing…")).color(theme.text_weak));
        }
    });
}

fn list_ui(ui: &mut egui::Ui, found: &FoundChanges, view: &SessionView<'_>, out: &mut Commands) {
    if found.list.is_empty() {
        return empty(ui, tr!("The current bake does not differ from the pinned one."));
    }
    ui.spacing_mut().item_spacing = vec2(16.0, 3.0);
    egui::Grid::new("changes").num_columns(2).striped(true).show(ui, |ui| {
        for title in [tr!("Change"), tr!("Size and place")] {
            column(ui, title);
        }
        ui.end_row();
        for (index, change) in found.list.iter().take(MAX_ROWS).enumerate() {
            row_ui(ui, (index, change), view, out);
            ui.end_row();
        }
    });
    if found.list.len() > MAX_ROWS {
        empty(ui, &tr!("and {} smaller ones", found.list.len() - MAX_ROWS));
    }
}

fn row_ui(
    ui: &mut egui::Ui,
    (index, change): (usize, &Change),
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    let theme = Theme::of(ui.ctx().theme());
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        match paint(change.kind) {
            Some(paint) => swatch(ui, theme.paint(paint)),
            None => ui.add_space(16.0),
        }
        ui.label(change.kind.name());
    });
    let chosen = view.changes.chosen == Some(index);
    let label = ui.selectable_label(chosen, change.text());
    let label = label.author_id(format_args!("changes.{index}"));
    if label.on_hover_text(tr!("Moves the camera to it")).clicked() {
        out.push(GroundCommand::ChooseChange((!chosen).then_some(index)));
    }
}

fn paint(kind: ChangeKind) -> Option<Paint> {
    match kind {
        ChangeKind::Gained => Some(Paint::GainedGround),
        ChangeKind::Lost => Some(Paint::LostGround),
        ChangeKind::Island | ChangeKind::Link | ChangeKind::Area | ChangeKind::Path => None,
    }
}

//! The findings of the check of the navmesh.

#[cfg(test)]
mod tests;
mod tile_sizes;

use eframe::egui::{self, Button, Label, RichText};
use walkable::{check::CheckKind, diagnostic::Diagnostic};
use walkable_editor::{
    command::{CheckCommand, Command, Commands},
    session::{CheckFilter, CheckProgress, OpenStore, SessionView, has_place},
    task::TaskId,
};
use walkable_workspace::{
    check::{CheckResult, place_text},
    format,
    lang::{self, tr},
};

use self::tile_sizes::tile_sizes_ui;
use crate::{
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        busy::busy,
        command_button::{add_button, command_button},
        legend::{column, empty, part_note},
        notice,
    },
};

const LIST_WIDTH: f32 = 420.0;
const TABLE_WIDTH: f32 = 640.0;
const GAP: f32 = 24.0;

pub fn check_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    if view.tile_sizes.result().is_none() && !view.runs(TaskId::TileSizes) {
        return findings_ui(ui, view, out);
    }
    egui::ScrollArea::horizontal().auto_shrink(false).show(ui, |ui| {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            let width = (ui.available_width() - TABLE_WIDTH - GAP).max(LIST_WIDTH);
            column_ui(ui, width, |ui| findings_ui(ui, view, out));
            column_ui(ui, TABLE_WIDTH, |ui| tile_sizes_ui(ui, view, out));
        });
    });
}

fn column_ui(ui: &mut egui::Ui, width: f32, content: impl FnOnce(&mut egui::Ui)) {
    let layout = egui::Layout::top_down(egui::Align::Min);
    ui.allocate_ui_with_layout(egui::vec2(width, ui.available_height()), layout, |ui| {
        ui.set_width(width);
        ui.spacing_mut().item_spacing.x = 8.0;
        content(ui);
    });
}

fn findings_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    buttons_ui(ui, view, out);
    if let Some(obstacle) = view.level_in_part().and_then(|_| view.whole_level_obstacle()) {
        note_ui(ui, obstacle);
    }
    match &view.opened.store {
        Some(store) if store.world.is_some() => store_note_ui(ui, store),
        _ if view.is_whole_checked() => note_ui(
            ui,
            tr!(
                "All tiles of the level were checked, also those that are not loaded. A finding loads the part around it."
            ),
        ),
        _ => part_note(ui, view),
    }
    match view.check.result() {
        Some(result) => {
            summary_ui(ui, result, view);
            list_ui(ui, result, view, out);
        }
        None if view.runs(TaskId::Check) => {}
        None if view.bake.navmesh.is_none() => {
            empty(ui, tr!("There is no navmesh to check. Bake first."));
        }
        None => empty(
            ui,
            tr!(
                "The check finds tile borders that do not join, polygons on which queries go wrong, islands that nothing \
            leads to, ground away from the level, and limits that are nearly reached."
            ),
        ),
    }
}

fn store_note_ui(ui: &mut egui::Ui, store: &OpenStore) {
    let n = format::counted(store.index.ground_entries().count(), "tile", "tiles");
    let text = tr!(
        "Checks all {n} of the store, also those that are not loaded. A finding loads the part around it."
    );
    note_ui(ui, &text);
}

fn note_ui(ui: &mut egui::Ui, text: &str) {
    let theme = Theme::of(ui.ctx().theme());
    ui.add(Label::new(RichText::new(text).small().color(theme.text_weak)).wrap());
}

fn buttons_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.horizontal_wrapped(|ui| {
        add_button(ui, Button::new(tr!("Check")), view, CheckCommand::Run.into(), out);
        if view.level_in_part().is_some() {
            let whole = CheckCommand::RunWhole.into();
            add_button(ui, Button::new(tr!("Check whole level")), view, whole, out);
        }
        let after = Command::from(CheckCommand::ToggleAfterBake);
        let mut is_on = view.check.after_each_bake;
        let switch = ui.checkbox(&mut is_on, tr!("After each bake")).author_id(after.id());
        if switch.on_hover_text(after.tooltip()).changed() {
            out.push(after);
        }
        ui.separator();
        for filter in CheckFilter::ALL {
            let show = Command::from(CheckCommand::Show(filter));
            let label = ui.selectable_label(view.check.filter == filter, filter.name());
            if label.author_id(show.id()).on_hover_text(show.tooltip()).clicked() {
                out.push(show);
            }
        }
        if let Some(result) = view.check.result() {
            ui.separator();
            copy_ui(ui, result);
        }
        if view.tile_sizes.result().is_none() && !view.runs(TaskId::TileSizes) {
            command_button(ui, view, CheckCommand::MeasureTileSizes, out);
        }
        if view.runs(TaskId::Check) {
            ui.separator();
            busy(ui);
            ui.label(progress_text(view.check.progress));
            add_button(ui, Button::new(tr!("Stop")), view, CheckCommand::Cancel.into(), out);
        }
    });
}

fn copy_ui(ui: &mut egui::Ui, result: &CheckResult) {
    let text = ui.button(tr!("Copy as text")).author_id("check.copy-text");
    if text.on_hover_text(tr!("Copies all findings, as walkable check prints them")).clicked() {
        ui.ctx().copy_text(result.answer.lines().join("\n"));
    }
    let json = ui.button(tr!("Copy as JSON")).author_id("check.copy-json");
    if json
        .on_hover_text(tr!("Copies all findings, as walkable check --json prints them"))
        .clicked()
        && let Ok(text) = result.answer.to_json()
    {
        ui.ctx().copy_text(text);
    }
}

fn progress_text(progress: Option<CheckProgress>) -> String {
    let kind = match progress {
        Some(CheckProgress::Baking { n_baked, n_all }) => {
            let [n_baked, n_all] = [n_baked, n_all].map(format::count);
            return tr!("Baked {n_baked} of {n_all} tiles");
        }
        Some(CheckProgress::Tiles { n_checked, n_all }) => {
            let [n_checked, n_all] = [n_checked, n_all].map(format::count);
            return tr!("Checked {n_checked} of {n_all} tiles");
        }
        Some(CheckProgress::Kind(kind)) => Some(kind),
        None => None,
    };
    let n = CheckKind::ALL.len();
    let step = kind.and_then(|kind| CheckKind::ALL.iter().position(|one| *one == kind));
    match kind.zip(step) {
        Some((kind, step)) => tr!("Checking {}: {} of {n}", kind.name(), step + 1),
        None => tr!("Starting…").to_owned(),
    }
}

fn summary_ui(ui: &mut egui::Ui, result: &CheckResult, view: &SessionView<'_>) {
    let theme = Theme::of(ui.ctx().theme());
    let answer = &result.answer;
    ui.horizontal_wrapped(|ui| {
        let color = if answer.n_warnings > 0 { theme.warning } else { theme.good };
        let warnings = format::counted(answer.n_warnings, "warning", "warnings");
        let notes = format::counted(answer.n_notes, "note", "notes");
        ui.label(RichText::new(warnings).color(color));
        ui.label(RichText::new(notes).color(theme.text_weak));
        let remark = if view.is_check_stale() {
            tr!("The findings are those before the last change")
        } else if result.surface.is_some() || view.opened.level.is_none() {
            return;
        } else if view.bake.layered().is_some() {
            tr!("Not compared with the level: tiles made of layers have no detail surface")
        } else {
            tr!("Not compared with the level: some tiles were not baked")
        };
        ui.label(RichText::new(remark).small().color(theme.text_weak));
    });
}

enum Row<'a> {
    Kind(&'static str, usize),
    Finding(usize, &'a Diagnostic),
}

fn rows(result: &CheckResult, filter: CheckFilter) -> Vec<Row<'_>> {
    let (mut rows, mut first) = (Vec::new(), 0);
    for (name, found) in result.answer.kinds() {
        let shown = (first..).zip(found).filter(|(_, found)| filter.shows(found));
        let shown: Vec<_> = shown.map(|(index, found)| Row::Finding(index, found)).collect();
        if !shown.is_empty() {
            rows.push(Row::Kind(name, shown.len()));
            rows.extend(shown);
        }
        first += found.len();
    }
    rows
}

fn list_ui(ui: &mut egui::Ui, result: &CheckResult, view: &SessionView<'_>, out: &mut Commands) {
    let rows = rows(result, view.check.filter);
    if rows.is_empty() {
        return empty(
            ui,
            match view.check.filter {
                CheckFilter::All => tr!("Nothing was found."),
                CheckFilter::Warnings => tr!("No warnings were found."),
            },
        );
    }
    let height = ui.spacing().interact_size.y;
    ui.spacing_mut().item_spacing.y = 2.0;
    let area = egui::ScrollArea::vertical().id_salt("check").auto_shrink(false);
    area.show_rows(ui, height, rows.len(), |ui, shown| {
        for row in &rows[shown] {
            match row {
                Row::Kind(name, n) => {
                    ui.allocate_ui(egui::vec2(ui.available_width(), height), |ui| {
                        ui.horizontal_centered(|ui| {
                            column(ui, &format!("{} ({n})", format::sentence(name)));
                        });
                    });
                }
                Row::Finding(index, found) => row_ui(ui, *index, found, view, out),
            }
        }
    });
}

fn row_ui(
    ui: &mut egui::Ui,
    index: usize,
    found: &Diagnostic,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    let theme = Theme::of(ui.ctx().theme());
    let page = found.code().page();
    let (icon, color) = notice::look(found.severity().into(), &theme);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.label(RichText::new(icon.codepoint).color(color)).on_hover_text(tr(page.title));
        let text = format::sentence(&lang::diagnostic(found));
        let help = format!("{} {}\n{}", tr(page.cause), tr(page.remedy), found.code());
        let label = if has_place(found) {
            let is_chosen = view.check.chosen == Some(index);
            let label = ui.selectable_label(is_chosen, text);
            let choose = CheckCommand::Choose((!is_chosen).then_some(index));
            if label.clicked() {
                out.push(choose);
            }
            label
        } else {
            ui.add_space(ui.spacing().button_padding.x);
            ui.label(text)
        };
        label.author_id(format_args!("check.{index}")).on_hover_text(help);
        let place = RichText::new(place_text(found)).small().color(theme.text_weak);
        ui.add(Label::new(place).truncate());
    });
}

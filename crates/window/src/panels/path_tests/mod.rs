//! The path tests: cases with their state, and the form of the selected case.

mod form;
#[cfg(test)]
mod tests;

use eframe::egui::{self, Button, Color32, RichText, vec2};
use walkable::suite::CaseFailure;
use walkable_editor::{
    command::{Command, Commands, PathTestCommand},
    session::{CaseState, ExportKind, PathTestCounts, SessionView},
    task::TaskId,
};
use walkable_workspace::{
    lang::{self, tr},
    path_tests::case_name,
};

use self::form::form_ui;
use crate::{
    icons::{self, MaterialIcon},
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        busy::busy,
        command_button::{add_button, command_button},
        legend::{empty, part_note},
    },
};

const LIST_WIDTH: f32 = 420.0;
const FORM_WIDTH: f32 = 360.0;
const GAP: f32 = 24.0;

pub fn path_tests_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    buttons_ui(ui, view, out);
    part_note(ui, view);
    if view.document().path_tests.is_empty() {
        return empty(
            ui,
            tr!(
                "No path tests yet. Place a path with the path tool and add it: its outcome and length become the \
            expectation. The tests run after each bake, and a bake that breaks one is reported."
            ),
        );
    }
    egui::ScrollArea::horizontal().auto_shrink(false).show(ui, |ui| {
        ui.horizontal_top(|ui| {
            let chosen = view.chosen_case();
            ui.spacing_mut().item_spacing.x = GAP;
            let form_width = chosen.map_or(0.0, |_| FORM_WIDTH + GAP);
            let width = (ui.available_width() - form_width).max(LIST_WIDTH);
            column(ui, width, |ui| list_ui(ui, view, out));
            if let Some((index, case)) = chosen {
                column(ui, FORM_WIDTH, |ui| {
                    let area = egui::ScrollArea::vertical().id_salt("path test");
                    area.auto_shrink(false).show(ui, |ui| form_ui(ui, index, case, view, out));
                });
            }
        });
    });
}

fn column(ui: &mut egui::Ui, width: f32, content: impl FnOnce(&mut egui::Ui)) {
    let layout = egui::Layout::top_down(egui::Align::Min);
    ui.allocate_ui_with_layout(vec2(width, ui.available_height()), layout, |ui| {
        ui.set_width(width);
        ui.spacing_mut().item_spacing.x = 8.0;
        content(ui);
    });
}

fn buttons_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    ui.horizontal_wrapped(|ui| {
        command_button(ui, view, PathTestCommand::Add, out);
        command_button(ui, view, PathTestCommand::Run, out);
        let import = add_button(ui, Button::new(tr!("Import…")), view, Command::Open, out);
        import.on_hover_text(tr!(
            "Adds the tests of a suite file or of a test case file of RecastDemo"
        ));
        add_button(ui, Button::new(tr!("Export…")), view, Command::Export(ExportKind::Suite), out);
        if view.runs(TaskId::PathTests) {
            busy(ui);
        }
        if view.document().path_tests.is_empty() {
            return;
        }
        let PathTestCounts { passed, failed, not_run } = view.path_test_counts();
        for (n, text, color) in [
            (passed, tr!("{passed} passed"), theme.good),
            (failed, tr!("{failed} failed"), theme.error),
            (not_run, tr!("{not_run} not run"), theme.text_weak),
        ] {
            if n > 0 {
                ui.label(RichText::new(text).color(color));
            }
        }
        if view.is_stale() {
            let text = tr!("The results are those before the last change");
            ui.label(RichText::new(text).small().color(theme.text_weak));
        }
    });
}

fn list_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let n_cases = view.document().path_tests.len();
    let height = ui.spacing().interact_size.y;
    ui.spacing_mut().item_spacing.y = 2.0;
    let area = egui::ScrollArea::vertical().id_salt("path tests").auto_shrink(false);
    area.show_rows(ui, height, n_cases, |ui, rows| {
        for index in rows {
            row_ui(ui, index, view, out);
        }
    });
}

fn row_ui(ui: &mut egui::Ui, index: usize, view: &SessionView<'_>, out: &mut Commands) {
    let Some(case) = view.document().path_tests.get(index) else { return };
    let theme = Theme::of(ui.ctx().theme());
    let Verdict { icon, color, text } = Verdict::of(view.case_state(index), &theme);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.label(RichText::new(icon.codepoint).color(color));
        let is_chosen = view.chosen_case().is_some_and(|(chosen, _)| chosen == index);
        let command = Command::from(PathTestCommand::Choose(index));
        let label = ui
            .selectable_label(is_chosen, lang::phrase(&case_name(case, index)))
            .author_id(command.id());
        if label.on_hover_text(command.tooltip()).clicked() {
            out.push(command);
        }
        let reason = RichText::new(&text).small().color(color);
        ui.add(egui::Label::new(reason).truncate()).on_hover_text(text);
    });
}

struct Verdict {
    icon: MaterialIcon,
    color: Color32,
    text: String,
}

impl Verdict {
    fn of(state: Option<&CaseState>, theme: &Theme) -> Self {
        let weak = theme.text_weak;
        match state {
            None => Self { icon: icons::ICON_HELP, color: weak, text: tr!("not run").to_owned() },
            Some(CaseState::NotRun(why)) => {
                let why = lang::phrase(why);
                Self { icon: icons::ICON_HELP, color: weak, text: tr!("not run: {why}") }
            }
            Some(CaseState::Run(result)) if result.is_passed() => {
                Self { icon: icons::ICON_CHECK_CIRCLE, color: theme.good, text: String::new() }
            }
            Some(CaseState::Run(result)) => {
                let text = |failure: &CaseFailure| lang::phrase(&failure.text);
                let text = result.failures.iter().map(text).collect::<Vec<_>>().join("; ");
                Self { icon: icons::ICON_ERROR, color: theme.error, text }
            }
        }
    }
}

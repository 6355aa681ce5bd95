//! The explanation of the path: the cause, the obstacles and their locations, and fixes.

use eframe::egui::{self, Button, RichText};
use walkable::{
    diagnostic::Phrase,
    route::{RouteAnswer, RouteBreak},
};
use walkable_editor::{
    answer::coordinates,
    command::{Command, Commands, FixCommand, ViewCommand},
    session::{PathFinding, SessionView},
    task::TaskId,
};
use walkable_workspace::{
    format,
    lang::{self, tr},
};

use crate::{
    icons,
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        busy::busy,
        buttons,
        command_button::add_button,
        legend::{empty, heading},
    },
};

pub(super) fn has_why(view: &SessionView<'_>) -> bool {
    view.path.answer.is_some() && (view.runs(TaskId::ExplainPath) || view.path_finding().is_some())
}

pub(super) fn path_why_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    heading(ui, tr!("In the way"));
    let theme = Theme::of(ui.ctx().theme());
    let is_busy = view.runs(TaskId::ExplainPath);
    if is_busy {
        ui.horizontal(|ui| {
            busy(ui);
            empty(ui, tr!("Searching the level for obstacles on the direct path…"));
        });
    }
    let Some(PathFinding { answer, is_stale }) = view.path_finding() else { return };
    if is_stale {
        let text = tr!("Out of date: the path or the bake has changed since");
        ui.add(egui::Label::new(RichText::new(text).small().color(theme.warning)).wrap());
    }
    match answer {
        Err(why) => {
            let why = lang::error_text(why);
            let text = tr!("The search for obstacles failed: {why}");
            ui.add(egui::Label::new(RichText::new(text).color(theme.error)).wrap());
        }
        Ok(answer) => answer_ui(ui, "path", answer, out),
    }
}

pub(super) fn explain_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let explain = Command::from(FixCommand::ExplainPath);
    add_button(ui, Button::new(tr!("Why this path?")), view.session, explain, out);
}

/// Draws the obstacles of an explanation. `id` begins the ids of its buttons.
pub(in crate::panels) fn answer_ui(
    ui: &mut egui::Ui,
    id: &str,
    answer: &RouteAnswer,
    out: &mut Commands,
) {
    let theme = Theme::of(ui.ctx().theme());
    let RouteAnswer { first, also, others, detour, unknown } = answer;
    if let Some(first) = first {
        sentence_ui(ui, &first.text);
        break_ui(ui, (id, 0), first, out);
    }
    for (next, number) in also.iter().zip(1..) {
        break_ui(ui, (id, number), next, out);
    }
    if let Some(detour) = detour {
        sentence_ui(ui, detour);
    }
    if first.is_none() && detour.is_none() {
        empty(ui, tr!("No obstacle: the path is not much longer than the direct distance."));
    }
    if !others.is_empty() {
        let text =
            if first.is_some() { tr!("Next best crossings") } else { tr!("On the direct path") };
        ui.label(RichText::new(text).small().color(theme.text_weak));
    }
    for (other, number) in others.iter().zip(also.len() + 1..) {
        break_ui(ui, (id, number), other, out);
    }
    if let Some(unknown) = unknown {
        let text = format::sentence(&lang::phrase(unknown));
        let text = RichText::new(text).small().color(theme.text_weak);
        ui.add(egui::Label::new(text).wrap());
    }
}

fn sentence_ui(ui: &mut egui::Ui, text: &Phrase) {
    let text = format::sentence(&lang::phrase(text));
    ui.add(egui::Label::new(tr!("{text}.")).wrap());
}

fn break_ui(
    ui: &mut egui::Ui,
    (id, number): (&str, usize),
    found: &RouteBreak,
    out: &mut Commands,
) {
    let label = format::sentence(&lang::phrase(&found.label()));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let go = tr!("Go to: {label}");
        if found.place.is_finite() {
            let button = buttons::icon(ui, icons::ICON_MY_LOCATION, &go);
            if button.author_id(format_args!("{id}.break.{number}")).clicked() {
                out.push(ViewCommand::LookAt(found.place));
            }
        }
        ui.add(egui::Label::new(RichText::new(&label).strong()).truncate()).on_hover_text(tr!(
            "{} at {}",
            lang::phrase(&found.text),
            coordinates(found.place)
        ));
    });
}

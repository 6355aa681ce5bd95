//! Proposed off-mesh links, to accept one by one, several or all.

use eframe::egui::{self, RichText};
use walkable_editor::{
    command::{Command, Commands, ProposalCommand},
    session::{SessionView, kind_name},
    task::TaskId,
};
use walkable_workspace::{
    format,
    lang::{self, tr},
};

use crate::{
    panels::agents::jumps::jumps_ui,
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        busy::busy,
        command_button::add_button,
        legend::{empty, heading},
    },
};

pub fn proposals_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.label(RichText::new(tr!("New off-mesh link")).strong());
    empty(
        ui,
        tr!(
            "Click the start and the end of an off-mesh link, drag from start to end for a one-way one, or let Walkable propose some."
        ),
    );
    jumps_ui(ui, view, out);
    ui.add_space(4.0);
    let proposals = &view.proposals;
    ui.horizontal(|ui| {
        let propose = Command::from(ProposalCommand::Propose);
        let button = ui.add_enabled(
            !view.runs(TaskId::Propose),
            egui::Button::new(tr!("Propose off-mesh links")),
        );
        let button = button.author_id(propose.id());
        if button.on_hover_text(propose.tooltip()).clicked() {
            out.push(propose);
        }
        if view.runs(TaskId::Propose) {
            busy(ui);
        }
    });
    if let Some(note) = &proposals.note {
        let theme = Theme::of(ui.ctx().theme());
        ui.add(egui::Label::new(RichText::new(lang::phrase(note)).color(theme.text_weak)).wrap());
    }
    if proposals.list.is_empty() {
        return;
    }
    heading(ui, &format::counted(proposals.list.len(), "proposal", "proposals"));
    buttons_ui(ui, view, out);
    for number in 0..proposals.list.len() {
        row_ui(ui, number, view, out);
    }
}

fn buttons_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let n = view.proposals.chosen.len();
    let dismiss = if n == 0 { tr!("Dismiss").to_owned() } else { tr!("Dismiss selected ({n})") };
    ui.horizontal_wrapped(|ui| {
        for (text, command) in [
            (tr!("Accept selected ({n})"), ProposalCommand::AcceptChosen),
            (tr!("Accept all").to_owned(), ProposalCommand::Accept(None)),
            (dismiss, ProposalCommand::Dismiss),
        ] {
            add_button(ui, egui::Button::new(text), view, command.into(), out);
        }
    });
}

/// Draws a proposal: a click selects it, with Ctrl in addition to others, with Shift together with those in between.
fn row_ui(ui: &mut egui::Ui, number: usize, view: &SessionView<'_>, out: &mut Commands) {
    let proposals = &view.proposals;
    let Some(proposal) = proposals.list.get(number) else { return };
    let (start, end) = (proposal.start.point, proposal.end.point);
    let (length, rise) = (format::length(start.distance(end)), end.y - start.y);
    let (kind, rise) = (kind_name(proposal.kind), format::signed_length(rise));
    let text = format!("{kind} {} · {length} · {rise}", number + 1);
    ui.horizontal(|ui| {
        let choose = Command::from(ProposalCommand::Choose(number));
        let label = ui.selectable_label(proposals.chosen.contains(&number), text);
        let label = label.author_id(choose.id()).on_hover_text(choose.tooltip());
        if label.clicked() {
            let held = ui.input(|input| input.modifiers);
            out.push(if held.command {
                ProposalCommand::Toggle(number)
            } else if held.shift {
                ProposalCommand::ChooseUpTo(number)
            } else {
                ProposalCommand::Choose(number)
            });
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let accept = Command::from(ProposalCommand::Accept(Some(number)));
            let button = ui.small_button(tr!("Accept"));
            let name = tr!("Accept proposal {}", number + 1);
            button.widget_info(|| {
                egui::WidgetInfo::labeled(egui::accesskit::Role::Button, true, name.clone())
            });
            if button.author_id(accept.id()).on_hover_text(accept.tooltip()).clicked() {
                out.push(accept);
            }
        });
    });
}

//! Proposed off-mesh links, to accept one by one, all or none.

use eframe::egui::{self, RichText};
use walkable_editor::{
    command::{Command, Commands, ProposalCommand},
    format,
    lang::tr,
    session::{SessionView, kind_name},
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

/// Draws the link tool's options while no link is selected.
pub fn proposals_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.label(RichText::new(tr!("New off-mesh link")).strong());
    empty(
        ui,
        tr!(
            "Click the start and the end of an off-mesh link, drag from start to end for a one-way one, or let Walkable propose some."
        ),
    );
    let proposals = &view.proposals;
    ui.horizontal(|ui| {
        let propose = Command::Proposal(ProposalCommand::Propose);
        let button =
            ui.add_enabled(!proposals.is_busy, egui::Button::new(tr!("Propose off-mesh links")));
        let button = button.author_id(propose.id());
        if button.on_hover_text(propose.tooltip()).clicked() {
            out.push(propose);
        }
        if proposals.is_busy {
            busy(ui);
        }
    });
    if let Some(note) = &proposals.note {
        let theme = Theme::of(ui.ctx().theme());
        ui.add(egui::Label::new(RichText::new(note).color(theme.text_weak)).wrap());
    }
    if proposals.list.is_empty() {
        return;
    }
    heading(ui, &format::counted(proposals.list.len(), "proposal", "proposals"));
    ui.horizontal(|ui| {
        let accept = Command::from(ProposalCommand::Accept(None));
        add_button(ui, egui::Button::new(tr!("Accept all")), view, accept, out);
        add_button(
            ui,
            egui::Button::new(tr!("Dismiss")),
            view,
            ProposalCommand::Dismiss.into(),
            out,
        );
    });
    for (number, proposal) in proposals.list.iter().enumerate() {
        ui.horizontal(|ui| {
            let name = tr!("Accept proposal {}", number + 1);
            let accept = Command::from(ProposalCommand::Accept(Some(number)));
            if buttons::icon(ui, icons::ICON_CHECK, &name).author_id(accept.id()).clicked() {
                out.push(accept);
            }
            let (start, end) = (proposal.start.point, proposal.end.point);
            let length = format::length(start.distance(end));
            let rise = end.y - start.y;
            ui.label(format!(
                "{} {} · {length} · {}",
                kind_name(proposal.kind),
                number + 1,
                format::signed_length(rise)
            ));
        });
    }
}

//! Proposed off-mesh links, to accept one by one, all or none.

use eframe::egui::{self, RichText};
use egui_material_icons::icons;
use walkable_editor::{
    command::{Command, Commands, ProposalCommand},
    format,
    session::{SessionView, kind_name},
};

use crate::{
    theme::Theme,
    widgets::{
        buttons,
        legend::{empty, heading},
    },
};

/// Draws the link tool's options while no link is selected.
pub fn proposals_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.label(RichText::new("New link").strong());
    empty(ui, "Click where a link starts and where it ends, or let the level be searched.");
    let proposals = &view.proposals;
    ui.horizontal(|ui| {
        let propose = Command::Proposal(ProposalCommand::Propose);
        let button = ui.add_enabled(!proposals.is_busy, egui::Button::new("Propose links"));
        if button.on_hover_text(propose.tooltip()).clicked() {
            out.push(propose);
        }
        if proposals.is_busy {
            ui.spinner();
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
        if ui.button("Accept all").clicked() {
            out.push(ProposalCommand::Accept(None));
        }
        if ui.button("Dismiss").clicked() {
            out.push(ProposalCommand::Dismiss);
        }
    });
    for (number, proposal) in proposals.list.iter().enumerate() {
        ui.horizontal(|ui| {
            let name = format!("Accept proposal {}", number + 1);
            if buttons::icon(ui, icons::ICON_CHECK, &name).clicked() {
                out.push(ProposalCommand::Accept(Some(number)));
            }
            let (start, end) = (proposal.start.point, proposal.end.point);
            let length = format::meters(start.distance(end));
            let rise = end.y - start.y;
            ui.label(format!(
                "{} {} · {length} · {rise:+.1} m",
                kind_name(proposal.kind),
                number + 1
            ));
        });
    }
}

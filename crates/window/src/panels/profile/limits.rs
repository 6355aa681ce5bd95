//! The use of limited resources of the navmesh.

use eframe::egui::{self, RichText};
use walkable_editor::session::{SessionView, limits};
use walkable_workspace::{format, lang::tr};

use crate::{
    theme::Theme,
    widgets::legend::{dense_row, heading},
};

pub(super) fn limits_ui(ui: &mut egui::Ui, view: &SessionView<'_>) {
    let limits = limits(view.session);
    if limits.is_empty() {
        return;
    }
    heading(ui, tr!("Limits used"));
    let theme = Theme::of(ui.ctx().theme());
    for limit in limits {
        let page = limit.code().page();
        let row = dense_row(ui, |ui| {
            let name = ui.label(RichText::new(tr(page.title)).color(theme.text_weak));
            let layout = egui::Layout::right_to_left(egui::Align::Center);
            let (used, most) = (format::count(limit.used), format::count(limit.most));
            let is_near = limit.diagnostic().is_some();
            let color = if is_near { theme.warning } else { theme.text };
            let text = tr!("{used} of {most} ({} %)", limit.percent());
            ui.with_layout(layout, |ui| {
                ui.add(egui::Label::new(RichText::new(text).color(color)).truncate())
            });
            name
        });
        row.on_hover_text(format!("{} {}", tr(page.cause), tr(page.remedy)));
    }
}

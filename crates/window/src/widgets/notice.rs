//! Messages as cards over the 3D view.

use eframe::egui::{
    self, Align2, Area, Color32, CornerRadius, Frame, Id, Label, Margin, Rect, RichText, Stroke,
    vec2,
};
use walkable_editor::{
    command::Commands,
    notices::{Notice, Notices},
    session::Severity,
};
use walkable_workspace::lang::{self, tr};

use crate::{
    icons::{self, MaterialIcon},
    theme::Theme,
    widgets::author_id::AuthorId as _,
};

const WIDTH: f32 = 380.0;
/// Maximum length of the detail until the card is unfolded.
const MAX_DETAIL: usize = 240;

pub fn look(severity: Severity, theme: &Theme) -> (MaterialIcon, Color32) {
    match severity {
        Severity::Info => (icons::ICON_INFO, theme.text_weak),
        Severity::Warning => (icons::ICON_WARNING, theme.warning),
        Severity::Error => (icons::ICON_ERROR, theme.error),
    }
}

/// Draws all cards in the lower right corner of the 3D view, `over`, the newest at the bottom. There they cover no
/// control. Returns the card that the user closed.
pub fn notices_ui(
    ctx: &egui::Context,
    over: Rect,
    notices: &Notices,
    out: &mut Commands,
) -> Option<u64> {
    if notices.list().is_empty() {
        return None;
    }
    let theme = Theme::of(ctx.theme());
    let mut dismissed = None;
    let area = Area::new(Id::unique("notices"))
        .pivot(Align2::RIGHT_BOTTOM)
        .fixed_pos(over.right_bottom() - vec2(16.0, 16.0));
    area.order(egui::Order::Foreground).show(ctx, |ui| {
        ui.spacing_mut().item_spacing.y = 8.0;
        for notice in notices.list() {
            if card_ui(ui, &theme, notice, out) {
                dismissed = Some(notice.id);
            }
        }
    });
    dismissed
}

fn card_ui(ui: &mut egui::Ui, theme: &Theme, notice: &Notice, out: &mut Commands) -> bool {
    let (icon, color) = look(notice.severity, theme);
    let mut dismissed = false;
    let frame = Frame::new()
        .fill(theme.raised)
        .stroke(Stroke::new(1.0, color))
        .corner_radius(CornerRadius::same(6))
        .inner_margin(Margin::same(10))
        .shadow(ui.visuals().popup_shadow);
    frame.show(ui, |ui| {
        ui.set_width(WIDTH);
        ui.horizontal(|ui| {
            ui.label(RichText::new(icon.codepoint).color(color).size(18.0));
            let title = lang::phrase(&notice.title);
            let words = RichText::new(&title).strong();
            ui.add(Label::new(words).truncate()).on_hover_text(title);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let close = ui.small_button(icons::ICON_CLOSE.codepoint);
                let info = || {
                    egui::WidgetInfo::labeled(egui::accesskit::Role::Button, true, tr!("Dismiss"))
                };
                close.widget_info(info);
                let close = close.author_id("notice.dismiss");
                dismissed = close.on_hover_text(tr!("Dismiss")).clicked();
            });
        });
        detail_ui(ui, notice);
        if let Some(remedy) = &notice.remedy
            && ui
                .button(remedy.text())
                .author_id(format_args!("notice.{}", remedy.id()))
                .on_hover_text(remedy.tooltip())
                .clicked()
        {
            out.push(remedy.clone());
            dismissed = true;
        }
    });
    dismissed
}

fn detail_ui(ui: &mut egui::Ui, notice: &Notice) {
    let detail = lang::phrase(&notice.detail);
    if detail.is_empty() {
        return;
    }
    let short: String = detail.chars().take(MAX_DETAIL).collect();
    if short.len() == detail.len() {
        ui.add(Label::new(short).wrap().selectable(true));
        return;
    }
    ui.add(Label::new(format!("{short}…")).wrap());
    ui.push_id(notice.id, |ui| {
        ui.collapsing(tr!("Show all"), |ui| {
            egui::ScrollArea::vertical().max_height(200.0).show(ui, |ui| {
                ui.add(Label::new(&detail).wrap().selectable(true));
            });
        });
    });
}

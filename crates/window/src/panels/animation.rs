//! The controls for the animation of a stage, at the bottom of the 3D view.

use eframe::egui::{self, Align2, Area, CornerRadius, Frame, Id, Margin, Order, Rect, RichText};
use walkable_editor::{
    command::{AnimationCommand, Command, Commands},
    session::{AnimationState, SessionView},
};
use walkable_workspace::{format, lang::tr};

use crate::{
    icons,
    panels::display::hud::ABOVE_HINTS,
    theme::Theme,
    widgets::{author_id::AuthorId as _, buttons, player::Player},
};

pub fn animation_ui(ctx: &egui::Context, rect: Rect, view: &SessionView<'_>, out: &mut Commands) {
    let Some(animation) = view.animation() else { return };
    let theme = Theme::of(ctx.theme());
    let at = rect.center_bottom() - egui::vec2(0.0, ABOVE_HINTS);
    let area = Area::new(Id::unique("animation")).fixed_pos(at).pivot(Align2::CENTER_BOTTOM);
    area.order(Order::Middle).show(ctx, |ui| {
        let frame = Frame::new()
            .fill(theme.raised)
            .stroke(egui::Stroke::new(1.0, theme.border))
            .corner_radius(CornerRadius::same(6))
            .inner_margin(Margin::symmetric(8, 5));
        frame.show(ui, |ui| {
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
            ui.horizontal(|ui| controls_ui(ui, animation, &theme, out));
        });
    });
}

fn controls_ui(ui: &mut egui::Ui, animation: AnimationState, theme: &Theme, out: &mut Commands) {
    let AnimationState { step, n_steps, .. } = animation;
    if n_steps == 0 {
        ui.label(RichText::new(tr!("Counting the steps of the animation…")).color(theme.text_weak));
        end_ui(ui, out);
        return;
    }
    let player = Player {
        id: "animation",
        whole: tr!("animation"),
        step,
        end: tr!("Show the finished stage"),
        n_steps,
    };
    let mut next = player.buttons_ui(ui, animation.replay);
    next = player.slider_ui(ui, next, 180.0);
    if next != animation.replay {
        out.push(AnimationCommand::Show(next));
    }
    let (shown, all) = (format::count(player.shown(animation.replay)), format::count(n_steps));
    let text = tr!("{step} {shown} of {all}");
    let label = egui::Label::new(RichText::new(format::sentence(&text)).color(theme.text_weak));
    ui.add_sized([120.0, 16.0], label);
    for speed in AnimationState::SPEEDS {
        let name = if speed < 1.0 { "¼×".to_owned() } else { format!("{speed:.0}×") };
        let is_on = (animation.speed - speed).abs() < 1e-3;
        let button = ui.selectable_label(is_on, &name);
        let what = tr!("Speed {name}");
        button.widget_info(|| {
            egui::WidgetInfo::selected(egui::accesskit::Role::Button, true, is_on, &what)
        });
        let command = Command::from(AnimationCommand::Speed(speed));
        if button.author_id(command.id()).on_hover_text(what.clone()).clicked() {
            out.push(command);
        }
    }
    end_ui(ui, out);
}

fn end_ui(ui: &mut egui::Ui, out: &mut Commands) {
    let end = Command::from(AnimationCommand::End);
    if buttons::icon(ui, icons::ICON_CLOSE, &end.text()).author_id(end.id()).clicked() {
        out.push(end);
    }
}

//! Controls over the view: the axes, buttons for views, the hints of the active tool.

use eframe::egui::{self, Align2, FontId, Pos2, Rect, Sense, Stroke, UiBuilder, Vec2, vec2};
use glam::Vec3;
use walkable_editor::{
    command::{Command, ViewCommand, variant_id},
    session::Side,
};
use walkable_workspace::lang::tr;

use super::camera::Camera;
use crate::{
    icons::{ICON_FIT_SCREEN, ICON_MAP, ICON_VIEW_IN_AR},
    theme::{CAPTION_SIZE, Theme},
    widgets::{author_id::AuthorId as _, command_button::command_tooltip},
};

/// Length of an axis, in points.
const ARM: f32 = 30.0;
const BALL: f32 = 9.0;
const INSET: f32 = 10.0;
const BUTTON: f32 = 26.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GizmoAction {
    LookFrom(Side),
    FrameAll,
    TopView,
    SwitchProjection,
}

struct Arm {
    direction: Vec3,
    side: Side,
    letter: &'static str,
}

const ARMS: [Arm; 6] = [
    Arm { direction: Vec3::X, side: Side::Right, letter: "X" },
    Arm { direction: Vec3::Y, side: Side::Top, letter: "Y" },
    Arm { direction: Vec3::Z, side: Side::Front, letter: "Z" },
    Arm { direction: Vec3::NEG_X, side: Side::Left, letter: "" },
    Arm { direction: Vec3::NEG_Y, side: Side::Bottom, letter: "" },
    Arm { direction: Vec3::NEG_Z, side: Side::Back, letter: "" },
];

/// Width below which axes and buttons are hidden, so that they do not overlap the legend.
const NARROW: f32 = 330.0;

/// Draws axes and buttons in the top right corner of `view`. The View menu has the same commands.
pub(super) fn show(
    ui: &mut egui::Ui,
    view: Rect,
    camera: &Camera,
    theme: &Theme,
) -> Option<GizmoAction> {
    let reach = ARM + BALL;
    if view.width() < NARROW || view.height() < 4.0 * reach + 3.0 * BUTTON {
        return None;
    }
    let center = view.right_top() + vec2(-INSET - reach, INSET + reach);
    let from_axes = axes(ui, center, camera, theme);
    let corner = view.right_top() + vec2(-INSET - reach - BUTTON * 0.5, INSET + 2.0 * reach + 8.0);
    let from_buttons = buttons(ui, corner, camera, theme);
    from_axes.or(from_buttons)
}

fn axes(ui: &egui::Ui, center: Pos2, camera: &Camera, theme: &Theme) -> Option<GizmoAction> {
    let view = camera.axes();
    let mut arms: Vec<(&Arm, f32)> =
        ARMS.iter().map(|arm| (arm, arm.direction.dot(view.forward))).collect();
    // The farthest is drawn first.
    arms.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut action = None;
    for (arm, depth) in arms {
        let seen = vec2(arm.direction.dot(view.right), -arm.direction.dot(view.up));
        let at = center + seen * ARM;
        let rect = Rect::from_center_size(at, Vec2::splat(2.0 * BALL));
        let response =
            ui.interact(rect, ui.scope_id().with(variant_id(arm.side)), Sense::click_and_drag());
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::Role::Button, ui.is_enabled(), arm.side.name())
        });
        let response = response.author_id(format_args!("viewport.{}", variant_id(arm.side)));
        let is_hovered = response.hovered();
        let command = Command::from(ViewCommand::From(arm.side));
        if response.on_hover_ui(|ui| command_tooltip(ui, &command)).clicked() {
            action = Some(GizmoAction::LookFrom(arm.side));
        }
        draw_arm(ui, [center, at], arm, &Look { depth, is_hovered }, theme);
    }
    action
}

struct Look {
    depth: f32,
    is_hovered: bool,
}

fn draw_arm(ui: &egui::Ui, [center, at]: [Pos2; 2], arm: &Arm, look: &Look, theme: &Theme) {
    let axis = arm.direction.abs();
    let color = if axis.x > 0.5 {
        theme.axis_x
    } else if axis.y > 0.5 {
        theme.axis_y
    } else {
        theme.axis_z
    };
    // Arms that point away fade towards the background.
    let color = theme.viewport.lerp_to_gamma(color, 0.85 - 0.25 * look.depth.max(0.0));
    let painter = ui.painter();
    if arm.letter.is_empty() {
        painter.circle(at, BALL - 2.0, theme.viewport, Stroke::new(1.5, color));
    } else {
        painter.line_segment([center, at], Stroke::new(2.0, color));
        painter.circle_filled(at, BALL, color);
        let font = FontId::proportional(CAPTION_SIZE);
        painter.text(at, Align2::CENTER_CENTER, arm.letter, font, theme.viewport);
    }
    if look.is_hovered {
        painter.circle_stroke(at, BALL + 1.0, Stroke::new(1.5, theme.text));
    }
}

fn buttons(ui: &mut egui::Ui, corner: Pos2, camera: &Camera, theme: &Theme) -> Option<GizmoAction> {
    let is_orthographic = camera.is_orthographic;
    let all = [
        (ICON_FIT_SCREEN, ViewCommand::FrameAll, GizmoAction::FrameAll, false),
        (ICON_MAP, ViewCommand::Top, GizmoAction::TopView, false),
        (
            ICON_VIEW_IN_AR,
            ViewCommand::ToggleOrthographic,
            GizmoAction::SwitchProjection,
            is_orthographic,
        ),
    ];
    let mut action = None;
    let mut at = corner;
    for (icon, command, of_button, is_on) in all {
        let command = Command::from(command);
        let rect = Rect::from_min_size(at, Vec2::splat(BUTTON));
        let color = if is_on { theme.accent } else { theme.text };
        let button = egui::Button::new(icon.rich_text().size(16.0).color(color))
            .fill(theme.foreground)
            .sense(Sense::click_and_drag());
        let response = ui.put(rect, button);
        let label = command.text();
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::Role::Button, ui.is_enabled(), &*label)
        });
        let response = response.author_id(format_args!("viewport.{}", variant_id(of_button)));
        if response.on_hover_ui(|ui| command_tooltip(ui, &command)).clicked() {
            action = Some(of_button);
        }
        at.y += BUTTON + 4.0;
    }
    action
}

pub(super) fn flight_speed(ui: &egui::Ui, view: Rect, speed: f32, theme: &Theme) {
    let text = tr!("Flight: W A S D Q E, wheel for speed, {speed:.1}×");
    let painter = ui.painter().with_clip_rect(view);
    let galley = painter.layout_no_wrap(text, FontId::proportional(CAPTION_SIZE), theme.text);
    let at = view.center_bottom() - vec2(0.0, 5.0 * INSET);
    let rect = Align2::CENTER_CENTER.anchor_size(at, galley.size());
    painter.rect_filled(rect.expand2(vec2(8.0, 5.0)), 6.0, theme.foreground);
    painter.galley(rect.min, galley, theme.text);
}

/// Horizontal margin around the hints, in points.
const HINT_MARGIN: i8 = 8;
const HINT_SPACING: f32 = 5.0;
const HINT_GAP: f32 = 10.0;

/// Returns the first hints that fit in one line of this width, after the name of the tool.
fn fitting<'a>(
    ui: &egui::Ui,
    (tool, hints): (&str, &'a [(&'a str, &'a str)]),
    width: f32,
) -> &'a [(&'a str, &'a str)] {
    let font = FontId::proportional(CAPTION_SIZE);
    let width_of = |text: &str| {
        let galley =
            ui.painter().layout_no_wrap(tr(text).to_owned(), font.clone(), egui::Color32::WHITE);
        galley.size().x + HINT_SPACING
    };
    let mut used = width_of(tool) + HINT_GAP;
    let n_fitting = hints.iter().take_while(|(keys, does)| {
        used += width_of(keys) + width_of(does);
        let fits = used <= width;
        used += HINT_GAP + HINT_SPACING;
        fits
    });
    let n_fitting = n_fitting.count();
    hints.get(..n_fitting).unwrap_or(hints)
}

pub(super) fn hints(
    ui: &mut egui::Ui,
    view: Rect,
    (tool, hints): (&str, &[(&str, &str)]),
    theme: &Theme,
) {
    if hints.is_empty() {
        return;
    }
    let area = view.shrink(INSET);
    let hints = fitting(ui, (tool, hints), area.width() - 2.0 * f32::from(HINT_MARGIN));
    let layout = egui::Layout::bottom_up(egui::Align::Min);
    let mut child = ui.new_child(UiBuilder::new().max_rect(area).layout(layout));
    let frame = egui::Frame::new()
        .fill(theme.foreground)
        .corner_radius(6.0)
        .inner_margin(egui::Margin::symmetric(HINT_MARGIN, 5));
    frame.show(&mut child, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = HINT_SPACING;
            let name = egui::RichText::new(tool).size(CAPTION_SIZE).strong();
            ui.add(egui::Label::new(name).selectable(false));
            for (keys, does) in hints {
                ui.add_space(HINT_GAP);
                let keys = egui::RichText::new(tr(keys)).size(CAPTION_SIZE).color(theme.text);
                let does = egui::RichText::new(tr(does)).size(CAPTION_SIZE).color(theme.text_weak);
                ui.add(egui::Label::new(keys).selectable(false));
                ui.add(egui::Label::new(does).selectable(false));
            }
        });
    });
}

//! A tour of the window in five steps, shown on first start.

use eframe::egui::{
    self, Align2, Area, Color32, CornerRadius, Frame, Id, Margin, Rect, RichText, Stroke,
    StrokeKind, vec2,
};
use walkable_editor::{
    command::{Command, Commands, Pane, PathCommand, TourCommand, ViewCommand},
    prefs::N_TOUR_STEPS,
    session::ToolKind,
};
use walkable_workspace::lang::tr;

use crate::{theme::Theme, widgets::author_id::AuthorId as _};

const WIDTH: f32 = 330.0;

struct TourStep {
    title: &'static str,
    text: &'static str,
    at: Target,
    attempt: Option<(&'static str, Command)>,
}

#[derive(Clone, Copy)]
enum Target {
    Pane(Pane),
    Strip,
}

fn steps() -> [TourStep; N_TOUR_STEPS] {
    [
        TourStep {
            title: tr!("This is your level"),
            text: tr!(
                "Blue is where the agent can walk. Turn with the middle mouse button (or Alt and the \
                   left one), zoom with the wheel. Open your own level with Ctrl+O, or drop it here."
            ),
            at: Target::Pane(Pane::View),
            attempt: Some((tr!("Look from above"), ViewCommand::Top.into())),
        },
        TourStep {
            title: tr!("Describe the agent"),
            text: tr!(
                "Set its size, how high it climbs and how steep it walks. Every change bakes \
            automatically, and Ctrl+Z undoes it."
            ),
            at: Target::Pane(Pane::Settings),
            attempt: None,
        },
        TourStep {
            title: tr!("See each stage of the bake"),
            text: tr!(
                "From triangles to the linked navmesh. Click a stage or use the arrow keys: \
            where floor disappears, the agent cannot walk."
            ),
            at: Target::Strip,
            attempt: Some((tr!("Play the stages"), ViewCommand::PlayStages.into())),
        },
        TourStep {
            title: tr!("Find a path"),
            text: tr!("With the path tool (key 2), click a start and an end. The panel shows the \
            length, or why there is no path."),
            at: Target::Pane(Pane::Path),
            attempt: Some((tr!("Swap the ends"), PathCommand::Swap.into())),
        },
        TourStep {
            title: tr!("Why can't my agent walk here?"),
            text: tr!(
                "Point at any place, and the inspector shows what each stage computed there. \
            Ctrl+K lists every command; Ctrl+E exports the navmesh for your game."
            ),
            at: Target::Pane(Pane::Inspector),
            attempt: Some((tr!("Use the select tool"), Command::ChooseTool(ToolKind::Select))),
        },
    ]
}

/// Returns the panel that a step points at; `None` if it points at the stage strip.
pub fn panel_of_step(step: usize) -> Option<Pane> {
    match steps().get(step)?.at {
        Target::Pane(pane) => Some(pane),
        Target::Strip => None,
    }
}

/// Draws the card of `step` over the window. `of_pane` returns the rectangle of a panel, if the panel is visible.
pub fn tour_ui(
    ctx: &egui::Context,
    step: usize,
    strip: Option<Rect>,
    of_pane: impl Fn(Pane) -> Option<Rect>,
    out: &mut Commands,
) {
    let steps = steps();
    let Some(shown) = steps.get(step) else { return };
    let theme = Theme::of(ctx.theme());
    let at = match shown.at {
        Target::Pane(pane) => of_pane(pane),
        Target::Strip => strip,
    };
    if let Some(rect) = at {
        let layer = egui::LayerId::new(egui::Order::Middle, Id::unique("tour frame"));
        let stroke = Stroke::new(2.0, theme.accent);
        let rect = rect.shrink(1.0);
        ctx.layer_painter(layer).rect_stroke(
            rect,
            CornerRadius::same(4),
            stroke,
            StrokeKind::Inside,
        );
    }
    let (anchor, offset) = beside(at, ctx.content_rect());
    Area::new(Id::unique("tour"))
        .order(egui::Order::Foreground)
        .fixed_pos(offset)
        .pivot(anchor)
        .show(ctx, |ui| card_ui(ui, &theme, (step, steps.len()), shown, out));
}

/// Returns the pivot of the card and its position: next to the target, toward the middle of the window.
fn beside(at: Option<Rect>, window: Rect) -> (Align2, egui::Pos2) {
    let Some(rect) = at else { return (Align2::CENTER_CENTER, window.center()) };
    let gap = 14.0;
    if rect.width() > window.width() * 0.4 && rect.height() > window.height() * 0.4 {
        return (Align2::LEFT_BOTTOM, rect.left_bottom() + vec2(gap * 3.0, -gap * 5.0));
    }
    if rect.width() > window.width() * 0.5 {
        return (Align2::CENTER_BOTTOM, rect.center_top() - vec2(0.0, gap));
    }
    if rect.center().x < window.center().x {
        return (Align2::LEFT_CENTER, rect.right_center() + vec2(gap, 0.0));
    }
    (Align2::RIGHT_CENTER, rect.left_center() - vec2(gap, 0.0))
}

fn card_ui(
    ui: &mut egui::Ui,
    theme: &Theme,
    (step, n_steps): (usize, usize),
    shown: &TourStep,
    out: &mut Commands,
) {
    let frame = Frame::new()
        .fill(theme.raised)
        .stroke(Stroke::new(1.0, theme.accent))
        .corner_radius(CornerRadius::same(6))
        .inner_margin(Margin::same(12))
        .shadow(ui.visuals().popup_shadow);
    frame.show(ui, |ui| {
        ui.set_width(WIDTH);
        ui.label(RichText::new(shown.title).heading());
        ui.label(shown.text);
        ui.add_space(6.0);
        if let Some((name, command)) = &shown.attempt
            && ui.button(*name).author_id(command.id()).on_hover_text(command.tooltip()).clicked()
        {
            out.push(command.clone());
        }
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            let is_last = step + 1 == n_steps;
            let next = if is_last { TourCommand::End } else { TourCommand::Step(step + 1) };
            let accent = egui::Button::new(
                RichText::new(if is_last { tr!("Done") } else { tr!("Next") })
                    .color(theme.on_accent),
            );
            if ui.add(accent.fill(theme.accent)).author_id("tour.next").clicked() {
                out.push(next);
            }
            if step > 0 && ui.button(tr!("Back")).author_id("tour.back").clicked() {
                out.push(TourCommand::Step(step - 1));
            }
            if !is_last && ui.button(tr!("Skip the tour")).author_id("tour.skip").clicked() {
                out.push(TourCommand::End);
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                dots(ui, theme, step, n_steps);
            });
        });
    });
}

fn dots(ui: &mut egui::Ui, theme: &Theme, step: usize, n_steps: usize) {
    for n in (0..n_steps).rev() {
        let (rect, _) = ui.allocate_exact_size(vec2(8.0, 8.0), egui::Sense::hover());
        let color: Color32 = if n == step { theme.accent } else { theme.border };
        ui.painter().circle_filled(rect.center(), 3.0, color);
    }
}

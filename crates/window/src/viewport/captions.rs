//! Labels of constant size at positions in the world. Where labels overlap, only the one of the largest object is
//! drawn.

use eframe::egui::{
    self, CornerRadius, FontId, Rect, Sense, Stroke, StrokeKind, WidgetInfo, accesskit::Role, vec2,
};
use walkable::debug_draw::Paint;
use walkable_editor::{
    labels::{Caption, CaptionStyle},
    pictures::ViewHalf,
};

use super::{Scene, Split, camera::Projection, picking};
use crate::theme::CAPTION_SIZE;

const MAX_SHOWN: usize = 300;
const MARGIN: egui::Vec2 = vec2(4.0, 2.0);
/// Distance of a label above the top of its marker, in points.
const ABOVE_MARKER: f32 = 20.0;
/// Maximum width of a label relative to its object.
const OVERHANG: f32 = 1.2;

struct Candidate<'a> {
    caption: &'a Caption,
    at: egui::Pos2,
    /// Half the width of its object, in points; infinite for markers, so that they come first.
    reach: f32,
}

/// Draws the labels of `scene` over its pictures, one or two.
pub(super) fn show(
    ui: &egui::Ui,
    [left, right]: [Rect; 2],
    scene: &Scene<'_>,
    projection: &Projection,
) {
    show_one(ui, left, scene, projection);
    if right != left {
        show_one(ui, right, scene, projection);
    }
}

fn show_one(ui: &egui::Ui, rect: Rect, scene: &Scene<'_>, projection: &Projection) {
    let mut candidates: Vec<_> = scene
        .captions
        .iter()
        .filter_map(|caption| candidate(caption, rect, scene, projection))
        .collect();
    candidates.sort_by(|a, b| b.reach.total_cmp(&a.reach));
    let mut taken: Vec<Rect> = Vec::new();
    let painter = ui.painter().with_clip_rect(rect);
    let theme = scene.theme;
    let font = FontId::proportional(CAPTION_SIZE);
    let pointer = ui.input(|input| input.pointer.hover_pos());
    for Candidate { caption, at, reach } in candidates {
        if taken.len() >= MAX_SHOWN {
            break;
        }
        let is_marker = !matches!(caption.style, CaptionStyle::Surface { .. });
        let is_name = caption.style == CaptionStyle::Name;
        let is_weak = matches!(caption.style, CaptionStyle::WeakMarker(_));
        let color = if is_weak { theme.text_weak } else { theme.text };
        let galley = painter.layout_no_wrap(caption.text.clone(), font.clone(), color);
        let mut card = Rect::from_center_size(at, galley.size() + 2.0 * MARGIN);
        if is_marker {
            card = within(card.translate(vec2(0.0, -ABOVE_MARKER)), rect);
        }
        let fits = card.width() <= 2.0 * reach * OVERHANG && rect.contains_rect(card);
        let is_hidden = || !is_marker && hides(scene, at, rect, projection, caption);
        if !fits || taken.iter().any(|other| other.intersects(card)) || is_hidden() {
            continue;
        }
        painter.rect_filled(card, CornerRadius::same(3), theme.foreground);
        if is_marker && !is_name {
            let stroke = Stroke::new(1.0, theme.paint(Paint::Break));
            painter.rect_stroke(card, CornerRadius::same(3), stroke, StrokeKind::Inside);
        }
        painter.galley(card.min + MARGIN, galley, color);
        let id = ui.scope_id().with(("caption", rect.left().to_bits(), taken.len()));
        // A caption under the pointer must not take the pointer from the view: captions of what is under the pointer
        // would flicker.
        let is_pointed_at = pointer.is_some_and(|pointer| card.contains(pointer));
        let area = if is_pointed_at { Rect::from_min_size(card.min, vec2(0.0, 0.0)) } else { card };
        let response = ui.interact(area, id, Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &caption.text));
        taken.push(card.expand(1.0));
    }
}

fn candidate<'a>(
    caption: &'a Caption,
    rect: Rect,
    scene: &Scene<'_>,
    projection: &Projection,
) -> Option<Candidate<'a>> {
    /// Minimum width of a label, in points.
    const NARROWEST: f32 = 14.0;
    let place = projection.place_of(caption.at).filter(|place| place.abs().max_element() < 1.0)?;
    let at = picking::point_in(rect, place);
    let reach = match caption.style {
        CaptionStyle::Surface { reach } => reach,
        CaptionStyle::Marker(half) => {
            let marker = Candidate { caption, at, reach: f32::INFINITY };
            return is_in(half, at, rect, scene.split).then_some(marker);
        }
        CaptionStyle::WeakMarker(half) => {
            let marker = Candidate { caption, at, reach: f32::MAX };
            return is_in(half, at, rect, scene.split).then_some(marker);
        }
        CaptionStyle::Name => return Some(Candidate { caption, at, reach: f32::MAX }),
    };
    let beside = projection.place_of(caption.at + projection.camera.axes().right * reach)?;
    let reach = (beside.x - place.x) * 0.5 * rect.width();
    let fits = 2.0 * reach * OVERHANG >= NARROWEST && scene.slice.holds(caption.at.y);
    fits.then_some(Candidate { caption, at, reach })
}

fn is_in(half: ViewHalf, at: egui::Pos2, rect: Rect, split: Split) -> bool {
    let Split::Divider(divider) = split else { return true };
    let is_left = at.x < rect.left() + divider * rect.width();
    half.is_seen_in(if is_left { ViewHalf::Left } else { ViewHalf::Right })
}

/// Moves `card` into `rect`, so that no side of it is cut off.
fn within(card: Rect, rect: Rect) -> Rect {
    let room = rect.size() - card.size();
    let offset = (card.min - rect.min).clamp(egui::Vec2::ZERO, room.max(egui::Vec2::ZERO));
    Rect::from_min_size(rect.min + offset, card.size())
}

fn hides(
    scene: &Scene<'_>,
    at: egui::Pos2,
    rect: Rect,
    projection: &Projection,
    caption: &Caption,
) -> bool {
    /// Distance in front of a label within which nothing hides it, in meters, because labels lie on the ground.
    const NEAR: f32 = 0.6;
    let Some(level) = scene.level.filter(|level| level.opacity > 0.5) else { return false };
    let Some(ray) = projection.ray(picking::place_in(rect, at)) else { return false };
    let hit = picking::hit_level(level, scene, &ray);
    hit.is_some_and(|hit| hit.point.distance(ray.origin) + NEAR < caption.at.distance(ray.origin))
}

use walkable_bake::bake::Heightfield;

use crate::debug_draw::{DrawList, Paint, compact::area_paint, spans::blocks};

/// Draws the solid spans after the filters as boxes, by area, and marks the spans that a filter removed. `before` has
/// the same spans before the filters.
pub fn filtered(before: &Heightfield, after: &Heightfield) -> DrawList {
    blocks(after, |index, span| {
        let was_walkable = before.spans.get(index).is_some_and(|old| old.area.is_walkable());
        let is_lost = was_walkable && !span.area.is_walkable();
        Some(if is_lost { Paint::Lost } else { area_paint(span.area) })
    })
}

use walkable_bake::bake::{CompactField, RawArea};

use crate::debug_draw::{DrawList, Paint, compact::area_paint, floors::floors};

/// Draws the floors of open spans by area after erosion, and the floors that erosion and volumes removed. Floors that
/// were not walkable before are left out. `before` and `after` have one area per span.
pub fn eroded(field: &CompactField, before: &[RawArea], after: &[RawArea]) -> DrawList {
    floors(field, |span| {
        let (before, after) = (*before.get(span)?, *after.get(span)?);
        match (before.is_walkable(), after.is_walkable()) {
            (_, true) => Some(area_paint(after)),
            (true, false) => Some(Paint::Lost),
            (false, false) => None,
        }
    })
}

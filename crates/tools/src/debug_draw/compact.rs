use walkable_bake::bake::{CompactField, RawArea};

use crate::debug_draw::{DrawList, Paint, floors::floors};

/// Draws the floors of open spans by area. `areas` has one area per span.
pub fn compact(field: &CompactField, areas: &[RawArea]) -> DrawList {
    floors(field, |span| Some(area_paint(*areas.get(span)?)))
}

/// Returns the paint of a floor or span of `area`.
pub(super) fn area_paint(area: RawArea) -> Paint {
    if area.is_walkable() { Paint::Area(area.in_tile()) } else { Paint::Blocked }
}

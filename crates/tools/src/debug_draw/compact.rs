use walkable_bake::bake::CompactField;
use walkable_runtime::ids::AreaId;

use crate::debug_draw::{DrawList, Paint, floors::floors};

/// Floors of open spans by area, one of `areas` per span.
pub fn compact(field: &CompactField, areas: &[AreaId]) -> DrawList {
    floors(field, |span| Some(area_paint(*areas.get(span)?)))
}

/// How a floor or span of `area`, numbered as while baking, is painted.
pub(super) fn area_paint(area: AreaId) -> Paint {
    match area {
        AreaId::NULL => Paint::Blocked,
        AreaId::WALKABLE => Paint::Area(0),
        AreaId(number) => Paint::Area(number),
    }
}

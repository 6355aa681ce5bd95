use walkable_bake::bake::{CompactField, DistanceField, RawArea};

use crate::debug_draw::{DrawList, Paint, floors::floors};

/// Draws the floors of walkable spans by their distance to the nearest border, relative to the largest distance of the
/// tile. `areas` has one area per span.
pub fn distance(field: &CompactField, areas: &[RawArea], distance: &DistanceField) -> DrawList {
    so_far(field, areas, &distance.distances, distance.max)
}

/// Draws an unfinished distance field like [`distance`]. `max` is the largest distance of the finished field. Floors
/// whose distance is still unknown (`u16::MAX`) are drawn as blocked.
pub(super) fn so_far(
    field: &CompactField,
    areas: &[RawArea],
    distances: &[u16],
    max: u16,
) -> DrawList {
    let largest = f32::from(max.max(1));
    let paint = |distance: u16| match distance {
        u16::MAX => Paint::Blocked,
        _ => Paint::Scalar((f32::from(distance) / largest).min(1.0)),
    };
    floors(field, |span| areas.get(span)?.is_walkable().then_some(paint(*distances.get(span)?)))
}

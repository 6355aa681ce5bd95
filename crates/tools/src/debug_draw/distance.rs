use walkable_bake::bake::{CompactField, DistanceField, RawArea};

use crate::debug_draw::{DrawList, Paint, floors::floors};

/// Floors of walkable spans by their distance to the nearest border, as a part of the largest
/// distance of the tile. One of `areas` per span.
pub fn distance(field: &CompactField, areas: &[RawArea], distance: &DistanceField) -> DrawList {
    so_far(field, areas, &distance.distances, distance.max)
}

/// As [`distance`], of `distances` of which the largest is to be `max`. Floors whose distance is not known yet, as it
/// is `u16::MAX`, are drawn as ground that nobody can stand on.
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

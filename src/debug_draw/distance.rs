use crate::{
    bake::{CompactField, DistanceField},
    debug_draw::{DrawList, Paint, floors::floors},
    ids::AreaId,
};

/// Floors of walkable spans by their distance to the nearest border, as a part of the largest
/// distance of the tile. One of `areas` per span.
pub fn distance(field: &CompactField, areas: &[AreaId], distance: &DistanceField) -> DrawList {
    let largest = f32::from(distance.max.max(1));
    floors(field, |span| {
        let value = f32::from(*distance.distances.get(span)?) / largest;
        areas.get(span)?.is_walkable().then_some(Paint::Scalar(value.min(1.0)))
    })
}

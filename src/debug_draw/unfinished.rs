use crate::{
    bake::{Intermediates, Unfinished},
    debug_draw::{
        DrawList, Paint, contours, eroded, filtered, floors::floors, polygons, raw_contours,
        regions::region_paint, spans,
    },
    ids::{RegionId, TileCoord},
};

/// A stage stopped on its way, drawn as it is when it is done. `made` is what all stages made of the tile at `tile`.
/// Ground that the water has not reached is drawn as ground that nobody can stand on.
pub fn unfinished(stopped: &Unfinished, made: &Intermediates, tile: TileCoord) -> DrawList {
    match stopped {
        Unfinished::Spans(field) => spans(field),
        Unfinished::Filtered(field) => filtered(&made.spans, field),
        Unfinished::Eroded(areas) => eroded(&made.compact, &made.compact_areas, areas),
        Unfinished::Regions(ids) => floors(&made.compact, |span| {
            let region = *ids.get(span)?;
            let is_dry = region == RegionId::NONE;
            let is_walkable = made.eroded_areas.get(span)?.is_walkable();
            match (is_dry, is_walkable) {
                (false, _) => Some(region_paint(region, tile)),
                (true, true) => Some(Paint::Blocked),
                (true, false) => None,
            }
        }),
        Unfinished::Contours(set) => {
            let mut list = raw_contours(set);
            list.append(contours(set, tile));
            list
        }
        Unfinished::Polygons(mesh) => polygons(mesh),
    }
}

use walkable_bake::bake::{Intermediates, Unfinished};
use walkable_mesh::TriMesh;
use walkable_runtime::ids::{RegionId, TileCoord};

use crate::debug_draw::{
    DrawList, Paint, contours, detail, distance, eroded, filtered, floors::floors,
    height_layers::layer_paint, links::links, polygons, polygons::polygons_from, raw_contours,
    regions::region_paint, slope, spans,
};

/// Draws an unfinished stage like the finished one. `made` has the results of all stages of the tile at `tile` of
/// `mesh`. Ground that the stage has not reached yet is drawn as blocked. In stages that process triangles or polygons
/// one by one, the current one has a ring.
pub fn unfinished(
    stopped: &Unfinished,
    mesh: &TriMesh,
    made: &Intermediates,
    tile: TileCoord,
) -> DrawList {
    match stopped {
        Unfinished::Slope(slopes) => {
            let mut list = slope(mesh, slopes);
            let last = slopes.triangles.last().map(|&triangle| triangle as usize);
            if let Some(last) = last.filter(|&last| last < mesh.triangles().len()) {
                list.ring(&mesh.corners(last), 2.5, Paint::Accent);
            }
            list
        }
        Unfinished::Spans(field) => spans(field),
        Unfinished::Filtered(field) => filtered(&made.spans, field),
        Unfinished::Compact(field) => links(field, &made.compact_areas),
        Unfinished::Eroded(areas) => eroded(&made.compact, &made.compact_areas, areas),
        Unfinished::Distance(distances) => {
            let max = made.distance.as_ref().map_or(0, |made| made.max);
            distance::so_far(&made.compact, &made.eroded_areas, distances, max)
        }
        Unfinished::Regions(ids) => reached(made, |span| {
            let region = *ids.get(span)?;
            (region != RegionId::NONE).then(|| region_paint(region, tile))
        }),
        Unfinished::Layers(set) => reached(made, |span| {
            let layer = *set.layer_of_span.get(span)?;
            layer.map(|layer| layer_paint(layer, tile))
        }),
        Unfinished::Contours(set) => {
            // Raw contours are traced before any is simplified.
            let is_raw = set.contours.iter().all(|contour| contour.vertices.is_empty());
            if is_raw { raw_contours(set, tile) } else { contours(set, tile) }
        }
        Unfinished::Polygons(mesh) => polygons(mesh),
        Unfinished::Detail(mesh) => {
            let mut list = detail(&made.polygons, mesh);
            list.append(polygons_from(&made.polygons, mesh.patches.len()));
            list
        }
    }
}

/// Draws the floors in the paints of `paint_of`; walkable floors without a paint are blocked.
fn reached(made: &Intermediates, paint_of: impl Fn(usize) -> Option<Paint>) -> DrawList {
    floors(&made.compact, |span| {
        let is_walkable = || made.eroded_areas.get(span).is_some_and(|area| area.is_walkable());
        paint_of(span).or_else(|| is_walkable().then_some(Paint::Blocked))
    })
}

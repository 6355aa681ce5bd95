use walkable_bake::bake::{Intermediates, Unfinished};
use walkable_mesh::TriMesh;
use walkable_runtime::ids::{RegionId, TileCoord};

use crate::debug_draw::{
    DrawList, Paint, contours, detail, distance, eroded, filtered, floors::floors,
    height_layers::layer_paint, links::links, polygons, polygons::polygons_from, raw_contours,
    regions::region_paint, slope, spans,
};

/// A stage stopped on its way, drawn as it is when it is done. `made` is what all stages made of the tile at `tile`
/// of `mesh`. Ground that the stage has not come to is drawn as ground that nobody can stand on; where a stage goes
/// through triangles or polygons, the one that it has come to is ringed.
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
            let mut list = raw_contours(set);
            list.append(contours(set, tile));
            list
        }
        Unfinished::Polygons(mesh) => polygons(mesh),
        Unfinished::Detail(mesh) => {
            let mut list = detail(&made.polygons, mesh);
            list.append(polygons_from(&made.polygons, mesh.patches.len()));
            list
        }
    }
}

/// Floors with the colors of `paint_of`; walkable ones without are blocked.
fn reached(made: &Intermediates, paint_of: impl Fn(usize) -> Option<Paint>) -> DrawList {
    floors(&made.compact, |span| {
        let is_walkable = || made.eroded_areas.get(span).is_some_and(|area| area.is_walkable());
        paint_of(span).or_else(|| is_walkable().then_some(Paint::Blocked))
    })
}

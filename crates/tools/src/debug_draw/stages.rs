use walkable_bake::bake::{Intermediates, TileBake};
use walkable_mesh::TriMesh;
use walkable_runtime::{ids::TileCoord, stage::Stage};

use crate::debug_draw::{
    DrawList, compact, contours, detail, distance, eroded, filtered, polygons, regions, slope,
    spans, tile,
};

/// Draws the result of `stage` for one tile of `mesh`. Empty if the bake did not keep it.
pub fn stage(stage: Stage, mesh: &TriMesh, bake: &TileBake) -> DrawList {
    match (stage, &bake.stages, &bake.tile) {
        (Stage::Tile, _, Some(data)) => tile(data),
        (stage, Some(stages), _) => intermediate(stage, mesh, stages, bake.coord),
        (_, None, _) => DrawList::default(),
    }
}

fn intermediate(stage: Stage, mesh: &TriMesh, made: &Intermediates, at: TileCoord) -> DrawList {
    match stage {
        Stage::Slope => slope(mesh, &made.slopes),
        Stage::Spans => spans(&made.spans),
        Stage::Filtered => filtered(&made.spans, &made.filtered),
        Stage::Compact => compact(&made.compact, &made.compact_areas),
        Stage::Eroded => eroded(&made.compact, &made.compact_areas, &made.eroded_areas),
        Stage::Distance => made
            .distance
            .as_ref()
            .map_or_else(DrawList::default, |d| distance(&made.compact, &made.eroded_areas, d)),
        Stage::Regions => regions(&made.compact, &made.regions, at),
        Stage::Contours => contours(&made.contours, at),
        Stage::Polygons => polygons(&made.polygons),
        Stage::Detail => detail(&made.polygons, &made.detail),
        Stage::Tile => DrawList::default(),
    }
}

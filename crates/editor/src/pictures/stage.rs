//! The picture of the result of one stage in one tile.

use walkable::{
    bake::Intermediates,
    debug_draw::{self, DrawList, Paint},
};
use walkable_workspace::{
    stage_pictures::{joined, layer_pictures, stage_picture},
    stage_view::StageView,
};

use crate::{
    coloring::{Coloring, PolygonRegions, Subject},
    session::{ColorBy, DisplaySettings, LoadedLevel, Overlay, TileResult},
};

pub fn level_opacity(stage: StageView) -> f32 {
    if matches!(stage, StageView::Spans | StageView::Filtered) { 0.0 } else { 1.0 }
}

pub fn is_colored(stage: StageView, display: &DisplaySettings) -> bool {
    matches!(stage, StageView::Polygons | StageView::Navmesh) && display.color_by != ColorBy::Area
}

/// Distinguishes the variants of the picture of `stage` that `display` selects; 0 for the usual one.
pub(super) fn variant(stage: StageView, display: &DisplaySettings) -> u64 {
    match stage {
        StageView::Spans | StageView::Filtered => display.shows(Overlay::WalkableVoxels).into(),
        StageView::Layers => display.layers.number.map_or(0, |number| u64::from(number) + 1),
        StageView::Input
        | StageView::Slope
        | StageView::Compact
        | StageView::Eroded
        | StageView::Distance
        | StageView::Regions
        | StageView::ContoursRaw
        | StageView::Contours
        | StageView::Polygons
        | StageView::Detail
        | StageView::Navmesh => 0,
    }
}

pub(super) fn colored(
    stage: StageView,
    coloring: &Coloring,
    (result, stages): (&TileResult, Option<&Intermediates>),
) -> DrawList {
    let Some(tile) = result.tile.as_deref() else { return DrawList::default() };
    let polygons = stages.map(|stages| &stages.polygons);
    let subject = Subject {
        coord: result.coord,
        tile,
        regions: polygons.map_or(PolygonRegions::Unknown, PolygonRegions::Of),
        time: Some(result.times.total()),
        n_bytes: result.n_bytes,
    };
    match (stage, polygons) {
        (StageView::Navmesh, _) => coloring.tile_picture(&subject),
        (_, Some(mesh)) => debug_draw::painted_polygons(mesh, |index, corners| {
            coloring.paint(&subject, index, corners)
        }),
        (_, None) => DrawList::default(),
    }
}

pub(super) fn tile_picture(
    stage: StageView,
    level: &LoadedLevel,
    (tile, stages): (&TileResult, Option<&Intermediates>),
    display: &DisplaySettings,
) -> DrawList {
    if stage == StageView::Navmesh {
        return tile.tile.as_deref().map(debug_draw::tile).unwrap_or_default();
    }
    let Some(stages) = stages else { return DrawList::default() };
    if stage == StageView::Slope && tile.level != level.serial {
        return DrawList::default();
    }
    if stage == StageView::Layers {
        let layers = (0..).zip(layer_pictures(stages, tile.coord));
        return joined(
            layers.filter(|(number, _)| display.layers.holds(*number)).map(|(_, list)| list),
        );
    }
    let only_walkable = display.shows(Overlay::WalkableVoxels);
    match stage {
        StageView::Spans if only_walkable => debug_draw::walkable_spans(&stages.spans),
        StageView::Filtered if only_walkable => debug_draw::walkable_spans(&stages.filtered),
        stage => stage_picture(stage, &level.mesh, (tile.coord, stages)),
    }
}

pub(super) fn part(level: &LoadedLevel, part: usize) -> DrawList {
    /// Parts with more triangles are not highlighted.
    const MOST: usize = 200_000;
    let mut list = DrawList::default();
    let Some(part) = level.mesh.parts().get(part) else { return list };
    for triangle in part.triangles.clone().take(MOST) {
        list.fill(&level.mesh.corners(triangle as usize), Paint::Accent);
    }
    list
}

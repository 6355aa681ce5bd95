//! The picture of the result of one stage in one tile.

use walkable::{
    bake::{Intermediates, LayerCut},
    debug_draw::{self, DrawList},
    ids::TileCoord,
    mesh::TriMesh,
    monitor::Unmonitored,
};

use crate::stage_view::StageView;

pub fn joined(lists: impl IntoIterator<Item = DrawList>) -> DrawList {
    lists.into_iter().fold(DrawList::default(), |mut all, list| {
        all.append(list);
        all
    })
}

pub fn layer_pictures(stages: &Intermediates, tile: TileCoord) -> Vec<DrawList> {
    let layers = stages.height_layers(tile, LayerCut::Sweep, &Unmonitored);
    let layers = layers.map(|set| debug_draw::height_layers(&stages.compact, &set, tile));
    layers.unwrap_or_default()
}

/// Draws a stage of a tile of `mesh`. Empty for the stages that are not in `stages`, the input and the navmesh.
pub fn stage_picture(
    stage: StageView,
    mesh: &TriMesh,
    (tile, stages): (TileCoord, &Intermediates),
) -> DrawList {
    match stage {
        StageView::Input | StageView::Navmesh => DrawList::default(),
        StageView::Slope => debug_draw::slope(mesh, &stages.slopes),
        StageView::Spans => debug_draw::spans(&stages.spans),
        StageView::Filtered => debug_draw::filtered(&stages.spans, &stages.filtered),
        StageView::Compact => debug_draw::compact(&stages.compact, &stages.compact_areas),
        StageView::Eroded => {
            debug_draw::eroded(&stages.compact, &stages.compact_areas, &stages.eroded_areas)
        }
        StageView::Distance => {
            let draw =
                |distance| debug_draw::distance(&stages.compact, &stages.eroded_areas, distance);
            stages.distance.as_ref().map(draw).unwrap_or_default()
        }
        StageView::Regions => debug_draw::regions(&stages.compact, &stages.regions, tile),
        StageView::Layers => joined(layer_pictures(stages, tile)),
        StageView::ContoursRaw => debug_draw::raw_contours(&stages.contours, tile),
        StageView::Contours => debug_draw::contours(&stages.contours, tile),
        StageView::Polygons => debug_draw::polygons(&stages.polygons),
        StageView::Detail => debug_draw::detail(&stages.polygons, &stages.detail),
    }
}

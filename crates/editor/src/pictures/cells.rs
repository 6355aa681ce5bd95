//! Pictures of the tile cache layers of a level that is prepared for obstacles.

use std::sync::Arc;

use walkable::{
    debug_draw::{self, DrawList, region_paint},
    ids::RegionId,
    monitor::Unmonitored,
    tile_cache::{LayerKey, TileCache},
};
use walkable_workspace::stage_view::StageView;

use super::{DrawnPictures, Pictures, STALE_OPACITY, undivided};
use crate::{
    pictures::{Batch, PictureId},
    session::{LayerShow, Session},
};

/// Key of a picture: the layer, the serial number of its tile, and what is shown.
pub(super) type CellsKey = (LayerKey, u64, LayerShow);

impl Pictures {
    pub(super) fn draw_cells(
        &mut self,
        session: &Session,
        opacity: f32,
        drawn: &mut DrawnPictures,
    ) {
        let Some(layered) = session.bake.layered() else { return };
        let display = session.shown.display.layers;
        let stale = if session.is_stale() { STALE_OPACITY } else { 1.0 };
        let mut before = std::mem::take(&mut self.cells);
        for layer in layered.cache().tiles() {
            let key = layer.key();
            let is_chosen = session.shown.chosen_tile.is_none_or(|chosen| chosen == key.coord());
            if !is_chosen || !display.holds(u16::try_from(key.layer).unwrap_or(u16::MAX)) {
                continue;
            }
            let made = layered.tiles().get(&key);
            let serial = made.map_or(session.bake.navmesh_serial, |made| made.serial);
            let name = (key, serial, display.show);
            let list = before.remove(&name);
            let list = list.unwrap_or_else(|| {
                Arc::new(picture(layered.cache(), key, display.show).unwrap_or_default())
            });
            let revision = revision(serial, display.show);
            let batch = undivided(PictureId::Cells(key), revision, Arc::clone(&list));
            drawn.batches.push(Batch { opacity: opacity * stale, ..batch });
            self.cells.insert(name, list);
        }
    }

    pub(super) fn forget_cells(&mut self, session: &Session) {
        let under =
            session.shown.display.under.iter().any(|(stage, _)| *stage == StageView::Layers);
        if session.shown.stage != StageView::Layers && !under {
            self.cells.clear();
        }
    }
}

fn revision(serial: u64, show: LayerShow) -> u64 {
    serial * LayerShow::ALL.len() as u64 + show as u64
}

fn picture(cache: &TileCache, key: LayerKey, show: LayerShow) -> Option<DrawList> {
    let coord = key.coord();
    let layer = cache.layer(key)?;
    let made = || cache.mesh_tile(key, &Unmonitored).ok().flatten();
    Some(match show {
        LayerShow::Number => {
            // The hues are those of regions, and region 0 has none.
            let number = u16::try_from(key.layer + 1).unwrap_or(1);
            let paint = region_paint(RegionId(number & !RegionId::BORDER_BIT), coord);
            let mut list = debug_draw::layer_areas(&layer);
            for triangle in &mut list.triangles {
                triangle.paint = paint;
            }
            list
        }
        LayerShow::Areas => debug_draw::layer_areas(&layer),
        LayerShow::Regions => debug_draw::layer_regions(&layer, &made()?.regions, coord),
        LayerShow::Outlines => debug_draw::layer_outlines(&layer, &made()?.outlines, coord),
        LayerShow::Polygons => debug_draw::polygons(&made()?.polygons),
    })
}

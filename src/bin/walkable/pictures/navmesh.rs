//! Pictures of the navmesh as it is used: tiles of layers, one that was not baked here, an island.

use std::sync::Arc;

use walkable::{
    debug_draw::{self, DrawList},
    ids::TileCoord,
    navmesh::{NavMesh, format::RefWidth},
};

use super::{
    AGENT_IDS, Drawn, ISLAND_ID, LAYER_IDS, NAVMESH_ID, Pictures, STALE_OPACITY, stage::is_colored,
    whole,
};
use crate::{
    coloring::{Coloring, Subject},
    session::{Session, StageView, island_picture},
    viewport::Batch,
};

impl Pictures {
    pub(super) fn draw_island(&mut self, session: &Session, drawn: &mut Drawn) {
        let Some((place, mesh)) = session.island.zip(session.bake.navmesh.as_deref()) else {
            self.island = None;
            return;
        };
        let key = (session.bake.navmesh_serial, place);
        let kept = self.island.take().filter(|(old, _)| *old == key).map(|(_, list)| list);
        let list = kept.unwrap_or_else(|| {
            self.island_revision += 1;
            Arc::new(island_picture(mesh, place))
        });
        self.island = Some((key, Arc::clone(&list)));
        let revision = self.island_revision;
        drawn.batches.push(whole(ISLAND_ID, revision, list));
    }

    /// The tiles of a level that is prepared for obstacles.
    pub(super) fn draw_layers(&mut self, session: &Session, drawn: &mut Drawn) {
        let layered = session.bake.layered().filter(|_| session.stage == StageView::Navmesh);
        let Some(layered) = layered else {
            self.layers.clear();
            return;
        };
        let stale = if session.is_stale() { STALE_OPACITY } else { 1.0 };
        let opacity = stale * session.sight.stage;
        let mut before = std::mem::take(&mut self.layers);
        for (key, tile) in layered.tiles() {
            let chosen = session.chosen_tile.is_none_or(|chosen| chosen == key.coord());
            let Some(data) = tile.tile.as_deref().filter(|_| chosen) else { continue };
            let kept = before.remove(&key).filter(|(serial, _)| *serial == tile.serial);
            let (revision, list) =
                kept.unwrap_or_else(|| (tile.serial, Arc::new(debug_draw::tile(data))));
            let place = (u64::from(key.z) << 40) | (u64::from(key.x) << 16) | u64::from(key.layer);
            let id = LAYER_IDS | place;
            drawn.batches.push(Batch { opacity, ..whole(id, revision, Arc::clone(&list)) });
            self.layers.insert(key, (revision, list));
        }
    }

    pub(super) fn draw_imported(&mut self, session: &Session, drawn: &mut Drawn) {
        let navmesh = session.bake.navmesh.as_deref().filter(|_| session.imported.is_some());
        let Some(navmesh) = navmesh else {
            self.imported = None;
            return;
        };
        let colored = is_colored(StageView::Navmesh, &session.sight);
        let colors = if colored { self.coloring.serial() } else { 0 };
        let serial = [session.bake.navmesh_serial, colors];
        if self.imported.as_ref().is_none_or(|(old, _)| *old != serial) {
            let list = if colored {
                imported_picture(navmesh, &self.coloring)
            } else {
                debug_draw::navmesh(navmesh)
            };
            self.imported = Some((serial, Arc::new(list)));
        }
        if let Some(([navmesh, colors], list)) = &self.imported {
            let (revision, list) = (navmesh.rotate_left(32) ^ colors, Arc::clone(list));
            let opacity = session.sight.stage;
            drawn.batches.push(Batch { opacity, ..whole(NAVMESH_ID, revision, list) });
        }
    }
}

/// A navmesh that was not baked here, in the colours of `coloring`.
fn imported_picture(navmesh: &NavMesh, coloring: &Coloring) -> DrawList {
    let mut list = DrawList::default();
    for tile in navmesh.tiles() {
        let [x, z] = [tile.header.x, tile.header.z].map(|at| u32::try_from(at).unwrap_or(0));
        let coord = TileCoord::new(x, z);
        let n_bytes = tile.n_bytes(RefWidth::Bits32);
        let subject = Subject { coord, tile, polygons: None, time: None, n_bytes };
        list.append(debug_draw::painted_tile(tile, |index, corners| {
            coloring.paint(&subject, index, &corners)
        }));
    }
    list
}

/// Outlines of the other agents' navmeshes.
pub(super) fn draw_others(session: &Session, drawn: &mut Drawn) {
    for (number, other) in session.others.baked.iter().filter(|_| session.others.shown) {
        let id = AGENT_IDS | u64::try_from(*number).unwrap_or(0);
        drawn.batches.push(whole(id, other.serial, Arc::clone(&other.outline)));
    }
}

//! Applies the changes of the document to baked tiles: painting, removed tiles, removed islands.

use std::{collections::BTreeMap, sync::Arc};

use walkable::{ids::TileCoord, navmesh::Tile, query::Pruning};
use walkable_workspace::{
    document::{Finish, follow_costs},
    path_tests::filter_of,
};

use super::{BakeState, Session, TileResult};

impl TileResult {
    pub(super) fn apply_finish(&mut self, finish: &Finish) -> bool {
        let coord = self.coord;
        let wanted = self.baked.as_ref().and_then(|baked| finish.tile(coord, baked));
        let is_same = match (&wanted, &self.tile) {
            (Some(wanted), Some(tile)) => Arc::ptr_eq(wanted, tile) || wanted.polys == tile.polys,
            (wanted, tile) => wanted.is_none() && tile.is_none(),
        };
        if is_same {
            return false;
        }
        self.tile = wanted;
        true
    }
}

impl BakeState {
    pub(super) fn refinish(&mut self, finish: Finish) {
        self.finish = finish;
        self.reapply();
        self.prune();
        self.count();
    }

    /// Applies the changes to all tiles, except for removed islands.
    fn reapply(&mut self) {
        let Some(plan) = self.plan.clone() else { return };
        let mut tiles = std::mem::take(&mut self.tiles);
        for (&coord, tile) in tiles.iter_mut() {
            if !tile.apply_finish(&self.finish) {
                continue;
            }
            tile.serial = self.next_serial();
            if !self.prepared
                && let Err(error) = self.link(coord, &plan, tile)
            {
                tile.error = Some(error.to_string());
            }
        }
        self.tiles = tiles;
        self.refinish_layers();
    }

    /// Links the tiles in the order of rows and columns, unless they already are in this order. References, paths and
    /// exported files then do not depend on the order in which tiles were baked. This changes references, so it is only
    /// called after a bake of all tiles.
    pub(super) fn link_by_place(&mut self) {
        let (Some(plan), Some(navmesh)) = (&self.plan, &self.navmesh) else { return };
        if self.prepared || navmesh.is_by_place() {
            return;
        }
        // Tiles that were linked before can be linked again.
        if let Ok(navmesh) = plan.link(navmesh.tiles_by_place()) {
            self.publish(navmesh);
        }
    }

    /// Restores removed islands, which may be connected to the rest after a bake.
    pub(super) fn restore_islands(&mut self) {
        if !self.finish.keeps_all_islands() {
            self.reapply();
        }
    }

    /// Removes the islands that are not kept, after tiles have changed: islands removed before may be connected to the
    /// rest now.
    pub(super) fn prune_again(&mut self) {
        self.pruning = None;
        if !self.finish.keeps_all_islands() {
            self.refinish(self.finish.clone());
        }
    }

    pub(super) fn prune(&mut self) {
        self.pruning = None;
        let Some(navmesh) = &mut self.navmesh else { return };
        // Checked first, because changing a mesh that is drawn or exported at the same time copies it.
        if self.finish.keeps_all_islands() {
            return;
        }
        let navmesh = Arc::make_mut(navmesh);
        let Some(pruning) = self.finish.prune(navmesh) else { return };
        let mut dropped: BTreeMap<(TileCoord, u32), Vec<usize>> = BTreeMap::new();
        for (tile, index) in pruning.disabled.iter().filter_map(|&poly| navmesh.resolve(poly)) {
            let layer = u32::try_from(tile.header.layer).unwrap_or(0);
            dropped.entry((coord_of(tile), layer)).or_default().push(index);
        }
        self.navmesh_serial += 1;
        self.pruning = Some(Arc::new(pruning));
        for ((coord, layer), indices) in dropped {
            let serial = self.next_serial();
            let Some((tile, shown)) = self.shown_tile(coord, layer) else { continue };
            *shown = serial;
            let polys = &mut Arc::make_mut(tile).polys;
            for index in indices {
                if let Some(poly) = polys.get_mut(index) {
                    poly.flags = 0;
                }
            }
        }
    }

    /// Returns the displayed tile at a coordinate and layer, and its serial number.
    fn shown_tile(&mut self, coord: TileCoord, layer: u32) -> Option<(&mut Arc<Tile>, &mut u64)> {
        if let Some(layered) = &mut self.layered {
            let tile = layered.tile_mut(coord, layer)?;
            return Some((tile.tile.as_mut()?, &mut tile.serial));
        }
        let result = self.tiles.get_mut(&coord)?;
        Some((result.tile.as_mut()?, &mut result.serial))
    }

    /// Returns which islands were kept and removed; `None` if all are kept.
    pub fn pruning(&self) -> Option<&Arc<Pruning>> {
        self.pruning.as_ref()
    }
}

fn coord_of(tile: &Tile) -> TileCoord {
    let [x, z] = [tile.header.x, tile.header.z].map(|at| u32::try_from(at).unwrap_or(0));
    TileCoord::new(x, z)
}

impl Session {
    /// Updates what depends on the document without a new bake: the changes to baked tiles, obstacles and area costs.
    pub fn follow_document(&mut self) {
        let revision = Some(self.history.revision());
        if std::mem::replace(&mut self.followed, revision) == revision {
            return;
        }
        let news = [
            self.follow_areas(),
            self.follow_path_filter(),
            self.follow_finish(),
            self.follow_obstacles(),
        ];
        if news.contains(&true) {
            self.update_path();
        }
    }

    /// Applies the document's changes to the baked tiles; returns whether that changed anything.
    fn follow_finish(&mut self) -> bool {
        let finish = self.document().finish();
        let is_new = finish != self.bake.finish;
        if is_new {
            self.bake.refinish(finish);
        }
        is_new
    }

    /// Applies the document's obstacles to the navmesh; returns whether that changed anything.
    fn follow_obstacles(&mut self) -> bool {
        let obstacles = self.document().obstacles_on_layers();
        obstacles.is_some_and(|obstacles| self.bake.place_obstacles(&obstacles))
    }

    /// Applies the document's filter to the path, after undo or after a project was read. Returns whether that changed
    /// anything.
    fn follow_path_filter(&mut self) -> bool {
        let document = self.history.present();
        if self.path.changes == document.path_filter {
            return false;
        }
        self.path.changes = document.path_filter.clone();
        self.path.filter = self.path.changes.over(&filter_of(&document.areas));
        true
    }

    /// Applies the document's area costs to the path; returns whether that changed anything.
    fn follow_areas(&mut self) -> bool {
        let areas = &self.history.present().areas;
        if self.path.areas == *areas {
            return false;
        }
        follow_costs(areas, &self.path.areas, &mut self.path.filter);
        self.path.areas = areas.clone();
        true
    }
}

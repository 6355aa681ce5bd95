//! The bake of a level that is prepared for obstacles.

use std::sync::Arc;

use walkable::tile_cache::Obstacle;
use walkable_workspace::layered::Layered;

use super::BakeState;

impl BakeState {
    /// Returns the navmesh's layers, where the level is prepared for obstacles.
    pub fn layered(&self) -> Option<&Layered> {
        self.layered.as_ref()
    }

    /// Returns why obstacles could not be applied.
    pub fn layers_error(&self) -> Option<&str> {
        let own = self.layered.as_ref().and_then(|layered| layered.error.as_deref());
        self.layers_error.as_deref().or(own)
    }

    pub fn land_layers(&mut self, layered: Result<Layered, String>) {
        (self.layered, self.layers_error) = (None, None);
        let made = layered.and_then(|mut layered| {
            let mesh = layered
                .nav_mesh(&self.finish, &mut self.last_serial)
                .map_err(|error| error.to_string())?;
            Ok((layered, mesh))
        });
        match made {
            Ok((layered, mesh)) => {
                self.layered = Some(layered);
                self.publish(mesh);
            }
            Err(error) => self.layers_error = Some(error),
        }
    }

    pub(super) fn place_obstacles(&mut self, obstacles: &[Obstacle]) -> bool {
        let (Some(layered), Some(navmesh)) = (&mut self.layered, &mut self.navmesh) else {
            return false;
        };
        if !layered.differs_from(obstacles) {
            return false;
        }
        layered.place(obstacles, &self.finish, Arc::make_mut(navmesh), &mut self.last_serial);
        self.navmesh_serial += 1;
        self.prune_again();
        self.count();
        true
    }

    /// Applies the document's changes to the tiles of all layers.
    pub(super) fn refinish_layers(&mut self) {
        if let (Some(layered), Some(navmesh)) = (&mut self.layered, &mut self.navmesh) {
            layered.refinish(&self.finish, Arc::make_mut(navmesh), &mut self.last_serial);
            self.navmesh_serial += 1;
        }
    }

    pub(super) fn leave_layers(&mut self) {
        (self.layered, self.layers_error) = (None, None);
        let Some(plan) = self.plan.clone() else { return };
        if let Ok(navmesh) = plan.empty_nav_mesh() {
            self.publish(navmesh);
        }
        let tiles = std::mem::take(&mut self.tiles);
        for (&coord, tile) in tiles.iter() {
            // The tile was linked before, so this does not fail.
            self.link(coord, &plan, tile).ok();
        }
        self.tiles = tiles;
        self.prune_again();
    }
}

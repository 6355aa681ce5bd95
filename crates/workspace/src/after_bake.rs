//! Finds the change after the bake that makes a place unwalkable although the bake has ground there.

use std::sync::Arc;

use glam::Vec3;
use rayon::prelude::*;
use walkable::{
    bake::{BakeError, BakeOutput, BakePlan, bake_tile},
    diagnostic::Phrase,
    explain::{Cause, stands_at, tile_at},
    monitor::Monitor,
    navmesh::NavMesh,
    phrase,
    tile_cache::Obstacle,
};

use crate::{document::Finish, layered::Layered};

#[derive(Clone, Copy, Debug)]
pub struct PostBake<'a> {
    pub finish: &'a Finish,
    /// The obstacles, if the level supports runtime obstacles.
    pub obstacles: Option<&'a [Obstacle]>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RemovedAfterBake {
    pub cause: Cause,
    pub text: Phrase,
}

impl RemovedAfterBake {
    fn new(cause: Cause, text: Phrase) -> Self {
        Self { cause, text }
    }
}

impl PostBake<'_> {
    pub fn nav_mesh(&self, plan: &BakePlan, monitor: &dyn Monitor) -> anyhow::Result<NavMesh> {
        let mut mesh = if let Some(obstacles) = self.obstacles {
            Layered::bake(plan, obstacles, monitor)?.nav_mesh(self.finish, &mut 0)?
        } else {
            let coords: Vec<_> = plan.tiles().collect();
            let bake = |coord| Ok((coord, bake_tile(plan, coord, BakeOutput::Tile, monitor)?.tile));
            let baked: Result<Vec<_>, BakeError> = coords.into_par_iter().map(bake).collect();
            let tiles = baked?.into_iter();
            let tiles: Vec<_> =
                tiles.filter_map(|(coord, tile)| Some((coord, Arc::new(tile?)))).collect();
            self.finish.link(plan, &tiles)?
        };
        self.finish.prune(&mut mesh);
        Ok(mesh)
    }

    /// Returns the change after the bake that removed `at` from the navmesh; `None` if it is still walkable. The bake
    /// must have ground there. On a level with runtime obstacles, only obstacles are considered.
    pub fn removed(
        &self,
        plan: &BakePlan,
        at: Vec3,
        monitor: &dyn Monitor,
    ) -> anyhow::Result<Option<RemovedAfterBake>> {
        let cell_height = plan.params().cell_height;
        if let Some(obstacles) = self.obstacles {
            let mut layered = Layered::bake(plan, obstacles, monitor)?;
            let mesh = layered.nav_mesh(self.finish, &mut 0)?;
            let is_under = !layered.obstacles_at(at).is_empty();
            let covered =
                || RemovedAfterBake::new(Cause::Obstacle, phrase!("an obstacle covers the place"));
            return Ok((is_under && !stands_at(&mesh, at, cell_height)).then(covered));
        }
        let Some(coord) = tile_at(plan, at) else { return Ok(None) };
        let Some(tile) = bake_tile(plan, coord, BakeOutput::Tile, monitor)?.tile else {
            return Ok(None);
        };
        let Some(finished) = self.finish.tile(coord, &Arc::new(tile)) else {
            let text =
                phrase!("tile {tile} was removed from the navmesh", tile = coord.to_string());
            return Ok(Some(RemovedAfterBake::new(Cause::RemovedTile, text)));
        };
        if !stands_at(&plan.link([finished])?, at, cell_height) {
            let text = phrase!("the polygon there has no flags, so no query uses it");
            return Ok(Some(RemovedAfterBake::new(Cause::AreaWithoutFlags, text)));
        }
        if self.finish.keeps_all_islands()
            || stands_at(&self.nav_mesh(plan, monitor)?, at, cell_height)
        {
            return Ok(None);
        }
        let text =
            phrase!("its island was removed from the navmesh by the project's rule for islands");
        Ok(Some(RemovedAfterBake::new(Cause::IslandRemoved, text)))
    }
}

//! Explains places of a navmesh that was changed after its bake.

use std::sync::Arc;

use glam::Vec3;
use rayon::prelude::*;
use walkable::{
    bake::{BakeError, BakeOutput, BakePlan, Stage, bake_tile},
    explain::{
        Cause, FixLimits, Obstacle, PlaceAnswer, PlaceQuestion, stands_at, tile_at, why_here,
    },
    monitor::Monitor,
    navmesh::NavMesh,
    phrase, tile_cache,
};

use crate::{document::Finish, layered::Layered};

#[derive(Clone, Copy, Debug)]
pub struct PostBake<'a> {
    pub finish: &'a Finish,
    /// The obstacles, if the level supports runtime obstacles.
    pub obstacles: Option<&'a [tile_cache::Obstacle]>,
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

    /// Explains like the library's `why_here`, and if the bake has ground there, finds the change that removed it.
    pub fn why_here(
        &self,
        plan: &BakePlan,
        question: PlaceQuestion,
        limits: FixLimits,
        monitor: &dyn Monitor,
    ) -> anyhow::Result<PlaceAnswer> {
        let answer = why_here(plan, question, limits, monitor)?;
        let of_bake = answer.chain.first();
        let first = self.first(plan, question.at, of_bake, monitor)?;
        if first.as_ref() == of_bake && first.is_some() {
            return Ok(answer);
        }
        let chain = first.into_iter().collect();
        Ok(PlaceAnswer { chain, has_ground: true, ..PlaceAnswer::default() })
    }

    /// Returns why an agent cannot stand at `at` on the finished navmesh: `of_bake`, the obstacle in the tiles of the bake, or
    /// the change after the bake that removed the place. `None` if it is walkable.
    pub fn first(
        &self,
        plan: &BakePlan,
        at: Vec3,
        of_bake: Option<&Obstacle>,
        monitor: &dyn Monitor,
    ) -> anyhow::Result<Option<Obstacle>> {
        // Layers have neither the regions of tiles nor the later stages.
        let is_before_layers =
            |found: &Obstacle| found.stage.is_none_or(|stage| stage < Stage::Distance);
        if of_bake.is_some_and(|found| self.obstacles.is_none() || is_before_layers(found)) {
            return Ok(of_bake.cloned());
        }
        let removed = |cause, text| {
            let (stage, measure, remedies) = (Some(Stage::Tile), None, Vec::new());
            Ok(Some(Obstacle { cause, stage, measure, text, remedies }))
        };
        let Some(coord) = tile_at(plan, at) else { return Ok(None) };
        let stands = |mesh: &NavMesh| stands_at(mesh, at, plan.params().cell_height);
        let (baked, finished) = if let Some(obstacles) = self.obstacles {
            let mut layered = Layered::bake(plan, obstacles, monitor)?;
            let baked = layered.nav_mesh(&Finish::default(), &mut 0)?;
            if !stands(&baked) && !layered.obstacles_at(at).is_empty() {
                return removed(Cause::Obstacle, phrase!("an obstacle covers the place"));
            }
            if !stands(&baked) {
                let text = phrase!("the layers for runtime obstacles have no surface here");
                return removed(Cause::CutOff, text);
            }
            (baked, layered.nav_mesh(self.finish, &mut 0)?)
        } else {
            let tile = bake_tile(plan, coord, BakeOutput::Tile, monitor)?.tile.map(Arc::new);
            let tiles: Vec<_> = tile.map(|tile| (coord, tile)).into_iter().collect();
            (Finish::default().link(plan, &tiles)?, self.finish.link(plan, &tiles)?)
        };
        if !stands(&baked) {
            return Ok(None);
        }
        if self.finish.removes(coord) {
            let text =
                phrase!("tile {tile} was removed from the navmesh", tile = coord.to_string());
            return removed(Cause::RemovedTile, text);
        }
        if !stands(&finished) {
            let text = phrase!("the polygon there has no flags, so no query uses it");
            return removed(Cause::AreaWithoutFlags, text);
        }
        if self.finish.keeps_all_islands() || stands(&self.nav_mesh(plan, monitor)?) {
            return Ok(None);
        }
        let text =
            phrase!("its island was removed from the navmesh by the project's rule for islands");
        removed(Cause::IslandRemoved, text)
    }
}

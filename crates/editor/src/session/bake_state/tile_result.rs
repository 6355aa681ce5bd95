//! The result of one tile, with the statistics that the stage strip shows.

use std::{sync::Arc, time::Duration};

use walkable::{
    bake::{BakePlan, Intermediates, TileBake},
    diagnostic::Diagnostic,
    geom::Aabb,
    ids::TileCoord,
    navmesh::{Tile, format::RefWidth},
};
use walkable_workspace::{runner::StageTimes, stage_view::StageView};

use crate::session::Revision;

#[derive(Clone, Debug)]
pub struct TileResult {
    pub coord: TileCoord,
    /// The final navmesh tile; `None` if nothing is walkable or the tile is removed.
    pub tile: Option<Arc<Tile>>,
    /// The navmesh tile as baked, before painting and removing.
    pub baked: Option<Arc<Tile>>,
    /// Stage results, until they are moved to the stage cache: [`BakeState::stages_of`](super::BakeState::stages_of).
    pub stages: Option<Arc<Intermediates>>,
    pub warnings: Vec<Diagnostic>,
    /// Why the newest bake of this tile failed. The other fields are those of the bake before it.
    pub error: Option<String>,
    pub counts: StageCounts,
    pub n_bytes: usize,
    pub times: StageTimes,
    /// The revision that the newest bake of this tile was started from.
    pub revision: Revision,
    /// Serial number of the level it was baked from, whose triangle indices its slopes use.
    pub level: u64,
    /// Increases with every result of any tile; the key of picture caches.
    pub serial: u64,
    /// The plan it was baked from, once it is complete; its stages can be reproduced from it.
    pub plan: Option<Arc<BakePlan>>,
    /// Serial number assigned when it was added to the results: equal numbers mean equal stages.
    pub bake: u64,
}

impl TileResult {
    pub fn baked(bake: TileBake, times: StageTimes, revision: Revision) -> Self {
        let counts = StageCounts::of(&bake);
        let TileBake { coord, tile, stages, warnings, counts: _ } = bake;
        let n_bytes = tile.as_ref().map_or(0, |tile| tile.n_bytes(RefWidth::Bits32));
        let baked = tile.map(Arc::new);
        Self {
            coord,
            tile: baked.clone(),
            baked,
            stages: stages.map(|stages| Arc::new(*stages)),
            warnings,
            error: None,
            counts,
            n_bytes,
            times,
            revision,
            level: revision.level,
            serial: 0,
            plan: None,
            bake: 0,
        }
    }

    pub fn failed(coord: TileCoord, error: String, times: StageTimes, revision: Revision) -> Self {
        Self {
            coord,
            tile: None,
            baked: None,
            stages: None,
            warnings: Vec::new(),
            error: Some(error),
            counts: StageCounts::default(),
            n_bytes: 0,
            times,
            revision,
            level: revision.level,
            serial: 0,
            plan: None,
            bake: 0,
        }
    }

    /// Returns its bounds without the border; `None` before it is added to the results.
    pub fn bounds(&self) -> Option<Aabb> {
        Some(self.plan.as_ref()?.tile_bounds(self.coord))
    }

    /// Records that the newest bake of this tile failed as `failure`; keeps everything else.
    pub fn fail(&mut self, failure: Self) {
        let Self { error, times, revision, serial, .. } = failure;
        (self.error, self.times) = (error, times);
        (self.revision, self.serial) = (revision, serial);
    }
}

/// Number of elements per stage; `None` if unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageCounts([Option<usize>; StageView::ALL.len()]);

impl StageCounts {
    pub fn of(bake: &TileBake) -> Self {
        Self(StageView::ALL.map(|view| count(view, bake)))
    }

    pub fn get(&self, view: StageView) -> Option<usize> {
        self.0[view as usize]
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageFigure {
    /// Time spent, summed over tiles; `None` if nothing was baked.
    pub time: Option<Duration>,
    /// Number of elements; `None` if unknown.
    pub count: Option<usize>,
}

fn count(view: StageView, bake: &TileBake) -> Option<usize> {
    if view == StageView::ContoursRaw {
        return bake.counts.raw_contours();
    }
    bake.counts.of(view.stage()?)
}

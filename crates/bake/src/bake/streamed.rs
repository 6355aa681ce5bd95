//! Bakes levels larger than memory, tile by tile, from a file of spatially sorted triangles.

use std::{
    io::{Read, Seek},
    sync::Arc,
};

use walkable_mesh::{BinnedError, BinnedLevel};
use walkable_runtime::{ids::TileCoord, monitor::Monitor};

use crate::bake::{
    BakeConfig, BakeError, BakeEstimate, BakeInput, BakeLimits, BakeOutput, BakePlan, LevelPart,
    TileBake, bake_tile,
    estimate::{Extent, Ground, secs_of_tile},
};

/// Why a tile of a streamed level could not be baked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StreamError {
    /// The bake returned an error.
    #[error(transparent)]
    Bake(#[from] BakeError),
    /// The triangles of the tile could not be read.
    #[error("tile {tile}: {error}")]
    Read {
        /// The tile.
        tile: TileCoord,
        /// The reason.
        error: BinnedError,
    },
}

/// A prepared bake whose triangles stay in a file.
///
/// Apart from the results and the names of the level's parts, memory holds only what the tiles being baked need: the
/// triangles that touch each of them, at some 150 bytes per triangle, and its stages. Neither grows with the level.
#[derive(Clone, Debug)]
pub struct StreamedBake {
    level: BinnedLevel,
    plan: BakePlan,
}

impl StreamedBake {
    /// Checks the settings and lays out the tiles of `level`.
    ///
    /// # Errors
    /// See [`BakePlan::new`].
    pub fn new(level: BinnedLevel, config: BakeConfig) -> Result<Self, BakeError> {
        let input = config.with_mesh(Arc::new(level.stand_in()));
        // Each tile gets its triangles before it is baked.
        let part = LevelPart { level: level.bounds(), loaded: level.bounds() };
        let plan = BakePlan::new(input.of_part(Some(part)))?;
        Ok(Self { level, plan })
    }

    /// Returns settings and tiles. The mesh is an empty placeholder: only [`StreamedBake::bake_tile`] reads triangles.
    pub fn plan(&self) -> &BakePlan {
        &self.plan
    }

    /// Like [`BakePlan::check_limits`]. The number of floors of the level is unknown, so two are assumed.
    ///
    /// # Errors
    /// Returns [`BakeError::TooMuchMemory`] or [`BakeError::TooMuchTime`], with settings that need less.
    pub fn check_limits(
        &self,
        n_threads: usize,
        limits: BakeLimits,
    ) -> Result<BakeEstimate, BakeError> {
        self.check_shard_limits(n_threads, 1.0, limits)
    }

    /// Like [`BakePlan::check_shard_limits`].
    ///
    /// # Errors
    /// See [`StreamedBake::check_limits`].
    pub fn check_shard_limits(
        &self,
        n_threads: usize,
        share: f64,
        limits: BakeLimits,
    ) -> Result<BakeEstimate, BakeError> {
        let ground = Ground::File(self.level.n_triangles_in_file());
        let settings = &self.plan.input().settings;
        let level = self.plan.extent_of_grid();
        let n_agents = self.plan.input().agents.len();
        Extent { level, settings, ground, n_threads, n_agents, share }.check(limits)
    }

    /// Like [`BakePlan::secs_of_tiles`]. Triangles are assumed to be spread evenly over the squares of the file, in two
    /// floors. `from` is the source of the level.
    ///
    /// # Errors
    /// Returns [`BinnedError::Io`] or [`BinnedError::Damaged`] if the list of squares cannot be read.
    pub fn secs_of_tiles(&self, from: &mut (impl Read + Seek)) -> Result<Vec<f64>, BinnedError> {
        let secs = |tile| {
            let frame = self.plan.tile_frame(tile);
            let n_columns = f64::from(frame.n_x) * f64::from(frame.n_z);
            let (n_triangles, covered) = self.level.amount_over(&frame.bounds, from)?;
            let covered = 2.0 * covered * n_columns;
            Ok(secs_of_tile(n_columns, covered, covered, n_triangles))
        };
        self.plan.tiles().map(secs).collect()
    }

    /// Like [`bake_tile`], with the same result as from the whole level. `from` is the source of the level.
    ///
    /// # Errors
    /// Returns [`StreamError::Read`] if the triangles cannot be read, else the errors of [`bake_tile`].
    pub fn bake_tile(
        &self,
        coord: TileCoord,
        from: &mut (impl Read + Seek),
        keep: BakeOutput,
        monitor: &dyn Monitor,
    ) -> Result<TileBake, StreamError> {
        Ok(bake_tile(&self.tile_plan(coord, from)?, coord, keep, monitor)?)
    }

    /// Reads the triangles of a tile; returns a plan from which that tile can be baked, and no other. `from` is the
    /// source of the level.
    ///
    /// # Errors
    /// Returns [`StreamError::Read`] if the triangles cannot be read, or the errors of [`BakePlan::new`].
    pub fn tile_plan(
        &self,
        coord: TileCoord,
        from: &mut (impl Read + Seek),
    ) -> Result<BakePlan, StreamError> {
        let area = self.plan.tile_frame(coord).bounds;
        let triangles = self.level.triangles_over(&area, from);
        let triangles = triangles.map_err(|error| StreamError::Read { tile: coord, error })?;
        let Some(mesh) = triangles else { return Ok(self.plan.clone()) };
        let input = BakeInput { mesh: Arc::new(mesh), ..self.plan.input().clone() };
        Ok(BakePlan::new(input)?)
    }
}

//! Bakes tiles together with their keys, for tile stores and shards.

use std::borrow::Cow;

use walkable::{
    bake::{BakeError, BakeOutput, BakePlan, TileBake, TileKey, bake_tile},
    ids::TileCoord,
    monitor::Monitor,
};

use crate::{bake_cache::BakeCache, runner::TileFailure};

pub type PlanOf<'a> = dyn Fn(TileCoord) -> Result<Cow<'a, BakePlan>, TileFailure> + Sync + 'a;

/// The tiles of a level. The key and the bake of a tile share one plan, because making it may read triangles from a file.
#[derive(Clone, Copy)]
pub struct KeyedTiles<'a> {
    pub plan_of: &'a PlanOf<'a>,
    pub cache: Option<&'a BakeCache>,
}

#[derive(Clone, Debug)]
pub struct KeyedTile {
    pub key: TileKey,
    /// The tile, without its stages.
    pub bake: TileBake,
    /// Whether the tile was found instead of baked.
    pub is_found: bool,
}

impl KeyedTiles<'_> {
    pub fn key_of(&self, coord: TileCoord, monitor: &dyn Monitor) -> Result<TileKey, TileFailure> {
        Ok((self.plan_of)(coord)?.tile_key(coord, monitor).map_err(BakeError::from)?)
    }

    /// Returns the tile that `find` has for its key, or else that of the cache, or else bakes it.
    pub fn bake(
        &self,
        coord: TileCoord,
        find: &dyn Fn(TileKey) -> Option<TileBake>,
        monitor: &dyn Monitor,
    ) -> Result<KeyedTile, TileFailure> {
        let plan = (self.plan_of)(coord)?;
        let key = plan.tile_key(coord, monitor).map_err(BakeError::from)?;
        let found = find(key);
        let is_found = found.is_some();
        let bake = match (found, self.cache) {
            (Some(found), _) => found,
            (None, Some(cache)) => cache.bake_keyed(&plan, coord, key, monitor)?,
            // The stages are kept until they are counted.
            (None, None) => bake_tile(&plan, coord, BakeOutput::Stages, monitor)?,
        };
        Ok(KeyedTile { key, bake: TileBake { stages: None, ..bake }, is_found })
    }
}

impl std::fmt::Debug for KeyedTiles<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeyedTiles").field("cache", &self.cache).finish_non_exhaustive()
    }
}

//! Keys of baked tiles: equal keys mean equal results.

use std::fmt;

use walkable_mesh::StableHash;
use walkable_runtime::{
    ids::{AreaId, TileCoord},
    monitor::{Cancelled, Monitor},
};

use crate::bake::{
    BakePlan, BakedAgent, PARAMS,
    tile_input::{Triangles, read_input},
};

/// Version of the results of a bake. A change that makes any tile differ, or its findings or counts, increases it, so
/// that tiles of older versions are not used.
pub const RESULTS_VERSION: u32 = 1;

/// Identifies the result of the bake of a tile: a hash of everything that the bake reads and of [`RESULTS_VERSION`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TileKey(pub u128);

/// 32 hexadecimal digits.
impl fmt::Display for TileKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl BakePlan {
    /// Returns the key of a tile. Tiles with the same key have the same bytes, findings and counts, whatever plan they
    /// are baked from.
    ///
    /// # Errors
    /// Returns [`Cancelled`] soon after the monitor is cancelled.
    pub fn tile_key(&self, tile: TileCoord, monitor: &dyn Monitor) -> Result<TileKey, Cancelled> {
        monitor.check()?;
        let mut hash = StableHash::new();
        hash.extend([RESULTS_VERSION, tile.x, tile.z]);
        self.hash_settings(&mut hash);
        read_input(self, tile, Triangles::Read, &mut hash, monitor)?;
        Ok(TileKey(hash.finish()))
    }

    /// Appends the settings and the flags of areas.
    pub(super) fn hash_settings(&self, hash: &mut StableHash) {
        let input = self.input();
        for param in PARAMS {
            hash.text(param.key);
            hash.text(&param.format(param.get(&input.settings)));
        }
        let flags = (0..AreaId::COUNT).map(|area| u8::try_from(area).unwrap_or(u8::MAX));
        hash.extend(flags.map(|area| u32::from(input.area_flags.of(AreaId(area)))));
        for agent in &input.agents {
            let BakedAgent { radius, height, max_climb, max_slope, flag } = *agent;
            hash.extend([radius, height, max_climb, max_slope].map(f32::to_bits));
            hash.extend([u32::from(flag)]);
        }
    }
}

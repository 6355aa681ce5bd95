//! The best tile size of a level, from measured times and sizes of a sample of tiles.
//!
//! The library has no clock: the caller bakes the tiles of [`tile_sample`], and passes in how long each took.

use std::{collections::BTreeSet, ops::Range};

use serde::{Deserialize, Serialize};
use walkable_bake::bake::{BakePlan, RefBits, TileBake};
use walkable_runtime::{ids::TileCoord, navmesh::format::RefWidth, random::Random};

use super::limits::{max_polys, max_tiles};

/// The tile sizes that are compared, in voxels.
pub const TILE_SIZES: [u32; 8] = [16, 32, 48, 64, 96, 128, 192, 256];

/// Part of the limits of a tile that its sample may use, because other tiles can be larger.
const USABLE: f64 = 0.8;
/// Times up to this multiple of the least one count as equally fast.
const EQUALLY_FAST: f64 = 1.1;

/// Returns at most `n` tiles of a plan in random order. The same seed returns the same tiles, and at another tile size
/// the tiles at the same places of the level.
pub fn tile_sample(plan: &BakePlan, n: usize, seed: u64) -> Vec<TileCoord> {
    /// Attempts for each tile: most of the tiles may already be in the sample.
    const ATTEMPTS: usize = 8;
    let loaded = plan.loaded_tiles();
    let mut random = Random::new(seed);
    let (mut known, mut sample) = (BTreeSet::new(), Vec::new());
    for _ in 0..n.saturating_mul(ATTEMPTS) {
        let [x, z] = [0, 1].map(|axis: usize| {
            let Range { start, end } = loaded[axis];
            start + share(end - start, random.unit())
        });
        if sample.len() < n && known.insert([x, z]) {
            sample.push(TileCoord::new(x, z));
        }
    }
    sample
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "from 0 to the number of tiles"
)]
fn share(n: u32, at: f32) -> u32 {
    ((f64::from(n) * f64::from(at)) as u32).min(n.saturating_sub(1))
}

/// A tile that was baked.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TileMeasurement {
    /// Time of the bake on one core, in seconds.
    pub seconds: f64,
    /// Memory of the results of all stages, in bytes; 0 if they were not kept.
    pub stage_bytes: usize,
    /// Size of the tile data, in bytes; 0 for a tile without ground.
    pub n_bytes: usize,
    /// Number of polygons.
    pub n_polys: usize,
}

impl TileMeasurement {
    /// Measures a tile whose bake took `seconds`.
    pub fn of(bake: &TileBake, seconds: f64) -> Self {
        let tile = bake.tile.as_ref();
        Self {
            seconds,
            stage_bytes: bake.stages.as_ref().map_or(0, |stages| stages.n_bytes()),
            n_bytes: tile.map_or(0, |tile| tile.n_bytes(RefWidth::Bits32)),
            n_polys: tile.map_or(0, |tile| tile.polys.len()),
        }
    }
}

/// The measured values of a tile size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TileSizeRow {
    /// The tile size, in voxels.
    pub tile_size: u32,
    /// Number of tiles of the level.
    pub n_tiles: usize,
    /// Number of tiles that were baked.
    pub n_measured: usize,
    /// Mean time of a tile on one core, in seconds.
    pub tile_seconds: f64,
    /// Estimated time of the whole bake, in seconds.
    pub seconds: f64,
    /// Memory of all stages of the largest baked tile, in bytes.
    pub tile_memory: usize,
    /// Estimated size of all tile data, in bytes.
    pub bytes: usize,
    /// Number of polygons of the baked tile that has the most.
    pub max_polys: usize,
    /// Maximum number of polygons of a tile, given the number of tiles and the settings of references.
    pub poly_limit: usize,
    /// Whether tiles and polygons fit into references, with room for tiles that were not baked.
    pub fits: bool,
}

impl TileSizeRow {
    /// Creates the row of the tile size of `plan` from the tiles that were baked, for a bake on `n_threads` threads.
    /// Returns `None` if no tile was baked.
    pub fn new(plan: &BakePlan, measured: &[TileMeasurement], n_threads: usize) -> Option<Self> {
        let n_tiles = usize::try_from(plan.n_boxed_tiles()).unwrap_or(usize::MAX);
        if measured.is_empty() {
            return None;
        }
        let largest =
            |of: fn(&TileMeasurement) -> usize| measured.iter().map(of).max().unwrap_or(0);
        let mean = |sum: f64| sum / as_f64(measured.len());
        let tile_seconds = mean(measured.iter().map(|tile| tile.seconds).sum());
        let bytes = mean(measured.iter().map(|tile| as_f64(tile.n_bytes)).sum());
        // Tiles without ground take no place in references.
        let with_ground = measured.iter().filter(|tile| tile.n_polys > 0).count();
        let n_with_ground = mean(as_f64(with_ground)) * as_f64(n_tiles);
        let n_with_ground = rounded(n_with_ground).max(1);
        let max_polys_found = largest(|tile| tile.n_polys);
        let width = match plan.input().settings.refs {
            RefBits::Narrow | RefBits::Auto => RefWidth::Bits32,
            RefBits::Wide => RefWidth::Bits64,
        };
        let poly_limit = max_polys(n_with_ground, width);
        let is_below = |used: usize, most: usize| as_f64(used) <= USABLE * as_f64(most);
        Some(Self {
            tile_size: plan.params().tile_size_vx,
            n_tiles,
            n_measured: measured.len(),
            tile_seconds,
            seconds: tile_seconds * as_f64(n_tiles) / as_f64(n_threads.clamp(1, n_tiles.max(1))),
            tile_memory: largest(|tile| tile.stage_bytes),
            bytes: rounded(bytes * as_f64(n_tiles)),
            max_polys: max_polys_found,
            poly_limit,
            fits: is_below(max_polys_found, poly_limit)
                && is_below(n_with_ground, max_tiles(max_polys_found, width)),
        })
    }
}

/// Returns the best tile size: of those that fit into references and whose bake is at most a tenth slower than the
/// fastest, the one whose tiles need the least memory.
///
/// Small tiles waste time on their borders. Large tiles need more memory, leave cores idle, and take longer to bake
/// again after a change. `None` if no tile size fits.
pub fn best_tile_size(rows: &[TileSizeRow]) -> Option<u32> {
    let fitting = || rows.iter().filter(|row| row.fits);
    let least = fitting().map(|row| row.seconds).min_by(f64::total_cmp)?;
    let fast = fitting().filter(|row| row.seconds <= EQUALLY_FAST * least);
    fast.min_by_key(|row| (row.tile_memory, row.tile_size)).map(|row| row.tile_size)
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn as_f64(n: usize) -> f64 {
    n as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative, and saturates"
)]
fn rounded(value: f64) -> usize {
    value.round() as usize
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Vec3;
    use walkable_bake::bake::{BakeInput, BakeSettings};
    use walkable_mesh::TriMesh;

    use super::*;

    /// Returns a square floor of `side` m in tiles of `tile_size` voxels of 0.3 m.
    fn plan(side: f32, tile_size: u32, refs: RefBits) -> BakePlan {
        let corners = [[0.0, 0.0], [0.0, side], [side, side], [side, 0.0]];
        let vertices = corners.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec();
        let mesh = TriMesh::new(vertices, vec![[0, 1, 2], [0, 2, 3]]).unwrap();
        let settings = BakeSettings { tile_size, refs, ..BakeSettings::default() };
        BakePlan::new(BakeInput::new(Arc::new(mesh), settings)).unwrap()
    }

    fn row((tile_size, seconds, tile_memory): (u32, f64, usize)) -> TileSizeRow {
        let measured = [TileMeasurement { seconds: 1.0, ..TileMeasurement::default() }];
        let plan = plan(30.0, 32, RefBits::Auto);
        let any = TileSizeRow::new(&plan, &measured, 2).unwrap();
        TileSizeRow { tile_size, seconds, tile_memory, ..any }
    }

    #[test]
    fn a_sample_is_the_same_for_a_seed_and_lies_in_the_grid() {
        let plan = plan(96.0, 32, RefBits::Auto);
        assert_eq!(plan.n_tiles(), [10, 10]);
        let sample = tile_sample(&plan, 12, 5);
        assert_eq!((sample.len(), &sample), (12, &tile_sample(&plan, 12, 5)));
        assert_ne!(sample, tile_sample(&plan, 12, 6));
        let distinct: BTreeSet<_> = sample.iter().map(|tile| (tile.x, tile.z)).collect();
        assert!(distinct.len() == 12 && sample.iter().all(|tile| tile.x < 10 && tile.z < 10));
        assert!(tile_sample(&plan, 1000, 1).len() > 90);
    }

    #[test]
    fn totals_follow_from_the_means_and_the_threads() {
        let plan = plan(96.0, 32, RefBits::Auto);
        let tile = |seconds, n_polys| TileMeasurement {
            seconds,
            n_polys,
            stage_bytes: 1000 * n_polys,
            n_bytes: 10 * n_polys,
        };
        let row = TileSizeRow::new(&plan, &[tile(0.1, 10), tile(0.3, 30)], 2).unwrap();
        assert!((row.seconds - 10.0).abs() < 1e-9, "{row:?}");
        assert_eq!((row.n_tiles, row.bytes, row.tile_memory), (100, 20_000, 30_000));
        assert_eq!((row.max_polys, row.poly_limit, row.fits), (30, 0x7fff, true));
        assert_eq!(TileSizeRow::new(&plan, &[], 2), None);
    }

    #[test]
    fn tiles_with_too_many_polygons_for_their_references_do_not_fit() {
        // 2,500 tiles take 12 of the 22 bits.
        let measured = [TileMeasurement { n_polys: 900, ..TileMeasurement::default() }];
        let of = |refs| TileSizeRow::new(&plan(480.0, 32, refs), &measured, 2).unwrap();
        let narrow = of(RefBits::Auto);
        assert_eq!((narrow.poly_limit, narrow.fits), (1024, false));
        assert!(of(RefBits::Wide).fits);
    }

    #[test]
    fn the_best_size_is_nearly_the_fastest_with_the_least_memory() {
        let rows = [(16, 9.0, 1), (32, 5.4, 2), (64, 5.0, 4), (128, 4.0, 9)];
        let mut rows = rows.map(row);
        assert_eq!(best_tile_size(&rows), Some(128));
        rows[3].fits = false;
        assert_eq!(best_tile_size(&rows), Some(32));
        assert_eq!(best_tile_size(&rows[..1]), Some(16));
        assert_eq!(best_tile_size(&rows[3..]), None);
    }
}

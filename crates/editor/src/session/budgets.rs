//! Checks the results of a bake against its budgets.

use crate::lang::tr;
use walkable::ids::TileCoord;

use super::{BakeState, Budgets, PathAnswer};

/// A budget that is exceeded.
#[derive(Clone, Debug, PartialEq)]
pub struct Excess {
    /// The quantity, its value and its limit.
    pub text: String,
    /// The tile with the highest value, for budgets per tile.
    pub tile: Option<TileCoord>,
}

impl Budgets {
    /// Returns the budgets that the results exceed.
    pub fn exceeded(&self, bake: &BakeState, path: Option<&PathAnswer>) -> Vec<Excess> {
        let slowest = most(bake, |tile| tile.times.total().as_secs_f64() * 1e3);
        let largest = most(bake, |tile| kib(tile.n_bytes));
        let elapsed = bake.elapsed.map(|time| (None, time.as_secs_f64()));
        let total = bake.tiles.values().map(|tile| tile.n_bytes).sum();
        let path = path.map(|answer| (None, answer.time.as_secs_f64() * 1e3));
        let limits = [
            (self.tile_ms, slowest, tr!("to bake"), "ms"),
            (self.tile_kib, largest, tr!("of data"), "KiB"),
            (self.bake_s, elapsed, tr!("for the bake"), "s"),
            (self.navmesh_mib, Some((None, kib(total) / 1024.0)), tr!("for the navmesh"), "MiB"),
            (self.path_ms, path, tr!("for the path"), "ms"),
        ];
        let excess = |(limit, found, what, unit): (Option<f64>, Figure, &str, &str)| {
            let (limit, (tile, value)) = (limit?, found?);
            (value > limit).then(|| {
                let of = tile.map_or_else(String::new, |tile| tr!("tile {tile}: "));
                let text = tr!("{of}{value:.2} {unit} {what}, {limit} {unit} allowed");
                Excess { text, tile }
            })
        };
        limits.into_iter().filter_map(excess).collect()
    }
}

/// A value, and the tile that it belongs to.
type Figure = Option<(Option<TileCoord>, f64)>;

/// Returns the tile with the highest value of `figure`.
fn most(bake: &BakeState, figure: impl Fn(&super::TileResult) -> f64) -> Figure {
    let figures = bake.tiles.iter().map(|(coord, tile)| (Some(*coord), figure(tile)));
    figures.max_by(|(_, a), (_, b)| a.total_cmp(b))
}

#[expect(clippy::cast_precision_loss, reason = "sizes for people")]
fn kib(n_bytes: usize) -> f64 {
    n_bytes as f64 / 1024.0
}

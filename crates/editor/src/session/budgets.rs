//! The budgets of a bake as the window names them; checks the results of a bake against them.

use walkable::{diagnostic::Phrase, ids::TileCoord, phrase};
use walkable_workspace::text;

use super::{BakeState, Budgets, PathAnswer};

#[derive(Debug)]
pub struct Budget {
    pub id: &'static str,
    pub label: &'static str,
    pub tooltip: &'static str,
    pub unit: &'static str,
    /// Initial value when the budget is switched on.
    pub first: f64,
    pub of: fn(&mut Budgets) -> &mut Option<f64>,
}

pub static BUDGETS: [Budget; 5] = [
    Budget {
        id: "budgets.tile_ms",
        label: text!("Bake of a tile"),
        tooltip: text!("Longest time that the bake of one tile may take, in milliseconds"),
        unit: "ms",
        first: 50.0,
        of: |budgets| &mut budgets.tile_ms,
    },
    Budget {
        id: "budgets.bake_s",
        label: text!("Whole bake"),
        tooltip: text!("Longest time that a whole bake may take, in seconds"),
        unit: "s",
        first: 10.0,
        of: |budgets| &mut budgets.bake_s,
    },
    Budget {
        id: "budgets.tile_kib",
        label: text!("Data of a tile"),
        tooltip: text!("Largest size of the data of one tile, in KiB"),
        unit: "KiB",
        first: 64.0,
        of: |budgets| &mut budgets.tile_kib,
    },
    Budget {
        id: "budgets.navmesh_mib",
        label: text!("Data of all tiles"),
        tooltip: text!("Largest size of the navmesh's data, in MiB"),
        unit: "MiB",
        first: 16.0,
        of: |budgets| &mut budgets.navmesh_mib,
    },
    Budget {
        id: "budgets.path_ms",
        label: text!("Path"),
        tooltip: text!("Longest time that the path tool's search may take, in milliseconds"),
        unit: "ms",
        first: 1.0,
        of: |budgets| &mut budgets.path_ms,
    },
];

#[derive(Clone, Debug, PartialEq)]
pub struct Excess {
    pub text: Phrase,
    /// The tile with the highest value, for budgets per tile.
    pub tile: Option<TileCoord>,
}

pub fn exceeded(budgets: &Budgets, bake: &BakeState, path: Option<&PathAnswer>) -> Vec<Excess> {
    let slowest = most(bake, |tile| tile.times.total().as_secs_f64() * 1e3);
    let largest = most(bake, |tile| kib(tile.n_bytes));
    let elapsed = bake.elapsed.map(|time| (None, time.as_secs_f64()));
    let total = bake.tiles.values().map(|tile| tile.n_bytes).sum();
    let path = path.map(|answer| (None, answer.time.as_secs_f64() * 1e3));
    let limits = [
        (budgets.tile_ms, slowest, phrase!("to bake"), "ms"),
        (budgets.tile_kib, largest, phrase!("of data"), "KiB"),
        (budgets.bake_s, elapsed, phrase!("for the bake"), "s"),
        (budgets.navmesh_mib, Some((None, kib(total) / 1024.0)), phrase!("for the navmesh"), "MiB"),
        (budgets.path_ms, path, phrase!("for the path"), "ms"),
    ];
    let excess = |(limit, found, what, unit): (Option<f64>, TileValue, Phrase, &str)| {
        let (limit, (tile, value)) = (limit?, found?);
        (value > limit).then(|| {
            let (value, limit) = (format!("{value:.2}"), limit.to_string());
            let text =
                phrase!("{value} {unit} {what}, {limit} {unit} allowed", value, unit, what, limit);
            let text = match tile {
                Some(tile) => phrase!("tile {tile}: {text}", tile = tile.to_string(), text),
                None => text,
            };
            Excess { text, tile }
        })
    };
    limits.into_iter().filter_map(excess).collect()
}

type TileValue = Option<(Option<TileCoord>, f64)>;

fn most(bake: &BakeState, figure: impl Fn(&super::TileResult) -> f64) -> TileValue {
    let figures = bake.tiles.iter().map(|(coord, tile)| (Some(*coord), figure(tile)));
    figures.max_by(|(_, a), (_, b)| a.total_cmp(b))
}

#[expect(clippy::cast_precision_loss, reason = "sizes for people")]
fn kib(n_bytes: usize) -> f64 {
    n_bytes as f64 / 1024.0
}

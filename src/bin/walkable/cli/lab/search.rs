//! `walkable search`: one query on a map, by a search of one's choice.

use std::{path::PathBuf, time::Instant};

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;
use walkable::grid::{Cell, read_map};

use super::{
    super::{Failure, output::Output},
    algorithm::{Algorithm, Found, Options},
    grids::GridFinder,
};
use crate::files;

/// Arguments of `walkable search`.
#[derive(Args, Debug)]
pub(in super::super) struct SearchArgs {
    /// Map of Moving AI's benchmarks (.map).
    map: PathBuf,
    /// How to search.
    #[arg(long, value_enum, default_value_t = Algorithm::AStar)]
    algorithm: Algorithm,
    /// Cell where the path starts.
    #[arg(long, value_name = "X,Y", value_parser = place)]
    from: Place,
    /// Cell where it ends.
    #[arg(long, value_name = "X,Y", value_parser = place)]
    to: Place,
    /// Answer with one line of JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: Options,
}

/// Coordinates of a cell.
type Place = std::sync::Arc<[u32]>;

fn place(text: &str) -> Result<Place, String> {
    let numbers: Option<Vec<u32>> = text.split(',').map(|n| n.trim().parse().ok()).collect();
    let numbers = numbers.filter(|numbers| numbers.len() == 2);
    numbers.map(Into::into).ok_or_else(|| "expected two whole numbers, as in 12,7".to_owned())
}

/// An answer as JSON.
#[derive(Serialize)]
struct Answer<'a> {
    algorithm: String,
    status: &'static str,
    cost: Option<f64>,
    path: &'a [Vec<u32>],
    expanded: u64,
    opened: u64,
    open_peak: usize,
    us: f64,
}

pub(in super::super) fn run(args: &SearchArgs, output: &mut Output) -> Result<(), Failure> {
    let grid =
        read_map(&files::read_text(&args.map)?).with_context(|| args.map.display().to_string())?;
    let [start, goal] = [&args.from, &args.to].map(|place| Cell::new(place[0], place[1]));
    for (name, cell) in [("--from", start), ("--to", goal)] {
        if !grid.contains(cell) {
            let (n_x, n_y) = (grid.n_x(), grid.n_y());
            return Err(Failure::Usage(format!(
                "{name} {},{} is outside of the map's {n_x} x {n_y} cells",
                cell.x, cell.y
            )));
        }
    }
    let mut finder =
        GridFinder::new(&grid, args.algorithm, args.options).map_err(Failure::Usage)?;
    let began = Instant::now();
    let found = finder.find(start, goal);
    let us = began.elapsed().as_secs_f64() * 1e6;
    if args.json {
        let answer = Answer {
            algorithm: args.algorithm.name(),
            status: if found.cost.is_some() { "complete" } else { "unreachable" },
            cost: found.cost,
            path: &found.path,
            expanded: found.stats.n_expanded,
            opened: found.stats.n_opened,
            open_peak: found.stats.open_peak,
            us,
        };
        let json = serde_json::to_string(&answer).context("cannot write the answer as JSON")?;
        output.line(&json)?;
    } else {
        output.line(&in_words(&found, us))?;
    }
    Ok(())
}

fn in_words(found: &Found, us: f64) -> String {
    let work = format!("{} expanded, {us:.0} us", found.stats.n_expanded);
    let Some(cost) = found.cost else { return format!("unreachable; {work}") };
    let places = found.path.iter().map(|place| {
        let numbers: Vec<String> = place.iter().map(u32::to_string).collect();
        numbers.join(",")
    });
    let places: Vec<String> = places.collect();
    format!("complete, cost {cost:.6}; {work}\n{}", places.join("  "))
}

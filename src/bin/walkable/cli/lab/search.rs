//! `walkable search`: one query on a map, by a search of one's choice.

use std::{path::PathBuf, time::Instant};

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;
use walkable::search::Unwatched;

use super::super::{Failure, output::Output};
use crate::searches::{Algorithm, Finder, Found, Map, Options, PathPoints};

/// Arguments of `walkable search`.
#[derive(Args, Debug)]
pub(in super::super) struct SearchArgs {
    /// Map of Moving AI's benchmarks (.map or .3dmap).
    map: PathBuf,
    /// How to search, if not by `astar` or `dense26`.
    #[arg(long, value_enum, value_name = "NAME")]
    algorithm: Option<Algorithm>,
    /// Cell or voxel where the path starts.
    #[arg(long, value_name = "X,Y[,Z]", value_parser = place)]
    from: Place,
    /// Cell or voxel where it ends.
    #[arg(long, value_name = "X,Y[,Z]", value_parser = place)]
    to: Place,
    /// Answer with one line of JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: Options,
}

/// Coordinates of a cell or voxel.
type Place = std::sync::Arc<[u32]>;

fn place(text: &str) -> Result<Place, String> {
    let numbers: Option<Vec<u32>> = text.split(',').map(|n| n.trim().parse().ok()).collect();
    let numbers = numbers.filter(|numbers| matches!(numbers.len(), 2 | 3));
    let expected = "expected two or three whole numbers, as in 12,7";
    numbers.map(Into::into).ok_or_else(|| expected.to_owned())
}

/// An answer as JSON.
#[derive(Serialize)]
struct Answer<'a> {
    algorithm: String,
    status: &'static str,
    cost: Option<f64>,
    path: &'a PathPoints,
    expanded: u64,
    opened: u64,
    open_peak: usize,
    us: f64,
}

pub(in super::super) fn run(args: &SearchArgs, output: &mut Output) -> Result<(), Failure> {
    let map = Map::read(&args.map)?;
    for (name, place) in [("--from", &args.from), ("--to", &args.to)] {
        if !map.contains(place) {
            let (place, size) = (numbers(place, ","), numbers(&map.size(), " x "));
            return Err(Failure::Usage(format!("{name} {place} is outside of the map's {size}")));
        }
    }
    let algorithm = args.algorithm.unwrap_or_else(|| map.usual_algorithm());
    let mut finder = Finder::new(&map, algorithm, args.options).map_err(Failure::Usage)?;
    let began = Instant::now();
    let found = finder.find(&args.from, &args.to, &mut Unwatched);
    let us = began.elapsed().as_secs_f64() * 1e6;
    if args.json {
        let answer = Answer {
            algorithm: algorithm.name(),
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
    format!("complete, cost {cost:.6}; {work}\n{}", found.path.in_words())
}

fn numbers(numbers: &[u32], between: &str) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(between)
}

//! `walkable bench-scen`: runs every query of a scenario and compares the lengths with those in the file.

use std::time::Instant;

use anyhow::{Context as _, bail};
use clap::Args;
use serde::Serialize;
use walkable::search::Unwatched;
use walkable_workspace::{
    limits::Bounded,
    searches::{
        Algorithm, Finder, Map, Options, Place, Promise, Query, map_of_scenario, read_queries,
    },
};

use super::super::{Failure, guard::InputFile, limit::LimitArgs, output::Output};

/// Arguments of `walkable bench-scen`.
#[derive(Args, Debug)]
pub(in super::super) struct BenchScenArgs {
    /// Scenario of Moving AI's benchmarks (.scen or .3dscen), or lines `x y X Y length` for a polygon mesh.
    scenario: InputFile,
    /// Map of the scenario; by default the file with the same name next to it.
    #[arg(long, value_name = "FILE")]
    map: Option<InputFile>,
    /// Search algorithm; by default `astar`, `dense26` or `polyanya`; may be repeated.
    #[arg(long = "algorithm", value_enum, value_name = "NAME")]
    algorithms: Vec<Algorithm>,
    /// Run only every nth query, from the first.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Print JSON with all details of each query.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    options: Options,
}

#[derive(Serialize)]
struct Run {
    algorithm: String,
    n_queries: usize,
    n_mismatches: usize,
    prepare_ms: f64,
    total_ms: f64,
    mean_us: f64,
    mean_expanded: f64,
    mean_opened: f64,
    queries: Vec<QueryRun>,
}

#[derive(Serialize)]
struct QueryRun {
    line: usize,
    start: Place,
    goal: Place,
    /// Length according to the file; `null` if there is no path.
    optimum: Option<f64>,
    cost: Option<f64>,
    expanded: u64,
    opened: u64,
    open_peak: usize,
    us: f64,
    agrees: bool,
}

#[derive(Serialize)]
struct Report {
    scenario: String,
    map: String,
    runs: Vec<Run>,
}

pub(in super::super) fn run(args: &BenchScenArgs, output: &mut Output) -> Result<(), Failure> {
    args.limits.apply();
    let map = args.map.as_deref().cloned().unwrap_or_else(|| map_of_scenario(&args.scenario));
    let loaded = match &args.map {
        Some(map) => Map::read(map)?,
        None => Map::of_scenario(&args.scenario)?,
    };
    let queries = read_queries(&args.scenario, &loaded)?;
    let every = usize::try_from(args.every).unwrap_or(1);
    let queries: Vec<Query> = queries.into_iter().step_by(every).collect();
    let usual = [loaded.usual_algorithm()];
    let algorithms = if args.algorithms.is_empty() { &usual[..] } else { &args.algorithms };
    args.options.check(algorithms)?;
    let mut runs = Vec::new();
    for &algorithm in algorithms {
        let began = Instant::now();
        let finder = Finder::new(&loaded, algorithm, args.options, &mut Unwatched);
        let mut finder = finder?;
        let prepare_ms = began.elapsed().as_secs_f64() * 1e3;
        let promise = finder.promise();
        let done = queries.iter().map(|query| query_run(&mut finder, promise, query));
        let done = done.collect::<anyhow::Result<_>>();
        let done = done.with_context(|| args.scenario.display().to_string())?;
        runs.push(Run::of(algorithm, prepare_ms, done));
    }
    let n_mismatches: usize = runs.iter().map(|run| run.n_mismatches).sum();
    let n: usize = runs.iter().map(|run| run.n_queries).sum();
    let scenario = args.scenario.display().to_string();
    let report = Report { scenario, map: map.display().to_string(), runs };
    if args.json {
        let json = serde_json::to_string_pretty(&report);
        output.lines(&json.context("cannot write the answer as JSON")?)?;
    } else {
        in_words(&report, output)?;
    }
    if n_mismatches > 0 {
        return Err(Failure::Failed(anyhow::anyhow!(
            "{}: {n_mismatches} of {n} results differ from the file",
            report.scenario
        )));
    }
    Ok(())
}

fn query_run(finder: &mut Finder<'_>, promise: Promise, query: &Query) -> anyhow::Result<QueryRun> {
    let began = Instant::now();
    let mut bounded = Bounded::new();
    let found = finder.find(&query.start, &query.goal, &mut bounded);
    let why = |why| anyhow::anyhow!("line {}: {why}", query.line);
    bounded.check().map_err(why)?;
    let us = began.elapsed().as_secs_f64() * 1e6;
    Ok(QueryRun {
        line: query.line,
        start: query.start.clone(),
        goal: query.goal.clone(),
        optimum: query.optimum,
        cost: found.cost,
        expanded: found.stats.n_expanded,
        opened: found.stats.n_opened,
        open_peak: found.stats.open_peak,
        us,
        agrees: promise.holds(found.cost, query.optimum, query.tolerance),
    })
}

impl Run {
    #[expect(clippy::cast_precision_loss, reason = "means need no more")]
    fn of(algorithm: Algorithm, prepare_ms: f64, queries: Vec<QueryRun>) -> Self {
        let n = queries.len().max(1) as f64;
        let mean = |value: &dyn Fn(&QueryRun) -> f64| queries.iter().map(value).sum::<f64>() / n;
        let mean_us = mean(&|query| query.us);
        Self {
            algorithm: algorithm.name(),
            n_queries: queries.len(),
            n_mismatches: queries.iter().filter(|query| !query.agrees).count(),
            prepare_ms,
            total_ms: mean_us * n / 1e3,
            mean_us,
            mean_expanded: mean(&|query| query.expanded as f64),
            mean_opened: mean(&|query| query.opened as f64),
            queries,
        }
    }
}

fn in_words(report: &Report, output: &mut Output) -> anyhow::Result<()> {
    if report.runs.iter().all(|run| run.queries.is_empty()) {
        bail!("{}: there are no queries", report.scenario);
    }
    for run in &report.runs {
        for query in run.queries.iter().filter(|query| !query.agrees) {
            let shown =
                |cost: Option<f64>| cost.map_or_else(|| "no path".to_owned(), |c| c.to_string());
            let (cost, optimum) = (shown(query.cost), shown(query.optimum));
            let (line, name) = (query.line, &run.algorithm);
            output.line(&format!("line {line}: {name} finds {cost}, the file has {optimum}"))?;
        }
    }
    output.line(
        "algorithm        queries  mismatches   expanded     opened         us  prepare ms",
    )?;
    for run in &report.runs {
        output.line(&format!(
            "{:<15} {:>8} {:>11} {:>10.1} {:>10.1} {:>10.1} {:>11.1}",
            run.algorithm,
            run.n_queries,
            run.n_mismatches,
            run.mean_expanded,
            run.mean_opened,
            run.mean_us,
            run.prepare_ms
        ))?;
    }
    Ok(())
}

//! `walkable sweep`: bakes a level with combinations of settings, and measures each bake.
//!
//! JSON, one object:
//!
//! | field | meaning |
//! |---|---|
//! | `level` | name of the level |
//! | `varied` | names of the varied settings |
//! | `rows` | for each combination: `values`, `outcome` (`{"measured": {…}}` or `{"failed": "…"}`), `is_best` |
//!
//! The measures are `ground_m2`, `islands`, `polygons`, `bytes`, `seconds` (of one core), `mean_distance_m` and
//! `max_distance_m` (vertical distance of the navmesh from the level). A combination that cannot be baked is a row, not a
//! failure of the command.

use std::{
    collections::BTreeMap,
    io::IsTerminal as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
    time::{Duration, Instant},
};

use anyhow::Context as _;
use clap::Args;
use rayon::prelude::*;
use serde::Serialize;
use walkable::{
    bake::{BakeConfig, BakeError, BakeLimits, BakePlan, Keep},
    mesh::TriMesh,
    monitor::Unmonitored,
    sweep::{
        Combination, SweepGoal, SweepMeasure, SweepOutcome, VariedSetting, grid, latin_hypercube,
        measure, pareto_front,
    },
};
use walkable_editor::{
    document::Finish,
    files::{self, Format},
    format, limits,
    runner::{self, TileOutcome},
    sweep_file::{SweepRow, read_sweep, sweep_to_csv},
};

use super::{
    Failure,
    bake::baked_tiles,
    guard,
    import::ImportArgs,
    limit::LimitArgs,
    load::{LevelArg, SettingsArgs},
    output::{Output, aligned, say},
};

/// Minimum time between two writes of the CSV file.
const WRITE_PERIOD: Duration = Duration::from_secs(1);

/// Arguments of `walkable sweep`.
#[derive(Args, Debug)]
pub(super) struct SweepArgs {
    /// Level to bake, as for `walkable bake`.
    level: LevelArg,
    #[command(flatten)]
    settings: SettingsArgs,
    /// A setting to vary, and its values: a list, as in `agent_radius=0.4,0.6`, or a range with a number of values, as in
    /// `cell_size=0.1..0.4/4`; may be repeated. All combinations are baked.
    #[arg(long, value_name = "KEY=VALUES", required = true, value_parser = varied)]
    vary: Vec<VariedSetting>,
    /// Bake N combinations that are spread over the ranges (a Latin hypercube) instead of all.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    latin: Option<u32>,
    /// Seed of the Latin hypercube: the same seed gives the same combinations.
    #[arg(long, value_name = "S", default_value_t = 0, requires = "latin")]
    seed: u64,
    /// Mark the rows that no other row beats in all goals, for example `max:ground_m2` and `min:bytes`; may be repeated.
    #[arg(long = "best", value_name = "GOAL", value_parser = goal)]
    best: Vec<SweepGoal>,
    /// CSV file for the rows. It is written while the sweep runs.
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,
    /// CSV file of an interrupted sweep of the same level: its rows are kept, and the missing ones are added.
    #[arg(long, value_name = "FILE.csv", conflicts_with = "csv")]
    resume: Option<PathBuf>,
    /// Print the rows as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    import: ImportArgs,
}

fn varied(text: &str) -> Result<VariedSetting, String> {
    VariedSetting::parse(text).map_err(|error| error.to_string())
}

fn goal(text: &str) -> Result<SweepGoal, String> {
    SweepGoal::parse(text).ok_or_else(|| {
        let names = SweepMeasure::ALL.map(SweepMeasure::key).join(", ");
        format!("expected min: or max: and one of {names}, as in max:ground_m2")
    })
}

/// The answer of the command.
#[derive(Serialize)]
struct Swept<'a> {
    level: String,
    varied: &'a [&'static str],
    rows: &'a [SweepRow],
}

pub(super) fn run(args: &SweepArgs, output: &mut Output) -> Result<(), Failure> {
    args.limits.apply();
    let file = args.csv.as_deref().or(args.resume.as_deref());
    let option = if args.csv.is_some() { "--csv" } else { "--resume" };
    let outputs: Vec<_> = file.into_iter().map(|path| guard::written(path, option)).collect();
    guard::check(&outputs, args.level.file().into_iter().chain(&args.settings.file))?;
    let combinations = match args.latin {
        Some(n) => latin_hypercube(&args.vary, n, args.seed),
        None => grid(&args.vary),
    };
    let combinations = combinations.map_err(|error| Failure::Usage(error.to_string()))?;
    let level = args.level.load(args.import.options())?;
    guard::check(&outputs, &level.files)?;
    if level.obstacles.is_some() {
        let text = format!("{}: a level with runtime obstacles cannot be swept", args.level);
        return Err(anyhow::anyhow!(text).into());
    }
    let config = args.settings.over(level.config, &level.mesh.bounds())?;
    let known = match args.resume.as_deref() {
        Some(path) if path.exists() => {
            let text = files::read_text(path, Format::Sweep)?;
            read_sweep(&text).with_context(|| path.display().to_string())?
        }
        Some(_) | None => BTreeMap::new(),
    };
    let sweep = Sweep {
        keys: args.vary.iter().map(VariedSetting::key).collect(),
        goals: &args.best,
        file,
        level: fingerprint_of(&level.mesh, &level.finish),
        mesh: Arc::new(level.mesh),
        finish: level.finish,
        config,
    };
    let known = known.into_iter().map(|(key, result)| (key, SweepOutcome::Measured(result)));
    let rows = sweep.run(&combinations, known.collect())?;
    if args.json {
        let swept = Swept { level: args.level.to_string(), varied: &sweep.keys, rows: &rows };
        let text = serde_json::to_string_pretty(&swept);
        output.line(&text.context("cannot write the rows as JSON")?)?;
    } else {
        table(&sweep.keys, &rows).iter().try_for_each(|line| output.line(line))?;
    }
    Ok(())
}

/// Identifies a level and what is changed in its navmesh after the bake.
fn fingerprint_of(mesh: &TriMesh, finish: &Finish) -> u64 {
    let mut bytes = format!("{finish:?}{:?}", mesh.parts()).into_bytes();
    for vertex in mesh.vertices() {
        bytes.extend(vertex.to_array().iter().flat_map(|at| at.to_le_bytes()));
    }
    for triangle in mesh.triangles() {
        bytes.extend(triangle.iter().flat_map(|at| at.to_le_bytes()));
    }
    files::fingerprint(&bytes)
}

/// A sweep over one level.
struct Sweep<'a> {
    keys: Vec<&'static str>,
    goals: &'a [SweepGoal],
    /// The CSV file.
    file: Option<&'a Path>,
    /// The fingerprint of the level.
    level: u64,
    mesh: Arc<TriMesh>,
    finish: Finish,
    config: BakeConfig,
}

/// Outcomes by fingerprint.
type Outcomes = BTreeMap<u64, SweepOutcome>;

/// The state that the threads of a sweep share.
struct Progress {
    outcomes: Outcomes,
    /// When the CSV file was last written.
    written: Instant,
    /// Number of bakes that are left.
    n_left: usize,
}

/// A combination with its input for the bake.
struct Planned {
    values: Vec<String>,
    fingerprint: u64,
    /// The configuration, or why there is none.
    config: Result<BakeConfig, String>,
}

/// Memory and time that one bake may use.
#[derive(Clone, Copy)]
struct Share {
    n_threads: usize,
    limits: BakeLimits,
}

impl Sweep<'_> {
    /// Bakes the combinations that are not in `known`, and returns a row for each.
    fn run(&self, combinations: &[Combination], known: Outcomes) -> anyhow::Result<Vec<SweepRow>> {
        let planned: Vec<Planned> =
            combinations.iter().map(|combination| self.plan(combination)).collect();
        let is_other = |fingerprint: &&u64| {
            !planned.iter().any(|planned| planned.fingerprint == **fingerprint)
        };
        let n_other = known.keys().filter(is_other).count();
        if let Some(file) = self.file.filter(|_| n_other > 0) {
            let rows = format::counted(n_other, "row is", "rows are");
            anyhow::bail!(
                "{}: {rows} of another level, other settings or another version; name a new file with --csv",
                file.display()
            );
        }
        // Equal settings are baked once.
        let unknown = planned.iter().filter(|planned| !known.contains_key(&planned.fingerprint));
        let todo: BTreeMap<u64, &Planned> =
            unknown.map(|planned| (planned.fingerprint, planned)).collect();
        let n_threads = runner::default_threads();
        let limits = limits::of_bakes();
        let n = u64::try_from(n_threads).unwrap_or(u64::MAX).max(1);
        let all = Share { n_threads, limits };
        let one =
            Share { n_threads: 1, limits: BakeLimits { n_bytes: limits.n_bytes / n, ..limits } };
        let progress = Progress { outcomes: known, written: Instant::now(), n_left: todo.len() };
        let progress = Mutex::new(progress);
        let done = |fingerprint, outcome| self.add(&planned, (fingerprint, outcome), &progress);
        let list: Vec<&Planned> = todo.into_values().collect();
        let large = list.into_par_iter().map(|planned| match self.bake(planned, one) {
            Ok(outcome) => done(planned.fingerprint, outcome).map(|()| None),
            Err(_too_large) => Ok(Some(planned)),
        });
        // Bakes that need more than their share of the memory come last, one by one.
        let large: Vec<Option<&Planned>> = large.collect::<anyhow::Result<_>>()?;
        for planned in large.into_iter().flatten() {
            done(
                planned.fingerprint,
                self.bake(planned, all).unwrap_or_else(SweepOutcome::Failed),
            )?;
        }
        let progress = progress.into_inner().unwrap_or_else(PoisonError::into_inner);
        let rows = self.rows(&planned, &progress.outcomes);
        self.write(&rows)?;
        Ok(rows)
    }

    fn plan(&self, combination: &Combination) -> Planned {
        let mut config = self.config.clone();
        let applied = combination.apply(&mut config.settings);
        let values = combination.texts();
        let version = env!("CARGO_PKG_VERSION");
        let input = format!("{version}\n{:016x}\n{}", self.level, config.to_text());
        let config = applied.map(|()| config).map_err(|error| error.to_string());
        Planned { values, fingerprint: files::fingerprint(input.as_bytes()), config }
    }

    /// Bakes a combination and measures it.
    ///
    /// # Errors
    /// Returns a message if the bake needs more memory than its share.
    fn bake(&self, planned: &Planned, share: Share) -> Result<SweepOutcome, String> {
        let config = match &planned.config {
            Ok(config) => config.clone(),
            Err(why) => return Ok(SweepOutcome::Failed(why.clone())),
        };
        let plan = BakePlan::new(config.with_mesh(Arc::clone(&self.mesh)));
        let plan = match plan {
            Ok(plan) => plan,
            Err(error) => return Ok(SweepOutcome::Failed(error.to_string())),
        };
        match plan.check_limits(share.n_threads, share.limits) {
            Ok(_) => {}
            Err(error @ BakeError::TooMuchMemory { .. }) => {
                return Err(format!("{error}, or raise --max-memory"));
            }
            Err(error @ BakeError::TooMuchTime { .. }) => {
                return Ok(SweepOutcome::Failed(format!("{error}, or raise --max-time")));
            }
            Err(error) => return Ok(SweepOutcome::Failed(error.to_string())),
        }
        let measured = self.measured(&plan, share.n_threads);
        Ok(measured.unwrap_or_else(|error| SweepOutcome::Failed(format!("{error:#}"))))
    }

    fn measured(&self, plan: &BakePlan, n_threads: usize) -> anyhow::Result<SweepOutcome> {
        let order: Vec<_> = plan.tiles().collect();
        let outcomes: Mutex<Vec<TileOutcome>> = Mutex::new(Vec::with_capacity(order.len()));
        let add = |outcome| outcomes.lock().unwrap_or_else(PoisonError::into_inner).push(outcome);
        let bake_one = runner::from_memory(plan, Keep::Tile);
        runner::run(&order, &bake_one, n_threads, &AtomicBool::new(false), &add);
        let mut outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
        outcomes.sort_by_key(|outcome| (outcome.coord.z, outcome.coord.x));
        let seconds: Duration = outcomes.iter().map(|outcome| outcome.times.total()).sum();
        if let Some(error) = outcomes.iter().find_map(|outcome| outcome.result.as_ref().err()) {
            let n_failed = outcomes.iter().filter(|outcome| outcome.result.is_err()).count();
            anyhow::bail!("{n_failed} of {} tiles failed: {error}", outcomes.len());
        }
        let mut mesh = self.finish.link(plan, &baked_tiles(&outcomes))?;
        self.finish.prune(&mut mesh);
        let result = measure(&mesh, plan, seconds.as_secs_f64(), &Unmonitored)?;
        Ok(SweepOutcome::Measured(result))
    }

    /// Stores an outcome, and writes the file if it was not written recently.
    fn add(
        &self,
        planned: &[Planned],
        (fingerprint, outcome): (u64, SweepOutcome),
        progress: &Mutex<Progress>,
    ) -> anyhow::Result<()> {
        let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
        progress.outcomes.insert(fingerprint, outcome);
        progress.n_left = progress.n_left.saturating_sub(1);
        if progress.written.elapsed() < WRITE_PERIOD {
            return Ok(());
        }
        progress.written = Instant::now();
        if std::io::stderr().is_terminal() {
            say(&format!("{} left", format::counted(progress.n_left, "bake", "bakes")));
        }
        self.write(&self.rows(planned, &progress.outcomes))
    }

    /// Returns the rows of the combinations that have an outcome.
    fn rows(&self, planned: &[Planned], outcomes: &Outcomes) -> Vec<SweepRow> {
        let row = |planned: &Planned| {
            let outcome = outcomes.get(&planned.fingerprint)?.clone();
            let (values, fingerprint) = (planned.values.clone(), planned.fingerprint);
            Some(SweepRow { values, outcome, is_best: None, fingerprint })
        };
        let mut rows: Vec<SweepRow> = planned.iter().filter_map(row).collect();
        if !self.goals.is_empty() {
            let results: Vec<_> = rows.iter().map(|row| row.outcome.result().copied()).collect();
            let front = pareto_front(&results, self.goals);
            for (row, is_best) in rows.iter_mut().zip(front) {
                row.is_best = Some(is_best);
            }
        }
        rows
    }

    fn write(&self, rows: &[SweepRow]) -> anyhow::Result<()> {
        let Some(file) = self.file else { return Ok(()) };
        files::write_atomically(file, sweep_to_csv(&self.keys, rows).as_bytes())
    }
}

/// Formats the rows as a table with aligned columns. A `*` marks the rows that no other row beats.
fn table(keys: &[&str], rows: &[SweepRow]) -> Vec<String> {
    let has_goals = rows.iter().any(|row| row.is_best.is_some());
    let measures = SweepMeasure::ALL.map(SweepMeasure::key);
    let mut cells: Vec<Vec<String>> =
        vec![keys.iter().chain(&measures).map(|&title| title.to_owned()).collect()];
    for row in rows {
        let mut line = row.values.clone();
        if let Some(result) = row.outcome.result() {
            let values = SweepMeasure::ALL.map(|measure| format::number(result.get(measure)));
            line.extend(values);
        }
        cells.push(line);
    }
    let texts = aligned(&cells);
    let mark = |is_best: bool| if is_best { "* " } else { "  " };
    let lines = texts.iter().enumerate().map(|(index, text)| {
        let row = index.checked_sub(1).and_then(|index| rows.get(index));
        let best = row.and_then(|row| row.is_best).unwrap_or(false);
        let start = if has_goals { mark(best) } else { "" };
        let why = row.and_then(|row| match &row.outcome {
            SweepOutcome::Measured(_) => None,
            SweepOutcome::Failed(why) => Some(format!("  failed: {why}")),
        });
        format!("{start}{text}{}", why.unwrap_or_default())
    });
    lines.collect()
}

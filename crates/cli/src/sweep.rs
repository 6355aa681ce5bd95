//! `walkable sweep`: bakes a level with combinations of settings, and measures each bake.
//!
//! JSON, one object:
//!
//! | field | meaning |
//! |---|---|
//! | `level` | name of the level |
//! | `varied` | names of the varied settings |
//! | `rows` | for each combination: `values`, `outcome` (`{"measured": {…}}` or `{"failed": "…"}`), `is_best`, `is_best_for_suite` |
//!
//! The measures are `ground_m2`, `islands`, `polygons`, `bytes`, `seconds` (of one core), `mean_distance_m` and
//! `max_distance_m` (vertical distance of the navmesh from the level), and `tests_passed` and `tests_failed`, which are
//! `null` without path tests. A combination that cannot be baked is a row, not a
//! failure of the command.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;
use walkable::sweep::{
    SweepGoal, SweepMeasure, SweepOutcome, VariedSetting, grid, latin_hypercube,
};
use walkable_workspace::{
    files::Format,
    format, limits,
    sweep::{Outcomes, Sweep, SweepInput, SweepRow, cases_of_agent, read_sweep, sweep_to_csv},
};

use super::{
    Failure,
    guard::{InputFile, OutputFile},
    import::ImportArgs,
    interrupt,
    limit::LimitArgs,
    load::{LevelArg, SettingsArgs},
    output::{Output, aligned, eprint_line, is_watched},
    path_tests::read_suite,
};

/// Minimum time between two writes of the CSV file.
const WRITE_PERIOD: Duration = Duration::from_secs(1);

const RAISE: [&str; 2] = ["raise --max-memory", "raise --max-time"];

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
    /// Run the path tests of this suite on each bake; by default those of the project.
    #[arg(long, value_name = "SUITE")]
    suite: Option<InputFile>,
    /// CSV file for the rows. It is written while the sweep runs.
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<OutputFile>,
    /// CSV file of an interrupted sweep of the same level: its rows are kept, and the missing ones are added.
    #[arg(long, value_name = "FILE.csv", conflicts_with = "csv")]
    resume: Option<OutputFile>,
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

#[derive(Serialize)]
struct Swept<'a> {
    level: String,
    varied: &'a [&'static str],
    rows: &'a [SweepRow],
}

pub(super) fn run(args: &SweepArgs, output: &mut Output) -> Result<(), Failure> {
    args.limits.apply();
    let file = args.csv.as_ref().or(args.resume.as_ref());
    let combinations = match args.latin {
        Some(n) => latin_hypercube(&args.vary, n, args.seed),
        None => grid(&args.vary),
    };
    let combinations = combinations.map_err(|error| Failure::Usage(error.to_string()))?;
    let suite = args.suite.as_ref().map(|suite| read_suite(suite)).transpose()?;
    let level = args.level.load(args.import.options())?;
    if level.obstacles.is_some() {
        let text = format!("{}: a level with runtime obstacles cannot be swept", args.level);
        return Err(anyhow::anyhow!(text).into());
    }
    let config = args.settings.over(level.config.clone(), &level)?;
    let cases = match &suite {
        Some(suite) => &suite.cases,
        None => &level.document.path_tests,
    };
    let active = level.document.agents.active().map(|agent| &*agent.name);
    let (cases, n_others) = cases_of_agent(cases, active);
    if n_others > 0 {
        let tests = format::counted(n_others, "path test", "path tests");
        eprint_line(&format!("{}: skipped {tests} of agents that are not active", args.level));
    }
    let n_cases = cases.len();
    let volumes = args.settings.volumes(&level, &config.volumes);
    let (mesh, finish) = (level.mesh, level.finish);
    let part = None;
    let input = SweepInput { mesh, part, config, finish, cases, volumes, raise: RAISE };
    let sweep = Sweep::new(input, &combinations);
    let known = match &args.resume {
        Some(file) => match file.read_earlier(Format::Sweep)? {
            Some(text) => read_sweep(&text).with_context(|| file.display().to_string())?,
            None => BTreeMap::new(),
        },
        None => BTreeMap::new(),
    };
    let known = known.into_iter().map(|(key, result)| (key, SweepOutcome::Measured(result)));
    let known: Outcomes = known.collect();
    let keys: Vec<_> = args.vary.iter().map(VariedSetting::key).collect();
    let written = Written { sweep: &sweep, keys: &keys, goals: &args.best, file };
    written.check_known(&known)?;
    let (rows, n_left) = written.run(&known, interrupt::flag())?;
    if args.json {
        let swept = Swept { level: args.level.to_string(), varied: &keys, rows: &rows };
        let text = serde_json::to_string_pretty(&swept);
        output.lines(&text.context("cannot write the rows as JSON")?)?;
    } else {
        table(&keys, &rows).iter().try_for_each(|line| output.line(line))?;
        if n_cases > 0 {
            output.line(&best_for_suite_line(&keys, &rows, n_cases))?;
        }
    }
    if n_left > 0 {
        output.finish()?;
        let left = format::counted(n_left, "bake", "bakes");
        let how = match file {
            Some(file) => format!("continue with --resume {}", file.display()),
            None => "with --csv FILE.csv, an interrupted sweep can be continued".to_owned(),
        };
        let why = limits::time_error().unwrap_or_else(|| "interrupted".to_owned());
        return Err(Failure::Negative(format!("{why}, {left} left; {how}")));
    }
    Ok(())
}

struct Written<'a> {
    sweep: &'a Sweep,
    keys: &'a [&'static str],
    goals: &'a [SweepGoal],
    file: Option<&'a OutputFile>,
}

/// The state that the threads of a sweep share.
struct Progress {
    outcomes: Outcomes,
    written: Instant,
    n_left: usize,
    error: Option<anyhow::Error>,
}

impl Written<'_> {
    /// Checks that the CSV file contains only rows of this sweep.
    fn check_known(&self, known: &Outcomes) -> anyhow::Result<()> {
        let planned: BTreeSet<u64> =
            self.sweep.planned.iter().map(|planned| planned.fingerprint).collect();
        let n_other = known.keys().filter(|fingerprint| !planned.contains(fingerprint)).count();
        if let Some(file) = self.file.filter(|_| n_other > 0) {
            let rows = format::counted(n_other, "row is", "rows are");
            anyhow::bail!(
                "{}: {rows} of another level, other settings, another suite or another version; name a new file with --csv",
                file.display()
            );
        }
        Ok(())
    }

    /// Bakes the combinations that are not in `known` until `cancel` is set, and returns the rows with an outcome, and
    /// the number of bakes that are left.
    fn run(&self, known: &Outcomes, cancel: &AtomicBool) -> anyhow::Result<(Vec<SweepRow>, usize)> {
        let n_left = self.sweep.n_unknown(known);
        let (written, error) = (Instant::now(), None);
        let progress = Mutex::new(Progress { outcomes: known.clone(), written, n_left, error });
        self.sweep.run(known, cancel, &|fingerprint, outcome| {
            let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(error) = self.add(&mut progress, fingerprint, outcome) {
                progress.error = Some(error);
                cancel.store(true, Ordering::Relaxed);
            }
        });
        let progress = progress.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Progress { outcomes, n_left, error, .. } = progress;
        if let Some(error) = error {
            return Err(error);
        }
        let rows = self.sweep.rows(&outcomes, self.goals);
        self.write(&rows)?;
        Ok((rows, n_left))
    }

    /// Stores an outcome, and writes the file if it was not written recently.
    fn add(
        &self,
        progress: &mut Progress,
        fingerprint: u64,
        outcome: SweepOutcome,
    ) -> anyhow::Result<()> {
        progress.outcomes.insert(fingerprint, outcome);
        progress.n_left = progress.n_left.saturating_sub(1);
        if progress.written.elapsed() < WRITE_PERIOD {
            return Ok(());
        }
        progress.written = Instant::now();
        if is_watched() {
            eprint_line(&format!("{} left", format::counted(progress.n_left, "bake", "bakes")));
        }
        self.write(&self.sweep.rows(&progress.outcomes, self.goals))
    }

    fn write(&self, rows: &[SweepRow]) -> anyhow::Result<()> {
        let Some(file) = self.file else { return Ok(()) };
        file.write(sweep_to_csv(self.keys, rows).as_bytes())
    }
}

fn best_for_suite_line(keys: &[&str], rows: &[SweepRow], n_cases: usize) -> String {
    let tests = format::counted(n_cases, "path test", "path tests");
    let best = rows.iter().find(|row| row.is_best_for_suite == Some(true));
    let Some((row, result)) = best.and_then(|row| Some((row, row.outcome.result()?))) else {
        return format!("best for the suite: none, because no combination passes all of {tests}");
    };
    let values = keys.iter().zip(&row.values).map(|(key, value)| format!("{key}={value}"));
    let values = values.collect::<Vec<_>>().join(" ");
    format!("best for the suite: {values}: passes {tests}, {} bytes", result.bytes)
}

/// Formats the rows as a table with aligned columns. A `*` marks the rows that no other row beats.
fn table(keys: &[&str], rows: &[SweepRow]) -> Vec<String> {
    let has_goals = rows.iter().any(|row| row.is_best.is_some());
    let has_tests = rows.iter().any(|row| row.is_best_for_suite.is_some());
    let shown = |measure: &SweepMeasure| has_tests || !measure.is_of_suite();
    let measures: Vec<_> = SweepMeasure::ALL.into_iter().filter(shown).collect();
    let names = measures.iter().map(|measure| measure.key());
    let mut cells: Vec<Vec<String>> =
        vec![keys.iter().copied().chain(names).map(str::to_owned).collect()];
    for row in rows {
        let mut line = row.values.clone();
        if let Some(result) = row.outcome.result() {
            let value = |measure: &SweepMeasure| result.get(*measure).map(format::number);
            line.extend(measures.iter().map(|measure| value(measure).unwrap_or_default()));
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

//! `walkable repro shrink`: reduces the level of a repro file to a few triangles in which the problem remains.
//!
//! JSON of the result, one object:
//!
//! | field | meaning |
//! |---|---|
//! | `complete` | whether nothing more can be removed; `false` if the time was up |
//! | `triangles_before`, `triangles` | number of triangles before and after |
//! | `trials` | number of levels that were baked and asked |
//! | `secs` | time of the search |
//! | `now` | the answer in the reduced level, as in `walkable repro run` |

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;
use walkable_editor::{
    files, limits,
    repro::{Repro, ReproResult, ReproScene, Shrunk},
};

use crate::{
    Failure, guard,
    limit::{Deadline, LimitArgs},
    output::Output,
    progress,
};

/// Arguments of `walkable repro shrink`.
#[derive(Args, Debug)]
pub(crate) struct ShrinkArgs {
    /// Repro file.
    file: PathBuf,
    /// File to write. It always contains the smallest level found so far, so the search can be stopped at any time.
    #[arg(short, long, value_name = "FILE.repro")]
    output: PathBuf,
    /// Maximum time of the search, as in 30s or 2min.
    #[arg(long, value_name = "TIME", default_value = "10min", value_parser = limits::parse_time)]
    time: u32,
    /// Print the result as one line of JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: LimitArgs,
}

/// The result, as JSON.
#[derive(Serialize)]
struct Report<'a> {
    complete: bool,
    triangles_before: usize,
    triangles: usize,
    trials: usize,
    secs: f32,
    now: &'a ReproResult,
}

pub(super) fn run(args: &ShrinkArgs, output: &mut Output) -> Result<(), Failure> {
    args.limits.apply();
    guard::check(&[guard::written(&args.output, "-o")], [&args.file])?;
    let (started, time) = (Instant::now(), Duration::from_secs(args.time.into()));
    let repro = Repro::read(&args.file)?;
    let mut written = Written { path: &args.output, at: None, error: None };
    let line = progress::Line::new();
    let mut found = |smaller: &Repro, n_trials: usize| {
        line.show(|| format!("shrinking: {} triangles, {n_trials} trials", n_triangles(smaller)));
        written.update(smaller);
    };
    let shrunk = repro.shrunk(&mut found, &Deadline::after(time));
    line.clear();
    let shrunk = shrunk.with_context(|| args.file.display().to_string())?;
    if let Some(error) = written.error {
        return Err(error.into());
    }
    write(&args.output, &shrunk.repro)?;
    let Shrunk { repro: smallest, n_trials: trials, is_complete: complete } = &shrunk;
    let report = Report {
        complete: *complete,
        triangles_before: n_triangles(&repro),
        triangles: n_triangles(smallest),
        trials: *trials,
        secs: started.elapsed().as_secs_f32(),
        now: &smallest.actual,
    };
    let text = if args.json {
        serde_json::to_string(&report).context("cannot write the result as JSON")?
    } else {
        report.in_words(&args.output)
    };
    Ok(output.line(&text)?)
}

impl Report<'_> {
    fn in_words(&self, file: &Path) -> String {
        let Self { complete, triangles_before, triangles, trials, secs, now } = self;
        let note = if *complete { "" } else { "; the time was up, so there may be smaller levels" };
        format!(
            "{}: {now}; {triangles} of {triangles_before} triangles, {trials} trials, {secs:.1} s{note}",
            file.display()
        )
    }
}

fn n_triangles(repro: &Repro) -> usize {
    match &repro.scene {
        ReproScene::Level(level) => level.mesh.triangles().len(),
        ReproScene::Navmesh { .. } => 0,
    }
}

fn write(path: &Path, repro: &Repro) -> anyhow::Result<()> {
    let text = repro.to_text().with_context(|| path.display().to_string())?;
    files::write_atomically(path, text.as_bytes())
}

/// Minimum time between two updates of the output file.
const PERIOD: Duration = Duration::from_secs(1);

/// The output file, updated while the search goes on.
struct Written<'a> {
    path: &'a Path,
    /// The time of the last update.
    at: Option<Instant>,
    /// Why the file could not be updated.
    error: Option<anyhow::Error>,
}

impl Written<'_> {
    fn update(&mut self, repro: &Repro) {
        let is_due = self.at.is_none_or(|at| at.elapsed() >= PERIOD);
        if is_due && self.error.is_none() {
            self.error = write(self.path, repro).err();
            self.at = Some(Instant::now());
        }
    }
}

//! `walkable repro shrink`: reduces the level of a repro file to a few triangles in which the problem remains, or a navmesh
//! to a few tiles.
//!
//! JSON of the result, one object:
//!
//! | field | meaning |
//! |---|---|
//! | `complete` | whether nothing more can be removed; `false` if the time was up or Ctrl-C was pressed |
//! | `triangles_before`, `triangles` | number of triangles before and after, if the file contains a level |
//! | `tiles_before`, `tiles` | number of tiles before and after, if the file contains a navmesh |
//! | `trials` | number of levels or navmeshes that were tried |
//! | `secs` | time of the search |
//! | `now` | the answer in the reduced level, as in `walkable repro run` |

use std::{
    path::Path,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use clap::Args;
use serde::{Serialize, Serializer, ser::SerializeMap as _};
use walkable_workspace::{
    limits,
    repro::{Repro, ReproResult, SceneSize, Shrunk},
};

use crate::{
    Failure,
    guard::{InputFile, OutputFile},
    limit::{Deadline, LimitArgs},
    output::Output,
    progress,
};

/// Arguments of `walkable repro shrink`.
#[derive(Args, Debug)]
pub(crate) struct ShrinkArgs {
    /// Repro file.
    file: InputFile,
    /// File to write. It always contains the smallest level found so far, so the search can be stopped at any time.
    #[arg(short, long, value_name = "FILE.repro")]
    output: OutputFile,
    /// Maximum time of the search, as in 30s or 2min.
    #[arg(long, value_name = "TIME", default_value = "10min", value_parser = limits::parse_time)]
    time: u32,
    /// Print the result as one line of JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: LimitArgs,
}

/// Writes the sizes before and after as two fields named by their unit.
fn sizes<S: Serializer>(
    [before, after]: &[SceneSize; 2],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let unit = before.unit();
    let mut map = serializer.serialize_map(Some(2))?;
    map.serialize_entry(&format!("{unit}_before"), &before.n())?;
    map.serialize_entry(unit, &after.n())?;
    map.end()
}

#[derive(Serialize)]
struct Report<'a> {
    complete: bool,
    #[serde(flatten, serialize_with = "sizes")]
    sizes: [SceneSize; 2],
    trials: usize,
    secs: f32,
    now: &'a ReproResult,
}

pub(super) fn run(args: &ShrinkArgs, output: &mut Output) -> Result<(), Failure> {
    args.limits.apply();
    let (started, time) = (Instant::now(), Duration::from_secs(args.time.into()));
    let repro = Repro::read(&args.file)?;
    let mut written = Written { path: &args.output, at: None, error: None };
    let line = progress::Line::new();
    let mut found = |smaller: &Repro, n_trials: usize| {
        line.show(|| format!("shrinking: {}, {n_trials} trials", smaller.scene.size()));
        written.update(smaller);
    };
    let deadline = Deadline::after(time).or_interrupt();
    let shrunk = repro.shrunk(&mut found, &deadline);
    line.clear();
    let shrunk = shrunk.with_context(|| args.file.display().to_string())?;
    if let Some(error) = written.error {
        return Err(error.into());
    }
    write(&args.output, &shrunk.repro)?;
    let Shrunk { repro: smallest, n_trials: trials, is_complete: complete } = &shrunk;
    let report = Report {
        complete: *complete,
        sizes: [repro.scene.size(), smallest.scene.size()],
        trials: *trials,
        secs: started.elapsed().as_secs_f32(),
        now: &smallest.actual,
    };
    let text = if args.json {
        serde_json::to_string(&report).context("cannot write the result as JSON")?
    } else {
        report.in_words(&args.output)
    };
    output.line(&text)?;
    if deadline.is_interrupted() && !complete {
        output.finish()?;
        let text = "interrupted: the output file contains the smallest level found so far";
        return Err(Failure::Negative(text.to_owned()));
    }
    Ok(())
}

impl Report<'_> {
    fn in_words(&self, file: &Path) -> String {
        let Self { complete, sizes: [before, after], trials, secs, now } = self;
        let size = format!("{} of {before}", after.n());
        let note = if *complete { "" } else { "; stopped early, so there may be smaller levels" };
        format!("{}: {now}; {size}, {trials} trials, {secs:.1} s{note}", file.display())
    }
}

fn write(file: &OutputFile, repro: &Repro) -> anyhow::Result<()> {
    file.write(repro.to_text().with_context(|| file.display().to_string())?.as_bytes())
}

/// Minimum time between two updates of the output file.
const PERIOD: Duration = Duration::from_secs(1);

/// The output file, updated while the search goes on.
struct Written<'a> {
    path: &'a OutputFile,
    at: Option<Instant>,
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

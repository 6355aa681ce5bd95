//! `walkable repro run`: asks the question of a repro file again.
//!
//! JSON of the answer, one object:
//!
//! | field | meaning |
//! |---|---|
//! | `reproduced` | whether the problem is still there: the same status, cause and stage, and a place at most 1 m away |
//! | `as_expected` | whether the answer is now as `expected` says; `null` if the file expects none |
//! | `expected` | the answer that the file expects, or `null` |
//! | `was`, `now` | the answer when the file was saved, and now: `status`, `cause`, `stage`, `measured`, `where`, `text` |
//! | `saved_by` | the program that saved the file, with its version |

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;
use walkable_workspace::{
    limits::InTime,
    repro::{ExpectedResult, Repro, ReproResult},
};

use crate::{Failure, guard::InputFile, limit::LimitArgs, output::Output};

/// Arguments of `walkable repro run`.
#[derive(Args, Debug)]
pub(crate) struct RunArgs {
    /// Repro file.
    file: InputFile,
    /// Print the answer as one line of JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Serialize)]
struct Report<'a> {
    reproduced: bool,
    as_expected: Option<bool>,
    expected: Option<ExpectedResult>,
    was: &'a ReproResult,
    now: &'a ReproResult,
    saved_by: &'a str,
}

pub(super) fn run(args: &RunArgs, output: &mut Output) -> Result<(), Failure> {
    args.limits.apply();
    let repro = Repro::read(&args.file)?;
    let now = repro.ask(&InTime).with_context(|| args.file.display().to_string())?;
    let report = Report {
        reproduced: now.is_same_as(&repro.actual),
        as_expected: repro.expected.map(|expected| expected.is_met_by(&now)),
        expected: repro.expected,
        was: &repro.actual,
        now: &now,
        saved_by: &repro.program,
    };
    if args.json {
        let text = serde_json::to_string(&report).context("cannot write the answer as JSON")?;
        output.line(&text)?;
    } else {
        report.in_words().iter().try_for_each(|line| output.line(line))?;
    }
    if report.reproduced {
        return Ok(());
    }
    output.finish()?;
    Err(Failure::Negative(format!("{}: the problem is gone", args.file.display())))
}

impl Report<'_> {
    fn in_words(&self) -> Vec<String> {
        let Self { reproduced, as_expected, expected, was, now, saved_by } = self;
        let mut lines = if *reproduced {
            vec![format!("still there: {now}")]
        } else {
            vec![format!("gone: {now}"), format!("  was       {was} ({saved_by})")]
        };
        lines.extend(expected.map(|expected| {
            let is_met = if *as_expected == Some(true) { ", as it is now" } else { "" };
            format!("  expected  {}{is_met}", expected.key())
        }));
        lines
    }
}

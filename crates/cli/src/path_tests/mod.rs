//! `walkable test`: runs path tests.
//!
//! JSON, one object:
//!
//! | field | meaning |
//! |---|---|
//! | `name` | the level or navmesh |
//! | `suite` | the suite file; `null` if the tests are those of a project |
//! | `n_passed`, `n_failed` | number of cases |
//! | `cases` | the cases, in order; see [`CaseReport`] |
//!
//! A case that fails gets its cause from the level, as `walkable why` finds it, for the first [`MAX_CAUSES`] cases.
//!
//! The exit code is 1 if a case fails.

mod runs;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::Args;
use glam::Vec3;
use serde::Serialize;
use walkable::{
    query::{PathStatus, WhyNot},
    suite::PathCase,
};
use walkable_workspace::{files::FileKind, format::counted, suite_file::SuiteFile};

pub(crate) use self::runs::{CaseOutcome, report, run_on_level, run_on_navmesh};
use super::{
    Failure,
    guard::{InputFile, OutputFile},
    import::ImportArgs,
    junit,
    limit::LimitArgs,
    load::{LevelArg, SettingsArgs},
    output::{Output, eprint_line},
};

const MAX_CAUSES: usize = 20;

/// Arguments of `walkable test`.
#[derive(Args, Debug)]
pub(super) struct TestArgs {
    /// Level to bake, project or baked navmesh (MSET or TSET); or a suite that names one.
    file: LevelArg,
    /// Suite of path tests, or test cases of RecastDemo; by default those of the project.
    suite: Option<InputFile>,
    #[command(flatten)]
    settings: SettingsArgs,
    /// Also write the results to a file that build servers read (`JUnit` XML).
    #[arg(long, value_name = "FILE")]
    junit: Option<OutputFile>,
    /// Print the results as JSON.
    #[arg(long)]
    json: bool,
    /// Do not search for the causes of failed cases.
    #[arg(long)]
    no_causes: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    import: ImportArgs,
}

struct Request {
    level: LevelArg,
    /// The suite file; `None` for the tests of a project.
    suite: Option<PathBuf>,
    cases: Vec<PathCase>,
    settings: SettingsArgs,
}

#[derive(Serialize)]
struct SuiteReport {
    name: String,
    suite: Option<String>,
    n_passed: usize,
    n_failed: usize,
    cases: Vec<CaseReport>,
}

#[derive(Serialize)]
pub(crate) struct CaseReport {
    name: String,
    agent: Option<String>,
    passed: bool,
    /// `complete`, `partial` or `unreachable`; `null` if the case could not run.
    status: Option<PathStatus>,
    why: Option<WhyNot>,
    length: f32,
    cost: f32,
    ms: f32,
    failures: Vec<FailureReport>,
    error: Option<String>,
    cause: Option<CauseReport>,
}

#[derive(Serialize)]
struct FailureReport {
    expected: String,
    measured: Option<f32>,
    limit: Option<f32>,
    at: Option<Vec3>,
    text: String,
}

#[derive(Serialize)]
struct CauseReport {
    cause: &'static str,
    at: Vec3,
    text: String,
}

impl SuiteReport {
    fn new(request: &Request, cases: Vec<CaseReport>) -> Self {
        let n_passed = cases.iter().filter(|case| case.passed).count();
        Self {
            name: request.level.to_string(),
            suite: request.suite.as_ref().map(|path| path.display().to_string()),
            n_passed,
            n_failed: cases.len() - n_passed,
            cases,
        }
    }

    fn suite_name(&self) -> &str {
        self.suite.as_ref().unwrap_or(&self.name)
    }

    fn to_junit(&self) -> String {
        let cases = self.cases.iter().map(|case| junit::Case {
            name: case.name.clone(),
            seconds: case.ms / 1e3,
            problem: (!case.passed).then(|| junit::Problem {
                is_error: case.error.is_some(),
                message: case.problems().collect::<Vec<_>>().join("; "),
                details: case.in_words().join("\n"),
            }),
        });
        let cases = cases.collect();
        junit::Suite { command: "walkable test", name: self.suite_name(), kind: "path_test", cases }
            .to_xml()
    }

    fn in_words(&self) -> Vec<String> {
        let mut lines: Vec<_> = self.cases.iter().flat_map(CaseReport::in_words).collect();
        let Self { n_passed, n_failed, .. } = self;
        lines.push(format!("{}: {n_passed} passed, {n_failed} failed", self.suite_name()));
        lines
    }
}

impl CaseReport {
    fn problems(&self) -> impl Iterator<Item = &str> {
        self.failures.iter().map(|failure| &*failure.text).chain(self.error.as_deref())
    }

    fn in_words(&self) -> Vec<String> {
        let Self { name, length, cost, ms, .. } = self;
        let verdict = if self.passed { "passed" } else { "FAILED" };
        let result = match self.status {
            None => String::new(),
            Some(PathStatus::Unreachable) => format!(": unreachable, {ms:.3} ms"),
            Some(PathStatus::Partial) => {
                format!(": partial, {length:.2} m, cost {cost:.2}, {ms:.3} ms")
            }
            Some(PathStatus::Complete) => {
                format!(": complete, {length:.2} m, cost {cost:.2}, {ms:.3} ms")
            }
        };
        let mut lines = vec![format!("{verdict}  {name}{result}")];
        lines.extend(self.problems().map(|problem| format!("        {problem}")));
        lines.extend(self.cause.as_ref().map(|CauseReport { cause, at, text }| {
            let [x, y, z] = at.to_array();
            format!("        why: {text} [{cause}] at {x:.2},{y:.2},{z:.2}")
        }));
        lines
    }
}

pub(super) fn run(args: &TestArgs, output: &mut Output) -> Result<(), Failure> {
    args.limits.apply();
    let request = Request::new(args)?;
    let cases = runs::run_all(args, &request)?;
    let report = SuiteReport::new(&request, cases);
    if let Some(file) = &args.junit {
        file.write(report.to_junit().as_bytes())?;
    }
    if args.json {
        let text = serde_json::to_string_pretty(&report);
        output.lines(&text.context("cannot write the results as JSON")?)?;
    } else {
        report.in_words().iter().try_for_each(|line| output.line(line))?;
    }
    let n_failed = report.n_failed;
    if n_failed > 0 {
        // The results are printed before the error.
        output.finish()?;
        let n = report.cases.len();
        return Err(anyhow!("{}: {n_failed} of {n} path tests failed", report.suite_name()).into());
    }
    Ok(())
}

impl Request {
    fn new(args: &TestArgs) -> Result<Self, Failure> {
        if let Some(path) = args.file.file()
            && is_suite(path)?
        {
            return Self::of_suite(args, path);
        }
        let cases = args.suite.as_ref().map(|suite| read_suite(suite)).transpose()?;
        Ok(Self {
            level: args.file.clone(),
            suite: args.suite.as_deref().cloned(),
            cases: cases.map(|suite| suite.cases).unwrap_or_default(),
            settings: args.settings.clone(),
        })
    }

    /// Creates the request if the only argument is the suite at `path`.
    fn of_suite(args: &TestArgs, path: &Path) -> Result<Self, Failure> {
        let name = path.display();
        if let Some(suite) = &args.suite {
            let suite = suite.display();
            let text = format!("{name} is a path suite, and so is {suite}: give the level first");
            return Err(Failure::Usage(text));
        }
        let suite = read_suite(path)?;
        let source = suite.level_source(path).map_err(anyhow::Error::from)?.ok_or_else(|| {
            let text = format!(
                "{name} names no level: add a line `level FILE`, or run `walkable test LEVEL {name}`"
            );
            Failure::Usage(text)
        })?;
        Ok(Self {
            level: LevelArg::named_by(path, source).with_context(|| name.to_string())?,
            suite: Some(path.to_owned()),
            settings: args.settings.or_of_suite(&suite, path)?,
            cases: suite.cases,
        })
    }
}

fn is_suite(path: &Path) -> anyhow::Result<bool> {
    Ok(matches!(FileKind::read(path)?, FileKind::Suite | FileKind::TestCases))
}

pub(super) fn read_suite(path: &Path) -> Result<SuiteFile, Failure> {
    let suite = SuiteFile::read(path)?;
    if suite.n_ignored > 0 {
        let rows = "rows that are not test cases";
        let rows = counted(suite.n_ignored, "row that is not a test case", rows);
        eprint_line(&format!("{}: ignored {rows}", path.display()));
    }
    if suite.cases.is_empty() {
        return Err(Failure::Usage(format!("{} contains no cases", path.display())));
    }
    Ok(suite)
}

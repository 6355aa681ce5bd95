//! `walkable why --from --to`: explains why no path leads from one place to another.

use std::{cell::Cell, sync::Arc};

use anyhow::Context as _;
use glam::Vec3;
use serde::Serialize;
use walkable::{
    bake::BakePlan,
    explain::{Cause, Fix, FixLimits, Measure, find_fixes},
    ids::TileCoord,
    monitor::Unmonitored,
    navmesh::{NavMesh, Tile},
    query::{NavPath, PathRequest, PathStatus, Scratch},
    route::{
        Known, RouteAnswer, RouteBreak, RouteDepth, RouteQuestion, SearchTerm, explain_path,
        propose_link, propose_pair,
    },
};
use walkable_editor::{
    document::Finish,
    files::{self, FileKind, Format},
    level_files::parse_navmesh,
};

use super::{WhyArgs, fix_line};
use crate::{Failure, load::LevelArg, output::Output};

/// An answer, as JSON.
#[derive(Serialize)]
struct Answer {
    status: PathStatus,
    #[serde(flatten)]
    first: Told,
    /// Further obstacles on the same crossing.
    also: Vec<Told>,
    /// The obstacles on the second and third best crossings.
    crossings: Vec<Told>,
    fixes: Vec<Fix>,
    /// Note that a complete path takes a long detour.
    detour: Option<String>,
    /// Note on what could not be determined.
    unknown: Option<String>,
}

/// An obstacle on the path.
#[derive(Serialize)]
struct Told {
    cause: Option<Cause>,
    #[serde(rename = "where")]
    place: Option<Vec3>,
    measured: Option<f32>,
    limit: Option<f32>,
    unit: Option<&'static str>,
    text: String,
}

impl Told {
    fn new(found: &RouteBreak) -> Self {
        let Measure { measured, limit, .. } =
            found.measure.unwrap_or(Measure { measured: None, limit: None, unit: "" });
        Self {
            cause: Some(found.cause),
            place: Some(found.place),
            measured,
            limit,
            unit: found.measure.map(|measure| measure.unit),
            text: found.text.clone(),
        }
    }

    fn nothing(text: String) -> Self {
        Self { cause: None, place: None, measured: None, limit: None, unit: None, text }
    }
}

/// Reads the navmesh if the level is a navmesh file.
pub(super) fn navmesh(level: &LevelArg) -> anyhow::Result<Option<NavMesh>> {
    let LevelArg::File(path) = level else { return Ok(None) };
    if !matches!(FileKind::read(path)?, FileKind::Navmesh | FileKind::Layers) {
        return Ok(None);
    }
    let bytes = files::read(path, Format::Navmesh)?;
    Ok(Some(parse_navmesh(&bytes).with_context(|| path.display().to_string())?))
}

/// Answers from the navmesh alone.
pub(super) fn answer_on_mesh(
    args: &WhyArgs,
    ends: [Vec3; 2],
    mesh: &NavMesh,
    output: &mut Output,
) -> Result<(), Failure> {
    let filter = args.terms.filter()?;
    let request = args.terms.request(ends, &filter);
    let path =
        args.terms.search(mesh, &request, &mut Scratch::default()).context("cannot search")?;
    let asked = (&request, &path);
    let context = || args.level.to_string();
    let depth = RouteDepth::Alternatives;
    let found = explain_path(None, mesh, asked, depth, &Unmonitored).with_context(context)?;
    let fixes = found.first.as_ref().map(simple_fixes).unwrap_or_default();
    say(args, &to_answer(&path, &found, fixes), output)
}

/// Answers from the level.
pub(super) fn answer(
    args: &WhyArgs,
    ends: [Vec3; 2],
    (plan, finish): (&BakePlan, &Finish),
    output: &mut Output,
) -> Result<(), Failure> {
    let filter = args.terms.filter()?;
    let assemble = |plan: &BakePlan, tiles: Vec<(TileCoord, Arc<Tile>)>| {
        let finished = tiles.iter().filter_map(|(coord, tile)| finish.tile(*coord, tile));
        let mut mesh = plan.link(finished)?;
        finish.prune(&mut mesh);
        Ok(mesh)
    };
    let search = |mesh: &NavMesh, request: &PathRequest<'_>| {
        args.terms.search(mesh, request, &mut Scratch::default())
    };
    let request = args.terms.request(ends, &filter);
    let (assemble, search) = (&assemble, &search);
    let mut question =
        RouteQuestion { request, assemble, search, known: None, spent: Cell::default() };
    let context = || args.level.to_string();
    let (mesh, _) = question.bake(plan, &Unmonitored).with_context(context)?;
    let scratch = &mut Scratch::default();
    let path = args.terms.search(&mesh, &question.request, scratch).context("cannot search")?;
    let asked = (&question.request, &path);
    let depth = RouteDepth::Alternatives;
    let found =
        explain_path(Some(plan), &mesh, asked, depth, &Unmonitored).with_context(context)?;
    let first = found.first.as_ref().filter(|_| !args.no_fixes);
    question.known = first.map(|found| Known { plan, found });
    let fixes = first.map(|first| fixes_for(plan, (&question, &mesh), first)).transpose();
    let fixes = fixes.with_context(context)?.unwrap_or_default();
    say(args, &to_answer(&path, &found, fixes), output)
}

/// Finds fixes for `first`, and verifies them.
fn fixes_for(
    plan: &BakePlan,
    (question, mesh): (&RouteQuestion<'_>, &NavMesh),
    first: &RouteBreak,
) -> anyhow::Result<Vec<Fix>> {
    let mut fixes = Vec::new();
    if !first.remedies.is_empty() {
        let limits = FixLimits { bake: walkable_editor::limits::of_bakes(), ..limits(plan) };
        let found = find_fixes(plan, question, limits, &Unmonitored)?;
        fixes.extend(found.fixes.into_iter().map(Fix::Settings));
        if fixes.is_empty() {
            let pair = propose_pair(plan, question, first, &Unmonitored)?;
            fixes.extend(pair.map(Fix::Settings));
        }
    }
    if matches!(
        first.cause,
        Cause::Gap | Cause::Step | Cause::TooSteep | Cause::DeadLink | Cause::OneWay
    ) {
        let link = propose_link(plan, (question, mesh), first, &Unmonitored)?;
        fixes.extend(link.map(Fix::Link));
    }
    fixes.extend(simple_fixes(first));
    Ok(fixes)
}

/// Limits of a search for fixes: fewer bakes for a large level.
fn limits(plan: &BakePlan) -> FixLimits {
    const COLUMNS: u64 = 20_000_000;
    let [n_x, n_z] = plan.grid_size().map(u64::from);
    let n = COLUMNS / (n_x * n_z).max(1);
    let usual = FixLimits::default();
    FixLimits { n_bakes: usize::try_from(n).unwrap_or(usize::MAX).clamp(4, usual.n_bakes), ..usual }
}

/// The fixes that need no bake.
fn simple_fixes(first: &RouteBreak) -> Vec<Fix> {
    let mut fixes = Vec::new();
    if !first.terms.is_empty() {
        let option = |term: &SearchTerm| match term {
            SearchTerm::MaxNodes(n) => ["--max-nodes".to_owned(), n.to_string()],
            SearchTerm::Include(flags) => ["--include".to_owned(), format!("{flags:#x}")],
            SearchTerm::Exclude(flags) => ["--exclude".to_owned(), format!("{flags:#x}")],
        };
        fixes.push(Fix::Options(first.terms.iter().flat_map(option).collect()));
    }
    fixes.extend(first.advice.clone().map(Fix::Geometry));
    fixes
}

fn to_answer(path: &NavPath, found: &RouteAnswer, fixes: Vec<Fix>) -> Answer {
    let nothing = || {
        let why = path.why.map(|why| why.to_string());
        why.unwrap_or_else(|| "a path leads to the end".to_owned())
    };
    Answer {
        status: path.status,
        first: found.first.as_ref().map_or_else(|| Told::nothing(nothing()), Told::new),
        also: found.also.iter().map(Told::new).collect(),
        crossings: found.others.iter().map(Told::new).collect(),
        fixes,
        detour: found.detour.clone(),
        unknown: found.unknown.clone(),
    }
}

fn say(args: &WhyArgs, answer: &Answer, output: &mut Output) -> Result<(), Failure> {
    if args.json {
        let text = serde_json::to_string(answer).context("cannot write the answer as JSON")?;
        return Ok(output.line(&text)?);
    }
    let status = match answer.status {
        PathStatus::Complete => "complete",
        PathStatus::Partial => "partial",
        PathStatus::Unreachable => "unreachable",
    };
    output.line(&format!("{status}: {}", told_line(&answer.first)))?;
    for told in &answer.also {
        output.line(&format!("  then  {}", told_line(told)))?;
    }
    for told in &answer.crossings {
        output.line(&format!("  else  {}", told_line(told)))?;
    }
    for fix in &answer.fixes {
        output.line(&fix_line(fix))?;
    }
    let notes = answer.detour.iter().chain(&answer.unknown);
    Ok(notes.into_iter().try_for_each(|text| output.line(&format!("  note  {text}")))?)
}

/// Formats an obstacle with its cause and position.
fn told_line(told: &Told) -> String {
    let cause = told.cause.map(|cause| format!(" [{}]", cause.key())).unwrap_or_default();
    let place = told.place.map(|place| format!(" at {}", point(place))).unwrap_or_default();
    format!("{}{cause}{place}", told.text)
}

fn point(at: Vec3) -> String {
    let [x, y, z] = at.to_array();
    format!("{x:.2},{y:.2},{z:.2}")
}

//! `walkable why --from --to`: explains why no path leads from one place to another.

use std::sync::Arc;

use anyhow::Context as _;
use glam::Vec3;
use serde::Serialize;
use walkable::{
    bake::BakePlan,
    diagnostic::Diagnostic,
    explain::Fix,
    navmesh::NavMesh,
    query::{NavPath, PathRequest, PathStatus, Scratch, check_ends},
    route::{RouteAnswer, RouteBreak, RouteDepth, explain_path, fixes_without_bake},
};
use walkable_workspace::{after_bake::PostBake, limits::InTime, path_why::PathWhyRequest};

use super::{CUT_SHORT, FixesInTime, WhyArgs, fix_line};
use crate::{
    Failure,
    output::Output,
    path::{self, End},
};

#[derive(Serialize)]
struct RouteJson {
    status: PathStatus,
    #[serde(flatten)]
    first: First,
    also: Vec<RouteBreak>,
    /// The obstacles on the second and third best crossings.
    crossings: Vec<RouteBreak>,
    fixes: Vec<Fix>,
    fixes_cut_short: bool,
    /// Note that a complete path takes a long detour.
    detour: Option<String>,
    /// Note on what could not be determined.
    unknown: Option<String>,
    start: Option<End>,
    end: Option<End>,
    /// Notes on positions of a log that were put on the floor below.
    notes: Vec<String>,
    /// Warnings about ends that were moved beyond the agent's reach.
    warnings: Vec<Diagnostic>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum First {
    Obstacle(RouteBreak),
    Nothing {
        cause: (),
        #[serde(rename = "where")]
        place: (),
        measured: (),
        limit: (),
        unit: (),
        text: String,
        advice: (),
    },
}

impl First {
    fn nothing(text: String) -> Self {
        Self::Nothing { cause: (), place: (), measured: (), limit: (), unit: (), text, advice: () }
    }

    fn line(&self) -> String {
        match self {
            Self::Obstacle(found) => break_line(found),
            Self::Nothing { text, .. } => text.clone(),
        }
    }
}

pub(super) fn answer_on_mesh(
    args: &WhyArgs,
    (ends, notes): ([Vec3; 2], Vec<String>),
    mesh: &NavMesh,
    output: &mut Output,
) -> Result<(), Failure> {
    let filter = args.query.terms.filter()?;
    let request = args.query.terms.request(ends, &filter);
    let path = args
        .query
        .terms
        .search(mesh, &request, &mut Scratch::default())
        .context("cannot search")?;
    let query = (&request, &path);
    let context = || args.level.to_string();
    let depth = RouteDepth::Alternatives;
    let found = explain_path(None, mesh, query, depth, &InTime).with_context(context)?;
    let fixes = found.first.as_ref().map(fixes_without_bake).unwrap_or_default();
    let fixes = FixesInTime { fixes, is_cut_short: false };
    let answer = to_answer((mesh, &request, &path), found, fixes);
    print_answer(args, &RouteJson { notes, ..answer }, output)
}

pub(super) fn answer(
    args: &WhyArgs,
    (ends, notes): ([Vec3; 2], Vec<String>),
    plan: BakePlan,
    post_bake: &PostBake<'_>,
    output: &mut Output,
) -> Result<(), Failure> {
    let context = || args.level.to_string();
    let navmesh = Arc::new(post_bake.nav_mesh(&plan, &InTime).with_context(context)?);
    let (plan, terms) = (Some(Arc::new(plan)), args.query.terms.path_terms(ends)?);
    let (finish, obstacles) = (post_bake.finish.clone(), post_bake.obstacles.map(<[_]>::to_vec));
    let why = PathWhyRequest { plan, navmesh, terms, finish, obstacles };
    let (path, found) = why.answer(RouteDepth::Alternatives, &InTime).with_context(context)?;
    let fixes = match &found.first {
        Some(first) if !args.no_fixes => FixesInTime::search(args, |report, monitor| {
            let found = why.find_fixes(first, report, monitor)?;
            Ok((found.fixes, found.is_cut_short))
        })
        .with_context(context)?,
        Some(_) | None => FixesInTime::default(),
    };
    let answer = to_answer((&why.navmesh, &why.terms.request(), &path), found, fixes);
    print_answer(args, &RouteJson { notes, ..answer }, output)
}

fn to_answer(
    (mesh, request, path): (&NavMesh, &PathRequest<'_>, &NavPath),
    found: RouteAnswer,
    fixes: FixesInTime,
) -> RouteJson {
    let nothing = || {
        let why = path.why.map(|why| why.to_string());
        why.unwrap_or_else(|| "a path leads to the end".to_owned())
    };
    let [start, end] = path::ends(path, [request.start, request.end]);
    RouteJson {
        status: found.status(path),
        first: found.first.map_or_else(|| First::nothing(nothing()), First::Obstacle),
        also: found.also,
        crossings: found.others,
        fixes: fixes.fixes,
        fixes_cut_short: fixes.is_cut_short,
        detour: found.detour.map(|text| text.to_string()),
        unknown: found.unknown.map(|text| text.to_string()),
        start,
        end,
        notes: Vec::new(),
        warnings: check_ends(mesh, request, path),
    }
}

fn print_answer(args: &WhyArgs, answer: &RouteJson, output: &mut Output) -> Result<(), Failure> {
    if args.json {
        let text = serde_json::to_string(answer).context("cannot write the answer as JSON")?;
        return Ok(output.line(&text)?);
    }
    let status = match answer.status {
        PathStatus::Complete => "complete",
        PathStatus::Partial => "partial",
        PathStatus::Unreachable => "unreachable",
    };
    output.line(&format!("{status}: {}", answer.first.line()))?;
    for report in &answer.also {
        output.line(&format!("  then  {}", break_line(report)))?;
    }
    for report in &answer.crossings {
        output.line(&format!("  else  {}", break_line(report)))?;
    }
    for fix in &answer.fixes {
        output.line(&fix_line(fix))?;
    }
    if answer.fixes_cut_short {
        output.line(CUT_SHORT)?;
    }
    let warnings: Vec<_> = answer.warnings.iter().map(Diagnostic::text).collect();
    let notes = answer.detour.iter().chain(&answer.unknown).chain(&answer.notes).chain(&warnings);
    Ok(notes.into_iter().try_for_each(|text| output.line(&format!("  note  {text}")))?)
}

fn break_line(found: &RouteBreak) -> String {
    format!("{} [{}] at {}", found.text, found.cause.key(), point(found.place))
}

fn point(at: Vec3) -> String {
    let [x, y, z] = at.to_array();
    format!("{x:.2},{y:.2},{z:.2}")
}

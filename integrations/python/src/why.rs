//! Answers to "why can't my agent walk here?".

use std::{cell::Cell, sync::Arc};

use pyo3::{prelude::*, types::PyDict};
use walkable::{
    bake::BakePlan,
    explain::{FixLimits, PlaceQuestion, why_here as ask_why_here},
    ids::TileCoord,
    navmesh::{NavMesh, Tile},
    query::{PathRequest, Scratch, find_path},
    route::{KnownBreak, PathFixes, RouteDepth, RouteQuestion, explain_path, find_path_fixes},
};

use crate::{
    level::Level,
    navmesh::{filter, limits, plan},
    report::put,
    settings::Settings,
    to_error, work,
};

/// Explains why an agent cannot stand at a place, and finds settings that fix it.
#[pyfunction]
#[pyo3(signature = (level, settings, at, *, fixes = true, max_memory_mb = 1000))]
pub(crate) fn why_here<'py>(
    py: Python<'py>,
    level: &Level,
    settings: &Settings,
    at: [f32; 3],
    fixes: bool,
    max_memory_mb: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let bake = limits(max_memory_mb);
    let plan = plan(level, &settings.0, bake)?;
    let usual = FixLimits::default();
    let limits = FixLimits { bake, n_bakes: if fixes { usual.n_bakes } else { 0 }, ..usual };
    let question = PlaceQuestion { at: at.into(), triangle: None };
    let found = work::run(py, |monitor| ask_why_here(&plan, question, limits, monitor))?;
    let found = found.map_err(|error| to_error(&error))?;
    let answer = PyDict::new(py);
    put(&answer, "walkable", &found.chain.is_empty())?;
    put(&answer, "chain", &found.chain)?;
    put(&answer, "fixes", &found.fixes)?;
    put(&answer, "fixes_cut_short", &found.is_cut_short)?;
    Ok(answer)
}

/// Explains why no path leads from `start` to `end`, where it is interrupted, and finds what fixes it.
#[pyfunction]
#[pyo3(signature = (level, settings, start, end, *, costs = None, include = 0xffff, exclude = 0, fixes = true, max_memory_mb = 1000))]
#[expect(clippy::too_many_arguments, reason = "named arguments in Python")]
pub(crate) fn why_no_path<'py>(
    py: Python<'py>,
    level: &Level,
    settings: &Settings,
    start: [f32; 3],
    end: [f32; 3],
    costs: Option<&Bound<'py, PyDict>>,
    include: u16,
    exclude: u16,
    fixes: bool,
    max_memory_mb: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let bake = limits(max_memory_mb);
    let plan = plan(level, &settings.0, bake)?;
    let filter = filter(costs, include, exclude)?;
    let found = work::run(py, |monitor| {
        let assemble = |plan: &BakePlan, tiles: Vec<(TileCoord, Arc<Tile>)>| {
            plan.link(tiles.into_iter().map(|(_, tile)| tile))
        };
        let search = |mesh: &NavMesh, request: &PathRequest<'_>| {
            find_path(mesh, request, &mut Scratch::default())
        };
        let request = PathRequest::new(start.into(), end.into(), &filter);
        let (assemble, search) = (&assemble, &search);
        let mut question =
            RouteQuestion { request, assemble, search, known: None, spent: Cell::default() };
        let (mesh, _) = question.bake(&plan, monitor)?;
        let Ok(path) = (question.search)(&mesh, &question.request) else { return Ok(None) };
        let asked = (&question.request, &path);
        let depth = RouteDepth::Alternatives;
        let answer = explain_path(Some(&plan), &mesh, asked, depth, monitor)?;
        let mut found = PathFixes::default();
        if let Some(first) = answer.first.as_ref().filter(|_| fixes) {
            question.known = Some(KnownBreak { plan: &plan, found: first });
            found = find_path_fixes(&question, &mesh, bake, &mut |_| {}, monitor)?;
        }
        Ok(Some((answer.status(&path), answer, found)))
    })?;
    let found = found.map_err(|error: walkable::bake::BakeError| to_error(&error))?;
    let Some((status, answer, fixes)) = found else {
        return Err(crate::WalkableError::new_err("start and end must be finite points"));
    };
    let dict = PyDict::new(py);
    put(&dict, "status", &status)?;
    put(&dict, "first", &answer.first)?;
    put(&dict, "also", &answer.also)?;
    put(&dict, "crossings", &answer.others)?;
    put(&dict, "detour", &answer.detour)?;
    put(&dict, "unknown", &answer.unknown)?;
    put(&dict, "fixes", &fixes.fixes)?;
    put(&dict, "fixes_cut_short", &fixes.is_cut_short)?;
    Ok(dict)
}

//! Answers to "why can't my agent walk here?", as JSON.

use std::{cell::Cell, ffi::c_char, ptr, sync::Arc};

use serde_json::json;
use walkable::{
    bake::BakePlan,
    explain::{FixLimits, PlaceQuestion, why_here},
    ids::TileCoord,
    navmesh::{NavMesh, Tile},
    query::{PathRequest, Scratch, find_path},
    route::{KnownBreak, PathFixes, RouteDepth, RouteQuestion, explain_path, find_path_fixes},
};

use crate::{
    error::{describe, guard},
    level::{Level, Limits, Settings, point},
    navmesh::{QueryFilter, filter_at},
    object, to_string,
};

/// Explains why an agent cannot stand at a place, and with `fixes` finds settings that fix it, each verified by a bake. `limits` may
/// be NULL.
///
/// JSON: `walkable`; `chain`, the cause and those that would apply after it, each with `cause`, `stage`, `measured`, `limit`, `unit`
/// and `text`; `fixes`; `fixes_cut_short`. Free it with `walkable_string_free`.
///
/// # Safety
/// `level` is a level, `settings` are settings, `at` points to three floats, `limits` is NULL or points to limits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn walkable_why_here(
    level: *const Level,
    settings: *const Settings,
    at: *const f32,
    fixes: bool,
    limits: *const Limits,
) -> *mut c_char {
    guard(ptr::null_mut(), || {
        // SAFETY: by contract.
        let (level, settings) = unsafe { (object(level, "level")?, object(settings, "settings")?) };
        // SAFETY: by contract.
        let (at, limits) = unsafe { (point(at, "at")?, Limits::at(limits)) };
        let plan = level.plan(settings, limits)?;
        let usual = FixLimits::default();
        let n_bakes = if fixes { usual.n_bakes } else { 0 };
        let fix_limits = FixLimits { bake: limits.of_bake(), n_bakes, ..usual };
        let question = PlaceQuestion { at, triangle: None };
        let found = why_here(&plan, question, fix_limits, &limits);
        let found = found.map_err(|error| describe(&error))?;
        let answer = json!({
            "walkable": found.chain.is_empty(),
            "chain": found.chain,
            "fixes": found.fixes,
            "fixes_cut_short": found.is_cut_short,
        });
        Ok(to_string(answer.to_string()))
    })
}

/// Explains why no path leads from `start` to `end`, and with `fixes` finds what fixes it. `filter` and `limits` may be NULL.
///
/// JSON: `status`; `first`, the obstacle, with `cause`, `where`, `measured`, `limit`, `unit`, `text` and `advice`; `also`, further
/// obstacles on the same crossing; `crossings`, the obstacles on other crossings; `detour`; `unknown`; `fixes`;
/// `fixes_cut_short`. Free it with `walkable_string_free`.
///
/// # Safety
/// `level` is a level, `settings` are settings, `start` and `end` point to three floats, `filter` and `limits` are NULL or point to
/// a filter and limits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn walkable_why_no_path(
    level: *const Level,
    settings: *const Settings,
    start: *const f32,
    end: *const f32,
    filter: *const QueryFilter,
    fixes: bool,
    limits: *const Limits,
) -> *mut c_char {
    guard(ptr::null_mut(), || {
        // SAFETY: by contract.
        let (level, settings) = unsafe { (object(level, "level")?, object(settings, "settings")?) };
        // SAFETY: by contract.
        let (start, end) = unsafe { (point(start, "start")?, point(end, "end")?) };
        // SAFETY: by contract.
        let (filter, limits) = unsafe { (filter_at(filter), Limits::at(limits)) };
        let plan = level.plan(settings, limits)?;
        let assemble = |plan: &BakePlan, tiles: Vec<(TileCoord, Arc<Tile>)>| {
            plan.link(tiles.into_iter().map(|(_, tile)| tile))
        };
        let search = |mesh: &NavMesh, request: &PathRequest<'_>| {
            find_path(mesh, request, &mut Scratch::default())
        };
        let request = PathRequest::new(start, end, &filter);
        let (assemble, search) = (&assemble, &search);
        let mut question =
            RouteQuestion { request, assemble, search, known: None, spent: Cell::default() };
        let (mesh, _) = question.bake(&plan, &limits).map_err(|error| describe(&error))?;
        let path = (question.search)(&mesh, &question.request);
        let path = path.map_err(|error| describe(&error))?;
        let asked = (&question.request, &path);
        let depth = RouteDepth::Alternatives;
        let answer = explain_path(Some(&plan), &mesh, asked, depth, &limits);
        let answer = answer.map_err(|error| describe(&error))?;
        let mut found = PathFixes::default();
        if let Some(first) = answer.first.as_ref().filter(|_| fixes) {
            question.known = Some(KnownBreak { plan: &plan, found: first });
            let all = find_path_fixes(&question, &mesh, limits.of_bake(), &mut |_| {}, &limits);
            found = all.map_err(|error| describe(&error))?;
        }
        let json = json!({
            "status": answer.status(&path),
            "first": answer.first,
            "also": answer.also,
            "crossings": answer.others,
            "detour": answer.detour,
            "unknown": answer.unknown,
            "fixes": found.fixes,
            "fixes_cut_short": found.is_cut_short,
        });
        Ok(to_string(json.to_string()))
    })
}

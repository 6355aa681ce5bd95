//! Answers to "why can't my agent walk here?", as JSON.

use std::{ffi::c_char, ptr};

use walkable::{
    explain::{FixLimits, PlaceQuestion, why_here},
    query::PathRequest,
    route::why_no_path,
};

use crate::{
    error::{error_text, guard},
    level::{Level, Limits, Settings, point},
    navmesh::{QueryFilter, filter_at},
    object, to_string,
};

/// Explains why an agent cannot stand at a place. With `fixes`, also finds settings that fix it, each verified by a
/// bake. `limits` may be NULL.
///
/// JSON: `walkable`; `chain`, the first cause and the causes that would apply after it, each with `cause`, `stage`,
/// `measured`, `limit`, `unit` and `text`; `fixes`; `fixes_cut_short`. Free it with `walkable_string_free`.
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
        let found = found.map_err(|error| error_text(&error))?;
        to_json(&found)
    })
}

/// Explains why no path leads from `start` to `end`. With `fixes`, also finds fixes. `filter` and `limits` may be NULL.
///
/// JSON: `status`; `first`, the obstacle, with `cause`, `where`, `measured`, `limit`, `unit`, `text` and `advice`;
/// `also`, further obstacles on the same crossing; `crossings`, the obstacles on other crossings; `detour`; `unknown`;
/// `fixes`; `fixes_cut_short`. Free it with `walkable_string_free`.
///
/// # Safety
/// `level` is a level, `settings` are settings, `start` and `end` point to three floats, `filter` and `limits` are NULL
/// or point to a filter and limits.
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
        let request = PathRequest::new(start, end, &filter);
        let fix_limits = fixes.then(|| limits.of_bake());
        let found = why_no_path(&plan, request, fix_limits, &limits);
        to_json(&found.map_err(|error| error_text(&error))?)
    })
}

fn to_json(answer: &impl serde::Serialize) -> Result<*mut c_char, String> {
    serde_json::to_string(answer).map(to_string).map_err(|error| error_text(&error))
}

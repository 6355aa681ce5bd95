//! Answers to "why can't my agent walk here?".

use pyo3::{prelude::*, types::PyDict};
use walkable::{
    explain::{FixLimits, PlaceQuestion, why_here as ask_why_here},
    query::PathRequest,
    route::why_no_path as ask_why_no_path,
};

use crate::{
    level::Level,
    navmesh::{filter, limits, plan},
    report::from_json,
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
) -> PyResult<Bound<'py, PyAny>> {
    let bake = limits(max_memory_mb);
    let plan = plan(level, &settings.0, bake)?;
    let usual = FixLimits::default();
    let limits = FixLimits { bake, n_bakes: if fixes { usual.n_bakes } else { 0 }, ..usual };
    let question = PlaceQuestion { at: at.into(), triangle: None };
    let found = work::run(py, |monitor| ask_why_here(&plan, question, limits, monitor))?;
    let found = found.map_err(|error| to_error(&error))?;
    from_json(py, &found)
}

/// Explains why no path leads from `start` to `end`, locates the break, and finds fixes.
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
) -> PyResult<Bound<'py, PyAny>> {
    let bake = limits(max_memory_mb);
    let plan = plan(level, &settings.0, bake)?;
    let filter = filter(costs, include, exclude)?;
    let request = PathRequest::new(start.into(), end.into(), &filter);
    let limits = fixes.then_some(bake);
    let found = work::run(py, |monitor| ask_why_no_path(&plan, request, limits, monitor))?;
    from_json(py, &found.map_err(|error| to_error(&error))?)
}

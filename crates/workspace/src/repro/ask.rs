//! Asks the query of a repro file.

use std::sync::Arc;

use anyhow::{Context as _, bail};
use glam::Vec3;
use walkable::{
    bake::BakePlan,
    explain::{Measure, PlaceQuestion, Question as _},
    monitor::Monitor,
    route::RouteDepth,
};

use super::{ReproLevel, ReproQuery, ReproResult, ReproScene, ReproStatus};
use crate::{
    after_bake::PostBake, document::Finish, level_files::parse_navmesh, limits,
    path_terms::PathTerms, path_why::PathWhyRequest,
};

pub(super) struct QueryOutcome {
    pub(super) result: ReproResult,
    /// Places before and beyond the obstacle on a path, where an agent can stand.
    pub(super) ends: Option<[Vec3; 2]>,
}

impl From<ReproResult> for QueryOutcome {
    fn from(result: ReproResult) -> Self {
        Self { result, ends: None }
    }
}

/// Asks `query` of `scene`, as `walkable why` does, but without searching for fixes.
pub(super) fn ask(
    scene: &ReproScene,
    query: &ReproQuery,
    monitor: &dyn Monitor,
) -> anyhow::Result<QueryOutcome> {
    match (scene, query) {
        (ReproScene::Level(level), ReproQuery::At(at)) => Ok(stand(level, *at, monitor)?.into()),
        (ReproScene::Level(level), ReproQuery::Path(terms)) => {
            let plan = admitted(level)?;
            let obstacles = level.document.obstacles_on_layers();
            let finish = level.document.finish();
            let made = PostBake { finish: &finish, obstacles: obstacles.as_deref() };
            let navmesh = Arc::new(made.nav_mesh(&plan, monitor)?);
            let (plan, terms) = (Some(Arc::new(plan)), PathTerms::clone(terms));
            path(&PathWhyRequest { plan, navmesh, terms, finish, obstacles }, monitor)
        }
        (ReproScene::Navmesh { name, bytes }, ReproQuery::Path(terms)) => {
            let navmesh = parse_navmesh(bytes).with_context(|| name.clone())?;
            let (navmesh, terms) = (Arc::new(navmesh), PathTerms::clone(terms));
            let (plan, finish, obstacles) = (None, Finish::default(), None);
            path(&PathWhyRequest { plan, navmesh, terms, finish, obstacles }, monitor)
        }
        (ReproScene::Navmesh { name, .. }, ReproQuery::At(_)) => bail!(
            "{name}: why a place is not walkable can only be told from the level, and this is a navmesh"
        ),
    }
}

fn admitted(level: &ReproLevel) -> anyhow::Result<BakePlan> {
    let plan = level.plan().with_context(|| level.name.clone())?;
    plan.check_limits(1, limits::of_bakes()).with_context(|| level.name.clone())?;
    Ok(plan)
}

fn stand(level: &ReproLevel, at: Vec3, monitor: &dyn Monitor) -> anyhow::Result<ReproResult> {
    let plan = admitted(level)?;
    let question = PlaceQuestion { at, triangle: None };
    let of_bake = question.ask(&plan, monitor)?.obstacle;
    let (obstacles, finish) = (level.document.obstacles_on_layers(), level.document.finish());
    let made = PostBake { finish: &finish, obstacles: obstacles.as_deref() };
    let first = made.first(&plan, at, of_bake.as_ref(), monitor)?;
    let Some(first) = first else { return Ok(walkable()) };
    Ok(ReproResult {
        status: ReproStatus::NotWalkable,
        cause: Some(first.cause),
        stage: first.stage,
        measured: measured(first.measure),
        place: None,
        text: first.text.to_string(),
        values: first.text.quantities(),
    })
}

fn walkable() -> ReproResult {
    let status = ReproStatus::Walkable;
    no_obstacle(status, status.key().to_owned())
}

fn no_obstacle(status: ReproStatus, text: String) -> ReproResult {
    let (cause, stage, measured, place, values) = (None, None, None, None, Vec::new());
    ReproResult { status, cause, stage, measured, place, text, values }
}

/// Returns the measured value; `None` if there is none or it is not finite.
fn measured(measure: Option<Measure>) -> Option<f32> {
    measure?.measured.filter(|value| value.is_finite())
}

fn path(request: &PathWhyRequest, monitor: &dyn Monitor) -> anyhow::Result<QueryOutcome> {
    let (path, answer) = request.answer(RouteDepth::First, monitor)?;
    let status = answer.status(&path).into();
    let Some(first) = answer.first else {
        let why = path.why.map(|why| why.to_string());
        let text = why.unwrap_or_else(|| "a path leads to the end".to_owned());
        return Ok(no_obstacle(status, text).into());
    };
    let place = Some(first.place).filter(|place| place.is_finite());
    let (cause, measured) = (Some(first.cause), measured(first.measure));
    let (text, values) = (first.text.to_string(), first.text.quantities());
    let result = ReproResult { status, cause, stage: None, measured, place, text, values };
    Ok(QueryOutcome { result, ends: Some(first.ends) })
}

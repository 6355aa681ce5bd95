//! Asks the query of a repro file.

use std::sync::Arc;

use anyhow::{Context as _, bail};
use glam::Vec3;
use walkable::{
    bake::{BakePlan, Stage},
    explain::{FixLimits, PlaceQuestion, why_here},
    monitor::Monitor,
    route::RouteDepth,
};

use super::{ReproLevel, ReproQuery, ReproResult, ReproScene, ReproStatus};
use crate::{
    after_bake::{PostBake, RemovedAfterBake},
    document::Finish,
    level_files::parse_navmesh,
    limits,
    path_why::PathWhyRequest,
    session::PathTerms,
};

/// Asks `query` of `scene`, as `walkable why` does, but without searching for fixes.
pub(super) fn ask(
    scene: &ReproScene,
    query: &ReproQuery,
    monitor: &dyn Monitor,
) -> anyhow::Result<ReproResult> {
    match (scene, query) {
        (ReproScene::Level(level), ReproQuery::At(at)) => stand(level, *at, monitor),
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

/// Plans the bake of a level and checks its limits.
fn admitted(level: &ReproLevel) -> anyhow::Result<BakePlan> {
    let plan = level.plan().with_context(|| level.name.clone())?;
    plan.check_limits(1, limits::of_bakes()).with_context(|| level.name.clone())?;
    Ok(plan)
}

fn stand(level: &ReproLevel, at: Vec3, monitor: &dyn Monitor) -> anyhow::Result<ReproResult> {
    let plan = admitted(level)?;
    let question = PlaceQuestion { at, triangle: None };
    let cause_only = FixLimits { bake: limits::of_bakes(), n_bakes: 0, ..FixLimits::default() };
    let answer = why_here(&plan, question, cause_only, monitor)?;
    if let Some(first) = answer.chain.into_iter().next() {
        let (cause, stage) = (Some(first.cause), first.stage);
        let status = ReproStatus::NotWalkable;
        return Ok(ReproResult { status, cause, stage, place: None, text: first.text });
    }
    let obstacles = level.document.obstacles_on_layers();
    let finish = level.document.finish();
    let made = PostBake { finish: &finish, obstacles: obstacles.as_deref() };
    let removed = made.removed(&plan, at, monitor)?;
    Ok(removed.map_or_else(walkable, |RemovedAfterBake { cause, text }| ReproResult {
        status: ReproStatus::NotWalkable,
        cause: Some(cause),
        stage: Some(Stage::Tile),
        text,
        place: None,
    }))
}

fn walkable() -> ReproResult {
    let status = ReproStatus::Walkable;
    let text = status.key().to_owned();
    ReproResult { status, cause: None, stage: None, place: None, text }
}

fn path(request: &PathWhyRequest, monitor: &dyn Monitor) -> anyhow::Result<ReproResult> {
    let answer = request.answer(RouteDepth::First, monitor);
    let (path, answer) = answer.map_err(anyhow::Error::msg)?;
    let status = answer.status(&path).into();
    let Some(first) = answer.first else {
        let why = path.why.map(|why| why.to_string());
        let text = why.unwrap_or_else(|| "a path leads to the end".to_owned());
        return Ok(ReproResult { status, cause: None, stage: None, place: None, text });
    };
    let place = Some(first.place).filter(|place| place.is_finite());
    Ok(ReproResult { status, cause: Some(first.cause), stage: None, place, text: first.text })
}

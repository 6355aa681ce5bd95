//! The whole answer to "Why is there no path?": the bake, the explanation and the fixes.

use std::{cell::Cell, sync::Arc};

use serde::{Serialize, Serializer};
use walkable_bake::bake::{BakeError, BakeLimits, BakePlan};
use walkable_runtime::{
    diagnostic::Phrase,
    ids::TileCoord,
    monitor::Monitor,
    navmesh::{NavMesh, Tile},
    query::{NavPath, PathRequest, PathStatus, QueryError, Scratch, find_path},
};

use super::{
    KnownBreak, PathFixes, RouteAnswer, RouteBreak, RouteDepth, RouteQuestion, explain_path,
    find_path_fixes,
};
use crate::explain::Fix;

/// Why a path does not reach its end, and how to fix it.
///
/// Its JSON is an object with `status`, `first`, `also`, `crossings`, `detour`, `unknown`, `fixes` and
/// `fixes_cut_short`.
#[derive(Clone, Debug)]
pub struct WhyNoPath {
    /// The path that was found.
    pub path: NavPath,
    /// The obstacles.
    pub answer: RouteAnswer,
    /// The fixes for the first obstacle.
    pub fixes: PathFixes,
}

impl Serialize for WhyNoPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields<'a> {
            status: PathStatus,
            first: Option<&'a RouteBreak>,
            also: &'a [RouteBreak],
            crossings: &'a [RouteBreak],
            detour: Option<&'a Phrase>,
            unknown: Option<&'a Phrase>,
            fixes: &'a [Fix],
            fixes_cut_short: bool,
        }
        let Self { path, answer, fixes } = self;
        let fields = Fields {
            status: answer.status(path),
            first: answer.first.as_ref(),
            also: &answer.also,
            crossings: &answer.others,
            detour: answer.detour.as_ref(),
            unknown: answer.unknown.as_ref(),
            fixes: &fixes.fixes,
            fixes_cut_short: fixes.is_cut_short,
        };
        fields.serialize(serializer)
    }
}

/// Why [`why_no_path`] has no answer.
#[derive(Debug, thiserror::Error)]
pub enum WhyNoPathError {
    /// The request is not valid.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The level cannot be baked, or the monitor cancelled.
    #[error(transparent)]
    Bake(#[from] BakeError),
}

/// Bakes the level of `plan`, searches for the path, and explains why it does not reach its end. With `limits` for each
/// bake, also finds fixes: see [`find_path_fixes`].
///
/// # Errors
/// [`WhyNoPathError`] if the request is not valid, the level cannot be baked or the monitor cancels.
pub fn why_no_path(
    plan: &BakePlan,
    request: PathRequest<'_>,
    limits: Option<BakeLimits>,
    monitor: &dyn Monitor,
) -> Result<WhyNoPath, WhyNoPathError> {
    let assemble = |plan: &BakePlan, tiles: Vec<(TileCoord, Arc<Tile>)>| {
        plan.link(tiles.into_iter().map(|(_, tile)| tile))
    };
    let search = |mesh: &NavMesh, request: &PathRequest<'_>| {
        find_path(mesh, request, &mut Scratch::default())
    };
    let (assemble, search) = (&assemble, &search);
    let mut question =
        RouteQuestion { request, assemble, search, known: None, spent: Cell::default() };
    let (mesh, _) = question.bake(plan, monitor)?;
    let path = search(&mesh, &question.request)?;
    let query = (&question.request, &path);
    let answer = explain_path(Some(plan), &mesh, query, RouteDepth::Alternatives, monitor)?;
    let fixes = if let Some((found, limits)) = answer.first.as_ref().zip(limits) {
        question.known = Some(KnownBreak { plan, found });
        find_path_fixes(&question, &mesh, limits, &mut |_| {}, monitor)?
    } else {
        PathFixes::default()
    };
    Ok(WhyNoPath { path, answer, fixes })
}

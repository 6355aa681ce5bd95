//! Explains why a path does not reach its end, and locates the break in space.
//!
//! The navmesh alone shows whether the cause is the filter, the node limit, an off-mesh link or an end off the mesh.
//! Otherwise the voxels of the level are searched for the crossing from one side to the other that exceeds the agent's
//! abilities by the least amount. `price` assigns steps, slopes, low ceilings, narrow passages and gaps a cost on a
//! common scale. The break is the most expensive place on that crossing.

mod costs;
mod crossing;
mod describe;
mod detour;
mod label;
mod link_fix;
mod off_mesh;
mod on_mesh;
mod path_fixes;
mod places;
mod price;
mod probe;
mod question;
mod relaxed;
mod seam;
mod severed;
mod sides;
mod terrain;
mod voxels;
mod why_no_path;

use glam::Vec3;
pub use link_fix::propose_link;
pub use path_fixes::{PathFixes, find_path_fixes, fixes_without_bake};
pub use question::{Assemble, KnownBreak, RouteQuestion, SearchPath};
use serde::{Deserialize, Serialize};
use walkable_bake::bake::{BakeError, BakePlan};
use walkable_runtime::{
    diagnostic::Phrase,
    monitor::Monitor,
    navmesh::NavMesh,
    query::{MeshPoint, NavPath, PathRequest, PathStatus},
    text_form,
};
pub use why_no_path::{WhyNoPath, WhyNoPathError, why_no_path};

pub use crate::explain::SearchTerm;
use crate::explain::{Cause, Measure, MeasureFields, Remedy};

/// An obstacle on a path.
///
/// Its JSON has `cause`, `where`, `measured`, `limit`, `unit`, `text` and `advice`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct RouteBreak {
    /// The kind of obstacle.
    pub cause: Cause,
    /// The position.
    pub place: Vec3,
    /// The measured value and its limit, if the obstacle has one.
    pub measure: Option<Measure>,
    /// Description of the obstacle, for users.
    pub text: Phrase,
    /// Advice on what to change in the level, for users.
    pub advice: Option<Phrase>,
    /// Positions before and beyond the obstacle at which the agent can stand.
    pub ends: [Vec3; 2],
    /// Fraction by which the agent's abilities would have to grow: 0.5 means by half.
    pub price: f32,
    /// Settings that may help, the most likely remedy first.
    pub remedies: Vec<Remedy>,
    /// Changed search options with which a path was found.
    pub terms: Vec<SearchTerm>,
}

impl RouteBreak {
    /// Creates a break with only a cause, a position and a text: no measured value, no advice, no remedies, price 0.
    pub fn plain(cause: Cause, place: Vec3, text: Phrase) -> Self {
        Self {
            cause,
            place,
            measure: None,
            text,
            advice: None,
            ends: [place; 2],
            price: 0.0,
            remedies: Vec::new(),
            terms: Vec::new(),
        }
    }
}

text_form!(RouteBreak, |found| BreakText {
    cause: found.cause,
    place: found.place,
    measure: found.measure.into(),
    text: &found.text,
    advice: found.advice.as_ref(),
});

/// A break as people and scripts read it.
#[derive(Serialize)]
struct BreakText<'a> {
    cause: Cause,
    #[serde(rename = "where")]
    place: Vec3,
    #[serde(flatten)]
    measure: MeasureFields,
    text: &'a Phrase,
    advice: Option<&'a Phrase>,
}

/// Why a path is not complete.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RouteAnswer {
    /// The first obstacle; `None` if there is none, or if none was found.
    pub first: Option<RouteBreak>,
    /// Further obstacles on the same crossing, in walking order.
    pub also: Vec<RouteBreak>,
    /// The first obstacle on each of the second and third best crossings.
    pub others: Vec<RouteBreak>,
    /// Set if a complete path takes a long detour; [`RouteAnswer::others`] then lists the obstacles on the direct path.
    pub detour: Option<Phrase>,
    /// Note on what could not be determined, and why.
    pub unknown: Option<Phrase>,
}

impl RouteAnswer {
    /// Returns whether a path connects the requested points. A complete `path` counts as partial if
    /// [`RouteAnswer::first`] says that one of its ends was moved too far.
    pub fn status(&self, path: &NavPath) -> PathStatus {
        match (path.status, &self.first) {
            (PathStatus::Complete, Some(_)) => PathStatus::Partial,
            (status, _) => status,
        }
    }
}

/// The extent of the explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouteDepth {
    /// Only the first obstacle, and its remedies.
    First,
    /// The first obstacle and alternative crossings.
    Alternatives,
}

/// Maximum distance of a path's end from the requested position, horizontally and vertically, in meters. An end farther
/// away counts as moved.
const END_REACH: f32 = 1.0;

/// Returns whether the end of a path is at the requested position.
pub fn is_there(requested: Vec3, end: Option<MeshPoint>) -> bool {
    end.is_some_and(|end| {
        let off = end.point - requested;
        off.with_y(0.0).length() <= END_REACH && off.y.abs() <= END_REACH
    })
}

/// A path and the request that it answers.
#[derive(Clone, Copy)]
struct AnsweredPath<'a> {
    /// The bake plan of the level, if known.
    plan: Option<&'a BakePlan>,
    mesh: &'a NavMesh,
    request: &'a PathRequest<'a>,
    path: &'a NavPath,
}

impl AnsweredPath<'_> {
    /// Returns the polygons on both sides of what separates the ends.
    fn sides(self) -> sides::MeshSides {
        let ends = [self.path.start, self.path.end].map(|end| end.map(|end| end.poly));
        sides::MeshSides::new(self.mesh, ends, self.request.filter)
    }
}

/// Explains why `path`, the answer to `request` on `mesh`, does not reach its end. Searches the level if the `plan` of
/// the bake is given, otherwise only the navmesh.
///
/// # Errors
/// [`BakeError`] if the level cannot be voxelized or the monitor cancels.
pub fn explain_path(
    plan: Option<&BakePlan>,
    mesh: &NavMesh,
    (request, path): (&PathRequest<'_>, &NavPath),
    depth: RouteDepth,
    monitor: &dyn Monitor,
) -> Result<RouteAnswer, BakeError> {
    let answered = AnsweredPath { plan, mesh, request, path };
    let mut found = off_mesh::ends_beside_mesh(answered, monitor)?.into_iter();
    if let Some(first) = found.next() {
        let mut also: Vec<_> = found.collect();
        let is_level = |at: Vec3, end: Option<MeshPoint>| {
            end.is_some_and(|end| (end.point.y - at.y).abs() <= END_REACH)
        };
        if depth == RouteDepth::Alternatives
            && is_level(request.start, path.start)
            && is_level(request.end, path.end)
        {
            also.extend(between_ends(answered, RouteDepth::First, monitor)?.first);
        }
        return Ok(RouteAnswer { first: Some(first), also, ..RouteAnswer::default() });
    }
    match plan {
        Some(plan) if path.status == PathStatus::Complete && depth == RouteDepth::Alternatives => {
            detour::detour(answered, plan, monitor)
        }
        Some(_) | None => between_ends(answered, depth, monitor),
    }
}

/// Explains what separates the polygons at the ends of a path; the answer is empty if nothing does or if an end has none.
fn between_ends(
    answered: AnsweredPath<'_>,
    depth: RouteDepth,
    monitor: &dyn Monitor,
) -> Result<RouteAnswer, BakeError> {
    let AnsweredPath { plan, path, .. } = answered;
    if path.status == PathStatus::Complete || path.start.is_none() || path.end.is_none() {
        return Ok(RouteAnswer::default());
    }
    if let Some(answer) = on_mesh::answer(answered) {
        return Ok(answer);
    }
    let sides = answered.sides();
    if let Some(plan) = plan
        && let Some(first) = on_mesh::dead_link(answered, plan, &sides, monitor)?
    {
        return Ok(RouteAnswer { first: Some(first), ..RouteAnswer::default() });
    }
    match plan {
        Some(plan) => voxels::search(plan, answered, &sides, depth, monitor),
        None => match seam::seam(answered, &sides, monitor)? {
            Some(first) => Ok(RouteAnswer { first: Some(first), ..RouteAnswer::default() }),
            None => Ok(on_mesh::nearest_sides(answered, &sides)),
        },
    }
}

//! Why a path does not lead to its end, and where: the break is found in space.
//!
//! Where the filter, the node limit, an off-mesh link or an end beside the mesh is the reason, the navmesh knows it.
//! Else the voxels of the level are searched for the way from one side to the other that asks least more of an agent
//! than it can: `price` says what a step, a slope, a low ceiling, a narrow passage or a gap costs in one currency. The
//! most expensive place of that way is the break.

mod costs;
mod crossing;
mod describe;
mod detour;
mod label;
mod link_fix;
mod off_mesh;
mod on_mesh;
mod pair_fix;
mod path_fixes;
mod places;
mod price;
mod probe;
mod question;
mod relaxed;
mod severed;
mod sides;
mod terrain;
mod voxels;

use glam::Vec3;
use walkable_bake::bake::{BakeError, BakePlan};
use walkable_runtime::{
    monitor::Monitor,
    navmesh::NavMesh,
    query::{MeshPoint, NavPath, PathRequest, PathStatus, WhyNot},
};

pub use crate::explain::SearchTerm;
use crate::explain::{Cause, Measure, Remedy};
pub use link_fix::propose_link;
pub use pair_fix::propose_pair;
pub use path_fixes::{PathFixes, find_path_fixes, fixes_without_bake};
pub use question::{Assemble, Known, RouteQuestion, SearchPath};

/// Something in the way of a path.
#[derive(Clone, Debug, PartialEq)]
pub struct RouteBreak {
    /// What it is.
    pub cause: Cause,
    /// Where.
    pub place: Vec3,
    /// The number that decided.
    pub measure: Option<Measure>,
    /// What it is, for people.
    pub text: String,
    /// What to change in the level, for people.
    pub advice: Option<String>,
    /// Where one can stand before it and beyond it.
    pub ends: [Vec3; 2],
    /// How much more of what it can do an agent would need: 0.5 for one half more.
    pub price: f32,
    /// Settings that may help, the most natural first.
    pub remedies: Vec<Remedy>,
    /// Other terms of the search with which a path was found.
    pub terms: Vec<SearchTerm>,
}

impl RouteBreak {
    /// A break at a place, without anything measured.
    fn plain(cause: Cause, place: Vec3, text: String) -> Self {
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

/// Why a path is not complete.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RouteAnswer {
    /// What is in the way; `None` where nothing is, or nothing was found.
    pub first: Option<RouteBreak>,
    /// What else is in the way on the same crossing, in the order in which one comes to it.
    pub also: Vec<RouteBreak>,
    /// What is in the way on the second and third best crossings.
    pub others: Vec<RouteBreak>,
    /// That a complete path goes a long way around; [`RouteAnswer::others`] is in the way on the direct one.
    pub detour: Option<String>,
    /// What could not be found out, and why.
    pub unknown: Option<String>,
}

impl RouteAnswer {
    /// Whether a path leads from where it should start to where it should end. A complete `path` between other places is
    /// partial: an end of it was moved far over the navmesh, and [`RouteAnswer::first`] says which.
    pub fn status(&self, path: &NavPath) -> PathStatus {
        match (path.status, &self.first) {
            (PathStatus::Complete, Some(_)) => PathStatus::Partial,
            (status, _) => status,
        }
    }
}

/// How much is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouteDepth {
    /// What is in the way first, and what helps.
    First,
    /// That, and other crossings.
    Alternatives,
}

/// How far from where it was asked for the end of a path may be, in meters, aside and up or down: farther ends are
/// somewhere else.
const END_REACH: f32 = 1.0;

/// Whether the end of a path is where it was asked for.
pub fn is_there(asked: Vec3, end: Option<MeshPoint>) -> bool {
    end.is_some_and(|end| {
        let off = end.point - asked;
        off.with_y(0.0).length() <= END_REACH && off.y.abs() <= END_REACH
    })
}

/// What `path` is the answer to.
#[derive(Clone, Copy)]
struct Asked<'a> {
    /// The bake of the level, where that is known.
    plan: Option<&'a BakePlan>,
    mesh: &'a NavMesh,
    request: &'a PathRequest<'a>,
    path: &'a NavPath,
}

/// Says why `path`, the answer to `request` on `mesh`, does not lead to its end. With the `plan` by which the mesh was
/// baked, the level is searched; without, only what the mesh knows is told.
///
/// # Errors
/// [`BakeError`] where the level cannot be voxelized, or the monitor cancels.
pub fn explain_path(
    plan: Option<&BakePlan>,
    mesh: &NavMesh,
    (request, path): (&PathRequest<'_>, &NavPath),
    depth: RouteDepth,
    monitor: &dyn Monitor,
) -> Result<RouteAnswer, BakeError> {
    let asked = Asked { plan, mesh, request, path };
    if let Some(first) = off_mesh::end_beside_mesh(asked, monitor)? {
        return Ok(RouteAnswer { first: Some(first), ..RouteAnswer::default() });
    }
    if path.status == PathStatus::Complete {
        return match plan {
            Some(plan) if depth == RouteDepth::Alternatives => detour::detour(asked, plan, monitor),
            Some(_) | None => Ok(RouteAnswer::default()),
        };
    }
    let on_mesh = match path.why {
        Some(WhyNot::NodeLimit) => on_mesh::node_limit(asked),
        Some(WhyNot::Filtered) => on_mesh::filtered(asked),
        Some(WhyNot::OneWay) => on_mesh::one_way(asked),
        Some(_) | None => None,
    };
    if let Some(first) = on_mesh {
        return Ok(RouteAnswer { first: Some(first), ..RouteAnswer::default() });
    }
    let sides = sides::MeshSides::new(
        mesh,
        [path.start, path.end].map(|end| end.map(|end| end.poly)),
        request.filter,
    );
    if let Some(plan) = plan
        && let Some(first) = on_mesh::dead_link(asked, plan, &sides, monitor)?
    {
        return Ok(RouteAnswer { first: Some(first), ..RouteAnswer::default() });
    }
    match plan {
        Some(plan) => voxels::search(plan, mesh, &sides, depth, monitor),
        None => Ok(on_mesh::nearest_sides(asked, &sides)),
    }
}

//! Flow fields: the cheapest path from everywhere to one goal.

mod costs;
mod sample;
mod snapshot;
#[cfg(test)]
mod tests;

use costs::Costs;
pub use sample::{FlowAgent, FlowSample, FlowStep};
use snapshot::{N_POINTS, Snapshot, as_u32};

use super::{Filter, MeshPoint, QueryError, error::check_finite};
use crate::navmesh::{NavMesh, PolyRef, Revision};

/// Maximum number of pairs of crossings that a search compares, a few seconds of work; more if there are more crossings.
const MAX_PAIRS: u64 = 1 << 29;
const MAX_PAIRS_PER_CROSSING: u64 = 256;

/// Parameters of [`flow_field`].
#[derive(Clone, Copy, Debug)]
pub struct FlowFieldRequest<'a> {
    /// The goal.
    pub goal: MeshPoint,
    /// The polygons that may be used, and their costs.
    pub filter: &'a Filter,
}

impl<'a> FlowFieldRequest<'a> {
    /// Requests the paths to `goal`.
    pub fn new(goal: MeshPoint, filter: &'a Filter) -> Self {
        Self { goal, filter }
    }
}

/// The cheapest paths from everywhere to one goal, found by a single search from the goal.
///
/// Many agents with the same goal share one field: [`FlowField::sample`] returns in constant time in which direction to
/// walk at a point, and [`FlowField::cost`] the cost of the rest of the path.
///
/// # Costs
///
/// Costs are the shortest distances in this graph, and exact except for rounding:
///
/// - Its vertices are the crossings of links: both ends of the portal of each link, and the midpoint between them; also
///   the goal and the sampled point. The two directions of a link have different vertices.
/// - A polygon connects the crossings into it, and any point in it, to the crossings out of it; the polygon of the goal
///   also to the goal. The cost of such an edge is its length times the cost per meter of the polygon; the entering
///   cost is added when a link leads into another area.
///
/// Paths start anywhere; as in other searches, an agent may leave a polygon that the filter excludes, but not enter it.
/// One-way off-mesh links are only used in their direction. Of the filter's rules, a flow field uses the entering
/// costs, the sides and the refused off-mesh links.
///
/// The shortest paths bend only around the ends of portals, so these costs are closer to the true ones than those of
/// [`find_corridor`](super::find_corridor), which measures between midpoints.
///
/// # Memory
///
/// 72 bytes per link and 9 per polygon, twice once the field was updated.
#[derive(Clone, Debug)]
pub struct FlowField {
    state: Revision,
    goal: MeshPoint,
    snapshot: Snapshot,
    costs: Costs,
    /// The snapshot and the costs before the last update; their memory is reused.
    old: (Snapshot, Costs),
}

/// What [`update_flow_field`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowUpdate {
    /// Number of polygons that have changed: their cost, or the links that lead out of them.
    pub n_changed: usize,
    /// Number of crossings whose cost was discarded and computed again.
    pub n_recomputed: usize,
}

/// Computes the cheapest paths from everywhere to a goal.
///
/// ```
/// # use std::sync::Arc;
/// # use walkable::{bake::*, level::*, monitor::Unmonitored};
/// # use walkable::query::*;
/// # let level = generate(LevelKind::Sample, 1, 30.0)?;
/// # let mesh = bake(BakeInput::new(Arc::new(level.mesh), BakeSettings::default()), &Unmonitored)?;
/// # let (filter, mut scratch) = (Filter::default(), Scratch::default());
/// # let on = |point| nearest(&mesh, &NearestRequest::new(point, &filter)).map(Option::unwrap);
/// # let (start, goal) = (on(level.start)?, on(level.end)?);
/// let field = flow_field(&mesh, &FlowFieldRequest::new(goal, &filter))?;
/// let mut agent = FlowAgent::default(); // the memory of one agent
/// let sample = field.sample(&mesh, start, &mut agent, &mut scratch).ok_or("unreachable")?;
/// assert!(sample.cost >= start.point.distance(goal.point));
/// let velocity = sample.direction * 3.5;
/// # assert!((velocity.length() - 3.5).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns a [`QueryError`] if the polygon of the goal is stale, the goal is not finite, a cost of the filter is
/// negative or not finite, or there are [too many links](QueryError::TooManyLinks).
pub fn flow_field(mesh: &NavMesh, request: &FlowFieldRequest<'_>) -> Result<FlowField, QueryError> {
    let mut field = FlowField {
        state: Revision::default(),
        goal: request.goal,
        snapshot: Snapshot::default(),
        costs: Costs::default(),
        old: Default::default(),
    };
    flow_field_into(mesh, request, &mut field)?;
    Ok(field)
}

/// Like [`flow_field`], but reuses the memory of an earlier field: if that was as large, nothing is allocated. (After
/// tiles were added or removed, the first search in reverse lists the links of the navmesh by target.)
///
/// # Errors
/// See [`flow_field`]. `field` is then unchanged.
pub fn flow_field_into(
    mesh: &NavMesh,
    request: &FlowFieldRequest<'_>,
    field: &mut FlowField,
) -> Result<(), QueryError> {
    let goal = check(mesh, request)?;
    check_links(mesh)?;
    field.snapshot.take(mesh, request.filter);
    field.costs.search(mesh, &field.snapshot, goal);
    field.set(mesh, request);
    Ok(())
}

/// Updates a field after tiles, flags or areas of the navmesh, or costs of the filter have changed. All costs are those
/// of [`flow_field`], to the last bit, but only the paths that lead through changed polygons are searched again; if the
/// goal has changed, all are. Of several paths with the same cost, another one may be chosen.
///
/// # Errors
/// See [`flow_field`]. `field` is then unchanged.
pub fn update_flow_field(
    mesh: &NavMesh,
    request: &FlowFieldRequest<'_>,
    field: &mut FlowField,
) -> Result<FlowUpdate, QueryError> {
    let goal = check(mesh, request)?;
    check_links(mesh)?;
    let FlowField { snapshot, costs, old, .. } = field;
    std::mem::swap(snapshot, &mut old.0);
    snapshot.take(mesh, request.filter);
    let is_same_goal = field.goal.point == request.goal.point && costs.goal_poly() == Some(goal.0);
    let update = if is_same_goal {
        std::mem::swap(costs, &mut old.1);
        costs.update(mesh, snapshot, (&old.0, &old.1), goal)
    } else {
        costs.search(mesh, snapshot, goal);
        FlowUpdate { n_changed: snapshot.n_polys(), n_recomputed: snapshot.n_crossings() }
    };
    field.set(mesh, request);
    Ok(update)
}

/// Checks a request, and returns the polygon and the point of its goal.
fn check(mesh: &NavMesh, request: &FlowFieldRequest<'_>) -> Result<(u32, glam::Vec3), QueryError> {
    let MeshPoint { poly, point } = request.goal;
    check_finite("the goal", point)?;
    request.filter.check()?;
    let number = mesh.number(poly).ok_or(QueryError::StalePolygon { poly })?;
    Ok((number, point))
}

/// Checks the number of pairs of crossings that a search compares: of each polygon, those into it with those out of it.
fn check_links(mesh: &NavMesh) -> Result<(), QueryError> {
    let graph = mesh.graph();
    let n_out = |poly: u32| (N_POINTS * graph.links(poly).len()) as u64;
    let polys = (0..graph.len()).map(as_u32);
    let n_crossings: u64 = polys.clone().map(n_out).sum();
    // The pairs, by the crossings into polygons.
    let pairs =
        polys.flat_map(|poly| graph.links(poly)).map(|link| N_POINTS as u64 * n_out(link.to));
    let n_pairs = pairs.sum();
    let limit = MAX_PAIRS.max(MAX_PAIRS_PER_CROSSING * n_crossings);
    if n_pairs <= limit { Ok(()) } else { Err(QueryError::TooManyLinks { n_pairs, limit }) }
}

impl FlowField {
    fn set(&mut self, mesh: &NavMesh, request: &FlowFieldRequest<'_>) {
        self.state = mesh.state().clone();
        self.goal = request.goal;
    }

    /// Returns the goal.
    pub fn goal(&self) -> MeshPoint {
        self.goal
    }

    /// Returns whether the field is still valid for `mesh`: no tile, flag or area has changed.
    pub fn is_current(&self, mesh: &NavMesh) -> bool {
        self.state.is(mesh.state())
    }

    /// Returns the cost of the cheapest path from a point to the goal, see [`FlowField`]. `None` if there is no path,
    /// the polygon is stale, or the field is not current.
    pub fn cost(&self, mesh: &NavMesh, at: MeshPoint) -> Option<f32> {
        let number = self.number(mesh, at.poly)?;
        let cost = self.costs.from(&self.snapshot, number, at.point);
        cost.is_finite().then_some(cost)
    }

    /// Returns the number of a polygon, if the field is current.
    fn number(&self, mesh: &NavMesh, poly: PolyRef) -> Option<u32> {
        mesh.number(poly).filter(|_| self.is_current(mesh))
    }
}

//! The search from the goal, and its repair after changes.

use glam::Vec3;

use super::{
    FlowUpdate,
    snapshot::{Crossing, Snapshot, as_u32, crossings},
};
use crate::{navmesh::NavMesh, search::MinQueue};

/// Stored instead of the next crossing if the path leads straight to the goal.
const TO_GOAL: u32 = u32::MAX;

/// Costs that differ by a smaller fraction are equal, except for rounding.
const SAME_COST: f32 = 1e-5;

/// The costs from all crossings to the goal.
///
/// The cost of a crossing is the lowest sum over all paths, added up from the goal outward. Adding the same number to
/// two sums never changes their order, even with rounding, so this lowest sum does not depend on the order of the
/// search: an update finds the same costs as a new search.
#[derive(Clone, Debug, Default)]
pub(super) struct Costs {
    /// Polygon and point of the goal.
    goal: Option<(u32, Vec3)>,
    /// The cost from each crossing, including the entering cost; infinite if there is no path.
    lowest: Vec<f32>,
    /// For each crossing, the index of the next one among the crossings out of the same polygon; [`TO_GOAL`] at the
    /// goal.
    next: Vec<u32>,
    /// Bits of a cost; for costs that are not negative, they have the same order.
    open: MinQueue<(u32, Crossing)>,
    /// Crossings whose cost was discarded, with that cost.
    discarded: Vec<(Crossing, f32)>,
    is_changed: Vec<bool>,
}

impl Costs {
    /// Returns the polygon of the goal.
    pub(super) fn goal_poly(&self) -> Option<u32> {
        self.goal.map(|(poly, _)| poly)
    }

    /// Returns the cost of a crossing.
    pub(super) fn of(&self, crossing: Crossing) -> f32 {
        self.lowest[crossing.index()]
    }

    /// Returns the cost from a point of a polygon over a crossing out of it.
    pub(super) fn over(&self, snapshot: &Snapshot, point: Vec3, crossing: Crossing) -> f32 {
        let per_meter = snapshot.per_meter(snapshot.link(crossing.link()).from);
        self.of(crossing) + point.distance(snapshot.position(crossing)) * per_meter
    }

    /// Returns the lowest cost from a point of a polygon, over its links or straight to the goal.
    pub(super) fn from(&self, snapshot: &Snapshot, poly: u32, point: Vec3) -> f32 {
        let ways = snapshot.crossings_of(poly);
        let costs = ways.map(|crossing| self.over(snapshot, point, crossing));
        costs.fold(self.straight(snapshot, poly, point), f32::min)
    }

    /// Returns the first crossing of the cheapest path from a point of a polygon; `None` if the path leads straight to
    /// the goal, or there is none. Of several crossings with about the same cost, it is the one nearest to the goal:
    /// the others are on the path to it.
    pub(super) fn first(&self, snapshot: &Snapshot, poly: u32, point: Vec3) -> Option<Crossing> {
        let limit = self.from(snapshot, poly, point) * (1.0 + SAME_COST);
        if self.straight(snapshot, poly, point) <= limit {
            return None;
        }
        let is_cheap = |crossing: &Crossing| self.over(snapshot, point, *crossing) <= limit;
        let cheap = snapshot.crossings_of(poly).filter(is_cheap);
        cheap.min_by(|&a, &b| self.of(a).total_cmp(&self.of(b)))
    }

    /// Returns the crossing with exactly the lowest cost from a point of a polygon.
    fn cheapest(&self, snapshot: &Snapshot, poly: u32, point: Vec3) -> Option<Crossing> {
        let mut best = (self.straight(snapshot, poly, point), None);
        for crossing in snapshot.crossings_of(poly) {
            let cost = self.over(snapshot, point, crossing);
            if cost < best.0 {
                best = (cost, Some(crossing));
            }
        }
        best.1
    }

    /// Returns the crossing that follows another; `None` if the path leads straight to the goal. No crossing comes
    /// twice on the path to the goal.
    pub(super) fn next(&self, snapshot: &Snapshot, crossing: Crossing) -> Option<Crossing> {
        let next = Some(self.next[crossing.index()]).filter(|&next| next != TO_GOAL)?;
        snapshot.crossings_of(snapshot.link(crossing.link()).to).nth(next as usize)
    }

    /// Returns the cost straight to the goal, from a point of its polygon.
    pub(super) fn straight(&self, snapshot: &Snapshot, poly: u32, point: Vec3) -> f32 {
        match self.goal {
            Some((goal, goal_point)) if goal == poly => {
                point.distance(goal_point) * snapshot.per_meter(poly)
            }
            Some(_) | None => f32::INFINITY,
        }
    }

    /// Searches all paths to the goal.
    pub(super) fn search(&mut self, mesh: &NavMesh, snapshot: &Snapshot, goal: (u32, Vec3)) {
        self.clear(snapshot, goal);
        for crossing in incoming(mesh, snapshot, goal.0) {
            self.recompute(snapshot, crossing);
        }
        self.spread(mesh, snapshot);
    }

    fn clear(&mut self, snapshot: &Snapshot, goal: (u32, Vec3)) {
        self.goal = Some(goal);
        self.open.clear();
        self.lowest.clear();
        self.lowest.resize(snapshot.n_crossings(), f32::INFINITY);
        self.next.clear();
        self.next.resize(snapshot.n_crossings(), TO_GOAL);
    }

    /// Takes the costs of an earlier search, and searches the paths through changed polygons again.
    pub(super) fn update(
        &mut self,
        mesh: &NavMesh,
        snapshot: &Snapshot,
        (old_snapshot, old): (&Snapshot, &Self),
        goal: (u32, Vec3),
    ) -> FlowUpdate {
        self.clear(snapshot, goal);
        self.is_changed.clear();
        let polys = 0..as_u32(snapshot.n_polys());
        self.is_changed.extend(polys.clone().map(|poly| !snapshot.is_same(old_snapshot, poly)));
        self.discarded.clear();
        for poly in polys {
            let own = snapshot.crossings_of(poly);
            if self.is_changed[poly as usize] {
                self.discarded.extend(own.map(|crossing| (crossing, f32::INFINITY)));
                continue;
            }
            for (crossing, old_crossing) in own.zip(old_snapshot.crossings_of(poly)) {
                let cost = old.of(old_crossing);
                if self.is_changed[snapshot.link(crossing.link()).to as usize] {
                    self.discarded.push((crossing, cost));
                } else {
                    self.lowest[crossing.index()] = cost;
                    self.next[crossing.index()] = old.next[old_crossing.index()];
                }
            }
        }
        self.discard_dependents(mesh, snapshot);
        let n_changed = self.is_changed.iter().filter(|&&is_changed| is_changed).count();
        let n_recomputed = self.discarded.len();
        for place in 0..n_recomputed {
            self.recompute(snapshot, self.discarded[place].0);
        }
        self.spread(mesh, snapshot);
        FlowUpdate { n_changed, n_recomputed }
    }

    /// Discards the costs of all crossings whose cheapest path may lead over a discarded one.
    fn discard_dependents(&mut self, mesh: &NavMesh, snapshot: &Snapshot) {
        let mut place = 0;
        while let Some(&(crossing, cost)) = self.discarded.get(place) {
            place += 1;
            if cost == f32::INFINITY {
                continue;
            }
            let position = snapshot.position(crossing);
            for before in incoming(mesh, snapshot, snapshot.link(crossing.link()).from) {
                let known = self.of(before);
                let through = through(snapshot, before, position, cost);
                if known != f32::INFINITY && known.to_bits() == through.to_bits() {
                    self.discarded.push((before, known));
                    self.lowest[before.index()] = f32::INFINITY;
                }
            }
        }
    }

    /// Computes the cost of a crossing from the costs of the following crossings, and adds it to the open list.
    fn recompute(&mut self, snapshot: &Snapshot, crossing: Crossing) {
        let link = snapshot.link(crossing.link());
        let position = snapshot.position(crossing);
        let next = self.cheapest(snapshot, link.to, position);
        let cost = match next {
            Some(next) => self.over(snapshot, position, next),
            None => self.straight(snapshot, link.to, position),
        };
        self.lower(snapshot, crossing, (cost + link.entering, next));
    }

    fn lower(
        &mut self,
        snapshot: &Snapshot,
        crossing: Crossing,
        (cost, next): (f32, Option<Crossing>),
    ) {
        if cost < self.of(crossing) {
            self.lowest[crossing.index()] = cost;
            self.next[crossing.index()] = next.map_or(TO_GOAL, |next| snapshot.place_of(next));
            self.open.push((cost.to_bits(), crossing));
        }
    }

    /// Expands the open list, lowest cost first, until it is empty.
    fn spread(&mut self, mesh: &NavMesh, snapshot: &Snapshot) {
        while let Some((bits, crossing)) = self.open.pop() {
            let cost = f32::from_bits(bits);
            if cost > self.of(crossing) {
                continue;
            }
            let position = snapshot.position(crossing);
            for before in incoming(mesh, snapshot, snapshot.link(crossing.link()).from) {
                let cost = through(snapshot, before, position, cost);
                self.lower(snapshot, before, (cost, Some(crossing)));
            }
        }
    }
}

/// Returns the cost of the crossing `before` if the path goes on over a crossing at `position` with this cost.
fn through(snapshot: &Snapshot, before: Crossing, position: Vec3, cost: f32) -> f32 {
    let link = snapshot.link(before.link());
    let away = snapshot.position(before).distance(position);
    cost + away * snapshot.per_meter(link.to) + link.entering
}

/// Returns the crossings into a polygon.
fn incoming(mesh: &NavMesh, snapshot: &Snapshot, poly: u32) -> impl Iterator<Item = Crossing> {
    mesh.graph().incoming(poly).flat_map(|incoming| {
        let link = snapshot.links_of(incoming.from).start + incoming.index;
        crossings(link..link + 1)
    })
}

//! The ground that an agent with greater abilities could walk on.

use walkable_runtime::{
    ids::Dir,
    monitor::{Cancelled, Monitor},
};

use super::{
    costs::{Costs, each_in},
    price::ObstaclePrice,
};

/// Number of floors to process between two checks for cancellation.
pub(super) const AT_ONCE: usize = 4096;

/// The ground that is walkable if obstacles up to a price are allowed.
pub(super) struct Relaxed<'a> {
    pub(super) costs: &'a Costs<'a>,
    pub(super) price: ObstaclePrice,
    blocked: &'a [bool],
    /// Distance of each floor to the nearest edge in half cells, up to twice the radius; 0 if the floor is not
    /// walkable.
    clearances: Vec<u8>,
    least_clearance: u8,
}

impl<'a> Relaxed<'a> {
    /// Creates the ground for any purpose: with the distances to edges up to the radius.
    pub(super) fn new(
        costs: &'a Costs<'a>,
        price: ObstaclePrice,
        blocked: &'a [bool],
        monitor: &dyn Monitor,
    ) -> Result<Self, Cancelled> {
        let mut relaxed = Self::unmeasured(costs, price, blocked);
        let most = u8::try_from(2 * costs.agent.radius_vx).unwrap_or(u8::MAX);
        relaxed.clearances = relaxed.measure(most, monitor)?;
        Ok(relaxed)
    }

    /// Creates the ground only to find reachable floors. Distances to edges are measured only as far as that requires.
    pub(super) fn to_spread(
        costs: &'a Costs<'a>,
        price: ObstaclePrice,
        blocked: &'a [bool],
        monitor: &dyn Monitor,
    ) -> Result<Self, Cancelled> {
        let mut relaxed = Self::unmeasured(costs, price, blocked);
        if relaxed.least_clearance > 0 {
            relaxed.clearances = relaxed.measure(relaxed.least_clearance, monitor)?;
        }
        Ok(relaxed)
    }

    fn unmeasured(costs: &'a Costs<'a>, price: ObstaclePrice, blocked: &'a [bool]) -> Self {
        let least = costs.agent.least_clearance(price);
        let least_clearance = u8::try_from(least).unwrap_or(u8::MAX);
        Self { costs, price, blocked, clearances: Vec::new(), least_clearance }
    }

    /// Returns whether an agent with a radius of zero can stand on a floor.
    fn stands(&self, floor: usize) -> bool {
        self.costs.stand(floor) <= self.price && !self.is_blocked(floor)
    }

    fn is_blocked(&self, floor: usize) -> bool {
        self.blocked.get(floor).is_some_and(|&blocked| blocked)
    }

    fn next(&self, floor: usize, dir: Dir) -> Option<usize> {
        let (to, price) = self.costs.next(floor, dir)?;
        (price <= self.price && !self.is_blocked(to)).then_some(to)
    }

    /// Returns whether the ground ends next to a floor, in a direction.
    fn ends(&self, floor: usize, dir: Dir) -> bool {
        self.next(floor, dir).is_none() && self.costs.edge(floor, dir) > self.price
    }

    /// Computes the distance of each floor to the nearest edge in half cells, up to `most`, measured as in erosion.
    fn measure(&self, most: u8, monitor: &dyn Monitor) -> Result<Vec<u8>, Cancelled> {
        let n = self.costs.terrain.len();
        let nearest = each_in(n, n, monitor, |floors| {
            let mut edges = Vec::new();
            let mut clearance = |floor: usize| {
                if !self.stands(floor) {
                    return 0;
                }
                let is_edge = Dir::ALL.into_iter().any(|dir| self.ends(floor, dir));
                edges.extend(is_edge.then_some(floor));
                if is_edge { 0 } else { most }
            };
            let clearances: Vec<u8> = floors.map(&mut clearance).collect();
            (clearances, edges)
        })?;
        let mut clearances = Vec::with_capacity(n);
        let mut by_distance: Vec<Vec<usize>> = vec![Vec::new(); usize::from(most) + 3];
        for (part, edges) in nearest {
            clearances.extend(part);
            by_distance[0].extend(edges);
        }
        for distance in 0..most {
            let at = std::mem::take(&mut by_distance[usize::from(distance)]);
            for floor in at {
                if clearances[floor] != distance {
                    continue;
                }
                let mut lower = |to: usize, by: u8| {
                    let there = distance.saturating_add(by);
                    if there < clearances[to] {
                        clearances[to] = there;
                        by_distance[usize::from(there)].push(to);
                    }
                };
                for dir in Dir::ALL {
                    let Some(side) = self.next(floor, dir) else { continue };
                    lower(side, 2);
                    if let Some(far) = self.next(side, dir.next()) {
                        lower(far, 3);
                    }
                }
            }
        }
        Ok(clearances)
    }

    /// Returns the distance to the nearest edge in half cells, up to twice the radius.
    pub(super) fn clearance(&self, floor: usize) -> u32 {
        u32::from(self.clearances[floor])
    }

    /// Returns whether the agent can stand on a floor.
    pub(super) fn holds(&self, floor: usize) -> bool {
        self.stands(floor)
            && (self.least_clearance == 0 || self.clearances[floor] >= self.least_clearance)
            && self.costs.volume(floor) <= self.price
    }

    /// Returns whether a neighbor of a floor is missing or the agent cannot stand on it.
    pub(super) fn is_rim(&self, floor: usize) -> bool {
        Dir::ALL.into_iter().any(|dir| !self.next(floor, dir).is_some_and(|to| self.holds(to)))
    }

    /// Returns the price of standing on a floor: the maximum of slope, head room, drops, volumes and narrowness.
    pub(super) fn price_of(&self, floor: usize) -> ObstaclePrice {
        let narrow = self.costs.agent.clearance(self.clearance(floor));
        self.costs.stand(floor).max(self.costs.volume(floor)).max(narrow)
    }

    /// Returns whether any goal can be reached from `starts`.
    pub(super) fn reaches(
        &self,
        starts: &[usize],
        is_goal: impl Fn(usize) -> bool,
        monitor: &dyn Monitor,
    ) -> Result<bool, Cancelled> {
        let mut spread = self.spread(starts);
        let mut n_tested = 0;
        loop {
            monitor.check()?;
            let is_done = !spread.expand(AT_ONCE);
            if spread.reached[n_tested..].iter().any(|&floor| is_goal(floor)) {
                return Ok(true);
            }
            if is_done {
                return Ok(false);
            }
            n_tested = spread.reached.len();
        }
    }

    /// Starts to spread over the floors that the agent can reach from `starts`.
    pub(super) fn spread(&self, starts: &[usize]) -> Spread<'_> {
        let seen = vec![false; self.costs.terrain.len()];
        let mut spread = Spread { relaxed: self, seen, reached: Vec::new(), n_expanded: 0 };
        for &start in starts {
            spread.reach(start);
        }
        spread
    }

    /// Returns the number of the connected part of the ground of each floor; `u32::MAX` if the agent cannot stand on
    /// the floor.
    pub(super) fn parts(&self, monitor: &dyn Monitor) -> Result<Vec<u32>, Cancelled> {
        let n = self.costs.terrain.len();
        let mut parts = vec![u32::MAX; n];
        let mut n_parts = 0;
        let mut stack = Vec::new();
        for first in 0..n {
            if first.is_multiple_of(AT_ONCE) {
                monitor.check()?;
            }
            if parts[first] != u32::MAX || !self.holds(first) {
                continue;
            }
            parts[first] = n_parts;
            stack.push(first);
            while let Some(floor) = stack.pop() {
                for dir in Dir::ALL {
                    let Some(to) = self.next(floor, dir) else { continue };
                    if parts[to] == u32::MAX && self.holds(to) {
                        parts[to] = n_parts;
                        stack.push(to);
                    }
                }
            }
            n_parts += 1;
        }
        Ok(parts)
    }
}

/// The floors that can be reached from a set of floors, found step by step.
pub(super) struct Spread<'a> {
    relaxed: &'a Relaxed<'a>,
    seen: Vec<bool>,
    /// The floors in the order in which they were found.
    pub(super) reached: Vec<usize>,
    /// Number of floors of `reached` whose neighbors were visited.
    n_expanded: usize,
}

impl Spread<'_> {
    fn reach(&mut self, floor: usize) {
        if !std::mem::replace(&mut self.seen[floor], true) {
            self.reached.push(floor);
        }
    }

    /// Visits the neighbors of up to `n` floors. Returns `false` once all floors are found.
    pub(super) fn expand(&mut self, n: usize) -> bool {
        let end = self.n_expanded.saturating_add(n);
        while self.n_expanded < end.min(self.reached.len()) {
            let relaxed = self.relaxed;
            for transition in relaxed.costs.transitions(self.reached[self.n_expanded]) {
                let to = transition.to();
                if transition.price <= relaxed.price && !self.seen[to] && relaxed.holds(to) {
                    self.reach(to);
                }
            }
            self.n_expanded += 1;
        }
        self.n_expanded < self.reached.len()
    }
}

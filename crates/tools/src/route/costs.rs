//! Prices of each floor of a terrain, and of each way from one floor to the next.

use std::ops::Range;

use walkable_bake::bake::{BakePlan, RawArea, Steepness};
use walkable_runtime::{
    ids::Dir,
    monitor::{Cancelled, Monitor},
    side_by_side,
};

use super::{
    price::{Agent, Price, meters},
    terrain::{SKY_VX, Terrain},
};

/// Number of floors that one thread processes between two checks for cancellation.
const AT_ONCE: usize = 4096;
/// Marks a missing floor.
const NONE: u32 = u32::MAX;

/// Splits the floors into ranges of at most [`AT_ONCE`].
fn parts(n_floors: usize) -> Vec<Range<usize>> {
    let starts = (0..n_floors).step_by(AT_ONCE);
    starts.map(|start| start..(start + AT_ONCE).min(n_floors)).collect()
}

/// Computes a price for each floor, on all cores.
fn per_floor(
    n_floors: usize,
    monitor: &dyn Monitor,
    price: impl Fn(usize) -> Price + Sync + Send,
) -> Result<Vec<Price>, Cancelled> {
    let parts = side_by_side::each(parts(n_floors), n_floors, |floors| {
        monitor.check()?;
        Ok(floors.map(&price).collect::<Vec<_>>())
    });
    Ok(parts.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
}

/// The ways from consecutive floors. The fields are those of [`Costs`]; `way_starts` are indices in its own `ways`.
#[derive(Default)]
struct PartialWays {
    next: Vec<[(u32, Price); 4]>,
    voids: Vec<u8>,
    way_starts: Vec<u32>,
    ways: Vec<Way>,
}

fn index32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(NONE)
}

/// The prices of a terrain for an agent.
#[derive(Debug)]
pub(super) struct Costs<'a> {
    pub(super) terrain: &'a Terrain,
    pub(super) agent: Agent,
    /// Per floor: its price by slope and head room.
    bare: Vec<Price>,
    /// Per floor: its price by the drops next to it.
    ledge: Vec<Price>,
    /// Per floor and direction: the cheapest floor to go to, and the higher one of the price of the way and that
    /// floor's price by slope and head room.
    next: Vec<[(u32, Price); 4]>,
    /// Per floor: one bit per direction in which there is neither ground nor a wall.
    voids: Vec<u8>,
    /// Index in `ways` of the first way of each floor, followed by the number of ways.
    way_starts: Vec<u32>,
    /// The ways of all floors, in all directions.
    ways: Vec<Way>,
}

/// A way from a floor to a neighboring one, or across a gap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    to: u32,
    /// Price of the way itself, without standing at its end.
    pub(super) price: Price,
    /// Number of cells without ground that the way jumps over.
    pub(super) n_void: u8,
}

impl Way {
    fn new(to: usize, price: Price, n_void: u8) -> Self {
        Self { to: index32(to), price, n_void }
    }

    /// The floor at its end.
    pub(super) fn to(self) -> usize {
        self.to as usize
    }
}

impl<'a> Costs<'a> {
    pub(super) fn new(
        terrain: &'a Terrain,
        plan: &BakePlan,
        monitor: &dyn Monitor,
    ) -> Result<Self, Cancelled> {
        let n = terrain.len();
        let mut costs = Self {
            terrain,
            agent: Agent::of(plan),
            bare: Vec::new(),
            ledge: Vec::new(),
            next: Vec::with_capacity(n),
            voids: Vec::with_capacity(n),
            way_starts: Vec::with_capacity(n + 1),
            ways: Vec::new(),
        };
        costs.bare = per_floor(n, monitor, |floor| costs.slope(floor).max(costs.head_room(floor)))?;
        let parts = side_by_side::each(parts(n), n, |floors| costs.ways_of(floors, monitor));
        let parts = parts.into_iter().collect::<Result<Vec<_>, _>>()?;
        costs.ways.reserve_exact(parts.iter().map(|part| part.ways.len()).sum());
        for part in parts {
            let first = index32(costs.ways.len());
            costs.next.extend(part.next);
            costs.voids.extend(part.voids);
            costs.way_starts.extend(part.way_starts.iter().map(|start| first + start));
            costs.ways.extend(part.ways);
        }
        costs.way_starts.push(index32(costs.ways.len()));
        costs.ledge = vec![Price::FREE; n];
        costs.ledge = per_floor(n, monitor, |floor| costs.drop_beside(floor))?;
        Ok(costs)
    }

    /// Computes the ways from a range of floors.
    fn ways_of(
        &self,
        floors: Range<usize>,
        monitor: &dyn Monitor,
    ) -> Result<PartialWays, Cancelled> {
        monitor.check()?;
        let mut part = PartialWays::default();
        for floor in floors {
            part.way_starts.push(index32(part.ways.len()));
            let next = Dir::ALL.map(|dir| {
                let first = part.ways.len();
                self.push_ways(floor, dir, &mut part.ways);
                let priced = |way: &Way| {
                    (way.price.max(self.bare[way.to()]), self.rise(floor, way.to()), way.to)
                };
                let best = part.ways[first..].iter().map(priced).min();
                best.map_or((NONE, Price::NEVER), |(price, _, to)| (to, price))
            });
            part.next.push(next);
            let bits = Dir::ALL.into_iter().filter(|&dir| self.is_void(floor, dir));
            part.voids.push(bits.fold(0, |bits, dir| bits | 1 << dir as u8));
        }
        Ok(part)
    }

    /// Maximum vertical distance between the surface of a polygon and the floor of its voxels, in meters.
    pub(super) fn reach(&self) -> f32 {
        let climb = meters(self.agent.climb_vx, self.agent.cell_height);
        2.0 * self.agent.cell_height + climb.max(0.5)
    }

    /// The price of standing on a floor: slope, head room and drops next to it.
    pub(super) fn stand(&self, floor: usize) -> Price {
        self.bare[floor].max(self.ledge[floor])
    }

    /// The price of the drops next to a floor.
    pub(super) fn ledge(&self, floor: usize) -> Price {
        self.ledge[floor]
    }

    /// The price of the volume that contains a floor.
    pub(super) fn volume(&self, floor: usize) -> Price {
        if self.terrain.volume(floor).is_some() { Agent::volume() } else { Price::FREE }
    }

    /// The cheapest way from `floor` in a direction: where it leads, and its price including standing at its end.
    pub(super) fn next(&self, floor: usize, dir: Dir) -> Option<(usize, Price)> {
        let (to, price) = self.next[floor][dir as usize];
        (to != NONE).then(|| (to as usize, price.max(self.ledge[to as usize])))
    }

    /// The lowest price at which the ground continues in this direction: that of the way, or of the jump over the same
    /// gap in an adjacent direction.
    pub(super) fn edge(&self, floor: usize, dir: Dir) -> Price {
        let own = self.next(floor, dir).map_or(Price::NEVER, |(_, price)| price);
        if self.voids[floor] & 1 << dir as u8 == 0 {
            return own;
        }
        let beside = [dir.next(), dir.previous()]
            .into_iter()
            .filter(|&dir| self.voids[floor] & 1 << dir as u8 != 0);
        beside
            .filter_map(|dir| self.next(floor, dir))
            .fold(own, |least, (_, price)| least.min(price))
    }

    /// The slope class of a floor; a low obstacle that the agent can step onto has the class of the floor below it.
    pub(super) fn class(&self, floor: usize) -> RawArea {
        let own = self.terrain.spans[floor].area;
        let below = self.terrain.below(floor).filter(|_| self.agent.steps_onto_obstacles);
        match below {
            Some(below)
                if self.terrain.top(floor) - self.terrain.top(below) <= self.agent.climb_vx =>
            {
                own.max(self.terrain.spans[below].area)
            }
            Some(_) | None => own,
        }
    }

    /// The price of a floor's slope.
    pub(super) fn slope(&self, floor: usize) -> Price {
        self.agent.slope(self.class(floor))
    }

    /// The free height above a floor, in voxels.
    pub(super) fn room(&self, floor: usize) -> u32 {
        self.terrain.ceiling(floor).saturating_sub(self.terrain.top(floor))
    }

    /// The price of a floor's head room.
    pub(super) fn head_room(&self, floor: usize) -> Price {
        self.agent.ceiling(self.room(floor))
    }

    /// Height difference between two floors, in voxels.
    pub(super) fn rise(&self, from: usize, to: usize) -> u32 {
        self.terrain.top(from).abs_diff(self.terrain.top(to))
    }

    /// Head room on the way between two floors, in voxels.
    pub(super) fn room_between(&self, from: usize, to: usize) -> u32 {
        let terrain = self.terrain;
        let ceiling = terrain.ceiling(from).min(terrain.ceiling(to));
        ceiling.saturating_sub(terrain.top(from).max(terrain.top(to)))
    }

    /// The ways from a floor in all directions.
    pub(super) fn ways(&self, floor: usize) -> &[Way] {
        &self.ways[self.way_starts[floor] as usize..self.way_starts[floor + 1] as usize]
    }

    /// Appends the ways from a floor in one direction to `ways`: a step onto each floor of the adjacent column, and a jump
    /// over a gap.
    fn push_ways(&self, floor: usize, dir: Dir, ways: &mut Vec<Way>) {
        let cell = self.terrain.cell_of(floor);
        let beside = self.terrain.beside(cell, dir, 1);
        let floors = beside.map_or(0..0, |cell| self.terrain.column(cell));
        for to in floors.clone() {
            let price = self.step(floor, to);
            if price < Price::NEVER {
                ways.push(Way::new(to, price, 0));
            }
        }
        ways.extend(self.jump(floor, floors, dir));
    }

    /// The price of stepping from one floor onto another, without the part that is due to slope.
    fn step(&self, from: usize, to: usize) -> Price {
        let room = self.room_between(from, to);
        if room == 0 {
            return Price::NEVER;
        }
        let rise = self.rise(from, to);
        let by_slope = self.rise_of_slope(from).max(self.rise_of_slope(to));
        let step = if rise <= by_slope { Price::FREE } else { self.agent.step(rise) };
        step.max(self.agent.ceiling(room))
    }

    /// How far the ground rises per cell due to its slope alone, in voxels; 0 if the slope is walkable.
    fn rise_of_slope(&self, floor: usize) -> u32 {
        let class = self.terrain.spans[floor].area;
        if class == Steepness::WALKABLE { 0 } else { self.agent.rise_of_slope(class) }
    }

    /// The jump over the cells without ground in a direction, if there is a gap with ground beyond it.
    fn jump(&self, floor: usize, beside: Range<usize>, dir: Dir) -> Option<Way> {
        let terrain = self.terrain;
        if self.bare[floor] > self.agent.jump(1) {
            return None;
        }
        if !self.is_void_over(floor, beside) {
            return None;
        }
        let cell = terrain.cell_of(floor);
        for n in 2..=self.agent.farthest_jump() {
            let column = terrain.column(terrain.beside(cell, dir, i32::from(n))?);
            if column.clone().any(|at| self.is_in_the_way(floor, at)) {
                return None;
            }
            if let Some(to) = column.into_iter().find(|&to| self.is_landing(floor, to)) {
                let n_void = n - 1;
                return Some(Way::new(to, self.agent.jump(u32::from(n_void)), n_void));
            }
        }
        None
    }

    /// Whether an agent that jumps from `floor` can land on `to` without a step.
    fn is_landing(&self, floor: usize, to: usize) -> bool {
        self.rise(floor, to) <= self.agent.climb_vx
            && self.room_between(floor, to) >= self.agent.height_vx
    }

    /// Whether the span `at` blocks the body of an agent that moves at the height of `floor`.
    fn is_in_the_way(&self, floor: usize, at: usize) -> bool {
        let span = self.terrain.spans[at];
        let top = self.terrain.top(floor);
        u32::from(span.min_vx) < top + self.agent.height_vx
            && u32::from(span.max_vx) > top + self.agent.climb_vx
    }

    fn is_void_over(&self, floor: usize, mut column: Range<usize>) -> bool {
        !column.any(|at| self.is_landing(floor, at) || self.is_in_the_way(floor, at))
    }

    /// Whether there is neither ground nor a wall next to a floor.
    pub(super) fn is_void(&self, floor: usize, dir: Dir) -> bool {
        let beside = self.terrain.beside(self.terrain.cell_of(floor), dir, 1);
        beside.is_some_and(|cell| self.is_void_over(floor, self.terrain.column(cell)))
    }

    /// The price of the drops next to a floor, by the rules of the ledge filter.
    fn drop_beside(&self, floor: usize) -> Price {
        if !self.agent.keeps_off_ledges || self.bare[floor] == Price::NEVER {
            return Price::FREE;
        }
        let terrain = self.terrain;
        let cell = terrain.cell_of(floor);
        let top = terrain.top(floor);
        let mut price = Price::FREE;
        let (mut lowest, mut highest) = (top, top);
        let mut by_slope = self.rise_of_slope(floor);
        for dir in Dir::ALL {
            let Some(beside) = terrain.beside(cell, dir, 1) else { return self.agent.ledge() };
            let mut worst = Price::FREE;
            let column = terrain.column(beside);
            let underside = column
                .clone()
                .next()
                .map_or(SKY_VX, |lowest| u32::from(terrain.spans[lowest].min_vx));
            if underside.min(terrain.ceiling(floor)).saturating_sub(top) >= self.agent.height_vx {
                worst = self.agent.ledge();
            }
            for to in column.filter(|&to| self.room_between(floor, to) >= self.agent.height_vx) {
                let other = terrain.top(to);
                let drop = top.saturating_sub(other);
                by_slope = by_slope.max(self.rise_of_slope(to));
                if drop > self.agent.climb_vx
                    && drop > self.rise_of_slope(floor).max(self.rise_of_slope(to))
                {
                    worst = worst.max(self.agent.step(drop).min(self.agent.ledge()));
                } else if drop > self.agent.climb_vx {
                    worst = worst.max(self.bare[to].min(self.agent.ledge()));
                } else if other <= top + self.agent.climb_vx {
                    (lowest, highest) = (lowest.min(other), highest.max(other));
                }
            }
            // A drop costs no more than a jump across it.
            price = price.max(worst.min(self.edge(floor, dir)));
        }
        let spread = highest - lowest;
        let is_uneven = spread > self.agent.climb_vx && spread > 2 * by_slope;
        if is_uneven { price.max(self.agent.step(spread).min(self.agent.ledge())) } else { price }
    }
}

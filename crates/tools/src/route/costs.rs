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

/// Number of floors or cells that one thread processes between two checks for cancellation.
const AT_ONCE: usize = 4096;
/// Marks a missing floor.
const NONE: u32 = u32::MAX;

/// Runs `work` on ranges that together cover 0 to `n`, on all cores if there are many floors.
pub(super) fn each_in<R: Send>(
    n: usize,
    n_floors: usize,
    monitor: &dyn Monitor,
    work: impl Fn(Range<usize>) -> R + Sync + Send,
) -> Result<Vec<R>, Cancelled> {
    let ranges: Vec<_> =
        (0..n).step_by(AT_ONCE).map(|start| start..(start + AT_ONCE).min(n)).collect();
    let results = side_by_side::each(ranges, n_floors, |range| {
        monitor.check()?;
        Ok(work(range))
    });
    results.into_iter().collect()
}

/// The free space above a floor.
#[derive(Clone, Copy, Debug)]
struct OpenSpan {
    floor_vx: u16,
    ceiling_vx: u16,
    /// How far the ground rises per cell due to its slope alone, in voxels; 0 if the slope is walkable.
    by_slope: u16,
}

impl OpenSpan {
    /// Height difference between two floors, in voxels.
    fn rise_to(self, to: Self) -> u32 {
        u32::from(self.floor_vx.abs_diff(to.floor_vx))
    }

    /// Head room on the way between two floors, in voxels.
    fn room_to(self, to: Self) -> u32 {
        let ceiling = self.ceiling_vx.min(to.ceiling_vx);
        u32::from(ceiling.saturating_sub(self.floor_vx.max(to.floor_vx)))
    }
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
    /// Per floor: the free space above it.
    open: Vec<OpenSpan>,
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

    /// The way in the opposite direction, which leads to the floor `start`.
    pub(super) fn back_to(self, start: usize) -> Self {
        Self { to: index32(start), ..self }
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
            open: Vec::new(),
            bare: Vec::new(),
            ledge: Vec::new(),
            next: Vec::with_capacity(n),
            voids: Vec::with_capacity(n),
            way_starts: Vec::with_capacity(n + 1),
            ways: Vec::new(),
        };
        let open = |floors: Range<usize>| -> Vec<_> {
            floors.map(|floor| costs.open_span(floor)).collect()
        };
        costs.open = each_in(n, n, monitor, open)?.concat();
        let bare = |floors: Range<usize>| -> Vec<_> {
            floors.map(|floor| costs.slope(floor).max(costs.head_room(floor))).collect()
        };
        costs.bare = each_in(n, n, monitor, bare)?.concat();
        let n_cells = terrain.frame.n_cells();
        let parts = each_in(n_cells, n, monitor, |cells| costs.ways_from(cells))?;
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
        costs.ledge = each_in(n_cells, n, monitor, |cells| costs.drops_beside(cells))?.concat();
        Ok(costs)
    }

    fn open_span(&self, floor: usize) -> OpenSpan {
        let voxels = |height: u32| u16::try_from(height).unwrap_or(u16::MAX);
        OpenSpan {
            floor_vx: voxels(self.terrain.top(floor)),
            ceiling_vx: voxels(self.terrain.ceiling(floor)),
            by_slope: voxels(self.rise_of_slope(floor)),
        }
    }

    /// The floors of the columns next to a cell, by direction; `None` beyond the end of the terrain.
    fn columns_beside(&self, cell: usize) -> [Option<Range<usize>>; 4] {
        let at = self.terrain.position(cell);
        Dir::ALL.map(|dir| Some(self.terrain.column(self.terrain.beside(at, dir, 1)?)))
    }

    /// Computes the ways from the floors of a range of cells.
    fn ways_from(&self, cells: Range<usize>) -> PartialWays {
        let mut part = PartialWays::default();
        for cell in cells {
            let beside = self.columns_beside(cell);
            for floor in self.terrain.column(cell) {
                part.way_starts.push(index32(part.ways.len()));
                let mut next = [(NONE, Price::NEVER); 4];
                let mut voids = 0;
                for (dir, column) in Dir::ALL.into_iter().zip(&beside) {
                    let Some(column) = column else { continue };
                    let first = part.ways.len();
                    self.push_steps(floor, column.clone(), &mut part.ways);
                    if self.is_void_over(floor, column.clone()) {
                        voids |= 1 << dir as u8;
                        part.ways.extend(self.jump_and_back(floor, dir));
                    }
                    let priced = |way: &Way| {
                        (way.price.max(self.bare[way.to()]), self.rise(floor, way.to()), way.to)
                    };
                    let best = part.ways[first..].iter().map(priced).min();
                    if let Some((price, _, to)) = best {
                        next[dir as usize] = (to, price);
                    }
                }
                part.next.push(next);
                part.voids.push(voids);
            }
        }
        part
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
        self.open[from].rise_to(self.open[to])
    }

    /// Head room on the way between two floors, in voxels.
    pub(super) fn room_between(&self, from: usize, to: usize) -> u32 {
        self.open[from].room_to(self.open[to])
    }

    /// The ways from a floor in all directions.
    pub(super) fn ways(&self, floor: usize) -> &[Way] {
        &self.ways[self.way_starts[floor] as usize..self.way_starts[floor + 1] as usize]
    }

    /// Appends the steps from a floor onto the floors of an adjacent column to `ways`.
    fn push_steps(&self, floor: usize, beside: Range<usize>, ways: &mut Vec<Way>) {
        let from = self.open[floor];
        for (to, open) in beside.clone().zip(&self.open[beside]) {
            let price = self.step(from, *open);
            if price < Price::NEVER {
                ways.push(Way::new(to, price, 0));
            }
        }
    }

    /// The price of stepping from one floor onto another, without the part that is due to slope.
    fn step(&self, from: OpenSpan, to: OpenSpan) -> Price {
        let room = from.room_to(to);
        if room == 0 {
            return Price::NEVER;
        }
        let rise = from.rise_to(to);
        let by_slope = u32::from(from.by_slope.max(to.by_slope));
        let step = if rise <= by_slope { Price::FREE } else { self.agent.step(rise) };
        step.max(self.agent.ceiling(room))
    }

    /// How far the ground rises per cell due to its slope alone, in voxels; 0 if the slope is walkable.
    fn rise_of_slope(&self, floor: usize) -> u32 {
        let class = self.terrain.spans[floor].area;
        if class == Steepness::WALKABLE { 0 } else { self.agent.rise_of_slope(class) }
    }

    /// The jump from `floor` in a direction, if the agent can also jump back, so that ways lead in both directions.
    fn jump_and_back(&self, floor: usize, dir: Dir) -> Option<Way> {
        let there = self.jump(floor, dir)?;
        let back = self.jump(there.to(), dir.opposite())?;
        (back.to() == floor).then_some(there)
    }

    /// The jump over the cells without ground in a direction, of which the first is next to `floor`, if there is ground
    /// beyond them.
    fn jump(&self, floor: usize, dir: Dir) -> Option<Way> {
        let terrain = self.terrain;
        if self.bare[floor] > self.agent.jump(1) {
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
        let (from, to) = (self.open[floor], self.open[to]);
        from.rise_to(to) <= self.agent.climb_vx && from.room_to(to) >= self.agent.height_vx
    }

    /// Whether the span `at` blocks the body of an agent that moves at the height of `floor`.
    fn is_in_the_way(&self, floor: usize, at: usize) -> bool {
        let span = self.terrain.spans[at];
        let top = u32::from(self.open[floor].floor_vx);
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

    /// The prices of the drops next to the floors of a range of cells, by the rules of the ledge filter.
    fn drops_beside(&self, cells: Range<usize>) -> Vec<Price> {
        let mut prices = Vec::new();
        for cell in cells {
            let beside = self.columns_beside(cell);
            let floors = self.terrain.column(cell);
            prices.extend(floors.map(|floor| self.drop_beside(floor, &beside)));
        }
        prices
    }

    fn drop_beside(&self, floor: usize, beside: &[Option<Range<usize>>; 4]) -> Price {
        if !self.agent.keeps_off_ledges || self.bare[floor] == Price::NEVER {
            return Price::FREE;
        }
        let terrain = self.terrain;
        let from = self.open[floor];
        let [top, from_ceiling] = [from.floor_vx, from.ceiling_vx].map(u32::from);
        let mut price = Price::FREE;
        let (mut lowest, mut highest) = (top, top);
        let mut by_slope = from.by_slope;
        for (dir, column) in Dir::ALL.into_iter().zip(beside) {
            let Some(column) = column.clone() else { return self.agent.ledge() };
            let mut worst = Price::FREE;
            let underside = column
                .clone()
                .next()
                .map_or(SKY_VX, |lowest| u32::from(terrain.spans[lowest].min_vx));
            if underside.min(from_ceiling).saturating_sub(top) >= self.agent.height_vx {
                worst = self.agent.ledge();
            }
            for to in column {
                let there = self.open[to];
                if from.room_to(there) < self.agent.height_vx {
                    continue;
                }
                let other = u32::from(there.floor_vx);
                let drop = top.saturating_sub(other);
                by_slope = by_slope.max(there.by_slope);
                if drop > self.agent.climb_vx && drop > u32::from(from.by_slope.max(there.by_slope))
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
        let is_uneven = spread > self.agent.climb_vx && spread > 2 * u32::from(by_slope);
        if is_uneven { price.max(self.agent.step(spread).min(self.agent.ledge())) } else { price }
    }
}

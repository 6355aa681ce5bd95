//! Prices of each floor of a terrain, and of each transition between floors.

use std::ops::Range;

use walkable_bake::bake::{BakePlan, RawArea, Steepness};
use walkable_runtime::{
    ids::Dir,
    monitor::{Cancelled, Monitor},
    side_by_side,
};

use super::{
    price::{Agent, ObstaclePrice, meters},
    terrain::{SKY_VX, Terrain},
};

/// Number of floors or cells that one thread processes between two checks for cancellation.
const AT_ONCE: usize = 4096;

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

/// A floor and the free space above it.
#[derive(Clone, Copy, Debug)]
struct OpenSpan {
    floor_vx: u16,
    ceiling_vx: u16,
    /// How far the ground rises per cell due to its slope alone, in voxels; 0 if the slope is walkable.
    by_slope: u16,
    /// Price of slope and head room, and of ground outside the boxes that limit the bake.
    bare: ObstaclePrice,
}

impl OpenSpan {
    /// Returns the height difference between two floors, in voxels.
    fn rise_to(self, to: Self) -> u32 {
        u32::from(self.floor_vx.abs_diff(to.floor_vx))
    }

    /// Returns the head room on the transition between two floors, in voxels.
    fn room_to(self, to: Self) -> u32 {
        let ceiling = self.ceiling_vx.min(to.ceiling_vx);
        u32::from(ceiling.saturating_sub(self.floor_vx.max(to.floor_vx)))
    }
}

/// The transitions from consecutive floors. The fields are those of [`Costs`]; `transition_starts` are indices in its
/// own `transitions`.
#[derive(Default)]
struct PartialTransitions {
    ledge: Vec<ObstaclePrice>,
    next: Vec<CheapestTransitions>,
    voids: Vec<u8>,
    transition_starts: Vec<u32>,
    transitions: Vec<FloorTransition>,
}

/// The surroundings of a floor in one direction.
#[derive(Clone, Copy)]
struct NeighborFloors {
    /// The floor that the cheapest transition leads to; `u32::MAX` if there is no transition.
    to: u32,
    /// Price of the cheapest transition, including slope and head room at its end.
    next: ObstaclePrice,
    /// Whether there is neither ground nor a wall.
    is_void: bool,
    /// Price of the highest drop, by the rules of the ledge filter.
    drop: ObstaclePrice,
    /// Lowest and highest floor that the agent can climb onto, or the floor itself, in voxels.
    heights: (u32, u32),
    /// How far the steepest ground rises per cell due to its slope alone, in voxels.
    by_slope: u16,
}

/// Returns the bit of a direction in a set of directions.
fn bit(dir: Dir) -> u8 {
    1 << dir as u8
}

/// Returns the lowest price at which the ground continues in a direction: the price of the transition, or of the jump
/// over the same gap in an adjacent direction. `next` has the prices of the cheapest transitions, `voids` the
/// directions of gaps.
fn edge(next: [ObstaclePrice; 4], voids: u8, dir: Dir) -> ObstaclePrice {
    let own = next[dir as usize];
    if voids & bit(dir) == 0 {
        return own;
    }
    let beside = [dir.next(), dir.previous()].into_iter().filter(|&dir| voids & bit(dir) != 0);
    beside.fold(own, |least, dir| least.min(next[dir as usize]))
}

fn index32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// The prices of a terrain for an agent.
#[derive(Debug)]
pub(super) struct Costs<'a> {
    pub(super) terrain: &'a Terrain,
    pub(super) agent: Agent,
    open: Vec<OpenSpan>,
    /// Price of each floor by the drops next to it.
    ledge: Vec<ObstaclePrice>,
    /// Price of each floor by slope, head room and drops.
    stand: Vec<ObstaclePrice>,
    /// The cheapest transitions from each floor, including standing at their ends.
    next: Vec<CheapestTransitions>,
    /// For each floor, one bit per direction that has neither ground nor a wall.
    voids: Vec<u8>,
    /// Index in `transitions` of the first transition of each floor, followed by the number of transitions.
    transition_starts: Vec<u32>,
    /// The transitions of all floors, in all directions.
    transitions: Vec<FloorTransition>,
}

/// The cheapest transitions from a floor, by direction.
#[derive(Clone, Copy, Debug)]
struct CheapestTransitions {
    /// The floors that they lead to; `u32::MAX` if there is no transition.
    to: [u32; 4],
    /// Their prices, including those of the floors; [`ObstaclePrice::NEVER`] if there is no transition.
    price: [ObstaclePrice; 4],
}

/// A transition from a floor to a neighboring one, or across a gap.
#[derive(Clone, Copy, Debug)]
pub(super) struct FloorTransition {
    to: u32,
    /// Price of the transition itself, without standing at its end.
    pub(super) price: ObstaclePrice,
    /// Number of cells without ground that the transition jumps over.
    pub(super) n_void: u8,
}

impl FloorTransition {
    fn new(to: usize, price: ObstaclePrice, n_void: u8) -> Self {
        Self { to: index32(to), price, n_void }
    }

    /// Returns the transition in the opposite direction, which leads to the floor `start`.
    pub(super) fn back_to(self, start: usize) -> Self {
        Self { to: index32(start), ..self }
    }

    /// Returns the floor at its end.
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
            ledge: Vec::with_capacity(n),
            stand: Vec::new(),
            next: Vec::new(),
            voids: Vec::with_capacity(n),
            transition_starts: Vec::with_capacity(n + 1),
            transitions: Vec::new(),
        };
        let open = |floors: Range<usize>| -> Vec<_> {
            floors.map(|floor| costs.open_span(floor)).collect()
        };
        costs.open = each_in(n, n, monitor, open)?.concat();
        let n_cells = terrain.frame.n_cells();
        let parts = each_in(n_cells, n, monitor, |cells| costs.transitions_from(cells))?;
        let mut nexts = Vec::with_capacity(parts.len());
        costs.transitions.reserve_exact(parts.iter().map(|part| part.transitions.len()).sum());
        for part in parts {
            let first = index32(costs.transitions.len());
            costs.ledge.extend(part.ledge);
            nexts.push(part.next);
            costs.voids.extend(part.voids);
            costs
                .transition_starts
                .extend(part.transition_starts.iter().map(|start| first + start));
            costs.transitions.extend(part.transitions);
        }
        costs.transition_starts.push(index32(costs.transitions.len()));
        let bare = costs.open.iter().map(|open| open.bare);
        costs.stand = bare.zip(&costs.ledge).map(|(bare, &ledge)| bare.max(ledge)).collect();
        costs.next = nexts.concat();
        Ok(costs)
    }

    fn open_span(&self, floor: usize) -> OpenSpan {
        let voxels = |height: u32| u16::try_from(height).unwrap_or(u16::MAX);
        OpenSpan {
            floor_vx: voxels(self.terrain.top(floor)),
            ceiling_vx: voxels(self.terrain.ceiling(floor)),
            by_slope: voxels(self.rise_of_slope(floor)),
            bare: self.slope(floor).max(self.head_room(floor)).max(self.outside(floor)),
        }
    }

    /// Returns the floors of the columns next to a cell, by direction; `None` beyond the end of the terrain.
    fn columns_beside(&self, cell: usize) -> [Option<Range<usize>>; 4] {
        let at = self.terrain.position(cell);
        Dir::ALL.map(|dir| Some(self.terrain.column(self.terrain.beside(at, dir, 1)?)))
    }

    /// Computes the transitions from the floors of a range of cells, and the prices of the drops next to them.
    fn transitions_from(&self, cells: Range<usize>) -> PartialTransitions {
        let mut part = PartialTransitions::default();
        for cell in cells {
            let columns = self.columns_beside(cell);
            for floor in self.terrain.column(cell) {
                part.transition_starts.push(index32(part.transitions.len()));
                let beside = Dir::ALL.map(|dir| {
                    let column = columns[dir as usize].clone()?;
                    Some(self.look(floor, dir, column, &mut part.transitions))
                });
                let is_void = |dir: Dir| beside[dir as usize].is_some_and(|beside| beside.is_void);
                let voids = Dir::ALL.into_iter().filter(|&dir| is_void(dir));
                let voids = voids.fold(0, |voids, dir| voids | bit(dir));
                part.voids.push(voids);
                part.ledge.push(self.drop_beside(floor, &beside, voids));
                part.next.push(CheapestTransitions {
                    to: beside.map(|beside| beside.map_or(u32::MAX, |beside| beside.to)),
                    price: beside
                        .map(|beside| beside.map_or(ObstaclePrice::NEVER, |beside| beside.next)),
                });
            }
        }
        part
    }

    /// Appends the transitions from `floor` to the adjacent `column` or beyond it to `transitions`.
    fn look(
        &self,
        floor: usize,
        dir: Dir,
        column: Range<usize>,
        transitions: &mut Vec<FloorTransition>,
    ) -> NeighborFloors {
        let from = self.open[floor];
        let (climb_vx, height_vx) = (self.agent.climb_vx, self.agent.height_vx);
        let top = u32::from(from.floor_vx);
        let mut beside = NeighborFloors {
            to: u32::MAX,
            next: ObstaclePrice::NEVER,
            is_void: true,
            drop: ObstaclePrice::FREE,
            heights: (top, top),
            by_slope: 0,
        };
        let mut cheapest = (ObstaclePrice::NEVER, u32::MAX, u32::MAX);
        for (to, there) in column.clone().zip(&self.open[column.clone()]) {
            let room = from.room_to(*there);
            if room == 0 {
                continue;
            }
            let rise = from.rise_to(*there);
            let price = self.step(from, *there, room).max(self.climb_over([floor, to]));
            let total = price.max(there.bare);
            // If several transitions are equally cheap, the flattest one is taken, then the lowest.
            if price < ObstaclePrice::NEVER {
                cheapest = cheapest.min((total, rise, index32(to)));
                transitions.push(FloorTransition::new(to, price, 0));
            }
            if room < height_vx {
                continue;
            }
            beside.is_void &= rise > climb_vx;
            beside.by_slope = beside.by_slope.max(there.by_slope);
            let other = u32::from(there.floor_vx);
            let drop = top.saturating_sub(other);
            if drop > climb_vx && drop > u32::from(from.by_slope.max(there.by_slope)) {
                beside.drop = beside.drop.max(self.agent.step(drop).min(self.agent.ledge()));
            } else if drop > climb_vx {
                beside.drop = beside.drop.max(there.bare.min(self.agent.ledge()));
            } else if other <= top + climb_vx {
                let (lowest, highest) = beside.heights;
                beside.heights = (lowest.min(other), highest.max(other));
            }
        }
        // Ground to land on leaves no space below it.
        if beside.is_void || climb_vx >= height_vx {
            let lowest = self.terrain.spans[column.clone()].first();
            let underside = lowest.map_or(SKY_VX, |lowest| u32::from(lowest.min_vx));
            let ceiling = underside.min(u32::from(from.ceiling_vx));
            if ceiling.saturating_sub(top) >= height_vx {
                beside.drop = self.agent.ledge();
            }
        }
        beside.is_void = beside.is_void && !column.clone().any(|at| self.is_in_the_way(floor, at));
        if beside.is_void
            && let Some(jump) = self.jump_and_back(floor, dir)
        {
            let total = jump.price.max(self.open[jump.to()].bare);
            cheapest = cheapest.min((total, self.rise(floor, jump.to()), jump.to));
            transitions.push(jump);
        }
        (beside.next, _, beside.to) = cheapest;
        beside
    }

    /// Returns the price of the drops next to a floor, by the rules of the ledge filter.
    fn drop_beside(
        &self,
        floor: usize,
        beside: &[Option<NeighborFloors>; 4],
        voids: u8,
    ) -> ObstaclePrice {
        let from = self.open[floor];
        if !self.agent.keeps_off_ledges || from.bare == ObstaclePrice::NEVER {
            return ObstaclePrice::FREE;
        }
        let [Some(west), Some(north), Some(east), Some(south)] = *beside else {
            return self.agent.ledge();
        };
        let beside = [west, north, east, south];
        let next = beside.map(|beside| beside.next);
        let top = u32::from(from.floor_vx);
        let (mut lowest, mut highest) = (top, top);
        let (mut price, mut by_slope) = (ObstaclePrice::FREE, from.by_slope);
        for (dir, beside) in Dir::ALL.into_iter().zip(&beside) {
            // A drop costs no more than a jump across it.
            price = price.max(beside.drop.min(edge(next, voids, dir)));
            (lowest, highest) = (lowest.min(beside.heights.0), highest.max(beside.heights.1));
            by_slope = by_slope.max(beside.by_slope);
        }
        let spread = highest - lowest;
        let is_uneven = spread > self.agent.climb_vx && spread > 2 * u32::from(by_slope);
        if is_uneven { price.max(self.agent.step(spread).min(self.agent.ledge())) } else { price }
    }

    /// Returns the maximum vertical distance between the surface of a polygon and the floor of its voxels, in meters.
    pub(super) fn reach(&self) -> f32 {
        let climb = meters(self.agent.climb_vx, self.agent.cell_height);
        2.0 * self.agent.cell_height + climb.max(0.5)
    }

    /// Returns the price of standing on a floor: slope, head room and drops next to it.
    pub(super) fn stand(&self, floor: usize) -> ObstaclePrice {
        self.stand[floor]
    }

    /// Returns the price of the drops next to a floor.
    pub(super) fn ledge(&self, floor: usize) -> ObstaclePrice {
        self.ledge[floor]
    }

    /// Returns the price of the volume that contains a floor.
    pub(super) fn volume(&self, floor: usize) -> ObstaclePrice {
        if self.terrain.volume(floor).is_some() { Agent::volume() } else { ObstaclePrice::FREE }
    }

    /// Returns the price of a floor outside the boxes that limit the bake.
    pub(super) fn outside(&self, floor: usize) -> ObstaclePrice {
        if self.terrain.is_outside(floor) { Agent::outside() } else { ObstaclePrice::FREE }
    }

    /// Returns the floor at the end of the cheapest transition from `floor` in a direction, and its price including
    /// standing at its end.
    pub(super) fn next(&self, floor: usize, dir: Dir) -> Option<(usize, ObstaclePrice)> {
        let next = &self.next[floor];
        let to = next.to[dir as usize];
        let to = (to != u32::MAX).then_some(to as usize)?;
        Some((to, next.price[dir as usize].max(self.stand[to])))
    }

    /// Returns the lowest price at which the ground continues in this direction: the price of the transition, or of the
    /// jump over the same gap in an adjacent direction.
    pub(super) fn edge(&self, floor: usize, dir: Dir) -> ObstaclePrice {
        let next = Dir::ALL
            .map(|dir| self.next(floor, dir).map_or(ObstaclePrice::NEVER, |(_, price)| price));
        edge(next, self.voids[floor], dir)
    }

    /// Returns the slope class of a floor. A low obstacle that the agent can step onto has the class of the floor below
    /// it.
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

    /// Returns the price of a floor's slope.
    pub(super) fn slope(&self, floor: usize) -> ObstaclePrice {
        self.agent.slope(self.class(floor))
    }

    /// Returns the free height above a floor, in voxels.
    pub(super) fn room(&self, floor: usize) -> u32 {
        self.terrain.ceiling(floor).saturating_sub(self.terrain.top(floor))
    }

    /// Returns the price of a floor's head room.
    pub(super) fn head_room(&self, floor: usize) -> ObstaclePrice {
        self.agent.ceiling(self.room(floor))
    }

    /// Returns the height difference between two floors, in voxels.
    pub(super) fn rise(&self, from: usize, to: usize) -> u32 {
        self.open[from].rise_to(self.open[to])
    }

    /// Returns the head room on the transition between two floors, in voxels.
    pub(super) fn room_between(&self, from: usize, to: usize) -> u32 {
        self.open[from].room_to(self.open[to])
    }

    /// Returns the transitions from a floor in all directions.
    pub(super) fn transitions(&self, floor: usize) -> &[FloorTransition] {
        &self.transitions
            [self.transition_starts[floor] as usize..self.transition_starts[floor + 1] as usize]
    }

    /// Returns the price of stepping from one floor onto another, without the part due to slope. `room` is the head
    /// room on the transition, which must not be 0.
    fn step(&self, from: OpenSpan, to: OpenSpan, room: u32) -> ObstaclePrice {
        let rise = from.rise_to(to);
        let by_slope = u32::from(from.by_slope.max(to.by_slope));
        let step = if rise <= by_slope { ObstaclePrice::FREE } else { self.agent.step(rise) };
        step.max(self.agent.ceiling(room))
    }

    /// Returns the price of stepping from one floor onto another if the upper one is the top of an obstacle.
    fn climb_over(&self, floors: [usize; 2]) -> ObstaclePrice {
        let [from, to] = floors.map(|floor| self.open[floor]);
        let rise = from.rise_to(to);
        let upper = floors[usize::from(self.terrain.top(floors[0]) <= self.terrain.top(floors[1]))];
        let is_step = self.agent.climb_vx.max(u32::from(from.by_slope.max(to.by_slope))) < rise;
        if is_step && self.is_thin(upper) {
            self.agent.climb_over(rise)
        } else {
            ObstaclePrice::FREE
        }
    }

    /// Returns whether the ground around a floor is too narrow for the agent, as the top of a hedge is. Stairs that lead up
    /// from it belong to the ground.
    fn is_thin(&self, floor: usize) -> bool {
        let terrain = self.terrain;
        let cell = terrain.cell_of(floor);
        // At any position in the grid, ground that is wide enough covers two voxels more than the agent.
        let needed = 2 * self.agent.radius_vx + 2;
        let most = i32::try_from(needed).unwrap_or(i32::MAX);
        let length = |dir: Dir| {
            let mut top = terrain.top(floor);
            (1..=most)
                .take_while(|&n| {
                    let Some(beside) = terrain.beside(cell, dir, n) else { return true };
                    let tops = terrain.column(beside).map(|floor| terrain.top(floor));
                    let onward = tops.into_iter().find(|&next| {
                        top <= next + self.agent.climb_vx
                            && next <= top + self.agent.highest_step_vx()
                    });
                    top = onward.unwrap_or(top);
                    onward.is_some()
                })
                .count()
        };
        let lengths = Dir::ALL.map(length);
        let needed = needed as usize;
        lengths[0] + lengths[2] < needed || lengths[1] + lengths[3] < needed
    }

    /// Returns how far the ground rises per cell due to its slope alone, in voxels; 0 if the slope is walkable.
    fn rise_of_slope(&self, floor: usize) -> u32 {
        let class = self.terrain.spans[floor].area;
        if class == Steepness::WALKABLE { 0 } else { self.agent.rise_of_slope(class) }
    }

    /// Returns the jump from `floor` in a direction, if the agent can also jump back, so that transitions exist in both
    /// directions.
    fn jump_and_back(&self, floor: usize, dir: Dir) -> Option<FloorTransition> {
        let there = self.jump(floor, dir)?;
        let back = self.jump(there.to(), dir.opposite())?;
        (back.to() == floor).then_some(there)
    }

    /// Returns the jump from `floor` over the cells without ground in a direction, if there is ground beyond them. The
    /// first of these cells is next to `floor`.
    fn jump(&self, floor: usize, dir: Dir) -> Option<FloorTransition> {
        let terrain = self.terrain;
        if self.open[floor].bare > self.agent.jump(1) {
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
                return Some(FloorTransition::new(to, self.agent.jump(u32::from(n_void)), n_void));
            }
        }
        None
    }

    /// Returns whether an agent that jumps from `floor` can land on `to` without a step.
    fn is_landing(&self, floor: usize, to: usize) -> bool {
        let (from, to) = (self.open[floor], self.open[to]);
        from.rise_to(to) <= self.agent.climb_vx && from.room_to(to) >= self.agent.height_vx
    }

    /// Returns whether the span `at` blocks the body of an agent that moves at the height of `floor`.
    fn is_in_the_way(&self, floor: usize, at: usize) -> bool {
        let span = self.terrain.spans[at];
        let top = u32::from(self.open[floor].floor_vx);
        u32::from(span.min_vx) < top + self.agent.height_vx
            && u32::from(span.max_vx) > top + self.agent.climb_vx
    }

    fn is_void_over(&self, floor: usize, mut column: Range<usize>) -> bool {
        !column.any(|at| self.is_landing(floor, at) || self.is_in_the_way(floor, at))
    }

    /// Returns whether there is neither ground nor a wall next to a floor.
    pub(super) fn is_void(&self, floor: usize, dir: Dir) -> bool {
        let beside = self.terrain.beside(self.terrain.cell_of(floor), dir, 1);
        beside.is_some_and(|cell| self.is_void_over(floor, self.terrain.column(cell)))
    }
}

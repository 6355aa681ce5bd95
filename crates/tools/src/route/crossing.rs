//! Finds the cheapest crossing of the obstacles between two sides of a terrain.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap},
    ops::RangeInclusive,
};

use glam::{Vec3, Vec3Swizzles as _};
use walkable_bake::bake::Steepness;
use walkable_runtime::{
    ids::Dir,
    monitor::{Cancelled, Monitor},
};

use super::{
    costs::{Costs, FloorTransition},
    price::{ObstaclePrice, float},
    relaxed::{AT_ONCE, Relaxed},
    sides::Side,
};

/// The floors of each side.
#[derive(Clone, Debug)]
pub(super) struct Sides {
    /// For each side, floors from which all other floors of that side can be reached.
    pub(super) seeds: [Vec<usize>; 2],
    /// For each side and floor, whether the floor is on that side.
    pub(super) is_on: [Vec<bool>; 2],
}

impl Sides {
    /// Creates sides that consist of these floors alone, of a terrain of `n_floors`.
    pub(super) fn of_floors(seeds: [Vec<usize>; 2], n_floors: usize) -> Self {
        let is_on = seeds.each_ref().map(|floors| {
            let mut is_on = vec![false; n_floors];
            for &floor in floors {
                is_on[floor] = true;
            }
            is_on
        });
        Self { seeds, is_on }
    }

    /// Returns floors from which all other floors of a side can be reached.
    pub(super) fn seeds(&self, side: Side) -> &[usize] {
        &self.seeds[side as usize]
    }

    /// Returns whether a floor is on a side.
    pub(super) fn is_on(&self, side: Side, floor: usize) -> bool {
        self.is_on[side as usize][floor]
    }

    /// Returns whether a side has no floors.
    pub(super) fn is_empty(&self, side: Side) -> bool {
        self.seeds(side).is_empty()
    }
}

/// The floors that an agent can reach from one of the sides.
#[derive(Clone, Debug)]
pub(super) struct SideReach {
    pub(super) side: Side,
    pub(super) floors: Vec<usize>,
}

/// Spreads from both sides in turn until one of them reaches no more floors, and returns that side; `None` if one side
/// reaches the other.
pub(super) fn smaller_reach(
    relaxed: &Relaxed<'_>,
    sides: &Sides,
    monitor: &dyn Monitor,
) -> Result<Option<SideReach>, Cancelled> {
    let mut spreads = Side::ALL.map(|side| (side, relaxed.spread(sides.seeds(side))));
    loop {
        monitor.check()?;
        for (side, spread) in &mut spreads {
            let n_known = spread.reached.len();
            let is_done = !spread.expand(AT_ONCE);
            let mut new = spread.reached[n_known..].iter();
            if new.any(|&floor| sides.is_on(side.opposite(), floor)) {
                return Ok(None);
            }
            if is_done {
                let floors = std::mem::take(&mut spread.reached);
                return Ok(Some(SideReach { side: *side, floors }));
            }
        }
    }
}

/// A walk from one side to the other, and the obstacles on it.
#[derive(Clone, Debug)]
pub(super) struct Crossing {
    /// Price of the most expensive obstacle.
    pub(super) price: ObstaclePrice,
    /// The floors of the walk, and the transitions between them: one fewer than the floors.
    pub(super) floors: Vec<usize>,
    pub(super) transitions: Vec<FloorTransition>,
    /// Stretches that the agent cannot walk, in order.
    pub(super) breaks: Vec<Break>,
}

impl Crossing {
    /// Returns the index of the most expensive break. One that only narrows the ground is not it if there is another
    /// obstacle within the agent's reach: that one narrows the ground beside it.
    pub(super) fn main_break(&self, costs: &Costs<'_>) -> Option<usize> {
        let price = |&(_, found): &(usize, &Break)| (found.price, Reverse(found.before));
        let (first, most) = self.breaks.iter().enumerate().max_by_key(price)?;
        if most.kind != Kind::Narrow {
            return Some(first);
        }
        let reach = 2.0 * float(costs.agent.radius_vx + 1) * costs.agent.cell_size;
        let ends = |found: &Break| {
            [found.first, found.last].map(|i| costs.terrain.place(self.floors[i]).xz())
        };
        let is_near = |found: &Break| {
            let [ours, theirs] = [most, found].map(ends);
            ours.iter().any(|at| theirs.iter().any(|other| at.distance(*other) <= reach))
        };
        let others = self.breaks.iter().enumerate();
        let narrows = |kind| matches!(kind, Kind::Step | Kind::LowCeiling | Kind::TooSteep);
        let others = others.filter(|(_, found)| narrows(found.kind) && is_near(found));
        Some(others.max_by_key(price).map_or(first, |(other, _)| other))
    }
}

/// Kinds of obstacles on a crossing. If two have the same price, the first in this order is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    TooSteep,
    LowCeiling,
    Step,
    Volume,
    Outside,
    Marked,
    FacesDown,
    Gap,
    Narrow,
}

/// A stretch that the agent cannot walk.
#[derive(Clone, Debug)]
pub(super) struct Break {
    /// Kind of the most expensive obstacle of the stretch.
    pub(super) kind: Kind,
    pub(super) price: ObstaclePrice,
    /// Indices into the crossing's floors: the last walkable floor before the stretch, and the first one beyond it.
    pub(super) before: usize,
    pub(super) beyond: usize,
    /// Indices of the first and the last floor with the highest price; for a step, its two sides.
    pub(super) first: usize,
    pub(super) last: usize,
    /// Offset from the walk to the middle of the obstacle.
    pub(super) offset_to_middle: Vec3,
}

/// The weights of the length and of the obstacles of a crossing.
#[derive(Clone, Copy)]
struct Weights {
    /// Cost per cell of length, added to the prices of obstacles.
    per_cell: u32,
    /// Exponent of these prices.
    exponent: u32,
}

/// Weights of the cheapest crossing, which does not cut a corner of an obstacle through a more expensive one.
const CHEAP: Weights = Weights { per_cell: 4, exponent: 2 };
/// Weights of a crossing that goes straight to the other side, rather than around an obstacle.
const DIRECT: Weights = Weights { per_cell: 64, exponent: 1 };
/// Weight of the price of moving between two floors, relative to the price of standing on one.
const TRANSITION_WEIGHT: u32 = 4;

/// A crossing to find.
#[derive(Clone, Debug)]
pub(super) struct CrossingRequest<'a> {
    /// The prices of crossings to consider. All cheaper crossings must be known to be impossible.
    pub(super) prices: RangeInclusive<ObstaclePrice>,
    /// A likely price of the cheapest crossing, tried first.
    pub(super) guess: Option<ObstaclePrice>,
    /// For each floor, whether the crossing must avoid it. Empty if no floor is blocked.
    pub(super) blocked: &'a [bool],
}

impl CrossingRequest<'_> {
    /// Creates a request for a crossing of the whole ground.
    pub(super) fn new(prices: RangeInclusive<ObstaclePrice>) -> Self {
        Self { prices, guess: None, blocked: &[] }
    }
}

/// Finds the cheapest crossing. `strict` is the ground that the agent can walk as it is.
pub(super) fn cheapest_crossing(
    strict: &Relaxed<'_>,
    sides: &Sides,
    request: &CrossingRequest<'_>,
    monitor: &dyn Monitor,
) -> Result<Option<Crossing>, Cancelled> {
    let price = least_price(strict.costs, sides, request, monitor)?;
    price.map_or(Ok(None), |price| {
        crossing_at(strict, sides, (price, request.blocked), CHEAP, monitor)
    })
}

/// Returns the most direct of the crossings on which no obstacle costs more than `price`.
pub(super) fn direct_crossing(
    strict: &Relaxed<'_>,
    sides: &Sides,
    price: ObstaclePrice,
    monitor: &dyn Monitor,
) -> Result<Option<Crossing>, Cancelled> {
    crossing_at(strict, sides, (price, &[]), DIRECT, monitor)
}

fn crossing_at(
    strict: &Relaxed<'_>,
    sides: &Sides,
    (price, blocked): (ObstaclePrice, &[bool]),
    weights: Weights,
    monitor: &dyn Monitor,
) -> Result<Option<Crossing>, Cancelled> {
    let relaxed = Relaxed::new(strict.costs, price, blocked, monitor)?;
    let Some((floors, transitions)) = walk(&relaxed, sides, weights, monitor)? else {
        return Ok(None);
    };
    let breaks = breaks(&relaxed, strict, &floors, &transitions);
    Ok(Some(Crossing { price, floors, transitions, breaks }))
}

/// Returns whether a crossing of the ground that is not `blocked` exists on which no obstacle costs more than `price`.
pub(super) fn crosses(
    costs: &Costs<'_>,
    sides: &Sides,
    (price, blocked): (ObstaclePrice, &[bool]),
    monitor: &dyn Monitor,
) -> Result<bool, Cancelled> {
    let relaxed = Relaxed::to_spread(costs, price, blocked, monitor)?;
    Ok(smaller_reach(&relaxed, sides, monitor)?.is_none())
}

/// Returns the lowest of the requested prices for which a crossing exists.
fn least_price(
    costs: &Costs<'_>,
    sides: &Sides,
    request: &CrossingRequest<'_>,
    monitor: &dyn Monitor,
) -> Result<Option<ObstaclePrice>, Cancelled> {
    let is_enough = |number: u8| {
        crosses(costs, sides, (ObstaclePrice::from_number(number), request.blocked), monitor)
    };
    let (mut low, mut high) = (request.prices.start().number(), request.prices.end().number());
    if high < low {
        return Ok(None);
    }
    let guess = request.guess.map(|price| price.number().clamp(low, high));
    // Most obstacles are cheap, so the strides grow.
    let (mut at, mut stride) = (guess.unwrap_or(low), 4_u8);
    while !is_enough(at)? {
        if at == high {
            return Ok(None);
        }
        low = at + 1;
        at = at.saturating_add(stride).min(high);
        stride = stride.saturating_mul(2);
    }
    high = at;
    if guess == Some(high) && low < high {
        if is_enough(high - 1)? {
            high -= 1;
        } else {
            low = high;
        }
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if is_enough(middle)? {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Ok(Some(ObstaclePrice::from_number(low)))
}

type Walk = (Vec<usize>, Vec<FloorTransition>);

/// The lowest cost to reach a floor, and the previous floor and transition of that walk.
#[derive(Clone, Copy)]
struct Reached {
    cost: u32,
    from: Option<(u32, FloorTransition)>,
}

impl Reached {
    const NEVER: Self = Self { cost: u32::MAX, from: None };
}

/// Finds the walk across `relaxed` with the lowest total cost (Dijkstra's algorithm). Each transition has the same
/// price in both directions, so the search starts at the side with fewer seeds.
fn walk(
    relaxed: &Relaxed<'_>,
    sides: &Sides,
    weights: Weights,
    monitor: &dyn Monitor,
) -> Result<Option<Walk>, Cancelled> {
    let is_backward = sides.seeds(Side::End).len() < sides.seeds(Side::Start).len();
    let from = if is_backward { Side::End } else { Side::Start };
    let mut best = vec![Reached::NEVER; relaxed.costs.terrain.len()];
    let mut open = BinaryHeap::new();
    for &start in sides.seeds(from) {
        best[start].cost = 0;
        open.push(Reverse((0_u32, start)));
    }
    let mut n = 0_usize;
    while let Some(Reverse((cost, floor))) = open.pop() {
        n += 1;
        if n.is_multiple_of(4096) {
            monitor.check()?;
        }
        if best[floor].cost < cost {
            continue;
        }
        if sides.is_on(from.opposite(), floor) {
            let (mut floors, mut transitions) = backtrack(&best, floor);
            if is_backward {
                let back = |(&to, transition): (&usize, &FloorTransition)| transition.back_to(to);
                transitions = floors.iter().zip(&transitions).map(back).rev().collect();
                floors.reverse();
            }
            return Ok(Some((floors, transitions)));
        }
        for &transition in relaxed.costs.transitions(floor) {
            let to = transition.to();
            if transition.price > relaxed.price || !relaxed.holds(to) {
                continue;
            }
            let number = |price: ObstaclePrice| u32::from(price.number()).pow(weights.exponent);
            // Standing on the start of the walk is free, standing on its end is not.
            let entered = if is_backward { floor } else { to };
            let step = weights.per_cell * (1 + u32::from(transition.n_void))
                + number(relaxed.price_of(entered))
                + TRANSITION_WEIGHT * number(transition.price);
            let there = cost.saturating_add(step);
            if there < best[to].cost {
                let from = u32::try_from(floor).unwrap_or(u32::MAX);
                best[to] = Reached { cost: there, from: Some((from, transition)) };
                open.push(Reverse((there, to)));
            }
        }
    }
    Ok(None)
}

fn backtrack(best: &[Reached], end: usize) -> Walk {
    let (mut floors, mut transitions) = (vec![end], Vec::new());
    let mut at = end;
    while let Some((from, transition)) = best[at].from {
        at = from as usize;
        transitions.push(transition);
        floors.push(at);
    }
    floors.reverse();
    transitions.reverse();
    (floors, transitions)
}

/// Returns the stretches of a walk that the agent cannot walk as it is.
fn breaks(
    relaxed: &Relaxed<'_>,
    strict: &Relaxed<'_>,
    floors: &[usize],
    transitions: &[FloorTransition],
) -> Vec<Break> {
    let is_good = |i: usize| strict.holds(floors[i]);
    let mut found = Vec::new();
    let mut at = 0;
    while at + 1 < floors.len() {
        if is_good(at) && is_good(at + 1) && transitions[at].price == ObstaclePrice::FREE {
            at += 1;
            continue;
        }
        let before = at;
        let mut beyond = at + 1;
        while beyond + 1 < floors.len()
            && !(is_good(beyond)
                && is_good(beyond + 1)
                && transitions[beyond].price == ObstaclePrice::FREE)
        {
            beyond += 1;
        }
        found.extend(worst(relaxed, floors, transitions, before, beyond));
        at = beyond.max(at + 1);
    }
    found
}

/// Returns the most expensive obstacle between two floors of a walk. If the walk only passes too close to an edge there, and
/// another obstacle is in its way too, returns both.
fn worst(
    relaxed: &Relaxed<'_>,
    floors: &[usize],
    transitions: &[FloorTransition],
    before: usize,
    beyond: usize,
) -> Vec<Break> {
    // The drop next to a gap is part of the gap.
    let is_gap = (before..beyond).any(|i| transitions[i].n_void > 0);
    let on_floors = (before..=beyond).flat_map(|i| {
        let [slope, room, volume, outside, drop, narrow] = on_floor(relaxed, floors[i]);
        let drop = if is_gap { (ObstaclePrice::FREE, drop.1) } else { drop };
        [slope, room, volume, outside, drop, narrow].map(move |(price, kind)| (price, kind, i, i))
    });
    let on_transitions = (before..beyond).map(|i| {
        let (price, kind) = obstacle_of(relaxed.costs, floors[i], transitions[i]);
        (price, kind, i, i + 1)
    });
    let mut all: Vec<OnWalk> = on_floors
        .chain(on_transitions)
        .filter(|(price, ..)| *price > ObstaclePrice::FREE)
        .collect();
    if all.is_empty() {
        // The walk itself is free of obstacles, but it passes too close to an edge, so the edge is reported.
        let of_edges = (before..=beyond).filter_map(|i| {
            let (price, kind) = nearest_edge(relaxed, floors[i])?;
            Some((price, kind, i, i))
        });
        all.extend(of_edges);
    }
    let most = |is_wanted: fn(Kind) -> bool| {
        let wanted = all.iter().filter(|(_, kind, ..)| is_wanted(*kind));
        let most = wanted.max_by_key(|(price, kind, ..)| (*price, Reverse(*kind)));
        most.map(|&(price, kind, ..)| (price, kind))
    };
    let first = most(|_| true);
    let other = first.filter(|(_, kind)| *kind == Kind::Narrow);
    let other = other.and_then(|_| most(|kind| kind != Kind::Narrow));
    let range = (before, beyond);
    let told = first.into_iter().chain(other);
    told.filter_map(|found| break_of(relaxed, (floors, transitions), (&all, range), found))
        .collect()
}

/// An obstacle on a walk: its price and kind, and the first and the last floor.
type OnWalk = (ObstaclePrice, Kind, usize, usize);

/// Creates the break for the obstacles in `all` of this price and kind.
fn break_of(
    relaxed: &Relaxed<'_>,
    (floors, transitions): (&[usize], &[FloorTransition]),
    (all, (before, beyond)): (&[OnWalk], (usize, usize)),
    (price, kind): (ObstaclePrice, Kind),
) -> Option<Break> {
    let most = || all.iter().filter(|(p, c, ..)| (*p, *c) == (price, kind));
    let first = most().map(|(.., first, _)| *first).min()?;
    let last = most().map(|(.., last)| *last).max()?;
    // A drop next to the walk is reported from one floor to the next.
    let is_drop = kind == Kind::Step && first == last;
    let first = if is_drop { first.saturating_sub(1).max(before) } else { first };
    let last = if is_drop { (last + 1).min(beyond) } else { last };
    let offset_to_middle = offset_to_middle(relaxed, kind, (floors, transitions), [first, last]);
    Some(Break { kind, price, before, beyond, first, last, offset_to_middle })
}

/// Returns the nearest obstacle around a floor that is not free but costs at most the allowed price.
fn nearest_edge(relaxed: &Relaxed<'_>, floor: usize) -> Option<(ObstaclePrice, Kind)> {
    let costs = relaxed.costs;
    let mut seen = BTreeSet::from([floor]);
    let mut ring = vec![floor];
    for _ in 0..=2 * costs.agent.radius_vx {
        let ends =
            ring.iter().flat_map(|&at| Dir::ALL.map(|dir| (at, dir))).filter_map(|(at, dir)| {
                let price = costs.edge(at, dir);
                let is_paid = price > ObstaclePrice::FREE && price <= relaxed.price;
                is_paid
                    .then(|| (price, if costs.is_void(at, dir) { Kind::Gap } else { Kind::Step }))
            });
        if let Some(found) = ends.max() {
            return Some(found);
        }
        let next = ring
            .iter()
            .flat_map(|&at| Dir::ALL.into_iter().filter_map(move |dir| costs.next(at, dir)));
        ring = next.map(|(to, _)| to).filter(|&to| seen.insert(to)).collect();
    }
    None
}

/// Radius around the walk in which floors with the same obstacle are collected, in meters.
const AROUND: f32 = 6.0;

/// Returns the offset from the walk to the middle of the obstacle that begins at floor number `first`. The walk crosses
/// a riser at its nearest point, but the riser may be several meters wide.
fn offset_to_middle(
    relaxed: &Relaxed<'_>,
    kind: Kind,
    (floors, transitions): (&[usize], &[FloorTransition]),
    [first, last]: [usize; 2],
) -> Vec3 {
    let costs = relaxed.costs;
    let steps = |floor: usize, transition: &FloorTransition| {
        let (price, found) = obstacle_of(costs, floor, *transition);
        found == kind
            && price > ObstaclePrice::FREE
            && price <= relaxed.price
            && relaxed.holds(transition.to())
    };
    let middle = |from: usize, to: usize| {
        (costs.terrain.place(floors[from]) + costs.terrain.place(floors[to])) * 0.5
    };
    match kind {
        Kind::Step | Kind::Gap => {
            let is_up = |floor: usize, to: usize| costs.terrain.top(to) >= costs.terrain.top(floor);
            // Of several alike, as on stairs, the first.
            let Some(at) = (first..last).find(|&i| steps(floors[i], &transitions[i])) else {
                return Vec3::ZERO;
            };
            let up = is_up(floors[at], transitions[at].to());
            let is_like = |floor: usize| {
                let mut around = costs.transitions(floor).iter();
                around.any(|transition| {
                    is_up(floor, transition.to()) == up && steps(floor, transition)
                })
            };
            center(relaxed, floors[at], is_like) - costs.terrain.place(floors[at])
                + middle(at, at + 1)
                - middle(first, last)
        }
        Kind::LowCeiling
        | Kind::TooSteep
        | Kind::Volume
        | Kind::Outside
        | Kind::Marked
        | Kind::FacesDown => {
            let Some(at) = (first..=last).find(|&i| {
                on_floor(relaxed, floors[i])
                    .iter()
                    .any(|(price, found)| *found == kind && *price > ObstaclePrice::FREE)
            }) else {
                return Vec3::ZERO;
            };
            let is_like = |floor: usize| {
                on_floor(relaxed, floor)
                    .iter()
                    .any(|(price, found)| *found == kind && *price > ObstaclePrice::FREE)
            };
            center(relaxed, floors[at], is_like) - middle(first, last)
        }
        Kind::Narrow => Vec3::ZERO,
    }
}

/// Returns the center of the connected floors around `start` for which `is_like` is true.
fn center(relaxed: &Relaxed<'_>, start: usize, is_like: impl Fn(usize) -> bool) -> Vec3 {
    let terrain = relaxed.costs.terrain;
    let origin = terrain.place(start);
    let mut seen = BTreeSet::from([start]);
    let mut stack = vec![start];
    let mut sum = Vec3::ZERO;
    let mut n = 0.0;
    while let Some(floor) = stack.pop() {
        let place = terrain.place(floor);
        sum += place - origin;
        n += 1.0;
        let cell = terrain.cell_of(floor);
        for other in terrain.around(cell) {
            let off = terrain.place(other) - origin;
            let is_near = off.with_y(0.0).length() <= AROUND
                && terrain.top(other).abs_diff(terrain.top(floor))
                    <= relaxed.costs.agent.climb_vx + 4;
            if is_near && !seen.contains(&other) && relaxed.holds(other) && is_like(other) {
                seen.insert(other);
                stack.push(other);
            }
        }
    }
    origin + sum / n
}

/// Returns the price of each obstacle to standing on a floor.
fn on_floor(relaxed: &Relaxed<'_>, floor: usize) -> [(ObstaclePrice, Kind); 6] {
    let costs = relaxed.costs;
    let slope = match costs.class(floor) {
        Steepness::MARKED => Kind::Marked,
        Steepness::FACES_DOWN => Kind::FacesDown,
        _ => Kind::TooSteep,
    };
    let ledge = if costs.ledge(floor) < costs.agent.ledge() { Kind::Step } else { Kind::Narrow };
    [
        (costs.slope(floor), slope),
        (costs.head_room(floor), Kind::LowCeiling),
        (costs.volume(floor), Kind::Volume),
        (costs.outside(floor), Kind::Outside),
        (costs.ledge(floor), ledge),
        (costs.agent.clearance(relaxed.clearance(floor)), Kind::Narrow),
    ]
}

/// Returns the price of moving from a floor to the next, and the kind of obstacle between them.
fn obstacle_of(
    costs: &Costs<'_>,
    from: usize,
    transition: FloorTransition,
) -> (ObstaclePrice, Kind) {
    if transition.n_void > 0 {
        return (transition.price, Kind::Gap);
    }
    let low = costs.agent.ceiling(costs.room_between(from, transition.to()));
    (transition.price, if low == transition.price { Kind::LowCeiling } else { Kind::Step })
}

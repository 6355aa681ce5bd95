//! Reciprocal avoidance: each neighbor and wall forbids a half-plane of velocities, and a linear program finds the best
//! velocity of the rest.
//!
//! Two agents that move with constant velocities collide within the horizon if their relative velocity lies in a cone,
//! cut off near its apex by a circle. Each of the two takes a share of the smallest change that leads out of it, and so
//! keeps its velocity in a half-plane. If both do, they do not collide.
//!
//! At narrow places, one of two agents gives way ([`right_of_way`](super::right_of_way)): it assumes that the other one
//! already moves as it wants, and does all of the avoiding.
//!
//! Source: J. van den Berg, S. Guy, M. Lin, D. Manocha: Reciprocal n-Body Collision Avoidance (ORCA); for the right of
//! way, S. Curtis, B. Zafar, A. Gutub, D. Manocha: Right of Way. Differs: where no
//! velocity is in all half-planes, those of neighbors are moved outward by the smallest distance that suffices, found
//! by bisection; agents that overlap part in a fixed time, not in one update; walls are segments that the center of an agent may touch, because the navmesh ends an agent's radius
//! before them.

use arrayvec::ArrayVec;
use glam::{Vec2, Vec3, Vec3Swizzles as _};

use super::{
    agent::MAX_NEIGHBORS, avoidance::Chooser, boundary::MAX_WALLS, mover::Mover,
    right_of_way::RightOfWay,
};
use crate::geom::from_above::doubled_area;

/// Walls are avoided this fraction of the horizon ahead: they do not come closer by themselves.
const WALL_HORIZON: f32 = 0.2;
/// Time in which overlapping agents separate, in seconds. If it were shorter, separation would outweigh all other
/// avoidance.
const OVERLAP: f32 = 0.5;
/// Steps of the bisection.
const N_BISECTIONS: usize = 12;
/// Smaller lengths and sines count as zero.
const TINY: f32 = 1e-5;
/// Velocities this far outside a half-plane count as inside, in meters per second.
const TOLERANCE: f32 = 1e-4;
/// Share of the avoidance of an agent with the right of way. It does not insist when the other one cannot move.
const LITTLE: f32 = 0.15;
/// Agents prefer a velocity slightly to the right of the desired one, so that two that meet head-on pass each other.
const ASIDE: Vec2 = Vec2::new(0.998_75, 0.05);

/// The velocities `v` with `v · normal >= offset`.
#[derive(Clone, Copy, Debug)]
struct HalfPlane {
    normal: Vec2,
    offset: f32,
}

/// The velocities that an agent may choose.
#[derive(Clone, Debug)]
pub(super) struct Permitted {
    chooser: Chooser,
    priority: f32,
    /// How far ahead collisions are avoided, in seconds.
    horizon: f32,
    walls: ArrayVec<HalfPlane, MAX_WALLS>,
    neighbors: ArrayVec<HalfPlane, MAX_NEIGHBORS>,
}

impl Permitted {
    /// Permits all velocities.
    pub(super) fn new(chooser: Chooser, priority: f32, horizon: f32) -> Self {
        let (walls, neighbors) = (ArrayVec::new(), ArrayVec::new());
        let (priority, horizon) = (priority.max(0.0), horizon.max(TINY));
        Self { chooser, priority, horizon, walls, neighbors }
    }

    /// Forbids velocities that lead into a neighbor, up to six. Between agents of equal priority, the right of way counts.
    pub(super) fn add_neighbor(&mut self, neighbor: &Mover, right_of_way: RightOfWay) {
        let own = self.chooser.velocity.xz();
        let away = (neighbor.position - self.chooser.position).xz();
        let reach = self.chooser.radius + neighbor.radius;
        let current = neighbor.velocity.xz();
        let (share, velocity) = match neighbor.priority {
            // The neighbor does not avoid this agent.
            None => (1.0, current),
            Some(other) if (other - self.priority).abs() > 0.0 => {
                (other / (self.priority + other), current)
            }
            Some(_) => match right_of_way {
                RightOfWay::Shared => (0.5, current),
                RightOfWay::Own => (LITTLE, current),
                // It will move as it wants, as soon as it can.
                RightOfWay::Other => (1.0, neighbor.desired_velocity.xz()),
            },
        };
        let Some((normal, inside)) = self.way_out(own - velocity, away, reach) else {
            // Both have the same position and velocity, so no direction separates them.
            return;
        };
        let offset = normal.dot(own) + share * inside;
        // The capacity suffices for all neighbors.
        let _ = self.neighbors.try_push(HalfPlane { normal, offset });
    }

    /// Returns the direction of the smallest change that moves the relative velocity out of the forbidden cone, and the
    /// length of that change; negative if the velocity is outside.
    fn way_out(&self, relative: Vec2, away: Vec2, reach: f32) -> Option<(Vec2, f32)> {
        let distance_sqr = away.length_squared();
        let overlaps = distance_sqr <= reach * reach;
        let horizon = if overlaps { self.horizon.min(OVERLAP) } else { self.horizon };
        let from_center = relative - away / horizon;
        let ahead = from_center.dot(away);
        let is_before_circle =
            ahead < 0.0 && ahead * ahead > reach * reach * from_center.length_squared();
        if overlaps || is_before_circle {
            let length = from_center.length();
            let normal =
                if length > TINY { from_center / length } else { -away.try_normalize()? };
            return Some((normal, reach / horizon - length));
        }
        // The tangent on the side of the velocity, and the direction out of the cone.
        let tangent = (distance_sqr - reach * reach).sqrt();
        let is_left = away.perp_dot(from_center) > 0.0;
        let side = if is_left { reach } else { -reach };
        let leg = Vec2::new(away.x * tangent - away.y * side, away.x * side + away.y * tangent);
        let leg = leg / distance_sqr;
        let normal = if is_left { leg.perp() } else { -leg.perp() };
        Some((normal, -normal.dot(relative)))
    }

    /// Forbids velocities that lead through a wall that the agent is in front of.
    pub(super) fn add_wall(&mut self, [a, b]: [Vec3; 2]) {
        let position = self.chooser.position;
        let along = (b - a).xz();
        let is_behind = doubled_area(position, a, b) < 0.0;
        let Some(along) = along.try_normalize().filter(|_| !is_behind) else { return };
        let [a, b] = [a, b].map(|end| (end - position).xz());
        let front = Vec2::new(along.y, -along.x);
        let seconds = self.horizon * WALL_HORIZON;
        // The agent may stay in front of the wall, or pass one of its ends.
        let before = HalfPlane { normal: front, offset: front.dot(a) / seconds };
        let desired = self.chooser.desired_velocity.xz();
        let spare = |plane: &HalfPlane| plane.normal.dot(desired) - plane.offset;
        let mut best = before;
        for (end, inward) in [(a, along), (b, -along)] {
            let Some(end) = end.try_normalize() else { continue };
            let sine = end.perp().dot(inward);
            if sine.abs() < TINY {
                // Seen along the wall, both ends are in the same direction.
                continue;
            }
            let normal = if sine < 0.0 { end.perp() } else { -end.perp() };
            let beside = HalfPlane { normal, offset: 0.0 };
            if spare(&beside) > spare(&best) {
                best = beside;
            }
        }
        let _ = self.walls.try_push(best);
    }

    /// Chooses the permitted velocity nearest to the desired one. If there is none, neighbors are approached as little
    /// as possible, and walls are still avoided.
    pub(super) fn choose(&self) -> Vec3 {
        let desired = self.chooser.desired_velocity.xz();
        let desired = if self.neighbors.is_empty() { desired } else { ASIDE.rotate(desired) };
        let mut chosen = self.solve(desired, 0.0);
        if chosen.is_none() {
            // A velocity of zero is allowed by all walls.
            let most = self.neighbors.iter().map(|plane| plane.offset).fold(0.0, f32::max);
            let (mut low, mut high) = (0.0, most + TOLERANCE);
            for _ in 0..N_BISECTIONS {
                let middle = (low + high) * 0.5;
                if self.solve(desired, middle).is_some() { high = middle } else { low = middle }
            }
            chosen = self.solve(desired, high);
        }
        let Vec2 { x, y } = chosen.unwrap_or(Vec2::ZERO);
        Vec3::new(x, 0.0, y)
    }

    /// Returns the velocity nearest to `desired` that is in all half-planes, with those of neighbors moved outward by
    /// `slack`.
    fn solve(&self, desired: Vec2, slack: f32) -> Option<Vec2> {
        let neighbors = self.neighbors.iter().map(|plane| plane.offset - slack);
        let neighbors = self.neighbors.iter().zip(neighbors);
        let neighbors = neighbors.map(|(plane, offset)| HalfPlane { offset, ..*plane });
        let planes: ArrayVec<HalfPlane, { MAX_WALLS + MAX_NEIGHBORS }> =
            self.walls.iter().copied().chain(neighbors).collect();
        let fastest = self.chooser.max_speed;
        let mut best = desired.clamp_length_max(fastest);
        for (index, plane) in planes.iter().enumerate() {
            if plane.normal.dot(best) < plane.offset - TOLERANCE {
                best = nearest_on_border(plane, &planes[..index], desired, fastest)?;
            }
        }
        Some(best)
    }
}

/// Returns the velocity nearest to `desired` on the border of a half-plane that is in all `others` and not faster than
/// `fastest`.
fn nearest_on_border(
    plane: &HalfPlane,
    others: &[HalfPlane],
    desired: Vec2,
    fastest: f32,
) -> Option<Vec2> {
    let HalfPlane { normal, offset } = *plane;
    let half_sqr = fastest * fastest - offset * offset;
    if half_sqr < 0.0 {
        return None;
    }
    let (along, on_border) = (normal.perp(), normal * offset);
    let (mut low, mut high) = (-half_sqr.sqrt(), half_sqr.sqrt());
    for other in others {
        let slope = other.normal.dot(along);
        let missing = other.offset - other.normal.dot(on_border);
        if slope.abs() < TINY {
            if missing > TOLERANCE {
                return None;
            }
        } else if slope > 0.0 {
            low = low.max(missing / slope);
        } else {
            high = high.min(missing / slope);
        }
    }
    let is_possible = low <= high + TOLERANCE;
    is_possible.then(|| on_border + along * desired.dot(along).min(high).max(low))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::crowd::mover::PathAhead;

    const HORIZON: f32 = 2.5;
    const SECONDS: f32 = 0.05;

    #[derive(Clone, Copy, Debug)]
    struct Walker {
        position: Vec2,
        velocity: Vec2,
        desired: Vec2,
        radius: f32,
        priority: f32,
    }

    fn ground(Vec2 { x, y }: Vec2) -> Vec3 {
        Vec3::new(x, 0.0, y)
    }

    impl Walker {
        fn permitted(&self) -> Permitted {
            let chooser = Chooser {
                position: ground(self.position),
                radius: self.radius,
                max_speed: 3.5,
                velocity: ground(self.velocity),
                desired_velocity: ground(self.desired),
            };
            Permitted::new(chooser, self.priority, HORIZON)
        }

        fn add_to(&self, permitted: &mut Permitted) {
            permitted.add_neighbor(&self.body(), RightOfWay::Shared);
        }

        fn body(&self) -> Mover {
            Mover {
                position: ground(self.position),
                radius: self.radius,
                velocity: ground(self.velocity),
                desired_velocity: ground(self.desired),
                priority: Some(self.priority),
                path_ahead: PathAhead::default(),
            }
        }
    }

    fn vector(length: f32) -> impl Strategy<Value = Vec2> {
        [-1.0f32..1.0, -1.0f32..1.0].prop_map(move |[x, y]| Vec2::new(x, y) * length)
    }

    fn walker() -> impl Strategy<Value = Walker> {
        (vector(8.0), vector(2.4), vector(2.4), 0.2f32..0.6, 0.0f32..4.0).prop_map(
            |(position, velocity, desired, radius, priority)| Walker {
                position,
                velocity,
                desired,
                radius,
                priority,
            },
        )
    }

    /// Returns the smallest distance of two agents within the horizon if both keep their velocities.
    fn gap([a, b]: [&Walker; 2], [v, w]: [Vec2; 2]) -> f32 {
        let (away, relative) = (b.position - a.position, w - v);
        let time = -away.dot(relative) / relative.length_squared().max(1e-9);
        (away + relative * time.clamp(0.0, HORIZON)).length() - a.radius - b.radius
    }

    proptest! {
        /// Two agents that avoid each other do not collide within the horizon.
        #[test]
        fn two_agents_pass_each_other(a in walker(), b in walker()) {
            prop_assume!(a.position.distance(b.position) > a.radius + b.radius + 0.01);
            let choose = |own: &Walker, other: &Walker| {
                let mut permitted = own.permitted();
                other.add_to(&mut permitted);
                let is_possible = permitted.solve(own.desired, 0.0).is_some();
                (permitted.choose().xz(), is_possible)
            };
            let [(v, is_possible), (w, is_other_possible)] = [choose(&a, &b), choose(&b, &a)];
            prop_assert!(v.length() < 3.501 && w.length() < 3.501);
            if is_possible && is_other_possible {
                let gap = gap([&a, &b], [v, w]);
                prop_assert!(gap > -0.01, "{} m at {} and {}", gap, v, w);
            }
        }

        /// The chosen velocity is permitted, and no sampled one that is permitted is nearer to the desired one.
        #[test]
        fn the_nearest_permitted_velocity_is_chosen(
            own in walker(), others in prop::collection::vec(walker(), 1..6),
        ) {
            let mut permitted = own.permitted();
            for other in &others {
                other.add_to(&mut permitted);
            }
            let desired = ASIDE.rotate(own.desired);
            let Some(best) = permitted.solve(desired, 0.0) else { return Ok(()) };
            let lacks = |velocity: Vec2| {
                let lacks = permitted.neighbors.iter().map(|p| p.offset - p.normal.dot(velocity));
                lacks.fold(f32::MIN, f32::max)
            };
            prop_assert!(lacks(best) < 0.01, "{} lacks {}", best, lacks(best));
            for step in 0..900_u16 {
                let [x, y] = [step % 30, step / 30].map(|n| f32::from(n) * (7.0 / 29.0) - 3.5);
                let sample = Vec2::new(x, y);
                if sample.length() <= 3.5 && lacks(sample) < -0.01 {
                    prop_assert!(sample.distance(desired) > best.distance(desired) - 0.02);
                }
            }
        }

        /// Even in a crowd, an agent does not walk through a wall within one update.
        #[test]
        fn walls_are_never_crossed(
            own in walker(), others in prop::collection::vec(walker(), 0..6),
            ends in prop::collection::vec([vector(6.0), vector(6.0)], 1..8),
        ) {
            let mut permitted = own.permitted();
            for other in &others {
                other.add_to(&mut permitted);
            }
            // Walls have two sides, like the edges of a gap in the navmesh.
            for [a, b] in &ends {
                permitted.add_wall([ground(own.position + *a), ground(own.position + *b)]);
                permitted.add_wall([ground(own.position + *b), ground(own.position + *a)]);
            }
            let walls = permitted.walls.len();
            let step = permitted.choose().xz() * SECONDS;
            for [a, b] in ends.iter().take(walls) {
                let side = |point: Vec2| (*b - *a).perp_dot(point - *a);
                let crosses_line = side(Vec2::ZERO) * side(step) < 0.0;
                // A step may touch an end of a wall.
                let [x, y] = [*a, *b].map(|end| step.perp_dot(end));
                let crosses_step = x.min(y) < -1e-6 && x.max(y) > 1e-6;
                prop_assert!(!(crosses_line && crosses_step), "{} through {} to {}", step, a, b);
            }
        }
    }

    #[test]
    fn the_one_with_priority_does_less() {
        let walker = |x: f32, priority| Walker {
            position: Vec2::new(x, 0.0),
            velocity: Vec2::new(-x.signum(), 0.0),
            desired: Vec2::new(-x.signum(), 0.0),
            radius: 0.5,
            priority,
        };
        let (strong, weak) = (walker(-1.5, 3.0), walker(1.5, 1.0));
        let change = |own: &Walker, other: &Walker| {
            let mut permitted = own.permitted();
            other.add_to(&mut permitted);
            permitted.choose().xz().distance(own.velocity)
        };
        let [little, much] = [change(&strong, &weak), change(&weak, &strong)];
        assert!(little > 0.0 && much > 2.0 * little, "{little} {much}");
    }
}

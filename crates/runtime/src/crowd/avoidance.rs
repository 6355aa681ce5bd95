//! Local avoidance: samples velocities and chooses the one with the smallest penalty.
//!
//! A velocity is good if it is close to the desired and the current one, passes neighbors on the preferred side, and
//! causes no collision for a long time. Neighbors are assumed to do half of the avoiding.

use arrayvec::ArrayVec;
use glam::{Vec3, Vec4};
use serde::{Deserialize, Serialize};

use super::{agent::MAX_NEIGHBORS, boundary::MAX_WALLS};
use crate::geom::from_above::{doubled_area, nearest_on_segment};

/// Maximum number of directions of the adaptive pattern.
const MAX_DIVISIONS: u8 = 32;
/// Maximum number of rings of the adaptive pattern.
const MAX_RINGS: u8 = 4;
/// Maximum number of velocities of the adaptive pattern.
const MAX_PATTERN: usize = MAX_DIVISIONS as usize * MAX_RINGS as usize + 1;
/// Relative velocities with a smaller squared length cause no collision.
const STILL_SQR: f32 = 0.0001;
/// An agent closer than this to a wall touches it, in meters.
const TOUCH: f32 = 0.01;
/// Number of velocities that are evaluated together.
const LANES: usize = 4;

/// How velocities are sampled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sampling {
    /// Rings of decreasing size around the best velocity so far.
    #[default]
    Adaptive,
    /// A grid.
    Grid,
}

/// How an agent chooses a velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AvoidanceMethod {
    /// Samples velocities, as Detour does.
    #[default]
    Sampled,
    /// Solves a linear program: optimal reciprocal collision avoidance (ORCA). Of the other settings, only the horizon
    /// and the priority count; walls are avoided a fifth of the horizon ahead.
    Reciprocal,
}

/// Settings of obstacle avoidance. The default is Detour's.
///
/// Source: `dtObstacleAvoidanceParams`. Differs: `method` and `priority`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AvoidanceParams {
    /// Fraction of the desired velocity around which others are sampled.
    pub velocity_bias: f32,
    /// Penalty for deviating from the desired velocity.
    pub desired_velocity_weight: f32,
    /// Penalty for deviating from the current velocity.
    pub current_velocity_weight: f32,
    /// Penalty for passing neighbors on the wrong side.
    pub side_weight: f32,
    /// Penalty for an early collision.
    pub impact_weight: f32,
    /// How far ahead the agent looks, in seconds.
    pub horizon: f32,
    /// How velocities are sampled.
    pub sampling: Sampling,
    /// Number of velocities along a side of the grid.
    pub grid_size: u8,
    /// Number of directions of the adaptive pattern, 1 to 32.
    pub adaptive_divisions: u8,
    /// Number of rings of the adaptive pattern, 1 to 4.
    pub adaptive_rings: u8,
    /// Number of iterations of the adaptive pattern.
    pub adaptive_depth: u8,
    /// How a velocity is chosen; sampled by default.
    #[serde(default)]
    pub method: AvoidanceMethod,
    /// How little the agent gives way to others, 1 by default; only used by the method
    /// [`Reciprocal`](AvoidanceMethod::Reciprocal). Of two agents, the one with priority 3 does a quarter of the avoiding
    /// if the other has priority 1.
    #[serde(default = "usual_priority")]
    pub priority: f32,
}

fn usual_priority() -> f32 {
    AvoidanceParams::DEFAULT.priority
}

impl AvoidanceParams {
    const DEFAULT: Self = Self {
        velocity_bias: 0.4,
        desired_velocity_weight: 2.0,
        current_velocity_weight: 0.75,
        side_weight: 0.75,
        impact_weight: 2.5,
        horizon: 2.5,
        sampling: Sampling::Adaptive,
        grid_size: 33,
        adaptive_divisions: 7,
        adaptive_rings: 2,
        adaptive_depth: 5,
        method: AvoidanceMethod::Sampled,
        priority: 1.0,
    };

    /// The presets of RecastDemo from low quality, which tries 11 velocities, to high, which tries 66.
    pub const PRESETS: [Self; 4] = [
        Self::preset(5, 2, 1),
        Self::preset(5, 2, 2),
        Self::preset(7, 2, 3),
        Self::preset(7, 3, 3),
    ];

    /// Reciprocal avoidance with a horizon of 1.5 s.
    pub const RECIPROCAL: Self =
        Self { method: AvoidanceMethod::Reciprocal, horizon: 1.5, ..Self::DEFAULT };

    const fn preset(divisions: u8, rings: u8, depth: u8) -> Self {
        Self {
            velocity_bias: 0.5,
            adaptive_divisions: divisions,
            adaptive_rings: rings,
            adaptive_depth: depth,
            ..Self::DEFAULT
        }
    }
}

impl Default for AvoidanceParams {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The agent that chooses a velocity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chooser {
    pub(super) position: Vec3,
    pub(super) radius: f32,
    pub(super) max_speed: f32,
    pub(super) velocity: Vec3,
    pub(super) desired_velocity: Vec3,
}

/// A neighbor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mover {
    pub(super) position: Vec3,
    pub(super) radius: f32,
    pub(super) velocity: Vec3,
    pub(super) desired_velocity: Vec3,
}

/// A neighbor relative to the agent.
#[derive(Clone, Copy, Debug)]
struct Circle {
    velocity: Vec3,
    /// Its relative position.
    away: Vec3,
    /// Squared distance minus the squared sum of the radii; negative if both overlap.
    gap: f32,
    /// Direction toward it, and the perpendicular direction of the side on which it is passed.
    toward: Vec3,
    aside: Vec3,
}

/// A wall relative to the agent.
#[derive(Clone, Copy, Debug)]
struct Wall {
    along: Vec3,
    from_start: Vec3,
    is_touched: bool,
}

/// The obstacles that an agent avoids.
#[derive(Clone, Debug)]
pub(super) struct Obstacles {
    chooser: Chooser,
    circles: ArrayVec<Circle, MAX_NEIGHBORS>,
    walls: ArrayVec<Wall, MAX_WALLS>,
}

impl Obstacles {
    /// Creates an empty set.
    pub(super) fn new(chooser: Chooser) -> Self {
        Self { chooser, circles: ArrayVec::new(), walls: ArrayVec::new() }
    }

    /// Adds a neighbor, up to six.
    pub(super) fn add_mover(&mut self, mover: &Mover) {
        let Chooser { position, radius, desired_velocity, .. } = self.chooser;
        let away = mover.position - position;
        let reach = radius + mover.radius;
        // NaN if both are at the same position.
        let toward = away * (1.0 / away.length());
        let apart = mover.desired_velocity - desired_velocity;
        let is_left = doubled_area(Vec3::ZERO, toward, apart) < 0.01;
        let aside = if is_left {
            Vec3::new(-toward.z, 0.0, toward.x)
        } else {
            Vec3::new(toward.z, 0.0, -toward.x)
        };
        let gap = flat_dot(away, away) - reach * reach;
        // The capacity suffices for all neighbors.
        let _ =
            self.circles.try_push(Circle { velocity: mover.velocity, away, gap, toward, aside });
    }

    /// Adds a wall that the agent is in front of.
    pub(super) fn add_wall(&mut self, [a, b]: [Vec3; 2]) {
        let position = self.chooser.position;
        let is_behind = doubled_area(position, a, b) < 0.0;
        if !is_behind {
            let is_touched = nearest_on_segment(position, a, b).distance_sqr < TOUCH * TOUCH;
            let wall = Wall { along: b - a, from_start: position - a, is_touched };
            let _ = self.walls.try_push(wall);
        }
    }

    /// Chooses a velocity.
    pub(super) fn choose(&self, avoidance: &Avoidance) -> Vec3 {
        let trial = Trial::new(self, avoidance);
        match avoidance.params.sampling {
            Sampling::Adaptive => trial.adaptive(),
            Sampling::Grid => trial.grid(),
        }
    }
}

/// Settings of obstacle avoidance with precomputed values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avoidance {
    params: AvoidanceParams,
    /// The rotation from one direction of the pattern to the next.
    turn: Turn,
    half_turn: Turn,
}

impl Avoidance {
    pub(super) fn params(&self) -> &AvoidanceParams {
        &self.params
    }

    pub(super) fn new(params: &AvoidanceParams) -> Self {
        let n_divisions = params.adaptive_divisions.clamp(1, MAX_DIVISIONS);
        let angle = (1.0 / f32::from(n_divisions)) * std::f32::consts::PI * 2.0;
        Self { params: *params, turn: Turn::by(angle), half_turn: Turn::by(angle * 0.5) }
    }
}

/// A search for a velocity.
struct Trial<'a> {
    obstacles: &'a Obstacles,
    avoidance: &'a Avoidance,
    params: &'a AvoidanceParams,
    per_horizon: f32,
    per_speed: f32,
    /// A candidate is rejected if the difference between the limit and its own penalties is smaller than this.
    least_rest: f32,
}

impl<'a> Trial<'a> {
    fn new(obstacles: &'a Obstacles, avoidance: &'a Avoidance) -> Self {
        let params = &avoidance.params;
        let speed = obstacles.chooser.max_speed;
        Self {
            obstacles,
            avoidance,
            params,
            per_horizon: 1.0 / params.horizon,
            per_speed: if speed > 0.0 { 1.0 / speed } else { f32::MAX },
            least_rest: if params.impact_weight > 0.01
                && params.side_weight >= 0.0
                && params.horizon > 0.0
            {
                // An impact at the horizon alone costs slightly more than this.
                params.impact_weight / 1.1 * 0.999
            } else {
                f32::NEG_INFINITY
            },
        }
    }

    /// Source: `dtObstacleAvoidanceQuery::sampleVelocityGrid`.
    fn grid(&self) -> Vec3 {
        let Chooser { max_speed, desired_velocity, .. } = self.obstacles.chooser;
        let bias = self.params.velocity_bias;
        let [center_x, center_z] = [desired_velocity.x * bias, desired_velocity.z * bias];
        let n = self.params.grid_size;
        let n_gaps = f32::from(n) - 1.0;
        let step = max_speed * 2.0 * (1.0 - bias) / n_gaps;
        let half = n_gaps * step * 0.5;
        let mut best = Best::NONE;
        for z in 0..n {
            let z = center_z + f32::from(z) * step - half;
            for first in (0..n).step_by(LANES) {
                let x = Vec4::splat(f32::from(first)) + Vec4::new(0.0, 1.0, 2.0, 3.0);
                let x = center_x + x * step - half;
                let n = usize::from(n - first).min(LANES);
                self.try_some(Block { x, z: Vec4::splat(z), n }, max_speed + step / 2.0, &mut best);
            }
        }
        self.finish(&mut best);
        let [x, z] = best.velocity;
        Vec3::new(x, 0.0, z)
    }

    /// Source: `dtObstacleAvoidanceQuery::sampleVelocityAdaptive`.
    fn adaptive(&self) -> Vec3 {
        let Chooser { max_speed, desired_velocity, .. } = self.obstacles.chooser;
        let pattern = Pattern::new(self.avoidance, desired_velocity);
        let bias = self.params.velocity_bias;
        let mut reach = max_speed * (1.0 - bias);
        let mut center = [desired_velocity.x * bias, desired_velocity.z * bias];
        for _ in 0..self.params.adaptive_depth {
            let mut best = Best::NONE;
            for Block { x, z, n } in pattern.blocks() {
                let block = Block { x: center[0] + x * reach, z: center[1] + z * reach, n };
                self.try_some(block, max_speed + 0.001, &mut best);
            }
            self.finish(&mut best);
            center = best.velocity;
            reach *= 0.5;
        }
        Vec3::new(center[0], 0.0, center[1])
    }

    /// Samples the velocities of a block that are not faster than `fastest`.
    fn try_some(&self, Block { x, z, n }: Block, fastest: f32, best: &mut Best) {
        let is_too_fast = (x * x + z * z).cmpgt(Vec4::splat(fastest * fastest));
        let AvoidanceParams { desired_velocity_weight, current_velocity_weight, .. } = *self.params;
        let away_from = |other: Vec3| {
            let (dx, dz) = (other.x - x, other.z - z);
            (dx * dx + dz * dz).sqrt() * self.per_speed
        };
        let Chooser { velocity, desired_velocity, .. } = self.obstacles.chooser;
        let desired = desired_velocity_weight * away_from(desired_velocity);
        let current = current_velocity_weight * away_from(velocity);
        let rest = best.penalty - desired - current;
        let is_out = is_too_fast | rest.cmplt(Vec4::splat(self.least_rest));
        let mut left = !is_out.bitmask() & ((1 << n) - 1);
        let [x, z, desired, current] = [x, z, desired, current].map(|lanes| lanes.to_array());
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            let velocity = [x[lane], z[lane]];
            let candidate = Candidate { velocity, desired: desired[lane], current: current[lane] };
            best.batch.push(candidate);
            if best.batch.is_full() {
                self.finish(best);
            }
        }
    }

    /// The time of impact below which a candidate cannot be better than `limit`; `None` if it cannot be better at all.
    fn soonest_impact(&self, candidate: &Candidate, limit: f32) -> Option<f32> {
        let AvoidanceParams { impact_weight, horizon, .. } = *self.params;
        let rest = limit - candidate.desired - candidate.current;
        let soonest = (impact_weight / rest - 0.1) * horizon;
        let is_too_bad = soonest - horizon > -f32::EPSILON;
        (!is_too_bad).then_some(soonest)
    }

    /// Updates `best` with the pending candidates, if one of them is better. Among equals the first one wins; if all
    /// penalties are NaN, none does.
    fn finish(&self, best: &mut Best) {
        let batch = std::mem::take(&mut best.batch);
        let Some(first) = batch.first() else { return };
        let lane = |lane: usize| batch.get(lane).unwrap_or(first).velocity;
        let lanes = [lane(0), lane(1), lane(2), lane(3)];
        let (impacts, sides) = self.run_into(lanes);
        let AvoidanceParams { side_weight, impact_weight, .. } = *self.params;
        for ((candidate, impact), side) in batch.iter().zip(impacts).zip(sides) {
            let soonest = self.soonest_impact(candidate, best.penalty);
            let is_too_soon = soonest.is_none_or(|soonest| impact < soonest);
            if is_too_soon {
                continue;
            }
            let side = side_weight * side;
            let impact = impact_weight * (1.0 / (0.1 + impact * self.per_horizon));
            let penalty = candidate.desired + candidate.current + side + impact;
            if penalty < best.penalty {
                (best.velocity, best.penalty) = (candidate.velocity, penalty);
            }
        }
    }

    /// Computes the time of impact of each velocity, at most the horizon, and the penalty for the wrong side of
    /// neighbors.
    fn run_into(&self, velocities: [[f32; 2]; LANES]) -> ([f32; LANES], [f32; LANES]) {
        let Obstacles { chooser, circles, walls } = self.obstacles;
        let [x, z] = [0, 1].map(|axis| Vec4::from_array(velocities.map(|one| one[axis])));
        let mut impact = Vec4::splat(self.params.horizon);
        let mut side = Vec4::ZERO;
        for circle in circles {
            // The neighbor is assumed to do half of the avoiding.
            let rx = x * 2.0 - chooser.velocity.x - circle.velocity.x;
            let rz = z * 2.0 - chooser.velocity.z - circle.velocity.z;
            side += circle.side(rx, rz);
            impact = circle.impact(rx, rz, impact);
        }
        for wall in walls {
            impact = wall.impact(x, z, impact);
        }
        if !circles.is_empty() {
            side /= small_f32(circles.len());
        }
        (impact.to_array(), side.to_array())
    }
}

/// A velocity and its penalties without any obstacle.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    velocity: [f32; 2],
    desired: f32,
    current: f32,
}

/// Velocities that are evaluated together: the first `n` lanes.
#[derive(Clone, Copy, Debug)]
struct Block {
    x: Vec4,
    z: Vec4,
    n: usize,
}

/// The best velocity so far, and the pending candidates.
struct Best {
    velocity: [f32; 2],
    penalty: f32,
    batch: ArrayVec<Candidate, LANES>,
}

impl Best {
    const NONE: Self = Self { velocity: [0.0; 2], penalty: f32::MAX, batch: ArrayVec::new_const() };
}

// The following functions evaluate several velocities together. Comparisons are written so that NaN propagates.
impl Circle {
    /// How far relative velocities lead to the wrong side of it, 0 to 1.
    fn side(&self, x: Vec4, z: Vec4) -> Vec4 {
        let ahead = (x * self.toward.x + z * self.toward.z) * 0.5 + 0.5;
        let aside = (x * self.aside.x + z * self.aside.z) * 2.0;
        let least = Vec4::select(ahead.cmplt(aside), ahead, aside);
        let at_most_1 = Vec4::select(least.cmpgt(Vec4::ONE), Vec4::ONE, least);
        Vec4::select(least.cmplt(Vec4::ZERO), Vec4::ZERO, at_most_1)
    }

    /// Time of impact with relative velocities, at most `before`.
    fn impact(&self, x: Vec4, z: Vec4, before: Vec4) -> Vec4 {
        let speed_sqr = x * x + z * z;
        let b = x * self.away.x + z * self.away.z;
        let d = b * b - speed_sqr * self.gap;
        let is_missed = speed_sqr.cmplt(Vec4::splat(STILL_SQR)) | d.cmplt(Vec4::ZERO);
        let per_speed_sqr = 1.0 / speed_sqr;
        let root = d.sqrt();
        let (enters, leaves) = ((b - root) * per_speed_sqr, (b + root) * per_speed_sqr);
        // While both overlap, the velocity that separates them earlier is better.
        let overlaps = enters.cmplt(Vec4::ZERO) & leaves.cmpgt(Vec4::ZERO);
        let enters = Vec4::select(overlaps, -enters * 0.5, enters);
        let is_hit = enters.cmpge(Vec4::ZERO) & enters.cmplt(before) & !is_missed;
        Vec4::select(is_hit, enters, before)
    }
}

impl Wall {
    /// Time of impact, doubled for walls, at most `before`.
    fn impact(&self, x: Vec4, z: Vec4, before: Vec4) -> Vec4 {
        let Self { along, from_start, is_touched } = *self;
        if is_touched {
            let leads_away = (x * -along.z + z * along.x).cmplt(Vec4::ZERO);
            let is_hit = Vec4::ZERO.cmplt(before) & !leads_away;
            return Vec4::select(is_hit, Vec4::ZERO, before);
        }
        let d = z * along.x - x * along.z;
        let is_parallel = d.abs().cmplt(Vec4::splat(1e-6));
        let per_d = 1.0 / d;
        let t = per_d * (along.z * from_start.x - along.x * from_start.z);
        let s = (z * from_start.x - x * from_start.z) * per_d;
        let is_beside = |t: Vec4| t.cmplt(Vec4::ZERO) | t.cmpgt(Vec4::ONE);
        let impact = t * 2.0;
        let is_hit = impact.cmplt(before) & !(is_parallel | is_beside(t) | is_beside(s));
        Vec4::select(is_hit, impact, before)
    }
}

/// Points within a circle of radius 1: its center and points on rings, from the desired direction to both sides.
struct Pattern {
    places: ArrayVec<[f32; 2], MAX_PATTERN>,
}

impl Pattern {
    /// Differs: for an even number of divisions, Detour leaves the last point of each ring uninitialized, so that its
    /// result depends on the memory contents; here it is the point opposite the first.
    fn new(avoidance: &Avoidance, desired_velocity: Vec3) -> Self {
        let Avoidance { params, turn, half_turn } = avoidance;
        let n_divisions = params.adaptive_divisions.clamp(1, MAX_DIVISIONS);
        let n_rings = params.adaptive_rings.clamp(1, MAX_RINGS);
        let ahead = flat_direction(desired_velocity);
        // Every other ring is turned by half a division.
        let starts = [ahead, half_turn.left(ahead)];
        let mut places = ArrayVec::new();
        places.push([0.0, 0.0]);
        for ring in 0..n_rings {
            let radius = f32::from(n_rings - ring) / f32::from(n_rings);
            let first = starts[usize::from(ring % 2)].map(|along| along * radius);
            places.push(first);
            let [mut right, mut left] = [first; 2];
            for _ in 0..(n_divisions.saturating_sub(1)) / 2 {
                right = turn.right(right);
                left = turn.left(left);
                places.extend([right, left]);
            }
            if n_divisions.is_multiple_of(2) {
                places.push(turn.left(left));
            }
        }
        Self { places }
    }

    fn blocks(&self) -> impl Iterator<Item = Block> {
        self.places.chunks(LANES).map(|places| {
            let place = |lane: usize| places.get(lane).copied().unwrap_or([0.0; 2]);
            let lanes = [place(0), place(1), place(2), place(3)];
            let [x, z] = [0, 1].map(|axis| Vec4::from_array(lanes.map(|place| place[axis])));
            Block { x, z, n: places.len() }
        })
    }
}

/// A rotation, seen from above.
#[derive(Clone, Copy, Debug)]
struct Turn {
    cos: f32,
    sin: f32,
}

impl Turn {
    /// Rotates by an angle, with the functions of the C library, like Detour.
    fn by(angle: f32) -> Self {
        let (sin, cos) = angle.sin_cos();
        Self { cos, sin }
    }

    fn left(self, [x, z]: [f32; 2]) -> [f32; 2] {
        [x * self.cos - z * self.sin, x * self.sin + z * self.cos]
    }

    fn right(self, [x, z]: [f32; 2]) -> [f32; 2] {
        [x * self.cos + z * self.sin, -x * self.sin + z * self.cos]
    }
}

/// Direction of a vector seen from above; zero if it has none.
fn flat_direction(vector: Vec3) -> [f32; 2] {
    let length = (vector.x * vector.x + vector.z * vector.z).sqrt();
    if length == 0.0 {
        return [vector.x, vector.z];
    }
    let per_length = 1.0 / length;
    [vector.x * per_length, vector.z * per_length]
}

fn flat_dot(a: Vec3, b: Vec3) -> f32 {
    a.x * b.x + a.z * b.z
}

#[expect(clippy::cast_precision_loss, reason = "there are no more than six")]
fn small_f32(n: usize) -> f32 {
    n as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_have_a_middle_and_rings() {
        let lengths = |divisions, rings| {
            let params = AvoidanceParams {
                adaptive_divisions: divisions,
                adaptive_rings: rings,
                ..AvoidanceParams::default()
            };
            let pattern = Pattern::new(&Avoidance::new(&params), Vec3::new(3.0, 1.0, 4.0));
            let length = |[x, z]: [f32; 2]| (x * x + z * z).sqrt();
            assert!(length(pattern.places[0]) < f32::MIN_POSITIVE);
            pattern.places.iter().map(|&place| length(place)).collect::<Vec<_>>()
        };
        assert_eq!(lengths(7, 3).len(), 22);
        assert_eq!(lengths(8, 1).len(), 9);
        assert_eq!(lengths(32, 4).len(), MAX_PATTERN);
        assert_eq!((lengths(0, 0).len(), lengths(255, 255).len()), (2, MAX_PATTERN));
        assert!(lengths(7, 2)[8..].iter().all(|length| (length - 0.5).abs() < 1e-5));
    }
}

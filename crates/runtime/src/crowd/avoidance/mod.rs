//! Local avoidance: samples velocities and chooses the one with the smallest penalty.
//!
//! A velocity is good if it is close to the desired and the current one, passes neighbors on the preferred side, and
//! causes no collision for a long time. Neighbors are assumed to do half of the avoiding.

use glam::{Vec3, Vec4};

mod params;

pub use params::{AvoidanceMethod, AvoidanceParams, Sampling};

use super::{agent::MAX_NEIGHBORS, boundary::MAX_WALLS, mover::Mover};
use crate::geom::from_above::{doubled_area, nearest_on_segment};

/// Maximum number of directions of the adaptive pattern.
const MAX_DIVISIONS: u8 = 32;
/// Maximum number of rings of the adaptive pattern.
const MAX_RINGS: u8 = 4;
/// Relative velocities with a smaller squared length cause no collision.
const STILL_SQR: f32 = 0.0001;
/// An agent closer than this to a wall touches it, in meters.
const TOUCH: f32 = 0.01;
/// Number of velocities that are evaluated together.
const LANES: usize = 4;
/// The number of each lane.
const LANE: Vec4 = Vec4::new(0.0, 1.0, 2.0, 3.0);
/// All lanes, one bit each.
const ALL_LANES: u32 = (1 << LANES) - 1;

/// A velocity that an agent considered, with its penalties. The velocity with the smallest sum is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VelocitySample {
    /// The velocity, in meters per second.
    pub velocity: Vec3,
    /// Half the distance to the next samples, in meters per second, to draw it.
    pub half_size: f32,
    /// Penalty for deviating from the desired velocity.
    pub desired: f32,
    /// Penalty for deviating from the current velocity.
    pub current: f32,
    /// Penalty for passing neighbors on the wrong side.
    pub side: f32,
    /// Penalty for an early collision.
    pub impact: f32,
}

impl VelocitySample {
    /// Returns the sum of the penalties.
    pub fn penalty(&self) -> f32 {
        self.desired + self.current + self.side + self.impact
    }
}

/// The agent that chooses a velocity.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chooser {
    pub(super) position: Vec3,
    pub(super) radius: f32,
    pub(super) max_speed: f32,
    pub(super) velocity: Vec3,
    pub(super) desired_velocity: Vec3,
}

/// A vector seen from above, repeated for each lane: x, then z.
type Flat = [Vec4; 2];

/// A neighbor relative to the agent.
#[derive(Clone, Copy, Debug, Default)]
struct Circle {
    velocity: Flat,
    /// Position of the neighbor relative to the agent.
    away: Flat,
    /// Squared distance minus the squared sum of the radii; negative if both overlap.
    gap: Vec4,
    /// Direction toward the neighbor, and the perpendicular direction of the side on which it is passed.
    toward: Flat,
    aside: Flat,
}

/// A wall relative to the agent.
#[derive(Clone, Copy, Debug, Default)]
struct Wall {
    along: Flat,
    from_start: Flat,
    is_touched: bool,
}

/// The obstacles that an agent avoids. They are written in place, because they are large.
#[derive(Clone, Debug, Default)]
pub(super) struct Obstacles {
    chooser: Chooser,
    circles: [Circle; MAX_NEIGHBORS],
    n_circles: usize,
    walls: [Wall; MAX_WALLS],
    n_walls: usize,
}

impl Obstacles {
    /// Removes all obstacles, for another agent.
    pub(super) fn reset(&mut self, chooser: Chooser) {
        self.chooser = chooser;
        (self.n_circles, self.n_walls) = (0, 0);
    }

    fn circles(&self) -> &[Circle] {
        &self.circles[..self.n_circles.min(MAX_NEIGHBORS)]
    }

    fn walls(&self) -> &[Wall] {
        &self.walls[..self.n_walls.min(MAX_WALLS)]
    }

    /// Adds a neighbor, up to six.
    pub(super) fn add_mover(&mut self, mover: &Mover) {
        let Chooser { position, radius, desired_velocity, .. } = self.chooser;
        let Some(circle) = self.circles.get_mut(self.n_circles) else { return };
        self.n_circles += 1;
        let away = mover.position - position;
        let reach = radius + mover.radius;
        // NaN if both are at the same position.
        let toward = away * (1.0 / away.length());
        let apart = mover.desired_velocity - desired_velocity;
        let is_left = doubled_area(Vec3::ZERO, toward, apart) < 0.01;
        // The side is unpredictable, so no code branches on it.
        let side = if is_left { 1.0 } else { -1.0 };
        let aside = Vec3::new(-toward.z, 0.0, toward.x) * side;
        circle.velocity = flat(mover.velocity);
        circle.away = flat(away);
        circle.gap = Vec4::splat(flat_dot(away, away) - reach * reach);
        circle.toward = flat(toward);
        circle.aside = flat(aside);
    }

    /// Adds a wall that the agent is in front of, up to eight.
    pub(super) fn add_wall(&mut self, [a, b]: [Vec3; 2]) {
        let position = self.chooser.position;
        let Some(wall) = self.walls.get_mut(self.n_walls) else { return };
        wall.along = flat(b - a);
        wall.from_start = flat(position - a);
        wall.is_touched = nearest_on_segment(position, a, b).distance_sqr < TOUCH * TOUCH;
        // Not a branch, because the processor could not predict it.
        let is_behind = doubled_area(position, a, b) < 0.0;
        self.n_walls += usize::from(!is_behind);
    }

    /// Chooses a velocity; `pattern` is memory that is reused.
    pub(super) fn choose(&self, avoidance: &Avoidance, pattern: &mut Pattern) -> Vec3 {
        let trial = Trial::new(self, avoidance);
        match avoidance.params.sampling {
            Sampling::Adaptive => trial.adaptive(pattern),
            Sampling::Grid => trial.grid(),
        }
    }

    /// Evaluates all velocities that [`choose`](Self::choose) considers, completely and one after the other. Returns them
    /// in order, and the chosen one.
    pub(super) fn samples(&self, avoidance: &Avoidance) -> (Vec<VelocitySample>, Vec3) {
        let trial = Trial::new(self, avoidance);
        let mut samples = Vec::new();
        let chosen = match avoidance.params.sampling {
            Sampling::Adaptive => trial.adaptive_samples(&mut samples),
            Sampling::Grid => trial.grid_samples(&mut samples),
        };
        (samples, chosen)
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

/// The grid of velocities that [`Sampling::Grid`] evaluates.
struct VelocityGrid {
    /// Number of velocities along a side.
    n: u8,
    center: [f32; 2],
    /// Distance between two velocities, in meters per second.
    step: f32,
    /// Half the side of the grid, in meters per second.
    half: f32,
    /// Velocities faster than this are not evaluated, in meters per second.
    fastest: f32,
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

    fn velocity_grid(&self) -> VelocityGrid {
        let Chooser { max_speed, desired_velocity, .. } = self.obstacles.chooser;
        let bias = self.params.velocity_bias;
        let n = self.params.grid_size;
        let n_gaps = f32::from(n) - 1.0;
        let step = max_speed * 2.0 * (1.0 - bias) / n_gaps;
        VelocityGrid {
            n,
            center: [desired_velocity.x * bias, desired_velocity.z * bias],
            step,
            half: n_gaps * step * 0.5,
            fastest: max_speed + step / 2.0,
        }
    }

    /// Source: `dtObstacleAvoidanceQuery::sampleVelocityGrid`.
    fn grid(&self) -> Vec3 {
        let VelocityGrid { n, center: [center_x, center_z], step, half, fastest } =
            self.velocity_grid();
        let mut best = BestVelocity::NONE;
        for z in 0..n {
            let z = center_z + f32::from(z) * step - half;
            for first in (0..n).step_by(LANES) {
                let x = Vec4::splat(f32::from(first)) + LANE;
                let x = center_x + x * step - half;
                let n = usize::from(n - first).min(LANES);
                self.try_some([x, Vec4::splat(z)], n, fastest, &mut best);
            }
        }
        self.finish(&mut best);
        let [x, z] = best.velocity;
        Vec3::new(x, 0.0, z)
    }

    /// Source: `dtObstacleAvoidanceQuery::sampleVelocityAdaptive`.
    fn adaptive(&self, pattern: &mut Pattern) -> Vec3 {
        let Chooser { max_speed, desired_velocity, .. } = self.obstacles.chooser;
        pattern.prepare(self.avoidance, desired_velocity);
        let n = usize::from(pattern.n_divisions);
        let bias = self.params.velocity_bias;
        let mut reach = max_speed * (1.0 - bias);
        let mut center = [desired_velocity.x * bias, desired_velocity.z * bias];
        let mut best = BestVelocity::NONE;
        for _ in 0..self.params.adaptive_depth {
            // The first velocity of the pattern is the best velocity so far, whose penalty is known.
            let is_known = best.penalty < f32::MAX && reach.is_finite();
            if is_known {
                best.velocity = center.map(|place| place + 0.0 * reach);
            } else {
                best = BestVelocity::NONE;
                let middle = center.map(|place| Vec4::splat(place + 0.0 * reach));
                self.try_some(middle, 1, max_speed + 0.001, &mut best);
            }
            let around = self.around(center, reach);
            for index in 0..usize::from(pattern.n_rings) {
                let radius = pattern.rings[index].radius * pattern.length;
                if around.is_out(radius * reach, best.penalty) {
                    continue;
                }
                let mut n_left = n;
                for [x, z] in pattern.ring(index).blocks(n) {
                    let velocities = [center[0] + x * reach, center[1] + z * reach];
                    self.try_some(velocities, n_left.min(LANES), max_speed + 0.001, &mut best);
                    n_left = n_left.saturating_sub(LANES);
                }
            }
            self.finish(&mut best);
            center = best.velocity;
            reach *= 0.5;
        }
        Vec3::new(center[0], 0.0, center[1])
    }

    /// Adds the velocities of [`grid`](Self::grid); returns the chosen one.
    fn grid_samples(&self, samples: &mut Vec<VelocitySample>) -> Vec3 {
        let VelocityGrid { n, center: [center_x, center_z], step, half, fastest } =
            self.velocity_grid();
        let mut best = BestVelocity::NONE;
        for z in 0..n {
            let z = center_z + f32::from(z) * step - half;
            for x in 0..n {
                let x = center_x + f32::from(x) * step - half;
                self.sample([x, z], fastest, step * 0.5, &mut best, samples);
            }
        }
        Vec3::new(best.velocity[0], 0.0, best.velocity[1])
    }

    /// Adds the velocities of [`adaptive`](Self::adaptive); returns the chosen one.
    fn adaptive_samples(&self, samples: &mut Vec<VelocitySample>) -> Vec3 {
        let Chooser { max_speed, desired_velocity, .. } = self.obstacles.chooser;
        let mut pattern = Pattern::default();
        pattern.prepare(self.avoidance, desired_velocity);
        let mut places = vec![[0.0; 2]];
        for index in 0..usize::from(pattern.n_rings) {
            let n = usize::from(pattern.n_divisions);
            let ring = pattern.ring(index);
            places.extend(ring.x.iter().zip(&ring.z).take(n).map(|(&x, &z)| [x, z]));
        }
        let bias = self.params.velocity_bias;
        let mut reach = max_speed * (1.0 - bias);
        let mut center = [desired_velocity.x * bias, desired_velocity.z * bias];
        for _ in 0..self.params.adaptive_depth {
            let mut best = BestVelocity::NONE;
            let half_size = reach * 0.5 / f32::from(pattern.n_rings);
            for [x, z] in &places {
                let velocity = [center[0] + x * reach, center[1] + z * reach];
                self.sample(velocity, max_speed + 0.001, half_size, &mut best, samples);
            }
            center = best.velocity;
            reach *= 0.5;
        }
        Vec3::new(center[0], 0.0, center[1])
    }

    /// Evaluates one velocity, unless it is faster than `fastest`, and updates `best` as [`finish`](Self::finish) does.
    fn sample(
        &self,
        [x, z]: [f32; 2],
        fastest: f32,
        half_size: f32,
        best: &mut BestVelocity,
        samples: &mut Vec<VelocitySample>,
    ) {
        if x * x + z * z > fastest * fastest {
            return;
        }
        let AvoidanceParams { side_weight, impact_weight, horizon, .. } = *self.params;
        let Chooser { velocity, desired_velocity, .. } = self.obstacles.chooser;
        let away_from = |other: Vec3| {
            let (dx, dz) = (other.x - x, other.z - z);
            (dx * dx + dz * dz).sqrt() * self.per_speed
        };
        let lanes = [Vec4::splat(x), Vec4::splat(z)];
        // No impact is too soon, so there is a result.
        let impact = self.impacts(lanes, Vec4::NEG_INFINITY, 0);
        let time = impact.map_or(horizon, |(time, _)| time.x);
        let sample = VelocitySample {
            velocity: Vec3::new(x, 0.0, z),
            half_size,
            desired: self.params.desired_velocity_weight * away_from(desired_velocity),
            current: self.params.current_velocity_weight * away_from(velocity),
            side: side_weight * self.sides(lanes).x,
            impact: impact_weight * (1.0 / (0.1 + time * self.per_horizon)),
        };
        samples.push(sample);
        let soonest = self.soonest_impact(sample.desired, sample.current, best.penalty);
        let is_soon_enough = soonest.is_some_and(|soonest| time >= soonest);
        if is_soon_enough && sample.penalty() < best.penalty {
            (best.velocity, best.penalty) = ([x, z], sample.penalty());
        }
    }

    /// Prepares to reject whole rings around `center`.
    fn around(&self, [x, z]: [f32; 2], reach: f32) -> Around {
        let AvoidanceParams { desired_velocity_weight, current_velocity_weight, .. } = *self.params;
        let Chooser { velocity, desired_velocity, .. } = self.obstacles.chooser;
        let distance = |other: Vec3| {
            let (dx, dz) = (other.x - x, other.z - z);
            (dx * dx + dz * dz).sqrt()
        };
        let [to_desired, to_current] = [distance(desired_velocity), distance(velocity)];
        let speed = x.abs() + z.abs();
        let weights = [desired_velocity_weight, current_velocity_weight];
        Around {
            to_desired,
            to_current,
            weights: weights.map(|weight| weight * self.per_speed * 0.999),
            // Larger than any rounding error.
            slack: (to_desired + to_current + speed + reach) * 1e-4,
            least_rest: if weights.iter().all(|&weight| weight >= 0.0) && self.per_speed < 1e6 {
                self.least_rest
            } else {
                f32::NEG_INFINITY
            },
        }
    }

    /// Samples the first `n` of these velocities, except those faster than `fastest`.
    #[inline]
    fn try_some(&self, [x, z]: Flat, n: usize, fastest: f32, best: &mut BestVelocity) {
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
        let kept = !is_out.bitmask() & ((1 << n) - 1);
        if kept == 0 {
            return;
        }
        best.pending.add([x, z, desired, current].map(|lanes| lanes.to_array()), kept);
        if best.pending.n >= LANES {
            self.finish(best);
        }
    }

    /// Returns the time of impact below which a candidate cannot be better than `limit`; `None` if it cannot be better
    /// at all.
    fn soonest_impact(&self, desired: f32, current: f32, limit: f32) -> Option<f32> {
        let AvoidanceParams { impact_weight, horizon, .. } = *self.params;
        let rest = limit - desired - current;
        let soonest = (impact_weight / rest - 0.1) * horizon;
        let is_too_bad = soonest - horizon > -f32::EPSILON;
        (!is_too_bad).then_some(soonest)
    }

    /// Updates `best` with the first four pending candidates, if one of them is better. Among equals the first one
    /// wins; if all penalties are NaN, none does.
    fn finish(&self, best: &mut BestVelocity) {
        let n = best.pending.n.min(LANES);
        if n == 0 {
            return;
        }
        let [x, z, desired, current] = best.pending.take_four();
        let AvoidanceParams { side_weight, impact_weight, horizon, .. } = *self.params;
        let rest = best.penalty - desired - current;
        let soonest = (impact_weight / rest - 0.1) * horizon;
        let is_too_bad = (soonest - horizon).cmpgt(Vec4::splat(-f32::EPSILON)).bitmask();
        let out = is_too_bad | !((1 << n) - 1);
        let Some((impact, out)) = self.impacts([x, z], soonest, out) else { return };
        let side = side_weight * self.sides([x, z]);
        let impact_penalty = impact_weight * (1.0 / (0.1 + impact * self.per_horizon));
        let penalty = desired + current + side + impact_penalty;
        let mut better = !out & penalty.cmplt(Vec4::splat(best.penalty)).bitmask();
        // Indexing the vectors would compile to a jump table, which the processor could not predict.
        let [x, z, desired, current] = [x, z, desired, current].map(|lanes| lanes.to_array());
        let [impact, penalty] = [impact, penalty].map(|lanes| lanes.to_array());
        let mut is_first = true;
        while better != 0 {
            let lane = better.trailing_zeros() as usize % LANES;
            better &= better - 1;
            // The limit has changed since the time of impact was checked.
            let is_too_soon = !is_first
                && self
                    .soonest_impact(desired[lane], current[lane], best.penalty)
                    .is_none_or(|soonest| impact[lane] < soonest);
            if !is_too_soon && penalty[lane] < best.penalty {
                (best.velocity, best.penalty) = ([x[lane], z[lane]], penalty[lane]);
                is_first = false;
            }
        }
    }

    /// Computes the time of impact of each velocity, at most the horizon, and adds to `out` the lanes in which it is
    /// sooner than `soonest`; `None` if these are all.
    fn impacts(&self, [x, z]: Flat, soonest: Vec4, out: u32) -> Option<(Vec4, u32)> {
        let Obstacles { chooser, .. } = self.obstacles;
        let mut impact = Vec4::splat(self.params.horizon);
        let [twice_x, twice_z] = [x * 2.0 - chooser.velocity.x, z * 2.0 - chooser.velocity.z];
        let all_out = |impact: Vec4| (out | impact.cmplt(soonest).bitmask()) & ALL_LANES;
        for circle in self.obstacles.circles() {
            // The neighbor is assumed to do half of the avoiding.
            let [vx, vz] = circle.velocity;
            impact = circle.impact([twice_x - vx, twice_z - vz], impact);
            if all_out(impact) == ALL_LANES {
                return None;
            }
        }
        for wall in self.obstacles.walls() {
            impact = wall.impact([x, z], impact);
            if all_out(impact) == ALL_LANES {
                return None;
            }
        }
        let out = all_out(impact);
        (out != ALL_LANES).then_some((impact, out))
    }

    /// Computes the penalty of each velocity for the wrong side of neighbors.
    fn sides(&self, [x, z]: Flat) -> Vec4 {
        let Obstacles { chooser, .. } = self.obstacles;
        let circles = self.obstacles.circles();
        let [twice_x, twice_z] = [x * 2.0 - chooser.velocity.x, z * 2.0 - chooser.velocity.z];
        let mut side = Vec4::ZERO;
        for circle in circles {
            let [vx, vz] = circle.velocity;
            side += circle.side([twice_x - vx, twice_z - vz]);
        }
        if circles.is_empty() { side } else { side / small_f32(circles.len()) }
    }
}

/// The center of rings of velocities.
struct Around {
    /// Distances from the center to the desired and to the current velocity.
    to_desired: f32,
    to_current: f32,
    /// The penalties of these distances per meter per second, rounded down.
    weights: [f32; 2],
    slack: f32,
    least_rest: f32,
}

impl Around {
    /// Returns whether no velocity on a ring can be better than `limit`, because of its distances to the desired and
    /// the current velocity alone.
    #[inline]
    fn is_out(&self, radius: f32, limit: f32) -> bool {
        let least = |distance: f32| ((radius - distance).abs() - self.slack).max(0.0);
        let [desired, current] = self.weights;
        let penalty = desired * least(self.to_desired) + current * least(self.to_current);
        limit - penalty < self.least_rest
    }
}

/// Velocities that are not evaluated yet, with their penalties without any obstacle: up to twice the number of lanes.
#[derive(Clone, Copy, Debug)]
struct Pending {
    /// Velocities along x, along z, penalties for deviating from the desired and from the current velocity.
    columns: [[f32; 2 * LANES]; 4],
    n: usize,
}

impl Pending {
    const NONE: Self = Self { columns: [[0.0; 2 * LANES]; 4], n: 0 };

    /// Adds the lanes of `kept`. There must be fewer pending velocities than lanes.
    #[inline]
    fn add(&mut self, columns: [[f32; LANES]; 4], kept: u32) {
        // Which lanes are kept is unpredictable, so no code branches on it.
        for lane in 0..LANES {
            let at = self.n % (2 * LANES);
            for (column, lanes) in self.columns.iter_mut().zip(&columns) {
                column[at] = lanes[lane];
            }
            self.n += usize::from(kept & (1 << lane) != 0);
        }
    }

    /// Removes and returns the first four.
    #[inline]
    fn take_four(&mut self) -> [Vec4; 4] {
        let first = self.columns.map(|column| Vec4::from_slice(&column[..LANES]));
        for column in &mut self.columns {
            column.copy_within(LANES.., 0);
        }
        self.n = self.n.saturating_sub(LANES);
        first
    }
}

/// The best velocity so far, and the pending candidates.
struct BestVelocity {
    velocity: [f32; 2],
    penalty: f32,
    pending: Pending,
}

impl BestVelocity {
    const NONE: Self = Self { velocity: [0.0; 2], penalty: f32::MAX, pending: Pending::NONE };
}

// The following functions evaluate several velocities together. Comparisons are written so that NaN propagates.
impl Circle {
    /// Returns how far relative velocities lead to the wrong side of the neighbor, 0 to 1.
    fn side(&self, velocity: Flat) -> Vec4 {
        let ahead = dot(velocity, self.toward) * 0.5 + 0.5;
        let aside = dot(velocity, self.aside) * 2.0;
        let least = Vec4::select(ahead.cmplt(aside), ahead, aside);
        let at_most_1 = Vec4::select(least.cmpgt(Vec4::ONE), Vec4::ONE, least);
        Vec4::select(least.cmplt(Vec4::ZERO), Vec4::ZERO, at_most_1)
    }

    /// Returns the time of impact with relative velocities, at most `before`.
    fn impact(&self, velocity: Flat, before: Vec4) -> Vec4 {
        let speed_sqr = dot(velocity, velocity);
        let b = dot(velocity, self.away);
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
    /// Returns the time of impact, doubled for walls, at most `before`.
    fn impact(&self, [x, z]: Flat, before: Vec4) -> Vec4 {
        let Self { along: [along_x, along_z], from_start: [start_x, start_z], is_touched } = *self;
        if is_touched {
            let leads_away = (x * -along_z + z * along_x).cmplt(Vec4::ZERO);
            let is_hit = Vec4::ZERO.cmplt(before) & !leads_away;
            return Vec4::select(is_hit, Vec4::ZERO, before);
        }
        let d = z * along_x - x * along_z;
        let is_parallel = d.abs().cmplt(Vec4::splat(1e-6));
        let per_d = 1.0 / d;
        let t = per_d * (along_z * start_x - along_x * start_z);
        let s = (z * start_x - x * start_z) * per_d;
        let is_beside = |t: Vec4| t.cmplt(Vec4::ZERO) | t.cmpgt(Vec4::ONE);
        let impact = t * 2.0;
        let is_hit = impact.cmplt(before) & !(is_parallel | is_beside(t) | is_beside(s));
        Vec4::select(is_hit, impact, before)
    }
}

/// Points on rings within a circle of radius 1, from the desired direction to both sides.
///
/// Differs: for an even number of divisions, Detour leaves the last point of each ring uninitialized, so that its result
/// depends on the memory contents; here it is the point opposite the first.
#[derive(Clone, Debug, Default)]
pub(super) struct Pattern {
    rings: [Ring; MAX_RINGS as usize],
    n_rings: u8,
    n_divisions: u8,
    turn: Turn,
    /// The first points of rings of radius 1, which alternate, and their distance from the center: 1, unless there is
    /// no direction or the desired velocity is so small that rounding matters.
    starts: [[f32; 2]; 2],
    length: f32,
}

/// A ring of a pattern.
#[derive(Clone, Debug, Default)]
struct Ring {
    radius: f32,
    x: [f32; MAX_DIVISIONS as usize],
    z: [f32; MAX_DIVISIONS as usize],
    /// Whether the points have been computed.
    is_known: bool,
}

impl Ring {
    /// Returns the first `n` points in blocks. Surplus lanes of the last block have any values.
    fn blocks(&self, n: usize) -> impl Iterator<Item = Flat> {
        let columns = self.x.chunks_exact(LANES).zip(self.z.chunks_exact(LANES));
        let columns = columns.take(n.div_ceil(LANES));
        columns.map(|(x, z)| [Vec4::from_slice(x), Vec4::from_slice(z)])
    }
}

impl Pattern {
    /// Prepares the rings for a desired velocity.
    fn prepare(&mut self, avoidance: &Avoidance, desired_velocity: Vec3) {
        let Avoidance { params, turn, half_turn } = avoidance;
        self.n_divisions = params.adaptive_divisions.clamp(1, MAX_DIVISIONS);
        self.n_rings = params.adaptive_rings.clamp(1, MAX_RINGS);
        self.turn = *turn;
        let ahead = flat_direction(desired_velocity);
        // Every other ring is turned by half a division.
        self.starts = [ahead, half_turn.left(ahead)];
        self.length = (ahead[0] * ahead[0] + ahead[1] * ahead[1]).sqrt();
        for (index, ring) in (0..self.n_rings).zip(&mut self.rings) {
            ring.radius = f32::from(self.n_rings - index) / f32::from(self.n_rings);
            ring.is_known = false;
        }
    }

    /// Computes the points of a ring, if they are not known yet.
    fn ring(&mut self, index: usize) -> &Ring {
        let Self { n_divisions, turn, starts, .. } = *self;
        let ring = &mut self.rings[index % usize::from(MAX_RINGS)];
        if !ring.is_known {
            ring.is_known = true;
            let first = starts[index % 2].map(|along| along * ring.radius);
            let mut at = 0;
            let mut put = |[x, z]: [f32; 2]| {
                (ring.x[at], ring.z[at]) = (x, z);
                at = (at + 1) % usize::from(MAX_DIVISIONS);
            };
            put(first);
            let [mut right, mut left] = [first; 2];
            for _ in 0..(n_divisions - 1) / 2 {
                right = turn.right(right);
                left = turn.left(left);
                put(right);
                put(left);
            }
            if n_divisions.is_multiple_of(2) {
                put(turn.left(left));
            }
        }
        ring
    }
}

/// A rotation, seen from above.
#[derive(Clone, Copy, Debug, Default)]
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

/// Returns the direction of a vector seen from above; zero if it has none.
fn flat_direction(vector: Vec3) -> [f32; 2] {
    let length = (vector.x * vector.x + vector.z * vector.z).sqrt();
    if length == 0.0 {
        return [vector.x, vector.z];
    }
    let per_length = 1.0 / length;
    [vector.x * per_length, vector.z * per_length]
}

/// Repeats a vector for each lane.
fn flat(vector: Vec3) -> Flat {
    [Vec4::splat(vector.x), Vec4::splat(vector.z)]
}

fn dot([ax, az]: Flat, [bx, bz]: Flat) -> Vec4 {
    ax * bx + az * bz
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
    use proptest::prelude::*;

    use super::*;

    fn flat_vector(length: f32) -> impl Strategy<Value = Vec3> {
        [-1.0..1.0_f32, -1.0..1.0_f32].prop_map(move |[x, z]| Vec3::new(x, 0.0, z) * length)
    }

    fn velocity() -> impl Strategy<Value = Vec3> {
        prop_oneof![4 => flat_vector(3.5), 1 => Just(Vec3::ZERO), 1 => flat_vector(1e-20)]
    }

    prop_compose! {
        fn mover()(position in flat_vector(3.0), radius in 0.1..0.6_f32, velocity in velocity(), desired_velocity in velocity()) -> Mover {
            Mover { position, radius, velocity, desired_velocity, ..Mover::default() }
        }
    }

    fn params() -> impl Strategy<Value = AvoidanceParams> {
        let own = (
            1..33_u8,
            1..5_u8,
            0..5_u8,
            [-0.5..4.0_f32, -0.5..3.0, -0.5..3.0, 0.0..6.0],
            0.0..1.0_f32,
        );
        let own = own.prop_map(|(divisions, rings, depth, weights, bias)| AvoidanceParams {
            velocity_bias: bias,
            desired_velocity_weight: weights[0],
            current_velocity_weight: weights[1],
            side_weight: weights[2],
            impact_weight: weights[3],
            adaptive_divisions: divisions,
            adaptive_rings: rings,
            adaptive_depth: depth,
            ..AvoidanceParams::default()
        });
        prop_oneof![2 => prop::sample::select(AvoidanceParams::PRESETS.to_vec()), 1 => own]
    }

    proptest! {
        #[test]
        fn the_result_is_that_of_one_candidate_after_the_other(
            params in params(),
            own in mover(),
            movers in prop::collection::vec(mover(), 0..7),
            walls in prop::collection::vec([flat_vector(4.0), flat_vector(4.0)], 0..9),
            max_speed in prop_oneof![4 => Just(3.5_f32), 1 => 0.0..6.0_f32],
        ) {
            let Mover { position, radius, velocity, desired_velocity, .. } = own;
            let chooser = Chooser { position, radius, max_speed, velocity, desired_velocity };
            let mut obstacles = Obstacles::default();
            obstacles.reset(chooser);
            for mover in &movers {
                obstacles.add_mover(mover);
            }
            for &wall in &walls {
                obstacles.add_wall(wall);
            }
            let avoidance = Avoidance::new(&params);
            let chosen = obstacles.choose(&avoidance, &mut Pattern::default());
            let (samples, expected) = obstacles.samples(&avoidance);
            prop_assert_eq!(chosen.to_array().map(f32::to_bits), expected.to_array().map(f32::to_bits));
            let n = usize::from(avoidance.params.adaptive_depth);
            prop_assert!(samples.len() <= n * (1 + 4 * 32));
        }
    }

    #[test]
    fn a_grid_has_the_same_best_sample() {
        let params = AvoidanceParams { sampling: Sampling::Grid, ..AvoidanceParams::default() };
        let avoidance = Avoidance::new(&params);
        let ahead = Vec3::new(3.0, 0.0, 0.5);
        let chooser = Chooser {
            position: Vec3::ZERO,
            radius: 0.6,
            max_speed: 3.5,
            velocity: ahead,
            desired_velocity: ahead,
        };
        let mut obstacles = Obstacles::default();
        obstacles.reset(chooser);
        let free = obstacles.choose(&avoidance, &mut Pattern::default());
        let position = Vec3::new(3.0, 0.0, 0.0);
        let still = Vec3::ZERO;
        obstacles.add_mover(&Mover {
            position,
            radius: 0.6,
            velocity: still,
            desired_velocity: still,
            ..Mover::default()
        });
        let chosen = obstacles.choose(&avoidance, &mut Pattern::default());
        assert_ne!(chosen, free);
        let (samples, best) = obstacles.samples(&avoidance);
        assert_eq!(best, chosen);
        let least = samples.iter().min_by(|a, b| a.penalty().total_cmp(&b.penalty())).unwrap();
        assert_eq!(least.velocity, chosen);
        let most = samples.iter().max_by(|a, b| a.impact.total_cmp(&b.impact)).unwrap();
        assert!(most.velocity.x > 1.0 && least.impact < most.impact, "{most:?} {least:?}");
        assert!(samples.len() > 600 && samples.len() < 33 * 33, "{}", samples.len());
    }

    #[test]
    fn patterns_have_rings() {
        let lengths = |divisions, rings| {
            let params = AvoidanceParams {
                adaptive_divisions: divisions,
                adaptive_rings: rings,
                ..AvoidanceParams::default()
            };
            let mut pattern = Pattern::default();
            pattern.prepare(&Avoidance::new(&params), Vec3::new(3.0, 1.0, 4.0));
            let n = usize::from(pattern.n_divisions);
            let rings = (0..usize::from(pattern.n_rings)).flat_map(|index| {
                let blocks = pattern.ring(index).blocks(n);
                let lengths = blocks.flat_map(|[x, z]| (x * x + z * z).to_array());
                lengths.take(n).map(f32::sqrt).collect::<Vec<_>>()
            });
            rings.collect::<Vec<_>>()
        };
        assert_eq!(lengths(7, 3).len(), 21);
        assert_eq!(lengths(8, 1).len(), 8);
        assert_eq!(lengths(32, 4).len(), 128);
        assert_eq!((lengths(0, 0).len(), lengths(255, 255).len()), (1, 128));
        assert!(lengths(7, 2)[7..].iter().all(|length| (length - 0.5).abs() < 1e-5));
    }
}

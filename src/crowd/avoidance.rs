//! Local avoidance: tries velocities and takes the one with the least penalty.
//!
//! A velocity is good that is near to the desired and the current one, passes neighbors on the proper side,
//! and runs into nothing for long. Neighbors are taken to do half of the avoiding.

use arrayvec::ArrayVec;
use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{agent::MAX_NEIGHBORS, boundary::MAX_WALLS};
use crate::geom::from_above::{doubled_area, nearest_on_segment};

/// Most directions of the adaptive pattern.
const MAX_DIVISIONS: u8 = 32;
/// Most rings of the adaptive pattern.
const MAX_RINGS: u8 = 4;
/// Most velocities of the adaptive pattern.
const MAX_PATTERN: usize = MAX_DIVISIONS as usize * MAX_RINGS as usize + 1;
/// Slower than this, squared, nobody runs into anybody.
const STILL_SQR: f32 = 0.0001;
/// Nearer than this to a wall, in meters, an agent touches it.
const TOUCH: f32 = 0.01;

/// Which velocities are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sampling {
    /// Rings around the best so far, ever smaller.
    #[default]
    Adaptive,
    /// A grid.
    Grid,
}

/// Settings of obstacle avoidance. The default is Detour's.
///
/// Source: `dtObstacleAvoidanceParams`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AvoidanceParams {
    /// Share of the desired velocity around which others are tried.
    pub velocity_bias: f32,
    /// Penalty for straying from the desired velocity.
    pub desired_velocity_weight: f32,
    /// Penalty for straying from the current velocity.
    pub current_velocity_weight: f32,
    /// Penalty for passing neighbors on the wrong side.
    pub side_weight: f32,
    /// Penalty for running into something soon.
    pub impact_weight: f32,
    /// How far ahead the agent looks, in seconds.
    pub horizon: f32,
    /// Which velocities are tried.
    pub sampling: Sampling,
    /// Velocities along a side of the grid.
    pub grid_size: u8,
    /// Directions of the adaptive pattern, 1 to 32.
    pub adaptive_divisions: u8,
    /// Rings of the adaptive pattern, 1 to 4.
    pub adaptive_rings: u8,
    /// How often the adaptive pattern is laid anew.
    pub adaptive_depth: u8,
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
    };

    /// The presets of RecastDemo from low quality, which tries 11 velocities, to high, which tries 66.
    pub const PRESETS: [Self; 4] = [
        Self::preset(5, 2, 1),
        Self::preset(5, 2, 2),
        Self::preset(7, 2, 3),
        Self::preset(7, 3, 3),
    ];

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

/// A neighbor as the chooser sees it.
#[derive(Clone, Copy, Debug)]
struct Circle {
    velocity: Vec3,
    /// Where it is.
    away: Vec3,
    /// Squared distance less the squared sum of the radii: negative where both overlap.
    gap: f32,
    /// Direction towards it, and the one to its side on which it is passed.
    toward: Vec3,
    aside: Vec3,
}

/// A wall as the chooser sees it.
#[derive(Clone, Copy, Debug)]
struct Wall {
    along: Vec3,
    from_start: Vec3,
    is_touched: bool,
}

/// What an agent avoids.
#[derive(Clone, Debug)]
pub(super) struct Obstacles {
    chooser: Chooser,
    circles: ArrayVec<Circle, MAX_NEIGHBORS>,
    walls: ArrayVec<Wall, MAX_WALLS>,
}

impl Obstacles {
    /// Nothing yet.
    pub(super) fn new(chooser: Chooser) -> Self {
        Self { chooser, circles: ArrayVec::new(), walls: ArrayVec::new() }
    }

    /// Minds a neighbor; no more than six.
    pub(super) fn add_mover(&mut self, mover: &Mover) {
        let Chooser { position, radius, desired_velocity, .. } = self.chooser;
        let away = mover.position - position;
        let reach = radius + mover.radius;
        // Not a number where both are in one place.
        let toward = away * (1.0 / away.length());
        let apart = mover.desired_velocity - desired_velocity;
        let is_left = doubled_area(Vec3::ZERO, toward, apart) < 0.01;
        let aside = if is_left {
            Vec3::new(-toward.z, 0.0, toward.x)
        } else {
            Vec3::new(toward.z, 0.0, -toward.x)
        };
        let gap = flat_dot(away, away) - reach * reach;
        // Neighbors are no more than there is room for.
        let _ =
            self.circles.try_push(Circle { velocity: mover.velocity, away, gap, toward, aside });
    }

    /// Minds a wall that the agent is in front of.
    pub(super) fn add_wall(&mut self, [a, b]: [Vec3; 2]) {
        let position = self.chooser.position;
        let is_behind = doubled_area(position, a, b) < 0.0;
        if !is_behind {
            let is_touched = nearest_on_segment(position, a, b).distance_sqr < TOUCH * TOUCH;
            let wall = Wall { along: b - a, from_start: position - a, is_touched };
            let _ = self.walls.try_push(wall);
        }
    }

    /// The velocity to take.
    pub(super) fn choose(&self, params: &AvoidanceParams) -> Vec3 {
        let trial = Trial::new(self, params);
        match params.sampling {
            Sampling::Adaptive => trial.adaptive(),
            Sampling::Grid => trial.grid(),
        }
    }
}

/// A search for a velocity.
struct Trial<'a> {
    obstacles: &'a Obstacles,
    params: &'a AvoidanceParams,
    per_horizon: f32,
    per_speed: f32,
}

impl<'a> Trial<'a> {
    fn new(obstacles: &'a Obstacles, params: &'a AvoidanceParams) -> Self {
        let speed = obstacles.chooser.max_speed;
        let per_speed = if speed > 0.0 { 1.0 / speed } else { f32::MAX };
        Self { obstacles, params, per_horizon: 1.0 / params.horizon, per_speed }
    }

    /// Source: `dtObstacleAvoidanceQuery::sampleVelocityGrid`.
    fn grid(&self) -> Vec3 {
        let Chooser { max_speed, desired_velocity, .. } = self.obstacles.chooser;
        let bias = self.params.velocity_bias;
        let center = desired_velocity * bias;
        let n_gaps = f32::from(self.params.grid_size) - 1.0;
        let step = max_speed * 2.0 * (1.0 - bias) / n_gaps;
        let half = n_gaps * step * 0.5;
        let fastest = max_speed + step / 2.0;
        let mut best = Best::default();
        for z in 0..self.params.grid_size {
            for x in 0..self.params.grid_size {
                let velocity = Vec3::new(
                    center.x + f32::from(x) * step - half,
                    0.0,
                    center.z + f32::from(z) * step - half,
                );
                self.try_velocity(velocity, fastest, &mut best);
            }
        }
        best.velocity
    }

    /// Source: `dtObstacleAvoidanceQuery::sampleVelocityAdaptive`.
    fn adaptive(&self) -> Vec3 {
        let Chooser { max_speed, desired_velocity, .. } = self.obstacles.chooser;
        let pattern = Pattern::new(self.params, desired_velocity);
        let bias = self.params.velocity_bias;
        let mut reach = max_speed * (1.0 - bias);
        let mut center = Vec3::new(desired_velocity.x * bias, 0.0, desired_velocity.z * bias);
        for _ in 0..self.params.adaptive_depth {
            let mut best = Best::default();
            for &[x, z] in &pattern.places {
                let velocity = Vec3::new(center.x + x * reach, 0.0, center.z + z * reach);
                self.try_velocity(velocity, max_speed + 0.001, &mut best);
            }
            center = best.velocity;
            reach *= 0.5;
        }
        center
    }

    fn try_velocity(&self, velocity: Vec3, fastest: f32, best: &mut Best) {
        let is_too_fast = velocity.x * velocity.x + velocity.z * velocity.z > fastest * fastest;
        if is_too_fast {
            return;
        }
        if let Some(penalty) = self.penalty(velocity, best.penalty)
            && penalty < best.penalty
        {
            *best = Best { velocity, penalty };
        }
    }

    /// The penalty of a velocity; `None` where it is certainly not below `limit`.
    fn penalty(&self, velocity: Vec3, limit: f32) -> Option<f32> {
        let AvoidanceParams {
            desired_velocity_weight,
            current_velocity_weight,
            side_weight,
            impact_weight,
            horizon,
            ..
        } = *self.params;
        let Chooser { velocity: current, desired_velocity, .. } = self.obstacles.chooser;
        let desired =
            desired_velocity_weight * (flat_distance(velocity, desired_velocity) * self.per_speed);
        let present = current_velocity_weight * (flat_distance(velocity, current) * self.per_speed);
        // From the time of impact at which the penalty reaches the limit.
        let soonest = (impact_weight / (limit - desired - present) - 0.1) * horizon;
        if soonest - horizon > -f32::EPSILON {
            return None;
        }
        let mut impact = horizon;
        let mut side = 0.0;
        for circle in &self.obstacles.circles {
            // As if the neighbor did half of the avoiding.
            let relative = velocity * 2.0 - current - circle.velocity;
            side += circle.side(relative);
            impact = sooner(circle.impact(relative), impact);
            if impact < soonest {
                return None;
            }
        }
        for wall in &self.obstacles.walls {
            impact = sooner(wall.impact(velocity), impact);
            if impact < soonest {
                return None;
            }
        }
        let n_circles = self.obstacles.circles.len();
        if n_circles > 0 {
            side /= small_f32(n_circles);
        }
        let sides = side_weight * side;
        let impacts = impact_weight * (1.0 / (0.1 + impact * self.per_horizon));
        Some(desired + present + sides + impacts)
    }
}

/// The best velocity so far.
struct Best {
    velocity: Vec3,
    penalty: f32,
}

impl Default for Best {
    fn default() -> Self {
        Self { velocity: Vec3::ZERO, penalty: f32::MAX }
    }
}

impl Circle {
    /// How much on the wrong side of it a relative velocity leads, 0 to 1.
    fn side(&self, relative: Vec3) -> f32 {
        let ahead = flat_dot(self.toward, relative) * 0.5 + 0.5;
        let aside = flat_dot(self.aside, relative) * 2.0;
        // Written so that what is not a number stays so.
        let least = if ahead < aside { ahead } else { aside };
        least.clamp(0.0, 1.0)
    }

    /// When it is hit.
    fn impact(&self, relative: Vec3) -> Option<f32> {
        let speed_sqr = flat_dot(relative, relative);
        if speed_sqr < STILL_SQR {
            return None;
        }
        let b = flat_dot(relative, self.away);
        let d = b * b - speed_sqr * self.gap;
        if d < 0.0 {
            return None;
        }
        let per_speed_sqr = 1.0 / speed_sqr;
        let root = d.sqrt();
        let [enters, leaves] = [(b - root) * per_speed_sqr, (b + root) * per_speed_sqr];
        // Where both overlap, the sooner it is left the better.
        let enters = if enters < 0.0 && leaves > 0.0 { -enters * 0.5 } else { enters };
        (enters >= 0.0).then_some(enters)
    }
}

impl Wall {
    /// When it is hit, walls counting half.
    fn impact(&self, velocity: Vec3) -> Option<f32> {
        if self.is_touched {
            let normal = Vec3::new(-self.along.z, 0.0, self.along.x);
            let leads_away = flat_dot(normal, velocity) < 0.0;
            return (!leads_away).then_some(0.0);
        }
        let d = flat_perp(velocity, self.along);
        if d.abs() < 1e-6 {
            return None;
        }
        let per_d = 1.0 / d;
        let t = flat_perp(self.along, self.from_start) * per_d;
        let is_missed = |t: f32| t < 0.0 || t > 1.0;
        if is_missed(t) || is_missed(flat_perp(velocity, self.from_start) * per_d) {
            return None;
        }
        Some(t * 2.0)
    }
}

/// The sooner of two times; an impact that is not a number never is.
fn sooner(impact: Option<f32>, other: f32) -> f32 {
    impact.filter(|&impact| impact < other).unwrap_or(other)
}

/// Places within a circle of radius 1: its middle and points on rings, from the desired direction to both sides.
struct Pattern {
    places: ArrayVec<[f32; 2], MAX_PATTERN>,
}

impl Pattern {
    /// Differs: of an even number of divisions, Detour leaves the last place of each ring unset, so that its
    /// result depends on what was in memory; here it is the one opposite the first.
    fn new(params: &AvoidanceParams, desired_velocity: Vec3) -> Self {
        let n_divisions = params.adaptive_divisions.clamp(1, MAX_DIVISIONS);
        let n_rings = params.adaptive_rings.clamp(1, MAX_RINGS);
        let angle = (1.0 / f32::from(n_divisions)) * std::f32::consts::PI * 2.0;
        let turn = Turn::by(angle);
        let ahead = flat_direction(desired_velocity);
        // Every other ring is turned by half a division.
        let starts = [ahead, Turn::by(angle * 0.5).left(ahead)];
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
}

/// A turn seen from above.
struct Turn {
    cos: f32,
    sin: f32,
}

impl Turn {
    /// The nearest numbers of 32 bits, which are the same on every machine.
    #[expect(clippy::cast_possible_truncation, reason = "rounding is what is wanted")]
    fn by(angle: f32) -> Self {
        let (sin, cos) = f64::from(angle).sin_cos();
        Self { cos: cos as f32, sin: sin as f32 }
    }

    fn left(&self, [x, z]: [f32; 2]) -> [f32; 2] {
        [x * self.cos - z * self.sin, x * self.sin + z * self.cos]
    }

    fn right(&self, [x, z]: [f32; 2]) -> [f32; 2] {
        [x * self.cos + z * self.sin, -x * self.sin + z * self.cos]
    }
}

/// Direction of a vector seen from above, zero where it has none.
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

fn flat_perp(a: Vec3, b: Vec3) -> f32 {
    a.z * b.x - a.x * b.z
}

fn flat_distance(a: Vec3, b: Vec3) -> f32 {
    let (dx, dz) = (b.x - a.x, b.z - a.z);
    (dx * dx + dz * dz).sqrt()
}

#[expect(clippy::cast_precision_loss, reason = "there are no more than six")]
fn small_f32(n: usize) -> f32 {
    n as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference uses the C library's functions of 32 bits.
    #[test]
    fn turns_are_those_of_the_c_library() {
        for n in 1..=MAX_DIVISIONS {
            let angle = (1.0 / f32::from(n)) * std::f32::consts::PI * 2.0;
            for angle in [angle, angle * 0.5] {
                let Turn { cos, sin } = Turn::by(angle);
                assert_eq!(
                    (cos.to_bits(), sin.to_bits()),
                    (angle.cos().to_bits(), angle.sin().to_bits()),
                    "{n}"
                );
            }
        }
    }

    #[test]
    fn patterns_have_a_middle_and_rings() {
        let lengths = |divisions, rings| {
            let params = AvoidanceParams {
                adaptive_divisions: divisions,
                adaptive_rings: rings,
                ..AvoidanceParams::default()
            };
            let pattern = Pattern::new(&params, Vec3::new(3.0, 1.0, 4.0));
            assert_eq!(pattern.places[0], [0.0, 0.0]);
            let length = |[x, z]: [f32; 2]| (x * x + z * z).sqrt();
            pattern.places.iter().map(|&place| length(place)).collect::<Vec<_>>()
        };
        assert_eq!(lengths(7, 3).len(), 22);
        assert_eq!(lengths(8, 1).len(), 9);
        assert_eq!(lengths(32, 4).len(), MAX_PATTERN);
        assert_eq!((lengths(0, 0).len(), lengths(255, 255).len()), (2, MAX_PATTERN));
        assert!(lengths(7, 2)[8..].iter().all(|length| (length - 0.5).abs() < 1e-5));
    }
}

//! Settings of obstacle avoidance.

use serde::{Deserialize, Serialize};

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
    /// and the priority count; walls are avoided a fifth of the horizon ahead. Agents with this method that start apart
    /// never overlap each other by more than a tenth of the smaller radius.
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

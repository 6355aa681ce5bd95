//! A map of the times that agents pass, wait, slow down and collide.

use std::collections::BTreeMap;

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable_runtime::crowd::Agent;

/// Maximum number of cells.
const MAX_CELLS: usize = 1 << 18;
/// Agents that overlap by more than this collide, in meters.
const OVERLAP: f32 = 0.05;
/// Share of its maximum speed below which an agent waits.
const WAITING: f32 = 0.1;
/// Share of its maximum speed below which an agent is slow.
const SLOW: f32 = 0.5;

/// A cell of a heat map.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeatCell {
    /// Center of the cell, at the height of the first agent in it.
    pub center: Vec3,
    /// Time that moving agents spent in it, in seconds.
    pub passing: f32,
    /// Time that standing agents with a target spent in it, in seconds.
    pub waiting: f32,
    /// The part of `passing` in which agents were slower than half of their maximum speed, in seconds.
    pub slowed: f32,
    /// Time that agents that overlap another one by more than 5 cm spent in it, in seconds.
    pub colliding: f32,
}

/// What a heat map shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeatMeasure {
    /// Time of moving agents.
    Passing,
    /// Time of standing agents with a target.
    Waiting,
    /// Time of moving agents that are slower than half of their maximum speed.
    Slowed,
    /// Time of agents that overlap another one by more than 5 cm.
    Colliding,
}

impl HeatMeasure {
    /// All measures.
    pub const ALL: [Self; 4] = [Self::Passing, Self::Waiting, Self::Slowed, Self::Colliding];

    /// Returns the name in commands.
    pub fn key(self) -> &'static str {
        match self {
            Self::Passing => "passing",
            Self::Waiting => "waiting",
            Self::Slowed => "slowed",
            Self::Colliding => "colliding",
        }
    }

    /// Returns the time in a cell, in seconds.
    pub fn of(self, cell: &HeatCell) -> f32 {
        match self {
            Self::Passing => cell.passing,
            Self::Waiting => cell.waiting,
            Self::Slowed => cell.slowed,
            Self::Colliding => cell.colliding,
        }
    }
}

/// What an agent does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AgentActivity {
    /// Whether it stands.
    pub is_waiting: bool,
    /// Whether it is slower than half of its maximum speed.
    pub is_slowed: bool,
    /// Whether it overlaps another agent by more than 5 cm.
    pub is_colliding: bool,
}

impl AgentActivity {
    /// Returns what `agent` did in the last `seconds`, in which it moved by `moved` meters. Assumes that its neighbors
    /// have the same radius.
    pub fn of(agent: &Agent, moved: f32, seconds: f32) -> Self {
        let params = agent.params();
        let share = moved / (params.max_speed * seconds).max(1e-6);
        let reach = (params.radius * 2.0 - OVERLAP).max(0.0);
        let overlaps = |distance_sqr: f32| distance_sqr < reach * reach;
        Self {
            is_waiting: share < WAITING,
            is_slowed: share < SLOW,
            is_colliding: agent.neighbors().iter().any(|other| overlaps(other.distance_sqr)),
        }
    }
}

/// Times that agents pass, wait, slow down and collide, in cells of equal size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeatMap {
    /// Edge length of a cell, in meters.
    pub cell_size: f32,
    level_height: f32,
    #[serde(with = "crate::pairs")]
    cells: BTreeMap<[i32; 3], HeatCell>,
}

impl HeatMap {
    /// Creates an empty map. Places whose heights differ by more than `level_height` are in different cells.
    /// Both are in meters.
    pub fn new(cell_size: f32, level_height: f32) -> Self {
        Self { cell_size, level_height, cells: BTreeMap::new() }
    }

    /// Creates an empty map for agents of this size, with cells of two radii, at least half a meter.
    pub fn of_agents(radius: f32, height: f32) -> Self {
        Self::new((radius * 2.0).max(0.5), height)
    }

    /// Adds `seconds` of an agent at `position`. Does nothing in new cells of a map that has 262,144 cells.
    pub fn add(&mut self, position: Vec3, seconds: f32, activity: AgentActivity) {
        let Some(cell) = self.cell(position) else { return };
        let AgentActivity { is_waiting, is_slowed, is_colliding } = activity;
        let spent = |is_spent: bool| if is_spent { seconds } else { 0.0 };
        cell.passing += spent(!is_waiting);
        cell.waiting += spent(is_waiting);
        cell.slowed += spent(is_slowed && !is_waiting);
        cell.colliding += spent(is_colliding);
    }

    /// Returns the cell at `position`; `None` for a new cell of a full map.
    fn cell(&mut self, position: Vec3) -> Option<&mut HeatCell> {
        let size = Vec3::new(self.cell_size, self.level_height, self.cell_size);
        let index = (position / size).floor();
        let key = index.to_array().map(in_cells);
        if self.cells.len() >= MAX_CELLS && !self.cells.contains_key(&key) {
            return None;
        }
        let center = ((index + 0.5) * size).with_y(position.y);
        let new = HeatCell { center, passing: 0.0, waiting: 0.0, slowed: 0.0, colliding: 0.0 };
        Some(self.cells.entry(key).or_insert(new))
    }

    /// Returns the longest time in a cell, in seconds; 0 without any.
    pub fn longest(&self, measure: HeatMeasure) -> f32 {
        self.cells().map(|cell| measure.of(cell)).fold(0.0, f32::max)
    }

    /// Returns the cells in which agents were, in a fixed order.
    pub fn cells(&self) -> impl Iterator<Item = &HeatCell> {
        self.cells.values()
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a whole number; a cast saturates")]
fn in_cells(index: f32) -> i32 {
    index as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_activity_is_counted_in_its_cell() {
        let mut heat = HeatMap::new(1.0, 2.0);
        let here = Vec3::new(0.5, 0.0, 0.5);
        heat.add(here, 0.5, AgentActivity::default());
        heat.add(here, 0.25, AgentActivity { is_slowed: true, ..AgentActivity::default() });
        heat.add(
            here,
            1.0,
            AgentActivity { is_waiting: true, is_slowed: true, is_colliding: true },
        );
        heat.add(
            here + Vec3::X,
            2.0,
            AgentActivity { is_colliding: true, ..AgentActivity::default() },
        );
        let times =
            heat.cells().map(|cell| [cell.passing, cell.waiting, cell.slowed, cell.colliding]);
        assert_eq!(times.collect::<Vec<_>>(), [[0.75, 1.0, 0.25, 1.0], [2.0, 0.0, 0.0, 2.0]]);
        let longest = HeatMeasure::ALL.iter().map(|measure| heat.longest(*measure));
        assert_eq!(longest.collect::<Vec<_>>(), [2.0, 1.0, 0.25, 2.0]);
    }
}

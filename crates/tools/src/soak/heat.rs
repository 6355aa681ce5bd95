//! A map of the times that agents pass, wait, slow down and collide.

use std::collections::BTreeMap;

use glam::Vec3;
use serde::Serialize;

/// Maximum number of cells.
const MAX_CELLS: usize = 1 << 18;

/// A cell of a heat map.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
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

/// What an agent does.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Activity {
    pub(super) is_waiting: bool,
    /// Whether it moves, but slowly.
    pub(super) is_slowed: bool,
    pub(super) is_colliding: bool,
}

/// Times that agents pass, wait, slow down and collide, in cells of equal size.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// Edge length of a cell, in meters.
    pub cell_size: f32,
    level_height: f32,
    cells: BTreeMap<[i32; 3], HeatCell>,
}

impl HeatMap {
    /// Creates an empty map. Places whose heights differ by more than `level_height` are in different cells.
    pub(super) fn new(cell_size: f32, level_height: f32) -> Self {
        Self { cell_size, level_height, cells: BTreeMap::new() }
    }

    /// Adds `seconds` of an agent at `position`.
    pub(super) fn add(&mut self, position: Vec3, seconds: f32, activity: Activity) {
        let Some(cell) = self.cell(position) else { return };
        let Activity { is_waiting, is_slowed, is_colliding } = activity;
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
        heat.add(here, 0.5, Activity::default());
        heat.add(here, 0.25, Activity { is_slowed: true, ..Activity::default() });
        heat.add(here, 1.0, Activity { is_waiting: true, is_slowed: true, is_colliding: true });
        heat.add(here + Vec3::X, 2.0, Activity { is_colliding: true, ..Activity::default() });
        let times =
            heat.cells().map(|cell| [cell.passing, cell.waiting, cell.slowed, cell.colliding]);
        assert_eq!(times.collect::<Vec<_>>(), [[0.75, 1.0, 0.25, 1.0], [2.0, 0.0, 0.0, 2.0]]);
    }
}

//! A map of the times that agents pass and wait.

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
}

/// Times that agents pass and wait, in cells of equal size.
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

    /// Adds `seconds` of a moving agent at `position`.
    pub(super) fn add_passing(&mut self, position: Vec3, seconds: f32) {
        if let Some(cell) = self.cell(position) {
            cell.passing += seconds;
        }
    }

    /// Adds `seconds` of a standing agent at `position`.
    pub(super) fn add_waiting(&mut self, position: Vec3, seconds: f32) {
        if let Some(cell) = self.cell(position) {
            cell.waiting += seconds;
        }
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
        let new = HeatCell { center, passing: 0.0, waiting: 0.0 };
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

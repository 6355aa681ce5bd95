//! Where agents pass and where they wait.

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

/// Where agents pass and where they wait, in cells of equal size.
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

    /// Adds `seconds` of an agent at `position`. A full map ignores new cells.
    pub(super) fn add(&mut self, position: Vec3, is_waiting: bool, seconds: f32) {
        let size = Vec3::new(self.cell_size, self.level_height, self.cell_size);
        let index = (position / size).floor();
        let key = index.to_array().map(in_cells);
        if self.cells.len() >= MAX_CELLS && !self.cells.contains_key(&key) {
            return;
        }
        let center = ((index + 0.5) * size).with_y(position.y);
        let new = HeatCell { center, passing: 0.0, waiting: 0.0 };
        let cell = self.cells.entry(key).or_insert(new);
        if is_waiting {
            cell.waiting += seconds;
        } else {
            cell.passing += seconds;
        }
    }

    /// The cells in which agents were, in a fixed order.
    pub fn cells(&self) -> impl Iterator<Item = &HeatCell> {
        self.cells.values()
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a whole number; a cast saturates")]
fn in_cells(index: f32) -> i32 {
    index as i32
}

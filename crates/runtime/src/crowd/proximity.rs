//! A grid of cells, seen from above, for finding nearby agents.

use std::collections::BTreeMap;

use glam::Vec3;

/// Maximum number of agents that a query finds, including the querying one.
pub(super) const MAX_FOUND: usize = 32;
/// Maximum number of buckets per item, in addition to one per row.
const BUCKETS_PER_ITEM: usize = 64;

/// A cell of the grid in which the agents of a crowd find each other, seen from above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProximityCell {
    /// Smallest x and z, in meters.
    pub min: [f32; 2],
    /// Largest x and z, in meters.
    pub max: [f32; 2],
    /// Number of agents whose bounding square touches the cell.
    pub n_agents: usize,
}

/// An agent in a cell.
#[derive(Clone, Copy, Debug, Default)]
struct Item {
    x: i32,
    agent: u32,
    position: Vec3,
    height: f32,
    /// For column and row, 1 if this is the first one that the agent covers.
    is_first: [u8; 2],
}

/// A nearby agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearbyAgent {
    pub(super) agent: u32,
    pub(super) position: Vec3,
    pub(super) height: f32,
}

/// A rectangle of cells, inclusive.
#[derive(Clone, Copy, Debug)]
struct CellRange {
    min: [i32; 2],
    max: [i32; 2],
}

impl CellRange {
    const EMPTY: Self = Self { min: [i32::MAX; 2], max: [i32::MIN; 2] };
    /// Cells farther from the origin are empty, as in Detour.
    const ALL: Self = Self { min: [i16::MIN as i32; 2], max: [i16::MAX as i32; 2] };

    fn around([x, z]: [f32; 2], reach: f32, per_meter: f32) -> Self {
        Self {
            min: [x - reach, z - reach].map(|place| cell(place, per_meter)),
            max: [x + reach, z + reach].map(|place| cell(place, per_meter)),
        }
    }

    fn add(&mut self, x: i32, z: i32) {
        self.min = [self.min[0].min(x), self.min[1].min(z)];
        self.max = [self.max[0].max(x), self.max[1].max(z)];
    }

    fn within(self, other: Self) -> Self {
        Self {
            min: [self.min[0].max(other.min[0]), self.min[1].max(other.min[1])],
            max: [self.max[0].min(other.max[0]), self.max[1].min(other.max[1])],
        }
    }

    /// Returns all cells, row by row.
    fn cells(self) -> impl Iterator<Item = [i32; 2]> {
        let row = move |z| (self.min[0]..=self.max[0]).map(move |x| [x, z]);
        (self.min[1]..=self.max[1]).flat_map(row)
    }

    /// Returns the number of columns and rows.
    fn size(self) -> [usize; 2] {
        [0, 1].map(|axis| self.max[axis].abs_diff(self.min[axis]) as usize + 1)
    }
}

/// Rounds down. Faster than `floor`, which is a function call on some processors.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "far cells are cut to the range of numbers, which all are exact"
)]
#[inline]
fn cell(place: f32, per_meter: f32) -> i32 {
    let place = place * per_meter;
    let toward_zero = place as i32;
    toward_zero.saturating_sub(i32::from(place < toward_zero as f32))
}

/// Agents by cell, rebuilt in each update.
///
/// Items are sorted by row, then by column, then newest first, which is the order in which Detour finds them. Adjacent
/// cells of a row are visited together.
///
/// Source: `dtProximityGrid`.
#[derive(Clone, Debug, Default)]
pub(super) struct ProximityGrid {
    per_meter: f32,
    /// Items in the order in which they were added, with their rows.
    added: Vec<(i32, Item)>,
    items: Vec<Item>,
    /// Index of the first item of each bucket, then the end of the last one. Buckets are in the order of the items.
    starts: Vec<u32>,
    /// A bucket has `2^shift` adjacent cells.
    shift: u32,
    buckets_per_row: usize,
    occupied: Option<CellRange>,
}

impl ProximityGrid {
    /// Replaces the contents by these agents, each with a radius. An agent is in every cell that the bounding square
    /// of its circle touches, as long as there are at most `max_items` items in total.
    pub(super) fn fill(
        &mut self,
        cell_size: f32,
        max_items: usize,
        agents: impl Iterator<Item = (NearbyAgent, f32)>,
    ) {
        self.per_meter = 1.0 / cell_size;
        self.added.clear();
        let mut occupied = CellRange::EMPTY;
        let mut n_left = max_items;
        for (NearbyAgent { agent, position, height }, radius) in agents {
            let range = CellRange::around([position.x, position.z], radius, self.per_meter);
            let [first_x, first_z] = range.within(CellRange::ALL).min;
            for [x, z] in range.cells() {
                let Some(fewer) = n_left.checked_sub(1) else { break };
                n_left = fewer;
                if i16::try_from(x).is_ok() && i16::try_from(z).is_ok() {
                    occupied.add(x, z);
                    let is_first = [x == first_x, z == first_z].map(u8::from);
                    self.added.push((z, Item { x, agent, position, height, is_first }));
                }
            }
        }
        self.occupied = Some(occupied).filter(|_| !self.added.is_empty());
        self.sort();
    }

    fn sort(&mut self) {
        let Some(occupied) = self.occupied else { return };
        let [n_columns, n_rows] = occupied.size();
        let most = BUCKETS_PER_ITEM * self.added.len() + n_rows;
        self.shift = 0;
        while (n_columns.div_ceil(1 << self.shift)) * n_rows > most {
            self.shift += 1;
        }
        self.buckets_per_row = n_columns.div_ceil(1 << self.shift);
        self.starts.clear();
        self.starts.resize(self.buckets_per_row * n_rows + 1, 0);
        for (z, item) in &self.added {
            let bucket = self.bucket(&occupied, [item.x, *z]);
            self.starts[bucket] += 1;
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        self.items.clear();
        self.items.resize(self.added.len(), Item::default());
        for index in 0..self.added.len() {
            let (z, item) = self.added[index];
            let bucket = self.bucket(&occupied, [item.x, z]);
            self.starts[bucket] -= 1;
            self.items[self.starts[bucket] as usize] = item;
        }
        if self.shift > 0 {
            self.sort_buckets();
        }
    }

    /// Sorts the items of each bucket by column, keeping the order within a column.
    fn sort_buckets(&mut self) {
        for ends in self.starts.windows(2) {
            let items = &mut self.items[ends[0] as usize..ends[1] as usize];
            for at in 1..items.len() {
                let place = items[..at].partition_point(|item| item.x <= items[at].x);
                items[place..=at].rotate_right(1);
            }
        }
    }

    #[inline]
    fn bucket(&self, occupied: &CellRange, [x, z]: [i32; 2]) -> usize {
        let [column, row] = [x.abs_diff(occupied.min[0]), z.abs_diff(occupied.min[1])];
        row as usize * self.buckets_per_row + (column >> self.shift) as usize
    }

    /// Returns the cells that contain agents, row by row.
    pub(super) fn cells(&self) -> Vec<ProximityCell> {
        let mut counts: BTreeMap<[i32; 2], usize> = BTreeMap::new();
        for (z, item) in &self.added {
            *counts.entry([*z, item.x]).or_default() += 1;
        }
        let size = 1.0 / self.per_meter;
        // Cell numbers fit into 16 bits, so they are exact.
        let place = |number: i32| i16::try_from(number).map_or(0.0, f32::from) * size;
        let cell = |([z, x], n_agents): ([i32; 2], usize)| ProximityCell {
            min: [x, z].map(place),
            max: [x + 1, z + 1].map(place),
            n_agents,
        };
        counts.into_iter().map(cell).collect()
    }

    /// Finds the agents in the cells that the square with half side `reach` around a point touches, each once, at most
    /// [`MAX_FOUND`]. Stores their item indices in `found` and returns their number.
    #[inline]
    fn find_items(&self, place: [f32; 2], reach: f32, found: &mut [u32; MAX_FOUND]) -> usize {
        let Some(occupied) = self.occupied else { return 0 };
        let cells = CellRange::around(place, reach, self.per_meter).within(occupied);
        let ([min_x, min_z], [max_x, max_z]) = (cells.min, cells.max);
        if min_x > max_x {
            return 0;
        }
        let mut n = 0;
        for z in min_z..=max_z {
            let [first, last] = [min_x, max_x].map(|x| self.bucket(&occupied, [x, z]));
            let [start, end] = [self.starts[first], self.starts[last + 1]];
            let is_first_row = u8::from(z == min_z);
            for (index, item) in (start..end).zip(&self.items[start as usize..end as usize]) {
                if n == MAX_FOUND {
                    return n;
                }
                let Item { x, is_first, .. } = *item;
                // Of the cells that an agent shares with the square, only the first counts. The condition is
                // unpredictable, so this code has no branch for it.
                let is_new = (is_first[1] | is_first_row)
                    & (is_first[0] | u8::from(x == min_x))
                    & u8::from(min_x <= x)
                    & u8::from(x <= max_x);
                found[n] = index;
                n += usize::from(is_new);
            }
        }
        n
    }

    /// Visits all agents in the cells that the square with half side `reach` around a point touches, each once.
    #[inline]
    pub(super) fn find_all(&self, place: [f32; 2], reach: f32, mut visit: impl FnMut(NearbyAgent)) {
        let Some(occupied) = self.occupied else { return };
        let cells = CellRange::around(place, reach, self.per_meter).within(occupied);
        let ([min_x, min_z], [max_x, max_z]) = (cells.min, cells.max);
        if min_x > max_x {
            return;
        }
        for z in min_z..=max_z {
            let [first, last] = [min_x, max_x].map(|x| self.bucket(&occupied, [x, z]));
            let [start, end] = [self.starts[first], self.starts[last + 1]];
            for item in &self.items[start as usize..end as usize] {
                let Item { x, agent, position, height, is_first } = *item;
                let is_new = (is_first[1] != 0 || z == min_z)
                    && (is_first[0] != 0 || x == min_x)
                    && min_x <= x
                    && x <= max_x;
                if is_new {
                    visit(NearbyAgent { agent, position, height });
                }
            }
        }
    }

    /// Visits the agents in the cells that the square with half side `reach` around a point touches, each once, at
    /// most [`MAX_FOUND`].
    #[inline]
    pub(super) fn find(&self, place: [f32; 2], reach: f32, mut visit: impl FnMut(NearbyAgent)) {
        let mut found = [0; MAX_FOUND];
        let n = self.find_items(place, reach, &mut found);
        for &index in &found[..n] {
            let Item { agent, position, height, .. } = self.items[index as usize];
            visit(NearbyAgent { agent, position, height });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(grid: &mut ProximityGrid, max_items: usize, radius: f32, places: &[[f32; 2]]) {
        let found = |(&[x, z], agent): (&[f32; 2], u32)| {
            (NearbyAgent { agent, position: Vec3::new(x, 0.0, z), height: 2.0 }, radius)
        };
        grid.fill(1.0, max_items, places.iter().zip(0..).map(found));
    }

    fn found(grid: &ProximityGrid, place: [f32; 2], reach: f32) -> Vec<u32> {
        let mut found = Vec::new();
        grid.find(place, reach, |one| found.push(one.agent));
        found
    }

    #[test]
    fn agents_are_found_once_row_by_row_the_last_first() {
        let mut grid = ProximityGrid::default();
        let places = [[0.5, 0.5], [1.5, 0.5], [0.5, 1.5], [0.6, 0.6], [9.0, 9.0]];
        fill(&mut grid, 99, 0.2, &places);
        assert_eq!(found(&grid, [1.0, 1.0], 0.9), [3, 0, 1, 2]);
        assert_eq!(found(&grid, [1.0, 1.0], 1e30), [3, 0, 1, 2, 4]);
        assert_eq!(found(&grid, [9.5, 9.5], 0.1), [4]);
        assert!(found(&grid, [-5.0, 1.0], 1.0).is_empty());
        // The distances are so large that a bucket has several cells.
        fill(&mut grid, 99, 0.2, &[[5e3, 0.5], [1.5, 0.5], [0.5, 0.5], [1.5, 0.5], [0.0, 9e3]]);
        assert!(grid.shift > 1);
        assert_eq!(found(&grid, [2.0, 0.5], 1.9), [2, 3, 1]);
        assert_eq!(found(&grid, [0.0, 0.0], 1e5), [2, 3, 1, 0, 4]);
        assert_eq!(found(&grid, [5e3, 0.0], 1.0), [0]);
    }

    #[test]
    fn cells_count_the_agents_that_touch_them() {
        let mut grid = ProximityGrid::default();
        assert!(grid.cells().is_empty());
        fill(&mut grid, 99, 0.2, &[[0.5, 0.5], [1.1, 0.5], [-3.5, 2.5], [0.4, 0.4]]);
        let cell = |x: f32, z: f32, n_agents| ProximityCell {
            min: [x, z],
            max: [x + 1.0, z + 1.0],
            n_agents,
        };
        assert_eq!(grid.cells(), [cell(0.0, 0.0, 3), cell(1.0, 0.0, 1), cell(-4.0, 2.0, 1)]);
    }

    #[test]
    fn agents_beyond_the_maximum_are_not_found() {
        let mut grid = ProximityGrid::default();
        let row: Vec<[f32; 2]> = (0..9u8).map(|x| [f32::from(x) + 0.5, 0.5]).collect();
        fill(&mut grid, 3, 0.1, &row);
        assert_eq!(found(&grid, [4.0, 0.5], 10.0), [0, 1, 2]);
        fill(&mut grid, 40, 0.1, &[[0.5, 0.5]; 40]);
        let all = found(&grid, [0.5, 0.5], 0.1);
        assert_eq!((all.len(), all[0]), (MAX_FOUND, 39));
        let mut n_all = 0;
        grid.find_all([0.5, 0.5], 0.1, |_| n_all += 1);
        assert_eq!(n_all, 40);
        fill(&mut grid, 50, 1e30, &[[0.0, 0.0]]);
        assert!(found(&grid, [1e30, 0.0], 5.0).is_empty());
    }
}

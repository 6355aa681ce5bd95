//! Heights of the ground around one polygon, one per cell.

/// The height of a cell whose height is unknown.
const UNKNOWN: u16 = 0xffff;

/// Moves positions away from cell borders, where rounding would decide in which cell they are. In cells.
const CELL_NUDGE: f32 = 0.01;

/// A rectangle of cells, counted without the tile's border.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) x_min: u32,
    pub(super) z_min: u32,
    pub(super) n_x: u32,
    pub(super) n_z: u32,
}

impl Window {
    /// Returns the smallest rectangle around the cells at all corners, enlarged by a cell and clipped to zero and
    /// `[n_x, n_z]`.
    pub(super) fn around(corners: impl Iterator<Item = [u32; 2]>, [n_x, n_z]: [u32; 2]) -> Self {
        let mut min = [n_x, n_z];
        let mut max = [0, 0];
        for [x, z] in corners {
            min = [min[0].min(x), min[1].min(z)];
            max = [max[0].max(x), max[1].max(z)];
        }
        let [x_min, z_min] = min.map(|v| v.saturating_sub(1));
        let [x_max, z_max] = [n_x.min(max[0] + 1), n_z.min(max[1] + 1)];
        Self { x_min, z_min, n_x: x_max.saturating_sub(x_min), n_z: z_max.saturating_sub(z_min) }
    }

    /// Returns the number of cells.
    pub(super) const fn n_cells(self) -> usize {
        self.n_x as usize * self.n_z as usize
    }

    /// Returns the index of a cell; `None` if it is outside. Negative columns and rows must be passed wrapped around.
    pub(super) const fn index(self, x: u32, z: u32) -> Option<usize> {
        let (x, z) = (x.wrapping_sub(self.x_min), z.wrapping_sub(self.z_min));
        if x < self.n_x && z < self.n_z {
            Some(x as usize + z as usize * self.n_x as usize)
        } else {
            None
        }
    }
}

/// Returns whether any height is unknown. Has no early exit, so that it is vectorized.
fn has_unknown(heights: &[u16]) -> bool {
    heights.iter().map(|&height| u16::from(height == UNKNOWN)).fold(0, |any, one| any | one) != 0
}

/// Heights of the floor in a window, in cells.
#[derive(Clone, Debug, Default)]
pub(super) struct HeightPatch {
    window: Window,
    heights: Vec<u16>,
}

impl HeightPatch {
    /// Clears all heights and sets the window.
    pub(super) fn reset(&mut self, window: Window) {
        self.window = window;
        self.heights.clear();
        self.heights.resize(window.n_cells(), UNKNOWN);
    }

    pub(super) const fn window(&self) -> Window {
        self.window
    }

    /// Returns whether the cell with index `cell` of the window has a height.
    pub(super) fn is_known(&self, cell: usize) -> bool {
        self.heights[cell] != UNKNOWN
    }

    pub(super) fn set(&mut self, cell: usize, height_vx: u16) {
        self.heights[cell] = height_vx;
    }

    /// Calls `found` for each cell with a height that is next to one without, by row and column of the window.
    pub(super) fn each_on_rim(&self, mut found: impl FnMut(u32, u32)) {
        let n_x = self.window.n_x as usize;
        let row = |z: usize| self.heights.get(z * n_x..(z + 1) * n_x);
        let last = n_x.saturating_sub(1);
        for (z, at_z) in (0..).zip(0..self.window.n_z as usize) {
            // A row outside the window has no unknown cells.
            let Some(own) = row(at_z) else { return };
            let below = at_z.checked_sub(1).and_then(row).unwrap_or(own);
            let above = row(at_z + 1).unwrap_or(own);
            if !has_unknown(below) && !has_unknown(own) && !has_unknown(above) {
                continue;
            }
            for (x, at_x) in (0..).zip(0..own.len().min(below.len()).min(above.len())) {
                let beside = [
                    below[at_x],
                    above[at_x],
                    own[at_x.saturating_sub(1)],
                    own[last.min(at_x + 1)],
                ];
                let lacks = beside.map(|height| u16::from(height == UNKNOWN));
                if own[at_x] != UNKNOWN && lacks.into_iter().fold(0, |any, one| any | one) != 0 {
                    found(x, z);
                }
            }
        }
    }

    /// Sets all cells to one height.
    pub(super) fn fill(&mut self, height_vx: u16) {
        self.heights.fill(height_vx);
    }

    fn known_at(&self, x: i64, z: i64) -> Option<u16> {
        let inside =
            0 <= x && x < i64::from(self.window.n_x) && 0 <= z && z < i64::from(self.window.n_z);
        let height =
            *self.heights.get(usize::try_from(x + z * i64::from(self.window.n_x)).ok()?)?;
        (inside && height != UNKNOWN).then_some(height)
    }

    /// Returns the height at a position, in cells. If the cell has none, returns the height nearest to that of the
    /// position in the smallest ring of cells around it that has any; 65,535 if none of the `grid.search_radius_vx`
    /// rings has.
    ///
    /// Source: `getHeight`.
    pub(super) fn height_at(&self, [x, y, z]: [f32; 3], grid: Grid) -> u16 {
        let cell = |value: f32, min: u32, n: u32| {
            #[expect(clippy::cast_possible_truncation, reason = "floats saturate")]
            let at = (value * grid.cells_per_meter + CELL_NUDGE).floor() as i64;
            (at - i64::from(min)).clamp(0, i64::from(n) - 1)
        };
        let x = cell(x, self.window.x_min, self.window.n_x);
        let z = cell(z, self.window.z_min, self.window.n_z);
        self.known_at(x, z)
            .or_else(|| {
                (1..=i64::from(grid.search_radius_vx)).find_map(|radius| {
                    let known = ring(radius).filter_map(|(dx, dz)| self.known_at(x + dx, z + dz));
                    nearest_height(known, y, grid.cell_height)
                })
            })
            .unwrap_or(UNKNOWN)
    }
}

/// Converts positions to cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub(super) cell_size: f32,
    pub(super) cells_per_meter: f32,
    pub(super) cell_height: f32,
    /// Number of rings of cells that are searched around a cell without height.
    pub(super) search_radius_vx: u32,
}

/// Returns the height nearest to `y` meters, the first of equal ones.
fn nearest_height(heights: impl Iterator<Item = u16>, y: f32, cell_height: f32) -> Option<u16> {
    let mut nearest = None;
    let mut min_distance = f32::MAX;
    for height in heights {
        let distance = (f32::from(height) * cell_height - y).abs();
        if distance < min_distance {
            min_distance = distance;
            nearest = Some(height);
        }
    }
    nearest
}

/// Returns the offsets of the cells at distance `radius`, around the four sides in turn: +x, +z, −x, −z.
fn ring(radius: i64) -> impl Iterator<Item = (i64, i64)> {
    let upwards = move || 1 - radius..=radius;
    let downwards = move || (-radius..radius).rev();
    (upwards().map(move |z| (radius, z)))
        .chain(downwards().map(move |x| (x, radius)))
        .chain(downwards().map(move |z| (-radius, z)))
        .chain(upwards().map(move |x| (x, -radius)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: Grid =
        Grid { cell_size: 1.0, cells_per_meter: 1.0, cell_height: 1.0, search_radius_vx: 2 };

    #[test]
    fn rings_go_round_once() {
        let first: Vec<_> = ring(1).collect();
        let expected = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
        assert_eq!(first, expected);
        let second: Vec<_> = ring(2).collect();
        assert_eq!((second.len(), second[0], second[15]), (16, (2, -1), (2, -2)));
    }

    #[test]
    fn unknown_cells_take_the_nearest_height_of_the_nearest_ring() {
        let mut patch = HeightPatch::default();
        patch.reset(Window { x_min: 10, z_min: 20, n_x: 5, n_z: 5 });
        let set = |patch: &mut HeightPatch, x, z, height| {
            let cell = patch.window().index(x, z).unwrap();
            patch.set(cell, height);
        };
        let at = |patch: &HeightPatch, y| patch.height_at([12.5, y, 22.5], GRID);
        assert_eq!(at(&patch, 0.0), UNKNOWN);
        set(&mut patch, 14, 22, 7);
        assert_eq!(at(&patch, 0.0), 7);
        set(&mut patch, 13, 22, 30);
        set(&mut patch, 11, 22, 20);
        assert_eq!([at(&patch, 0.0), at(&patch, 28.0)], [20, 30]);
        set(&mut patch, 12, 22, 99);
        assert_eq!(at(&patch, 0.0), 99);
    }

    #[test]
    fn positions_outside_take_the_cell_at_the_edge() {
        let mut patch = HeightPatch::default();
        patch.reset(Window { x_min: 1, z_min: 1, n_x: 2, n_z: 1 });
        patch.set(0, 5);
        patch.set(1, 6);
        let at = |x| patch.height_at([x, 0.0, -100.0], GRID);
        assert_eq!([at(-3.0), at(1.995), at(50.0)], [5, 6, 6]);
    }

    #[test]
    fn windows_are_cut_at_the_grid() {
        let window = Window::around([[0, 3], [4, 9]].into_iter(), [5, 20]);
        assert_eq!(window, Window { x_min: 0, z_min: 2, n_x: 5, n_z: 8 });
        assert_eq!(window.n_cells(), 40);
        assert_eq!(window.index(u32::MAX, 3), None);
    }
}

//! Converts pieces of triangles to spans.
//!
//! Pieces are collected, so that each step is done for many of them in sequence: rounding their heights, four at a
//! time, and adding them to their columns, in their original order.

use walkable_runtime::monitor::Cancelled;

use super::{Merging, Surface, columns::Columns};
use crate::bake::{GridFrame, Heightfield, RawArea, Span, limit::Limit, pulse::Pulse};

/// Maximum number of collected pieces.
const MOST: usize = 256;
/// Pieces with more cells than this are not collected, so that the monitor is polled often enough.
const LONG: u32 = 1024;

/// The columns, and the collected pieces.
pub(super) struct Pieces {
    columns: Vec<(Merging, Columns)>,
    scale: Scale,
    n: usize,
    places: [FilledCells; MOST],
    lows: [f32; MOST],
    highs: [f32; MOST],
    /// Heights of the pieces in cells, packed; 0 for those outside the grid.
    rounded: [u32; MOST],
}

/// The cells of a row that a piece fills.
#[derive(Clone, Copy)]
struct FilledCells {
    first: u32,
    n: u16,
    surface: Surface,
}

impl Pieces {
    pub(super) fn new(frame: &GridFrame, merging: &[Merging]) -> Self {
        let surface = Surface { area: RawArea::NULL, steepness: 0 };
        let columns = |&merging: &Merging| (merging, Columns::new(frame.n_cells()));
        Self {
            columns: merging.iter().map(columns).collect(),
            scale: Scale::new(frame),
            n: 0,
            places: [FilledCells { first: 0, n: 0, surface }; MOST],
            lows: [0.0; MOST],
            highs: [0.0; MOST],
            rounded: [0; MOST],
        }
    }

    /// Adds a piece between two heights over `n_cells` cells of a row, beginning with the cell of index `first`.
    #[inline]
    pub(super) fn push(
        &mut self,
        [first, n_cells]: [u32; 2],
        heights: (f32, f32),
        surface: Surface,
    ) {
        let at = self.n;
        #[expect(clippy::cast_possible_truncation, reason = "a row has at most 65535 cells")]
        let n = n_cells as u16;
        self.places[at] = FilledCells { first, n, surface };
        (self.lows[at], self.highs[at]) = heights;
        self.n += 1;
        if self.n == MOST || LONG < n_cells {
            self.settle();
        }
    }

    /// Adds the collected pieces to the columns.
    fn settle(&mut self) {
        for ((rounded, &low), &high) in self.rounded.iter_mut().zip(&self.lows).zip(&self.highs) {
            *rounded = self.scale.rounded(low, high);
        }
        for (Merging { merge_vx, max_steepness }, columns) in &mut self.columns {
            for (&rounded, &FilledCells { first, n, surface }) in
                self.rounded.iter().zip(&self.places[..self.n])
            {
                if rounded == 0 {
                    continue;
                }
                #[expect(clippy::cast_possible_truncation, reason = "masked")]
                let [min_vx, max_vx] =
                    [rounded & HEIGHT_MASK, rounded >> HEIGHT_BITS].map(|vx| vx as u16);
                let is_walkable = surface.steepness <= *max_steepness;
                let area = if is_walkable { surface.area } else { RawArea::NULL };
                let span = Span { min_vx, max_vx, area };
                let first = first as usize;
                if n == 1 {
                    columns.add::<false>(first, span, *merge_vx);
                    continue;
                }
                for cell in first..first + usize::from(n) {
                    columns.add::<true>(cell, span, *merge_vx);
                }
            }
        }
        self.n = 0;
    }

    /// Checks that there was space for every span.
    pub(super) fn check(&self) -> Result<(), Limit> {
        self.columns.iter().try_for_each(|(_, columns)| columns.check())
    }

    /// Returns the spans of each merging, and the number of merges that raised an area.
    pub(super) fn into_heightfields(
        mut self,
        frame: GridFrame,
        pulse: &mut Pulse<'_>,
    ) -> Result<Vec<(Heightfield, usize)>, Cancelled> {
        self.settle();
        let fields = self.columns.into_iter().map(|(_, columns)| {
            let n_raised = columns.n_raised;
            Ok((columns.into_heightfield(frame, pulse)?, n_raised))
        });
        fields.collect()
    }
}

/// The conversion of heights to cells.
struct Scale {
    floor: f32,
    /// The largest height above the floor of the grid.
    top: f32,
    inverse_cell_height: f32,
}

/// Number of bits of each packed height of a piece.
const HEIGHT_BITS: u32 = 16;
const HEIGHT_MASK: u32 = (1 << HEIGHT_BITS) - 1;
/// The largest height in cells, [`Heightfield::MAX_HEIGHT_VX`], for this height and those above.
const HIGHEST: f32 = 32_767.0;
const HIGH: f32 = 40_000.0;
/// 2²³: from this value on, a float has no fraction. Adding it rounds a number and stores the integer in the low bits.
const SHIFT: f32 = 8_388_608.0;

impl Scale {
    fn new(frame: &GridFrame) -> Self {
        let floor = frame.bounds.min.y;
        let top = frame.bounds.max.y - floor;
        Self { floor, top, inverse_cell_height: 1.0 / frame.cell_height }
    }

    /// Returns the cells between two heights, rounded outward: the lower one in the low bits, the higher one in the
    /// high bits. Returns 0 if the range is outside the grid.
    #[inline]
    fn rounded(&self, low: f32, high: f32) -> u32 {
        let (low, high) = (low - self.floor, high - self.floor);
        let is_outside = high < 0.0 || self.top < low;
        let [low, high] = [at_least(low, 0.0), at_most(high, self.top)]
            .map(|height| at_most(height * self.inverse_cell_height, HIGH));
        let [low_nearest, high_nearest] = [low, high].map(|height| height + SHIFT - SHIFT);
        let below = low_nearest - f32::from(u8::from(low < low_nearest));
        let above = high_nearest + f32::from(u8::from(high_nearest < high));
        let min = at_most(below, HIGHEST - 1.0);
        let max = at_least(at_most(above, HIGHEST), min + 1.0);
        let [min, max] = [min, max].map(|height| (height + SHIFT).to_bits() & HEIGHT_MASK);
        if is_outside { 0 } else { max << HEIGHT_BITS | min }
    }
}

#[inline]
fn at_least(value: f32, least: f32) -> f32 {
    if value < least { least } else { value }
}

/// Returns the smaller of both; `most` if `value` is NaN.
#[inline]
fn at_most(value: f32, most: f32) -> f32 {
    if value < most { value } else { most }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bake::heightfield::tests::unit_frame;

    /// Rounds two heights in a frame of 100 cells of 1 m.
    fn rounded(low: f32, high: f32) -> (u32, u32) {
        let rounded = Scale::new(&unit_frame(1, 1)).rounded(low, high);
        (rounded & HEIGHT_MASK, rounded >> HEIGHT_BITS)
    }

    #[test]
    fn heights_are_rounded_outwards() {
        assert_eq!(rounded(0.0, 0.5), (0, 1));
        assert_eq!(rounded(0.5, 0.5), (0, 1));
        assert_eq!(rounded(1.5, 1.5), (1, 2));
        assert_eq!(rounded(2.5, 3.5), (2, 4));
        assert_eq!(rounded(2.999_999_8, 3.0), (2, 3));
        assert_eq!(rounded(3.0, f32::MIN_POSITIVE + 4.0), (3, 4));
        // Nothing is lower than one cell.
        assert_eq!(rounded(3.0, 3.0), (3, 4));
        assert_eq!(rounded(-1.0, 0.0), (0, 1));
    }

    #[test]
    fn heights_are_cut_at_the_grid_and_at_the_highest() {
        assert_eq!(rounded(-7.0, 200.0), (0, 100));
        assert_eq!(rounded(-7.0, -0.1), (0, 0));
        assert_eq!(rounded(100.1, 200.0), (0, 0));
        let mut frame = unit_frame(1, 1);
        frame.bounds.max.y = 1e9;
        let rounded = Scale::new(&frame).rounded(32_766.998, 1e9);
        assert_eq!((rounded & HEIGHT_MASK, rounded >> HEIGHT_BITS), (32_766, 32_767));
        let rounded = Scale::new(&frame).rounded(1e9, 1e9);
        assert_eq!((rounded & HEIGHT_MASK, rounded >> HEIGHT_BITS), (32_766, 32_767));
    }
}

//! Tiles that are higher or lower than their neighbors as a whole.

use std::collections::BTreeMap;

use super::border::TOUCH;

/// Tolerance for height differences that count as the same.
const SAME: f32 = 0.002;
/// Minimum number of shared corners from which a tile counts as shifted.
const FEWEST_OF_TILE: usize = 2;
/// Minimum number of shared corners from which one border of a tile counts as shifted.
const FEWEST_OF_BORDER: usize = 4;

/// Height differences at the corners that tiles share.
#[derive(Debug, Default)]
pub(super) struct Shifts {
    tiles: BTreeMap<usize, Shared>,
    /// By the slots of both tiles; the differences are those of the tile in the smaller slot.
    borders: BTreeMap<[usize; 2], Shared>,
}

/// Heights of a tile above its neighbors, at the corners that they share.
#[derive(Clone, Debug, Default)]
struct Shared {
    differences: Vec<f32>,
}

impl Shared {
    /// Returns the median height, if at least three quarters of the corners, and at least `fewest`, have it.
    fn shift(&self, fewest: usize) -> Option<f32> {
        let mut sorted = self.differences.clone();
        sorted.sort_by(f32::total_cmp);
        let median = *sorted.get(sorted.len() / 2)?;
        let n_same = sorted.iter().filter(|one| (**one - median).abs() <= SAME).count();
        let is_shift = 4 * n_same >= 3 * sorted.len() && n_same >= fewest;
        (is_shift && median.abs() > TOUCH).then_some(median)
    }
}

impl Shifts {
    /// Adds a corner that the tiles in two slots share. The first tile is higher by `difference`.
    pub(super) fn add(&mut self, [own, other]: [usize; 2], difference: f32) {
        for (slot, difference) in [(own, difference), (other, -difference)] {
            self.tiles.entry(slot).or_default().differences.push(difference);
        }
        let (key, difference) =
            if own < other { ([own, other], difference) } else { ([other, own], -difference) };
        self.borders.entry(key).or_default().differences.push(difference);
    }

    /// Returns the shifted tiles: slot, height difference and number of shared corners. If only one border is shifted,
    /// the tile in the smaller slot counts as shifted.
    pub(super) fn shifted_tiles(&self) -> Vec<(usize, f32, usize)> {
        let mut found = BTreeMap::new();
        for (&slot, shared) in &self.tiles {
            found.extend(
                shared.shift(FEWEST_OF_TILE).map(|shift| (slot, (shift, shared.differences.len()))),
            );
        }
        for (&[a, b], shared) in &self.borders {
            if !found.contains_key(&a) && !found.contains_key(&b) {
                let shift = shared.shift(FEWEST_OF_BORDER);
                found.extend(shift.map(|shift| (a, (shift, shared.differences.len()))));
            }
        }
        found.into_iter().map(|(slot, (shift, n))| (slot, shift, n)).collect()
    }
}

//! Tiles that lie higher or lower than their neighbors as a whole.

use std::collections::BTreeMap;

use super::border::TOUCH;

/// How far apart two heights may be and still count as the same difference.
const SAME: f32 = 0.002;
/// Fewest corners of a whole tile that tell a shift from rounding at a wall.
const FEWEST_OF_TILE: usize = 2;
/// Fewest corners on the border of two tiles that do, where others of the tile are right.
const FEWEST_OF_BORDER: usize = 4;

/// The corners that tiles share with their neighbors.
#[derive(Debug, Default)]
pub(super) struct Shifts {
    tiles: BTreeMap<usize, Shared>,
    /// By the tile of the smaller slot.
    borders: BTreeMap<[usize; 2], Shared>,
}

/// How much higher a tile is at the corners that it shares with others.
#[derive(Clone, Debug, Default)]
struct Shared {
    differences: Vec<f32>,
}

impl Shared {
    /// How much higher the tile is, if it is that at three of four corners, and at `fewest` at least.
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
    /// Takes a corner that the tiles in two slots share; the first is higher by `difference`.
    pub(super) fn add(&mut self, [own, other]: [usize; 2], difference: f32) {
        for (slot, difference) in [(own, difference), (other, -difference)] {
            self.tiles.entry(slot).or_default().differences.push(difference);
        }
        let (key, difference) =
            if own < other { ([own, other], difference) } else { ([other, own], -difference) };
        self.borders.entry(key).or_default().differences.push(difference);
    }

    /// Tiles that differ in the same way from others at the corners that they share: slot, by how much, and the number of
    /// corners. Where only one border differs, the tile of the smaller slot is named.
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

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

/// Corners of a tile that others have, too.
#[derive(Clone, Copy, Debug)]
struct Shared {
    n: usize,
    /// How much higher the tile is at them.
    least: f32,
    most: f32,
}

impl Shared {
    const NONE: Self = Self { n: 0, least: f32::MAX, most: f32::MIN };

    fn add(&mut self, difference: f32) {
        self.n += 1;
        self.least = self.least.min(difference);
        self.most = self.most.max(difference);
    }

    /// How much higher the tile is, if that is the same at all corners and there are enough of them.
    fn shift(&self, fewest: usize) -> Option<f32> {
        let is_same = self.most - self.least <= SAME && self.n >= fewest;
        (is_same && self.least.abs() > TOUCH).then_some(self.least)
    }
}

impl Shifts {
    /// Takes a corner that the tiles in two slots share; the first is higher by `difference`.
    pub(super) fn add(&mut self, [own, other]: [usize; 2], difference: f32) {
        for (slot, difference) in [(own, difference), (other, -difference)] {
            self.tiles.entry(slot).or_insert(Shared::NONE).add(difference);
        }
        let (key, difference) =
            if own < other { ([own, other], difference) } else { ([other, own], -difference) };
        self.borders.entry(key).or_insert(Shared::NONE).add(difference);
    }

    /// Tiles that differ in the same way from others at all corners that they share: slot, by how much, and at how many
    /// corners. Where only one border differs, the tile of the smaller slot is named.
    pub(super) fn shifted_tiles(&self) -> Vec<(usize, f32, usize)> {
        let mut found = BTreeMap::new();
        for (&slot, shared) in &self.tiles {
            found.extend(shared.shift(FEWEST_OF_TILE).map(|shift| (slot, (shift, shared.n))));
        }
        for (&[a, b], shared) in &self.borders {
            if !found.contains_key(&a) && !found.contains_key(&b) {
                let shift = shared.shift(FEWEST_OF_BORDER);
                found.extend(shift.map(|shift| (a, (shift, shared.n))));
            }
        }
        found.into_iter().map(|(slot, (shift, n))| (slot, shift, n)).collect()
    }
}

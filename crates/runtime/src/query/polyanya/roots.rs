//! The length of the shortest known path to each corner.

use super::surface::PlaneCorner;

/// Paths whose lengths differ by no more than this fraction are equally long.
const SLACK: f64 = 1e-12;

/// The corners at which paths turn, with the length of the shortest known path to each.
///
/// A hash table. Nothing iterates over it, so results do not depend on its order.
#[derive(Clone, Debug, Default)]
pub(super) struct Roots {
    lengths: Vec<f64>,
    /// The slots; a power of two of them, at least twice the number of corners.
    slots: Vec<Slot>,
    /// Slots of other generations count as empty.
    generation: u32,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    corner: u64,
    root: u32,
    generation: u32,
}

impl Roots {
    const EMPTY: Slot = Slot { corner: 0, root: 0, generation: 0 };

    /// Removes all corners and adds the start as root 0.
    pub(super) fn reset(&mut self) {
        self.lengths.clear();
        self.lengths.push(0.0);
        if let Some(next) = self.generation.checked_add(1) {
            self.generation = next;
        } else {
            self.slots.fill(Self::EMPTY);
            self.generation = 1;
        }
    }

    /// Records a path of this `length` to `corner` and returns the number of the corner, or returns `None` if a shorter
    /// path is known.
    pub(super) fn reach(&mut self, corner: PlaneCorner, length: f64) -> Option<u32> {
        if self.slots.len() < 2 * (self.lengths.len() + 1) {
            self.grow();
        }
        let place = self.place(corner.0.get());
        let slot = &mut self.slots[place];
        if slot.generation != self.generation {
            let root = u32::try_from(self.lengths.len()).ok()?;
            *slot = Slot { corner: corner.0.get(), root, generation: self.generation };
            self.lengths.push(length);
            return Some(root);
        }
        let root = slot.root;
        let best = &mut self.lengths[root as usize];
        if length < *best {
            *best = length;
        }
        (!self.is_outdone(root, length)).then_some(root)
    }

    /// Returns whether a path to the corner is known that is shorter than `length`.
    pub(super) fn is_outdone(&self, root: u32, length: f64) -> bool {
        length > self.lengths[root as usize] * (1.0 + SLACK)
    }

    /// Returns the slot of a corner, or the empty slot where it would be inserted.
    fn place(&self, corner: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = spread(corner) & mask;
        while self.slots[place].generation == self.generation && self.slots[place].corner != corner
        {
            place = (place + 1) & mask;
        }
        place
    }

    fn grow(&mut self) {
        let n = (2 * self.slots.len()).max(64);
        let old = std::mem::replace(&mut self.slots, vec![Self::EMPTY; n]);
        for slot in old.into_iter().filter(|slot| slot.generation == self.generation) {
            let place = self.place(slot.corner);
            self.slots[place] = slot;
        }
    }
}

fn spread(corner: u64) -> usize {
    (corner.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 29) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_as_short_as_the_best_are_good() {
        let mut roots = Roots::default();
        for _search in 0..3 {
            roots.reset();
            for n in 0..1000_u32 {
                assert_eq!(roots.reach(PlaneCorner::new(u64::from(n) << 32 | 7), 5.0), Some(n + 1));
            }
            assert_eq!(roots.reach(PlaneCorner::new(9 << 32 | 7), 6.0), None);
            assert_eq!(roots.reach(PlaneCorner::new(9 << 32 | 7), 5.0), Some(10));
            assert_eq!(roots.reach(PlaneCorner::new(9 << 32 | 7), 4.0), Some(10));
            assert!(roots.is_outdone(10, 5.0) && !roots.is_outdone(10, 4.0));
        }
    }

    #[test]
    fn generations_may_wrap() {
        let mut roots = Roots::default();
        roots.reset();
        roots.reach(PlaneCorner::new(3), 1.0);
        roots.generation = u32::MAX;
        roots.reset();
        assert_eq!(roots.reach(PlaneCorner::new(3), 2.0), Some(1));
    }
}

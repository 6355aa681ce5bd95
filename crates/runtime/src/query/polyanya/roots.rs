//! The shortest way known to each corner.

use super::surface::PlaneCorner;

/// A way counts as longer than another only beyond this share of it.
const SLACK: f64 = 1e-12;

/// Corners that were turned at, each with the length of the shortest way to it so far.
///
/// A hash table that is only asked for single corners, so that nothing depends on its order.
#[derive(Clone, Debug, Default)]
pub(super) struct Roots {
    lengths: Vec<f64>,
    /// A power of two of them, at least twice as many as corners.
    slots: Vec<Slot>,
    /// Slots of other generations are empty.
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

    /// Forgets all corners, and adds the start, which is root 0.
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

    /// Takes note of a way of this `length` to `corner`. The number of the corner, or `None` where a
    /// shorter way is known.
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

    /// Whether a shorter way to a corner is known than one of this `length`.
    pub(super) fn is_outdone(&self, root: u32, length: f64) -> bool {
        length > self.lengths[root as usize] * (1.0 + SLACK)
    }

    /// The slot that a corner has, or would get.
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
    fn only_ways_as_short_as_the_best_are_good() {
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

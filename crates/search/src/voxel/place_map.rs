/// Numbers of the places that a search has reached, in the order of reaching. Places are sparse: a search that reaches
/// a thousand voxels in a volume of a billion needs memory for a thousand.
///
/// A hash table with open addressing. Clearing takes constant time, and the table never shrinks.
#[derive(Clone, Debug, Default)]
pub(super) struct PlaceMap {
    slots: Vec<Slot>,
    /// Current generation. Slots of other generations are left over from earlier searches.
    generation: u32,
    n: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    place: u64,
    number: u32,
    generation: u32,
}

impl PlaceMap {
    /// Removes all places.
    pub(super) fn clear(&mut self) {
        self.n = 0;
        if let Some(next) = self.generation.checked_add(1) {
            self.generation = next;
        } else {
            self.slots.clear();
            self.generation = 1;
        }
        if self.slots.is_empty() {
            self.slots.resize(1024, Slot::default());
        }
    }

    /// Returns the number of a place, and whether the place is new.
    pub(super) fn find_or_add(&mut self, place: u64) -> (u32, bool) {
        if self.slots.len() < 2 * self.n as usize + 2 {
            self.grow();
        }
        let at = self.slot_of(place).unwrap_or(0);
        let slot = &mut self.slots[at];
        if slot.generation == self.generation {
            return (slot.number, false);
        }
        *slot = Slot { place, number: self.n, generation: self.generation };
        self.n += 1;
        (self.n - 1, true)
    }

    /// Returns the slot of a place, or the empty slot for it.
    fn slot_of(&self, place: u64) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        // Fibonacci hashing; the upper bits are the mixed ones.
        let mut at = (place.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.slots[at].generation == self.generation && self.slots[at].place != place {
            at = (at + 1) & mask;
        }
        Some(at)
    }

    fn grow(&mut self) {
        let larger = vec![Slot::default(); (2 * self.slots.len()).max(1024)];
        let old = std::mem::replace(&mut self.slots, larger);
        for slot in old.into_iter().filter(|slot| slot.generation == self.generation) {
            if let Some(at) = self.slot_of(slot.place) {
                self.slots[at] = slot;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_until_cleared() {
        let mut map = PlaceMap::default();
        for round in 0..3_u64 {
            map.clear();
            let places = (0..5000_u64).map(|n| (n * n + round) << (n % 40));
            let places: std::collections::BTreeSet<u64> = places.collect();
            for (n, &place) in (0..).zip(&places) {
                assert_eq!(map.find_or_add(place), (n, true));
            }
            for (n, &place) in (0..).zip(&places) {
                assert_eq!(map.find_or_add(place), (n, false));
            }
        }
    }
}

//! Numbers and salts of tiles, assigned in Detour's order.

/// A number that a tile has or had.
#[derive(Clone, Copy, Debug)]
struct Slot {
    number: u32,
    salt: u32,
    tile: Option<u32>,
}

/// A number and its salt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SlotName {
    pub(super) number: u32,
    pub(super) salt: u32,
}

/// The used numbers with their tiles and salts. A released number is the next to be assigned; new numbers are
/// ascending. The memory depends on the used numbers, not on the allowed ones.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    /// Sorted by number. If numbers are used without gaps, slot `n` is entry `n`.
    entries: Vec<Slot>,
    /// Released numbers, the newest last.
    freed: Vec<u32>,
    next_unused: u32,
    n_max: u32,
    max_salt: u32,
}

impl Slots {
    pub(super) fn new(n_max: u32, max_salt: u32) -> Self {
        Self { entries: Vec::new(), freed: Vec::new(), next_unused: 0, n_max, max_salt }
    }

    fn position(&self, number: u32) -> Result<usize, usize> {
        match self.entries.get(number as usize) {
            Some(slot) if slot.number == number => Ok(number as usize),
            // Numbers are mostly ascending.
            None if self.entries.last().is_none_or(|last| last.number < number) => {
                Err(self.entries.len())
            }
            _ => self.entries.binary_search_by_key(&number, |slot| slot.number),
        }
    }

    /// Prepares an empty list for tiles with certain numbers.
    pub(super) fn expect(&mut self, mut numbers: Vec<u32>) {
        if !self.entries.is_empty() {
            return;
        }
        numbers.sort_unstable();
        numbers.dedup();
        self.entries = numbers.iter().map(|&number| Slot { number, salt: 0, tile: None }).collect();
    }

    /// Returns the tile with this number, if it has this salt.
    pub(super) fn find(&self, name: SlotName) -> Option<u32> {
        let slot = &self.entries[self.position(name.number).ok()?];
        slot.tile.filter(|_| slot.salt == name.salt)
    }

    /// Returns the tile with this number.
    pub(super) fn tile(&self, number: u32) -> Option<u32> {
        self.entries[self.position(number).ok()?].tile
    }

    /// Returns the tiles, by number.
    pub(super) fn tiles(&self) -> impl Iterator<Item = u32> {
        self.entries.iter().filter_map(|slot| slot.tile)
    }

    /// Assigns the next number to `tile`; returns `None` if all are used.
    pub(super) fn take_next(&mut self, tile: u32) -> Option<SlotName> {
        if let Some(number) = self.freed.pop() {
            let position = self.position(number).ok()?;
            let slot = &mut self.entries[position];
            slot.tile = Some(tile);
            return Some(SlotName { number, salt: slot.salt });
        }
        let mut position = self.position(self.next_unused);
        while position.is_ok() {
            self.next_unused += 1;
            position = self.position(self.next_unused);
        }
        let number = self.next_unused;
        if number >= self.n_max {
            return None;
        }
        let slot = Slot { number, salt: 1, tile: Some(tile) };
        self.entries.insert(position.unwrap_or_else(|insert_at| insert_at), slot);
        Some(SlotName { number, salt: 1 })
    }

    /// Assigns a certain number and salt to `tile`; returns `false` if the number is used or too large.
    pub(super) fn take(&mut self, name: SlotName, tile: u32) -> bool {
        if name.number >= self.n_max || name.salt > self.max_salt {
            return false;
        }
        let slot = Slot { number: name.number, salt: name.salt, tile: Some(tile) };
        match self.position(name.number) {
            Ok(position) if self.entries[position].tile.is_some() => return false,
            Ok(position) => {
                self.entries[position] = slot;
                self.freed.retain(|&number| number != name.number);
            }
            Err(position) => self.entries.insert(position, slot),
        }
        true
    }

    /// Releases a number and changes its salt, so that references to the tile become stale.
    pub(super) fn release(&mut self, number: u32) {
        let Ok(position) = self.position(number) else { return };
        let slot = &mut self.entries[position];
        slot.tile = None;
        slot.salt = if slot.salt >= self.max_salt { 1 } else { slot.salt + 1 };
        self.freed.push(number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(number: u32, salt: u32) -> SlotName {
        SlotName { number, salt }
    }

    #[test]
    fn numbers_ascend_and_the_last_released_is_reused_first() {
        let mut slots = Slots::new(4, 1023);
        assert_eq!(
            (0..3).map(|tile| slots.take_next(tile).unwrap().number).collect::<Vec<_>>(),
            [0, 1, 2]
        );
        slots.release(0);
        slots.release(2);
        assert_eq!(slots.take_next(7), Some(name(2, 2)));
        assert_eq!(slots.take_next(8), Some(name(0, 2)));
        assert_eq!(slots.take_next(9), Some(name(3, 1)));
        assert_eq!(slots.take_next(10), None);
        assert_eq!(slots.find(name(2, 2)), Some(7));
        assert_eq!(slots.find(name(2, 1)), None);
        assert_eq!(slots.tiles().collect::<Vec<_>>(), [8, 1, 7, 9]);
    }

    #[test]
    fn certain_numbers_may_leave_gaps() {
        let mut slots = Slots::new(1 << 22, 1023);
        assert!(slots.take(name(4_000_000, 5), 0));
        assert!(slots.take(name(1, 9), 1));
        assert!(!slots.take(name(1, 9), 2));
        assert!(!slots.take(name(1 << 22, 1), 2));
        assert!(!slots.take(name(2, 1024), 2));
        assert_eq!(slots.take_next(2), Some(name(0, 1)));
        assert_eq!(slots.take_next(3), Some(name(2, 1)));
        assert_eq!(slots.find(name(4_000_000, 5)), Some(0));
        slots.release(4_000_000);
        assert!(slots.take(name(4_000_000, 5), 4));
        assert_eq!(slots.take_next(5), Some(name(3, 1)));
    }

    #[test]
    fn the_salt_skips_zero() {
        let mut slots = Slots::new(1, 3);
        let salts: Vec<u32> = (0..5)
            .map(|tile| {
                let taken = slots.take_next(tile).unwrap();
                slots.release(taken.number);
                taken.salt
            })
            .collect();
        assert_eq!(salts, [1, 2, 3, 1, 2]);
    }
}

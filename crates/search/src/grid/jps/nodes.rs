//! What a jump point search knows of the cells that it has opened.

use walkable_runtime::search::{SearchStats, StepKind};

use crate::grid::{Cell, cost::Cost, queue::SparseQueue, way::Way};

/// How a cell was reached: by which way, and bits for left and right by what makes it a jump point. A
/// number below 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arrival(u8);

impl Arrival {
    #[expect(clippy::cast_possible_truncation, reason = "ways are below 8")]
    pub(super) const fn new(way: Way, sides: u8) -> Self {
        Self((way & 7) as u8 | (sides & 3) << 3)
    }

    pub(super) const fn way(self) -> Way {
        self.0 as usize & 7
    }

    pub(super) const fn number(self) -> usize {
        self.0 as usize & 31
    }
}

/// As in [`Memory`](crate::grid::scratch::Memory): from the top a stamp of the search, a bit that is set
/// until the cell is expanded, the cost of the way there, and how it arrived. A later search has a smaller
/// stamp, so that what is worth keeping is less than what is there.
type Record = u64;

const ARRIVAL_BITS: u32 = 5;
const ARRIVALS: Record = (1 << ARRIVAL_BITS) - 1;
/// Costs of paths over at most 2^28 cells fit.
const COST_BITS: u32 = 44;
const MAX_COST: Cost = (1 << COST_BITS) - 1;
const WAITING: Record = 1 << (ARRIVAL_BITS + COST_BITS);
const STAMP: Record = WAITING << 1;
const NEVER: Record = Record::MAX;

/// A cell in 32 bits.
type Key = u32;

const fn key(cell: Cell) -> Key {
    cell.y << 16 | cell.x
}

const fn cell(key: Key) -> Cell {
    Cell { x: key & 0xffff, y: key >> 16 }
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    record: Record,
    key: Key,
    /// Where it was reached from; the cell itself where the search began.
    parent: Key,
}

const EMPTY: Slot = Slot { record: NEVER, key: 0, parent: 0 };
const MIN_SLOTS: usize = 1024;

/// The cells opened by a search, in a table of a few times their number: they are so few that all of it
/// stays in the nearest cache, where numbers for every cell of the grid would not.
#[derive(Clone, Debug, Default)]
pub(in crate::grid) struct JumpNodes {
    /// With open addressing; a power of two.
    slots: Vec<Slot>,
    n: usize,
    stamp: Record,
    open: SparseQueue,
    pub(super) n_expanded: u64,
}

/// A cell that is taken from the open list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opened {
    pub(super) cell: Cell,
    /// None where the search began.
    pub(super) arrival: Option<Arrival>,
    pub(super) parent: Cell,
    pub(super) g: Cost,
}

impl JumpNodes {
    /// Forgets all cells.
    pub(super) fn clear(&mut self) {
        (self.n, self.n_expanded) = (0, 0);
        self.open.clear();
        if let Some(next) = self.stamp.checked_sub(STAMP) {
            self.stamp = next;
        } else {
            self.slots.clear();
            self.stamp = NEVER / STAMP * STAMP - STAMP;
        }
        if self.slots.is_empty() {
            self.slots.resize(MIN_SLOTS, EMPTY);
        }
    }

    /// The slot of a cell, or the empty one where it would go.
    #[inline]
    fn slot_of(&self, key: Key) -> usize {
        let mask = self.slots.len() - 1;
        // Fibonacci hashing; the upper bits are the mixed ones.
        let hash = u64::from(key).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let mut at = hash as usize & mask;
        while self.slots[at].key != key && self.slots[at].record < self.stamp + STAMP {
            at = (at + 1) & mask;
        }
        at
    }

    /// Puts a cell on the open list if the way there is the best so far and the cell was not expanded;
    /// says whether it is the first. `h` is the estimate.
    #[inline]
    pub(super) fn open(
        &mut self,
        to: Cell,
        (g, h): (Cost, Cost),
        arrival: Arrival,
        parent: Cell,
    ) -> Option<StepKind> {
        let record = self.stamp + WAITING + (g << ARRIVAL_BITS) + arrival.number() as Record;
        let key = key(to);
        let at = self.slot_of(key);
        let slot = &mut self.slots[at];
        let before = slot.record;
        if record | ARRIVALS >= before {
            return None;
        }
        *slot = Slot { record, key, parent: self::key(parent) };
        self.put_on_list([g, h], key);
        if before < self.stamp + STAMP {
            return Some(StepKind::Lowered);
        }
        self.n += 1;
        if self.slots.len() < 4 * self.n {
            self.grow();
        }
        Some(StepKind::Opened)
    }

    /// Apart, so that the code of scans stays small.
    #[inline(never)]
    fn put_on_list(&mut self, [g, h]: [Cost; 2], key: Key) {
        self.open.push(g + h, h, key);
    }

    /// Takes the next cell that was not expanded from the open list; now it counts as expanded.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Opened> {
        loop {
            let (_, key) = self.open.pop()?;
            let at = self.slot_of(key);
            let slot = &mut self.slots[at];
            if slot.record >= self.stamp + WAITING {
                slot.record &= !WAITING;
                let arrival = Arrival((slot.record & ARRIVALS) as u8);
                let g = slot.record >> ARRIVAL_BITS & MAX_COST;
                let arrival = (slot.parent != key).then_some(arrival);
                return Some(Opened { cell: cell(key), arrival, parent: cell(slot.parent), g });
            }
        }
    }

    /// The cells from where the search began to one that it has opened.
    pub(super) fn way_to(&self, to: Cell) -> Vec<Cell> {
        let mut cells = vec![to];
        let mut at = key(to);
        loop {
            let slot = self.slots[self.slot_of(at)];
            if slot.parent == at || slot.key != at {
                cells.reverse();
                return cells;
            }
            at = slot.parent;
            cells.push(cell(at));
        }
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![EMPTY; 2 * self.slots.len()];
        let old = std::mem::replace(&mut self.slots, larger);
        for slot in old.into_iter().filter(|slot| slot.record < self.stamp + STAMP) {
            let at = self.slot_of(slot.key);
            self.slots[at] = slot;
        }
    }

    /// What the search has cost.
    pub(super) fn stats(&self) -> SearchStats {
        SearchStats {
            n_expanded: self.n_expanded,
            n_opened: self.open.n_pushed(),
            open_peak: self.open.peak(),
        }
    }
}

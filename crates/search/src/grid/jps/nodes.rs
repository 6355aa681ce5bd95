//! Open and closed cells of a jump point search.

use walkable_runtime::search::{SearchStats, StepKind};

use crate::grid::{Cell, cost::Cost, direction::Direction, queue::SparseQueue};

/// How a cell was reached: the direction, and one bit for left and one for right, set if an obstacle on that side makes
/// the cell a jump point. The number is below 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arrival(u8);

impl Arrival {
    #[expect(clippy::cast_possible_truncation, reason = "directions are below 8")]
    pub(super) const fn new(direction: Direction, sides: u8) -> Self {
        Self((direction & 7) as u8 | (sides & 3) << 3)
    }

    pub(super) const fn direction(self) -> Direction {
        self.0 as usize & 7
    }

    pub(super) const fn number(self) -> usize {
        self.0 as usize & 31
    }
}

/// State of a cell in one number, as in [`Memory`](crate::grid::scratch::Memory). From the highest bits: the stamp of
/// the search, a bit that is set until the cell is expanded, the cost of the path, and the arrival. Later searches have
/// smaller stamps, so an improvement is always a smaller record.
type Record = u64;

const ARRIVAL_BITS: u32 = 5;
const ARRIVALS: Record = (1 << ARRIVAL_BITS) - 1;
/// Sufficient for the costs of paths over at most 2^28 cells.
const COST_BITS: u32 = 44;
const MAX_COST: Cost = (1 << COST_BITS) - 1;
const WAITING: Record = 1 << (ARRIVAL_BITS + COST_BITS);
const STAMP: Record = WAITING << 1;
const NEVER: Record = Record::MAX;

/// A cell packed into 32 bits.
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
    /// Parent cell; the cell itself for the start.
    parent: Key,
}

const EMPTY: Slot = Slot { record: NEVER, key: 0, parent: 0 };
const MIN_SLOTS: usize = 1024;

/// Cells opened by a search, in a hash table. The opened cells are so few that the table stays in the nearest cache,
/// unlike an array of all cells.
#[derive(Clone, Debug, Default)]
pub(in crate::grid) struct JumpNodes {
    /// Slots with open addressing; their number is a power of two.
    slots: Vec<Slot>,
    n: usize,
    stamp: Record,
    open: SparseQueue,
    pub(super) n_expanded: u64,
}

/// A cell popped from the open list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opened {
    pub(super) cell: Cell,
    /// `None` for the start.
    pub(super) arrival: Option<Arrival>,
    pub(super) parent: Cell,
    pub(super) g: Cost,
}

impl JumpNodes {
    /// Removes all cells.
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

    /// Returns the slot of a cell, or the empty slot for it.
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

    /// Adds a cell to the open list if the path is the cheapest so far and the cell is not closed. Returns whether the
    /// cell was opened or its cost lowered, or `None` if neither. `h` is the heuristic.
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

    /// Pushes a cell to the open list. Not inlined, so that the code of scans stays small.
    #[inline(never)]
    fn put_on_list(&mut self, [g, h]: [Cost; 2], key: Key) {
        self.open.push(g + h, h, key);
    }

    /// Pops the next cell that is not closed from the open list, and closes it.
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

    /// Returns the jump points on the path from the start to an opened cell.
    pub(super) fn path_to(&self, to: Cell) -> Vec<Cell> {
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

    /// Returns the counters of the search.
    pub(super) fn stats(&self) -> SearchStats {
        SearchStats {
            n_expanded: self.n_expanded,
            n_opened: self.open.n_pushed(),
            open_peak: self.open.peak(),
        }
    }
}

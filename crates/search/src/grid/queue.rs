//! The open list of grid searches.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::cost::{Cost, STRAIGHT};

/// Sort key of an entry: the sum `f`, then a number made of the heuristic in whole cells and the node, so that among
/// equal sums the smallest heuristic comes first.
type Entry = (Cost, u64);

/// An entry within its bucket, packed into one sortable number: the lowest bits of the sum and the second number of
/// the key.
type Packed = u64;

const NODE_BITS: u32 = 32;
/// Number of groups of buckets that are indexed directly.
const N_GROUPS: u64 = 128;
const NONE: u32 = u32::MAX;

#[expect(clippy::cast_possible_truncation, reason = "the lower 32 bits are the node")]
const fn node_of(rest: u64) -> u32 {
    rest as u32
}

/// Converts a number to an index, or to `usize::MAX` if the number is too large.
fn index(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Open list, sorted by key. It has no decrease-key operation: a search pushes a node again, and skips the older entry
/// when it is popped.
///
/// Entries are distributed to buckets by their sum, and only the current bucket is sorted. Entries are popped in the
/// order of their whole key, regardless of the order of pushing. The list is fast if sums never decrease, as with
/// consistent heuristics. A straight move then costs hardly more than on a stack.
///
/// A bucket holds sums that agree except in the lowest `BUCKET_BITS` bits. With `LAZY`, entries of later buckets are
/// distributed only once the current bucket is empty.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenQueue<const BUCKET_BITS: u32, const LAZY: bool> {
    /// Entries of buckets before the current one.
    early: BinaryHeap<Reverse<Entry>>,
    /// Entries of the current bucket, the smallest last.
    now: Vec<Packed>,
    /// The current bucket.
    due: u64,
    /// Entries of later buckets that are not distributed yet.
    fresh: Vec<Entry>,
    /// The first directly indexed bucket.
    first: u64,
    /// The directly indexed buckets.
    groups: Vec<Group>,
    /// Entries of later buckets, each linked to the previous entry of its bucket, and unused entries.
    later: Vec<(Packed, u32)>,
    /// The first unused entry. Each unused entry links to the next.
    unused: u32,
    /// Entries of buckets too far ahead to be indexed directly.
    far: Vec<Entry>,
    n_pushed: usize,
    n_popped: usize,
    /// Maximum number of entries, measured at each pop.
    peak: usize,
}

/// Open list for searches that expand cell by cell. Many entries have nearly the same sum, so buckets are a sixteenth
/// of a cell. Most entries are never popped, so the list is lazy.
pub(super) type DenseQueue = OpenQueue<11, true>;

/// Open list for searches that expand few cells with very different sums. Buckets are half a cell, and the list is not
/// lazy.
pub(super) type SparseQueue = OpenQueue<14, false>;

/// Consecutive buckets.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// One bit per bucket, set if it has entries.
    taken: u64,
    /// For each bucket, its newest entry in `later`.
    newest: [u32; 64],
}

impl Group {
    const EMPTY: Self = Self { taken: 0, newest: [NONE; 64] };
}

impl<const BUCKET_BITS: u32, const LAZY: bool> OpenQueue<BUCKET_BITS, LAZY> {
    /// Maximum value of the heuristic in a key.
    const MAX_TO_GO: u64 = (1 << (64 - NODE_BITS - BUCKET_BITS)) - 1;

    const fn bucket_of(f: Cost) -> u64 {
        f >> BUCKET_BITS
    }

    const fn packed((f, rest): Entry) -> Packed {
        f << (64 - BUCKET_BITS) | rest
    }

    /// Returns the sum and the node of an entry of the current bucket.
    const fn unpacked(&self, packed: Packed) -> (Cost, u32) {
        (self.due << BUCKET_BITS | packed >> (64 - BUCKET_BITS), node_of(packed))
    }

    /// Removes all entries and resets the counters.
    pub(super) fn clear(&mut self) {
        self.early.clear();
        self.now.clear();
        self.fresh.clear();
        self.later.clear();
        self.far.clear();
        self.unused = NONE;
        self.keep_from(u64::MAX);
        (self.n_pushed, self.n_popped, self.peak) = (0, 0, 0);
    }

    /// Makes `bucket` the current one and forgets the groups after it, which must be empty.
    fn keep_from(&mut self, bucket: u64) {
        (self.due, self.first) = (bucket, bucket);
        self.groups.clear();
    }

    /// Pushes a node with its sum and heuristic.
    #[inline]
    pub(super) fn push(&mut self, f: Cost, h: Cost, node: u32) {
        const ABOUT_A_CELL: u32 = STRAIGHT.ilog2();
        let to_go = (h >> ABOUT_A_CELL).min(Self::MAX_TO_GO);
        let entry = (f, to_go << NODE_BITS | u64::from(node));
        self.n_pushed += 1;
        if Self::bucket_of(f) > self.due {
            if LAZY { self.fresh.push(entry) } else { self.put_off(entry) }
        } else if Self::bucket_of(f) == self.due
            && self.now.last().is_none_or(|&least| Self::packed(entry) <= least)
        {
            self.now.push(Self::packed(entry));
        } else {
            self.insert(entry);
        }
    }

    /// Inserts an entry that is not the smallest of the current or an earlier bucket, or that is the first entry.
    #[inline(never)]
    fn insert(&mut self, entry: Entry) {
        let bucket = Self::bucket_of(entry.0);
        if self.n_pushed == 1 {
            self.keep_from(bucket);
        }
        if bucket < self.due {
            self.early.push(Reverse(entry));
        } else {
            let at = self.now.partition_point(|&other| other > Self::packed(entry));
            self.now.insert(at, Self::packed(entry));
        }
    }

    /// Pops the smallest entry; returns its sum and node.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(Cost, u32)> {
        self.peak = self.peak();
        let least = if let Some(Reverse((f, rest))) = self.early.pop() {
            (f, node_of(rest))
        } else {
            if self.now.is_empty() {
                self.next_bucket();
            }
            let least = self.now.pop()?;
            self.unpacked(least)
        };
        self.n_popped += 1;
        Some(least)
    }

    /// Returns the smallest entry.
    pub(super) fn peek(&mut self) -> Option<(Cost, u32)> {
        if let Some(&Reverse((f, rest))) = self.early.peek() {
            return Some((f, node_of(rest)));
        }
        if self.now.is_empty() {
            self.next_bucket();
        }
        Some(self.unpacked(*self.now.last()?))
    }

    /// Advances to the next bucket with entries, if there is one.
    fn next_bucket(&mut self) {
        for n in 0..self.fresh.len() {
            self.put_off(self.fresh[n]);
        }
        self.fresh.clear();
        let Some((number, mut at)) = self.take_next() else { return self.begin_again() };
        self.due = self.first + number;
        while let Some(later) = self.later.get_mut(at as usize) {
            self.now.push(later.0);
            let next = std::mem::replace(&mut later.1, self.unused);
            self.unused = at;
            at = next;
        }
        if self.now.len() > 1 {
            self.now.sort_unstable_by_key(|&entry| Reverse(entry));
        }
    }

    /// Removes the first bucket with entries and returns its number and newest entry.
    #[inline]
    fn take_next(&mut self) -> Option<(u64, u32)> {
        // Buckets before the current one are empty.
        let from = (self.due - self.first) / 64;
        let mut groups = (from..).zip(self.groups.get_mut(index(from)..)?);
        let (number, group) = groups.find(|(_, group)| group.taken != 0)?;
        let bit = group.taken.trailing_zeros();
        group.taken &= group.taken - 1;
        let newest = std::mem::replace(&mut group.newest[bit as usize & 63], NONE);
        Some((number * 64 + u64::from(bit), newest))
    }

    /// Stores an entry of a bucket after the current one.
    #[inline]
    fn put_off(&mut self, entry: Entry) {
        let number = Self::bucket_of(entry.0) - self.first;
        let Some(group) = self.groups.get_mut(index(number / 64)) else {
            return self.put_further(entry);
        };
        group.taken |= 1 << (number % 64);
        let newest = &mut group.newest[index(number % 64)];
        let later = (Self::packed(entry), *newest);
        if let Some(free) = self.later.get_mut(self.unused as usize) {
            *newest = self.unused;
            self.unused = free.1;
            *free = later;
        } else {
            // There are fewer than 2^32 entries at any time.
            *newest = u32::try_from(self.later.len()).unwrap_or(NONE);
            self.later.push(later);
        }
    }

    /// Stores an entry of a bucket whose group does not exist yet.
    #[cold]
    fn put_further(&mut self, entry: Entry) {
        let group = (Self::bucket_of(entry.0) - self.first) / 64;
        if group < N_GROUPS {
            self.groups.resize(index(group) + 1, Group::EMPTY);
            self.put_off(entry);
        } else {
            self.far.push(entry);
        }
    }

    /// Moves the directly indexed range to the first bucket with entries, once all earlier buckets are empty.
    fn begin_again(&mut self) {
        let Some(&(f, _)) = self.far.iter().min() else { return };
        self.keep_from(Self::bucket_of(f));
        for entry in std::mem::take(&mut self.far) {
            if Self::bucket_of(entry.0) == self.due {
                self.insert(entry);
            } else {
                self.put_off(entry);
            }
        }
    }

    #[inline]
    pub(super) const fn len(&self) -> usize {
        self.n_pushed - self.n_popped
    }

    /// Returns the maximum number of entries since the last `clear`.
    #[inline]
    pub(super) fn peak(&self) -> usize {
        self.peak.max(self.len())
    }

    /// Returns the number of entries pushed since the last `clear`.
    pub(super) const fn n_pushed(&self) -> u64 {
        self.n_pushed as u64
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Checks that pops are in order for sums that are far apart, close, and below the first.
        #[test]
        fn the_least_comes_out_first(
            pushes in prop::collection::vec((0..60_u32, 0..9_u64, any::<bool>()), 1..300),
        ) {
            least_first::<11, true>(&pushes)?;
            least_first::<14, false>(&pushes)?;
        }
    }

    fn least_first<const BITS: u32, const LAZY: bool>(
        pushes: &[(u32, u64, bool)],
    ) -> Result<(), TestCaseError> {
        let (mut queue, mut left) = (OpenQueue::<BITS, LAZY>::default(), Vec::new());
        for round in 0..2_u32 {
            queue.clear();
            left.clear();
            for (n, &(bits, h, pops)) in (0..).zip(pushes) {
                let f = 0x0fed_cba9_8765_4321 >> (bits.min(59) + round).max(16);
                queue.push(f, h * STRAIGHT, n);
                left.push((f, (h * STRAIGHT) >> 15));
                if pops {
                    left.sort_unstable();
                    prop_assert_eq!(queue.pop().map(|entry| entry.0), Some(left.remove(0).0));
                }
            }
            prop_assert_eq!(queue.len(), left.len());
            left.sort_unstable();
            for (f, _) in left.drain(..) {
                prop_assert_eq!(queue.peek().map(|entry| entry.0), Some(f));
                prop_assert_eq!(queue.pop().map(|entry| entry.0), Some(f));
            }
            prop_assert!(queue.pop().is_none());
        }
        Ok(())
    }
}

//! Cells still to be expanded.

use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
};

use super::cost::{Cost, STRAIGHT};

/// An entry as the list sorts it: the sum it is sorted by and below it what is still to go, in whole
/// cells, so that of equal sums the one with the least to go comes first.
type Key = (Cost, u32);

/// The same with its node, in one number that sorts so.
type Wide = u128;

/// An entry in its bucket, in one number: the lowest bits of the sum, what is still to go and the node.
type Packed = u64;

const NODE_BITS: u32 = 32;
const TO_GO_BITS: u32 = 21;
/// A bucket holds sums of so many bits: a sixteenth of a cell.
const BUCKET_BITS: u32 = 64 - NODE_BITS - TO_GO_BITS;
/// So many buckets, 512 cells in all, are kept apart.
const N_BUCKETS: u64 = 8192;
const NONE: u32 = u32::MAX;

const fn packed((f, to_go): Key, node: u32) -> Packed {
    f << (64 - BUCKET_BITS) | (to_go as Packed) << NODE_BITS | node as Packed
}

/// The key and the node of an entry of a bucket.
#[expect(clippy::cast_possible_truncation, reason = "the parts that were put in")]
const fn unpacked(bucket: u64, packed: Packed) -> (Key, u32) {
    let f = bucket << BUCKET_BITS | packed >> (64 - BUCKET_BITS);
    let to_go = (packed >> NODE_BITS) as u32 & ((1 << TO_GO_BITS) - 1);
    ((f, to_go), packed as u32)
}

const fn wide((f, to_go): Key, node: u32) -> Wide {
    (f as Wide) << 64 | (to_go as Wide) << 32 | node as Wide
}

#[expect(clippy::cast_possible_truncation, reason = "the parts that were put in")]
const fn narrow(wide: Wide) -> (Key, u32) {
    (((wide >> 64) as Cost, (wide >> 32) as u32), wide as u32)
}

/// Entries still to be expanded, the least first. Nothing is lowered in it: a search puts a node in
/// again and passes over the older entry when that comes out.
///
/// They are thrown into buckets by their sum, and only the bucket that is due is sorted. So they come out by their whole key, whatever order they came in; it is fast where sums never
/// fall, as with consistent estimates, and a step straight ahead costs hardly more than a stack.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenQueue {
    /// Those of buckets before the one that is due.
    early: BinaryHeap<Reverse<Wide>>,
    /// Those of the bucket that is due, the least last.
    now: Vec<Packed>,
    /// The bucket that is due.
    due: u64,
    /// The first bucket that is kept apart.
    first: u64,
    /// Per bucket from there its newest entry among `later`.
    buckets: Vec<u32>,
    /// A bit for each bucket that has entries.
    taken: Vec<u64>,
    /// Entries of buckets after the one that is due, each with the one before it in its bucket; and unused
    /// ones.
    later: Vec<(Packed, u32)>,
    /// The first unused one, each with the next.
    unused: u32,
    /// Those of buckets too far off to be kept apart.
    far: Vec<(Key, u32)>,
    n: usize,
    peak: usize,
    n_pushed: u64,
}

impl OpenQueue {
    /// Forgets all entries and what was counted.
    pub(super) fn clear(&mut self) {
        self.early.clear();
        self.now.clear();
        self.later.clear();
        self.far.clear();
        self.unused = NONE;
        self.buckets.clear();
        self.taken.clear();
        (self.n, self.peak, self.n_pushed) = (0, 0, 0);
    }

    /// Puts a node in by its sum and the estimate in that.
    #[inline]
    pub(super) fn push(&mut self, f: Cost, h: Cost, node: u32) {
        const ABOUT_A_CELL: u32 = STRAIGHT.ilog2();
        let to_go = (h >> ABOUT_A_CELL).min((1 << TO_GO_BITS) - 1) as u32;
        if self.n_pushed == 0 {
            self.due = f >> BUCKET_BITS;
            self.first = self.due;
        }
        self.n_pushed += 1;
        self.n += 1;
        self.peak = self.peak.max(self.n);
        self.place((f, to_go), node);
    }

    #[inline]
    fn place(&mut self, key: Key, node: u32) {
        let bucket = key.0 >> BUCKET_BITS;
        match bucket.cmp(&self.due) {
            Ordering::Less => self.early.push(Reverse(wide(key, node))),
            Ordering::Equal => self.put_now(packed(key, node)),
            Ordering::Greater => self.put_off(bucket, key, node),
        }
    }

    #[inline]
    fn put_now(&mut self, entry: Packed) {
        let is_least = self.now.last().is_none_or(|&least| entry <= least);
        let at = if is_least {
            self.now.len()
        } else {
            self.now.partition_point(|&other| other > entry)
        };
        self.now.insert(at, entry);
    }

    #[inline]
    fn put_off(&mut self, bucket: u64, key: Key, node: u32) {
        #[expect(clippy::cast_possible_truncation, reason = "it is below the number of buckets")]
        let number = match bucket - self.first {
            number @ 0..N_BUCKETS => number as usize,
            _ => return self.far.push((key, node)),
        };
        if self.buckets.len() <= number {
            self.buckets.resize(number + 1, NONE);
            self.taken.resize(number / 64 + 1, 0);
        }
        self.taken[number / 64] |= 1 << (number % 64);
        let newest = &mut self.buckets[number];
        let later = (packed(key, node), *newest);
        if let Some(free) = self.later.get_mut(self.unused as usize) {
            *newest = self.unused;
            self.unused = free.1;
            *free = later;
        } else {
            // There are fewer than 2^32 entries at a time.
            *newest = u32::try_from(self.later.len()).unwrap_or(NONE);
            self.later.push(later);
        }
    }

    /// Takes the least entry: its sum and its node.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(Cost, u32)> {
        let (key, node) = if self.early.is_empty() {
            if self.now.is_empty() {
                self.next_bucket();
            }
            unpacked(self.due, self.now.pop()?)
        } else {
            narrow(self.early.pop()?.0)
        };
        self.n -= 1;
        Some((key.0, node))
    }

    /// The least entry.
    pub(super) fn peek(&mut self) -> Option<(Cost, u32)> {
        if let Some(&Reverse(wide)) = self.early.peek() {
            let (key, node) = narrow(wide);
            return Some((key.0, node));
        }
        if self.now.is_empty() {
            self.next_bucket();
        }
        let (key, node) = unpacked(self.due, *self.now.last()?);
        Some((key.0, node))
    }

    /// Makes the next bucket due that has entries, if there is one.
    fn next_bucket(&mut self) {
        #[expect(clippy::cast_possible_truncation, reason = "no further than there are buckets")]
        let from = (self.due - self.first) as usize;
        let Some(number) = self.next_taken(from) else { return self.begin_again() };
        self.due = self.first + number as u64;
        self.taken[number / 64] &= !(1 << (number % 64));
        let mut at = std::mem::replace(&mut self.buckets[number], NONE);
        while let Some(later) = self.later.get_mut(at as usize) {
            self.now.push(later.0);
            let next = std::mem::replace(&mut later.1, self.unused);
            self.unused = at;
            at = next;
        }
        self.now.sort_unstable_by_key(|&entry| Reverse(entry));
    }

    /// The first bucket from one on that has entries.
    #[inline]
    fn next_taken(&self, from: usize) -> Option<usize> {
        let first = self.taken.get(from / 64)? >> (from % 64) << (from % 64);
        let others = self.taken[from / 64 + 1..].iter().copied();
        let mut words = (from / 64..).zip(std::iter::once(first).chain(others));
        let (word, bits) = words.find(|&(_, bits)| bits != 0)?;
        Some(word * 64 + bits.trailing_zeros() as usize)
    }

    /// Keeps buckets apart from the first one on that has entries, where none is left of those before.
    fn begin_again(&mut self) {
        let Some(&((f, _), _)) = self.far.iter().min() else { return };
        self.due = f >> BUCKET_BITS;
        self.first = self.due;
        self.buckets.clear();
        self.taken.clear();
        for (key, node) in std::mem::take(&mut self.far) {
            self.place(key, node);
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.n
    }

    /// Most entries at a time since it was cleared.
    pub(super) const fn peak(&self) -> usize {
        self.peak
    }

    /// Entries put in since it was cleared.
    pub(super) const fn n_pushed(&self) -> u64 {
        self.n_pushed
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever comes in between, the least comes out: sums far apart, near, and below the first.
        #[test]
        fn the_least_comes_out_first(
            pushes in prop::collection::vec((0..60_u32, 0..9_u64, any::<bool>()), 1..300),
        ) {
            let (mut queue, mut left) = (OpenQueue::default(), Vec::new());
            for round in 0..2_u32 {
                queue.clear();
                left.clear();
                for (n, &(bits, h, pops)) in (0..).zip(&pushes) {
                    let f = 0x0fed_cba9_8765_4321 >> (bits.min(59) + round).max(16);
                    queue.push(f, h * STRAIGHT, n);
                    left.push((f, (h * STRAIGHT) >> 15));
                    if pops {
                        left.sort_unstable();
                        let entry = queue.pop().unwrap();
                        prop_assert_eq!(entry.0, left.remove(0).0);
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
        }
    }
}

//! Cells still to be expanded.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::cost::{Cost, STRAIGHT};

/// What an entry is sorted by: its sum, and in one number what is still to go, in whole cells, so that of
/// equal sums the one with the least to go comes first, and its node.
type Entry = (Cost, u64);

/// An entry in its bucket, in one number that sorts so: the lowest bits of the sum and the other number.
type Packed = u64;

const NODE_BITS: u32 = 32;
const TO_GO_BITS: u32 = 21;
/// A bucket holds sums of so many bits: a sixteenth of a cell.
const BUCKET_BITS: u32 = 64 - NODE_BITS - TO_GO_BITS;
/// So many buckets, 512 cells in all, are kept apart.
const N_BUCKETS: u64 = 8192;
const NONE: u32 = u32::MAX;

const fn bucket_of(f: Cost) -> u64 {
    f >> BUCKET_BITS
}

const fn packed((f, rest): Entry) -> Packed {
    f << (64 - BUCKET_BITS) | rest
}

/// The sum and the node of an entry of a bucket.
#[expect(clippy::cast_possible_truncation, reason = "the part that was put in")]
const fn unpacked(bucket: u64, packed: Packed) -> (Cost, u32) {
    (bucket << BUCKET_BITS | packed >> (64 - BUCKET_BITS), packed as u32)
}

/// Entries still to be expanded, the least first. Nothing is lowered in it: a search puts a node in
/// again and passes over the older entry when that comes out.
///
/// They are thrown into buckets by their sum, and only the bucket that is due is sorted. So they come out
/// by their whole key, whatever order they came in; it is fast where sums never fall, as with consistent
/// estimates, and a step straight ahead costs hardly more than a stack. What comes in for a later bucket
/// waits until the one that is due is empty: where that holds the goal, nobody needs it.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenQueue {
    /// Those of buckets before the one that is due.
    early: BinaryHeap<Reverse<Entry>>,
    /// Those of the bucket that is due, the least last.
    now: Vec<Packed>,
    /// The bucket that is due.
    due: u64,
    /// Those of buckets after it that came in since it is due.
    fresh: Vec<Entry>,
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
    far: Vec<Entry>,
    n_pushed: usize,
    n_popped: usize,
    /// Most entries when one was taken.
    peak: usize,
}

impl OpenQueue {
    /// Forgets all entries and what was counted.
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

    /// Makes a bucket due and keeps apart those from it on, none of which has entries.
    fn keep_from(&mut self, bucket: u64) {
        (self.due, self.first) = (bucket, bucket);
        self.buckets.clear();
        self.taken.clear();
    }

    /// Puts a node in by its sum and the estimate in that.
    #[inline]
    pub(super) fn push(&mut self, f: Cost, h: Cost, node: u32) {
        const ABOUT_A_CELL: u32 = STRAIGHT.ilog2();
        let to_go = (h >> ABOUT_A_CELL).min((1 << TO_GO_BITS) - 1);
        let entry = (f, to_go << NODE_BITS | u64::from(node));
        self.n_pushed += 1;
        if bucket_of(f) > self.due {
            self.fresh.push(entry);
        } else if bucket_of(f) == self.due
            && self.now.last().is_none_or(|&least| packed(entry) <= least)
        {
            self.now.push(packed(entry));
        } else {
            self.insert(entry);
        }
    }

    /// Puts in an entry that is not the least of the bucket that is due, or of one before that, or the
    /// first of all.
    #[inline(never)]
    fn insert(&mut self, entry: Entry) {
        let bucket = bucket_of(entry.0);
        if self.n_pushed == 1 {
            self.keep_from(bucket);
        }
        if bucket < self.due {
            self.early.push(Reverse(entry));
        } else {
            let at = self.now.partition_point(|&other| other > packed(entry));
            self.now.insert(at, packed(entry));
        }
    }

    /// Takes the least entry: its sum and its node.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(Cost, u32)> {
        let least = self.peek()?;
        self.peak = self.peak();
        self.n_popped += 1;
        if self.early.pop().is_none() {
            self.now.pop();
        }
        Some(least)
    }

    /// The least entry.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the part that was put in")]
    pub(super) fn peek(&mut self) -> Option<(Cost, u32)> {
        if let Some(&Reverse((f, rest))) = self.early.peek() {
            return Some((f, rest as u32));
        }
        if self.now.is_empty() {
            self.next_bucket();
        }
        Some(unpacked(self.due, *self.now.last()?))
    }

    /// Makes the next bucket due that has entries, if there is one.
    fn next_bucket(&mut self) {
        for n in 0..self.fresh.len() {
            self.put_off(self.fresh[n]);
        }
        self.fresh.clear();
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
        if self.now.len() > 1 {
            self.now.sort_unstable_by_key(|&entry| Reverse(entry));
        }
    }

    /// Puts an entry of a bucket after the one that is due among those.
    #[inline]
    fn put_off(&mut self, entry: Entry) {
        #[expect(clippy::cast_possible_truncation, reason = "it is below the number of buckets")]
        let number = match bucket_of(entry.0) - self.first {
            number @ 0..N_BUCKETS => number as usize,
            _ => return self.far.push(entry),
        };
        if self.buckets.len() <= number {
            self.taken.resize(number / 64 + 1, 0);
            self.buckets.resize(self.taken.len() * 64, NONE);
        }
        self.taken[number / 64] |= 1 << (number % 64);
        let newest = &mut self.buckets[number];
        let later = (packed(entry), *newest);
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
        let Some(&(f, _)) = self.far.iter().min() else { return };
        self.keep_from(bucket_of(f));
        for entry in std::mem::take(&mut self.far) {
            if bucket_of(entry.0) == self.due {
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

    /// Most entries at a time since it was cleared.
    #[inline]
    pub(super) fn peak(&self) -> usize {
        self.peak.max(self.len())
    }

    /// Entries put in since it was cleared.
    pub(super) const fn n_pushed(&self) -> u64 {
        self.n_pushed as u64
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

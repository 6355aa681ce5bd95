use std::{cmp::Reverse, collections::BinaryHeap};

/// A priority queue, the smallest entry first. It has no operation to decrease a key: a search inserts a node again,
/// and ignores the older entry later.
#[derive(Clone, Debug)]
pub struct MinQueue<K: Ord> {
    heap: BinaryHeap<Reverse<K>>,
    peak: usize,
    n_pushed: u64,
}

impl<K: Ord> Default for MinQueue<K> {
    fn default() -> Self {
        Self { heap: BinaryHeap::new(), peak: 0, n_pushed: 0 }
    }
}

impl<K: Ord + Copy> MinQueue<K> {
    /// Removes all entries and resets the counters.
    pub fn clear(&mut self) {
        self.heap.clear();
        self.peak = 0;
        self.n_pushed = 0;
    }

    /// Inserts an entry.
    pub fn push(&mut self, key: K) {
        self.heap.push(Reverse(key));
        self.n_pushed += 1;
        self.peak = self.peak.max(self.heap.len());
    }

    /// Removes the smallest entry.
    pub fn pop(&mut self) -> Option<K> {
        self.heap.pop().map(|Reverse(key)| key)
    }

    /// Returns the maximum number of entries since the queue was cleared.
    pub const fn peak(&self) -> usize {
        self.peak
    }

    /// Returns the number of entries inserted since the queue was cleared.
    pub const fn n_pushed(&self) -> u64 {
        self.n_pushed
    }
}

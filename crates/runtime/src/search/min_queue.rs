use std::{cmp::Reverse, collections::BinaryHeap};

/// Entries still to be expanded, the least first. Nothing is lowered in it: a search puts a node in
/// again and passes over the older entry when that comes out.
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
    /// Forgets all entries and what was counted.
    pub fn clear(&mut self) {
        self.heap.clear();
        self.peak = 0;
        self.n_pushed = 0;
    }

    /// Puts an entry in.
    pub fn push(&mut self, key: K) {
        self.heap.push(Reverse(key));
        self.n_pushed += 1;
        self.peak = self.peak.max(self.heap.len());
    }

    /// Takes the least entry out.
    pub fn pop(&mut self) -> Option<K> {
        self.heap.pop().map(|Reverse(key)| key)
    }

    /// Most entries at a time since it was cleared.
    pub const fn peak(&self) -> usize {
        self.peak
    }

    /// Entries put in since it was cleared.
    pub const fn n_pushed(&self) -> u64 {
        self.n_pushed
    }
}

//! A cache with a budget of bytes, for values that can be computed again, such as stages and pictures of tiles.

use std::{collections::BTreeMap, fmt};

/// A cache that drops the least recently used values when its budget is exceeded. Of values that were used in the same
/// pass, it first drops those farthest from the view.
#[derive(Clone)]
pub struct Cache<K, V> {
    budget: usize,
    n_bytes: usize,
    entries: BTreeMap<K, Entry<V>>,
    version: u64,
}

#[derive(Clone)]
struct Entry<V> {
    value: V,
    n_bytes: usize,
    used: LastUse,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LastUse {
    /// Number of the pass, increasing; 0 for values that have not been used yet.
    pub pass: u64,
    /// Distance from the view, in meters.
    pub distance: f32,
}

impl<K: Ord + Clone, V> Cache<K, V> {
    pub const fn new(budget: usize) -> Self {
        Self { budget, n_bytes: 0, entries: BTreeMap::new(), version: 0 }
    }

    pub const fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    /// Returns the maximum size of all values, in bytes; a single value may be larger.
    pub const fn budget(&self) -> usize {
        self.budget
    }

    /// Returns the number of bytes that a view may request at once. The rest is reserved for values around the view, so
    /// that nothing is dropped and rebuilt repeatedly.
    pub const fn room(&self) -> usize {
        self.budget / 8 * 7
    }

    /// Returns the revision, which grows with every value added or dropped.
    pub const fn version(&self) -> u64 {
        self.version
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn set_budget(&mut self, budget: usize) {
        self.budget = budget;
        self.trim();
    }

    pub fn get(&self, key: &K) -> Option<&V> {
        self.entries.get(key).map(|entry| &entry.value)
    }

    pub fn bytes_of(&self, key: &K) -> Option<usize> {
        self.entries.get(key).map(|entry| entry.n_bytes)
    }

    /// Returns the value of `key` and marks it as used.
    pub fn touch(&mut self, key: &K, used: LastUse) -> Option<&mut V> {
        let entry = self.entries.get_mut(key)?;
        entry.used = used;
        Some(&mut entry.value)
    }

    /// Adds `value` of `n_bytes`, and drops values that exceed the budget, which may include `value` itself.
    pub fn insert(&mut self, key: K, value: V, n_bytes: usize, used: LastUse) {
        self.version += 1;
        self.n_bytes += n_bytes;
        if let Some(old) = self.entries.insert(key, Entry { value, n_bytes, used }) {
            self.n_bytes -= old.n_bytes;
        }
        self.trim();
    }

    pub fn remove(&mut self, key: &K) {
        if let Some(old) = self.entries.remove(key) {
            self.version += 1;
            self.n_bytes -= old.n_bytes;
        }
    }

    pub fn retain(&mut self, mut is_kept: impl FnMut(&K) -> bool) {
        let n_before = self.entries.len();
        let mut n_bytes = 0;
        self.entries.retain(|key, entry| {
            let is_kept = is_kept(key);
            n_bytes += if is_kept { entry.n_bytes } else { 0 };
            is_kept
        });
        self.n_bytes = n_bytes;
        self.version += u64::from(self.entries.len() != n_before);
    }

    /// If the budget is exceeded, drops values until the rest fits in [`Cache::room`]. The most recently used value
    /// stays, however large it is.
    fn trim(&mut self) {
        if self.n_bytes <= self.budget {
            return;
        }
        let mut order: Vec<_> =
            self.entries.iter().map(|(key, entry)| (entry.used, key.clone())).collect();
        order.sort_by(|(a, _), (b, _)| a.pass.cmp(&b.pass).then(b.distance.total_cmp(&a.distance)));
        order.pop();
        for (_, key) in order {
            if self.n_bytes <= self.room() {
                return;
            }
            self.remove(&key);
        }
    }
}

impl<K, V> fmt::Debug for Cache<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache")
            .field("budget", &self.budget)
            .field("n_bytes", &self.n_bytes)
            .field("n_values", &self.entries.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn used(pass: u64, distance: f32) -> LastUse {
        LastUse { pass, distance }
    }

    fn keys(cache: &Cache<u8, u8>) -> Vec<u8> {
        cache.entries.keys().copied().collect()
    }

    #[test]
    fn the_oldest_is_dropped_first_and_among_equals_the_farthest() {
        let mut cache = Cache::new(80);
        for (key, pass, distance) in
            [(1, 2, 5.0), (2, 1, 0.0), (3, 2, 90.0), (4, 2, 10.0), (5, 0, 0.0), (6, 2, 3.0)]
        {
            cache.insert(key, key, 10, used(pass, distance));
        }
        assert_eq!((keys(&cache), cache.n_bytes()), (vec![1, 2, 3, 4, 5, 6], 60));
        cache.insert(7, 7, 30, used(2, 4.0));
        // Once the size exceeds 80, values are dropped until it is 70.
        assert_eq!((keys(&cache), cache.n_bytes()), (vec![1, 3, 4, 6, 7], 70));
        cache.touch(&3, used(3, 90.0));
        cache.set_budget(40);
        assert_eq!((keys(&cache), cache.n_bytes()), (vec![3, 6], 20));
    }

    #[test]
    fn a_value_larger_than_the_budget_is_kept_alone() {
        let mut cache = Cache::new(10);
        cache.insert(1, 1, 4, used(1, 0.0));
        cache.insert(2, 2, 100, used(2, 0.0));
        assert_eq!((keys(&cache), cache.n_bytes()), (vec![2], 100));
        cache.insert(3, 3, 4, used(3, 0.0));
        assert_eq!((keys(&cache), cache.n_bytes()), (vec![3], 4));
    }

    proptest! {
        #[test]
        fn it_is_never_over_its_budget_by_more_than_one_value(
            budget in 0usize..200,
            steps in prop::collection::vec((0u8..20, 0usize..60, 0u64..5, 0f32..9.0, 0u8..8), 1..80),
        ) {
            let mut cache = Cache::new(budget);
            let mut sizes = BTreeMap::new();
            for (key, n_bytes, pass, distance, what) in steps {
                match what {
                    0 => cache.remove(&key),
                    1 => drop(cache.touch(&key, used(pass, distance))),
                    2 => cache.retain(|other| *other != key),
                    _ => {
                        sizes.insert(key, n_bytes);
                        cache.insert(key, key, n_bytes, used(pass, distance));
                    }
                }
                let sum: usize = keys(&cache).iter().map(|key| sizes[key]).sum();
                prop_assert_eq!(cache.n_bytes(), sum);
                let over = cache.n_bytes() > budget;
                prop_assert!(!over || cache.len() == 1, "{:?}", cache);
            }
        }
    }
}

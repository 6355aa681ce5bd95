//! A bucket queue for integer costs that increase in small steps.

const NONE: u32 = u32::MAX;

/// Open list of labels, sorted by cost; among equal costs, the newest label comes first.
///
/// A pushed cost must be at least the last popped cost, and exceed it by less than the number of lists. Therefore,
/// there is one list per cost, indexed by the cost modulo the number of lists. The lists are linked: each label stores
/// the next older label of its list.
#[derive(Clone, Debug, Default)]
pub(super) struct Ring {
    /// Newest label per cost modulo the length, which is a power of two.
    newest: Vec<u32>,
    /// Cost of the list from which labels are popped.
    due: u32,
    n: usize,
    peak: usize,
    n_pushed: u64,
}

impl Ring {
    /// Removes all labels. Costs start at `due`, and no cost exceeds the last popped one by more than `most`.
    pub(super) fn clear(&mut self, due: u32, most: u32) {
        self.newest.clear();
        self.newest.resize((most as usize + 1).next_power_of_two(), NONE);
        (self.due, self.n, self.peak, self.n_pushed) = (due, 0, 0, 0);
    }

    /// Pushes a label. Returns the link that the caller must store for the label until the label is popped.
    #[inline]
    #[must_use]
    pub(super) fn push(&mut self, cost: u32, label: u32) -> u32 {
        self.n_pushed += 1;
        self.n += 1;
        self.peak = self.peak.max(self.n);
        let list = cost as usize & (self.newest.len() - 1);
        std::mem::replace(&mut self.newest[list], label)
    }

    /// Pops the newest label of the least cost; `kept` returns the stored link of a label.
    #[inline]
    pub(super) fn pop(&mut self, kept: impl FnOnce(u32) -> u32) -> Option<u32> {
        if self.n == 0 {
            return None;
        }
        let mask = self.newest.len() - 1;
        loop {
            let newest = &mut self.newest[self.due as usize & mask];
            let label = *newest;
            if label != NONE {
                *newest = kept(label);
                self.n -= 1;
                return Some(label);
            }
            self.due = self.due.wrapping_add(1);
        }
    }

    /// Returns the maximum number of labels since the last `clear`.
    pub(super) const fn peak(&self) -> usize {
        self.peak
    }

    /// Returns the number of labels pushed since the last `clear`.
    pub(super) const fn n_pushed(&self) -> u64 {
        self.n_pushed
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_least_comes_out_first_and_the_newest_of_these(
            pushes in prop::collection::vec((0..40_u32, 0..3_u32), 1..200),
        ) {
            let mut ring = Ring::default();
            for round in 0..2 {
                let (mut due, mut kept, mut left) = (100 + round, Vec::new(), Vec::new());
                ring.clear(due, 40);
                for (label, &(more, n_pops)) in (0..).zip(&pushes) {
                    kept.push(ring.push(due + more, label));
                    left.push((due + more, std::cmp::Reverse(label)));
                    for _ in 0..n_pops {
                        let found = ring.pop(|label| kept[label as usize]);
                        left.sort_unstable();
                        let expected = (!left.is_empty()).then(|| left.remove(0));
                        prop_assert_eq!(found, expected.map(|(_, label)| label.0));
                        due = expected.map_or(due, |(cost, _)| cost);
                    }
                }
                let found = std::iter::from_fn(|| ring.pop(|label| kept[label as usize])).count();
                prop_assert_eq!(found, left.len());
                prop_assert_eq!(ring.n_pushed(), pushes.len() as u64);
            }
        }
    }
}

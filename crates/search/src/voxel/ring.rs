//! Entries in the order of whole costs that grow by little.

const NONE: u32 = u32::MAX;

/// Labels still to be expanded, those of the least cost first and of these the newest.
///
/// Costs that are put in are at least the one that came out last and exceed it by less than there are lists:
/// so there is one for each cost, and a cost's remainder says which. The lists run through the labels: each
/// keeps the one below it.
#[derive(Clone, Debug, Default)]
pub(super) struct Ring {
    /// Per remainder of a cost, the newest label; a power of two.
    newest: Vec<u32>,
    /// The cost that came out last.
    due: u32,
    n: usize,
    peak: usize,
    n_pushed: u64,
}

impl Ring {
    /// Forgets everything. Costs begin at `due`, and none exceeds the one before by more than `most`.
    pub(super) fn clear(&mut self, due: u32, most: u32) {
        self.newest.clear();
        self.newest.resize((most as usize + 1).next_power_of_two(), NONE);
        (self.due, self.n, self.peak, self.n_pushed) = (due, 0, 0, 0);
    }

    /// Puts a label in; returns what it has to keep until it comes out.
    #[inline]
    #[must_use]
    pub(super) fn push(&mut self, cost: u32, label: u32) -> u32 {
        self.n_pushed += 1;
        self.n += 1;
        self.peak = self.peak.max(self.n);
        let list = cost as usize & (self.newest.len() - 1);
        std::mem::replace(&mut self.newest[list], label)
    }

    /// Takes a label of the least cost; `kept` says what a label keeps.
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

    /// Most labels at a time since it was cleared.
    pub(super) const fn peak(&self) -> usize {
        self.peak
    }

    /// Labels put in since it was cleared.
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

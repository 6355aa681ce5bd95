use walkable_runtime::monitor::Monitor;

/// Removes as many `items` as possible while `remains` holds for the rest, which keep their order.
///
/// Tries to remove all items, then runs of half the length, and so on, down to single items. Unless `monitor` cancels,
/// no single item of the result can be removed. If it cancels, the result is the smallest list found until then.
pub fn shrink_list<T: Clone>(
    items: &[T],
    remains: &mut dyn FnMut(&[T]) -> bool,
    monitor: &dyn Monitor,
) -> Vec<T> {
    let mut kept = items.to_vec();
    let mut run = kept.len();
    while run > 0 {
        let n_before = kept.len();
        let mut start = 0;
        while start < kept.len() {
            if monitor.is_cancelled() {
                return kept;
            }
            let end = kept.len().min(start + run);
            let candidate = [&kept[..start], &kept[end..]].concat();
            if remains(&candidate) {
                kept = candidate;
            } else {
                start = end;
            }
        }
        // An item may have become unnecessary by the removal of a later one.
        run = if run == 1 && kept.len() < n_before { 1 } else { run / 2 };
        run = run.min(kept.len());
    }
    kept
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use proptest::prelude::*;
    use walkable_runtime::monitor::Unmonitored;

    use super::*;

    /// Cancels after a number of checks.
    struct Patience(std::sync::atomic::AtomicUsize);

    impl Monitor for Patience {
        fn is_cancelled(&self) -> bool {
            use std::sync::atomic::Ordering::Relaxed;
            self.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err()
        }
    }

    proptest! {
        #[test]
        fn exactly_the_needed_items_are_kept(n in 0_u32..300, needed in proptest::collection::btree_set(0_u32..300, 0..6)) {
            let items: Vec<_> = (0..n).collect();
            let needed: Vec<_> = needed.into_iter().filter(|item| *item < n).collect();
            let mut remains = |kept: &[u32]| needed.iter().all(|item| kept.contains(item));
            prop_assert_eq!(shrink_list(&items, &mut remains, &Unmonitored), needed);
        }
    }

    #[test]
    fn no_single_item_of_the_result_can_be_removed() {
        // Item 0 is needed while item 9 exists, so it can only be removed after item 9.
        let mut remains = |kept: &[u32]| {
            kept.len() > 3 || (kept.contains(&5) && kept.contains(&9) == kept.contains(&0))
        };
        let items: Vec<_> = (0..10).collect();
        let kept = shrink_list(&items, &mut remains, &Unmonitored);
        for i in 0..kept.len() {
            let fewer = [&kept[..i], &kept[i + 1..]].concat();
            assert!(!remains(&fewer), "{kept:?} without {}", kept[i]);
        }
    }

    #[test]
    fn few_of_many_items_are_found_with_few_trials() {
        let n_trials = Cell::new(0);
        let mut remains = |kept: &[u32]| {
            n_trials.set(n_trials.get() + 1);
            [4000, 4001, 4002, 90_000].iter().all(|item| kept.contains(item))
        };
        let items: Vec<_> = (0..100_000).collect();
        assert_eq!(shrink_list(&items, &mut remains, &Unmonitored).len(), 4);
        assert!(n_trials.get() < 150, "{} trials", n_trials.get());
    }

    #[test]
    fn a_cancelled_search_keeps_what_it_has() {
        let items: Vec<_> = (0..100).collect();
        let mut remains = |kept: &[u32]| kept.contains(&70);
        let kept = shrink_list(&items, &mut remains, &Patience(4.into()));
        assert!(kept.contains(&70) && (2..100).contains(&kept.len()), "{kept:?}");
        assert_eq!(shrink_list(&items, &mut remains, &Patience(0.into())), items);
    }
}

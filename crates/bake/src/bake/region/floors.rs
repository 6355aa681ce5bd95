//! Which pieces of ground lie above one another.

use walkable_runtime::monitor::Cancelled;

use super::Piece;
use crate::bake::{CompactField, pulse::Pulse};

/// The pieces above and below each piece.
pub(super) struct Floors<P> {
    /// Per piece: the other pieces that have a span in the column of one of its spans, by number, without duplicates.
    pub(super) others: Vec<Vec<P>>,
    /// Per piece: whether it has two spans in a column.
    pub(super) is_overlapping: Vec<bool>,
}

/// The last columns in which a piece was seen, as cell numbers from 1.
#[derive(Clone, Copy, Default)]
struct Seen {
    here: usize,
    before: usize,
    below: usize,
}

/// Finds the floors of `n` pieces, whose numbers are in `ids`, one per span.
pub(super) fn survey<P: Piece>(
    field: &CompactField,
    ids: &[P],
    n: usize,
    pulse: &mut Pulse<'_>,
) -> Result<Floors<P>, Cancelled> {
    let mut floors = Floors { others: vec![Vec::new(); n], is_overlapping: vec![false; n] };
    let mut seen = vec![Seen::default(); n];
    let n_x = field.frame.n_x as usize;
    let mut last: &[P] = &[];
    // Pieces that are in neither of the columns before and below, in one of them, and in both.
    let mut groups: [Vec<P>; 4] = Default::default();
    for cell in 0..field.frame.n_cells() {
        pulse.step()?;
        let column = &ids[field.cell(cell)];
        // Usually it equals the previous one, for which everything is already known.
        if column.len() < 2 || column == std::mem::replace(&mut last, column) {
            continue;
        }
        let ground = |cell: Option<usize>| {
            let ids = cell.map_or(&[][..], |cell| &ids[field.cell(cell)]);
            ids.iter().filter(|id| id.is_ground())
        };
        let now = cell + 1;
        ground(cell.checked_sub(1)).for_each(|id| seen[id.number()].before = now);
        ground(cell.checked_sub(n_x)).for_each(|id| seen[id.number()].below = now);
        groups.iter_mut().for_each(Vec::clear);
        for &id in ground(Some(cell)) {
            pulse.step()?;
            let Seen { here, before, below } = &mut seen[id.number()];
            if std::mem::replace(here, now) == now {
                floors.is_overlapping[id.number()] = true;
                continue;
            }
            groups[usize::from(*before == now) + 2 * usize::from(*below == now)].push(id);
        }
        // Pairs that are both in a column before or below are known.
        let [fresh, before, below, both] = &groups;
        for (at, &id) in fresh.iter().enumerate() {
            for &other in fresh[at + 1..].iter().chain(before).chain(below).chain(both) {
                pulse.step()?;
                floors.note([id, other]);
            }
        }
        for &id in before {
            for &other in below {
                pulse.step()?;
                floors.note([id, other]);
            }
        }
    }
    floors.others.iter_mut().for_each(sort);
    Ok(floors)
}

impl<P: Piece> Floors<P> {
    fn note(&mut self, [a, b]: [P; 2]) {
        for (of, floor) in [(a, b), (b, a)] {
            let list = &mut self.others[of.number()];
            if list.len() == list.capacity() {
                sort(list);
                // Sorts only after the list has grown by half.
                list.reserve(list.len().max(4));
            }
            list.push(floor);
        }
    }
}

/// Sorts by number and removes duplicates.
pub(super) fn sort<P: Piece>(pieces: &mut Vec<P>) {
    // Faster for lists that consist of sorted ones.
    pieces.sort_by_key(|piece| piece.number());
    pieces.dedup();
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use walkable_runtime::{ids::RegionId, monitor::Unmonitored, random::Random};

    use super::*;
    use crate::bake::{compact::compact, heightfield::tests::random_field};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn floors_are_those_of_all_columns(seed: u64, n_ids in 1..40_usize, run in 1..20_usize) {
            let field = compact(&random_field(seed, 8), 3, 2, &Unmonitored).unwrap().field;
            let mut random = Random::new(seed);
            let mut id = RegionId::NONE;
            // Spans one after the other often have the same piece, so that pieces overlap themselves.
            let ids: Vec<RegionId> = (0..field.spans.len())
                .map(|_| {
                    if random.below(run) == 0 {
                        id = RegionId(u16::try_from(random.below(n_ids + 1)).unwrap());
                    }
                    if random.below(9) == 0 { RegionId::border(1) } else { id }
                })
                .collect();
            let mut others = vec![BTreeSet::new(); n_ids + 1];
            let mut is_overlapping = vec![false; n_ids + 1];
            for cell in 0..field.frame.n_cells() {
                let ground = || field.cell(cell).filter(|&span| ids[span].is_ground());
                for (a, b) in ground().flat_map(|a| ground().map(move |b| (a, b))) {
                    if ids[a] != ids[b] {
                        others[ids[a].number()].insert(ids[b].0);
                    } else if a != b {
                        is_overlapping[ids[a].number()] = true;
                    }
                }
            }
            let mut pulse = Pulse::new(&Unmonitored);
            let floors = survey(&field, &ids, n_ids + 1, &mut pulse).unwrap();
            for (found, expected) in floors.others.iter().zip(&others) {
                let found: Vec<u16> = found.iter().map(|id| id.0).collect();
                prop_assert_eq!(&found, &expected.iter().copied().collect::<Vec<_>>());
            }
            prop_assert_eq!(floors.is_overlapping, is_overlapping);
        }
    }
}

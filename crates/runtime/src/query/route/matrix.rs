//! The costs through a cell, without the pairs of links that no path connects.

use super::{
    costs::{Cost, UNREACHED},
    index,
};

/// The costs from the links into a cell, its entries, to the links out of it, its exits. On a level with roofs and
/// rooms, most pairs are not connected, so entries and exits are divided into blocks, and only pairs in the same block
/// have a cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CostMatrix {
    /// Blocks in the order of their first entries.
    blocks: Vec<Block>,
    /// Indices of the entries by block; entries without a path to an exit are missing.
    entries: Vec<u32>,
    /// Indices of the exits by block; exits without a path from an entry are missing.
    exits: Vec<u32>,
    /// Costs to the exits of a block, by block and entry.
    costs: Vec<Cost>,
}

/// The indices of the first entry, exit and cost of a block in the lists of its matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Block {
    entry: u32,
    exit: u32,
    cost: u32,
}

/// The entries and exits of a block, by index, and for each entry the costs to the exits.
#[derive(Clone, Copy, Debug)]
pub(super) struct CostBlock<'a> {
    pub(super) entries: &'a [u32],
    pub(super) exits: &'a [u32],
    costs: &'a [Cost],
}

impl<'a> CostBlock<'a> {
    /// Returns the costs from the entry with this position in the block.
    pub(super) fn row(&self, entry: usize) -> &'a [Cost] {
        let n = self.exits.len();
        &self.costs[entry * n..][..n]
    }
}

impl CostMatrix {
    /// Creates the matrix from the costs of each entry to all `n_exits` exits.
    pub(super) fn new(n_exits: usize, all: &[Cost]) -> Self {
        let rows = || all.chunks_exact(n_exits.max(1));
        let roots = roots(n_exits, rows());
        let first_exit = |row: &[Cost]| row.iter().position(|&cost| cost < UNREACHED);
        let root_of = |row: &[Cost]| first_exit(row).map_or(usize::MAX, |exit| roots[exit]);
        let row_roots: Vec<usize> = rows().map(root_of).collect();
        let mut matrix = Self::default();
        let mut is_done = vec![false; n_exits];
        for &root in row_roots.iter().filter(|&&root| root != usize::MAX) {
            if std::mem::replace(&mut is_done[root], true) {
                continue;
            }
            let Self { blocks, entries, exits, costs } = &mut matrix;
            let first_exit = exits.len();
            let [entry, exit, cost] = [entries.len(), first_exit, costs.len()].map(index);
            blocks.push(Block { entry, exit, cost });
            let is_inside = |exit: &usize| roots[*exit] == root;
            exits.extend((0..n_exits).filter(is_inside).map(index));
            for (entry, row) in rows().enumerate().filter(|&(entry, _)| row_roots[entry] == root) {
                entries.push(index(entry));
                costs.extend(exits[first_exit..].iter().map(|&exit| row[exit as usize]));
            }
        }
        matrix.costs.shrink_to_fit();
        matrix
    }

    /// Returns the costs from each of `n_entries` entries to all `n_exits` exits.
    pub(super) fn all(&self, n_entries: usize, n_exits: usize) -> Vec<Cost> {
        let mut all = vec![UNREACHED; n_entries * n_exits];
        for block in self.blocks() {
            for (at, &entry) in block.entries.iter().enumerate() {
                for (&exit, &cost) in block.exits.iter().zip(block.row(at)) {
                    all[entry as usize * n_exits + exit as usize] = cost;
                }
            }
        }
        all
    }

    pub(super) fn blocks(&self) -> impl Iterator<Item = CostBlock<'_>> {
        (0..self.blocks.len()).map(|at| self.block(at))
    }

    fn block(&self, at: usize) -> CostBlock<'_> {
        let Block { entry, exit, cost } = self.blocks[at];
        let [entry, exit, cost] = [entry, exit, cost].map(|first| first as usize);
        let next = self.blocks.get(at + 1);
        let end = |first: fn(&Block) -> u32, len| next.map_or(len, |next| first(next) as usize);
        CostBlock {
            entries: &self.entries[entry..end(|next| next.entry, self.entries.len())],
            exits: &self.exits[exit..end(|next| next.exit, self.exits.len())],
            costs: &self.costs[cost..end(|next| next.cost, self.costs.len())],
        }
    }

    /// Returns the entries from which an exit is reached, and their costs, in the order of the entries.
    pub(super) fn to_exit(&self, exit: u32) -> impl Iterator<Item = (u32, Cost)> {
        let place = self.blocks().find_map(|block| {
            let column = block.exits.binary_search(&exit).ok()?;
            Some((block, column))
        });
        place.into_iter().flat_map(|(block, column)| {
            let costs = (0..).map(move |entry| block.row(entry)[column]);
            block.entries.iter().copied().zip(costs)
        })
    }

    pub(super) fn n_bytes(&self) -> usize {
        size_of_val(&*self.blocks)
            + size_of_val(&*self.entries)
            + size_of_val(&*self.exits)
            + size_of_val(&*self.costs)
    }
}

/// Returns for each exit the exit that represents its block.
fn roots<'a>(n_exits: usize, rows: impl Iterator<Item = &'a [Cost]>) -> Vec<usize> {
    let mut parents: Vec<usize> = (0..n_exits).collect();
    for row in rows {
        let mut reached = (0..n_exits).filter(|&exit| row[exit] < UNREACHED);
        let Some(first) = reached.next() else { continue };
        let mut root = root_of(&mut parents, first);
        for exit in reached {
            let other = root_of(&mut parents, exit);
            parents[root.max(other)] = root.min(other);
            root = root.min(other);
        }
    }
    (0..n_exits).map(|exit| root_of(&mut parents, exit)).collect()
}

/// Returns the exit that represents the block of an exit. Shortens the chain of parents.
fn root_of(parents: &mut [usize], mut exit: usize) -> usize {
    while parents[exit] != exit {
        parents[exit] = parents[parents[exit]];
        exit = parents[exit];
    }
    exit
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the costs of a few entries, with some pairs that are not connected.
    fn all_costs() -> impl Strategy<Value = (usize, usize, Vec<Cost>)> {
        (0..6_usize, 0..6_usize).prop_flat_map(|(n_entries, n_exits)| {
            let cost = prop_oneof![2 => Just(UNREACHED), 1 => 1..9_i32];
            let costs = prop::collection::vec(cost, n_entries * n_exits);
            (Just(n_entries), Just(n_exits), costs)
        })
    }

    proptest! {
        #[test]
        fn a_matrix_has_all_costs_and_no_pair_twice((n_entries, n_exits, all) in all_costs()) {
            let matrix = CostMatrix::new(n_exits, &all);
            prop_assert_eq!(&matrix.all(n_entries, n_exits), &all);
            for numbers in [&matrix.entries, &matrix.exits] {
                let mut once = numbers.clone();
                once.sort_unstable();
                once.dedup();
                prop_assert_eq!(once.len(), numbers.len());
            }
            for exit in 0..n_exits {
                let known = matrix.to_exit(index(exit)).filter(|&(_, cost)| cost < UNREACHED);
                let column = (0..n_entries).map(|entry| (index(entry), all[entry * n_exits + exit]));
                let column: Vec<_> = column.filter(|&(_, cost)| cost < UNREACHED).collect();
                prop_assert_eq!(known.collect::<Vec<_>>(), column);
            }
        }
    }

    #[test]
    fn pairs_that_nothing_connects_take_no_memory() {
        let all = [1, UNREACHED, UNREACHED, UNREACHED, 2, 3, UNREACHED, 4, UNREACHED];
        let matrix = CostMatrix::new(3, &all);
        assert_eq!(matrix.costs, [1, 2, 3, 4, UNREACHED]);
        assert_eq!(matrix.blocks.len(), 2);
    }
}

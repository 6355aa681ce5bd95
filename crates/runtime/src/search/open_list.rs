use serde::{Deserialize, Serialize};

use super::NodeIdx;

/// The open list of a search, with the cheapest node first.
///
/// It is a binary heap. Nodes of equal cost are popped in the same order as in Detour's `dtNodeQueue`, because that
/// order decides which of two equally good paths is found. So a pop moves the gap to the bottom before it places the
/// last node, and nodes move only past strictly more expensive ones. A node whose cost decreases is found by a linear
/// search: that is rare, and tracking the position of each node took up to a fifteenth of the time of a search.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct OpenList {
    heap: Vec<Entry>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Entry {
    /// Bits of a cost. Costs are not negative, so their bits have the same order and compare faster.
    cost: u32,
    node: NodeIdx,
}

impl OpenList {
    /// Removes all nodes.
    pub fn clear(&mut self) {
        self.heap.clear();
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Returns whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// Returns the nodes, in unspecified order.
    pub fn nodes(&self) -> impl Iterator<Item = NodeIdx> {
        self.heap.iter().map(|entry| entry.node)
    }

    /// Adds a node that is not in the list. Its cost must not be negative.
    #[inline]
    pub fn push(&mut self, node: NodeIdx, cost: f32) {
        let entry = Entry { cost: bits(cost), node };
        self.heap.push(entry);
        self.rise(self.heap.len() - 1, entry);
    }

    /// Lowers the cost of a node that is in the list.
    pub fn lower(&mut self, node: NodeIdx, cost: f32) {
        if let Some(place) = self.heap.iter().rposition(|entry| entry.node == node) {
            self.rise(place, Entry { cost: bits(cost), node });
        }
    }

    /// Removes and returns the cheapest node.
    pub fn pop(&mut self) -> Option<NodeIdx> {
        let last = self.heap.pop()?;
        let Some(&Entry { node: cheapest, .. }) = self.heap.first() else { return Some(last.node) };
        let mut gap = 0;
        while let Some(&[left, right]) = self.heap.get(2 * gap + 1..2 * gap + 3) {
            // Which one is cheaper is unpredictable, so no code branches on it.
            let is_right = left.cost > right.cost;
            let child = 2 * gap + 1 + usize::from(is_right);
            self.heap[gap] = if is_right { right } else { left };
            gap = child;
        }
        if let Some(&only) = self.heap.get(2 * gap + 1) {
            self.heap[gap] = only;
            gap = 2 * gap + 1;
        }
        self.rise(gap, last);
        Some(cheapest)
    }

    /// Places `entry`, given a gap at `place`, there or above more expensive entries.
    #[inline]
    fn rise(&mut self, mut place: usize, entry: Entry) {
        let parent_of = |place: usize| place.checked_sub(1).map(|above| above / 2);
        while let Some(parent) = parent_of(place)
            && self.heap[parent].cost > entry.cost
        {
            self.heap[place] = self.heap[parent];
            place = parent;
        }
        self.heap[place] = entry;
    }
}

/// Returns the bits of a cost, without the sign of a negative zero.
fn bits(cost: f32) -> u32 {
    cost.to_bits() & !(1 << 31)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::search::NodePool;

    fn nodes(n: usize) -> Vec<NodeIdx> {
        let mut pool = NodePool::default();
        pool.reset(n, n);
        (0..n).map(|v| pool.find_or_add(u32::try_from(v).unwrap(), 0, || ()).unwrap()).collect()
    }

    /// The order in which nodes with these costs are popped, derived by hand from `dtNodeQueue`.
    #[test]
    fn ties_come_out_as_in_detour() {
        let nodes = nodes(5);
        let mut open = OpenList::default();
        for &node in &nodes {
            open.push(node, 1.0);
        }
        let order: Vec<usize> = std::iter::from_fn(|| open.pop()).map(NodeIdx::position).collect();
        assert_eq!(order, [0, 1, 3, 4, 2]);
    }

    proptest! {
        #[test]
        fn nodes_come_out_by_cost(costs in prop::collection::vec((0..50u8, 0..50u8), 1..200)) {
            let nodes = nodes(costs.len());
            let mut open = OpenList::default();
            for (&node, &(cost, _)) in nodes.iter().zip(&costs) {
                open.push(node, f32::from(cost));
            }
            for (&node, &(cost, less)) in nodes.iter().zip(&costs) {
                open.lower(node, f32::from(cost.saturating_sub(less)));
            }
            let mut expected: Vec<u8> = costs.iter().map(|&(c, l)| c.saturating_sub(l)).collect();
            expected.sort_unstable();
            let found: Vec<u8> = std::iter::from_fn(|| open.pop())
                .map(|node| costs[node.position()])
                .map(|(c, l)| c.saturating_sub(l))
                .collect();
            prop_assert_eq!(found, expected);
        }
    }
}

//! Bounding volume tree of a tile, so that a query tests only few polygons.
//!
//! The nodes are in one list, each before its descendants. A traversal that misses an inner node skips as many nodes
//! as its subtree has, itself included.

use walkable_runtime::navmesh::BvNode;

/// A box in cells relative to the tile's minimum: minimum and maximum.
pub(super) type QuantizedBox = [[u16; 3]; 2];

/// Builds the tree over the boxes of polygons 0, 1, …, with twice as many nodes as boxes; the last node is unused and
/// zero.
///
/// Each inner box is split in half by number along its longest axis, in the order of the minimum; boxes with the same
/// minimum keep their order.
///
/// Source: `createBVTree`. Its `qsort` leaves the order of equal boxes unspecified; the C library that the reference
/// was built with keeps it.
pub(super) fn build_bv_tree(boxes: impl Iterator<Item = QuantizedBox>) -> Vec<BvNode> {
    let leaf = |(index, [min, max]): (i32, QuantizedBox)| BvNode { min, max, index };
    let mut leaves: Vec<BvNode> = (0..).zip(boxes).map(leaf).collect();
    let n_nodes = 2 * leaves.len();
    let mut nodes = Vec::with_capacity(n_nodes);
    append(&mut leaves, &mut nodes);
    nodes.resize(n_nodes, UNUSED);
    nodes
}

const UNUSED: BvNode = BvNode { min: [0; 3], max: [0; 3], index: 0 };

/// Appends the subtree over `leaves`, and sorts them.
fn append(leaves: &mut [BvNode], nodes: &mut Vec<BvNode>) {
    match leaves {
        [] => {}
        [leaf] => nodes.push(*leaf),
        _ => {
            let at = nodes.len();
            let around = bounds(leaves);
            let axis = longest_axis(&around);
            leaves.sort_by_key(|leaf| leaf.min[axis]);
            nodes.push(around);
            let (left, right) = leaves.split_at_mut(leaves.len() / 2);
            append(left, nodes);
            append(right, nodes);
            nodes[at].index = to_skip(nodes.len() - at);
        }
    }
}

/// Returns the box around all `leaves`.
fn bounds(leaves: &[BvNode]) -> BvNode {
    let mut around = BvNode { min: [u16::MAX; 3], ..UNUSED };
    for leaf in leaves {
        for axis in 0..3 {
            around.min[axis] = around.min[axis].min(leaf.min[axis]);
            around.max[axis] = around.max[axis].max(leaf.max[axis]);
        }
    }
    around
}

/// Returns the longest axis of a box, the first if several are equal.
fn longest_axis(around: &BvNode) -> usize {
    let length = |axis: usize| around.max[axis] - around.min[axis];
    (1..3).fold(0, |longest, axis| if length(axis) > length(longest) { axis } else { longest })
}

/// Returns the skip value of an inner node with `n` nodes, itself included.
fn to_skip(n: usize) -> i32 {
    i32::try_from(n).map_or(i32::MIN, |n| -n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(x: u16) -> QuantizedBox {
        [[x, 0, 0], [x + 2, 1, 1]]
    }

    #[test]
    fn no_boxes_make_no_tree() {
        assert_eq!(build_bv_tree(std::iter::empty()), []);
    }

    #[test]
    fn boxes_are_halved_along_the_longest_axis() {
        let nodes = build_bv_tree([30, 0, 10, 20].map(column).into_iter());
        let indices: Vec<i32> = nodes.iter().map(|node| node.index).collect();
        assert_eq!(indices, [-7, -3, 1, 2, -3, 3, 0, 0]);
        assert_eq!((nodes[0].min, nodes[0].max), ([0, 0, 0], [32, 1, 1]));
        assert_eq!(nodes[7], UNUSED);
    }

    #[test]
    fn equal_boxes_keep_their_order() {
        let nodes = build_bv_tree([5, 5, 5].map(column).into_iter());
        let indices: Vec<i32> = nodes.iter().map(|node| node.index).collect();
        assert_eq!(indices, [-5, 0, -3, 1, 2, 0]);
    }
}

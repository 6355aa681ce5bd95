//! Finds the boxes in the plane that contain a point.

use glam::DVec2;

/// Nodes with at most this many boxes are not split.
const LEAF_SIZE: usize = 4;

/// A binary tree of boxes. Nodes are split into halves with equal numbers of boxes and stored in depth-first order: the
/// first child follows its parent.
#[derive(Clone, Debug, Default)]
pub(super) struct BoxTree {
    nodes: Vec<Node>,
    /// The boxes and their indices, leaf by leaf.
    items: Vec<(u32, [DVec2; 2])>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: [DVec2; 2],
    /// The node after the last descendant of this one.
    skip_to: usize,
    /// Items of a leaf; empty for inner nodes.
    first: usize,
    n_items: usize,
}

impl BoxTree {
    pub(super) fn new(boxes: &[[DVec2; 2]]) -> Self {
        let mut tree =
            Self { nodes: Vec::new(), items: (0..).zip(boxes.iter().copied()).collect() };
        tree.split(0, boxes.len());
        tree
    }

    /// Creates the nodes of `n` items from `first` on. The depth of the recursion is logarithmic.
    fn split(&mut self, first: usize, n: usize) {
        let items = &mut self.items[first..first + n];
        let bounds = items.iter().fold([DVec2::INFINITY, DVec2::NEG_INFINITY], |all, (_, item)| {
            [all[0].min(item[0]), all[1].max(item[1])]
        });
        let index = self.nodes.len();
        let is_leaf = n <= LEAF_SIZE;
        self.nodes.push(Node { bounds, skip_to: 0, first, n_items: if is_leaf { n } else { 0 } });
        if !is_leaf {
            let size = bounds[1] - bounds[0];
            let axis = usize::from(size.y > size.x);
            let middle = |item: &(u32, [DVec2; 2])| item.1[0][axis] + item.1[1][axis];
            items.select_nth_unstable_by(n / 2, |a, b| {
                middle(a).total_cmp(&middle(b)).then(a.0.cmp(&b.0))
            });
            self.split(first, n / 2);
            self.split(first + n / 2, n - n / 2);
        }
        self.nodes[index].skip_to = self.nodes.len();
    }

    /// Calls `visit` with the index of every box that is no farther than `slack` from `point`.
    pub(super) fn for_each_at(&self, point: DVec2, slack: f64, mut visit: impl FnMut(u32)) {
        let holds = |[min, max]: [DVec2; 2]| {
            (point + slack).cmpge(min).all() && (point - slack).cmple(max).all()
        };
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if !holds(node.bounds) {
                at = node.skip_to;
                continue;
            }
            for &(index, bounds) in &self.items[node.first..node.first + node.n_items] {
                if holds(bounds) {
                    visit(index);
                }
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn all_boxes_at_a_point_are_found(
            corners in prop::collection::vec((0..20u8, 0..20u8, 0..6u8, 0..6u8), 0..60),
            at in (0..24u8, 0..24u8),
        ) {
            let boxes: Vec<[DVec2; 2]> = corners
                .iter()
                .map(|&(x, y, w, h)| {
                    let min = DVec2::new(x.into(), y.into());
                    [min, min + DVec2::new(w.into(), h.into())]
                })
                .collect();
            let point = DVec2::new(at.0.into(), at.1.into());
            let holds = |b: &[DVec2; 2]| b[0].cmple(point).all() && b[1].cmpge(point).all();
            let expected: Vec<u32> =
                (0..).zip(&boxes).filter(|(_, b)| holds(b)).map(|(index, _)| index).collect();
            let mut found = Vec::new();
            BoxTree::new(&boxes).for_each_at(point, 0.0, |index| found.push(index));
            found.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn ten_thousand_equal_boxes_are_no_trouble() {
        let tree = BoxTree::new(&vec![[DVec2::ZERO, DVec2::ONE]; 10_000]);
        let mut n = 0;
        tree.for_each_at(DVec2::ONE, 0.0, |_| n += 1);
        assert_eq!(n, 10_000);
    }
}

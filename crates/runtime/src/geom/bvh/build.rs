//! Builds the tree top-down.

#![expect(
    clippy::cast_precision_loss,
    reason = "counts weigh costs, where a few digits are enough"
)]

use std::ops::Range;

use glam::Vec3;

use super::{Bvh, Node, Split, Triangles};
use crate::geom::Aabb;

/// Nodes with at most this many triangles are not split.
const LEAF_SIZE: usize = 4;
/// Number of bins in which the best split is searched.
const N_BINS: usize = 16;
/// Depth from which nodes are split into halves with equal numbers of triangles. This limits the depth of the tree for
/// triangles whose sizes differ by orders of magnitude.
pub(super) const BALANCED_BELOW: usize = 64;

/// A range of triangles that will become a node.
struct Pending {
    node: usize,
    run: Range<usize>,
    depth: usize,
    /// Bounds of the centers of its triangles.
    spread: Aabb,
}

/// The data of a triangle for building.
#[derive(Clone, Copy)]
struct Item {
    bounds: Aabb,
    middle: Vec3,
    triangle: u32,
}

pub(super) fn build<T: Triangles + ?Sized>(triangles: &T, split: Split) -> Bvh {
    let mut items: Vec<Item> = (0..triangles.n_triangles())
        .map(|triangle| {
            let bounds = Aabb::around(triangles.triangle(triangle));
            // Halved before adding, so that the sum of two huge coordinates is finite.
            Item { bounds, middle: bounds.min * 0.5 + bounds.max * 0.5, triangle }
        })
        .collect();
    let mut nodes = Vec::with_capacity(items.len());
    let mut pending = Vec::new();
    if !items.is_empty() {
        add_node(&items, 0..items.len(), 0, &mut nodes, &mut pending);
    }
    while let Some(Pending { node, run, depth, spread }) = pending.pop() {
        let split = if depth < BALANCED_BELOW { split } else { Split::Median };
        let middle = run.start + partition(&mut items[run.clone()], &spread, split);
        nodes[node] = Node { first: index(nodes.len()), n_triangles: 0, ..nodes[node] };
        for run in [run.start..middle, middle..run.end] {
            add_node(&items, run, depth + 1, &mut nodes, &mut pending);
        }
    }
    Bvh { nodes, order: items.iter().map(|item| item.triangle).collect() }
}

/// Adds a leaf, which later becomes an inner node if `run` is long.
fn add_node(
    items: &[Item],
    run: Range<usize>,
    depth: usize,
    nodes: &mut Vec<Node>,
    pending: &mut Vec<Pending>,
) {
    let (bounds, spread) =
        items[run.clone()].iter().fold((Aabb::EMPTY, Aabb::EMPTY), |(bounds, spread), item| {
            (union(&bounds, &item.bounds), spread.grown_to(item.middle))
        });
    let (first, n_triangles) = (index(run.start), index(run.len()));
    if run.len() > LEAF_SIZE {
        pending.push(Pending { node: nodes.len(), run, depth, spread });
    }
    nodes.push(Node { bounds, first, n_triangles });
}

/// Reorders `items`, whose centers are in `spread`, and returns the number of items of the left child; each child gets
/// at least one.
fn partition(items: &mut [Item], spread: &Aabb, split: Split) -> usize {
    let axis = widest_axis(spread);
    let best = match split {
        Split::Median => None,
        Split::SurfaceArea => cheapest_cut(items, spread, axis),
    };
    let Some(cut) = best else { return halve(items, axis) };
    let mut n_left = 0;
    for i in 0..items.len() {
        if cut.goes_left(items[i].middle) {
            items.swap(i, n_left);
            n_left += 1;
        }
    }
    n_left
}

/// Puts the lower half along `axis` into the left child; equal centers are ordered by index.
fn halve(items: &mut [Item], axis: usize) -> usize {
    let half = items.len() / 2;
    items.select_nth_unstable_by(half, |a, b| {
        a.middle[axis].total_cmp(&b.middle[axis]).then(a.triangle.cmp(&b.triangle))
    });
    half
}

/// A plane between two bins.
struct Cut {
    binning: Binning,
    /// The first bin to the right of the plane.
    bin: usize,
}

impl Cut {
    fn goes_left(&self, middle: Vec3) -> bool {
        self.binning.bin_of(middle) < self.bin
    }
}

/// Divides a range along an axis into [`N_BINS`] equal bins.
#[derive(Clone, Copy)]
struct Binning {
    axis: usize,
    start: f32,
    bins_per_meter: f32,
}

impl Binning {
    /// Creates the bins; `None` if the range is too short.
    fn new(spread: &Aabb, axis: usize) -> Option<Self> {
        let bins_per_meter = N_BINS as f32 / spread.size()[axis];
        let start = spread.min[axis];
        (bins_per_meter.is_finite() && bins_per_meter > 0.0).then_some(Self {
            axis,
            start,
            bins_per_meter,
        })
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the number of bins; a cast of what rounding puts outside saturates"
    )]
    fn bin_of(&self, middle: Vec3) -> usize {
        let bin = (middle[self.axis] - self.start) * self.bins_per_meter;
        (bin as usize).min(N_BINS - 1)
    }
}

#[derive(Clone, Copy)]
struct Bin {
    bounds: Aabb,
    n: usize,
}

impl Bin {
    const EMPTY: Self = Self { bounds: Aabb::EMPTY, n: 0 };

    fn joined(self, other: Self) -> Self {
        Self { bounds: union(&self.bounds, &other.bounds), n: self.n + other.n }
    }

    /// Returns its cost: the number of its triangles times its surface area, which is proportional to the number of
    /// rays that hit it.
    fn cost(&self) -> f32 {
        if self.n == 0 { 0.0 } else { half_surface(&self.bounds) * self.n as f32 }
    }
}

/// Returns the split along `axis` with the lowest cost; `None` if all centers are equal.
fn cheapest_cut(items: &[Item], spread: &Aabb, axis: usize) -> Option<Cut> {
    let binning = Binning::new(spread, axis)?;
    let mut bins = [Bin::EMPTY; N_BINS];
    for item in items {
        let bin = &mut bins[binning.bin_of(item.middle)];
        *bin = bin.joined(Bin { bounds: item.bounds, n: 1 });
    }
    let mut right_of = [Bin::EMPTY; N_BINS + 1];
    for bin in (0..N_BINS).rev() {
        right_of[bin] = right_of[bin + 1].joined(bins[bin]);
    }
    let mut best: Option<(f32, Cut)> = None;
    let mut left = Bin::EMPTY;
    for bin in 1..N_BINS {
        left = left.joined(bins[bin - 1]);
        let right = &right_of[bin];
        let cost = left.cost() + right.cost();
        let splits = left.n > 0 && right.n > 0;
        if splits && best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, Cut { binning, bin }));
        }
    }
    best.map(|(_, cut)| cut)
}

fn widest_axis(spread: &Aabb) -> usize {
    let size = spread.size();
    if size.x >= size.y && size.x >= size.z {
        0
    } else if size.y >= size.z {
        1
    } else {
        2
    }
}

fn union(a: &Aabb, b: &Aabb) -> Aabb {
    Aabb { min: a.min.min(b.min), max: a.max.max(b.max) }
}

fn half_surface(bounds: &Aabb) -> f32 {
    let size = bounds.size();
    size.x * size.y + size.y * size.z + size.z * size.x
}

#[expect(clippy::cast_possible_truncation, reason = "two nodes a triangle at most, far below 2^32")]
fn index(i: usize) -> u32 {
    i as u32
}

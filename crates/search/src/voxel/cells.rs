use glam::Vec3;
use walkable_runtime::search::Watch;

use super::{
    Cell, CellTree, Fill, FlightPath, Voxel, VoxelAnswer, VoxelScratch,
    path::{middle, nothing},
    search::{Cost, Node, Space, Work, find, from_voxels},
};

/// Options of a search over free cubes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellOptions {
    /// Heuristic weight, at least 1. With larger weights, a path is found sooner but may be longer. With a weight of 3
    /// and [`smooth`](super::smooth), paths are shorter than those of a voxel-by-voxel search, and found a hundred
    /// times faster.
    pub weight: f64,
    /// Discount for crossing large cubes, from 0 to less than 1: the cost of crossing one of the largest cubes is
    /// multiplied by 1 minus this value. Also finds paths sooner, but with a worse trade-off than `weight`. Provided
    /// for comparison.
    pub compensation: f64,
}

impl Default for CellOptions {
    fn default() -> Self {
        Self { weight: 3.0, compensation: 0.0 }
    }
}

/// Finds a path over the free cubes of an octree by A*, from the center of one voxel to the center of another. The
/// points are on the shared faces of cubes, so the whole path is free. [`smooth`](super::smooth) removes unnecessary
/// points.
///
/// Each cube keeps a single entry point. Even with a weight of 1, a path may therefore be longer than the shortest path
/// over these cubes, which may itself be longer than the shortest path of all. A path is found whenever the start and
/// the goal are connected by voxels that share faces.
///
/// Source: Brewer 2017, see [`SparseOctree`](super::SparseOctree), for weight and compensation. Differs: paths go from
/// face to face and not from center to center, which makes them shorter.
pub fn find_by_cells<W: Watch>(
    tree: &impl CellTree,
    [start, goal]: [Voxel; 2],
    options: CellOptions,
    scratch: &mut VoxelScratch,
    watch: &mut W,
) -> VoxelAnswer<FlightPath> {
    let free = |voxel| tree.cell(voxel).filter(|cell| cell.fill == Fill::Free);
    let (Some(first), Some(last)) = (free(start), free(goal)) else { return nothing() };
    let [from, to] = [start, goal].map(middle);
    let VoxelScratch { places, pointed, open, .. } = scratch;
    let work = Work { places, nodes: pointed, open, watch };
    let compensation = Some(options.compensation).filter(|c| (0.0..1.0).contains(c)).unwrap_or(0.0);
    let per_layer = compensation / f64::from(tree.top().0.max(1));
    let space = Cells { tree, goal: to, last, size: tree.size(), per_layer };
    let (nodes, stats) = find(&space, (first.number(), from), last.number(), options.weight, work);
    let path = nodes.map(|nodes| {
        let entries = nodes.iter().map(|node| node.entry);
        let mut points = vec![from];
        for (node, next) in nodes.iter().zip(entries.skip(1).chain([to])) {
            points.extend(inwards(Cell::of_number(node.place), node.entry, next));
            points.push(next);
        }
        points.dedup();
        FlightPath::along(points)
    });
    VoxelAnswer { path, stats }
}

/// Returns a bend for a path between two points of the same face of a cell. The bend is inside the cell, so that the
/// path does not touch obstacles on the other side of the face.
#[expect(clippy::cast_precision_loss, reason = "sides are at most 2^19")]
fn inwards(cell: Cell, from: Vec3, to: Vec3) -> Option<Vec3> {
    const BEND: f32 = 0.25;
    let mut middle = from.midpoint(to);
    let before = middle;
    for axis in 0..3 {
        let (low, high) = (cell.min[axis] as f32, (cell.min[axis] + cell.side()) as f32);
        let (a, b) = (from[axis], to[axis]);
        if a <= low && b <= low {
            middle[axis] = low + BEND;
        } else if a >= high && b >= high {
            middle[axis] = high - BEND;
        }
    }
    (middle != before).then_some(middle)
}

struct Cells<'a, T> {
    tree: &'a T,
    goal: Vec3,
    last: Cell,
    size: [u32; 3],
    /// Discount for crossing a cube, per layer above single voxels.
    per_layer: f64,
}

impl<T: CellTree> Space for Cells<'_, T> {
    /// Point at which the search enters the cube.
    type Entry = Vec3;

    fn steps(&self, from: &Node<Vec3>, mut each: impl FnMut(u64, Cost, Vec3)) {
        let cell = Cell::of_number(from.place);
        let factor = self.factor(cell);
        self.tree.neighbors(cell, |next| {
            let entry = cell.shared(next, self.size);
            let mut length = f64::from(entry.distance(from.entry)) * factor;
            if next == self.last {
                length += f64::from(entry.distance(self.goal)) * self.factor(next);
            }
            each(next.number(), from_voxels(length), entry);
        });
    }

    fn estimate(&self, place: u64, entry: Vec3) -> Cost {
        let cell = Cell::of_number(place);
        if cell == self.last {
            return 0;
        }
        from_voxels(f64::from(entry.distance(self.goal)) * self.factor(cell))
    }
}

impl<T> Cells<'_, T> {
    fn factor(&self, cell: Cell) -> f64 {
        1.0 - self.per_layer * f64::from(cell.layer)
    }
}

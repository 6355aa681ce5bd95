//! Operations common to octrees: cells, their positions and their neighbors.

use glam::Vec3;

use super::{Fill, Voxel};

/// A cube of an octree during a descent from the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreePart {
    /// All voxels are free or all are blocked.
    All(Fill),
    /// A node, by its index in its layer.
    Node(u32),
    /// A block of 4 x 4 x 4 voxels, one bit per voxel, sorted by octants.
    Leaf(u64),
    /// A block of 2 x 2 x 2 voxels, one bit per voxel.
    Octant(u8),
}

/// The largest cube around a voxel that is entirely free or blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Voxel of the cube with the smallest coordinates.
    pub min: Voxel,
    /// Binary logarithm of the side length in voxels.
    pub layer: u32,
    /// Contents of the cube: free or blocked.
    pub fill: Fill,
}

const COORDINATE_BITS: u32 = 19;

impl Cell {
    /// Returns the side length, in voxels.
    pub const fn side(self) -> u32 {
        1 << self.layer
    }

    /// Returns the number of the cell, made of its layer and position. Search steps use this number as the place.
    pub fn number(self) -> u64 {
        let [x, y, z] = self.min.map(u64::from);
        ((u64::from(self.layer) << COORDINATE_BITS | z) << COORDINATE_BITS | y) << COORDINATE_BITS
            | x
    }

    /// Returns the free cell with a number.
    pub const fn of_number(number: u64) -> Self {
        const MASK: u64 = (1 << COORDINATE_BITS) - 1;
        Self {
            min: [
                (number & MASK) as u32,
                (number >> COORDINATE_BITS & MASK) as u32,
                (number >> (2 * COORDINATE_BITS) & MASK) as u32,
            ],
            layer: (number >> (3 * COORDINATE_BITS)) as u32,
            fill: Fill::Free,
        }
    }

    /// Returns the exclusive end of the cube along each axis, limited to the volume.
    pub(super) fn end(self, size: [u32; 3]) -> Voxel {
        std::array::from_fn(|axis| (self.min[axis] + self.side()).min(size[axis]))
    }

    /// Returns whether the cube contains a voxel.
    pub fn contains(self, voxel: Voxel) -> bool {
        (0..3).all(|axis| voxel[axis] >> self.layer == self.min[axis] >> self.layer)
    }

    /// Returns the center of the shared face of two adjacent cells, within the volume. For cells that are not adjacent,
    /// returns a point between them.
    pub(super) fn shared(self, other: Self, size: [u32; 3]) -> Vec3 {
        let (ends, others) = (self.end(size), other.end(size));
        #[expect(clippy::cast_precision_loss, reason = "sides are at most 2^19")]
        let middle = |axis: usize| {
            let low = self.min[axis].max(other.min[axis]);
            let high = ends[axis].min(others[axis]);
            (low as f32 + high as f32) * 0.5
        };
        Vec3::new(middle(0), middle(1), middle(2))
    }
}

/// An octree of free and blocked cubes.
pub trait CellTree {
    /// Returns the number of voxels along x, y and z.
    fn size(&self) -> [u32; 3];

    /// Returns the binary logarithm of the root's side length, and the root.
    fn top(&self) -> (u32, TreePart);

    /// Returns one of the eight cubes in a cube with a side length of 2 to the power of `layer`. Bit 0 of `octant` is
    /// set for the half with larger x, bit 1 for y and bit 2 for z.
    fn child(&self, part: TreePart, layer: u32, octant: u32) -> TreePart;

    /// Returns the memory of the tree, in bytes.
    fn n_bytes(&self) -> usize;

    /// Returns the number of blocked voxels.
    fn n_blocked(&self) -> u64;

    /// Returns the cell that contains a voxel, or `None` for a voxel outside the volume.
    fn cell(&self, voxel: Voxel) -> Option<Cell> {
        let size = self.size();
        if (0..3).any(|axis| voxel[axis] >= size[axis]) {
            return None;
        }
        let (layer, part, min) = self.part_at(voxel, 0);
        let TreePart::All(fill) = part else { return None };
        Some(Cell { min, layer, fill })
    }

    /// Returns whether a voxel is blocked or outside the volume.
    fn is_blocked(&self, voxel: Voxel) -> bool {
        self.cell(voxel).is_none_or(|cell| cell.fill == Fill::Blocked)
    }

    /// Descends to a voxel until the cube is entirely free or blocked, or until layer `lowest`. Returns the layer, the
    /// cube and its minimum.
    fn part_at(&self, voxel: Voxel, lowest: u32) -> (u32, TreePart, Voxel) {
        let (mut layer, mut part) = self.top();
        while layer > lowest && !matches!(part, TreePart::All(_)) {
            let [x, y, z] = voxel.map(|n| n >> (layer - 1) & 1);
            part = self.child(part, layer, x | y << 1 | z << 2);
            layer -= 1;
        }
        (layer, part, voxel.map(|n| n >> layer << layer))
    }

    /// Returns the contents of a cube whose side length is a power of 2 and whose position is a multiple of the side
    /// length.
    fn fill_of(&self, min: Voxel, side: u32) -> Fill {
        let size = self.size();
        if (0..3).any(|axis| min[axis] >= size[axis]) {
            return Fill::Free;
        }
        match self.part_at(min, side.trailing_zeros()).1 {
            TreePart::All(fill) => fill,
            TreePart::Node(_) | TreePart::Leaf(_) | TreePart::Octant(_) => Fill::Mixed,
        }
    }

    /// Calls `each` with every free cell that shares a part of a face with the cell `of`.
    fn neighbors(&self, of: Cell, mut each: impl FnMut(Cell))
    where
        Self: Sized,
    {
        let size = self.size();
        for axis in 0..3 {
            for farther in [true, false] {
                let mut beside = of.min;
                let moved = if farther {
                    of.min[axis].checked_add(of.side()).filter(|&n| n < size[axis])
                } else {
                    of.min[axis].checked_sub(of.side())
                };
                let Some(moved) = moved else { continue };
                beside[axis] = moved;
                let (layer, part, min) = self.part_at(beside, of.layer);
                let face = Face { axis, side: u32::from(!farther) };
                on_face(self, face, (layer, part, min), &mut each);
            }
        }
    }
}

/// Returns the minimum of one of the eight cubes of `side` voxels in a cube.
pub(super) const fn corner(min: Voxel, octant: u32, side: u32) -> Voxel {
    [
        min[0] + (octant & 1) * side,
        min[1] + (octant >> 1 & 1) * side,
        min[2] + (octant >> 2 & 1) * side,
    ]
}

/// A face of a cube: its normal axis, and 1 for the side with larger coordinates.
#[derive(Clone, Copy)]
struct Face {
    axis: usize,
    side: u32,
}

/// Calls `each` with the free cells that touch a face of a cube from inside.
fn on_face(
    tree: &impl CellTree,
    face: Face,
    (layer, part, min): (u32, TreePart, Voxel),
    each: &mut impl FnMut(Cell),
) {
    if let TreePart::All(fill) = part {
        if fill == Fill::Free {
            each(Cell { min, layer, fill });
        }
        return;
    }
    let size = tree.size();
    for octant in (0..8).filter(|octant| octant >> face.axis & 1 == face.side) {
        let min = corner(min, octant, 1 << (layer - 1));
        if (0..3).all(|axis| min[axis] < size[axis]) {
            on_face(tree, face, (layer - 1, tree.child(part, layer, octant), min), each);
        }
    }
}

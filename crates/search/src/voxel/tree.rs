//! What is common to octrees: cells, where they are and which touch.

use glam::Vec3;

use super::{Fill, Voxel};

/// A cube of an octree while one goes down to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreePart {
    /// All of one kind.
    All(Fill),
    /// A node by its number in its layer.
    Node(u32),
    /// A block of 4 x 4 x 4 voxels, a bit each, by octants.
    Leaf(u64),
    /// A block of 2 x 2 x 2 voxels.
    Octant(u8),
}

/// The largest cube of one kind around a voxel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its smallest voxel.
    pub min: Voxel,
    /// Its side is 2 to the power of this.
    pub layer: u32,
    /// What it holds: free or blocked.
    pub fill: Fill,
}

const COORDINATE_BITS: u32 = 19;

impl Cell {
    /// Voxels along a side.
    pub const fn side(self) -> u32 {
        1 << self.layer
    }

    /// Number of the cell, by its layer and place: what traces name as its place.
    pub fn number(self) -> u64 {
        let [x, y, z] = self.min.map(u64::from);
        ((u64::from(self.layer) << COORDINATE_BITS | z) << COORDINATE_BITS | y) << COORDINATE_BITS
            | x
    }

    /// The free cell of a number.
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

    /// Voxels just past the largest, cut off at the end of the volume.
    pub(super) fn end(self, size: [u32; 3]) -> Voxel {
        std::array::from_fn(|axis| (self.min[axis] + self.side()).min(size[axis]))
    }

    /// Whether it holds a voxel.
    pub fn contains(self, voxel: Voxel) -> bool {
        (0..3).all(|axis| voxel[axis] >> self.layer == self.min[axis] >> self.layer)
    }

    /// The middle of the face that two cells have in common, within the volume; of cells that do not
    /// touch, some point between them.
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
    /// Voxels along x, y and z.
    fn size(&self) -> [u32; 3];

    /// Log of the side of the whole, and the whole.
    fn top(&self) -> (u32, TreePart);

    /// One of the eight cubes of a cube of side 2 to the power of `layer`: bit 0 of `octant` is set for
    /// the farther half along x, bit 1 for y and bit 2 for z.
    fn child(&self, part: TreePart, layer: u32, octant: u32) -> TreePart;

    /// Memory of the tree.
    fn n_bytes(&self) -> usize;

    /// Number of blocked voxels.
    fn n_blocked(&self) -> u64;

    /// The cell of a voxel; none outside of the volume.
    fn cell(&self, voxel: Voxel) -> Option<Cell> {
        let size = self.size();
        if (0..3).any(|axis| voxel[axis] >= size[axis]) {
            return None;
        }
        let (layer, part, min) = self.part_at(voxel, 0);
        let TreePart::All(fill) = part else { return None };
        Some(Cell { min, layer, fill })
    }

    /// Whether a voxel is blocked or outside.
    fn is_blocked(&self, voxel: Voxel) -> bool {
        self.cell(voxel).is_none_or(|cell| cell.fill == Fill::Blocked)
    }

    /// Goes down to a voxel as far as cubes hold both and are larger than 2 to the power of `layer`:
    /// the log of the side, the cube and its smallest voxel.
    fn part_at(&self, voxel: Voxel, lowest: u32) -> (u32, TreePart, Voxel) {
        let (mut layer, mut part) = self.top();
        while layer > lowest && !matches!(part, TreePart::All(_)) {
            let [x, y, z] = voxel.map(|n| n >> (layer - 1) & 1);
            part = self.child(part, layer, x | y << 1 | z << 2);
            layer -= 1;
        }
        (layer, part, voxel.map(|n| n >> layer << layer))
    }

    /// What a cube holds whose side is a power of 2 and whose place is a multiple of it.
    fn fill_of(&self, min: Voxel, side: u32) -> Fill {
        let size = self.size();
        if (0..3).any(|axis| min[axis] >= size[axis]) {
            return Fill::Free;
        }
        match self.part_at(min, side.trailing_zeros()).1 {
            TreePart::All(fill) => fill,
            _ => Fill::Mixed,
        }
    }

    /// Calls `each` with every free cell that has a piece of a face in common with a free one.
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

/// The smallest voxel of one of the eight cubes of `side` in a cube.
pub(super) const fn corner(min: Voxel, octant: u32, side: u32) -> Voxel {
    [
        min[0] + (octant & 1) * side,
        min[1] + (octant >> 1 & 1) * side,
        min[2] + (octant >> 2 & 1) * side,
    ]
}

/// A face of a cube: the axis it is across, and 1 for the farther one.
#[derive(Clone, Copy)]
struct Face {
    axis: usize,
    side: u32,
}

/// Calls `each` with the free cells along a face of a cube, from inside.
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

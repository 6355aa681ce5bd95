//! What trees are built from.

use super::{Fill, Volume, Voxel};

/// Something to build a tree from, from the whole down to blocks of 4 x 4 x 4 voxels.
pub(super) trait Source: Sync {
    /// What is known of a cube.
    type Part: Send + Sync;

    /// Of everything.
    fn whole(&self) -> Self::Part;

    /// Of one of the eight cubes in a cube. Where that is of one kind, so is the answer.
    fn part(&self, of: &Self::Part, min: Voxel, side: u32) -> Known<Self::Part>;

    /// Which voxels of a block are blocked, in the order of [`order`].
    fn block(&self, part: &Self::Part, min: Voxel) -> u64;
}

/// What a source knows of a cube.
pub(super) enum Known<P> {
    /// It is of one kind.
    All(Fill),
    /// It has to be looked at more closely.
    Part(P),
}

/// Place of a voxel in a block of 4 x 4 x 4: by octants of 2 x 2 x 2, x before y before z in each.
pub(super) const fn order([x, y, z]: [u32; 3]) -> u32 {
    let octant = (x >> 1) | (y >> 1) << 1 | (z >> 1) << 2;
    octant << 3 | (x & 1) | (y & 1) << 1 | (z & 1) << 2
}

/// Calls a function for what is in a cube.
pub(super) struct FromFill<F>(pub(super) F);

impl<F: Fn(Voxel, u32) -> Fill + Sync> Source for FromFill<F> {
    type Part = ();

    fn whole(&self) {}

    fn part(&self, (): &(), min: Voxel, side: u32) -> Known<()> {
        match self.0(min, side) {
            Fill::Mixed => Known::Part(()),
            fill => Known::All(fill),
        }
    }

    fn block(&self, (): &(), min: Voxel) -> u64 {
        let mut bits = 0;
        for n in 0..64_u32 {
            let by = [n & 3, n >> 2 & 3, n >> 4];
            let voxel = std::array::from_fn(|axis| min[axis] + by[axis]);
            if self.0(voxel, 1) != Fill::Free {
                bits |= 1 << order(by);
            }
        }
        bits
    }
}

/// The blocked voxels of a volume; what is outside counts as free.
pub(super) struct FromVolume<'a>(pub(super) &'a Volume);

impl Source for FromVolume<'_> {
    type Part = ();

    fn whole(&self) {}

    fn part(&self, (): &(), _: Voxel, _: u32) -> Known<()> {
        Known::Part(())
    }

    fn block(&self, (): &(), min: Voxel) -> u64 {
        let mut bits = 0;
        for n in 0..16 {
            let (y, z) = (n & 3, n >> 2);
            let row = [min[0], min[1] + y, min[2] + z];
            if self.0.contains(row) {
                let four = u64::from(self.0.four(row));
                let pair = four & 0b11 | (four & 0b1100) << 6;
                bits |= pair << order([0, y, z]);
            }
        }
        bits
    }
}

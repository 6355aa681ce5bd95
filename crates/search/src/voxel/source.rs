//! Sources from which octrees are built.

use super::{Fill, Volume, Voxel};

/// Source of an octree's voxels, queried from the whole volume down to blocks of 4 x 4 x 4 voxels.
pub(super) trait Source: Sync {
    /// Data that the source keeps about a cube.
    type CubeData: Send + Sync;

    /// Returns the data of the whole volume.
    fn whole_volume(&self) -> Self::CubeData;

    /// Returns the contents of one of the eight cubes in the cube `of`, by its minimum and side length in voxels.
    fn part(&self, of: &Self::CubeData, min: Voxel, side: u32) -> Known<Self::CubeData>;

    /// Returns one bit per voxel of a block, in the order of [`order`], set if the voxel is blocked.
    fn block(&self, part: &Self::CubeData, min: Voxel) -> u64;
}

/// Contents of a cube.
pub(super) enum Known<P> {
    /// All voxels are free or all are blocked.
    All(Fill),
    /// The cube must be divided.
    Mixed(P),
}

/// Returns the position of a voxel in a block of 4 x 4 x 4: by octants of 2 x 2 x 2 voxels; octants and the voxels in
/// each octant are sorted by z, then y, then x.
pub(super) const fn order([x, y, z]: [u32; 3]) -> u32 {
    let octant = (x >> 1) | (y >> 1) << 1 | (z >> 1) << 2;
    octant << 3 | (x & 1) | (y & 1) << 1 | (z & 1) << 2
}

/// Source that calls a function for the contents of a cube.
pub(super) struct FromFill<F>(pub(super) F);

impl<F: Fn(Voxel, u32) -> Fill + Sync> Source for FromFill<F> {
    type CubeData = ();

    fn whole_volume(&self) {}

    fn part(&self, (): &(), min: Voxel, side: u32) -> Known<()> {
        match self.0(min, side) {
            Fill::Mixed => Known::Mixed(()),
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

/// Source that reads a volume; voxels outside the volume count as free.
pub(super) struct FromVolume<'a>(pub(super) &'a Volume);

impl Source for FromVolume<'_> {
    type CubeData = ();

    fn whole_volume(&self) {}

    fn part(&self, (): &(), _: Voxel, _: u32) -> Known<()> {
        Known::Mixed(())
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

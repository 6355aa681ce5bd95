/// Contents of a cube of voxels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// All voxels are free.
    Free,
    /// All voxels are blocked.
    Blocked,
    /// The cube has both free and blocked voxels, or must be divided to find out. Not valid for a single voxel.
    Mixed,
}

/// Contents of a cube of voxels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// All voxels are free.
    Free,
    /// All voxels are blocked.
    Blocked,
    /// The cube has both kinds of voxels, or must be divided to know. Not valid for a single voxel.
    Mixed,
}

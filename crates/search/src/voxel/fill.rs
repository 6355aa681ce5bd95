/// What a cube of voxels holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Nothing blocked.
    Free,
    /// All blocked.
    Blocked,
    /// Both, or it is not known without looking closer. Not for single voxels.
    Mixed,
}

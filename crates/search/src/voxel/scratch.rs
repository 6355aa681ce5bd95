use glam::Vec3;
use walkable_runtime::search::MinQueue;

use super::{
    Voxel,
    place_map::PlaceMap,
    ring::Ring,
    search::{Node, OpenEntry},
};

/// Memory that searches of voxels use again.
#[derive(Clone, Debug, Default)]
pub struct VoxelScratch {
    pub(super) places: PlaceMap,
    pub(super) plain: Vec<Node<()>>,
    pub(super) pointed: Vec<Node<Vec3>>,
    pub(super) labels: Vec<Label>,
    /// Per span, the search that has met it and its newest label.
    pub(super) heads: Vec<[u32; 2]>,
    pub(super) search: u32,
    pub(super) open_labels: Ring,
    pub(super) open: MinQueue<OpenEntry>,
}

/// A way into a span.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    pub(super) at: Voxel,
    pub(super) g: u32,
    pub(super) span: u32,
    /// Number of the label it was reached from; itself where the search began.
    pub(super) parent: u32,
    /// Another label of the same span, if there is one.
    pub(super) next: u32,
    /// What the open list has it keep.
    pub(super) open: u32,
    pub(super) is_closed: bool,
}

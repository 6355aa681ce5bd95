use glam::Vec3;
use walkable_runtime::search::MinQueue;

use super::{
    Voxel,
    place_map::PlaceMap,
    ring::Ring,
    search::{Node, OpenEntry},
};

/// Reusable memory of voxel searches.
#[derive(Clone, Debug, Default)]
pub struct VoxelScratch {
    pub(super) places: PlaceMap,
    pub(super) plain: Vec<Node<()>>,
    pub(super) pointed: Vec<Node<Vec3>>,
    pub(super) labels: Vec<Label>,
    /// For each span, the search that last reached the span, and its newest label.
    pub(super) heads: Vec<[u32; 2]>,
    pub(super) search: u32,
    pub(super) open_labels: Ring,
    pub(super) open: MinQueue<OpenEntry>,
}

/// A path to a voxel of a span.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    pub(super) at: Voxel,
    pub(super) g: u32,
    pub(super) span: u32,
    /// Index of the parent label; the label itself for the start.
    pub(super) parent: u32,
    /// Index of the next older label of the same span.
    pub(super) next: u32,
    /// Link stored for the open list.
    pub(super) open: u32,
    pub(super) is_closed: bool,
}

//! Volumes of voxels for agents that fly, swim or climb, and searches in them.
//!
//! Voxels are counted from 0 along x, y and z, with y up. A voxel is a cube with a side length of 1, so its center is
//! at an offset of 0.5 along each axis. Everything outside the volume is blocked.
//!
//! | representation | memory | search |
//! |---|---|---|
//! | [`Volume`] | 1 bit per voxel | [`find_dense`] with 6 or 26 moves |
//! | [`Columns`] | 4 bytes per column and per span | [`find_by_spans`], optimal for 6 moves; [`walk`] on floors |
//! | [`Octree`] | 6 bytes per node | [`find_by_cells`] over free cubes of any size |
//! | [`SparseOctree`] | 6 bytes per node, 8 bytes per leaf of 64 voxels | [`find_by_cells`] |

mod airspace;
mod cells;
mod columns;
mod dense;
mod fill;
mod flyer;
mod movingai;
mod octree;
mod path;
mod place_map;
mod ring;
mod scratch;
mod search;
mod sight;
mod source;
mod span_search;
#[cfg(test)]
mod tests;
mod tree;
mod volume;
mod walk;

pub use airspace::{Airspace, AirspaceSettings};
pub use cells::{CellOptions, find_by_cells};
pub use columns::{Columns, VoxelSpan};
pub use dense::{VoxelMoves, find_dense};
pub use fill::Fill;
pub use flyer::{Flyer, FlyerInSpace, FlyerParams};
pub use movingai::{VoxelScenario, read_voxel_scenario, read_voxels};
pub use octree::{Octree, SparseOctree};
pub use path::{FlightPath, VoxelAnswer, VoxelPath, smooth};
pub use scratch::VoxelScratch;
pub use sight::is_clear;
pub use span_search::{SpanSearch, find_by_spans};
pub use tree::{Cell, CellTree, TreePart};
pub use volume::Volume;
pub use walk::{WalkRules, walk};
use walkable_runtime::monitor::Cancelled;

/// Position of the voxel along x, then y, then z.
pub type Voxel = [u32; 3];

/// Maximum number of voxels along a side.
pub const MAX_SIDE: u32 = 1 << 19;

/// Error of creating or changing a volume.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VoxelError {
    /// A side has no voxels or too many.
    #[error("a volume of {size:?} voxels: sides must be from 1 to {limit}")]
    Side {
        /// Number of voxels along x, y and z.
        size: [u32; 3],
        /// Maximum number of voxels along a side.
        limit: u32,
    },
    /// The volume has too many voxels.
    #[error("a volume of {size:?} voxels is too large for one bit per voxel; use an octree")]
    TooLarge {
        /// Number of voxels along x, y and z.
        size: [u32; 3],
    },
    /// A layer of an octree has too many nodes.
    #[error("the octree has more than {limit} nodes of side {side}; use larger voxels")]
    TooManyNodes {
        /// Number of voxels along a side of a node in the layer.
        side: u32,
        /// Maximum number of nodes of a layer.
        limit: u32,
    },
    /// There are too many spans.
    #[error("more than {limit} spans; use larger voxels")]
    TooManySpans {
        /// Maximum number of spans.
        limit: u32,
    },
    /// A length is not finite, or is too small.
    #[error("{name} is {value}; it must be a finite number {rule}")]
    Setting {
        /// Name of the setting.
        name: &'static str,
        /// Value of the setting.
        value: f32,
        /// Required range.
        rule: &'static str,
    },
    /// The monitor was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

fn check_size(size: [u32; 3]) -> Result<(), VoxelError> {
    let fits = size.iter().all(|&n| 0 < n && n <= MAX_SIDE);
    if fits { Ok(()) } else { Err(VoxelError::Side { size, limit: MAX_SIDE }) }
}

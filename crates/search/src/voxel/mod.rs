//! Volumes of voxels for those who fly, swim or climb, and the ways to find paths in them.
//!
//! Voxels are counted from 0 along x, y and z, y up; a voxel is a cube of side 1, and its middle lies half
//! a voxel from its corner. Outside of the volume everything is blocked.
//!
//! | representation | memory | search |
//! |---|---|---|
//! | [`Volume`] | a bit a voxel | [`find_dense`], 6 or 26 ways |
//! | [`Columns`] | 4 bytes a column and a span | [`find_by_spans`], exactly as 6 ways; [`walk`] on floors |
//! | [`Octree`] | 6 bytes a node | [`find_by_cells`] over free cubes of any size |
//! | [`SparseOctree`] | the same with leaves of 64 voxels in 8 bytes | the same |

mod airspace;
mod cells;
mod columns;
mod dense;
mod fill;
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

/// A voxel by its place along x, y and z.
pub type Voxel = [u32; 3];

/// Most voxels along a side.
pub const MAX_SIDE: u32 = 1 << 19;

/// Why there cannot be such a volume.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VoxelError {
    /// A side has no voxels, or more than can be numbered.
    #[error("a volume of {size:?} voxels: sides must be from 1 to {limit}")]
    Side {
        /// Voxels along x, y and z.
        size: [u32; 3],
        /// Most along a side.
        limit: u32,
    },
    /// The volume has more voxels than it may.
    #[error("a volume of {size:?} voxels is too large for one bit per voxel; use an octree")]
    TooLarge {
        /// Voxels along x, y and z.
        size: [u32; 3],
    },
    /// A layer of an octree has more nodes than may be numbered.
    #[error("the octree's nodes of side {side} are more than {limit}; use larger voxels")]
    TooManyNodes {
        /// Voxels along a side of such a node.
        side: u32,
        /// Most nodes of a layer.
        limit: u32,
    },
    /// There are more spans than may be numbered.
    #[error("more than {limit} spans; use larger voxels")]
    TooManySpans {
        /// Most spans.
        limit: u32,
    },
    /// A length is no number, or none above zero.
    #[error("{name} is {value}; it must be a finite number {rule}")]
    Setting {
        /// Which.
        name: &'static str,
        /// What it is.
        value: f32,
        /// What it must be.
        rule: &'static str,
    },
    /// Its monitor was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

fn check_size(size: [u32; 3]) -> Result<(), VoxelError> {
    let fits = size.iter().all(|&n| 0 < n && n <= MAX_SIDE);
    if fits { Ok(()) } else { Err(VoxelError::Side { size, limit: MAX_SIDE }) }
}

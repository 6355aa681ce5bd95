use std::borrow::Borrow;

use glam::Vec3;
use walkable_runtime::{
    diagnostic::Finding, geom::Aabb, ids::TileCoord, monitor::Cancelled, navmesh::NavMeshError,
};

use crate::bake::{AgentsError, SettingsError};

/// Why a tile could not be baked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BakeError {
    /// The settings are invalid.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The monitor was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A limit of the data format was exceeded.
    #[error("tile {tile}: {what} is {value}, more than the limit of {limit}; {remedy}")]
    Limit {
        /// The tile.
        tile: TileCoord,
        /// The quantity that exceeds the limit.
        what: &'static str,
        /// The value.
        value: u64,
        /// The limit.
        limit: u64,
        /// What to change.
        remedy: &'static str,
    },
    /// The level as a whole exceeds a limit.
    #[error("{what} is {value}, more than the limit of {limit}; {remedy}")]
    LevelLimit {
        /// The quantity that exceeds the limit.
        what: &'static str,
        /// The value.
        value: u64,
        /// The limit.
        limit: u64,
        /// What to change.
        remedy: &'static str,
    },
    /// The estimated memory exceeds the limit.
    #[error("the bake needs {needed} of memory, more than the limit of {limit}; {remedy}")]
    TooMuchMemory {
        /// The estimate, in bytes.
        n_bytes: u64,
        /// The estimate as text.
        needed: String,
        /// The limit as text.
        limit: String,
        /// What to change.
        remedy: String,
    },
    /// The estimated time exceeds the limit.
    #[error("the bake takes {needed}, more than the limit of {limit}; {remedy}")]
    TooMuchTime {
        /// The estimate, in seconds.
        secs: f64,
        /// The estimate as text.
        needed: String,
        /// The limit as text.
        limit: String,
        /// What to change.
        remedy: String,
    },
    /// The level is smaller than a voxel.
    #[error(
        "the level is {width} by {depth} m seen from above, less than a voxel of {cell_size} m; \
         check its unit scale and up axis"
    )]
    TooSmall {
        /// Extent along x, in meters.
        width: f32,
        /// Extent along z, in meters.
        depth: f32,
        /// Side of a voxel, in meters.
        cell_size: f32,
    },
    /// The origin of the grid in the settings lies beyond the level.
    #[error(
        "no part of the level is inside the grid, which starts at its origin {}: the level \
        reaches from {} to {}; set another origin, or origin=auto",
        in_words(.origin), in_words(.level.min), in_words(.level.max)
    )]
    BeyondLevel {
        /// Minimum of the grid.
        origin: Vec3,
        /// Bounds of the level.
        level: Aabb,
    },
    /// The agents cannot share a navmesh.
    #[error(transparent)]
    Agents(#[from] AgentsError),
    /// The agents cannot share the ground of a tile.
    #[error("tile {tile}: {what}; bake a navmesh for each of them")]
    AgentsDiffer {
        /// The tile.
        tile: TileCoord,
        /// What they do not agree on.
        what: &'static str,
    },
    /// A volume, surface rule or off-mesh link has an area id that does not exist.
    #[error("{what} {index} has area {area}, but areas go from 0 to 63")]
    UnknownArea {
        /// `"volume"`, `"surface rule"` or `"off-mesh link"`.
        what: &'static str,
        /// Index, from 0.
        index: usize,
        /// Area id.
        area: u8,
    },
    /// A volume, bound or off-mesh link has a coordinate that is infinite or not a number.
    #[error("{what} {index} has a coordinate or size that is not a finite number")]
    NotFinite {
        /// `"volume"`, `"bound"` or `"off-mesh link"`.
        what: &'static str,
        /// Index, from 0.
        index: usize,
    },
    /// No tile lies within the loaded part of the level.
    #[error("no tile and its border lie within the loaded part of the level; {remedy}")]
    PartTooSmall {
        /// What to change.
        remedy: &'static str,
    },
    /// No tile has a navmesh.
    #[error("{}", .0.phrase())]
    NothingWalkable(Finding),
    /// The tiles cannot be linked to a navmesh.
    #[error(transparent)]
    NavMesh(#[from] NavMeshError),
}

/// Formats a position as in settings files.
fn in_words(at: impl Borrow<Vec3>) -> String {
    let Vec3 { x, y, z } = at.borrow();
    format!("{x},{y},{z}")
}

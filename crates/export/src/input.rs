//! The navmesh to export, and why it cannot be.

use walkable_bake::bake::{AreaTable, Rgb};
use walkable_runtime::navmesh::NavMesh;
use walkable_store::StoreError;

/// Default colors: those of RecastDemo's areas, then repeated.
const COLORS: [u32; 7] =
    [0x0056_b4e9, 0x0000_72b2, 0x00e6_9f00, 0x00cc_79a7, 0x0000_9e73, 0x00f0_e442, 0x00d5_5e00];

/// A navmesh to export.
#[derive(Clone, Copy, Debug)]
pub struct ExportInput<'a> {
    /// The navmesh.
    pub mesh: &'a NavMesh,
    /// Names, colors and costs of its areas.
    pub areas: &'a AreaTable,
    /// Height of a voxel in meters, if known: tiles do not contain it.
    pub cell_height: Option<f32>,
    /// Maximum slope of the ground in degrees, if known.
    pub max_slope: Option<f32>,
}

impl<'a> ExportInput<'a> {
    /// Returns a navmesh whose settings are unknown, with RecastDemo's areas if `areas` is the default.
    pub const fn new(mesh: &'a NavMesh, areas: &'a AreaTable) -> Self {
        Self { mesh, areas, cell_height: None, max_slope: None }
    }

    /// Returns the color of area `id`: its own, or else a default one.
    pub(crate) fn color(&self, id: u8) -> Rgb {
        self.areas.color(id).unwrap_or_else(|| {
            let [_, r, g, b] = COLORS[usize::from(id) % COLORS.len()].to_be_bytes();
            Rgb([r, g, b])
        })
    }

    /// Returns the side of a voxel in meters, if the tiles contain it.
    pub(crate) fn cell_size(&self) -> Option<f32> {
        let factor = self.mesh.tiles().next()?.header.bv_quant_factor;
        (factor.is_finite() && factor > 0.0).then(|| 1.0 / factor)
    }
}

/// Why a navmesh cannot be exported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The navmesh has no ground, and the format cannot express that.
    #[error("the navmesh has no ground polygons, so there is nothing to write")]
    Empty,
    /// The stage is empty in all tiles.
    #[error("the stage {0} is empty in these tiles, so there is nothing to write")]
    EmptyStage(String),
    /// The tiles cannot be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file would exceed the maximum size of the format.
    #[error("the navmesh is too large for {format}: {n} {what}, at most {limit}")]
    TooLarge {
        /// Name of the format.
        format: &'static str,
        /// Number of elements.
        n: u64,
        /// Name of the elements, in the plural.
        what: &'static str,
        /// Maximum number.
        limit: u64,
    },
    /// The data cannot be written as JSON.
    #[error("cannot write JSON")]
    Json(#[from] serde_json::Error),
}

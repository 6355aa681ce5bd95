use glam::Vec3;
use walkable_runtime::navmesh::NavMeshParams;

use crate::bake::{AreaFlags, BakePlan, LayerMeshing, OffMeshLink};

/// Number of layers that are reserved for each tile. Source: `RecastDemo`, `EXPECTED_LAYERS_PER_TILE`.
const LAYERS_PER_TILE: u32 = 4;
/// Maximum number of obstacles at a time. Source: `RecastDemo`.
const MAX_OBSTACLES: u32 = 128;
/// Bits for tile and polygon in 32-bit references of the navmesh and of layers; the other ten are the salt.
pub(super) const TILE_AND_POLY_BITS: u32 = 22;
/// Maximum number of these bits that are reserved for tiles if fewer layers exist. Source: `RecastDemo`.
const RESERVED_TILE_BITS: u32 = 14;

/// The grid of layers, the agent, and limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileCacheParams {
    /// Minimum corner of tile (0, 0).
    pub origin: Vec3,
    /// Size of a cell along x and z, in meters.
    pub cell_size: f32,
    /// Height of a cell, in meters.
    pub cell_height: f32,
    /// Number of columns of a tile.
    pub n_x: u32,
    /// Number of rows of a tile.
    pub n_z: u32,
    /// Agent height, in meters.
    pub agent_height: f32,
    /// Agent radius, in meters.
    pub agent_radius: f32,
    /// Max climb, in meters.
    pub agent_max_climb: f32,
    /// Maximum distance of a simplified contour from the cells, in cells.
    pub edge_max_error: f32,
    /// Maximum number of layers.
    pub max_tiles: u32,
    /// Maximum number of obstacles at a time.
    pub max_obstacles: u32,
}

impl TileCacheParams {
    /// Returns the parameters for `plan`, with space for four layers per tile.
    pub fn of_plan(plan: &BakePlan) -> Self {
        let settings = &plan.input().settings;
        let n_tiles = u32::try_from(plan.n_boxed_tiles()).unwrap_or(u32::MAX);
        let side = plan.params().tile_size_vx;
        Self {
            origin: plan.whole_grid().min,
            cell_size: settings.cell_size,
            cell_height: settings.cell_height,
            n_x: side,
            n_z: side,
            agent_height: settings.agent_height,
            agent_radius: settings.agent_radius,
            agent_max_climb: settings.agent_max_climb,
            edge_max_error: settings.edge_max_error,
            // References of layers cannot distinguish more.
            max_tiles: n_tiles.saturating_mul(LAYERS_PER_TILE).min(1 << TILE_AND_POLY_BITS),
            max_obstacles: MAX_OBSTACLES,
        }
    }

    /// Returns the size of a tile along x and z, in meters.
    pub(super) fn tile_size(&self) -> [f32; 2] {
        [self.n_x, self.n_z].map(|n| to_float(n) * self.cell_size)
    }

    /// Returns the parameters of the navmesh of these layers, with 32-bit references. Reserves the same bits for tiles
    /// as `RecastDemo`, independent of the layers: see [`TileCache::reserve`](super::TileCache::reserve).
    pub fn nav_mesh_params(&self) -> NavMeshParams {
        self.nav_mesh_params_with(self.reserved_tile_bits())
    }

    /// Returns the number of bits that `RecastDemo` reserves for the tiles of the navmesh.
    pub(super) fn reserved_tile_bits(&self) -> u32 {
        self.tile_bits().min(RESERVED_TILE_BITS)
    }

    /// Returns the parameters of the navmesh with `tile_bits` bits for tiles, at most 22, and the other bits for
    /// polygons.
    pub(super) fn nav_mesh_params_with(&self, tile_bits: u32) -> NavMeshParams {
        let [tile_width, tile_height] = self.tile_size();
        NavMeshParams {
            origin: self.origin,
            tile_width,
            tile_height,
            max_tiles: 1 << tile_bits,
            max_polys: 1 << (TILE_AND_POLY_BITS - tile_bits),
        }
    }

    /// Returns the number of bits that distinguish layers.
    pub(super) fn tile_bits(&self) -> u32 {
        self.max_tiles.max(1).checked_next_power_of_two().map_or(u32::BITS, u32::trailing_zeros)
    }

    pub(super) fn meshing(&self, off_mesh: Vec<OffMeshLink>) -> LayerMeshing {
        LayerMeshing {
            agent_height: self.agent_height,
            agent_radius: self.agent_radius,
            agent_max_climb: self.agent_max_climb,
            edge_max_error: self.edge_max_error,
            off_mesh,
            area_flags: AreaFlags::default(),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "sides of tiles are far below 2^24")]
const fn to_float(n: u32) -> f32 {
    n as f32
}

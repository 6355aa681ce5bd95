use glam::Vec3;
use walkable_runtime::navmesh::NavMeshParams;

use crate::bake::{AreaFlags, BakePlan, LayerMeshing, OffMeshLink};

/// Layers for which numbers are kept free at each place. Source: `RecastDemo`, `EXPECTED_LAYERS_PER_TILE`.
const LAYERS_PER_TILE: u32 = 4;
/// Most obstacles at a time. Source: `RecastDemo`.
const MAX_OBSTACLES: u32 = 128;
/// Bits for tile and polygon in 32-bit references: ten are left for the salt, of navmesh tiles as of layers.
pub(super) const TILE_AND_POLY_BITS: u32 = 22;
/// Most of these bits that are reserved for tiles where fewer layers exist. Source: `RecastDemo`.
const RESERVED_TILE_BITS: u32 = 14;

/// Where layers lie, for whom they are, and how many there may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileCacheParams {
    /// Minimum corner of tile (0, 0).
    pub origin: Vec3,
    /// Side of a cell, in meters.
    pub cell_size: f32,
    /// Height of a cell, in meters.
    pub cell_height: f32,
    /// Columns of a tile.
    pub n_x: u32,
    /// Rows of a tile.
    pub n_z: u32,
    /// Head room the agent needs, in meters.
    pub agent_height: f32,
    /// How far the agent keeps from walls, in meters.
    pub agent_radius: f32,
    /// Highest step the agent climbs, in meters.
    pub agent_max_climb: f32,
    /// How far an outline may stray from the cells, in cells.
    pub edge_max_error: f32,
    /// Most layers.
    pub max_tiles: u32,
    /// Most obstacles at a time.
    pub max_obstacles: u32,
}

impl TileCacheParams {
    /// What `plan` asks for, with room for four layers a tile.
    pub fn of_plan(plan: &BakePlan) -> Self {
        let settings = &plan.input().settings;
        let [n_x, n_z] = plan.n_tiles();
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
            // More could not be told apart by the references of layers.
            max_tiles: n_x
                .saturating_mul(n_z)
                .saturating_mul(LAYERS_PER_TILE)
                .min(1 << TILE_AND_POLY_BITS),
            max_obstacles: MAX_OBSTACLES,
        }
    }

    /// Sides of a tile, in meters.
    pub(super) fn tile_size(&self) -> [f32; 2] {
        [self.n_x, self.n_z].map(|n| to_float(n) * self.cell_size)
    }

    /// Parameters of the navmesh of these layers, with 32-bit references. Bits for tiles are reserved as
    /// `RecastDemo` does it, whatever layers there are: see [`TileCache::reserve`](super::TileCache::reserve).
    pub fn nav_mesh_params(&self) -> NavMeshParams {
        self.nav_mesh_params_with(self.reserved_tile_bits())
    }

    /// Bits that `RecastDemo` reserves for the tiles of the navmesh.
    pub(super) fn reserved_tile_bits(&self) -> u32 {
        self.tile_bits().min(RESERVED_TILE_BITS)
    }

    /// Parameters of the navmesh with `tile_bits` bits for tiles, at most 22, and the other bits for polygons.
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

    /// Bits that tell layers apart.
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

use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable_mesh::TriMesh;
use walkable_runtime::{geom::Aabb, ids::AreaId};

use crate::bake::{AreaFlags, AreaVolume, BakeSettings, SurfaceRule};

/// A connection that is not walked: a jump, a ladder, a teleport.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OffMeshLink {
    /// Where it starts.
    pub start: Vec3,
    /// Where it ends.
    pub end: Vec3,
    /// How far from an end the ground may be, in meters.
    pub radius: f32,
    /// Whether it can be taken from end to start as well.
    pub bidirectional: bool,
    /// Its area in tile data.
    pub area: AreaId,
    /// Its polygon flags.
    pub flags: u16,
    /// The number by which a game knows it.
    pub user_id: u32,
}

/// Everything a bake depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct BakeInput {
    /// The level.
    pub mesh: Arc<TriMesh>,
    /// The agent and the grid.
    pub settings: BakeSettings,
    /// Areas painted after erosion, in order: the last one wins.
    pub volumes: Vec<AreaVolume>,
    /// Off-mesh links put into tile data.
    pub off_mesh: Vec<OffMeshLink>,
    /// What objects and materials of the level become.
    pub surfaces: Vec<SurfaceRule>,
    /// Boxes to which the bake is limited; none for the whole level. What lies outside of all of them is
    /// dropped once it is rasterized. Tiles stay those of the whole level; the grid of a bake in one piece
    /// shrinks to the boxes, unless [`BakeSettings::keep_grid`] is on.
    pub bounds: Vec<Aabb>,
    /// Flags of ground polygons by their area.
    pub area_flags: AreaFlags,
}

impl BakeInput {
    /// A bake of `mesh` alone, without anything painted, added or left out.
    pub fn new(mesh: Arc<TriMesh>, settings: BakeSettings) -> Self {
        Self {
            mesh,
            settings,
            volumes: Vec::new(),
            off_mesh: Vec::new(),
            surfaces: Vec::new(),
            bounds: Vec::new(),
            area_flags: AreaFlags::default(),
        }
    }
}

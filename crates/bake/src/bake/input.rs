use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable_mesh::TriMesh;
use walkable_runtime::{geom::Aabb, ids::AreaId};

use crate::bake::{AreaFlags, AreaVolume, BakeSettings, BakedAgent, SurfaceRule};

/// An off-mesh link: a jump, a ladder, a teleport.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OffMeshLink {
    /// Start position.
    pub start: Vec3,
    /// End position.
    pub end: Vec3,
    /// Maximum distance from an end to the ground, in meters.
    pub radius: f32,
    /// Whether agents can also go from the end to the start.
    pub bidirectional: bool,
    /// Area of the link.
    pub area: AreaId,
    /// Polygon flags of the link.
    pub flags: u16,
    /// The number that identifies the link in a game.
    pub user_id: u32,
}

/// The part of a larger level that is in memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelPart {
    /// Bounds of the whole level, which determine the grid.
    pub level: Aabb,
    /// The mesh has all triangles of the level whose bounds overlap this box, seen from above.
    pub loaded: Aabb,
}

/// Everything a bake depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BakeInput {
    /// The level.
    pub mesh: Arc<TriMesh>,
    /// The level of which the mesh is a part; `None` if the mesh is the whole level. Only tiles that lie within the
    /// loaded part together with their border are baked, with the same result as from the whole level.
    pub part: Option<LevelPart>,
    /// The agent and the grid.
    pub settings: BakeSettings,
    /// Areas applied after erosion, in order: the last one wins.
    pub volumes: Vec<AreaVolume>,
    /// Off-mesh links to add to tile data.
    pub off_mesh: Vec<OffMeshLink>,
    /// Rules for objects and materials of the level.
    pub surfaces: Vec<SurfaceRule>,
    /// Boxes to which the bake is limited; empty for the whole level. Everything outside all boxes is dropped after
    /// rasterization. Tiles keep their places in the grid of the whole level, but only those that a box touches, and those
    /// between them, are baked and counted; the grid of a bake in one piece shrinks to the boxes, unless
    /// [`BakeSettings::keep_grid`] is on.
    pub bounds: Vec<Aabb>,
    /// Flags of ground polygons by their area.
    pub area_flags: AreaFlags,
    /// The agents of a navmesh for several agents: each polygon has the flags of those to which it is open. If empty, the
    /// navmesh is for the agent in `settings`.
    pub agents: Vec<BakedAgent>,
}

impl BakeInput {
    /// Creates a bake of `mesh` with `settings` and nothing else.
    pub fn new(mesh: Arc<TriMesh>, settings: BakeSettings) -> Self {
        Self {
            mesh,
            part: None,
            settings,
            volumes: Vec::new(),
            off_mesh: Vec::new(),
            surfaces: Vec::new(),
            bounds: Vec::new(),
            area_flags: AreaFlags::default(),
            agents: Vec::new(),
        }
    }

    /// Returns the same input for a mesh that is a part of a larger level.
    #[must_use]
    pub fn of_part(self, part: Option<LevelPart>) -> Self {
        Self { part, ..self }
    }

    /// Returns the radius of the largest agent, in meters.
    pub(super) fn max_radius(&self) -> f32 {
        let radii = self.agents.iter().map(|agent| agent.radius);
        radii.fold(self.settings.agent_radius, f32::max)
    }

    /// Returns the steepest slope that an agent climbs, in degrees.
    pub(super) fn max_slope(&self) -> f32 {
        let slopes = self.agents.iter().map(|agent| agent.max_slope);
        slopes.fold(self.settings.agent_max_slope, f32::max)
    }

    /// Returns the bounds of the whole level.
    pub(super) fn level_bounds(&self) -> Aabb {
        self.part.map_or_else(|| self.mesh.bounds(), |part| part.level)
    }
}

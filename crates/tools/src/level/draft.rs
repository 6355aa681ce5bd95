use glam::Vec3;
use walkable_bake::bake::BakeConfig;

use crate::level::solid::Solids;

/// A level before its triangles are assembled into a mesh.
pub(super) struct Draft {
    pub(super) solids: Solids,
    pub(super) config: BakeConfig,
    pub(super) start: Vec3,
    pub(super) end: Vec3,
}

use crate::ids::AreaId;

/// The triangles of one tile and whether their slope lets an agent stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TriangleSlopes {
    /// Indices into the mesh's triangles, in file order.
    pub triangles: Vec<u32>,
    /// One per triangle: [`AreaId::WALKABLE`] or [`AreaId::NULL`].
    pub areas: Vec<AreaId>,
}

use crate::{
    bake::GridFrame,
    ids::{AreaId, RegionId},
};

/// Corner of a contour, in cells of the tile without its border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContourVertex {
    /// Along x.
    pub x: i32,
    /// Along y.
    pub y: i32,
    /// Along z.
    pub z: i32,
    /// Region on the other side in the low 16 bits, flags above them.
    pub region_and_flags: u32,
}

impl ContourVertex {
    /// Flag of a vertex on the tile's border that polygons need not keep.
    pub const BORDER_VERTEX: u32 = 0x1_0000;
    /// Flag of an edge that starts here and separates two areas.
    pub const AREA_BORDER: u32 = 0x2_0000;

    /// Region on the other side of the edge that starts here.
    pub const fn region(self) -> RegionId {
        RegionId((self.region_and_flags & 0xffff) as u16)
    }
}

/// Outline of one region, clockwise seen from above, holes already joined to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contour {
    /// The region outlined.
    pub region: RegionId,
    /// Its area.
    pub area: AreaId,
    /// Simplified outline.
    pub vertices: Vec<ContourVertex>,
    /// Outline along every cell border.
    pub raw: Vec<ContourVertex>,
}

/// Outlines of a tile.
#[derive(Clone, Debug, PartialEq)]
pub struct ContourSet {
    /// Frame of the tile's grid, border included.
    pub frame: GridFrame,
    /// Outlines in the order in which they were traced.
    pub contours: Vec<Contour>,
}

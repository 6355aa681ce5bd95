//! Every intermediate of a bake and every answer of a query as typed primitives. Knows no renderer
//! and no colour: a [`Paint`] says what a thing is, the program's theme what it looks like.

use glam::Vec3;

/// What a primitive stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Paint {
    /// Level geometry that an agent could stand on.
    LevelWalkable,
    /// Level geometry too steep to stand on.
    LevelSteep,
    /// Not walkable span or cell.
    Blocked,
    /// Area by number, 0 to 63 as in tile data (63 while baking counts as 0).
    Area(u8),
    /// Region or other thing told apart by number.
    Hue(u32),
    /// A measured value from 0 to 1 on the perceptual scale.
    Scalar(f32),
    /// Edge between polygons.
    InnerEdge,
    /// Edge to a wall or a drop.
    BoundaryEdge,
    /// Edge to the next tile.
    PortalEdge,
    /// Edge of the detail triangulation.
    DetailEdge,
    /// Raw contour.
    RawContour,
    /// Simplified contour.
    Contour,
    /// Bounds of a tile or grid.
    Bounds,
    /// Polygons of the found corridor.
    Corridor,
    /// Portal that the path crosses.
    PathPortal,
    /// The path.
    Path,
    /// Node that the search expanded.
    Expanded,
    /// Where a path starts.
    Start,
    /// Where a path ends.
    End,
    /// What is selected or under the cursor.
    Accent,
    /// Something wrong.
    Problem,
}

/// A flat-shaded triangle, counter-clockwise seen from its front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    /// Corners in world space.
    pub corners: [Vec3; 3],
    /// What it is.
    pub paint: Paint,
}

/// A line of constant width on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Start in world space.
    pub a: Vec3,
    /// End in world space.
    pub b: Vec3,
    /// What it is.
    pub paint: Paint,
    /// Width in points.
    pub width: f32,
    /// Whether it is drawn in dashes.
    pub dashed: bool,
}

/// A disc of constant size on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Where.
    pub at: Vec3,
    /// What it is.
    pub paint: Paint,
    /// Diameter in points.
    pub size: f32,
}

/// A box aligned with the axes, drawn with shaded faces: a span.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// Smallest corner.
    pub min: Vec3,
    /// Largest corner.
    pub max: Vec3,
    /// What its top is.
    pub paint: Paint,
}

/// A picture of one thing, to be uploaded once and drawn many times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrawList {
    /// Surfaces.
    pub triangles: Vec<Triangle>,
    /// Lines.
    pub lines: Vec<Line>,
    /// Points.
    pub points: Vec<Point>,
    /// Boxes.
    pub blocks: Vec<Block>,
}

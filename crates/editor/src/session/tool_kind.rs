//! The tools that there are.

/// What clicks in the 3D view do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ToolKind {
    /// Inspects places.
    Select,
    /// Finds paths.
    Path,
    /// Draws volumes that paint areas.
    Volume,
    /// Places off-mesh connections.
    Link,
    /// Draws boxes to which the bake is limited.
    Bounds,
    /// Measures between two places.
    Measure,
    /// Asks the navmesh what games ask.
    Probe,
    /// Drops obstacles.
    Obstacle,
    /// Bakes single tiles again or takes them out.
    Tile,
    /// Paints polygons.
    Paint,
}

impl ToolKind {
    /// All, in toolbar order.
    pub const ALL: [Self; 10] = [
        Self::Select,
        Self::Path,
        Self::Volume,
        Self::Link,
        Self::Bounds,
        Self::Measure,
        Self::Probe,
        Self::Obstacle,
        Self::Tile,
        Self::Paint,
    ];
}

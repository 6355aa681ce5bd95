//! The stages of a bake.

use serde::{Deserialize, Serialize};

crate::in_order! {
    /// The stages of a bake, in order, as shown to users.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Stage {
        /// Triangles, marked walkable by slope.
        Slope,
        /// Triangles rasterized to solid spans.
        Spans,
        /// Spans after the three walkability filters.
        Filtered,
        /// Open spans above the solid spans, connected to their neighbors.
        Compact,
        /// Walkable spans after erosion by the agent's radius, marked by volumes.
        Eroded,
        /// Distance of each span to the nearest border.
        Distance,
        /// Connected spans grouped into regions.
        Regions,
        /// Outlines of regions, raw and simplified.
        Contours,
        /// Convex polygons.
        Polygons,
        /// Detail mesh of the polygons.
        Detail,
        /// Detour tile data.
        Tile,
    }
}

impl Stage {
    /// Returns the name in lower case, as in reports and on the command line.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Slope => "slope",
            Self::Spans => "spans",
            Self::Filtered => "filtered",
            Self::Compact => "compact",
            Self::Eroded => "eroded",
            Self::Distance => "distance",
            Self::Regions => "regions",
            Self::Contours => "contours",
            Self::Polygons => "polygons",
            Self::Detail => "detail",
            Self::Tile => "tile",
        }
    }
}

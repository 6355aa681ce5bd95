//! The names of the pipeline's steps.

use serde::{Deserialize, Serialize};

crate::in_order! {
    /// The steps of a bake in pipeline order, as shown to people.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Stage {
        /// Triangles marked walkable by slope.
        Slope,
        /// Triangles turned into solid spans.
        Spans,
        /// Spans after the three walkability filters.
        Filtered,
        /// Open spans above the solid ones, linked to their neighbors.
        Compact,
        /// Walkable area shrunk by the agent's radius, then marked by volumes.
        Eroded,
        /// Distance of each span to the nearest border.
        Distance,
        /// Connected cells grouped into regions.
        Regions,
        /// Outlines of regions, raw and simplified.
        Contours,
        /// Convex polygons.
        Polygons,
        /// Height detail of polygons.
        Detail,
        /// Detour tile data.
        Tile,
    }
}

impl Stage {
    /// Short name in lower case, as in reports and on the command line.
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

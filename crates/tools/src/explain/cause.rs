//! Causes, with their keys in JSON and their names in labels.

use serde::{Deserialize, Serialize};
use walkable_runtime::{diagnostic::Phrase, phrase};

/// Declares the enum of causes, their keys and their names.
macro_rules! causes {
    ($($(#[$doc:meta])* $variant:ident { key: $key:literal, name: $name:expr $(, limit: $limit:expr)? })*) => {
        /// Why a place is not part of the navmesh, or why a path cannot get through. Each cause has one key in JSON.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Cause {
            $($(#[$doc])* #[serde(rename = $key)] $variant,)*
        }

        impl Cause {
            /// Returns the key of the cause in JSON.
            pub const fn key(self) -> &'static str {
                match self {
                    $(Self::$variant => $key,)*
                }
            }

            /// Returns the name of the obstacle, which is also the name of the measured value.
            pub(crate) fn name(self) -> Phrase {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Returns the name of the limit; `None` if it is not shown.
            pub(crate) fn limit_name(self) -> Option<Phrase> {
                match self {
                    $(Self::$variant => causes!(@limit $($limit)?),)*
                }
            }
        }
    };
    (@limit) => { None };
    (@limit $limit:expr) => { Some($limit) };
}

causes! {
    /// The place is outside the level or its grid, seen from above.
    OutsideLevel { key: "outside_level", name: phrase!("beside the level") }
    /// The place is outside the boxes that limit the bake.
    OutOfBounds { key: "out_of_bounds", name: phrase!("outside the bake boxes") }
    /// There is no geometry at this height.
    NoGround { key: "no_ground", name: phrase!("no ground") }
    /// The place is inside solid geometry.
    Buried { key: "buried", name: phrase!("inside solid geometry") }
    /// The object or material is marked as not walkable or is left out of the bake.
    MarkedSurface { key: "marked_surface", name: phrase!("surface marked not walkable") }
    /// The triangle's front faces down.
    FacesDown { key: "faces_down", name: phrase!("ground faces down") }
    /// The ground is steeper than the agent can walk.
    TooSteep { key: "too_steep", name: phrase!("slope"), limit: phrase!("limit") }
    /// There is too little head room.
    LowCeiling { key: "low_ceiling", name: phrase!("head room"), limit: phrase!("height") }
    /// The ground ends in a drop.
    Ledge { key: "ledge", name: phrase!("drop") }
    /// A riser is higher than the agent's climb.
    Step { key: "step", name: phrase!("step"), limit: phrase!("climb") }
    /// The level ends here.
    LevelEdge { key: "level_edge", name: phrase!("edge of the level") }
    /// The agent fits, but the voxels are too coarse to show it.
    CellTooCoarse { key: "cell_too_coarse", name: phrase!("passage"), limit: phrase!("needs") }
    /// The agent's body would reach into a wall or beyond an edge.
    NearEdge { key: "near_edge", name: phrase!("passage"), limit: phrase!("needs") }
    /// A modifier volume marks the place as not walkable.
    Volume { key: "volume", name: phrase!("volume") }
    /// The ground is an island smaller than the minimum region size.
    RegionTooSmall { key: "region_too_small", name: phrase!("island"), limit: phrase!("least size") }
    /// The ground belongs to no region.
    NoRegion { key: "no_region", name: phrase!("no region") }
    /// The simplified contour of the region excludes the place.
    CutOff { key: "cut_off", name: phrase!("cut off by the outline") }
    /// The polygon there has no flags, so no query passes it.
    AreaWithoutFlags { key: "area_without_flags", name: phrase!("area without flags") }
    /// The tile was removed from the navmesh.
    RemovedTile { key: "removed_tile", name: phrase!("removed tile") }
    /// The island was removed from the navmesh.
    IslandRemoved { key: "island_removed", name: phrase!("removed island") }
    /// An obstacle of the tile cache covers the place.
    Obstacle { key: "obstacle", name: phrase!("obstacle") }
    /// Ground is missing between the start and the end.
    Gap { key: "gap", name: phrase!("gap") }
    /// A passage is narrower than the agent.
    Narrow { key: "narrow", name: phrase!("passage"), limit: phrase!("needs") }
    /// The query filter excludes the polygons in between.
    Filtered { key: "filtered", name: phrase!("closed by the filter") }
    /// The off-mesh links lead only in the opposite direction.
    OneWay { key: "one_way", name: phrase!("one-way off-mesh link") }
    /// An off-mesh link is not connected.
    DeadLink { key: "dead_link", name: phrase!("unconnected off-mesh link") }
    /// No polygon is near the start.
    StartOffMesh { key: "start_off_mesh", name: phrase!("start off the navmesh") }
    /// No polygon is near the end.
    EndOffMesh { key: "end_off_mesh", name: phrase!("end off the navmesh") }
    /// The search ran out of nodes.
    NodeLimit { key: "node_limit", name: phrase!("nodes"), limit: phrase!("limit") }
    /// Tiles are not connected at their border.
    Seam { key: "seam", name: phrase!("unlinked tile border") }
    /// The stages show no cause.
    Unexplained { key: "unexplained", name: phrase!("no way") }
}

use serde::{Deserialize, Serialize};

/// Why a place is not part of the navmesh, or why a path cannot get through. Each cause has one key in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The place is outside the level, seen from above.
    OutsideLevel,
    /// The place is outside the boxes that limit the bake.
    OutOfBounds,
    /// There is no geometry at this height.
    NoGround,
    /// The place is inside solid geometry.
    Buried,
    /// The object or material is marked as not walkable or is left out of the bake.
    MarkedSurface,
    /// The triangle's front faces down.
    FacesDown,
    /// The ground is steeper than the agent can walk.
    TooSteep,
    /// The head room is too low.
    LowCeiling,
    /// The ground ends in a drop.
    Ledge,
    /// A riser is higher than the agent's climb.
    Step,
    /// The level ends here.
    LevelEdge,
    /// The agent fits, but the voxels are too coarse to show it.
    CellTooCoarse,
    /// The agent's body would reach into a wall or beyond an edge.
    NearEdge,
    /// A modifier volume marks the place as not walkable.
    Volume,
    /// The ground is an island smaller than the minimum region size.
    RegionTooSmall,
    /// The ground belongs to no region.
    NoRegion,
    /// The simplified contour of the region excludes the place.
    CutOff,
    /// The polygon there has no flags, so no query passes it.
    AreaWithoutFlags,
    /// The tile was removed from the navmesh.
    RemovedTile,
    /// The island was removed from the navmesh.
    IslandRemoved,
    /// An obstacle of the tile cache covers the place.
    Obstacle,
    /// Ground is missing between the start and the end.
    Gap,
    /// A passage is narrower than the agent.
    Narrow,
    /// The query filter excludes the polygons in between.
    Filtered,
    /// The off-mesh links lead only in the opposite direction.
    OneWay,
    /// An off-mesh link is not connected.
    DeadLink,
    /// No polygon is near the start.
    StartOffMesh,
    /// No polygon is near the end.
    EndOffMesh,
    /// The search ran out of nodes.
    NodeLimit,
    /// Tiles are not connected at their border.
    Seam,
    /// The stages show no cause.
    Unexplained,
}

impl Cause {
    /// Returns its key in JSON.
    pub const fn key(self) -> &'static str {
        match self {
            Self::OutsideLevel => "outside_level",
            Self::OutOfBounds => "out_of_bounds",
            Self::NoGround => "no_ground",
            Self::Buried => "buried",
            Self::MarkedSurface => "marked_surface",
            Self::FacesDown => "faces_down",
            Self::TooSteep => "too_steep",
            Self::LowCeiling => "low_ceiling",
            Self::Ledge => "ledge",
            Self::Step => "step",
            Self::LevelEdge => "level_edge",
            Self::CellTooCoarse => "cell_too_coarse",
            Self::NearEdge => "near_edge",
            Self::Volume => "volume",
            Self::RegionTooSmall => "region_too_small",
            Self::NoRegion => "no_region",
            Self::CutOff => "cut_off",
            Self::AreaWithoutFlags => "area_without_flags",
            Self::RemovedTile => "removed_tile",
            Self::IslandRemoved => "island_removed",
            Self::Obstacle => "obstacle",
            Self::Gap => "gap",
            Self::Narrow => "narrow",
            Self::Filtered => "filtered",
            Self::OneWay => "one_way",
            Self::DeadLink => "dead_link",
            Self::StartOffMesh => "start_off_mesh",
            Self::EndOffMesh => "end_off_mesh",
            Self::NodeLimit => "node_limit",
            Self::Seam => "seam",
            Self::Unexplained => "unexplained",
        }
    }
}

/// The decisive value and its limit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Measure {
    /// The measured value.
    pub measured: Option<f32>,
    /// The maximum or minimum allowed, as the bake uses it: after rounding to voxels.
    pub limit: Option<f32>,
    /// Unit of both values: `m`, `deg`, `cells` or `nodes`.
    pub unit: &'static str,
}

/// The JSON fields of an optional [`Measure`], rounded to tenths of a millimeter because the remaining digits are float
/// noise.
#[derive(Serialize)]
pub(crate) struct MeasureFields {
    measured: Option<f32>,
    limit: Option<f32>,
    unit: Option<&'static str>,
}

impl From<Option<Measure>> for MeasureFields {
    fn from(measure: Option<Measure>) -> Self {
        let rounded = |value: f32| (value * 1e4).round() / 1e4;
        Self {
            measured: measure.and_then(|measure| measure.measured).map(rounded),
            limit: measure.and_then(|measure| measure.limit).map(rounded),
            unit: measure.map(|measure| measure.unit),
        }
    }
}

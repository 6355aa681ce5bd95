use serde::{Serialize, Serializer};

/// What takes a place out of the navmesh, or keeps a path from getting through: one word for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// The place is not over the level.
    OutsideLevel,
    /// The place is outside the boxes to which the bake is limited.
    OutOfBounds,
    /// There is no geometry at this height.
    NoGround,
    /// The place is inside solid geometry.
    Buried,
    /// The object or material is marked as not walkable, or left out of the bake.
    MarkedSurface,
    /// The surface's front looks down.
    FacesDown,
    /// The ground is steeper than the agent walks.
    TooSteep,
    /// There is too little head room.
    LowCeiling,
    /// The ground ends in a drop.
    Ledge,
    /// A riser is higher than the agent's climb.
    Step,
    /// The level ends here.
    LevelEdge,
    /// An agent fits, but the voxels are too coarse to tell.
    CellTooCoarse,
    /// The agent's body would reach into a wall or over an edge.
    NearEdge,
    /// A modifier volume marks the place as not walkable.
    Volume,
    /// The ground is an island below the least size of a region.
    RegionTooSmall,
    /// No region took in the ground.
    NoRegion,
    /// The simplified outline of the region leaves the place out.
    CutOff,
    /// The polygon there has no flags, so that no query passes it.
    AreaWithoutFlags,
    /// The tile was taken out of the navmesh.
    RemovedTile,
    /// The island was taken out of the navmesh.
    IslandRemoved,
    /// An obstacle of the tile cache stands there.
    Obstacle,
    /// Ground is missing between two sides.
    Gap,
    /// A passage is narrower than the agent.
    Narrow,
    /// The query filter does not let pass what lies between.
    Filtered,
    /// Off-mesh links lead the other way only.
    OneWay,
    /// An off-mesh link is not connected.
    DeadLink,
    /// No polygon is near the start.
    StartOffMesh,
    /// No polygon is near the end.
    EndOffMesh,
    /// The search used all its nodes.
    NodeLimit,
    /// Tiles do not join at their border.
    Seam,
    /// The stages do not say.
    Unexplained,
}

impl Cause {
    /// Its word, as in JSON.
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

impl Serialize for Cause {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.key())
    }
}

/// The number that decided, and what it was compared with.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Measure {
    /// What was measured.
    pub measured: Option<f32>,
    /// What it may be at most or must be at least, as the bake uses it: after rounding to voxels.
    pub limit: Option<f32>,
    /// Unit of both: `m`, `deg` or `cells`.
    pub unit: &'static str,
}

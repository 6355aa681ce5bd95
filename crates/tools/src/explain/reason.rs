//! The reasons why a place is not walkable. Everything about a reason is defined here: its text, cause and measure, and what
//! fixes it.

use std::fmt;

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable_bake::bake::BakePlan;
use walkable_runtime::ids::{AreaId, Dir};

use super::{
    Verdict, ground,
    level_fixes::{n_inverted, wider},
    measure::{Measure, meters},
    rungs::Remedy,
};

/// Why a place is not walkable. Lengths are in meters; `Display` is one clause for users.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Reason {
    /// The place is outside the level, seen from above.
    OutsideLevel,
    /// The place is in a tile's border, which belongs to its neighbor.
    OutsideTile,
    /// There is no geometry at this height.
    NoGround,
    /// The ground is steeper than the agent can walk.
    TooSteep {
        /// Slope of the triangle.
        slope_deg: f32,
        /// Maximum slope of the agent.
        limit_deg: f32,
    },
    /// The triangle's front faces down: an underside, or wrong winding.
    FacesDown,
    /// The object or material of the triangle is marked as not walkable.
    MarkedSurface,
    /// The place is outside the boxes that limit the bake.
    OutOfBounds,
    /// The object or material of the surface is left out of the bake.
    LeftOut,
    /// The ground here is walkable, but shares its voxel with a steep surface above it.
    SteepSpan,
    /// The place is inside solid geometry.
    Buried {
        /// Depth below the top of the solid.
        depth: f32,
    },
    /// The ceiling is too low to stand under.
    LowCeiling {
        /// Available head room.
        room: f32,
        /// Head room that the agent needs.
        needed: f32,
    },
    /// A neighboring voxel is lower by more than the agent's climb.
    Ledge {
        /// Depth of the drop; `None` if there is no floor below.
        drop: Option<f32>,
        /// Climb of the agent.
        climb: f32,
        /// Direction of the drop.
        towards: Dir,
    },
    /// A riser next to the place is higher than the agent's climb.
    Step {
        /// Height of the riser.
        height: f32,
        /// Climb of the agent.
        climb: f32,
    },
    /// The place is in the outermost voxels of the grid.
    LevelEdge,
    /// The neighbors' floors differ by more than the agent's climb: the ground rises in steps.
    Uneven {
        /// Difference between the neighbors' floors.
        rise: f32,
        /// Climb of the agent.
        climb: f32,
    },
    /// The agent fits, but the voxels are too coarse to show it.
    CellTooCoarse(TooCoarse),
    /// The agent's body would reach beyond the edge of the walkable ground.
    NearEdge {
        /// Distance to the edge.
        distance: f32,
        /// Radius of the agent, rounded to whole voxels.
        radius: f32,
        /// Center of the edge's voxel.
        edge: Vec3,
    },
    /// A volume marks the place as not walkable.
    Volume {
        /// Index of the volume, from 0.
        index: usize,
    },
    /// The region was removed because it is an island smaller than the minimum size.
    RegionTooSmall {
        /// Number of voxels of the island.
        cells: usize,
        /// Minimum number of voxels.
        limit: u32,
    },
    /// The voxel belongs to no region.
    NoRegion,
    /// The simplified contour of the region excludes the place.
    CutOff {
        /// Maximum deviation of contours.
        error: f32,
    },
    /// A polygon covers the place, but its surface is too far above or below.
    OffSurface {
        /// Vertical distance to the surface.
        distance: f32,
    },
    /// The polygon there has no flags, so no query passes it.
    AreaWithoutFlags {
        /// Area of the polygon.
        area: AreaId,
    },
    /// The stages show no cause.
    Unexplained,
}

/// Why the voxels are too coarse. Lengths are in meters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TooCoarse {
    /// The distance to the nearest wall is hardly larger than the radius.
    Width {
        /// Distance to the wall.
        distance: f32,
        /// Radius of the agent.
        radius: f32,
        /// Horizontal size of a voxel.
        cell_size: f32,
    },
    /// The climb rounds to zero voxels.
    Climb {
        /// Climb of the agent.
        climb: f32,
        /// Height of a voxel.
        cell_height: f32,
    },
    /// A ramp or stairs rise too much from voxel to voxel.
    Slope {
        /// Rise across a voxel and its neighbors.
        rise: f32,
        /// Climb of the agent, rounded to whole voxels.
        climb: f32,
    },
}

impl Reason {
    /// Returns the cause that this reason belongs to.
    pub const fn cause(&self) -> Cause {
        match self {
            Self::OutsideLevel => Cause::OutsideLevel,
            Self::NoGround => Cause::NoGround,
            Self::TooSteep { .. } => Cause::TooSteep,
            Self::FacesDown => Cause::FacesDown,
            Self::MarkedSurface | Self::LeftOut => Cause::MarkedSurface,
            Self::OutOfBounds => Cause::OutOfBounds,
            Self::Buried { .. } => Cause::Buried,
            Self::LowCeiling { .. } => Cause::LowCeiling,
            Self::Ledge { .. } => Cause::Ledge,
            Self::LevelEdge => Cause::LevelEdge,
            Self::Step { .. } | Self::Uneven { .. } => Cause::Step,
            Self::CellTooCoarse(_) => Cause::CellTooCoarse,
            Self::NearEdge { .. } | Self::SteepSpan => Cause::NearEdge,
            Self::Volume { .. } => Cause::Volume,
            Self::RegionTooSmall { .. } => Cause::RegionTooSmall,
            Self::NoRegion => Cause::NoRegion,
            Self::CutOff { .. } | Self::OffSurface { .. } => Cause::CutOff,
            Self::AreaWithoutFlags { .. } => Cause::AreaWithoutFlags,
            Self::OutsideTile | Self::Unexplained => Cause::Unexplained,
        }
    }

    /// Returns the measured value and its limit, if the reason has them.
    pub fn measure(&self) -> Option<Measure> {
        let meters = |measured: f32, limit: f32| {
            Some(Measure { measured: Some(measured), limit: Some(limit), unit: "m" })
        };
        match *self {
            Self::TooSteep { slope_deg, limit_deg } => {
                Some(Measure { measured: Some(slope_deg), limit: Some(limit_deg), unit: "deg" })
            }
            Self::Buried { depth } => {
                Some(Measure { measured: Some(depth), limit: None, unit: "m" })
            }
            Self::LowCeiling { room, needed } => meters(room, needed),
            Self::Ledge { drop, climb, .. } => {
                Some(Measure { measured: drop, limit: Some(climb), unit: "m" })
            }
            Self::Step { height, climb } => meters(height, climb),
            Self::Uneven { rise, climb }
            | Self::CellTooCoarse(TooCoarse::Slope { rise, climb }) => meters(rise, climb),
            Self::CellTooCoarse(TooCoarse::Width { distance, radius, .. }) => {
                meters(distance, radius)
            }
            Self::CellTooCoarse(TooCoarse::Climb { climb, cell_height }) => {
                meters(cell_height, climb)
            }
            Self::NearEdge { distance, radius, .. } => meters(distance, radius),
            Self::RegionTooSmall { cells, limit } => Some(Measure {
                measured: Some(ground::cells(u32::try_from(cells).unwrap_or(u32::MAX))),
                limit: Some(ground::cells(limit)),
                unit: "cells",
            }),
            Self::CutOff { error: off } | Self::OffSurface { distance: off } => {
                Some(Measure { measured: Some(off), limit: None, unit: "m" })
            }
            Self::OutsideLevel
            | Self::OutsideTile
            | Self::NoGround
            | Self::FacesDown
            | Self::MarkedSurface
            | Self::LeftOut
            | Self::OutOfBounds
            | Self::SteepSpan
            | Self::LevelEdge
            | Self::Volume { .. }
            | Self::NoRegion
            | Self::AreaWithoutFlags { .. }
            | Self::Unexplained => None,
        }
    }

    /// Returns the kind of an edge beside ground that was lost for this reason.
    pub(super) const fn edge(&self) -> EdgeKind {
        match *self {
            Self::Ledge { drop, .. } => EdgeKind::Drop(drop),
            Self::LowCeiling { room, .. } => EdgeKind::LowCeiling(room),
            Self::LevelEdge => EdgeKind::LevelEnd,
            Self::Uneven { rise, .. } => EdgeKind::Uneven(rise),
            Self::OutsideLevel
            | Self::OutsideTile
            | Self::NoGround
            | Self::TooSteep { .. }
            | Self::FacesDown
            | Self::MarkedSurface
            | Self::OutOfBounds
            | Self::LeftOut
            | Self::SteepSpan
            | Self::Buried { .. }
            | Self::Step { .. }
            | Self::CellTooCoarse(_)
            | Self::NearEdge { .. }
            | Self::Volume { .. }
            | Self::RegionTooSmall { .. }
            | Self::NoRegion
            | Self::CutOff { .. }
            | Self::OffSurface { .. }
            | Self::AreaWithoutFlags { .. }
            | Self::Unexplained => EdgeKind::Unwalkable,
        }
    }

    /// Returns settings that may fix this reason, the most likely remedy first.
    pub(super) fn remedies(&self, plan: &BakePlan) -> Vec<Remedy> {
        let settings = &plan.input().settings;
        let finer = |key| Remedy::finer(settings, key);
        match *self {
            Self::TooSteep { slope_deg, .. } => vec![Remedy::larger_slope(slope_deg)],
            Self::LowCeiling { room, .. } => {
                let mut some = vec![Remedy::smaller_height(settings)];
                some.extend((room >= settings.agent_height).then(|| finer("cell_height")));
                some
            }
            Self::Ledge { drop, .. } => vec![
                Remedy::off(settings, "filter_ledge_spans"),
                Remedy::larger_climb(settings, drop.unwrap_or(0.0)),
                finer("cell_size"),
                Remedy::smaller(settings, "edge_max_error", f32::MAX, 0.1),
            ],
            Self::Step { height, .. } => vec![
                Remedy::larger_climb(settings, 2.0 * height),
                Remedy::off(settings, "filter_ledge_spans"),
                Remedy::smaller_radius(settings),
                finer("cell_height"),
                Remedy::smaller(settings, "region_min_size", f32::MAX, 0.1),
                finer("cell_size"),
            ],
            Self::Uneven { rise, .. } | Self::CellTooCoarse(TooCoarse::Slope { rise, .. }) => vec![
                finer("cell_size"),
                Remedy::larger_climb(settings, 3.0 * rise),
                Remedy::off(settings, "filter_ledge_spans"),
                finer("cell_height"),
            ],
            Self::CellTooCoarse(TooCoarse::Climb { cell_height, .. }) => vec![
                finer("cell_height"),
                Remedy::larger_climb(settings, 3.0 * cell_height),
                finer("cell_size"),
            ],
            Self::CellTooCoarse(TooCoarse::Width { .. }) => {
                vec![finer("cell_size"), Remedy::smaller_radius(settings)]
            }
            Self::LevelEdge => vec![Remedy::off(settings, "filter_ledge_spans")],
            Self::NearEdge { .. } | Self::SteepSpan => {
                vec![Remedy::smaller_radius(settings), finer("cell_size")]
            }
            Self::RegionTooSmall { cells, .. } => {
                let cells = ground::cells(u32::try_from(cells).unwrap_or(u32::MAX));
                vec![Remedy::smaller(settings, "region_min_size", cells.sqrt(), 0.1)]
            }
            Self::NoRegion => vec![
                Remedy::others(settings, "partition", &["monotone", "layers"]),
                finer("cell_size"),
                Remedy::smaller(settings, "region_min_size", f32::MAX, 0.1),
                Remedy::smaller_radius(settings),
            ],
            Self::CutOff { .. } => {
                vec![Remedy::smaller(settings, "edge_max_error", f32::MAX, 0.1), finer("cell_size")]
            }
            Self::OffSurface { .. } => vec![
                Remedy::smaller(settings, "detail_sample_dist", f32::MAX, 0.5),
                Remedy::smaller(settings, "detail_sample_max_error", f32::MAX, 0.1),
            ],
            Self::OutsideLevel
            | Self::OutsideTile
            | Self::NoGround
            | Self::FacesDown
            | Self::MarkedSurface
            | Self::LeftOut
            | Self::OutOfBounds
            | Self::Buried { .. }
            | Self::Volume { .. }
            | Self::AreaWithoutFlags { .. }
            | Self::Unexplained => Vec::new(),
        }
    }

    /// Describes a change to the level that fixes this reason at the place `at`.
    pub(super) fn geometry_fix(&self, plan: &BakePlan, at: Vec3) -> Option<String> {
        let params = plan.params();
        let words = match *self {
            Self::TooSteep { slope_deg, limit_deg } => {
                format!("flatten this slope of {slope_deg:.1}° to less than {limit_deg:.1}°")
            }
            Self::FacesDown => match n_inverted(plan, at) {
                1 => "flip this triangle".to_owned(),
                n => format!("flip these {n} triangles"),
            },
            Self::LowCeiling { room, needed } => {
                // One voxel more, because floor and ceiling are rounded.
                let more = (needed - room).max(0.0) + params.cell_height;
                format!("raise the ceiling by {}", meters(more))
            }
            Self::Step { height, climb } => {
                let over = meters((height - climb).max(0.01));
                format!(
                    "this step is {over} too high: lower it, or build a ramp or a step in between"
                )
            }
            Self::Ledge { .. } | Self::LevelEdge => {
                format!("extend the ground here by at least {}", meters(2.0 * params.cell_size))
            }
            Self::NearEdge { distance, radius, .. } => wider(plan, at, distance, radius),
            Self::RegionTooSmall { cells, limit } => {
                let area = |cells: f32| cells * params.cell_size * params.cell_size;
                let lacking =
                    ground::cells(limit) - ground::cells(u32::try_from(cells).unwrap_or(u32::MAX));
                format!(
                    "connect this ground to other ground, or enlarge it by {:.2} m²",
                    area(lacking.max(1.0))
                )
            }
            Self::Volume { index } => {
                format!("remove volume {}, or give it an area other than 0", index + 1)
            }
            Self::AreaWithoutFlags { area } => format!("give area {area} a flag"),
            Self::MarkedSurface => "give the object or material an area other than 0".to_owned(),
            Self::LeftOut => {
                "remove the rule that leaves the object or material out of the bake".to_owned()
            }
            Self::OutOfBounds => "extend the boxes that limit the bake".to_owned(),
            Self::NoGround => "add ground here".to_owned(),
            Self::Buried { depth } => {
                format!("move the place {} up, or remove the solid around it", meters(depth))
            }
            Self::OutsideLevel => "add ground here: the place is outside the level".to_owned(),
            Self::SteepSpan
            | Self::Uneven { .. }
            | Self::CellTooCoarse(_)
            | Self::OutsideTile
            | Self::NoRegion
            | Self::CutOff { .. }
            | Self::OffSurface { .. }
            | Self::Unexplained => return None,
        };
        Some(words)
    }
}

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

    /// Returns the names of the measure and of its limit. The second is empty if the limit is not shown.
    pub(crate) const fn names(self) -> [&'static str; 2] {
        match self {
            Self::Step => ["step", "climb"],
            Self::TooSteep => ["slope", "limit"],
            Self::LowCeiling => ["head room", "height"],
            Self::Narrow | Self::CellTooCoarse | Self::NearEdge => ["passage", "needs"],
            Self::NodeLimit => ["nodes", "limit"],
            Self::RegionTooSmall => ["island", "least size"],
            Self::Gap => ["gap", ""],
            Self::Ledge => ["drop", ""],
            Self::OutsideLevel => ["beside the level", ""],
            Self::OutOfBounds => ["outside the bake boxes", ""],
            Self::NoGround => ["no ground", ""],
            Self::Buried => ["inside solid geometry", ""],
            Self::MarkedSurface => ["surface marked not walkable", ""],
            Self::FacesDown => ["ground faces down", ""],
            Self::LevelEdge => ["edge of the level", ""],
            Self::Volume => ["volume", ""],
            Self::NoRegion => ["no region", ""],
            Self::CutOff => ["cut off by the outline", ""],
            Self::AreaWithoutFlags => ["area without flags", ""],
            Self::RemovedTile => ["removed tile", ""],
            Self::IslandRemoved => ["removed island", ""],
            Self::Obstacle => ["obstacle", ""],
            Self::Filtered => ["closed by the filter", ""],
            Self::OneWay => ["one-way link", ""],
            Self::DeadLink => ["unconnected link", ""],
            Self::StartOffMesh => ["start off the navmesh", ""],
            Self::EndOffMesh => ["end off the navmesh", ""],
            Self::Seam => ["unlinked tile border", ""],
            Self::Unexplained => ["no way", ""],
        }
    }
}

/// The kind of an edge of walkable ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum EdgeKind {
    /// The end of the level.
    LevelEnd,
    /// Ground that is lower or higher by more than the climb, but low enough to call it a step. The value is its height
    /// relative to the edge, negative if lower, in meters.
    Riser(f32),
    /// A drop, in meters; `None` if there is no floor below.
    Drop(Option<f32>),
    /// Ground with too little head room; the value is its head room, in meters.
    LowCeiling(f32),
    /// Ground that rises too much from voxel to voxel; the value is that rise, in meters.
    Uneven(f32),
    /// Ground at the level of the edge that is not walkable by itself.
    Unwalkable,
    /// A wall or an obstacle.
    Wall,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutsideLevel => f.write_str("outside the level"),
            Self::OutsideTile => f.write_str("in the border of this tile"),
            Self::NoGround => f.write_str("no ground at this height"),
            Self::TooSteep { slope_deg, limit_deg } => {
                write!(f, "slope {slope_deg:.1}° > {limit_deg:.1}°")
            }
            Self::FacesDown => f.write_str("surface faces down (underside, or wrong winding)"),
            Self::MarkedSurface => f.write_str("its object or material is marked as not walkable"),
            Self::LeftOut => f.write_str("its object or material is left out of the bake"),
            Self::OutOfBounds => f.write_str("outside the boxes that limit the bake"),
            Self::SteepSpan => f.write_str("shares its voxel with a steep surface above it"),
            Self::Buried { depth } => {
                write!(f, "inside solid geometry, {} below its top", meters(*depth))
            }
            Self::LowCeiling { room, needed } => {
                write!(f, "head room {} < {}", meters(*room), meters(*needed))
            }
            Self::Ledge { drop: Some(drop), climb, towards } => {
                let (drop, climb) = (meters(*drop), meters(*climb));
                write!(f, "ledge: drop of {drop} > {climb} towards {}", compass(*towards))
            }
            Self::Ledge { drop: None, towards, .. } => {
                write!(f, "ledge: nothing below towards {}", compass(*towards))
            }
            Self::LevelEdge => f.write_str("ledge: the level ends here"),
            Self::Uneven { rise, climb } => {
                write!(f, "floor rises {} within a voxel > {}", meters(*rise), meters(*climb))
            }
            Self::NearEdge { distance, radius, .. } => {
                let is_less = distance < radius;
                let (distance, radius) = (meters(*distance), meters(*radius));
                if is_less {
                    write!(f, "eroded: {distance} to the edge < radius {radius}")
                } else {
                    write!(f, "eroded: {distance} to the edge, in whole voxels < radius {radius}")
                }
            }
            Self::Step { height, climb } => {
                let rounding = if height > climb { "" } else { ", in whole voxels" };
                write!(f, "step of {}{rounding} > {}", meters(*height), meters(*climb))
            }
            Self::CellTooCoarse(coarse) => coarse.fmt(f),
            Self::Volume { index } => {
                write!(f, "volume {} marks it as not walkable", index + 1)
            }
            Self::OffSurface { distance } => {
                write!(f, "the navmesh's surface is {} above or below", meters(*distance))
            }
            Self::RegionTooSmall { cells, limit } => {
                write!(f, "island too small: {cells} voxels < {limit}")
            }
            Self::NoRegion => f.write_str("no region reached this voxel"),
            Self::CutOff { error } => {
                write!(f, "cut off by the simplified contour (error up to {})", meters(*error))
            }
            Self::AreaWithoutFlags { area } => {
                write!(f, "the polygon there has area {area}, which has no flags: no query uses it")
            }
            Self::Unexplained => f.write_str("lost; the stages show no cause"),
        }
    }
}

impl fmt::Display for TooCoarse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Width { distance, radius, cell_size } => {
                let [distance, radius, cell] = [distance, radius, cell_size].map(meters);
                write!(
                    f,
                    "voxels too coarse: {distance} to the wall ≥ radius {radius}, but too close to tell in voxels of \
                     {cell}"
                )
            }
            Self::Climb { climb, cell_height } => {
                let [climb, cell] = [climb, cell_height].map(meters);
                write!(f, "voxels too coarse: the climb of {climb} is less than a voxel of {cell}")
            }
            Self::Slope { rise, climb } => {
                let [rise, climb] = [rise, climb].map(meters);
                write!(
                    f,
                    "voxels too coarse: the ground rises {rise} from voxel to voxel > {climb}"
                )
            }
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Walkable { area, region, .. } => {
                write!(f, "walkable · area {area} · region {}", region.0)
            }
            Self::Lost { reason, .. } => write!(f, "not walkable: {reason}"),
        }
    }
}

const fn compass(dir: Dir) -> &'static str {
    match dir {
        Dir::West => "−x",
        Dir::North => "+z",
        Dir::East => "+x",
        Dir::South => "−z",
    }
}

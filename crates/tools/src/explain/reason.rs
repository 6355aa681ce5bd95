use std::fmt;

use glam::Vec3;
use walkable_runtime::ids::{AreaId, Dir};

use crate::explain::{
    Verdict,
    cause::{Cause, Measure},
    ground,
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

/// Formats a length with about three significant digits and its unit.
pub(crate) fn meters(length: f32) -> String {
    let digits = match length.abs() {
        a if a >= 100.0 => 0,
        a if a >= 10.0 => 1,
        _ => 2,
    };
    let text = format!("{length:.digits$}");
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text} m")
}

const fn compass(dir: Dir) -> &'static str {
    match dir {
        Dir::West => "−x",
        Dir::North => "+z",
        Dir::East => "+x",
        Dir::South => "−z",
    }
}

//! The reasons why a place is not walkable. Everything about a reason is defined here: its text, cause and measure, and what
//! fixes it.

use std::fmt;

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable_bake::bake::BakePlan;
use walkable_runtime::{
    diagnostic::Phrase,
    geom::Aabb,
    ids::{AreaId, Dir},
    phrase,
};

use super::{
    Verdict, ground,
    level_fixes::{n_inverted, wider},
    measure::{Measure, MeasureUnit, degrees, meters, meters_apart, square_meters},
    rungs::Remedy,
};

/// Why a place is not walkable. Lengths are in meters; `Display` is one clause for users.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Reason {
    /// The place is outside the level, seen from above.
    OutsideLevel,
    /// The place is in the level, but beyond the grid that the settings fix.
    BeyondGrid,
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
        /// The same in whole voxels, which decide.
        room_in_voxels: f32,
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
        /// The same in whole voxels, which decide.
        distance_in_voxels: f32,
        /// Radius of the agent, rounded to whole voxels.
        radius: f32,
        /// Center of the edge's voxel.
        edge: Vec3,
    },
    /// A volume marks the place as not walkable.
    Volume {
        /// Index of the volume, from 0.
        index: usize,
        /// Width of its margin if the place is in it, in meters; 0 if the place is in the volume.
        margin: f32,
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
    /// Returns why a place outside the grid has no ground.
    pub(super) fn beside_grid(plan: &BakePlan, at: Vec3) -> Self {
        let slack = Vec3::splat(2.0 * plan.params().cell_height);
        let is_in_level = plan.input().mesh.bounds().overlaps(&Aabb::new(at - slack, at + slack));
        if plan.beyond_grid().is_some() && is_in_level {
            Self::BeyondGrid
        } else {
            Self::OutsideLevel
        }
    }

    /// Returns the cause that this reason belongs to.
    pub const fn cause(&self) -> Cause {
        match self {
            Self::OutsideLevel | Self::BeyondGrid => Cause::OutsideLevel,
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
            Some(Measure {
                measured: Some(measured),
                limit: Some(limit),
                unit: MeasureUnit::Meters,
            })
        };
        match *self {
            Self::TooSteep { slope_deg, limit_deg } => Some(Measure {
                measured: Some(slope_deg),
                limit: Some(limit_deg),
                unit: MeasureUnit::Degrees,
            }),
            Self::Buried { depth } => {
                Some(Measure { measured: Some(depth), limit: None, unit: MeasureUnit::Meters })
            }
            Self::LowCeiling { room, room_in_voxels, needed } => {
                meters(if room < needed { room } else { room_in_voxels }, needed)
            }
            Self::Ledge { drop, climb, .. } => {
                Some(Measure { measured: drop, limit: Some(climb), unit: MeasureUnit::Meters })
            }
            Self::Step { height, climb } => meters(height, climb),
            Self::Uneven { rise, climb }
            | Self::CellTooCoarse(TooCoarse::Slope { rise, climb }) => meters(rise, climb),
            // The agent certainly fits if one more voxel is free.
            Self::CellTooCoarse(TooCoarse::Width { distance, cell_size, .. }) => {
                meters(distance, 2.0 * cell_size).filter(|_| distance < 2.0 * cell_size)
            }
            Self::CellTooCoarse(TooCoarse::Climb { climb, cell_height }) => {
                meters(cell_height, climb)
            }
            Self::NearEdge { distance, distance_in_voxels, radius, .. } => {
                meters(if distance < radius { distance } else { distance_in_voxels }, radius)
            }
            Self::RegionTooSmall { cells, limit } => Some(Measure {
                measured: Some(ground::cells(u32::try_from(cells).unwrap_or(u32::MAX))),
                limit: Some(ground::cells(limit)),
                unit: MeasureUnit::Cells,
            }),
            Self::CutOff { error: off } | Self::OffSurface { distance: off } => {
                Some(Measure { measured: Some(off), limit: None, unit: MeasureUnit::Meters })
            }
            Self::OutsideLevel
            | Self::BeyondGrid
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
            Self::LowCeiling { room_in_voxels, .. } => EdgeKind::LowCeiling(room_in_voxels),
            Self::LevelEdge => EdgeKind::LevelEnd,
            Self::Uneven { rise, .. } => EdgeKind::Uneven(rise),
            Self::OutsideLevel
            | Self::BeyondGrid
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
        let radius = || Remedy::smaller_radius(settings);
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
                radius(),
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
            Self::CellTooCoarse(TooCoarse::Width { .. }) => vec![finer("cell_size"), radius()],
            Self::LevelEdge => vec![Remedy::off(settings, "filter_ledge_spans")],
            Self::NearEdge { .. } | Self::SteepSpan => vec![radius(), finer("cell_size")],
            Self::RegionTooSmall { cells, .. } => {
                let cells = ground::cells(u32::try_from(cells).unwrap_or(u32::MAX));
                vec![Remedy::smaller(settings, "region_min_size", cells.sqrt(), 0.1)]
            }
            Self::NoRegion => vec![
                Remedy::others(settings, "partition", &["monotone", "layers"]),
                finer("cell_size"),
                Remedy::smaller(settings, "region_min_size", f32::MAX, 0.1),
                radius(),
            ],
            Self::CutOff { .. } => {
                vec![Remedy::smaller(settings, "edge_max_error", f32::MAX, 0.1), finer("cell_size")]
            }
            Self::OffSurface { .. } => vec![
                Remedy::smaller(settings, "detail_sample_dist", f32::MAX, 0.5),
                Remedy::smaller(settings, "detail_sample_max_error", f32::MAX, 0.1),
            ],
            Self::BeyondGrid => [("world_height", "0"), ("origin", "auto")]
                .map(|(key, value)| Remedy::others(settings, key, &[value]))
                .into(),
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
    pub(crate) fn geometry_fix(&self, plan: &BakePlan, at: Vec3) -> Option<Phrase> {
        let params = plan.params();
        let words = match *self {
            Self::TooSteep { slope_deg, limit_deg } => {
                let [slope, limit] = [slope_deg, limit_deg].map(degrees);
                phrase!("flatten this slope of {slope} to less than {limit}", slope, limit)
            }
            Self::FacesDown => match n_inverted(plan, at) {
                1 => phrase!("flip this triangle"),
                n => phrase!("flip these {n} triangles", n),
            },
            Self::LowCeiling { room, needed, .. } => {
                // One voxel more, because floor and ceiling are rounded.
                let more = meters((needed - room).max(0.0) + params.cell_height);
                phrase!("raise the ceiling by {more}", more)
            }
            Self::Step { height, climb } => {
                let over = meters((height - climb).max(0.01));
                phrase!(
                    "this step is {over} too high: lower it, or build a ramp or a step in between",
                    over
                )
            }
            Self::Ledge { .. } | Self::LevelEdge => {
                let length = meters(2.0 * params.cell_size);
                phrase!("extend the ground here by at least {length}", length)
            }
            Self::NearEdge { distance, radius, .. } => wider(plan, at, distance, radius),
            Self::RegionTooSmall { cells, limit } => {
                let cells = ground::cells(u32::try_from(cells).unwrap_or(u32::MAX));
                let lacking = (ground::cells(limit) - cells).max(1.0);
                let area = square_meters(lacking * params.cell_size * params.cell_size);
                phrase!("connect this ground to other ground, or enlarge it by {area}", area)
            }
            Self::Volume { index, margin } if margin > 0.0 => {
                phrase!("remove the margin of volume {number}, or the volume", number = index + 1)
            }
            Self::Volume { index, .. } => phrase!(
                "remove volume {number}, or give it an area other than 0",
                number = index + 1
            ),
            Self::AreaWithoutFlags { area } => phrase!("give area {area} a flag", area = area.0),
            Self::MarkedSurface => phrase!("give the object or material an area other than 0"),
            Self::LeftOut => {
                phrase!("remove the rule that leaves the object or material out of the bake")
            }
            Self::OutOfBounds => phrase!("extend the boxes that limit the bake"),
            Self::NoGround => phrase!("add ground here"),
            Self::Buried { depth } => phrase!(
                "move the place {depth} up, or remove the solid around it",
                depth = meters(depth)
            ),
            Self::OutsideLevel => phrase!("add ground here: the place is outside the level"),
            Self::BeyondGrid
            | Self::SteepSpan
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

    /// Returns the name of the obstacle, which is also that of its measure.
    pub(crate) fn name(self) -> Phrase {
        match self {
            Self::Step => phrase!("step"),
            Self::TooSteep => phrase!("slope"),
            Self::LowCeiling => phrase!("head room"),
            Self::Narrow | Self::CellTooCoarse | Self::NearEdge => phrase!("passage"),
            Self::NodeLimit => phrase!("nodes"),
            Self::RegionTooSmall => phrase!("island"),
            Self::Gap => phrase!("gap"),
            Self::Ledge => phrase!("drop"),
            Self::OutsideLevel => phrase!("beside the level"),
            Self::OutOfBounds => phrase!("outside the bake boxes"),
            Self::NoGround => phrase!("no ground"),
            Self::Buried => phrase!("inside solid geometry"),
            Self::MarkedSurface => phrase!("surface marked not walkable"),
            Self::FacesDown => phrase!("ground faces down"),
            Self::LevelEdge => phrase!("edge of the level"),
            Self::Volume => phrase!("volume"),
            Self::NoRegion => phrase!("no region"),
            Self::CutOff => phrase!("cut off by the outline"),
            Self::AreaWithoutFlags => phrase!("area without flags"),
            Self::RemovedTile => phrase!("removed tile"),
            Self::IslandRemoved => phrase!("removed island"),
            Self::Obstacle => phrase!("obstacle"),
            Self::Filtered => phrase!("closed by the filter"),
            Self::OneWay => phrase!("one-way off-mesh link"),
            Self::DeadLink => phrase!("unconnected off-mesh link"),
            Self::StartOffMesh => phrase!("start off the navmesh"),
            Self::EndOffMesh => phrase!("end off the navmesh"),
            Self::Seam => phrase!("unlinked tile border"),
            Self::Unexplained => phrase!("no way"),
        }
    }

    /// Returns the name of the limit; `None` if it is not shown.
    pub(crate) fn limit_name(self) -> Option<Phrase> {
        match self {
            Self::Step => Some(phrase!("climb")),
            Self::TooSteep | Self::NodeLimit => Some(phrase!("limit")),
            Self::LowCeiling => Some(phrase!("height")),
            Self::Narrow | Self::CellTooCoarse | Self::NearEdge => Some(phrase!("needs")),
            Self::RegionTooSmall => Some(phrase!("least size")),
            Self::Gap
            | Self::Ledge
            | Self::OutsideLevel
            | Self::OutOfBounds
            | Self::NoGround
            | Self::Buried
            | Self::MarkedSurface
            | Self::FacesDown
            | Self::LevelEdge
            | Self::Volume
            | Self::NoRegion
            | Self::CutOff
            | Self::AreaWithoutFlags
            | Self::RemovedTile
            | Self::IslandRemoved
            | Self::Obstacle
            | Self::Filtered
            | Self::OneWay
            | Self::DeadLink
            | Self::StartOffMesh
            | Self::EndOffMesh
            | Self::Seam
            | Self::Unexplained => None,
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

impl Reason {
    /// Returns one clause for users.
    pub fn phrase(&self) -> Phrase {
        match *self {
            Self::OutsideLevel => phrase!("outside the level"),
            Self::BeyondGrid => phrase!("beyond the grid that world_height and origin fix"),
            Self::OutsideTile => phrase!("in the border of this tile"),
            Self::NoGround => phrase!("no ground at this height"),
            Self::TooSteep { slope_deg, limit_deg } => {
                let [slope, limit] = [slope_deg, limit_deg].map(degrees);
                phrase!("slope {slope} > {limit}", slope, limit)
            }
            Self::FacesDown => phrase!("surface faces down (underside, or wrong winding)"),
            Self::MarkedSurface => phrase!("its object or material is marked as not walkable"),
            Self::LeftOut => phrase!("its object or material is left out of the bake"),
            Self::OutOfBounds => phrase!("outside the boxes that limit the bake"),
            Self::SteepSpan => phrase!("shares its voxel with a steep surface above it"),
            Self::Buried { depth } => {
                phrase!("inside solid geometry, {depth} below its top", depth = meters(depth))
            }
            Self::LowCeiling { room, room_in_voxels, needed } => {
                low_ceiling(room, room_in_voxels, needed)
            }
            Self::Ledge { drop, climb, towards } => ledge(drop, climb, towards),
            Self::LevelEdge => phrase!("ledge: the level ends here"),
            Self::Uneven { rise, climb } => {
                let [rise, climb] = meters_apart([rise, climb]);
                phrase!("floor rises {rise} within a voxel > {climb}", rise, climb)
            }
            Self::NearEdge { distance, distance_in_voxels, radius, .. } => {
                near_edge(distance, distance_in_voxels, radius)
            }
            Self::Step { height, climb } => step(height, climb),
            Self::CellTooCoarse(coarse) => coarse.phrase(),
            Self::Volume { index, margin } if margin > 0.0 => phrase!(
                "within {margin} of volume {number}, which keeps the agent's radius away from it",
                margin = meters(margin),
                number = index + 1
            ),
            Self::Volume { index, .. } => {
                phrase!("volume {number} marks it as not walkable", number = index + 1)
            }
            Self::OffSurface { distance } => {
                let distance = meters(distance);
                phrase!("the navmesh's surface is {distance} above or below", distance)
            }
            Self::RegionTooSmall { cells, limit } => {
                phrase!("island too small: {cells} voxels < {limit}", cells, limit)
            }
            Self::NoRegion => phrase!("no region reached this voxel"),
            Self::CutOff { error } => {
                let error = meters(error);
                phrase!("cut off by the simplified contour (error up to {error})", error)
            }
            Self::AreaWithoutFlags { area } => phrase!(
                "the polygon there has area {area}, which has no flags: no query uses it",
                area = area.0
            ),
            Self::Unexplained => phrase!("lost; the stages show no cause"),
        }
    }
}

fn ledge(drop: Option<f32>, climb: f32, towards: Dir) -> Phrase {
    let towards = compass(towards);
    let Some(drop) = drop.map(meters) else {
        return phrase!("ledge: nothing below towards {towards}", towards);
    };
    let climb = meters(climb);
    phrase!("ledge: drop of {drop} > {climb} towards {towards}", drop, climb, towards)
}

fn low_ceiling(room: f32, in_voxels: f32, needed: f32) -> Phrase {
    let is_less = room < needed;
    let [room, in_voxels, needed] = meters_apart([room, in_voxels, needed]);
    if is_less {
        return phrase!("head room {room} < {needed}", room, needed);
    }
    phrase!(
        "head room in whole voxels {in_voxels} < {needed} (in the level {room})",
        in_voxels,
        needed,
        room
    )
}

fn near_edge(distance: f32, in_voxels: f32, radius: f32) -> Phrase {
    let is_less = distance < radius;
    let [distance, in_voxels, radius] = meters_apart([distance, in_voxels, radius]);
    if is_less {
        return phrase!("eroded: {distance} to the edge < radius {radius}", distance, radius);
    }
    phrase!(
        "eroded: in whole voxels {in_voxels} to the edge < radius {radius} (in the level {distance})",
        in_voxels,
        radius,
        distance
    )
}

fn step(height: f32, climb: f32) -> Phrase {
    let is_more = height > climb;
    let [height, climb] = meters_apart([height, climb]);
    if is_more {
        phrase!("step of {height} > {climb}", height, climb)
    } else {
        phrase!("step of {height}, in whole voxels > {climb}", height, climb)
    }
}

impl TooCoarse {
    fn phrase(self) -> Phrase {
        match self {
            Self::Width { distance, radius, cell_size } => {
                let [distance, radius, cell] = meters_apart([distance, radius, cell_size]);
                phrase!(
                    "voxels too coarse: {distance} to the wall ≥ radius {radius}, but too close to tell in voxels of {cell}",
                    distance,
                    radius,
                    cell
                )
            }
            Self::Climb { climb, cell_height } => {
                let [climb, cell] = meters_apart([climb, cell_height]);
                phrase!(
                    "voxels too coarse: the climb of {climb} is less than a voxel of {cell}",
                    climb,
                    cell
                )
            }
            Self::Slope { rise, climb } => {
                let [rise, climb] = meters_apart([rise, climb]);
                phrase!(
                    "voxels too coarse: the ground rises {rise} from voxel to voxel > {climb}",
                    rise,
                    climb
                )
            }
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phrase().fmt(f)
    }
}

impl Verdict {
    /// Returns one line for users.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Walkable { area, region, .. } => phrase!(
                "walkable · area {area} · region {region}",
                area = area.0,
                region = region.0
            ),
            Self::Lost { reason, .. } => {
                phrase!("not walkable: {reason}", reason = reason.phrase())
            }
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phrase().fmt(f)
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

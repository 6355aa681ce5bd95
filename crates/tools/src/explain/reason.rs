//! The reasons why a place is not walkable. Everything about a reason is defined here: its text, cause and measure, and what
//! fixes it.

use std::fmt;

use glam::Vec3;
use walkable_bake::bake::{BakeInput, BakePlan, BakeSettings, RawArea, SurfaceUse};
use walkable_runtime::{
    diagnostic::Phrase,
    geom::Aabb,
    ids::{AreaId, Dir},
    phrase,
    stage::Stage,
};

use super::{
    Verdict,
    cause::Cause,
    ground,
    level_fixes::{n_inverted, wider},
    measure::{Measure, MeasureUnit, degrees, meters, meters_apart, square_meters},
    obstacle::Obstacle,
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
        /// Rise across a voxel.
        rise: f32,
    },
    /// A ramp or stairs rise too much from voxel to voxel.
    Slope {
        /// Rise across a voxel and its neighbors.
        rise: f32,
        /// Whether it is a ramp.
        is_ramp: bool,
        /// Climb of the agent, rounded to whole voxels.
        climb: f32,
    },
}

/// The kind of an edge of walkable ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum EdgeKind {
    /// The end of the level.
    LevelEnd,
    /// Ground that is lower or higher by more than the climb, but by little enough to be a step. The value is its
    /// height relative to the edge in meters, negative if it is lower.
    Riser(f32),
    /// A drop, in meters; `None` if there is no floor below.
    Drop(Option<f32>),
    /// Ground with too little head room; the value is its head room, in meters.
    LowCeiling(f32),
    /// Ground that rises too much from voxel to voxel; the value is that rise, in meters.
    Uneven(f32),
    /// Ground at the height of the edge that is itself not walkable.
    Unwalkable,
    /// A wall or an obstacle.
    Wall,
}

type RemediesFor = dyn Fn(&BakeSettings) -> Vec<Remedy>;
type GeometryFix = dyn Fn(&BakePlan, Vec3) -> Phrase;
type Removal = dyn Fn(&mut BakeInput);

/// The text of a reason, and what fixes it. Fixes are computed on demand, because some of them search the level.
struct Facts {
    cause: Cause,
    text: Phrase,
    /// The measured value and its limit.
    measure: Option<Measure>,
    /// The kind of edge of ground that is lost for this reason.
    edge: EdgeKind,
    /// Settings that may fix it, the most likely remedy first.
    remedies: Option<Box<RemediesFor>>,
    /// Describes a change to the level that fixes it at a place.
    geometry_fix: Option<Box<GeometryFix>>,
    /// Removes the cause from the input of the bake.
    removal: Option<Box<Removal>>,
}

impl Facts {
    fn new(cause: Cause, text: Phrase) -> Self {
        Self {
            cause,
            text,
            measure: None,
            edge: EdgeKind::Unwalkable,
            remedies: None,
            geometry_fix: None,
            removal: None,
        }
    }

    fn measure(
        self,
        measured: impl Into<Option<f32>>,
        limit: impl Into<Option<f32>>,
        unit: MeasureUnit,
    ) -> Self {
        let (measured, limit) = (measured.into(), limit.into());
        Self { measure: Some(Measure { measured, limit, unit }), ..self }
    }

    fn meters(self, measured: impl Into<Option<f32>>, limit: impl Into<Option<f32>>) -> Self {
        self.measure(measured, limit, MeasureUnit::Meters)
    }

    fn edge(self, edge: EdgeKind) -> Self {
        Self { edge, ..self }
    }

    fn remedies(self, remedies: impl Fn(&BakeSettings) -> Vec<Remedy> + 'static) -> Self {
        Self { remedies: Some(Box::new(remedies)), ..self }
    }

    fn geometry_fix(self, fix: impl Fn(&BakePlan, Vec3) -> Phrase + 'static) -> Self {
        Self { geometry_fix: Some(Box::new(fix)), ..self }
    }

    fn removal(self, remove: impl Fn(&mut BakeInput) + 'static) -> Self {
        Self { removal: Some(Box::new(remove)), ..self }
    }

    /// Adds the measure, the remedies and the removal for ground that rises too much from voxel to voxel.
    fn rises(self, rise: f32, climb: f32) -> Self {
        self.meters(rise, climb)
            .remedies(move |settings| {
                vec![
                    Remedy::finer(settings, "cell_size"),
                    Remedy::larger_climb(settings, 3.0 * rise),
                    Remedy::off(settings, "filter_ledge_spans"),
                    Remedy::finer(settings, "cell_height"),
                ]
            })
            .removal(climbs(rise))
    }
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
    pub fn cause(&self) -> Cause {
        self.facts().cause
    }

    /// Returns the reason as one clause for users.
    pub fn phrase(&self) -> Phrase {
        self.facts().text
    }

    /// Returns the measured value and its limit, if the reason has them.
    pub fn measure(&self) -> Option<Measure> {
        self.facts().measure
    }

    /// Returns the kind of an edge beside ground that was lost for this reason.
    pub(super) fn edge(&self) -> EdgeKind {
        self.facts().edge
    }

    /// Returns the obstacle for this reason, with settings that may fix it, the most likely remedy first.
    pub(crate) fn obstacle(&self, plan: &BakePlan, stage: Stage) -> Obstacle {
        let Facts { cause, text, measure, remedies, .. } = self.facts();
        let remedies = remedies.map(|remedies| remedies(&plan.input().settings));
        Obstacle {
            cause,
            stage: Some(stage),
            measure,
            text,
            remedies: remedies.unwrap_or_default(),
        }
    }

    /// Describes a change to the level that fixes this reason at the place `at`.
    pub(crate) fn geometry_fix(&self, plan: &BakePlan, at: Vec3) -> Option<Phrase> {
        Some(self.facts().geometry_fix?(plan, at))
    }

    /// Returns the input of a bake without the cause: without the volume, box or rule, or with settings for an agent
    /// that can pass. `None` if no such change removes the cause, as where the level has no ground.
    pub(super) fn removed_from(&self, input: &BakeInput) -> Option<BakeInput> {
        let remove = self.facts().removal?;
        let mut input = input.clone();
        remove(&mut input);
        Some(input)
    }

    #[expect(clippy::too_many_lines, reason = "a table with an arm per reason")]
    fn facts(&self) -> Facts {
        match *self {
            Self::OutsideLevel => Facts::new(Cause::OutsideLevel, phrase!("outside the level"))
                .geometry_fix(|_, _| phrase!("add ground here: the place is outside the level")),
            Self::BeyondGrid => Facts::new(
                Cause::OutsideLevel,
                phrase!("beyond the grid that world_height and origin fix"),
            )
            .remedies(|settings| {
                [("world_height", "0"), ("origin", "auto")]
                    .map(|(key, value)| Remedy::others(settings, key, &[value]))
                    .into()
            })
            .removal(|BakeInput { settings, .. }| {
                (settings.world_height, settings.origin) = (0.0, None);
            }),
            Self::OutsideTile => {
                Facts::new(Cause::Unexplained, phrase!("in the border of this tile"))
            }
            Self::NoGround => Facts::new(Cause::NoGround, phrase!("no ground at this height"))
                .geometry_fix(|_, _| phrase!("add ground here")),
            Self::TooSteep { slope_deg, limit_deg } => {
                let [slope, limit] = [slope_deg, limit_deg].map(degrees);
                Facts::new(Cause::TooSteep, phrase!("slope {slope} > {limit}", slope, limit))
                    .measure(slope_deg, limit_deg, MeasureUnit::Degrees)
                    .remedies(move |_| vec![Remedy::larger_slope(slope_deg)])
                    .geometry_fix(move |_, _| {
                        let [slope, limit] = [slope_deg, limit_deg].map(degrees);
                        phrase!("flatten this slope of {slope} to less than {limit}", slope, limit)
                    })
                    .removal(move |input| input.settings.agent_max_slope = slope_deg + 0.1)
            }
            Self::FacesDown => Facts::new(
                Cause::FacesDown,
                phrase!("surface faces down (underside, or wrong winding)"),
            )
            .geometry_fix(|plan, at| match n_inverted(plan, at) {
                1 => phrase!("flip this triangle"),
                n => phrase!("flip these {n} triangles", n),
            }),
            Self::MarkedSurface => Facts::new(
                Cause::MarkedSurface,
                phrase!("its object or material is marked as not walkable"),
            )
            .geometry_fix(|_, _| phrase!("give the object or material an area other than 0"))
            .removal(|input| {
                input.surfaces.retain(|rule| rule.becomes != SurfaceUse::Area(RawArea::NULL));
            }),
            Self::LeftOut => Facts::new(
                Cause::MarkedSurface,
                phrase!("its object or material is left out of the bake"),
            )
            .geometry_fix(|_, _| {
                phrase!("remove the rule that leaves the object or material out of the bake")
            })
            .removal(|input| input.surfaces.retain(|rule| rule.becomes != SurfaceUse::LeftOut)),
            Self::OutOfBounds => {
                Facts::new(Cause::OutOfBounds, phrase!("outside the boxes that limit the bake"))
                    .geometry_fix(|_, _| phrase!("extend the boxes that limit the bake"))
                    .removal(|input| input.bounds.clear())
            }
            Self::SteepSpan => Facts::new(
                Cause::NearEdge,
                phrase!("shares its voxel with a steep surface above it"),
            )
            .remedies(thinner_or_finer),
            Self::Buried { depth } => {
                let text =
                    phrase!("inside solid geometry, {depth} below its top", depth = meters(depth));
                Facts::new(Cause::Buried, text).meters(depth, None).geometry_fix(move |_, _| {
                    phrase!(
                        "move the place {depth} up, or remove the solid around it",
                        depth = meters(depth)
                    )
                })
            }
            Self::LowCeiling { room, room_in_voxels, needed } => {
                let measured = if room < needed { room } else { room_in_voxels };
                Facts::new(Cause::LowCeiling, low_ceiling(room, room_in_voxels, needed))
                    .meters(measured, needed)
                    .edge(EdgeKind::LowCeiling(room_in_voxels))
                    .remedies(move |settings| {
                        let mut some = vec![Remedy::smaller_height(settings)];
                        let is_high = room >= settings.agent_height;
                        some.extend(is_high.then(|| Remedy::finer(settings, "cell_height")));
                        some
                    })
                    .geometry_fix(move |plan, _| {
                        // One voxel more, because floor and ceiling are rounded.
                        let more = (needed - room).max(0.0) + plan.params().cell_height;
                        phrase!("raise the ceiling by {more}", more = meters(more))
                    })
                    .removal(move |input| input.settings.agent_height = room_in_voxels)
            }
            Self::Ledge { drop, climb, towards } => {
                let facts = Facts::new(Cause::Ledge, ledge(drop, climb, towards))
                    .meters(drop, climb)
                    .edge(EdgeKind::Drop(drop))
                    .remedies(move |settings| {
                        vec![
                            Remedy::off(settings, "filter_ledge_spans"),
                            Remedy::larger_climb(settings, drop.unwrap_or(0.0)),
                            Remedy::finer(settings, "cell_size"),
                            Remedy::smaller(settings, "edge_max_error", f32::MAX, 0.1),
                        ]
                    })
                    .geometry_fix(extend_ground);
                match drop {
                    Some(drop) => facts.removal(climbs(drop)),
                    None => facts.removal(keep_ledges),
                }
            }
            Self::Step { height, climb } => Facts::new(Cause::Step, step(height, climb))
                .meters(height, climb)
                .remedies(move |settings| {
                    vec![
                        Remedy::larger_climb(settings, 2.0 * height),
                        Remedy::off(settings, "filter_ledge_spans"),
                        Remedy::smaller_radius(settings),
                        Remedy::finer(settings, "cell_height"),
                        Remedy::smaller(settings, "region_min_size", f32::MAX, 0.1),
                        Remedy::finer(settings, "cell_size"),
                    ]
                })
                .geometry_fix(move |_, _| {
                    // Steps that are lower than the climb are so in any voxels.
                    let over = meters((height - climb).max(0.0) + 0.01);
                    phrase!(
                        "make this step {over} lower, or put a step or a ramp in front of it",
                        over
                    )
                })
                .removal(climbs(height)),
            Self::LevelEdge => Facts::new(Cause::LevelEdge, phrase!("ledge: the level ends here"))
                .edge(EdgeKind::LevelEnd)
                .remedies(|settings| vec![Remedy::off(settings, "filter_ledge_spans")])
                .geometry_fix(extend_ground)
                .removal(keep_ledges),
            Self::Uneven { rise, climb } => {
                let [risen, limit] = meters_apart([rise, climb]);
                let text = phrase!(
                    "floor rises {rise} within a voxel > {climb}",
                    rise = risen,
                    climb = limit
                );
                Facts::new(Cause::Step, text).edge(EdgeKind::Uneven(rise)).rises(rise, climb)
            }
            Self::CellTooCoarse(coarse) => coarse.facts(),
            Self::NearEdge { distance, distance_in_voxels, radius, .. } => {
                let measured = if distance < radius { distance } else { distance_in_voxels };
                let text = near_edge(distance, distance_in_voxels, radius);
                Facts::new(Cause::NearEdge, text)
                    .meters(measured, radius)
                    .remedies(thinner_or_finer)
                    .geometry_fix(move |plan, at| wider(plan, at, distance, radius))
                    .removal(fits(distance))
            }
            Self::Volume { index, margin } => {
                let number = index + 1;
                let facts = if margin > 0.0 {
                    let text = phrase!(
                        "within {margin} of volume {number}, which keeps the agent's radius away from it",
                        margin = meters(margin),
                        number
                    );
                    Facts::new(Cause::Volume, text).geometry_fix(move |_, _| {
                        phrase!("remove the margin of volume {number}, or the volume", number)
                    })
                } else {
                    let text = phrase!("volume {number} marks it as not walkable", number);
                    Facts::new(Cause::Volume, text).geometry_fix(move |_, _| {
                        phrase!("remove volume {number}, or give it an area other than 0", number)
                    })
                };
                facts.removal(move |input| {
                    input.volumes.remove(index);
                })
            }
            Self::RegionTooSmall { cells, limit } => {
                let text = phrase!("island too small: {cells} voxels < {limit}", cells, limit);
                let cells = ground::cells(u32::try_from(cells).unwrap_or(u32::MAX));
                let limit = ground::cells(limit);
                Facts::new(Cause::RegionTooSmall, text)
                    .measure(cells, limit, MeasureUnit::Cells)
                    .remedies(move |settings| {
                        vec![Remedy::smaller(settings, "region_min_size", cells.sqrt(), 0.1)]
                    })
                    .geometry_fix(move |plan, _| {
                        let cell_size = plan.params().cell_size;
                        let lacking = (limit - cells).max(1.0);
                        let area = square_meters(lacking * cell_size * cell_size);
                        phrase!(
                            "connect this ground to other ground, or enlarge it by {area}",
                            area
                        )
                    })
                    .removal(|input| input.settings.region_min_size = 0.0)
            }
            Self::NoRegion => Facts::new(Cause::NoRegion, phrase!("no region reached this voxel"))
                .remedies(|settings| {
                    vec![
                        Remedy::others(settings, "partition", &["monotone", "layers"]),
                        Remedy::finer(settings, "cell_size"),
                        Remedy::smaller(settings, "region_min_size", f32::MAX, 0.1),
                        Remedy::smaller_radius(settings),
                    ]
                }),
            Self::CutOff { error } => {
                let text = phrase!(
                    "cut off by the simplified contour (error up to {error})",
                    error = meters(error)
                );
                Facts::new(Cause::CutOff, text).meters(error, None).remedies(|settings| {
                    vec![
                        Remedy::smaller(settings, "edge_max_error", f32::MAX, 0.1),
                        Remedy::finer(settings, "cell_size"),
                    ]
                })
            }
            Self::OffSurface { distance } => {
                let text = phrase!(
                    "the navmesh's surface is {distance} above or below",
                    distance = meters(distance)
                );
                Facts::new(Cause::CutOff, text).meters(distance, None).remedies(|settings| {
                    vec![
                        Remedy::smaller(settings, "detail_sample_dist", f32::MAX, 0.5),
                        Remedy::smaller(settings, "detail_sample_max_error", f32::MAX, 0.1),
                    ]
                })
            }
            Self::AreaWithoutFlags { area: AreaId(area) } => Facts::new(
                Cause::AreaWithoutFlags,
                phrase!(
                    "the polygon there has area {area}, which has no flags: no query uses it",
                    area
                ),
            )
            .geometry_fix(move |_, _| phrase!("give area {area} a flag", area)),
            Self::Unexplained => {
                Facts::new(Cause::Unexplained, phrase!("lost; the stages show no cause"))
            }
        }
    }
}

/// Minimum slope of a ramp; a rise in flatter ground is a step.
const RAMP_DEG: f32 = 5.0;

impl TooCoarse {
    pub(super) fn is_ramp(slope_deg: f32) -> bool {
        (RAMP_DEG..90.0).contains(&slope_deg)
    }

    /// Returns why the agent can climb a rise between neighboring voxels in the level, but not `in_voxels`: the ground there
    /// is a ramp, or the climb is less than a voxel. Returns `None` for a step.
    pub(crate) fn of_rise(
        plan: &BakePlan,
        (rise, in_voxels): (f32, f32),
        slope_deg: f32,
    ) -> Option<Self> {
        let (params, settings) = (plan.params(), &plan.input().settings);
        let climb = settings.agent_max_climb;
        let along = slope_deg.to_radians().tan() * params.cell_size;
        let is_ramp = Self::is_ramp(slope_deg)
            && rise <= 1.5 * along + params.cell_height
            && rise >= 0.3 * along;
        if params.walkable_climb_vx == 0 && climb > 0.0 && (rise <= climb || is_ramp) {
            let (cell_height, rise) = (params.cell_height, rise.max(along));
            return Some(Self::Climb { climb, cell_height, rise });
        }
        let climb = params.climb();
        let rise = [along, rise].into_iter().find(|rise| *rise > climb).unwrap_or(in_voxels);
        is_ramp.then_some(Self::Slope { rise, is_ramp, climb })
    }

    fn facts(self) -> Facts {
        match self {
            Self::Width { distance, radius, cell_size } => {
                let [free, needed, cell] = meters_apart([distance, radius, cell_size]);
                let text = phrase!(
                    "voxels too coarse: {distance} to the wall ≥ radius {radius}, but too close to tell in voxels of {cell}",
                    distance = free,
                    radius = needed,
                    cell
                );
                let facts = Facts::new(Cause::CellTooCoarse, text)
                    .remedies(|settings| {
                        vec![Remedy::finer(settings, "cell_size"), Remedy::smaller_radius(settings)]
                    })
                    .removal(fits(distance));
                // The agent certainly fits if one more voxel is free.
                let certain = 2.0 * cell_size;
                if distance < certain { facts.meters(distance, certain) } else { facts }
            }
            Self::Climb { climb, cell_height, rise } => {
                let [least, cell] = meters_apart([climb, cell_height]);
                let text = phrase!(
                    "voxels too coarse: the climb of {climb} is less than a voxel of {cell}",
                    climb = least,
                    cell
                );
                Facts::new(Cause::CellTooCoarse, text)
                    .meters(cell_height, climb)
                    .remedies(move |settings| {
                        vec![
                            Remedy::finer(settings, "cell_height"),
                            Remedy::larger_climb(settings, 3.0 * rise.max(cell_height)),
                            Remedy::finer(settings, "cell_size"),
                        ]
                    })
                    .removal(move |input| input.settings.agent_max_climb = cell_height)
            }
            Self::Slope { rise, is_ramp, climb } => {
                let [risen, limit] = meters_apart([rise, climb]);
                let text = phrase!(
                    "voxels too coarse: the ground rises {rise} from voxel to voxel > {climb}",
                    rise = risen,
                    climb = limit
                );
                let facts = Facts::new(Cause::CellTooCoarse, text).rises(rise, climb);
                if !is_ramp {
                    return facts;
                }
                facts.geometry_fix(move |plan, _| {
                    let most = (climb / (2.0 * plan.params().cell_size)).atan().to_degrees();
                    phrase!("flatten this ramp to at most {slope}", slope = degrees(most))
                })
            }
        }
    }
}

fn thinner_or_finer(settings: &BakeSettings) -> Vec<Remedy> {
    vec![Remedy::smaller_radius(settings), Remedy::finer(settings, "cell_size")]
}

fn extend_ground(plan: &BakePlan, _at: Vec3) -> Phrase {
    let length = meters(2.0 * plan.params().cell_size);
    phrase!("extend the ground here by at least {length}", length)
}

fn keep_ledges(input: &mut BakeInput) {
    input.settings.filter_ledge_spans = false;
}

/// Returns a change of the input that lets the agent climb `rise`.
fn climbs(rise: f32) -> impl Fn(&mut BakeInput) {
    move |BakeInput { settings, .. }| {
        settings.agent_max_climb = settings.agent_max_climb.max(rise) + settings.cell_height;
    }
}

/// Returns a change of the input that lets the agent stand at `distance` from an edge.
fn fits(distance: f32) -> impl Fn(&mut BakeInput) {
    move |BakeInput { settings, .. }| {
        settings.agent_radius = 0.0;
        settings.cell_size = settings.cell_size.min((0.4 * distance).max(0.02));
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

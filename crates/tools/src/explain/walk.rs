//! Walks through the stages of one column.

use std::collections::BTreeSet;

use glam::{Vec3, Vec3Swizzles as _};
use walkable_bake::bake::{BakePlan, Intermediates, RawArea, Stage};
use walkable_runtime::{
    diagnostic::Phrase,
    geom::Aabb,
    ids::{AreaId, Dir, RegionId},
    phrase,
};

use super::{
    ColumnSpan, StageStep, Verdict,
    around::{Around, OnGround},
    edges::{self, GroundEdge, edges_around, highest_riser},
    filters,
    ground::{self, cells},
    measure::meters,
    reason::{EdgeKind, Reason, TooCoarse},
    surface::{self, Surface},
};

/// Maximum distance at which the edge nearest to a walkable place is reported, in half cells.
const NOTED_HALF_CELLS: u32 = 32;
/// Maximum number of edges whose position is measured in the level; a large agent has hundreds of edges around it.
const MEASURED_EDGES: usize = 12;
/// Maximum number of open spans to visit when looking for a connection.
const MAX_CONNECTED: usize = 20_000;
/// Contours with at most this deviation, in voxels, are too fine to exclude a place by simplification.
const FINE_OUTLINE: f32 = 2.0;
/// Distance in half cells below which an edge is in the next voxel.
const NEXT_HALF_CELLS: u32 = 4;
/// A riser is a curb rather than a table up to this multiple of the climb, and up to this height in meters.
const KERB: [f32; 2] = [2.0, 0.6];
/// Minimum depth below the surface of a solid to count as inside, in meters.
const SHALLOW: f32 = 0.1;
/// Geometry at least this far above the ground is an obstacle on it, in meters.
const ABOVE_GROUND: f32 = 0.05;

/// State of the walk through one column.
pub(super) struct Walk<'a> {
    pub(super) plan: &'a BakePlan,
    pub(super) stages: &'a Intermediates,
    pub(super) at: Vec3,
    pub(super) cell: [u32; 2],
    pub(super) column: &'a [ColumnSpan],
    pub(super) around: Around<'a>,
    /// The surface that the place refers to.
    pub(super) ground: Option<Surface>,
    pub(super) steps: Vec<StageStep>,
}

/// The place in the results of the stages passed so far.
#[derive(Default)]
struct Trail {
    /// Maximum vertical distance to the polygon.
    reach: f32,
    /// Index of the solid span in its column.
    focus: Option<usize>,
    /// Index of the open span.
    open: Option<usize>,
    /// Index of the polygon.
    polygon: Option<usize>,
}

impl Walk<'_> {
    /// Returns the verdict for span `focus`. If the span is lost but a polygon of the finished mesh is within `reach`
    /// above or below the place, an agent can stand there anyway, because contours are simplified.
    pub(super) fn verdict(&mut self, focus: Option<usize>, reach: f32) -> Verdict {
        let reason = match self.run(focus, reach) {
            Ok((area, region, polygon)) => return Verdict::Walkable { area, region, polygon },
            Err(reason) => reason,
        };
        let stage = self.steps.last().map_or(Stage::Slope, |step| step.stage);
        let Intermediates { polygons, detail, .. } = self.stages;
        let Some((polygon, _)) = ground::polygon_under((polygons, detail), self.at, reach) else {
            return Verdict::Lost { stage, reason };
        };
        let lost = self.steps.pop().map_or_else(|| reason.phrase(), |step| step.note);
        self.keep(stage, phrase!("{lost}; but polygon {polygon} covers the place", lost, polygon));
        let found = &polygons.polygons[polygon];
        Verdict::Walkable { area: found.area.in_tile(), region: found.region, polygon }
    }

    /// Follows span `focus` through the stages, in the order of [`Stage::ALL`].
    fn run(
        &mut self,
        focus: Option<usize>,
        reach: f32,
    ) -> Result<(AreaId, RegionId, usize), Reason> {
        let mut trail = Trail { reach, focus, ..Trail::default() };
        for stage in Stage::ALL {
            self.pass(stage, &mut trail)?;
        }
        let Trail { open: Some(open), polygon: Some(polygon), .. } = trail else {
            return Err(Reason::Unexplained);
        };
        Ok((self.stages.eroded_areas[open].in_tile(), self.stages.regions.ids[open], polygon))
    }

    /// Explains the effect of `stage` on the place.
    fn pass(&mut self, stage: Stage, trail: &mut Trail) -> Result<(), Reason> {
        match stage {
            Stage::Slope => self.slope(trail),
            Stage::Spans => self.span(trail),
            Stage::Filtered => self.filtered(trail),
            Stage::Compact => self.compact(trail),
            Stage::Eroded => self.eroded(trail),
            Stage::Regions => self.region(trail),
            Stage::Contours => self.contour(trail),
            Stage::Polygons => self.polygon(trail),
            // These stages remove no ground: they measure it, refine its height, and write it.
            Stage::Distance | Stage::Detail | Stage::Tile => Ok(()),
        }
    }

    fn keep(&mut self, stage: Stage, note: Phrase) {
        self.steps.push(StageStep { stage, kept: true, note });
    }

    fn lose(&mut self, stage: Stage, reason: Reason) -> Reason {
        self.steps.push(StageStep { stage, kept: false, note: reason.phrase() });
        reason
    }

    /// Returns the height of the ground at the place.
    fn floor(&self, focus: usize) -> f32 {
        self.ground.map_or(self.column[focus].top, |ground| ground.height)
    }

    /// Checks the triangle.
    fn slope(&mut self, trail: &Trail) -> Result<(), Reason> {
        let limit_deg = self.plan.input().settings.agent_max_slope;
        let Some(ground) = self.ground else { return Ok(()) };
        let unfit = ground.reason(limit_deg);
        if let (Some(reason @ Reason::LeftOut), _) | (Some(reason), None) = (&unfit, trail.focus) {
            return Err(self.lose(Stage::Slope, reason.clone()));
        }
        let Some(focus) = trail.focus else { return Ok(()) };
        let cell_size = self.stages.spans.frame.cell_size;
        // The side of a wall is not part of the floor above it, and a surface of at most two cells is ignored.
        let is_large = ground.area > 2.0 * cell_size * cell_size;
        if let Some(reason) = unfit
            && (self.is_top_lost(focus) || self.is_buried(focus) || is_large)
        {
            return Err(self.lose(Stage::Slope, reason));
        }
        self.keep(Stage::Slope, ground.note(limit_deg));
        Ok(())
    }

    /// Finds the span that the triangle became part of.
    fn span(&mut self, trail: &Trail) -> Result<(), Reason> {
        let Some(focus) = trail.focus else {
            let reason = self.nothing();
            return Err(self.lose(Stage::Spans, reason));
        };
        if let Some(depth) = self.depth_in_solid(focus) {
            return Err(self.lose(Stage::Spans, Reason::Buried { depth }));
        }
        if self.is_buried(focus) || self.is_top_lost(focus) {
            let reason = self.crowded(focus, self.column[focus].top - self.floor(focus));
            return Err(self.lose(Stage::Spans, reason));
        }
        let (number, n) = (focus + 1, self.column.len());
        self.keep(Stage::Spans, phrase!("span {number} of {n}", number, n));
        Ok(())
    }

    /// Returns whether the top of the span is not walkable, and no filter makes it walkable.
    fn is_top_lost(&self, focus: usize) -> bool {
        !self.column[focus].spans_area.is_walkable() && !self.is_rescued(focus)
    }

    /// Returns whether the place is deeper below the top of the span than a walkable surface in its own span can be.
    fn is_buried(&self, focus: usize) -> bool {
        let limit_deg = self.plan.input().settings.agent_max_slope;
        let frame = &self.stages.spans.frame;
        let reach = frame.cell_size * limit_deg.to_radians().tan() * 1.5 + 2.0 * frame.cell_height;
        self.column[focus].top - self.floor(focus) > reach
    }

    /// Returns the reason why there is no span at the place.
    fn nothing(&self) -> Reason {
        if self.is_out_of_bounds() {
            return Reason::OutOfBounds;
        }
        let grid = self.stages.spans.frame.bounds;
        if !(grid.min.y..=grid.max.y).contains(&self.at.y)
            && let beyond @ Reason::BeyondGrid = Reason::beside_grid(self.plan, self.at)
        {
            return beyond;
        }
        let depth = self.around.solid_above(self.at, OnGround::No);
        depth.map_or(Reason::NoGround, |depth| Reason::Buried { depth })
    }

    fn is_out_of_bounds(&self) -> bool {
        let bounds = &self.plan.input().bounds;
        let place = Aabb::new(self.at, self.at);
        !bounds.is_empty() && !bounds.iter().any(|bound| bound.overlaps(&place))
    }

    fn is_rescued(&self, focus: usize) -> bool {
        self.plan.input().settings.filter_low_hanging_obstacles
            && filters::is_low_hanging(&self.stages.spans, self.cell, focus, self.plan.params())
    }

    /// Returns the depth of the place below the top of the solid that contains it.
    fn depth_in_solid(&self, focus: usize) -> Option<f32> {
        let foot = self.at.y.max(self.floor(focus) + ABOVE_GROUND);
        let depth = self.around.solid_above(self.at.with_y(foot), OnGround::Yes);
        // A solid that covers the floor by less than this is treated as the floor.
        depth.filter(|depth| *depth > SHALLOW.max(self.plan.params().cell_height))
    }

    /// Explains a place that is in the open but whose voxel is filled by nearby geometry.
    fn crowded(&self, focus: usize, rise: f32) -> Reason {
        let floor = self.floor(focus);
        let is_ground = self.column[focus].spans_area.is_walkable();
        if is_ground && edges::is_step_up((self.plan, self.stages), self.cell, focus, rise) {
            let climb = self.plan.params().climb();
            let aside = Dir::ALL.map(|dir| edges::step(dir) * self.plan.params().cell_size);
            let top = aside.into_iter().find_map(|step| {
                self.height_beyond((self.at + step * 0.5).with_y(floor + rise), step)
            });
            let own = top.map(|top| top - floor).filter(|own| *own > climb);
            return Reason::Step { height: own.unwrap_or(rise), climb };
        }
        let Some((distance, wall)) = self.wall(floor) else {
            return Reason::SteepSpan;
        };
        self.too_near((distance, 0.0), Vec3::new(wall.x, floor, wall.y))
    }

    /// Returns the nearest geometry that an agent standing on the ground at height `floor` would touch.
    fn wall(&self, floor: f32) -> Option<(f32, glam::Vec2)> {
        let settings = &self.plan.input().settings;
        let low = floor + settings.agent_max_climb.max(ABOVE_GROUND);
        let high = floor + settings.agent_height.max(settings.agent_max_climb + ABOVE_GROUND);
        self.around.nearest_wall(self.at, [low, high], None)
    }

    /// Reports an edge nearer than the radius, or nearer than the voxels can resolve.
    fn too_near(&self, (distance, distance_in_voxels): (f32, f32), edge: Vec3) -> Reason {
        let params = self.plan.params();
        let radius = self.plan.input().settings.agent_radius;
        let cell_size = params.cell_size;
        if distance >= radius && cell_size > radius {
            return Reason::CellTooCoarse(TooCoarse::Width { distance, radius, cell_size });
        }
        let radius = cell_size * cells(params.walkable_radius_vx);
        Reason::NearEdge { distance, distance_in_voxels, radius, edge }
    }

    fn filtered(&mut self, trail: &Trail) -> Result<(), Reason> {
        let focus = trail.focus.ok_or(Reason::Unexplained)?;
        let span = &self.column[focus];
        if span.filtered_area.is_walkable() {
            let note = if span.spans_area.is_walkable() {
                phrase!("kept by every filter")
            } else {
                phrase!("steep, but a low obstacle that the agent can step onto")
            };
            self.keep(Stage::Filtered, note);
            return Ok(());
        }
        let of_filters = (&self.plan.input().settings, self.plan.params());
        let reason = filters::reason(&self.stages.spans, self.cell, focus, of_filters);
        let reason = self.measured(focus, reason);
        Err(self.lose(Stage::Filtered, reason))
    }

    /// Returns the reason why a filter removed span `focus`, measured in the level instead of in voxels.
    fn measured(&self, focus: usize, reason: Reason) -> Reason {
        let floor = self.floor(focus);
        let cell_height = self.plan.params().cell_height;
        match reason {
            Reason::LowCeiling { room_in_voxels: room, needed, .. } => {
                let foot = self.at.with_y(floor + ABOVE_GROUND);
                let own = self.around.ceiling(foot).map(|ceiling| ceiling - floor);
                let own = own.filter(|own| (own - room).abs() <= 2.5 * cell_height);
                Reason::LowCeiling { room: own.unwrap_or(room), room_in_voxels: room, needed }
            }
            Reason::Ledge { drop: Some(drop), climb, towards } => {
                let own = self.drop_towards(floor, drop, towards);
                self.step_or_ledge(own, (drop, climb, towards))
            }
            Reason::Ledge { drop: None, towards, .. }
                if edges::is_beyond_level(self.plan, self.stages, self.cell, towards) =>
            {
                Reason::LevelEdge
            }
            Reason::Uneven { rise, climb } => self.uneven(rise, climb),
            other => other,
        }
    }

    /// Returns the height difference from height `floor` down to the ground of the next voxel. Returns `drop`, the
    /// value in voxels, if the level has no ground there.
    fn drop_towards(&self, floor: f32, drop: f32, towards: Dir) -> f32 {
        let (frame, cell_height) = (&self.stages.spans.frame, self.plan.params().cell_height);
        let Some([x, z]) = edges::stepped(self.stages, self.cell, towards) else { return drop };
        let middle = frame.world_from_grid(cells(x) + 0.5, 0.0, cells(z) + 0.5);
        let below = middle.with_y(floor - drop);
        let found = self.around.height(below, 2.0 * cell_height);
        found.map_or(drop, |found| (floor - found).max(0.0))
    }

    /// Classifies a drop of `own` meters, or `drop` meters in voxels, as a ledge, a step, or a ramp in coarse voxels.
    fn step_or_ledge(&self, own: f32, (drop, climb, towards): (f32, f32, Dir)) -> Reason {
        if let Some(coarse) = self.coarse_climb((own, drop)) {
            return coarse;
        }
        if drop <= highest_riser(self.plan) {
            return Reason::Step { height: if own > climb { own } else { drop }, climb };
        }
        Reason::Ledge { drop: Some(if own > climb { own } else { drop }), climb, towards }
    }

    /// Reports ground that rises too much from voxel to voxel: a ramp, or stairs.
    fn uneven(&self, rise: f32, climb: f32) -> Reason {
        let slope_deg = self.ground.map_or(0.0, |ground| ground.slope_deg);
        let is_ramp = TooCoarse::is_ramp(slope_deg);
        Reason::CellTooCoarse(TooCoarse::Slope { rise, is_ramp, climb })
    }

    /// Reports a rise that the agent can climb in the level but not in voxels: see [`TooCoarse::of_rise`].
    fn coarse_climb(&self, rise: (f32, f32)) -> Option<Reason> {
        let slope_deg = self.ground.map_or(0.0, |ground| ground.slope_deg);
        TooCoarse::of_rise(self.plan, rise, slope_deg).map(Reason::CellTooCoarse)
    }

    fn compact(&mut self, trail: &mut Trail) -> Result<(), Reason> {
        trail.open = trail.focus.and_then(|focus| self.column[focus].open);
        let Some(open) = trail.open else {
            return Err(self.lose(Stage::Compact, Reason::Unexplained));
        };
        let (field, cell) = (&self.stages.compact, self.cell.into());
        let is_linked = |dir: &&Dir| field.neighbor(cell, open, **dir).is_some();
        let n = Dir::ALL.iter().filter(is_linked).count();
        self.keep(Stage::Compact, phrase!("linked to {n} of 4 neighbors", n));
        Ok(())
    }

    fn eroded(&mut self, trail: &Trail) -> Result<(), Reason> {
        let open = trail.open.ok_or(Reason::Unexplained)?;
        let Intermediates { compact, compact_areas, eroded_areas, .. } = self.stages;
        let params = self.plan.params();
        if !eroded_areas[open].is_walkable() {
            let reason = self.lost_to_erosion(open);
            return Err(self.lose(Stage::Eroded, reason));
        }
        let reach = (2 * params.walkable_radius_vx).max(NOTED_HALF_CELLS);
        let border = ground::nearest_border(compact, compact_areas, self.cell, open, reach);
        let edge = |border: ground::Border| {
            phrase!("{distance} from the nearest edge", distance = meters(border.distance))
        };
        let beyond = || {
            let reach = meters(cells(reach) * 0.5 * params.cell_size);
            phrase!("more than {reach} from any edge", reach)
        };
        let edge = border.map_or_else(beyond, edge);
        let note = if eroded_areas[open] == compact_areas[open] {
            edge
        } else {
            phrase!("{edge}, painted as area {area}", edge, area = eroded_areas[open].in_tile().0)
        };
        self.keep(Stage::Eroded, note);
        Ok(())
    }

    /// Returns why open span `open` was lost: the obstacle at an edge within the radius, or a volume.
    fn lost_to_erosion(&self, open: usize) -> Reason {
        let radius_vx = self.plan.params().walkable_radius_vx;
        let reach = radius_vx.saturating_mul(2);
        let within = (self.plan, self.stages);
        let edges = edges_around(within, self.cell, open, reach);
        let Some(nearest) = edges.first() else {
            return self.volume(open).unwrap_or(Reason::Unexplained);
        };
        let is_riser = |edge: &GroundEdge| matches!(edge.kind, EdgeKind::Riser(_));
        let is_low = |edge: &GroundEdge| matches!(edge.kind, EdgeKind::LowCeiling(_));
        let is_uneven = |edge: &GroundEdge| matches!(edge.kind, EdgeKind::Uneven(_));
        if edges.iter().all(|edge| is_riser(edge) || is_low(edge) || is_uneven(edge)) {
            match nearest.kind {
                EdgeKind::Uneven(rise) => {
                    return self.uneven(rise, self.plan.params().climb());
                }
                EdgeKind::Riser(rise) if !Self::is_lane(&edges) => {
                    return self.step_beside(nearest, rise);
                }
                EdgeKind::LowCeiling(room) => return self.ceiling_beside(nearest, room),
                EdgeKind::Riser(_)
                | EdgeKind::LevelEnd
                | EdgeKind::Drop(_)
                | EdgeKind::Unwalkable
                | EdgeKind::Wall => {}
            }
        }
        let (distance, edge) = self.nearest_edge(open, &edges);
        // The radius is compared with the distance of the voxels' middles, rounded down.
        let most = self.plan.params().cell_size * cells(radius_vx.saturating_sub(1));
        self.too_near((distance, nearest.border.distance.min(most)), edge)
    }

    /// Returns whether the ground rises on opposite sides of the place: a lane too narrow for the agent rather than a
    /// step.
    fn is_lane(edges: &[GroundEdge]) -> bool {
        let rises = |towards| {
            let is_up = |kind| matches!(kind, EdgeKind::Riser(rise) if rise > 0.0);
            edges.iter().any(|edge| edge.towards == towards && is_up(edge.kind))
        };
        Dir::ALL.into_iter().any(|dir| rises(dir) && rises(dir.opposite()))
    }

    /// Reports the riser beyond an edge.
    fn step_beside(&self, edge: &GroundEdge, rise: f32) -> Reason {
        let params = self.plan.params();
        let (cell_size, cell_height) = (params.cell_size, params.cell_height);
        let here = edge.border.at;
        let step = edges::step(edge.towards) * cell_size;
        let floor = self.around.height(here, 2.0 * cell_height);
        let other = self.height_beyond((here + step).with_y(here.y + rise), step);
        let own = floor.zip(other).map_or(rise, |(floor, other)| other - floor).abs();
        if let Some(coarse) = self.coarse_climb((own, rise.abs())) {
            return coarse;
        }
        let climb = params.climb();
        Reason::Step { height: if own > climb { own } else { rise.abs() }, climb }
    }

    /// Returns the height of the level near `point`, or slightly farther along `step`, because the geometry that fills
    /// a voxel may touch only its corner.
    fn height_beyond(&self, point: Vec3, step: Vec3) -> Option<f32> {
        let within = 1.5 * self.plan.params().cell_height;
        [0.0, 0.5, 1.0].into_iter().find_map(|t| self.around.height(point + step * t, within))
    }

    /// Reports the low ceiling beyond an edge.
    fn ceiling_beside(&self, edge: &GroundEdge, room: f32) -> Reason {
        let params = self.plan.params();
        let here = edge.border.at;
        let there = here + (edges::side_of(edge, params.cell_size) - here) * 2.0;
        let floor = self.around.height(there, 2.0 * params.cell_height).unwrap_or(here.y);
        let ceiling = self.around.ceiling(there.with_y(floor + ABOVE_GROUND));
        let own = ceiling.map(|ceiling| ceiling - floor);
        let own = own.filter(|own| (own - room).abs() <= 2.5 * params.cell_height);
        let needed = cells(params.walkable_height_vx) * params.cell_height;
        Reason::LowCeiling { room: own.unwrap_or(room), room_in_voxels: room, needed }
    }

    /// Returns the distance to the nearest of `edges`, measured in the level, and its position.
    fn nearest_edge(&self, open: usize, edges: &[GroundEdge]) -> (f32, Vec3) {
        let cell_size = self.plan.params().cell_size;
        let field = &self.stages.compact;
        let top = field.frame.bounds.min.y
            + f32::from(field.spans[open].floor_vx) * field.frame.cell_height;
        let floor = self.ground.map_or(top, |ground| ground.height);
        let wall = self.wall(floor).map(|(d, at)| (d, Vec3::new(at.x, floor, at.y)));
        let is_open = |edge: &&GroundEdge| match edge.kind {
            EdgeKind::Riser(rise) => rise < 0.0,
            EdgeKind::Wall => false,
            EdgeKind::LevelEnd
            | EdgeKind::Drop(_)
            | EdgeKind::LowCeiling(_)
            | EdgeKind::Uneven(_)
            | EdgeKind::Unwalkable => true,
        };
        let open = edges.iter().filter(is_open).take(MEASURED_EDGES);
        let beside = open.map(|edge| {
            let end = self.end_of_ground(edge);
            (end.xz().distance(self.at.xz()), end)
        });
        let near = wall.into_iter().chain(beside).min_by(|a, b| a.0.total_cmp(&b.0));
        near.unwrap_or_else(|| {
            let edge = &edges[0];
            (edge.border.distance + 0.5 * cell_size, edge.border.at)
        })
    }

    /// Returns the ledge next to open span `open` if the radius is zero. The ledge filter removes one voxel, and the
    /// contour along it about another one.
    fn ledge_beside(&self, open: usize) -> Option<Reason> {
        let params = self.plan.params();
        if params.walkable_radius_vx > 0 || params.max_edge_error_vx > FINE_OUTLINE {
            return None;
        }
        let edges = edges_around((self.plan, self.stages), self.cell, open, NEXT_HALF_CELLS);
        edges.iter().find_map(|edge| match edge.kind {
            EdgeKind::Riser(rise) => Some(self.step_beside(edge, rise)),
            EdgeKind::Drop(drop) => {
                Some(Reason::Ledge { drop, climb: params.climb(), towards: edge.towards })
            }
            EdgeKind::LevelEnd
            | EdgeKind::LowCeiling(_)
            | EdgeKind::Uneven(_)
            | EdgeKind::Unwalkable
            | EdgeKind::Wall => None,
        })
    }

    /// Returns the point at which the ground ends beyond the voxel of an edge, measured in the level.
    fn end_of_ground(&self, edge: &GroundEdge) -> Vec3 {
        let params = self.plan.params();
        let slack = self.plan.input().settings.agent_max_climb.max(2.0 * params.cell_height);
        let step = (edges::side_of(edge, params.cell_size) - edge.border.at) / 4.0;
        let goes_on = |point: Vec3| {
            let found = self.around.height(point, slack);
            found.map(|height| point.with_y(height))
        };
        let mut end = edge.border.at;
        for _ in 0..24 {
            let Some(next) = goes_on(end + step) else { return end + step * 0.5 };
            end = next;
        }
        edges::side_of(edge, params.cell_size)
    }

    /// Returns the first volume that makes open span `open` unwalkable.
    fn volume(&self, open: usize) -> Option<Reason> {
        let field = &self.stages.compact;
        let floor_vx = field.spans[open].floor_vx;
        let volumes = &self.plan.input().volumes;
        let radius = self.plan.input().settings.agent_radius;
        let mut blocking =
            volumes.iter().enumerate().filter(|(_, volume)| volume.area == RawArea::NULL);
        blocking.find_map(|(index, volume)| {
            let takes = |margin| volume.takes(&field.frame, self.cell, floor_vx, margin);
            let margin = [0.0, volume.margin(radius)].into_iter().find(|&margin| takes(margin))?;
            Some(Reason::Volume { index, margin })
        })
    }

    fn region(&mut self, trail: &Trail) -> Result<(), Reason> {
        let open = trail.open.ok_or(Reason::Unexplained)?;
        let id = self.stages.regions.ids[open];
        if id != RegionId::NONE {
            let id = id.0 & !RegionId::BORDER_BIT;
            self.keep(Stage::Regions, phrase!("region {id}", id));
            return Ok(());
        }
        let reason = self.without_region(open);
        Err(self.lose(Stage::Regions, reason))
    }

    fn without_region(&self, open: usize) -> Reason {
        let Intermediates { compact, eroded_areas, regions, distance, .. } = self.stages;
        let params = self.plan.params();
        let climb = self.plan.input().settings.agent_max_climb;
        let slope_deg = self.ground.map_or(0.0, |ground| ground.slope_deg);
        if params.walkable_climb_vx == 0 && climb > 0.0 && slope_deg >= 1.0 {
            let rise = params.cell_size * slope_deg.to_radians().tan();
            let cell_height = params.cell_height;
            return Reason::CellTooCoarse(TooCoarse::Climb { climb, cell_height, rise });
        }
        let limit = params.min_region_area_vx;
        let island = ground::island(compact, eroded_areas, regions, self.cell, open);
        // If no ground of the tile is more than two voxels wide, the watershed has no seed.
        if self.is_cut_off_by_voxels(open) {
            return self.too_coarse_for(open);
        }
        let has_basin = distance.as_ref().is_none_or(|distance| distance.max > 0);
        if !has_basin || island.touches_region || island.cells >= limit as usize {
            return Reason::NoRegion;
        }
        self.kerb_around(open, limit)
            .unwrap_or(Reason::RegionTooSmall { cells: island.cells, limit })
    }

    /// Returns whether voxels larger than the agent's radius split the ground, so that open span `open` was connected
    /// to ground with a region only before erosion.
    fn is_cut_off_by_voxels(&self, open: usize) -> bool {
        let radius = self.plan.input().settings.agent_radius;
        if radius <= 0.0 || self.plan.params().cell_size <= radius {
            return false;
        }
        let Intermediates { compact, regions, .. } = self.stages;
        let mut seen = BTreeSet::from([open]);
        let mut stack = vec![(open, self.cell[0], self.cell[1])];
        while let Some((span, x, z)) = stack.pop() {
            if regions.ids[span].is_ground() {
                return true;
            }
            let next = Dir::ALL.into_iter().filter_map(|dir| compact.neighbor((x, z), span, dir));
            for next in next {
                if seen.len() < MAX_CONNECTED && seen.insert(next.span) {
                    stack.push((next.span, next.x, next.z));
                }
            }
        }
        false
    }

    /// Reports that the voxels are too coarse for the distance between open span `open` and the walls.
    fn too_coarse_for(&self, open: usize) -> Reason {
        let field = &self.stages.compact;
        let params = self.plan.params();
        let top = field.frame.bounds.min.y
            + f32::from(field.spans[open].floor_vx) * field.frame.cell_height;
        let floor = self.ground.map_or(top, |ground| ground.height);
        let (radius, cell_size) = (self.plan.input().settings.agent_radius, params.cell_size);
        let distance = self.wall(floor).map_or(cell_size, |(distance, _)| distance);
        Reason::CellTooCoarse(TooCoarse::Width { distance, radius, cell_size })
    }

    /// Returns the nearest riser around open span `open` that leads up, as on stairs. Without one, returns the nearest riser
    /// if the ground ends only in risers not much higher than the agent's climb: a traffic island rather than a table.
    fn kerb_around(&self, open: usize, limit: u32) -> Option<Reason> {
        let [climbs, meters] = KERB;
        let highest = (climbs * self.plan.input().settings.agent_max_climb).min(meters);
        // An island may be as long as its number of voxels.
        let reach = 2 * (limit.min(200) + 2 * self.plan.params().walkable_radius_vx);
        let edges = edges_around((self.plan, self.stages), self.cell, open, reach);
        let rise = |edge: &GroundEdge| match edge.kind {
            EdgeKind::Riser(rise) => Some(rise),
            EdgeKind::LevelEnd
            | EdgeKind::Drop(_)
            | EdgeKind::LowCeiling(_)
            | EdgeKind::Uneven(_)
            | EdgeKind::Unwalkable
            | EdgeKind::Wall => None,
        };
        let up = edges.iter().find(|edge| rise(edge).is_some_and(|rise| rise > 0.0));
        let is_low = |edge: &GroundEdge| rise(edge).is_some_and(|rise| rise.abs() <= highest);
        let edge = up.or_else(|| edges.first().filter(|_| edges.iter().all(is_low)))?;
        Some(self.step_beside(edge, rise(edge)?))
    }

    /// Checks that a contour encloses the place, and finds its polygon.
    fn contour(&mut self, trail: &mut Trail) -> Result<(), Reason> {
        let (open, reach) = (trail.open.ok_or(Reason::Unexplained)?, trail.reach);
        let Intermediates { regions, polygons, detail, .. } = self.stages;
        let region = regions.ids[open];
        if region.is_border() {
            return Err(self.lose(Stage::Contours, Reason::OutsideTile));
        }
        if let Some((polygon, _)) = ground::polygon_under((polygons, detail), self.at, reach) {
            trail.polygon = Some(polygon);
            return Ok(());
        }
        let own = ground::polygon_at(polygons, region, self.at);
        let off = own.and_then(|polygon| {
            let height = ground::height_over((polygons, detail), polygon, self.at)?;
            Some((polygon, (height - self.at.y).abs()))
        });
        // Within its own region, the surface may be as far away as for a logged position.
        let most = surface::reach(self.plan.params().cell_height);
        if let Some((polygon, _)) = off.filter(|(_, distance)| *distance <= most) {
            trail.polygon = Some(polygon);
            return Ok(());
        }
        let radius = self.plan.input().settings.agent_radius;
        let is_coarse = 0.0 < radius && radius < self.plan.params().cell_size;
        let reason = if let Some((_, distance)) = off {
            Reason::OffSurface { distance }
        } else if is_coarse {
            self.too_coarse_for(open)
        } else if let Some(ledge) = self.ledge_beside(open) {
            ledge
        } else {
            let error = polygons.max_edge_error * self.plan.params().cell_size;
            Reason::CutOff { error }
        };
        Err(self.lose(Stage::Contours, reason))
    }

    fn polygon(&mut self, trail: &Trail) -> Result<(), Reason> {
        let polygon = trail.polygon.ok_or(Reason::Unexplained)?;
        self.keep(Stage::Polygons, phrase!("polygon {polygon}", polygon));
        Ok(())
    }
}

//! Why an agent can or cannot stand at a place: walks one column of a tile's stages and says which
//! stage lost it, with the numbers that decided.
//!
//! Nothing is baked here. The stages are read, and where a stage does not keep its reason (the
//! filters, the erosion), its decision is made again for this one column.

mod cause;
mod column;
mod filters;
mod fix;
mod fix_search;
mod ground;
mod ground_map;
mod place;
mod reason;
mod rungs;
mod surface;

#[cfg(test)]
mod tests;

use glam::Vec3;
use walkable_bake::bake::{BakePlan, Intermediates, Stage};
use walkable_runtime::{
    geom::Aabb,
    ids::{Dir, RegionId, TileCoord},
};

pub use cause::{Cause, Measure};
pub use column::{ColumnSpan, FilterDeed};
pub use fix::{Fix, LinkFix, NewSetting, SettingsFix, SideEffects};
pub use fix_search::{FixLimits, FoundFixes, Obstacle, Outcome, Question, find_fixes};
pub use ground_map::GroundMap;
pub use place::PlaceQuestion;
pub(crate) use place::obstacle;
pub(crate) use reason::meters as length_in_words;
pub use reason::{Reason, tile_area};
pub use rungs::Remedy;

/// Why a place is walkable or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The place asked about.
    pub at: Vec3,
    /// Its cell in the tile's grid, border included.
    pub cell: [u32; 2],
    /// Solid spans of that cell, from low to high.
    pub column: Vec<ColumnSpan>,
    /// Index in `column` of the span under the place.
    pub focus: Option<usize>,
    /// What each stage did to it, in pipeline order, up to the one that lost it.
    pub steps: Vec<Step>,
    /// The answer.
    pub verdict: Verdict,
}

/// What one stage did to the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The stage.
    pub stage: Stage,
    /// Whether the place is still walkable after it.
    pub kept: bool,
    /// What happened, for people.
    pub note: String,
}

/// The answer in one value; its `Display` is one line for people.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// An agent can stand here.
    Walkable {
        /// Area as in tile data: plain ground is 0.
        area: u8,
        /// Region.
        region: RegionId,
        /// Index of the polygon in its tile.
        polygon: usize,
    },
    /// An agent cannot stand here.
    Lost {
        /// The first stage after which the place is not walkable.
        stage: Stage,
        /// Why.
        reason: Reason,
    },
}

impl Verdict {
    /// Whether an agent can stand here.
    pub const fn is_walkable(&self) -> bool {
        matches!(self, Self::Walkable { .. })
    }
}

/// The tile whose square, border left out, contains `at`; `None` outside the level.
pub fn tile_at(plan: &BakePlan, at: Vec3) -> Option<TileCoord> {
    let bounds = plan.input().mesh.bounds();
    let inside = at.x >= bounds.min.x
        && at.z >= bounds.min.z
        && at.x <= bounds.max.x
        && at.z <= bounds.max.z;
    if !inside {
        return None;
    }
    let [n_x, n_z] = plan.n_tiles();
    let params = plan.params();
    if params.tile_size_vx == 0 || n_x == 0 || n_z == 0 {
        return Some(TileCoord::new(0, 0));
    }
    let offset = at - bounds.min;
    let side = f64::from(params.tile_size_vx) * f64::from(params.cell_size);
    let along = |d: f32, n: u32| column::whole(f64::from(d) / side).min(n - 1);
    Some(TileCoord::new(along(offset.x, n_x), along(offset.z, n_z)))
}

/// Explains the place `at` from the stages of the tile that contains it (see [`tile_at`]).
///
/// `triangle` is the triangle of the mesh on which the place lies, if known; else the nearest one of
/// the tile is sought, which takes time linear in their number. A place some way above or below
/// every span of its column is "no ground".
pub fn explain(
    plan: &BakePlan,
    stages: &Intermediates,
    at: Vec3,
    triangle: Option<u32>,
) -> Explanation {
    let Some(cell) = column::cell_at(&stages.spans.frame, at) else {
        return outside(plan, at);
    };
    let column = column::column(stages, cell, plan.params());
    let focus = column::focus(&column, &stages.spans.frame, at);
    let ground = surface::under(plan, &stages.slopes, at, triangle);
    let mut walk = Walk { plan, stages, at, cell, column: &column, steps: Vec::new() };
    let verdict = match walk.run(focus, ground) {
        Ok((area, region, polygon)) => Verdict::Walkable { area, region, polygon },
        Err(reason) => {
            let stage = walk.steps.last().map_or(Stage::Slope, |step| step.stage);
            Verdict::Lost { stage, reason }
        }
    };
    let steps = walk.steps;
    Explanation { at, cell, column, focus, steps, verdict }
}

fn outside(plan: &BakePlan, at: Vec3) -> Explanation {
    // The grid of a bake in one piece ends where the boxes do to which it is limited.
    let (stage, reason) = match tile_at(plan, at) {
        Some(_) if plan.is_cropped() => (Stage::Spans, Reason::OutOfBounds),
        _ => (Stage::Slope, Reason::OutsideLevel),
    };
    let steps = vec![Step { stage, kept: false, note: reason.to_string() }];
    let verdict = Verdict::Lost { stage, reason };
    Explanation { at, cell: [0, 0], column: Vec::new(), focus: None, steps, verdict }
}

/// Distance up to which a walkable place is told how far the edge is, in half cells.
const NOTED_HALF_CELLS: u32 = 32;

/// The walk through the stages of one column.
struct Walk<'a> {
    plan: &'a BakePlan,
    stages: &'a Intermediates,
    at: Vec3,
    cell: [u32; 2],
    column: &'a [ColumnSpan],
    steps: Vec<Step>,
}

impl Walk<'_> {
    fn run(
        &mut self,
        focus: Option<usize>,
        ground: Option<surface::Surface>,
    ) -> Result<(u8, RegionId, usize), Reason> {
        let focus = self.span(focus, ground)?;
        self.filtered(focus)?;
        let open = self.compact(focus)?;
        self.eroded(open)?;
        let region = self.region(open)?;
        let polygon = self.polygon(open)?;
        let area = tile_area(self.stages.eroded_areas[open]);
        Ok((area, region, polygon))
    }

    fn keep(&mut self, stage: Stage, note: String) {
        self.steps.push(Step { stage, kept: true, note });
    }

    fn lose(&mut self, stage: Stage, reason: Reason) -> Reason {
        self.steps.push(Step { stage, kept: false, note: reason.to_string() });
        reason
    }

    /// Slope and rasterization: what the triangle is, and which span it became part of.
    fn span(
        &mut self,
        focus: Option<usize>,
        ground: Option<surface::Surface>,
    ) -> Result<usize, Reason> {
        let limit_deg = self.plan.input().settings.agent_max_slope;
        let Some(focus) = focus else {
            let reason =
                if self.is_out_of_bounds() { Reason::OutOfBounds } else { Reason::NoGround };
            return Err(self.lose(Stage::Spans, reason));
        };
        let frame = &self.stages.spans.frame;
        let span = &self.column[focus];
        let buried = span.top - self.at.y;
        // A walkable surface lies at most this far below the top of its own span.
        let reach = frame.cell_size * limit_deg.to_radians().tan() * 1.5 + 2.0 * frame.cell_height;
        let is_top_lost = !span.spans_area.is_walkable() && !self.is_rescued(focus);
        if let Some(ground) = ground {
            // The side of a wall is no part of the floor on top of it.
            if !ground.walkable && (is_top_lost || buried > reach) {
                return Err(self.lose(Stage::Slope, ground.reason(limit_deg)));
            }
            self.keep(Stage::Slope, ground.note(limit_deg));
        }
        if buried > reach {
            return Err(self.lose(Stage::Spans, Reason::Buried { depth: buried }));
        }
        if is_top_lost {
            return Err(self.lose(Stage::Spans, Reason::SteepSpan));
        }
        self.keep(Stage::Spans, format!("span {} of {}", focus + 1, self.column.len()));
        Ok(focus)
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

    fn filtered(&mut self, focus: usize) -> Result<(), Reason> {
        let span = &self.column[focus];
        if span.filtered_area.is_walkable() {
            let note = if span.spans_area.is_walkable() {
                "kept by every filter"
            } else {
                "steep, but a low obstacle the agent steps onto"
            };
            self.keep(Stage::Filtered, note.to_owned());
            return Ok(());
        }
        let reason = filters::reason(&self.stages.spans, self.cell, focus, self.plan.params());
        Err(self.lose(Stage::Filtered, reason))
    }

    fn compact(&mut self, focus: usize) -> Result<usize, Reason> {
        let Some(open) = self.column[focus].open else {
            return Err(self.lose(Stage::Compact, Reason::Unexplained));
        };
        let (field, cell) = (&self.stages.compact, self.cell.into());
        let is_linked = |dir: &&Dir| field.neighbor(cell, open, **dir).is_some();
        let n = Dir::ALL.iter().filter(is_linked).count();
        self.keep(Stage::Compact, format!("linked to {n} of 4 neighbors"));
        Ok(open)
    }

    fn eroded(&mut self, open: usize) -> Result<(), Reason> {
        let Intermediates { compact, compact_areas, eroded_areas, .. } = self.stages;
        let params = self.plan.params();
        let reach = (2 * params.walkable_radius_vx).max(NOTED_HALF_CELLS);
        let border = ground::nearest_border(compact, compact_areas, self.cell, open, reach);
        if eroded_areas[open].is_walkable() {
            let edge = |border: ground::Border| {
                format!("{} from the nearest edge", reason::meters(border.distance))
            };
            let beyond = || {
                let reach = ground::cells(reach) * 0.5 * params.cell_size;
                format!("more than {} from any edge", reason::meters(reach))
            };
            let note = border.map_or_else(beyond, edge);
            let volume = (eroded_areas[open] != compact_areas[open])
                .then(|| format!(", painted as area {}", tile_area(eroded_areas[open])));
            self.keep(Stage::Eroded, format!("{note}{}", volume.unwrap_or_default()));
            return Ok(());
        }
        let by_radius = border.filter(|b| b.half_cells < 2 * params.walkable_radius_vx);
        let reason = match by_radius {
            Some(border) => Reason::NearEdge {
                distance: border.distance,
                radius: params.cell_size * ground::cells(params.walkable_radius_vx),
                edge: border.at,
            },
            None => Reason::Volume,
        };
        Err(self.lose(Stage::Eroded, reason))
    }

    fn region(&mut self, open: usize) -> Result<RegionId, Reason> {
        let id = self.stages.regions.ids[open];
        if id != RegionId::NONE {
            self.keep(Stage::Regions, format!("region {}", id.0 & !RegionId::BORDER_BIT));
            return Ok(id);
        }
        let limit = self.plan.params().min_region_area_vx;
        let cells = ground::island(
            &self.stages.compact,
            &self.stages.eroded_areas,
            &self.stages.regions,
            self.cell,
            open,
        );
        let reason = if cells < limit as usize {
            Reason::RegionTooSmall { cells, limit }
        } else {
            Reason::NoRegion
        };
        Err(self.lose(Stage::Regions, reason))
    }

    fn polygon(&mut self, open: usize) -> Result<usize, Reason> {
        let region = self.stages.regions.ids[open];
        if region.is_border() {
            return Err(self.lose(Stage::Contours, Reason::OutsideTile));
        }
        if let Some(polygon) = ground::polygon_at(&self.stages.polygons, region, self.at) {
            self.keep(Stage::Polygons, format!("polygon {polygon}"));
            return Ok(polygon);
        }
        let error = self.stages.polygons.max_edge_error * self.plan.params().cell_size;
        Err(self.lose(Stage::Contours, Reason::CutOff { error }))
    }
}

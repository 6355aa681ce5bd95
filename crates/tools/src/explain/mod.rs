//! Explains why an agent can or cannot stand at a place. Reads the stages of one column of a tile and reports the stage
//! that lost the place, with the decisive numbers.
//!
//! This module bakes nothing. For stages that do not record their reason (the filters, the erosion), it repeats the
//! decision for this one column.

mod around;
mod cause;
mod column;
mod edges;
mod filters;
mod fix;
mod fix_search;
mod ground;
mod ground_map;
mod level_fixes;
mod measure;
mod no_ground;
mod obstacle;
mod place;
mod reason;
mod rungs;
mod surface;
mod walk;

#[cfg(test)]
mod tests;

pub use cause::Cause;
pub use column::{ColumnSpan, FilterEffect};
pub use fix::{Fix, LinkFix, NewSetting, SearchTerm, SettingsFix, SideEffects};
pub(crate) use fix_search::find_fixes_reporting;
pub use fix_search::{FixLimits, FoundFixes, Outcome, Question, find_fixes};
use glam::Vec3;
pub use ground_map::GroundMap;
pub(crate) use level_fixes::{widen, width_for};
pub use measure::{Measure, MeasureUnit};
pub(crate) use measure::{MeasureFields, degrees, meters, meters_apart, point};
pub use no_ground::{NoGroundAnswer, why_no_ground};
pub use obstacle::Obstacle;
pub use place::{PlaceAnswer, PlaceQuestion, stands_at, why_here, why_here_reporting};
pub use reason::{Reason, TooCoarse};
pub use rungs::Remedy;
pub use surface::{floor_below, polygon_below};
use walkable_bake::bake::{BakePlan, Intermediates, Stage};
use walkable_runtime::{
    diagnostic::Phrase,
    ids::{AreaId, RegionId, TileCoord},
};

use self::{around::Around, walk::Walk};

/// Why a place is walkable or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The explained place.
    pub at: Vec3,
    /// The cell of the place in the tile's grid, border included.
    pub cell: [u32; 2],
    /// Solid spans of that cell, from bottom to top.
    pub column: Vec<ColumnSpan>,
    /// Index in `column` of the span at the place.
    pub focus: Option<usize>,
    /// The result of each stage, in pipeline order, up to the stage that lost the place.
    pub steps: Vec<StageStep>,
    /// The result.
    pub verdict: Verdict,
}

/// The result of one stage for the place.
#[derive(Clone, Debug, PartialEq)]
pub struct StageStep {
    /// The stage.
    pub stage: Stage,
    /// Whether the place is still walkable after it.
    pub kept: bool,
    /// Description for users.
    pub note: Phrase,
}

/// The result as one value; its `Display` is one line for users.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// An agent can stand here.
    Walkable {
        /// Area of the polygon.
        area: AreaId,
        /// The region.
        region: RegionId,
        /// Index of the polygon in its tile.
        polygon: usize,
    },
    /// An agent cannot stand here.
    Lost {
        /// The first stage after which the place is not walkable.
        stage: Stage,
        /// The reason why the stage lost it.
        reason: Reason,
    },
}

impl Verdict {
    /// Returns whether an agent can stand here.
    pub const fn is_walkable(&self) -> bool {
        matches!(self, Self::Walkable { .. })
    }
}

/// Returns the tile whose square, without border, contains `at`; `None` if `at` is outside the level.
pub fn tile_at(plan: &BakePlan, at: Vec3) -> Option<TileCoord> {
    let bounds = plan.whole_grid();
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
    let along = |d: f32, n: u32| column::floor(f64::from(d) / side).min(n - 1);
    Some(TileCoord::new(along(offset.x, n_x), along(offset.z, n_z)))
}

/// Explains the place `at` from the stages of the tile that contains it (see [`tile_at`]).
///
/// `triangle` is the index of the triangle of the mesh that contains the place, if known. Otherwise the place may be
/// slightly above or below the intended surface, like positions in game logs. A place farther away from every surface
/// is reported as having no ground. Takes time linear in the number of triangles.
pub fn explain(
    plan: &BakePlan,
    stages: &Intermediates,
    at: Vec3,
    triangle: Option<u32>,
) -> Explanation {
    let Some(cell) = column::cell_at(&stages.spans.frame, at) else {
        return outside(plan, at);
    };
    let column = column::column(stages, cell, plan);
    let around = Around::new(plan, at, around::sight(plan));
    // A picked triangle is the intended surface, so the reach is shorter.
    let cell_height = plan.params().cell_height;
    let reach = triangle.map_or_else(|| surface::reach(cell_height), |_| 2.0 * cell_height);
    let ground = surface::meant(plan, &stages.slopes, &around, (at, reach), triangle);
    let frame = &stages.spans.frame;
    let held = ground.and_then(|ground| column::holding(&column, frame, ground.height));
    let focus = held.or_else(|| column::focus(&column, frame, at));
    let mut walk =
        Walk { plan, stages, at, cell, column: &column, around, ground, steps: Vec::new() };
    let verdict = walk.verdict(focus, reach);
    let steps = walk.steps;
    Explanation { at, cell, column, focus, steps, verdict }
}

fn outside(plan: &BakePlan, at: Vec3) -> Explanation {
    // The grid of a bake without tiles ends at the boxes that limit the bake.
    let (stage, reason) = match tile_at(plan, at) {
        Some(_) if plan.is_cropped() => (Stage::Spans, Reason::OutOfBounds),
        _ => (Stage::Slope, Reason::beside_grid(plan, at)),
    };
    let steps = vec![StageStep { stage, kept: false, note: reason.phrase() }];
    let verdict = Verdict::Lost { stage, reason };
    Explanation { at, cell: [0, 0], column: Vec::new(), focus: None, steps, verdict }
}

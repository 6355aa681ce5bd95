//! Answers the question "Is there a path?" for bakes with other settings.

use std::{cell::Cell, sync::Arc};

use walkable_bake::bake::{BakeError, BakeOutput, BakePlan, bake_tile};
use walkable_runtime::{
    ids::TileCoord,
    monitor::Monitor,
    navmesh::{NavMesh, NavMeshError, Tile},
    phrase,
    query::{NavPath, PathRequest, PathStatus, QueryError},
    side_by_side,
};

use super::{RouteBreak, RouteDepth, explain_path, is_there};
use crate::explain::{Cause, GroundMap, Obstacle, Outcome, Question, stands_at};

/// Assembles the baked tiles of a plan into a navmesh, in the same way as the caller's own navmesh.
pub type Assemble<'a> =
    dyn Fn(&BakePlan, Vec<(TileCoord, Arc<Tile>)>) -> Result<NavMesh, NavMeshError> + Sync + 'a;

/// Searches for a path in the same way as the caller does.
pub type SearchPath<'a> =
    dyn Fn(&NavMesh, &PathRequest<'_>) -> Result<NavPath, QueryError> + Sync + 'a;

/// Asks whether a path leads from one place to another, with both ends at the requested positions.
#[expect(missing_debug_implementations, reason = "it holds functions")]
pub struct RouteQuestion<'a> {
    /// Start, end and options of the search.
    pub request: PathRequest<'a>,
    /// Assembles the tiles.
    pub assemble: &'a Assemble<'a>,
    /// Searches for the path.
    pub search: &'a SearchPath<'a>,
    /// The known result for the current settings, when other settings are tried.
    pub known: Option<KnownBreak<'a>>,
    /// Number of voxel columns baked so far.
    pub spent: Cell<u64>,
}

/// The obstacle with the current settings.
#[derive(Clone, Copy, Debug)]
pub struct KnownBreak<'a> {
    /// The current bake plan.
    pub plan: &'a BakePlan,
    /// The obstacle.
    pub found: &'a RouteBreak,
}

/// Maximum number of voxel columns of a candidate's bake, unless twice the columns of the current bake are more.
const MAX_TRIED: u64 = 1_500_000;
/// Maximum ratio of voxel columns of a candidate's bake to the current bake.
const MOST_FINER: u64 = 20;
/// Number of voxel columns that a candidate's bake may always have.
const FEW_TRIED: u64 = 400_000;
/// Maximum number of voxel columns of all candidates' bakes together.
const MAX_COLUMNS: u64 = 16_000_000;
/// Maximum number of voxel columns up to which the ground of all tiles is compared, for side effects.
const MAX_COMPARED: u64 = 4_000_000;

impl RouteQuestion<'_> {
    /// Returns whether `path` is complete and has both ends at the requested positions.
    pub fn is_answered(&self, path: &NavPath) -> bool {
        path.status == PathStatus::Complete
            && is_there(self.request.start, path.start)
            && is_there(self.request.end, path.end)
    }

    /// Bakes all tiles of `plan`. Returns the navmesh, and the ground if it is small enough to compare.
    ///
    /// # Errors
    /// The first [`BakeError`] of a tile, or of the navmesh.
    pub fn bake(
        &self,
        plan: &BakePlan,
        monitor: &dyn Monitor,
    ) -> Result<(NavMesh, Vec<GroundMap>), BakeError> {
        let keep =
            if n_columns(plan) <= MAX_COMPARED { BakeOutput::Stages } else { BakeOutput::Tile };
        let coords: Vec<_> = plan.tiles().collect();
        let n_steps = usize::try_from(n_columns(plan)).unwrap_or(usize::MAX);
        let baked = side_by_side::each(coords, n_steps, |coord| {
            let baked = bake_tile(plan, coord, keep, monitor)?;
            let ground = baked.stages.map(|stages| GroundMap::of(&stages));
            Ok::<_, BakeError>((coord, baked.tile, ground))
        });
        let (mut tiles, mut ground) = (Vec::new(), Vec::new());
        for one in baked {
            let (coord, tile, map) = one?;
            tiles.extend(tile.map(|tile| (coord, Arc::new(tile))));
            ground.extend(map);
        }
        Ok(((self.assemble)(plan, tiles)?, ground))
    }
}

impl Question for RouteQuestion<'_> {
    fn ask(&self, plan: &BakePlan, monitor: &dyn Monitor) -> Result<Outcome, BakeError> {
        let known = self.known;
        let still = || known.map_or_else(unexplained, |known| as_obstacle(known.found.clone()));
        let n_columns = n_columns(plan);
        let present = known.map_or(n_columns, |known| self::n_columns(known.plan));
        let finer = present.saturating_mul(MOST_FINER).clamp(FEW_TRIED, MAX_TRIED);
        let most = finer.max(present.saturating_mul(2));
        let spent = self.spent.get() + n_columns;
        if n_columns > most || (spent > MAX_COLUMNS && self.spent.get() > 0) {
            return Ok(Outcome { obstacle: Some(still()), ground: Vec::new() });
        }
        self.spent.set(spent);
        let (mesh, ground) = self.bake(plan, monitor)?;
        let is_present =
            |known: &KnownBreak<'_>| known.plan.input().settings == plan.input().settings;
        if known.is_some_and(|known| is_present(&known)) {
            return Ok(Outcome { obstacle: Some(still()), ground });
        }
        let Ok(path) = (self.search)(&mesh, &self.request) else {
            return Ok(Outcome { obstacle: Some(still()), ground });
        };
        if self.is_answered(&path) {
            // An end off the navmesh is fixed where it is, not up to a meter beside it.
            let at = match known.map(|known| known.found.cause) {
                Some(Cause::StartOffMesh) => Some(self.request.start),
                Some(Cause::EndOffMesh) => Some(self.request.end),
                Some(_) | None => None,
            };
            let is_fixed = at.is_none_or(|at| stands_at(&mesh, at, plan.params().cell_height));
            let obstacle = if is_fixed { None } else { Some(still()) };
            return Ok(Outcome { obstacle, ground });
        }
        let query = (&self.request, &path);
        let answer = explain_path(Some(plan), &mesh, query, RouteDepth::First, monitor)?;
        // An obstacle more expensive than the known one is ignored, and the known one remains the cause.
        let most = known.map_or(f32::INFINITY, |known| known.found.price.max(CHEAP));
        let next = answer.first.filter(|next| next.price <= most);
        Ok(Outcome { obstacle: Some(next.map_or_else(still, as_obstacle)), ground })
    }
}

fn n_columns(plan: &BakePlan) -> u64 {
    plan.grid_size().into_iter().map(u64::from).product()
}

/// Price up to which another obstacle counts as the next one to fix.
const CHEAP: f32 = 1.5;

fn as_obstacle(found: RouteBreak) -> Obstacle {
    let RouteBreak { cause, measure, text, remedies, .. } = found;
    Obstacle { cause, stage: None, measure, text, remedies }
}

fn unexplained() -> Obstacle {
    let text = phrase!("no obstacle was found between the two sides");
    Obstacle { cause: Cause::Unexplained, stage: None, measure: None, text, remedies: Vec::new() }
}

//! "Can an agent stand here?" asked of bakes with other settings.

use glam::Vec3;
use walkable_bake::bake::{BakeError, BakePlan, Keep, bake_tile};
use walkable_runtime::{
    monitor::Monitor,
    query::{Filter, nearest},
    stage::Stage,
};

use super::{
    Verdict, explain,
    fix_search::{Obstacle, Outcome, Question},
    ground_map::GroundMap,
    reason::Reason,
    remedies::remedies,
    tile_at,
};

/// Whether an agent can stand at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaceQuestion {
    /// The place.
    pub at: Vec3,
    /// The triangle of the mesh on which it lies, if known.
    pub triangle: Option<u32>,
}

impl Question for PlaceQuestion {
    fn ask(&self, plan: &BakePlan, monitor: &dyn Monitor) -> Result<Outcome, BakeError> {
        let Some(tile) = tile_at(plan, self.at) else {
            let obstacle = Some(obstacle(plan, Stage::Slope, &Reason::OutsideLevel));
            return Ok(Outcome { obstacle, ground: Vec::new() });
        };
        let baked = bake_tile(plan, tile, Keep::Stages, monitor)?;
        let Some(stages) = baked.stages else {
            let obstacle = Some(obstacle(plan, Stage::Tile, &Reason::Unexplained));
            return Ok(Outcome { obstacle, ground: Vec::new() });
        };
        let ground = vec![GroundMap::of(&stages)];
        let mesh = plan.link(baked.tile.map(std::sync::Arc::new))?;
        let is_there = stands_at(&mesh, self.at, plan.params().cell_height);
        let obstacle = if is_there {
            None
        } else {
            match explain(plan, &stages, self.at, self.triangle).verdict {
                Verdict::Lost { stage, reason } => Some(obstacle(plan, stage, &reason)),
                Verdict::Walkable { .. } => {
                    Some(obstacle(plan, Stage::Detail, &Reason::Unexplained))
                }
            }
        };
        Ok(Outcome { obstacle, ground })
    }
}

/// How far above or below the navmesh a place still means the ground there, in meters: logs of games give the middle
/// of a foot, a collider's bottom, or a height before the agent was put on the ground.
pub(super) fn reach(cell_height: f32) -> f32 {
    (0.35 + 2.0 * cell_height).min(0.6)
}

/// How far aside of the navmesh a place may be, in meters: rounding.
const ASIDE: f32 = 0.02;

/// Whether a polygon of `mesh` lies at `at`: right under it, not only near it.
pub(super) fn stands_at(
    mesh: &walkable_runtime::navmesh::NavMesh,
    at: Vec3,
    cell_height: f32,
) -> bool {
    let reach = reach(cell_height);
    let found = nearest(mesh, at, Vec3::new(ASIDE, reach, ASIDE), &Filter::default());
    found.is_some_and(|end| {
        let off = end.point - at;
        off.y.abs() <= reach && off.with_y(0.0).length() < ASIDE
    })
}

fn obstacle(plan: &BakePlan, stage: Stage, reason: &Reason) -> Obstacle {
    Obstacle {
        cause: reason.cause(),
        stage: Some(stage),
        measure: reason.measure(),
        text: reason.to_string(),
        remedies: remedies(plan, reason),
    }
}

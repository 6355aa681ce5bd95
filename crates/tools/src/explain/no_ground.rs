//! Answers the question "Is anything in this level walkable?" for a bake and for bakes with other settings.

use walkable_bake::bake::{
    BakeError, BakeOutput, BakePlan, BakeSettings, GroundLeft, GroundRemoval, GroundRemover,
    bake_tile,
};
use walkable_runtime::{monitor::Monitor, phrase, stage::Stage};

use super::{
    cause::Cause,
    fix::SettingsFix,
    fix_search::{FixLimits, Outcome, Question, fixes_from},
    ground_map::GroundMap,
    obstacle::Obstacle,
    rungs::Remedy,
};

/// Why nothing in a level is walkable, and how to fix it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NoGroundAnswer {
    /// The cause that removed the ground; `None` if the level has ground.
    pub obstacle: Option<Obstacle>,
    /// Settings with which the level has ground. Settings that do not change the agent come first, then settings with
    /// more ground.
    pub fixes: Vec<SettingsFix>,
    /// Whether the search for settings ended because it reached the limit of bakes.
    pub is_cut_short: bool,
}

/// Explains why nothing in the level of `plan` is walkable, and finds settings with which the level has ground. Each
/// fix is baked and verified. Calls `found` with each fix as soon as it is verified.
///
/// Every candidate bakes all tiles of the level, so `limits` should allow few bakes of a large level.
///
/// # Errors
/// [`BakeError`] if the level cannot be baked or the monitor cancels.
pub fn why_no_ground(
    plan: &BakePlan,
    limits: FixLimits,
    found: &mut dyn FnMut(SettingsFix),
    monitor: &dyn Monitor,
) -> Result<NoGroundAnswer, BakeError> {
    // Without ground, this visits all tiles.
    let start = AnyGround { stops_early: true }.ask(plan, monitor)?;
    let obstacle = start.obstacle.clone();
    if obstacle.is_none() || limits.n_bakes == 0 {
        return Ok(NoGroundAnswer { obstacle, ..NoGroundAnswer::default() });
    }
    let question = AnyGround { stops_early: false };
    let all = fixes_from(plan, (&question, &start), limits, found, monitor)?;
    let mut fixes = all.fixes;
    fixes.sort_by(|a, b| {
        let gained = |fix: &SettingsFix| fix.side_effects.gained_m2;
        changes_agent(a).cmp(&changes_agent(b)).then(gained(b).total_cmp(&gained(a)))
    });
    Ok(NoGroundAnswer { obstacle, fixes, is_cut_short: all.is_cut_short })
}

fn changes_agent(fix: &SettingsFix) -> bool {
    fix.set.iter().any(|new| new.key.starts_with("agent_"))
}

/// Asks whether any tile has ground.
struct AnyGround {
    /// Whether to stop at the first tile with ground. The outcome then lacks the ground of the other tiles.
    stops_early: bool,
}

impl Question for AnyGround {
    fn ask(&self, plan: &BakePlan, monitor: &dyn Monitor) -> Result<Outcome, BakeError> {
        let (mut left, mut ground, mut has_tile) = (GroundLeft::default(), Vec::new(), false);
        for tile in plan.tiles() {
            if has_tile && self.stops_early {
                break;
            }
            let baked = bake_tile(plan, tile, BakeOutput::Stages, monitor)?;
            has_tile |= baked.tile.is_some();
            if let Some(stages) = baked.stages {
                left += GroundLeft::of(&stages, plan, monitor)?;
                ground.push(GroundMap::of(&stages));
            }
        }
        let removal = if has_tile { None } else { Some(left.removal()) };
        let obstacle = removal.map(|removal| obstacle(&plan.input().settings, removal));
        Ok(Outcome { obstacle, ground })
    }
}

/// Converts `removal` to an obstacle with the settings that may help, the most likely remedy first. Finer voxels come
/// first, because they do not change the agent.
fn obstacle(settings: &BakeSettings, removal: Option<GroundRemoval>) -> Obstacle {
    let finer = |key| Remedy::finer(settings, key);
    let climb = || Remedy::larger_climb(settings, 2.0 * settings.agent_max_climb);
    let text = removal.map_or_else(|| phrase!("no stage removed it"), |removal| removal.phrase());
    let (cause, stage, remedies) = match removal {
        None => (Cause::Unexplained, Stage::Tile, Vec::new()),
        Some(GroundRemoval::NoTriangles) => (Cause::NoGround, Stage::Slope, Vec::new()),
        Some(GroundRemoval::Slope { .. }) => {
            (Cause::TooSteep, Stage::Slope, vec![Remedy::larger_slope(settings.agent_max_slope)])
        }
        Some(GroundRemoval::Bounds { .. }) => (Cause::OutOfBounds, Stage::Spans, Vec::new()),
        Some(GroundRemoval::Spans { by: GroundRemover::Filters, .. }) => {
            let finer = [finer("cell_height"), finer("cell_size")];
            let agent = [climb(), Remedy::smaller_height(settings)];
            (Cause::Ledge, Stage::Filtered, [finer, agent].concat())
        }
        Some(GroundRemoval::Spans { by: GroundRemover::Radius, .. }) => {
            let remedies = vec![finer("cell_size"), Remedy::smaller_radius(settings)];
            (Cause::NearEdge, Stage::Eroded, remedies)
        }
        Some(GroundRemoval::Spans { by: GroundRemover::Volumes, .. }) => {
            (Cause::Volume, Stage::Eroded, Vec::new())
        }
        Some(GroundRemoval::Spans { by: GroundRemover::Regions, .. }) => {
            let size = Remedy::smaller(settings, "region_min_size", f32::MAX, 0.5);
            let partition = Remedy::others(settings, "partition", &["monotone", "layers"]);
            (Cause::RegionTooSmall, Stage::Regions, vec![finer("cell_size"), size, partition])
        }
        Some(GroundRemoval::Spans { by: GroundRemover::Contours, .. }) => {
            let error = Remedy::smaller(settings, "edge_max_error", f32::MAX, 0.1);
            (Cause::CutOff, Stage::Contours, vec![finer("cell_size"), error])
        }
    };
    Obstacle { cause, stage: Some(stage), measure: None, text, remedies }
}

//! Finds two settings that help together although neither helps alone.

use walkable_bake::bake::{BakeError, BakeInput, BakePlan, ParamValue};
use walkable_runtime::monitor::Monitor;

use super::{RouteBreak, RouteQuestion};
use crate::explain::{Cause, NewSetting, Question as _, SettingsFix, side_effects};

/// Width of the passage and radius of the agent to try, in voxels. With the first pair, one voxel remains in the middle
/// at any position of the passage in the grid.
const TRIED: [(f32, f32); 4] = [(5.0, 1.0), (6.5, 1.0), (4.0, 0.0), (8.0, 0.0)];

/// Finds a voxel size and an agent radius small enough for the passage `found`. Both were baked and verified. Returns
/// `None` if the break is not a passage or no pair helps.
///
/// # Errors
/// [`BakeError`] if the level cannot be baked with the current settings or the monitor cancels.
pub fn propose_pair(
    plan: &BakePlan,
    question: &RouteQuestion<'_>,
    found: &RouteBreak,
    monitor: &dyn Monitor,
) -> Result<Option<SettingsFix>, BakeError> {
    let width = found.measure.and_then(|measure| measure.measured);
    let Some(width) = width.filter(|_| found.cause == Cause::Narrow) else { return Ok(None) };
    // The budget excludes bakes spent on other fixes.
    question.spent.set(0);
    let before = question.bake(plan, monitor)?.1;
    let settings = &plan.input().settings;
    for (n_voxels, radius) in TRIED {
        let cell = (width / n_voxels * 1000.0).floor() / 1000.0;
        if cell >= settings.cell_size || cell < 0.01 {
            continue;
        }
        let value = |key, value: f32| NewSetting { key, value: ParamValue::Float(value) };
        let set = vec![value("agent_radius", radius * cell), value("cell_size", cell)];
        let mut changed = settings.clone();
        if set.iter().any(|new| new.apply(&mut changed).is_err()) {
            continue;
        }
        let input = BakeInput { settings: changed, ..plan.input().clone() };
        let Ok(finer) = plan.renewed(input) else { continue };
        let Ok(outcome) = question.ask(&finer, monitor) else { continue };
        if outcome.obstacle.is_none() {
            let side_effects = side_effects(&before, &outcome.ground);
            return Ok(Some(SettingsFix { set, side_effects }));
        }
    }
    Ok(None)
}

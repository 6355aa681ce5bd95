//! Explains why a bake has no tiles.

use anyhow::anyhow;
use walkable::bake::BakePlan;
use walkable_workspace::{
    limits::InTime,
    runner::{self, BakeOne, TileOutcome},
};

/// A bake without tiles, to be explained.
pub(super) struct Empty<'a> {
    pub(super) plan: &'a BakePlan,
    /// Bakes a tile with its stages.
    pub(super) again: &'a BakeOne<'a>,
}

impl Empty<'_> {
    /// Returns why `outcomes` hold no tile: some failed, or a stage removed the ground, which is found by baking again
    /// with all stages.
    pub(super) fn why(&self, outcomes: &[TileOutcome]) -> anyhow::Error {
        let n_failed = outcomes.iter().filter(|outcome| outcome.result.is_err()).count();
        if n_failed > 0 {
            let n = outcomes.len();
            return anyhow!("no tile was baked: {n_failed} of {n} tiles failed, as reported above");
        }
        nothing_walkable(self.plan, self.again)
    }
}

/// Returns why none of the tiles of `plan` has ground, which is found by baking them again with all stages, with
/// `again`.
pub(super) fn nothing_walkable(plan: &BakePlan, again: &BakeOne<'_>) -> anyhow::Error {
    match runner::ground_removal(plan, again, &InTime) {
        Some(removal) => {
            anyhow!(
                "nothing is walkable: {removal}; `walkable why` with the level and its settings searches for settings that work"
            )
        }
        None => anyhow!("nothing is walkable"),
    }
}

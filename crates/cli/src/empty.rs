//! Explains why a bake has no tiles.

use anyhow::anyhow;
use walkable::bake::{self, BakePlan};
use walkable_workspace::{
    limits::InTime,
    runner::{self, BakeOne, TileOutcome},
};

use super::findings::Findings;

pub(super) struct Empty<'a> {
    pub(super) plan: &'a BakePlan,
    /// Bakes a tile with its stages.
    pub(super) again: &'a BakeOne<'a>,
}

impl Empty<'_> {
    /// Returns why no tile of `outcomes` has ground: tiles failed, or a stage removed the ground. To find that stage,
    /// bakes all tiles again and keeps their stages.
    pub(super) fn why(&self, outcomes: &[TileOutcome], findings: &mut Findings) -> anyhow::Error {
        let n_failed = outcomes.iter().filter(|outcome| outcome.result.is_err()).count();
        if n_failed > 0 {
            let n = outcomes.len();
            return anyhow!("no tile was baked: {n_failed} of {n} tiles failed, as reported above");
        }
        nothing_walkable(self.plan, self.again, findings)
    }
}

/// Returns why no tile of `plan` has ground, and adds it to `findings`. Bakes all tiles with `again`, which keeps their
/// stages.
pub(super) fn nothing_walkable(
    plan: &BakePlan,
    again: &BakeOne<'_>,
    findings: &mut Findings,
) -> anyhow::Error {
    let found = match runner::ground_removal(plan, again, &InTime) {
        Ok(removal) => bake::nothing_walkable(removal),
        Err(cancelled) => return cancelled.into(),
    };
    let why = found.phrase();
    findings.keep(found);
    anyhow!("{why}; `walkable why` with the level and its settings searches for settings that work")
}

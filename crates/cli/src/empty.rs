//! Why a bake has no tile.

use anyhow::anyhow;
use walkable::{
    bake::{BakePlan, GroundLeft},
    monitor::Unmonitored,
};
use walkable_editor::runner::{BakeOne, TileOutcome};

/// Tells why no tile came out.
pub(super) struct Empty<'a> {
    pub(super) plan: &'a BakePlan,
    /// Bakes a tile with its stages.
    pub(super) again: &'a BakeOne<'a>,
}

impl Empty<'_> {
    /// Why `outcomes` hold no tile: some failed, or a stage took the ground, which baking again with all stages tells.
    pub(super) fn why(&self, outcomes: &[TileOutcome]) -> anyhow::Error {
        let n_failed = outcomes.iter().filter(|outcome| outcome.result.is_err()).count();
        if n_failed > 0 {
            let n = outcomes.len();
            return anyhow!("no tile came out: {n_failed} of {n} tiles failed, as said above");
        }
        nothing_walkable(self.plan, self.again)
    }
}

/// Why none of the tiles of `plan` has ground, told by baking them again with all stages, with `again`.
pub(super) fn nothing_walkable(plan: &BakePlan, again: &BakeOne<'_>) -> anyhow::Error {
    let of_tile = |coord| {
        let baked = again(coord, &Unmonitored).ok()?;
        GroundLeft::of(baked.stages.as_deref()?, plan, &Unmonitored).ok()
    };
    let mut all = GroundLeft::default();
    plan.tiles().filter_map(of_tile).for_each(|left| all += left);
    match all.taken() {
        Some(taken) => anyhow!("nothing is walkable: {taken}"),
        None => anyhow!("nothing is walkable"),
    }
}

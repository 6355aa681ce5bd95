//! Finds everything that fixes a broken path.

use walkable_bake::bake::{BakeError, BakeLimits, BakePlan};
use walkable_runtime::{monitor::Monitor, navmesh::NavMesh};

use super::{KnownBreak, RouteBreak, RouteQuestion, propose_link};
use crate::explain::{Cause, Fix, FixLimits, Obstacle, find_fixes_reporting};

/// Maximum number of voxel columns of all bakes of a search together.
const COLUMNS: u64 = 20_000_000;
/// Number of bakes that a search may always run, even for a very large level.
const FEWEST: usize = 4;

/// The fixes for a broken path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathFixes {
    /// The fixes, ranked: see [`Fix::rank`].
    pub fixes: Vec<Fix>,
    /// The obstacles behind the first one, in order. The settings in [`PathFixes::fixes`] fix them too.
    pub then: Vec<Obstacle>,
    /// Whether the search for settings stopped at its limit of bakes.
    pub is_cut_short: bool,
}

/// Finds fixes for the obstacle in [`RouteQuestion::known`]: settings and an off-mesh link, each verified by a bake,
/// search options, and changes to the level in words. `mesh` is the current navmesh. Calls `found` with each fix as
/// soon as it is verified.
///
/// # Errors
/// [`BakeError`] if the level cannot be baked with the current settings, or if the monitor cancels.
pub fn find_path_fixes(
    question: &RouteQuestion<'_>,
    mesh: &NavMesh,
    limits: BakeLimits,
    found: &mut dyn FnMut(Fix),
    monitor: &dyn Monitor,
) -> Result<PathFixes, BakeError> {
    let Some(KnownBreak { plan, found: first }) = question.known else {
        return Ok(PathFixes::default());
    };
    let simple = fixes_without_bake(first);
    simple.iter().cloned().for_each(&mut *found);
    let mut all = PathFixes::default();
    let link = if first.can_be_bridged() {
        propose_link(plan, (question, mesh), first, monitor)?
    } else {
        None
    };
    let link = link.map(Fix::Link);
    link.iter().cloned().for_each(&mut *found);
    if !first.remedies.is_empty() {
        let limits = FixLimits { bake: limits, ..limits_for(plan) };
        let mut report = |fix| found(Fix::Settings(fix));
        let settings = find_fixes_reporting(plan, question, limits, &mut report, monitor)?;
        all.is_cut_short = settings.is_cut_short;
        all.then.extend(settings.chain.into_iter().skip(1));
        all.fixes.extend(settings.fixes.into_iter().map(Fix::Settings));
    }
    all.fixes.extend(link.into_iter().chain(simple));
    all.fixes.sort_by_key(Fix::rank);
    Ok(all)
}

/// Returns the fixes for `first` that need no bake: search options, and changes to the level in words.
pub fn fixes_without_bake(first: &RouteBreak) -> Vec<Fix> {
    let terms = (!first.terms.is_empty()).then(|| Fix::Terms(first.terms.clone()));
    first.advice.clone().map(Fix::Geometry).into_iter().chain(terms).collect()
}

impl RouteBreak {
    /// Returns whether an off-mesh link can cross the obstacle.
    fn can_be_bridged(&self) -> bool {
        matches!(
            self.cause,
            Cause::Gap | Cause::Step | Cause::TooSteep | Cause::DeadLink | Cause::OneWay
        )
    }
}

/// Returns the limits of a search: fewer bakes for a large level.
fn limits_for(plan: &BakePlan) -> FixLimits {
    let [n_x, n_z] = plan.grid_size().map(u64::from);
    let n = COLUMNS / (n_x * n_z).max(1);
    let usual = FixLimits::default();
    let n_bakes = usize::try_from(n).unwrap_or(usize::MAX).clamp(FEWEST, usual.n_bakes);
    FixLimits { n_bakes, ..usual }
}

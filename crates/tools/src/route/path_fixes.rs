//! All that helps against what is in the way of a path, tried.

use walkable_bake::bake::{BakeError, BakeLimits, BakePlan};
use walkable_runtime::{monitor::Monitor, navmesh::NavMesh};

use super::{Known, RouteBreak, RouteQuestion, propose_link, propose_pair};
use crate::explain::{Cause, Fix, FixLimits, Obstacle, find_fixes_reporting};

/// Columns of voxels that all bakes of a search for fixes may have together.
const COLUMNS: u64 = 20_000_000;
/// The fewest bakes that a search for fixes may take, however large the level is.
const FEWEST: usize = 4;

/// What helps against what is in the way of a path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathFixes {
    /// Settings, the ones with the least side effects first, then an off-mesh link, terms of the search, changes of the
    /// level.
    pub fixes: Vec<Fix>,
    /// What would be in the way next, in order; the settings help against all of it.
    pub then: Vec<Obstacle>,
    /// Whether the limit of bakes ended the search for settings.
    pub is_cut_short: bool,
}

/// Looks for what helps against the break that `question` knows: settings and an off-mesh link, each baked and tried,
/// terms of the search, and changes of the level in words. `mesh` is the present navmesh. Calls `found` with fixes as
/// they are found.
///
/// # Errors
/// [`BakeError`] where the level cannot be baked with the present settings, or the monitor cancels.
pub fn find_path_fixes(
    question: &RouteQuestion<'_>,
    mesh: &NavMesh,
    limits: BakeLimits,
    found: &mut dyn FnMut(Fix),
    monitor: &dyn Monitor,
) -> Result<PathFixes, BakeError> {
    let Some(Known { plan, found: first }) = question.known else {
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
        if all.fixes.is_empty() {
            let pair = propose_pair(plan, question, first, monitor)?;
            all.fixes.extend(pair.map(Fix::Settings));
        }
    }
    all.fixes.extend(link.into_iter().chain(simple));
    Ok(all)
}

/// What helps against `first` and needs no bake to be tried: terms of the search, changes of the level in words.
pub fn fixes_without_bake(first: &RouteBreak) -> Vec<Fix> {
    let terms = (!first.terms.is_empty()).then(|| Fix::Terms(first.terms.clone()));
    terms.into_iter().chain(first.advice.clone().map(Fix::Geometry)).collect()
}

impl RouteBreak {
    /// Whether an off-mesh link may lead over it.
    fn can_be_bridged(&self) -> bool {
        matches!(
            self.cause,
            Cause::Gap | Cause::Step | Cause::TooSteep | Cause::DeadLink | Cause::OneWay
        )
    }
}

/// How much a search may try in a level of this size.
fn limits_for(plan: &BakePlan) -> FixLimits {
    let [n_x, n_z] = plan.grid_size().map(u64::from);
    let n = COLUMNS / (n_x * n_z).max(1);
    let usual = FixLimits::default();
    let n_bakes = usize::try_from(n).unwrap_or(usize::MAX).clamp(FEWEST, usual.n_bakes);
    FixLimits { n_bakes, ..usual }
}

//! Searches for settings that fix a problem. Each candidate is baked and the question is answered again, so every fix
//! that is returned has been verified.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet, VecDeque},
};

use walkable_bake::bake::{
    BakeError, BakeInput, BakeLimits, BakePlan, BakeSettings, VoxelParams, settings_advice,
};
use walkable_runtime::{
    diagnostic::{Code, Diagnostic},
    monitor::Monitor,
};

use super::{
    cause::Cause,
    fix::{NewSetting, SettingsFix},
    ground_map::{GroundMap, side_effects},
    obstacle::Obstacle,
    rungs::Remedy,
};

/// A question to answer for each bake: whether an agent can stand at a place, or whether a path exists.
pub trait Question {
    /// Answers the question for the settings of `plan`.
    ///
    /// # Errors
    /// [`BakeError`] from the tiles that it bakes.
    fn ask(&self, plan: &BakePlan, monitor: &dyn Monitor) -> Result<Outcome, BakeError>;
}

/// The result of one bake.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The problem; `None` if there is none.
    pub obstacle: Option<Obstacle>,
    /// The ground of the baked tiles, to compute side effects.
    pub ground: Vec<GroundMap>,
}

/// Limits of a search for fixes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixLimits {
    /// Maximum number of bakes.
    pub n_bakes: usize,
    /// Maximum number of settings that one fix changes.
    pub n_settings: usize,
    /// Maximum number of fixes to return.
    pub n_fixes: usize,
    /// Limits of memory and time for the bake of one candidate.
    pub bake: BakeLimits,
    /// For a level without tiles: the maximum number of cells up to which each candidate is baked in full. In a larger
    /// level, candidates are baked only around the place, and the fixes found are verified on the whole level.
    pub n_cells: u64,
}

impl Default for FixLimits {
    fn default() -> Self {
        let bake = BakeLimits { n_bytes: 1 << 30, secs: 60.0 };
        Self { n_bakes: 64, n_settings: 3, n_fixes: 4, bake, n_cells: 400_000 }
    }
}

/// The fixes that were found, and statistics of the search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundFixes {
    /// Fixes that work: those of the bake before those of the agent, then the smallest side effects first.
    pub fixes: Vec<SettingsFix>,
    /// The problem with the current settings, followed by each problem that appears once the previous one is fixed.
    pub chain: Vec<Obstacle>,
    /// Number of candidates that were baked.
    pub n_bakes: usize,
    /// Whether the search ended because it reached the limit of bakes.
    pub is_cut_short: bool,
}

/// Searches for settings that fix a problem.
///
/// Starting from the current settings, each remedy for the problem is increased just enough to fix it. If another
/// problem appears, its remedies are tried on top.
///
/// # Errors
/// [`BakeError`] if the current settings cannot be baked or the monitor cancels. Candidates that cannot be baked are
/// skipped.
pub fn find_fixes(
    plan: &BakePlan,
    question: &dyn Question,
    limits: FixLimits,
    monitor: &dyn Monitor,
) -> Result<FoundFixes, BakeError> {
    find_fixes_reporting(plan, question, limits, &mut |_| {}, monitor)
}

/// Same as [`find_fixes`], and calls `found` with each fix as soon as it is verified.
pub(crate) fn find_fixes_reporting(
    plan: &BakePlan,
    question: &dyn Question,
    limits: FixLimits,
    found: &mut dyn FnMut(SettingsFix),
    monitor: &dyn Monitor,
) -> Result<FoundFixes, BakeError> {
    let start = question.ask(plan, monitor)?;
    fixes_from(plan, (question, &start), limits, found, monitor)
}

/// Same as [`find_fixes_reporting`], for a known answer `start` with the current settings.
pub(super) fn fixes_from(
    plan: &BakePlan,
    (question, start): (&dyn Question, &Outcome),
    limits: FixLimits,
    found: &mut dyn FnMut(SettingsFix),
    monitor: &dyn Monitor,
) -> Result<FoundFixes, BakeError> {
    let mut search =
        FixSearch { plan, question, limits, monitor, known: BTreeMap::new(), n_bakes: 0 };
    search.run(start, found)
}

/// The result of trying a candidate.
#[derive(Debug, PartialEq)]
enum Trial {
    /// The candidate cannot be baked, or the limit of bakes is reached.
    Refused,
    /// The problem is fixed.
    Works,
    /// The same problem remains, or another one appears.
    Blocked(Obstacle),
}

/// Fixes keep at least this share of the agent's radius and height.
const LEAST_SIZE: f32 = 0.5;

/// Changed settings, sorted by name.
type Changes = Vec<NewSetting>;

struct FixSearch<'a> {
    plan: &'a BakePlan,
    question: &'a dyn Question,
    limits: FixLimits,
    monitor: &'a dyn Monitor,
    /// Results of the candidates tried, by their settings as text; `None` if they cannot be baked.
    known: BTreeMap<String, Option<Outcome>>,
    n_bakes: usize,
}

impl FixSearch<'_> {
    fn run(
        &mut self,
        start: &Outcome,
        report: &mut dyn FnMut(SettingsFix),
    ) -> Result<FoundFixes, BakeError> {
        let mut found = FoundFixes::default();
        let mut waiting: VecDeque<(Changes, Vec<Obstacle>)> = VecDeque::new();
        waiting.extend(start.obstacle.clone().map(|obstacle| (Changes::new(), vec![obstacle])));
        // Remedies can undo one another; each set of changes is tried once.
        let mut seen: Vec<Changes> = Vec::new();
        let mut n_working = 0;
        while let Some((changes, chain)) = waiting.pop_front() {
            let Some(obstacle) = chain.last().cloned() else { continue };
            // Keeps the longest chain so far until a fix works; then keeps the chain of the first working fix.
            if n_working == 0 && found.chain.len() < chain.len() {
                found.chain.clone_from(&chain);
            }
            for remedy in &obstacle.remedies {
                let is_new = changes.iter().all(|new| new.key != remedy.key);
                if is_new && self.limits.n_settings <= changes.len() {
                    continue;
                }
                let Some((with, next)) = self.least(&changes, remedy, obstacle.cause)? else {
                    continue;
                };
                let working = match next {
                    None => {
                        if n_working == 0 {
                            found.chain.clone_from(&chain);
                        }
                        Some(with)
                    }
                    Some(next) => {
                        let beyond = self.beyond(&changes, remedy, &with)?;
                        if !seen.contains(&with) {
                            seen.push(with.clone());
                            waiting
                                .push_back((with, chain.iter().cloned().chain([next]).collect()));
                        }
                        beyond
                    }
                };
                if let Some(working) = working {
                    n_working += 1;
                    let fix = self.fix_of(start, working)?;
                    fix.iter().cloned().for_each(&mut *report);
                    found.fixes.extend(fix);
                }
            }
            // Candidates are sorted by their number of settings, so later candidates would change more settings than
            // needed.
            if n_working >= self.limits.n_fixes {
                break;
            }
        }
        if found.fixes.iter().all(SettingsFix::changes_agent)
            && let Some(obstacle) = &start.obstacle
            && let Some(pair) = self.pair(obstacle, &found.fixes)?
        {
            let fix = self.fix_of(start, pair)?;
            fix.iter().cloned().for_each(&mut *report);
            found.fixes.extend(fix);
        }
        self.rank(&mut found.fixes);
        found.n_bakes = self.n_bakes;
        found.is_cut_short = self.limits.n_bakes <= self.n_bakes;
        Ok(found)
    }

    /// Returns the fix for working `changes`, without the settings that it does not need.
    fn fix_of(
        &mut self,
        start: &Outcome,
        changes: Changes,
    ) -> Result<Option<SettingsFix>, BakeError> {
        let set = self.without_needless(changes)?;
        let outcome = self.known.get(&text(&set)).and_then(Option::as_ref);
        let effects = outcome.map(|outcome| side_effects(&start.ground, &outcome.ground));
        Ok(effects.map(|side_effects| SettingsFix { set, side_effects }))
    }

    /// Returns `changes` with the smallest value of `remedy` that fixes `cause`, and the next problem, if there is one.
    /// Returns `None` if no value fixes it.
    fn least(
        &mut self,
        changes: &Changes,
        remedy: &Remedy,
        cause: Cause,
    ) -> Result<Option<(Changes, Option<Obstacle>)>, BakeError> {
        let with = |rung: usize| with_rung(changes, remedy, rung);
        let helps = |search: &mut Self, rung: usize| -> Result<bool, BakeError> {
            let Some(with) = with(rung) else { return Ok(false) };
            Ok(match search.trial(&with)? {
                Trial::Refused => false,
                Trial::Works => true,
                Trial::Blocked(other) => other.cause != cause,
            })
        };
        // Exponential search up to the first value that helps, then binary search between the last failure and it.
        let Some(last) = self.last_rung(changes, remedy) else { return Ok(None) };
        let (mut low, mut high, mut stride) = (None, 0, 1);
        while !helps(self, high)? {
            if high == last || self.limits.n_bakes <= self.n_bakes {
                return Ok(None);
            }
            low = Some(high);
            high = (high + stride).min(last);
            stride *= 2;
        }
        let mut below = low.map_or(0, |low| low + 1);
        while below < high {
            let middle = usize::midpoint(below, high);
            if helps(self, middle)? {
                high = middle;
            } else {
                below = middle + 1;
            }
        }
        let Some(with) = with(high) else { return Ok(None) };
        Ok(match self.trial(&with)? {
            Trial::Refused => None,
            Trial::Works => Some((with, None)),
            Trial::Blocked(next) => Some((with, Some(next))),
        })
    }

    /// Returns the index of the last value of `remedy` that keeps the agent large enough.
    fn last_rung(&self, changes: &Changes, remedy: &Remedy) -> Option<usize> {
        let is_valid = |rung: &usize| {
            let with = with_rung(changes, remedy, *rung);
            with.is_some_and(|with| self.changed(&with).is_some())
        };
        (0..remedy.values.len()).rev().find(is_valid)
    }

    /// Tries larger values of `remedy` than in `with`, and returns the smallest one that works: the next problem may
    /// have the same cause.
    fn beyond(
        &mut self,
        changes: &Changes,
        remedy: &Remedy,
        with: &Changes,
    ) -> Result<Option<Changes>, BakeError> {
        let is_set = |value| with.iter().any(|new| new.key == remedy.key && new.value == value);
        let Some(at) = remedy.values.iter().position(|&value| is_set(value)) else {
            return Ok(None);
        };
        let works = |search: &mut Self, rung: usize| -> Result<bool, BakeError> {
            let with = with_rung(changes, remedy, rung);
            with.map_or(Ok(false), |with| Ok(search.trial(&with)? == Trial::Works))
        };
        let Some(last) = self.last_rung(changes, remedy) else { return Ok(None) };
        let (mut low, mut stride) = (at, 1);
        let mut high = loop {
            let rung = (low + stride).min(last);
            if rung == low || self.limits.n_bakes <= self.n_bakes {
                return Ok(None);
            }
            if works(self, rung)? {
                break rung;
            }
            (low, stride) = (rung, 2 * stride);
        };
        while low + 1 < high {
            let middle = usize::midpoint(low, high);
            if works(self, middle)? { high = middle } else { low = middle }
        }
        Ok(with_rung(changes, remedy, high))
    }

    /// Finds two settings that help together although neither helps alone: lower and narrower voxels on a ramp, or unless
    /// other fixes are `known`, finer voxels and a smaller agent: coarse voxels leave no sizes of the agent to choose from.
    fn pair(
        &mut self,
        obstacle: &Obstacle,
        known: &[SettingsFix],
    ) -> Result<Option<Changes>, BakeError> {
        for key in ["cell_size", "cell_height"] {
            let Some(finer) = obstacle.remedies.iter().find(|remedy| remedy.key == key) else {
                continue;
            };
            for rung in 0..finer.values.len() {
                let Some(changes) = with_rung(&Changes::new(), finer, rung) else { break };
                let Some(settings) = self.changed(&changes) else { continue };
                let smaller = match key {
                    "cell_size" => Remedy::smaller_radius(&settings),
                    _ => Remedy::smaller_height(&settings),
                };
                let climbs = || VoxelParams::new(&settings).is_ok_and(|p| p.walkable_climb_vx > 0);
                let is_ramp = key == "cell_height" && obstacle.cause == Cause::CellTooCoarse;
                let narrower = (is_ramp && climbs()).then(|| Remedy::finer(&settings, "cell_size"));
                for other in narrower.into_iter().chain(known.is_empty().then_some(smaller)) {
                    let working = match self.least(&changes, &other, obstacle.cause)? {
                        Some((with, Some(_next))) => self.beyond(&changes, &other, &with)?,
                        least => least.map(|(with, _)| with),
                    };
                    if working.is_some() {
                        return Ok(working);
                    }
                }
            }
        }
        Ok(None)
    }

    /// Removes from `changes` every setting that the fix does not need.
    fn without_needless(&mut self, changes: Changes) -> Result<Changes, BakeError> {
        let mut needed = changes.clone();
        for new in changes {
            let fewer: Changes = needed.iter().copied().filter(|old| *old != new).collect();
            if !fewer.is_empty() && self.trial(&fewer)? == Trial::Works {
                needed = fewer;
            }
        }
        Ok(needed)
    }

    /// Returns whether a fix causes no new warning of [`settings_advice`].
    fn is_sensible(&self, fix: &SettingsFix) -> bool {
        let warnings = |settings: &BakeSettings| -> BTreeSet<Code> {
            let advice = settings_advice(settings);
            advice.iter().filter(|found| found.is_warning()).map(Diagnostic::code).collect()
        };
        let settings = &self.plan.input().settings;
        let after = fix.applied(settings).map(|changed| warnings(&changed));
        after.is_ok_and(|after| after.is_subset(&warnings(settings)))
    }

    /// Tries `changes`, or returns the known result.
    fn trial(&mut self, changes: &Changes) -> Result<Trial, BakeError> {
        let name = text(changes);
        if !self.known.contains_key(&name) {
            if self.limits.n_bakes <= self.n_bakes {
                return Ok(Trial::Refused);
            }
            self.n_bakes += 1;
            let outcome = self.try_out(changes)?;
            self.known.insert(name.clone(), outcome);
        }
        let outcome = self.known.get(&name).and_then(Option::as_ref);
        let trial =
            |outcome: &Outcome| outcome.obstacle.clone().map_or(Trial::Works, Trial::Blocked);
        Ok(outcome.map_or(Trial::Refused, trial))
    }

    /// Returns the settings with these changes; `None` if they are not valid, or make the agent too small.
    fn changed(&self, changes: &Changes) -> Option<BakeSettings> {
        let given = &self.plan.input().settings;
        let mut settings = given.clone();
        changes.iter().try_for_each(|new| new.apply(&mut settings)).ok()?;
        let sizes = |settings: &BakeSettings| [settings.agent_radius, settings.agent_height];
        let mut sizes = sizes(given).into_iter().zip(sizes(&settings));
        sizes.all(|(given, now)| LEAST_SIZE * given <= now).then_some(settings)
    }

    fn try_out(&self, changes: &Changes) -> Result<Option<Outcome>, BakeError> {
        self.monitor.check()?;
        let Some(settings) = self.changed(changes) else { return Ok(None) };
        let input = BakeInput { settings, ..self.plan.input().clone() };
        let Ok(plan) = self.plan.renewed(input) else { return Ok(None) };
        if plan.check_limits(1, self.limits.bake).is_err() {
            return Ok(None);
        }
        match self.question.ask(&plan, self.monitor) {
            Ok(outcome) => Ok(Some(outcome)),
            Err(BakeError::Cancelled(cancelled)) => Err(cancelled.into()),
            Err(_refused) => Ok(None),
        }
    }

    /// Sorts fixes. Removes those against which [`settings_advice`] warns, unless there are no others, and those that change
    /// all settings of a better fix.
    fn rank(&self, fixes: &mut Vec<SettingsFix>) {
        fixes.sort_by(compare_fixes);
        let is_sensible = |fix: &SettingsFix| self.is_sensible(fix);
        if fixes.iter().any(is_sensible) {
            fixes.retain(is_sensible);
        }
        let mut kept: Vec<SettingsFix> = Vec::new();
        for fix in fixes.drain(..) {
            let changes = |key| fix.set.iter().any(|new| new.key == key);
            if !kept.iter().any(|other| other.set.iter().all(|new| changes(new.key))) {
                kept.push(fix);
            }
        }
        kept.truncate(self.limits.n_fixes);
        *fixes = kept;
    }
}

/// Compares fixes: those of the bake before those of the agent, fewer settings before more, and a smaller area of changed
/// ground before a larger one.
pub(super) fn compare_fixes(a: &SettingsFix, b: &SettingsFix) -> Ordering {
    let [x, y] = [a, b].map(|fix| (fix.changes_agent(), fix.set.len()));
    x.cmp(&y).then_with(|| a.side_effects.total_m2().total_cmp(&b.side_effects.total_m2()))
}

/// Adds value number `rung` of `remedy` to `changes`.
fn with_rung(changes: &Changes, remedy: &Remedy, rung: usize) -> Option<Changes> {
    let new = remedy.at(rung)?;
    let mut with: Changes = changes.iter().copied().filter(|old| old.key != new.key).collect();
    with.push(new);
    with.sort_by_key(|new| new.key);
    Some(with)
}

fn text(changes: &Changes) -> String {
    changes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

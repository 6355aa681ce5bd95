//! The search for settings with which a question is answered as one would like it: each candidate is baked and the
//! question asked again, so that what is offered works.

use std::collections::{BTreeMap, VecDeque};

use walkable_bake::bake::{BakeError, BakeInput, BakeLimits, BakePlan, BakeSettings};
use walkable_runtime::{monitor::Monitor, stage::Stage};

use super::{
    cause::{Cause, Measure},
    fix::{NewSetting, SettingsFix},
    ground_map::{GroundMap, side_effects},
    rungs::Remedy,
};

/// What is asked of each bake: can an agent stand here, is there a path.
pub trait Question {
    /// The answer with the settings of `plan`.
    ///
    /// # Errors
    /// [`BakeError`] of the tiles that it bakes.
    fn ask(&self, plan: &BakePlan, monitor: &dyn Monitor) -> Result<Outcome, BakeError>;
}

/// What came of a bake.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// What is in the way; `None` where nothing is.
    pub obstacle: Option<Obstacle>,
    /// The ground of the tiles that were baked, for side effects.
    pub ground: Vec<GroundMap>,
}

/// What is in the way, and which settings may help.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// What it is.
    pub cause: Cause,
    /// The stage of the bake that put it there, where it was one.
    pub stage: Option<Stage>,
    /// The number that decided.
    pub measure: Option<Measure>,
    /// What it is, in a clause for people.
    pub text: String,
    /// Settings to try, the most natural first.
    pub remedies: Vec<Remedy>,
}

/// How much a search may try.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixLimits {
    /// Most bakes.
    pub n_bakes: usize,
    /// Most settings that one fix changes.
    pub n_settings: usize,
    /// Most fixes that are offered.
    pub n_fixes: usize,
    /// The most that the bake of a candidate may take.
    pub bake: BakeLimits,
    /// Most cells of a level in one piece that is baked as a whole for each candidate; of a larger one the part around
    /// the place is, and the whole for what is offered.
    pub n_cells: u64,
}

impl Default for FixLimits {
    fn default() -> Self {
        let bake = BakeLimits { n_bytes: 1 << 30, secs: 60.0 };
        Self { n_bakes: 64, n_settings: 3, n_fixes: 4, bake, n_cells: 400_000 }
    }
}

/// Fixes, and how the search went.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundFixes {
    /// Fixes that work, the one with the least side effects first.
    pub fixes: Vec<SettingsFix>,
    /// What is in the way with the present settings, and what would be next each time that is gone.
    pub chain: Vec<Obstacle>,
    /// Candidates that were baked.
    pub n_bakes: usize,
    /// Whether the limit of bakes ended the search.
    pub is_cut_short: bool,
}

/// Looks for settings with which nothing is in the way.
///
/// Starting from the present settings, each remedy of what is in the way is turned just so far that it is gone. Where
/// something else is in the way then, its remedies are tried on top.
///
/// # Errors
/// [`BakeError`] where the present settings cannot be baked, or the monitor cancels. Candidates that cannot be baked
/// are left out.
pub fn find_fixes(
    plan: &BakePlan,
    question: &dyn Question,
    limits: FixLimits,
    monitor: &dyn Monitor,
) -> Result<FoundFixes, BakeError> {
    find_fixes_reporting(plan, question, limits, &mut |_| {}, monitor)
}

/// As [`find_fixes`]; calls `found` with each fix as soon as it is known to work.
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

/// As [`find_fixes_reporting`], where the answer with the present settings is known: `start`.
pub(super) fn fixes_from(
    plan: &BakePlan,
    (question, start): (&dyn Question, &Outcome),
    limits: FixLimits,
    found: &mut dyn FnMut(SettingsFix),
    monitor: &dyn Monitor,
) -> Result<FoundFixes, BakeError> {
    let mut search = Search { plan, question, limits, monitor, known: BTreeMap::new(), n_bakes: 0 };
    search.run(start, found)
}

/// What came of a candidate.
#[derive(Debug, PartialEq)]
enum Trial {
    /// It cannot be baked, or the limit of bakes was reached.
    Refused,
    /// Nothing is in the way.
    Works,
    /// Something is.
    Blocked(Obstacle),
}

/// Changed settings, by name.
type Changes = Vec<NewSetting>;

/// Values that are tried beyond the first with which something else is in the way.
const N_BEYOND: usize = 3;

struct Search<'a> {
    plan: &'a BakePlan,
    question: &'a dyn Question,
    limits: FixLimits,
    monitor: &'a dyn Monitor,
    /// What was tried, by its settings as text; `None` where they cannot be baked.
    known: BTreeMap<String, Option<Outcome>>,
    n_bakes: usize,
}

impl Search<'_> {
    fn run(
        &mut self,
        start: &Outcome,
        report: &mut dyn FnMut(SettingsFix),
    ) -> Result<FoundFixes, BakeError> {
        let mut found = FoundFixes::default();
        let mut waiting: VecDeque<(Changes, Vec<Obstacle>)> = VecDeque::new();
        waiting.extend(start.obstacle.clone().map(|obstacle| (Changes::new(), vec![obstacle])));
        let mut n_working = 0;
        while let Some((changes, chain)) = waiting.pop_front() {
            let Some(obstacle) = chain.last().cloned() else { continue };
            // That of the first fix found, or else the first that was followed.
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
                        let chain = chain.iter().cloned().chain([next]).collect();
                        waiting.push_back((with, chain));
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
            // What needs fewer settings is enough.
            if n_working >= self.limits.n_fixes {
                break;
            }
        }
        self.rank(&mut found.fixes);
        found.n_bakes = self.n_bakes;
        found.is_cut_short = self.limits.n_bakes <= self.n_bakes;
        Ok(found)
    }

    /// The fix that sets what is needed of `changes`, which work.
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

    /// The least value of `remedy` on top of `changes` with which `cause` is not in the way any more, and what is
    /// instead. `None` where no value helps.
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
        // In growing strides up to the first that helps, then back to the least between it and the last that did not.
        let Some(last) = remedy.values.len().checked_sub(1) else { return Ok(None) };
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

    /// The changes with a value of `remedy` a little beyond that of `with`, if with those nothing is in the way: what
    /// comes next may be what is left of the same thing.
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
        for rung in (at + 1..remedy.values.len()).take(N_BEYOND) {
            let Some(with) = with_rung(changes, remedy, rung) else { break };
            if self.trial(&with)? == Trial::Works {
                return Ok(Some(with));
            }
        }
        Ok(None)
    }

    /// `changes` without those that it works without.
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

    /// What comes of `changes`.
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

    fn try_out(&self, changes: &Changes) -> Result<Option<Outcome>, BakeError> {
        self.monitor.check()?;
        let Some(settings) = changed(&self.plan.input().settings, changes) else { return Ok(None) };
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

    /// The least change of ground first; each set of settings once.
    fn rank(&self, fixes: &mut Vec<SettingsFix>) {
        fixes.sort_by(|a, b| {
            let [x, y] = [a, b].map(|fix| fix.side_effects.total_m2());
            x.total_cmp(&y).then(a.set.len().cmp(&b.set.len()))
        });
        let mut kept: Vec<SettingsFix> = Vec::new();
        for fix in fixes.drain(..) {
            if !kept.iter().any(|other| other.set == fix.set) {
                kept.push(fix);
            }
        }
        kept.truncate(self.limits.n_fixes);
        *fixes = kept;
    }
}

/// `changes` with the value number `rung` of `remedy`.
fn with_rung(changes: &Changes, remedy: &Remedy, rung: usize) -> Option<Changes> {
    let new = remedy.at(rung)?;
    let mut with: Changes = changes.iter().copied().filter(|old| old.key != new.key).collect();
    with.push(new);
    with.sort_by_key(|new| new.key);
    Some(with)
}

fn changed(settings: &BakeSettings, changes: &Changes) -> Option<BakeSettings> {
    let mut settings = settings.clone();
    changes.iter().try_for_each(|new| new.apply(&mut settings)).ok()?;
    Some(settings)
}

fn text(changes: &Changes) -> String {
    changes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

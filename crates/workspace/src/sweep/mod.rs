//! Bakes a level with combinations of settings on all cores, measures each bake, and runs path tests on it.

mod file;

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

pub use file::{SweepFileError, SweepRow, read_sweep, sweep_to_csv};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use walkable::{
    bake::{BakeConfig, BakeError, BakeLimits, BakeOutput, BakePlan, LevelPart},
    diagnostic::Phrase,
    mesh::TriMesh,
    monitor::Monitor,
    navmesh::NavMesh,
    phrase,
    query::Scratch,
    suite::PathCase,
    sweep::{Combination, SweepGoal, SweepOutcome, best_for_suite, measure, pareto_front},
};

use crate::{
    document::Finish,
    files, lang, limits,
    path_tests::{Volumes, filter_of, run_timed},
    runner::{self, TileOutcome},
};

pub type Outcomes = BTreeMap<u64, SweepOutcome>;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SweepInput {
    pub mesh: Arc<TriMesh>,
    /// The part of the level that they are, if they are not the whole level.
    pub part: Option<LevelPart>,
    /// The settings that combinations change, and everything else that a bake depends on.
    pub config: BakeConfig,
    pub finish: Finish,
    pub cases: Vec<PathCase>,
    pub volumes: Volumes,
    /// How to raise the limits of memory and of time, for messages.
    #[serde(skip)]
    pub raise: [&'static str; 2],
}

impl SweepInput {
    fn fingerprint(&self) -> u64 {
        let Self { mesh, part, config: _, finish, cases, volumes, raise: _ } = self;
        let mut bytes = format!("{finish:?}{:?}", mesh.parts()).into_bytes();
        if let Some(part) = part {
            bytes.extend(format!("{part:?}").into_bytes());
        }
        if !cases.is_empty() {
            bytes.extend(format!("{cases:?}{volumes:?}").into_bytes());
        }
        for vertex in mesh.vertices() {
            bytes.extend(vertex.to_array().iter().flat_map(|at| at.to_le_bytes()));
        }
        for triangle in mesh.triangles() {
            bytes.extend(triangle.iter().flat_map(|at| at.to_le_bytes()));
        }
        files::fingerprint(&bytes)
    }
}

/// Keeps the cases that run on the agent `active`; the others need the settings of their own agents. Also returns their
/// number.
pub fn cases_of_agent(cases: &[PathCase], active: Option<&str>) -> (Vec<PathCase>, usize) {
    let is_own = |case: &&PathCase| case.agent.is_none() || case.agent.as_deref() == active;
    let own: Vec<_> = cases.iter().filter(is_own).cloned().collect();
    let n_others = cases.len() - own.len();
    (own, n_others)
}

#[derive(Clone, Debug)]
pub struct PlannedBake {
    pub values: Vec<String>,
    /// Identifies the input: bakes with equal fingerprints have equal results.
    pub fingerprint: u64,
    config: Result<BakeConfig, String>,
}

#[derive(Clone, Debug)]
pub struct Sweep {
    input: SweepInput,
    pub planned: Vec<PlannedBake>,
}

/// Memory and time that one bake may use.
#[derive(Clone, Copy)]
struct Share {
    n_threads: usize,
    limits: BakeLimits,
}

/// Cancels when a flag is set, or the time is over.
struct Flag<'a>(&'a AtomicBool);

impl Monitor for Flag<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed) || limits::InTime.is_cancelled()
    }
}

/// Why a bake has no outcome.
enum NoOutcome {
    TooLarge(Phrase),
    Cancelled,
}

impl Sweep {
    pub fn new(input: SweepInput, combinations: &[Combination]) -> Self {
        let rest = input.fingerprint();
        let planned = combinations.iter().map(|combination| {
            let mut config = input.config.clone();
            let applied = combination.apply(&mut config.settings);
            let version = env!("CARGO_PKG_VERSION");
            let text = format!("{version}\n{rest:016x}\n{}", config.to_text());
            PlannedBake {
                values: combination.texts(),
                fingerprint: files::fingerprint(text.as_bytes()),
                config: applied.map(|()| config).map_err(|error| error.to_string()),
            }
        });
        let planned = planned.collect();
        Self { input, planned }
    }

    /// Returns the bakes that have no outcome in `known`; equal ones only once.
    fn unknown(&self, known: &Outcomes) -> Vec<&PlannedBake> {
        let unknown = self.planned.iter().filter(|bake| !known.contains_key(&bake.fingerprint));
        let unknown: BTreeMap<_, _> = unknown.map(|bake| (bake.fingerprint, bake)).collect();
        unknown.into_values().collect()
    }

    /// Returns the number of bakes that have no outcome in `known`; equal ones count once.
    pub fn n_unknown(&self, known: &Outcomes) -> usize {
        self.unknown(known).len()
    }

    /// Bakes the combinations that have no outcome in `known`, side by side, and calls `done` with each outcome on the
    /// thread that baked it. Returns soon after `cancel` is set.
    pub fn run(
        &self,
        known: &Outcomes,
        cancel: &AtomicBool,
        done: &(dyn Fn(u64, SweepOutcome) + Sync),
    ) {
        let n_threads = runner::default_threads();
        let limits = limits::of_bakes();
        let n = u64::try_from(n_threads).unwrap_or(u64::MAX).max(1);
        let all = Share { n_threads, limits };
        let one =
            Share { n_threads: 1, limits: BakeLimits { n_bytes: limits.n_bytes / n, ..limits } };
        let large = self.unknown(known).into_par_iter().filter_map(|planned| {
            match self.bake(planned, one, cancel) {
                Ok(outcome) => done(planned.fingerprint, outcome),
                Err(NoOutcome::TooLarge(_)) => return Some(planned),
                Err(NoOutcome::Cancelled) => {}
            }
            None
        });
        // Bakes that need more than their share of the memory come last, one by one.
        for planned in large.collect::<Vec<_>>() {
            match self.bake(planned, all, cancel) {
                Ok(outcome) => done(planned.fingerprint, outcome),
                Err(NoOutcome::TooLarge(why)) => {
                    done(planned.fingerprint, SweepOutcome::Failed(why));
                }
                Err(NoOutcome::Cancelled) => return,
            }
        }
    }

    fn bake(
        &self,
        planned: &PlannedBake,
        share: Share,
        cancel: &AtomicBool,
    ) -> Result<SweepOutcome, NoOutcome> {
        if Flag(cancel).is_cancelled() {
            return Err(NoOutcome::Cancelled);
        }
        let config = match &planned.config {
            Ok(config) => config.clone(),
            Err(why) => return Ok(SweepOutcome::Failed(why.clone().into())),
        };
        let input = config.with_mesh(Arc::clone(&self.input.mesh)).of_part(self.input.part);
        let plan = BakePlan::new(input);
        let plan = match plan {
            Ok(plan) => plan,
            Err(error) => return Ok(SweepOutcome::Failed(error.to_string().into())),
        };
        let [memory, time] = self.input.raise.map(|text| Phrase::new(text, Vec::new()));
        let or = |error: BakeError, remedy| {
            phrase!("{error}, or {remedy}", error = error.to_string(), remedy)
        };
        match plan.check_limits(share.n_threads, share.limits) {
            Ok(_) => {}
            Err(error @ BakeError::TooMuchMemory { .. }) => {
                return Err(NoOutcome::TooLarge(or(error, memory)));
            }
            Err(error @ BakeError::TooMuchTime { .. }) => {
                return Ok(SweepOutcome::Failed(or(error, time)));
            }
            Err(error) => return Ok(SweepOutcome::Failed(error.to_string().into())),
        }
        let measured = self.measured(&plan, share.n_threads, cancel);
        if Flag(cancel).is_cancelled() {
            return Err(NoOutcome::Cancelled);
        }
        Ok(measured.unwrap_or_else(|error| SweepOutcome::Failed(lang::error(&error))))
    }

    fn measured(
        &self,
        plan: &BakePlan,
        n_threads: usize,
        cancel: &AtomicBool,
    ) -> anyhow::Result<SweepOutcome> {
        let outcomes: Mutex<Vec<TileOutcome>> = Mutex::default();
        let add = |outcome| outcomes.lock().unwrap_or_else(PoisonError::into_inner).push(outcome);
        let bake_one = runner::from_memory(plan, BakeOutput::Tile);
        runner::run(plan.tiles(), &bake_one, n_threads, cancel, &add);
        let mut outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
        outcomes.sort_by_key(|outcome| (outcome.coord.z, outcome.coord.x));
        let seconds: Duration = outcomes.iter().map(|outcome| outcome.times.total()).sum();
        if let Some(error) = outcomes.iter().find_map(|outcome| outcome.result.as_ref().err()) {
            let n_failed = outcomes.iter().filter(|outcome| outcome.result.is_err()).count();
            let (n, error) = (outcomes.len(), error.to_string());
            anyhow::bail!(phrase!("{n_failed} of {n} tiles failed: {error}", n_failed, n, error));
        }
        let finish = &self.input.finish;
        let mut mesh = finish.link(plan, &runner::baked_tiles(&outcomes))?;
        finish.prune(&mut mesh);
        let mut result = measure(&mesh, plan, seconds.as_secs_f64(), &Flag(cancel))?;
        if !self.input.cases.is_empty() {
            let [passed, failed] = self.run_cases(&mesh, cancel);
            (result.tests_passed, result.tests_failed) = (Some(passed), Some(failed));
        }
        Ok(SweepOutcome::Measured(result))
    }

    /// Runs the path tests on a navmesh, and counts those that pass and those that fail. A case that cannot run fails.
    fn run_cases(&self, mesh: &NavMesh, cancel: &AtomicBool) -> [u32; 2] {
        let SweepInput { cases, volumes, config, .. } = &self.input;
        let mut scratch = Scratch::default();
        volumes.in_world(mesh, &filter_of(&config.areas), |world| {
            let mut counts = [0; 2];
            for case in cases {
                if Flag(cancel).is_cancelled() {
                    break;
                }
                let run = run_timed(world, case, &mut scratch);
                let is_failed = !run.is_ok_and(|run| run.result.is_passed());
                counts[usize::from(is_failed)] += 1;
            }
            counts
        })
    }

    /// Returns the rows that have an outcome. Marks the rows on the Pareto front of `goals`, and the row that is best
    /// for the path tests.
    pub fn rows(&self, outcomes: &Outcomes, goals: &[SweepGoal]) -> Vec<SweepRow> {
        let row = |planned: &PlannedBake| {
            let outcome = outcomes.get(&planned.fingerprint)?.clone();
            let (values, fingerprint) = (planned.values.clone(), planned.fingerprint);
            let (is_best, is_best_for_suite) = (None, None);
            Some(SweepRow { values, outcome, is_best, is_best_for_suite, fingerprint })
        };
        let mut rows: Vec<SweepRow> = self.planned.iter().filter_map(row).collect();
        let results: Vec<_> = rows.iter().map(|row| row.outcome.result().copied()).collect();
        if !goals.is_empty() {
            for (row, is_best) in rows.iter_mut().zip(pareto_front(&results, goals)) {
                row.is_best = Some(is_best);
            }
        }
        if !self.input.cases.is_empty() {
            let best = best_for_suite(&results);
            for (index, row) in rows.iter_mut().enumerate() {
                row.is_best_for_suite = Some(best == Some(index));
            }
        }
        rows
    }
}

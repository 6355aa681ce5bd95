//! Bakes the navmesh of each agent, and runs the cases on it.

use walkable::{
    bake::BakePlan,
    diagnostic::Phrase,
    navmesh::NavMesh,
    query::{Filter, NavPath, PathRequest, Scratch},
    route::{RouteDepth, explain_path},
    suite::{CaseFailure, CaseQuery, CaseResult, Expectation, PathCase, SuiteWorld, search_case},
};
use walkable_workspace::{
    limits::InTime,
    path_tests::{CaseState, TimedCase, filter_of, run_timed},
};

use super::{CaseReport, CauseReport, FailureReport, MAX_CAUSES, Request, TestArgs};
use crate::{
    Failure,
    bake::agent_config,
    baked::{BakedLevel, bake_loaded},
    findings::Findings,
    load::{Level, LevelArg, SettingsArgs},
};

pub(crate) struct CaseOutcome {
    pub(crate) state: CaseState,
    ms: f32,
    cause: Option<CauseReport>,
}

pub(super) fn run_all(args: &TestArgs, request: &Request) -> Result<Vec<CaseReport>, Failure> {
    let Request { level: name, cases, settings, .. } = request;
    let n_causes = if args.no_causes { 0 } else { MAX_CAUSES };
    if let Some(mesh) = name.navmesh()? {
        if !settings.is_empty() {
            let text = format!("{name}: settings belong to a level, and this is a navmesh");
            return Err(Failure::Usage(text));
        }
        check_cases(request, cases)?;
        let outcomes = run_on_navmesh(&mesh, cases, n_causes);
        return Ok(reports(cases, outcomes));
    }
    let level = name.load(args.import.options())?;
    let cases = if request.suite.is_some() { cases } else { &level.document.path_tests };
    check_cases(request, cases)?;
    let outcomes = run_on_level((name, &level), settings, cases, None, n_causes)?;
    Ok(reports(cases, outcomes))
}

fn check_cases(request: &Request, cases: &[PathCase]) -> Result<(), Failure> {
    if cases.is_empty() {
        let text = format!("{} contains no path tests: give a suite", request.level);
        return Err(Failure::Usage(text));
    }
    Ok(())
}

/// Runs `cases` on a navmesh, and searches for the causes of up to `n_causes` failures.
pub(crate) fn run_on_navmesh(
    mesh: &NavMesh,
    cases: &[PathCase],
    n_causes: usize,
) -> Vec<CaseOutcome> {
    let mut runs = Runs::new(cases, n_causes);
    let world = SuiteWorld { mesh, filter: &Filter::default(), volumes: &[] };
    runs.run(&world, None, |_| true);
    runs.outcomes()
}

/// Runs `cases` on the navmeshes of the agents that they name. Bakes these navmeshes; `known`, if it is given, is used
/// for the active agent.
pub(crate) fn run_on_level(
    (name, level): (&LevelArg, &Level),
    settings: &SettingsArgs,
    cases: &[PathCase],
    known: Option<&BakedLevel>,
    n_causes: usize,
) -> Result<Vec<CaseOutcome>, Failure> {
    let mut runs = Runs::new(cases, n_causes);
    let mut agents: Vec<_> = cases.iter().map(|case| case.agent.as_deref()).collect();
    agents.sort_unstable();
    agents.dedup();
    let active = level.document.agents.active().map(|agent| &*agent.name);
    for agent in agents {
        let own = match agent_config(agent, level) {
            Ok(_) if agent.is_some() && settings.file.is_some() => {
                let text = "a settings file replaces the settings of the agents, but cases run on an agent";
                return Err(Failure::Usage(format!("{name}: {text}")));
            }
            Ok(own) => own,
            Err(why) => {
                runs.refuse(agent, &why);
                continue;
            }
        };
        let known = known.filter(|_| agent.is_none() || agent == active);
        let own_bake;
        let baked = if let Some(known) = known {
            known
        } else {
            let config = settings.over(own, level)?;
            let mut baked = match bake_loaded((name, level), config, &mut Findings::quiet(name)) {
                Ok(baked) => baked,
                // The cases of the other agents can still run.
                Err(error) if agent.is_some() => {
                    runs.refuse(agent, &format!("{error:#}"));
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            baked.prune();
            own_bake = baked;
            &own_bake
        };
        let input = baked.plan.input();
        let volumes = settings.volumes(level, &input.volumes);
        volumes.in_world(&baked.mesh, &filter_of(&baked.areas), |world| {
            // The plan does not contain the obstacles.
            let plan = baked.layers.is_none().then_some(&baked.plan);
            runs.run(world, plan, |case| case.agent.as_deref() == agent);
        });
    }
    Ok(runs.outcomes())
}

struct Runs<'a> {
    cases: &'a [PathCase],
    outcomes: Vec<Option<CaseOutcome>>,
    n_causes: usize,
    scratch: Scratch,
}

impl<'a> Runs<'a> {
    fn new(cases: &'a [PathCase], n_causes: usize) -> Self {
        let outcomes = cases.iter().map(|_| None).collect();
        Self { cases, outcomes, n_causes, scratch: Scratch::default() }
    }

    fn run(
        &mut self,
        world: &SuiteWorld<'_>,
        plan: Option<&BakePlan>,
        is_included: impl Fn(&PathCase) -> bool,
    ) {
        let mut is_prepared = false;
        for (index, case) in self.cases.iter().enumerate().filter(|(_, case)| is_included(case)) {
            if !is_prepared {
                // The first query prepares the polygons of the navmesh, which is not part of the time of a case.
                search_case(world, case, &mut self.scratch).ok();
                is_prepared = true;
            }
            let outcome = match run_timed(world, case, &mut self.scratch) {
                Ok(TimedCase { path, result, ms }) => {
                    let cause = self.cause((world, plan), case, (&path, &result));
                    CaseOutcome { state: CaseState::Run(result), ms, cause }
                }
                Err(error) => CaseOutcome::refused(&error.to_string()),
            };
            self.outcomes[index] = Some(outcome);
        }
    }

    fn refuse(&mut self, agent: Option<&str>, why: &str) {
        for (case, outcome) in self.cases.iter().zip(&mut self.outcomes) {
            if case.agent.as_deref() == agent {
                *outcome = Some(CaseOutcome::refused(why));
            }
        }
    }

    fn outcomes(self) -> Vec<CaseOutcome> {
        self.outcomes.into_iter().flatten().collect()
    }

    fn cause(
        &mut self,
        (world, plan): (&SuiteWorld<'_>, Option<&BakePlan>),
        case: &PathCase,
        (path, result): (&NavPath, &CaseResult),
    ) -> Option<CauseReport> {
        let is_outcome =
            |failure: &CaseFailure| matches!(failure.expectation, Expectation::Outcome(_));
        if self.n_causes == 0
            || case.query != CaseQuery::Path
            || !result.failures.iter().any(is_outcome)
        {
            return None;
        }
        self.n_causes -= 1;
        let filter = case.filter.over(world.filter);
        let request = PathRequest::new(case.start, case.end, &filter);
        let question = (&request, path);
        let found = explain_path(plan, world.mesh, question, RouteDepth::First, &InTime);
        // Without a cause the failure itself is still reported.
        let first = found.ok()?.first?;
        Some(CauseReport {
            cause: first.cause.key(),
            at: first.place,
            text: first.text.to_string(),
        })
    }
}

impl CaseOutcome {
    fn refused(why: &str) -> Self {
        Self { state: CaseState::NotRun(Phrase::verbatim(why)), ms: 0.0, cause: None }
    }
}

fn reports(cases: &[PathCase], outcomes: Vec<CaseOutcome>) -> Vec<CaseReport> {
    let numbered = cases.iter().enumerate().zip(outcomes);
    numbered.map(|((index, case), outcome)| report(case.label(index), case, outcome)).collect()
}

pub(crate) fn report(name: String, case: &PathCase, outcome: CaseOutcome) -> CaseReport {
    let CaseOutcome { state, ms, cause } = outcome;
    let passed = state.is_passed();
    let failures = state.failures().iter().map(|failure| FailureReport {
        expected: failure.expectation.to_string(),
        measured: failure.measured,
        limit: failure.limit,
        at: failure.at,
        text: failure.text.to_string(),
    });
    let failures = failures.collect();
    let result = state.result();
    CaseReport {
        name,
        agent: case.agent.clone(),
        passed,
        status: result.map(|result| result.status),
        why: result.and_then(|result| result.why),
        length: result.map_or(0.0, |result| result.length),
        cost: result.map_or(0.0, |result| result.cost),
        ms,
        failures,
        error: match state {
            CaseState::NotRun(why) => Some(why.to_string()),
            CaseState::Run(_) => None,
        },
        cause,
    }
}

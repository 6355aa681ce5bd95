//! Bakes the navmesh of each agent, and runs the cases on it.

use std::{path::PathBuf, sync::Arc};

use anyhow::Context as _;
use walkable::{
    bake::{AreaVolume, BakeConfig, BakePlan},
    mesh::TriMesh,
    monitor::Unmonitored,
    query::{Filter, NavPath, PathRequest, Scratch},
    route::{RouteDepth, explain_path},
    suite::{
        CaseFailure, CaseQuery, CaseResult, Expectation, NamedShape, PathCase, SuiteWorld,
        search_case,
    },
};
use walkable_editor::{
    limits,
    path_tests::{TimedCase, filter_of, run_timed},
    runner,
};

use super::{CaseReport, CauseReport, FailureReport, MAX_CAUSES, Request, TestArgs};
use crate::{
    Failure,
    bake::{agent_config, layered_mesh, linked_mesh},
    findings::Findings,
    limit,
    load::Level,
};

/// Runs all cases; also returns the files that were read.
pub(super) fn run_all(
    args: &TestArgs,
    request: &Request,
) -> Result<(Vec<CaseReport>, Vec<PathBuf>), Failure> {
    let Request { level, cases, settings, .. } = request;
    if let Some(mesh) = level.navmesh()? {
        if !settings.is_empty() {
            let text = format!("{level}: settings belong to a level, and this is a navmesh");
            return Err(Failure::Usage(text));
        }
        check_cases(request, cases)?;
        let mut runs = Runs::new(args, cases);
        let world = SuiteWorld { mesh: &mesh, filter: &Filter::default(), volumes: &[] };
        runs.run(&world, None, |_| true);
        return Ok((runs.reports(), Vec::new()));
    }
    let level = level.load(args.import.options())?;
    let files = level.files.clone();
    let cases = if request.suite.is_some() { cases } else { &level.document.path_tests };
    check_cases(request, cases)?;
    let mut runs = Runs::new(args, cases);
    let triangles = Arc::new(level.mesh.clone());
    let mut agents: Vec<_> = cases.iter().map(|case| case.agent.as_deref()).collect();
    agents.sort_unstable();
    agents.dedup();
    for agent in agents {
        match agent_config(agent, &level) {
            Ok(_) if agent.is_some() && settings.file.is_some() => {
                let text = "a settings file replaces the settings of the agents, but cases run on an agent";
                return Err(Failure::Usage(format!("{}: {text}", request.level)));
            }
            Ok(own) => {
                let own = settings.over(own, &level.mesh.bounds())?;
                run_on_agent(request, (&level, &triangles, own), agent, &mut runs)?;
            }
            Err(why) => runs.refuse(agent, &why),
        }
    }
    Ok((runs.reports(), files))
}

fn check_cases(request: &Request, cases: &[PathCase]) -> Result<(), Failure> {
    if cases.is_empty() {
        let text = match &request.suite {
            Some(suite) => format!("{} contains no cases", suite.display()),
            None => format!("{} contains no path tests: give a suite", request.level),
        };
        return Err(Failure::Usage(text));
    }
    Ok(())
}

/// Bakes the navmesh of an agent, and runs its cases.
fn run_on_agent(
    request: &Request,
    (level, triangles, config): (&Level, &Arc<TriMesh>, BakeConfig),
    agent: Option<&str>,
    runs: &mut Runs<'_>,
) -> anyhow::Result<()> {
    let name = &request.level;
    let filter = filter_of(&config.areas);
    // A settings file has volumes of its own, which have no names.
    let names: Vec<_> = if request.settings.file.is_some() {
        Vec::new()
    } else {
        level.document.volumes.iter().map(|volume| volume.name.clone()).collect()
    };
    let volumes = config.volumes.clone();
    let volumes = named(&volumes, &names);
    let plan = BakePlan::new(config.with_mesh(Arc::clone(triangles)));
    let plan = plan.with_context(|| name.to_string())?;
    limit::admit(name, plan.check_limits(runner::default_threads(), limits::of_bakes()))?;
    let mut findings = Findings::quiet(name);
    let mesh = if let Some(obstacles) = &level.obstacles {
        layered_mesh(name, &plan, (obstacles, &level.finish), &mut findings)?
    } else {
        let mut mesh = linked_mesh(name, &plan, &level.finish, &mut findings)?;
        level.finish.prune(&mut mesh);
        mesh
    };
    let world = SuiteWorld { mesh: &mesh, filter: &filter, volumes: &volumes };
    // The plan does not contain the obstacles.
    let plan = level.obstacles.is_none().then_some(&plan);
    runs.run(&world, plan, |case| case.agent.as_deref() == agent);
    Ok(())
}

/// Gives the volumes their names.
fn named<'a>(volumes: &'a [AreaVolume], names: &'a [String]) -> Vec<NamedShape<'a>> {
    let names = names.iter().map(String::as_str).chain(std::iter::repeat(""));
    let named = volumes.iter().zip(names);
    named.map(|(volume, name)| NamedShape { name, shape: &volume.shape }).collect()
}

/// The cases, and the results so far.
struct Runs<'a> {
    cases: &'a [PathCase],
    reports: Vec<Option<CaseReport>>,
    /// Number of failed cases whose cause is still searched for.
    n_causes: usize,
    scratch: Scratch,
}

impl<'a> Runs<'a> {
    fn new(args: &TestArgs, cases: &'a [PathCase]) -> Self {
        let n_causes = if args.no_causes { 0 } else { MAX_CAUSES };
        let reports = cases.iter().map(|_| None).collect();
        Self { cases, reports, n_causes, scratch: Scratch::default() }
    }

    /// Runs the cases that `is_included` selects.
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
            let report = match run_timed(world, case, &mut self.scratch) {
                Ok(TimedCase { path, result, ms }) => {
                    let cause = self.cause((world, plan), case, (&path, &result));
                    CaseReport { cause, ..report(case.label(index), case, &result, ms) }
                }
                Err(error) => refused(case.label(index), case, error.to_string()),
            };
            self.reports[index] = Some(report);
        }
    }

    /// Reports that the cases of an agent cannot run.
    fn refuse(&mut self, agent: Option<&str>, why: &str) {
        for (index, case) in self.cases.iter().enumerate() {
            if case.agent.as_deref() == agent {
                self.reports[index] = Some(refused(case.label(index), case, why.to_owned()));
            }
        }
    }

    fn reports(self) -> Vec<CaseReport> {
        self.reports.into_iter().flatten().collect()
    }

    /// Explains why the path of a failed case does not reach its end.
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
        let found = explain_path(plan, world.mesh, question, RouteDepth::First, &Unmonitored);
        // Without a cause the failure itself is still reported.
        let first = found.ok()?.first?;
        Some(CauseReport { cause: first.cause.key(), at: first.place, text: first.text })
    }
}

fn report(name: String, case: &PathCase, result: &CaseResult, ms: f32) -> CaseReport {
    let failures = result.failures.iter().map(|failure| FailureReport {
        expected: failure.expectation.to_string(),
        measured: failure.measured,
        limit: failure.limit,
        at: failure.at,
        text: failure.text.clone(),
    });
    CaseReport {
        name,
        agent: case.agent.clone(),
        passed: result.is_passed(),
        status: Some(result.status),
        why: result.why,
        length: result.length,
        cost: result.cost,
        ms,
        failures: failures.collect(),
        error: None,
        cause: None,
    }
}

/// The report of a case that could not run.
fn refused(name: String, case: &PathCase, why: String) -> CaseReport {
    CaseReport {
        name,
        agent: case.agent.clone(),
        passed: false,
        status: None,
        why: None,
        length: 0.0,
        cost: 0.0,
        ms: 0.0,
        failures: Vec::new(),
        error: Some(why),
        cause: None,
    }
}

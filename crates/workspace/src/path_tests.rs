//! Runs path tests and measures the time of their searches.

use serde::{Deserialize, Serialize};
use walkable::{
    bake::{AreaTable, AreaVolume, VolumeShape},
    diagnostic::Phrase,
    monitor::{Cancelled, Monitor},
    navmesh::NavMesh,
    phrase,
    query::{Filter, NavPath, QueryError, Scratch},
    suite::{CaseFailure, CaseResult, NamedShape, PathCase, SuiteWorld, check_case, search_case},
};
use web_time::Instant;

use crate::document::{Document, Named, follow_costs};

/// Number of searches of a case with a time limit: the fastest one counts, because others may have been interrupted.
const N_TIMED: usize = 5;

#[derive(Clone, Debug)]
pub struct TimedCase {
    pub path: NavPath,
    pub result: CaseResult,
    /// Time of the search, in milliseconds.
    pub ms: f32,
}

/// Runs `case`, including its time limits. The first search on a navmesh also prepares its polygons.
///
/// # Errors
/// Returns an error if a point of the case is not finite, or a cost is negative or not finite.
pub fn run_timed(
    world: &SuiteWorld<'_>,
    case: &PathCase,
    scratch: &mut Scratch,
) -> Result<TimedCase, QueryError> {
    let limit = case.max_ms().unwrap_or(f32::INFINITY);
    let mut ms = f32::INFINITY;
    let mut path = NavPath::unreachable();
    for _ in 0..N_TIMED {
        let clock = Instant::now();
        path = search_case(world, case, scratch)?;
        ms = ms.min(clock.elapsed().as_secs_f32() * 1e3);
        if ms <= limit {
            break;
        }
    }
    let result = check_case(world, case, (&path, Some(ms)), scratch)?;
    Ok(TimedCase { path, result, ms })
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CaseState {
    /// The case did not run, for this reason.
    NotRun(Phrase),
    Run(CaseResult),
}

impl CaseState {
    /// Returns the result, if the case ran.
    pub fn result(&self) -> Option<&CaseResult> {
        match self {
            Self::NotRun(_) => None,
            Self::Run(result) => Some(result),
        }
    }

    pub fn failures(&self) -> &[CaseFailure] {
        self.result().map_or(&[], |result| &result.failures)
    }

    /// Returns whether the case ran and all expectations are met.
    pub fn is_passed(&self) -> bool {
        self.result().is_some_and(CaseResult::is_passed)
    }
}

/// The volumes of a document, for the cases that name them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Volumes(Vec<Named<VolumeShape>>);

impl Volumes {
    pub fn of(volumes: &[Named<AreaVolume>]) -> Self {
        let shapes = volumes.iter().map(|volume| {
            let Named { number, name, .. } = volume;
            Named { number: *number, name: name.clone(), ..Named::from(volume.shape.clone()) }
        });
        Self(shapes.collect())
    }

    /// Copies the shapes of volumes without names.
    pub fn unnamed(volumes: &[AreaVolume]) -> Self {
        let shapes = volumes.iter().zip(1..);
        let shapes = shapes.map(|(one, number)| Named { number, ..Named::from(one.shape.clone()) });
        Self(shapes.collect())
    }

    /// Calls `run` with the volumes, a navmesh and the filter that cases change.
    pub fn in_world<T>(
        &self,
        mesh: &NavMesh,
        filter: &Filter,
        run: impl FnOnce(&SuiteWorld<'_>) -> T,
    ) -> T {
        let volumes = self.0.iter();
        let volumes =
            volumes.map(|one| NamedShape { number: one.number, name: &one.name, shape: &one.of });
        run(&SuiteWorld { mesh, filter, volumes: &volumes.collect::<Vec<_>>() })
    }
}

/// The path tests of a document, with everything that they need but the navmeshes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuiteInput {
    filter: Filter,
    volumes: Volumes,
    pub cases: Vec<PathCase>,
    pub agent: Option<String>,
}

impl SuiteInput {
    pub fn of(document: &Document) -> Self {
        Self {
            filter: filter_of(&document.areas),
            volumes: Volumes::of(&document.volumes),
            cases: document.path_tests.clone(),
            agent: document.agents.active().map(|agent| agent.name.clone()),
        }
    }

    /// Returns whether a case runs on the navmesh of the active agent.
    pub fn is_of_active(&self, case: &PathCase) -> bool {
        case.agent.is_none() || case.agent == self.agent
    }

    /// Runs the cases that `is_included` selects on `navmesh`, and stores their states at their places in `states`.
    ///
    /// # Errors
    /// [`Cancelled`] if the monitor cancels.
    pub fn run(
        &self,
        navmesh: &NavMesh,
        is_included: impl Fn(&PathCase) -> bool,
        states: &mut [CaseState],
        monitor: &dyn Monitor,
    ) -> Result<(), Cancelled> {
        let mut scratch = Scratch::default();
        let cases = self.cases.iter().zip(states).filter(|(case, _)| is_included(case));
        self.volumes.in_world(navmesh, &self.filter, |world| {
            for (index, (case, state)) in cases.enumerate() {
                monitor.check()?;
                if index == 0 {
                    // The first search prepares the polygons of the navmesh, which is not part of the time of a case.
                    search_case(world, case, &mut scratch).ok();
                }
                *state = match run_timed(world, case, &mut scratch) {
                    Ok(timed) => CaseState::Run(timed.result),
                    Err(error) => CaseState::NotRun(error.to_string().into()),
                };
            }
            Ok(())
        })
    }
}

pub fn case_name(case: &PathCase, index: usize) -> Phrase {
    if case.name.is_empty() {
        phrase!("Case {number}", number = index + 1)
    } else {
        Phrase::verbatim(&*case.name)
    }
}

/// Returns the filter that cases change: all polygons, at the costs of `areas`.
pub fn filter_of(areas: &AreaTable) -> Filter {
    let mut filter = Filter::default();
    follow_costs(areas, &AreaTable::default(), &mut filter);
    filter
}

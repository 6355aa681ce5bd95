//! Runs path tests and measures the time of their searches.

use std::time::Instant;

use walkable::{
    bake::{AreaTable, AreaVolume, VolumeShape},
    navmesh::NavMesh,
    query::{Filter, NavPath, QueryError, Scratch},
    suite::{CaseResult, NamedShape, PathCase, SuiteWorld, check_case, search_case},
};

use crate::document::{Named, follow_costs};

/// Number of searches of a case with a time limit: the fastest one counts, because others may have been interrupted.
const N_TIMED: usize = 5;

/// A case that was run.
#[derive(Clone, Debug)]
pub struct TimedCase {
    /// Its path.
    pub path: NavPath,
    /// The comparison with its expectations.
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

/// The volumes of a document, for the cases that name them.
#[derive(Clone, Debug)]
pub struct Volumes(Vec<(String, VolumeShape)>);

impl Volumes {
    /// Copies names and shapes.
    pub fn of(volumes: &[Named<AreaVolume>]) -> Self {
        Self(volumes.iter().map(|one| (one.name.clone(), one.shape.clone())).collect())
    }

    /// Calls `run` with the volumes, a navmesh and the filter that cases change.
    pub fn in_world<T>(
        &self,
        mesh: &NavMesh,
        filter: &Filter,
        run: impl FnOnce(&SuiteWorld<'_>) -> T,
    ) -> T {
        let volumes = self.0.iter().map(|(name, shape)| NamedShape { name, shape });
        run(&SuiteWorld { mesh, filter, volumes: &volumes.collect::<Vec<_>>() })
    }
}

/// The filter that cases change: all polygons, at the costs of `areas`.
pub fn filter_of(areas: &AreaTable) -> Filter {
    let mut filter = Filter::default();
    follow_costs(areas, &AreaTable::default(), &mut filter);
    filter
}

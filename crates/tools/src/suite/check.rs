//! Compares the result of a case with its expectations.

use glam::Vec3;
use walkable_bake::bake::VolumeShape;
use walkable_runtime::{
    ids::AreaId,
    navmesh::{NavMesh, PolyKind, PolyRef},
    query::{NavPath, PathStatus, QueryError, Scratch},
};

use super::{
    CaseFailure, CaseResult, Expectation, LinkChoice, NamedShape, PassRule, PathCase, SuiteWorld,
    Tolerance, VolumeName,
    legs::{Leg, legs},
    search_case,
};
use crate::route::is_there;

/// Runs `case` and compares the result with its expectations, except for time limits: see [`check_case`].
///
/// # Errors
/// [`QueryError`] if a point of the case is not finite, or a cost is negative or not finite.
pub fn run_case(
    world: &SuiteWorld<'_>,
    case: &PathCase,
    scratch: &mut Scratch,
) -> Result<CaseResult, QueryError> {
    let path = search_case(world, case, scratch)?;
    check_case(world, case, (&path, None), scratch)
}

/// Compares `path`, the result of [`search_case`], with the expectations of `case`. Time limits are compared with `ms`,
/// the time of the search in milliseconds, and are ignored without it.
///
/// # Errors
/// [`QueryError`] if `path` was found on another navmesh.
pub fn check_case(
    world: &SuiteWorld<'_>,
    case: &PathCase,
    (path, ms): (&NavPath, Option<f32>),
    scratch: &mut Scratch,
) -> Result<CaseResult, QueryError> {
    let is_at_ends = is_there(case.start, path.start) && is_there(case.end, path.end);
    let status = match path.status {
        PathStatus::Complete if !is_at_ends => PathStatus::Partial,
        status => status,
    };
    let legs = legs(world.mesh, path, scratch)?;
    let found = Found { world, case, path, status, legs: &legs };
    let failures = case.expects.iter().filter_map(|expected| found.failure(expected, ms));
    Ok(CaseResult {
        status,
        why: path.why,
        length: path.length,
        cost: path.cost,
        failures: failures.collect(),
    })
}

/// The path of a case.
struct Found<'a> {
    world: &'a SuiteWorld<'a>,
    case: &'a PathCase,
    path: &'a NavPath,
    status: PathStatus,
    legs: &'a [Leg],
}

impl Found<'_> {
    fn failure(&self, expected: &Expectation, ms: Option<f32>) -> Option<CaseFailure> {
        let failure = |text: String| CaseFailure {
            expectation: expected.clone(),
            measured: None,
            limit: None,
            at: None,
            text,
        };
        let out_of = |name: &str, unit: &str, value: f32, tolerance: Tolerance| {
            let limit = tolerance.exceeded(value)?;
            // Each number has its unit, so that a window can convert it.
            let Tolerance { value: expected, tolerance } = tolerance;
            let text = format!(
                "the {name} is {value:.2}{unit}; expected {expected}{unit} ± {tolerance}{unit}"
            );
            Some(CaseFailure { measured: Some(value), limit: Some(limit), ..failure(text) })
        };
        match expected {
            Expectation::Outcome(outcome) => (!outcome.is(self.status)).then(|| {
                let at = self.path.points.last().copied();
                let text = format!("the path is {}; expected {outcome}", self.status_text());
                CaseFailure {
                    at: at.filter(|_| self.status == PathStatus::Partial),
                    ..failure(text)
                }
            }),
            Expectation::Length(tolerance) => out_of("length", " m", self.path.length, *tolerance),
            Expectation::Cost(tolerance) => out_of("cost", "", self.path.cost, *tolerance),
            Expectation::Volume { volume, rule } => {
                let shapes = self.shapes(volume);
                if shapes.is_empty() {
                    return Some(failure(format!("there is no {volume}")));
                }
                let inside = shapes.iter().find_map(|shape| {
                    self.legs.iter().find_map(|leg| leg.point_inside(self.world.mesh, shape))
                });
                passing(inside, *rule, &volume.to_string(), failure)
            }
            Expectation::Area { area, rule } => {
                let leg =
                    self.legs.iter().find(|leg| area_of(self.world.mesh, leg.poly) == Some(*area));
                let inside = leg.map(|leg| leg.ends[0]);
                passing(inside, *rule, &format!("area {}", area.0), failure)
            }
            Expectation::Link { link, rule } => self.link_failure(*link, *rule, failure),
            Expectation::MaxMs(limit) => {
                let ms = ms?;
                (ms > *limit).then(|| {
                    let text = format!("the search took {ms:.3} ms; the limit is {limit} ms");
                    CaseFailure { measured: Some(ms), limit: Some(*limit), ..failure(text) }
                })
            }
        }
    }

    /// Returns the status with its reason, for users.
    fn status_text(&self) -> String {
        let status = match self.status {
            PathStatus::Complete => "complete",
            PathStatus::Partial => "partial",
            PathStatus::Unreachable => "missing",
        };
        let moved =
            [("start", self.case.start, self.path.start), ("end", self.case.end, self.path.end)];
        let moved = moved.into_iter().find_map(|(name, requested, end)| {
            let distance = end.filter(|_| !is_there(requested, end))?.point.distance(requested);
            Some(format!("the nearest navmesh is {distance:.2} m from the {name}"))
        });
        let why = self.path.why.map(|why| why.to_string());
        match why.or(moved) {
            Some(why) => format!("{status} ({why})"),
            None => status.to_owned(),
        }
    }

    /// Returns the shapes of the volumes that `name` stands for.
    fn shapes(&self, name: &VolumeName) -> Vec<&VolumeShape> {
        let is_named = |one: &&NamedShape<'_>| match name {
            VolumeName::Name(name) => one.name == name,
            VolumeName::Number(number) => one.number == *number,
        };
        self.world.volumes.iter().filter(is_named).map(|one| one.shape).collect()
    }

    fn link_failure(
        &self,
        link: LinkChoice,
        rule: PassRule,
        failure: impl FnOnce(String) -> CaseFailure,
    ) -> Option<CaseFailure> {
        let used = self.path.corridor.iter().find_map(|poly| {
            let (user_id, start) = link_of(self.world.mesh, *poly)?;
            (link == LinkChoice::Any || link == LinkChoice::UserId(user_id))
                .then_some((user_id, start))
        });
        match (used, rule) {
            (Some(_), PassRule::Must) | (None, PassRule::MustNot) => None,
            (None, PassRule::Must) => Some(failure(format!("the path does not use {link}"))),
            (Some((user_id, start)), PassRule::MustNot) => {
                let text = format!("the path uses off-mesh link {user_id}");
                Some(CaseFailure { at: Some(start), ..failure(text) })
            }
        }
    }
}

/// Returns the failure of an expectation about a volume or area `name`. `inside` is a point of the path in it, if there
/// is one.
fn passing(
    inside: Option<Vec3>,
    rule: PassRule,
    name: &str,
    failure: impl FnOnce(String) -> CaseFailure,
) -> Option<CaseFailure> {
    match (inside, rule) {
        (Some(_), PassRule::Must) | (None, PassRule::MustNot) => None,
        (None, PassRule::Must) => Some(failure(format!("the path does not pass {name}"))),
        (Some(at), PassRule::MustNot) => {
            let [x, y, z] = at.to_array();
            let text = format!("the path passes {name} at {x:.2},{y:.2},{z:.2}");
            Some(CaseFailure { at: Some(at), ..failure(text) })
        }
    }
}

fn area_of(mesh: &NavMesh, poly: PolyRef) -> Option<AreaId> {
    mesh.resolve(poly).map(|(tile, index)| tile.polys[index].area)
}

/// Returns the user ID and start of the off-mesh link whose polygon is `poly`.
fn link_of(mesh: &NavMesh, poly: PolyRef) -> Option<(u32, Vec3)> {
    let (tile, index) = mesh.resolve(poly)?;
    if tile.polys[index].kind != PolyKind::OffMesh {
        return None;
    }
    let link = tile.off_mesh.iter().find(|link| usize::from(link.poly) == index)?;
    Some((link.user_id, link.ends[0]))
}

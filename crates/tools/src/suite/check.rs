//! Compares the result of a case with its expectations.

use glam::Vec3;
use walkable_bake::bake::VolumeShape;
use walkable_runtime::{
    diagnostic::{ArgumentValue, Phrase},
    ids::AreaId,
    navmesh::{NavMesh, PolyKind, PolyRef},
    phrase,
    query::{MeshPoint, NavPath, PathStatus, QueryError, Scratch, WhyNot},
};

use super::{
    CaseFailure, CaseResult, Expectation, LinkChoice, NamedShape, PassRule, PathCase, SuiteWorld,
    Tolerance, VolumeName,
    legs::{Leg, legs},
    search_case,
};
use crate::{explain::point, route::is_there};

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
    let found = CasePath { world, case, path, status, legs: &legs };
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
struct CasePath<'a> {
    world: &'a SuiteWorld<'a>,
    case: &'a PathCase,
    path: &'a NavPath,
    status: PathStatus,
    legs: &'a [Leg],
}

impl CasePath<'_> {
    fn failure(&self, expected: &Expectation, ms: Option<f32>) -> Option<CaseFailure> {
        let failure = |text: Phrase| CaseFailure {
            expectation: expected.clone(),
            measured: None,
            limit: None,
            at: None,
            text,
        };
        let out_of = |value: f32, tolerance: Tolerance, text: fn(f32, Tolerance) -> Phrase| {
            let limit = tolerance.exceeded(value)?;
            let text = text(value, tolerance);
            Some(CaseFailure { measured: Some(value), limit: Some(limit), ..failure(text) })
        };
        match expected {
            Expectation::Outcome(outcome) => (!outcome.is(self.status)).then(|| {
                let at = self.path.points.last().copied();
                let (status, outcome) = (self.status_text(), outcome.phrase());
                let text = phrase!("the path is {status}; expected {outcome}", status, outcome);
                CaseFailure {
                    at: at.filter(|_| self.status == PathStatus::Partial),
                    ..failure(text)
                }
            }),
            Expectation::Length(tolerance) => out_of(self.path.length, *tolerance, length_text),
            Expectation::Cost(tolerance) => out_of(self.path.cost, *tolerance, cost_text),
            Expectation::Volume { volume, rule } => {
                let shapes = self.shapes(volume);
                if shapes.is_empty() {
                    return Some(failure(phrase!(
                        "there is no {volume}",
                        volume = volume.phrase()
                    )));
                }
                let inside = shapes.iter().find_map(|shape| {
                    self.legs.iter().find_map(|leg| leg.point_inside(self.world.mesh, shape))
                });
                passing(inside, *rule, volume.phrase(), failure)
            }
            Expectation::Area { area, rule } => {
                let leg =
                    self.legs.iter().find(|leg| area_of(self.world.mesh, leg.poly) == Some(*area));
                let inside = leg.map(|leg| leg.ends[0]);
                passing(inside, *rule, phrase!("area {area}", area = area.0), failure)
            }
            Expectation::Link { link, rule } => self.link_failure(*link, *rule, failure),
            Expectation::MaxMs(limit) => {
                let ms = ms?;
                (ms > *limit).then(|| {
                    let text = phrase!(
                        "the search took {ms} ms; the limit is {limit} ms",
                        ms = format!("{ms:.3}"),
                        limit = limit.to_string()
                    );
                    CaseFailure { measured: Some(ms), limit: Some(*limit), ..failure(text) }
                })
            }
        }
    }

    /// Returns the status with its reason, for users.
    fn status_text(&self) -> Phrase {
        let status = match self.status {
            PathStatus::Complete => phrase!("complete"),
            PathStatus::Partial => phrase!("partial"),
            PathStatus::Unreachable => phrase!("missing"),
        };
        let moved = |requested: Vec3, end: Option<MeshPoint>| {
            let distance = end.filter(|_| !is_there(requested, end))?.point.distance(requested);
            Some(rounded_length(distance))
        };
        let start = moved(self.case.start, self.path.start)
            .map(|distance| phrase!("the nearest navmesh is {distance} from the start", distance));
        let end = moved(self.case.end, self.path.end)
            .map(|distance| phrase!("the nearest navmesh is {distance} from the end", distance));
        let why = self.path.why.map(WhyNot::phrase);
        match why.or(start).or(end) {
            Some(why) => phrase!("{status} ({why})", status, why),
            None => status,
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
        failure: impl FnOnce(Phrase) -> CaseFailure,
    ) -> Option<CaseFailure> {
        let used = self.path.corridor.iter().find_map(|poly| {
            let (user_id, start) = link_of(self.world.mesh, *poly)?;
            (link == LinkChoice::Any || link == LinkChoice::UserId(user_id))
                .then_some((user_id, start))
        });
        match (used, rule) {
            (Some(_), PassRule::Must) | (None, PassRule::MustNot) => None,
            (None, PassRule::Must) => {
                Some(failure(phrase!("the path does not use {link}", link = link.phrase())))
            }
            (Some((user_id, start)), PassRule::MustNot) => {
                let text = phrase!("the path uses off-mesh link {number}", number = user_id);
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
    name: Phrase,
    failure: impl FnOnce(Phrase) -> CaseFailure,
) -> Option<CaseFailure> {
    match (inside, rule) {
        (Some(_), PassRule::Must) | (None, PassRule::MustNot) => None,
        (None, PassRule::Must) => Some(failure(phrase!("the path does not pass {name}", name))),
        (Some(at), PassRule::MustNot) => {
            let text = phrase!("the path passes {name} at {point}", name, point = point(at));
            Some(CaseFailure { at: Some(at), ..failure(text) })
        }
    }
}

fn length_text(length: f32, Tolerance { value, tolerance }: Tolerance) -> Phrase {
    let exact = |value: f32| ArgumentValue::Quantity {
        value,
        unit: "m".into(),
        text: format!("{value} m"),
    };
    phrase!(
        "the length is {length}; expected {value} ± {tolerance}",
        length = rounded_length(length),
        value = exact(value),
        tolerance = exact(tolerance)
    )
}

fn cost_text(cost: f32, Tolerance { value, tolerance }: Tolerance) -> Phrase {
    phrase!(
        "the cost is {cost}; expected {value} ± {tolerance}",
        cost = format!("{cost:.2}"),
        value = value.to_string(),
        tolerance = tolerance.to_string()
    )
}

/// Returns a length to centimeters.
fn rounded_length(length: f32) -> ArgumentValue {
    ArgumentValue::Quantity { value: length, unit: "m".into(), text: format!("{length:.2} m") }
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

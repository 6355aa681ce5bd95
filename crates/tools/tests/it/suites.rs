//! Path tests on a level with a gap, an off-mesh link over it and two volumes.

#![expect(clippy::unwrap_used, reason = "a level that cannot be made should fail its test")]

use std::sync::Arc;

use walkable::{
    bake::{AreaVolume, BakeInput, BakeSettings, OffMeshLink, RawArea, VolumeShape, bake},
    geom::Aabb,
    glam::Vec3,
    ids::AreaId,
    mesh::{ImportOptions, read_obj},
    monitor::Unmonitored,
    navmesh::NavMesh,
    query::{Filter, PathStatus, Scratch},
    suite::{
        CaseFilter, CaseQuery, CaseResult, Expectation, LinkChoice, NamedShape, Outcome,
        PassRule::{self, Must, MustNot},
        PathCase, SuiteWorld, Tolerance, VolumeName, check_case, run_case, search_case,
    },
};

/// Two floors of 10 m by 10 m at height 0, 3 m apart.
const FLOORS: &str = "v 0 0 0\nv 0 0 10\nv 10 0 10\nv 10 0 0\nf 1 2 3 4\n\
    v 13 0 0\nv 13 0 10\nv 23 0 10\nv 23 0 0\nf 5 6 7 8\n";

struct Level {
    mesh: NavMesh,
    volumes: Vec<(&'static str, VolumeShape)>,
}

impl Level {
    /// Returns the floors, with a one-way link from the first to the second, a pond across the full width of the first,
    /// and a bridge 3 m above the pond that changes no area.
    fn new() -> Self {
        let level = read_obj(FLOORS.as_bytes()).unwrap();
        let triangles = Arc::new(ImportOptions::default().import(level).unwrap());
        let around = |min: [f32; 3], max: [f32; 3]| {
            VolumeShape::Box(Aabb::new(Vec3::from(min), Vec3::from(max)))
        };
        let pond = around([4.0, -1.0, -1.0], [6.0, 1.0, 11.0]);
        let bridge = around([4.0, 3.0, -1.0], [6.0, 4.0, 11.0]);
        let link = OffMeshLink {
            start: Vec3::new(9.0, 0.0, 5.0),
            end: Vec3::new(14.0, 0.0, 5.0),
            radius: 0.6,
            bidirectional: false,
            area: AreaId(5),
            flags: 8,
            user_id: 1000,
        };
        let input = BakeInput {
            volumes: vec![AreaVolume::new(RawArea(2), pond.clone())],
            off_mesh: vec![link],
            ..BakeInput::new(triangles, BakeSettings::default())
        };
        let mesh = bake(input, &Unmonitored).unwrap();
        Self { mesh, volumes: vec![("Pond", pond), ("", bridge)] }
    }

    fn run(&self, case: &PathCase) -> CaseResult {
        self.within(|world| run_case(world, case, &mut Scratch::default()).unwrap())
    }

    fn within<T>(&self, run: impl FnOnce(&SuiteWorld<'_>) -> T) -> T {
        let volumes = self.volumes.iter().zip(1..);
        let volumes = volumes.map(|((name, shape), number)| NamedShape { number, name, shape });
        let (volumes, filter) = (volumes.collect::<Vec<_>>(), Filter::default());
        run(&SuiteWorld { mesh: &self.mesh, filter: &filter, volumes: &volumes })
    }
}

fn case([x, to_x]: [f32; 2], expects: Vec<Expectation>) -> PathCase {
    let at = |x| Vec3::new(x, 0.0, 5.0);
    PathCase { expects, ..PathCase::new(at(x), at(to_x)) }
}

fn volume(name: &str, rule: PassRule) -> Expectation {
    Expectation::Volume { volume: VolumeName::Name(name.to_owned()), rule }
}

fn numbered(number: u32, rule: PassRule) -> Expectation {
    Expectation::Volume { volume: VolumeName::Number(number), rule }
}

fn area(id: u8, rule: PassRule) -> Expectation {
    Expectation::Area { area: AreaId(id), rule }
}

fn link(user_id: Option<u32>, rule: PassRule) -> Expectation {
    Expectation::Link { link: user_id.map_or(LinkChoice::Any, LinkChoice::UserId), rule }
}

fn about(value: f32, tolerance: f32) -> Tolerance {
    Tolerance { value, tolerance }
}

/// A path through the pond, a path before it, a path over the link and a path against the direction of the link.
const THROUGH: [f32; 2] = [2.0, 8.0];
const BEFORE: [f32; 2] = [1.0, 3.0];
const OVER: [f32; 2] = [8.0, 15.0];
const BACK: [f32; 2] = [15.0, 8.0];

#[test]
fn each_expectation_passes_and_fails() {
    use Outcome::{NotReachable, Partial, Reachable};

    let level = Level::new();
    let outcome = Expectation::Outcome;
    for (ends, expected, failure) in [
        (THROUGH, outcome(Reachable), None),
        (THROUGH, outcome(Partial), Some("the path is complete; expected partial")),
        (THROUGH, outcome(NotReachable), Some("the path is complete; expected not reachable")),
        (BACK, outcome(NotReachable), None),
        (BACK, outcome(Partial), None),
        (
            BACK,
            outcome(Reachable),
            Some(
                "the path is partial (off-mesh links lead only from the end to the start); expected reachable",
            ),
        ),
        ([2.0, 60.0], outcome(NotReachable), None),
        (
            [2.0, 60.0],
            outcome(Partial),
            Some("the path is missing (no polygon is near the end); expected partial"),
        ),
        (
            [2.0, -1.0],
            outcome(Reachable),
            Some(
                "the path is partial (the nearest navmesh is 1.91 m from the end); expected reachable",
            ),
        ),
        (THROUGH, Expectation::Length(about(6.0, 0.1)), None),
        (
            THROUGH,
            Expectation::Length(about(5.0, 0.5)),
            Some("the length is 6.00 m; expected 5 m ± 0.5 m"),
        ),
        (THROUGH, Expectation::Cost(about(6.0, 0.1)), None),
        (THROUGH, Expectation::Cost(about(7.5, 1.0)), Some("the cost is 6.00; expected 7.5 ± 1")),
        (THROUGH, volume("Pond", Must), None),
        (
            THROUGH,
            volume("Pond", MustNot),
            Some("the path passes volume \"Pond\" at 4.00,0.20,5.00"),
        ),
        (BEFORE, volume("Pond", MustNot), None),
        (BEFORE, volume("Pond", Must), Some("the path does not pass volume \"Pond\"")),
        (THROUGH, numbered(1, Must), None),
        (THROUGH, numbered(2, MustNot), None),
        (THROUGH, numbered(2, Must), Some("the path does not pass volume 2")),
        (THROUGH, numbered(3, MustNot), Some("there is no volume 3")),
        (THROUGH, volume("Lake", MustNot), Some("there is no volume \"Lake\"")),
        (THROUGH, area(2, Must), None),
        (BEFORE, area(2, MustNot), None),
        (BEFORE, area(2, Must), Some("the path does not pass area 2")),
        (OVER, area(5, Must), None),
        (OVER, link(None, Must), None),
        (OVER, link(Some(1000), Must), None),
        (OVER, link(Some(1001), MustNot), None),
        (OVER, link(Some(1001), Must), Some("the path does not use off-mesh link 1001")),
        (OVER, link(None, MustNot), Some("the path uses off-mesh link 1000")),
        (THROUGH, link(None, MustNot), None),
        (THROUGH, link(None, Must), Some("the path does not use an off-mesh link")),
    ] {
        let result = level.run(&case(ends, vec![expected.clone()]));
        let texts: Vec<_> =
            result.failures.iter().map(|failure| failure.text.to_string()).collect();
        assert_eq!(texts, Vec::from_iter(failure.map(str::to_owned)), "{ends:?}, {expected}");
        assert_eq!(result.is_passed(), failure.is_none());
    }
}

#[test]
fn failures_have_value_limit_and_place() {
    let level = Level::new();
    let expects = vec![Expectation::Length(about(5.0, 0.5)), area(2, MustNot)];
    let result = level.run(&case(THROUGH, expects));
    let [length, pond] = &result.failures[..] else { panic!("{result:?}") };
    assert_eq!((length.measured.map(f32::round), length.limit), (Some(6.0), Some(5.5)));
    assert!((3.5..4.5).contains(&pond.at.unwrap().x), "{pond:?}");
    let too_short = level.run(&case(THROUGH, vec![Expectation::Length(about(7.0, 0.5))]));
    assert_eq!(too_short.failures[0].limit, Some(6.5));
}

#[test]
fn the_filter_of_a_case_replaces_flags_and_costs() {
    let level = Level::new();
    let filter = CaseFilter { area_costs: vec![(AreaId(2), 10.0)], ..CaseFilter::default() };
    let expensive = PathCase { filter, ..case(THROUGH, Vec::new()) };
    assert!(level.run(&expensive).cost > 15.0);
    let filter = CaseFilter { exclude_flags: 8, ..CaseFilter::default() };
    let without_links = PathCase { filter, ..case(OVER, Vec::new()) };
    assert_eq!(level.run(&without_links).status, PathStatus::Partial);
    let base = Filter::default();
    assert_eq!(CaseFilter::difference(&expensive.filter.over(&base), &base), expensive.filter);
}

#[test]
fn a_ray_ends_at_the_wall() {
    let level = Level::new();
    let ray = |ends| PathCase { query: CaseQuery::Ray, ..case(ends, Vec::new()) };
    let free = level.run(&ray(THROUGH));
    assert_eq!((free.status, free.length.round()), (PathStatus::Complete, 6.0));
    let passes = vec![volume("Pond", Must), area(2, Must)];
    assert!(level.run(&PathCase { expects: passes, ..ray(THROUGH) }).is_passed());
    let walled = level.run(&ray(OVER));
    assert_eq!(walled.status, PathStatus::Partial);
    assert!((0.5..2.0).contains(&walled.length), "{walled:?}");
    assert_eq!(level.run(&ray([60.0, 2.0])).status, PathStatus::Unreachable);
}

#[test]
fn time_limits_are_compared_only_with_a_measured_time() {
    let level = Level::new();
    let limited = case(THROUGH, vec![Expectation::MaxMs(2.0)]);
    assert!(level.run(&limited).is_passed());
    level.within(|world| {
        let scratch = &mut Scratch::default();
        let path = search_case(world, &limited, scratch).unwrap();
        for (ms, passes) in [(1.0, true), (2.0, true), (3.0, false)] {
            let result = check_case(world, &limited, (&path, Some(ms)), scratch).unwrap();
            assert_eq!(result.is_passed(), passes, "{ms} ms");
        }
    });
}

#[test]
fn a_result_meets_its_own_expectations() {
    let level = Level::new();
    for ends in [THROUGH, BACK, OVER, [2.0, 60.0], [2.0, 2.0]] {
        let expects = level.run(&case(ends, Vec::new())).as_expectations();
        let result = level.run(&case(ends, expects));
        assert!(result.is_passed(), "{ends:?}: {result:?}");
    }
}

#[test]
fn points_that_are_not_finite_are_an_error() {
    let level = Level::new();
    let broken = case([f32::NAN, 2.0], Vec::new());
    let result = level.within(|world| run_case(world, &broken, &mut Scratch::default()));
    assert!(result.is_err());
}

//! Agents that follow flow fields on generated levels.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use glam::{Vec3, Vec3Swizzles as _};
use proptest::{prelude::*, test_runner::TestCaseResult};
use rayon::{ThreadPoolBuilder, prelude::*};
use walkable::{
    ids::AreaId,
    navmesh::{NavMesh, PolyKind, PolyRef},
    query::{
        Filter, FlowAgent, FlowField, FlowFieldRequest, FlowSample, FlowStep, MeshPoint,
        PathRequest, Reachability, Scratch, SearchRules, closest_point, find_shortest_path,
        flow_field,
    },
};

use crate::levels::{BESIDE, LEVELS, beside, polys, setting};

/// Returns the point of the polygons ahead at `to`. At a border, it is on the polygon from which the path is cheapest.
fn point_ahead(
    mesh: &NavMesh,
    field: &FlowField,
    sample: &FlowSample,
    to: Vec3,
) -> Option<MeshPoint> {
    let points = sample.ahead().iter().filter_map(|&poly| {
        let height = closest_point(mesh, poly, to).unwrap().point.y;
        let is_on = beside(mesh, poly, to) < BESIDE && (height - to.y).abs() < 1.0;
        is_on.then_some(MeshPoint { poly, point: to.with_y(height) })
    });
    let mut best: Option<(f32, MeshPoint)> = None;
    for at in points {
        let cost = field.cost(mesh, at)?;
        if best.is_none_or(|(least, _)| cost <= least) {
            best = Some((cost, at));
        }
    }
    best.map(|(_, at)| at)
}

/// Follows a field in strides. Returns the length of the walk, seen from above; `None` if the agent does not arrive.
fn follow_field(mesh: &NavMesh, field: &FlowField, start: MeshPoint, stride: f32) -> Option<f32> {
    let (mut at, mut agent, mut scratch) = (start, FlowAgent::default(), Scratch::default());
    let (mut length, goal) = (0.0, field.goal());
    let most = 500.0 + 4.0 * field.cost(mesh, start)? / stride;
    let mut n_strides = 0.0;
    while n_strides < most {
        n_strides += 1.0;
        if at.poly == goal.poly && at.point.xz().distance(goal.point.xz()) < 0.01 {
            return Some(length);
        }
        let sample = field.sample(mesh, at, &mut agent, &mut scratch)?;
        let saved = serde_json::to_string(&agent).unwrap();
        assert_eq!(serde_json::from_str::<FlowAgent>(&saved).unwrap(), agent);
        let away = sample.corner.xz().distance(at.point.xz());
        let (tile, index) = mesh.resolve(at.poly)?;
        let is_on_link = tile.polys[index].kind == PolyKind::OffMesh;
        let takes_link = |step: &FlowStep| is_on_link || step.onto_connection && away < 0.02;
        at = if let Some(step) = sample.next.filter(takes_link) {
            MeshPoint { poly: step.poly, point: sample.corner }
        } else {
            let to = at.point + sample.direction * stride.min(away);
            point_ahead(mesh, field, &sample, to)?
        };
        length += stride.min(away);
    }
    None
}

/// Checks that an agent that follows a field arrives exactly if a path exists, and if a limit is given, that its walk
/// is at most that many times as long as the shortest path, plus that many meters.
fn check(
    mesh: &NavMesh,
    filter: &Filter,
    [start, goal]: [MeshPoint; 2],
    (stride, limit): (f32, Option<[f32; 2]>),
) -> TestCaseResult {
    let field = flow_field(mesh, &FlowFieldRequest::new(goal, filter)).unwrap();
    let known = Reachability::new(mesh, filter).can_reach(mesh, start.poly, goal.poly);
    prop_assert_eq!(field.cost(mesh, start).is_some(), known == Some(true));
    if known != Some(true) {
        return Ok(());
    }
    let length = follow_field(mesh, &field, start, stride);
    prop_assert!(length.is_some(), "no arrival from {:?}", start);
    if let (Some(length), Some([factor, slack])) = (length, limit) {
        let half_extents = Vec3::splat(0.1);
        let request = PathRequest::new(start.point, goal.point, filter);
        let request = PathRequest { half_extents, ..request };
        let path = find_shortest_path(mesh, &request, &mut Scratch::default()).unwrap();
        let pairs = path.points.windows(2);
        let shortest: f32 = pairs.map(|pair| pair[0].xz().distance(pair[1].xz())).sum();
        prop_assert!(length <= factor * shortest + slack, "{} instead of {}", length, shortest);
    }
    Ok(())
}

fn even(filter: &Filter) -> Filter {
    let rules = SearchRules::default();
    Filter { rules, area_cost: [1.0; AreaId::COUNT], ..filter.clone() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn followers_of_fields_arrive(setting in setting(), stride in 0.05f32..0.5) {
        setting.with(|mesh, filter, ends| check(mesh, filter, ends, (stride, None)))?;
    }

    #[test]
    fn ways_over_even_ground_are_short(setting in setting(), stride in 0.05f32..0.5) {
        setting.with(|mesh, filter, ends| {
            check(mesh, &even(filter), ends, (stride, Some([1.5, 4.0])))
        })?;
    }
}

#[test]
fn samples_are_the_same_on_any_number_of_threads() {
    LEVELS.with(|levels| {
        let (mesh, filter) = (&levels[1], Filter::default());
        let on = |poly: PolyRef| MeshPoint {
            poly,
            point: closest_point(mesh, poly, Vec3::ZERO).unwrap().point,
        };
        let places: Vec<MeshPoint> = polys(mesh).into_iter().map(on).collect();
        let field = flow_field(mesh, &FlowFieldRequest::new(places[7], &filter)).unwrap();
        let sample = |scratch: &mut Scratch, &at: &MeshPoint| {
            field.sample(mesh, at, &mut FlowAgent::default(), scratch)
        };
        let mut scratch = Scratch::default();
        let one: Vec<_> = places.iter().map(|at| sample(&mut scratch, at)).collect();
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let two: Vec<_> = pool.install(|| {
            let samples = places.par_iter().map_init(Scratch::default, sample);
            samples.collect()
        });
        assert_eq!(one, two);
        assert!(one.iter().flatten().count() > 20);
    });
}

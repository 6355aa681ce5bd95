//! A warm query allocates nothing.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{alloc::System, collections::BTreeMap, sync::Arc};

use glam::{DVec2, Vec3};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use walkable::{
    bake::{BakeInput, BakeSettings, bake},
    crowd::{AgentId, AgentParams, AvoidanceParams, Crowd, CrowdParams},
    level::{LevelKind, generate},
    monitor::Unmonitored,
    navmesh::{NavMesh, PolyRef, TilePlace},
    query::{
        Corridor, CorridorRequest, Crossings, Filter, FlowAgent, FlowFieldRequest, FollowRequest,
        FollowedPath, LocalNeighborhoodRequest, MeshPoint, MoveAlongRequest, NavPath,
        NearestRequest, PathCorridor, PathRequest, PointKind, PolygonsAroundRequest,
        PolygonsAroundShapeRequest, PolygonsInBoxRequest, RandomPointAroundRequest, Raycast,
        RaycastRequest, ReachedPolygons, Scratch, SlicedPath, SlicedRequest, SlicedState,
        StraightPathRequest, SurfaceMove, WallDistanceRequest, edge_segments_into,
        find_corridor_into, find_path, find_path_into, find_shortest_path_into, flow_field,
        flow_field_into, follow_into, local_neighborhood_into, move_along_into, nearest,
        polyanya::{PlanePath, PlaneRequest, PlaneScratch, PolygonMesh, shortest_in_plane_into},
        polygons_around_into, polygons_around_shape_into, polygons_in_box_into,
        random_point_around, raycast_into, straight_path_into, update_flow_field, wall_distance,
        wall_segments_into,
    },
    streaming::{PointOfInterest, Streaming, StreamingRequest, WorldTile},
    tasks::{CrowdTasks, MovementTask, Reach, TaskRules, TaskTarget},
};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Asserts that `work` allocates nothing when it is repeated. The thread of the test harness may allocate meanwhile, so
/// it has three attempts.
#[track_caller]
fn assert_no_allocation(what: &str, mut work: impl FnMut()) {
    work();
    let counts = [(); 3].map(|()| {
        let region = Region::new(ALLOCATOR);
        work();
        let change = region.change();
        (change.allocations, change.reallocations)
    });
    assert!(counts.contains(&(0, 0)), "{what}: {counts:?} allocations and reallocations");
}

fn ends(text: &str) -> Vec<[Vec3; 2]> {
    let numbers = |line: &str| line.split(' ').map(|n| n.parse().unwrap()).collect::<Vec<f32>>();
    let lines = text.lines().map(numbers);
    lines.map(|n| [Vec3::from_slice(&n[..3]), Vec3::from_slice(&n[3..])]).collect()
}

/// A single test, because tests run in parallel and share the allocator.
#[test]
fn warm_queries_allocate_nothing() {
    let (_, case) = walkable_test_support::cases()
        .into_iter()
        .find(|(name, _)| name.ends_with("tiled"))
        .unwrap();
    let mesh = NavMesh::from_bytes(&std::fs::read(case.join("navmesh.bin")).unwrap()).unwrap();
    let queries = ends(&std::fs::read_to_string(case.join("queries.txt")).unwrap());
    let filter = Filter::default();
    let on_mesh: Vec<[MeshPoint; 2]> = queries
        .iter()
        .filter_map(|ends| {
            let near = |center| nearest(&mesh, &NearestRequest::new(center, &filter)).unwrap();
            let [start, end] = ends.map(near);
            Some([start?, end?])
        })
        .collect();
    assert!(!on_mesh.is_empty());
    assert_no_allocation("nearest", || {
        for &end in queries.iter().flatten() {
            nearest(&mesh, &NearestRequest::new(end, &filter)).unwrap();
        }
    });
    // A trace is memory as well.
    for scratch in [Scratch::default(), Scratch::traced()] {
        corridors_allocate_nothing(&mesh, &on_mesh, scratch.clone());
        surroundings_allocate_nothing(&mesh, &on_mesh, scratch.clone());
        paths_allocate_nothing(&mesh, &queries, scratch);
    }
    sliced_paths_allocate_nothing(&mesh, &on_mesh);
    moving_corridors_allocate_nothing(&mesh, &on_mesh);
    polyanya_allocates_nothing();
    flow_fields_allocate_nothing(&mesh, &on_mesh);
    tasks_allocate_nothing(&mesh, &on_mesh);
    for avoidance in [AvoidanceParams::PRESETS[3], AvoidanceParams::RECIPROCAL] {
        crowds_allocate_nothing(&mesh, &on_mesh, avoidance);
    }
    streaming_stays_within_its_budget();
}

/// Returns the bytes in use.
fn in_use() -> u64 {
    let stats = ALLOCATOR.stats();
    (stats.bytes_allocated - stats.bytes_deallocated) as u64
}

/// Walks across a world with a budget of an eighth of its memory, and runs queries on the way.
fn streaming_stays_within_its_budget() {
    let level = generate(LevelKind::Terrain, 1, 200.0).unwrap();
    let settings = BakeSettings { tile_size: 32, ..BakeSettings::default() };
    let whole = bake(BakeInput::new(Arc::new(level.mesh), settings), &Unmonitored).unwrap();
    let bounds = whole.bounds();
    let (params, width) = (*whole.params(), whole.width());
    let data: BTreeMap<TilePlace, Vec<u8>> =
        whole.tiles().map(|tile| (TilePlace::of(tile), tile.to_bytes())).collect();
    let budget = whole.tiles().map(NavMesh::memory_of).sum::<u64>() / 8;
    drop(whole);

    let mut scratch = Scratch::default();
    let before = in_use();
    let tiles = data.iter().map(|(&place, bytes)| WorldTile::new(place, bytes.len()));
    let mut streaming = Streaming::new(params, width, tiles).unwrap();
    // The index of the world.
    assert!(in_use() - before <= 32 * data.len() as u64 + 1024);
    let before = in_use();
    let (mut most, mut n_loaded, mut n_dropped) = (0, 0, 0);
    for step in 0..200_u8 {
        let part = f32::from(step) / 200.0;
        let turn = (part * std::f32::consts::TAU * 3.0).sin_cos();
        let middle = (bounds.min + bounds.max) * 0.5;
        let reach = bounds.size() * 0.5;
        let position = middle + Vec3::new(turn.0 * reach.x, 0.0, turn.1 * reach.z * part);
        let points = [PointOfInterest { position, radius: 80.0 }];
        let update = streaming.update(&StreamingRequest::new(&points, budget)).unwrap();
        n_dropped += update.dropped.len();
        for place in update.load {
            n_loaded += usize::from(streaming.add(place, &data[&place]).unwrap());
            most = most.max(in_use() - before);
        }
        assert!(streaming.n_bytes() <= budget);
        // Queries prepare portals, outlines and incoming links.
        let filter = Filter::default();
        let request =
            PathRequest { requires_goal: false, ..PathRequest::new(position, bounds.max, &filter) };
        for backwards in [false, true] {
            let request = PathRequest { backwards, ..request };
            let path = find_path(streaming.nav_mesh(), &request, &mut scratch).unwrap();
            if let Some(start) = path.start {
                let ray = RaycastRequest::new(start, middle, &filter);
                walkable::query::raycast(streaming.nav_mesh(), &ray).unwrap();
            }
        }
        scratch = Scratch::default();
        most = most.max(in_use() - before);
    }
    assert!(n_dropped > 100, "{n_loaded} loaded, {n_dropped} dropped");
    assert!(most <= budget, "{most} bytes of {budget}");
    assert!(most * 3 > budget, "{most} bytes of {budget}: the estimate is too high");
}

fn corridors_allocate_nothing(mesh: &NavMesh, ends: &[[MeshPoint; 2]], mut scratch: Scratch) {
    let filter = Filter::default();
    let mut corridor = Corridor::default();
    let (mut points, mut walk) = (Vec::new(), FollowedPath::default());
    assert_no_allocation("corridor and funnel", || {
        for &[start, end] in ends {
            let request = CorridorRequest::new(start, end, &filter);
            find_corridor_into(mesh, &request, &mut scratch, &mut corridor).unwrap();
            let request = StraightPathRequest::new(start.point, end.point, &corridor.polys);
            let request = StraightPathRequest { crossings: Crossings::All, ..request };
            straight_path_into(mesh, &request, &mut scratch, &mut points).unwrap();
        }
    });
    assert_no_allocation("corridor from the end", || {
        for &[start, end] in ends {
            let request = CorridorRequest::new(start, end, &filter);
            let request = CorridorRequest { backwards: true, ..request };
            find_corridor_into(mesh, &request, &mut scratch, &mut corridor).unwrap();
        }
    });
    assert_no_allocation("strides", || {
        for &[start, end] in ends {
            let request = CorridorRequest::new(start, end, &filter);
            find_corridor_into(mesh, &request, &mut scratch, &mut corridor).unwrap();
            let request = FollowRequest::new(start.point, end.point, &corridor.polys);
            follow_into(mesh, &request, &mut scratch, &mut walk).unwrap();
        }
    });
}

fn sliced_paths_allocate_nothing(mesh: &NavMesh, ends: &[[MeshPoint; 2]]) {
    let filter = Filter::default();
    let request = SlicedRequest::new(ends[0][0], ends[0][1]);
    let mut search = SlicedPath::new(mesh, &request, Scratch::default()).unwrap();
    let (mut corridor, mut beginning) = (Corridor::default(), Corridor::default());
    assert_no_allocation("sliced paths", || {
        for &ends in ends {
            search.restart(mesh, ends).unwrap();
            while search.step(mesh, &filter, 16).unwrap() == SlicedState::Searching {}
            search.corridor_into(mesh, &filter, &mut corridor).unwrap();
            search.corridor_along_into(mesh, &filter, &corridor.polys, &mut beginning).unwrap();
            assert_eq!(beginning.polys, corridor.polys);
        }
    });
}

/// Agents walk to their targets, corner by corner, in steps of half a meter.
fn moving_corridors_allocate_nothing(mesh: &NavMesh, ends: &[[MeshPoint; 2]]) {
    let (filter, mut scratch) = (Filter::default(), Scratch::default());
    let (mut found, mut corners, mut search) = (Corridor::default(), Vec::new(), None);
    let mut corridor = PathCorridor::new(ends[0][0]);
    let mut n_arrived = 0;
    assert_no_allocation("moving corridors", || {
        for &[start, end] in ends {
            let request = CorridorRequest::new(start, end, &filter);
            find_corridor_into(mesh, &request, &mut scratch, &mut found).unwrap();
            corridor.reset(start);
            if !found.is_complete {
                continue;
            }
            corridor.set(end.point, &found.polys);
            for step in 0..400 {
                corridor.first_corners_into(mesh, 4, &mut scratch, &mut corners).unwrap();
                corridor.corners_into(mesh, 3, &mut scratch, &mut corners).unwrap();
                let Some(next) = corners.first() else { break };
                if next.kind == PointKind::Connection {
                    break;
                }
                corridor.optimize_visibility(mesh, next.position, 12.0, &filter).unwrap();
                if step % 8 == 0 {
                    corridor.optimize_topology(mesh, &filter, &mut search).unwrap();
                }
                let way = (next.position - corridor.position()).clamp_length_max(0.5);
                corridor.move_position(mesh, corridor.position() + way, &filter).unwrap();
            }
            n_arrived += usize::from(corners.is_empty());
        }
    });
    assert!(n_arrived > 2, "{n_arrived} agents arrived");
}

fn surroundings_allocate_nothing(mesh: &NavMesh, ends: &[[MeshPoint; 2]], mut scratch: Scratch) {
    let filter = Filter::default();
    let (mut ray, mut moved) = (Raycast::default(), SurfaceMove::default());
    assert_no_allocation("rays and moves", || {
        for &[start, end] in ends {
            let request = RaycastRequest::new(start, end.point, &filter);
            raycast_into(mesh, &request, &mut ray).unwrap();
            let request = MoveAlongRequest::new(start, end.point, &filter);
            move_along_into(mesh, &request, &mut moved).unwrap();
        }
    });
    let mut reached = ReachedPolygons::default();
    assert_no_allocation("polygons around", || {
        for &[start, _] in ends {
            let request = PolygonsAroundRequest::new(start, 8.0, &filter);
            polygons_around_into(mesh, &request, &mut scratch, &mut reached).unwrap();
            let shape = [Vec3::ZERO, Vec3::Z, Vec3::X].map(|corner| start.point + corner * 9.0);
            let request = PolygonsAroundShapeRequest::new(start.poly, &shape, &filter);
            polygons_around_shape_into(mesh, &request, &mut scratch, &mut reached).unwrap();
            let request = WallDistanceRequest::new(start, 8.0, &filter);
            wall_distance(mesh, &request, &mut scratch).unwrap();
            let request = RandomPointAroundRequest::new(start, 8.0, &filter);
            random_point_around(mesh, &request, &mut scratch, || 0.5).unwrap();
        }
    });
    let (mut near, mut found) = (Vec::new(), Vec::<PolyRef>::new());
    let (mut edges, mut walls) = (Vec::new(), Vec::new());
    assert_no_allocation("polygons and edges nearby", || {
        for &[start, _] in ends {
            let request = LocalNeighborhoodRequest::new(start, 8.0, &filter);
            local_neighborhood_into(mesh, &request, &mut near).unwrap();
            let request = PolygonsInBoxRequest::new(start.point, Vec3::splat(8.0), &filter);
            polygons_in_box_into(mesh, &request, &mut found).unwrap();
            edge_segments_into(mesh, start.poly, &filter, &mut edges).unwrap();
            wall_segments_into(mesh, start.poly, &filter, &mut walls).unwrap();
        }
    });
}

fn paths_allocate_nothing(mesh: &NavMesh, ends: &[[Vec3; 2]], mut scratch: Scratch) {
    let (filter, mut path) = (Filter::default(), NavPath::unreachable());
    assert_no_allocation("whole paths", || {
        for &[start, end] in ends {
            let request = PathRequest::new(start, end, &filter);
            find_path_into(mesh, &request, &mut scratch, &mut path).unwrap();
        }
    });
    assert_no_allocation("shortest paths", || {
        for &[start, end] in ends {
            let request = PathRequest::new(start, end, &filter);
            find_shortest_path_into(mesh, &request, &mut scratch, &mut path).unwrap();
        }
    });
}

/// Two squares side by side.
const MAP: &str = "mesh\n2\n6 2\n0 0 1 0\n1 0 2 0 1\n2 0 1 1\n0 1 1 0\n1 1 2 0 1\n2 1 1 1\n\
    4 0 1 4 3 -1 -1 1 -1\n4 1 2 5 4 0 -1 -1 -1\n";

fn polyanya_allocates_nothing() {
    let map: PolygonMesh = MAP.parse().unwrap();
    let (mut scratch, mut path) = (PlaneScratch::default(), PlanePath::default());
    assert_no_allocation("shortest in the plane", || {
        let ends = [DVec2::new(0.1, 0.5), DVec2::new(1.9, 0.4)];
        let ends = ends.map(|end| map.locate(end).unwrap());
        let request = PlaneRequest::new(ends[0], ends[1]);
        shortest_in_plane_into(&map, &request, &mut scratch, &mut path).unwrap();
        assert_eq!(path.corridor, [0, 1]);
    });
}

fn flow_fields_allocate_nothing(mesh: &NavMesh, ends: &[[MeshPoint; 2]]) {
    let (filter, mut scratch) = (Filter::default(), Scratch::default());
    let mut field = flow_field(mesh, &FlowFieldRequest::new(ends[0][1], &filter)).unwrap();
    assert_no_allocation("flow fields", || {
        for &[start, goal] in ends {
            let request = FlowFieldRequest::new(goal, &filter);
            flow_field_into(mesh, &request, &mut field).unwrap();
            update_flow_field(mesh, &request, &mut field).unwrap();
            field.sample(mesh, start, &mut FlowAgent::default(), &mut scratch);
        }
    });
}

/// Agents follow an entity that visits the ends of all queries; those that cannot reach one end get the task again for
/// the next. The first rounds determine how much memory is needed; the memory of the crowd, which grows with the
/// corridors, is not counted.
fn tasks_allocate_nothing(mesh: &NavMesh, ends: &[[MeshPoint; 2]]) {
    let mut crowd = Crowd::new(CrowdParams { max_agents: 60, max_agent_radius: 0.6 }).unwrap();
    for [start, _] in ends.iter().cycle().take(60) {
        crowd.add_agent(mesh, start.point, AgentParams::of_size(0.4, 2.0)).unwrap();
    }
    let mut tasks = CrowdTasks::default();
    let (target, mut n_searched) = (TaskTarget::Entity(0), 0);
    let mut rounds = |n: usize| {
        let mut n_allocations = 0;
        for [_, end] in ends.iter().cycle().take(n) {
            for number in (0..60).filter(|&number| number % 20 != 7) {
                let reach = [Reach::Distance, Reach::LineOfSight, Reach::WalkingDistance];
                let rules = TaskRules { reach: reach[number as usize % 3], ..TaskRules::default() };
                let task = MovementTask::Follow { target, nearest: 1.0, farthest: 4.0 };
                if tasks.task(AgentId(number)).is_none() {
                    tasks.assign(&crowd, AgentId(number), task, rules).unwrap();
                }
            }
            for _ in 0..20 {
                let region = Region::new(ALLOCATOR);
                tasks.update(&mut crowd, mesh, 0.05, |_| Some(end.point));
                let change = region.change();
                n_allocations += change.allocations + change.reallocations;
                crowd.update(mesh, 0.05);
            }
            n_searched += crowd.agents().filter(|(_, agent)| agent.target().is_some()).count();
        }
        n_allocations
    };
    let n_first = rounds(400);
    assert!(n_first > 0 && rounds(100) == 0);
    assert!(n_searched > 1000, "few agents walk");
}

/// Agents walk between the ends of all queries. The first rounds determine how much memory is needed.
fn crowds_allocate_nothing(mesh: &NavMesh, ends: &[[MeshPoint; 2]], avoidance: AvoidanceParams) {
    let mut crowd = Crowd::new(CrowdParams { max_agents: 60, max_agent_radius: 0.6 }).unwrap();
    crowd.avoidance_mut()[3] = avoidance;
    for [start, _] in ends.iter().cycle().take(60) {
        crowd.add_agent(mesh, start.point, AgentParams::of_size(0.4, 2.0)).unwrap();
    }
    let mut n_moving = 0;
    let mut rounds = |n: usize| {
        let mut n_allocations = 0;
        for round in 0..n {
            let ids: Vec<AgentId> = crowd.agents().map(|(id, _)| id).collect();
            for (id, [_, end]) in ids.into_iter().zip(ends.iter().cycle().skip(round * 7)) {
                crowd.set_target(id, *end).unwrap();
            }
            let region = Region::new(ALLOCATOR);
            for _ in 0..40 {
                crowd.update(mesh, 0.05);
            }
            let change = region.change();
            n_allocations += change.allocations + change.reallocations;
            n_moving += crowd.agents().filter(|(_, agent)| agent.velocity().length() > 1.0).count();
        }
        n_allocations
    };
    let n_first = rounds(150);
    assert!(n_first > 0 && rounds(50) == 0);
    assert!(n_moving > 1000, "few agents walk");
}

//! Navmesh queries, with the limits with which the program and games ask them.

use walkable::{
    check::check,
    crowd::{AgentParams, Crowd, CrowdParams},
    glam::Vec3,
    monitor::Unmonitored,
    navmesh::NavMesh,
    query::{
        Filter, FlowAgent, FlowFieldRequest, FollowRequest, IslandRule, LocalNeighborhoodRequest,
        MeshPoint, MoveAlongRequest, NavPath, PathCorridor, PathRequest, PolygonsAroundRequest,
        PolygonsAroundShapeRequest, RandomPointAroundRequest, RandomPointRequest, RaycastRequest,
        Reachability, RouteOverlay, RouteRequest, Scratch, Seeded, Shortcuts, SlicedPath,
        SlicedRequest, SlicedState, TileChoice, WallDistanceRequest, check_reach, edge_segments,
        find_path, find_route, find_shortest_path, flow_field, follow, islands, local_neighborhood,
        move_along, nearest_reachable, polygons_around, polygons_around_shape, prune_islands,
        random_point, random_point_around, raycast, route_corridor, wall_distance, wall_segments,
    },
    soak::{SoakRun, SoakSettings},
    suite::{CaseQuery, PathCase, SuiteWorld, run_case},
    tasks::{CrowdTasks, MovementTask, TaskRules},
};

/// Runs every kind of query, between points of the mesh and far outside it.
pub fn ask_everything(mesh: &NavMesh) {
    let filter = Filter::default();
    let (mut scratch, mut seeded) = (Scratch::default(), Seeded::new(5));
    let known = Reachability::new(mesh, &filter);
    let _ = islands(mesh, &known);
    let bounds = mesh.bounds();
    let places = [bounds.min, bounds.max, (bounds.min + bounds.max) * 0.5, Vec3::splat(1e30)];
    for (index, &start) in places.iter().enumerate() {
        let end = places[(index + 1) % places.len()];
        let half_extents = Vec3::new(20.0, 40.0, 20.0);
        let request = PathRequest { half_extents, ..PathRequest::new(start, end, &filter) };
        let path =
            find_path(mesh, &request, &mut scratch).unwrap_or_else(|_| NavPath::unreachable());
        let _ = check_reach(mesh, &request, &known, &mut scratch);
        let _ = find_shortest_path(mesh, &request, &mut scratch);
        let from_end = PathRequest { backwards: true, requires_goal: false, ..request };
        let _ = find_path(mesh, &from_end, &mut scratch);
        if let [Some(start), Some(end)] = [path.start, path.end] {
            let walk = FollowRequest::new(start.point, end.point, &path.corridor);
            let _ = follow(mesh, &walk, &mut scratch);
            for shortcuts in [Shortcuts::None, Shortcuts::AsDetour, Shortcuts::Far] {
                slice(mesh, SlicedRequest { shortcuts, ..SlicedRequest::new(start, end) });
            }
        }
        let by_area = RandomPointRequest { tiles: TileChoice::ByArea, filter: &filter };
        let drawn = random_point(mesh, &by_area, || seeded.share());
        let Some(start) = path.start.or(drawn) else { continue };
        ask_at(mesh, start, end, &mut scratch);
        move_corridor(mesh, start, end, &path);
        let around = RandomPointAroundRequest::new(start, 20.0, &filter);
        let _ = random_point_around(mesh, &around, &mut scratch, || seeded.share());
    }
}

/// Asks what is around a point and straight ahead.
fn ask_at(mesh: &NavMesh, start: MeshPoint, end: Vec3, scratch: &mut Scratch) {
    let filter = Filter::default();
    for end in [end, start.point + Vec3::X * 50.0, start.point - Vec3::Z * 50.0] {
        let Ok(mut ray) = raycast(mesh, &RaycastRequest::new(start, end, &filter)) else {
            continue;
        };
        let n_passed = ray.visited.len();
        ray.visited.sort_unstable();
        ray.visited.dedup();
        assert_eq!(ray.visited.len(), n_passed, "a ray passes a polygon once");
    }
    let _ = wall_distance(mesh, &WallDistanceRequest::new(start, 20.0, &filter), scratch);
    let _ = edge_segments(mesh, start.poly, &filter);
    let _ = wall_segments(mesh, start.poly, &filter);
    let _ = local_neighborhood(mesh, &LocalNeighborhoodRequest::new(start, 20.0, &filter));
    let _ = move_along(mesh, &MoveAlongRequest::new(start, end, &filter));
    let around = PolygonsAroundRequest::new(start, 20.0, &filter);
    let _ = polygons_around(mesh, &around, scratch);
    let shape = [Vec3::ZERO, Vec3::Z * 9.0, Vec3::X * 9.0].map(|corner| start.point + corner);
    let around = PolygonsAroundShapeRequest::new(start.poly, &shape, &filter);
    let _ = polygons_around_shape(mesh, &around, scratch);
}

fn slice(mesh: &NavMesh, request: SlicedRequest) {
    let filter = Filter::default();
    let Ok(mut search) = SlicedPath::new(mesh, &request, Scratch::default()) else { return };
    while search.step(mesh, &filter, 50) == Ok(SlicedState::Searching) {}
    let _ = search.corridor(mesh, &filter);
}

/// Follows a path with a corridor without bounds.
fn move_corridor(mesh: &NavMesh, start: MeshPoint, end: Vec3, path: &NavPath) {
    let (filter, scratch) = (Filter::default(), &mut Scratch::default());
    let mut corridor = PathCorridor::new(start);
    corridor.set(end, &path.corridor);
    let mut search = None;
    for _ in 0..8 {
        let corners = corridor.corners(mesh, 4, scratch).unwrap_or_default();
        let next = corners.first().map_or(end, |corner| corner.position);
        let _ = corridor.optimize_visibility(mesh, next, 30.0, &filter);
        let _ = corridor.optimize_topology(mesh, &filter, &mut search);
        let _ = corridor.move_position(mesh, next, &filter);
        let _ = corridor.move_target(mesh, corridor.position(), &filter);
    }
}

fn follow_field(mesh: &NavMesh, [start, goal]: [MeshPoint; 2], scratch: &mut Scratch) {
    let filter = Filter::default();
    let Ok(field) = flow_field(mesh, &FlowFieldRequest::new(goal, &filter)) else { return };
    let (mut at, mut agent) = (start, FlowAgent::default());
    for _ in 0..8 {
        let Some(sample) = field.sample(mesh, at, &mut agent, scratch) else { break };
        let poly = sample.ahead().last().copied().unwrap_or(at.poly);
        at = MeshPoint { poly, point: sample.corner };
    }
}

fn take_route(mesh: &NavMesh, [start, end]: [MeshPoint; 2], scratch: &mut Scratch) {
    let Ok(overlay) = RouteOverlay::new(mesh, &Filter::default()) else { return };
    let request = RouteRequest { allows_partial: true, ..RouteRequest::new(start, end, &overlay) };
    if let Ok(Some(route)) = find_route(mesh, &request, scratch) {
        let _ = route_corridor(mesh, &overlay, &route, 0..route.n_legs(), scratch);
    }
    let _ = nearest_reachable(mesh, &overlay, start, end.point);
}

/// Time that agents walk on a navmesh, in updates, and length of an update, in seconds.
const UPDATES: (u16, f32) = (100, 0.1);
/// Number of agents.
const N_AGENTS: usize = 8;

/// Checks the navmesh, and lets agents walk on it in every way.
pub(crate) fn walk_everywhere(mesh: &NavMesh) {
    let (filter, scratch) = (Filter::default(), &mut Scratch::default());
    let mut seeded = Seeded::new(7);
    let mut draw = || {
        let by_area = RandomPointRequest { tiles: TileChoice::ByArea, filter: &filter };
        random_point(mesh, &by_area, || seeded.share())
    };
    let _ = check(mesh, None, &Unmonitored);
    let rule = IslandRule { min_area: Some(2.0), ..IslandRule::default() };
    let _ = prune_islands(mesh, &filter, &rule);
    let [Some(start), Some(end)] = [draw(), draw()] else { return };
    for query in [CaseQuery::Path, CaseQuery::Ray] {
        let case = PathCase { query, ..PathCase::new(start.point, end.point) };
        let world = SuiteWorld { mesh, filter: &filter, volumes: &[] };
        let _ = run_case(&world, &case, scratch);
    }
    follow_field(mesh, [start, end], scratch);
    take_route(mesh, [start, end], scratch);

    let params = CrowdParams { max_agents: N_AGENTS, max_agent_radius: 0.6 };
    let mut crowd = Crowd::new(params).expect("valid parameters");
    let mut tasks = CrowdTasks::default();
    for number in 0..N_AGENTS {
        let [Some(start), Some(end)] = [draw(), draw()] else { return };
        let added = crowd.add_agent(mesh, start.point, AgentParams::of_size(0.6, 2.0));
        let Ok(agent) = added else { continue };
        if number % 2 == 0 {
            let _ = crowd.set_target(agent, end);
        } else {
            let task = MovementTask::GoTo { point: end.point, radius: 0.5 };
            let _ = tasks.assign(&crowd, agent, task, TaskRules::default());
        }
    }
    let (n_updates, seconds) = UPDATES;
    for _ in 0..n_updates {
        let _ = tasks.update(&mut crowd, mesh, seconds, |_| None);
        crowd.update(mesh, seconds);
    }
    let minutes = f32::from(n_updates) * seconds / 60.0;
    let settings = SoakSettings { n_agents: N_AGENTS, minutes, ..SoakSettings::new(mesh) };
    if let Ok(mut run) = SoakRun::new(mesh, &settings, &Unmonitored) {
        while run.advance(&Unmonitored).is_ok_and(|goes_on| goes_on) {}
        let _ = run.report();
    }
}

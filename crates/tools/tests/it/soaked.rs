//! Soak runs on levels in which agents get stuck at a known place, and on levels in which they do not.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use glam::Vec3;
use walkable::{
    bake::{BakeConfig, BakeSettings, OffMeshLink, bake},
    crowd::{AgentParams, Crowd, CrowdParams},
    ids::AreaId,
    mesh::TriMesh,
    monitor::{Cancelled, Monitor, Unmonitored},
    navmesh::{NO_NEIGHBOR, NavMesh, NavMeshParams},
    query::{
        Filter, MeshPoint, NearestRequest, RandomPointRequest, Seeded, TileChoice, nearest,
        random_point,
    },
    soak::{
        HeatCell, MAX_AGENTS, SoakError, SoakReport, SoakRun, SoakSettings, StuckCause, StuckKind,
        soak,
    },
};
use walkable_test_support::hostile::{self, Slab};

/// A navmesh with places between which agents walk.
struct Scene {
    name: &'static str,
    mesh: NavMesh,
    places: Vec<Vec3>,
    n_agents: usize,
    agent: AgentParams,
    seconds_per_update: f32,
    /// The place at which agents get stuck, and its size; `None` for a clean level.
    trap: Option<(Vec3, f32)>,
    /// Kinds of findings, one of which must be at the trap.
    kinds: Vec<StuckKind>,
}

/// A rectangle of floor: minimum and maximum x and z.
type Floor = [f32; 4];

fn triangles(floors: &[Floor]) -> TriMesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for &[x0, z0, x1, z1] in floors {
        let first = u32::try_from(vertices.len()).unwrap();
        let corners = [[x0, z0], [x0, z1], [x1, z1], [x1, z0]];
        vertices.extend(corners.map(|[x, z]| Vec3::new(x, 0.0, z)));
        triangles.extend([[0, 1, 2], [0, 2, 3]].map(|corners| corners.map(|n| first + n)));
    }
    TriMesh::new(vertices, triangles).unwrap()
}

fn settings() -> BakeSettings {
    BakeSettings { agent_radius: 0.3, cell_size: 0.15, ..BakeSettings::default() }
}

fn baked(floors: &[Floor], settings: BakeSettings, off_mesh: Vec<OffMeshLink>) -> NavMesh {
    let config = BakeConfig { settings, off_mesh, ..BakeConfig::default() };
    bake(config.with_mesh(Arc::new(triangles(floors))), &Unmonitored).unwrap()
}

fn flat(x: f32, z: f32) -> Vec3 {
    Vec3::new(x, 0.0, z)
}

fn scene(name: &'static str, mesh: NavMesh, places: &[[f32; 2]]) -> Scene {
    Scene {
        name,
        mesh,
        places: places.iter().map(|&[x, z]| flat(x, z)).collect(),
        n_agents: 24,
        agent: AgentParams::of_size(0.3, 2.0),
        seconds_per_update: 1.0 / 30.0,
        trap: None,
        kinds: Vec::new(),
    }
}

impl Scene {
    fn with_trap(self, x: f32, z: f32, size: f32, kinds: &[StuckKind]) -> Self {
        Self { trap: Some((flat(x, z), size)), kinds: kinds.to_vec(), ..self }
    }
}

const LEFT: Floor = [0.0, 0.0, 10.0, 10.0];
const RIGHT: Floor = [14.0, 0.0, 24.0, 10.0];
const ENDS: [[f32; 2]; 4] = [[2.0, 2.0], [2.0, 8.0], [22.0, 2.0], [22.0, 8.0]];
const JAM: [StuckKind; 3] = [StuckKind::Blocked, StuckKind::Stands, StuckKind::Oscillates];

fn link(start: Vec3, end: Vec3) -> OffMeshLink {
    OffMeshLink {
        start,
        end,
        radius: 0.6,
        bidirectional: true,
        area: AreaId(5),
        flags: 8,
        user_id: 1,
    }
}

/// Returns a navmesh of two rooms whose polygons are linked, but 1.5 m apart.
fn torn() -> NavMesh {
    let mesh = baked(&[LEFT, [10.0, 3.0, 14.0, 7.0], RIGHT], settings(), Vec::new());
    let mut tile = mesh.tiles().next().unwrap().clone();
    for index in 0..tile.polys.len() {
        let corners = tile.corners(&tile.polys[index]);
        let middle = corners.iter().sum::<Vec3>() / f32::from(u8::try_from(corners.len()).unwrap());
        if middle.x < 14.0 {
            continue;
        }
        for corner in 0..corners.len() {
            if corners[corner].x < 15.0 {
                let moved = corners[corner] + Vec3::X * 1.5;
                tile.polys[index].vertices[corner] = u16::try_from(tile.vertices.len()).unwrap();
                tile.vertices.push(moved);
            }
        }
    }
    let mut torn = NavMesh::new(NavMeshParams::solo(&tile)).unwrap();
    torn.add_tile(Arc::new(tile)).unwrap();
    torn
}

/// Returns a navmesh of two rooms in two tiles, whose border is 3 m wide in one tile. A corner of the other tile was
/// moved, so only 0.4 m of the border can be crossed.
fn shifted() -> NavMesh {
    let tiled = BakeSettings { tile_size: 80, ..settings() };
    let mesh = baked(&[LEFT, [10.0, 3.0, 14.0, 7.0], RIGHT], tiled, Vec::new());
    let mut shifted = NavMesh::new(*mesh.params()).unwrap();
    for tile in mesh.tiles() {
        let mut tile = tile.clone();
        for corner in &mut tile.vertices {
            if tile.header.x == 1 && (corner.x - 12.0).abs() < 0.1 && corner.z < 4.0 {
                corner.z = 6.2;
            }
        }
        shifted.add_tile(Arc::new(tile)).unwrap();
    }
    shifted
}

fn traps() -> Vec<Scene> {
    let door = [10.0, 4.5, 14.0, 5.5];
    let bent =
        [LEFT, [10.0, 4.5, 12.0, 5.5], [11.0, 5.5, 12.0, 9.5], [12.0, 8.5, 14.0, 9.5], RIGHT];
    let crossing = [
        [0.0, 8.0, 8.0, 12.0],
        [8.0, 9.5, 20.0, 10.5],
        [20.0, 8.0, 28.0, 12.0],
        [13.5, 10.5, 14.5, 16.0],
        [12.0, 16.0, 16.0, 20.0],
        [13.5, 4.0, 14.5, 9.5],
        [12.0, 0.0, 16.0, 4.0],
    ];
    let of = |floors: &[Floor]| baked(floors, settings(), Vec::new());
    let piers = [LEFT, [10.0, 4.5, 13.0, 5.5], [16.0, 4.5, 19.0, 5.5], [19.0, 0.0, 29.0, 10.0]];
    let jump = link(flat(12.5, 5.0), flat(16.5, 5.0));
    let strip = BakeSettings { tile_size: 4, ..settings() };
    let large = AgentParams::of_size(1.0, 2.0);
    let fast =
        AgentParams { max_speed: 40.0, max_acceleration: 80.0, ..AgentParams::of_size(0.3, 2.0) };
    vec![
        scene("door", of(&[LEFT, door, RIGHT]), &ENDS).with_trap(12.0, 5.0, 3.0, &JAM),
        scene("bent corridor", of(&bent), &ENDS).with_trap(11.5, 7.0, 4.0, &JAM),
        scene("niche", of(&[LEFT, [10.0, 4.5, 15.0, 5.5]]), &[[2.0, 2.0], [2.0, 8.0], [14.5, 5.0]])
            .with_trap(12.0, 5.0, 3.0, &JAM),
        scene("crossing", of(&crossing), &[[2.0, 10.0], [26.0, 10.0], [14.0, 18.0], [14.0, 2.0]])
            .with_trap(14.0, 10.0, 7.0, &JAM),
        scene(
            "crowded",
            of(&[[0.0, 0.0, 4.0, 4.0], [4.0, 1.0, 8.0, 3.0], [8.0, 0.0, 12.0, 4.0]]),
            &[[1.0, 1.0], [11.0, 3.0]],
        )
        .with_trap(6.0, 2.0, 4.0, &JAM),
        scene(
            "piers",
            baked(&piers, settings(), vec![jump]),
            &[[2.0, 2.0], [2.0, 8.0], [27.0, 2.0], [27.0, 8.0]],
        )
        .with_trap(12.5, 5.0, 4.0, &[StuckKind::MissesLink]),
        scene("torn", torn(), &ENDS).with_trap(14.0, 5.0, 3.0, &JAM),
        scene("shifted", shifted(), &ENDS).with_trap(12.0, 6.4, 3.0, &JAM),
        Scene {
            agent: large,
            n_agents: 12,
            ..scene("large agents", of(&[LEFT, [10.0, 4.0, 14.0, 6.0], RIGHT]), &ENDS)
        }
        .with_trap(12.0, 5.0, 3.0, &JAM),
        Scene {
            agent: fast,
            seconds_per_update: 0.5,
            n_agents: 4,
            ..scene(
                "fast agents",
                baked(&[[0.0, 0.0, 200.0, 3.0]], strip, Vec::new()),
                &[[2.0, 1.0], [198.0, 2.0]],
            )
        }
        .with_trap(100.0, 1.5, 100.0, &[StuckKind::Oscillates]),
    ]
}

fn clean() -> Vec<Scene> {
    let of = |floors: &[Floor]| baked(floors, settings(), Vec::new());
    let rooms = [LEFT, [10.0, 2.0, 14.0, 8.0], RIGHT];
    let doors = [LEFT, [10.0, 0.5, 14.0, 4.5], [10.0, 5.5, 14.0, 9.5], RIGHT];
    let ring = [
        [0.0, 0.0, 20.0, 6.0],
        [0.0, 6.0, 6.0, 14.0],
        [14.0, 6.0, 20.0, 14.0],
        [0.0, 14.0, 20.0, 20.0],
    ];
    let there = OffMeshLink { bidirectional: false, ..link(flat(9.0, 3.0), flat(15.0, 3.0)) };
    let back = OffMeshLink { bidirectional: false, ..link(flat(15.0, 7.0), flat(9.0, 7.0)) };
    let tiled = BakeSettings { tile_size: 32, ..settings() };
    vec![
        scene("room", of(&[LEFT]), &[]),
        scene("two rooms", of(&rooms), &ENDS),
        scene("tiled rooms", baked(&rooms, tiled, Vec::new()), &ENDS),
        scene("two doors", of(&doors), &[]),
        scene("ring", of(&ring), &[]),
        scene("two jumps", baked(&[LEFT, RIGHT], settings(), vec![there, back]), &ENDS),
    ]
}

fn settings_of(scene: &Scene, minutes: f32) -> SoakSettings {
    SoakSettings {
        n_agents: scene.n_agents,
        minutes,
        seed: 1,
        agent: scene.agent,
        seconds_per_update: scene.seconds_per_update,
        places: scene.places.clone(),
        ..SoakSettings::new(&scene.mesh)
    }
}

fn run(scene: &Scene, minutes: f32) -> SoakReport {
    soak(&scene.mesh, &settings_of(scene, minutes), &Unmonitored).unwrap()
}

/// Simulates the scene without the soak run, and returns the positions of agents whose trip takes longer than 45
/// seconds. All trips are shorter than 60 m, or the agents are fast.
fn late(scene: &Scene) -> Vec<Vec3> {
    let filter = Filter::default();
    let max_agent_radius = scene.agent.radius;
    let mut crowd = Crowd::new(CrowdParams { max_agents: 100, max_agent_radius }).unwrap();
    let mut random = Seeded::new(99);
    let request = RandomPointRequest { filter: &filter, tiles: TileChoice::ByArea };
    let mut any = || random_point(&scene.mesh, &request, || random.share()).unwrap();
    let on_mesh = |&center: &Vec3| {
        let half_extents = Vec3::splat(2.0);
        let request = NearestRequest { center, half_extents, filter: &filter };
        nearest(&scene.mesh, &request).unwrap().unwrap()
    };
    let listed: Vec<MeshPoint> = scene.places.iter().map(on_mesh).collect();
    let n_listed = listed.len();
    let place =
        |turn: usize, any: MeshPoint| listed.get(turn % n_listed.max(1)).copied().unwrap_or(any);
    let mut ids = Vec::new();
    for number in 0..scene.n_agents {
        let id = crowd.add_agent(&scene.mesh, any().point, scene.agent).unwrap();
        crowd.set_target(id, place(number, any())).unwrap();
        ids.push((id, number, 0.0));
    }
    let (mut found, mut time) = (Vec::new(), 0.0);
    while time < 120.0 {
        crowd.update(&scene.mesh, scene.seconds_per_update);
        time += scene.seconds_per_update;
        for (id, turn, since) in &mut ids {
            let agent = crowd.agent(*id).unwrap();
            let (at, target) = (agent.position(), agent.target().unwrap());
            let is_late = time - *since > 45.0;
            found.extend(is_late.then_some(at));
            if is_late || at.distance(target.point) < scene.agent.radius * 2.0 {
                *turn += 1;
                *since = time;
                crowd.set_target(*id, place(*turn, any())).unwrap();
            }
        }
    }
    found
}

fn is_at((place, size): (Vec3, f32), at: Vec3) -> bool {
    at.distance(place) < size + 2.0
}

#[test]
fn traps_are_found() {
    let traps = traps();
    assert_eq!(traps.len(), 10);
    for scene in &traps {
        let (name, trap) = (scene.name, scene.trap.unwrap());
        assert!(late(scene).iter().any(|&at| is_at(trap, at)), "{name}: agents are not late");
        let report = run(scene, 2.0);
        let found = report.findings.iter().filter(|finding| is_at(trap, finding.point));
        let mut kinds = found.flat_map(|finding| &finding.kinds);
        let is_found = kinds.any(|(kind, _)| scene.kinds.contains(kind));
        assert!(is_found, "{name}: {:#?}", report.findings);
        for finding in &report.findings {
            assert_eq!(finding.n, finding.kinds.iter().map(|(_, n)| n).sum::<usize>(), "{name}");
            let stuck = &finding.replay.agents[0];
            assert_eq!(stuck.agent, finding.agents[0], "{name}");
            let n_samples = stuck.positions.len();
            assert!(finding.replay.agents.iter().all(|agent| agent.positions.len() == n_samples));
            assert!(finding.replay.seconds() <= 25.0, "{name}");
        }
    }
}

#[test]
fn nothing_is_found_on_clean_levels() {
    for scene in &clean() {
        assert_eq!(late(scene), [], "{}: agents are late", scene.name);
        let report = run(scene, 4.0);
        assert_eq!(report.findings, [], "{}", scene.name);
        assert!(report.n_trips > scene.n_agents * 4, "{}: {} trips", scene.name, report.n_trips);
    }
}

#[test]
fn a_door_is_measured() {
    let door = &traps()[0];
    let report = run(door, 2.0);
    let StuckCause::Narrow { width, needed } = report.findings[0].cause else {
        panic!("{:?}", report.findings[0]);
    };
    // The door is 1 m wide, in cells of 0.15 m.
    assert!((0.65..1.1).contains(&width), "{width}");
    assert!((needed - 1.2).abs() < 1e-5, "{needed}");
    let text = report.findings[0].diagnostic(&door.mesh).line();
    assert!(text.starts_with("warning: tile 0,0: polygon "), "{text}");
    assert!(text.contains("wide, and two agents need 1.2 m ["), "{text}");
    // Most of the time is spent waiting at the door.
    let time = |cell: &HeatCell| cell.waiting + cell.passing;
    let seconds: f32 = report.heat.cells().map(time).sum();
    assert!((seconds - 24.0 * 120.0).abs() < 5.0, "{seconds}");
    let busiest = report.heat.cells().max_by(|a, b| a.waiting.total_cmp(&b.waiting)).unwrap();
    assert!(is_at(door.trap.unwrap(), busiest.center), "{busiest:?}");
    // Agents press against each other there, and are slow.
    let total = |time: fn(&HeatCell) -> f32| report.heat.cells().map(time).sum::<f32>();
    let [passing, slowed] = [total(|cell| cell.passing), total(|cell| cell.slowed)];
    assert!(slowed > 1.0 && slowed < passing, "{slowed} of {passing} s");
    let colliding = total(|cell| cell.colliding);
    assert!(colliding > 1.0 && colliding < seconds, "{colliding} s");
}

#[test]
fn reports_depend_on_the_seed_and_not_on_the_threads() {
    let door = &traps()[0];
    // Crowds of 128 agents or more use all threads.
    let settings = SoakSettings { n_agents: 140, ..settings_of(door, 0.7) };
    let with = |n_threads: usize, seed| {
        let settings = SoakSettings { seed, ..settings.clone() };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| soak(&door.mesh, &settings, &Unmonitored).unwrap())
    };
    let report = with(1, 5);
    assert!(!report.findings.is_empty());
    assert_eq!(report, with(2, 5));
    assert_ne!(report, with(2, 6));
}

#[test]
fn a_replay_shows_the_agent_where_it_was_found() {
    let niche = &traps()[2];
    let report = run(niche, 2.0);
    let finding = report.findings.iter().find(|finding| finding.is_reproduced).unwrap();
    let stuck = &finding.replay.agents[0];
    let last = stuck.positions.last().unwrap();
    assert!(last.distance(finding.point) < 4.0, "{last} {}", finding.point);
    assert!(stuck.positions.iter().rev().take(100).all(|at| at.distance(*last) < 2.5));
    assert_eq!(stuck.targets[0].after, 0);
}

/// Cancels after a number of checks.
struct CancelAfter(usize, AtomicUsize);

impl Monitor for CancelAfter {
    fn is_cancelled(&self) -> bool {
        self.1.fetch_add(1, Ordering::Relaxed) == self.0
    }
}

#[test]
fn a_run_is_cancelled_at_the_next_check() {
    let room = &clean()[0];
    let settings = settings_of(room, 60.0);
    // While agents are placed, and later.
    for n in [2, 60, 600] {
        let monitor = CancelAfter(n, AtomicUsize::default());
        assert_eq!(soak(&room.mesh, &settings, &monitor), Err(SoakError::Cancelled(Cancelled)));
        assert_eq!(monitor.1.into_inner(), n + 1);
    }
    let mut run = SoakRun::new(&room.mesh, &settings, &Unmonitored).unwrap();
    assert!(run.advance(&Unmonitored).unwrap());
    assert!((run.seconds() - 1.0).abs() < 1e-3, "{}", run.seconds());
    // The monitor is checked several times in a second, and what was simulated is still reported.
    let monitor = CancelAfter(3, AtomicUsize::default());
    assert_eq!(run.advance(&monitor), Err(Cancelled));
    assert!((1.0..2.0).contains(&run.report().seconds), "{}", run.seconds());
    assert_eq!(run.agents().count(), room.n_agents);
}

#[test]
fn settings_are_checked() {
    let mesh = baked(&[LEFT, RIGHT], settings(), Vec::new());
    let usual = SoakSettings { n_agents: 4, minutes: 0.1, ..SoakSettings::new(&mesh) };
    let error = |settings: SoakSettings| SoakRun::new(&mesh, &settings, &Unmonitored).unwrap_err();
    let text = |settings| error(settings).to_string();
    assert_eq!(error(SoakSettings { n_agents: 0, ..usual.clone() }), SoakError::Agents { n: 0 });
    let n_agents = MAX_AGENTS + 1;
    assert_eq!(
        error(SoakSettings { n_agents, ..usual.clone() }),
        SoakError::Agents { n: n_agents }
    );
    let long = text(SoakSettings { minutes: f32::INFINITY, ..usual.clone() });
    assert!(long.contains("simulated time in minutes is inf"), "{long}");
    let none = text(SoakSettings { seconds_per_update: f32::NAN, ..usual.clone() });
    assert!(none.contains("length of an update in seconds is NaN"), "{none}");
    let large = text(SoakSettings { n_agents: 5000, max_bytes: 1 << 20, ..usual.clone() });
    assert!(large.contains("the limit is 1 MB; use fewer agents"), "{large}");
    let places = |places: &[Vec3]| SoakSettings { places: places.to_vec(), ..usual.clone() };
    assert_eq!(error(places(&[flat(2.0, 2.0)])), SoakError::OnePlace {});
    let far = text(places(&[flat(2.0, 2.0), flat(90.0, 2.0)]));
    assert_eq!(far, "place 2 (90, 0, 2) is not on the navmesh");
    let cut = text(places(&[flat(2.0, 2.0), flat(5.0, 5.0), flat(20.0, 2.0)]));
    assert_eq!(cut, "no path leads from place 3 (20, 0, 2) to another place");
    let near = text(places(&[flat(2.0, 2.0), flat(3.0, 2.0), flat(20.0, 2.0), flat(20.0, 8.0)]));
    assert!(near.starts_with("place 1 (2, 0, 2) is less than 2.4 m from every place"), "{near}");
    let filter = Filter { include_flags: 0, ..Filter::default() };
    assert_eq!(error(SoakSettings { filter, ..usual }), SoakError::NoGround {});
}

/// A lane of 4,401 polygons that returns beside itself: agents near one end see the other, but the search of the crowd
/// ends before it gets there.
#[test]
fn a_search_that_ends_at_its_limit_is_the_cause() {
    const N: u16 = 2200;
    /// Position of the way back along z, in meters.
    const BACK: f32 = 8.0;
    let turn = 2 * N;
    let slab = |n: u16| {
        let (column, z) = if n < N { (n, 0.0) } else { (2 * N - 1 - n, BACK) };
        // The polygons before and behind, toward -x and +x.
        let before = if n < N { n.checked_sub(1) } else { Some(n + 1).filter(|&at| at < turn) };
        let behind = if n < N - 1 {
            n + 1
        } else if n > N {
            n - 1
        } else {
            turn
        };
        let min = Vec3::new(f32::from(column) * 0.25, 0.0, z);
        let before = before.map_or(NO_NEIGHBOR, |at| at + 1);
        let neighbors = [before, NO_NEIGHBOR, behind + 1, NO_NEIGHBOR];
        Slab { min, size: [0.25, 2.0], neighbors, area: 0 }
    };
    let at_end = Slab {
        min: Vec3::new(f32::from(N) * 0.25, 0.0, 0.0),
        size: [1.0, BACK + 2.0],
        neighbors: [N, N + 1, NO_NEIGHBOR, NO_NEIGHBOR],
        area: 0,
    };
    let slabs: Vec<_> = (0..turn).map(slab).chain([at_end]).collect();
    let tile = hostile::tile([0; 3], &slabs, Vec::new());
    let mut mesh = NavMesh::new(NavMeshParams::solo(&tile)).unwrap();
    mesh.add_tile(Arc::new(tile)).unwrap();
    let places = [1.0, BACK + 1.0].map(|z| Vec3::new(0.2, 0.0, z)).to_vec();
    let settings = SoakSettings { n_agents: 40, minutes: 1.0, places, ..SoakSettings::new(&mesh) };
    let report = soak(&mesh, &settings, &Unmonitored).unwrap();
    let limit = StuckCause::NodeLimit { limit: Crowd::MAX_NODES };
    let found = report.findings.iter().find(|finding| finding.cause == limit);
    let found = found.unwrap_or_else(|| panic!("{:?}", report.findings));
    assert!(found.point.x < 1.0, "the nearest place to the other end: {}", found.point);
}

#[test]
fn a_run_ends_where_links_lead_in_a_circle() {
    // Short enough that a ray along the path of an agent comes back.
    for n in [8, 12, 15] {
        let mesh = hostile::ring(n);
        let settings = SoakSettings { n_agents: 5, minutes: 0.5, ..SoakSettings::new(&mesh) };
        assert!(soak(&mesh, &settings, &Unmonitored).is_ok(), "{n}");
    }
}

//! Sampled and reciprocal avoidance in the same scenes: collisions, time to the goal, smoothness, deadlocks.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{f32::consts::TAU, path::Path, sync::Arc};

use glam::{Vec3, Vec3Swizzles as _};
use walkable::{
    bake::{BakeInput, BakeSettings, bake},
    crowd::{Agent, AgentParams, AvoidanceParams, Crowd, CrowdParams, UpdateFlags},
    mesh::TriMesh,
    monitor::Unmonitored,
    navmesh::NavMesh,
    query::{Filter, NearestRequest, nearest},
};

/// Agents that overlap by less than this do not collide, in meters.
const TOLERANCE: f32 = 0.05;
/// An agent nearer to its target than this has arrived, in meters.
const ARRIVED: f32 = 1.0;
/// Number of times that a scene is played, each with different starts, because small differences change who blocks whom.
const N_TIMES: u32 = 4;
/// Starts are moved by less than this along each axis, in meters.
const MOVED: f32 = 0.2;
/// An agent is stuck if it has not arrived and has moved less than 0.5 m in this time at the end, in seconds.
const STUCK: f32 = 5.0;

/// Detour's highest quality, and reciprocal avoidance.
const METHODS: [(&str, AvoidanceParams); 2] =
    [("sampled", AvoidanceParams::PRESETS[3]), ("reciprocal", AvoidanceParams::RECIPROCAL)];

/// Agents with targets on a navmesh.
struct Scene {
    name: String,
    mesh: NavMesh,
    agents: Vec<(Vec3, AgentParams)>,
    /// Agents by index, and the update before which they get the target.
    targets: Vec<(u32, usize, Vec3)>,
    seconds: f32,
    n_updates: u32,
}

/// Returns a navmesh of rectangles of floor, each with minimum and maximum x and z.
fn floor(rectangles: &[[f32; 4]]) -> NavMesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for &[x0, z0, x1, z1] in rectangles {
        let first = u32::try_from(vertices.len()).unwrap();
        let corners = [[x0, z0], [x0, z1], [x1, z1], [x1, z0]];
        vertices.extend(corners.map(|[x, z]| Vec3::new(x, 0.0, z)));
        triangles.extend([[0, 1, 2], [0, 2, 3]].map(|corners| corners.map(|n| first + n)));
    }
    let mesh = TriMesh::new(vertices, triangles).unwrap();
    let settings = BakeSettings { agent_radius: 0.3, cell_size: 0.15, ..BakeSettings::default() };
    bake(BakeInput::new(Arc::new(mesh), settings), &Unmonitored).unwrap()
}

fn scene(name: &str, mesh: NavMesh, ways: &[[Vec3; 2]]) -> Scene {
    let agents = ways.iter().map(|way| (way[0], AgentParams::of_size(0.3, 2.0))).collect();
    let targets = ways.iter().enumerate().map(|(agent, way)| (0, agent, way[1])).collect();
    Scene { name: name.to_owned(), mesh, agents, targets, seconds: 1.0 / 30.0, n_updates: 1800 }
}

/// Returns `n` positions in a grid with `columns`, 1 m apart.
fn grid(n: u8, columns: u8, x: f32, z: f32) -> impl Iterator<Item = Vec3> {
    (0..n).map(move |k| Vec3::new(x + f32::from(k % columns), 0.0, z + f32::from(k / columns)))
}

fn own_scenes() -> Vec<Scene> {
    let circle = (0..40u8).map(|k| -> [Vec3; 2] {
        let (sin, cos) = (f32::from(k) / 40.0 * TAU).sin_cos();
        let place = |radius: f32| Vec3::new(15.0 + radius * cos, 0.0, 15.0 + radius * sin);
        [place(10.0), place(-10.0)]
    });
    let exchange = |left: Vec<Vec3>, right: Vec<Vec3>| -> Vec<[Vec3; 2]> {
        let there = left.iter().zip(&right).map(|(&a, &b)| [a, b]);
        let back = left.iter().zip(&right).map(|(&a, &b)| [b, a]);
        there.chain(back).collect()
    };
    let places = |n, columns, x, z| grid(n, columns, x, z).collect::<Vec<_>>();
    let crossing = places(20, 5, 2.0, 13.0).into_iter().map(|a| [a, a + Vec3::X * 22.0]);
    let other = places(20, 5, 13.0, 2.0).into_iter().map(|a| [a, a + Vec3::Z * 22.0]);
    let rooms = [[0.0, 0.0, 10.0, 10.0], [10.0, 4.0, 12.0, 6.0], [12.0, 0.0, 22.0, 10.0]];
    vec![
        scene("circle, 40", floor(&[[0.0, 0.0, 30.0, 30.0]]), &circle.collect::<Vec<_>>()),
        scene(
            "counter-flow, 40, 5 m wide",
            floor(&[[0.0, 0.0, 40.0, 5.0]]),
            &exchange(places(20, 5, 1.0, 0.5), places(20, 5, 34.0, 0.5)),
        ),
        scene(
            "crossing, 40",
            floor(&[[0.0, 0.0, 30.0, 30.0]]),
            &crossing.chain(other).collect::<Vec<_>>(),
        ),
        scene(
            "door, 30 one way",
            floor(&rooms),
            &grid(30, 5, 2.0, 2.0).map(|a| [a, a + Vec3::X * 14.0]).collect::<Vec<_>>(),
        ),
        scene(
            "door, 2 × 10",
            floor(&rooms),
            &exchange(places(10, 2, 4.0, 2.5), places(10, 2, 16.0, 2.5)),
        ),
        scene(
            "door, 2 × 32",
            floor(&[[0.0, 0.0, 14.0, 12.0], [14.0, 5.0, 15.0, 7.0], [15.0, 0.0, 29.0, 12.0]]),
            &exchange(places(32, 8, 3.0, 4.0), places(32, 8, 18.0, 4.0)),
        ),
        scene(
            "narrow door, 30 one way",
            floor(&[[0.0, 0.0, 10.0, 10.0], [10.0, 4.45, 11.0, 5.55], [11.0, 0.0, 22.0, 10.0]]),
            &grid(30, 5, 2.0, 2.0).map(|a| [a, a + Vec3::X * 14.0]).collect::<Vec<_>>(),
        ),
        scene(
            "narrow door, 2 × 10",
            floor(&[[0.0, 0.0, 10.0, 10.0], [10.0, 4.45, 11.0, 5.55], [11.0, 0.0, 21.0, 10.0]]),
            &exchange(places(10, 2, 4.0, 2.5), places(10, 2, 15.0, 2.5)),
        ),
    ]
}

/// Returns a scene of the reference data, without statements that remove agents or set velocities.
fn reference_scene(folder: &Path) -> Scene {
    let mesh = NavMesh::from_bytes(&std::fs::read(folder.join("navmesh.bin")).unwrap()).unwrap();
    let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
    let mut scene = Scene { seconds: 0.0, n_updates: 0, ..scene(&name, mesh, &[]) };
    for line in std::fs::read_to_string(folder.join("scene.txt")).unwrap().lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |index: usize| words[index].parse::<f32>().unwrap();
        let point = |first: usize| Vec3::new(number(first), number(first + 1), number(first + 2));
        match words[0] {
            "dt" => scene.seconds = number(1),
            "updates" => scene.n_updates = words[1].parse().unwrap(),
            "agent" => {
                let params = AgentParams {
                    max_acceleration: number(6),
                    max_speed: number(7),
                    collision_query_range: number(8),
                    path_optimization_range: number(9),
                    separation_weight: number(10),
                    update_flags: UpdateFlags::from_bits(words[11].parse().unwrap()),
                    ..AgentParams::of_size(number(4), number(5))
                };
                scene.agents.push((point(1), params));
            }
            "at" if words[2] == "target" => {
                let agent = words[3].parse().unwrap();
                scene.targets.push((words[1].parse().unwrap(), agent, point(4)));
            }
            _ => {}
        }
    }
    scene
}

/// What happened in a scene.
#[derive(Clone, Copy, Debug, Default)]
struct Outcome {
    n_arrived: usize,
    /// Mean time of the agents that arrived, in seconds.
    seconds: f32,
    /// Time of collisions, summed over all pairs of agents, in seconds.
    collisions: f32,
    deepest: f32,
    /// Mean change of direction of moving agents, in degrees per second.
    turning: f32,
    n_stuck: usize,
}

impl Scene {
    /// Returns the start of an agent in run number `time`.
    fn start(&self, agent: usize, time: u32) -> Vec3 {
        let agent_number = u32::try_from(agent).unwrap();
        let mixed = (time * 7919 + agent_number * 104_729 + 17).wrapping_mul(2_654_435_761);
        let [.., a, b] = mixed.to_le_bytes().map(|byte| f32::from(byte) / 256.0 * MOVED);
        let moved = if time > 0 { Vec3::new(a, 0.0, b) } else { Vec3::ZERO };
        self.agents[agent].0 + moved
    }
}

/// Plays a scene several times; returns sums, and means of the values per agent or per second.
fn play(scene: &Scene, avoidance: AvoidanceParams) -> Outcome {
    let mut all = Outcome::default();
    let n = f32::from(u16::try_from(N_TIMES).unwrap());
    for time in 0..N_TIMES {
        let once = play_once(scene, avoidance, time);
        let n_arrived =
            [all.n_arrived, once.n_arrived].map(|n| f32::from(u16::try_from(n).unwrap()));
        let seconds = all.seconds * n_arrived[0] + once.seconds * n_arrived[1];
        all = Outcome {
            n_arrived: all.n_arrived + once.n_arrived,
            seconds: seconds / (n_arrived[0] + n_arrived[1]).max(1.0),
            collisions: all.collisions + once.collisions / n,
            deepest: all.deepest.max(once.deepest),
            turning: all.turning + once.turning / n,
            n_stuck: all.n_stuck + once.n_stuck,
        };
    }
    all
}

fn play_once(scene: &Scene, avoidance: AvoidanceParams, time: u32) -> Outcome {
    let params = CrowdParams { max_agents: scene.agents.len(), max_agent_radius: 0.6 };
    let mut crowd = Crowd::new(params).unwrap();
    crowd.avoidance_mut()[7] = avoidance;
    let filter = Filter { exclude_flags: 0x10, ..Filter::default() };
    crowd.filters_mut()[0] = filter.clone();
    let mut ids = Vec::new();
    for (agent, &(_, params)) in scene.agents.iter().enumerate() {
        let position = scene.start(agent, time);
        let update_flags = params.update_flags.with(UpdateFlags::OBSTACLE_AVOIDANCE);
        let params = AgentParams { avoidance: 7, update_flags, ..params };
        ids.push(crowd.add_agent(&scene.mesh, position, params).unwrap());
    }
    let mut outcome = Outcome::default();
    let (mut arrivals, mut starts) = (vec![None; ids.len()], vec![Vec3::ZERO; ids.len()]);
    let (mut turned, mut n_moving) = (0.0, 0.0);
    for update in 0..scene.n_updates {
        for &(_, agent, target) in scene.targets.iter().filter(|(at, ..)| *at == update) {
            let half_extents = crowd.query_half_extents();
            let request = NearestRequest { center: target, half_extents, filter: &filter };
            if let Some(target) = nearest(&scene.mesh, &request).unwrap() {
                crowd.set_target(ids[agent], target).unwrap();
                arrivals[agent] = None;
            }
        }
        let before: Vec<Vec3> = ids.iter().map(|&id| crowd.agent(id).unwrap().velocity()).collect();
        crowd.update(&scene.mesh, scene.seconds);
        let time = scene.seconds * f32::from(u16::try_from(update + 1).unwrap());
        let agents: Vec<&Agent> = ids.iter().map(|&id| crowd.agent(id).unwrap()).collect();
        let left = f32::from(u16::try_from(scene.n_updates - update).unwrap()) * scene.seconds;
        for (index, agent) in agents.iter().enumerate() {
            if left > STUCK {
                starts[index] = agent.position();
            }
            let target = agent.target().map(|target| target.point);
            let is_there = target.is_some_and(|to| to.distance(agent.position()) < ARRIVED);
            if is_there && arrivals[index].is_none() {
                arrivals[index] = Some(time);
            }
            let [old, new] = [before[index].xz(), agent.velocity().xz()];
            if old.length() > 0.2 && new.length() > 0.2 {
                turned += old.angle_to(new).abs().to_degrees();
                n_moving += scene.seconds;
            }
            for other in &agents[..index] {
                let away = agent.position() - other.position();
                let reach = agent.params().radius + other.params().radius;
                let overlap = reach - away.xz().length();
                if away.y.abs() < 1.0 {
                    outcome.deepest = outcome.deepest.max(overlap);
                    outcome.collisions += if overlap > TOLERANCE { scene.seconds } else { 0.0 };
                }
            }
        }
    }
    let is_stuck = |index: usize| {
        let agent = crowd.agent(ids[index]).unwrap();
        arrivals[index].is_none()
            && agent.target().is_some()
            && agent.position().distance(starts[index]) < 0.5
    };
    outcome.n_stuck = (0..ids.len()).filter(|&index| is_stuck(index)).count();
    let times: Vec<f32> = arrivals.iter().flatten().copied().collect();
    outcome.n_arrived = times.len();
    let n_arrived = f32::from(u16::try_from(times.len().max(1)).unwrap());
    outcome.seconds = times.iter().sum::<f32>() / n_arrived;
    outcome.turning = turned / f32::max(n_moving, 1.0);
    outcome
}

/// Prints the table of docs/crowd.md. Every scene can be played with both methods.
#[test]
fn compare_avoidance() {
    let mut scenes = own_scenes();
    for root in walkable_test_support::reference_roots().iter().take(1) {
        let folders = std::fs::read_dir(root.join("crowd")).unwrap();
        let folders = folders.map(|entry| entry.unwrap().path());
        let mut folders: Vec<_> = folders.filter(|path| path.is_dir()).collect();
        folders.sort();
        scenes.extend(folders.iter().map(|folder| reference_scene(folder)));
    }
    println!("| scene | method | arrived | mean time | collisions | deepest | turning | stuck |");
    println!("|---|---|---|---|---|---|---|---|");
    for scene in &scenes {
        for (name, avoidance) in METHODS {
            let Outcome { n_arrived, seconds, collisions, deepest, turning, n_stuck } =
                play(scene, avoidance);
            println!(
                "| {} | {name} | {n_arrived}/{} | {seconds:.1} s | {collisions:.1} s | {deepest:.2} m | {turning:.0}°/s | {n_stuck} |",
                scene.name,
                scene.agents.len() * usize::try_from(N_TIMES).unwrap()
            );
        }
    }
}

/// In open scenes, agents with reciprocal avoidance arrive sooner or about as soon, do not collide, and turn less.
#[test]
fn reciprocal_agents_walk_more_smoothly() {
    for scene in own_scenes().iter().take(3) {
        let [sampled, reciprocal] = METHODS.map(|(_, avoidance)| play(scene, avoidance));
        let unmoved = play_once(scene, AvoidanceParams::RECIPROCAL, 0);
        assert!(unmoved.n_arrived + 1 >= scene.agents.len(), "{}", scene.name);
        assert!(reciprocal.n_arrived + 2 >= sampled.n_arrived, "{}", scene.name);
        assert!(reciprocal.seconds < 1.1 * sampled.seconds, "{}", scene.name);
        assert!(reciprocal.collisions <= 0.0 && sampled.collisions > 1.0, "{}", scene.name);
        assert!(reciprocal.turning < 0.8 * sampled.turning, "{}", scene.name);
    }
}

/// In crowds and at doors, agents with reciprocal avoidance overlap by at most a tenth of their radius, and nearly all
/// get through.
#[test]
fn reciprocal_agents_stay_apart_and_do_not_block_doors() {
    let (mut n_arrived, mut n_agents) = (0, 0);
    for scene in own_scenes() {
        let outcome = play(&scene, AvoidanceParams::RECIPROCAL);
        assert!(outcome.deepest < 0.0301, "{}: {} m", scene.name, outcome.deepest);
        let n = scene.agents.len() * usize::try_from(N_TIMES).unwrap();
        assert!(outcome.n_arrived * 10 >= n * 9, "{}: {} of {n}", scene.name, outcome.n_arrived);
        n_arrived += outcome.n_arrived;
        n_agents += n;
    }
    assert!(n_arrived * 100 >= n_agents * 98, "{n_arrived} of {n_agents}");
}

//! Movement tasks on generated levels.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use glam::{Vec3, Vec3Swizzles as _};
use proptest::{prelude::*, test_runner::TestCaseResult};
use rayon::ThreadPoolBuilder;
use walkable::{
    crowd::{AgentId, AgentParams, Crowd, CrowdParams},
    navmesh::NavMesh,
    query::{
        Filter, MeshPoint, PathRequest, PathStatus, RandomPointRequest, Scratch, Seeded,
        StraightPathRequest, TileChoice, find_path, random_point, straight_path,
    },
    tasks::{CrowdTasks, MovementTask, Reach, TaskEvent, TaskEventKind, TaskRules, TaskTarget},
};

use crate::levels::{LEVELS, Setting, setting};

const SECONDS: f32 = 0.05;

fn crowd(max_agents: usize, filter: &Filter) -> Crowd {
    let mut crowd = Crowd::new(CrowdParams { max_agents, max_agent_radius: 0.4 }).unwrap();
    crowd.filters_mut()[0] = filter.clone();
    crowd
}

/// Returns the length of the path between two points, `None` if it is not complete.
fn path_length(mesh: &NavMesh, filter: &Filter, ends: [Vec3; 2]) -> Option<f32> {
    let request = PathRequest {
        half_extents: Vec3::splat(0.8),
        ..PathRequest::new(ends[0], ends[1], filter)
    };
    let path = find_path(mesh, &request, &mut Scratch::default()).unwrap();
    let length = || {
        let request = StraightPathRequest::new(ends[0], ends[1], &path.corridor);
        let points = straight_path(mesh, &request, &mut Scratch::default()).unwrap();
        points.windows(2).map(|pair| pair[0].position.distance(pair[1].position)).sum()
    };
    (path.status == PathStatus::Complete).then(length)
}

/// Sends one agent to a point, and checks the first final event.
fn check_go_to(setting: &Setting, radius: f32, reach: Reach) -> TestCaseResult {
    setting.with(|mesh, filter, [start, end]| {
        let mut crowd = crowd(1, filter);
        let params = AgentParams::of_size(0.4, 2.0);
        let agent = crowd.add_agent(mesh, start.point, params).unwrap();
        let mut tasks = CrowdTasks::default();
        let task = MovementTask::GoTo { point: end.point, radius };
        let rules = TaskRules { reach, ..TaskRules::default() };
        tasks.assign(&crowd, agent, task, rules).unwrap();
        let mut kind = None;
        for _ in 0..6000 {
            let events = tasks.update(&mut crowd, mesh, SECONDS, |_| None);
            kind = events.iter().find(|event| event.is_final).map(|event| event.kind);
            if kind.is_some() {
                break;
            }
            crowd.update(mesh, SECONDS);
        }
        let position = crowd.agent(agent).unwrap().position();
        let path = path_length(mesh, filter, [position, end.point]);
        match kind {
            Some(TaskEventKind::Arrived) => {
                let away = position.xz().distance(end.point.xz());
                prop_assert!(away <= radius.max(0.1) + 1e-4, "{} away", away);
                prop_assert!((position.y - end.point.y).abs() <= 2.0);
                let is_near = path.is_some_and(|length| length <= radius.max(0.1) + 0.05);
                prop_assert!(reach != Reach::WalkingDistance || is_near, "{:?}", path);
            }
            Some(TaskEventKind::Unreachable { why }) => {
                prop_assert!(path.is_none(), "a path of {:?} m, but {:?}", path, why);
                prop_assert!(why.is_some());
            }
            other => prop_assert!(false, "at {} ended with {:?}", position, other),
        }
        Ok(())
    })
}

fn reach() -> impl Strategy<Value = Reach> {
    prop_oneof![Just(Reach::Distance), Just(Reach::LineOfSight), Just(Reach::WalkingDistance)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    /// An agent that is alone arrives by the rules of its reach if a path leads to the target, or reports why none
    /// does.
    #[test]
    fn an_agent_arrives_or_knows_why_not(
        setting in setting(), radius in 0.0f32..4.0, reach in reach(),
    ) {
        check_go_to(&setting, radius, reach)?;
    }
}

/// Avoidance stops the agent a few centimeters before the end of a partial path, too far from the target to arrive.
#[test]
fn an_agent_that_stops_short_of_a_partial_path_knows_why() {
    let cases = [
        (0, 8_924_221_186_768_235_543, 1.0, 1.660_518_4),
        (2, 8_815_767_544_962_833_003, 1.0, 3.525_910_6),
        (5, 2_177_376_915_468_216_377, 7.379_450_3, 3.760_141_8),
    ];
    for (level, seed, cost, radius) in cases {
        let setting = Setting { level, seed, cost, entering: 0.0 };
        check_go_to(&setting, radius, Reach::Distance).unwrap();
    }
}

/// Returns the states and events of many agents with all kinds of tasks, after 10 s.
fn busy_crowd() -> (String, Vec<TaskEvent>) {
    LEVELS.with(|levels| {
        let mesh = &levels[1];
        let (filter, mut seeded) = (Filter::default(), Seeded::new(3));
        let request = RandomPointRequest { filter: &filter, tiles: TileChoice::ByArea };
        let mut draw = || -> MeshPoint { random_point(mesh, &request, || seeded.share()).unwrap() };
        let mut crowd = crowd(200, &filter);
        let mut tasks = CrowdTasks::default();
        for number in 0..200_u32 {
            let params = AgentParams::of_size(0.4, 2.0);
            let agent = crowd.add_agent(mesh, draw().point, params).unwrap();
            let target = TaskTarget::Agent(AgentId(number / 3));
            let task = match number % 3 {
                0 => MovementTask::GoTo { point: draw().point, radius: 0.5 },
                1 if number > 3 => MovementTask::Approach { target, radius: 1.5 },
                _ => MovementTask::Follow { target, nearest: 1.0, farthest: 5.0 },
            };
            let reach = [Reach::Distance, Reach::LineOfSight][number as usize % 2];
            let rules = TaskRules { reach, ..TaskRules::default() };
            // An agent cannot follow itself.
            tasks.assign(&crowd, agent, task, rules).ok();
        }
        let mut events = Vec::new();
        for _ in 0..200 {
            events.extend_from_slice(tasks.update(&mut crowd, mesh, SECONDS, |_| None));
            crowd.update(mesh, SECONDS);
        }
        (serde_json::to_string(&(&crowd, &tasks)).unwrap(), events)
    })
}

#[test]
fn tasks_are_the_same_on_any_number_of_threads() {
    let run = |n_threads| {
        let pool = ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(busy_crowd)
    };
    let (one, two) = (run(1), run(2));
    assert!(one.0 == two.0);
    assert_eq!(one.1, two.1);
    assert!(one.1.iter().any(|event| event.kind == TaskEventKind::Arrived));
}

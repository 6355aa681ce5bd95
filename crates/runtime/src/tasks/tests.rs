use glam::Vec3;

use super::*;
use crate::{
    crowd::{AgentId, AgentParams, Crowd, CrowdParams},
    ids::TileCoord,
    navmesh::{
        NavMesh,
        sample::{connect, mesh, solo, tile},
    },
    query::WhyNot,
};

const SECONDS: f32 = 0.05;

fn at(x: f32, z: f32) -> Vec3 {
    Vec3::new(x, 0.0, z)
}

/// Returns a room of 8 m; a wall divides it, with an opening at the lower end.
fn room() -> NavMesh {
    solo(&[
        "...#....", "...#....", "...#....", "...#....", "...#....", "...#....", "........",
        "........",
    ])
}

/// Agents with tasks, and an entity that the test moves.
struct Game {
    mesh: NavMesh,
    crowd: Crowd,
    tasks: CrowdTasks,
    entity: Option<Vec3>,
    events: Vec<TaskEvent>,
}

impl Game {
    fn new(mesh: NavMesh, starts: &[Vec3]) -> Self {
        let mut crowd = Crowd::new(CrowdParams { max_agents: 8, max_agent_radius: 0.3 }).unwrap();
        for &start in starts {
            crowd.add_agent(&mesh, start, AgentParams::of_size(0.3, 2.0)).unwrap();
        }
        Self { mesh, crowd, tasks: CrowdTasks::default(), entity: None, events: Vec::new() }
    }

    fn assign(&mut self, agent: u32, task: MovementTask, rules: TaskRules) {
        self.tasks.assign(&self.crowd, AgentId(agent), task, rules).unwrap();
    }

    fn update(&mut self) {
        let entity = self.entity;
        let events = self.tasks.update(&mut self.crowd, &self.mesh, SECONDS, |_| entity);
        self.events.extend_from_slice(events);
        self.crowd.update(&self.mesh, SECONDS);
    }

    /// Updates until the first event, and returns it.
    fn first_event(&mut self) -> TaskEventKind {
        for _ in 0..2000 {
            self.update();
            if let Some(event) = self.events.first() {
                return event.kind;
            }
        }
        panic!("no event in 100 s");
    }

    fn position(&self, agent: u32) -> Vec3 {
        self.crowd.agent(AgentId(agent)).unwrap().position()
    }
}

const NEAR: MovementTask = MovementTask::Approach { target: TaskTarget::Entity(7), radius: 1.0 };
const BAND: MovementTask =
    MovementTask::Follow { target: TaskTarget::Entity(7), nearest: 1.0, farthest: 3.0 };

fn go_to(x: f32, z: f32, radius: f32) -> MovementTask {
    MovementTask::GoTo { point: at(x, z), radius }
}

#[test]
fn an_agent_stops_within_the_radius_of_a_point() {
    for radius in [0.0, 0.5, 2.0] {
        let mut game = Game::new(room(), &[at(0.5, 0.5)]);
        game.assign(0, go_to(7.5, 0.5, radius), TaskRules::default());
        assert_eq!(game.first_event(), TaskEventKind::Arrived);
        let away = game.position(0).distance(at(7.5, 0.5));
        assert!(away <= radius.max(0.08) && away > radius - 0.25, "{radius}: {away}");
        assert!(game.events[0].is_final && game.tasks.task(AgentId(0)).is_none());
        let agent = game.crowd.agent(AgentId(0)).unwrap();
        assert_eq!(agent.target(), None);
    }
}

/// The wall is 1 m thick: the target behind it is near, but the path around it is long.
#[test]
fn reach_decides_whether_walls_count() {
    let arrival = |reach| {
        let mut game = Game::new(room(), &[at(2.5, 0.5)]);
        game.assign(0, go_to(4.5, 3.5, 2.2), TaskRules { reach, ..TaskRules::default() });
        assert_eq!(game.first_event(), TaskEventKind::Arrived);
        game.position(0)
    };
    let [by_distance, by_sight, by_path] =
        [Reach::Distance, Reach::LineOfSight, Reach::WalkingDistance].map(arrival);
    assert!(by_distance.x < 3.0 && by_distance.z < 4.0, "{by_distance}");
    assert!(by_sight.z > 5.0 && by_sight.distance(at(4.5, 3.5)) <= 2.2, "{by_sight}");
    assert!(by_path.x > 3.5 && by_path.distance(at(4.5, 3.5)) > 2.0, "{by_path}");
}

#[test]
fn a_moving_target_is_approached() {
    let mut game = Game::new(room(), &[at(0.5, 0.5)]);
    game.assign(0, NEAR, TaskRules::default());
    for step in 0..400_u16 {
        game.entity = Some(at(7.5, 0.5 + f32::from(step) * 0.0175));
        game.update();
        if !game.events.is_empty() {
            break;
        }
    }
    assert_eq!(game.events[0].kind, TaskEventKind::Arrived);
    assert!(game.position(0).distance(game.entity.unwrap()) <= 1.0);
}

#[test]
fn one_agent_approaches_another() {
    let mut game = Game::new(room(), &[at(0.5, 0.5), at(7.5, 0.5)]);
    let target = TaskTarget::Agent(AgentId(1));
    game.assign(0, MovementTask::Approach { target, radius: 1.0 }, TaskRules::default());
    game.assign(1, go_to(0.5, 7.5, 0.1), TaskRules::default());
    while game.events.iter().all(|event| event.agent != AgentId(0)) {
        game.update();
    }
    assert!(game.position(0).distance(game.position(1)) < 1.2);
    game.crowd.remove_agent(AgentId(1));
    game.assign(0, MovementTask::Approach { target, radius: 1.0 }, TaskRules::default());
    game.events.clear();
    assert_eq!(game.first_event(), TaskEventKind::Lost { cause: LossCause::TargetGone });
}

#[test]
fn a_follower_stays_within_its_band() {
    let mut game = Game::new(room(), &[at(0.5, 7.5)]);
    game.assign(0, BAND, TaskRules::default());
    let mut n_outside = 0;
    // The target walks along the lower edge, waits, and comes back toward the follower.
    for step in 0..1200_u16 {
        let x = match step {
            0..300 => 3.0 + f32::from(step) * 0.015,
            300..700 => 7.5,
            _ => 7.5 - f32::from(step - 700) * 0.01,
        };
        game.entity = Some(at(x, 7.5));
        game.update();
        let distance = game.position(0).distance(at(x, 7.5));
        n_outside += usize::from(!(0.9..=3.3).contains(&distance));
    }
    assert_eq!(n_outside, 0);
    assert!(game.events.iter().all(|event| !event.is_final), "{:?}", game.events);
    assert_eq!(game.events[0].kind, TaskEventKind::Arrived);
    assert!(game.position(0).x < 2.0, "it stepped back: {}", game.position(0));
}

/// Returns two rooms without a connection.
fn divided() -> NavMesh {
    solo(&["..#..", "..#..", "..#..", "..#..", "..#.."])
}

#[test]
fn an_unreachable_target_is_reported_with_the_reason() {
    let mut game = Game::new(divided(), &[at(0.5, 0.5)]);
    game.assign(0, go_to(4.5, 4.5, 0.5), TaskRules::default());
    let why = Some(WhyNot::Disconnected);
    assert_eq!(game.first_event(), TaskEventKind::Unreachable { why });

    // Within 2 m of the target, there is ground on this side.
    let mut game = Game::new(divided(), &[at(0.5, 0.5)]);
    game.assign(0, go_to(3.5, 4.5, 2.0), TaskRules::default());
    assert_eq!(game.first_event(), TaskEventKind::Arrived);
    assert!(game.position(0).x <= 2.0);

    // Within a path of 2 m, there is none.
    let mut game = Game::new(divided(), &[at(0.5, 0.5)]);
    let rules = TaskRules { reach: Reach::WalkingDistance, ..TaskRules::default() };
    game.assign(0, go_to(3.5, 4.5, 2.0), rules);
    assert_eq!(game.first_event(), TaskEventKind::Unreachable { why });

    let mut tile = tile(0, 0, &[".#.", ".#.", ".#."]);
    connect(&mut tile, [at(0.9, 1.5), at(2.1, 1.5)], 0, 0xff);
    let mut game = Game::new(mesh([tile]), &[at(2.5, 0.5)]);
    game.assign(0, go_to(0.5, 0.5, 0.5), TaskRules::default());
    let why = Some(WhyNot::OneWay);
    assert_eq!(game.first_event(), TaskEventKind::Unreachable { why });

    let mut game = Game::new(divided(), &[at(0.5, 0.5)]);
    game.assign(0, go_to(0.5, 9.5, 0.5), TaskRules::default());
    let why = Some(WhyNot::EndOffMesh);
    assert_eq!(game.first_event(), TaskEventKind::Unreachable { why });
}

/// The only path is closed while the agent walks.
#[test]
fn a_path_that_is_cut_off_is_noticed() {
    let row = ["....", "####", "####", "####"];
    let mut game = Game::new(mesh([0, 1, 2].map(|x| tile(x, 0, &row))), &[at(0.5, 0.5)]);
    game.assign(0, go_to(11.5, 0.5, 0.2), TaskRules::default());
    for _ in 0..20 {
        game.update();
    }
    game.mesh.remove_tiles_at(TileCoord::new(1, 0));
    let why = Some(WhyNot::Disconnected);
    assert_eq!(game.first_event(), TaskEventKind::Unreachable { why });
}

#[test]
fn a_target_off_the_navmesh_is_lost_after_a_while() {
    let mut game = Game::new(room(), &[at(0.5, 0.5)]);
    game.assign(0, NEAR, TaskRules { lost_after: 1.0, ..TaskRules::default() });
    game.entity = Some(at(7.5, 7.5));
    for step in 0..30_u8 {
        // The agent jumps for half a second and lands.
        game.entity = Some(if (10..20).contains(&step) { at(7.5, 20.0) } else { at(7.5, 7.5) });
        game.update();
        assert!(game.events.is_empty(), "{:?}", game.events);
    }
    game.entity = Some(at(7.5, 20.0));
    assert_eq!(game.first_event(), TaskEventKind::Lost { cause: LossCause::TargetOffMesh });
    game.assign(0, NEAR, TaskRules::default());
    game.events.clear();
    game.entity = None;
    assert_eq!(game.first_event(), TaskEventKind::Lost { cause: LossCause::TargetGone });
    game.assign(0, go_to(1.0, 1.0, 0.0), TaskRules::default());
    game.events.clear();
    game.crowd.remove_agent(AgentId(0));
    assert_eq!(game.first_event(), TaskEventKind::Lost { cause: LossCause::AgentGone });
}

/// A corridor 1 m wide, and an agent of radius 0.3 that stands in it.
#[test]
fn an_agent_in_the_way_is_named() {
    let mesh = solo(&["######", "######", "......", "######", "######", "######"]);
    let mut game = Game::new(mesh, &[at(0.5, 2.5), at(3.5, 2.5)]);
    // The agent in the corridor is pushed away, but returns.
    game.assign(1, go_to(3.5, 2.5, 0.0), TaskRules::default());
    game.update();
    game.events.clear();
    game.crowd
        .set_params(
            AgentId(1),
            AgentParams { radius: 0.45, max_speed: 0.0, ..AgentParams::of_size(0.3, 2.0) },
        )
        .unwrap();
    let rules = TaskRules { blocked_after: 1.0, give_up_after: Some(4.0), ..TaskRules::default() };
    game.assign(0, go_to(5.5, 2.5, 0.2), rules);
    let by = Some(AgentId(1));
    assert_eq!(game.first_event(), TaskEventKind::Blocked { by });
    assert!(!game.events[0].is_final);
    while !game.events.last().is_some_and(|event| event.is_final) {
        game.update();
    }
    assert_eq!(game.events.last().unwrap().kind, TaskEventKind::GaveUp { by });
    assert!(game.events.len() > 2, "{:?}", game.events);
}

#[test]
fn a_task_ends_after_its_timeout() {
    let mut game = Game::new(room(), &[at(0.5, 0.5)]);
    game.assign(0, go_to(7.5, 0.5, 0.0), TaskRules { timeout: Some(1.0), ..TaskRules::default() });
    assert_eq!(game.first_event(), TaskEventKind::TimedOut);
    assert!(game.position(0).x < 4.0);
    let cancelled = game.tasks.cancel(&mut game.crowd, AgentId(0));
    assert!(!cancelled, "the task had ended");
}

#[test]
fn an_agent_jumps_to_its_target() {
    let mut tile = tile(0, 0, &["..#..", "..#..", "..#..", "..#..", "..#.."]);
    connect(&mut tile, [at(1.5, 2.5), at(3.5, 2.5)], 1, 0xff);
    let mut game = Game::new(mesh([tile]), &[at(0.5, 0.5)]);
    let rules = TaskRules { reach: Reach::LineOfSight, ..TaskRules::default() };
    game.assign(0, go_to(4.5, 4.5, 1.0), rules);
    assert_eq!(game.first_event(), TaskEventKind::Arrived);
    assert!(game.position(0).x > 3.0);
}

#[test]
fn invalid_tasks_are_rejected() {
    let game = Game::new(room(), &[at(0.5, 0.5)]);
    let mut tasks = CrowdTasks::default();
    let mut error = |agent, task, rules| {
        tasks.assign(&game.crowd, AgentId(agent), task, rules).unwrap_err().to_string()
    };
    let rules = TaskRules::default();
    let target = TaskTarget::Agent(AgentId(0));
    for (agent, task, rules, expected) in [
        (0, go_to(1.0, 1.0, -1.0), rules, "the radius of the task is -1"),
        (0, go_to(f32::NAN, 1.0, 1.0), rules, "the target point of the task is NaN"),
        (0, go_to(1.0, 1.0, 1.0), TaskRules { timeout: Some(-2.0), ..rules }, "the timeout"),
        (0, MovementTask::Approach { target, radius: 1.0 }, rules, "agent 0 cannot be its own"),
        (5, NEAR, rules, "the crowd has no agent 5"),
        (
            0,
            MovementTask::Follow { target: TaskTarget::Entity(1), nearest: 3.0, farthest: 2.0 },
            rules,
            "the smallest distance, 3 m, must be below the largest, 2 m",
        ),
    ] {
        let found = error(agent, task, rules);
        assert!(found.contains(expected), "{found}");
    }
}

#[test]
fn saved_tasks_continue_where_they_stopped() {
    let mut game = Game::new(room(), &[at(0.5, 0.5), at(7.5, 0.5), at(0.5, 7.5)]);
    let target = TaskTarget::Agent(AgentId(1));
    let reach = Reach::WalkingDistance;
    game.assign(
        0,
        MovementTask::Approach { target, radius: 0.9 },
        TaskRules { reach, ..TaskRules::default() },
    );
    game.assign(1, go_to(7.5, 7.5, 0.1), TaskRules::default());
    game.assign(2, BAND, TaskRules::default());
    let state = |game: &Game| serde_json::to_string(&(&game.crowd, &game.tasks)).unwrap();
    for step in 0..200_u8 {
        game.entity = Some(at(7.5, f32::from(step) * 0.03));
        if step % 20 == 3 {
            let (crowd, tasks) = serde_json::from_str(&state(&game)).unwrap();
            let mut restored = Game { crowd, tasks, ..Game::new(room(), &[]) };
            let (crowd, tasks) = (game.crowd.clone(), game.tasks.clone());
            let mut original = Game { crowd, tasks, ..Game::new(room(), &[]) };
            for game in [&mut restored, &mut original] {
                game.entity = Some(at(7.5, f32::from(step) * 0.03));
                (0..10).for_each(|_| game.update());
            }
            assert!(state(&restored) == state(&original), "after {step}");
            assert_eq!(restored.events, original.events);
        }
        game.update();
    }
    let bad = state(&game).replace("\"radius\":0.9", "\"radius\":-1.0");
    let bad = bad.replace("\"nearest\":1.0", "\"nearest\":-1.0");
    let error = serde_json::from_str::<(Crowd, CrowdTasks)>(&bad).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("agent 2: the smallest distance"), "{error}");
}

//! The crowd tool: its settings, and the state of its simulation for users.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use glam::Vec3;
use walkable::{
    crowd::{Agent, AgentParams, AgentState, Crowd, TargetState, VelocitySample},
    diagnostic::Phrase,
    soak::HeatMap,
    tasks::TaskPhase,
};
use walkable_workspace::{
    document::{Pace, TargetField},
    lang::{self, tr},
};

use super::{
    Avoidance, ClickTask, CrowdDrawing, SceneAgent, SceneTask, Session, ShownHeat, ToolKind,
    crowd_run::{CrowdRun, MAX_UPDATES, UPDATE, seconds_at, updates_in},
};

#[derive(Clone, Debug)]
pub struct CrowdPlay {
    pub chosen: BTreeSet<usize>,
    pub group: u8,
    pub click: ClickTask,
    /// Kind of the agents that a click places: number of an agent of the project; `None` for the current one.
    pub kind: Option<usize>,
    pub avoidance: Avoidance,
    pub playing: bool,
    /// Speed of the simulation, 1 for real time.
    pub speed: f32,
    pub follows: bool,
    pub drawings: BTreeSet<CrowdDrawing>,
    pub heat: Option<ShownHeat>,
    run: Option<CrowdRun>,
}

impl Default for CrowdPlay {
    fn default() -> Self {
        Self {
            chosen: BTreeSet::new(),
            group: 1,
            click: ClickTask::default(),
            kind: None,
            avoidance: Avoidance::default(),
            playing: false,
            speed: 1.0,
            follows: false,
            drawings: CrowdDrawing::ALL.iter().copied().filter(|it| it.is_on_at_first()).collect(),
            heat: Some(ShownHeat::FIRST),
            run: None,
        }
    }
}

impl CrowdPlay {
    pub const SPEEDS: [f32; 4] = [0.25, 1.0, 4.0, 16.0];
    pub const GROUPS: [u8; 4] = [1, 5, 10, 25];

    pub fn shows(&self, drawing: CrowdDrawing) -> bool {
        self.drawings.contains(&drawing)
    }

    pub fn toggle(&mut self, drawing: CrowdDrawing) {
        if !self.drawings.remove(&drawing) {
            self.drawings.insert(drawing);
        }
    }

    /// Returns the time between two frames of a running simulation, and the number of updates between them.
    pub fn pace(&self) -> (Duration, usize) {
        let update = Duration::from_secs_f32(UPDATE);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a small number, and casts saturate"
        )]
        let n = self.speed.round() as usize;
        if n == 0 { (update.div_f32(self.speed.max(0.1)), 1) } else { (update, n) }
    }

    pub fn now(&self) -> usize {
        self.run.as_ref().map_or(0, |run| run.now)
    }

    pub fn end(&self) -> usize {
        self.run.as_ref().map_or(0, |run| run.end)
    }

    /// Maximum simulated time, in seconds.
    pub const MAX_SECONDS: u16 = 600;

    pub fn update_at(seconds: f32) -> usize {
        updates_in(seconds).min(MAX_UPDATES)
    }

    /// Returns the simulated time at an update, in seconds.
    pub fn seconds(update: usize) -> f32 {
        seconds_at(update)
    }

    /// Chooses these agents; the next click sends them to a point.
    pub fn choose(&mut self, agents: impl IntoIterator<Item = usize>) {
        self.chosen = agents.into_iter().collect();
        self.click = ClickTask::GoTo;
    }

    /// Removes the simulation; the next one starts with the scene.
    pub fn forget(&mut self) {
        (self.run, self.playing) = (None, false);
    }
}

/// An agent of the crowd or a spawner, at the shown moment.
#[derive(Clone, Copy, Debug)]
pub struct CrowdMember<'a> {
    /// Its number: its position in the scene. The agents of spawners have higher numbers.
    pub number: usize,
    pub source: usize,
    pub at: Vec3,
    /// The target of its task: a point, or the position of another agent.
    pub target: Option<Vec3>,
    /// Its parameters; for a spawner, those of its agents.
    pub params: AgentParams,
    pub is_spawner: bool,
    /// Its state; `None` for spawners, and before the simulation starts.
    pub agent: Option<&'a Agent>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct AgentReport {
    pub state: &'static str,
    /// Speed, in meters per second.
    pub speed: f32,
    /// The speed that it wants, in meters per second.
    pub wanted_speed: f32,
    /// Straight distance to its target, in meters.
    pub to_target: Option<f32>,
    pub n_corridor: usize,
    /// The agents nearby, by number, and their distances in meters.
    pub neighbors: Vec<(usize, f32)>,
    /// The last events of its task, with the simulated time in seconds; the latest one is last.
    pub events: Vec<(f32, Phrase)>,
    /// Why it stands still, if it does.
    pub standing: Option<String>,
}

impl Session {
    /// Returns the agents and spawners at the shown moment, in the order of their numbers. Before the simulation
    /// starts, they are at their start positions.
    pub fn crowd_members(&self) -> Vec<CrowdMember<'_>> {
        let scene = &self.document().crowd;
        let run = self.current_run();
        let n_numbers = run.map_or_else(|| scene.len().min(SceneAgent::MAX), CrowdRun::n_numbers);
        let targets = self.target_agents();
        let member = |number| {
            let source = run.map_or(Some(number), |run| run.source(number))?;
            let placed = scene.get(source)?;
            let target = placed.task.and_then(|task| target_of(task, &targets));
            let start = placed.at;
            let is_spawner = placed.spawner.is_some() && number == source;
            let agent = run.and_then(|run| run.agent(number));
            let is_placed = run.is_none() || is_spawner;
            let at = agent.map(Agent::position).or_else(|| is_placed.then_some(start))?;
            let params = agent.map_or_else(|| self.params_of(placed), |agent| *agent.params());
            Some(CrowdMember { number, source, at, target, params, is_spawner, agent })
        };
        (0..n_numbers).filter_map(member).collect()
    }

    /// Returns the positions of the agents of the scene at the shown moment, by their index in the scene.
    fn target_agents(&self) -> Vec<Option<Vec3>> {
        let starts = || self.document().crowd.iter().map(|agent| Some(agent.at)).collect();
        self.current_run().map_or_else(starts, CrowdRun::target_agents)
    }

    /// Returns the agents of the crowd at the shown moment, by number; none before the simulation starts.
    pub fn crowd_agents(&self) -> Vec<&Agent> {
        self.crowd_members().into_iter().filter_map(|member| member.agent).collect()
    }

    pub fn crowd_source(&self, number: usize) -> Option<usize> {
        let is_in_scene = number < self.document().crowd.len();
        let source = self.current_run().and_then(|run| run.source(number));
        source.or_else(|| is_in_scene.then_some(number))
    }

    /// Returns the positions of an agent before the shown moment, the oldest first.
    pub fn crowd_trail(&self, number: usize) -> Vec<Vec3> {
        self.current_run().map(|run| run.trail(number)).unwrap_or_default()
    }

    pub(super) fn crowd_heat(&self) -> Option<&HeatMap> {
        self.current_run().map(CrowdRun::heat)
    }

    pub fn crowd_velocity_samples(&self, number: usize) -> Vec<VelocitySample> {
        self.current_run().map(|run| run.velocity_samples(number)).unwrap_or_default()
    }

    pub fn crowd_neighbors(&self, number: usize) -> Vec<&Agent> {
        self.current_run().map(|run| run.neighbors(number)).unwrap_or_default()
    }

    pub fn shown_crowd(&self) -> Option<&Crowd> {
        self.current_run().map(CrowdRun::crowd)
    }

    pub fn crowd_times(&self) -> &[Duration] {
        self.current_run().map(CrowdRun::times).unwrap_or_default()
    }

    /// Returns the chosen agent; `None` if none or several are chosen.
    pub fn chosen_agent(&self) -> Option<usize> {
        let mut chosen = self.crowd.chosen.iter().copied();
        chosen.next().filter(|_| chosen.next().is_none())
    }

    /// Returns the name of the kind of the agents that a click places; `None` for the current one.
    pub fn next_kind(&self) -> Option<&str> {
        let agent = self.document().agents.list.get(self.crowd.kind?)?;
        Some(&agent.name)
    }

    pub fn chosen_sources(&self) -> BTreeSet<usize> {
        self.crowd.chosen.iter().filter_map(|&agent| self.crowd_source(agent)).collect()
    }

    /// Returns the point that the camera follows: the middle of the chosen agent.
    pub fn followed_point(&self) -> Option<Vec3> {
        let follows = self.crowd.follows && self.tools.tool == ToolKind::Crowd;
        let number = self.chosen_agent().filter(|_| follows)?;
        let agent = self.current_run()?.agent(number)?;
        Some(agent.position() + Vec3::Y * (agent.params().height * 0.5))
    }

    /// Returns the positions of the agents and spawners, by number: at the shown moment, or where they start.
    pub fn crowd_positions(&self) -> Vec<Vec3> {
        self.crowd_members().into_iter().map(|member| member.at).collect()
    }

    pub fn crowd_params(&self) -> AgentParams {
        self.params_of(&SceneAgent::new(Vec3::ZERO))
    }

    /// Returns the size and speed of the agent's kind. If it has no kind, or if its kind was removed, those of the
    /// active agent apply.
    pub fn params_of(&self, agent: &SceneAgent) -> AgentParams {
        let (settings, pace) = self.document().kind(agent.kind.as_deref());
        let Pace { max_speed, max_acceleration } = pace;
        let [radius, height] = [settings.agent_radius.max(0.05), settings.agent_height.max(0.1)];
        let avoidance = agent.avoidance.index();
        let params = AgentParams::of_size(radius, height);
        AgentParams { max_speed, max_acceleration, avoidance, ..params }
    }

    /// Returns whether an agent of the scene walks on the navmesh of another kind than its own.
    pub fn has_other_kinds(&self) -> bool {
        let document = self.document();
        let mut kinds = document.crowd.iter().filter_map(|agent| agent.kind.as_deref());
        kinds.any(|kind| document.other_agent(kind).is_some())
    }

    /// Returns the simulation, unless scene, agent or navmesh have changed since it started.
    fn current_run(&self) -> Option<&CrowdRun> {
        self.crowd.run.as_ref().filter(|run| self.is_current(run))
    }

    fn is_current(&self, run: &CrowdRun) -> bool {
        let scene = &self.document().crowd;
        let navmesh = self.bake.navmesh.as_ref();
        run.scene[..] == scene[..scene.len().min(SceneAgent::MAX)]
            && scene.iter().zip(&run.params).all(|(agent, params)| self.params_of(agent) == *params)
            && navmesh.is_some_and(|navmesh| Arc::ptr_eq(navmesh, &run.navmesh))
    }

    pub fn can_play_crowd(&self) -> bool {
        self.bake.navmesh.is_some() && !self.document().crowd.is_empty()
    }

    /// Shows the crowd after `update` updates. Starts the simulation again if the scene has changed.
    pub fn show_crowd(&mut self, update: usize) {
        if self.current_run().is_none() {
            self.crowd.run = self.bake.navmesh.as_ref().and_then(|navmesh| {
                let document = self.document();
                let filter = walkable_workspace::path_tests::filter_of(&document.areas);
                CrowdRun::new(&document.crowd, |agent| self.params_of(agent), navmesh, &filter)
            });
        }
        if let Some(run) = &mut self.crowd.run {
            run.show(update);
        }
    }

    /// Advances a running simulation by a frame; it stops after ten minutes.
    pub fn crowd_on(&mut self) {
        let is_new = self.current_run().is_none();
        let now = if is_new { 0 } else { self.crowd.now() };
        if now >= MAX_UPDATES || !self.can_play_crowd() {
            self.crowd.playing = false;
            return;
        }
        self.show_crowd(now + self.crowd.pace().1);
    }

    pub fn crowd_report(&self, number: usize) -> Option<AgentReport> {
        let run = self.current_run()?;
        let of = run.agent(number)?;
        let task = run.source(number).and_then(|source| run.scene.get(source)?.task);
        let target = task.and_then(|task| target_of(task, &run.target_agents()));
        let speed = of.velocity().length();
        let near = of.neighbors().iter();
        let near =
            near.filter_map(|other| Some((run.number_of(other.agent)?, other.distance_sqr.sqrt())));
        let neighbors: Vec<_> = near.collect();
        Some(AgentReport {
            state: state_name(of),
            speed,
            wanted_speed: of.desired_velocity().length(),
            to_target: target.map(|target| target.distance(of.position())),
            n_corridor: of.corridor().map_or(0, |corridor| corridor.polys().len()),
            events: run.events(number),
            standing: (speed < 0.1 && run.now > 0).then(|| match run.ended(number) {
                Some(event) => lang::phrase(event),
                None => why_standing(of, run.phase(number), &neighbors).to_owned(),
            }),
            neighbors,
        })
    }
}

fn target_of(mut task: SceneTask, agents: &[Option<Vec3>]) -> Option<Vec3> {
    match task.fields().target {
        TargetField::Point(point) => Some(*point),
        TargetField::Agent(agent) => *agents.get(*agent)?,
    }
}

pub fn state_name(agent: &Agent) -> &'static str {
    match (agent.state(), agent.target_state()) {
        (AgentState::Invalid, _) => tr!("Not on the navmesh"),
        (AgentState::OffMesh, _) => tr!("On an off-mesh link"),
        (AgentState::Walking, TargetState::None) => tr!("No target"),
        (AgentState::Walking, TargetState::Failed) => tr!("No path"),
        (AgentState::Walking, TargetState::Valid | TargetState::Velocity) => tr!("Walking"),
        (
            AgentState::Walking,
            TargetState::Requesting | TargetState::WaitingForQueue | TargetState::WaitingForPath,
        ) => tr!("Waiting for a path"),
    }
}

/// Returns the most specific reason why an agent stands still. `phase` is `None` if the agent has no task.
fn why_standing(
    agent: &Agent,
    phase: Option<TaskPhase>,
    neighbors: &[(usize, f32)],
) -> &'static str {
    let radius = agent.params().radius;
    let Some(phase) = phase else { return tr!("no target") };
    if agent.state() == AgentState::Invalid {
        return tr!("no polygon nearby");
    }
    if phase == TaskPhase::Holding {
        return tr!("within the distances from the agent that it follows");
    }
    if agent.target_state() != TargetState::Valid {
        return tr!("no path");
    }
    if neighbors.iter().any(|(_, distance)| *distance < radius * 3.0) {
        return tr!("another agent is in the way");
    }
    if agent.is_partial() {
        return tr!("the path ends before the target");
    }
    tr!("cause unknown")
}

#[cfg(test)]
mod tests {
    use walkable::tasks::Reach;
    use walkable_workspace::lang::Language;

    use super::*;
    use crate::{session::Spawner, testing};

    /// Returns a session with a walking agent and one without a target.
    fn session() -> Session {
        let mut session = testing::baked();
        let [start, end] = [Vec3::new(4.0, 0.0, 20.0), Vec3::new(20.0, 0.0, 20.0)];
        let walking = SceneAgent::going(start, end);
        let standing = SceneAgent::new(Vec3::new(4.0, 0.0, 18.0));
        session
            .history
            .change(Phrase::verbatim("Add"), |document| document.crowd = vec![walking, standing]);
        session
    }

    #[test]
    fn agents_walk_to_their_targets_and_report_why_they_stand() {
        let mut session = session();
        assert_eq!(session.crowd_report(0), None);
        session.show_crowd(60);
        let walking = session.crowd_report(0).unwrap();
        assert_eq!((walking.state, walking.standing.as_deref()), ("Walking", None));
        assert!(walking.speed > 1.0 && walking.n_corridor > 0, "{walking:?}");
        assert!(walking.to_target.unwrap() < 13.0, "{walking:?}");
        assert_eq!(walking.neighbors[0].0, 1);
        let standing = session.crowd_report(1).unwrap().standing;
        assert_eq!(standing.as_deref(), Some("no target"));
        session.show_crowd(600);
        let arrived = session.crowd_report(0).unwrap();
        assert_eq!(arrived.standing.as_deref(), Some("arrived"), "{arrived:?}");
        let [(seconds, event)] = &arrived.events[..] else { panic!("{arrived:?}") };
        assert_eq!(event.to_string(), "arrived");
        assert!((4.0..10.0).contains(seconds), "{seconds}");
        // In the language of the window.
        lang::set_language(Language::Chinese);
        assert_eq!(session.crowd_report(0).unwrap().standing.as_deref(), Some("已到达"));
        lang::set_language(Language::English);
    }

    /// Returns the session with another task of the first agent.
    fn with_task(task: SceneTask) -> Session {
        let mut session = session();
        session
            .history
            .change(Phrase::verbatim("Task"), |document| document.crowd[0].task = Some(task));
        session
    }

    /// Returns the last event of an agent, and why it stands.
    fn last(session: &Session, number: usize) -> [String; 2] {
        let report = session.crowd_report(number).unwrap();
        let event = report.events.last().map(|(_, event)| event.to_string());
        [event.unwrap_or_default(), report.standing.unwrap_or_default()]
    }

    #[test]
    fn agents_go_to_within_a_radius_of_a_point() {
        let point = Vec3::new(20.0, 0.0, 20.0);
        let reach = Reach::Distance;
        let mut session = with_task(SceneTask::GoTo { point, radius: Some(6.0), reach });
        session.show_crowd(600);
        let away = session.crowd_positions()[0].distance(point);
        assert!((5.0..6.1).contains(&away), "{away}");
        assert_eq!(last(&session, 0), ["arrived", "arrived"]);
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "sizes and places are set, not computed")]
    fn an_agent_approaches_and_follows_another_one_that_walks() {
        let mut session = session();
        let reach = Reach::Distance;
        session.history.change(Phrase::verbatim("Tasks"), |document| {
            document.crowd[1].task =
                Some(SceneTask::Follow { agent: 0, nearest: 2.0, farthest: 4.0, reach });
            let task = SceneTask::Approach { agent: 0, radius: 2.5, reach };
            let at = Vec3::new(4.0, 0.0, 14.0);
            document.crowd.push(SceneAgent { task: Some(task), ..SceneAgent::new(at) });
        });
        // At first, the targets are where the agent starts.
        let targets = |session: &Session| {
            let members = session.crowd_members().into_iter();
            members.map(|member| member.target.unwrap().x).collect::<Vec<_>>()
        };
        assert_eq!(targets(&session), [20.0, 4.0, 4.0]);
        session.show_crowd(900);
        assert_eq!(targets(&session)[1], session.crowd_positions()[0].x);
        let at = session.crowd_positions();
        let [follows, approached] = [1, 2].map(|other: usize| at[0].distance(at[other]));
        assert!((2.0..4.1).contains(&follows), "{follows}");
        assert!(approached < 2.7, "{approached}");
        let [_, standing] = last(&session, 1);
        assert_eq!(standing, "within the distances from the agent that it follows");
        assert_eq!(last(&session, 2), ["arrived", "arrived"]);
    }

    #[test]
    fn unreachable_and_lost_targets_are_reported_with_the_reason() {
        let mut session = with_task(SceneTask::to_point(Vec3::new(5.5, 1.0, 5.5)));
        session.show_crowd(900);
        let [event, standing] = last(&session, 0);
        assert!(event.starts_with("unreachable: "), "{event}");
        assert_eq!(standing, event);
        // The agent of a spawner is removed when it arrives.
        let reach = Reach::Distance;
        session.history.change(Phrase::verbatim("Spawner"), |document| {
            document.crowd[0] = SceneAgent {
                spawner: Some(Spawner { every: 600.0, limit: 1 }),
                ..SceneAgent::going(Vec3::new(4.0, 0.0, 20.0), Vec3::new(12.0, 0.0, 20.0))
            };
            document.crowd[1].task =
                Some(SceneTask::Follow { agent: 0, nearest: 2.0, farthest: 4.0, reach });
        });
        session.show_crowd(900);
        assert_eq!(last(&session, 1), ["lost: the target is gone"; 2]);
        // This target never was in the scene.
        session.history.change(Phrase::verbatim("None"), |document| {
            document.crowd[1].task = Some(SceneTask::Approach { agent: 99, radius: 1.0, reach });
        });
        session.show_crowd(30);
        assert_eq!(last(&session, 1)[0], "lost: the target is gone");
    }

    #[test]
    fn an_agent_that_blocks_has_its_number_in_the_scene() {
        let mut session = testing::baked();
        // In the corner, where no way leads around the agent that stands there.
        let corner = Vec3::new(23.0, 0.0, 23.0);
        session.history.change(Phrase::verbatim("Add"), |document| {
            document.crowd = vec![
                SceneAgent {
                    spawner: Some(Spawner { every: 600.0, limit: 1 }),
                    ..SceneAgent::new(Vec3::new(3.0, 0.0, 12.0))
                },
                SceneAgent {
                    avoidance: Avoidance::Reciprocal,
                    ..SceneAgent::going(Vec3::new(16.0, 0.0, 16.0), corner)
                },
                SceneAgent::new(corner),
            ];
        });
        session.show_crowd(450);
        let events = session.crowd_report(1).unwrap().events;
        assert_eq!(
            events.last().map(|(_, event)| event.to_string()).as_deref(),
            Some("blocked by agent 2")
        );
        session.show_crowd(1200);
        assert_eq!(last(&session, 1), ["gave up, blocked by agent 2"; 2]);
        assert!(session.crowd_report(1).unwrap().events.len() <= 5);
    }

    #[test]
    fn a_moment_is_the_same_after_a_rewind() {
        let mut session = session();
        session.show_crowd(100);
        let at_100 = session.crowd_positions();
        session.show_crowd(4000);
        assert_eq!((session.crowd.now(), session.crowd.end()), (4000, 4000));
        session.show_crowd(100);
        assert_eq!(session.crowd_positions(), at_100);
        assert_eq!((session.crowd.now(), session.crowd.end()), (100, 4000));
        session.show_crowd(usize::MAX);
        assert_eq!(session.crowd.end(), MAX_UPDATES);
    }

    #[test]
    fn each_update_is_timed_once() {
        let mut session = session();
        assert!(session.crowd_times().is_empty());
        session.show_crowd(50);
        assert_eq!(session.crowd_times().len(), 50);
        assert!(session.crowd_times().iter().all(|time| !time.is_zero()));
        session.show_crowd(10);
        session.show_crowd(55);
        assert_eq!(session.crowd_times().len(), 55);
    }

    #[test]
    fn members_are_agents_spawners_and_their_agents() {
        let mut session = session();
        let spawner = Some(Spawner { every: 1.0, limit: 2 });
        session
            .history
            .change(Phrase::verbatim("Set"), |document| document.crowd[0].spawner = spawner);
        let kinds = |session: &Session| {
            let members = session.crowd_members().into_iter();
            members.map(|it| (it.number, it.source, it.is_spawner)).collect::<Vec<_>>()
        };
        assert_eq!(kinds(&session), [(0, 0, true), (1, 1, false)]);
        assert_eq!((session.crowd_source(1), session.crowd_source(2)), (Some(1), None));
        session.show_crowd(45);
        let all = [(0, 0, true), (1, 1, false), (2, 0, false), (3, 0, false)];
        assert_eq!(kinds(&session), all);
        assert_eq!(session.crowd_agents().len(), 3);
        assert_eq!((session.crowd_source(3), session.crowd_source(4)), (Some(0), None));
        assert!(session.crowd_report(0).is_none() && session.crowd_report(2).is_some());
        assert!(!session.crowd_trail(2).is_empty());
    }

    /// Returns a session with a second, smaller and slower kind of agents.
    fn with_goblin() -> Session {
        let mut session = session();
        session.history.change(Phrase::verbatim("Kinds"), |document| {
            let mut agents = document.agents.with_one_more(document);
            let goblin = &mut agents.list[1];
            goblin.name = "Goblin".to_owned();
            (goblin.settings.agent_radius, goblin.settings.agent_height) = (0.3, 1.0);
            goblin.pace = Pace { max_speed: 1.5, max_acceleration: 4.0 };
            document.take_agents(agents);
            document.crowd[0].kind = Some("Goblin".to_owned());
        });
        session
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "sizes and places are set, not computed")]
    fn agents_have_the_size_and_the_speed_of_their_kind() {
        let mut session = with_goblin();
        assert!(session.has_other_kinds());
        session.show_crowd(90);
        let params = |session: &Session, number: usize| {
            let params = *session.crowd_members()[number].agent.unwrap().params();
            [params.radius, params.height, params.max_speed, params.max_acceleration]
        };
        assert_eq!(params(&session, 0), [0.3, 1.0, 1.5, 4.0]);
        assert_eq!(params(&session, 1), [0.6, 2.0, 3.5, 8.0]);
        let walked = |session: &Session| session.crowd_positions()[0].x - 4.0;
        let slow = walked(&session);
        assert!((3.5..4.6).contains(&slow), "3 s at 1.5 m/s: {slow}");
        // A change of any kind, and another kind for an agent, start the simulation again.
        session.history.change(Phrase::verbatim("Faster"), |document| {
            document.agents.list[1].pace.max_speed = 3.0;
        });
        assert!(session.crowd_agents().is_empty());
        session.show_crowd(90);
        assert!(walked(&session) > 6.0, "{}", walked(&session));
        session.history.change(Phrase::verbatim("Kind"), |document| document.crowd[0].kind = None);
        session.show_crowd(90);
        assert_eq!(params(&session, 0), [0.6, 2.0, 3.5, 8.0]);
        assert!(!session.has_other_kinds());
    }

    #[test]
    fn agents_of_a_removed_kind_are_of_the_current_one_until_it_is_back() {
        let mut session = with_goblin();
        let radius = |session: &Session| session.crowd_members()[0].params.radius;
        session.history.change(Phrase::verbatim("Remove"), |document| {
            document.take_agents(document.agents.without(1));
        });
        assert!((radius(&session) - 0.6).abs() < 1e-6);
        session.history.undo();
        assert!((radius(&session) - 0.3).abs() < 1e-6);
        // The current kind may have a name, too: then it has the document's settings.
        session.history.change(Phrase::verbatim("Choose"), |document| {
            document.take_agents(document.agents.choosing(1));
            document.settings.agent_radius = 0.4;
        });
        assert!((radius(&session) - 0.4).abs() < 1e-6);
    }

    #[test]
    fn agents_with_reciprocal_avoidance_do_not_overlap() {
        let deepest = |avoidance| {
            let mut session = testing::baked();
            let agents = (0..24_u8).map(|number| {
                let angle = f32::from(number) * std::f32::consts::TAU / 24.0;
                let away = Vec3::new(angle.cos(), 0.0, angle.sin()) * 5.5;
                let center = Vec3::new(8.0, 0.0, 16.0);
                SceneAgent { avoidance, ..SceneAgent::going(center + away, center - away) }
            });
            let agents: Vec<_> = agents.collect();
            session.history.change(Phrase::verbatim("Circle"), |document| document.crowd = agents);
            let mut deepest = 0.0_f32;
            for update in (0..600).step_by(10) {
                session.show_crowd(update);
                let at = session.crowd_positions();
                for (number, one) in at.iter().enumerate() {
                    for other in &at[..number] {
                        deepest = deepest.max(1.2 - one.distance(*other));
                    }
                }
            }
            deepest
        };
        let [sampled, reciprocal] = [Avoidance::High, Avoidance::Reciprocal].map(deepest);
        assert!(reciprocal < 0.061, "a tenth of the radius: {reciprocal}");
        assert!(sampled > reciprocal + 0.03, "{sampled}, {reciprocal}");
    }

    #[test]
    fn the_camera_follows_one_chosen_agent() {
        let mut session = session();
        (session.crowd.follows, session.tools.tool) = (true, ToolKind::Crowd);
        session.show_crowd(10);
        assert_eq!(session.followed_point(), None);
        session.crowd.chosen = [0].into();
        let first = session.followed_point().unwrap();
        session.show_crowd(40);
        assert!(session.followed_point().unwrap().x > first.x + 1.0);
        session.crowd.chosen = [0, 1].into();
        assert_eq!(session.followed_point(), None);
        (session.crowd.chosen, session.tools.tool) = ([0].into(), ToolKind::Select);
        assert_eq!(session.followed_point(), None);
    }

    #[test]
    fn the_heat_map_counts_each_moment_once() {
        let mut session = session();
        assert!(session.crowd_heat().is_none());
        session.show_crowd(120);
        let total = |session: &Session| {
            let heat = session.crowd_heat().unwrap();
            heat.cells().map(|cell| cell.passing + cell.waiting).sum::<f32>()
        };
        // One agent walks for 4 s. The other one has no target, so it does not wait.
        let at_120 = total(&session);
        assert!((3.5..4.1).contains(&at_120), "{at_120}");
        session.show_crowd(0);
        session.show_crowd(120);
        assert!((total(&session) - at_120).abs() < 1e-6, "{}", total(&session));
        // The agent arrives, and does not wait there.
        session.show_crowd(900);
        let at_900 = total(&session);
        assert!(at_900 < 8.0, "{at_900}");
    }

    #[test]
    fn a_change_of_the_scene_starts_the_simulation_again() {
        let mut session = session();
        session.show_crowd(100);
        session.history.change(Phrase::verbatim("Remove"), |document| document.crowd.truncate(1));
        assert_eq!(session.crowd_agents().len(), 0);
        assert_eq!(session.crowd_positions(), [Vec3::new(4.0, 0.0, 20.0)]);
        session.crowd_on();
        assert_eq!((session.crowd.now(), session.crowd_agents().len()), (1, 1));
        session.bake.clear();
        session.crowd.playing = true;
        session.crowd_on();
        assert!(!session.crowd.playing);
    }
}

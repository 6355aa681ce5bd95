//! The simulation of the crowd scene: its present moment, and what was recorded of the past.

use crate::lang::tr;
use std::{collections::BTreeSet, fmt, sync::Arc, time::Duration};

use glam::Vec3;
use walkable::{
    crowd::{Agent, AgentId, AgentParams, AgentState, Crowd, CrowdParams, TargetState},
    navmesh::NavMesh,
    query::Filter,
    soak::{AgentActivity, HeatMap},
    tasks::{CrowdTasks, MovementTask, TaskRules},
};

use super::{SceneAgent, Session, ShownHeat};

/// Length of an update, in seconds.
const UPDATE: f32 = 1.0 / 30.0;
/// Maximum number of updates: ten minutes.
const MAX_UPDATES: usize = 18_000;
/// Maximum number of keyframes. Twice as many updates lie between two keyframes when there are more.
const MAX_KEYFRAMES: usize = 48;
/// Number of updates between two keyframes at first.
const KEYFRAME: usize = 30;
/// Number of updates between two recorded positions.
const SAMPLE: usize = 6;
/// Time between two recorded positions, in seconds.
const SAMPLE_SECONDS: f32 = 6.0 * UPDATE;
/// Number of recorded positions of a trail.
const TRAIL: usize = 20;

/// The crowd tool's settings, and the simulation.
#[derive(Clone, Debug)]
pub struct CrowdPlay {
    /// The chosen agents, by their position in the scene.
    pub chosen: BTreeSet<usize>,
    /// Number of agents that a click places.
    pub group: u8,
    /// Whether the simulation is running.
    pub playing: bool,
    /// Simulated time per time, 1 for real time.
    pub speed: f32,
    /// The heat map that is drawn.
    pub heat: Option<ShownHeat>,
    run: Option<CrowdRun>,
}

impl Default for CrowdPlay {
    fn default() -> Self {
        Self {
            chosen: BTreeSet::new(),
            group: 1,
            playing: false,
            speed: 1.0,
            heat: Some(ShownHeat::FIRST),
            run: None,
        }
    }
}

impl CrowdPlay {
    /// The playback speeds to choose from.
    pub const SPEEDS: [f32; 4] = [0.25, 1.0, 4.0, 16.0];
    /// The numbers of agents to choose from.
    pub const GROUPS: [u8; 4] = [1, 5, 10, 25];

    /// The time between two frames of a running simulation, and the number of updates between them.
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

    /// The shown update.
    pub fn now(&self) -> usize {
        self.run.as_ref().map_or(0, |run| run.now)
    }

    /// The latest simulated update.
    pub fn end(&self) -> usize {
        self.run.as_ref().map_or(0, |run| run.end)
    }

    /// Maximum simulated time, in seconds.
    pub const MAX_SECONDS: u16 = 600;

    /// The update nearest to a simulated time in seconds.
    pub fn update_at(seconds: f32) -> usize {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "some thousands, and casts saturate"
        )]
        let update = (seconds / UPDATE).round() as usize;
        update.min(MAX_UPDATES)
    }

    /// Simulated time at an update, in seconds.
    pub fn seconds(update: usize) -> f32 {
        u16::try_from(update).map_or(f32::INFINITY, f32::from) * UPDATE
    }

    /// Removes the simulation; the next one starts with the scene.
    pub fn forget(&mut self) {
        (self.run, self.playing) = (None, false);
    }
}

/// A moment of the simulation.
#[derive(Clone)]
struct CrowdMoment {
    crowd: Crowd,
    tasks: CrowdTasks,
    /// The last event of each agent.
    notes: Vec<Option<String>>,
}

/// A simulation of the scene.
#[derive(Clone)]
struct CrowdRun {
    scene: Vec<SceneAgent>,
    params: AgentParams,
    navmesh: Arc<NavMesh>,
    /// The agents of the crowd, by their position in the scene.
    ids: Vec<AgentId>,
    moment: CrowdMoment,
    now: usize,
    end: usize,
    /// Moments by their update, the first one at 0.
    keyframes: Vec<(usize, CrowdMoment)>,
    /// Number of updates between two keyframes.
    every: usize,
    /// Positions of all agents, at every [`SAMPLE`]th update.
    samples: Vec<Vec<Vec3>>,
    /// What the agents did up to `end`.
    heat: HeatMap,
}

impl fmt::Debug for CrowdRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { now, end, every, .. } = self;
        let n_agents = self.ids.len();
        f.debug_struct("CrowdRun")
            .field("n_agents", &n_agents)
            .field("now", now)
            .field("end", end)
            .field("every", every)
            .finish_non_exhaustive()
    }
}

impl CrowdRun {
    fn new(
        scene: &[SceneAgent],
        params: AgentParams,
        navmesh: &Arc<NavMesh>,
        filter: &Filter,
    ) -> Option<Self> {
        let scene: Vec<_> = scene.iter().take(SceneAgent::MAX).copied().collect();
        let max_agent_radius = params.radius;
        let mut crowd =
            Crowd::new(CrowdParams { max_agents: scene.len(), max_agent_radius }).ok()?;
        crowd.filters_mut()[0] = filter.clone();
        let mut tasks = CrowdTasks::default();
        let mut ids = Vec::new();
        for agent in &scene {
            let id = crowd.add_agent(navmesh, agent.at, params).ok()?;
            if let Some(point) = agent.target {
                let task = MovementTask::GoTo { point, radius: params.radius };
                tasks.assign(&crowd, id, task, TaskRules::default()).ok()?;
            }
            ids.push(id);
        }
        let notes = vec![None; ids.len()];
        let moment = CrowdMoment { crowd, tasks, notes };
        let mut run = Self {
            scene,
            params,
            navmesh: Arc::clone(navmesh),
            ids,
            keyframes: vec![(0, moment.clone())],
            moment,
            now: 0,
            end: 0,
            every: KEYFRAME,
            samples: Vec::new(),
            heat: HeatMap::of_agents(params.radius, params.height),
        };
        run.samples.push(run.positions());
        Some(run)
    }

    fn positions(&self) -> Vec<Vec3> {
        let agent = |&id: &AgentId| self.moment.crowd.agent(id).map(Agent::position);
        self.ids.iter().map(|id| agent(id).unwrap_or_default()).collect()
    }

    /// Records the positions of all agents, and what they did since they were last recorded.
    fn record(&mut self) {
        let positions = self.positions();
        let before = self.samples.last().into_iter().flatten();
        for ((&id, now), before) in self.ids.iter().zip(&positions).zip(before) {
            let Some(agent) = self.moment.crowd.agent(id) else { continue };
            let activity = AgentActivity::of(agent, now.distance(*before), SAMPLE_SECONDS);
            // An agent without a target does not wait.
            if !(activity.is_waiting && agent.target_state() == TargetState::None) {
                self.heat.add(*now, SAMPLE_SECONDS, activity);
            }
        }
        self.samples.push(positions);
    }

    /// Simulates the next update.
    fn update(&mut self) {
        let CrowdMoment { crowd, tasks, notes } = &mut self.moment;
        for event in tasks.update(crowd, &self.navmesh, UPDATE, |_entity| None) {
            if let Some(note) = notes.get_mut(event.agent.0 as usize) {
                *note = Some(event.kind.to_string());
            }
        }
        crowd.update(&self.navmesh, UPDATE);
        self.now += 1;
        if self.now <= self.end {
            return;
        }
        self.end = self.now;
        if self.now.is_multiple_of(SAMPLE) {
            self.record();
        }
        if self.now.is_multiple_of(self.every) {
            self.keyframes.push((self.now, self.moment.clone()));
            if self.keyframes.len() > MAX_KEYFRAMES {
                self.every *= 2;
                let every = self.every;
                self.keyframes.retain(|(update, _)| update.is_multiple_of(every));
            }
        }
    }

    /// Shows the moment after `update` updates.
    fn show(&mut self, update: usize) {
        let update = update.min(MAX_UPDATES);
        if update < self.now {
            let known = self.keyframes.iter().rev().find(|(at, _)| *at <= update);
            if let Some((at, moment)) = known {
                (self.now, self.moment) = (*at, moment.clone());
            }
        }
        while self.now < update {
            self.update();
        }
    }
}

/// The state of an agent, for users.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentReport {
    /// Name of its state.
    pub state: &'static str,
    /// Speed, in meters per second.
    pub speed: f32,
    /// The speed that it wants, in meters per second.
    pub wanted_speed: f32,
    /// Straight distance to its target, in meters.
    pub to_target: Option<f32>,
    /// Number of polygons of its corridor.
    pub n_corridor: usize,
    /// The agents nearby, by their position in the scene, and their distances in meters.
    pub neighbors: Vec<(usize, f32)>,
    /// The last event of its movement task.
    pub note: Option<String>,
    /// Why it stands still, if it does.
    pub standing: Option<&'static str>,
}

impl Session {
    /// The agents of the crowd at the shown moment, by their position in the scene; none before the simulation starts.
    pub fn crowd_agents(&self) -> Vec<&Agent> {
        let Some(run) = self.current_run() else { return Vec::new() };
        run.ids.iter().filter_map(|&id| run.moment.crowd.agent(id)).collect()
    }

    /// The positions of an agent before the shown moment, the oldest first.
    pub fn crowd_trail(&self, agent: usize) -> Vec<Vec3> {
        let Some(run) = self.current_run() else { return Vec::new() };
        let last = run.now / SAMPLE;
        let samples = run.samples.iter().take(last + 1).skip((last + 1).saturating_sub(TRAIL));
        samples.filter_map(|positions| positions.get(agent).copied()).collect()
    }

    /// What the agents did in the simulation up to its latest update.
    pub(super) fn crowd_heat(&self) -> Option<&HeatMap> {
        self.current_run().map(|run| &run.heat)
    }

    /// Where the agents are: at the shown moment, or where they start.
    pub fn crowd_positions(&self) -> Vec<Vec3> {
        match self.current_run() {
            Some(run) => run.positions(),
            None => self.document().crowd.iter().map(|agent| agent.at).collect(),
        }
    }

    /// The parameters of the agents of the scene.
    pub fn crowd_params(&self) -> AgentParams {
        let settings = &self.document().settings;
        AgentParams::of_size(settings.agent_radius.max(0.05), settings.agent_height.max(0.1))
    }

    /// The simulation, unless scene, agent or navmesh have changed since it started.
    fn current_run(&self) -> Option<&CrowdRun> {
        self.crowd.run.as_ref().filter(|run| self.is_current(run))
    }

    fn is_current(&self, run: &CrowdRun) -> bool {
        let scene = &self.document().crowd;
        let navmesh = self.bake.navmesh.as_ref();
        run.scene[..] == scene[..scene.len().min(SceneAgent::MAX)]
            && run.params == self.crowd_params()
            && navmesh.is_some_and(|navmesh| Arc::ptr_eq(navmesh, &run.navmesh))
    }

    /// Whether there is something to simulate.
    pub fn can_play_crowd(&self) -> bool {
        self.bake.navmesh.is_some() && !self.document().crowd.is_empty()
    }

    /// Shows the crowd after `update` updates. Starts the simulation again if the scene has changed.
    pub fn show_crowd(&mut self, update: usize) {
        if self.current_run().is_none() {
            self.crowd.run = self.bake.navmesh.as_ref().and_then(|navmesh| {
                let document = self.document();
                let filter = crate::path_tests::filter_of(&document.areas);
                CrowdRun::new(&document.crowd, self.crowd_params(), navmesh, &filter)
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

    /// Returns the state of an agent at the shown moment.
    pub fn crowd_report(&self, agent: usize) -> Option<AgentReport> {
        let run = self.current_run()?;
        let &id = run.ids.get(agent)?;
        let of = run.moment.crowd.agent(id)?;
        let target = run.scene.get(agent).and_then(|agent| agent.target);
        let speed = of.velocity().length();
        let near = of.neighbors().iter();
        let neighbors: Vec<_> =
            near.map(|other| (other.agent.0 as usize, other.distance_sqr.sqrt())).collect();
        Some(AgentReport {
            state: state_name(of),
            speed,
            wanted_speed: of.desired_velocity().length(),
            to_target: target.map(|target| target.distance(of.position())),
            n_corridor: of.corridor().map_or(0, |corridor| corridor.polys().len()),
            note: run.moment.notes.get(agent).cloned().flatten(),
            standing: (speed < 0.1 && run.now > 0).then(|| why_standing(of, target, &neighbors)),
            neighbors,
        })
    }
}

fn state_name(agent: &Agent) -> &'static str {
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

/// Why an agent stands, the most specific reason first.
fn why_standing(agent: &Agent, target: Option<Vec3>, neighbors: &[(usize, f32)]) -> &'static str {
    let radius = agent.params().radius;
    let Some(target) = target else { return tr!("no target") };
    if agent.state() == AgentState::Invalid {
        return tr!("no polygon nearby");
    }
    if agent.position().distance(target) < radius * 3.0 {
        return "arrived";
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
    use super::*;
    use crate::testing;

    /// A session with a walking agent and one without a target.
    fn session() -> Session {
        let mut session = testing::baked();
        let [start, end] = [Vec3::new(4.0, 0.0, 20.0), Vec3::new(20.0, 0.0, 20.0)];
        let walking = SceneAgent { at: start, target: Some(end) };
        let standing = SceneAgent { at: Vec3::new(4.0, 0.0, 18.0), target: None };
        session.history.change("Add", |document| document.crowd = vec![walking, standing]);
        session
    }

    #[test]
    fn agents_walk_to_their_targets_and_report_why_they_stand() {
        let mut session = session();
        assert_eq!(session.crowd_report(0), None);
        session.show_crowd(60);
        let walking = session.crowd_report(0).unwrap();
        assert_eq!((walking.state, walking.standing), ("Walking", None));
        assert!(walking.speed > 1.0 && walking.n_corridor > 0, "{walking:?}");
        assert!(walking.to_target.unwrap() < 13.0, "{walking:?}");
        assert_eq!(walking.neighbors[0].0, 1);
        assert_eq!(session.crowd_report(1).unwrap().standing, Some("no target"));
        session.show_crowd(600);
        let arrived = session.crowd_report(0).unwrap();
        assert_eq!(arrived.standing, Some("arrived"), "{arrived:?}");
        assert_eq!(arrived.note.as_deref(), Some("arrived"));
    }

    #[test]
    fn a_moment_is_the_same_after_a_rewind() {
        let mut session = session();
        session.show_crowd(100);
        let at_100 = session.crowd_positions();
        session.show_crowd(4000);
        assert_eq!((session.crowd.now(), session.crowd.end()), (4000, 4000));
        let run = session.crowd.run.as_ref().unwrap();
        assert!(run.keyframes.len() <= MAX_KEYFRAMES, "{}", run.keyframes.len());
        assert_eq!(run.keyframes[0].0, 0);
        assert_eq!(run.samples.len(), 1 + 4000 / SAMPLE);
        session.show_crowd(100);
        assert_eq!(session.crowd_positions(), at_100);
        assert_eq!((session.crowd.now(), session.crowd.end()), (100, 4000));
        let trail = session.crowd_trail(0);
        assert_eq!(trail.len(), TRAIL.min(1 + 100 / SAMPLE));
        assert!(trail.last().unwrap().distance(at_100[0]) < 1.0);
        session.show_crowd(usize::MAX);
        assert_eq!(session.crowd.end(), MAX_UPDATES);
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
        session.history.change("Remove", |document| document.crowd.truncate(1));
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

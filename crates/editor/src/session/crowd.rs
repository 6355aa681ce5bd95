//! The crowd tool: its settings, and the state of its simulation for users.

use crate::lang::tr;
use std::{collections::BTreeSet, sync::Arc, time::Duration};

use glam::Vec3;
use walkable::{
    crowd::{Agent, AgentParams, AgentState, Crowd, TargetState, VelocitySample},
    diagnostic::Phrase,
    soak::HeatMap,
};

use super::{
    CrowdDrawing, SceneAgent, Session, ShownHeat, ToolKind,
    crowd_run::{CrowdRun, MAX_UPDATES, UPDATE, updates_in},
};

/// The crowd tool's settings, and the simulation.
#[derive(Clone, Debug)]
pub struct CrowdPlay {
    /// The chosen agents and spawners, by number.
    pub chosen: BTreeSet<usize>,
    /// Number of agents that a click places.
    pub group: u8,
    /// Whether the simulation is running.
    pub playing: bool,
    /// Simulated time per time, 1 for real time.
    pub speed: f32,
    /// Whether the camera follows the chosen agent.
    pub follows: bool,
    /// What is drawn of the agents.
    pub drawings: BTreeSet<CrowdDrawing>,
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
            follows: false,
            drawings: CrowdDrawing::ALL.iter().copied().filter(|it| it.is_on_at_first()).collect(),
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

    /// Whether this is drawn of the agents.
    pub fn shows(&self, drawing: CrowdDrawing) -> bool {
        self.drawings.contains(&drawing)
    }

    /// Draws this of the agents, or no longer.
    pub fn toggle(&mut self, drawing: CrowdDrawing) {
        if !self.drawings.remove(&drawing) {
            self.drawings.insert(drawing);
        }
    }

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
        updates_in(seconds).min(MAX_UPDATES)
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

/// An agent of the crowd or a spawner, at the shown moment.
#[derive(Clone, Copy, Debug)]
pub struct CrowdMember<'a> {
    /// Its number: its position in the scene. The agents of spawners have higher numbers.
    pub number: usize,
    /// Its position in the scene, or that of its spawner.
    pub source: usize,
    /// Where it is.
    pub at: Vec3,
    /// Its target.
    pub target: Option<Vec3>,
    /// Whether it is a spawner.
    pub is_spawner: bool,
    /// Its state; `None` for spawners, and before the simulation starts.
    pub agent: Option<&'a Agent>,
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
    /// The agents nearby, by number, and their distances in meters.
    pub neighbors: Vec<(usize, f32)>,
    /// The last event of its movement task.
    pub note: Option<Phrase>,
    /// Why it stands still, if it does.
    pub standing: Option<&'static str>,
}

impl Session {
    /// The agents and spawners of the crowd at the shown moment, by number; where they start if the simulation has not
    /// started.
    pub fn crowd_members(&self) -> Vec<CrowdMember<'_>> {
        let scene = &self.document().crowd;
        let run = self.current_run();
        let n_numbers = run.map_or_else(|| scene.len().min(SceneAgent::MAX), CrowdRun::n_numbers);
        let member = |number| {
            let source = run.map_or(Some(number), |run| run.source(number))?;
            let SceneAgent { at: start, target, spawner } = *scene.get(source)?;
            let is_spawner = spawner.is_some() && number == source;
            let agent = run.and_then(|run| run.agent(number));
            let is_placed = run.is_none() || is_spawner;
            let at = agent.map(Agent::position).or_else(|| is_placed.then_some(start))?;
            Some(CrowdMember { number, source, at, target, is_spawner, agent })
        };
        (0..n_numbers).filter_map(member).collect()
    }

    /// The agents of the crowd at the shown moment, by number; none before the simulation starts.
    pub fn crowd_agents(&self) -> Vec<&Agent> {
        self.crowd_members().into_iter().filter_map(|member| member.agent).collect()
    }

    /// The position in the scene of an agent, or of its spawner.
    pub fn crowd_source(&self, number: usize) -> Option<usize> {
        let is_in_scene = number < self.document().crowd.len();
        let source = self.current_run().and_then(|run| run.source(number));
        source.or_else(|| is_in_scene.then_some(number))
    }

    /// The positions of an agent before the shown moment, the oldest first.
    pub fn crowd_trail(&self, number: usize) -> Vec<Vec3> {
        self.current_run().map(|run| run.trail(number)).unwrap_or_default()
    }

    /// What the agents did in the simulation up to its latest update.
    pub(super) fn crowd_heat(&self) -> Option<&HeatMap> {
        self.current_run().map(CrowdRun::heat)
    }

    /// The velocities that an agent considers in the next update, with their penalties.
    pub fn crowd_velocity_samples(&self, number: usize) -> Vec<VelocitySample> {
        self.current_run().map(|run| run.velocity_samples(number)).unwrap_or_default()
    }

    /// The neighbors that an agent considers at the shown moment.
    pub fn crowd_neighbors(&self, number: usize) -> Vec<&Agent> {
        self.current_run().map(|run| run.neighbors(number)).unwrap_or_default()
    }

    /// The simulated crowd at the shown moment.
    pub fn shown_crowd(&self) -> Option<&Crowd> {
        self.current_run().map(CrowdRun::crowd)
    }

    /// The times that the updates took, in the order of the updates, as they were last simulated.
    pub fn crowd_times(&self) -> &[Duration] {
        self.current_run().map(CrowdRun::times).unwrap_or_default()
    }

    /// The chosen agent; `None` if none or several are chosen.
    pub fn chosen_agent(&self) -> Option<usize> {
        let mut chosen = self.crowd.chosen.iter().copied();
        chosen.next().filter(|_| chosen.next().is_none())
    }

    /// The point that the camera follows: the middle of the chosen agent.
    pub fn followed_point(&self) -> Option<Vec3> {
        let follows = self.crowd.follows && self.tool == ToolKind::Crowd;
        let number = self.chosen_agent().filter(|_| follows)?;
        let agent = self.current_run()?.agent(number)?;
        Some(agent.position() + Vec3::Y * (agent.params().height * 0.5))
    }

    /// Where the agents and spawners are, by number: at the shown moment, or where they start.
    pub fn crowd_positions(&self) -> Vec<Vec3> {
        self.crowd_members().into_iter().map(|member| member.at).collect()
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
    pub fn crowd_report(&self, number: usize) -> Option<AgentReport> {
        let run = self.current_run()?;
        let of = run.agent(number)?;
        let target = run.source(number).and_then(|source| run.scene.get(source)?.target);
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
            note: run.note(number).cloned(),
            standing: (speed < 0.1 && run.now > 0).then(|| why_standing(of, target, &neighbors)),
            neighbors,
        })
    }
}

/// Returns the name of the state of an agent.
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
    use crate::{session::Spawner, testing};

    /// A session with a walking agent and one without a target.
    fn session() -> Session {
        let mut session = testing::baked();
        let [start, end] = [Vec3::new(4.0, 0.0, 20.0), Vec3::new(20.0, 0.0, 20.0)];
        let walking = SceneAgent { at: start, target: Some(end), spawner: None };
        let at = Vec3::new(4.0, 0.0, 18.0);
        let standing = SceneAgent { at, target: None, spawner: None };
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
        assert_eq!(arrived.note.map(|note| note.to_string()).as_deref(), Some("arrived"));
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
        session.history.change("Set", |document| document.crowd[0].spawner = spawner);
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

    #[test]
    fn the_camera_follows_one_chosen_agent() {
        let mut session = session();
        (session.crowd.follows, session.tool) = (true, ToolKind::Crowd);
        session.show_crowd(10);
        assert_eq!(session.followed_point(), None);
        session.crowd.chosen = [0].into();
        let first = session.followed_point().unwrap();
        session.show_crowd(40);
        assert!(session.followed_point().unwrap().x > first.x + 1.0);
        session.crowd.chosen = [0, 1].into();
        assert_eq!(session.followed_point(), None);
        (session.crowd.chosen, session.tool) = ([0].into(), ToolKind::Select);
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

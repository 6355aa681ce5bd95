//! A simulation of the crowd scene that can be rewound.

use std::{fmt, sync::Arc, time::Duration};

use glam::Vec3;
use walkable::{
    crowd::{
        Agent, AgentId, AgentParams, AgentState, Crowd, CrowdParams, TargetState, VelocitySample,
    },
    diagnostic::Phrase,
    navmesh::NavMesh,
    query::Filter,
    soak::{AgentActivity, HeatMap},
    tasks::{CrowdTasks, TaskEventKind, TaskPhase, TaskRules},
};
use web_time::Instant;

use super::{Avoidance, SceneAgent};

/// Length of an update, in seconds.
pub(super) const UPDATE: f32 = 1.0 / 30.0;
/// Maximum number of updates: ten minutes.
pub(super) const MAX_UPDATES: usize = 18_000;
/// Maximum number of keyframes. If there would be more, the number of updates between two keyframes is doubled.
const MAX_KEYFRAMES: usize = 48;
/// Number of updates between two keyframes at first.
const KEYFRAME: usize = 30;
/// Number of updates between two recorded positions.
pub(super) const SAMPLE: usize = 6;
/// Time between two recorded positions, in seconds.
const SAMPLE_SECONDS: f32 = 6.0 * UPDATE;
const TRAIL: usize = 20;
const MAX_EVENTS: usize = 5;

/// A simulation of the crowd. Agents and spawners of the scene are numbered by their position in the scene. The agents
/// that spawners add get the numbers after those; the number of a removed agent is used again.
#[derive(Clone)]
pub(super) struct CrowdRun {
    pub(super) scene: Vec<SceneAgent>,
    pub(super) params: Vec<AgentParams>,
    pub(super) navmesh: Arc<NavMesh>,
    /// The position in the scene of each agent, or of its spawner.
    sources: Vec<usize>,
    moment: CrowdMoment,
    pub(super) now: usize,
    pub(super) end: usize,
    /// Moments by their update, the first one at 0.
    keyframes: Vec<(usize, CrowdMoment)>,
    /// Number of updates between two keyframes.
    every: usize,
    /// Positions of all agents, at every [`SAMPLE`]th update.
    samples: Vec<Vec<Option<Vec3>>>,
    heat: HeatMap,
    /// How long each update took when it was last simulated.
    times: Vec<Duration>,
}

#[derive(Clone)]
struct CrowdMoment {
    crowd: Crowd,
    tasks: CrowdTasks,
    members: Vec<Option<Member>>,
    /// The update from which each spawner may add its next agent, by its position in the scene.
    next: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Member {
    id: AgentId,
    /// The update at which it was added.
    since: usize,
    events: Vec<(usize, Phrase)>,
    has_ended: bool,
    leaves: bool,
}

impl CrowdMoment {
    fn target_agents(&self, sources: &[usize], n: usize) -> Vec<Option<Vec3>> {
        let mut oldest: Vec<Option<(usize, Vec3)>> = vec![None; n];
        for (member, &source) in self.members.iter().zip(sources) {
            let Some(member) = member else { continue };
            let Some(agent) = self.crowd.agent(member.id) else { continue };
            if oldest[source].is_none_or(|(since, _)| member.since < since) {
                oldest[source] = Some((member.since, agent.position()));
            }
        }
        oldest.into_iter().map(|known| known.map(|(_, at)| at)).collect()
    }

    fn update_tasks(&mut self, mesh: &NavMesh, sources: &[usize], now: usize) {
        let n = self.next.len();
        let targets = self.target_agents(sources, n);
        let position_of = |agent: u32| *targets.get(agent as usize)?;
        let Self { crowd, tasks, members, .. } = self;
        for event in tasks.update(crowd, mesh, UPDATE, position_of) {
            let phrase = with_numbers(event.kind, members).phrase();
            let Some(number) = number_in(members, event.agent) else { continue };
            let Some(Some(member)) = members.get_mut(number) else { continue };
            // A repeated event replaces the one before it.
            member.events.pop_if(|(_, last)| *last == phrase);
            member.events.push((now, phrase));
            if member.events.len() > MAX_EVENTS {
                member.events.remove(0);
            }
            member.has_ended = event.is_final;
            let has_arrived = event.is_final && matches!(event.kind, TaskEventKind::Arrived);
            member.leaves |= number >= n && has_arrived;
        }
    }
}

/// Returns the event with numbers of the simulation instead of those of the crowd.
fn with_numbers(kind: TaskEventKind, members: &[Option<Member>]) -> TaskEventKind {
    let numbered = |id: AgentId| {
        let number = number_in(members, id).and_then(|number| u32::try_from(number).ok());
        number.map(AgentId)
    };
    match kind {
        TaskEventKind::Blocked { by } => TaskEventKind::Blocked { by: by.and_then(numbered) },
        TaskEventKind::GaveUp { by } => TaskEventKind::GaveUp { by: by.and_then(numbered) },
        TaskEventKind::Arrived
        | TaskEventKind::Unreachable { .. }
        | TaskEventKind::Lost { .. }
        | TaskEventKind::TimedOut => kind,
    }
}

impl fmt::Debug for CrowdRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { now, end, every, .. } = self;
        let n_agents = self.sources.len();
        f.debug_struct("CrowdRun")
            .field("n_agents", &n_agents)
            .field("now", now)
            .field("end", end)
            .field("every", every)
            .finish_non_exhaustive()
    }
}

impl CrowdRun {
    /// Adds the agents of `scene`, with the parameters that `params_of` returns; `None` if one of them is invalid.
    pub(super) fn new(
        scene: &[SceneAgent],
        params_of: impl Fn(&SceneAgent) -> AgentParams,
        navmesh: &Arc<NavMesh>,
        filter: &Filter,
    ) -> Option<Self> {
        let scene: Vec<_> = scene.iter().take(SceneAgent::MAX).cloned().collect();
        let params: Vec<_> = scene.iter().map(&params_of).collect();
        let spawned = scene.iter().enumerate().flat_map(|(source, agent)| {
            let n = agent.spawner.map_or(0, |spawner| spawner.limit);
            (0..n).map(move |_| source)
        });
        let n_spawners = scene.iter().filter(|agent| agent.spawner.is_some()).count();
        let n_numbers = SceneAgent::MAX + n_spawners;
        let sources: Vec<_> = (0..scene.len()).chain(spawned).take(n_numbers).collect();
        let own = params_of(&SceneAgent::new(Vec3::ZERO));
        let largest = params.iter().max_by(|a, b| a.radius.total_cmp(&b.radius)).unwrap_or(&own);
        let max_agent_radius = largest.radius;
        let mut crowd =
            Crowd::new(CrowdParams { max_agents: SceneAgent::MAX, max_agent_radius }).ok()?;
        crowd.filters_mut()[0] = filter.clone();
        for avoidance in Avoidance::ALL {
            crowd.avoidance_mut()[usize::from(avoidance.index())] = avoidance.params();
        }
        let moment = CrowdMoment {
            crowd,
            tasks: CrowdTasks::default(),
            members: vec![None; sources.len()],
            next: vec![0; scene.len()],
        };
        let mut run = Self {
            params,
            navmesh: Arc::clone(navmesh),
            sources,
            keyframes: Vec::new(),
            moment,
            now: 0,
            end: 0,
            every: KEYFRAME,
            samples: Vec::new(),
            heat: HeatMap::of_agents(own.radius, own.height),
            times: Vec::new(),
            scene,
        };
        for number in 0..run.scene.len() {
            if run.scene[number].spawner.is_none() {
                run.add(number)?;
            }
        }
        run.spawn();
        run.keyframes.push((0, run.moment.clone()));
        run.samples.push(run.positions());
        Some(run)
    }

    /// Returns the number of agents and spawners, including those that do not exist at the shown moment.
    pub(super) fn n_numbers(&self) -> usize {
        self.sources.len()
    }

    pub(super) fn source(&self, number: usize) -> Option<usize> {
        self.sources.get(number).copied()
    }

    pub(super) fn agent(&self, number: usize) -> Option<&Agent> {
        self.moment.crowd.agent(self.member(number)?.id)
    }

    /// Returns the last events of the task of an agent, with their times in seconds.
    pub(super) fn events(&self, number: usize) -> Vec<(f32, Phrase)> {
        let events = self.member(number).into_iter().flat_map(|member| &member.events);
        events.map(|(update, event)| (seconds_at(*update), event.clone())).collect()
    }

    pub(super) fn ended(&self, number: usize) -> Option<&Phrase> {
        let member = self.member(number).filter(|member| member.has_ended)?;
        member.events.last().map(|(_, event)| event)
    }

    /// Returns the phase of an agent's task; `None` without a task.
    pub(super) fn phase(&self, number: usize) -> Option<TaskPhase> {
        Some(self.moment.tasks.task(self.member(number)?.id)?.phase())
    }

    /// Returns the positions of the agents that tasks can refer to, by their position in the scene. For a spawner, this
    /// is the position of its oldest agent.
    pub(super) fn target_agents(&self) -> Vec<Option<Vec3>> {
        self.moment.target_agents(&self.sources, self.scene.len())
    }

    pub(super) fn number_of(&self, id: AgentId) -> Option<usize> {
        number_in(&self.moment.members, id)
    }

    pub(super) fn neighbors(&self, number: usize) -> Vec<&Agent> {
        let neighbors = self.agent(number).map(Agent::neighbors).unwrap_or_default();
        neighbors.iter().filter_map(|near| self.moment.crowd.agent(near.agent)).collect()
    }

    pub(super) fn crowd(&self) -> &Crowd {
        &self.moment.crowd
    }

    pub(super) fn times(&self) -> &[Duration] {
        &self.times
    }

    pub(super) fn heat(&self) -> &HeatMap {
        &self.heat
    }

    /// Returns the positions of an agent before the shown moment, the oldest first.
    pub(super) fn trail(&self, number: usize) -> Vec<Vec3> {
        let Some(member) = self.member(number) else { return Vec::new() };
        let n = self.now / SAMPLE + 1;
        let first = n.saturating_sub(TRAIL).max(member.since.div_ceil(SAMPLE));
        let samples = self.samples.iter().take(n).skip(first);
        samples.filter_map(|positions| *positions.get(number)?).collect()
    }

    pub(super) fn velocity_samples(&self, number: usize) -> Vec<VelocitySample> {
        let Some(member) = self.member(number) else { return Vec::new() };
        let mut moment = self.moment.clone();
        moment.update_tasks(&self.navmesh, &self.sources, self.now + 1);
        moment.crowd.update_with_samples(&self.navmesh, UPDATE, member.id)
    }

    fn member(&self, number: usize) -> Option<&Member> {
        self.moment.members.get(number)?.as_ref()
    }

    fn positions(&self) -> Vec<Option<Vec3>> {
        (0..self.n_numbers()).map(|number| self.agent(number).map(Agent::position)).collect()
    }

    fn add(&mut self, number: usize) -> Option<()> {
        let CrowdMoment { crowd, tasks, members, .. } = &mut self.moment;
        let source = *self.sources.get(number)?;
        let (scene, params) = (self.scene.get(source)?, *self.params.get(source)?);
        let id = crowd.add_agent(&self.navmesh, scene.at, params).ok()?;
        if let Some(task) = scene.task {
            let rules = TaskRules { reach: task.reach(), ..TaskRules::default() };
            tasks.assign(crowd, id, task.movement(params.radius), rules).ok()?;
        }
        let (events, since) = (Vec::new(), self.now);
        let member = Member { id, since, events, has_ended: false, leaves: false };
        *members.get_mut(number)? = Some(member);
        Some(())
    }

    /// Adds the agents of spawners that are due. A spawner whose place is occupied waits.
    fn spawn(&mut self) {
        for number in self.scene.len()..self.n_numbers() {
            let source = self.sources[number];
            let SceneAgent { at, spawner: Some(spawner), .. } = self.scene[source] else {
                continue;
            };
            let is_due = self.moment.next[source] <= self.now;
            if !is_due || self.moment.members[number].is_some() || !self.is_free(at, source) {
                continue;
            }
            // A full crowd has no room for another agent at the moment.
            if self.add(number).is_some() {
                self.moment.next[source] = self.now + updates_in(spawner.every).max(1);
            }
        }
    }

    /// Returns whether an agent of a spawner fits at a place beside the other agents.
    fn is_free(&self, at: Vec3, source: usize) -> bool {
        let AgentParams { radius, height, .. } = self.params[source];
        self.moment.crowd.agents().all(|(_, agent)| {
            let away = agent.position() - at;
            let other = agent.params();
            away.with_y(0.0).length() > radius + other.radius
                || away.y.abs() > height.max(other.height)
        })
    }

    fn remove_arrived(&mut self) {
        let CrowdMoment { crowd, tasks, members, .. } = &mut self.moment;
        for place in members.iter_mut() {
            let Some(member) = place.as_ref().filter(|member| member.leaves) else { continue };
            let state = crowd.agent(member.id).map(Agent::state);
            // If an agent is removed on an off-mesh link, a new agent would continue the traversal in its place.
            if state != Some(AgentState::OffMesh) {
                tasks.cancel(crowd, member.id);
                crowd.remove_agent(member.id);
                *place = None;
            }
        }
    }

    /// Records the positions of all agents, and what they did since they were last recorded.
    fn record(&mut self) {
        let positions = self.positions();
        let before = self.samples.last().into_iter().flatten();
        for (number, (now, before)) in positions.iter().zip(before).enumerate() {
            let (Some(now), Some(before)) = (now, before) else { continue };
            let is_same = self.member(number).is_some_and(|it| it.since + SAMPLE <= self.now);
            let Some(agent) = self.agent(number).filter(|_| is_same) else { continue };
            let activity = AgentActivity::of(agent, now.distance(*before), SAMPLE_SECONDS);
            // An agent without a target does not wait.
            if !(activity.is_waiting && agent.target_state() == TargetState::None) {
                self.heat.add(*now, SAMPLE_SECONDS, activity);
            }
        }
        self.samples.push(positions);
    }

    fn update(&mut self) {
        self.now += 1;
        self.moment.update_tasks(&self.navmesh, &self.sources, self.now);
        let clock = Instant::now();
        self.moment.crowd.update(&self.navmesh, UPDATE);
        let time = clock.elapsed();
        match self.times.get_mut(self.now - 1) {
            Some(before) => *before = time,
            None => self.times.push(time),
        }
        self.remove_arrived();
        self.spawn();
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

    pub(super) fn show(&mut self, update: usize) {
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

fn number_in(members: &[Option<Member>], id: AgentId) -> Option<usize> {
    members.iter().position(|member| member.as_ref().is_some_and(|member| member.id == id))
}

pub(super) fn seconds_at(update: usize) -> f32 {
    u16::try_from(update).map_or(f32::INFINITY, f32::from) * UPDATE
}

pub(super) fn updates_in(seconds: f32) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "some thousands, and casts saturate"
    )]
    let update = (seconds / UPDATE).round() as usize;
    update
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{session::Spawner, testing};

    fn run(scene: &[SceneAgent]) -> CrowdRun {
        let session = testing::baked();
        let navmesh = session.bake.navmesh.as_ref().unwrap();
        let params_of = |agent: &SceneAgent| session.params_of(agent);
        CrowdRun::new(scene, params_of, navmesh, &Filter::default()).unwrap()
    }

    fn agent(z: f32, spawner: Option<Spawner>) -> SceneAgent {
        let walking = SceneAgent::going(Vec3::new(4.0, 0.0, z), Vec3::new(20.0, 0.0, z));
        SceneAgent { spawner, ..walking }
    }

    fn n_agents(run: &CrowdRun) -> usize {
        (0..run.n_numbers()).filter(|&number| run.agent(number).is_some()).count()
    }

    #[test]
    fn there_are_few_keyframes_and_all_samples() {
        let mut run = run(&[agent(20.0, None)]);
        run.show(4000);
        assert!(run.keyframes.len() <= MAX_KEYFRAMES, "{}", run.keyframes.len());
        assert_eq!(run.keyframes[0].0, 0);
        assert_eq!(run.samples.len(), 1 + 4000 / SAMPLE);
        run.show(100);
        assert_eq!(run.trail(0).len(), TRAIL.min(1 + 100 / SAMPLE));
        let now = run.agent(0).unwrap().position();
        assert!(run.trail(0).last().unwrap().distance(now) < 1.0);
    }

    #[test]
    fn spawners_add_agents_up_to_a_limit_and_remove_those_that_arrive() {
        let spawner = |every, limit| Some(Spawner { every, limit });
        let mut run = run(&[agent(20.0, None), agent(16.0, spawner(1.0, 3))]);
        // The spawner itself is not an agent.
        assert_eq!((n_agents(&run), run.n_numbers()), (2, 5));
        assert!(run.agent(1).is_none() && run.agent(2).is_some());
        run.show(29);
        assert_eq!(n_agents(&run), 2);
        run.show(30);
        assert_eq!(n_agents(&run), 3);
        run.show(150);
        assert_eq!(n_agents(&run), 4, "the limit is 3");
        assert_eq!((run.source(4), run.source(5)), (Some(1), None));
        // The walk takes about five seconds, so agents arrive and others take their numbers.
        let mut ages = Vec::new();
        for update in 151..600 {
            run.show(update);
            assert!(n_agents(&run) <= 4);
            ages.push(run.member(2).map(|member| member.since));
        }
        ages.dedup();
        assert!(ages.len() > 2, "no agent was replaced: {ages:?}");
        // The agent of the scene has arrived and stays.
        let ended = run.ended(0).map(ToString::to_string);
        assert_eq!((run.agent(0).is_some(), ended.as_deref()), (true, Some("arrived")));
        // A trail does not contain positions of the agent that had the number before.
        for update in 151..600 {
            run.show(update);
            for legs in run.trail(2).windows(2) {
                assert!(legs[0].distance(legs[1]) < 2.0, "{update}: {legs:?}");
            }
        }
    }

    #[test]
    fn spawned_agents_are_the_same_after_a_rewind() {
        let spawner = Some(Spawner { every: 0.5, limit: 8 });
        let mut run = run(&[agent(20.0, spawner), agent(12.0, spawner), agent(8.0, None)]);
        let mut seen = Vec::new();
        for update in (0..900).step_by(31) {
            run.show(update);
            seen.push((update, run.positions()));
        }
        for (update, positions) in seen.iter().rev() {
            run.show(*update);
            assert_eq!(run.positions(), *positions, "{update}");
        }
    }

    #[test]
    fn a_spawner_waits_until_its_place_is_free() {
        let standing =
            SceneAgent { task: None, ..agent(20.0, Some(Spawner { every: 0.1, limit: 9 })) };
        let mut run = run(&[standing]);
        run.show(60);
        assert_eq!(n_agents(&run), 1);
        // All spawners together have at most as many agents as a scene.
        let many = [(); 3].map(|()| agent(20.0, Some(Spawner { every: 0.1, limit: 200 })));
        assert_eq!(self::run(&many).n_numbers(), SceneAgent::MAX + 3);
    }

    #[test]
    fn the_considered_velocities_are_those_of_the_next_update() {
        let mut run = run(&[agent(20.0, None), SceneAgent { task: None, ..agent(19.0, None) }]);
        run.show(10);
        let samples = run.velocity_samples(0);
        assert!(samples.len() > 20, "{}", samples.len());
        run.show(11);
        let planned = run.agent(0).unwrap().planned_velocity();
        assert!(samples.iter().any(|sample| sample.velocity == planned), "{planned}");
        assert!(run.velocity_samples(9).is_empty());
    }
}

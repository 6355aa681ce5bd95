//! The simulation.

use walkable_runtime::{
    crowd::{Agent, AgentId, Crowd},
    monitor::{Cancelled, Monitor},
    navmesh::NavMesh,
    query::{MeshPoint, PathCorridor},
};

use super::{
    HeatMap, Replay, SoakError, SoakReport, SoakSettings, StuckKind,
    causes::Surroundings,
    finding::{Gathered, StuckEvent},
    heat::AgentActivity,
    replay::{new_crowd, seconds_per_sample, updates_per_sample},
    tracks::Tracks,
    trips::Trips,
    walker::Walker,
};

/// Time between two checks of an agent, in seconds.
const CHECK_PERIOD: f32 = 0.5;
/// Time between two measurements of the remaining path, as a multiple of the time after which an agent is stuck.
const MEASURE: f32 = 2.0;
/// Minimum decrease of the remaining path between two measurements, in meters.
const PROGRESS: f32 = 1.0;
/// Maximum distance of agents in contact, as a multiple of the sum of their radii.
const CONTACT: f32 = 1.5;

/// A soak run in progress.
pub struct SoakRun<'a> {
    mesh: &'a NavMesh,
    settings: &'a SoakSettings,
    crowd: Crowd,
    trips: Trips<'a>,
    walkers: Vec<Walker>,
    tracks: Tracks,
    gathered: Gathered,
    heat: HeatMap,
    /// Number of samples in the run.
    n_samples: u32,
    n_trips: usize,
    distance: f64,
}

impl std::fmt::Debug for SoakRun<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SoakRun").field("seconds", &self.seconds()).finish_non_exhaustive()
    }
}

impl<'a> SoakRun<'a> {
    /// Places the agents.
    ///
    /// # Errors
    /// Returns a [`SoakError`] if the settings are invalid, the navmesh has no ground, a listed place is not on it, or the
    /// monitor cancels.
    pub fn new(
        mesh: &'a NavMesh,
        settings: &'a SoakSettings,
        monitor: &dyn Monitor,
    ) -> Result<Self, SoakError> {
        settings.check()?;
        let sample = seconds_per_sample(settings);
        let n_recorded = rounded(settings.recorded_seconds() / sample) as usize;
        let (radius, height) = (settings.agent.radius, settings.agent.height);
        let mut run = Self {
            mesh,
            settings,
            crowd: new_crowd(settings, settings.n_agents)?,
            trips: Trips::new(mesh, settings, monitor)?,
            walkers: Vec::with_capacity(settings.n_agents),
            tracks: Tracks::new(settings.n_agents, n_recorded),
            gathered: Gathered::new((radius * 4.0).max(2.0), height),
            heat: HeatMap::of_agents(radius, height),
            n_samples: rounded(settings.minutes * 60.0 / sample),
            n_trips: 0,
            distance: 0.0,
        };
        for number in 0..settings.n_agents {
            let walker = run.place(number, monitor)?;
            run.walkers.push(walker);
        }
        Ok(run)
    }

    /// Simulates the next second. Returns whether the run continues.
    ///
    /// # Errors
    /// Returns [`Cancelled`] within an update of the crowd after the monitor is cancelled. The run must not be continued
    /// then, but can be reported.
    pub fn advance(&mut self, monitor: &dyn Monitor) -> Result<bool, Cancelled> {
        let n = rounded(1.0 / seconds_per_sample(self.settings)).max(1);
        for _ in 0..n {
            if self.tracks.n_samples >= self.n_samples {
                return Ok(false);
            }
            self.sample(monitor)?;
        }
        Ok(self.tracks.n_samples < self.n_samples)
    }

    /// Returns the simulated time so far, in seconds.
    pub fn seconds(&self) -> f32 {
        self.seconds_at(self.tracks.n_samples)
    }

    /// Returns the number of places found so far.
    pub fn n_findings(&self) -> usize {
        self.gathered.len()
    }

    /// Returns all agents, with positions and velocities.
    pub fn agents(&self) -> impl Iterator<Item = &Agent> {
        self.crowd.agents().map(|(_, agent)| agent)
    }

    /// Returns the findings so far.
    pub fn report(&self) -> SoakReport {
        let (findings, n_not_listed) = self.gathered.sorted();
        SoakReport {
            findings,
            n_not_listed,
            n_agents: self.settings.n_agents,
            seconds: self.seconds(),
            agent: self.settings.agent,
            seconds_per_update: self.settings.seconds_per_update,
            n_trips: self.n_trips,
            distance: self.distance,
            heat: self.heat.clone(),
        }
    }

    fn seconds_at(&self, sample: u32) -> f32 {
        #[expect(clippy::cast_precision_loss, reason = "at most some millions")]
        let n = sample as f32;
        n * seconds_per_sample(self.settings)
    }

    /// Places agent `number` at a start and sets its target.
    fn place(&mut self, number: usize, monitor: &dyn Monitor) -> Result<Walker, SoakError> {
        let room = self.settings.agent.radius * 2.0;
        let crowd = &self.crowd;
        let start = self.trips.start(monitor, |point| {
            crowd.agents().all(|(_, other)| other.position().distance(point) > room)
        })?;
        let (from, to, distance) = start.ok_or(SoakError::NoGround {})?;
        let id = self.crowd.add_agent(self.mesh, from.point, self.settings.agent)?;
        self.crowd.set_target(id, to)?;
        self.tracks.restart(number, to.point);
        Ok(Walker::new(id, [from, to], distance, self.tracks.n_samples))
    }

    /// Simulates up to the next sample, and checks all agents.
    fn sample(&mut self, monitor: &dyn Monitor) -> Result<(), Cancelled> {
        for _ in 0..updates_per_sample(self.settings) {
            monitor.check()?;
            self.crowd.update(self.mesh, self.settings.seconds_per_update);
        }
        let Self { crowd, walkers, tracks, settings, heat, .. } = self;
        let position = |walker: &Walker| crowd.agent(walker.id).map(Agent::position);
        tracks.add(walkers.iter().map(|walker| position(walker).unwrap_or_default()));
        let seconds = seconds_per_sample(settings);
        for walker in walkers.iter_mut() {
            let Some(agent) = crowd.agent(walker.id) else { continue };
            let moved = walker.sample(agent, settings.standing_distance(), tracks.n_samples);
            self.distance += f64::from(moved);
            let activity = AgentActivity::of(agent, moved, seconds);
            heat.add(agent.position(), seconds, activity);
        }
        let is_check = tracks.n_samples.is_multiple_of(rounded(CHECK_PERIOD / seconds).max(1));
        for number in 0..self.walkers.len() {
            monitor.check()?;
            self.arrive(number, monitor)?;
            if is_check && let Some(kind) = self.stuck(number) {
                self.report_stuck(number, kind, monitor)?;
            }
        }
        Ok(())
    }

    /// Sets the next target of an agent that has arrived.
    fn arrive(&mut self, number: usize, monitor: &dyn Monitor) -> Result<(), Cancelled> {
        let walker = &self.walkers[number];
        let Some(agent) = self.crowd.agent(walker.id) else { return Ok(()) };
        let away = agent.position() - walker.to.point;
        let is_there = away.with_y(0.0).length() < self.settings.arrival_distance()
            && away.y.abs() < self.settings.agent.height;
        let Some(poly) = agent.corridor().filter(|_| is_there).map(PathCorridor::first) else {
            return Ok(());
        };
        let (id, here) = (walker.id, MeshPoint { poly, point: agent.position() });
        self.n_trips += 1;
        if let Some((to, distance)) = self.trips.target(here, monitor)? {
            // The agent exists.
            self.crowd.set_target(id, to).ok();
            self.tracks.set_target(number, to.point);
            self.walkers[number].go_on(to, distance, self.tracks.n_samples);
            Ok(())
        } else {
            self.put_elsewhere(number, monitor)
        }
    }

    /// Moves an agent to another place.
    fn put_elsewhere(&mut self, number: usize, monitor: &dyn Monitor) -> Result<(), Cancelled> {
        self.crowd.remove_agent(self.walkers[number].id);
        // A start was found at the beginning of the run.
        if let Ok(walker) = self.place(number, monitor) {
            self.walkers[number] = walker;
        }
        monitor.check()
    }

    /// Returns how an agent is stuck; `None` if it is not stuck.
    fn stuck(&mut self, number: usize) -> Option<StuckKind> {
        let (now, settings) = (self.tracks.n_samples, self.settings);
        let sample = seconds_per_sample(settings);
        let n_stuck = rounded(settings.stuck_after / sample);
        let agent = self.crowd.agent(self.walkers[number].id)?;
        if let Some(kind) = self.walkers[number].is_lost(self.mesh, agent) {
            return Some(kind);
        }
        let walker = &self.walkers[number];
        if walker.n_standing(now) >= n_stuck {
            let around = self.surroundings(agent);
            if around.link_ahead().is_some() {
                return Some(StuckKind::MissesLink);
            }
            if !self.blocking(number).is_empty() {
                return Some(StuckKind::Blocked);
            }
            let is_moving = walker.is_moving(agent, settings.stuck_after);
            return Some(if is_moving { StuckKind::Oscillates } else { StuckKind::Stands });
        }
        let n_measure = rounded(settings.stuck_after * MEASURE / sample);
        if now.saturating_sub(walker.measured.0) < n_measure {
            return None;
        }
        let poly = agent.corridor().map(PathCorridor::first)?;
        let here = MeshPoint { poly, point: agent.position() };
        let to = walker.to;
        let walker = &mut self.walkers[number];
        let Some(distance) = self.trips.distance(here, to) else { return Some(StuckKind::NoPath) };
        let is_closer = distance < walker.measured.1 - PROGRESS;
        walker.measured = (now, distance);
        (!is_closer).then_some(StuckKind::Oscillates)
    }

    /// Returns the agents in contact with an agent that have stood for half the time after which they are stuck.
    fn blocking(&self, number: usize) -> Vec<u32> {
        let Some(agent) = self.crowd.agent(self.walkers[number].id) else { return Vec::new() };
        let n = rounded(self.settings.stuck_after * 0.5 / seconds_per_sample(self.settings));
        let now = self.tracks.n_samples;
        let stands = |id: AgentId| {
            self.walkers.get(id.0 as usize).is_some_and(|walker| walker.n_standing(now) >= n)
        };
        touching(agent).filter(|&id| stands(id)).map(|id| id.0).collect()
    }

    fn surroundings<'b>(&'b self, agent: &'b Agent) -> Surroundings<'b> {
        let filter = &self.settings.filter;
        Surroundings { mesh: self.mesh, filter, agent, n_touching: touching(agent).count() }
    }

    /// Records that an agent is stuck, and moves it to another place.
    fn report_stuck(
        &mut self,
        number: usize,
        kind: StuckKind,
        monitor: &dyn Monitor,
    ) -> Result<(), Cancelled> {
        let walker = &self.walkers[number];
        let Some(agent) = self.crowd.agent(walker.id) else { return Ok(()) };
        let mut agents = vec![walker.id.0];
        if kind == StuckKind::Blocked {
            agents.extend(self.blocking(number));
        }
        let (cause, point) = self.surroundings(agent).cause();
        let event = StuckEvent {
            kind,
            cause,
            point,
            poly: agent.corridor().map(PathCorridor::first),
            seconds: self.seconds(),
            agents,
            trip: [walker.from.point, walker.to.point],
        };
        let Self { mesh, settings, tracks, gathered, .. } = self;
        gathered.add(&event, || {
            let replay = Replay::new(tracks, number, settings);
            let is_reproduced = replay.is_reproduced(mesh, settings);
            (replay, is_reproduced)
        });
        self.put_elsewhere(number, monitor)
    }
}

/// Returns the agents in contact with `agent`.
fn touching(agent: &Agent) -> impl Iterator<Item = AgentId> {
    let reach = agent.params().radius * 2.0 * CONTACT;
    let near = agent.neighbors().iter().filter(move |other| other.distance_sqr < reach * reach);
    near.map(|other| other.agent)
}

/// Rounds a non-negative number.
fn rounded(number: f32) -> u32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "casts saturate")]
    let rounded = number.round() as u32;
    rounded
}

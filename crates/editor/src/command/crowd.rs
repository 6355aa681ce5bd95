//! Commands of the crowd tool and of the soak run.

use std::borrow::Cow;

use glam::Vec3;
use walkable::geom::Aabb;

use super::{
    CameraMove, Command, Effect,
    describe::{Description, says},
    requests,
};
use crate::{
    jobs::work::Work,
    lang::tr,
    session::{CrowdDrawing, Edit, HeatSource, Replay, SceneAgent, Session, ShownHeat, SoakInput},
};

/// Half the size of the box that the camera shows around a finding, in meters.
const AROUND: f32 = 6.0;

/// A command for the crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CrowdCommand {
    /// Adds a group of agents around this point, and chooses them.
    Add(Vec3),
    /// Sends the chosen agents to this point.
    GoTo(Vec3),
    /// Chooses this agent only, or none.
    Choose(Option<usize>),
    /// Chooses all agents.
    ChooseAll,
    /// Removes the chosen agents.
    Remove,
    /// Removes all agents.
    Clear,
    /// Sets the number of agents that a click places.
    Group(u8),
    /// Starts or pauses the simulation.
    Play,
    /// Shows the moment after this many updates.
    Show(usize),
    /// Sets the speed of the simulation, 1 for real time.
    Speed(f32),
    /// Finds places where agents get stuck.
    Soak,
    /// Stops the soak run.
    CancelSoak,
    /// Sets the settings of the soak run.
    SetSoak(SoakInput),
    /// Starts or stops following the chosen agent with the camera.
    Follow,
    /// Draws this of the agents, or no longer.
    Draw(CrowdDrawing),
    /// Shows this heat map, or none.
    Heat(Option<ShownHeat>),
    /// Moves the camera to this finding.
    ShowFinding(usize),
    /// Shows a moment of the recording of the shown finding, or plays it.
    Recording(Replay),
    /// Replaces the agents of the scene by those recorded around this finding.
    TakeFinding(usize),
}

impl CrowdCommand {
    /// The commands that need no arguments.
    pub fn listed() -> Vec<Command> {
        let all = [
            Self::Choose(None),
            Self::ChooseAll,
            Self::Remove,
            Self::Clear,
            Self::Play,
            Self::Soak,
            Self::CancelSoak,
            Self::Follow,
            Self::Heat(None),
        ];
        let drawings = CrowdDrawing::ALL.iter().map(|&drawing| Self::Draw(drawing));
        all.into_iter().chain(drawings).map(Command::from).collect()
    }

    pub(super) fn description(self) -> Description {
        match self {
            Self::Add(_) => says("crowd.add", tr!("Add agents"), tr!("Places agents of the crowd here")),
            Self::GoTo(_) => says("crowd.go-to", tr!("Go to"), tr!("Sends the chosen agents here")),
            Self::Choose(None) => {
                says("crowd.choose.none", tr!("Choose no agent"), tr!("The next click places new agents"))
                    .needs(|session| !session.crowd.chosen.is_empty())
            }
            Self::Choose(Some(agent)) => says(
                format!("crowd.choose.{agent}"),
                tr!("Choose agent {agent}"),
                tr!("Shows what the agent does; the next click gives it a target"),
            ),
            Self::ChooseAll => says(
                "crowd.choose-all",
                tr!("Choose all agents"),
                tr!("The next click gives all agents of the crowd a target"),
            )
            .needs(|session| session.crowd.chosen.len() < session.document().crowd.len()),
            Self::Remove => {
                says("crowd.remove", tr!("Remove chosen agents"), tr!("Removes the chosen agents"))
                    .needs(|session| !session.crowd.chosen.is_empty())
            }
            Self::Clear => says("crowd.clear", tr!("Remove all agents"), tr!("Removes all agents of the crowd"))
                .needs(|session| !session.document().crowd.is_empty()),
            Self::Group(n) => says(
                format!("crowd.group.{n}"),
                tr!("Group of {n}"),
                tr!("Number of agents that a click places"),
            ),
            Self::Play => says(
                "crowd.play",
                tr!("Run or pause crowd"),
                tr!("Simulates the agents on the current navmesh"),
            )
            .needs(Session::can_play_crowd),
            Self::Show(_) => says("crowd.show", tr!("Show a moment"), tr!("Shows the crowd at this time")),
            Self::Speed(speed) => {
                says(format!("crowd.speed.{speed}"), tr!("Crowd speed"), tr!("Simulated time per time"))
            }
            Self::Soak => says(
                "crowd.soak",
                tr!("Find stuck agents"),
                tr!("Lets agents walk between random places in the background, and lists where they get stuck"),
            )
            .needs(|session| session.bake.navmesh.is_some()),
            Self::CancelSoak => says("crowd.cancel-soak", tr!("Stop soak run"), tr!("Stops the soak run"))
                .needs(|session| session.soak.is_busy),
            Self::SetSoak(_) => {
                says("crowd.set-soak", tr!("Set soak run"), tr!("Agents, simulated time and seed"))
            }
            Self::Follow => follow_description(),
            Self::Draw(drawing) => drawing_description(drawing),
            Self::Heat(shown) => heat_description(shown),
            Self::ShowFinding(index) => says(
                format!("crowd.show-finding.{index}"),
                tr!("Show stuck place {}", index + 1),
                tr!("Moves the camera there"),
            ),
            Self::Recording(_) => says(
                "crowd.recording",
                tr!("Show recording"),
                tr!("Shows a moment of the recording of this place"),
            ),
            Self::TakeFinding(index) => says(
                format!("crowd.take-finding.{index}"),
                tr!("Simulate"),
                tr!("Replaces the agents of the scene by those recorded there, ten seconds before one got stuck"),
            ),
        }
    }
}

impl From<CrowdCommand> for Command {
    fn from(command: CrowdCommand) -> Self {
        Self::Crowd(command)
    }
}

impl CrowdCommand {
    /// Carries out the command.
    pub(crate) fn carry_out(self, session: &mut Session) -> Option<Effect> {
        match self {
            Self::Add(at) => add(session, at),
            Self::GoTo(at) => go_to(session, at),
            Self::Choose(agent) => {
                let known = agent.filter(|&agent| session.crowd_source(agent).is_some());
                session.crowd.chosen = known.into_iter().collect();
            }
            Self::ChooseAll => session.crowd.chosen = (0..session.document().crowd.len()).collect(),
            Self::Remove => remove(session),
            Self::Clear => {
                if !session.document().crowd.is_empty() {
                    change(session, tr!("Remove all agents"), Vec::new());
                }
                session.crowd.chosen.clear();
            }
            Self::Group(n) => session.crowd.group = n.max(1),
            Self::Play => {
                session.crowd.playing = !session.crowd.playing && session.can_play_crowd();
            }
            Self::Show(update) => {
                session.crowd.playing = false;
                session.show_crowd(update);
            }
            Self::Speed(speed) => session.crowd.speed = speed,
            Self::Soak => return requests::soak(session).map(Effect::Work),
            Self::CancelSoak => {
                return session.soak.is_busy.then_some(Effect::Work(Work::CancelSoak));
            }
            Self::SetSoak(input) => session.soak.input = input,
            Self::Follow => session.crowd.follows = !session.crowd.follows,
            Self::Draw(drawing) => session.crowd.toggle(drawing),
            Self::Heat(shown) => {
                if shown.is_none_or(|shown| session.agent_heat(shown.source).is_some()) {
                    session.crowd.heat = shown;
                }
            }
            Self::ShowFinding(index) => return show_finding(session, index),
            Self::Recording(moment) => session.soak.recording = moment,
            Self::TakeFinding(index) => return take_finding(session, index),
        }
        None
    }
}

fn follow_description() -> Description {
    let (text, what) = (tr!("Follow chosen agent"), tr!("Moves the camera with the chosen agent"));
    says("crowd.follow", text, what)
        .needs(|session| session.crowd.follows || session.chosen_agent().is_some())
}

fn drawing_description(drawing: CrowdDrawing) -> Description {
    let name = tr!("Show of agents: {}", drawing.name());
    says(format!("crowd.show-{}", drawing.key()), name, drawing.what())
}

fn heat_description(shown: Option<ShownHeat>) -> Description {
    let Some(shown) = shown else {
        let what = tr!("Colors the ground no longer by the times of agents");
        return says("crowd.heat.none", tr!("Hide heat map"), what)
            .needs(|session| session.crowd.heat.is_some());
    };
    let (measure, name) = (shown.measure.key(), shown.name());
    match shown.source {
        HeatSource::Soak => says(
            format!("crowd.heat.soak.{measure}"),
            tr!("Heat map of soak run: {name}"),
            shown.what(),
        )
        .needs(|session| session.agent_heat(HeatSource::Soak).is_some()),
        HeatSource::Crowd => says(
            format!("crowd.heat.crowd.{measure}"),
            tr!("Heat map of crowd: {name}"),
            shown.what(),
        )
        .needs(|session| session.agent_heat(HeatSource::Crowd).is_some()),
    }
}

/// Adds a group of agents in rings around a point, two radii apart.
fn add(session: &mut Session, at: Vec3) {
    let mut agents = session.document().crowd.clone();
    let first = agents.len();
    let spacing = session.crowd_params().radius * 2.2;
    let room = SceneAgent::MAX.saturating_sub(first);
    let n = usize::from(session.crowd.group).min(room);
    let places = spiral(n).map(|[x, z]| at + Vec3::new(x, 0.0, z) * spacing);
    agents.extend(places.map(|at| SceneAgent { at, target: None, spawner: None }));
    let label = if n == 1 { tr!("Add agent") } else { tr!("Add agents") };
    if n > 0 {
        change(session, label, agents);
    }
    session.crowd.chosen = (first..first + n).collect();
}

/// The first `n` points of a square grid with distance 1, from its center outward.
fn spiral(n: usize) -> impl Iterator<Item = [f32; 2]> {
    let (mut x, mut z, mut step) = (0_i16, 0_i16, [0_i16, -1]);
    (0..n).map(move |_| {
        let point = [f32::from(x), f32::from(z)];
        if x == z || (x < 0 && x == -z) || (x > 0 && x == 1 - z) {
            step = [-step[1], step[0]];
        }
        (x, z) = (x + step[0], z + step[1]);
        point
    })
}

fn go_to(session: &mut Session, at: Vec3) {
    let mut agents = session.document().crowd.clone();
    // The target of a spawned agent is that of its spawner.
    let chosen = session.crowd.chosen.iter().filter_map(|&agent| session.crowd_source(agent));
    let chosen: Vec<usize> = chosen.collect();
    for &agent in &chosen {
        if let Some(agent) = agents.get_mut(agent) {
            agent.target = Some(at);
        }
    }
    if !chosen.is_empty() {
        change(session, tr!("Set target"), agents);
    }
    session.crowd.chosen.clear();
}

fn remove(session: &mut Session) {
    let agents = session.document().crowd.iter().enumerate();
    let left = agents.filter(|(index, _)| !session.crowd.chosen.contains(index));
    let left: Vec<_> = left.map(|(_, agent)| *agent).collect();
    if left.len() < session.document().crowd.len() {
        change(session, tr!("Remove agents"), left);
    }
    session.crowd.chosen.clear();
}

fn change(session: &mut Session, label: impl Into<Cow<'static, str>>, agents: Vec<SceneAgent>) {
    session.history.change(label, |document| Edit::Crowd(agents).apply(document));
}

fn show_finding(session: &mut Session, index: usize) -> Option<Effect> {
    let at = session.soak.report()?.findings.get(index)?.point;
    (session.soak.chosen, session.soak.recording) = (Some(index), Replay::default());
    let around = Aabb::new(at - Vec3::splat(AROUND), at + Vec3::splat(AROUND));
    Some(Effect::Camera(CameraMove::Frame(around)))
}

/// Puts the recorded agents of a finding into the scene, with the targets that they had at the end.
fn take_finding(session: &mut Session, index: usize) -> Option<Effect> {
    let finding = session.soak.report()?.findings.get(index)?;
    let agents = finding.replay.agents.iter().filter_map(|agent| {
        let target = agent.targets.last().map(|target| target.target);
        Some(SceneAgent { at: *agent.positions.first()?, target, spawner: None })
    });
    let agents: Vec<_> = agents.collect();
    let effect = show_finding(session, index);
    change(session, tr!("Replay stuck agents"), agents);
    session.crowd.chosen = [0].into();
    (session.crowd.playing, session.crowd.speed) = (true, 1.0);
    effect
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_placed_around_their_center() {
        let points: Vec<_> = spiral(25).collect();
        assert!(points[0].iter().all(|at| at.abs() < 1e-6), "{:?}", points[0]);
        assert!(points.iter().all(|[x, z]| x.abs() <= 2.0 && z.abs() <= 2.0), "{points:?}");
        for (index, point) in points.iter().enumerate() {
            assert!(!points[..index].contains(point), "{point:?} twice");
        }
    }
}

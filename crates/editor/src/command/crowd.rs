//! Commands of the crowd tool and of the soak run.

use glam::Vec3;
use walkable::{diagnostic::Phrase, geom::Aabb, phrase, tasks::Reach};
use walkable_workspace::lang::tr;

use super::{
    CameraMove, Command, Effect,
    describe::{Description, says},
    requests,
};
use crate::{
    jobs::work::Work,
    session::{
        Avoidance, ClickTask, CrowdDrawing, Edit, HeatSource, Replay, SceneAgent, SceneTask,
        Session, ShownHeat, SoakInput,
    },
    task::TaskId,
};

/// Half the size of the box that the camera shows around a finding, in meters.
const AROUND: f32 = 6.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CrowdCommand {
    /// Adds a group of agents around this point, and chooses them.
    Add(Vec3),
    /// Gives the chosen agents a task with this point.
    ToPoint(ClickTask, Vec3),
    /// Gives the chosen agents a task with this agent.
    ToAgent(ClickTask, usize),
    NextClick(ClickTask),
    /// Chooses this agent only, or none.
    Choose(Option<usize>),
    ChooseAll,
    Remove,
    Clear,
    Group(u8),
    /// Sets the kind of the chosen agents, or of those that a click places: the project's agent with this number, or
    /// the current one.
    Kind(Option<usize>),
    /// Sets how the chosen agents avoid others, or those that a click places.
    Avoid(Avoidance),
    Play,
    /// Shows the moment after this many updates.
    Show(usize),
    /// Sets the speed of the simulation, 1 for real time.
    Speed(f32),
    /// Finds places where agents get stuck.
    Soak,
    CancelSoak,
    SetSoak(SoakInput),
    Follow,
    Draw(CrowdDrawing),
    Heat(Option<ShownHeat>),
    ShowFinding(usize),
    Recording(Replay),
    /// Replaces the agents of the scene by those recorded around this finding.
    TakeFinding(usize),
}

impl CrowdCommand {
    pub(super) fn listed() -> Vec<Command> {
        let choices = [Self::Choose(None), Self::ChooseAll];
        let tasks = ClickTask::ALL.iter().map(|&task| Self::NextClick(task));
        let others = [
            Self::Remove,
            Self::Clear,
            Self::Play,
            Self::Soak,
            Self::CancelSoak,
            Self::Follow,
            Self::Heat(None),
        ];
        let drawings = CrowdDrawing::ALL.iter().map(|&drawing| Self::Draw(drawing));
        choices.into_iter().chain(tasks).chain(others).chain(drawings).map(Command::from).collect()
    }

    #[expect(clippy::too_many_lines, reason = "a table with a row per command")]
    pub(super) fn description(self) -> Description {
        match self {
            Self::Add(_) => {
                says("crowd.add", tr!("Add agents"), tr!("Places agents of the crowd here"))
            }
            Self::ToPoint(task, _) => {
                says(format!("crowd.{}", task.key()), task.name(), task.what())
            }
            Self::ToAgent(task, agent) => {
                says(format!("crowd.{}.{agent}", task.key()), task.name_with(agent), task.what())
            }
            Self::NextClick(task) => click_description(task),
            Self::Choose(agent) => choose_description(agent),
            Self::ChooseAll => says(
                "crowd.choose-all",
                tr!("Choose all agents"),
                tr!("The next click gives all agents of the crowd a target"),
            )
            .needs(
                |session| session.crowd.chosen.len() < session.document().crowd.len(),
                tr!("All agents are chosen, or there is none."),
            ),
            Self::Remove => {
                says("crowd.remove", tr!("Remove chosen agents"), tr!("Removes the chosen agents"))
                    .needs(
                        |session| !session.crowd.chosen.is_empty(),
                        tr!("Choose an agent first."),
                    )
            }
            Self::Clear => says(
                "crowd.clear",
                tr!("Remove all agents"),
                tr!("Removes all agents of the crowd"),
            )
            .needs(|session| !session.document().crowd.is_empty(), tr!("Place an agent first.")),
            Self::Group(n) => group_description(n),
            Self::Kind(kind) => kind_description(kind),
            Self::Avoid(avoidance) => avoidance_description(avoidance),
            Self::Play => says(
                "crowd.play",
                tr!("Run or pause crowd"),
                tr!("Simulates the agents on the current navmesh"),
            )
            .needs(Session::can_play_crowd, tr!("Open a level, bake it and place an agent first.")),
            Self::Show(_) => {
                says("crowd.show", tr!("Show a moment"), tr!("Shows the crowd at this time"))
            }
            Self::Speed(speed) => says(
                format!("crowd.speed.{speed}"),
                tr!("Crowd speed"),
                tr!("Simulated time per time"),
            ),
            Self::Soak => soak_description(),
            Self::CancelSoak => {
                says("crowd.cancel-soak", tr!("Stop soak run"), tr!("Stops the soak run"))
                    .needs(|session| session.runs(TaskId::Soak), tr!("No soak run is running."))
            }
            Self::SetSoak(_) => says(
                "crowd.set-soak",
                tr!("Set soak run"),
                tr!("Agents, simulated time, seed and places"),
            ),
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
            Self::TakeFinding(index) => take_description(index),
        }
    }

    pub(crate) fn carry_out(self, session: &mut Session) -> Option<Effect> {
        match self {
            Self::Add(at) => add(session, at),
            Self::ToPoint(task, at) => set_point(session, task, at),
            Self::ToAgent(task, target) => set_target(session, task, target),
            Self::NextClick(task) => session.crowd.click = task,
            Self::Choose(agent) => {
                let known = agent.filter(|&agent| session.crowd_source(agent).is_some());
                session.crowd.choose(known);
            }
            Self::ChooseAll => session.crowd.choose(0..session.document().crowd.len()),
            Self::Remove => remove(session),
            Self::Clear => {
                if !session.document().crowd.is_empty() {
                    change(session, phrase!("Remove all agents"), Vec::new());
                }
                session.crowd.choose([]);
            }
            Self::Group(n) => session.crowd.group = n.max(1),
            Self::Kind(number) => set_kind(session, number),
            Self::Avoid(avoidance) => set_avoidance(session, avoidance),
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
                return session
                    .runs(TaskId::Soak)
                    .then_some(Effect::Work(Work::Cancel(TaskId::Soak.into())));
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

fn choose_description(agent: Option<usize>) -> Description {
    match agent {
        None => says(
            "crowd.choose.none",
            tr!("Choose no agent"),
            tr!("The next click places new agents"),
        )
        .needs(|session| !session.crowd.chosen.is_empty(), tr!("Choose an agent first.")),
        Some(agent) => says(
            format!("crowd.choose.{agent}"),
            tr!("Choose agent {agent}"),
            tr!("Shows what the agent does; the next click gives it a target"),
        ),
    }
}

fn group_description(n: u8) -> Description {
    let what = tr!("Number of agents that a click places");
    says(format!("crowd.group.{n}"), tr!("Group of {n}"), what)
}

fn take_description(index: usize) -> Description {
    let what = tr!(
        "Replaces the agents of the scene by those recorded there, ten seconds before one got stuck"
    );
    says(format!("crowd.take-finding.{index}"), tr!("Simulate"), what)
}

fn avoidance_description(avoidance: Avoidance) -> Description {
    let selected = avoidance.name();
    let text = tr!("Avoidance of agents: {selected}");
    says(format!("crowd.avoid.{}", avoidance.key()), text, avoidance.what())
}

fn soak_description() -> Description {
    says(
        "crowd.soak",
        tr!("Find stuck agents"),
        tr!("Lets agents walk between random or saved places in the background, and lists where they get stuck"),
    )
    .needs(|session| {
        let n_places = session.document().places.len();
        session.bake.navmesh.is_some() && session.soak.input.is_possible(n_places)
    }, tr!("Open a level and bake it first; start and goal of the agents need saved places if they are set to them."))
}

fn click_description(task: ClickTask) -> Description {
    let [text, what] = task.next_click();
    says(format!("crowd.next-click.{}", task.key()), text, what)
        .needs(|session| !session.crowd.chosen.is_empty(), tr!("Choose an agent first."))
}

fn kind_description(kind: Option<usize>) -> Description {
    let (id, selected) = match kind {
        None => ("crowd.kind.active".to_owned(), tr!("Active agent").to_owned()),
        Some(number) => (format!("crowd.kind.{number}"), tr!("Agent {}", number + 1)),
    };
    let what = tr!("Size and speed of the chosen agents, or of those that a click places");
    says(id, tr!("Kind of agents: {selected}"), what)
}

fn follow_description() -> Description {
    let (text, what) = (tr!("Follow chosen agent"), tr!("Moves the camera with the chosen agent"));
    says("crowd.follow", text, what).needs(
        |session| session.crowd.follows || session.chosen_agent().is_some(),
        tr!("Choose an agent first."),
    )
}

fn drawing_description(drawing: CrowdDrawing) -> Description {
    let name = tr!("Show of agents: {}", drawing.name());
    says(format!("crowd.show-{}", drawing.key()), name, drawing.what())
}

fn heat_description(shown: Option<ShownHeat>) -> Description {
    let Some(shown) = shown else {
        let what = tr!("Colors the ground no longer by the times of agents");
        return says("crowd.heat.none", tr!("Hide heat map"), what)
            .needs(|session| session.crowd.heat.is_some(), tr!("Show a heat map first."));
    };
    let (measure, name) = (shown.measure.key(), shown.name());
    match shown.source {
        HeatSource::Soak => says(
            format!("crowd.heat.soak.{measure}"),
            tr!("Heat map of soak run: {name}"),
            shown.what(),
        )
        .needs(
            |session| session.agent_heat(HeatSource::Soak).is_some(),
            tr!("Find stuck agents first."),
        ),
        HeatSource::Crowd => says(
            format!("crowd.heat.crowd.{measure}"),
            tr!("Heat map of crowd: {name}"),
            shown.what(),
        )
        .needs(
            |session| session.agent_heat(HeatSource::Crowd).is_some(),
            tr!("Run the crowd first."),
        ),
    }
}

/// Adds a group of agents in rings around a point, two radii apart.
fn add(session: &mut Session, at: Vec3) {
    let mut agents = session.document().crowd.clone();
    let first = agents.len();
    let (kind, avoidance) = (session.next_kind().map(str::to_owned), session.crowd.avoidance);
    let placed = SceneAgent { kind, avoidance, ..SceneAgent::new(at) };
    let spacing = session.params_of(&placed).radius * 2.2;
    let room = SceneAgent::MAX.saturating_sub(first);
    let n = usize::from(session.crowd.group).min(room);
    let places = spiral(n).map(|[x, z]| at + Vec3::new(x, 0.0, z) * spacing);
    agents.extend(places.map(|at| SceneAgent { at, ..placed.clone() }));
    let label = if n == 1 { phrase!("Add agent") } else { phrase!("Add agents") };
    if n > 0 {
        change(session, label, agents);
    }
    session.crowd.choose(first..first + n);
}

/// Returns the first `n` points of a square grid with spacing 1, in a spiral from its center outward.
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

/// Gives the chosen agents a task with a point. A task of this kind keeps its distance and its condition of arrival.
fn set_point(session: &mut Session, task: ClickTask, at: Vec3) {
    let Some(next) = task.at_point(at) else { return };
    change_chosen(session, task.label(), |_, agent| {
        agent.task = Some(agent.task.and_then(|task| task.with_target_of(next)).unwrap_or(next));
    });
    session.crowd.choose([]);
}

/// Gives the chosen agents a task with another agent, at distances that leave room between them.
fn set_target(session: &mut Session, task: ClickTask, target: usize) {
    let target = session.crowd_source(target);
    let params = |agent: &SceneAgent| session.params_of(agent);
    let radii: Vec<f32> =
        session.document().crowd.iter().map(|agent| params(agent).radius).collect();
    let target = target.and_then(|target| Some((target, *radii.get(target)?)));
    let Some((target, other)) = target.filter(|_| task.is_for_agent()) else { return };
    change_chosen(session, task.label(), |number, agent| {
        if number != target {
            let reach = agent.task.map_or(Reach::Distance, SceneTask::reach);
            agent.task = task.at_agent(target, [radii[number], other], reach);
        }
    });
    session.crowd.choose([]);
}

fn set_kind(session: &mut Session, number: Option<usize>) {
    if session.crowd.chosen.is_empty() {
        session.crowd.kind = number;
    } else {
        let list = &session.document().agents.list;
        let kind = number.and_then(|number| list.get(number)).map(|agent| agent.name.clone());
        change_chosen(session, phrase!("Change kind of agents"), |_, agent| {
            agent.kind.clone_from(&kind);
        });
    }
}

fn set_avoidance(session: &mut Session, avoidance: Avoidance) {
    if session.crowd.chosen.is_empty() {
        session.crowd.avoidance = avoidance;
    } else {
        change_chosen(session, phrase!("Change avoidance"), |_, agent| agent.avoidance = avoidance);
    }
}

/// Changes the chosen agents of the scene. For a spawned agent, changes its spawner.
fn change_chosen(
    session: &mut Session,
    label: Phrase,
    mut change_agent: impl FnMut(usize, &mut SceneAgent),
) {
    let mut agents = session.document().crowd.clone();
    for number in session.chosen_sources() {
        if let Some(agent) = agents.get_mut(number) {
            change_agent(number, agent);
        }
    }
    if agents != session.document().crowd {
        change(session, label, agents);
    }
}

fn remove(session: &mut Session) {
    let left = SceneAgent::without(&session.document().crowd, &session.crowd.chosen);
    if left.len() < session.document().crowd.len() {
        change(session, phrase!("Remove agents"), left);
    }
    session.crowd.choose([]);
}

fn change(session: &mut Session, label: Phrase, agents: Vec<SceneAgent>) {
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
        let task = agent.targets.last().map(|target| SceneTask::to_point(target.target));
        Some(SceneAgent { task, ..SceneAgent::new(*agent.positions.first()?) })
    });
    let agents: Vec<_> = agents.collect();
    let effect = show_finding(session, index);
    change(session, phrase!("Replay stuck agents"), agents);
    session.crowd.choose([0]);
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

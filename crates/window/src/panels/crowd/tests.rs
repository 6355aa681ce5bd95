use eframe::egui::accesskit::Toggled;
use egui_kittest::{Harness, kittest::NodeT as _};
use glam::Vec3;
use walkable::{diagnostic::Phrase, monitor::Unmonitored, soak::HeatMeasure, tasks::Reach};
use walkable_editor::{
    command::{Command, CrowdCommand, ExportKind},
    jobs::soak::SoakRequest,
    session::{
        Avoidance, ClickTask, CrowdDrawing, Edit, HeatSource, Replay, SavedPlace, SceneAgent,
        SceneTask, Session, ShownHeat, SoakInput, SoakNavmesh, SoakPlaces, SoakProgress, Spawner,
    },
    task::TaskId,
    testing,
};

use super::crowd_ui;
use crate::testing::{Bench, Find as _, bench, picture};

/// Returns a session with three agents. The first one walks and is selected.
fn walking() -> Session {
    let mut session = testing::baked();
    let at = |z: f32| Vec3::new(4.0, 0.0, z);
    let walking = SceneAgent::going(at(20.0), Vec3::new(20.0, 0.0, 20.0));
    let agents = vec![walking, SceneAgent::new(at(18.5)), SceneAgent::new(at(17.0))];
    session.history.change(Phrase::verbatim("Add"), |document| document.crowd = agents);
    session.show_crowd(30);
    session.crowd.chosen = [0].into();
    session
}

/// Returns the same session after a soak run with many agents in a small area.
fn soaked() -> Session {
    let mut session = walking();
    session.soak.input = SoakInput { n_agents: 150, minutes: 1.0, seed: 1, ..session.soak.input };
    let request = SoakRequest::of(&session).unwrap();
    let result = request.run(|_| {}, &Unmonitored).unwrap();
    session.soak.navmesh = SoakNavmesh::of(&session.bake);
    session.soak.land(result);
    session
}

fn window(session: Session) -> Harness<'static, Bench<()>> {
    window_of([1160.0, 280.0], session)
}

fn window_of(size: [f32; 2], session: Session) -> Harness<'static, Bench<()>> {
    bench(size, session, |(), ui, view, out| crowd_ui(ui, view, out))
}

#[track_caller]
fn click(window: &mut Harness<'_, Bench<()>>, id: &str, expected: CrowdCommand) {
    window.by_id(id).click();
    window.run();
    assert_eq!(window.state_mut().take(), [Command::from(expected)], "{id}");
}

#[test]
fn an_empty_panel_says_how_to_begin() {
    let mut window = window(Session::default());
    window.text_with("No agents yet");
    window.text_with("Click an agent");
    picture(&mut window, "crowd_empty");
}

#[test]
fn sections_without_a_column_are_tabs_and_nothing_is_cut_off() {
    for (width, n_tabs) in [(1440.0, 0), (1160.0, 2), (870.0, 3), (400.0, 4)] {
        let mut window = window_of([width, 184.0], walking());
        assert_eq!(window.all_by_id("crowd.tab.").len(), n_tabs, "{width}");
        for tab in ["crowd.tab.agent", "crowd.tab.show", "crowd.tab.soak"] {
            if window.find_id(tab).is_some() {
                window.by_id(tab).click();
                window.run();
            }
            picture(&mut window, &format!("{tab}-{width}"));
        }
        let button = window.by_id("crowd.soak").rect();
        assert!(button.right() <= width && button.bottom() <= 184.0, "{width}: {button}");
        assert_eq!(window.find_id("crowd.play").is_some(), n_tabs < 4, "{width}");
    }
}

#[test]
fn the_crowd_is_run_stepped_and_rewound() {
    let mut window = window(walking());
    window.text("1.0 s");
    click(&mut window, "crowd.play", CrowdCommand::Play);
    click(&mut window, "crowd.on", CrowdCommand::Show(31));
    click(&mut window, "crowd.back", CrowdCommand::Show(29));
    click(&mut window, "crowd.first", CrowdCommand::Show(0));
    click(&mut window, "crowd.last", CrowdCommand::Show(30));
    click(&mut window, "crowd.speed.4", CrowdCommand::Speed(4.0));
    click(&mut window, "crowd.group.10", CrowdCommand::Group(10));
    click(&mut window, "crowd.choose-all", CrowdCommand::ChooseAll);
    click(&mut window, "crowd.remove", CrowdCommand::Remove);
    click(&mut window, "crowd.clear", CrowdCommand::Clear);
    picture(&mut window, "crowd_walking");
}

#[test]
fn the_chosen_agent_is_described() {
    let mut window = window_of([1160.0, 340.0], walking());
    window.text("Walking");
    click(&mut window, "crowd.choose.1", CrowdCommand::Choose(Some(1)));
    let mut session = walking();
    session.crowd.chosen = [1].into();
    let window = self::window(session);
    window.text("Stands still: no target");
}

#[test]
fn the_chosen_agent_is_followed_and_its_velocities_are_shown() {
    let mut window = window(walking());
    click(&mut window, "crowd.follow", CrowdCommand::Follow);
    let mut session = walking();
    session.crowd.toggle(CrowdDrawing::Velocities);
    let mut window = self::window(session);
    window.text("Best: collision");
    picture(&mut window, "crowd_velocities");
}

/// Returns the session, in which the second agent follows the first one, and the third one approaches it, with these agents
/// chosen.
fn with_tasks(chosen: &[usize]) -> Session {
    let mut session = walking();
    let reach = Reach::Distance;
    session.history.change(Phrase::verbatim("Tasks"), |document| {
        document.crowd[1].task =
            Some(SceneTask::Follow { agent: 0, nearest: 1.5, farthest: 4.0, reach });
        document.crowd[2].task = Some(SceneTask::Approach { agent: 0, radius: 1.5, reach });
    });
    session.show_crowd(900);
    session.crowd.choose(chosen.iter().copied());
    session
}

#[test]
fn the_task_of_the_chosen_agents_is_shown_and_changed() {
    let mut window = window(with_tasks(&[0]));
    click(&mut window, "crowd.next-click.follow", CrowdCommand::NextClick(ClickTask::Follow));
    window.text("Go to within");
    window.text("arrived");
    window.text("Stands still: arrived");
    let changed = |window: &mut Harness<'_, Bench<()>>, number: usize| {
        let commands = window.state_mut().take();
        let [Command::Change(_, Edit::Crowd(agents))] = &commands[..] else {
            panic!("not one change: {commands:?}");
        };
        agents[number].task
    };
    window.by_id("crowd.task.reach").click();
    window.run();
    window.by_id("crowd.task.reach.line-of-sight").click();
    window.run();
    let point = Vec3::new(20.0, 0.0, 20.0);
    let in_sight = SceneTask::GoTo { point, radius: None, reach: Reach::LineOfSight };
    assert_eq!(changed(&mut window, 0), Some(in_sight));
    window.by_id("crowd.task.remove").click();
    window.run();
    assert_eq!(changed(&mut window, 0), None);
    let mut following = self::window(with_tasks(&[1]));
    following.text("Follow agent 0 at");
    following.text("Stands still: within the distances from the agent that it follows");
    picture(&mut following, "crowd_task");
    // Several agents: those with a task of the same kind change.
    let mut both = self::window(with_tasks(&[1, 2]));
    both.text("Follow agent 0 at");
    both.by_id("crowd.task.reach").click();
    both.run();
    both.by_id("crowd.task.reach.walking-distance").click();
    both.run();
    let commands = both.state_mut().take();
    let [Command::Change(_, Edit::Crowd(agents))] = &commands[..] else { panic!("{commands:?}") };
    let reach = [1, 2].map(|number: usize| agents[number].task.unwrap().reach());
    assert_eq!(reach, [Reach::WalkingDistance, Reach::Distance]);
}

/// Returns the session with a second kind, that of the second agent, and with these agents chosen. The third agent is of a
/// removed kind.
fn with_kinds(chosen: &[usize]) -> Session {
    let mut session = walking();
    session.history.change(Phrase::verbatim("Kinds"), |document| {
        let mut agents = document.agents.with_one_more(document);
        agents.list[1].name = "Goblin".to_owned();
        document.take_agents(agents);
        document.crowd[1].kind = Some("Goblin".to_owned());
        document.crowd[2].kind = Some("Ghost".to_owned());
    });
    session.crowd.choose(chosen.iter().copied());
    session
}

#[test]
fn kind_and_avoidance_are_those_of_the_chosen_agents_or_of_the_next_ones() {
    let mut window = window(with_kinds(&[0, 1]));
    window.text_with("All agents walk on the navmesh of Agent 1");
    window.text("Kind of agents: several");
    window.by_id("crowd.kind").click();
    window.run();
    picture(&mut window, "crowd_kinds");
    click(&mut window, "crowd.kind.1", CrowdCommand::Kind(Some(1)));
    window.by_id("crowd.avoid").click();
    window.run();
    click(&mut window, "crowd.avoid.reciprocal", CrowdCommand::Avoid(Avoidance::Reciprocal));
    // Without chosen agents, the choices are those of the next ones.
    let mut session = with_kinds(&[]);
    session.crowd.avoidance = Avoidance::Reciprocal;
    let next = self::window(session);
    next.text("Avoidance of agents: Reciprocal (ORCA)");
    next.text("Kind of agents: Active agent");
    self::window(with_kinds(&[2])).text("Kind of agents: Ghost (removed)");
    // A project without named agents has no kinds.
    assert!(self::window(walking()).find_id("crowd.kind").is_none());
}

#[test]
fn each_drawing_has_a_switch_and_updates_are_timed() {
    let mut window = window(walking());
    window.by_id("crowd.tab.show").click();
    window.run();
    for &drawing in CrowdDrawing::ALL {
        let id = format!("crowd.show-{}", drawing.key());
        let is_on = window.by_id(&id).accesskit_node().toggled() == Some(Toggled::True);
        assert_eq!(is_on, drawing.is_on_at_first(), "{id}");
        click(&mut window, &id, CrowdCommand::Draw(drawing));
    }
    let mut session = walking();
    session.crowd.toggle(CrowdDrawing::Times);
    let mut window = self::window(session);
    window.by_id("crowd.tab.show").click();
    window.run();
    window.text("Mean of 30 updates");
    picture(&mut window, "crowd_times");
}

#[test]
fn an_agent_becomes_a_spawner() {
    let mut window = window(walking());
    window.by_id("crowd.spawner").click();
    window.run();
    let [Command::Change(_, Edit::Crowd(agents))] = &window.state_mut().take()[..] else {
        panic!("not one change");
    };
    assert_eq!(agents[0].spawner, Some(Spawner::FIRST));
    let mut session = walking();
    session.history.change(Phrase::verbatim("Set"), |document| document.crowd = agents.clone());
    session.show_crowd(90);
    let mut spawner = self::window(session);
    spawner.text_with("The next click gives its agents");
    assert!(spawner.find_id("crowd.spawner.every").is_some());
    picture(&mut spawner, "crowd_spawner");
    // An agent of the spawner.
    let mut session = walking();
    session.history.change(Phrase::verbatim("Set"), |document| document.crowd = agents.clone());
    session.show_crowd(90);
    session.crowd.chosen = [3].into();
    let spawned = self::window(session);
    spawned.text("Walking");
    assert!(spawned.find_id("crowd.spawner").is_none());
}

#[test]
fn a_soak_run_is_started_and_stopped() {
    let mut session = walking();
    let mut idle = window(walking());
    click(&mut idle, "crowd.soak", CrowdCommand::Soak);
    session.running.insert(TaskId::Soak);
    session.soak.progress = SoakProgress { done: 0.4, n_findings: 2 };
    let mut busy = window(session);
    busy.text_with("stuck at 2 places");
    assert!(busy.find_id("crowd.soak").is_none());
    click(&mut busy, "crowd.cancel-soak", CrowdCommand::CancelSoak);
}

#[test]
fn a_soak_run_between_saved_places_needs_two() {
    let saving = |places: &[f32]| {
        let mut session = walking();
        let place = |x: &f32| SavedPlace { at: Vec3::new(*x, 0.0, 20.0) }.into();
        let places = places.iter().map(place).collect();
        session.history.change(Phrase::verbatim("Save"), |document| document.places = places);
        session
    };
    let saved = SoakInput { places: SoakPlaces::Saved, ..walking().soak.input };
    let mut one = window(saving(&[4.0]));
    one.by_id("soak.places").click();
    one.run();
    one.by_id("soak.places.saved").click();
    one.run();
    assert_eq!(one.state_mut().take(), []);
    let mut two = window(saving(&[4.0, 20.0]));
    two.by_id("soak.places").click();
    two.run();
    two.text("Saved places (2)");
    click(&mut two, "soak.places.saved", CrowdCommand::SetSoak(saved));
    let mut session = saving(&[4.0, 20.0]);
    session.soak.input = saved;
    click(&mut window(session), "crowd.soak", CrowdCommand::Soak);
}

#[test]
fn the_recording_of_the_shown_finding_is_played() {
    let mut session = soaked();
    session.soak.chosen = Some(0);
    let n = session.soak.n_recorded();
    assert!(n > 100, "{n} recorded moments");
    let mut window = window(session);
    window.text("stuck");
    click(&mut window, "crowd.recording.first", CrowdCommand::Recording(Replay::at(0)));
    click(&mut window, "crowd.recording.back", CrowdCommand::Recording(Replay::at(n - 1)));
    let play = Replay { step: Some(0), playing: true };
    click(&mut window, "crowd.recording.play", CrowdCommand::Recording(play));
    let save = Command::Export(ExportKind::FindingScene);
    window.by_id(save.id()).click();
    window.run();
    assert_eq!(window.state_mut().take(), [save]);
    picture(&mut window, "crowd_recording");
}

#[test]
fn findings_are_listed_and_lead_to_their_place() {
    let session = soaked();
    let n = session.soak.report().unwrap().findings.len();
    assert!(n > 0, "150 agents have too much room");
    let mut window = window(session);
    assert_eq!(window.all_by_id("crowd.show-finding.").len(), n);
    click(&mut window, "crowd.show-finding.0", CrowdCommand::ShowFinding(0));
    click(&mut window, "crowd.take-finding.0", CrowdCommand::TakeFinding(0));
    assert!(window.find_id("crowd.recording.play").is_none(), "no finding is shown");
    // At first, the heat map shows where agents wait.
    window.text("Heat map: Waiting");
    let mut choose = |menu: &str, entry: &str, expected| {
        window.by_id(menu).click();
        window.run();
        click(&mut window, entry, CrowdCommand::Heat(expected));
    };
    choose("crowd.heat.soak", "crowd.heat.none", None);
    let colliding = ShownHeat { source: HeatSource::Soak, measure: HeatMeasure::Colliding };
    choose("crowd.heat.soak", "crowd.heat.soak.colliding", Some(colliding));
    let passing = ShownHeat { source: HeatSource::Crowd, measure: HeatMeasure::Passing };
    choose("crowd.heat.crowd", "crowd.heat.crowd.passing", Some(passing));
    picture(&mut window, "crowd_soaked");
}

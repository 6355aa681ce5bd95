use eframe::egui::accesskit::Toggled;
use egui_kittest::{Harness, kittest::NodeT as _};
use glam::Vec3;
use walkable::soak::HeatMeasure;
use walkable_editor::{
    command::{Command, CrowdCommand},
    jobs::soak::SoakRequest,
    session::{
        CrowdDrawing, Edit, HeatSource, Replay, SceneAgent, Session, ShownHeat, SoakInput,
        SoakProgress, Spawner,
    },
    testing,
};

use super::crowd_ui;
use crate::testing::{Bench, Find as _, bench, picture};

/// Returns a session with three agents. The first one walks and is selected.
fn walking() -> Session {
    let mut session = testing::baked();
    let agent = |z: f32, target| SceneAgent { at: Vec3::new(4.0, 0.0, z), target, spawner: None };
    let target = Some(Vec3::new(20.0, 0.0, 20.0));
    let agents = vec![agent(20.0, target), agent(18.5, None), agent(17.0, None)];
    session.history.change("Add", |document| document.crowd = agents);
    session.show_crowd(30);
    session.crowd.chosen = [0].into();
    session
}

/// Returns the same session after a soak run with many agents in a small area.
fn soaked() -> Session {
    let mut session = walking();
    session.soak.input = SoakInput { n_agents: 150, minutes: 1.0, seed: 1 };
    let request = SoakRequest::of(&session).unwrap();
    let result = request.run(|_| {}, || false).unwrap();
    session.soak.navmesh = Some(session.bake.navmesh_serial);
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
    let mut window = window(walking());
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
    session.history.change("Set", |document| document.crowd = agents.clone());
    session.show_crowd(90);
    let mut spawner = self::window(session);
    spawner.text_with("The next click gives its agents");
    assert!(spawner.find_id("crowd.spawner.every").is_some());
    picture(&mut spawner, "crowd_spawner");
    // An agent of the spawner.
    let mut session = walking();
    session.history.change("Set", |document| document.crowd = agents.clone());
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
    session.soak.is_busy = true;
    session.soak.progress = SoakProgress { done: 0.4, n_findings: 2 };
    let mut busy = window(session);
    busy.text_with("stuck at 2 places");
    assert!(busy.find_id("crowd.soak").is_none());
    click(&mut busy, "crowd.cancel-soak", CrowdCommand::CancelSoak);
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
    // Where agents wait is shown at first.
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

//! The crowd in the whole program: placed, run, saved, and a soak run on the current bake.

use walkable_editor::{
    command::CrowdCommand,
    session::{ClickTask, CrowdDrawing, Replay, Session, SoakInput, SoakPlaces},
};

use super::{
    document::{save_to, wait},
    *,
};

fn session<'a>(harness: &'a Harness<'_, App>) -> &'a Session {
    harness.state().editor.session()
}

/// Returns the program with the sample, the crowd tool and the panel.
fn with_tool() -> Harness<'static, App> {
    let mut harness = baked();
    press(&mut harness, Modifiers::NONE, Key::K);
    assert_eq!(session(&harness).tools.tool, ToolKind::Crowd);
    trigger(&mut harness, Command::ShowPanel(Pane::Crowd));
    harness
}

#[test]
fn agents_are_placed_run_saved_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crowd.walkable");
    let mut harness = with_tool();
    let [start, end] = session(&harness).path.ends().unwrap();
    trigger(&mut harness, CrowdCommand::Group(5).into());
    trigger(&mut harness, CrowdCommand::Add(start).into());
    trigger(&mut harness, CrowdCommand::ToPoint(ClickTask::GoTo, end).into());
    let placed = session(&harness).document().crowd.clone();
    assert_eq!(placed.len(), 5);
    trigger(&mut harness, CrowdCommand::Choose(Some(0)).into());
    trigger(&mut harness, CrowdCommand::Show(120).into());
    let moved = session(&harness).crowd_positions()[0].distance(start);
    assert!(moved > 2.0, "{moved}");
    picture(&mut harness, "app-crowd");
    save_to(&mut harness, &path);
    trigger(&mut harness, CrowdCommand::Clear.into());
    trigger(&mut harness, Command::Undo);
    assert_eq!(session(&harness).document().crowd, placed);
    trigger(&mut harness, Command::Load(LevelSource::File(path)));
    settle(&mut harness);
    assert_eq!(session(&harness).document().crowd, placed);
    assert_eq!(session(&harness).crowd.now(), 0);
}

#[test]
fn what_is_drawn_of_agents_has_a_legend() {
    let mut harness = with_tool();
    let [start, end] = session(&harness).path.ends().unwrap();
    trigger(&mut harness, CrowdCommand::Group(10).into());
    trigger(&mut harness, CrowdCommand::Add(start).into());
    trigger(&mut harness, CrowdCommand::ToPoint(ClickTask::GoTo, end).into());
    trigger(&mut harness, CrowdCommand::Choose(Some(0)).into());
    trigger(&mut harness, CrowdCommand::Show(45).into());
    settle(&mut harness);
    harness.text("Next corners");
    assert_eq!(harness.n_texts("Corridor of the agent"), 0);
    harness.by_id("crowd.tab.show").click();
    settle(&mut harness);
    for &drawing in CrowdDrawing::ALL.iter().filter(|drawing| !drawing.is_on_at_first()) {
        harness.by_id(format!("crowd.show-{}", drawing.key())).click();
        settle(&mut harness);
        assert!(session(&harness).crowd.shows(drawing));
        for (_, name) in drawing.legend() {
            harness.text(name);
        }
    }
    picture(&mut harness, "app-crowd-drawings");
}

#[test]
fn a_running_crowd_goes_on_until_it_is_paused() {
    let mut harness = with_tool();
    let [start, end] = session(&harness).path.ends().unwrap();
    trigger(&mut harness, CrowdCommand::Add(start).into());
    trigger(&mut harness, CrowdCommand::ToPoint(ClickTask::GoTo, end).into());
    harness.by_id("crowd.play").click();
    wait(&mut harness, "walking", |app| app.editor.session().crowd.now() > 10);
    harness.by_id("crowd.play").click();
    wait(&mut harness, "the pause", |app| !app.editor.session().crowd.playing);
    settle(&mut harness);
    let end = session(&harness).crowd.end();
    harness.by_id("crowd.first").click();
    settle(&mut harness);
    assert_eq!((session(&harness).crowd.now(), session(&harness).crowd.end()), (0, end));
}

#[test]
fn the_camera_follows_an_agent_until_it_is_told_to_stop() {
    let mut harness = with_tool();
    let [start, end] = session(&harness).path.ends().unwrap();
    trigger(&mut harness, CrowdCommand::Add(start).into());
    trigger(&mut harness, CrowdCommand::ToPoint(ClickTask::GoTo, end).into());
    trigger(&mut harness, CrowdCommand::Choose(Some(0)).into());
    trigger(&mut harness, CrowdCommand::Show(1).into());
    trigger(&mut harness, CrowdCommand::Follow.into());
    settle(&mut harness);
    let target = |harness: &Harness<'_, App>| session(harness).shown.look.unwrap().target;
    let followed = |harness: &Harness<'_, App>| {
        session(harness).followed_point().unwrap().distance(target(harness))
    };
    assert!(followed(&harness) < 0.01, "{}", followed(&harness));
    let before = target(&harness);
    trigger(&mut harness, CrowdCommand::Show(90).into());
    settle(&mut harness);
    assert!(followed(&harness) < 0.01, "{}", followed(&harness));
    assert!(target(&harness).distance(before) > 2.0);
    trigger(&mut harness, CrowdCommand::Draw(CrowdDrawing::Velocities).into());
    picture(&mut harness, "app-crowd-followed");
    trigger(&mut harness, CrowdCommand::Follow.into());
    let before = target(&harness);
    trigger(&mut harness, CrowdCommand::Show(150).into());
    settle(&mut harness);
    assert_eq!(target(&harness), before);
}

#[test]
fn a_soak_run_lists_places_that_the_camera_flies_to() {
    let mut harness = with_tool();
    let input = SoakInput { n_agents: 60, minutes: 2.0, seed: 1, places: SoakPlaces::Random };
    trigger(&mut harness, CrowdCommand::SetSoak(input).into());
    harness.by_id("crowd.tab.soak").click();
    settle(&mut harness);
    harness.by_id("crowd.soak").click();
    wait(&mut harness, "the soak run", |app| app.editor.session().soak.report().is_some());
    settle(&mut harness);
    let report = session(&harness).soak.report().unwrap();
    assert!(!report.findings.is_empty() && report.n_agents == 60);
    let look = session(&harness).shown.look;
    harness.by_id("crowd.show-finding.0").click();
    settle(&mut harness);
    assert_ne!(session(&harness).shown.look, look);
    picture(&mut harness, "app-soak");
    // The recording ends where the agent is stuck, near the place of the finding.
    let stuck = |harness: &Harness<'_, App>| session(harness).soak.recorded_agents()[0].at;
    let (end, n) = (stuck(&harness), session(&harness).soak.n_recorded());
    assert!(end.distance(session(&harness).soak.report().unwrap().findings[0].point) < 8.0);
    let play = Replay { step: Some(n - 5), playing: true };
    trigger(&mut harness, CrowdCommand::Recording(play).into());
    wait(&mut harness, "the end", |app| !app.editor.session().soak.recording.playing);
    assert_eq!(stuck(&harness), end);
    harness.by_id("crowd.take-finding.0").click();
    wait(&mut harness, "the replay", |app| app.editor.session().crowd.now() > 5);
    trigger(&mut harness, CrowdCommand::Show(0).into());
    assert!(!session(&harness).document().crowd.is_empty());
}

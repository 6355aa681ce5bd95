//! Path tests in the whole program: added, broken by a bake, saved, exported and imported.

use walkable::{
    diagnostic::Phrase,
    phrase,
    query::PathStatus,
    suite::{CaseResult, Expectation, Outcome, PathCase},
};
use walkable_editor::{
    command::PathTestCommand,
    session::{CaseState, PathTestCounts, Session},
};
use walkable_workspace::suite_file::SuiteFile;

use super::{
    document::{save_to, wait},
    *,
};

fn session<'a>(harness: &'a Harness<'_, App>) -> &'a Session {
    harness.state().editor.session()
}

fn cases<'a>(harness: &'a Harness<'_, App>) -> &'a [PathCase] {
    &session(harness).document().path_tests
}

fn counts(harness: &Harness<'_, App>) -> [usize; 3] {
    let PathTestCounts { passed, failed, not_run } = session(harness).path_test_counts();
    [passed, failed, not_run]
}

/// Returns the program with the sample, and its path as a test.
fn with_test() -> Harness<'static, App> {
    let mut harness = baked();
    trigger(&mut harness, Command::ShowPanel(Pane::PathTests));
    harness.by_id("path-tests.add").click();
    settle(&mut harness);
    harness
}

/// Bakes with another radius of the agent.
fn bake_with(harness: &mut Harness<'_, App>, radius: f32) {
    let edit = with_radius(&session(harness).document().settings, radius);
    trigger(harness, Command::Change(Phrase::verbatim("Change radius"), edit));
}

#[test]
fn the_current_path_becomes_a_test_that_passes() {
    let mut harness = with_test();
    let [case] = cases(&harness) else { panic!("{:?}", cases(&harness)) };
    assert_eq!(case.expects[0], Expectation::Outcome(Outcome::Reachable));
    assert!(matches!(case.expects[1], Expectation::Length(_)));
    assert_eq!(Some([case.start, case.end]), session(&harness).path.ends());
    assert_eq!(counts(&harness), [1, 0, 0]);
    assert!(session(&harness).is_unsaved());
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert!(cases(&harness).is_empty());
    press(&mut harness, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(counts(&harness), [1, 0, 0]);
}

#[test]
fn a_bake_that_breaks_a_test_is_reported_until_the_test_passes() {
    let mut harness = with_test();
    let button = "path-tests.show-failed";
    assert!(harness.find_id(button).is_none());
    bake_with(&mut harness, 3.5);
    assert_eq!(counts(&harness), [0, 1, 0]);
    assert!(harness.n_texts_with("The bake broke: Case 1") > 0);
    assert!(harness.state().editor.notices().list().is_empty(), "no card covers a panel");
    let is_logged = |entry: &str| entry.contains("The bake broke path tests: Case 1");
    assert!(session(&harness).log.iter().any(|entry| is_logged(&entry.text())));
    picture(&mut harness, "app-path-tests-broken");
    // A second bake in which the case still fails keeps the report.
    bake_with(&mut harness, 3.6);
    assert!(harness.n_texts_with("The bake broke: Case 1") > 0);
    bake_with(&mut harness, 0.6);
    assert_eq!(counts(&harness), [1, 0, 0]);
    assert!(harness.find_id(button).is_none());
}

#[test]
fn a_test_that_fails_from_the_start_was_not_broken_by_a_bake() {
    let mut harness = with_test();
    let mut edited = cases(&harness).to_vec();
    edited[0].expects = vec![Expectation::Outcome(Outcome::NotReachable)];
    trigger(&mut harness, Command::Change(Phrase::verbatim("Edit"), Edit::PathTests(edited)));
    assert_eq!(counts(&harness), [0, 1, 0]);
    assert_eq!(session(&harness).broken_cases(), Vec::<String>::new());
    harness.text_with("1 path test fails");
    trigger(&mut harness, PathTestCommand::AcceptResult(0).into());
    assert_eq!(counts(&harness), [1, 0, 0]);
    assert_eq!(cases(&harness)[0].expects[0], Expectation::Outcome(Outcome::Reachable));
}

#[test]
fn a_click_shows_the_path_of_a_case() {
    let mut harness = with_test();
    let ends = session(&harness).path.ends();
    trigger(&mut harness, PathCommand::Clear.into());
    let before = session(&harness).shown.look;
    harness.by_id("path-tests.choose.0").click();
    settle(&mut harness);
    assert_eq!(session(&harness).path.ends(), ends);
    let answer = session(&harness).path.answer.as_ref().expect("a path");
    assert_eq!(answer.path.status, PathStatus::Complete);
    assert_ne!(session(&harness).shown.look, before, "the camera moves");
    harness.by_id("path-tests.name");
    trigger(&mut harness, PathCommand::Swap.into());
    trigger(&mut harness, PathTestCommand::TakePath(0).into());
    assert_eq!(Some([cases(&harness)[0].end, cases(&harness)[0].start]), ends);
    trigger(&mut harness, PathTestCommand::Remove(0).into());
    assert!(cases(&harness).is_empty());
}

#[test]
fn tests_are_saved_exported_and_imported() {
    let mut harness = with_test();
    let folder = tempfile::tempdir().unwrap();
    let (project, suite) = (folder.path().join("a.walkable"), folder.path().join("a.suite"));
    save_to(&mut harness, &project);
    trigger(&mut harness, Command::ExportTo(ExportKind::Suite, suite.clone()));
    wait(&mut harness, "exporting", |_| suite.exists());
    let read = SuiteFile::read(&suite).unwrap();
    assert_eq!((read.level.as_deref(), &read.cases[..]), (Some("a.walkable"), cases(&harness)));

    let mut other = baked();
    trigger(&mut other, Command::Load(LevelSource::File(suite.clone())));
    trigger(&mut other, Command::Load(LevelSource::File(suite)));
    assert_eq!(counts(&other), [2, 0, 0]);
    assert_eq!(session(&other).history.undo_label().as_deref(), Some("Import a.suite"));
    let mut other = baked();
    trigger(&mut other, Command::Load(LevelSource::File(project)));
    assert_eq!((cases(&other), counts(&other)), (cases(&harness), [1, 0, 0]));
}

#[test]
fn the_panel_is_readable_in_a_small_window_in_both_themes() {
    let harness = Harness::builder().with_size(Vec2::new(1280.0, 720.0)).with_max_steps(200);
    let mut harness = harness.wgpu().build_eframe(|cc| App::new(cc, None));
    settle(&mut harness);
    trigger(&mut harness, Command::ShowPanel(Pane::PathTests));
    trigger(&mut harness, PathTestCommand::Add.into());
    trigger(&mut harness, PathCommand::Swap.into());
    trigger(&mut harness, PathTestCommand::Add.into());
    let mut edited = cases(&harness).to_vec();
    edited[0].name = "To the tower".to_owned();
    edited[1].name = "Back".to_owned();
    edited[1].expects[0] = Expectation::Outcome(Outcome::NotReachable);
    trigger(&mut harness, Command::Change(Phrase::verbatim("Edit"), Edit::PathTests(edited)));
    let state = session(&harness).case_state(1).and_then(CaseState::result);
    assert_eq!(state.map(CaseResult::is_passed), Some(false));
    picture(&mut harness, "app-path-tests-dark");
    trigger(&mut harness, Command::ToggleTheme);
    picture(&mut harness, "app-path-tests-light");
    for id in ["path-tests.add", "path-tests.run", "path-tests.choose.1", "path-tests.name"] {
        let rect = harness.by_id(id).rect();
        let window = egui::Rect::from_min_size(egui::Pos2::ZERO, vec2(1280.0, 720.0));
        assert!(window.contains_rect(rect), "{id} is at {rect}");
    }
}

#[test]
fn cases_of_other_agents_run_on_the_navmesh_of_their_agent() {
    let mut harness = with_test();
    let document = session(&harness).document();
    let mut agents = document.agents.with_one_more(document);
    agents.list[0].settings = session(&harness).document().settings.clone();
    agents.list[1].settings = BakeSettings { agent_radius: 2.0, ..agents.list[0].settings.clone() };
    trigger(&mut harness, Command::Change(Phrase::verbatim("Agents"), Edit::Agents(agents)));
    let own = cases(&harness)[0].clone();
    let of = |agent: &str| PathCase { agent: Some(agent.to_owned()), ..own.clone() };
    let all = vec![of("Agent 1"), of("Agent 2"), of("Ghost")];
    trigger(&mut harness, Command::Change(Phrase::verbatim("Edit"), Edit::PathTests(all)));
    let state = |harness: &Harness<'_, App>, index| session(harness).case_state(index).cloned();
    assert!(state(&harness, 0).unwrap().is_passed());
    assert!(!state(&harness, 1).unwrap().failures().is_empty(), "the radius of 2 m is too large");
    let missing = CaseState::NotRun(phrase!("there is no agent {name}", name = "Ghost"));
    assert_eq!(state(&harness, 2), Some(missing));
    // A change of the other agent runs its case again, and a bake that breaks it is reported.
    let with_radius = |harness: &Harness<'_, App>, radius| {
        let mut agents = session(harness).document().agents.clone();
        agents.list[1].settings.agent_radius = radius;
        Command::Change(Phrase::verbatim("Radius"), Edit::Agents(agents))
    };
    let narrow = with_radius(&harness, 0.5);
    trigger(&mut harness, narrow);
    assert!(state(&harness, 1).unwrap().is_passed());
    let wide = with_radius(&harness, 2.5);
    trigger(&mut harness, wide);
    assert_eq!(session(&harness).broken_cases(), ["Case 2"]);
}

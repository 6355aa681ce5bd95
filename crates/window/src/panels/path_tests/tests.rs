use egui_kittest::Harness;
use glam::Vec3;
use walkable::{
    bake::{AreaVolume, RawArea, VolumeShape},
    diagnostic::Phrase,
    geom::Aabb,
    suite::{Expectation, LinkChoice, Outcome, PassRule, PathCase, Tolerance, VolumeName},
};
use walkable_editor::{
    command::{Command, PathTestCommand},
    session::{Edit, Session},
    testing,
};
use walkable_workspace::document::Named;

use super::path_tests_ui;
use crate::testing::{Bench, Find as _, bench, picture};

/// Returns a case across the floor.
fn case(name: &str, expects: Vec<Expectation>) -> PathCase {
    let [start, end] = [Vec3::new(2.0, 0.0, 20.0), Vec3::new(20.0, 0.0, 20.0)];
    PathCase { name: name.to_owned(), expects, ..PathCase::new(start, end) }
}

/// Returns a session with a case that passes, one that fails twice, and one of another agent; all of them have run.
fn three_cases() -> Session {
    let mut session = testing::baked();
    let reachable = Expectation::Outcome(Outcome::Reachable);
    let wrong = Expectation::Length(Tolerance { value: 5.0, tolerance: 0.5 });
    let link = Expectation::Link { link: LinkChoice::Any, rule: PassRule::Must };
    let cases = vec![
        case("To the gate", vec![reachable.clone()]),
        case("", vec![reachable, wrong, link]),
        PathCase { agent: Some("Goblin".to_owned()), ..case("Goblin's path", Vec::new()) },
    ];
    session.history.change(Phrase::verbatim("Add"), |document| document.path_tests = cases);
    testing::run_path_tests(&mut session);
    session
}

fn window(session: Session) -> Harness<'static, Bench<()>> {
    bench([1100.0, 260.0], session, |(), ui, view, out| path_tests_ui(ui, view, out))
}

/// Returns the expectations of the second case in the document.
fn expects(window: &Harness<'_, Bench<()>>) -> Vec<Expectation> {
    window.state().session.document().path_tests[1].expects.clone()
}

#[test]
fn an_empty_panel_says_how_to_begin() {
    let mut window = window(Session::default());
    window.text_with("No path tests yet");
    picture(&mut window, "path_tests_empty");
}

#[test]
fn cases_are_listed_with_their_state_and_reason() {
    let mut window = window(three_cases());
    for text in ["1 passed", "1 failed", "1 not run", "not run: there is no agent Goblin"] {
        window.text(text);
    }
    window.text_with("the length is 18.00 m; expected 5 m ± 0.5 m; the path does not use");
    picture(&mut window, "path_tests_list");
    window.by_id("path-tests.choose.1").click();
    window.run();
    let sent = window.state_mut().take();
    assert_eq!(sent, [Command::from(PathTestCommand::Choose(1))]);
}

#[test]
fn results_of_an_edited_case_are_not_shown() {
    let mut session = three_cases();
    let mut cases = session.document().path_tests.clone();
    cases[1].expects.clear();
    session.history.change(Phrase::verbatim("Edit"), |document| document.path_tests = cases);
    let mut window = window(session);
    assert_eq!(window.n_texts("2 not run"), 1);
    testing::run_path_tests(&mut window.state_mut().session);
    window.run();
    assert_eq!(window.n_texts("2 passed"), 1);
}

#[test]
fn the_form_edits_the_selected_case() {
    let mut session = three_cases();
    session.path_tests.chosen = Some(1);
    let mut window = window(session);
    picture(&mut window, "path_tests_form");

    window.by_id("path-tests.name").focus();
    window.run();
    window.by_id("path-tests.name").type_text("Over the bridge");
    window.run();
    window.key_press(eframe::egui::Key::Enter);
    window.run();
    let document = window.state().session.document();
    assert_eq!(document.path_tests[1].name, "Over the bridge");
    assert_eq!(window.state().session.history.undo_label().as_deref(), Some("Rename case 2"));

    window.by_id("path-tests.expectation.0.outcome").click();
    window.run();
    window.by_id("path-tests.expectation.0.not_reachable").click();
    window.run();
    assert_eq!(expects(&window)[0], Expectation::Outcome(Outcome::NotReachable));

    window.by_id("path-tests.expectation.2.rule").click();
    window.run();
    window.by_id("path-tests.expectation.2.rule.must-not").click();
    window.run();
    let link = Expectation::Link { link: LinkChoice::Any, rule: PassRule::MustNot };
    assert_eq!(expects(&window)[2], link);

    window.by_id("path-tests.expectation.1.remove").click();
    window.run();
    assert_eq!(expects(&window).len(), 2);
    assert_eq!(
        window.state().session.history.undo_label().as_deref(),
        Some("Change over the bridge")
    );

    window.by_id("path-tests.remove").click();
    window.run();
    let sent = window.state_mut().take();
    assert_eq!(sent.last(), Some(&Command::from(PathTestCommand::Remove(1))));
}

#[test]
fn every_kind_of_expectation_can_be_added() {
    let mut session = three_cases();
    let shape = VolumeShape::Box(Aabb::new(Vec3::ZERO, Vec3::ONE));
    let pond = AreaVolume::new(RawArea(2), shape);
    let pond = Named { name: "Pond".to_owned(), ..Named::from(pond) };
    session.history.change(Phrase::verbatim("Volume"), |document| document.volumes = vec![pond]);
    session.path_tests.chosen = Some(0);
    let mut window = window(session);
    let kinds = ["outcome", "length", "cost", "volume", "area", "link", "max-ms"];
    for (n, kind) in kinds.iter().enumerate() {
        window.by_id("path-tests.add-expectation").scroll_to_me();
        window.run();
        window.by_id("path-tests.add-expectation").click();
        window.run();
        window.by_id(format!("path-tests.add.{kind}")).click();
        window.run();
        let cases = &window.state().session.document().path_tests;
        assert_eq!(cases[0].expects.len(), n + 2, "{kind}");
    }
    window.by_id("path-tests.expectation.4.volume").scroll_to_me();
    window.run();
    window.by_id("path-tests.expectation.4.volume").click();
    window.run();
    window.by_id("path-tests.expectation.4.volume.0").click();
    window.run();
    let cases = &window.state().session.document().path_tests;
    let volume = VolumeName::Name("Pond".to_owned());
    assert_eq!(cases[0].expects[4], Expectation::Volume { volume, rule: PassRule::Must });
    picture(&mut window, "path_tests_all_expectations");
    // Each change is sent as one edit.
    let sent = window.state_mut().take();
    assert!(
        sent.iter().all(|one| matches!(one, Command::Change(_, Edit::PathTests(_)))),
        "{sent:?}"
    );
}

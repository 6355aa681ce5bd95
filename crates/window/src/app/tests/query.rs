//! Tests of the query tool in the whole program.

use eframe::egui::{Key, Modifiers, vec2};
use glam::Vec3;
use walkable_editor::{
    command::{Command, QueryCommand},
    session::{QueryMode, QueryOptions, Replay, ToolKind},
};

use super::{App, SCROLL_STEPS, baked, press, steps, trigger};
use crate::testing::{Find as _, picture};

#[test]
fn every_query_answers_from_a_click_on() {
    let mut harness = baked();
    let start = harness.state().editor.session().path.start.expect("the sample has a path");
    for &mode in QueryMode::ALL {
        trigger(&mut harness, Command::from(QueryCommand::By(mode)));
        assert_eq!(harness.state().editor.session().tools.tool, ToolKind::Query);
        trigger(&mut harness, Command::from(QueryCommand::Start(start)));
        trigger(&mut harness, Command::from(QueryCommand::End(start + Vec3::X * 3.0)));
        let answer =
            harness.state().editor.session().tools.query_tool.answer.clone().expect("an answer");
        let (session, facts) = (&harness.state().editor.session(), answer.facts());
        let picture = session.tools.query_tool.picture(session.bake.navmesh.as_deref());
        assert!(!picture.is_empty(), "{mode:?} draws nothing");
        assert!(facts.iter().all(|(name, _)| *name != "No answer"), "{facts:?}");
        for label in [mode.name(), facts[0].0] {
            assert!(harness.n_texts_with(label) > 0, "{label} is not seen");
        }
    }
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(harness.state().editor.session().tools.query_tool.answer.is_none());
}

#[test]
fn the_hint_about_an_end_goes_when_the_pointer_leaves_the_view() {
    let mut harness = baked();
    trigger(&mut harness, Command::ChooseTool(ToolKind::Path));
    let start = harness.state().editor.session().path.start.expect("the sample has a path");
    let viewport = &harness.state().view.viewport;
    let at = viewport.screen_from_world(start).expect("it is in view");
    let outside = viewport.rect().expect("it was drawn").left_top() - vec2(20.0, 0.0);
    harness.hover_at(at);
    steps(&mut harness, 3);
    assert!(harness.n_texts_with("the path follows") > 0);
    harness.hover_at(outside);
    steps(&mut harness, 3);
    assert_eq!(harness.n_texts_with("the path follows"), 0);
}

#[test]
fn the_search_behind_a_query_is_played_back() {
    let mut harness = baked();
    let at = Vec3::new(16.0, 0.0, 9.0);
    for mode in [QueryMode::WallDistance, QueryMode::Shape, QueryMode::Random, QueryMode::Circle] {
        trigger(&mut harness, Command::from(QueryCommand::By(mode)));
        trigger(&mut harness, Command::from(QueryCommand::Start(at)));
        assert!(harness.state().editor.session().tools.query_tool.n_steps() > 0, "{mode:?}");
    }
    let options = QueryOptions { radius: 8.0, ..QueryOptions::default() };
    trigger(&mut harness, Command::from(QueryCommand::With(options)));
    steps(&mut harness, 3);
    let n = harness.state().editor.session().tools.query_tool.n_steps();
    harness.by_id("query.replay.play").click();
    steps(&mut harness, 2);
    assert!(harness.state().editor.session().tools.query_tool.replay.playing);
    trigger(&mut harness, Command::from(QueryCommand::ShowSteps(Replay::at(n - 1))));
    harness.text(&format!("{} of {n}", n - 1));
    picture(&mut harness, "query_playback");
}

/// Returns the program with the query tool between the ends of the sample's path.
fn asked(mode: QueryMode) -> egui_kittest::Harness<'static, App> {
    let mut harness = baked();
    let path = &harness.state().editor.session().path;
    let [start, end] = [path.start, path.end].map(|end| end.expect("the sample has a path"));
    trigger(&mut harness, Command::from(QueryCommand::Start(start)));
    trigger(&mut harness, Command::from(QueryCommand::End(end)));
    trigger(&mut harness, Command::ChooseTool(ToolKind::Query));
    harness.by_id(Command::from(QueryCommand::By(mode)).id()).click();
    steps(&mut harness, 3);
    assert_eq!(harness.state().editor.session().tools.query_tool.mode, mode);
    harness
}

#[test]
fn a_follower_is_stepped_by_key_and_by_button() {
    let mut harness = asked(QueryMode::Follow);
    assert_eq!(harness.n_texts("arrives"), 2, "the outcome and the last stride");
    let n = harness.state().editor.session().tools.query_tool.n_steps();
    harness.text(&format!("{n} of {n}"));
    picture(&mut harness, "query_follow");
    press(&mut harness, Modifiers::NONE, Key::Period);
    press(&mut harness, Modifiers::NONE, Key::Period);
    harness.text(&format!("2 of {n}"));
    harness.text("walks");
    harness.by_id("query.replay.on").click();
    steps(&mut harness, 3);
    assert_eq!(harness.state().editor.session().tools.query_tool.replay, Replay::at(3));
    press(&mut harness, Modifiers::NONE, Key::Comma);
    assert_eq!(harness.state().editor.session().tools.query_tool.replay, Replay::at(2));
    trigger(&mut harness, Command::from(QueryCommand::ShowSteps(Replay::at(n / 2))));
    harness.state_mut().editor.prefs_mut().light = true;
    steps(&mut harness, 3);
    picture(&mut harness, "light_query_follow");
}

#[test]
fn a_sliced_search_shows_its_progress() {
    let mut harness = asked(QueryMode::Sliced);
    harness.text("done: the end is reached");
    let n = harness.state().editor.session().tools.query_tool.n_steps();
    let options = QueryOptions { nodes_a_step: 3, ..QueryOptions::default() };
    trigger(&mut harness, Command::from(QueryCommand::With(options)));
    assert_eq!(harness.state().editor.session().tools.query_tool.n_steps(), n.div_ceil(3));
    harness.by_id("query.replay.play").scroll_to_me();
    steps(&mut harness, SCROLL_STEPS);
    harness.by_id("query.replay.play").click();
    steps(&mut harness, 2);
    harness.text("in progress");
    trigger(&mut harness, Command::from(QueryCommand::ShowSteps(Replay::at(10))));
    harness.text(&format!("30 of {n}"));
    picture(&mut harness, "query_sliced");
    harness.state_mut().editor.prefs_mut().light = true;
    steps(&mut harness, 3);
    picture(&mut harness, "light_query_sliced");
    harness.by_id("query.any-angle").click();
    steps(&mut harness, 3);
    harness.by_id("query.any-angle.far").click();
    steps(&mut harness, 3);
    assert_ne!(harness.state().editor.session().tools.query_tool.options, options);
    harness.text("done: the end is reached");
}

#[test]
fn straight_paths_show_their_crossings() {
    let mut harness = asked(QueryMode::Straight);
    let points = |harness: &egui_kittest::Harness<'_, App>| {
        let answer =
            harness.state().editor.session().tools.query_tool.answer.as_ref().expect("an answer");
        let facts = answer.facts();
        let points = facts.iter().find(|(name, _)| *name == "Points").expect("points");
        points.1.parse::<usize>().expect("a number")
    };
    let corners = points(&harness);
    harness.by_id("query.crossings").click();
    steps(&mut harness, 3);
    harness.by_id("query.crossings.all").click();
    steps(&mut harness, 3);
    assert!(points(&harness) > corners);
    picture(&mut harness, "query_straight");
}

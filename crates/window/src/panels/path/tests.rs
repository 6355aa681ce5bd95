#![expect(clippy::float_cmp, reason = "settings are set, not computed")]
use std::time::Duration;

use eframe::egui::Key;
use egui_kittest::{Harness, kittest::NodeT as _};
use glam::Vec3;
use walkable::{
    navmesh::{NavMesh, NavMeshParams},
    query::{Crossings, NavPath, PathStatus, WhyNot},
};
use walkable_editor::{
    command::{Command, ExportKind, Group, PathCommand},
    reducer::testing::carry_out,
    session::{PathAnswer, PathShow, Session},
    testing,
};

use super::PathPanel;
use crate::testing::{Bench, Find as _, bench, picture};

const START: Vec3 = Vec3::new(1.0, 0.0, 2.0);
const END: Vec3 = Vec3::new(9.5, 0.25, 7.0);

fn answered(status: PathStatus, why: Option<WhyNot>) -> Session {
    let mut session = Session::default();
    let params = NavMeshParams {
        origin: Vec3::ZERO,
        tile_width: 10.0,
        tile_height: 10.0,
        max_tiles: 1,
        max_polys: 1,
    };
    session.bake.navmesh = NavMesh::new(params).ok().map(std::sync::Arc::new);
    session.path.start = Some(START);
    session.path.end = Some(END);
    let path = NavPath {
        status,
        why,
        start: None,
        end: None,
        corridor: Vec::new(),
        portals: Vec::new(),
        points: vec![START, Vec3::new(4.0, 0.0, 4.0), Vec3::new(8.0, 0.0, 7.0)],
        length: 12.345,
        cost: 18.5,
        n_expanded: 1234,
    };
    let time = Duration::from_micros(87);
    let (expanded, findings) = (Vec::new(), Vec::new());
    session.path.answer =
        Some(PathAnswer { path, expanded, findings, time, reach: None, other: None, serial: 1 });
    session
}

fn window_of(size: [f32; 2], session: Session) -> Harness<'static, Bench<PathPanel>> {
    bench(size, session, |panel, ui, view, out| {
        panel.observe(view);
        panel.ui(ui, view, out);
    })
}

fn window(session: Session) -> Harness<'static, Bench<PathPanel>> {
    window_of([1900.0, 330.0], session)
}

#[test]
fn figures_have_units() {
    let mut window = window(answered(PathStatus::Complete, None));
    for text in ["Complete", "12.3 m", "18.5", "87 µs", "1\u{2009}234"] {
        window.text(text);
    }
    picture(&mut window, "path_complete");
}

#[test]
fn a_partial_path_says_why_and_what_next() {
    let mut window = window(answered(PathStatus::Partial, Some(WhyNot::Disconnected)));
    window.text("Partial");
    window.text_with("No connection leads from the start to the end. It stops 1.52 m short");
    window.text_with("Raise the climb");
    picture(&mut window, "path_partial");
}

#[test]
fn an_end_off_the_mesh_can_be_moved_to_the_nearest_place() {
    let mut session = testing::baked();
    let below_the_table = Vec3::new(5.5, 0.0, 5.5);
    session.path.start = Some(Vec3::new(20.0, 0.0, 20.0));
    session.path.end = Some(below_the_table);
    session.path.half_extents = Vec3::new(0.2, 0.4, 0.2);
    session.update_path();
    let mut window = window(session);
    window.text("No path");
    window.text_with("There it is not walkable: head room 1 m < 2 m.");
    picture(&mut window, "path_off_mesh");
    window.by_id("path.move-to-nearest").click();
    window.run();
    let sent = window.state_mut().take();
    let [Command::Group(Group::Path(PathCommand::End(place)))] = sent[..] else {
        panic!("{sent:?}")
    };
    let distance = place.distance(below_the_table);
    assert!((1.5..4.0).contains(&distance), "{place}");
}

/// Returns a session whose path begins on another story than its start.
fn moved_ends() -> Session {
    let mut session = testing::baked();
    let start = Vec3::new(2.0, 0.0, 2.0);
    session.path.start = Some(start.with_y(3.5));
    session.path.end = Some(start + Vec3::X);
    session.update_path();
    session
}

#[test]
fn ends_that_were_moved_to_another_story_are_named() {
    let session = moved_ends();
    let answer = session.path.answer.as_ref().unwrap();
    assert_eq!((answer.path.status, answer.findings.len()), (PathStatus::Complete, 1));
    let mut window = window(session);
    window.text("Complete, moved ends");
    window.text_with("The start was moved onto the navmesh by 0 m horizontally");
    window.text_with("or lower Search half-extents");
    window.text("Start moved up or down");
    picture(&mut window, "path_moved_ends");
}

#[test]
fn a_long_title_does_not_reach_the_tools_in_a_narrow_inspector() {
    let mut window = window_of([274.0, 700.0], moved_ends());
    let title = window.text("Complete, moved ends");
    let tool = window.by_id(Command::Export(ExportKind::PathRepro).id()).rect();
    assert!(title.right() <= tool.left(), "{title} {tool}");
    picture(&mut window, "path_moved_ends_narrow");
}

#[test]
fn an_empty_session_says_what_to_do_first() {
    let mut window = window(Session::default());
    window.text("No level");
    window.text_with("Open a level");
    picture(&mut window, "path_empty");
}

#[test]
fn ends_are_edited_by_number() {
    let mut window = window(answered(PathStatus::Complete, None));
    window.by_id("path.end.x").click();
    window.run();
    window.by_id("path.end.x").type_text("3");
    window.key_press(Key::Enter);
    window.run();
    let moved = Vec3::new(3.0, END.y, END.z);
    assert_eq!(window.state_mut().take(), [Command::from(PathCommand::End(moved))]);
}

#[test]
fn swap_and_clear() {
    let mut window = window(answered(PathStatus::Complete, None));
    window.by_id("path.swap").click();
    window.run();
    window.by_id("path.clear").click();
    window.run();
    assert_eq!(
        window.state_mut().take(),
        [Command::from(PathCommand::Swap), Command::from(PathCommand::Clear)]
    );
}

#[test]
fn a_disabled_icon_says_what_to_do_first() {
    let mut session = answered(PathStatus::Complete, None);
    session.path.answer = None;
    let mut window = window(session);
    assert!(window.by_id("path.walk").accesskit_node().is_disabled());
    window.by_id("path.walk").hover();
    // Tooltips appear after the pointer has rested.
    for _ in 0..60 {
        window.step();
    }
    window.text("Find a path first.");
}

#[test]
fn flags_costs_and_display() {
    let mut window = window(answered(PathStatus::Complete, None));
    window.by_id("flags.1").click();
    window.run();
    window.by_id("path.cost.4").click();
    window.run();
    window.by_id("path.cost.4").type_text("2.5");
    window.key_press(Key::Enter);
    window.run();
    window.by_id("path.show.nodes").click();
    window.run();
    let sent = window.state_mut().take();
    let [
        Command::Group(Group::Path(PathCommand::Filter(flags))),
        Command::Group(Group::Path(PathCommand::Filter(costs))),
        Command::Group(Group::Path(PathCommand::Show(show))),
    ] = &sent[..]
    else {
        panic!("{sent:?}");
    };
    assert_eq!(flags.include_flags & 0x02, 0);
    assert_eq!(costs.area_cost[4], 2.5);
    let before = window.state().session.path.show;
    assert_eq!(*show, PathShow { expanded: !before.expanded, ..before });
}

/// Returns a session with a path over a baked navmesh.
fn over_ground() -> Session {
    let mut session = testing::baked();
    session.path.start = Some(Vec3::new(1.0, 0.0, 1.0));
    session.path.end = Some(Vec3::new(9.0, 0.0, 9.0));
    session.update_path();
    session
}

#[test]
fn exclude_flags_and_entering_costs_are_set() {
    let mut window = window(over_ground());
    window.by_id("excluded-flags.1").click();
    window.run();
    window.by_id("path.entering-cost.4").click();
    window.run();
    window.by_id("path.entering-cost.4").type_text("3");
    window.key_press(Key::Enter);
    window.run();
    let sent = window.state_mut().take();
    let [
        Command::Group(Group::Path(PathCommand::Filter(flags))),
        Command::Group(Group::Path(PathCommand::Filter(costs))),
    ] = &sent[..]
    else {
        panic!("{sent:?}");
    };
    assert_eq!((flags.exclude_flags, flags.include_flags), (0x02, 0xffff));
    assert_eq!(costs.rules.entering_cost[4], 3.0);
    picture(&mut window, "path_filter");
}

#[test]
fn a_cost_that_is_not_the_areas_is_marked_and_reset() {
    let mut window = window(over_ground());
    assert!(window.find_id("path.cost.4.reset").is_none());
    let mut filter = window.state().session.path.filter.clone();
    let of_area = filter.area_cost[4];
    filter.area_cost[4] = 7.5;
    window.state_mut().session.path.filter = filter;
    window.run();
    window.by_id("path.cost.4.reset").click();
    window.run();
    let sent = window.state_mut().take();
    let [Command::Group(Group::Path(PathCommand::Filter(reset)))] = &sent[..] else {
        panic!("{sent:?}")
    };
    assert_eq!(reset.area_cost[4], of_area);
}

#[test]
fn rules_and_limits_of_the_search() {
    let mut window = window(over_ground());
    window.by_id("path.cost-limit").click();
    window.run();
    window.by_id("path.skips-closed").click();
    window.run();
    window.by_id("path.max-nodes").click();
    window.run();
    window.by_id("path.max-nodes").type_text("2048");
    window.key_press(Key::Enter);
    window.run();
    window.by_id("path.points-at.all").click();
    window.run();
    let sent = window.state_mut().take();
    let [
        Command::Group(Group::Path(PathCommand::Filter(limited))),
        Command::Group(Group::Path(PathCommand::Filter(skips))),
        Command::Group(Group::Path(PathCommand::MaxNodes(2048))),
        Command::Group(Group::Path(PathCommand::PointsAt(Crossings::All))),
    ] = &sent[..]
    else {
        panic!("{sent:?}");
    };
    assert!(limited.rules.cost_limit.is_finite() && skips.rules.skips_closed);
}

#[test]
fn searched_from_the_end_and_to_ends_off_the_mesh() {
    let mut window = window(over_ground());
    window.by_id("path.backwards").click();
    window.run();
    window.by_id("path.require-goal").click();
    window.run();
    let sent = window.state_mut().take();
    let expected = [PathCommand::Backwards(true), PathCommand::RequireGoal(false)];
    assert_eq!(sent, expected.map(Command::from));

    // The search starts at the end, and is played back in that order.
    let session = &mut window.state_mut().session;
    let corridor = |session: &Session| session.path.answer.as_ref().unwrap().path.corridor.clone();
    let forwards = corridor(session);
    carry_out(session, PathCommand::Backwards(true).into());
    let PathAnswer { path, expanded, .. } = session.path.answer.clone().unwrap();
    assert_eq!(path.status, PathStatus::Complete);
    assert_eq!((path.corridor.first(), path.corridor.last()), (forwards.first(), forwards.last()));
    assert_eq!(expanded.first().map(|first| first.poly), forwards.last().copied());
    assert_eq!(expanded.last().map(|last| last.poly), forwards.first().copied());

    // The start may be at a position that is not walkable.
    let far = Vec3::new(-60.0, 0.0, 1.0);
    carry_out(session, PathCommand::Start(far).into());
    window.run();
    window.text("No path");
    window.text_with("or do not require a navigable start");
    let session = &mut window.state_mut().session;
    carry_out(session, PathCommand::RequireGoal(false).into());
    let path = session.path.answer.as_ref().unwrap().path.clone();
    assert_eq!((path.status, path.why), (PathStatus::Partial, Some(WhyNot::StartOffMesh)));
    assert_eq!(path.points.last().copied(), path.end.map(|end| end.point));
    window.run();
    window.text("Partial");
    window.text_with("m from the start.");
    window.text("Require a navigable start");
    picture(&mut window, "path_from_the_end");
}

#[test]
fn the_line_gets_points_where_it_crosses_polygons() {
    let mut session = over_ground();
    let n_points = |session: &Session| session.path.answer.as_ref().unwrap().path.points.len();
    let corners = n_points(&session);
    session.path.crossings = Crossings::All;
    session.update_path();
    let n_polys = session.path.answer.as_ref().unwrap().path.corridor.len();
    assert!(n_polys > corners && n_points(&session) > corners, "{n_polys} {corners}");
}

#[test]
fn ends_at_random_lie_on_the_navmesh_and_differ() {
    let mut session = over_ground();
    let mut seen = Vec::new();
    for command in [PathCommand::RandomStart, PathCommand::RandomEnd, PathCommand::RandomStart] {
        carry_out(&mut session, command.into());
        let answer = session.path.answer.as_ref().unwrap();
        let ends = [answer.path.start, answer.path.end].map(|end| end.unwrap().point);
        let asked = [session.path.start, session.path.end].map(Option::unwrap);
        assert!(ends[0].distance(asked[0]) < 0.01 || seen.is_empty(), "{ends:?} {asked:?}");
        seen.push(asked);
    }
    assert!(seen[0][0] != seen[2][0] && seen[0][1] != seen[1][1]);
    session.path.filter.include_flags = 0;
    carry_out(&mut session, PathCommand::RandomStart.into());
    assert_eq!(session.path.start, Some(seen[2][0]), "nothing is walkable, so the start stays");
}

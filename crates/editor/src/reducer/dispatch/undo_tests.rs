//! Tests that every kind of edit can be undone and redone.

use std::collections::BTreeMap;

use glam::Vec3;
use walkable::{
    bake::Area,
    diagnostic::Phrase,
    level::{LevelKind, generate},
    mesh::ImportOptions,
    query::Filter,
};

use super::dispatch;
use crate::{
    command::{Command, PathCommand, PathTestCommand, SceneItemCommand, ViewCommand},
    jobs::open::prepared,
    prefs::Prefs,
    session::{AreaTable, Document, Edit, Hover, LevelSource, SceneItem, Session},
    testing::{LOOK, edits},
};

/// Returns the number of the kind of edit: a new kind does not compile until it has a number here and a test below.
fn kind(edit: &Edit) -> usize {
    match edit {
        Edit::Settings(_) => 0,
        Edit::Import(_) => 1,
        Edit::Areas(_) => 2,
        Edit::Volumes(_) => 3,
        Edit::Links(_) => 4,
        Edit::Surfaces(_) => 5,
        Edit::Bounds(_) => 6,
        Edit::Obstacles(_) => 7,
        Edit::RemovedTiles(_) => 8,
        Edit::Strokes(_) => 9,
        Edit::Islands(_) => 10,
        Edit::Presets(_) => 11,
        Edit::Paths(_) => 12,
        Edit::Views(_) => 13,
        Edit::Budgets(_) => 14,
        Edit::Config(_) => 15,
        Edit::Agents(_) => 16,
        Edit::Places(_) => 17,
        Edit::PathTests(_) => 18,
        Edit::Crowd(_) => 19,
        Edit::Several(_) => 20,
        Edit::Jumps(_) => 21,
        Edit::PathFilter(_) => 22,
    }
}

const N_KINDS: usize = 23;

/// Returns a session to whose document all `edits` were applied.
fn full() -> Session {
    let mut session = Session::default();
    session.shown.look = Some(LOOK);
    session.tools.selection = Some(Hover { point: Vec3::ONE, triangle: None });
    // A configuration replaces what the others add.
    for edit in edits().into_iter().rev() {
        session.history.change(Phrase::verbatim("Fill"), |document| edit.apply(document));
    }
    (session.path.start, session.path.end) = (Some(Vec3::ZERO), Some(Vec3::ONE));
    session
}

/// Carries out `command`, undoes it and redoes it, and compares the documents.
#[track_caller]
fn there_and_back(session: &mut Session, command: Command) -> Document {
    let mut prefs = Prefs::default();
    let mut run = |session: &mut Session, command| drop(dispatch(session, &mut prefs, command));
    let what = format!("{command:?}");
    let before = session.document().clone();
    run(session, command);
    let after = session.document().clone();
    assert_ne!(before, after, "{what} changes nothing");
    assert!(session.history.undo_label().is_some_and(|label| !label.is_empty()), "{what}");
    run(session, Command::Undo);
    assert_eq!(*session.document(), before, "{what} is not undone");
    run(session, Command::Redo);
    assert_eq!(*session.document(), after, "{what} is not done again");
    after
}

#[test]
fn every_kind_of_edit_is_undone_and_done_again() {
    let mut seen = BTreeMap::new();
    for edit in edits() {
        seen.insert(kind(&edit), format!("{edit:?}"));
        let command = Command::Change(Phrase::verbatim("Change"), edit);
        there_and_back(&mut Session::default(), command);
    }
    assert_eq!(seen.len(), N_KINDS, "an edit has no case here: {:?}", seen.keys());
}

#[test]
fn a_drag_of_every_kind_is_one_step_that_can_be_given_up() {
    for edit in edits() {
        let (mut session, mut prefs) = (Session::default(), Prefs::default());
        let before = session.document().clone();
        for end in [Command::Abort, Command::Commit] {
            for command in [
                Command::Begin(Phrase::verbatim("Drag")),
                Command::Apply(edit.clone()),
                end.clone(),
            ] {
                dispatch(&mut session, &mut prefs, command);
            }
            assert_eq!(*session.document() == before, end == Command::Abort, "{edit:?}");
        }
        dispatch(&mut session, &mut prefs, Command::Undo);
        assert_eq!(*session.document(), before, "{edit:?}");
        assert_eq!(session.history.undo_label(), None, "{edit:?} is more than one step");
    }
}

#[test]
fn commands_that_change_the_document_are_undone_and_done_again() {
    let delete = |item| (Some(item), SceneItemCommand::Delete.into());
    let double = |item| (Some(item), SceneItemCommand::Duplicate.into());
    let cases: [(Option<SceneItem>, Command); 20] = [
        (None, Command::ResetSettings),
        (None, Command::UsePreset(1)),
        (None, Command::UsePreset(5)),
        (None, PathCommand::Keep.into()),
        (None, PathTestCommand::Remove(0).into()),
        (None, PathTestCommand::TakePath(0).into()),
        (None, ViewCommand::Keep.into()),
        (None, ViewCommand::KeepPlace.into()),
        delete(SceneItem::Volume(0)),
        delete(SceneItem::Link(0)),
        delete(SceneItem::Bound(0)),
        delete(SceneItem::Obstacle(0)),
        delete(SceneItem::Path(0)),
        delete(SceneItem::Place(0)),
        delete(SceneItem::View(0)),
        double(SceneItem::Volume(0)),
        double(SceneItem::Link(0)),
        double(SceneItem::Bound(0)),
        double(SceneItem::Obstacle(0)),
        (Some(SceneItem::Link(0)), SceneItemCommand::Cut.into()),
    ];
    for (item, command) in cases {
        let mut session = full();
        session
            .history
            .change(Phrase::verbatim("Change"), |document| document.settings.agent_radius = 0.3);
        session.tools.selected_items = item.into();
        there_and_back(&mut session, command);
    }
}

#[test]
fn the_filter_of_the_path_is_undone_and_follows_the_areas() {
    let (mut session, mut prefs) = (Session::default(), Prefs::default());
    let mut filter = session.path.filter.clone();
    filter.area_cost[1] = 2.5;
    let mut run = |session: &mut Session, command: Command| {
        dispatch(session, &mut prefs, command);
    };
    let cost = |session: &Session| session.path.filter.area_cost[1];
    let before = cost(&session);
    run(&mut session, PathCommand::Filter(Box::new(filter.clone())).into());
    assert_eq!(session.history.undo_label().as_deref(), Some("Change path filter"));
    run(&mut session, Command::Undo);
    assert!((cost(&session) - before).abs() < 1e-6, "{}", cost(&session));
    run(&mut session, Command::Redo);
    assert!((cost(&session) - 2.5).abs() < 1e-6);

    // A drag is one step, and Escape reverts it.
    for cost in [3.0, 4.0] {
        run(&mut session, Command::Begin(Phrase::verbatim("Change path filter")));
        filter.area_cost[1] = cost;
        run(&mut session, PathCommand::Filter(Box::new(filter.clone())).into());
    }
    run(&mut session, Command::Abort);
    assert!((cost(&session) - 3.0).abs() < 1e-6, "{}", cost(&session));
    assert_eq!(session.history.past().len(), 2);

    // A changed cost stays when the cost of the area changes, and unchanged costs follow it.
    let mud = |cost| Area { cost, ..AreaTable::default().area(1) };
    let areas = AreaTable::default().with(1, mud(6.0)).with(2, mud(8.0));
    run(&mut session, Command::Change(Phrase::verbatim("Areas"), Edit::Areas(areas)));
    assert!((cost(&session) - 3.0).abs() < 1e-6);
    assert!((session.path.filter.area_cost[2] - 8.0).abs() < 1e-6);
    assert_eq!(session.document().path_filter.costs, [(1, 3.0)].into());
}

#[test]
fn a_project_opens_with_its_path_and_filter() {
    let (mut session, mut prefs) = (crate::testing::baked(), Prefs::default());
    let level = generate(LevelKind::Sample, 1, 30.0).expect("the sample has that size");
    let source = LevelSource::Builtin("sample".to_owned());
    session.opened.level =
        Some(prepared(level.mesh, ImportOptions::default(), &source, Vec::new()));
    let [start, end] = [Vec3::new(1.0, 0.0, 1.0), Vec3::new(9.0, 0.0, 9.0)];
    let filter = Filter { exclude_flags: 0x10, ..session.path.filter.clone() };
    for command in [PathCommand::Ends([start, end]), PathCommand::Filter(Box::new(filter.clone()))]
    {
        dispatch(&mut session, &mut prefs, command.into());
    }
    let project = session.to_project().expect("a level is open");
    let level = session.opened.level.clone().expect("a level is open");
    let mut opened = Session::default();
    opened.open_project(level, project, "a.walkable".into(), 1);
    assert_eq!(opened.path.ends(), Some([start, end]));
    assert_eq!(opened.path.filter, filter);
    assert!(!opened.is_unsaved() && opened.history.undo_label().is_none());
}

//! Tests of keyboard shortcuts that the user changes, and of the tour on first start.

use eframe::egui::{Key, Modifiers, vec2};
use egui_kittest::Harness;
use walkable_editor::{
    command::{
        Command, KeysCommand, LabCommand, Pane, QueryCommand, Shortcut, ThingCommand, TourCommand,
    },
    session::{Edit, Hover, LabTab, QueryMode, StageView, Thing, ToolKind},
    testing::edits,
};

use super::{App, baked, baked_in, click, press, settle, trigger};
use crate::testing::{Find as _, picture};

fn list_of(harness: &mut Harness<'_, App>, words: &str) {
    trigger(harness, KeysCommand::Edit.into());
    harness.by_id("shortcuts.search").focus();
    settle(harness);
    harness.by_id("shortcuts.search").type_text(words);
    settle(harness);
}

#[test]
fn a_key_is_changed_by_pressing_it_and_works_at_once() {
    let mut harness = baked();
    list_of(&mut harness, "show regions");
    harness.by_id("shortcuts.key.view.stage.regions").click();
    settle(&mut harness);
    press(&mut harness, Modifiers::NONE, Key::F5);
    harness.text("Key of show regions: F5");
    harness.by_id("shortcuts.done").click();
    settle(&mut harness);
    press(&mut harness, Modifiers::NONE, Key::F5);
    assert_eq!(harness.state().editor.session().stage, StageView::Regions);
    trigger(&mut harness, KeysCommand::ResetAll.into());
    assert!(harness.state().editor.prefs().keys.is_empty());
}

#[test]
fn a_key_in_use_is_reassigned_with_a_notice() {
    let mut harness = baked();
    list_of(&mut harness, "delete");
    harness.by_id("shortcuts.key.thing.delete").click();
    settle(&mut harness);
    picture(&mut harness, "shortcuts");
    press(&mut harness, Modifiers::COMMAND, Key::D);
    harness.text_with("Duplicate has no key now");
    let keys = &harness.state().editor.prefs().keys;
    let delete = Command::Thing(ThingCommand::Delete);
    assert_eq!(keys.key_of(&delete), Some(Shortcut::ctrl('D')));
    assert_eq!(keys.key_of(&Command::Thing(ThingCommand::Duplicate)), None);
    harness.by_id("keys.reset.thing.delete").click();
    settle(&mut harness);
    assert!(!harness.state().editor.prefs().keys.is_changed(&delete));
}

#[test]
fn escape_gives_up_the_wait_for_a_key_and_then_the_list() {
    let mut harness = baked();
    list_of(&mut harness, "undo");
    harness.by_id("shortcuts.key.edit.undo").click();
    settle(&mut harness);
    harness.text("Key of undo: Ctrl+Z");
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(harness.state().panels.shortcuts.is_open());
    assert!(harness.state().editor.prefs().keys.is_empty());
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(!harness.state().panels.shortcuts.is_open());
}

#[test]
fn the_tour_has_five_steps_and_ends() {
    let mut harness = baked();
    assert_eq!(harness.state().editor.prefs().tour, None);
    trigger(&mut harness, TourCommand::Start.into());
    for step in 0..5 {
        assert_eq!(harness.state().editor.prefs().tour, Some(step));
        picture(&mut harness, &format!("tour_{step}"));
        harness.by_id("tour.next").click();
        settle(&mut harness);
    }
    assert_eq!(harness.state().editor.prefs().tour, None);
}

#[test]
fn escape_ends_the_tour_and_panels_it_points_at_may_be_closed() {
    let mut harness = baked();
    trigger(&mut harness, Command::ShowPanel(Pane::Settings));
    trigger(&mut harness, TourCommand::Step(1).into());
    harness.text("Describe the agent");
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert_eq!(harness.state().editor.prefs().tour, None);
    assert!(harness.n_texts("Describe the agent") == 0);
}

#[test]
fn comparing_searches_brings_the_lab_to_the_front_and_leaves_it_there() {
    let mut harness = baked();
    for _ in 0..2 {
        trigger(&mut harness, LabCommand::Run.into());
        assert!(harness.state().panels.dock.is_in_front(Pane::Lab));
    }
    trigger(&mut harness, Command::ShowPanel(Pane::Lab));
    assert!(!harness.state().panels.dock.is_in_front(Pane::Lab));
}

/// [`settle`] looks at the names after each step.
#[test]
fn every_tool_thing_and_panel_is_known_by_name() {
    let mut harness = baked();
    let forms =
        [Thing::Volume, Thing::Link, Thing::Bound, Thing::Obstacle, Thing::Path, Thing::Place];
    let forms = forms.map(|thing| thing(0)).into_iter().chain([Thing::View(0)]);
    let level = harness.state().editor.session().document().clone();
    for edit in edits() {
        // Another configuration would replace what others add.
        if !matches!(edit, Edit::Config(_) | Edit::Import(_) | Edit::Settings(_) | Edit::Agents(_))
        {
            trigger(&mut harness, Command::Change("Fill".into(), edit));
        }
    }
    assert_ne!(*harness.state().editor.session().document(), level);
    for thing in forms {
        trigger(&mut harness, ThingCommand::Choose(Some(thing)).into());
        assert_eq!(harness.state().editor.session().thing(), Some(thing));
    }
    trigger(&mut harness, ThingCommand::Choose(None).into());
    for &tool in ToolKind::ALL {
        trigger(&mut harness, Command::ChooseTool(tool));
    }
    trigger(&mut harness, Command::ChooseTool(ToolKind::Query));
    for &mode in QueryMode::ALL {
        trigger(&mut harness, QueryCommand::By(mode).into());
    }
    let place = harness.state().editor.session().path.start.expect("the sample has a path");
    trigger(&mut harness, Command::ChooseTool(ToolKind::Select));
    trigger(&mut harness, Command::Select(Some(Hover { point: place, triangle: None })));
    for pane in Pane::panels() {
        if !harness.state().panels.dock.is_in_front(pane) {
            trigger(&mut harness, Command::ShowPanel(pane));
        }
    }
    for tab in LabTab::ALL {
        trigger(&mut harness, LabCommand::Tab(tab).into());
    }
}

#[test]
fn the_view_has_most_of_the_window() {
    let size = vec2(1600.0, 1000.0);
    let mut harness = baked_in(size);
    let share =
        |harness: &Harness<'_, App>| harness.by_id("viewport").rect().area() / (size.x * size.y);
    let closed = share(&harness);
    picture(&mut harness, "app-drawer-closed");
    click(&mut harness, "tab.log");
    let open = share(&harness);
    picture(&mut harness, "app-drawer-open");
    assert!(closed >= 0.55 && open >= 0.45, "{closed}, {open}");
    click(&mut harness, "tab.log");
    assert!((share(&harness) - closed).abs() < 0.01, "a second click closes the drawer");
    click(&mut harness, "drawer.toggle");
    assert!((share(&harness) - open).abs() < 0.01, "the drawer has the same height again");
}

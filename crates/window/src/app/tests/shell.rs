//! Tests of keyboard shortcuts that the user changes, and of the tour on first start.

use std::{collections::BTreeSet, path::PathBuf};

use eframe::egui::{self, Key, Modifiers, accesskit::Role, vec2};
use egui_kittest::{Harness, kittest::NodeT as _};
use walkable::diagnostic::Phrase;
use walkable_editor::{
    command::{
        AnimationCommand, Command, ExportKind, KeysCommand, LabCommand, LayoutCommand, Pane,
        PathCommand, QueryCommand, SceneItemCommand, TourCommand, ViewCommand,
    },
    jobs::{
        ask_file::{Proposal, Purpose},
        export::Clash,
    },
    navigation::Navigation,
    prefs::{Prefs, RecentLevel},
    session::{Edit, Hover, LabTab, LevelSource, QueryMode, SceneItem, ToolKind},
    shortcut::Shortcut,
    testing::edits,
};
use walkable_workspace::stage_view::StageView;

use super::{
    App, baked, baked_in, click, click_at, drag, press, radius, settle, steps, trigger, with_radius,
};
use crate::testing::{Find as _, picture};

fn list_of(harness: &mut Harness<'_, App>, words: &str) {
    trigger(harness, KeysCommand::Edit.into());
    harness.by_id("shortcuts.search").focus();
    settle(harness);
    harness.by_id("shortcuts.search").type_text(words);
    settle(harness);
}

/// Clicks the key of a command in the list of shortcuts, and presses `key` with `modifiers`.
fn set_key(harness: &mut Harness<'_, App>, id: &str, modifiers: Modifiers, key: Key) {
    harness.by_id(format!("shortcuts.key.{id}")).click();
    settle(harness);
    press(harness, modifiers, key);
}

#[test]
fn a_key_is_changed_by_pressing_it_and_works_at_once() {
    let mut harness = baked();
    list_of(&mut harness, "show regions");
    set_key(&mut harness, "view.stage.regions", Modifiers::NONE, Key::F5);
    harness.text("Key of show regions: F5");
    harness.by_id("shortcuts.done").click();
    settle(&mut harness);
    press(&mut harness, Modifiers::NONE, Key::F5);
    assert_eq!(harness.state().editor.session().shown.stage, StageView::Regions);
    trigger(&mut harness, KeysCommand::ResetAll.into());
    assert!(harness.state().editor.prefs().keys.is_empty());
}

#[test]
fn tooltips_of_the_view_buttons_name_the_current_keys() {
    let mut harness = baked();
    list_of(&mut harness, "frame all");
    set_key(&mut harness, "view.frame-all", Modifiers::NONE, Key::F5);
    harness.by_id("shortcuts.done").click();
    settle(&mut harness);
    harness.by_id("viewport.frame-all").hover();
    // Tooltips appear after the pointer has rested.
    for _ in 0..60 {
        harness.step();
    }
    harness.text("F5");
    harness.text(&Command::from(ViewCommand::FrameAll).tooltip());
    picture(&mut harness, "view_button_tooltip");
}

#[test]
fn a_key_in_use_is_reassigned_with_a_notice() {
    let mut harness = baked();
    list_of(&mut harness, "delete");
    picture(&mut harness, "shortcuts");
    set_key(&mut harness, "object.delete", Modifiers::COMMAND, Key::D);
    harness.text_with("Duplicate has no key now");
    let keys = &harness.state().editor.prefs().keys;
    let delete = Command::from(SceneItemCommand::Delete);
    assert_eq!(delete.key(keys), Some(Shortcut::ctrl('D')));
    assert_eq!(Command::from(SceneItemCommand::Duplicate).key(keys), None);
    harness.by_id("keys.reset.object.delete").click();
    settle(&mut harness);
    assert!(!delete.has_own_key(&harness.state().editor.prefs().keys));
}

#[test]
fn escape_gives_up_the_wait_for_a_key_and_then_the_list() {
    let mut harness = baked();
    list_of(&mut harness, "undo");
    set_key(&mut harness, "edit.undo", Modifiers::NONE, Key::Escape);
    harness.text("Key of undo: Ctrl+Z");
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
fn without_a_level_the_tour_opens_a_sample_and_closing_the_level_ends_it() {
    let mut harness = baked();
    trigger(&mut harness, Command::CloseLevel);
    assert!(harness.state().editor.session().is_empty());
    harness.by_id("start.tour.start").click();
    settle(&mut harness);
    assert!(!harness.state().editor.session().is_empty());
    harness.text("This is your level");
    trigger(&mut harness, Command::CloseLevel);
    assert_eq!(harness.state().editor.prefs().tour, None);
    assert_eq!(harness.n_texts("This is your level"), 0);
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

/// [`settle`] checks the names after each step.
#[test]
fn every_tool_item_and_panel_is_known_by_name() {
    let mut harness = baked();
    let forms = [
        SceneItem::Volume,
        SceneItem::Link,
        SceneItem::Bound,
        SceneItem::Obstacle,
        SceneItem::Path,
        SceneItem::Place,
    ];
    let forms = forms.map(|item| item(0)).into_iter().chain([SceneItem::View(0)]);
    let level = harness.state().editor.session().document().clone();
    for edit in edits() {
        // These would replace what others add.
        let replaces = matches!(
            edit,
            Edit::Config(_)
                | Edit::Import(_)
                | Edit::Settings(_)
                | Edit::Agents(_)
                | Edit::Several(_)
        );
        if !replaces {
            trigger(&mut harness, Command::Change(Phrase::verbatim("Fill"), edit));
        }
    }
    assert_ne!(*harness.state().editor.session().document(), level);
    for item in forms {
        trigger(&mut harness, SceneItemCommand::Select(Some(item)).into());
        assert_eq!(harness.state().editor.session().item(), Some(item));
    }
    trigger(&mut harness, SceneItemCommand::Select(None).into());
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

#[test]
fn a_narrow_window_folds_the_side_panel_that_was_not_used_last() {
    // 1600 × 1000 pixels at 200 %.
    let size = vec2(800.0, 500.0);
    let mut harness = baked_in(size);
    let share = |harness: &Harness<'_, App>| harness.by_id("viewport").rect().width() / size.x;
    assert!(share(&harness) >= 0.45, "{}", share(&harness));
    assert!(harness.find_id("strip.inspector").is_none());
    picture(&mut harness, "app-folded-left");
    click(&mut harness, "strip.level");
    assert!(share(&harness) >= 0.45, "{}", share(&harness));
    assert!(harness.find_id("strip.level").is_none());
    picture(&mut harness, "app-folded-right");
    click(&mut harness, "strip.inspector");
    assert!(harness.find_id("strip.inspector").is_none());
    harness.by_id("strip.level");
    assert!(harness.state().panels.dock.is_in_front(Pane::Inspector));
}

#[test]
fn a_tab_dropped_within_a_panel_splits_its_group() {
    let mut harness = baked();
    let path = harness.state().panels.dock.rect_of(Pane::Path).unwrap();
    let lower = path.center() + vec2(0.0, path.height() / 4.0);
    let tab = harness.by_id("tab.display").rect().center();
    drag(&mut harness, tab, lower);
    assert_eq!(harness.n_texts("Vertical"), 0, "the split has a tab");
    let dock = &harness.state().panels.dock;
    let [above, below] = [Pane::Path, Pane::Display].map(|pane| dock.rect_of(pane).unwrap());
    assert!(above.bottom() < below.top() && (above.width() - below.width()).abs() < 1.0);
    // Next to the 3D view: the other direction.
    let view = harness.by_id("viewport").rect();
    let tab = harness.by_id("tab.inspector").rect().center();
    drag(&mut harness, tab, view.center() + vec2(view.width() / 4.0, 0.0));
    assert_eq!(harness.n_texts("Horizontal"), 0, "the split has a tab");
    let beside = harness.state().panels.dock.rect_of(Pane::Inspector).unwrap();
    assert!(harness.by_id("viewport").rect().right() < beside.left());
    picture(&mut harness, "app-split-panels");
}

#[test]
fn f10_opens_the_menus_and_escape_closes_only_them() {
    let mut harness = baked();
    trigger(&mut harness, ViewCommand::Stage(StageView::Regions).into());
    trigger(&mut harness, AnimationCommand::Watch.into());
    let is_animated =
        |harness: &Harness<'_, App>| harness.state().editor.view().animation().is_some();
    press(&mut harness, Modifiers::NONE, Key::F10);
    harness.by_id("file.open");
    press(&mut harness, Modifiers::NONE, Key::ArrowRight);
    assert!(harness.find_id("file.open").is_none());
    harness.by_id("window.preferences");
    press(&mut harness, Modifiers::NONE, Key::ArrowDown);
    picture(&mut harness, "app-menu-by-key");
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(harness.find_id("window.preferences").is_none() && is_animated(&harness));
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(!is_animated(&harness));
}

fn has_focus(harness: &Harness<'_, App>, id: &str) -> bool {
    harness.by_id(id).accesskit_node().is_focused()
}

#[test]
fn a_letter_with_alt_opens_its_menu_and_arrows_move_between_menus() {
    let mut harness = baked();
    press(&mut harness, Modifiers::ALT, Key::V);
    picture(&mut harness, "app-menu-by-letter");
    harness.by_id("view.frame-all");
    press(&mut harness, Modifiers::NONE, Key::ArrowDown);
    press(&mut harness, Modifiers::NONE, Key::ArrowDown);
    assert!(has_focus(&harness, "view.frame-selected"));
    // From an entry to the next menu, not to the next stage of the bake.
    let stage = harness.state().editor.session().shown.stage;
    press(&mut harness, Modifiers::NONE, Key::ArrowRight);
    assert!(harness.find_id("view.frame-all").is_none());
    assert!(harness.n_texts_with("Swap path ends") > 0);
    assert_eq!(harness.state().editor.session().shown.stage, stage);
    for _ in 0..5 {
        press(&mut harness, Modifiers::NONE, Key::ArrowLeft);
    }
    harness.by_id("window.guide");
    press(&mut harness, Modifiers::NONE, Key::ArrowLeft);
    press(&mut harness, Modifiers::NONE, Key::ArrowDown);
    press(&mut harness, Modifiers::NONE, Key::Enter);
    assert!(harness.n_texts_with("Swap path ends") == 0);
    assert_eq!(harness.state().editor.session().tools.tool, ToolKind::Path);
    // Not while a dialog is open.
    trigger(&mut harness, Command::EditPrefs);
    press(&mut harness, Modifiers::ALT, Key::F);
    assert!(harness.find_id("file.open").is_none());
}

#[test]
fn tab_moves_from_control_to_control_and_never_to_a_label() {
    let mut harness = baked();
    harness.by_id("settings.agent_height").focus();
    settle(&mut harness);
    press(&mut harness, Modifiers::NONE, Key::Tab);
    assert!(has_focus(&harness, "settings.agent_radius"));
    picture(&mut harness, "app-focus");
    press(&mut harness, Modifiers::SHIFT, Key::Tab);
    assert!(has_focus(&harness, "settings.agent_height"));
    assert!(harness.state().editor.prefs().panels);
    let mut seen = Vec::new();
    for _ in 0..200 {
        harness.key_press(Key::Tab);
        steps(&mut harness, 2);
        let Some(node) = harness.focused() else { continue };
        let node = node.accesskit_node();
        assert!(node.role() != Role::Label, "{:?}", node.value());
        seen.extend(node.author_id().map(str::to_owned));
    }
    assert!(seen.len() > 40, "{seen:?}");
    assert!(seen.iter().any(|id| id == "menu.file"), "{seen:?}");
}

#[test]
fn ctrl_y_redoes() {
    let mut harness = baked();
    let before = harness.state().editor.session().document().settings.clone();
    trigger(&mut harness, Command::Change(Phrase::verbatim("Edit"), with_radius(&before, 0.8)));
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert_eq!(harness.state().editor.session().document().settings, before);
    press(&mut harness, Modifiers::COMMAND, Key::Y);
    assert!((radius(&harness) - 0.8).abs() < 1e-6);
    list_of(&mut harness, "ctrl+y");
    harness.text("Key of redo: Ctrl+Shift+Z, Ctrl+Y");
}

#[test]
fn ctrl_0_restores_the_size_of_text() {
    let mut harness = baked();
    press(&mut harness, Modifiers::COMMAND, Key::Plus);
    assert!(harness.state().editor.prefs().scale > 1.0);
    press(&mut harness, Modifiers::COMMAND, Key::Num0);
    assert!((harness.state().editor.prefs().scale - 1.0).abs() < 1e-6);
}

#[test]
fn the_header_switches_the_legend_and_what_is_drawn() {
    let mut harness = baked_in(vec2(1280.0, 720.0));
    let legend = "Wall or drop";
    let [entry, hints] = [legend, "inspect a place"].map(|text| harness.text(text));
    let gap = hints.top() - entry.bottom();
    assert!((4.0..160.0).contains(&gap), "the legend is above the hints: {entry} {hints}");
    click(&mut harness, "view.toggle-legend");
    assert_eq!(harness.n_texts(legend), 0);
    harness.by_id("header.display").click();
    settle(&mut harness);
    picture(&mut harness, "app-header-menu");
    click(&mut harness, "view.toggle-level");
    assert!(!harness.state().editor.session().shown.show_level);
    assert!(harness.find_id("view.toggle-level").is_none(), "the menu closes");
    assert!(harness.state().editor.prefs().ambient_occlusion);
    harness.by_id("header.display").click();
    settle(&mut harness);
    click(&mut harness, "view.toggle-ambient-occlusion");
    assert!(!harness.state().editor.prefs().ambient_occlusion);
    trigger(&mut harness, Command::ToggleTheme);
    for pane in [Pane::Areas, Pane::Islands, Pane::Agents] {
        trigger(&mut harness, Command::ShowPanel(pane));
        picture(&mut harness, &format!("app-left-{}", pane.name()));
    }
}

#[test]
fn a_legend_that_covers_much_of_the_view_is_folded_until_it_is_opened() {
    let mut harness = baked_in(vec2(1280.0, 720.0));
    let n_rows = |harness: &Harness<'_, App>| harness.n_texts("Wall or drop");
    assert!(n_rows(&harness) == 1 && harness.find_id("legend.fold").is_none());
    trigger(&mut harness, Command::Zoom(200));
    picture(&mut harness, "app-legend-folded");
    assert_eq!(n_rows(&harness), 0);
    for expected in [1, 0, 1] {
        harness.by_id("legend.fold").click();
        settle(&mut harness);
        assert_eq!(n_rows(&harness), expected);
    }
    picture(&mut harness, "app-legend-unfolded");
    trigger(&mut harness, Command::Zoom(100));
    assert!(n_rows(&harness) == 1 && harness.find_id("legend.fold").is_none());
}

#[test]
fn the_panel_of_the_tool_or_the_selection_comes_to_the_front() {
    let mut harness = baked();
    let front = |harness: &Harness<'_, App>| {
        let dock = &harness.state().panels.dock;
        [Pane::Path, Pane::Inspector, Pane::Display]
            .into_iter()
            .find(|&pane| dock.is_in_front(pane))
    };
    assert_eq!(front(&harness), Some(Pane::Path));
    let select = |item| Command::from(SceneItemCommand::Select(Some(item)));
    for (command, expected) in [
        (Command::ChooseTool(ToolKind::Volume), Pane::Inspector),
        (Command::ChooseTool(ToolKind::Path), Pane::Path),
        (select(SceneItem::Volume(0)), Pane::Inspector),
        (Command::ShowPanel(Pane::Display), Pane::Display),
        (Command::ChooseTool(ToolKind::Crowd), Pane::Display),
        (Command::ChooseTool(ToolKind::Path), Pane::Path),
        // The kept path is selected, and its panel stays.
        (PathCommand::Keep.into(), Pane::Path),
        (Command::ChooseTool(ToolKind::Select), Pane::Inspector),
    ] {
        trigger(&mut harness, command.clone());
        assert_eq!(front(&harness), Some(expected), "{command:?}");
    }
    // A closed panel stays closed.
    trigger(&mut harness, Command::ShowPanel(Pane::Inspector));
    trigger(&mut harness, Command::ChooseTool(ToolKind::Path));
    trigger(&mut harness, select(SceneItem::Volume(0)));
    assert_eq!(front(&harness), Some(Pane::Path));
}

#[test]
fn what_pointing_does_is_said_once() {
    let mut harness = baked();
    click(&mut harness, "tab.inspector");
    assert_eq!(harness.n_texts_with("Point at the level"), 1);
}

#[test]
fn preferences_are_found_by_words_and_set_in_one_place() {
    let mut harness = baked_in(vec2(1280.0, 720.0));
    press(&mut harness, Modifiers::COMMAND, Key::Comma);
    picture(&mut harness, "app-preferences");
    harness.by_id("preferences.mouse-controls").click();
    settle(&mut harness);
    harness.by_id("window.navigation.unity").click();
    settle(&mut harness);
    assert_eq!(harness.state().editor.prefs().navigation, Navigation::Unity);
    assert_eq!(harness.n_texts("Alt+right-drag"), 1, "the controls of the preset are listed");
    harness.by_id("preferences.theme.light").click();
    settle(&mut harness);
    assert!(harness.state().editor.prefs().light);
    click(&mut harness, "bake.toggle-cache");
    assert!(harness.state().editor.prefs().caches_tiles);
    picture(&mut harness, "app-preferences-cache");
    harness.by_id("preferences.search").focus();
    settle(&mut harness);
    harness.by_id("preferences.search").type_text("limit mem");
    settle(&mut harness);
    picture(&mut harness, "app-preferences-light");
    assert!(harness.find_id("preferences.theme.light").is_none());
    harness.by_id("preferences.memory-limit").click();
    settle(&mut harness);
    harness.by_id("bake.limit-memory.16").click();
    settle(&mut harness);
    assert_eq!(harness.state().editor.prefs().max_memory, 16_000_000_000);
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(harness.find_id("preferences.search").is_none());
}

#[test]
fn graphics_and_autosave_are_set_in_the_preferences() {
    let mut harness = baked_in(vec2(1280.0, 720.0));
    trigger(&mut harness, Command::EditPrefs);
    click(&mut harness, "view.toggle-anti-aliasing");
    click(&mut harness, "view.toggle-moves-whole");
    click(&mut harness, "view.toggle-ambient-occlusion");
    picture(&mut harness, "app-preferences-graphics");
    let prefs = harness.state().editor.prefs();
    assert!(!prefs.quality.anti_aliasing && prefs.quality.moves_whole);
    assert!(!prefs.ambient_occlusion);
    click(&mut harness, "preferences.interval");
    click(&mut harness, "file.auto-save.300");
    assert_eq!(harness.state().editor.prefs().auto_save.every_secs, 300);
    click(&mut harness, "file.toggle-auto-save");
    assert!(!harness.state().editor.prefs().auto_save.is_on);
    press(&mut harness, Modifiers::NONE, Key::Escape);
    picture(&mut harness, "app-without-anti-aliasing");
}

#[test]
fn anti_aliasing_mixes_colors_at_edges() {
    let n_colors = |harness: &mut Harness<'_, App>| {
        harness.render().expect("a graphics driver is available");
        let viewport = &harness.state().view.viewport;
        let pixels = viewport.read_last_picture().expect("the view was drawn").wait().unwrap();
        let (colors, _) = pixels.as_chunks::<3>();
        colors.iter().collect::<BTreeSet<_>>().len()
    };
    let mut harness = baked();
    trigger(&mut harness, ViewCommand::ToggleOcclusion.into());
    let smooth = n_colors(&mut harness);
    trigger(&mut harness, ViewCommand::ToggleAntiAliasing.into());
    let rough = n_colors(&mut harness);
    assert!(rough < smooth, "{rough} colors, {smooth} with anti-aliasing");
    trigger(&mut harness, ViewCommand::ToggleAntiAliasing.into());
    assert_eq!(n_colors(&mut harness), smooth);
}

#[test]
fn layouts_are_saved_shown_and_reset() {
    let mut harness = baked();
    let has_settings =
        |harness: &Harness<'_, App>| harness.state().panels.dock.is_in_front(Pane::Settings);
    trigger(&mut harness, Command::ShowPanel(Pane::Settings));
    assert!(!has_settings(&harness));
    trigger(&mut harness, LayoutCommand::Edit.into());
    harness.by_id("layouts.name").focus();
    settle(&mut harness);
    harness.by_id("layouts.name").type_text("Review");
    settle(&mut harness);
    click(&mut harness, "layouts.save");
    picture(&mut harness, "app-layouts");
    click(&mut harness, "layouts.done");
    trigger(&mut harness, LayoutCommand::Show(None).into());
    assert!(has_settings(&harness));
    // Found in the palette.
    press(&mut harness, Modifiers::COMMAND, Key::K);
    harness.by_id("palette.search").type_text("layout: rev");
    settle(&mut harness);
    press(&mut harness, Modifiers::NONE, Key::Enter);
    assert!(!has_settings(&harness));
    trigger(&mut harness, Command::ShowPanel(Pane::Settings));
    trigger(&mut harness, LayoutCommand::Reset.into());
    assert!(!has_settings(&harness));
    // The focus layout shows the level alone; another layout brings the panels back.
    press(&mut harness, Modifiers::NONE, Key::F11);
    assert!(harness.find_id("tab.level").is_none());
    trigger(&mut harness, LayoutCommand::Show(None).into());
    assert!(harness.find_id("tab.level").is_some() && has_settings(&harness));
    trigger(&mut harness, LayoutCommand::Edit.into());
    click(&mut harness, "layouts.0.delete");
    assert_eq!(harness.state().editor.prefs().layouts.own(), []);
}

#[test]
fn about_shows_version_and_graphics_device() {
    let mut harness = baked();
    trigger(&mut harness, Command::About);
    picture(&mut harness, "app-about");
    harness.text_with("LICENSES-THIRD-PARTY");
    let device = harness.state().view.viewport.graphics().expect("a device");
    harness.text(&device);
    harness.text_with("wgpu 30");
    harness.by_id("about.copy").click();
    harness.step();
    let copied = harness.output().platform_output.commands.iter().any(|command| {
        matches!(command, egui::OutputCommand::CopyText(text)
            if text.contains(env!("CARGO_PKG_VERSION")) && text.contains(&*device))
    });
    assert!(copied);
    click(&mut harness, "about.close");
    assert!(harness.find_id("about.copy").is_none());
}

#[test]
fn without_a_level_the_view_offers_recent_levels_and_samples() {
    let file = |name: &str| LevelSource::File(format!("/nowhere/{name}.obj").into());
    let recent = RecentLevel { source: file("castle"), opened: None };
    let prefs = Prefs { recent: vec![recent], ..Prefs::default() };
    let harness = Harness::builder().with_size(vec2(1280.0, 720.0)).with_max_steps(200).wgpu();
    let mut harness = harness.build_eframe(|cc| App::with_prefs(cc, Some(file("missing")), prefs));
    settle(&mut harness);
    picture(&mut harness, "app-start");
    assert!(harness.find_id("header.display").is_none(), "there is nothing to display");
    harness.by_id("start.recent.0");
    click(&mut harness, "start.file.load.maze");
    assert_eq!(harness.state().editor.session().name().as_deref(), Some("Maze"));
    harness.by_id("header.display");
}

/// Checks that the controls of the toolbar neither overlap nor extend beyond a window of this width.
#[track_caller]
fn check_toolbar(harness: &mut Harness<'static, App>, width: f32) {
    harness.set_size(vec2(width, 500.0));
    steps(harness, 3);
    let mut row: Vec<_> = harness
        .all_by_id("")
        .iter()
        .filter(|control| control.rect().center().y < 30.0 && control.rect().width() > 1.0)
        .map(|control| (control.rect(), control.accesskit_node().author_id().map(str::to_owned)))
        .collect();
    row.sort_by(|(a, _), (b, _)| a.left().total_cmp(&b.left()));
    assert!(row.len() > 9, "{width}: {row:?}");
    for pair in row.windows(2) {
        let [(left, name), (right, next)] = pair else { continue };
        assert!(left.right() <= right.left() + 0.5, "{width}: {name:?} covers {next:?}");
    }
    let last = row.last().map(|(rect, _)| rect.right());
    assert!(last.is_some_and(|right| right <= width), "{width}: {last:?} is cut off");
}

#[test]
fn the_toolbar_fits_into_small_windows() {
    let mut harness = baked();
    for width in [1600.0, 1280.0, 1149.0, 1024.0, 931.0, 929.0, 800.0, 720.0] {
        check_toolbar(&mut harness, width);
    }
    trigger(&mut harness, Command::ChooseTool(ToolKind::Path));
    harness.by_id("toolbar.tools").click();
    steps(&mut harness, 3);
    harness.by_id(Command::ChooseTool(ToolKind::Volume).id()).click();
    settle(&mut harness);
    assert_eq!(harness.state().editor.session().tools.tool, ToolKind::Volume);
    picture(&mut harness, "tight_window");
}

/// Checks that all of the dialog in this area is within the window, with these controls, and closes it.
#[track_caller]
fn check_dialog(harness: &mut Harness<'_, App>, area: &str, controls: &[&str]) {
    // A dialog has its size after some frames.
    steps(harness, 5);
    let window = harness.ctx.content_rect();
    picture(harness, &format!("dialog-{}-{area}", window.width()));
    let whole = harness.ctx.memory(|memory| memory.area_rect(egui::Id::unique(area)));
    let whole = whole.unwrap_or_else(|| panic!("there is no area {area}"));
    assert!(window.contains_rect(whole), "{area} at {whole} in {window}");
    for id in controls {
        let control = harness.by_id(*id).rect();
        assert!(whole.contains_rect(control), "{id} at {control} in {whole}");
    }
    assert!(harness.state_mut().panels.close_top(), "{area} is open");
    settle(harness);
}

#[test]
fn dialogs_fit_into_small_windows() {
    let folder = tempfile::tempdir().unwrap();
    let level = folder.path().join("square.obj");
    std::fs::write(&level, "v 0 0 0\nv 0 0 3\nv 3 0 3\nv 3 0 0\nf 1 2 3 4\n").unwrap();
    // 1280 × 720 pixels at 150 % and 200 %.
    for size in [vec2(853.0, 480.0), vec2(640.0, 360.0)] {
        let mut harness = baked_in(size);
        trigger(&mut harness, Command::Load(LevelSource::File(level.clone())));
        let panels = harness.state().panels.dock.to_text().expect("a layout");
        for number in 0..20 {
            let (name, panels) = (format!("Layout {number}"), panels.clone());
            harness.state_mut().trigger(LayoutCommand::Save { name, panels }.into());
        }
        let edit = with_radius(&harness.state().editor.session().document().settings, 0.8);
        trigger(&mut harness, Command::Change(Phrase::verbatim("Edit"), edit));
        let maze = LevelSource::Builtin("maze".to_owned());
        let dialogs: [(Command, &str, &[&str]); _] = [
            (Command::ExportDialog, "export", &["export.cancel", "export.browse", "export.export"]),
            (Command::EditPrefs, "preferences", &["preferences.search", "preferences.done"]),
            (
                KeysCommand::Edit.into(),
                "shortcuts",
                &["shortcuts.search", "shortcuts.done", "keys.reset-all"],
            ),
            (LayoutCommand::Edit.into(), "layouts", &["layouts.name", "layouts.done"]),
            (Command::About, "about", &["about.close", "about.copy"]),
            (Command::ReadGuide, "guide", &["guide.0", "guide.7"]),
            (Command::Palette, "palette", &["palette.search"]),
            (Command::RecoverWork, "recovery", &["recovery.close"]),
            (Command::PictureDialog, "picture", &["picture.save", "picture.cancel"]),
            (ViewCommand::AskPlace.into(), "go to", &["go-to.place", "go-to.go", "go-to.cancel"]),
            (Command::ImportOptions, "import", &["import.up.y"]),
            (
                Command::Load(maze),
                "unsaved",
                &["unsaved.save", "unsaved.discard", "unsaved.cancel"],
            ),
        ];
        for (open, area, controls) in dialogs {
            trigger(&mut harness, open);
            check_dialog(&mut harness, area, controls);
        }
        let ctx = harness.ctx.clone();
        let proposal = Proposal { folder: "/".into(), name: String::new() };
        harness.state_mut().panels.browser.open(&ctx, Purpose::Open, &proposal);
        settle(&mut harness);
        let controls = ["browser.up", "browser.name", "browser.accept", "browser.cancel"];
        check_dialog(&mut harness, "file browser", &controls);
        let path = PathBuf::from("/levels").join("a".repeat(200)).join("town.bin");
        let clash =
            Clash { kind: ExportKind::NAVMESH, path: path.clone(), of: path, has_changed: true };
        harness.state_mut().panels.replace.ask(clash);
        settle(&mut harness);
        check_dialog(&mut harness, "replace", &["replace.replace", "replace.cancel"]);
    }
}

/// Returns whether the menus File and Edit are open.
fn open_menus(harness: &Harness<'_, App>) -> [bool; 2] {
    [Command::SaveAs, SceneItemCommand::SelectAll.into()]
        .map(|entry| harness.find_id(entry.id()).is_some())
}

#[test]
fn a_click_keeps_the_menu_open_that_hovering_opened() {
    let mut harness = baked();
    let [file, edit] = ["menu.file", "menu.edit"].map(|title| harness.by_id(title).rect().center());
    let hover = |harness: &mut Harness<'_, App>, at| {
        harness.hover_at(at);
        steps(harness, 2);
    };
    hover(&mut harness, file);
    assert_eq!(open_menus(&harness), [false, false]);
    click_at(&mut harness, file);
    assert_eq!(open_menus(&harness), [true, false], "a click opens a menu");
    hover(&mut harness, edit);
    assert_eq!(open_menus(&harness), [false, true], "hovering opens the next one");
    click_at(&mut harness, edit);
    assert_eq!(open_menus(&harness), [false, true], "a click leaves it open");
    click_at(&mut harness, edit);
    assert_eq!(open_menus(&harness), [false, false], "a second click closes it");

    // To another title and back.
    click_at(&mut harness, edit);
    for _ in 0..2 {
        hover(&mut harness, file);
        hover(&mut harness, edit);
        click_at(&mut harness, edit);
        assert_eq!(open_menus(&harness), [false, true]);
    }
    click_at(&mut harness, edit);
    assert_eq!(open_menus(&harness), [false, false]);
    // Without hovering in between, as on a touch screen.
    for (at, open) in [(file, [true, false]), (edit, [false, true]), (edit, [false, false])] {
        for pressed in [true, false] {
            let (pos, modifiers) = (at, Modifiers::NONE);
            let button = egui::PointerButton::Primary;
            harness.event(egui::Event::PointerButton { pos, button, pressed, modifiers });
            harness.step();
        }
        steps(&mut harness, 2);
        assert_eq!(open_menus(&harness), open);
    }
}

//! The window in another unit of lengths.

use std::collections::BTreeSet;

use eframe::egui::accesskit::Role;
use egui_kittest::kittest::NodeT as _;
use walkable::{bake::OffMeshLink, diagnostic::Phrase, geom::Aabb, ids::AreaId};
use walkable_editor::{
    command::{
        CheckCommand, CrowdCommand, DisplayCommand, FixCommand, LabCommand, PathTestCommand,
        QueryCommand,
    },
    prefs::Prefs,
    session::{ClickTask, ColorBy, FixTarget, Hover, QueryMode, SceneItem},
};
use walkable_workspace::units::Units;

use super::*;
use crate::host::Host;

/// Returns the program on the small sample, baked.
fn baked_in_units(units: Units) -> Harness<'static, App> {
    let prefs = Prefs { units, ..Prefs::default() };
    // The fields of the Lab are beside its table, not in a menu.
    let harness = Harness::builder().with_size(vec2(1600.0, 900.0)).with_max_steps(200);
    let host = Host::without_folders();
    let mut harness =
        harness.wgpu().build_eframe(move |cc| App::with_prefs_on(cc, None, prefs, &host));
    settle(&mut harness);
    harness
}

/// Adds a link and a bake box, and moves the ends of the path. No length has only a few digits.
fn place_items(harness: &mut Harness<'_, App>) {
    let link = OffMeshLink {
        start: Vec3::new(21.012_34, 3.0, 5.043_21),
        end: Vec3::new(17.055_55, 0.0, 8.077_77),
        radius: 0.612_34,
        bidirectional: false,
        area: AreaId(5),
        flags: 8,
        user_id: 1000,
    };
    let bound =
        Aabb::new(Vec3::new(-1.012_34, -1.0, -1.0), Vec3::new(60.043_21, 9.055_55, 60.077_77));
    let settings = &harness.state().editor.session().document().settings;
    let settings = BakeSettings {
        agent_radius: 0.612_34,
        agent_height: 1.912_34,
        agent_max_climb: 0.812_34,
        ..settings.clone()
    };
    let ends = &harness.state().editor.session().path;
    let [start, end] = [ends.start, ends.end].map(|end| end.expect("the sample has a path"));
    for command in [
        Command::Change(Phrase::verbatim("Add off-mesh link"), Edit::Links(vec![link.into()])),
        Command::Change(Phrase::verbatim("Add bake box"), Edit::Bounds(vec![bound.into()])),
        Command::Change(Phrase::verbatim("Change settings"), Edit::Settings(Box::new(settings))),
        PathCommand::Start(start + Vec3::splat(0.012_345)).into(),
        PathCommand::End(end - Vec3::splat(0.012_345)).into(),
        PathTestCommand::Add.into(),
    ] {
        trigger(harness, command);
    }
}

/// Calls `look` with each panel, tool and stage, with an object of each kind, and with results of all kinds.
fn walk(harness: &mut Harness<'_, App>, mut look: impl FnMut(&mut Harness<'_, App>)) {
    look(harness);
    for pane in Pane::panels() {
        if !harness.state().panels_in_front().contains(&pane) {
            trigger(harness, Command::ShowPanel(pane));
        }
        look(harness);
    }
    let place = |x: f32, z: f32| Some(Hover { point: Vec3::new(x, 0.0, z), triangle: None });
    let (here, there) = (Vec3::new(16.0, 0.0, 9.0), Vec3::new(24.0, 0.0, 14.0));
    let choose = |item| Command::from(SceneItemCommand::Select(Some(item)));
    let mut commands: Vec<Command> =
        ToolKind::ALL.iter().map(|tool| Command::ChooseTool(*tool)).collect();
    commands.push(ViewCommand::Measure(Some([here, there])).into());
    commands.push(Command::ChooseTool(ToolKind::Measure));
    commands.extend(QueryMode::ALL.iter().map(|mode| QueryCommand::By(*mode).into()));
    commands.extend([QueryCommand::Start(here).into(), QueryCommand::End(there).into()]);
    commands.extend(QueryMode::ALL.iter().map(|mode| QueryCommand::By(*mode).into()));
    commands.push(Command::ChooseTool(ToolKind::Select));
    commands.extend([SceneItem::Volume(0), SceneItem::Link(0), SceneItem::Bound(0)].map(choose));
    commands.push(SceneItemCommand::Select(None).into());
    commands.extend([place(16.0, 9.0), place(0.1, 0.1), place(12.0, 9.0)].map(Command::Select));
    commands.extend(StageView::ALL.map(|stage| ViewCommand::Stage(stage).into()));
    commands.extend(ColorBy::ALL.iter().map(|by| DisplayCommand::ColorBy(*by).into()));
    for command in commands {
        trigger(harness, command);
        look(harness);
    }
}

/// Returns whether a text has a length, an area or a speed in meters.
fn is_in_meters(text: &str) -> bool {
    text.match_indices(" m").any(|(at, unit)| {
        let after = &text[at + unit.len()..];
        let after = after.strip_prefix('²').unwrap_or(after);
        let is_number = text[..at].ends_with(|c: char| c.is_ascii_digit());
        is_number && !after.starts_with(char::is_alphanumeric)
    })
}

#[test]
fn the_whole_window_is_in_feet() {
    let mut harness = baked_in_units(Units::Feet);
    place_items(&mut harness);
    let (mut in_meters, mut in_feet) = (BTreeSet::new(), BTreeSet::new());
    let mut look = |harness: &mut Harness<'_, App>| {
        for text in harness.all_texts() {
            if is_in_meters(&text) {
                in_meters.insert(text);
            } else if text.contains(" ft") {
                in_feet.insert(text);
            }
        }
    };
    walk(&mut harness, &mut look);
    picture(&mut harness, "units-feet");
    // A changed bake beside the pinned one, a broken path, and results of longer work.
    let radius = harness.state().editor.session().document().settings.agent_radius;
    let edit = with_radius(&harness.state().editor.session().document().settings, 2.0 * radius);
    let place = Hover { point: Vec3::new(0.1, 0.0, 0.1), triangle: None };
    let start = harness.state().editor.session().path.start.expect("the sample has a path");
    for command in [
        DisplayCommand::PinBaseline.into(),
        Command::Change(Phrase::verbatim("Change radius"), edit),
        Command::ShowPanel(Pane::Changes),
        CheckCommand::Run.into(),
        Command::ShowPanel(Pane::Check),
        Command::ShowPanel(Pane::Lab),
        LabCommand::Run.into(),
        Command::ShowPanel(Pane::Crowd),
        CrowdCommand::Add(start).into(),
        CrowdCommand::ToPoint(ClickTask::GoTo, Vec3::new(16.0, 0.0, 9.0)).into(),
        CrowdCommand::Choose(Some(0)).into(),
        CrowdCommand::Show(30).into(),
        Command::ShowPanel(Pane::PathTests),
        Command::ChooseTool(ToolKind::Path),
        PathCommand::End(Vec3::new(34.0, 0.0, 10.0)).into(),
        Command::ChooseTool(ToolKind::Select),
        Command::Select(Some(place)),
        FixCommand::Find(FixTarget::Place).into(),
        Command::ShowPanel(Pane::Log),
        Command::EditPrefs,
    ] {
        trigger(&mut harness, command);
        look(&mut harness);
    }
    picture(&mut harness, "units-feet-preferences");
    assert!(in_meters.is_empty(), "{in_meters:#?}");
    assert!(in_feet.len() > 60, "only {in_feet:#?}");
}

#[test]
fn leaving_a_field_changes_nothing() {
    let mut harness = baked_in_units(Units::Feet);
    place_items(&mut harness);
    let state = |harness: &Harness<'_, App>| {
        let session = harness.state().editor.session();
        let path = [session.path.start, session.path.end];
        (session.document().clone(), path, session.history.undo_label())
    };
    let before = state(&harness);
    let mut visited = BTreeSet::new();
    walk(&mut harness, |harness| {
        let controls = harness.all_by_id("").into_iter();
        let ids: Vec<String> = controls
            .filter(|node| node.accesskit_node().role() == Role::SpinButton)
            .filter_map(|node| node.accesskit_node().author_id().map(str::to_owned))
            .collect();
        for id in ids {
            if !visited.insert(id.clone()) {
                continue;
            }
            harness.by_id(&*id).focus();
            steps(harness, 3);
            harness.key_press(Key::Tab);
            steps(harness, 3);
            assert!(state(harness) == before, "{id} changed something");
        }
    });
    assert!(visited.len() > 60, "{visited:#?}");
}

#[test]
fn the_unit_is_chosen_in_the_preferences_and_read_by_fields() {
    let mut harness = baked();
    let value = |harness: &Harness<'_, App>| harness.by_id("settings.agent_radius").value();
    assert_eq!(value(&harness).as_deref(), Some("0.6 m"));
    trigger(&mut harness, Command::EditPrefs);
    click(&mut harness, "preferences.units");
    harness.by_id("window.units.centimeters").click();
    settle(&mut harness);
    harness.by_id("preferences.done").click();
    settle(&mut harness);
    assert_eq!(value(&harness).as_deref(), Some("60 cm"));
    picture(&mut harness, "units-centimeters");
    for (typed, expected) in [("45", 0.45), ("0.5 m", 0.5), ("1 m - 20 cm", 0.8), ("2ft", 0.6096)] {
        click(&mut harness, "settings.agent_radius");
        harness.by_id("settings.agent_radius").type_text(typed);
        press(&mut harness, Modifiers::NONE, Key::Enter);
        assert!((radius(&harness) - expected).abs() < 1e-6, "{typed}");
    }
    trigger(&mut harness, Command::Palette);
    harness.by_id("palette.search").type_text("radius 25");
    settle(&mut harness);
    harness.text_with("Set radius to 25 cm");
}

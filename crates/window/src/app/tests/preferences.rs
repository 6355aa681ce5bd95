//! Files of preferences with numbers that the program never writes: it starts and says what it changed.

use std::{fs, path::Path};

use eframe::egui::vec2;
use egui_kittest::Harness;
use walkable_editor::command::Pane;

use super::{App, Dock, click, settle};
use crate::{host::Host, testing::Find as _};

/// Starts the program with the preferences `text`.
fn started(folder: &Path, text: &str) -> Harness<'static, App> {
    fs::write(folder.join("preferences.json"), text).unwrap();
    let host = Host { folder: Some(folder.to_owned()), ..Host::without_folders() };
    let harness = Harness::builder().with_size(vec2(1280.0, 720.0)).with_max_steps(200);
    let mut harness = harness.wgpu().build_eframe(move |cc| App::on(cc, None, &host));
    settle(&mut harness);
    harness
}

fn log(harness: &Harness<'_, App>) -> String {
    let entries = harness.state().editor.session().log.iter();
    entries.map(walkable_editor::session::LogEntry::text).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_program_starts_with_any_numbers_in_its_preferences() {
    let layout = Dock::default().to_text().unwrap();
    for (number, scale) in [("0", 0.8), ("-1", 0.8), ("1e38", 2.0), ("1e300", 2.0)] {
        let layout = layout.replace("280.0", number).replace("800.0", number);
        let layout = serde_json::to_string(&layout).unwrap();
        let text = format!(
            r#"{{"prefs":{{"scale":{number},"max_memory":{number},"max_secs":{number},"tour":{number},
            "memory":{{"mib":{number}}},"gizmo":{{"snaps":true,"step":{number}}},
            "auto_save":{{"is_on":true,"every_secs":{number}}},
            "last":[{{"Builtin":"sample"}},{{"target":[{number},{number},{number}],"yaw":{number},
            "pitch":{number},"distance":{number},"parallel":false}}]}},
            "layout":{layout},"window":{{"size":[{number},{number}],"is_maximized":false}}}}"#
        );
        let folder = tempfile::tempdir().unwrap();
        let harness = started(folder.path(), &text);
        let app = harness.state();
        let found = app.editor.prefs().scale;
        assert!((found - scale).abs() < 1e-6, "{number}: {found}\n{}", log(&harness));
        assert!((harness.ctx.zoom_factor() - scale).abs() < 1e-6, "{number}");
        assert!(app.editor.session().opened.level.is_some() && app.view.shows_level, "{number}");
        let log = log(&harness);
        assert!(log.contains("Preferences were out of range"), "{log}");
        assert!(log.contains("prefs.gizmo.step: "), "{log}");
    }
}

#[test]
fn a_layout_that_cannot_be_shown_is_replaced_and_named_in_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let grid = Dock::default().to_text().unwrap().replacen("\"Linear\":", "\"Grid\":", 1);
    for layout in ["", "{}", &grid] {
        let text = serde_json::json!({ "prefs": {}, "layout": layout }).to_string();
        let harness = started(folder.path(), &text);
        assert!(harness.state().panels.dock.is_in_front(Pane::View));
        assert!(log(&harness).contains("The layout cannot be shown"), "{}", log(&harness));
    }
}

#[test]
fn closed_groups_stay_closed_in_the_next_run() {
    let folder = tempfile::tempdir().unwrap();
    let id = "settings.group.agent";
    let mut harness = started(folder.path(), "{}");
    let is_open = |harness: &Harness<'_, App>| harness.find_id("settings.agent_radius").is_some();
    assert!(is_open(&harness));
    click(&mut harness, id);
    assert!(!is_open(&harness));
    harness.state_mut().remember();
    drop(harness);
    let text = fs::read_to_string(folder.path().join("preferences.json")).unwrap();
    let harness = started(folder.path(), &text);
    assert!(!is_open(&harness));
}

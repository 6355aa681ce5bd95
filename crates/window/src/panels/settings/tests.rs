#![expect(clippy::float_cmp, reason = "settings are set, not computed")]
use eframe::egui::{self, Key, accesskit::Role};
use egui_kittest::{Harness, kittest::Queryable as _};
use glam::Vec3;
use walkable::bake::{BakeSettings, PARAMS, ParamKind};
use walkable_editor::{
    command::Command,
    session::{Edit, Session},
};

use super::BakeSettingsPanel;
use crate::panels::testing::{Bench, bench, picture};

type Window = Harness<'static, Bench<BakeSettingsPanel>>;

fn window(change: impl FnOnce(&mut BakeSettings)) -> Window {
    let mut session = Session::default();
    session.history.change("set up", |document| change(&mut document.settings));
    bench([300.0, 1180.0], session, BakeSettingsPanel::ui)
}

fn settings(window: &Window) -> &BakeSettings {
    &window.state().session.document().settings
}

#[test]
fn every_setting_can_be_found_by_its_name() {
    let window = window(|_| {});
    for param in PARAMS {
        match param.kind {
            ParamKind::Float { .. } | ParamKind::Integer { .. } => {
                window.get_by_role_and_label(Role::Slider, param.label);
                window.get_by_role_and_label(Role::SpinButton, param.label);
            }
            ParamKind::Choice(_) => {
                window.get_by_role_and_label(Role::ComboBox, param.label);
            }
            ParamKind::Switch | ParamKind::Place { .. } => {
                window.get_by_role_and_label(Role::CheckBox, param.label);
            }
        }
    }
}

#[test]
fn a_typed_value_is_one_step() {
    let mut window = window(|_| {});
    window.get_by_role_and_label(Role::SpinButton, "Radius").click();
    window.run();
    window.get_by_role_and_label(Role::SpinButton, "Radius").type_text("0,45 m");
    window.run();
    assert_eq!(window.state().sent, [], "nothing happens while typing");
    window.key_press(Key::Enter);
    window.run();
    let expected = BakeSettings { agent_radius: 0.45, ..BakeSettings::default() };
    let edit = Edit::Settings(Box::new(expected));
    assert_eq!(window.state_mut().take(), [Command::Change("Change radius".into(), edit)]);
}

#[test]
fn the_origin_of_the_grid_is_fixed_and_typed() {
    let mut window = window(|_| {});
    window.get_by_role_and_label(Role::CheckBox, "Grid origin").click();
    window.run();
    assert_eq!(settings(&window).origin, Some(Vec3::ZERO), "there is no level");
    window.get_by_role_and_label(Role::SpinButton, "Grid origin z").click();
    window.run();
    window.get_by_role_and_label(Role::SpinButton, "Grid origin z").type_text("-12.5");
    window.key_press(Key::Enter);
    window.run();
    assert_eq!(settings(&window).origin, Some(Vec3::new(0.0, 0.0, -12.5)));
    window.get_by_label("Reset Grid origin").click();
    window.run();
    assert_eq!(settings(&window).origin, None);
}

#[test]
fn a_drag_is_one_step() {
    let mut window = window(|_| {});
    let rect = window.get_by_role_and_label(Role::Slider, "Max slope").rect();
    window.drag_at(rect.center());
    window.run();
    for x in [4.0, 8.0, 12.0] {
        window.hover_at(rect.center() + egui::vec2(x, 0.0));
        window.run();
    }
    window.drop_at(rect.center() + egui::vec2(12.0, 0.0));
    window.run();
    let sent = window.state_mut().take();
    assert_eq!(sent.first(), Some(&Command::Begin("Change max slope".into())), "{sent:?}");
    assert_eq!(sent.last(), Some(&Command::Commit));
    let inner = &sent[1..sent.len() - 1];
    assert!(inner.len() >= 2 && inner.iter().all(|c| matches!(c, Command::Apply(_))), "{sent:?}");
    assert_eq!(window.state().session.history.undo_label(), Some("Change max slope"));
    assert!(settings(&window).agent_max_slope > 45.0);
}

#[test]
fn escape_calls_a_drag_off() {
    let mut window = window(|_| {});
    let rect = window.get_by_role_and_label(Role::Slider, "Max slope").rect();
    window.drag_at(rect.center());
    window.run();
    window.hover_at(rect.center() + egui::vec2(12.0, 0.0));
    window.run();
    window.key_press(Key::Escape);
    window.run();
    assert_eq!(window.state_mut().take().last(), Some(&Command::Abort));
    assert_eq!(settings(&window), &BakeSettings::default());
}

#[test]
fn a_drag_whose_row_disappears_is_closed() {
    let mut window = window(|_| {});
    let rect = window.get_by_role_and_label(Role::Slider, "Max slope").rect();
    window.drag_at(rect.center());
    window.run();
    window.state_mut().panel.set_search("tile size");
    window.run();
    window.drop_at(rect.center());
    window.run();
    assert!(!window.state().session.history.in_transaction());
}

#[test]
fn the_dot_and_a_double_click_reset() {
    let mut window = window(|settings| settings.agent_radius = 1.5);
    assert!(window.query_by_label("Reset Height").is_none(), "unchanged values have no dot");
    window.get_by_label("Reset Radius").click();
    window.run();
    assert_eq!(settings(&window).agent_radius, 0.6);
    let sent = window.state_mut().take();
    assert!(
        matches!(&sent[..], [Command::Change(label, _)] if label == "Reset Radius"),
        "{sent:?}"
    );
}

#[test]
fn switches_and_choices_change_at_once() {
    let mut window = window(|_| {});
    window.get_by_role_and_label(Role::CheckBox, "Ledge spans").click();
    window.run();
    assert!(!settings(&window).filter_ledge_spans);
    window.get_by_role_and_label(Role::ComboBox, "Partitioning").click();
    window.run();
    window.get_by_label("Monotone").click();
    window.run();
    assert_eq!(settings(&window).partition, walkable::bake::Partition::Monotone);
}

#[test]
fn presets_and_reset_all() {
    let mut window = window(|_| {});
    window.get_by_label("Presets").click();
    window.run();
    window.get_by_label("Human").click();
    window.run();
    assert_eq!(settings(&window).agent_height, 1.8);
    assert_eq!(window.state().session.history.undo_label(), Some("Use preset Human"));
    window.state_mut().take();
    window.get_by_label("Reset all settings").click();
    window.run();
    assert_eq!(window.state_mut().take(), [Command::ResetSettings]);
}

#[test]
fn rounding_and_warnings_stand_at_their_setting() {
    let window = window(|settings| settings.region_merge_size = 2.0);
    let climb = window.get_by_label_contains("4 voxels = 0.8 m");
    assert!(
        climb.rect().top() > window.get_by_role_and_label(Role::Slider, "Max climb").rect().top()
    );
    let advice = walkable::bake::settings_advice(settings(&window));
    assert_eq!(advice.len(), 1);
    let remark = window.get_by_label(&walkable_editor::format::sentence(&advice[0].text())).rect();
    let row = window.get_by_role_and_label(Role::Slider, "Merged region size").rect();
    assert!(row.bottom() < remark.top() && remark.top() < row.bottom() + 40.0);
}

#[test]
fn the_border_of_tiles_is_told_below_their_side_with_its_reason() {
    assert!(window(|_| {}).query_by_label("Border").is_none(), "one piece has no border");
    let mut window = window(|settings| settings.tile_size = 48);
    let border = window.get_by_label("Border").rect();
    let side = window.get_by_role_and_label(Role::Slider, "Tile size").rect();
    assert!(side.bottom() < border.top() && border.top() < side.bottom() + 40.0);
    window.get_by_label("5 vx");
    window.get_by_label("= 1.5 m, 32 % of the work");
    window.get_by_label("Border").hover();
    for _ in 0..60 {
        window.step();
    }
    window.get_by_label_contains("2 for the agent's radius");
}

#[test]
fn the_search_field_narrows_the_rows() {
    let mut window = window(|_| {});
    window.get_by_role_and_label(Role::TextInput, "Find a setting").click();
    window.run();
    window.get_by_role_and_label(Role::TextInput, "Find a setting").type_text("climb");
    window.run();
    assert!(window.query_by_role_and_label(Role::Slider, "Max climb").is_some());
    assert!(window.query_by_role_and_label(Role::Slider, "Tile size").is_none());
    window.state_mut().panel.set_search("no such thing");
    window.run();
    window.get_by_label_contains("No setting");
}

#[test]
fn pictures() {
    let mut window = window(|settings| {
        settings.agent_radius = 0.2;
        settings.tile_size = 48;
        settings.agent_height = 1.85;
    });
    picture(&mut window, "bake_settings");
}

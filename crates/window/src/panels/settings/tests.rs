#![expect(clippy::float_cmp, reason = "settings are set, not computed")]
use eframe::egui::{self, Event, Key, Modifiers, accesskit::Role};
use egui_kittest::{Harness, kittest::NodeT as _};
use glam::Vec3;
use walkable::{
    bake::{BakeSettings, PARAMS, ParamKind, ParamValue},
    diagnostic::Phrase,
};
use walkable_editor::{
    command::Command,
    session::{Edit, Session},
};
use walkable_workspace::{
    presets::PRESETS,
    units::{Units, set_units},
};

use super::BakeSettingsPanel;
use crate::testing::{Bench, Find as _, bench, picture};

type Window = Harness<'static, Bench<BakeSettingsPanel>>;

fn window(change: impl FnOnce(&mut BakeSettings)) -> Window {
    let mut session = Session::default();
    session.history.change(Phrase::verbatim("set up"), |document| change(&mut document.settings));
    bench([300.0, 1180.0], session, BakeSettingsPanel::ui)
}

fn settings(window: &Window) -> &BakeSettings {
    &window.state().session.document().settings
}

#[test]
fn every_setting_can_be_found_by_its_name() {
    let window = window(|_| {});
    for param in PARAMS {
        let role = match param.kind {
            ParamKind::Float { .. } | ParamKind::Integer { .. } => Role::SpinButton,
            ParamKind::Choice(_) => Role::ComboBox,
            ParamKind::Switch | ParamKind::Place { .. } => Role::CheckBox,
        };
        let control = window.by_id(format!("settings.{}", param.key));
        assert_eq!(control.accesskit_node().role(), role, "{}", param.key);
        assert_eq!(control.accesskit_node().label().as_deref(), Some(param.label));
    }
}

/// Returns the name of the undo step of a change of this setting.
fn change_of(setting: &'static str) -> Phrase {
    walkable::phrase!("Change {name}", name = Phrase::new(setting, Vec::new()).within())
}

#[test]
fn a_typed_value_is_one_step() {
    let mut window = window(|_| {});
    window.by_id("settings.agent_radius").click();
    window.run();
    window.by_id("settings.agent_radius").type_text("0,45 m");
    window.run();
    assert_eq!(window.state().sent, [], "nothing happens while typing");
    window.key_press(Key::Enter);
    window.run();
    let expected = BakeSettings { agent_radius: 0.45, ..BakeSettings::default() };
    let edit = Edit::Settings(Box::new(expected));
    assert_eq!(window.state_mut().take(), [Command::Change(change_of("Radius"), edit)]);
}

#[test]
fn a_calculation_with_units_is_typed() {
    let mut window = window(|_| {});
    window.by_id("settings.agent_radius").click();
    window.run();
    window.by_id("settings.agent_radius").type_text("30cm + 2*0.1");
    window.key_press(Key::Enter);
    window.run();
    assert_eq!(settings(&window).agent_radius, 0.5);
    window.by_id("settings.agent_radius").click();
    window.run();
    window.by_id("settings.agent_radius").type_text("wide");
    window.key_press(Key::Enter);
    window.run();
    assert_eq!(settings(&window).agent_radius, 0.5, "unreadable text changes nothing");
}

#[test]
fn lengths_are_shown_typed_and_stepped_in_the_unit_of_the_window() {
    let enter = |window: &mut Window, text: &str| {
        window.by_id("settings.agent_radius").click();
        window.run();
        window.by_id("settings.agent_radius").type_text(text);
        window.key_press(Key::Enter);
        window.run();
    };
    let cases = [
        (Units::Meters, ["0.6 m", "0.6 m"], "4 voxels = 0.8 m", "0.45", 0.45),
        (Units::Centimeters, ["60 cm", "60 cm"], "4 voxels = 80 cm", "45", 0.45),
        (Units::Feet, ["1.97 ft", "1.9685 ft"], "4 voxels = 2.62 ft", "1.5", 0.4572),
    ];
    for (units, [shown, default], rounded, typed, meters) in cases {
        set_units(units);
        let mut window = window(|_| {});
        let value = |window: &Window, id: &str| window.by_id(id).value().unwrap_or_default();
        assert_eq!(value(&window, "settings.agent_radius"), shown);
        assert_eq!(value(&window, "settings.agent_max_slope"), "45°");
        window.text_with(rounded);
        enter(&mut window, typed);
        assert_eq!(settings(&window).agent_radius, meters, "{typed}");
        window.hover_at(window.by_id("settings.agent_radius.reset").rect().center());
        (0..60).for_each(|_| window.step());
        window.text_with(&format!("Reset to {default}"));
        for (typed, meters) in [("50cm", 0.5), ("2 ft", 0.6096), ("1 m - 20 cm", 0.8)] {
            enter(&mut window, typed);
            assert_eq!(settings(&window).agent_radius, meters, "{typed} in {units:?}");
        }
        enter(&mut window, "-1");
        assert!(settings(&window).agent_radius.abs() < 1e-6, "the smallest radius");
    }
    set_units(Units::Feet);
    let mut window = window(|settings| settings.agent_radius = 0.6096);
    window.by_id("settings.agent_radius").focus();
    window.run();
    window.key_press(Key::ArrowUp);
    window.run();
    // 2 ft and a step of 0.1 ft.
    assert!((settings(&window).agent_radius - 2.1 * 0.3048).abs() < 1e-6);
    set_units(Units::Meters);
}

#[test]
fn leaving_a_field_does_not_round_its_value() {
    for &units in Units::ALL {
        set_units(units);
        let mut window = window(|settings| {
            for param in PARAMS {
                if let ParamValue::Float(value) = param.get(settings) {
                    let odd = ParamValue::Float(value * 1.000_37);
                    param.set(settings, odd).expect("no default is at a limit");
                }
            }
        });
        let before = settings(&window).clone();
        for param in PARAMS.iter().filter(|param| matches!(param.kind, ParamKind::Float { .. })) {
            window.by_id(format!("settings.{}", param.key)).focus();
            window.run();
            window.key_press(Key::Tab);
            window.run();
            assert_eq!(window.state().sent, [], "{} in {units:?}", param.key);
        }
        assert_eq!(*settings(&window), before);
    }
    set_units(Units::Meters);
}

#[test]
fn arrow_keys_step_the_value_of_the_focused_field() {
    let mut window = window(|_| {});
    window.by_id("settings.agent_max_slope").focus();
    window.run();
    let before = settings(&window).agent_max_slope;
    window.key_press(Key::ArrowUp);
    window.run();
    window.key_press(Key::ArrowUp);
    window.run();
    window.key_press(Key::ArrowDown);
    window.run();
    assert_eq!(settings(&window).agent_max_slope, before + 1.0);
    assert_eq!(window.state().session.history.undo_label().as_deref(), Some("Change max slope"));
}

#[test]
fn the_origin_of_the_grid_is_fixed_and_typed() {
    let mut window = window(|_| {});
    window.by_id("settings.origin").click();
    window.run();
    assert_eq!(settings(&window).origin, Some(Vec3::ZERO), "there is no level");
    window.by_id("settings.origin.z").click();
    window.run();
    window.by_id("settings.origin.z").type_text("-12.5");
    window.key_press(Key::Enter);
    window.run();
    assert_eq!(settings(&window).origin, Some(Vec3::new(0.0, 0.0, -12.5)));
    window.by_id("settings.origin.reset").click();
    window.run();
    assert_eq!(settings(&window).origin, None);
}

#[test]
fn a_drag_is_one_step() {
    let mut window = window(|_| {});
    let rect = window.by_id("settings.agent_max_slope").rect();
    window.drag_at(rect.center());
    window.run();
    for x in [4.0, 8.0, 12.0] {
        window.hover_at(rect.center() + egui::vec2(x, 0.0));
        window.run();
    }
    window.drop_at(rect.center() + egui::vec2(12.0, 0.0));
    window.run();
    let sent = window.state_mut().take();
    assert_eq!(sent.first(), Some(&Command::Begin(change_of("Max slope"))), "{sent:?}");
    assert_eq!(sent.last(), Some(&Command::Commit));
    let inner = &sent[1..sent.len() - 1];
    assert!(inner.len() >= 2 && inner.iter().all(|c| matches!(c, Command::Apply(_))), "{sent:?}");
    assert_eq!(window.state().session.history.undo_label().as_deref(), Some("Change max slope"));
    assert!(settings(&window).agent_max_slope > 45.0);
}

/// Drags across the whole field of the slope, from 0, and returns the slope.
fn slope_after_drag(modifiers: Modifiers) -> f32 {
    let mut window = window(|settings| settings.agent_max_slope = 0.0);
    let rect = window.by_id("settings.agent_max_slope").rect();
    assert!(rect.width() > 100.0, "{rect:?}");
    window.event(Event::ModifiersChanged(modifiers));
    window.run();
    window.drag_at(rect.left_center() + egui::vec2(1.0, 0.0));
    window.run();
    for step in 1_u8..=20 {
        let x = rect.width() * f32::from(step) / 20.0;
        window.hover_at(rect.left_center() + egui::vec2(x, 0.0));
        window.run();
    }
    window.drop_at(rect.right_center());
    window.run();
    settings(&window).agent_max_slope
}

#[test]
fn a_drag_across_the_whole_field_covers_the_range_of_the_slider() {
    // egui recognizes a drag a few pixels after the press.
    let slope = slope_after_drag(Modifiers::NONE);
    assert!((80.0..=90.0).contains(&slope), "{slope}");
}

#[test]
fn a_drag_with_shift_covers_a_tenth_of_the_range() {
    let slope = slope_after_drag(Modifiers::SHIFT);
    assert!((8.0..=9.0).contains(&slope), "{slope}");
}

#[test]
fn escape_cancels_a_drag() {
    let mut window = window(|_| {});
    let rect = window.by_id("settings.agent_max_slope").rect();
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
    let rect = window.by_id("settings.agent_max_slope").rect();
    window.drag_at(rect.center());
    window.run();
    window.state_mut().panel.set_search("tile size");
    window.run();
    window.drop_at(rect.center());
    window.run();
    assert!(!window.state().session.history.in_transaction());
}

#[test]
fn the_dot_resets() {
    let mut window = window(|settings| settings.agent_radius = 1.5);
    assert!(
        window.find_id("settings.agent_height.reset").is_none(),
        "unchanged values have no dot"
    );
    window.by_id("settings.agent_radius.reset").click();
    window.run();
    assert_eq!(settings(&window).agent_radius, 0.6);
    let sent = window.state_mut().take();
    assert!(
        matches!(&sent[..], [Command::Change(label, _)] if label.to_string() == "Reset Radius"),
        "{sent:?}"
    );
}

#[test]
fn switches_and_choices_change_at_once() {
    let mut window = window(|_| {});
    window.by_id("settings.filter_ledge_spans").click();
    window.run();
    assert!(!settings(&window).filter_ledge_spans);
    window.by_id("settings.partition").click();
    window.run();
    window.by_id("settings.partition.monotone").click();
    window.run();
    assert_eq!(settings(&window).partition, walkable::bake::Partition::Monotone);
}

#[test]
fn presets_and_reset_all() {
    let mut window = window(|_| {});
    window.by_id("settings.presets").click();
    window.run();
    window.by_id("settings.preset.human").click();
    window.run();
    let human = PRESETS.iter().position(|preset| preset.key == "human").unwrap();
    assert_eq!(window.state_mut().take(), [Command::UsePreset(human)]);
    let mut window = self::window(|settings| settings.agent_radius = 0.3);
    window.by_id("settings.reset").click();
    window.run();
    assert_eq!(window.state_mut().take(), [Command::ResetSettings]);
}

#[test]
fn rounding_and_warnings_are_shown_at_their_setting() {
    let window = window(|settings| settings.region_merge_size = 2.0);
    let climb = window.text_with("4 voxels = 0.8 m");
    assert!(climb.top() > window.by_id("settings.agent_max_climb").rect().top());
    let advice = walkable::bake::settings_advice(settings(&window));
    assert_eq!(advice.len(), 1);
    let remark = window.text(&walkable_workspace::format::sentence(&advice[0].text()));
    let row = window.by_id("settings.region_merge_size").rect();
    assert!(row.bottom() < remark.top() && remark.top() < row.bottom() + 40.0);
}

#[test]
fn the_tile_border_is_shown_below_the_tile_size_with_its_reason() {
    assert!(window(|_| {}).n_texts("Border") == 0, "one piece has no border");
    let mut window = window(|settings| settings.tile_size = 48);
    let border = window.text("Border");
    let side = window.by_id("settings.tile_size").rect();
    assert!(side.bottom() < border.top() && border.top() < side.bottom() + 40.0);
    window.text("5 vx");
    window.text("= 1.5 m, 32 % of the work");
    window.hover_at(window.text("Border").center());
    for _ in 0..60 {
        window.step();
    }
    window.text_with("2 for the agent's radius");
}

#[test]
fn the_search_field_narrows_the_rows() {
    let mut window = window(|_| {});
    window.by_id("settings.search").click();
    window.run();
    window.by_id("settings.search").type_text("climb");
    window.run();
    assert!(window.find_id("settings.agent_max_climb").is_some());
    assert!(window.find_id("settings.tile_size").is_none());
    window.state_mut().panel.set_search("no such thing");
    window.run();
    window.text_with("No setting");
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

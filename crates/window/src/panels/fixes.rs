//! Fixes that make the selected point walkable, applied with a click.

use eframe::egui::{self, RichText};
use egui_material_icons::icons;
use walkable::{
    bake::Param,
    explain::{Fix, NewSetting, PlaceAnswer, SettingsFix},
};
use walkable_editor::{
    command::{Command, Commands, FixCommand},
    session::{Hover, SessionView},
};

use crate::{
    theme::Theme,
    widgets::{
        buttons,
        legend::{empty, heading},
    },
};

/// Draws the fixes of `place`, which is selected and not walkable.
pub(super) fn fixes_ui(
    ui: &mut egui::Ui,
    place: Hover,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    heading(ui, "Fixes");
    if view.looks_for_fixes_of(place) {
        ui.horizontal(|ui| {
            ui.spinner();
            empty(ui, "Baking the tile with other settings…");
        });
        return;
    }
    match view.fixes_of(place) {
        None => {
            let find = Command::from(FixCommand::Find);
            let button = ui.add_enabled(view.bake.plan.is_some(), egui::Button::new("Find fixes"));
            if button.on_hover_text(find.tooltip()).clicked() {
                out.push(find);
            }
        }
        Some(Err(why)) => {
            let theme = Theme::of(ui.ctx().theme());
            let text = format!("Fixes could not be looked for: {why}");
            ui.add(egui::Label::new(RichText::new(text).color(theme.error)).wrap());
        }
        Some(Ok(answer)) => answer_ui(ui, answer, out),
    }
}

fn answer_ui(ui: &mut egui::Ui, answer: &PlaceAnswer, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    for next in answer.chain.iter().skip(1) {
        let text = format!("Then: {}", next.text);
        ui.add(egui::Label::new(RichText::new(text).color(theme.text_weak)).wrap());
    }
    if answer.fixes.is_empty() {
        empty(ui, "No setting helps here.");
    }
    for (index, fix) in answer.fixes.iter().enumerate() {
        match fix {
            Fix::Settings(fix) => settings_fix_ui(ui, index, fix, out),
            Fix::Link(_) | Fix::Options(_) | Fix::Geometry(_) => {
                ui.add(egui::Label::new(format!("Or in the level: {fix}")).wrap());
            }
        }
    }
    if answer.is_cut_short {
        empty(ui, "There may be more: the search ended at its limit of bakes.");
    }
}

/// Formats a setting with its value, with the name from the settings panel.
fn setting(new: &NewSetting) -> String {
    match Param::find(new.key) {
        Ok(param) => {
            let (label, value, unit) = (param.label, param.format(new.value), param.unit);
            let gap = if matches!(unit, "" | "°") { "" } else { " " };
            format!("{label} {value}{gap}{unit}")
        }
        Err(_unknown) => new.to_string(),
    }
}

/// Draws a fix by settings, with its effect on the rest of the level.
fn settings_fix_ui(ui: &mut egui::Ui, index: usize, fix: &SettingsFix, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    ui.horizontal_top(|ui| {
        let apply = Command::from(FixCommand::Apply(index));
        let name = format!("Apply fix {}", index + 1);
        if buttons::icon(ui, icons::ICON_CHECK, &name).clicked() {
            out.push(apply);
        }
        ui.vertical(|ui| {
            let set: Vec<_> = fix.set.iter().map(setting).collect();
            let keys = fix.to_string();
            let label = egui::Label::new(RichText::new(set.join(", ")).strong()).wrap();
            ui.add(label).on_hover_text(keys);
            let [gained, lost] = [fix.side_effects.gained_m2, fix.side_effects.lost_m2];
            let text = format!(
                "Tried: works. In these tiles {gained:.1} m² of ground more, {lost:.1} m² less"
            );
            ui.add(egui::Label::new(RichText::new(text).small().color(theme.text_weak)).wrap());
        });
    });
}

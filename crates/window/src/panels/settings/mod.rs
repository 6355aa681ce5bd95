//! The settings of the bake, one row per entry of the settings table.

mod border_size;
pub mod by_name;

#[cfg(test)]
mod tests;

use eframe::egui::{self, Align, Layout, RichText};
use glam::Vec3;
use walkable::{
    bake::{
        BakeSettings, PARAMS, Param, ParamGroup, ParamKind, ParamValue, Quantized, quantized,
        settings_advice,
    },
    diagnostic::{Diagnostic, Phrase},
    phrase,
};
use walkable_editor::{
    command::{Command, Commands, variant_id},
    session::{Document, Edit, OwnPreset, SessionView},
};
use walkable_workspace::{
    format,
    lang::{self, Language, tr},
    presets::PRESETS,
};

use self::border_size::border_ui;
use crate::{
    icons,
    theme::Theme,
    widgets::{
        author_id::{AuthorId as _, Labeled},
        buttons,
        edited::Edited,
        group::Group,
        legend::empty,
        numeric::{self, NumberSpec},
        position_fields::position_fields,
        property_row::{Caption, PropertyRow, remark_ui},
    },
};

#[derive(Debug, Default)]
pub struct BakeSettingsPanel {
    search: String,
    /// Whether a drag that began in this panel is still in progress.
    dragging: bool,
}

impl BakeSettingsPanel {
    pub fn ui(&mut self, ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
        let settings = &view.document().settings;
        self.header_ui(ui, view, out);
        let advice = settings_advice(settings);
        for remark in advice.iter().filter(|advice| advice.setting().is_none()) {
            remark_ui(ui, &lang::diagnostic(remark), Theme::of(ui.ctx().theme()).error);
        }
        let searching = !self.search.trim().is_empty();
        let lowest = view.opened.level.as_ref().map_or(Vec3::ZERO, |level| level.mesh.bounds().min);
        let mut form =
            Form { settings, lowest, advice: &advice, searching, out, dragged: Edited::default() };
        egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            self.groups_ui(ui, &mut form);
        });
        let dragged = form.dragged;
        self.close_lost_drag(ui, dragged, out);
    }

    fn groups_ui(&self, ui: &mut egui::Ui, form: &mut Form<'_>) {
        ui.spacing_mut().item_spacing.y = 3.0;
        let mut n_found = 0;
        for group in ParamGroup::ALL {
            let params: Vec<_> =
                PARAMS.iter().filter(|p| p.group == group && self.matches(p)).collect();
            n_found += params.len();
            if !params.is_empty() {
                form.group_ui(ui, group, &params);
            }
        }
        if n_found == 0 {
            empty(ui, tr!("No setting has this in its name or description."));
        }
    }

    /// Shows only settings that have `text` in their name or description.
    #[cfg(test)]
    pub fn set_search(&mut self, text: &str) {
        text.clone_into(&mut self.search);
    }

    fn header_ui(&mut self, ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
        let settings = &view.document().settings;
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                reset_all_ui(ui, settings, out);
                presets_ui(ui, view, out);
                let hint = tr!("{} Find a setting", icons::ICON_SEARCH.codepoint);
                let field = egui::TextEdit::singleline(&mut self.search)
                    .hint_text(hint)
                    .desired_width(f32::INFINITY);
                let response = ui.add(field).author_id("settings.search");
                response.widget_info(|| {
                    let role = egui::accesskit::Role::TextInput;
                    egui::WidgetInfo::labeled(role, true, tr!("Find a setting"))
                });
            });
        });
    }

    fn matches(&self, param: &Param) -> bool {
        let wanted = self.search.trim().to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&wanted);
        wanted.is_empty()
            || has(tr(param.label))
            || has(param.key)
            || has(tr(param.group.label()))
            || has(tr(param.tooltip))
    }

    /// Ends a drag whose control was hidden, because it can no longer report the end itself.
    fn close_lost_drag(&mut self, ui: &egui::Ui, dragged: Edited, out: &mut Commands) {
        if dragged.began {
            self.dragging = true;
        }
        if dragged.ended || dragged.aborted {
            self.dragging = false;
        } else if self.dragging && !ui.input(|input| input.pointer.any_down()) {
            self.dragging = false;
            out.push(Command::Commit);
        }
    }
}

fn presets_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let Document { settings, presets, .. } = view.document();
    let menu = ui.menu_button(tr!("Presets"), |ui| {
        own_presets_ui(ui, settings, presets, out);
        for (number, preset) in PRESETS.iter().enumerate() {
            let command = Command::UsePreset(number);
            let chosen = preset.apply(settings) == *settings;
            let label = ui.selectable_label(chosen, tr(preset.name)).author_id(command.id());
            if label.on_hover_text(command.tooltip()).clicked() {
                out.push(command);
                ui.close();
            }
        }
    });
    menu.response.author_id("settings.presets");
}

fn own_presets_ui(
    ui: &mut egui::Ui,
    settings: &BakeSettings,
    presets: &[OwnPreset],
    out: &mut Commands,
) {
    for (number, preset) in presets.iter().enumerate() {
        ui.horizontal(|ui| {
            let chosen = preset.settings == *settings;
            let label = ui.selectable_label(chosen, &preset.name);
            if label.author_id(format_args!("settings.own-preset.{number}")).clicked() {
                let label = phrase!("Use preset {name}", name = preset.name.as_str());
                let edit = Edit::Settings(Box::new(preset.settings.clone()));
                out.push(Command::Change(label, edit));
                ui.close();
            }
            let label = phrase!("Delete preset {name}", name = preset.name.as_str());
            let delete = buttons::icon(ui, icons::ICON_DELETE, &lang::phrase(&label));
            if delete.author_id(format_args!("settings.delete-preset.{number}")).clicked() {
                let mut presets = presets.to_vec();
                presets.remove(number);
                out.push(Command::Change(label, Edit::Presets(presets)));
            }
        });
    }
    let id = ui.make_persistent_id("preset name");
    let mut name: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    ui.horizontal(|ui| {
        let field = egui::TextEdit::singleline(&mut name).hint_text(tr!("Name of these settings"));
        let response = ui.add(field.desired_width(160.0).char_limit(80));
        let response = response.author_id("settings.preset-name");
        response.widget_info(|| {
            let role = egui::accesskit::Role::TextInput;
            egui::WidgetInfo::labeled(role, true, tr!("Name of these settings"))
        });
        let button = ui.add_enabled(!name.trim().is_empty(), egui::Button::new(tr!("Keep")));
        let button = button.author_id("settings.keep-preset");
        if button.on_hover_text(tr!("Keeps the current settings in the project")).clicked() {
            let mut presets = presets.to_vec();
            presets.retain(|preset| preset.name != name.trim());
            let settings = settings.clone();
            presets.push(OwnPreset { name: name.trim().to_owned(), settings });
            let label = phrase!("Keep preset {name}", name = name.trim());
            out.push(Command::Change(label, Edit::Presets(presets)));
            name.clear();
        }
    });
    ui.data_mut(|data| data.insert_temp(id, name));
    ui.separator();
}

fn reset_all_ui(ui: &mut egui::Ui, settings: &BakeSettings, out: &mut Commands) {
    let changed = *settings != BakeSettings::default();
    let icon = icons::ICON_RESTART_ALT;
    let button = |ui: &mut egui::Ui| buttons::icon(ui, icon, tr!("Reset all settings"));
    let response = ui.add_enabled_ui(changed, button).inner;
    let response = response.author_id(Command::ResetSettings.id());
    if response.clicked() {
        out.push(Command::ResetSettings);
    }
}

struct Form<'a> {
    settings: &'a BakeSettings,
    lowest: Vec3,
    advice: &'a [Diagnostic],
    /// Whether a search is active, in which case all groups are open.
    searching: bool,
    out: &'a mut Commands,
    dragged: Edited,
}

impl Form<'_> {
    fn group_ui(&mut self, ui: &mut egui::Ui, group: ParamGroup, params: &[&'static Param]) {
        let default = BakeSettings::default();
        let n_changed = params.iter().filter(|p| p.get(self.settings) != p.get(&default)).count();
        let has_advice =
            params.iter().any(|p| self.advice.iter().any(|a| a.setting() == Some(p.key)));
        let group = Group {
            id: &format!("settings.group.{}", variant_id(group)),
            title: tr(group.label()),
            is_forced_open: self.searching,
        };
        let closed_ui = |ui: &mut egui::Ui| {
            let theme = Theme::of(ui.ctx().theme());
            if n_changed > 0 {
                let text = tr!("{n_changed} changed");
                ui.label(RichText::new(text).small().color(theme.text_weak));
            }
            if has_advice {
                let sign = icons::ICON_WARNING.codepoint;
                ui.label(RichText::new(sign).small().color(theme.warning));
            }
        };
        group.show(ui, closed_ui, |ui| {
            for param in params {
                ui.push_id(param.key, |ui| self.param_ui(ui, param));
                if param.key == "tile_size" {
                    border_ui(ui, self.settings);
                }
            }
            ui.add_space(4.0);
        });
    }

    fn param_ui(&mut self, ui: &mut egui::Ui, param: &'static Param) {
        let value = param.get(self.settings);
        let default = param.default_value();
        let remarks = self.advice.iter().filter(|a| a.setting() == Some(param.key));
        let id = &format!("settings.{}", param.key);
        let row = PropertyRow {
            id,
            label: tr(param.label),
            tooltip: tr(param.tooltip),
            changed_from: (value != default).then(|| format::setting(param, default)),
            caption: caption(self.settings, param),
            remarks: remarks.map(lang::diagnostic).collect(),
        };
        let output = match (param.kind, value) {
            (ParamKind::Switch, ParamValue::Switch(mut on)) => {
                let output = row.show_wide(ui, |ui| {
                    let response = ui.checkbox(&mut on, tr(param.label)).author_id(id);
                    response.on_hover_text(tr(param.tooltip)).changed()
                });
                let edited = output.inner.then(Edited::at_once).unwrap_or_default();
                (ParamValue::Switch(on), edited, output.reset)
            }
            (ParamKind::Choice(choices), ParamValue::Choice(mut index)) => {
                let output = row.show(ui, |ui, label| choice_ui(ui, label, choices, &mut index));
                let edited = output.inner.then(Edited::at_once).unwrap_or_default();
                (ParamValue::Choice(index), edited, output.reset)
            }
            (ParamKind::Place { limits }, ParamValue::Place(mut place)) => {
                let output =
                    row.show(ui, |ui, label| place_switch_ui(ui, label, self.lowest, &mut place));
                let switched = output.inner.then(Edited::at_once).unwrap_or_default();
                let typed = place_ui(ui, [id, tr(param.label)], limits, &mut place);
                (ParamValue::Place(place), switched.or(typed), output.reset)
            }
            _ => {
                let Some((mut number, spec)) = number_spec(param, value) else { return };
                let output =
                    row.show(ui, |ui, label| numeric::slider(ui, label, &mut number, &spec));
                (from_number(param, number), output.inner, output.reset)
            }
        };
        let (next, edited, reset) = output;
        if reset {
            let name = Phrase::new(param.label, Vec::new());
            self.change(phrase!("Reset {name}", name), param, default);
        } else {
            self.emit(param, next, edited);
        }
    }

    fn emit(&mut self, param: &Param, value: ParamValue, edited: Edited) {
        self.dragged = self.dragged.or(edited);
        let name = || Phrase::new(param.label, Vec::new()).within();
        let label = || phrase!("Change {name}", name = name());
        if edited.began {
            self.out.push(Command::Begin(label()));
        }
        if edited.changed && edited.dragging {
            if let Some(edit) = self.edit(param, value) {
                self.out.push(Command::Apply(edit));
            }
        } else if edited.changed {
            self.change(label(), param, value);
        }
        if edited.ended {
            self.out.push(Command::Commit);
        }
        if edited.aborted {
            self.out.push(Command::Abort);
        }
    }

    fn change(&mut self, label: Phrase, param: &Param, value: ParamValue) {
        if let Some(edit) = self.edit(param, value) {
            self.out.push(Command::Change(label, edit));
        }
    }

    /// Returns the edit that changes the setting; `None` if the table rejects the value.
    fn edit(&self, param: &Param, value: ParamValue) -> Option<Edit> {
        let mut settings = self.settings.clone();
        param.set(&mut settings, value).ok()?;
        Some(Edit::Settings(Box::new(settings)))
    }
}

fn choice_ui(
    ui: &mut egui::Ui,
    labeled: Labeled<'_>,
    choices: &[walkable::bake::ParamChoice],
    index: &mut usize,
) -> bool {
    let before = *index;
    let chosen = choices.get(before).map_or("", |choice| tr(choice.label));
    let combo = egui::ComboBox::from_id_salt("choice").width(ui.available_width());
    let response = combo.selected_text(chosen).show_ui(ui, |ui| {
        for (i, choice) in choices.iter().enumerate() {
            let entry = ui.selectable_value(index, i, tr(choice.label));
            entry.author_id(format_args!("{}.{}", labeled.id, choice.key));
        }
    });
    labeled.name(response.response);
    *index != before
}

/// Draws a switch for a position that is fixed, or else taken from the level. A position starts at `lowest`, the
/// level's lowest corner, when the user fixes it. Returns whether the switch was clicked.
fn place_switch_ui(
    ui: &mut egui::Ui,
    labeled: Labeled<'_>,
    lowest: Vec3,
    place: &mut Option<Vec3>,
) -> bool {
    let mut is_fixed = place.is_some();
    let text = if is_fixed { tr!("Fixed") } else { tr!("From the level") };
    let response = labeled.name(ui.checkbox(&mut is_fixed, text));
    if response.changed() {
        *place = is_fixed.then_some(lowest);
    }
    response.changed()
}

fn place_ui(
    ui: &mut egui::Ui,
    id_and_name: [&str; 2],
    limits: [f32; 2],
    place: &mut Option<Vec3>,
) -> Edited {
    let Some(place) = place else { return Edited::default() };
    let limits = limits.map(format::typed);
    let spec = NumberSpec { unit: "m", slider: limits, limits, step: 0.1 };
    position_fields(ui, id_and_name, place, &spec)
}

/// Returns a numeric value and how it is edited; `None` for other kinds.
pub(super) fn number_spec(param: &Param, value: ParamValue) -> Option<(f64, NumberSpec<'static>)> {
    let spec = |slider: [f64; 2], limits: [f64; 2], step: f64| NumberSpec {
        unit: if param.unit == "voxels" { "vx" } else { param.unit },
        slider,
        limits,
        step,
    };
    match (param.kind, value) {
        (ParamKind::Float { slider, step, limits }, ParamValue::Float(value)) => {
            let spec =
                spec(slider.map(format::typed), limits.map(format::typed), format::typed(step));
            Some((format::typed(value), spec))
        }
        (ParamKind::Integer { slider, step, limits }, ParamValue::Integer(value)) => {
            let spec = spec(slider.map(f64::from), limits.map(f64::from), f64::from(step));
            Some((f64::from(value), spec))
        }
        _ => None,
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "settings are f32 or small counts; casts saturate and the table checks limits"
)]
fn from_number(param: &Param, number: f64) -> ParamValue {
    match param.kind {
        ParamKind::Integer { .. } => ParamValue::Integer(number.round() as u32),
        ParamKind::Float { .. }
        | ParamKind::Choice(_)
        | ParamKind::Switch
        | ParamKind::Place { .. } => ParamValue::Float(number as f32),
    }
}

/// Returns the value converted from meters to voxels, or from voxels to meters. It is emphasized if rounding changes
/// the value by more than one percent.
fn caption(settings: &BakeSettings, param: &Param) -> Option<Caption> {
    let quantized = quantized(settings, param.key)?;
    let value = param.get(settings);
    let value = if let ParamValue::Float(value) = value { Some(value) } else { None };
    let quiet = |text| Some(Caption { text, strong: false });
    if param.unit == quantized.voxel_unit {
        return quiet(format!(
            "= {}",
            format::quantity(quantized.world.into(), quantized.world_unit)
        ));
    }
    let Some(value) = value.filter(|_| param.unit == quantized.world_unit) else {
        return quiet(format!("= {}", in_voxels(&quantized)));
    };
    let strong = (quantized.world - value).abs() > value.abs() * 0.01;
    let arrow = icons::ICON_ARROW_RIGHT_ALT.codepoint;
    let voxels = in_voxels(&quantized);
    let text = format!("{} {arrow} {voxels}", format::quantity(value.into(), param.unit));
    Some(Caption { text, strong })
}

/// Returns "4 voxels = 0.8 m" in the language of the window.
fn in_voxels(quantized: &Quantized) -> String {
    let world = format::quantity(quantized.world.into(), quantized.world_unit);
    if lang::language() == Language::English {
        return format!("{} = {world}", quantized.in_voxels());
    }
    let n = format::number(quantized.voxels.into());
    match quantized.voxel_unit {
        "cells" => tr!("{n} cells = {world}"),
        _ => tr!("{n} voxels = {world}"),
    }
}

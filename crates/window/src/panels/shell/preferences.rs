//! The page of preferences.

use eframe::egui::{
    self, Align, ComboBox, Grid, Id, Layout, Modal, RichText, ScrollArea, WidgetInfo,
    accesskit::Role, vec2,
};
use walkable_editor::{
    command::{Command, Commands, KeysCommand, ViewCommand},
    jobs::AutoSaveRule,
    level_colors::LevelColors,
    memory_budget::MemoryBudget,
    navigation::Navigation,
    prefs::SCALES,
};
use walkable_workspace::{
    format,
    lang::{Language, tr},
    text,
    units::Units,
};

use crate::{
    panels::{Chrome, MemoryUse},
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        command_button::command_switch,
        dialog,
        legend::{empty, heading},
        numeric::{self, NumberSpec},
    },
};

/// Width of the page and of its labels, in points.
const WIDTHS: [f32; 2] = [600.0, 170.0];
/// Width of the explanation of a mouse control, in points.
const DRAG_WIDTH: f32 = 320.0;
/// Maximum height of the list, in points.
const HEIGHT: f32 = 420.0;

type ControlUi = fn(&mut egui::Ui, &Row, &Chrome<'_>, &mut Commands);

struct Row {
    group: &'static str,
    label: &'static str,
    tooltip: &'static str,
    control_ui: ControlUi,
}

const ROWS: [Row; 17] = [
    Row {
        group: text!("Appearance"),
        label: text!("Theme"),
        tooltip: text!("Colors of the window: dark or light"),
        control_ui: theme_ui,
    },
    Row {
        group: text!("Appearance"),
        label: text!("Language"),
        tooltip: text!(
            "Language of the window; files and messages of the command line are in English"
        ),
        control_ui: language_ui,
    },
    Row {
        group: text!("Appearance"),
        label: text!("Units"),
        tooltip: text!(
            "Unit of lengths, areas and positions in the window, and of numbers that are typed without a unit; files and \
            command line use meters"
        ),
        control_ui: units_ui,
    },
    Row {
        group: text!("Appearance"),
        label: text!("Text size"),
        tooltip: text!("Scale of everything in the window"),
        control_ui: scale_ui,
    },
    Row {
        group: text!("Appearance"),
        label: text!("Level colors"),
        tooltip: text!("Colors of the level's own triangles in the 3D view"),
        control_ui: level_colors_ui,
    },
    Row {
        group: text!("Navigation"),
        label: text!("Mouse controls"),
        tooltip: text!("Mouse buttons and keys that move the camera, as in other programs"),
        control_ui: navigation_ui,
    },
    Row {
        group: text!("Baking"),
        label: text!("Automatic bake"),
        tooltip: text!("Bakes automatically when something changes"),
        control_ui: auto_bake_ui,
    },
    Row {
        group: text!("Baking"),
        label: text!("Memory limit"),
        tooltip: text!("Does not start bakes that need more memory"),
        control_ui: memory_limit_ui,
    },
    Row {
        group: text!("Baking"),
        label: text!("Time limit"),
        tooltip: text!("Does not start bakes that take longer"),
        control_ui: time_limit_ui,
    },
    Row {
        group: text!("Baking"),
        label: text!("Tile cache"),
        tooltip: text!("Tiles of earlier bakes on disk, next to the preferences of Walkable"),
        control_ui: tile_cache_ui,
    },
    Row {
        group: text!("Autosave"),
        label: text!("Autosave"),
        tooltip: text!(
            "Recovery file with unsaved work, which the next start offers after a crash"
        ),
        control_ui: auto_save_ui,
    },
    Row {
        group: text!("Autosave"),
        label: text!("Interval"),
        tooltip: text!("Minimum time between two autosaves"),
        control_ui: auto_save_interval_ui,
    },
    Row {
        group: text!("Graphics and memory"),
        label: text!("Ambient occlusion"),
        tooltip: text!("Dark corners and creases of the level"),
        control_ui: occlusion_ui,
    },
    Row {
        group: text!("Graphics and memory"),
        label: text!("Anti-aliasing"),
        tooltip: text!("Smooth edges; off is faster on slow graphics devices"),
        control_ui: anti_aliasing_ui,
    },
    Row {
        group: text!("Graphics and memory"),
        label: text!("While moving"),
        tooltip: text!("What is drawn of large levels while the camera moves"),
        control_ui: moving_ui,
    },
    Row {
        group: text!("Graphics and memory"),
        label: text!("Memory budget"),
        tooltip: text!(
            "Memory for stages and renderings of tiles, and for textures of the level. Stages and \
            renderings farthest from the view are dropped first, and computed again when needed"
        ),
        control_ui: memory_ui,
    },
    Row {
        group: text!("Keyboard"),
        label: text!("Shortcuts"),
        tooltip: text!("Keys of all commands"),
        control_ui: shortcuts_ui,
    },
];

#[derive(Debug, Default)]
pub struct Preferences {
    open: bool,
    search: String,
}

impl Preferences {
    pub fn open(&mut self) {
        *self = Self { open: true, search: String::new() };
    }

    pub fn close(&mut self) -> bool {
        std::mem::take(&mut self.open)
    }

    pub fn ui(&mut self, ctx: &egui::Context, chrome: &Chrome<'_>, out: &mut Commands) {
        if !self.open {
            return;
        }
        let mut closed = false;
        let modal = Modal::new(Id::unique("preferences")).show(ctx, |ui| {
            dialog::set_width(ui, WIDTHS[0]);
            ui.label(RichText::new(tr!("Preferences")).heading());
            let field = egui::TextEdit::singleline(&mut self.search)
                .hint_text(tr!("Find a preference"))
                .desired_width(f32::INFINITY);
            let field = ui.add(field).author_id("preferences.search");
            field.widget_info(|| {
                WidgetInfo::labeled(Role::TextInput, true, tr!("Find a preference"))
            });
            ui.add_space(4.0);
            let height = dialog::list_height(ui, HEIGHT, dialog::buttons_height(ui, 8.0));
            let list = ScrollArea::vertical().max_height(height).auto_shrink([false, true]);
            list.show(ui, |ui| self.list_ui(ui, chrome, out));
            ui.add_space(8.0);
            closed = ui.button(tr!("Done")).author_id("preferences.done").clicked();
        });
        if closed || modal.should_close() {
            self.open = false;
        }
    }

    fn list_ui(&self, ui: &mut egui::Ui, chrome: &Chrome<'_>, out: &mut Commands) {
        let words = self.search.to_lowercase();
        let is_found = |row: &&Row| {
            let shown = [row.group, row.label, row.tooltip];
            let text = shown.map(|text| format!("{text} {}", tr(text))).join(" ").to_lowercase();
            words.split_whitespace().all(|word| text.contains(word))
        };
        let found: Vec<_> = ROWS.iter().filter(is_found).collect();
        if found.is_empty() {
            return empty(
                ui,
                tr!("No preference has this name. Bake settings are in their own panel."),
            );
        }
        let mut group = "";
        for row in found {
            if row.group != group {
                group = row.group;
                heading(ui, tr(group));
            }
            ui.horizontal_top(|ui| {
                let size = vec2(WIDTHS[1], ui.spacing().interact_size.y);
                ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
                    ui.set_min_width(WIDTHS[1]);
                    ui.label(tr(row.label)).on_hover_text(tr(row.tooltip));
                });
                ui.vertical(|ui| (row.control_ui)(ui, row, chrome, out));
            });
        }
    }
}

fn choice_ui(
    ui: &mut egui::Ui,
    row: &Row,
    shown: &str,
    choices: impl Iterator<Item = (Command, String)>,
    out: &mut Commands,
) {
    let combo = ComboBox::from_id_salt(row.label).selected_text(shown).width(160.0);
    let response = combo.show_ui(ui, |ui| {
        for (command, text) in choices {
            let entry = ui.selectable_label(text == shown, &text).author_id(command.id());
            if entry.on_hover_text(command.tooltip()).clicked() {
                out.push(command);
            }
        }
    });
    let response = response.response;
    response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, tr(row.label)));
    let id = row.label.to_lowercase().replace(' ', "-");
    response.author_id(format_args!("preferences.{id}"));
}

fn theme_ui(ui: &mut egui::Ui, _: &Row, chrome: &Chrome<'_>, out: &mut Commands) {
    ui.horizontal(|ui| {
        for (light, id, name) in [(false, "dark", tr!("Dark")), (true, "light", tr!("Light"))] {
            let is_on = chrome.prefs.light == light;
            let button = ui.selectable_label(is_on, name);
            let button = button.author_id(format_args!("preferences.theme.{id}"));
            if button.clicked() && !is_on {
                out.push(Command::ToggleTheme);
            }
        }
    });
}

fn language_ui(ui: &mut egui::Ui, row: &Row, chrome: &Chrome<'_>, out: &mut Commands) {
    let text = |language: Option<Language>| match language {
        Some(language) => language.name().to_owned(),
        None => tr!("System ({})", chrome.system_language.name()),
    };
    let chosen = chrome.prefs.language;
    let languages = Language::ALL.iter().copied().map(Some);
    let choices = std::iter::once(None).chain(languages);
    let choices = choices.map(|language| (Command::Speak(language), text(language)));
    choice_ui(ui, row, &text(chosen), choices, out);
}

fn units_ui(ui: &mut egui::Ui, row: &Row, chrome: &Chrome<'_>, out: &mut Commands) {
    let text = |units: Units| format!("{} ({})", tr(units.name()), units.symbol());
    let choices = Units::ALL.iter().map(|&units| (Command::SetUnits(units), text(units)));
    choice_ui(ui, row, &text(chrome.prefs.units), choices, out);
}

fn scale_ui(ui: &mut egui::Ui, row: &Row, chrome: &Chrome<'_>, out: &mut Commands) {
    let text = |percent: u16| format!("{percent} %");
    let shown = format!("{:.0} %", chrome.prefs.scale * 100.0);
    let choices = SCALES.into_iter().map(|percent| (Command::Zoom(percent), text(percent)));
    choice_ui(ui, row, &shown, choices, out);
}

fn level_colors_ui(ui: &mut egui::Ui, row: &Row, chrome: &Chrome<'_>, out: &mut Commands) {
    let shown = chrome.prefs.level_colors;
    let all = LevelColors::ALL.iter().copied();
    let choices = all.map(|by| (ViewCommand::ColorLevel(by).into(), by.name().to_owned()));
    choice_ui(ui, row, shown.name(), choices, out);
}

fn navigation_ui(ui: &mut egui::Ui, row: &Row, chrome: &Chrome<'_>, out: &mut Commands) {
    let shown = chrome.prefs.navigation;
    let all = Navigation::ALL.iter().copied();
    let choices = all.map(|preset| (Command::Navigate(preset), preset.name().to_owned()));
    choice_ui(ui, row, shown.name(), choices, out);
    drags_ui(ui, shown);
}

pub(super) fn drags_ui(ui: &mut egui::Ui, navigation: Navigation) {
    let theme = Theme::of(ui.ctx().theme());
    let drags = navigation.drags().iter().map(|drag| (drag.input(), drag.steering.what()));
    let wheel = (tr!("Wheel").to_owned(), tr!("Zoom to the cursor"));
    let frame = (
        format::sentence(tr!("left-drag")),
        tr!("Select objects in a frame, with the select tool; Shift adds, Ctrl adds or removes"),
    );
    ui.spacing_mut().interact_size.y = 16.0;
    Grid::new("drags").num_columns(2).spacing(vec2(16.0, 2.0)).show(ui, |ui| {
        for (input, what) in drags.chain([wheel, frame]) {
            ui.label(RichText::new(input).small());
            ui.vertical(|ui| {
                ui.set_max_width(DRAG_WIDTH);
                let what = RichText::new(what).small().color(theme.text_weak);
                ui.add(egui::Label::new(what).wrap());
            });
            ui.end_row();
        }
    });
}

fn auto_bake_ui(ui: &mut egui::Ui, _: &Row, chrome: &Chrome<'_>, out: &mut Commands) {
    command_switch(ui, chrome.prefs.auto_bake.into(), Command::ToggleAutoBake, out);
}

fn tile_cache_ui(ui: &mut egui::Ui, _: &Row, chrome: &Chrome<'_>, out: &mut Commands) {
    // Files of a web page are in memory.
    ui.add_enabled_ui(!cfg!(target_family = "wasm"), |ui| {
        command_switch(ui, chrome.prefs.caches_tiles.into(), Command::ToggleTileCache, out);
    });
}

fn auto_save_ui(ui: &mut egui::Ui, _: &Row, chrome: &Chrome<'_>, out: &mut Commands) {
    command_switch(ui, chrome.prefs.auto_save.is_on.into(), Command::ToggleAutoSave, out);
}

fn auto_save_interval_ui(ui: &mut egui::Ui, row: &Row, chrome: &Chrome<'_>, out: &mut Commands) {
    let rule = chrome.prefs.auto_save;
    let choices = AutoSaveRule::INTERVALS.into_iter();
    let choices = choices
        .map(|seconds| (Command::SetAutoSave(seconds), AutoSaveRule::interval_text(seconds)));
    ui.add_enabled_ui(rule.is_on, |ui| {
        choice_ui(ui, row, &AutoSaveRule::interval_text(rule.every_secs), choices, out);
    });
}

fn occlusion_ui(ui: &mut egui::Ui, _: &Row, chrome: &Chrome<'_>, out: &mut Commands) {
    let is_on = chrome.prefs.ambient_occlusion.into();
    command_switch(ui, is_on, ViewCommand::ToggleOcclusion.into(), out);
}

fn anti_aliasing_ui(ui: &mut egui::Ui, _: &Row, chrome: &Chrome<'_>, out: &mut Commands) {
    let is_on = chrome.prefs.quality.anti_aliasing.into();
    command_switch(ui, is_on, ViewCommand::ToggleAntiAliasing.into(), out);
}

fn moving_ui(ui: &mut egui::Ui, _: &Row, chrome: &Chrome<'_>, out: &mut Commands) {
    let is_on = chrome.prefs.quality.moves_whole.into();
    command_switch(ui, is_on, ViewCommand::ToggleMovesWhole.into(), out);
}

fn memory_limit_ui(ui: &mut egui::Ui, row: &Row, chrome: &Chrome<'_>, out: &mut Commands) {
    let shown = format!("{} GB", chrome.prefs.max_memory / 1_000_000_000);
    let choices = [1_u8, 2, 4, 8, 16, 32].into_iter();
    let choices = choices.map(|n| (Command::LimitMemory(n), format!("{n} GB")));
    choice_ui(ui, row, &shown, choices, out);
}

fn time_limit_ui(ui: &mut egui::Ui, row: &Row, chrome: &Chrome<'_>, out: &mut Commands) {
    let shown = format!("{} h", chrome.prefs.max_secs / 3600);
    let choices = [1_u8, 4, 24].into_iter();
    let choices = choices.map(|n| (Command::LimitTime(n), format!("{n} h")));
    choice_ui(ui, row, &shown, choices, out);
}

fn memory_ui(ui: &mut egui::Ui, row: &Row, chrome: &Chrome<'_>, out: &mut Commands) {
    let [least, most] = MemoryBudget::LIMITS.map(f64::from);
    let spec =
        NumberSpec { unit: "MiB", slider: [least, 16384.0], limits: [least, most], step: 64.0 };
    let mut mib = f64::from(chrome.prefs.memory.mib);
    let field = numeric::named_field(ui, tr(row.label), &mut mib, &spec, 90.0);
    if field.author_id("preferences.memory-budget").changed() {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "within the limits of the field"
        )]
        let mib = mib.round() as u32;
        out.push(Command::SetMemory(MemoryBudget { mib }));
    }
    let MemoryUse { stages, pictures, graphics, .. } = chrome.memory;
    let theme = Theme::of(ui.ctx().theme());
    let weak = |text: String| RichText::new(text).small().color(theme.text_weak);
    ui.label(weak(tr!("In use: {}", format::bytes(stages + pictures + graphics))));
    for (name, n_bytes, budget) in [
        (tr!("stages"), stages, chrome.prefs.memory.stages()),
        (tr!("pictures"), pictures, chrome.prefs.memory.pictures()),
        (tr!("on the graphics device"), graphics, chrome.prefs.memory.graphics()),
    ] {
        let [n_bytes, budget] = [n_bytes, budget].map(format::bytes);
        ui.label(weak(tr!("{name}: {n_bytes} of {budget}")));
    }
}

fn shortcuts_ui(ui: &mut egui::Ui, _: &Row, _: &Chrome<'_>, out: &mut Commands) {
    let edit = Command::from(KeysCommand::Edit);
    let button = ui.button(edit.text()).author_id(edit.id());
    if button.on_hover_text(edit.tooltip()).clicked() {
        out.push(edit);
    }
}

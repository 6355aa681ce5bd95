//! The list of all commands with their keyboard shortcuts, which can be changed.

use eframe::egui::{
    self, Align, Button, Grid, Id, Layout, Modal, RichText, ScrollArea, WidgetInfo,
    accesskit::Role, vec2,
};
use walkable_editor::{
    command::{Command, Commands, KeysCommand, listed, lower_first},
    keymap::Keymap,
    navigation::Navigation,
    prefs::Prefs,
    shortcut::Key,
};
use walkable_workspace::{lang::tr, text};

use crate::{
    panels::shell::{keys, preferences::drags_ui},
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        dialog,
        legend::{empty, heading},
    },
};

/// Width of the dialog and maximum height of its list, in points.
const SIZE: [f32; 2] = [520.0, 380.0];
const NAME_WIDTH: f32 = 270.0;

const FIXED: [(&str, &str); 4] = [
    (text!("Tab, Shift+Tab"), text!("Move to the next or the previous control")),
    (text!("Alt and a letter"), text!("Open a menu: File, Edit, Bake, View, Path, Help")),
    (text!("Enter"), text!("Finish the shape that a tool draws")),
    (text!("Arrow keys in a field"), text!("Change a number by one step")),
];

#[derive(Debug, Default)]
pub struct Shortcuts {
    open: bool,
    search: String,
    awaited: Option<Command>,
    note: String,
}

impl Shortcuts {
    pub fn open(&mut self) {
        *self = Self { open: true, ..Self::default() };
    }

    /// Stops waiting for a key, or closes the list; returns whether there was something to close.
    pub fn close(&mut self) -> bool {
        self.awaited.take().is_some() || std::mem::take(&mut self.open)
    }

    /// Returns whether the list is open, in which case it receives all keys.
    pub fn is_open(&self) -> bool {
        self.open
    }

    pub fn ui(&mut self, ctx: &egui::Context, prefs: &Prefs, out: &mut Commands) {
        let keymap = &prefs.keys;
        if !self.open {
            return;
        }
        self.take_key(ctx, keymap, out);
        let mut closed = false;
        let modal = Modal::new(Id::unique("shortcuts")).show(ctx, |ui| {
            dialog::set_width(ui, SIZE[0]);
            ui.label(RichText::new(tr!("Keyboard shortcuts")).heading());
            let field = egui::TextEdit::singleline(&mut self.search)
                .hint_text(tr!("Find a command or a key"))
                .desired_width(f32::INFINITY);
            let field = ui.add(field).author_id("shortcuts.search");
            field
                .widget_info(|| WidgetInfo::labeled(Role::TextInput, true, tr!("Find a shortcut")));
            ui.add_space(4.0);
            let height = dialog::list_height(ui, SIZE[1], dialog::buttons_height(ui, 6.0));
            ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
                self.list_ui(ui, keymap, out);
                fixed_ui(ui, prefs.navigation);
            });
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                closed = ui.button(tr!("Done")).author_id("shortcuts.done").clicked();
                ui.add_enabled_ui(!keymap.is_empty(), |ui| {
                    let reset = Command::from(KeysCommand::ResetAll);
                    let button = ui.button(tr!("Reset all")).author_id(reset.id());
                    if button.on_hover_text(reset.tooltip()).clicked() {
                        out.push(reset);
                    }
                });
                ui.label(RichText::new(&self.note).color(Theme::of(ui.ctx().theme()).text_weak));
            });
        });
        // While waiting for a key, Escape only stops waiting.
        let stays = self.awaited.is_some();
        if closed || (modal.should_close() && !stays) {
            self.open = false;
        }
    }

    fn take_key(&mut self, ctx: &egui::Context, keymap: &Keymap, out: &mut Commands) {
        if self.awaited.is_none() {
            return;
        }
        let Some(key) = keys::pressed(ctx) else { return };
        let Some(command) = self.awaited.take() else { return };
        ctx.input_mut(|input| {
            input.events.retain(|event| !matches!(event, egui::Event::Key { .. }));
        });
        if key.key == Key::Escape {
            return;
        }
        let owner = Command::of_key(keymap, key).filter(|owner| *owner != command);
        let loser = owner.map(|owner| tr!("{} has no key now", owner.text()));
        self.note = loser.unwrap_or_default();
        out.push(KeysCommand::Set(Box::new(command), Some(key)));
    }

    fn list_ui(&mut self, ui: &mut egui::Ui, keymap: &Keymap, out: &mut Commands) {
        let search = self.search.to_lowercase();
        let found: Vec<_> = listed().into_iter().filter(|c| matches(c, keymap, &search)).collect();
        if found.is_empty() {
            return empty(ui, tr!("No command has this name or key."));
        }
        Grid::new("shortcuts").num_columns(3).striped(true).min_col_width(60.0).show(ui, |ui| {
            for command in found {
                name_ui(ui, &command);
                self.key_ui(ui, &command, keymap);
                edit_ui(ui, command, keymap, out);
                ui.end_row();
            }
        });
    }

    /// Draws the key as a button that waits for another one.
    fn key_ui(&mut self, ui: &mut egui::Ui, command: &Command, keymap: &Keymap) {
        let waits = self.awaited.as_ref() == Some(command);
        let keys: Vec<_> = command.keys(keymap).map(|key| key.to_string()).collect();
        let key = if keys.is_empty() { "—".to_owned() } else { keys.join(", ") };
        let text = if waits { tr!("Press a key…").to_owned() } else { key.clone() };
        let button = ui.add(Button::selectable(waits, text).min_size(vec2(110.0, 20.0)));
        let name = tr!("Key of {}: {key}", lower_first(&command.text()));
        button.widget_info(|| WidgetInfo::selected(Role::Button, true, waits, &name));
        let button = button.author_id(format_args!("shortcuts.key.{}", command.id()));
        if button.on_hover_text(tr!("Click, then press the new key; Esc leaves it")).clicked() {
            self.awaited = (!waits).then(|| command.clone());
            self.note.clear();
        }
    }
}

fn name_ui(ui: &mut egui::Ui, command: &Command) {
    let size = vec2(NAME_WIDTH, 20.0);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_width(NAME_WIDTH);
        let name = egui::Label::new(command.text()).truncate();
        ui.add(name).on_hover_text(command.tooltip());
    });
}

fn edit_ui(ui: &mut egui::Ui, command: Command, keymap: &Keymap, out: &mut Commands) {
    let name = lower_first(&command.text());
    ui.horizontal(|ui| {
        let mut small = |ui: &mut egui::Ui, text: &str, label: String, wish: KeysCommand| {
            let button = ui.small_button(text).author_id(Command::from(wish.clone()).id());
            button.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
            if button.clicked() {
                out.push(wish);
            }
        };
        if command.has_own_key(keymap) {
            let label = tr!("Reset the key of {name}");
            small(ui, tr!("Reset"), label, KeysCommand::Reset(Box::new(command.clone())));
        }
        if command.key(keymap).is_some() {
            let label = tr!("Remove the key of {name}");
            small(ui, tr!("Remove"), label, KeysCommand::Set(Box::new(command), None));
        }
    });
}

fn matches(command: &Command, keymap: &Keymap, search: &str) -> bool {
    let mut keys = command.keys(keymap).map(|key| key.to_string().to_lowercase());
    let text = command.text().to_lowercase();
    search.split_whitespace().all(|word| text.contains(word))
        || keys.any(|key| key == search.trim())
}

fn fixed_ui(ui: &mut egui::Ui, navigation: Navigation) {
    heading(ui, tr!("In the 3D view"));
    drags_ui(ui, navigation);
    heading(ui, tr!("Fixed keys"));
    Grid::new("fixed keys").num_columns(2).striped(true).show(ui, |ui| {
        for (keys, what) in FIXED {
            ui.label(tr(keys));
            ui.label(RichText::new(tr(what)).color(Theme::of(ui.ctx().theme()).text_weak));
            ui.end_row();
        }
    });
}

//! Buttons and menu entries that trigger a command: text, key and tooltip come from the command.

use eframe::egui::{self, Button, Response, WidgetInfo, accesskit::Role};
use walkable_editor::{
    command::{Command, Commands, ExportKind},
    session::Session,
};
use walkable_workspace::lang::tr;

use crate::{
    icons::{self, MaterialIcon},
    widgets::{author_id::AuthorId as _, buttons, keymap::key_of},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lit {
    On,
    /// Off, or nothing to switch.
    Off,
}

impl From<bool> for Lit {
    fn from(on: bool) -> Self {
        if on { Self::On } else { Self::Off }
    }
}

/// Draws a button with the command's text. The button is enabled if the command is possible in `session`.
pub fn command_button(
    ui: &mut egui::Ui,
    session: &Session,
    command: impl Into<Command>,
    out: &mut Commands,
) {
    let command = command.into();
    let button = Button::new(command.text());
    add_button(ui, button, session, command, out);
}

/// Adds `button`, which triggers `command`. The button is enabled if the command is possible in `session`.
pub fn add_button(
    ui: &mut egui::Ui,
    button: Button<'_>,
    session: &Session,
    command: Command,
    out: &mut Commands,
) -> Response {
    let before = command.before(session);
    let response = ui.add_enabled(before.is_none(), button).author_id(command.id());
    let response = response.on_hover_text(command.tooltip());
    let response = response.on_disabled_hover_ui(|ui| {
        ui.label(command.tooltip());
        ui.weak(before.unwrap_or_default());
    });
    if response.clicked() {
        out.push(command);
    }
    response
}

/// Draws a menu entry; a click closes the menu.
pub fn menu_entry(ui: &mut egui::Ui, session: &Session, command: Command, out: &mut Commands) {
    let text = command.text().into_owned();
    menu_entry_called(ui, text, session, command, out);
}

/// Draws a [`menu_entry`] with another text.
pub fn menu_entry_called(
    ui: &mut egui::Ui,
    text: String,
    session: &Session,
    command: Command,
    out: &mut Commands,
) -> Response {
    let key = key_of(ui.ctx(), &command).map(|key| key.to_string()).unwrap_or_default();
    let response = add_button(ui, Button::new(text).shortcut_text(key), session, command, out);
    if response.clicked() {
        ui.close();
    }
    response
}

pub fn command_switch(ui: &mut egui::Ui, on: Lit, command: Command, out: &mut Commands) {
    let mut value = on == Lit::On;
    let check = ui.checkbox(&mut value, command.text()).author_id(command.id());
    if check.on_hover_text(command.tooltip()).changed() {
        out.push(command);
    }
}

pub fn menu_switch(ui: &mut egui::Ui, on: Lit, command: Command, out: &mut Commands) {
    let mut value = on == Lit::On;
    let key = key_of(ui.ctx(), &command).map(|key| format!("   {key}")).unwrap_or_default();
    let text = format!("{}{key}", command.text());
    let check = ui.checkbox(&mut value, text).author_id(command.id());
    if check.on_hover_text(command.tooltip()).clicked() {
        out.push(command);
        ui.close();
    }
}

/// Draws a small button with only an icon; name, key and explanation are in its tooltip.
pub fn icon_button(
    ui: &mut egui::Ui,
    icon: MaterialIcon,
    lit: Lit,
    command: Command,
    out: &mut Commands,
) -> Response {
    let button =
        Button::selectable(lit == Lit::On, icon.codepoint).min_size(egui::vec2(28.0, 24.0));
    let response = ui.add(button).author_id(command.id());
    let name = command.text().into_owned();
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::selected(Role::Button, enabled, lit == Lit::On, &name));
    let tooltip = |ui: &mut egui::Ui| command_tooltip(ui, &command);
    let response = response.on_hover_ui(tooltip).on_disabled_hover_ui(tooltip);
    if response.clicked() {
        out.push(command);
    }
    response
}

/// Draws a button called `name` that is only an icon and triggers `command`. If the command is not possible in `session`,
/// the button is disabled, and its tooltip says what to do first.
pub fn command_icon(
    ui: &mut egui::Ui,
    (icon, name): (MaterialIcon, &str),
    session: &Session,
    command: Command,
    out: &mut Commands,
) -> Response {
    let before = command.before(session);
    let button = |ui: &mut egui::Ui| buttons::icon(ui, icon, name);
    let mut response = ui.add_enabled_ui(before.is_none(), button).inner.author_id(command.id());
    if let Some(before) = before {
        response = response.on_disabled_hover_text(before);
    }
    if response.clicked() {
        out.push(command);
    }
    response
}

/// Draws icon buttons that save the repro file of `kind` and, in a web page, copy a link that contains it.
pub fn repro_icons(ui: &mut egui::Ui, session: &Session, kind: ExportKind, out: &mut Commands) {
    let save = (icons::ICON_BUG_REPORT, tr!("Save repro…"));
    command_icon(ui, save, session, Command::Export(kind), out);
    if cfg!(target_family = "wasm") {
        let copy = Command::CopyLink(kind);
        command_icon(ui, (icons::ICON_LINK, &copy.text()), session, copy.clone(), out);
    }
}

/// Draws name and key of a command in one line, with the explanation below.
pub fn command_tooltip(ui: &mut egui::Ui, command: &Command) {
    ui.horizontal(|ui| {
        ui.strong(command.text());
        if let Some(key) = key_of(ui.ctx(), command) {
            ui.weak(key.to_string());
        }
    });
    ui.label(command.tooltip());
}

//! The menus.

use eframe::egui::{self, Key, Popup, TextFormat, containers::menu::MenuState, text::LayoutJob};
use walkable_editor::{
    command::{
        Command, Commands, ExportKind, GameCommand, KeysCommand, LayoutCommand, Pane, PathCommand,
        PiecesCommand, SceneItemCommand, TourCommand, ViewCommand, lower_first,
    },
    session::{SessionView, Side, ToolKind},
};
use walkable_workspace::{lang::tr, stage_view::StageView, text};

use crate::{
    panels::Chrome,
    widgets::{
        author_id::AuthorId as _,
        command_button::{menu_entry, menu_entry_called, menu_switch},
    },
};

type MenuUi = fn(&mut egui::Ui, &SessionView<'_>, &Chrome<'_>, &mut Commands);

/// The menus: ids, titles, and the letters that open them with Alt.
const MENUS: [(&str, &str, Key, MenuUi); 6] = [
    ("menu.file", text!("File"), Key::F, file_ui),
    ("menu.edit", text!("Edit"), Key::E, edit_ui),
    ("menu.bake", text!("Bake"), Key::B, bake_ui),
    ("menu.view", text!("View"), Key::V, view_ui),
    ("menu.path", text!("Path"), Key::P, path_ui),
    ("menu.help", text!("Help"), Key::H, help_ui),
];

#[derive(Debug, Default)]
pub struct Menus {
    /// The menu that opens in the next frame.
    opens: Option<usize>,
    open: Option<egui::Id>,
    /// The title whose menu was opened by hovering, until it is clicked.
    hovered: Option<egui::Id>,
}

impl Menus {
    pub fn open(&mut self) {
        self.opens = Some(0);
    }

    /// Opens the menu whose letter was pressed with Alt, unless a dialog is open.
    pub fn take_letter(&mut self, ctx: &egui::Context) {
        // On a Mac, Alt and a letter type a special character.
        let types = cfg!(target_os = "macos") && ctx.text_edit_focused();
        if types || ctx.memory(|memory| memory.top_modal_layer().is_some()) {
            return;
        }
        let is_pressed = |key| ctx.input_mut(|input| input.consume_key(egui::Modifiers::ALT, key));
        if let Some(index) = MENUS.iter().position(|(_, _, letter, _)| is_pressed(*letter)) {
            // The letter must not be typed into the field that has the focus.
            ctx.input_mut(|input| {
                input.events.retain(|event| !matches!(event, egui::Event::Text(_)));
            });
            self.opens = Some(index);
        }
    }

    pub(super) fn ui(
        &mut self,
        ui: &mut egui::Ui,
        view: &SessionView<'_>,
        chrome: &Chrome<'_>,
        out: &mut Commands,
    ) {
        let kept = self.hovered_title(ui.ctx()).filter(egui::Response::clicked);
        if let Some(title) = &kept {
            // A click opens a closed menu, and closes an open one.
            Popup::close_id(ui.ctx(), Popup::default_response_id(title));
            self.hovered = None;
        }
        let opens = self.opens.take();
        let buttons = MENUS.map(|(id, title, letter, entries_ui)| {
            let menu = ui.menu_button(title_text(ui, tr(title), letter), |ui| {
                let had_submenu = has_submenu(ui);
                entries_ui(ui, view, chrome, out);
                had_submenu || has_submenu(ui)
            });
            (menu.response.author_id(id), menu.inner)
        });
        // In a submenu, the arrows have another meaning.
        let open = buttons.iter().position(|(_, submenu)| *submenu == Some(false));
        if let Some(open) = open {
            let pressed = |key| ui.input(|input| input.key_pressed(key));
            let n = MENUS.len();
            let next = pressed(Key::ArrowRight).then(|| (open + 1) % n);
            // In the next frame: in this one, the window library moves the focus within the open menu.
            self.opens = next.or_else(|| pressed(Key::ArrowLeft).then(|| (open + n - 1) % n));
            if self.opens.is_some() {
                ui.ctx().request_repaint();
            }
        }
        if let Some((button, _)) = opens.and_then(|index| buttons.get(index)) {
            button.request_focus();
            Popup::open_id(ui.ctx(), Popup::default_response_id(button));
        }
        if let Some(title) = &kept {
            // A menu that was open when the button went down closes after it is drawn.
            Popup::open_id(ui.ctx(), Popup::default_response_id(title));
        }
        self.note_hovered(buttons.iter().map(|(button, _)| button));
    }

    /// Returns the title whose menu was opened by hovering.
    fn hovered_title(&self, ctx: &egui::Context) -> Option<egui::Response> {
        self.hovered.and_then(|id| ctx.read_response(id))
    }

    /// Notes which menu is open, and whether it replaced another one because the pointer moved to its title.
    fn note_hovered<'a>(&mut self, mut titles: impl Iterator<Item = &'a egui::Response>) {
        let is_open = |title: &&egui::Response| {
            Popup::is_id_open(&title.ctx, Popup::default_response_id(title))
        };
        let open = titles.find(is_open);
        let id = open.map(|title| title.id);
        if id != self.open {
            let by_hover = open.filter(|title| title.hovered() && !title.clicked());
            self.hovered = by_hover.filter(|_| self.open.is_some()).map(|title| title.id);
            self.open = id;
        }
    }
}

fn has_submenu(ui: &egui::Ui) -> bool {
    MenuState::from_ui(ui, |state, _| state.open_item.is_some())
}

/// Returns the title of a menu. While Alt is held, the letter that opens the menu is underlined.
fn title_text(ui: &egui::Ui, title: &str, letter: Key) -> egui::WidgetText {
    let first = title.chars().next().map_or(0, char::len_utf8);
    let (initial, rest) = title.split_at(first);
    if !ui.input(|input| input.modifiers.alt) || !initial.eq_ignore_ascii_case(letter.name()) {
        return title.into();
    }
    // Replaced by the color of the button.
    let color = egui::Color32::PLACEHOLDER;
    let plain = TextFormat::simple(egui::TextStyle::Button.resolve(ui.style()), color);
    let underline = egui::Stroke::new(1.0, color);
    let mut job = LayoutJob::default();
    job.append(initial, 0.0, TextFormat { underline, ..plain.clone() });
    job.append(rest, 0.0, plain);
    job.into()
}

fn help_ui(ui: &mut egui::Ui, view: &SessionView<'_>, _: &Chrome<'_>, out: &mut Commands) {
    ui.set_min_width(200.0);
    menu_entry(ui, view, Command::ReadGuide, out);
    menu_entry(ui, view, TourCommand::Start.into(), out);
    menu_entry(ui, view, KeysCommand::Edit.into(), out);
    menu_entry(ui, view, Command::Palette, out);
    ui.separator();
    menu_entry(ui, view, Command::About, out);
}

fn file_ui(ui: &mut egui::Ui, view: &SessionView<'_>, chrome: &Chrome<'_>, out: &mut Commands) {
    ui.set_min_width(220.0);
    menu_entry(ui, view, Command::Open, out);
    // A web page has no folders.
    if !cfg!(target_family = "wasm") {
        menu_entry(ui, view, PiecesCommand::Open.into(), out);
    }
    ui.menu_button(tr!("Open sample"), |ui| {
        for sample in chrome.samples {
            let load = Command::Load(sample.source.clone());
            menu_entry_called(ui, sample.source.name(), view, load, out)
                .on_hover_text(tr(&sample.what));
        }
    });
    ui.add_enabled_ui(!chrome.prefs.recent.is_empty(), |ui| {
        ui.menu_button(tr!("Open recent"), |ui| {
            for source in chrome.prefs.recent.iter().map(|recent| &recent.source) {
                menu_entry_called(ui, source.name(), view, Command::Load(source.clone()), out);
            }
        });
    });
    menu_entry(ui, view, Command::CloseLevel, out);
    ui.separator();
    menu_entry(ui, view, Command::Save, out);
    menu_entry(ui, view, Command::SaveAs, out);
    menu_entry(ui, view, Command::RecoverWork, out);
    ui.separator();
    menu_entry(ui, view, Command::ImportOptions, out);
    // A web page cannot listen.
    if !cfg!(target_family = "wasm") {
        menu_entry(ui, view, GameCommand::Connect.into(), out);
    }
    ui.separator();
    menu_entry(ui, view, Command::ExportDialog, out);
    menu_entry(ui, view, Command::Export(ExportKind::NAVMESH), out);
    menu_entry(ui, view, Command::PictureDialog, out);
    // A web page ends when its browser tab is closed.
    if !cfg!(target_family = "wasm") {
        ui.separator();
        menu_entry(ui, view, Command::Quit, out);
    }
}

fn edit_ui(ui: &mut egui::Ui, view: &SessionView<'_>, _: &Chrome<'_>, out: &mut Commands) {
    ui.set_min_width(220.0);
    let (undo, redo) = (view.history.undo_label(), view.history.redo_label());
    let [undo, redo] = [undo, redo].map(|label| label.map(|label| lower_first(&label)));
    let undo = undo.map_or_else(|| tr!("Undo").to_owned(), |label| tr!("Undo {label}"));
    let redo = redo.map_or_else(|| tr!("Redo").to_owned(), |label| tr!("Redo {label}"));
    menu_entry_called(ui, undo, view, Command::Undo, out);
    menu_entry_called(ui, redo, view, Command::Redo, out);
    menu_entry(ui, view, Command::ShowPanel(Pane::History), out);
    ui.separator();
    menu_entry(ui, view, SceneItemCommand::Cut.into(), out);
    menu_entry(ui, view, SceneItemCommand::Copy.into(), out);
    menu_entry(ui, view, ViewCommand::Paste.into(), out);
    menu_entry(ui, view, SceneItemCommand::Duplicate.into(), out);
    menu_entry(ui, view, SceneItemCommand::Delete.into(), out);
    menu_entry(ui, view, SceneItemCommand::SelectAll.into(), out);
    ui.separator();
    menu_entry(ui, view, Command::ResetSettings, out);
    ui.separator();
    menu_entry(ui, view, Command::Palette, out);
    menu_entry(ui, view, Command::EditPrefs, out);
}

fn bake_ui(ui: &mut egui::Ui, view: &SessionView<'_>, chrome: &Chrome<'_>, out: &mut Commands) {
    ui.set_min_width(220.0);
    menu_entry(ui, view, Command::Bake, out);
    menu_entry(ui, view, Command::CancelBake, out);
    ui.separator();
    menu_switch(ui, chrome.prefs.auto_bake.into(), Command::ToggleAutoBake, out);
}

fn view_ui(ui: &mut egui::Ui, view: &SessionView<'_>, chrome: &Chrome<'_>, out: &mut Commands) {
    ui.set_min_width(220.0);
    menu_entry(ui, view, Command::from(ViewCommand::FrameAll), out);
    menu_entry(ui, view, Command::from(ViewCommand::FrameSelected), out);
    menu_entry(ui, view, Command::from(ViewCommand::Top), out);
    ui.menu_button(tr!("Look from"), |ui| {
        for &side in Side::ALL {
            menu_entry(ui, view, ViewCommand::From(side).into(), out);
        }
    });
    menu_entry(ui, view, Command::from(ViewCommand::ToggleOrthographic), out);
    menu_entry(ui, view, Command::from(ViewCommand::Keep), out);
    ui.separator();
    ui.menu_button(tr!("Stage"), |ui| {
        for stage in StageView::ALL {
            menu_entry_called(
                ui,
                stage.name().to_owned(),
                view,
                Command::from(ViewCommand::Stage(stage)),
                out,
            );
        }
        ui.separator();
        menu_entry(ui, view, Command::from(ViewCommand::NextStage), out);
        menu_entry(ui, view, Command::from(ViewCommand::PreviousStage), out);
        menu_entry(ui, view, Command::from(ViewCommand::PlayStages), out);
    });
    ui.separator();
    ui.menu_button(tr!("Layout"), |ui| layout_ui(ui, view, chrome, out));
    for pane in Pane::panels() {
        menu_switch(ui, chrome.in_front.contains(&pane).into(), Command::ShowPanel(pane), out);
    }
    ui.separator();
    menu_entry(ui, view, Command::ZoomIn, out);
    menu_entry(ui, view, Command::ZoomOut, out);
    menu_entry(ui, view, Command::ZoomReset, out);
}

fn layout_ui(ui: &mut egui::Ui, view: &SessionView<'_>, chrome: &Chrome<'_>, out: &mut Commands) {
    let (layouts, has_panels) = (&chrome.prefs.layouts, chrome.prefs.panels);
    let is_default = has_panels && layouts.chosen().is_none();
    menu_switch(ui, is_default.into(), LayoutCommand::Show(None).into(), out);
    menu_switch(ui, (!has_panels).into(), Command::TogglePanels, out);
    for layout in layouts.own() {
        let is_chosen = has_panels && layouts.chosen() == Some(layout);
        let show = LayoutCommand::Show(Some(layout.name.clone()));
        menu_switch(ui, is_chosen.into(), show.into(), out);
    }
    ui.separator();
    menu_entry(ui, view, LayoutCommand::Edit.into(), out);
    menu_entry(ui, view, LayoutCommand::Reset.into(), out);
}

fn path_ui(ui: &mut egui::Ui, view: &SessionView<'_>, _: &Chrome<'_>, out: &mut Commands) {
    ui.set_min_width(220.0);
    menu_entry(ui, view, Command::ChooseTool(ToolKind::Path), out);
    menu_entry(ui, view, Command::from(PathCommand::Keep), out);
    menu_entry(ui, view, Command::from(PathCommand::Swap), out);
    menu_entry(ui, view, Command::from(PathCommand::Clear), out);
}

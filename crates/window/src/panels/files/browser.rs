//! The file dialog that is shown if the desktop has none.

use std::{collections::BTreeSet, path::PathBuf, sync::Arc};

use eframe::egui::{
    self, Align, Button, Id, Key, Layout, Modal, RichText, ScrollArea, WidgetInfo, accesskit::Role,
    vec2,
};
use walkable_editor::{
    command::{Command, Commands, PiecesCommand},
    jobs::{
        ask_file::{Proposal, Purpose},
        browse::{FileBrowser, size_text},
    },
    prefs::Prefs,
    session::LevelSource,
};
use walkable_workspace::{
    lang::{self, tr},
    pieces::PieceSource,
};

use crate::{
    icons,
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        buttons,
        legend::{empty, heading},
    },
};

/// Maximum width of the dialog and height of its lists, in points.
const SIZE: [f32; 2] = [720.0, 300.0];
const PLACES: f32 = 160.0;
const ROW: f32 = 24.0;
const MAX_RECENT: usize = 6;

#[derive(Debug, Default)]
pub struct BrowserDialog {
    browser: Option<FileBrowser>,
    new_folder: Option<String>,
}

impl BrowserDialog {
    pub fn open(&mut self, ctx: &egui::Context, purpose: Purpose, proposal: &Proposal) {
        let ctx = ctx.clone();
        let wake = Arc::new(move || ctx.request_repaint());
        self.browser = Some(FileBrowser::new(wake, purpose, proposal));
        self.new_folder = None;
    }

    pub fn is_open(&self) -> bool {
        self.browser.is_some()
    }

    pub fn is_busy(&self) -> bool {
        self.browser.as_ref().is_some_and(FileBrowser::is_busy)
    }

    pub fn close(&mut self) -> bool {
        self.browser.take().is_some()
    }

    pub fn ui(&mut self, ctx: &egui::Context, prefs: &Prefs, out: &mut Commands) {
        let Some(browser) = &mut self.browser else { return };
        if let Some(path) = browser.poll() {
            out.push(match browser.purpose() {
                Purpose::Open => Command::Load(LevelSource::File(path)),
                Purpose::Pieces => PiecesCommand::Sort(PieceSource::Folder(path)).into(),
                Purpose::Export(kind) => Command::ExportTo(kind, path),
            });
            self.browser = None;
            return;
        }
        let mut closed = false;
        let modal = Modal::new(Id::unique("file browser")).show(ctx, |ui| {
            ui.set_width(SIZE[0].min(ctx.content_rect().width() - 60.0));
            let height = SIZE[1].min(ctx.content_rect().height() - 260.0).max(4.0 * ROW);
            let title = match browser.purpose() {
                Purpose::Open => tr!("Open a project, level or navmesh"),
                Purpose::Pieces => tr!("Open a folder with the pieces of a level"),
                Purpose::Export(kind) => kind.title(),
            };
            ui.label(RichText::new(title).heading());
            ui.add_space(4.0);
            folder_row_ui(ui, browser, &mut self.new_folder);
            ui.add_space(4.0);
            let lists = vec2(ui.available_width(), height);
            ui.allocate_ui_with_layout(lists, Layout::left_to_right(Align::Min), |ui| {
                ui.set_max_height(height);
                let places = vec2(PLACES, height);
                ui.allocate_ui_with_layout(places, Layout::top_down(Align::Min), |ui| {
                    ui.set_max_width(PLACES);
                    places_ui(ui, height, browser, prefs);
                });
                ui.separator();
                ui.vertical(|ui| entries_ui(ui, height, browser));
            });
            ui.add_space(4.0);
            name_ui(ui, browser);
            let theme = Theme::of(ui.ctx().theme());
            // An empty line is drawn without a problem, so that the height of the dialog does not change.
            let problem = browser.problem().map_or_else(|| " ".to_owned(), lang::phrase);
            let problem = RichText::new(problem).color(theme.error);
            ui.add(egui::Label::new(problem).wrap());
            ui.horizontal(|ui| {
                let verb = match browser.purpose() {
                    Purpose::Open => tr!("Open"),
                    Purpose::Pieces => tr!("Open this folder"),
                    Purpose::Export(_) => tr!("Write"),
                };
                let button = ui.add_enabled(browser.can_accept(), Button::new(verb));
                if button.author_id("browser.accept").clicked() {
                    browser.accept();
                }
                closed = ui.button(tr!("Cancel")).author_id("browser.cancel").clicked();
                ui.add_space(8.0);
                let all = ui.checkbox(&mut browser.lists_all, tr!("All files"));
                all.author_id("browser.all");
            });
        });
        if closed || modal.should_close() {
            self.browser = None;
        }
    }
}

/// Draws the path of the listed folder as buttons, and the buttons for the parent and for a new folder.
fn folder_row_ui(ui: &mut egui::Ui, browser: &mut FileBrowser, new_folder: &mut Option<String>) {
    ui.horizontal_wrapped(|ui| {
        let up = buttons::icon(ui, icons::ICON_ARROW_UPWARD, tr!("Parent folder"));
        if up.author_id("browser.up").clicked() {
            browser.list_parent();
        }
        let mut parents: Vec<PathBuf> =
            browser.folder().path.ancestors().map(PathBuf::from).collect();
        // The path is empty until the first folder is listed.
        parents.retain(|parent| !parent.as_os_str().is_empty());
        parents.reverse();
        let mut chosen = None;
        for (number, parent) in parents.iter().enumerate() {
            let name = parent.file_name().unwrap_or(parent.as_os_str()).to_string_lossy();
            let button = ui.add(Button::new(name).frame_when_inactive(false));
            if button.author_id(format_args!("browser.parent.{number}")).clicked() {
                chosen = Some(parent);
            }
        }
        if let Some(parent) = chosen {
            browser.list(parent);
        }
        let field_id = Id::unique("browser new folder");
        match new_folder {
            None => {
                let button = ui.button(tr!("New folder…")).author_id("browser.new-folder");
                if button.clicked() {
                    *new_folder = Some(String::new());
                    ui.memory_mut(|memory| memory.request_focus(field_id));
                }
            }
            Some(name) => {
                let field = egui::TextEdit::singleline(name).id(field_id).desired_width(140.0);
                let field = ui.add(field.hint_text(tr!("Name of the folder")));
                let field = field.author_id("browser.new-folder.name");
                let enter = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
                let create = ui.add_enabled(!name.is_empty(), Button::new(tr!("Create")));
                if create.author_id("browser.new-folder.create").clicked() || enter {
                    browser.create_folder(name);
                    *new_folder = None;
                }
            }
        }
    });
}

fn places_ui(ui: &mut egui::Ui, height: f32, browser: &mut FileBrowser, prefs: &Prefs) {
    let mut known = BTreeSet::new();
    let recent = prefs.recent.iter().filter_map(|recent| recent.source.path()?.parent());
    let recent: Vec<_> =
        recent.filter(|folder| known.insert(*folder)).take(MAX_RECENT).map(PathBuf::from).collect();
    let list = ScrollArea::vertical().id_salt("places").max_height(height);
    list.auto_shrink([false, true]).show(ui, |ui| {
        ui.set_width(PLACES);
        let mut place = |ui: &mut egui::Ui, id: String, name: &str, path: PathBuf| {
            let is_shown = browser.folder().path == path;
            let button = Button::selectable(is_shown, name).truncate();
            let button = ui.add_sized([PLACES, ROW], button.right_text(""));
            if button.author_id(id).on_hover_text(path.display().to_string()).clicked() {
                browser.list(&path);
            }
        };
        if let Some(home) = std::env::home_dir() {
            place(ui, "browser.home".to_owned(), tr!("Home"), home);
        }
        if !recent.is_empty() {
            heading(ui, tr!("Recent"));
        }
        for (number, path) in recent.into_iter().enumerate() {
            let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
            place(ui, format!("browser.recent.{number}"), &name, path);
        }
    });
}

fn entries_ui(ui: &mut egui::Ui, height: f32, browser: &mut FileBrowser) {
    let entries = browser.entries();
    let n_rows = entries.len();
    let (mut clicked, mut opened, mut entered) = (None, false, false);
    let list =
        ScrollArea::vertical().id_salt("entries").max_height(height).min_scrolled_height(height);
    list.auto_shrink(false).show_rows(ui, ROW, n_rows.max(1), |ui, rows| {
        if entries.is_empty() && !browser.is_busy() {
            empty(ui, tr!("Nothing of a known type here has this name."));
        }
        for entry in entries.get(rows).into_iter().flatten() {
            let icon = if entry.is_folder { icons::ICON_FOLDER } else { icons::ICON_DRAFT };
            let is_named = entry.name == browser.name;
            let text = format!("{}  {}", icon.codepoint, entry.name);
            let button = Button::selectable(is_named, text).right_text(size_text(entry)).truncate();
            let row = ui.add_sized([ui.available_width(), ROW], button);
            let row = row.author_id(format_args!("browser.entry.{}", entry.name));
            if row.clicked() {
                clicked = Some(entry.name.clone());
                entered = entry.is_folder;
                opened = row.double_clicked();
            }
        }
    });
    if browser.folder().is_cut {
        empty(ui, tr!("The folder has more entries than are listed: type the name."));
    }
    let Some(name) = clicked else { return };
    if entered {
        return browser.enter(&name);
    }
    // Files only show what a folder contains if one is to be chosen.
    if browser.purpose() != Purpose::Pieces {
        browser.name = name;
        if opened {
            browser.accept();
        }
    }
}

/// Draws the field for the name, and handles its keys: Enter accepts, Tab completes, arrows select.
fn name_ui(ui: &mut egui::Ui, browser: &mut FileBrowser) {
    let id = Id::unique("browser name");
    let has_focus = ui.memory(|memory| memory.has_focus(id));
    let pressed =
        |key| has_focus && ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, key));
    if pressed(Key::ArrowUp) {
        browser.select_previous();
    }
    if pressed(Key::ArrowDown) {
        browser.select_next();
    }
    if !browser.name.is_empty() && pressed(Key::Tab) {
        browser.complete();
        let end = egui::text::CCursor::new(browser.name.chars().count());
        if let Some(mut state) = egui::TextEdit::load_state(ui.ctx(), id) {
            state.cursor.set_char_range(Some(egui::text::CCursorRange::one(end)));
            state.store(ui.ctx(), id);
        }
    }
    let hint = tr!("Name or path; Tab completes it");
    let field =
        egui::TextEdit::singleline(&mut browser.name).id(id).hint_text(hint).lock_focus(true);
    let response = ui.add(field.desired_width(f32::INFINITY));
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, tr!("Path of the file")));
    let response = response.author_id("browser.name");
    if response.changed() {
        browser.name_changed();
    }
    if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
        browser.accept();
    }
    if ui.memory(|memory| memory.focused().is_none()) {
        response.request_focus();
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use egui_kittest::Harness;
    use walkable_editor::session::Session;

    use super::*;
    use crate::testing::{Bench, Find as _, bench, picture};

    type Window = Harness<'static, Bench<BrowserDialog>>;

    fn open(purpose: Purpose, proposal: &Proposal) -> Window {
        let mut window = bench([900.0, 620.0], Session::default(), |dialog, ui, _, out| {
            let dialog: &mut BrowserDialog = dialog;
            dialog.ui(ui.ctx(), &Prefs::default(), out);
        });
        let ctx = window.ctx.clone();
        window.state_mut().panel.open(&ctx, purpose, proposal);
        wait(&mut window);
        window
    }

    /// Draws frames until the background work is done.
    fn wait(window: &mut Window) {
        window.step();
        while window.state().panel.browser.as_ref().is_some_and(FileBrowser::is_busy) {
            window.step();
            std::thread::yield_now();
        }
        window.run();
    }

    fn levels() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("interiors")).unwrap();
        for name in ["tower.obj", "town.obj", "town.walkable", "notes.doc"] {
            fs::write(folder.path().join(name), "v 0 0 0\n".repeat(2000)).unwrap();
        }
        folder
    }

    fn name(window: &Window) -> String {
        window.by_id("browser.name").value().unwrap()
    }

    fn press(window: &mut Window, key: Key) {
        window.key_press(key);
        wait(window);
    }

    #[test]
    fn a_file_is_opened_by_typing_a_part_of_its_name_and_by_keys() {
        let folder = levels();
        let proposal = Proposal { folder: folder.path().to_owned(), name: String::new() };
        let mut window = open(Purpose::Open, &proposal);
        picture(&mut window, "file_browser");
        assert!(window.find_id("browser.entry.notes.doc").is_none(), "a file of an unknown kind");
        window.by_id("browser.name").type_text("town");
        wait(&mut window);
        assert!(window.find_id("browser.entry.tower.obj").is_none());
        press(&mut window, Key::Tab);
        assert_eq!(name(&window), "town.", "as far as the names agree");
        press(&mut window, Key::ArrowDown);
        assert_eq!(name(&window), "town.obj");
        press(&mut window, Key::Enter);
        let path = std::path::absolute(folder.path().join("town.obj")).unwrap();
        let load = Command::Load(LevelSource::File(path));
        assert_eq!(window.state_mut().take(), [load]);
        assert!(!window.state().panel.is_open());
    }

    #[test]
    fn a_folder_is_chosen_by_entering_it() {
        let folder = levels();
        let proposal = Proposal { folder: folder.path().to_owned(), name: String::new() };
        let mut window = open(Purpose::Pieces, &proposal);
        picture(&mut window, "folder_browser");
        window.by_id("browser.entry.town.obj").click();
        wait(&mut window);
        assert_eq!(name(&window), "", "files only show what is in the folder");
        window.by_id("browser.entry.interiors").click();
        wait(&mut window);
        assert!(
            window.state().panel.is_open() && window.find_id("browser.entry.town.obj").is_none()
        );
        window.by_id("browser.accept").click();
        wait(&mut window);
        let path = std::path::absolute(folder.path().join("interiors")).unwrap();
        let sort = PiecesCommand::Sort(PieceSource::Folder(path));
        assert_eq!(window.state_mut().take(), [sort.into()]);
    }

    #[test]
    fn a_typo_is_named_and_keeps_the_dialog_and_its_text() {
        let folder = levels();
        let proposal = Proposal { folder: folder.path().to_owned(), name: String::new() };
        let mut window = open(Purpose::Open, &proposal);
        window.by_id("browser.name").type_text("tovn.obj");
        wait(&mut window);
        press(&mut window, Key::Enter);
        assert!(window.n_texts_with("There is no file") == 1);
        assert_eq!(name(&window), "tovn.obj");
        picture(&mut window, "file_browser_typo");
        assert_eq!(window.state_mut().take(), []);
    }

    #[test]
    fn a_file_is_written_to_a_folder_that_is_created_here() {
        let folder = levels();
        let proposal = Proposal { folder: folder.path().to_owned(), name: "town.cfg".to_owned() };
        let kind = walkable_editor::session::ExportKind::Settings;
        let mut window = open(Purpose::Export(kind), &proposal);
        window.by_id("browser.new-folder").click();
        window.run();
        window.by_id("browser.new-folder.name").type_text("baked");
        window.run();
        window.by_id("browser.new-folder.create").click();
        wait(&mut window);
        window.by_id("browser.accept").click();
        wait(&mut window);
        let path = std::path::absolute(folder.path().join("baked/town.cfg")).unwrap();
        assert_eq!(window.state_mut().take(), [Command::ExportTo(kind, path)]);
        assert!(folder.path().join("baked").is_dir());
    }
}

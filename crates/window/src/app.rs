//! The window's event loop: polls background jobs, carries out commands, draws.

mod leave;
mod memory;
pub(crate) mod picture;
mod play;
mod results;
pub mod scene;
mod second;
mod title;

#[cfg(test)]
mod tests;

use std::{collections::BTreeSet, rc::Rc, sync::Arc, time::Duration};

use eframe::egui;
use walkable::{diagnostic::Phrase, phrase};
use walkable_editor::{
    answer::Answers,
    command::{
        AnimationCommand, Command, Commands, ExportKind, GroundCommand, Pane, PathCommand,
        SceneItemCommand, TourCommand, ViewCommand,
    },
    habits::{Habits, HabitsFile, WindowState},
    jobs::{
        AutoSave, BackgroundJobs,
        export::repro_link,
        open::{SampleLevel, samples},
        slot::Wake,
    },
    labels::Labels,
    pictures::Pictures,
    prefs::Prefs,
    reducer::{CameraMove, Editor, Effect, Event, REST, Tick},
    session::{CopiedItems, LevelSource, Look, Severity, TileKey},
    tools::ActiveTool,
};
use walkable_workspace::{
    files, format, lang,
    lang::Language,
    limits,
    positions::{Placed, Positions, typed_positions},
    units::set_units,
};
use web_time::{Instant, SystemTime};

use crate::{
    fonts::WindowFonts,
    host::Host,
    images,
    panels::{
        Chrome, Panels,
        display::stage_figures::StageFigures,
        files::{picture::PictureRequest, unsaved::Saving},
        level::place_menu::PlaceMenu,
        shell::{dock::Dock, keys},
    },
    theme::Theme,
    thumbnails::Thumbnails,
    viewport::{PictureReading, Viewport},
    widgets::{group::set_closed_groups, keymap, notice::notices_ui},
};

#[derive(Debug)]
pub struct App {
    editor: Editor,
    commands: Commands,
    jobs: BackgroundJobs,
    panels: Panels,
    view: View,
    samples: Vec<SampleLevel>,
    clocks: Clocks,
    title: String,
    figures: StageFigures,
    fonts: WindowFonts,
    system_language: Language,
    leaving: bool,
    leaving_soon: bool,
    /// The level that was open in the last session, until it is open again.
    last_session: Option<(LevelSource, Option<Look>)>,
    recovery: Option<AutoSave>,
    /// The file for preferences and layout; `None` if there is no suitable folder.
    habits: Option<HabitsFile>,
    /// The size of the window; `None` until it is known.
    window: Option<WindowState>,
    closed_groups: Arc<BTreeSet<String>>,
    /// Levels that were open when earlier runs crashed.
    suspects: Vec<LevelSource>,
    thumbnails: Thumbnails,
    /// Address of the web page in which the editor runs, if it does.
    page: Option<String>,
}

#[derive(Debug)]
struct View {
    viewport: Viewport,
    tool: ActiveTool,
    pictures: Pictures,
    labels: Labels,
    changing: bool,
    wanted: Vec<TileKey>,
    n_left_out: usize,
    saved_picture: SavedPicture,
    shows_level: bool,
    first_picture: FirstPicture,
    answers: Rc<Answers>,
    place_menu: PlaceMenu,
}

/// Whether the first picture of the open level was taken for the start page. It is not taken only when the level is
/// closed, because the program may crash, and a web page may be closed without notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FirstPicture {
    /// No frame has shown the complete navmesh.
    NotDrawn,
    /// The last frame shows it, so the next one takes the picture.
    Due,
    Taken,
}

#[derive(Debug, Default)]
struct SavedPicture {
    request: Option<PictureRequest>,
    reading: Option<PictureReading>,
    taken: Option<Result<Vec<u8>, String>>,
}

#[derive(Debug)]
struct Clocks {
    changed: (u64, Instant),
    play: play::PlayClocks,
    results: results::ResultClock,
    /// The time that the editor knows.
    second: second::SecondClock,
}

impl App {
    #[cfg(not(target_family = "wasm"))]
    pub fn new(cc: &eframe::CreationContext<'_>, source: Option<LevelSource>) -> Self {
        let host = if cc.storage.is_some() { Host::desktop() } else { Host::without_folders() };
        Self::on(cc, source, &host)
    }

    /// Creates a window on `host` that opens `source`, or the first sample.
    pub fn on(cc: &eframe::CreationContext<'_>, source: Option<LevelSource>, host: &Host) -> Self {
        let mut file = host.folder.as_deref().map(HabitsFile::new);
        let read = file.as_mut().map_or(Ok(None), HabitsFile::read);
        let (found, unread) = match read {
            Ok(found) => (found, None),
            Err(error) => (Some(Habits::default()), Some(error)),
        };
        let first_day = cc.storage.is_some() && found.is_none();
        let Habits { prefs, layout, window, closed_groups } = found.unwrap_or_default();
        let prefs = Prefs { tour: first_day.then_some(0), ..prefs };
        let mut app = Self::with_prefs_on(cc, source, prefs, host);
        app.window = window;
        set_closed_groups(&cc.egui_ctx, closed_groups);
        if let Some(error) = unread {
            app.notify_of_unread_habits(&error);
        }
        if let Some(file) = &file {
            app.notify_of_corrected(file.corrected());
        }
        app.habits = file;
        if let Some(folder) = &host.unsaved {
            app.keep_work_in(folder);
        }
        if let Some(layout) = layout {
            app.restore_layout(&layout, phrase!("The default one is shown."));
        }
        app
    }

    fn panels_in_front(&self) -> Vec<Pane> {
        self.panels.dock.panels_in_front()
    }

    /// Creates a window as on first start, with the first sample.
    #[cfg(not(target_family = "wasm"))]
    pub fn without_habits(cc: &eframe::CreationContext<'_>) -> Self {
        Self::with_prefs(cc, None, Prefs::default())
    }

    #[cfg(not(target_family = "wasm"))]
    fn with_prefs(
        cc: &eframe::CreationContext<'_>,
        source: Option<LevelSource>,
        prefs: Prefs,
    ) -> Self {
        Self::with_prefs_on(cc, source, prefs, &Host::without_folders())
    }

    fn with_prefs_on(
        cc: &eframe::CreationContext<'_>,
        source: Option<LevelSource>,
        prefs: Prefs,
        host: &Host,
    ) -> Self {
        let ctx = cc.egui_ctx.clone();
        Theme::install(&ctx);
        let system_language = host.locale.as_deref().map(Language::of_locale).unwrap_or_default();
        let mut fonts = WindowFonts::new(host.find_font);
        fonts.show(&ctx, prefs.language.unwrap_or(system_language));
        // `set_zoom_factor` would scale the window library's default size of the window, 10,000 points, for a frame.
        ctx.options_mut(|options| {
            (options.zoom_factor, options.zoom_with_keyboard) = (prefs.scale, false);
        });
        let results = results::ResultClock::new();
        let wake_for_results = results.wake(ctx.clone());
        let wake: Wake = Arc::new(move || ctx.request_repaint());
        let is_there = |(source, _): &(LevelSource, _)| match source {
            LevelSource::File(path) => files::is_file(path),
            LevelSource::Builtin(_) => true,
        };
        let last_session = prefs.last.clone().filter(is_there).filter(|_| source.is_none());
        // Before the first file is read.
        limits::set_memory(prefs.max_memory);
        limits::count_reading();
        let editor = Editor::new(prefs);
        let panels = Panels::default();
        let mut app = Self {
            commands: Commands::default(),
            jobs: BackgroundJobs::new(&wake, &wake_for_results, host.show)
                .with_images(images::DECODER)
                .with_bake_workers(host.bake_workers.clone())
                .with_job_workers(host.job_workers.clone())
                .with_tile_cache(host.tile_cache.as_deref())
                .with_overviews(host.overviews.as_deref())
                .with_routes(host.routes.as_deref())
                .with_level_stores(host.levels.as_deref()),
            view: View {
                viewport: Viewport::new(cc.wgpu_render_state.as_ref()),
                tool: ActiveTool::new(editor.session().tools.tool),
                pictures: Pictures::default(),
                labels: Labels::default(),
                changing: false,
                wanted: Vec::new(),
                n_left_out: 0,
                saved_picture: SavedPicture::default(),
                shows_level: false,
                first_picture: FirstPicture::NotDrawn,
                answers: panels.answers(),
                place_menu: PlaceMenu::default(),
            },
            panels,
            samples: samples(),
            fonts,
            system_language,
            clocks: Clocks {
                changed: (editor.session().history.revision(), Instant::now()),
                play: play::PlayClocks::new(),
                results,
                second: second::SecondClock::default(),
            },
            editor,
            title: String::new(),
            figures: StageFigures::default(),
            leaving: false,
            leaving_soon: false,
            last_session,
            recovery: None,
            habits: None,
            window: None,
            closed_groups: Arc::default(),
            suspects: Vec::new(),
            thumbnails: Thumbnails::new(host.folder.as_deref(), wake),
            page: host.page.clone(),
        };
        app.open_first(source);
        app
    }

    /// Opens `source`, or else what was open last, or else the first sample unless the program starts empty.
    fn open_first(&mut self, source: Option<LevelSource>) {
        let starts_empty = self.editor.prefs().starts_empty;
        let first = self.samples.first().map(|sample| sample.source.clone());
        let first = first.filter(|_| !starts_empty);
        let last = self.last_session.as_ref().map(|(source, _)| source.clone());
        let open = match source.or(last).or(first) {
            Some(LevelSource::File(path)) => Command::opening(&[path]),
            builtin => builtin.map(Command::Load),
        };
        if let Some(open) = open {
            self.commands.push(open);
        }
    }

    pub fn editor(&self) -> &Editor {
        &self.editor
    }

    pub fn show_error(&mut self, title: Phrase, detail: Phrase) {
        self.notify(Severity::Error, title, detail, None);
    }

    pub fn trigger(&mut self, command: Command) {
        self.commands.push(command);
    }

    /// Carries out `command`, even if unsaved work is lost.
    pub fn trigger_without_asking(&mut self, command: Command) {
        self.panels.unsaved.allow(command.clone());
        self.trigger(command);
    }

    pub fn is_busy(&self) -> bool {
        !self.commands.is_empty()
            || self.jobs.status().is_busy()
            || self.panels.browser.is_busy()
            || self.view.saved_picture.reading.is_some()
    }

    pub(crate) fn take(&mut self, ctx: &egui::Context, event: Event) {
        for effect in self.editor.reduce(event) {
            self.perform(ctx, effect);
        }
    }

    fn carry_out(&mut self, ctx: &egui::Context) {
        for command in self.commands.take() {
            if self.would_lose_work(&command) && !self.panels.unsaved.take_leave(&command) {
                self.panels.unsaved.ask(command);
                continue;
            }
            if matches!(command, Command::Load(_) | Command::CloseLevel) {
                self.keep_thumbnail();
            }
            self.take(ctx, Event::Command(command));
        }
        let active = self.editor.session().tools.tool;
        let tool = std::mem::replace(&mut self.view.tool, ActiveTool::new(active));
        self.view.tool = tool.switched_to(active);
    }

    /// Performs an effect on the window itself. Work is passed to the background jobs.
    fn perform(&mut self, ctx: &egui::Context, effect: Effect) {
        match effect {
            Effect::Work(work) => self.jobs.start(work),
            Effect::Command(command) => self.commands.push(command),
            Effect::LevelOpened => {
                if let Some(recovered) = self.editor.session().project.recovered.clone() {
                    self.dismiss(&Command::Load(LevelSource::File(recovered)));
                }
                self.view.shows_level = false;
                self.view.first_picture = FirstPicture::NotDrawn;
                self.view.viewport.forget_picture();
                let last_session = self.last_session.take();
                if last_session.is_some() {
                    let suspects = self.suspects.clone();
                    self.take(ctx, Event::Reopened { suspects });
                }
                let last_look = last_session.and_then(|(_, look)| look);
                if let (Some(look), Some(world)) = (last_look, self.editor.session().world())
                    && !world.is_loaded(look.target)
                {
                    self.commands.push(ViewCommand::WorkAt(look.target));
                }
                match last_look.or_else(|| self.editor.session().shown.look) {
                    Some(look) => self.view.viewport.look(look),
                    None => self.view.viewport.frame(self.editor.session().bounds()),
                }
            }
            Effect::Saved => self.keep_thumbnail(),
            Effect::Camera(step) => self.move_camera(step),
            Effect::BrowseFiles(purpose, proposal) => {
                self.panels.browser.open(ctx, purpose, &proposal);
            }
            Effect::AskReplace(clash) => self.panels.replace.ask(clash),
            Effect::ImportOptions => self.panels.import.open(),
            Effect::PieceOptions => self.panels.import.open_for_pieces(),
            Effect::ExportDialog => self.panels.export.open(),
            Effect::PictureDialog => self.panels.picture.open(),
            Effect::AskPlace => self.panels.go_to.open(),
            Effect::Copy(text) => ctx.copy_text(text),
            Effect::CopyLink(kind) => self.copy_link(ctx, kind),
            Effect::Paste => ctx.send_viewport_cmd(egui::ViewportCommand::RequestPaste),
            Effect::RecoverWork => {
                self.dismiss(&Command::RecoverWork);
                self.panels.recovery.open();
            }
            Effect::DiscardWork(file) => self.discard_work(&file),
            Effect::MenuBar => self.panels.menus.open(),
            Effect::About => self.panels.about.open(),
            Effect::ReadGuide => self.panels.guide.open(),
            Effect::Palette => self.panels.palette.open(),
            Effect::EditPrefs => self.panels.preferences.open(),
            Effect::EditKeys => self.panels.shortcuts.open(),
            Effect::ShowPanel(pane) => self.panels.dock.toggle(pane),
            Effect::BringToFront(pane) => self.panels.dock.bring(pane),
            Effect::EditLayouts => self.panels.layouts.open(),
            Effect::ShowLayout(panels) => self.show_layout(panels.as_deref()),
            Effect::Back => self.back(ctx),
            Effect::Quit => self.leave(ctx),
        }
    }

    /// Copies a link that contains a repro file. Does nothing on a desktop, which has no page to link to.
    fn copy_link(&mut self, ctx: &egui::Context, kind: ExportKind) {
        let Some(page) = &self.page else { return };
        match repro_link(self.editor.session(), kind) {
            Ok(link) => {
                ctx.copy_text(format!("{page}{link}"));
                let text =
                    phrase!("It contains the repro file. Whoever opens it sees the problem.");
                self.notify(Severity::Info, phrase!("Link copied"), text, None);
            }
            Err(why) => self.show_error(phrase!("The link cannot be copied"), why),
        }
    }

    fn show_layout(&mut self, panels: Option<&str>) {
        match panels {
            None => self.panels.dock = Dock::default(),
            Some(panels) => self.restore_layout(
                panels,
                phrase!("It was saved by another version of Walkable. Save it again."),
            ),
        }
    }

    /// Shows a saved layout; if that is not possible, the current one stays and the user is told `otherwise`.
    fn restore_layout(&mut self, panels: &str, otherwise: Phrase) {
        if let Some((dock, corrected)) = Dock::from_text(panels) {
            self.panels.dock = dock;
            self.notify_of_corrected(&corrected);
        } else {
            let title = phrase!("The layout cannot be shown");
            self.notify(Severity::Warning, title, otherwise, None);
        }
    }

    fn take_picture(&mut self, ctx: &egui::Context) {
        if let Some(request) = self.panels.picture.take_request() {
            self.view.saved_picture.request = Some(request);
            ctx.request_repaint();
        }
        match self.view.saved_picture.taken.take() {
            Some(Ok(png)) => self.commands.push(Command::SavePicture(png.into())),
            Some(Err(why)) => {
                self.show_error(phrase!("The picture cannot be taken"), why.into());
            }
            None => {}
        }
    }

    fn move_camera(&mut self, step: CameraMove) {
        let bounds = self.editor.session().whole_bounds();
        let viewport = &mut self.view.viewport;
        match step {
            CameraMove::FrameAll => viewport.frame(bounds),
            CameraMove::Frame(bounds) => viewport.frame(bounds),
            CameraMove::Look(look) => viewport.look(look),
            CameraMove::TopView => viewport.top_view(bounds),
            CameraMove::From(side) => viewport.look_from(side),
            CameraMove::ToggleOrthographic => viewport.switch_projection(),
        }
    }

    /// Cancels the first of these that applies: an open dialog, the tour, a drag, an animation, the tool's action, the
    /// chosen island, the chosen tile.
    fn back(&mut self, ctx: &egui::Context) {
        if self.panels.close_top() {
            return;
        }
        if self.editor.prefs().tour.is_some() {
            return self.take(ctx, Event::Command(TourCommand::End.into()));
        }
        if self.editor.session().history.in_transaction() {
            return self.take(ctx, Event::Command(Command::Abort));
        }
        let view = self.editor.view();
        if view.shown.playing {
            return self.commands.push(ViewCommand::PlayStages);
        }
        if view.animation().is_some() {
            return self.commands.push(AnimationCommand::End);
        }
        match self.view.tool.back(&view, &mut self.commands) {
            Some(tool) => self.view.tool = tool,
            None if view.tools.island.is_some() => {
                self.commands.push(GroundCommand::ChooseIsland(None));
            }
            None => self.commands.push(Command::from(ViewCommand::Tile(None))),
        }
    }

    /// Starts the work that is due, and requests a repaint for when more will be due.
    fn start_due(&mut self, ctx: &egui::Context) {
        let now = Instant::now();
        let revision = self.editor.session().history.revision();
        if self.clocks.changed.0 != revision {
            self.clocks.changed = (revision, now);
        }
        let rest = now - self.clocks.changed.1;
        self.take(ctx, Event::StagesViewed(self.view.wanted.clone()));
        self.take(ctx, Event::Tick(Tick { now, rest, jobs: self.jobs.status() }));
        let session = self.editor.session();
        if rest < REST && session.history.in_transaction() {
            ctx.request_repaint_after(REST.saturating_sub(rest));
        }
        if let Some(recovery) = &mut self.recovery
            && let Some(next) = recovery.tend(session, rest, self.editor.prefs().auto_save)
        {
            ctx.request_repaint_after(next);
        }
        if session.bake.progress.is_some() {
            let between = self.view.viewport.between_results();
            ctx.request_repaint_after(between.max(Duration::from_millis(100)));
        }
        if let Some(next) = self.editor.notices().next_expiry(now) {
            ctx.request_repaint_after(next);
        }
        if let Some(next) = self.editor.next_follow(now) {
            ctx.request_repaint_after(next);
        }
        self.notify_of_recovery();
        self.tend_thumbnails(ctx);
        self.leave_if_written(ctx);
        self.play(ctx, now);
    }

    fn apply_prefs(&mut self, ctx: &egui::Context) {
        let theme = if self.editor.prefs().light { egui::Theme::Light } else { egui::Theme::Dark };
        ctx.set_theme(theme);
        self.apply_language(ctx);
        set_units(self.editor.prefs().units);
        self.apply_memory();
        self.view.viewport.set_navigation(self.editor.prefs().navigation);
        self.view.viewport.set_quality(self.editor.prefs().quality);
        if (ctx.zoom_factor() - self.editor.prefs().scale).abs() > 1e-3 {
            ctx.set_zoom_factor(self.editor.prefs().scale);
        }
    }

    fn apply_language(&mut self, ctx: &egui::Context) {
        self.fonts.show(ctx, self.editor.prefs().language.unwrap_or(self.system_language));
        lang::set_language(self.fonts.shown());
    }

    fn retitle(&mut self, ctx: &egui::Context) {
        let title = title::title(self.editor.session(), self.figures.n_polys());
        if title != self.title {
            self.title.clone_from(&title);
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title));
        }
    }

    /// Copies, cuts and pastes, unless a field has the focus.
    fn take_clipboard(&mut self, ctx: &egui::Context) {
        if ctx.text_edit_focused() {
            return;
        }
        // The window library sends these instead of the keys.
        for event in ctx.input(|input| input.events.clone()) {
            match event {
                egui::Event::Copy => self.commands.push(SceneItemCommand::Copy),
                egui::Event::Cut => self.commands.push(SceneItemCommand::Cut),
                _ => {}
            }
        }
        let pasted = ctx.input(|input| {
            input.events.iter().find_map(|event| match event {
                egui::Event::Paste(text) => Some(text.clone()),
                _ => None,
            })
        });
        let Some(pasted) = pasted else { return };
        match CopiedItems::parse(&pasted) {
            Some(Ok(items)) => return self.commands.push(Command::PasteItems(items.into())),
            Some(Err(why)) => {
                let why = format::sentence(&lang::error_text(&why.to_string()));
                return self.cannot_paste(ctx, why.into());
            }
            None => {}
        }
        match typed_positions(&pasted).map(|log| self.editor.session().placed(log)) {
            Ok(Placed { at, notes }) => {
                match at {
                    Positions::Path(ends) => self.commands.push(PathCommand::Ends(ends)),
                    Positions::Place(place) => self.commands.push(ViewCommand::LookAt(place)),
                }
                for note in notes {
                    let note = format::sentence(&lang::phrase(&note));
                    self.notify(Severity::Info, phrase!("Pasted"), note.into(), None);
                }
            }
            Err(why) => {
                let why = why.to_string();
                let why = phrase!("The clipboard has neither objects nor positions: {why}.", why);
                self.cannot_paste(ctx, why);
            }
        }
    }

    fn cannot_paste(&mut self, ctx: &egui::Context, detail: Phrase) {
        let (severity, title) = (Severity::Warning, phrase!("Cannot paste"));
        self.take(ctx, Event::Message { severity, title, detail, remedy: None });
    }

    fn take_keys(&mut self, ctx: &egui::Context) {
        let mut pressed = Commands::default();
        keys::push_pressed(ctx, &self.editor.prefs().keys, &mut pressed);
        for command in pressed.take() {
            if command.is_ready(self.editor.session()) {
                self.commands.push(command);
            } else {
                self.take(ctx, Event::Unavailable(command));
            }
        }
    }

    fn take_dropped(&mut self, ctx: &egui::Context) {
        let dropped = ctx.input(|input| input.raw.dropped_files.clone());
        let dropped: Vec<_> = dropped.iter().map(|file| file.path().to_path_buf()).collect();
        if let Some(open) = Command::opening(&dropped) {
            self.commands.push(open);
        }
    }
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        if !self.panels.palette.is_open() && !self.panels.shortcuts.is_open() {
            self.panels.menus.take_letter(ctx);
            self.take_keys(ctx);
        }
        keymap::install(ctx, &self.editor.prefs().keys);
        self.hold_close(ctx);
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok();
        if let Some(now) = now.and_then(|now| self.clocks.second.next(now)) {
            self.take(ctx, Event::Clock(now));
        }
        self.take_dropped(ctx);
        self.take_clipboard(ctx);
        self.take(ctx, Event::CameraMoved(self.view.viewport.camera().to_look()));
        self.take(ctx, Event::PanelsInFront(self.panels_in_front()));
        let between = self.jobs.bakes_long().then(|| self.view.viewport.between_results());
        let results = self.clocks.results.results(Instant::now(), between);
        let report = self.jobs.poll(results);
        self.take(ctx, Event::Work(report));
        self.carry_out(ctx);
        self.start_due(ctx);
        self.apply_prefs(ctx);
        self.note_window(ctx);
        self.figures.update(self.editor.session());
        self.retitle(ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        let jobs = self.jobs.status();
        let opening = jobs.reading.as_ref().map(|(source, _)| source.name());
        let view = self.editor.view();
        let in_front = self.panels_in_front();
        let graphics = self.view.viewport.graphics();
        let chrome = Chrome {
            prefs: self.editor.prefs(),
            samples: &self.samples,
            opening: opening.as_deref(),
            memory: self.memory_use(),
            saving: if jobs.saves { Saving::UnderWay } else { Saving::Not },
            in_front: &in_front,
            thumbnails: &self.thumbnails,
            figures: &self.figures,
            system_language: self.system_language,
            graphics: graphics.as_deref(),
            shown_size: self.view.viewport.shown_size(),
        };
        let out = &mut self.commands;
        let viewport = &mut self.view;
        self.panels.ui(ui, &view, &chrome, out, |ui, out| viewport.ui(ui, &view, &chrome, out));
        self.panels.dialogs_ui(&ctx, &view, &chrome, out);
        self.panels.focus.ui(&ctx);
        let over = self.view.viewport.rect().unwrap_or_else(|| ctx.content_rect());
        let dismissed = notices_ui(&ctx, over, self.editor.notices(), out);
        if let Some(id) = dismissed {
            self.take(&ctx, Event::Dismissed(id));
        }
        self.take_picture(&ctx);
        // Commands of this frame are carried out at the start of the next one.
        if !self.commands.is_empty() {
            ctx.request_repaint();
        }
    }

    /// Returns the background of the panels: clearing the window is cheaper than filling a rectangle per panel.
    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }

    fn on_exit(&mut self) {
        // The display or the system ended the program, not the user: unsaved work stays in the recovery file.
        let Some(recovery) = &self.recovery else { return };
        if self.leaving || !self.editor.session().is_unsaved() {
            recovery.forget();
        }
        recovery.end();
    }

    #[cfg(target_family = "wasm")]
    fn as_any_mut(&mut self) -> Option<&mut dyn std::any::Any> {
        Some(self)
    }

    /// Returns the interval of autosaves. A page may be closed at any time without notice.
    #[cfg(target_family = "wasm")]
    fn auto_save_interval(&self) -> Duration {
        Duration::from_secs(2)
    }

    fn save(&mut self, _storage: &mut dyn eframe::Storage) {
        self.remember();
    }

    /// Returns false: nothing checks the numbers in the file of the window library, such as its zoom.
    fn persist_egui_memory(&self) -> bool {
        false
    }
}

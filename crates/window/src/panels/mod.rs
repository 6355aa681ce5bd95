//! The panels around the 3D view. They read the session and push commands.

pub mod agents;
pub mod animation;
pub mod areas;
pub mod changes;
pub mod check;
pub mod crowd;
pub mod display;
pub mod files;
pub mod fixes;
pub mod game;
pub mod history;
pub mod inspect;
pub mod lab;
pub mod level;
pub mod links_and_volumes;
pub mod log;
pub mod path;
pub mod path_tests;
pub mod profile;
pub mod query;
pub mod settings;
pub mod shell;
pub mod sweep;
pub mod tiles;
pub mod tool;

use std::rc::Rc;

use eframe::egui::{
    self, CentralPanel, Color32, FontId, Frame, Margin, Panel, Pos2, TextFormat, TextStyle,
    WidgetText, text::LayoutJob,
};
use walkable_editor::{
    answer::Answers,
    command::{Commands, Pane},
    jobs::open::SampleLevel,
    prefs::Prefs,
    session::SessionView,
};
use walkable_workspace::lang::Language;

use self::shell::in_use::InUse;
use crate::{icons::MaterialIcon, theme::Theme, thumbnails::Thumbnails};

#[derive(Clone, Copy, Debug)]
pub struct Chrome<'a> {
    pub prefs: &'a Prefs,
    pub samples: &'a [SampleLevel],
    pub opening: Option<&'a str>,
    pub memory: MemoryUse,
    pub saving: files::unsaved::Saving,
    pub in_front: &'a [Pane],
    pub thumbnails: &'a Thumbnails,
    pub figures: &'a display::stage_figures::StageFigures,
    pub system_language: Language,
    /// Graphics device and driver; `None` if there is none.
    pub graphics: Option<&'a str>,
    /// Size of the 3D view, in pixels; `None` before it was drawn.
    pub shown_size: Option<[u32; 2]>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryUse {
    pub stages: usize,
    pub pictures: usize,
    pub graphics: usize,
    pub n_wanted: usize,
    /// Number of tiles that are not shown because their pictures exceed the budget.
    pub n_left_out: usize,
    /// Whether the level is drawn simplified because it does not fit in memory.
    pub simplifies_level: bool,
}

#[derive(Debug, Default)]
pub struct Panels {
    docked: Docked,
    strip: display::stage_strip::StageStrip,
    pub menus: shell::menu::Menus,
    pub dock: shell::dock::Dock,
    /// The mark of the control with the keyboard focus.
    pub focus: shell::focus::FocusMark,
    pub palette: shell::palette::Palette,
    pub import: files::import::ImportDialog,
    pub export: files::export::ExportDialog,
    pub browser: files::browser::BrowserDialog,
    pub replace: files::replace::Replace,
    pub recovery: files::recovery::RecoveryDialog,
    pub go_to: shell::go_to::GoTo,
    pub unsaved: files::unsaved::Unsaved,
    pub preferences: shell::preferences::Preferences,
    pub picture: files::picture::PictureDialog,
    pub about: shell::about::About,
    pub layouts: shell::layouts::LayoutDialog,
    pub guide: shell::guide::Guide,
    pub shortcuts: shell::shortcuts::Shortcuts,
    strip_rect: Option<egui::Rect>,
    in_use: InUse,
}

#[derive(Debug, Default)]
struct Docked {
    outliner: level::Outliner,
    settings: settings::BakeSettingsPanel,
    inspector: inspect::InspectorPanel,
    path: path::PathPanel,
    game: game::GamePanel,
    profile: profile::ProfilePanel,
    islands: tiles::islands::IslandsPanel,
    log: log::LogPanel,
}

impl Panels {
    pub fn answers(&self) -> Rc<Answers> {
        Rc::clone(&self.docked.inspector.answers)
    }

    pub fn ui(
        &mut self,
        ui: &mut egui::Ui,
        view: &SessionView<'_>,
        chrome: &Chrome<'_>,
        out: &mut Commands,
        mut center: impl FnMut(&mut egui::Ui, &mut Commands),
    ) {
        let bar = |x, y| Frame::new().inner_margin(Margin::symmetric(x, y));
        let (top, strip, line) = (bar(8, 5), bar(6, 3), bar(10, 2));
        Panel::top("toolbar").frame(top).resizable(false).show(ui, |ui| {
            shell::toolbar::toolbar_ui(ui, &mut self.menus, view, chrome, out);
        });
        let answer = self.docked.inspector.hover_line(view);
        Panel::bottom("status").frame(line).resizable(false).show(ui, |ui| {
            let line = answer.as_ref().map(|answer| &*answer.text);
            shell::status::status_ui(ui, view, chrome, line, out);
        });
        self.docked.profile.observe(view);
        self.docked.path.observe(view);
        self.follow(view, chrome.prefs, ui.ctx().pointer_latest_pos());
        let (docked, dock) = (&mut self.docked, &mut self.dock);
        let (stages, strip_rect) = (&mut self.strip, &mut self.strip_rect);
        let mut view_rect = None;
        let mut center = |ui: &mut egui::Ui, out: &mut Commands| {
            let strip = Panel::bottom("strip").frame(strip).resizable(false);
            let strip = strip.show(ui, |ui| stages.ui(ui, view, chrome.figures, out));
            *strip_rect = Some(strip.response.rect);
            view_rect = Some(ui.available_rect_before_wrap());
            center(ui, out);
        };
        let panels = chrome.prefs.panels;
        let outcome = docked.path.outcome_icon(&Theme::of(ui.ctx().theme()));
        let font = TextStyle::Button.resolve(ui.style());
        let title = |pane: Pane| match outcome {
            Some(outcome) if pane == Pane::Path => title_with_icon(pane, &font, outcome),
            Some(_) | None => pane.name().into(),
        };
        CentralPanel::default().frame(Frame::NONE).show(ui, |ui| {
            if panels {
                dock.ui(ui, &title, &mut |ui, pane| match pane {
                    Pane::View => center(ui, out),
                    pane => docked.ui(ui, pane, view, chrome.prefs, out),
                });
            } else {
                center(ui, out);
            }
        });
        if let Some(room) = view_rect {
            inspect::hover_answer::hover_answer_ui(ui, room, view, answer.as_ref());
        }
    }

    /// Brings the panel of the tool or of the selection to the front when they change. A panel in which the user
    /// selects something, such as an obstacle of the path, stays in front.
    fn follow(&mut self, view: &SessionView<'_>, prefs: &Prefs, pointer: Option<Pos2>) {
        let now = InUse::of(view, prefs);
        let before = std::mem::replace(&mut self.in_use, now);
        let Some(pane) = self.in_use.panel(&before) else { return };
        let group = self.dock.rect_of_group(pane).filter(|_| self.in_use.only_selects(&before));
        if !group.zip(pointer).is_some_and(|(group, pointer)| group.contains(pointer)) {
            self.dock.select(pane);
        }
    }

    /// Closes the topmost dialog; returns whether there was one.
    pub fn close_top(&mut self) -> bool {
        self.browser.close()
            || self.replace.close()
            || self.go_to.close()
            || self.unsaved.close()
            || self.shortcuts.close()
            || self.recovery.close()
            || self.preferences.close()
            || self.layouts.close()
            || self.about.close()
            || self.palette.close()
            || self.export.close()
            || self.picture.close()
            || self.import.close()
            || self.guide.close()
    }

    pub fn dialogs_ui(
        &mut self,
        ctx: &egui::Context,
        view: &SessionView<'_>,
        chrome: &Chrome<'_>,
        out: &mut Commands,
    ) {
        self.import.ui(ctx, view, out);
        self.export.ui(ctx, view, out);
        self.palette.ui(ctx, view, chrome, out);
        self.recovery.ui(ctx, out);
        self.preferences.ui(ctx, chrome, out);
        self.shortcuts.ui(ctx, chrome.prefs, out);
        let dock = &self.dock;
        self.layouts.ui(ctx, &chrome.prefs.layouts, || dock.to_text(), out);
        self.guide.ui(ctx);
        self.about.ui(ctx, chrome.graphics);
        self.picture.ui(ctx, chrome.shown_size);
        if let Some(step) = chrome.prefs.tour.filter(|_| !view.is_empty()) {
            let dock = &self.dock;
            shell::tour::tour_ui(ctx, step, self.strip_rect, |pane| dock.rect_of(pane), out);
        }
        self.browser.ui(ctx, chrome.prefs, out);
        self.replace.ui(ctx, out);
        self.go_to.ui(ctx, view, out);
        let asks = self.browser.is_open() || self.replace.is_open();
        let under_way = if asks { files::unsaved::Saving::UnderWay } else { chrome.saving };
        self.unsaved.ui(ctx, view, under_way, out);
    }
}

/// Returns the title of a tab, followed by a colored icon.
fn title_with_icon(
    pane: Pane,
    font: &FontId,
    (icon, color): (MaterialIcon, Color32),
) -> WidgetText {
    let mut title = LayoutJob::default();
    // The tab bar replaces this color, depending on whether the tab is active.
    title.append(pane.name(), 0.0, TextFormat::simple(font.clone(), Color32::PLACEHOLDER));
    title.append(icon.codepoint, 4.0, TextFormat::simple(font.clone(), color));
    title.into()
}

impl Docked {
    fn ui(
        &mut self,
        ui: &mut egui::Ui,
        pane: Pane,
        view: &SessionView<'_>,
        prefs: &Prefs,
        out: &mut Commands,
    ) {
        match pane {
            Pane::View => {}
            Pane::Level => self.outliner.ui(ui, view, prefs, out),
            Pane::Settings => self.settings.ui(ui, view, out),
            Pane::Inspector => self.inspector.ui(ui, view, out),
            Pane::Path => self.path.ui(ui, view, out),
            Pane::PathTests => path_tests::path_tests_ui(ui, view, out),
            Pane::Crowd => crowd::crowd_ui(ui, view, out),
            Pane::Game => self.game.ui(ui, view, out),
            Pane::Profile => self.profile.ui(ui, view, out),
            Pane::Log => self.log.ui(ui, view, out),
            Pane::Agents => agents::agents_ui(ui, view, out),
            Pane::Areas => areas::areas_ui(ui, view, out),
            Pane::Islands => self.islands.ui(ui, view, out),
            Pane::Changes => changes::changes_ui(ui, view, out),
            Pane::Check => check::check_ui(ui, view, out),
            Pane::Display => display::display_ui(ui, view, out),
            Pane::Sweep => sweep::sweep_ui(ui, view, out),
            Pane::Lab => lab::lab_ui(ui, view, out),
            Pane::History => history::history_ui(ui, view, out),
        }
    }
}

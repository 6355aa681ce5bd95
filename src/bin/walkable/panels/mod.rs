//! What stands around the 3D view. Panels read the session and push commands.

pub(crate) mod agents;
pub(crate) mod area_choice;
pub(crate) mod areas;
pub(crate) mod bake_settings;
mod border_size;
pub(crate) mod bound_form;
pub(crate) mod brush_form;
pub(crate) mod budgets;
pub(crate) mod color_menu;
pub(crate) mod data_tree;
mod display;
pub(crate) mod divider;
pub(crate) mod dock;
mod extras;
pub(crate) mod film;
pub(crate) mod go_to;
pub(crate) mod heat_map;
pub(crate) mod history;
pub(crate) mod hover_answer;
pub(crate) mod import_dialog;
pub(crate) mod inspector;
pub(crate) mod islands;
pub(crate) mod keys;
pub(crate) mod lab;
pub(crate) mod limits;
mod link_form;
pub(crate) mod log;
pub(crate) mod measure;
pub(crate) mod menu;
pub(crate) mod obstacle_form;
pub(crate) mod outliner;
pub(crate) mod overlay;
pub(crate) mod palette;
pub(crate) mod path;
pub(crate) mod path_field;
mod path_filter;
mod path_rules;
pub(crate) mod path_words;
pub(crate) mod pick_facts;
pub(crate) mod probe;
pub(crate) mod profile;
pub(crate) mod proposals;
pub(crate) mod replay;
pub(crate) mod shortcuts;
pub(crate) mod stage_strip;
pub(crate) mod status;
pub(crate) mod surface_menu;
pub(crate) mod things;
pub(crate) mod tile_form;
pub(crate) mod toolbar;
pub(crate) mod tour;
pub(crate) mod twins;
pub(crate) mod unsaved;
pub(crate) mod volume_form;

#[cfg(all(test, feature = "test-gui"))]
pub(crate) mod tests;

use std::rc::Rc;

use eframe::egui::{self, CentralPanel, Frame, Margin, Panel};

use crate::{
    answer::Answers,
    command::{Commands, Pane},
    jobs::open::Sample,
    prefs::Prefs,
    session::SessionView,
};

/// What panels may read apart from the session.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chrome<'a> {
    /// Habits of the user.
    pub(crate) prefs: &'a Prefs,
    /// Levels that come with the program.
    pub(crate) samples: &'a [Sample],
    /// Name of what is being read.
    pub(crate) opening: Option<&'a str>,
    /// Whether a file is being asked for or written.
    pub(crate) saving: unsaved::Saving,
    /// The panels that are seen.
    pub(crate) in_front: &'a [Pane],
}

/// All panels and dialogs with their own state.
#[derive(Debug, Default)]
pub(crate) struct Panels {
    docked: Docked,
    strip: stage_strip::StageStrip,
    /// Where panels stand.
    pub(crate) dock: dock::Dock,
    /// Finds commands.
    pub(crate) palette: palette::Palette,
    /// How the level is read.
    pub(crate) import: import_dialog::ImportDialog,
    /// Asks for a path.
    pub(crate) path_field: path_field::PathField,
    /// Asks for a place to go to.
    pub(crate) go_to: go_to::GoTo,
    /// Asks before work is lost.
    pub(crate) unsaved: unsaved::Unsaved,
    /// Lists keys.
    pub(crate) shortcuts: shortcuts::Shortcuts,
    /// Where the stage strip stood in the last frame.
    strip_rect: Option<egui::Rect>,
}

/// The panels that stand in the dock.
#[derive(Debug, Default)]
struct Docked {
    outliner: outliner::Outliner,
    settings: bake_settings::BakeSettingsPanel,
    inspector: inspector::InspectorPanel,
    path: path::PathPanel,
    profile: profile::ProfilePanel,
    islands: islands::IslandsPanel,
    log: log::LogPanel,
}

impl Panels {
    /// What is known of places asked about.
    pub(crate) fn answers(&self) -> Rc<Answers> {
        Rc::clone(&self.docked.inspector.answers)
    }

    /// Draws all panels; `center` draws the 3D view.
    pub(crate) fn ui(
        &mut self,
        ui: &mut egui::Ui,
        view: &SessionView<'_>,
        chrome: &Chrome<'_>,
        out: &mut Commands,
        mut center: impl FnMut(&mut egui::Ui, &mut Commands),
    ) {
        let bar = |x, y| Frame::side_top_panel(ui.style()).inner_margin(Margin::symmetric(x, y));
        let (top, strip, line) = (bar(8, 5), bar(6, 3), bar(10, 2));
        Panel::top("toolbar").frame(top).resizable(false).show(ui, |ui| {
            toolbar::toolbar_ui(ui, view, chrome, out);
        });
        let answer = self.docked.inspector.hover_line(view);
        Panel::bottom("status").frame(line).resizable(false).show(ui, |ui| {
            status::status_ui(ui, view, chrome, answer.as_deref());
        });
        let strip = Panel::bottom("strip").frame(strip).resizable(false).show(ui, |ui| {
            self.strip.ui(ui, view, out);
        });
        self.strip_rect = Some(strip.response.rect);
        self.docked.profile.observe(view);
        let (docked, dock) = (&mut self.docked, &mut self.dock);
        let panels = chrome.prefs.panels;
        let middle = CentralPanel::default().frame(Frame::NONE).show(ui, |ui| {
            if !panels {
                center(ui, out);
                return Some(ui.min_rect());
            }
            dock.ui(ui, &mut |ui, pane| match pane {
                Pane::View => center(ui, out),
                pane => docked.ui(ui, pane, view, out),
            })
        });
        let view_rect = middle.inner.unwrap_or(middle.response.rect);
        hover_answer::hover_answer_ui(ui, view_rect, view, answer.as_deref(), out);
    }

    /// Closes the dialog on top; whether there was one.
    pub(crate) fn close_top(&mut self) -> bool {
        self.path_field.close()
            || self.go_to.close()
            || self.unsaved.close()
            || self.shortcuts.close()
            || self.palette.close()
            || self.import.close()
    }

    /// Draws what stands over all panels.
    pub(crate) fn dialogs_ui(
        &mut self,
        ctx: &egui::Context,
        view: &SessionView<'_>,
        chrome: &Chrome<'_>,
        out: &mut Commands,
    ) {
        self.import.ui(ctx, view, out);
        self.palette.ui(ctx, chrome, out);
        self.shortcuts.ui(ctx, &chrome.prefs.keys, out);
        if let Some(step) = chrome.prefs.tour {
            let dock = &self.dock;
            tour::tour_ui(ctx, step, self.strip_rect, |pane| dock.rect_of(pane), out);
        }
        self.path_field.ui(ctx, out);
        self.go_to.ui(ctx, view, out);
        let asks = self.path_field.is_open();
        let under_way = if asks { unsaved::Saving::UnderWay } else { chrome.saving };
        self.unsaved.ui(ctx, view, under_way, out);
    }
}

impl Docked {
    fn ui(&mut self, ui: &mut egui::Ui, pane: Pane, view: &SessionView<'_>, out: &mut Commands) {
        match pane {
            Pane::View => {}
            Pane::Level => self.outliner.ui(ui, view, out),
            Pane::Settings => self.settings.ui(ui, view, out),
            Pane::Inspector => self.inspector.ui(ui, view, out),
            Pane::Path => self.path.ui(ui, view, out),
            Pane::Profile => self.profile.ui(ui, view, out),
            Pane::Log => self.log.ui(ui, view),
            Pane::Agents => agents::agents_ui(ui, view, out),
            Pane::Areas => areas::areas_ui(ui, view, out),
            Pane::Islands => self.islands.ui(ui, view, out),
            Pane::Display => display::display_ui(ui, view, out),
            Pane::Lab => lab::lab_ui(ui, view, out),
            Pane::History => history::history_ui(ui, view, out),
        }
    }
}

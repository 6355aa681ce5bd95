//! What stands around the 3D view. Panels read the session and push commands.

pub(crate) mod bake_settings;
pub(crate) mod drawer;
pub(crate) mod hover_answer;
pub(crate) mod import_dialog;
pub(crate) mod inspector;
pub(crate) mod keys;
pub(crate) mod log;
pub(crate) mod menu;
pub(crate) mod outliner;
pub(crate) mod overlay;
pub(crate) mod palette;
pub(crate) mod path;
pub(crate) mod path_field;
pub(crate) mod path_words;
pub(crate) mod profile;
pub(crate) mod stage_strip;
pub(crate) mod status;
pub(crate) mod toolbar;

#[cfg(all(test, feature = "test-gui"))]
mod tests;

use eframe::egui::{self, CentralPanel, Frame, Margin, Panel};

use crate::{command::Commands, jobs::open::Sample, prefs::Prefs, session::SessionView};

/// What panels may read apart from the session.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chrome<'a> {
    /// Habits of the user.
    pub(crate) prefs: &'a Prefs,
    /// Levels that come with the program.
    pub(crate) samples: &'a [Sample],
    /// Name of what is being read.
    pub(crate) opening: Option<&'a str>,
}

/// All panels and dialogs with their own state.
#[derive(Debug, Default)]
pub(crate) struct Panels {
    outliner: outliner::Outliner,
    settings: bake_settings::BakeSettingsPanel,
    inspector: inspector::InspectorPanel,
    strip: stage_strip::StageStrip,
    drawer: drawer::Drawer,
    /// Part of the names under which sizes are kept: a new number forgets them.
    layout: u32,
    /// Finds commands.
    pub(crate) palette: palette::Palette,
    /// How the level is read.
    pub(crate) import: import_dialog::ImportDialog,
    /// Asks for a path.
    pub(crate) path_field: path_field::PathField,
}

impl Panels {
    /// Draws all panels; `center` draws what is left in the middle.
    pub(crate) fn ui(
        &mut self,
        ui: &mut egui::Ui,
        view: &SessionView<'_>,
        chrome: &Chrome<'_>,
        out: &mut Commands,
        center: impl FnOnce(&mut egui::Ui, &mut Commands),
    ) {
        let bar = |x, y| Frame::side_top_panel(ui.style()).inner_margin(Margin::symmetric(x, y));
        let (top, strip, line) = (bar(8, 5), bar(6, 3), bar(10, 2));
        Panel::top("toolbar").frame(top).resizable(false).show(ui, |ui| {
            toolbar::toolbar_ui(ui, view, chrome, out);
        });
        let answer = self.inspector.hover_line(view);
        Panel::bottom("status").frame(line).resizable(false).show(ui, |ui| {
            status::status_ui(ui, view, chrome, answer.as_deref());
        });
        self.drawer.observe(view);
        if chrome.prefs.panels && chrome.prefs.drawer_open {
            let drawer = Panel::bottom(("drawer", self.layout)).resizable(true).default_size(220.0);
            drawer.size_range(120.0..=600.0).show(ui, |ui| {
                ui.take_available_height();
                self.drawer.ui(ui, view, chrome, out);
            });
        } else {
            Panel::bottom("folded drawer").frame(line).resizable(false).show(ui, |ui| {
                drawer::tabs_ui(ui, chrome, out);
            });
        }
        Panel::bottom("strip").frame(strip).resizable(false).show(ui, |ui| {
            self.strip.ui(ui, view, out);
        });
        if chrome.prefs.panels {
            self.sides_ui(ui, view, out);
        }
        let view_rect = CentralPanel::default().frame(Frame::NONE).show(ui, |ui| center(ui, out));
        hover_answer::hover_answer_ui(ui, view_rect.response.rect, view, answer.as_deref(), out);
    }

    fn sides_ui(&mut self, ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
        let left = Panel::left(("left", self.layout)).resizable(true).default_size(310.0);
        left.size_range(260.0..=520.0).show(ui, |ui| {
            let outliner =
                Panel::top(("outliner", self.layout)).resizable(true).default_size(230.0);
            outliner.size_range(70.0..=500.0).frame(Frame::NONE).show(ui, |ui| {
                // A panel is as high as its content, which is nothing until a level is open.
                ui.take_available_height();
                self.outliner.ui(ui, view, out);
            });
            CentralPanel::default().frame(Frame::NONE).show(ui, |ui| {
                self.settings.ui(ui, view, out);
            });
        });
        let right = Panel::right(("right", self.layout)).resizable(true).default_size(280.0);
        right.size_range(220.0..=520.0).show(ui, |ui| self.inspector.ui(ui, view, out));
    }

    /// Closes the dialog on top; whether there was one.
    pub(crate) fn close_top(&mut self) -> bool {
        self.path_field.close() || self.palette.close() || self.import.close()
    }

    /// Forgets the sizes that the user gave to panels.
    pub(crate) fn reset_sizes(&mut self) {
        self.layout += 1;
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
        self.path_field.ui(ctx, out);
    }
}

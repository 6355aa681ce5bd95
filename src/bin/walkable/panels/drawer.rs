//! The drawer at the bottom: path, profile and log on tabs.

use eframe::egui::{self, Align, Layout};
use egui_material_icons::icons;

use crate::{
    command::{Command, Commands, DrawerTab},
    panels::{Chrome, log::LogPanel, path::PathPanel, profile::ProfilePanel},
    session::SessionView,
    widgets::command_button::{Lit, icon_button},
};

/// The drawer and its tabs.
#[derive(Debug, Default)]
pub(crate) struct Drawer {
    path: PathPanel,
    profile: ProfilePanel,
    log: LogPanel,
}

impl Drawer {
    /// Notes what happens while the drawer is not seen.
    pub(crate) fn observe(&mut self, view: &SessionView<'_>) {
        self.profile.observe(view);
    }

    /// Draws tabs and the chosen one's content.
    pub(crate) fn ui(
        &mut self,
        ui: &mut egui::Ui,
        view: &SessionView<'_>,
        chrome: &Chrome<'_>,
        out: &mut Commands,
    ) {
        tabs_ui(ui, chrome, out);
        ui.add_space(2.0);
        match chrome.prefs.drawer {
            DrawerTab::Path => self.path.ui(ui, view, out),
            DrawerTab::Profile => self.profile.ui(ui, view, out),
            DrawerTab::Log => self.log.ui(ui, view),
        }
    }
}

/// Draws the row of tabs; a click on the open one folds the drawer.
pub(crate) fn tabs_ui(ui: &mut egui::Ui, chrome: &Chrome<'_>, out: &mut Commands) {
    let open = chrome.prefs.drawer_open && chrome.prefs.panels;
    ui.horizontal(|ui| {
        for tab in DrawerTab::ALL {
            let current = open && chrome.prefs.drawer == tab;
            let response = ui.selectable_label(current, tab.name());
            if response.on_hover_text(Command::ShowDrawer(tab).tooltip()).clicked() {
                out.push(Command::ShowDrawer(tab));
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let icon =
                if open { icons::ICON_KEYBOARD_ARROW_DOWN } else { icons::ICON_KEYBOARD_ARROW_UP };
            icon_button(ui, icon, Lit::Off, Command::ShowDrawer(chrome.prefs.drawer), out);
        });
    });
}

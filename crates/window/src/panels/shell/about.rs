//! The page about the program: version, what it was built from, graphics device.

use eframe::egui::{self, Id, Label, Modal, RichText, ScrollArea};
use walkable_workspace::lang::tr;

use crate::{
    theme::Theme,
    widgets::{author_id::AuthorId as _, dialog},
};

const WIDTHS: [f32; 2] = [460.0, 110.0];

#[derive(Debug, Default)]
pub struct About {
    open: bool,
}

impl About {
    pub fn open(&mut self) {
        self.open = true;
    }

    pub fn close(&mut self) -> bool {
        std::mem::take(&mut self.open)
    }

    pub fn ui(&mut self, ctx: &egui::Context, graphics: Option<&str>) {
        if !self.open {
            return;
        }
        let facts = facts(graphics);
        let mut closed = false;
        let modal = Modal::new(Id::unique("about")).show(ctx, |ui| {
            dialog::set_width(ui, WIDTHS[0]);
            ui.label(RichText::new("Walkable").heading());
            let height = dialog::list_height(ui, f32::INFINITY, dialog::buttons_height(ui, 8.0));
            let list = ScrollArea::vertical().max_height(height).auto_shrink([false, true]);
            list.show(ui, |ui| facts_ui(ui, &facts));
            ui.add_space(8.0);
            ui.horizontal(|ui| {
                closed = ui.button(tr!("Close")).author_id("about.close").clicked();
                let copy = ui.button(tr!("Copy as text")).author_id("about.copy");
                if copy.on_hover_text(tr!("Copies all of this, for a bug report")).clicked() {
                    let lines = facts.iter().map(|(name, fact)| format!("{name}: {fact}"));
                    ui.ctx().copy_text(lines.collect::<Vec<_>>().join("\n"));
                }
            });
        });
        if closed || modal.should_close() {
            self.open = false;
        }
    }
}

fn facts_ui(ui: &mut egui::Ui, facts: &[(&str, String)]) {
    let theme = Theme::of(ui.ctx().theme());
    for (name, fact) in facts {
        ui.horizontal_top(|ui| {
            let size = egui::vec2(WIDTHS[1], ui.spacing().interact_size.y);
            let layout = egui::Layout::left_to_right(egui::Align::Center);
            ui.allocate_ui_with_layout(size, layout, |ui| {
                ui.set_min_width(WIDTHS[1]);
                ui.label(RichText::new(*name).color(theme.text_weak));
            });
            ui.add(Label::new(fact).selectable(true).wrap());
        });
    }
}

fn facts(graphics: Option<&str>) -> [(&'static str, String); 6] {
    let unknown = tr!("unknown");
    let commit = option_env!("WALKABLE_COMMIT").filter(|commit| !commit.is_empty());
    let commit = commit.unwrap_or(unknown);
    let known = |text: &'static str| if text.is_empty() { unknown } else { text };
    let [compiler, target] = [env!("WALKABLE_COMPILER"), env!("WALKABLE_TARGET")].map(known);
    [
        (tr!("Version"), env!("CARGO_PKG_VERSION").to_owned()),
        (tr!("Commit"), commit.to_owned()),
        (tr!("Compiler"), format!("{compiler}, {target}")),
        (tr!("Libraries"), env!("WALKABLE_LIBRARIES").to_owned()),
        (
            tr!("Licenses"),
            tr!(
                "Walkable: MIT or Apache-2.0. Libraries and fonts: the file LICENSES-THIRD-PARTY that comes with \
                Walkable"
            )
            .to_owned(),
        ),
        (tr!("Graphics"), graphics.unwrap_or_else(|| tr!("no graphics device")).to_owned()),
    ]
}

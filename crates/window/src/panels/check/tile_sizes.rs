//! The comparison of tile sizes.

use eframe::egui::{self, Button, RichText, vec2};
use walkable_editor::{
    command::{CheckCommand, Commands},
    session::SessionView,
    task::TaskId,
};
use walkable_workspace::{
    lang::{self, tr},
    tile_sizes::TileSizeAdvice,
};

use crate::{
    theme::Theme,
    widgets::{
        busy::busy,
        command_button::{add_button, command_button},
        legend::{column, empty, heading},
    },
};

pub(super) fn tile_sizes_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.horizontal_wrapped(|ui| {
        if view.runs(TaskId::TileSizes) {
            busy(ui);
            ui.label(match view.tile_sizes.progress {
                Some(size) => tr!("Measuring tiles of {size} voxels…"),
                None => tr!("Starting…").to_owned(),
            });
            add_button(
                ui,
                Button::new(tr!("Stop")),
                view,
                CheckCommand::CancelTileSizes.into(),
                out,
            );
            return;
        }
        command_button(ui, view, CheckCommand::MeasureTileSizes, out);
        command_button(ui, view, CheckCommand::SetBestTileSize, out);
        let hide = CheckCommand::HideTileSizes.into();
        add_button(ui, Button::new(tr!("Hide")), view, hide, out);
    });
    match view.tile_sizes.result() {
        None => {}
        Some(Err(why)) => {
            let why = lang::error_text(why);
            empty(ui, &tr!("The tile sizes cannot be compared: {why}"));
        }
        Some(Ok(advice)) => {
            let area = egui::ScrollArea::vertical().id_salt("tile sizes").auto_shrink(false);
            area.show(ui, |ui| advice_ui(ui, advice, view));
        }
    }
}

fn advice_ui(ui: &mut egui::Ui, advice: &TileSizeAdvice, view: &SessionView<'_>) {
    let theme = Theme::of(ui.ctx().theme());
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(advice.best_text()).color(theme.good));
        if view.are_tile_sizes_stale() {
            let text = tr!("Measured with other settings");
            ui.label(RichText::new(text).small().color(theme.text_weak));
        }
    });
    heading(ui, tr!("Tile sizes in voxels, from a sample of tiles on this machine"));
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing = vec2(16.0, 4.0);
        egui::Grid::new("tile sizes").striped(true).show(ui, |ui| {
            for title in TileSizeAdvice::TITLES {
                column(ui, tr(title));
            }
            ui.end_row();
            for (row, cells) in advice.rows.iter().zip(advice.cells()) {
                let is_best = advice.best == Some(row.tile_size);
                for cell in cells {
                    let text = RichText::new(cell);
                    ui.label(match (is_best, row.fits) {
                        (true, _) => text.strong().color(theme.good),
                        (false, true) => text,
                        (false, false) => text.color(theme.text_weak),
                    });
                }
                ui.end_row();
            }
        });
    });
    for skipped in &advice.skipped {
        let text = tr!("{} voxels: {}", skipped.tile_size, lang::phrase(&skipped.why));
        ui.label(RichText::new(text).small().color(theme.text_weak));
    }
}

//! Controls for single tiles.

pub mod islands;

use eframe::egui::{self, RichText};
use walkable::ids::TileCoord;
use walkable_editor::{
    command::{Command, Commands, GroundCommand},
    session::SessionView,
};
use walkable_workspace::lang::tr;

use crate::{
    theme::Theme,
    widgets::{author_id::AuthorId as _, command_button::command_button, legend::empty},
};

pub fn tile_buttons_ui(
    ui: &mut egui::Ui,
    coord: TileCoord,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    let is_out = view.is_removed(coord);
    if is_out {
        let theme = Theme::of(ui.ctx().theme());
        ui.label(RichText::new(tr!("Removed from the navmesh")).color(theme.warning));
    }
    let (text, switch) = if is_out {
        (tr!("Put back"), GroundCommand::PutTileBack(coord))
    } else {
        (tr!("Remove"), GroundCommand::RemoveTile(coord))
    };
    ui.horizontal(|ui| {
        for (text, command) in [(tr!("Bake again"), GroundCommand::BakeTile(coord)), (text, switch)]
        {
            let command = Command::from(command);
            if ui.button(text).author_id(command.id()).on_hover_text(command.tooltip()).clicked() {
                out.push(command);
            }
        }
    });
}

pub fn removed_tiles_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.label(RichText::new(tr!("Removed tiles")).strong());
    let removed = &view.document().removed_tiles;
    if removed.is_empty() {
        return empty(
            ui,
            tr!(
                "None. Click a tile to bake it again; Shift+click removes it from the navmesh, and it \
            stays removed in later bakes."
            ),
        );
    }
    for &tile in removed {
        ui.horizontal(|ui| {
            ui.label(tr!("Tile {tile}"));
            let command = Command::from(GroundCommand::PutTileBack(tile));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let button = ui.button(tr!("Put back")).author_id(command.id());
                if button.on_hover_text(command.text()).clicked() {
                    out.push(command);
                }
            });
        });
    }
    command_button(ui, view, GroundCommand::PutAllTilesBack, out);
}

//! The width of the border around each tile, and the reason for it. No setting changes it.

use eframe::egui;
use walkable::bake::{BakeSettings, VoxelParams};
use walkable_workspace::{format, lang::tr};

use crate::widgets::property_row::{Caption, PropertyRow};

/// Draws the line below the tile size; nothing if the level is baked in one piece.
pub(super) fn border_ui(ui: &mut egui::Ui, settings: &BakeSettings) {
    let Ok(params) = VoxelParams::new(settings) else { return };
    let (border, side) = (params.border_vx, params.tile_size_vx);
    if side == 0 {
        return;
    }
    let radius = params.walkable_radius_vx;
    let tooltip = tr!(
        "Voxels on each side of a tile that are baked with it and then dropped: {radius} for the \
        agent's radius, because walls in the next tile erode this one too, and {} more, so that \
        regions and contours match across the tile border. This is Recast's rule; it depends on \
        radius and cell size. Below, the border's share of the voxels baked for a tile",
        border - radius
    );
    let (tile, all) = (f64::from(side), f64::from(side) + 2.0 * f64::from(border));
    let share = 100.0 * (1.0 - tile * tile / (all * all));
    let width = format::length(f64::from(border) * f64::from(params.cell_size));
    let text = tr!("= {width}, {share:.0} % of the work");
    let caption = Some(Caption { text, strong: false });
    let row = PropertyRow {
        id: "settings.border",
        label: tr!("Border"),
        tooltip: &tooltip,
        caption,
        ..Default::default()
    };
    row.show(ui, |ui, label| label.name(ui.label(format!("{border} vx"))));
}

//! The tiles of a bake seen from above, colored by bake time or size.

use eframe::egui::{
    self, Color32, Rect, Sense, Stroke, StrokeKind, WidgetInfo, accesskit::Role, vec2,
};
use walkable::{debug_draw::Paint, ids::TileCoord};
use walkable_editor::{
    command::{Commands, ViewCommand, variant_id},
    session::{SessionView, TileResult},
};
use walkable_workspace::{format, lang::tr};

use crate::{
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        legend::{color_scale, heading},
    },
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Heat {
    #[default]
    Time,
    Bytes,
}

impl Heat {
    const ALL: [Self; 2] = [Self::Time, Self::Bytes];

    fn name(self) -> &'static str {
        match self {
            Self::Time => tr!("Time"),
            Self::Bytes => tr!("Size"),
        }
    }

    fn what(self) -> &'static str {
        match self {
            Self::Time => tr!("Colors tiles by the time their bake took"),
            Self::Bytes => tr!("Colors tiles by the bytes of their data"),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "a color needs few digits")]
    fn of(self, tile: &TileResult) -> f64 {
        match self {
            Self::Time => tile.times.total().as_secs_f64(),
            Self::Bytes => tile.n_bytes as f64,
        }
    }

    fn text(self, tile: &TileResult) -> String {
        match self {
            Self::Time => format::millis(tile.times.total()),
            Self::Bytes => format::bytes(tile.n_bytes),
        }
    }
}

pub(super) fn heat_map_ui(
    ui: &mut egui::Ui,
    heat: &mut Heat,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    ui.horizontal(|ui| {
        heading(ui, tr!("Tiles by"));
        for choice in Heat::ALL {
            let button = ui.selectable_label(*heat == choice, choice.name());
            let button = button.author_id(format_args!("profile.heat.{}", variant_id(choice)));
            if button.on_hover_text(choice.what()).clicked() {
                *heat = choice;
            }
        }
    });
    let tiles = &view.bake.tiles;
    let most = tiles.values().max_by(|a, b| heat.of(a).total_cmp(&heat.of(b)));
    let Some(most) = most else { return };
    ui.horizontal(|ui| color_scale(ui, ["0", &heat.text(most)]));
    map_ui(ui, *heat, heat.of(most), view, out);
}

/// Draws a cell for each tile, seen from above: x to the right, z downward.
fn map_ui(ui: &mut egui::Ui, heat: Heat, most: f64, view: &SessionView<'_>, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    let tiles = &view.bake.tiles;
    let (columns, rows) = extent(tiles.keys());
    let room = ui.available_size() - vec2(4.0, 4.0);
    let side = (room.x / columns).min(room.y / rows).clamp(1.0, 28.0);
    let (rect, response) =
        ui.allocate_exact_size(vec2(side * columns, side * rows), Sense::click());
    let place = |tile: TileCoord| {
        Rect::from_min_size(rect.min + vec2(cell(tile.x), cell(tile.z)) * side, vec2(side, side))
    };
    let gap = if side >= 6.0 { 0.5 } else { 0.0 };
    for (coord, tile) in tiles.iter() {
        let color = share_color(&theme, heat.of(tile), most);
        let color = if tile.error.is_some() { theme.error } else { color };
        ui.painter().rect_filled(place(*coord).shrink(gap), 0.0, color);
    }
    if let Some(chosen) = view.shown.chosen_tile.filter(|tile| tiles.contains_key(tile)) {
        let stroke = Stroke::new(2.0, theme.accent);
        ui.painter().rect_stroke(place(chosen), 0.0, stroke, StrokeKind::Outside);
    }
    let label = tr!("Map of {}", format::counted(tiles.len(), "tile", "tiles"));
    let response = response.author_id("profile.map");
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &label));
    let under = |at: egui::Pos2| tiles.keys().copied().find(|tile| place(*tile).contains(at));
    let hovered = response.hover_pos().and_then(under);
    let clicked = response.clicked();
    if let Some((coord, tile)) = hovered.and_then(|coord| Some((coord, tiles.get(&coord)?))) {
        if clicked {
            let chosen = view.shown.chosen_tile == Some(coord);
            out.push(ViewCommand::Tile((!chosen).then_some(coord)));
        }
        response.on_hover_text_at_pointer(tr!(
            "Tile {coord}: {}, {}",
            format::millis(tile.times.total()),
            format::bytes(tile.n_bytes)
        ));
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a color needs few digits")]
fn share_color(theme: &Theme, value: f64, most: f64) -> Color32 {
    theme.paint(Paint::Scalar((value / most.max(1e-12)) as f32))
}

/// Returns the number of columns and rows from tile (0, 0) to the last tile in each direction.
fn extent<'a>(tiles: impl Iterator<Item = &'a TileCoord>) -> (f32, f32) {
    let end = tiles.fold((0, 0), |(x, z), tile| (x.max(tile.x), z.max(tile.z)));
    (cell(end.0) + 1.0, cell(end.1) + 1.0)
}

#[expect(clippy::cast_precision_loss, reason = "tile counts are small")]
fn cell(n: u32) -> f32 {
    n as f32
}

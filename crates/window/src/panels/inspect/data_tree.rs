//! The data of a tile, list by list: hovering over a row highlights its element in the 3D view.

use eframe::egui::{self, CollapsingHeader, Label, RichText, Sense};
use walkable::{
    ids::TileCoord,
    navmesh::{NavMesh, PolyKind, Tile},
};
use walkable_editor::{
    answer::coordinates,
    area_names::area_name,
    command::{Command, Commands, DisplayCommand, variant_id},
    session::{AreaTable, DataList, Datum, Hover, SessionView, polygon_of_triangle},
};
use walkable_workspace::{format, lang::tr};

use crate::{
    theme::Theme,
    widgets::{author_id::AuthorId as _, legend::fact},
};

const MAX_LAYERS: u32 = 256;
const LIST_HEIGHT: f32 = 150.0;

/// Draws the data of the tiles of the navmesh at `coord`, one for each layer.
pub(super) fn data_tree_ui(
    ui: &mut egui::Ui,
    coord: TileCoord,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    let Some(navmesh) = view.bake.navmesh.as_deref() else { return };
    let mut pointed = None;
    let slots = (0..MAX_LAYERS).map_while(|layer| navmesh.slot_at(coord, layer));
    for slot in slots {
        let Some(tile) = navmesh.tile(slot) else { continue };
        let title = match tile.header.layer {
            0 => tr!("Data of the tile").to_owned(),
            layer => tr!("Data of layer {layer}"),
        };
        let header = CollapsingHeader::new(title).id_salt((coord, slot)).show(ui, |ui| {
            header_ui(ui, tile);
            for list in DataList::ALL {
                let tree = Tree { navmesh, tile, slot, list, areas: &view.document().areas };
                pointed = tree.ui(ui, out).or(pointed);
            }
        });
        let layer = tile.header.layer;
        header.header_response.author_id(format_args!("data.layer.{layer}"));
    }
    if pointed != view.shown.display.datum {
        out.push(DisplayCommand::PointAtDatum(pointed));
    }
}

fn header_ui(ui: &mut egui::Ui, tile: &Tile) {
    let header = &tile.header;
    fact(ui, tr!("Column, row, layer"), &format!("{}, {}, {}", header.x, header.z, header.layer));
    fact(ui, tr!("Lowest corner"), &format::position(header.bounds.min));
    fact(ui, tr!("Highest corner"), &format::position(header.bounds.max));
    fact(ui, tr!("Agent height"), &format::length(header.walkable_height));
    fact(ui, tr!("Agent radius"), &format::length(header.walkable_radius));
    fact(ui, tr!("Agent climb"), &format::length(header.walkable_climb));
    fact(ui, tr!("Polygon link capacity"), &header.max_link_count.to_string());
}

struct Tree<'a> {
    navmesh: &'a NavMesh,
    tile: &'a Tile,
    slot: usize,
    list: DataList,
    areas: &'a AreaTable,
}

impl Tree<'_> {
    /// Draws the list; returns the element under the pointer.
    fn ui(&self, ui: &mut egui::Ui, out: &mut Commands) -> Option<Datum> {
        let n = self.list.len(self.tile);
        if n == 0 {
            return None;
        }
        let title = format!("{} ({})", self.list.name(), format::count(n));
        let list = CollapsingHeader::new(title).id_salt((self.slot, self.list));
        let shown = list.show(ui, |ui| self.rows_ui(ui, n, out));
        shown.header_response.author_id(format_args!("data.{}", variant_id(self.list)));
        shown.body_returned.flatten()
    }

    fn rows_ui(&self, ui: &mut egui::Ui, n: usize, out: &mut Commands) -> Option<Datum> {
        let theme = Theme::of(ui.ctx().theme());
        let mut pointed = None;
        let height = ui.text_style_height(&egui::TextStyle::Body);
        ui.spacing_mut().item_spacing.y = 2.0;
        let scroll =
            egui::ScrollArea::vertical().max_height(LIST_HEIGHT).auto_shrink([false, true]);
        scroll.show_rows(ui, height, n, |ui, range| {
            for index in range {
                let datum = Datum { slot: self.slot, list: self.list, index };
                let text = RichText::new(format!("{index}: {}", self.words(index)));
                let is_lit = ui.rect_contains_pointer(row_rect(ui, height));
                let text = text.color(if is_lit { theme.accent } else { theme.text });
                let row = ui.add(Label::new(text).truncate().sense(Sense::click()));
                let row = row.author_id(format_args!("data.{}.{index}", variant_id(self.list)));
                if is_lit {
                    pointed = Some(datum);
                }
                if row.clicked()
                    && let Some(point) = datum.place(self.navmesh)
                {
                    out.push(Command::Select(Some(Hover { point, triangle: None })));
                }
            }
        });
        pointed
    }

    fn words(&self, index: usize) -> String {
        let Self { tile, areas, .. } = self;
        let words = match self.list {
            DataList::Polygons => tile.polys.get(index).map(|poly| {
                let kind = if poly.kind == PolyKind::OffMesh { tr!("off-mesh link, ") } else { "" };
                let n = tile.corners(poly).len();
                tr!(
                    "{kind}{}, {n} corners, flags 0x{:x}",
                    area_name(areas, poly.area.0),
                    poly.flags
                )
            }),
            DataList::Corners => tile.vertices.get(index).map(|&at| coordinates(at)),
            DataList::Triangles => tile.detail_triangles.get(index).map(|[a, b, c, _]| {
                let poly = polygon_of_triangle(tile, index).unwrap_or_default();
                tr!("polygon {poly}, corners {a} {b} {c}")
            }),
            DataList::Nodes => tile.bv_nodes.get(index).map(|node| match node.index {
                poly @ 0.. => tr!("polygon {poly}"),
                skip => tr!("box, {} nodes", -i64::from(skip)),
            }),
            DataList::Connections => tile.off_mesh.get(index).map(|link| {
                let ways = if link.is_both_ways() { tr!("both ways") } else { tr!("one way") };
                tr!("number {}, {ways}", link.user_id)
            }),
        };
        words.unwrap_or_default()
    }
}

fn row_rect(ui: &egui::Ui, height: f32) -> egui::Rect {
    let size = egui::vec2(ui.available_width(), height);
    egui::Rect::from_min_size(ui.cursor().min, size)
}

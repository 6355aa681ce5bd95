//! Describes the picked element in the inspector: a triangle, a region, a contour vertex or a polygon.

use eframe::egui::{self, RichText};
use glam::Vec3;
use walkable::{
    bake::ContourVertex,
    debug_draw,
    ids::{RegionId, TileCoord},
    navmesh::{NavMesh, PolyKind, PolyLink, PolyRef, Tile},
};
use walkable_editor::{
    area_names::{area_name, flag_names},
    command::{Command, Commands},
    pick::{self, Pick},
    session::{Hover, SessionView, middle_of},
};
use walkable_workspace::{format, lang::tr};

use crate::{
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        legend::{dense_row, fact, heading, position_fact},
    },
};

/// Draws what is known about `pick`. Spans are shown in the list of their column.
pub(super) fn pick_ui(ui: &mut egui::Ui, pick: Pick, view: &SessionView<'_>, out: &mut Commands) {
    match pick {
        Pick::Span(_) => {}
        Pick::Triangle(number) => triangle_ui(ui, number, view),
        Pick::Region(tile, region) => region_ui(ui, tile, region, view),
        Pick::Corner(tile, outline, corner) => corner_ui(ui, tile, [outline, corner], view),
        Pick::Polygon(poly) => polygon_ui(ui, poly, view, out),
    }
}

fn triangle_ui(ui: &mut egui::Ui, number: u32, view: &SessionView<'_>) {
    let Some(mesh) = view.opened.level.as_ref().map(|level| &level.mesh) else { return };
    if number as usize >= mesh.triangles().len() {
        return;
    }
    heading(ui, &tr!("Triangle {number}"));
    let part = mesh.parts().iter().find(|part| part.triangles.contains(&number));
    if let Some(part) = part {
        let name = |text: &str| if text.is_empty() { "none" } else { text }.to_owned();
        fact(ui, tr!("Object"), &name(&part.object));
        fact(ui, tr!("Material"), &name(&part.material));
    }
    let [a, b, c] = mesh.corners(number as usize);
    let across = (b - a).cross(c - a);
    let slope = across.normalize_or(Vec3::Y).y.clamp(-1.0, 1.0).acos().to_degrees();
    fact(ui, tr!("Slope"), &format!("{}°", format::number(slope.into())));
    fact(ui, tr!("Surface"), &format::area(0.5 * across.length()));
}

fn region_ui(ui: &mut egui::Ui, tile: TileCoord, region: RegionId, view: &SessionView<'_>) {
    let Some(stages) = view.bake.stages_at(tile) else { return };
    let number = region.0 & !RegionId::BORDER_BIT;
    heading(ui, &tr!("Region {number}"));
    let cells = stages.regions.ids.iter().filter(|id| **id == region).count();
    let side = f64::from(stages.compact.frame.cell_size);
    #[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
    let area = cells as f64 * side * side;
    fact(ui, tr!("Cells"), &format::count(cells));
    fact(ui, tr!("Ground"), &format::area(area));
    if region.is_border() {
        fact(ui, tr!("Kind"), tr!("border, part of the next tile"));
        return;
    }
    let outlines = stages.contours.contours.iter().filter(|contour| contour.region == region);
    let mut across: Vec<_> = outlines
        .flat_map(|contour| contour.raw.iter().map(|vertex| vertex.region()))
        .filter(|other| other.is_ground() && *other != region)
        .map(|other| other.0)
        .collect();
    across.sort_unstable();
    across.dedup();
    let across: Vec<_> = across.iter().map(u16::to_string).collect();
    fact(ui, tr!("Next to regions"), &some_or_none(&across));
    let polygons = stages.polygons.polygons.iter().filter(|polygon| polygon.region == region);
    fact(ui, tr!("Polygons"), &format::count(polygons.count()));
}

fn corner_ui(
    ui: &mut egui::Ui,
    tile: TileCoord,
    [outline, corner]: [usize; 2],
    view: &SessionView<'_>,
) {
    let Some(stages) = view.bake.stages_at(tile) else { return };
    let Some(contour) = stages.contours.contours.get(outline) else { return };
    let corners = pick::shown(contour, view.shown.stage);
    let Some(&vertex) = corners.get(corner) else { return };
    heading(ui, &tr!("Corner {} of {} of an outline", corner + 1, corners.len()));
    let at = debug_draw::contour_corner(vertex, &stages.contours.frame);
    position_fact(ui, at);
    fact(ui, tr!("In voxels"), &format!("{} {} {}", vertex.x, vertex.y, vertex.z));
    fact(ui, tr!("Region"), &contour.region.0.to_string());
    let across = match vertex.region() {
        RegionId::NONE => tr!("wall or drop").to_owned(),
        region if region.is_border() => tr!("the next tile").to_owned(),
        region => tr!("region {}", region.0),
    };
    fact(ui, tr!("Across the edge"), &across);
    let flags = [
        (ContourVertex::BORDER_VERTEX, tr!("optional, at the tile's border")),
        (ContourVertex::AREA_BORDER, tr!("another area across")),
    ];
    let names: Vec<_> = flags
        .iter()
        .filter(|(flag, _)| vertex.has(*flag))
        .map(|(_, name)| (*name).to_owned())
        .collect();
    fact(ui, tr!("Flags"), &some_or_none(&names));
}

fn polygon_ui(ui: &mut egui::Ui, poly: PolyRef, view: &SessionView<'_>, out: &mut Commands) {
    let Some(navmesh) = view.bake.navmesh.as_deref() else { return };
    let Some((tile, index)) = navmesh.resolve(poly) else { return };
    let Some(data) = tile.polys.get(index) else { return };
    heading(ui, &tr!("Polygon {index}"));
    fact(ui, tr!("Reference"), &format!("{poly} (0x{:x})", poly.0));
    fact(ui, tr!("Area"), &area_name(&view.document().areas, data.area.0));
    fact(
        ui,
        tr!("Flags"),
        &format!("{} (0x{:04x})", flag_names(&view.document().areas, data.flags), data.flags),
    );
    let corners = tile.corners(data);
    fact(ui, tr!("Corners"), &corners.len().to_string());
    if let Some(patch) = tile.detail_patches.get(index) {
        fact(ui, tr!("Detail triangles"), &patch.n_triangles.to_string());
    }
    let links: Vec<_> = navmesh.links(poly).collect();
    heading(ui, &tr!("{}: click one to go there", format::counted(links.len(), "link", "links")));
    for link in links {
        link_ui(ui, navmesh, tile, &link, out);
    }
}

fn link_ui(ui: &mut egui::Ui, navmesh: &NavMesh, from: &Tile, link: &PolyLink, out: &mut Commands) {
    let Some((tile, index)) = navmesh.resolve(link.to) else { return };
    let Some(poly) = tile.polys.get(index) else { return };
    let theme = Theme::of(ui.ctx().theme());
    let is_link = poly.kind == PolyKind::OffMesh;
    let what = if is_link { tr!("Off-mesh link {index}") } else { tr!("Polygon {index}") };
    let elsewhere = (tile.header.x, tile.header.z) != (from.header.x, from.header.z);
    let place = if elsewhere {
        tr!(" of tile {}, {}", tile.header.x, tile.header.z)
    } else {
        String::new()
    };
    dense_row(ui, |ui| {
        let row =
            ui.link(format!("{what}{place}")).author_id(format_args!("pick.link.{}", link.to));
        if row.on_hover_text(tr!("Reference {}", link.to)).clicked() {
            let point = middle_of(&tile.corners(poly));
            out.push(Command::Select(Some(Hover { point, triangle: None })));
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let edge = match link.edge {
                0xff => tr!("onto it").to_owned(),
                edge => tr!("edge {edge}"),
            };
            ui.label(RichText::new(edge).color(theme.text_weak));
        });
    });
}

fn some_or_none(names: &[String]) -> String {
    if names.is_empty() { tr!("none").to_owned() } else { names.join(", ") }
}

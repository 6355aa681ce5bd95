//! The outliner: the objects and materials of the level.

mod minimap;
pub mod place_menu;
mod surface_menu;

use eframe::egui::{self, Label, RichText, WidgetInfo, accesskit::Role};
use walkable::{diagnostic::Diagnostic, geom::Aabb, mesh::MeshPart};
use walkable_editor::{
    command::{Command, Commands, DisplayCommand, LogCommand, ViewCommand},
    prefs::Prefs,
    session::{LoadedLevel, SessionView, World},
};
use walkable_workspace::{
    format,
    lang::{self, tr},
};

use self::{
    minimap::Minimap,
    surface_menu::{PartNames, surface_menu_ui, use_name},
};
use crate::{
    icons,
    panels::links_and_volumes::{counted_title, items_ui},
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        group::{Group, rows_ui},
        legend,
    },
};

/// Number of parts above which a field finds them by name.
const MIN_SEARCHED: usize = 12;

#[derive(Debug, Default)]
pub struct Outliner {
    search: String,
    minimap: Minimap,
}

impl Outliner {
    pub fn ui(
        &mut self,
        ui: &mut egui::Ui,
        view: &SessionView<'_>,
        prefs: &Prefs,
        out: &mut Commands,
    ) {
        title_ui(ui, view, out);
        failures_ui(ui, view, out);
        match &view.opened.level {
            Some(level) => {
                size_ui(ui, level, out);
                self.minimap.ui(ui, view, prefs.part_follows.into(), out);
                let scroll = egui::ScrollArea::vertical().id_salt("objects").auto_shrink(false);
                scroll.show(ui, |ui| {
                    items_ui(ui, view, out);
                    self.parts_ui(ui, level, view, out);
                });
            }
            None if view.opened.imported.is_some() => {
                navmesh_ui(ui, view, out);
                self.minimap.ui(ui, view, prefs.part_follows.into(), out);
            }
            None => {
                legend::empty(ui, tr!("No level is open. Drop a file here, or use File > Open."));
            }
        }
    }

    fn parts_ui(
        &mut self,
        ui: &mut egui::Ui,
        level: &LoadedLevel,
        view: &SessionView<'_>,
        out: &mut Commands,
    ) {
        let parts = level.mesh.parts();
        let can_search = parts.len() > MIN_SEARCHED;
        if !can_search {
            self.search.clear();
        }
        let wanted = self.search.to_lowercase();
        let is_wanted = |part: &MeshPart| {
            let has = |name: &str| name.to_lowercase().contains(&wanted);
            wanted.is_empty() || has(&part_name(&part.object, &part.material))
        };
        let rows: Vec<_> = parts.iter().enumerate().filter(|(_, part)| is_wanted(part)).collect();
        let n_all = format::count(parts.len());
        let n = if wanted.is_empty() {
            n_all
        } else {
            tr!("{} of {}", format::count(rows.len()), n_all)
        };
        let title = counted_title(tr!("Objects"), n);
        let group = Group { id: "level.group.objects", title: &title, is_forced_open: false };
        let mut pointed = None;
        let body_ui = |ui: &mut egui::Ui| {
            if can_search {
                self.search_ui(ui);
            }
            pointed = part_rows_ui(ui, &rows, view, out);
        };
        group.show(ui, |_| {}, body_ui);
        if pointed != view.shown.display.part {
            out.push(DisplayCommand::PointAt(pointed));
        }
    }

    fn search_ui(&mut self, ui: &mut egui::Ui) {
        let field = egui::TextEdit::singleline(&mut self.search).hint_text(tr!("Find an object"));
        let field = ui.add(field.desired_width(f32::INFINITY)).author_id("level.search");
        field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, tr!("Find an object")));
    }
}

/// Draws the rows of parts; returns the index of the part under the pointer.
fn part_rows_ui(
    ui: &mut egui::Ui,
    rows: &[(usize, &MeshPart)],
    view: &SessionView<'_>,
    out: &mut Commands,
) -> Option<usize> {
    let theme = Theme::of(ui.ctx().theme());
    let place = view.tools.selection.or_else(|| view.tools.hover).and_then(|place| place.triangle);
    let mut pointed = None;
    let height = ui.text_style_height(&egui::TextStyle::Body);
    ui.spacing_mut().interact_size.y = height;
    ui.spacing_mut().item_spacing.y = 4.0;
    rows_ui(ui, height, rows.len(), |ui, row| {
        let Some((index, part)) = rows.get(row) else { return };
        let name = &part_name(&part.object, &part.material);
        let names = PartNames { object: &part.object, material: &part.material };
        let is_lit = place.is_some_and(|triangle| part.triangles.contains(&triangle));
        let n_triangles = part.triangles.len();
        let row = Row { name, names, n_triangles, index: *index, is_lit };
        if row.ui(ui, &theme, view, out) {
            pointed = Some(*index);
        }
    });
    pointed
}

fn title_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.horizontal(|ui| {
        let name = view.name().unwrap_or_else(|| tr!("No level").to_owned());
        ui.add(Label::new(RichText::new(name).strong()).truncate());
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if !view.has_import_options() {
                return;
            }
            let command = Command::ImportOptions;
            let button = ui.small_button(icons::ICON_TUNE.codepoint).author_id(command.id());
            let name = command.text().into_owned();
            button.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
            if button.on_hover_text(format!("{name}: {}", command.tooltip())).clicked() {
                out.push(command);
            }
        });
    });
}

fn size_ui(ui: &mut egui::Ui, level: &LoadedLevel, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    let weak = |text: String| Label::new(RichText::new(text).small().color(theme.text_weak));
    let n_triangles = level.mesh.triangles().len();
    if let Some(world) = &level.world {
        let [n, n_all] = [n_triangles, world.n_triangles].map(format::short_count);
        for line in [part_line(world), tr!("{n} of {n_all} triangles")] {
            ui.add(weak(line).truncate());
        }
    } else {
        let size = format::size(level.mesh.bounds().size().to_array());
        let triangles = format::counted(n_triangles, "triangle", "triangles");
        ui.add(weak(format!("{triangles} · {size}")).truncate())
            .on_hover_text(tr!("Size along x, y (up) and z"));
    }
    if !level.warnings.is_empty() {
        let n = level.warnings.iter().map(Diagnostic::count).sum();
        let n = format::counted(n, "oddity", "oddities");
        let text = tr!("{} {n} in the file: see the log", icons::ICON_WARNING.codepoint);
        see_log_ui(ui, text, out);
    }
}

fn see_log_ui(ui: &mut egui::Ui, text: String, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    let show = Command::from(LogCommand::ShowFileLines);
    let link = ui.link(RichText::new(text).small().color(theme.warning)).author_id(show.id());
    if link.on_hover_text(show.tooltip()).clicked() {
        out.push(show);
    }
}

fn part_line(world: &World) -> String {
    let across = |area: &Aabb| format::size([area.size().x, area.size().z]);
    let (part, whole) = (across(&world.part), across(&world.bounds));
    tr!("Part {part} of {whole}")
}

struct Row<'a> {
    name: &'a str,
    names: PartNames<'a>,
    n_triangles: usize,
    index: usize,
    is_lit: bool,
}

impl Row<'_> {
    fn ui(
        &self,
        ui: &mut egui::Ui,
        theme: &Theme,
        view: &SessionView<'_>,
        out: &mut Commands,
    ) -> bool {
        let document = view.document();
        let from_right = egui::Layout::right_to_left(egui::Align::Center);
        let from_left = egui::Layout::left_to_right(egui::Align::Center);
        let width = ui.available_width();
        let row = ui.allocate_ui_with_layout(egui::vec2(width, 0.0), from_right, |ui| {
            surface_menu_ui(ui, self.index, self.names, view, out);
            ui.label(RichText::new(format::count(self.n_triangles)).small().color(theme.text_weak));
            if let Some(rule) = self.names.rule(&document.surfaces) {
                let use_name = use_name(rule.becomes, &document.areas);
                let label = ui.label(RichText::new(use_name).small().color(theme.accent));
                label.on_hover_text(tr!("Rule: {} {}", rule.source.key(), rule.name));
            }
            ui.with_layout(from_left, |ui| {
                let (icon, text) = if self.is_lit {
                    (theme.accent, theme.accent)
                } else {
                    (theme.text_weak, theme.text)
                };
                ui.label(RichText::new(icons::ICON_DEPLOYED_CODE.codepoint).color(icon));
                let label = Label::new(RichText::new(self.name).color(text)).truncate();
                let label = ui.add(label.sense(egui::Sense::click()));
                label.widget_info(|| WidgetInfo::labeled(Role::Button, true, self.name));
                let label = label.author_id(format_args!("level.object.{}", self.index));
                if label.gained_focus() {
                    label.scroll_to_me(None);
                }
                let what = tr!("{}: click to move the camera to it", self.name);
                if label.on_hover_text(what).clicked() {
                    out.push(ViewCommand::FramePart(self.index));
                }
            });
        });
        row.response.contains_pointer()
    }
}

fn part_name(object: &str, material: &str) -> String {
    match (object, material) {
        ("", "") => tr!("Unnamed").to_owned(),
        (object, "") => object.to_owned(),
        ("", material) => material.to_owned(),
        (object, material) => format!("{object} · {material}"),
    }
}

fn navmesh_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let Some(navmesh) = view.bake.navmesh.as_deref() else { return };
    let n_tiles = navmesh.tiles().count();
    let theme = Theme::of(ui.ctx().theme());
    if let Some(world) = view.world() {
        let line = RichText::new(part_line(world)).small().color(theme.text_weak);
        ui.add(Label::new(line).truncate());
    }
    let n_all = view.opened.store.as_ref().map(|store| store.index.ground_entries().count());
    let tiles = match n_all.filter(|_| view.world().is_some()) {
        Some(n_all) => tr!("{} of {}", format::count(n_tiles), format::count(n_all)),
        None => format::count(n_tiles),
    };
    legend::fact(ui, tr!("Tiles"), &tiles);
    if let Some(n) = view.opened.store.as_ref().map(|store| store.n_damaged).filter(|n| *n > 0) {
        let n = format::counted(n, "tile", "tiles");
        let text = tr!("{} {n} damaged and left out: see the log", icons::ICON_WARNING.codepoint);
        see_log_ui(ui, text, out);
    }
    legend::fact(ui, tr!("Polygons"), &format::count(view.bake.totals.n_polys));
    legend::empty(ui, tr!("A navmesh without its level. Paths work; stages need the level."));
}

/// Lists the tiles that failed; a click shows the tile.
fn failures_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    const MAX_LISTED: usize = 5;
    let theme = Theme::of(ui.ctx().theme());
    let n = view.bake.failures().count();
    for (tile, why) in view.bake.failures().take(MAX_LISTED) {
        let text = tr!("{} Tile {tile} failed", icons::ICON_ERROR.codepoint);
        let link =
            ui.link(RichText::new(text).color(theme.error)).on_hover_text(lang::error_text(why));
        if link.clicked() {
            out.push(ViewCommand::Tile(Some(tile)));
        }
    }
    if n > MAX_LISTED {
        let text = tr!("and {} more", n - MAX_LISTED);
        ui.label(RichText::new(text).small().color(theme.error));
    }
}

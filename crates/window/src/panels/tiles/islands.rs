//! The islands of the navmesh, and the rule for which ones are kept.

use eframe::egui::{self, RichText, vec2};
use glam::Vec3;
use walkable::{
    diagnostic::Phrase,
    geom::Aabb,
    phrase,
    query::{Filter, Island, IslandRule, NearestRequest, Reachability, islands, nearest},
};
use walkable_editor::{
    command::{Command, Commands, GroundCommand},
    session::{Edit, Islands, SessionView},
};
use walkable_workspace::{
    format,
    lang::{self, tr},
};

use crate::{
    icons::{self, MaterialIcon},
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        command_button::command_button,
        edited::Edited,
        legend::{column, empty, heading},
        numeric::{self, NumberSpec},
    },
};

/// Maximum number of rows; if there are more islands, the smallest are only counted.
const MAX_ROWS: usize = 200;
/// Initial value of the minimum island area when the rule is switched on, in square meters.
const FIRST_AREA: f32 = 4.0;
/// Minimum width of the panel at which the list is beside the rule, in points.
const NARROW: f32 = 620.0;
const AREA: NumberSpec<'_> =
    NumberSpec { unit: "m²", slider: [0.0, 100.0], limits: [0.0, 1e9], step: 1.0 };

#[derive(Debug, Default)]
pub struct IslandsPanel {
    known: Option<(u64, Known)>,
}

#[derive(Debug)]
struct Known {
    /// Kept islands, then removed ones; in each group the largest first.
    rows: Vec<Row>,
    reach: Reachability,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    Narrow,
    Wide,
}

#[derive(Debug)]
struct Row {
    /// Its number in [`Known::reach`]; `None` if it was removed.
    number: Option<u32>,
    area: f64,
    n_polys: usize,
    bounds: Aabb,
    place: Vec3,
}

impl IslandsPanel {
    pub fn ui(&mut self, ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
        self.look(view);
        let Some((_, known)) = &self.known else {
            return empty(
                ui,
                tr!("Islands are parts of the navmesh that are not connected. Bake first."),
            );
        };
        let is_narrow = ui.available_width() < NARROW;
        let scroll = egui::ScrollArea::new([!is_narrow, true]).auto_shrink([false, false]);
        scroll.show(ui, |ui| {
            if is_narrow {
                rule_ui(ui, known, view, out);
                ui.add_space(6.0);
                return list_ui(ui, known, Width::Narrow, view, out);
            }
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = 32.0;
                ui.vertical(|ui| {
                    ui.set_width(280.0);
                    rule_ui(ui, known, view, out);
                });
                ui.vertical(|ui| list_ui(ui, known, Width::Wide, view, out));
            });
        });
    }

    fn look(&mut self, view: &SessionView<'_>) {
        let serial = view.bake.navmesh_serial;
        let Some(mesh) = view.bake.navmesh.as_deref() else {
            self.known = None;
            return;
        };
        if self.known.as_ref().is_some_and(|(of, _)| *of == serial) {
            return;
        }
        let reach = Reachability::new(mesh, &Filter::default());
        let row = |island: &Island, number| {
            let Island { area, n_polys, bounds, place, .. } = *island;
            Row { number, area, n_polys, bounds, place: place.point }
        };
        let kept = islands(mesh, &reach);
        let dropped = view.bake.pruning().map_or(&[][..], |pruning| &pruning.dropped);
        let rows = kept.iter().map(|island| row(island, Some(island.number)));
        let rows = rows.chain(dropped.iter().map(|island| row(island, None))).collect();
        self.known = Some((serial, Known { rows, reach }));
    }
}

impl Known {
    /// Returns the island that a path from `place` would start on.
    fn island(&self, view: &SessionView<'_>, place: Vec3) -> Option<u32> {
        let mesh = view.bake.navmesh.as_deref()?;
        let half_extents = IslandRule::default().half_extents;
        let filter = &Filter::default();
        let on = nearest(mesh, &NearestRequest { center: place, half_extents, filter }).ok()??;
        self.reach.island(mesh, on.poly)
    }
}

fn rule_ui(ui: &mut egui::Ui, known: &Known, view: &SessionView<'_>, out: &mut Commands) {
    let rule = &view.document().islands;
    heading(ui, tr!("Prune islands"));
    let mut by_area = rule.min_area.is_some();
    ui.horizontal_wrapped(|ui| {
        let what = tr!("Removes islands with a smaller area from the navmesh after each bake");
        let check = ui
            .checkbox(&mut by_area, tr!("Remove islands smaller than"))
            .author_id("islands.by-area");
        if check.on_hover_text(what).changed() {
            let min_area = by_area.then_some(FIRST_AREA);
            send(phrase!("Change minimum island area"), Islands { min_area, ..rule.clone() }, out);
        }
        if let Some(least) = rule.min_area {
            let mut least = f64::from(least);
            let name = tr!("Minimum area of an island");
            let response = numeric::named_field(ui, name, &mut least, &AREA, 90.0);
            let response = response.author_id("islands.least-area");
            #[expect(clippy::cast_possible_truncation, reason = "limited to a billion")]
            let least = least as f32;
            let next = Islands { min_area: Some(least), ..rule.clone() };
            let label = phrase!("Change minimum island area");
            Edited::of(&response).send(label, Edit::Islands(next), out);
        }
    });
    let theme = Theme::of(ui.ctx().theme());
    let n = rule.seeds.len();
    let text = if n == 0 { tr!("Seed points: none").to_owned() } else { tr!("Seed points: {n}") };
    ui.label(text).on_hover_text(tr!("An island with a seed point is kept, however small"));
    if let Some(lost) = view.bake.pruning().map(|pruning| pruning.lost_seeds.len())
        && lost > 0
    {
        let text =
            tr!("{} off the navmesh", format::counted(lost, "seed point is", "seed points are"));
        ui.label(RichText::new(text).small().color(theme.warning));
    }
    let n_dropped = known.rows.iter().filter(|row| row.number.is_none()).count();
    let n_kept = known.rows.len() - n_dropped;
    let dropped = if n_dropped > 0 { tr!(", {n_dropped} removed") } else { String::new() };
    let text = format!("{}{dropped}", format::counted(n_kept, "island", "islands"));
    ui.label(RichText::new(text).color(theme.text_weak));
    command_button(ui, view, GroundCommand::KeepAllIslands, out);
}

fn send(label: Phrase, islands: Islands, out: &mut Commands) {
    out.push(Command::Change(label, Edit::Islands(islands)));
}

fn list_ui(
    ui: &mut egui::Ui,
    known: &Known,
    width: Width,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    let rule = &view.document().islands;
    let on = |place: Option<Vec3>| place.and_then(|place| known.island(view, place));
    let ends = [(tr!("path start"), on(view.path.start)), (tr!("path end"), on(view.path.end))];
    // After a bake, the place of the row may differ; the island is then found by the highlighted place.
    let is_at = |row: &Row| view.tools.island == Some(row.place);
    let marked = known.rows.iter().position(is_at).or_else(|| {
        let number = on(view.tools.island)?;
        known.rows.iter().position(|row| row.number == Some(number))
    });
    let seeds: Vec<_> = rule.seeds.iter().map(|&seed| (seed, on(Some(seed)))).collect();
    let with = |rank: usize, row: &Row| {
        let ends = ends.iter().filter(|(_, on)| on.is_some() && *on == row.number);
        let own = seeds.iter().filter(|(_, on)| on.is_some() && *on == row.number);
        IslandRowMarks {
            ends: ends.map(|(name, _)| *name).collect(),
            seeds: own.map(|(seed, _)| *seed).collect(),
            is_marked: marked == Some(rank),
        }
    };
    let rows = known.rows.iter().take(MAX_ROWS).enumerate();
    if width == Width::Narrow {
        ui.spacing_mut().item_spacing = vec2(6.0, 2.0);
        for (rank, row) in rows {
            narrow_row_ui(ui, rank, row, &with(rank, row), view, out);
        }
    } else {
        ui.spacing_mut().item_spacing = vec2(16.0, 3.0);
        egui::Grid::new("islands").num_columns(5).striped(true).show(ui, |ui| {
            for title in [tr!("Island"), tr!("Area"), tr!("Polygons"), "", tr!("With")] {
                column(ui, title);
            }
            ui.end_row();
            for (rank, row) in rows {
                row_ui(ui, rank, row, &with(rank, row), view, out);
                ui.end_row();
            }
        });
    }
    if known.rows.len() > MAX_ROWS {
        empty(ui, &tr!("and {} smaller ones", known.rows.len() - MAX_ROWS));
    }
}

struct IslandRowMarks {
    ends: Vec<&'static str>,
    seeds: Vec<Vec3>,
    is_marked: bool,
}

fn row_ui(
    ui: &mut egui::Ui,
    rank: usize,
    row: &Row,
    with: &IslandRowMarks,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    let rule = &view.document().islands;
    let row_text = RowText { name: tr!("Island {number}", number = rank + 1), row, with, rule };
    row_text.name_ui(ui, rank, out);
    ui.label(row_text.weak(format::area(row.area)));
    ui.label(row_text.weak(format::count(row.n_polys)));
    row_text.seed_ui(ui, rank, None, out);
    ui.label(row_text.weak(row_text.with()));
}

/// Draws a row in a narrow panel: name, size and the seed's button in one line, the ends below.
fn narrow_row_ui(
    ui: &mut egui::Ui,
    rank: usize,
    row: &Row,
    with: &IslandRowMarks,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    let rule = &view.document().islands;
    let row_text = RowText { name: tr!("Island {number}", number = rank + 1), row, with, rule };
    ui.horizontal(|ui| {
        row_text.name_ui(ui, rank, out);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let icon = if with.seeds.is_empty() {
                icons::ICON_ADD_LOCATION_ALT
            } else {
                icons::ICON_WRONG_LOCATION
            };
            row_text.seed_ui(ui, rank, Some(icon), out);
            let polygons = format::counted(row.n_polys, "polygon", "polygons");
            let size = format!("{} · {polygons}", format::area(row.area));
            ui.add(egui::Label::new(row_text.weak(size)).truncate());
        });
    });
    let with = row_text.with();
    if !with.is_empty() {
        let theme = Theme::of(ui.ctx().theme());
        ui.indent(rank, |ui| ui.label(RichText::new(with).small().color(theme.text_weak)));
    }
}

struct RowText<'a> {
    name: String,
    row: &'a Row,
    with: &'a IslandRowMarks,
    rule: &'a Islands,
}

impl RowText<'_> {
    fn weak(&self, text: String) -> RichText {
        let text = RichText::new(text);
        if self.row.number.is_none() { text.weak() } else { text }
    }

    fn name_ui(&self, ui: &mut egui::Ui, rank: usize, out: &mut Commands) {
        let label = ui.selectable_label(self.with.is_marked, self.weak(self.name.clone()));
        let label = label.author_id(format_args!("islands.{rank}"));
        if label.on_hover_text(tr!("Moves the camera to it")).clicked() {
            let island = (!self.with.is_marked).then_some((self.row.place, self.row.bounds));
            out.push(GroundCommand::ChooseIsland(island));
        }
    }

    /// Draws the button that adds or removes the seed, with this icon instead of its text.
    fn seed_ui(
        &self,
        ui: &mut egui::Ui,
        rank: usize,
        icon: Option<MaterialIcon>,
        out: &mut Commands,
    ) {
        let island = phrase!("Island {number}", number = rank + 1).within();
        let adds = self.with.seeds.is_empty();
        let (text, id, label) = if adds {
            (tr!("Add seed"), "keep", phrase!("Add seed to {island}", island))
        } else {
            (tr!("Remove seed"), "let-go", phrase!("Remove seed from {island}", island))
        };
        let name = lang::phrase(&label);
        let what = if adds {
            tr!(
                "Keeps this island, however small. Without a minimum area, islands without a seed point \
            are removed"
            )
        } else {
            tr!(
                "Removes the seed points on this island, which is then kept only if it is large enough"
            )
        };
        let button = ui.small_button(icon.map_or(text, |icon| icon.codepoint));
        let button = button.on_hover_text(format!("{text}: {}", format::within(what)));
        button
            .widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Button, true, &name));
        if button.author_id(format_args!("islands.{rank}.{id}")).clicked() {
            let seeds = self.rule.seeds.iter().copied();
            let seeds = if adds {
                seeds.chain([self.row.place]).collect()
            } else {
                seeds.filter(|seed| !self.with.seeds.contains(seed)).collect()
            };
            send(label, Islands { seeds, ..self.rule.clone() }, out);
        }
    }

    /// Describes what is on the island, or that it is removed.
    fn with(&self) -> String {
        if self.row.number.is_none() {
            return tr!("{} removed", icons::ICON_BLOCK.codepoint);
        }
        let IslandRowMarks { ends, seeds, .. } = self.with;
        let seed_point = (!seeds.is_empty()).then_some(tr!("seed point"));
        let with: Vec<_> = ends.iter().copied().chain(seed_point).collect();
        with.join(", ")
    }
}

//! The properties of an obstacle, and the form for new ones.

use eframe::egui::{self, RichText};
use walkable::{bake::BakeSettings, phrase};
use walkable_editor::{
    command::{Command, Commands, GroundCommand},
    session::{Edit, SceneItem, SessionView, ShapeKind, prepared_for_obstacles},
};
use walkable_workspace::{
    document::{OBSTACLE_TILE_SIZE, Obstacles, has_layer_tiles},
    format,
    lang::{self, tr},
};

use crate::{
    panels::links_and_volumes::{item_buttons_ui, name_ui, volume::shape_ui},
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        legend::{empty, fact, heading},
    },
};

pub fn obstacle_ui(ui: &mut egui::Ui, number: usize, view: &SessionView<'_>, out: &mut Commands) {
    let obstacles = &view.document().obstacles;
    let Some(obstacle) = obstacles.list.get(number) else { return };
    name_ui(ui, SceneItem::Obstacle(number), view, out);
    let mut next = obstacle.shape.clone();
    let edited = shape_ui(ui, &ShapeKind::OBSTACLES, &mut next).or_at_once(&next, &obstacle.shape);
    let mut all = obstacles.clone();
    all.list[number].shape = next;
    edited.send(phrase!("Change obstacle"), Edit::Obstacles(all), out);
    trouble_ui(ui, view, out);
    item_buttons_ui(ui, out);
}

pub fn new_obstacle_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.label(RichText::new(tr!("Obstacles")).strong());
    let obstacles = &view.document().obstacles;
    let mut prepared = obstacles.prepared;
    let what = tr!("Bakes the level in tile cache layers, from which tiles are rebuilt when an \
    obstacle is added, moved or removed");
    let check = ui.checkbox(&mut prepared, tr!("Prepare for obstacles"));
    if check.author_id("obstacles.prepare").on_hover_text(what).changed() {
        let edit = if prepared {
            prepared_for_obstacles(view.document())
        } else {
            Edit::Obstacles(Obstacles { prepared, ..obstacles.clone() })
        };
        out.push(Command::Change(phrase!("Prepare for obstacles"), edit));
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for kind in ShapeKind::OBSTACLES {
            let command = Command::from(GroundCommand::NextObstacle(kind));
            let label = ui.selectable_label(view.tools.new_obstacle == kind, kind.name());
            if label.author_id(command.id()).clicked() {
                out.push(command);
            }
        }
    });
    trouble_ui(ui, view, out);
    layers_ui(ui, view);
    if obstacles.list.is_empty() {
        return empty(
            ui,
            tr!(
                "Click the ground to drop an obstacle, then drag it: the navmesh adapts. Games can do \
            the same: export the layers."
            ),
        );
    }
    fact(ui, tr!("Obstacles"), &obstacles.list.len().to_string());
}

fn layers_ui(ui: &mut egui::Ui, view: &SessionView<'_>) {
    let Some(stats) = view.bake.layered().map(|layered| layered.stats) else { return };
    fact(ui, tr!("Layers"), &format::count(stats.n_layers));
    fact(ui, tr!("Tiles with layers"), &format::count(stats.n_places));
    let share = stats.n_bytes * 100 / stats.n_unpacked_bytes.max(1);
    fact(ui, tr!("Packed"), &format!("{} ({share} %)", format::bytes(stats.n_bytes)));
    fact(ui, tr!("Unpacked"), &format::bytes(stats.n_unpacked_bytes));
}

fn trouble_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let Some(error) = view.bake.layers_error().filter(|_| view.document().obstacles.prepared)
    else {
        return;
    };
    let theme = Theme::of(ui.ctx().theme());
    heading(ui, tr!("Problem"));
    let error = lang::error_text(error);
    ui.add(egui::Label::new(RichText::new(error).color(theme.error)).wrap());
    let settings = &view.document().settings;
    if !has_layer_tiles(settings) {
        let size = OBSTACLE_TILE_SIZE;
        let label = phrase!("Split into tiles of {size} voxels", size);
        if ui.button(lang::phrase(&label)).author_id("obstacles.cut-into-tiles").clicked() {
            let settings = BakeSettings { tile_size: size, ..settings.clone() };
            out.push(Command::Change(label, Edit::Settings(Box::new(settings))));
        }
    }
}

//! The form of the search settings: Unreal's options, the limits of the search, and the points of the path.

use eframe::egui;
use glam::Vec3;
use walkable::query::{Crossings, MAX_NODES, SearchRules};
use walkable_editor::{
    command::{Commands, PathCommand, variant_id},
    session::PathState,
};
use walkable_workspace::{format, lang::tr};

use crate::{
    panels::{path::send_filter, query::CROSSINGS},
    widgets::{
        author_id::AuthorId as _,
        edited::Edited,
        numeric::{self, NumberSpec},
        property_row::PropertyRow,
    },
};

const SCALE: NumberSpec<'_> =
    NumberSpec { unit: "", slider: [0.0, 5.0], limits: [0.0, 1000.0], step: 0.1 };
const LIMIT: NumberSpec<'_> =
    NumberSpec { unit: "", slider: [1.0, 1000.0], limits: [0.0, 1e9], step: 10.0 };
const REACH: NumberSpec<'_> =
    NumberSpec { unit: "m", slider: [0.1, 20.0], limits: [0.01, 1000.0], step: 0.1 };
const FIRST_LIMIT: f32 = 100.0;

pub(super) fn rules_ui(ui: &mut egui::Ui, path: &PathState, out: &mut Commands) {
    let mut filter = path.filter.clone();
    let edited = scale_ui(ui, &mut filter.rules).or(cost_limit_ui(ui, &mut filter.rules));
    switches_ui(ui, &mut filter.rules);
    let edited = edited.or_at_once(&filter, &path.filter);
    send_filter(filter, edited, out);
    nodes_ui(ui, path.max_nodes, out);
    reach_ui(ui, path.half_extents, out);
    crossings_ui(ui, path.crossings, out);
}

pub(super) fn direction_ui(ui: &mut egui::Ui, path: &PathState, out: &mut Commands) {
    let mut backwards = path.backwards;
    let what = tr!(
        "Searches from the end to the start, over off-mesh links against their direction. \
    If there is no complete path, the path begins as near to the start as possible. Detour A* only"
    );
    let check = ui.checkbox(&mut backwards, tr!("Search from the end"));
    if check.author_id("path.backwards").on_hover_text(what).changed() {
        out.push(PathCommand::Backwards(backwards));
    }
}

pub(super) fn goal_ui(ui: &mut egui::Ui, path: &PathState, out: &mut Commands) {
    let (name, what) = if path.backwards {
        (
            tr!("Require a navigable start"),
            tr!(
                "If off, the start may be off the navmesh: the path begins as near to it as possible"
            ),
        )
    } else {
        (
            tr!("Require a navigable end"),
            tr!("If off, the end may be off the navmesh: the path leads as near to it as possible"),
        )
    };
    let mut requires = path.requires_goal;
    let check = ui.checkbox(&mut requires, name).author_id("path.require-goal");
    if check.on_hover_text(what).changed() {
        out.push(PathCommand::RequireGoal(requires));
    }
}

fn scale_ui(ui: &mut egui::Ui, rules: &mut SearchRules) -> Edited {
    let usual = SearchRules::default().heuristic_scale;
    let mut value = f64::from(rules.heuristic_scale);
    let changed = (rules.heuristic_scale - usual).abs() > 0.0;
    let row = PropertyRow {
        id: "path.heuristic-scale",
        label: tr!("Heuristic scale"),
        tooltip: tr!(
            "Factor of the straight-line distance: 0 searches in all directions; above the \
        lowest area cost the search is faster, and the path may cost more by the same factor"
        ),
        changed_from: changed.then(|| format::number(usual.into())),
        ..PropertyRow::default()
    };
    let field = row.show(ui, |ui, label| numeric::field(ui, label, &mut value, &SCALE, 78.0));
    let edited = Edited::of(&field.inner);
    if edited.changed {
        rules.heuristic_scale = numeric::narrow(value);
    }
    if field.reset {
        rules.heuristic_scale = usual;
        return Edited::at_once();
    }
    edited
}

fn cost_limit_ui(ui: &mut egui::Ui, rules: &mut SearchRules) -> Edited {
    let mut limited = rules.cost_limit.is_finite();
    let mut value = f64::from(if limited { rules.cost_limit } else { FIRST_LIMIT });
    ui.horizontal(|ui| {
        let what = tr!("Paths that cost more are not searched for");
        let check = ui.checkbox(&mut limited, tr!("Cost limit")).author_id("path.cost-limit");
        if check.on_hover_text(what).changed() {
            rules.cost_limit = if limited { FIRST_LIMIT } else { f32::INFINITY };
        }
        let field = ui.add_enabled_ui(limited, |ui| {
            numeric::named_field(ui, tr!("Highest cost"), &mut value, &LIMIT, 78.0)
        });
        let edited = Edited::of(&field.inner.author_id("path.highest-cost"));
        if edited.changed {
            rules.cost_limit = numeric::narrow(value);
        }
        edited
    })
    .inner
}

fn switches_ui(ui: &mut egui::Ui, rules: &mut SearchRules) {
    for (id, name, what, on) in [
        (
            "path.expects-cheapest-area",
            tr!("Scale heuristic by lowest area cost"),
            tr!(
                "Scales the heuristic by the lowest cost of any area, so that it never overestimates \
            and cheap areas are used"
            ),
            &mut rules.expects_cheapest_area,
        ),
        (
            "path.skips-closed",
            tr!("Never reopen closed nodes"),
            tr!("An expanded polygon is not expanded again, even if a cheaper path to it is found"),
            &mut rules.skips_closed,
        ),
        (
            "path.moves-entries",
            tr!("Update entry points on relaxation"),
            tr!("The entry point of a polygon moves when a cheaper path reaches it"),
            &mut rules.moves_entries,
        ),
    ] {
        ui.checkbox(on, name).author_id(id).on_hover_text(what);
    }
}

#[expect(clippy::cast_precision_loss, reason = "at most 65,535")]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 65,535")]
fn nodes_ui(ui: &mut egui::Ui, max_nodes: usize, out: &mut Commands) {
    let most = MAX_NODES as f64;
    let spec = NumberSpec { unit: "", slider: [1.0, most], limits: [1.0, most], step: 1.0 };
    let mut value = max_nodes as f64;
    let row = PropertyRow {
        id: "path.max-nodes",
        label: tr!("Node limit"),
        tooltip: tr!("Maximum number of nodes of the search; RecastDemo's queries have 2,048"),
        changed_from: (max_nodes != MAX_NODES).then(|| format::count(MAX_NODES)),
        ..PropertyRow::default()
    };
    let field = row.show(ui, |ui, label| numeric::field(ui, label, &mut value, &spec, 78.0));
    let next = if field.reset { MAX_NODES } else { value as usize };
    if next != max_nodes {
        out.push(PathCommand::MaxNodes(next));
    }
}

fn reach_ui(ui: &mut egui::Ui, reach: Vec3, out: &mut Commands) {
    let mut next = reach.to_array();
    ui.label(tr!("Search half-extents (x, y, z)"));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (axis, value) in ["x", "y", "z"].into_iter().zip(&mut next) {
            let mut wide = f64::from(*value);
            let name = tr!("Reach along {axis}, to either side");
            let field = numeric::named_field(ui, &name, &mut wide, &REACH, 70.0);
            if field.author_id(format_args!("path.reach.{axis}")).changed() {
                *value = numeric::narrow(wide);
            }
        }
    });
    let next = Vec3::from(next);
    if next != reach {
        out.push(PathCommand::Reach(next));
    }
}

fn crossings_ui(ui: &mut egui::Ui, crossings: Crossings, out: &mut Commands) {
    ui.label(tr!("Points at crossings"));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (choice, name, tooltip) in CROSSINGS {
            let label = ui.selectable_label(choice == crossings, tr(name));
            let label = label.author_id(format_args!("path.points-at.{}", variant_id(choice)));
            let label = label.on_hover_text(tr(tooltip));
            if label.clicked() && choice != crossings {
                out.push(PathCommand::PointsAt(choice));
            }
        }
    });
}

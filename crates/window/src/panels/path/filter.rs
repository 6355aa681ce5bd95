//! The query filter of a path: flags and costs.

use eframe::egui::{self, RichText, vec2};
use walkable::{debug_draw::Paint, ids::AreaId, query::Filter};
use walkable_editor::{area_names::area_name, session::AreaTable};
use walkable_workspace::{
    document::{COSTS, ENTERING_COSTS},
    format,
    lang::tr,
};

use crate::{
    panels::areas::choice::{flags_ui, forbidden_flags_ui},
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        edited::Edited,
        legend::{heading, swatch},
        numeric::{self, NumberSpec},
        property_row::{DOT_WIDTH, reset_dot},
    },
};

const COST_WIDTH: f32 = 64.0;

pub(super) fn filter_ui(ui: &mut egui::Ui, areas: &AreaTable, filter: &Filter) -> (Filter, Edited) {
    let mut next = filter.clone();
    heading(ui, tr!("Include flags"));
    flags_ui(ui, areas, &mut next.include_flags);
    heading(ui, tr!("Exclude flags"));
    forbidden_flags_ui(ui, areas, &mut next.exclude_flags);
    let edited = costs_ui(ui, areas, &mut next).or_at_once(&next, filter);
    (next, edited)
}

fn costs_ui(ui: &mut egui::Ui, areas: &AreaTable, filter: &mut Filter) -> Edited {
    let mut edited = Edited::default();
    let theme = Theme::of(ui.ctx().theme()).with_areas(areas);
    row_ui(
        ui,
        |ui| heading(ui, tr!("Cost")),
        |ui| {
            for text in [tr!("Entering cost"), tr!("Cost per meter")] {
                ui.allocate_ui(vec2(COST_WIDTH, 16.0), |ui| {
                    ui.set_width(COST_WIDTH);
                    ui.label(RichText::new(text).small().color(theme.text_weak));
                });
            }
        },
    );
    for area in areas.listed() {
        let name = area_name(areas, area);
        let at = usize::from(area);
        let of_area = areas.area(area);
        row_ui(
            ui,
            |ui| {
                swatch(ui, theme.paint(Paint::Area(AreaId(area))));
                ui.add(egui::Label::new(&name).truncate());
            },
            |ui| {
                let entering = tr!("{name}, entering cost");
                let rules = &mut filter.rules;
                let entered = cost_ui(
                    ui,
                    [&format!("path.entering-cost.{area}"), &entering],
                    (rules.entering_cost.get_mut(at), of_area.entering_cost),
                    ENTERING_COSTS,
                    0.0,
                );
                let walked = cost_ui(
                    ui,
                    [&format!("path.cost.{area}"), &name],
                    (filter.area_cost.get_mut(at), of_area.cost),
                    COSTS,
                    1.0,
                );
                edited = edited.or(entered).or(walked);
            },
        );
    }
    edited
}

/// Draws a name on the left and fields on the right, from right to left.
fn row_ui(ui: &mut egui::Ui, name: impl FnOnce(&mut egui::Ui), fields: impl FnOnce(&mut egui::Ui)) {
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 2.0 * (COST_WIDTH + 8.0)).max(40.0);
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        ui.allocate_ui_with_layout(vec2(width, 20.0), layout, |ui| {
            ui.set_width(width);
            name(ui);
        });
        fields(ui);
    });
}

/// Draws a cost of the path, with a dot that resets it if it differs from the area's.
fn cost_ui(
    ui: &mut egui::Ui,
    [id, name]: [&str; 2],
    (cost, of_area): (Option<&mut f32>, f32),
    limits: [f32; 2],
    least: f64,
) -> Edited {
    let Some(cost) = cost else { return Edited::default() };
    let of_area = of_area.clamp(limits[0], limits[1]);
    let limits = limits.map(f64::from);
    let spec = NumberSpec { unit: "", slider: [least, 20.0], limits, step: 0.5 };
    let mut value = f64::from(*cost);
    let size = vec2(COST_WIDTH, ui.spacing().interact_size.y);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let output = ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let field = numeric::named_field(ui, name, &mut value, &spec, COST_WIDTH - DOT_WIDTH);
        let edited = Edited::of(&field.author_id(id));
        if edited.changed {
            *cost = numeric::narrow(value);
        }
        let is_own = cost.to_bits() != of_area.to_bits();
        let default =
            is_own.then(|| tr!("{}, the cost of the area", format::number(of_area.into())));
        (edited, reset_dot(ui, [id, name], default.as_deref(), size.y))
    });
    let (edited, is_reset) = output.inner;
    if is_reset {
        *cost = of_area;
        return Edited::at_once();
    }
    edited
}

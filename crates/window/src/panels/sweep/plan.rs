//! The form with the settings that a sweep varies.

use eframe::egui::{self, RichText};
use walkable::{
    bake::{PARAMS, Param, ParamGroup},
    sweep::MAX_COMBINATIONS,
};
use walkable_editor::{
    command::{Commands, SweepCommand, variant_id},
    session::{SessionView, SweepMethod, SweepPlan, SweepSetting, SweepValues},
};
use walkable_workspace::{
    format,
    lang::{self, tr},
};

use crate::{
    icons,
    panels::settings::number_spec,
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        buttons, dialog,
        legend::column,
        numeric::{self, NumberSpec},
    },
};

const NAME_WIDTH: f32 = 108.0;
const END_WIDTH: f32 = 70.0;
const COUNT_WIDTH: f32 = 40.0;
const MAX_VALUES: f64 = 1000.0;

pub(super) fn plan_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let (sweep, theme) = (&view.sweep, Theme::of(ui.ctx().theme()));
    let mut plan = sweep.plan.clone();
    settings_ui(ui, &mut plan);
    add_ui(ui, view, &mut plan);
    ui.add_space(4.0);
    method_ui(ui, &mut plan);
    if !plan.settings.is_empty() {
        let n = plan.n_combinations();
        let bakes = format::counted(n, "bake", "bakes");
        if n > MAX_COMBINATIONS {
            let max = format::count(MAX_COMBINATIONS);
            let text = tr!("{bakes}; at most {max} can run: use fewer values or a Latin hypercube");
            ui.add(egui::Label::new(RichText::new(text).color(theme.error)).wrap());
        } else {
            ui.label(RichText::new(bakes).color(theme.text_weak));
        }
    }
    if let Some(why) = &sweep.error {
        ui.add(
            egui::Label::new(
                RichText::new(format::sentence(&lang::phrase(why))).color(theme.error),
            )
            .wrap(),
        );
    }
    tests_ui(ui, view, out);
    if plan != sweep.plan {
        out.push(SweepCommand::Plan(Box::new(plan)));
    }
}

fn settings_ui(ui: &mut egui::Ui, plan: &mut SweepPlan) {
    let mut removed = None;
    for (index, setting) in plan.settings.iter_mut().enumerate() {
        let Ok(param) = Param::find(setting.key) else { continue };
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let layout = egui::Layout::left_to_right(egui::Align::Center);
            let size = egui::vec2(NAME_WIDTH, ui.spacing().interact_size.y);
            ui.allocate_ui_with_layout(size, layout, |ui| {
                ui.set_width(NAME_WIDTH);
                ui.add(egui::Label::new(tr(param.label)).truncate())
                    .on_hover_text(tr(param.tooltip));
            });
            values_ui(ui, param, setting);
            let name = tr!("Remove {}", format::within(tr(param.label)));
            let remove = buttons::icon(ui, icons::ICON_CLOSE, &name);
            if remove.author_id(format_args!("sweep.setting.{}.remove", param.key)).clicked() {
                removed = Some(index);
            }
        });
    }
    if let Some(index) = removed {
        plan.settings.remove(index);
    }
}

fn values_ui(ui: &mut egui::Ui, param: &'static Param, setting: &mut SweepSetting) {
    let theme = Theme::of(ui.ctx().theme());
    let spec = number_spec(param, param.default_value());
    match (&mut setting.values, spec) {
        (SweepValues::Range { ends: [min, max], n }, Some((_, spec))) => {
            let id = |part: &str| format!("sweep.setting.{}.{part}", param.key);
            let name = |part: &str| format!("{}: {part}", tr(param.label));
            let field =
                numeric::named_field(ui, &name(tr!("smallest value")), min, &spec, END_WIDTH);
            field.author_id(id("min"));
            ui.label("–");
            let field =
                numeric::named_field(ui, &name(tr!("largest value")), max, &spec, END_WIDTH);
            field.author_id(id("max"));
            let field = (&*name(tr!("number of values")), COUNT_WIDTH);
            count_ui(ui, field, n, [2.0, MAX_VALUES]).author_id(id("n"));
        }
        (SweepValues::Range { .. } | SweepValues::All, _) => {
            ui.label(RichText::new(tr!("all values")).color(theme.text_weak));
        }
    }
}

fn count_ui(
    ui: &mut egui::Ui,
    (name, width): (&str, f32),
    n: &mut u32,
    limits: [f64; 2],
) -> egui::Response {
    let spec = NumberSpec { unit: "", slider: limits, limits, step: 1.0 };
    let mut value = f64::from(*n);
    let response = numeric::named_field(ui, name, &mut value, &spec, width);
    *n = rounded(value.clamp(limits[0], limits[1]));
    response
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within limits of u32")]
fn rounded(value: f64) -> u32 {
    value.round() as u32
}

fn add_ui(ui: &mut egui::Ui, view: &SessionView<'_>, plan: &mut SweepPlan) {
    let menu = ui.menu_button(tr!("Add setting"), |ui| {
        let height = dialog::menu_height(ui, 360.0);
        egui::ScrollArea::vertical().max_height(height).show(ui, |ui| {
            for group in ParamGroup::ALL {
                column(ui, tr(group.label()));
                for param in PARAMS.iter().filter(|param| param.group == group) {
                    let is_varied = plan.settings.iter().any(|setting| setting.key == param.key);
                    let settings = &view.document().settings;
                    let Some(new) = SweepSetting::new(param, settings) else { continue };
                    let entry = ui.add_enabled(!is_varied, egui::Button::new(tr(param.label)));
                    let entry = entry.author_id(format_args!("sweep.add.{}", param.key));
                    if entry.on_hover_text(tr(param.tooltip)).clicked() {
                        plan.settings.push(new);
                        ui.close();
                    }
                }
            }
        });
    });
    menu.response.author_id("sweep.add");
}

fn method_ui(ui: &mut egui::Ui, plan: &mut SweepPlan) {
    ui.horizontal(|ui| {
        for method in SweepMethod::ALL {
            let label = ui.selectable_label(plan.method == method, method.name());
            let label = label.author_id(format_args!("sweep.method.{}", variant_id(method)));
            if label.on_hover_text(method.tooltip()).clicked() {
                plan.method = method;
            }
        }
    });
    if plan.method == SweepMethod::LatinHypercube {
        ui.horizontal(|ui| {
            ui.label(tr!("Bakes"));
            let max = u32::try_from(MAX_COMBINATIONS).map_or(f64::MAX, f64::from);
            let field = (tr!("Number of bakes"), END_WIDTH);
            count_ui(ui, field, &mut plan.n_latin, [1.0, max]).author_id("sweep.n-latin");
            ui.label(tr!("Seed"));
            let field = (tr!("Seed: the same seed gives the same combinations"), END_WIDTH);
            count_ui(ui, field, &mut plan.seed, [0.0, 1e6]).author_id("sweep.seed");
        });
    }
}

fn tests_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let (sweep, theme) = (&view.sweep, Theme::of(ui.ctx().theme()));
    if sweep.n_other_cases > 0 {
        let tests = format::counted(sweep.n_other_cases, "path test", "path tests");
        let text = tr!("{tests} of other agents did not run.");
        ui.add(egui::Label::new(RichText::new(text).small().color(theme.text_weak)).wrap());
    }
    if sweep.n_cases == 0 || sweep.n_done() == 0 {
        return;
    }
    let Some(row) = sweep.best_for_suite() else {
        let text = tr!("No row passes all path tests.");
        ui.label(RichText::new(text).color(theme.warning));
        return;
    };
    let text = tr!("Best for the path tests: row {}", row + 1);
    let label = ui.selectable_label(sweep.chosen == Some(row), text);
    let tooltip =
        tr!("Passes all path tests with the fewest bytes, then polygons, then the shortest time");
    if label.author_id("sweep.best-for-suite").on_hover_text(tooltip).clicked() {
        out.push(SweepCommand::Choose(Some(row)));
    }
}

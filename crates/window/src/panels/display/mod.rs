//! Display options of the 3D view: overlaid stages, a slice by height, colors and labels.

pub mod divider;
pub mod header;
pub mod hud;
mod overlays;
pub mod stage_figures;
pub mod stage_strip;

#[cfg(test)]
mod tests;

use eframe::egui::{self, RichText, WidgetInfo, accesskit::Role};
use walkable_editor::{
    coloring,
    command::{AnimationCommand, Command, Commands, DisplayCommand},
    session::{ColorBy, LabelKind, SessionView, Slice},
};
use walkable_workspace::{
    format,
    lang::{self, tr},
    stage_view::StageView,
    units,
};

use self::overlays::{layers_ui, overlays_ui};
use crate::{
    icons,
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        buttons,
        command_button::{add_button, command_button},
        legend::{fact, heading},
        numeric::{self, NumberSpec},
        property_row::{PropertyRow, remark_ui},
    },
};

const PERCENT: NumberSpec<'_> =
    NumberSpec { unit: "%", slider: [0.0, 100.0], limits: [0.0, 100.0], step: 1.0 };

pub(super) fn display_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        opacities_ui(ui, view, out);
        layers_ui(ui, view, out);
        slice_ui(ui, view, out);
        colors_ui(ui, view, out);
        labels_ui(ui, view, out);
        overlays_ui(ui, view, out);
        compare_ui(ui, view, out);
        animation_ui(ui, view, out);
    });
}

fn opacities_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    heading(ui, tr!("Opacity"));
    let display = &view.shown.display;
    if let Some(opacity) = opacity_ui(
        ui,
        ["display.level", tr!("Level")],
        tr!("How opaque the level is drawn"),
        display.level,
    ) {
        out.push(DisplayCommand::Level(opacity));
    }
    let stage = view.shown.stage;
    if stage != StageView::Input {
        let tooltip = tr!("How opaque the stage is drawn");
        if let Some(opacity) =
            opacity_ui(ui, ["display.stage", stage.name()], tooltip, display.stage)
        {
            out.push(DisplayCommand::Stage(opacity));
        }
    }
    for &(stage, opacity) in display.under.iter().rev().filter(|(other, _)| *other != stage) {
        ui.horizontal(|ui| {
            let remove = tr!("Hide {}", format::within(stage.name()));
            let hide = Command::from(DisplayCommand::Under(stage, None));
            let button = buttons::icon(ui, icons::ICON_CLOSE, &remove);
            if button.author_id(hide.id()).clicked() {
                out.push(hide);
            }
            let tooltip = tr!("How opaque this overlay is drawn");
            if let Some(opacity) = opacity_ui(ui, ["display.under", stage.name()], tooltip, opacity)
            {
                out.push(DisplayCommand::Under(stage, Some(opacity)));
            }
        });
    }
    add_ui(ui, view, out);
}

fn opacity_ui(
    ui: &mut egui::Ui,
    [id, label]: [&str; 2],
    tooltip: &str,
    opacity: f32,
) -> Option<f32> {
    let mut percent = f64::from(opacity) * 100.0;
    let row = PropertyRow { id, label, tooltip, ..PropertyRow::default() };
    row.show(ui, |ui, name| numeric::slider(ui, name, &mut percent, &PERCENT));
    let wanted = numeric::narrow((percent / 100.0).clamp(0.0, 1.0));
    ((wanted - opacity).abs() > 1e-4).then_some(wanted)
}

fn add_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    const AT_FIRST: f32 = 0.6;
    let is_there = |stage| view.shown.display.under.iter().any(|(other, _)| *other == stage);
    let free = StageView::ALL.into_iter().filter(|&stage| {
        stage != StageView::Input && stage != view.shown.stage && !is_there(stage)
    });
    ui.add_enabled_ui(!view.bake.tiles.is_empty(), |ui| {
        let combo =
            egui::ComboBox::from_id_salt("also shown").selected_text(tr!("Add stage overlay…"));
        let combo = combo.width(ui.available_width() - 8.0).height(360.0);
        let response = combo
            .show_ui(ui, |ui| {
                for stage in free {
                    let show = Command::from(DisplayCommand::Under(stage, Some(AT_FIRST)));
                    let label = ui.selectable_label(false, stage.name()).author_id(show.id());
                    if label.on_hover_text(stage.what()).clicked() {
                        out.push(show);
                    }
                }
            })
            .response;
        response
            .widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, tr!("Add stage overlay…")));
        response
            .author_id("display.add-overlay")
            .on_hover_text(tr!("Draws another stage together with the current one"));
    });
}

fn slice_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    heading(ui, tr!("Slice by height"));
    let bounds = view.session.bounds();
    let ends = [bounds.min.y - 0.5, bounds.max.y + 0.5].map(f64::from);
    let spec = NumberSpec { unit: "m", slider: ends, limits: [-1e6, 1e6], step: 0.05 };
    let slice = view.shown.display.slice;
    let shown = [slice.bottom, slice.top].map(|end| f64::from(end).clamp(ends[0], ends[1]));
    let [mut bottom, mut top] = shown;
    let row = |id, label, tooltip| PropertyRow { id, label, tooltip, ..PropertyRow::default() };
    let lowest =
        row("display.slice-bottom", tr!("Bottom"), tr!("Hides everything below this height"));
    lowest.show(ui, |ui, label| numeric::slider(ui, label, &mut bottom, &spec));
    let highest = row("display.slice-top", tr!("Top"), tr!("Hides everything above this height"));
    highest.show(ui, |ui, label| numeric::slider(ui, label, &mut top, &spec));
    let moved = |new: f64, old: f64| (new - old).abs() > 1e-6;
    let end = |new, old, kept| if moved(new, old) { numeric::narrow(new) } else { kept };
    let wanted =
        Slice { bottom: end(bottom, shown[0], slice.bottom), top: end(top, shown[1], slice.top) };
    if wanted != slice {
        // Moving one end past the other moves both.
        let bottom_moved = moved(bottom, shown[0]);
        let crossed = wanted.bottom > wanted.top;
        out.push(DisplayCommand::Slice(if crossed && bottom_moved {
            Slice { top: wanted.bottom, ..wanted }
        } else if crossed {
            Slice { bottom: wanted.top, ..wanted }
        } else {
            wanted
        }));
    }
    ui.horizontal(|ui| {
        ui.add_enabled_ui(view.bake.navmesh.is_some(), |ui| {
            for (icon, name, command) in [
                (icons::ICON_ARROW_UPWARD, tr!("Story up (Page up)"), DisplayCommand::StoryUp),
                (
                    icons::ICON_ARROW_DOWNWARD,
                    tr!("Story down (Page down)"),
                    DisplayCommand::StoryDown,
                ),
            ] {
                let command = Command::from(command);
                if buttons::icon(ui, icon, name).author_id(command.id()).clicked() {
                    out.push(command);
                }
            }
        });
        let all = Command::from(DisplayCommand::AllHeights);
        add_button(ui, egui::Button::new(tr!("All heights")), view, all, out);
        let text = match view.shown.display.story {
            Some((number, n)) => tr!("Story {number} of {n}"),
            None => String::new(),
        };
        ui.label(RichText::new(text).color(theme.text_weak));
    });
}

fn colors_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    heading(ui, tr!("Color polygons by"));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(4.0, 4.0);
        for by in ColorBy::ALL {
            let command = Command::from(DisplayCommand::ColorBy(by));
            let label = ui.selectable_label(by == view.shown.display.color_by, by.name());
            if label.author_id(command.id()).on_hover_text(by.what()).clicked() {
                out.push(command);
            }
        }
    });
    let theme = Theme::of(ui.ctx().theme());
    let what = RichText::new(view.shown.display.color_by.what()).small().color(theme.text_weak);
    ui.add(egui::Label::new(what).wrap());
    if let Some(lack) = coloring::lack(view.session) {
        remark_ui(ui, &lang::diagnostic(&lack), theme.warning);
    }
}

fn labels_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    heading(ui, tr!("Labels"));
    ui.horizontal_wrapped(|ui| {
        for kind in LabelKind::ALL {
            let mut on = view.shown.display.labels.contains(&kind);
            let toggle = Command::from(DisplayCommand::ToggleLabel(kind));
            let check = ui.checkbox(&mut on, kind.name()).author_id(toggle.id());
            if check.on_hover_text(kind.what()).changed() {
                out.push(toggle);
            }
        }
    });
}

fn animation_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    heading(ui, tr!("Animate stage"));
    command_button(ui, view, AnimationCommand::Watch, out);
    let text = match view.shown.stage.animation_what() {
        Some(what) => tr!("{} of one tile: {what}", view.shown.stage.name()),
        None => tr!("Choose a stage between input and navmesh").to_owned(),
    };
    let text = RichText::new(text).small().color(theme.text_weak);
    ui.add(egui::Label::new(text).wrap());
}

fn compare_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    heading(ui, tr!("Before and after"));
    let mut on = view.shown.display.divider.is_some();
    let toggle = Command::from(DisplayCommand::ToggleDivider);
    let check = ui.checkbox(&mut on, toggle.text()).author_id(toggle.id());
    if check.on_hover_text(toggle.tooltip()).changed() {
        out.push(toggle);
    }
    let is_pinned = view.bake.before.as_ref().is_some_and(|before| before.is_pinned);
    ui.horizontal(|ui| {
        command_button(ui, view, DisplayCommand::PinBaseline, out);
        if is_pinned {
            command_button(ui, view, DisplayCommand::FollowLastBake, out);
        }
    });
    let Some(before) = &view.bake.before else {
        let text = tr!("Nothing to compare with yet: bake again, or pin the current bake.");
        let text = RichText::new(text).small().color(theme.text_weak);
        ui.add(egui::Label::new(text).wrap());
        return;
    };
    let (old, new) = (before.totals, view.bake.totals);
    let text = if is_pinned {
        tr!("Change since the pinned bake")
    } else {
        tr!("Change since previous bake")
    };
    ui.label(RichText::new(text).small().color(theme.text_weak));
    fact(ui, tr!("Polygons"), &change([old.n_polys, new.n_polys].map(as_double), ""));
    let ground = units::shown("m²");
    fact(
        ui,
        tr!("Ground"),
        &change([old.area, new.area].map(|area| area / ground.size), &units::suffix(ground.symbol)),
    );
    let kib = |n: usize| as_double(n) / 1024.0;
    fact(ui, tr!("Tile data"), &change([old.n_bytes, new.n_bytes].map(kib), " KiB"));
    if let Some((changed, n)) = view.bake.n_changed {
        fact(ui, tr!("Tiles changed"), &tr!("{changed} of {n}"));
    }
}

/// Formats a value with its change, such as "131 (+11)".
fn change([old, new]: [f64; 2], unit: &str) -> String {
    let difference = new - old;
    let sign = if difference < 0.0 { "−" } else { "+" };
    let (by, new) = (format::number(difference.abs()), format::number(new));
    if by == "0" { tr!("{new}{unit}, as before") } else { format!("{new}{unit} ({sign}{by})") }
}

#[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
fn as_double(n: usize) -> f64 {
    n as f64
}

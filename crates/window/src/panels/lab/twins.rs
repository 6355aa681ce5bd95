//! Two searches side by side: the line between them, and the progress of each.

use eframe::egui::{self, Align2, Area, Id, Order, Rect, RichText, Stroke, vec2};
use walkable_editor::session::{LabRow, LabState, SessionView};
use walkable_workspace::{
    format,
    lang::{self, tr},
};

use crate::{
    panels::{
        display::hud::{ABOVE_HINTS, card},
        lab::playback::legend_ui,
    },
    theme::Theme,
};

const ASIDE: f32 = 10.0;

pub fn twins_ui(ctx: &egui::Context, rect: Rect, view: &SessionView<'_>) {
    if !view.lab.is_split() {
        return;
    }
    let theme = Theme::of(ctx.theme());
    let line = Area::new(Id::unique("between searches")).order(Order::Background);
    line.fixed_pos(rect.center_top()).interactable(false).show(ctx, |ui| {
        let painter = ui.painter().with_clip_rect(rect);
        painter.vline(rect.center().x, rect.y_range(), Stroke::new(5.0, theme.casing));
        painter.vline(rect.center().x, rect.y_range(), Stroke::new(1.5, theme.text));
    });
    let foot = rect.center_bottom() - vec2(0.0, ABOVE_HINTS);
    let places = [
        (tr!("left search"), -ASIDE, Align2::RIGHT_BOTTOM),
        (tr!("right search"), ASIDE, Align2::LEFT_BOTTOM),
    ];
    for ((number, row), (id, aside, pivot)) in (0..).zip(view.lab.drawn()).zip(places) {
        card(ctx, &theme, id, foot + vec2(aside, 0.0), pivot, |ui| {
            ui.label(RichText::new(row.searcher.name()).strong());
            ui.label(expanded(&view.lab, row));
            ui.label(cost(&view.lab, row));
            legend_ui(ui, row, number);
        });
    }
}

fn expanded(lab: &LabState, row: &LabRow) -> String {
    let n = row.recording.n_expansions();
    tr!("{} of {} expanded", format::count(lab.shown(row)), format::count(n))
}

/// Returns the cost of the path to the node expanded last; at the end, the cost of the whole path.
fn cost(lab: &LabState, row: &LabRow) -> String {
    let shown = lab.shown(row);
    if shown < row.recording.n_expansions() {
        let last = shown.checked_sub(1).and_then(|last| row.recording.expansion(last));
        let g = last.map_or(0.0, |event| f64::from(event.costs[0]));
        return tr!("cost so far, g {}", format::number(g));
    }
    match (&row.why, row.cost) {
        (Some(why), _) => lang::phrase(why),
        (None, Some((cost, _))) => tr!("cost {}", format::length(cost)),
        (None, None) => tr!("length {}", format::length(row.length)),
    }
}

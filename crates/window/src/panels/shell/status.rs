//! The status bar: what is under the cursor, and what is open.

use eframe::egui::{self, Align, Label, Layout, RichText};
use walkable_editor::{format, session::SessionView};

use crate::{panels::Chrome, theme::Theme};

/// Draws the line. `answer` says what is under the cursor and why.
pub fn status_ui(
    ui: &mut egui::Ui,
    view: &SessionView<'_>,
    chrome: &Chrome<'_>,
    answer: Option<&str>,
) {
    let theme = Theme::of(ui.ctx().theme());
    let weak = |text: String| RichText::new(text).small().color(theme.text_weak);
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(weak(counts(view)));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let reading = chrome.opening.map(|name| format!("Reading {name}…"));
                let text = reading.unwrap_or_else(|| place(view, answer));
                ui.add(Label::new(weak(text)).truncate());
            });
        });
    });
}

/// Describes the position of the cursor and what is there.
fn place(view: &SessionView<'_>, answer: Option<&str>) -> String {
    let Some(hover) = view.hover else {
        return "Point at the level to see what a place is, and why".to_owned();
    };
    let [x, y, z] = hover.point.to_array();
    let at = format!("{x:.2}, {y:.2}, {z:.2} m");
    answer.map_or_else(|| at.clone(), |answer| format!("{at} · {answer}"))
}

fn counts(view: &SessionView<'_>) -> String {
    let triangles = view
        .level
        .as_ref()
        .map(|level| format::counted(level.mesh.triangles().len(), "triangle", "triangles"));
    let cells = view.bake.plan.as_ref().map(|plan| {
        let [n_x, n_z] = plan.grid_size();
        format!("{n_x} × {n_z} cells of {} m", format::exact(plan.params().cell_size))
    });
    [triangles, cells].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

//! The status bar: the point under the cursor, and the open level.

use eframe::egui::{self, Align, Button, Label, Layout, RichText};
use walkable_editor::{
    command::{Command, Commands, PathTestCommand, PiecesCommand},
    session::{SessionView, SortProgress, StoreExportPhase, StoreExportProgress},
};
use walkable_workspace::{format, lang::tr};

use crate::{icons, panels::Chrome, theme::Theme, widgets::author_id::AuthorId as _};

/// Maximum number of characters of the names of broken path tests; the tooltip has all of them.
const MAX_BROKEN: usize = 60;

/// Draws the status bar. `answer` describes the element under the cursor, and why it is or is not walkable.
pub fn status_ui(
    ui: &mut egui::Ui,
    view: &SessionView<'_>,
    chrome: &Chrome<'_>,
    answer: Option<&str>,
    out: &mut Commands,
) {
    let theme = Theme::of(ui.ctx().theme());
    let weak = |text: String| RichText::new(text).small().color(theme.text_weak);
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(weak(counts(view)));
            failed_tests_ui(ui, view, out);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                pieces_ui(ui, view, out);
                store_export_ui(ui, view, out);
                let reading = chrome.opening.map(|name| tr!("Reading {name}…"));
                let text = reading.or_else(|| place(view, answer));
                if let Some(text) = text {
                    ui.add(Label::new(weak(text)).truncate());
                }
            });
        });
    });
}

fn pieces_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let Some(SortProgress { piece, n_done, n_pieces }) = &view.opened.pieces.progress else {
        return;
    };
    let theme = Theme::of(ui.ctx().theme());
    let number = n_done + 1;
    let text = tr!("Reading piece {number} of {n_pieces}: {piece}");
    ui.label(RichText::new(text).small().color(theme.text));
    let stop = Command::from(PiecesCommand::Cancel);
    let button = ui.small_button(tr!("Stop")).author_id(stop.id());
    if button.on_hover_text(stop.tooltip()).clicked() {
        out.push(stop);
    }
    ui.add_space(8.0);
}

fn store_export_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let Some(StoreExportProgress { phase, file, n_done, n_tiles }) = &view.opened.store_export
    else {
        return;
    };
    let theme = Theme::of(ui.ctx().theme());
    let [n_done, n_tiles] = [*n_done, *n_tiles].map(format::count);
    let text = match phase {
        StoreExportPhase::Baking => tr!("Baking for {file}: {n_done} of {n_tiles} tiles"),
        StoreExportPhase::Writing => tr!("Writing {file}: {n_done} of {n_tiles} tiles"),
    };
    ui.label(RichText::new(text).small().color(theme.text));
    let stop = Command::StopExport;
    let button = ui.small_button(tr!("Stop")).author_id(stop.id());
    if button.on_hover_text(stop.tooltip()).clicked() {
        out.push(stop);
    }
    ui.add_space(8.0);
}

/// Shows the names of the path tests that a bake broke, or else the number of failing tests. A click shows the first
/// failing test.
fn failed_tests_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let n_failed = view.path_test_counts().failed;
    if n_failed == 0 {
        return;
    }
    let theme = Theme::of(ui.ctx().theme());
    let broken = view.broken_cases().join(", ");
    let failed = format::counted(n_failed, "path test fails", "path tests fail");
    let text = if broken.is_empty() { failed } else { tr!("The bake broke: {broken}") };
    let short: String = text.chars().take(MAX_BROKEN).collect();
    let cut = if short.len() < text.len() { "…" } else { "" };
    let icon = icons::ICON_ERROR.codepoint;
    let label = RichText::new(format!("{icon} {short}{cut}")).small().color(theme.error);
    let show = Command::from(PathTestCommand::ShowFailed);
    let button = ui.add(Button::new(label).frame(false)).author_id(show.id());
    if button.on_hover_text(text).clicked() {
        out.push(show);
    }
}

fn place(view: &SessionView<'_>, answer: Option<&str>) -> Option<String> {
    let at = format::position(view.tools.hover?.point);
    Some(answer.map_or_else(|| at.clone(), |answer| format!("{at} · {answer}")))
}

fn counts(view: &SessionView<'_>) -> String {
    let triangles = view
        .opened
        .level
        .as_ref()
        .map(|level| format::counted(level.mesh.triangles().len(), "triangle", "triangles"));
    let cells = view.bake.plan.as_ref().map(|plan| {
        let [n_x, n_z] = plan.grid_size();
        tr!("{n_x} × {n_z} cells of {}", format::exact_quantity(plan.params().cell_size, "m"))
    });
    [triangles, cells].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use walkable_editor::session::Session;

    use super::*;
    use crate::testing::{Find as _, bench};

    #[test]
    fn the_piece_that_is_read_is_shown_and_reading_stops() {
        let mut session = Session::default();
        let progress = SortProgress { piece: "b.obj".to_owned(), n_done: 1, n_pieces: 7 };
        session.opened.pieces.progress = Some(progress);
        let mut window =
            bench([600.0, 40.0], session, |(), ui, view, out| pieces_ui(ui, view, out));
        window.text("Reading piece 2 of 7: b.obj");
        window.by_id("pieces.cancel").click();
        window.run();
        assert_eq!(window.state().sent, [PiecesCommand::Cancel.into()]);
    }
}

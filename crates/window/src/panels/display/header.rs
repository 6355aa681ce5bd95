//! The header of the 3D view: the stage and its counts, the switch of the legend, the menu of display options.

use eframe::egui::{
    self, Align, Area, Button, Frame, Id, Label, Layout, Margin, Order, Rect, RichText,
};
use walkable_editor::{
    command::{Command, Commands, DisplayCommand, Pane, ViewCommand},
    level_colors::LevelColors,
    session::{ColorBy, LabelKind, Overlay, SessionView, StageFigure},
};
use walkable_workspace::{format, lang::tr, stage_view::StageView};

use crate::{
    icons,
    panels::Chrome,
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        command_button::{add_button, menu_entry, menu_switch},
        legend::heading,
    },
};

const HEIGHT: f32 = 30.0;
const MARGIN: i8 = 10;

/// Returns the height of the header over the view; zero without a level.
pub fn height(view: &SessionView<'_>) -> f32 {
    if view.is_empty() { 0.0 } else { HEIGHT }
}

/// Width below which only the name of the stage is shown, in points.
const MIN_FACTS: f32 = 40.0;

pub fn header_ui(
    ctx: &egui::Context,
    rect: Rect,
    view: &SessionView<'_>,
    chrome: &Chrome<'_>,
    out: &mut Commands,
) {
    if height(view) == 0.0 {
        return;
    }
    let theme = Theme::of(ctx.theme());
    let area = Area::new(Id::unique("view header")).order(Order::Background).constrain(false);
    area.fixed_pos(rect.left_top()).show(ctx, |ui| {
        let frame = Frame::new().fill(theme.foreground).inner_margin(Margin::symmetric(MARGIN, 0));
        frame.show(ui, |ui| {
            ui.set_width(rect.width() - 2.0 * f32::from(MARGIN));
            row_ui(ui, view, chrome, out);
        });
    });
}

fn row_ui(ui: &mut egui::Ui, view: &SessionView<'_>, chrome: &Chrome<'_>, out: &mut Commands) {
    let layout = Layout::right_to_left(Align::Center);
    ui.allocate_ui_with_layout(egui::vec2(ui.available_width(), HEIGHT), layout, |ui| {
        let text = tr!("Display {}", icons::ICON_ARROW_DROP_DOWN.codepoint);
        let menu = ui.menu_button(text, |ui| display_ui(ui, view, chrome, out));
        menu.response
            .author_id("header.display")
            .on_hover_text(tr!("Chooses what the 3D view shows in addition to the stage"));
        let legend = Button::selectable(chrome.prefs.legend, tr!("Legend"));
        add_button(ui, legend, view, ViewCommand::ToggleLegend.into(), out);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            title_ui(ui, view, chrome.figures.of(view.shown.stage));
        });
    });
}

fn title_ui(ui: &mut egui::Ui, view: &SessionView<'_>, figure: StageFigure) {
    let theme = Theme::of(ui.ctx().theme());
    let stage = view.shown.stage;
    let name = Label::new(RichText::new(stage.name()).strong()).truncate();
    ui.add(name).on_hover_text(stage.what());
    if ui.available_width() < MIN_FACTS {
        return;
    }
    let tile = view.shown.chosen_tile.map(|tile| tr!("tile {tile}"));
    let count = figure.count.map(|n| stage.count_text(&format::count(n)));
    // Both kinds of contours are measured together.
    let is_contours = matches!(stage, StageView::ContoursRaw | StageView::Contours);
    let time = figure.time.map(format::time);
    let time = time.map(|time| if is_contours { tr!("{time} for all contours") } else { time });
    let facts: Vec<_> = [tile, count, time].into_iter().flatten().collect();
    ui.add(Label::new(facts.join(" · ")).truncate());
    if view.is_stale() && !view.bake.tiles.is_empty() && stage != StageView::Input {
        let text = tr!("{} out of date", icons::ICON_HISTORY.codepoint);
        ui.add(Label::new(RichText::new(text).color(theme.warning)).truncate());
    }
    let what = RichText::new(stage.what()).color(theme.text_weak);
    ui.add(Label::new(what).truncate());
}

fn display_ui(ui: &mut egui::Ui, view: &SessionView<'_>, chrome: &Chrome<'_>, out: &mut Commands) {
    ui.set_min_width(200.0);
    let mut switch = |ui: &mut egui::Ui, is_on: bool, command: Command| {
        menu_switch(ui, is_on.into(), command, out);
    };
    switch(ui, view.shown.show_level, ViewCommand::ToggleLevel.into());
    switch(ui, view.shown.show_backs, ViewCommand::ToggleBacks.into());
    switch(ui, chrome.prefs.grid, ViewCommand::ToggleGrid.into());
    switch(ui, chrome.prefs.ambient_occlusion, ViewCommand::ToggleOcclusion.into());
    heading(ui, tr!("Overlays"));
    for overlay in Overlay::ALL {
        switch(
            ui,
            view.shown.display.shows(overlay),
            DisplayCommand::ToggleOverlay(overlay).into(),
        );
    }
    heading(ui, tr!("Labels"));
    for kind in LabelKind::ALL {
        let is_on = view.shown.display.labels.contains(&kind);
        switch(ui, is_on, DisplayCommand::ToggleLabel(kind).into());
    }
    ui.separator();
    let by = tr!("Color polygons by: {}", format::within(view.shown.display.color_by.name()));
    ui.menu_button(by, |ui| {
        for by in ColorBy::ALL {
            let command = Command::from(DisplayCommand::ColorBy(by));
            let button = Button::selectable(by == view.shown.display.color_by, by.name());
            if add_button(ui, button, view, command, out).clicked() {
                ui.close();
            }
        }
    });
    let by = tr!("Color level by: {}", format::within(chrome.prefs.level_colors.name()));
    ui.menu_button(by, |ui| {
        for &by in LevelColors::ALL {
            let command = Command::from(ViewCommand::ColorLevel(by));
            let button = Button::selectable(by == chrome.prefs.level_colors, by.name());
            if add_button(ui, button, view, command, out).clicked() {
                ui.close();
            }
        }
    })
    .response
    .author_id("header.level-colors");
    menu_entry(ui, view, Command::ShowPanel(Pane::Display), out);
}

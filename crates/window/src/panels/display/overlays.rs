//! The list of overlays, and the choice of layers for a level that is prepared for obstacles.

use eframe::egui::{self, Checkbox, RichText, WidgetInfo, accesskit::Role};
use walkable_editor::{
    command::{Command, Commands, DisplayCommand, variant_id},
    session::{LayerDisplay, LayerShow, Overlay, SessionView, most_layers},
};
use walkable_workspace::{
    lang::{self, tr},
    stage_view::StageView,
};

use crate::{
    theme::Theme,
    widgets::{author_id::AuthorId as _, legend::heading, property_row::remark_ui},
};

pub(super) fn overlays_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    heading(ui, tr!("Overlays"));
    ui.horizontal_wrapped(|ui| {
        for overlay in Overlay::ALL {
            let mut on = view.shown.display.shows(overlay);
            let toggle = Command::from(DisplayCommand::ToggleOverlay(overlay));
            let check = ui.add(Checkbox::new(&mut on, overlay.name())).author_id(toggle.id());
            if check.on_hover_text(overlay.what()).changed() {
                out.push(toggle);
            }
        }
    });
    for lack in view.shown.display.overlays.iter().filter_map(|overlay| overlay.lack(view.session))
    {
        remark_ui(ui, &lang::diagnostic(&lack), theme.warning);
    }
}

pub(super) fn layers_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let under = view.shown.display.under.iter().any(|(stage, _)| *stage == StageView::Layers);
    if view.shown.stage != StageView::Layers && !under {
        return;
    }
    let theme = Theme::of(ui.ctx().theme());
    let now = view.shown.display.layers;
    let is_prepared = view.bake.layered().is_some();
    heading(ui, tr!("Layer data"));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(4.0, 4.0);
        for show in LayerShow::ALL {
            let is_possible = is_prepared || show == LayerShow::Number;
            let button = egui::Button::selectable(now.show == show, show.name());
            let button = ui.add_enabled(is_possible, button);
            let button = button.author_id(format_args!("display.layers.{}", variant_id(show)));
            let button = button.on_hover_text(show.what());
            let why_not = tr!("Only for levels that are prepared for obstacles (tool 0)");
            if button.on_disabled_hover_text(why_not).clicked() {
                out.push(DisplayCommand::Layers(LayerDisplay { show, ..now }));
            }
        }
    });
    let what = RichText::new(now.show.what()).small().color(theme.text_weak);
    ui.add(egui::Label::new(what).wrap());
    number_ui(ui, view, out);
}

fn number_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let now = view.shown.display.layers;
    let name = |number: Option<u16>| match number {
        Some(number) => tr!("Layer {number} alone"),
        None => tr!("All layers").to_owned(),
    };
    let combo = egui::ComboBox::from_id_salt("layer").selected_text(name(now.number));
    let response = combo.show_ui(ui, |ui| {
        for number in [None].into_iter().chain((0..most_layers(view.session)).map(Some)) {
            let key = number.map_or_else(|| "all".to_owned(), |number| number.to_string());
            let label = ui.selectable_label(now.number == number, name(number));
            if label.author_id(format_args!("display.layer.{key}")).clicked() {
                out.push(DisplayCommand::Layers(LayerDisplay { number, ..now }));
            }
        }
    });
    let response = response.response;
    response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, tr!("Layer shown")));
    response
        .author_id("display.layer")
        .on_hover_text(tr!("Which of the layers above one another is shown"));
}

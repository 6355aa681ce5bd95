//! A button in a color, with a menu of other colors.

use eframe::egui::{self, Color32, accesskit::Role, containers::menu::MenuButton, vec2};
use walkable_workspace::{document::Rgb, lang::tr};

use crate::{
    theme::Theme,
    widgets::{author_id::AuthorId as _, text_field::text_field},
};

const SIDE: f32 = 16.0;
const IN_ROW: usize = 7;

/// Draws the button, named `name`. Returns the chosen color, with `None` inside for the default color.
#[expect(clippy::option_option, reason = "a choice that may be none was made, or not")]
pub fn color_menu_ui(
    ui: &mut egui::Ui,
    color: Color32,
    [id, name]: [&str; 2],
    own: Option<Rgb>,
) -> Option<Option<Rgb>> {
    let button = egui::Button::new("").fill(color).small().min_size(vec2(SIDE, SIDE));
    let mut chosen = None;
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
        chosen = palette_ui(ui, own);
        if chosen.is_some() {
            ui.close();
        }
    });
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Button, true, name));
    response.author_id(id).on_hover_text(name);
    chosen
}

#[expect(clippy::option_option, reason = "a choice that may be none was made, or not")]
fn palette_ui(ui: &mut egui::Ui, own: Option<Rgb>) -> Option<Option<Rgb>> {
    let mut chosen = None;
    let colors: Vec<_> = Theme::swatches().collect();
    for row in colors.chunks(IN_ROW) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            for color in row {
                let [r, g, b, _] = color.to_array();
                let button = egui::Button::new("").fill(*color).min_size(vec2(20.0, 20.0));
                let name = String::from(Rgb([r, g, b]));
                let response = ui.add(button);
                response.widget_info(|| egui::WidgetInfo::labeled(Role::Button, true, &name));
                if response.author_id(format_args!("color.{name}")).on_hover_text(&name).clicked() {
                    chosen = Some(Some(Rgb([r, g, b])));
                }
            }
        });
    }
    let now = own.map(String::from).unwrap_or_default();
    let typed = text_field(ui, "color.typed", tr!("Color as #rrggbb"), &now, |edit| {
        edit.hint_text(tr!("#rrggbb")).desired_width(160.0)
    });
    if let Some(color) = typed.and_then(|text| Rgb::try_from(text.trim().to_owned()).ok()) {
        chosen = Some(Some(color));
    }
    if own.is_some() && ui.button(tr!("Default color")).author_id("color.own").clicked() {
        chosen = Some(None);
    }
    chosen
}

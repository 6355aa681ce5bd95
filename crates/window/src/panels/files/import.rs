//! The import options of a level: up axis, unit, handedness, winding.

use eframe::egui::{self, Label, RichText, WidgetInfo, accesskit::Role};
use walkable::mesh::{ImportHint, ImportOptions, UpAxis, import_hint};
use walkable_editor::{
    command::{Command, Commands},
    format,
    lang::{self, tr},
    session::{Edit, LoadedLevel, SessionView},
    units::{FILE_UNITS, file_unit_name},
};

use crate::{icons, theme::Theme};

/// The dialog, while it is open.
#[derive(Debug, Default)]
pub struct ImportDialog {
    open: bool,
    /// The import hint for the level with this serial number.
    hint: Option<(u64, Option<ImportHint>)>,
}

impl ImportDialog {
    /// Opens the dialog.
    pub fn open(&mut self) {
        self.open = true;
    }

    /// Closes the dialog; returns whether it was open.
    pub fn close(&mut self) -> bool {
        std::mem::take(&mut self.open)
    }

    /// Draws the dialog.
    pub fn ui(&mut self, ctx: &egui::Context, view: &SessionView<'_>, out: &mut Commands) {
        let Some(level) = &view.level else {
            self.open = false;
            return;
        };
        if !self.open {
            return;
        }
        let hint = self.hint(level, view);
        let mut open = true;
        let window = egui::Window::new(tr!("Import options")).collapsible(false).resizable(false);
        window.open(&mut open).default_pos([340.0, 120.0]).show(ctx, |ui| {
            ui.set_width(330.0);
            options_ui(ui, view.document().import, out);
            size_ui(ui, level, hint);
        });
        self.open &= open;
    }

    fn hint(&mut self, level: &LoadedLevel, view: &SessionView<'_>) -> Option<ImportHint> {
        match &self.hint {
            Some((serial, hint)) if *serial == level.serial => *hint,
            _ => {
                let settings = &view.document().settings;
                let hint = import_hint(&level.mesh, settings.agent_height, settings.agent_radius);
                self.hint = Some((level.serial, hint));
                hint
            }
        }
    }
}

fn options_ui(ui: &mut egui::Ui, present: ImportOptions, out: &mut Commands) {
    let mut options = present;
    egui::Grid::new("import").num_columns(2).spacing([16.0, 8.0]).show(ui, |ui| {
        ui.label(tr!("Up axis"));
        ui.horizontal(|ui| {
            for axis in UpAxis::ALL {
                let name = axis.letter().to_ascii_uppercase().to_string();
                ui.selectable_value(&mut options.up, axis, name);
            }
        });
        ui.end_row();
        ui.label(tr!("Unit"));
        ui.horizontal(|ui| unit_ui(ui, &mut options.scale));
        ui.end_row();
        ui.label(tr!("Handedness"));
        ui.checkbox(&mut options.mirror, tr!("Left-handed file"))
            .on_hover_text(tr!("Negates z; the front of each face stays the front"));
        ui.end_row();
        ui.label(tr!("Winding"));
        ui.checkbox(&mut options.flip, tr!("Flip faces"))
            .on_hover_text(tr!("For files whose faces are clockwise seen from the front"));
        ui.end_row();
        ui.label(tr!("Objects"));
        ui.checkbox(&mut options.collision_only, tr!("Collision shapes only")).on_hover_text(tr!(
            "Uses only objects named like UCX_Wall or Wall-col, if there are any"
        ));
        ui.end_row();
    });
    let valid = options.scale.is_finite() && options.scale > 0.0;
    if options != present && valid {
        out.push(Command::Change(tr!("Change import options").into(), Edit::Import(options)));
    }
}

fn unit_ui(ui: &mut egui::Ui, scale: &mut f32) {
    let name = file_unit_name(*scale).map_or_else(|| tr!("Other"), tr);
    let combo = egui::ComboBox::from_id_salt("unit").selected_text(name);
    let response = combo.show_ui(ui, |ui| {
        for (name, size) in FILE_UNITS {
            ui.selectable_value(scale, size, tr(name));
        }
    });
    response.response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, tr!("Unit")));
    let field = egui::DragValue::new(scale).range(1e-6..=1e6).speed(0.001).max_decimals(6);
    let response = ui.add(field.suffix(" m").update_while_editing(false));
    response.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, tr!("Meters per unit")));
    response.on_hover_text(tr!("Meters per unit of the file"));
}

fn size_ui(ui: &mut egui::Ui, level: &LoadedLevel, hint: Option<ImportHint>) {
    let theme = Theme::of(ui.ctx().theme());
    ui.separator();
    let [x, y, z] = level.mesh.bounds().size().to_array().map(format::length);
    ui.label(tr!("The level is {x} wide, {z} deep and {y} high."));
    let (text, color) = match hint {
        Some(hint) => {
            let text = lang::diagnostic(&hint.diagnostic());
            (format!("{} {text}", icons::ICON_WARNING.codepoint), theme.warning)
        }
        None => (tr!("{} Size and facing look right.", icons::ICON_CHECK.codepoint), theme.good),
    };
    ui.add(Label::new(RichText::new(text).color(color)).wrap());
}

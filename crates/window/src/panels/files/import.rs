//! The import options of a level, or of its pieces: up axis, unit, handedness, winding.

use std::path::Path;

use eframe::egui::{self, Button, Id, Key, Label, RichText, WidgetInfo, accesskit::Role};
use walkable::{
    bake::BakeSettings,
    mesh::{ImportHint, ImportOptions, UpAxis, import_hint},
    phrase,
};
use walkable_editor::{
    command::{Command, Commands, ExportKind, PiecesCommand},
    session::{Document, Edit, LoadedLevel, SessionView},
};
use walkable_workspace::{
    format,
    lang::{self, tr},
    pieces::PieceSource,
    units::{FILE_UNITS, file_unit_name},
};

use crate::{icons, theme::Theme, widgets::author_id::AuthorId as _};

#[derive(Debug, Default)]
pub struct ImportDialog {
    open: bool,
    /// Whether it shows the options of the chosen pieces, and not those of the open level.
    of_pieces: bool,
    hint: Option<(u64, Option<ImportHint>)>,
}

impl ImportDialog {
    pub fn open(&mut self) {
        (self.open, self.of_pieces) = (true, false);
    }

    pub fn open_for_pieces(&mut self) {
        (self.open, self.of_pieces) = (true, true);
    }

    pub fn close(&mut self) -> bool {
        std::mem::take(&mut self.open)
    }

    pub fn ui(&mut self, ctx: &egui::Context, view: &SessionView<'_>, out: &mut Commands) {
        if self.open && self.of_pieces {
            return self.pieces_ui(ctx, view, out);
        }
        let Some(level) = &view.opened.level else {
            self.open = false;
            return;
        };
        if !self.open {
            return;
        }
        let hint = self.hint(level, view);
        let mut open = true;
        window(&mut open).show(ctx, |ui| {
            ui.set_width(330.0);
            let present = view.document().import;
            let changed = options_ui(ui, present);
            let taken = size_ui(ui, level, hint);
            let taken = taken.map(|origin| ImportOptions { origin, ..present });
            if let Some(options) = changed.or(taken) {
                let label = phrase!("Change import options");
                out.push(Command::Change(label, Edit::Import(options)));
            }
        });
        self.open &= open;
    }

    fn pieces_ui(&mut self, ctx: &egui::Context, view: &SessionView<'_>, out: &mut Commands) {
        let Some(source) = &view.opened.pieces.source else {
            self.open = false;
            return;
        };
        let (mut open, mut accepted) = (true, false);
        window(&mut open).show(ctx, |ui| {
            ui.set_width(330.0);
            ui.add(Label::new(RichText::new(name_of(source)).strong()).truncate());
            ui.add(Label::new(tr!("These options apply to all pieces.")).wrap());
            ui.add_space(6.0);
            if let Some(options) = options_ui(ui, view.opened.pieces.import) {
                out.push(PiecesCommand::Import(options));
            }
            ui.separator();
            ui.horizontal(|ui| {
                // What was sorted before and is open is read again with other options.
                let again = view.pieces_of_level().and_then(|_| view.opened.pieces.sorted.clone());
                let text = match again {
                    Some(_) => tr!("Read pieces again"),
                    None => tr!("Choose file…"),
                };
                let accept = ui.add(Button::new(text)).author_id("import.accept");
                let enter = ui.ctx().memory(|memory| memory.focused().is_none())
                    && ui.input(|input| input.key_pressed(Key::Enter));
                if accept.clicked() || enter {
                    accepted = true;
                    out.push(match again {
                        Some(file) => Command::Replace(ExportKind::Sorted, file),
                        None => Command::Export(ExportKind::Sorted),
                    });
                }
                if ui.button(tr!("Cancel")).author_id("import.cancel").clicked() {
                    accepted = true;
                }
            });
        });
        self.open &= open && !accepted;
    }

    fn hint(&mut self, level: &LoadedLevel, view: &SessionView<'_>) -> Option<ImportHint> {
        match &self.hint {
            Some((serial, hint)) if *serial == level.serial => *hint,
            _ => {
                let Document { settings, import, .. } = view.document();
                let BakeSettings { agent_height, agent_radius, .. } = *settings;
                let hint = import_hint(&level.mesh, *import, agent_height, agent_radius);
                self.hint = Some((level.serial, hint));
                hint
            }
        }
    }
}

fn window(open: &mut bool) -> egui::Window<'_> {
    let window = egui::Window::new(tr!("Import options")).id(Id::unique("import"));
    window.open(open).collapsible(false).resizable(false).default_pos([340.0, 120.0])
}

fn name_of(source: &PieceSource) -> String {
    match source {
        PieceSource::Folder(folder) => {
            let name = folder.file_name().map_or(folder.as_path(), Path::new);
            name.display().to_string()
        }
        PieceSource::Files(pieces) => tr!("{} files", pieces.len()),
    }
}

/// Draws the options; returns them if they were changed and are valid.
fn options_ui(ui: &mut egui::Ui, present: ImportOptions) -> Option<ImportOptions> {
    let mut options = present;
    egui::Grid::new("import").num_columns(2).spacing([16.0, 8.0]).show(ui, |ui| {
        ui.label(tr!("Up axis"));
        ui.horizontal(|ui| {
            for axis in UpAxis::ALL {
                let name = axis.letter().to_ascii_uppercase().to_string();
                let id = format!("import.up.{}", axis.letter());
                ui.selectable_value(&mut options.up, axis, name).author_id(id);
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
        ui.label(tr!("Origin"));
        ui.horizontal(|ui| {
            for (axis, value) in ["X", "Y", "Z"].into_iter().zip(&mut options.origin) {
                let field = egui::DragValue::new(value).speed(1.0).update_while_editing(false);
                let id = format!("import.origin.{}", axis.to_lowercase());
                ui.add(field.prefix(format!("{axis} "))).author_id(id).on_hover_text(tr!(
                    "Position in the file that becomes the origin, in the file's unit: 32-bit \
                    coordinates are coarse far from it"
                ));
            }
        });
        ui.end_row();
    });
    let valid = options.origin.iter().all(|n| n.is_finite())
        && options.scale.is_finite()
        && options.scale > 0.0;
    (options != present && valid).then_some(options)
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

/// Draws the size of the level and the hint; returns the origin that the hint proposes if it is taken.
fn size_ui(ui: &mut egui::Ui, level: &LoadedLevel, hint: Option<ImportHint>) -> Option<[f64; 3]> {
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
    let Some(ImportHint::FarFromOrigin { origin, .. }) = hint else { return None };
    let button = ui.button(tr!("Use this origin")).author_id("import.use-origin");
    button.clicked().then_some(origin)
}

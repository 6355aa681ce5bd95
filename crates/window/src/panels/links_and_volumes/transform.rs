//! What the handles of the selection do, and whether they snap.

use eframe::egui;
use walkable_editor::{
    command::{Command, Commands, SceneItemCommand},
    session::{GizmoMode, GizmoSettings, SessionView},
};
use walkable_workspace::lang::tr;

use crate::{
    icons,
    widgets::{
        author_id::AuthorId as _,
        command_button::icon_button,
        numeric::{self, NumberSpec},
    },
};

pub fn transform_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let GizmoSettings { mode, snaps, step } = view.tools.gizmo;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for &of_button in GizmoMode::ALL {
            let icon = match of_button {
                GizmoMode::Move => icons::ICON_OPEN_WITH,
                GizmoMode::Turn => icons::ICON_ROTATE_LEFT,
                GizmoMode::Scale => icons::ICON_OPEN_IN_FULL,
            };
            let command = SceneItemCommand::Gizmo(of_button).into();
            icon_button(ui, icon, (mode == of_button).into(), command, out);
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            let [least, most] = GizmoSettings::STEPS.map(f64::from);
            let spec =
                NumberSpec { unit: "m", slider: [least, 2.0], limits: [least, most], step: 0.1 };
            let mut wide = f64::from(step);
            let field = numeric::named_field(ui, tr!("Grid spacing"), &mut wide, &spec, 64.0);
            if field.author_id("transform.step").changed() {
                out.push(SceneItemCommand::SnapStep(numeric::narrow(wide)));
            }
            let command = Command::from(SceneItemCommand::ToggleSnap);
            let mut is_on = snaps;
            let check = ui.checkbox(&mut is_on, tr!("Snap")).author_id(command.id());
            if check.on_hover_text(command.tooltip()).changed() {
                out.push(command);
            }
        });
    });
    ui.separator();
}

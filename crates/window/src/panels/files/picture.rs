//! The dialog for a picture of the 3D view.

use eframe::egui::{self, Button, Id, Modal, RichText};
use walkable_workspace::lang::tr;

use crate::widgets::{
    author_id::AuthorId as _,
    dialog,
    numeric::{NumberSpec, named_field},
};

/// Width of the dialog, in points.
const WIDTH: f32 = 360.0;
/// Minimum and maximum side of a picture, in pixels.
const SIDES: [u32; 2] = [64, 8192];
const SIZES: [[u32; 2]; 3] = [[1280, 720], [1920, 1080], [3840, 2160]];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureRequest {
    /// Width and height, in pixels.
    pub size: [u32; 2],
    pub over: PictureOverlay,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PictureOverlay {
    pub legend: bool,
    pub scale_bar: bool,
}

#[derive(Debug)]
pub struct PictureDialog {
    open: bool,
    chosen: PictureRequest,
    requested: Option<PictureRequest>,
}

impl Default for PictureDialog {
    fn default() -> Self {
        let over = PictureOverlay { legend: true, scale_bar: true };
        Self { open: false, chosen: PictureRequest { size: SIZES[1], over }, requested: None }
    }
}

impl PictureDialog {
    pub fn open(&mut self) {
        self.open = true;
    }

    pub fn close(&mut self) -> bool {
        std::mem::take(&mut self.open)
    }

    pub fn take_request(&mut self) -> Option<PictureRequest> {
        self.requested.take()
    }

    /// Draws the dialog. `shown` is the size of the 3D view, in pixels.
    pub fn ui(&mut self, ctx: &egui::Context, shown: Option<[u32; 2]>) {
        if !self.open {
            return;
        }
        let mut closed = false;
        let modal = Modal::new(Id::unique("picture")).show(ctx, |ui| {
            dialog::set_width(ui, WIDTH);
            ui.label(RichText::new(tr!("Save picture")).heading());
            ui.add_space(4.0);
            size_ui(ui, &mut self.chosen.size, shown);
            let PictureOverlay { legend, scale_bar } = &mut self.chosen.over;
            ui.checkbox(legend, tr!("Legend")).author_id("picture.legend");
            ui.checkbox(scale_bar, tr!("Scale bar")).author_id("picture.scale-bar");
            ui.add_space(8.0);
            ui.horizontal(|ui| {
                if ui.button(tr!("Save…")).author_id("picture.save").clicked() {
                    self.requested = Some(self.chosen);
                    closed = true;
                }
                closed |= ui.button(tr!("Cancel")).author_id("picture.cancel").clicked();
            });
        });
        if closed || modal.should_close() {
            self.open = false;
        }
    }
}

fn size_ui(ui: &mut egui::Ui, size: &mut [u32; 2], shown: Option<[u32; 2]>) {
    let limits = SIDES.map(f64::from);
    let spec = NumberSpec { unit: "px", slider: limits, limits, step: 1.0 };
    ui.horizontal(|ui| {
        let names = [("picture.width", tr!("Width")), ("picture.height", tr!("Height"))];
        for (side, (id, name)) in size.iter_mut().zip(names) {
            let mut value = f64::from(*side);
            let field = named_field(ui, name, &mut value, &spec, 90.0).author_id(id);
            if field.changed() {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "within the limits of the field"
                )]
                let pixels = value.round() as u32;
                *side = pixels;
            }
        }
    });
    ui.horizontal_wrapped(|ui| {
        let sizes = SIZES.map(|[width, height]| {
            ([width, height], width.to_string(), format!("{width} × {height}"))
        });
        let shown = shown.map(|size| {
            let size = size.map(|side| side.clamp(SIDES[0], SIDES[1]));
            (size, "shown".to_owned(), tr!("As shown").to_owned())
        });
        for (preset, key, text) in shown.into_iter().chain(sizes) {
            let button = ui.add(Button::selectable(*size == preset, text));
            if button.author_id(format_args!("picture.size.{key}")).clicked() {
                *size = preset;
            }
        }
    });
}

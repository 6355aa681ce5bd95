//! Pictures of the 3D view on a web page, which cannot wait for the graphics device.

use eframe::egui;
use walkable_editor::session::SessionView;

use crate::{
    panels::files::picture::PictureRequest,
    viewport::{Scene, Viewport},
};

/// Always fails: reading a picture back would block the page.
pub(super) fn take(
    _: &egui::Context,
    _: &Viewport,
    _: &Scene<'_>,
    _: &SessionView<'_>,
    _: PictureRequest,
) -> anyhow::Result<Vec<u8>> {
    anyhow::bail!("a web page cannot save pictures")
}

//! Reads a finished picture back from the graphics card.

#[cfg(not(target_family = "wasm"))]
use std::time::Duration;
use std::{
    pin::pin,
    sync::mpsc::{Receiver, TryRecvError, sync_channel},
    task::{Context, Poll, Waker},
};

use anyhow::{Context as _, bail, ensure};
use eframe::{
    egui,
    egui_wgpu::{self, wgpu},
};

use super::{
    Gpu, Picture,
    targets::{COLOR, Targets},
};

/// Alignment of the rows in a buffer, in bytes.
const ROW: u32 = wgpu::COPY_BYTES_PER_ROW_ALIGNMENT;
/// Maximum time to wait for the driver; software drivers are slow.
#[cfg(not(target_family = "wasm"))]
const PATIENCE: Duration = Duration::from_mins(2);

impl Gpu {
    /// Draws `picture` and returns its pixels: three bytes each, row by row from the top.
    #[cfg(not(target_family = "wasm"))]
    pub(in crate::viewport) fn render(&self, picture: Picture) -> anyhow::Result<Vec<u8>> {
        self.draw_with(picture, None)?.wait()
    }

    /// Draws `picture` with `overlay` over it, and starts to read its pixels. Fails if the picture is too large for the
    /// device.
    pub(in crate::viewport) fn draw_with(
        &self,
        picture: Picture,
        mut overlay: Option<DrawnOverlay>,
    ) -> anyhow::Result<PictureReading> {
        let mut state = self.state();
        let (device, queue) = state.device.clone();
        let started = check_size(&device.limits(), picture.canvas.size).and_then(|()| {
            errors_of(&device, || {
                let mut encoder =
                    device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
                state.show((&device, &queue), &mut encoder, picture, usize::MAX);
                // The window shows another picture.
                state.drawn = None;
                let targets = state.targets.as_ref().context("nothing was drawn")?;
                if let Some(overlay) = &overlay {
                    overlay.draw((&device, &queue), &mut encoder, targets);
                }
                Ok(PictureReading::start((&device, &queue), encoder, targets))
            })
        });
        if started.is_err() {
            // They may be unusable.
            (state.targets, state.occlusion) = (None, None);
        }
        // The window library insists that all of them are used.
        if let Some(overlay) = &mut overlay {
            overlay.textures.clear();
        }
        started
    }

    /// Starts to read back the last drawn picture; returns `None` if it is not complete.
    pub(in crate::viewport) fn read_last(&self) -> Option<PictureReading> {
        let state = self.state();
        let targets = state.targets.as_ref().filter(|_| state.drawn.is_some())?;
        let (device, queue) = &state.device;
        let encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        Some(PictureReading::start((device, queue), encoder, targets))
    }
}

pub(in crate::viewport) fn check_size(
    limits: &wgpu::Limits,
    [width, height]: [u32; 2],
) -> anyhow::Result<()> {
    ensure!(width.min(height) > 0, "a picture needs at least one pixel in each direction");
    let most = limits.max_texture_dimension_2d;
    ensure!(
        width.max(height) <= most,
        "the graphics device draws pictures of at most {most} × {most} pixels"
    );
    let n_bytes = u64::from(bytes_per_row(width)) * u64::from(height);
    let most = limits.max_buffer_size;
    ensure!(
        n_bytes <= most,
        "a picture of {width} × {height} pixels takes {n_bytes} bytes, but the graphics device reads at most {most}"
    );
    Ok(())
}

/// Returns the result of `draw`, or an error if the device fails in it, for example because it has too little memory.
/// Without this, such an error is a panic.
fn errors_of<T>(
    device: &wgpu::Device,
    draw: impl FnOnce() -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};

    let scopes = [Validation, Internal, OutOfMemory].map(|kind| device.push_error_scope(kind));
    let result = draw();
    let mut now = Context::from_waker(Waker::noop());
    // In a page the errors arrive later, but there they are no panics.
    let mut error = |scope: wgpu::ErrorScopeGuard| match pin!(scope.pop()).poll(&mut now) {
        Poll::Ready(error) => error,
        Poll::Pending => None,
    };
    let [validation, internal, memory] = scopes;
    // In the reverse order of their creation.
    let errors = [memory, internal, validation].map(&mut error);
    match errors.into_iter().flatten().next() {
        Some(wgpu::Error::OutOfMemory { .. }) => {
            bail!(
                "the graphics device has too little memory for the picture; choose a smaller size"
            )
        }
        Some(error) => bail!("the graphics device cannot draw the picture: {error}"),
        None => result,
    }
}

pub(in crate::viewport) struct DrawnOverlay {
    pub(in crate::viewport) shapes: Vec<egui::ClippedPrimitive>,
    pub(in crate::viewport) textures: egui::TexturesDelta,
    pub(in crate::viewport) pixels_per_point: f32,
}

impl DrawnOverlay {
    fn draw(
        &self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        encoder: &mut wgpu::CommandEncoder,
        targets: &Targets,
    ) {
        let options = egui_wgpu::RendererOptions::default();
        let mut renderer = egui_wgpu::Renderer::new(device, COLOR, options);
        #[expect(
            clippy::iter_over_hash_type,
            reason = "the order of textures does not matter, that of the changes of one does"
        )]
        for (id, changes) in &self.textures.set {
            for change in changes {
                renderer.update_texture(device, queue, *id, change);
            }
        }
        let screen = egui_wgpu::ScreenDescriptor {
            size_in_pixels: targets.size,
            pixels_per_point: self.pixels_per_point,
        };
        let first = renderer.update_buffers(device, queue, encoder, &self.shapes, &screen);
        queue.submit(first);
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("over the picture"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &targets.resolved,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
            })],
            ..wgpu::RenderPassDescriptor::default()
        });
        renderer.render(&mut pass.forget_lifetime(), &self.shapes, &screen);
    }
}

#[derive(Debug)]
pub struct PictureReading {
    device: wgpu::Device,
    buffer: wgpu::Buffer,
    size: [u32; 2],
    /// Receives a message once the pixels can be read.
    mapped: Receiver<Result<(), wgpu::BufferAsyncError>>,
}

impl PictureReading {
    /// Submits the commands of `encoder`, which draw a picture into `targets`, and requests its pixels.
    fn start(
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        mut encoder: wgpu::CommandEncoder,
        targets: &Targets,
    ) -> Self {
        let [width, height] = targets.size;
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture"),
            size: u64::from(bytes_per_row(width)) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        encoder.copy_texture_to_buffer(
            targets.resolved.texture().as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(bytes_per_row(width)),
                    rows_per_image: None,
                },
            },
            wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        );
        queue.submit([encoder.finish()]);
        let (sender, mapped) = sync_channel(1);
        buffer.slice(..).map_async(wgpu::MapMode::Read, move |result| {
            // The receiver may be gone.
            drop(sender.try_send(result));
        });
        Self { device: device.clone(), buffer, size: targets.size, mapped }
    }

    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Returns the pixels once they have arrived: three bytes each, row by row from the top. Does not wait.
    pub fn poll(&self) -> anyhow::Result<Option<Vec<u8>>> {
        self.device.poll(wgpu::PollType::Poll)?;
        match self.mapped.try_recv() {
            Ok(result) => {
                result.map_err(anyhow::Error::from).and_then(|()| self.pixels()).map(Some)
            }
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => anyhow::bail!("the graphics device was lost"),
        }
    }

    /// Waits for the pixels, and returns them as [`PictureReading::poll`] does.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn wait(self) -> anyhow::Result<Vec<u8>> {
        let all = wgpu::PollType::Wait { submission_index: None, timeout: Some(PATIENCE) };
        self.device.poll(all)?;
        self.mapped.try_recv().context("the driver did not finish the picture")??;
        self.pixels()
    }

    fn pixels(&self) -> anyhow::Result<Vec<u8>> {
        let [width, _] = self.size;
        let view = self.buffer.slice(..).get_mapped_range()?;
        let row =
            |row: &[u8]| row.chunks_exact(4).take(width as usize).flat_map(rgb).collect::<Vec<_>>();
        Ok(view.chunks_exact(bytes_per_row(width) as usize).flat_map(row).collect())
    }
}

fn bytes_per_row(width: u32) -> u32 {
    (width * 4).next_multiple_of(ROW)
}

fn rgb(pixel: &[u8]) -> impl Iterator<Item = u8> + '_ {
    pixel.iter().take(3).copied()
}

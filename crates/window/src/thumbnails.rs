//! The small pictures of recent levels on the start page: taken from the 3D view, written in the background.

use std::{cell::RefCell, collections::BTreeMap, io::Cursor, path::Path, sync::Arc};

use eframe::egui::{self, ColorImage, TextureHandle, TextureOptions};
use image::{ImageFormat, RgbImage, imageops::FilterType};
use walkable::monitor::Unmonitored;
use walkable_editor::{
    jobs::slot::{JobEvent, JobSlot, Wake},
    session::LevelSource,
    thumbnails::ThumbnailFolder,
};

use crate::{images, viewport::PictureReading};

/// Width and height of the pictures, in pixels: twice what they take on the page.
pub const SIZE: [u32; 2] = [144, 96];

#[derive(Clone, Debug)]
struct ViewPicture {
    size: [u32; 2],
    /// Three bytes per pixel, row by row from the top.
    pixels: Vec<u8>,
}

struct Reading {
    picture: PictureReading,
    source: LevelSource,
    recent: Vec<LevelSource>,
}

pub struct Thumbnails {
    /// `None` if nothing is stored.
    folder: Option<ThumbnailFolder>,
    slot: JobSlot<String>,
    reading: Option<Reading>,
    is_reported: bool,
    /// The pictures that were read; `None` for a level without one.
    read: RefCell<BTreeMap<LevelSource, Option<TextureHandle>>>,
}

impl std::fmt::Debug for Thumbnails {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Thumbnails").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl Thumbnails {
    /// Stores pictures in `folder`, if there is one. `wake` is called when one is written.
    pub fn new(folder: Option<&Path>, wake: Wake) -> Self {
        let folder = folder.map(|folder| ThumbnailFolder::new(folder.join("thumbnails")));
        let slot = JobSlot::new("thumbnail", wake);
        Self { folder, slot, reading: None, is_reported: false, read: RefCell::default() }
    }

    pub fn are_kept(&self) -> bool {
        self.folder.is_some()
    }

    /// Returns whether a picture is being read back. The graphics device does not wake up the window, so call
    /// [`Thumbnails::poll`] in the next frame.
    pub fn is_reading(&self) -> bool {
        self.reading.is_some()
    }

    pub fn is_writing(&self) -> bool {
        self.is_reading() || self.slot.has_thread()
    }

    /// Stores `picture` as that of `source` once it has been read back, and removes the pictures of levels that are not in
    /// `recent`. A picture that is still being read back is dropped.
    pub fn keep(&mut self, source: LevelSource, picture: PictureReading, recent: Vec<LevelSource>) {
        self.reading = Some(Reading { picture, source, recent });
    }

    /// Writes a picture that has been read back, in the background. Returns why a picture could not be written, once. Does
    /// not block. If the driver fails, no picture is written.
    pub fn poll(&mut self) -> Option<String> {
        if let Some(reading) = self.reading.take() {
            let size = reading.picture.size();
            match reading.picture.poll() {
                Ok(None) => self.reading = Some(reading),
                Ok(Some(pixels)) => {
                    self.write(reading.source, ViewPicture { size, pixels }, reading.recent);
                }
                Err(_) => {}
            }
        }
        self.write_error()
    }

    fn write(&mut self, source: LevelSource, picture: ViewPicture, recent: Vec<LevelSource>) {
        let Some(folder) = self.folder.clone() else { return };
        self.read.get_mut().remove(&source);
        self.slot.request(move |report| {
            let written = scaled(picture).and_then(|bytes| folder.write(&source, &bytes, &recent));
            if let Err(why) = written {
                report.send(format!("{why:#}"));
            }
        });
    }

    fn write_error(&mut self) -> Option<String> {
        let events = self.slot.poll().into_iter();
        let reason = |event| match event {
            JobEvent::Message(why) | JobEvent::Panicked(why) => Some(why),
            JobEvent::Finished => None,
        };
        let why = events.filter_map(reason).next_back()?;
        (!std::mem::replace(&mut self.is_reported, true)).then_some(why)
    }

    /// Returns the picture of `source`, which is read on first use; `None` if there is none, or if it is damaged.
    pub fn show(&self, ctx: &egui::Context, source: &LevelSource) -> Option<TextureHandle> {
        let folder = self.folder.as_ref()?;
        if let Some(read) = self.read.borrow().get(source) {
            return read.clone();
        }
        // The picture being written may be this one: read it in a later frame.
        if self.is_writing() {
            return None;
        }
        let image = folder.read(source).and_then(|bytes| decoded(&bytes));
        let texture = image
            .map(|image| ctx.load_texture(source.name(), Arc::new(image), TextureOptions::LINEAR));
        self.read.borrow_mut().insert(source.clone(), texture.clone());
        texture
    }
}

/// Crops a picture to the aspect ratio of a thumbnail, scales it to [`SIZE`] and encodes it as PNG.
fn scaled(picture: ViewPicture) -> anyhow::Result<Vec<u8>> {
    let ViewPicture { size: [width, height], pixels } = picture;
    let image = RgbImage::from_raw(width, height, pixels);
    let image = image.ok_or_else(|| anyhow::anyhow!("the picture has too few pixels"))?;
    let [across, down] = SIZE;
    let shape = |side: u32, by: u32, of: u32| {
        u32::try_from(u64::from(side) * u64::from(by) / u64::from(of)).unwrap_or(u32::MAX).max(1)
    };
    let (w, h) = (width.min(shape(height, across, down)), height.min(shape(width, down, across)));
    let middle = image::imageops::crop_imm(&image, (width - w) / 2, (height - h) / 2, w, h);
    let small = image::imageops::resize(&middle.to_image(), across, down, FilterType::Triangle);
    encoded(&small)
}

fn encoded(image: &RgbImage) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Png)?;
    Ok(bytes.into_inner())
}

fn decoded(bytes: &[u8]) -> Option<ColorImage> {
    let is_ours = images::size(bytes).is_ok_and(|size| size == SIZE);
    let image = is_ours.then(|| images::decoded(bytes, &Unmonitored).ok())??;
    let size = SIZE.map(|side| side as usize);
    Some(ColorImage::from_rgb(size, image.into_rgb8().as_raw()))
}

#[cfg(test)]
mod tests {
    use std::{fs, sync::mpsc::sync_channel};

    use super::*;

    /// Returns a picture that is red in its middle, where a thumbnail is cut out, and blue at both sides.
    fn wide() -> ViewPicture {
        let size = [600, 96];
        let color = |x: u32| if (228..372).contains(&x) { [200, 0, 0] } else { [0, 0, 200] };
        let pixels = (0..size[1]).flat_map(|_| (0..size[0]).flat_map(color)).collect();
        ViewPicture { size, pixels }
    }

    #[test]
    fn the_middle_of_a_picture_is_scaled() {
        let image = decoded(&scaled(wide()).unwrap()).unwrap();
        assert_eq!(image.size, [144, 96]);
        assert!(image.pixels.iter().all(|pixel| *pixel == egui::Color32::from_rgb(200, 0, 0)));
        let large = ViewPicture { size: [1440, 960], pixels: vec![9; 1440 * 960 * 3] };
        assert!(decoded(&scaled(large).unwrap()).is_some());
        for size in [[1, 1], [1, 5000], [5000, 1], [144, 96]] {
            let pixels = vec![0; (size[0] * size[1] * 3) as usize];
            assert!(decoded(&scaled(ViewPicture { size, pixels }).unwrap()).is_some(), "{size:?}");
        }
        assert!(scaled(ViewPicture { size: [9, 9], pixels: vec![0; 9] }).is_err());
    }

    #[test]
    fn pictures_are_read_once_and_damaged_ones_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let (sender, woken) = sync_channel(9);
        let wake: Wake = Arc::new(move || sender.try_send(()).unwrap_or_default());
        let mut thumbnails = Thumbnails::new(Some(folder.path()), wake);
        let ctx = egui::Context::default();
        let maze = LevelSource::Builtin("maze".to_owned());
        assert!(thumbnails.show(&ctx, &maze).is_none());
        thumbnails.write(maze.clone(), wide(), vec![maze.clone()]);
        while thumbnails.is_writing() {
            woken.recv().unwrap();
            assert_eq!(thumbnails.poll(), None);
        }
        let shown = thumbnails.show(&ctx, &maze).unwrap();
        assert_eq!(shown.size(), [144, 96]);
        assert_eq!(thumbnails.show(&ctx, &maze).map(|texture| texture.id()), Some(shown.id()));
        let file = fs::read_dir(folder.path().join("thumbnails")).unwrap().next().unwrap();
        let file = file.unwrap().path();
        let whole = fs::read(&file).unwrap();
        let other_size = encoded(&RgbImage::new(9, 9)).unwrap();
        let mut flipped = whole.clone();
        let middle = whole.len() / 2;
        flipped[middle] ^= 0xff;
        for bytes in [&whole[..whole.len() / 2], b"", b"no picture", &other_size, &flipped] {
            fs::write(&file, bytes).unwrap();
            let again = Thumbnails::new(Some(folder.path()), Arc::new(|| ()));
            // A damaged file may be decoded, but never to another size.
            assert!(again.show(&ctx, &maze).is_none_or(|texture| texture.size() == [144, 96]));
        }
        let none = Thumbnails::new(None, Arc::new(|| ()));
        assert!(!none.are_kept() && none.show(&ctx, &maze).is_none());
    }
}

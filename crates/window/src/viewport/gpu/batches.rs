//! The buffers of batches: complete or coarse, within a memory budget.

use std::collections::BTreeMap;

use eframe::egui_wgpu::wgpu;
use walkable::debug_draw::{self, DrawList, Paint};
use walkable_editor::{
    pictures::{Batch, PictureId},
    session::{Cache, LastUse, Slice},
};

use super::{
    BATCH_LIFT, OVERLAY_LIFT, Picture, UNDER_LIFT,
    buffers::{ListBuffers, Uploader},
};
use crate::{theme::Theme, viewport::scene::LevelView};

/// Maximum number of primitives of each kind in a far batch when memory is short.
const FAR: usize = 600;
/// Lower bound of that maximum, for very many far batches.
const LEAST_FAR: usize = 12;

/// Memory for the level relative to that of the batches' buffers: the batches have a quarter of the user's limit, and
/// the level may use the whole.
const LEVEL_SHARE: usize = 4;

/// The buffers of batches. The batches nearest to the camera's target are drawn completely; the others are drawn in a
/// coarse form if the budget requires it.
#[derive(Debug)]
pub(super) struct Batches {
    buffers: Cache<(PictureId, Form), BatchBuffers>,
    drawn: BTreeMap<PictureId, Form>,
    level_budget: usize,
    n_passes: u64,
    is_software: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    Whole,
    Coarse,
}

#[derive(Debug)]
struct BatchBuffers {
    revision: u64,
    theme: Theme,
    /// Whether the batch is drawn over all others and remains visible behind other geometry.
    stands_out: bool,
    list: ListBuffers,
}

struct BatchPass<'a> {
    upload: &'a Uploader<'a>,
    picture: &'a Picture,
    /// Remaining memory for batches, without that for a coarse form of each, in bytes.
    left: usize,
    far: usize,
    /// Remaining bytes that may be uploaded in this frame.
    fresh: usize,
}

impl Batches {
    pub(super) fn new(device: wgpu::DeviceType) -> Self {
        let is_software = device == wgpu::DeviceType::Cpu;
        let buffers = Cache::new(usize::MAX);
        let level_budget = usize::MAX;
        Self { buffers, drawn: BTreeMap::new(), level_budget, n_passes: 0, is_software }
    }

    /// Sets the memory budget of batches and textures, and the part of it that is for textures, in bytes.
    pub(super) fn set_budget(&mut self, budget: usize, textures: usize) {
        self.level_budget = budget.saturating_mul(LEVEL_SHARE);
        self.buffers.set_budget(budget.saturating_sub(textures));
    }

    pub(super) fn n_bytes(&self) -> usize {
        self.buffers.n_bytes()
    }

    /// Returns whether the level fits in the budget. This matters only for a software driver, which uses the memory and
    /// time of this process; a graphics card has its own memory.
    pub(super) fn has_room_for_level(&self, level: &LevelView) -> bool {
        let per_triangle = self.per_triangle();
        let n_bytes = 16 * level.mesh.vertices().len()
            + level.mesh.triangles().len() * (12 + per_triangle)
            + level.edges.len() * (32 + 2 * per_triangle)
            + level.drawn_appearance().map_or(0, |drawn| drawn.textures().n_bytes());
        !self.is_software || n_bytes <= self.level_budget
    }

    /// Returns the maximum number of bytes to upload per frame: some milliseconds of work.
    pub(super) fn most_fresh(&self) -> usize {
        if self.is_software { 32 << 20 } else { 64 << 20 }
    }

    /// Returns the buffers of `batch`, and whether it is drawn over all others.
    pub(super) fn of(&self, batch: &Batch) -> Option<(&ListBuffers, bool)> {
        let form = *self.drawn.get(&batch.id)?;
        let buffers = self.buffers.get(&(batch.id, form))?;
        Some((&buffers.list, buffers.stands_out))
    }

    #[cfg(test)]
    pub(super) fn drawn(&self) -> impl Iterator<Item = (&ListBuffers, bool)> {
        let buffers = self.drawn.iter().filter_map(|(&id, &form)| self.buffers.get(&(id, form)));
        buffers.map(|buffers| (&buffers.list, buffers.stands_out))
    }

    /// Uploads about `fresh` bytes for `picture`, the nearest batches first; returns whether everything is uploaded.
    pub(super) fn upload(
        &mut self,
        upload: &Uploader<'_>,
        picture: &Picture,
        fresh: usize,
    ) -> bool {
        self.n_passes += 1;
        let mut order: Vec<&Batch> = picture.batches.iter().collect();
        order.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        let far = self.far(order.iter().filter(|batch| batch.distance > 0.0).count());
        let coarse: usize = order.iter().map(|batch| self.coarse_bytes(batch, far)).sum();
        let left = self.buffers.room().saturating_sub(coarse);
        let mut pass = BatchPass { upload, picture, left, far, fresh };
        let before = std::mem::take(&mut self.drawn);
        let mut is_all = true;
        for batch in order {
            let form = self.form(batch, &pass);
            let form = if self.make(batch, form, &mut pass) {
                Some(form)
            } else {
                is_all = false;
                before.get(&batch.id).copied()
            };
            let Some(form) = form else { continue };
            self.drawn.insert(batch.id, form);
            self.set_look(batch, form, &mut pass);
        }
        let drawn = &self.drawn;
        self.buffers.retain(|(id, _)| drawn.contains_key(id));
        is_all
    }

    /// Returns the maximum number of primitives of each kind in each of `n` far batches. Together, the batches take
    /// about half of the budget, or more if there are very many.
    fn far(&self, n: usize) -> usize {
        (self.buffers.room() / (2 * n.max(1)) / self.per_primitive()).clamp(LEAST_FAR, FAR)
    }

    fn coarse_bytes(&self, batch: &Batch, far: usize) -> usize {
        if batch.distance <= 0.0 { 0 } else { bytes(batch, self.per_triangle(), far) }
    }

    /// Returns the memory of a triangle, a line and a point, in bytes.
    fn per_primitive(&self) -> usize {
        104 + 5 * self.per_triangle()
    }

    fn form(&self, batch: &Batch, pass: &BatchPass<'_>) -> Form {
        let is_single = batch.distance <= 0.0;
        let more = whole_bytes(batch, self.per_triangle()) - self.coarse_bytes(batch, pass.far);
        let fits = is_single || more <= pass.left;
        let whole = (pass.picture.limit.is_none() && fits) || stands_out(batch);
        if whole { Form::Whole } else { Form::Coarse }
    }

    /// Creates the buffers of `batch`, unless they exist; returns whether they exist afterwards.
    fn make(&mut self, batch: &Batch, form: Form, pass: &mut BatchPass<'_>) -> bool {
        let key = (batch.id, form);
        let theme = &pass.picture.theme;
        let known = self.buffers.get(&key);
        if known.is_some_and(|old| old.revision == batch.revision && old.theme == *theme) {
            return true;
        }
        if pass.fresh == 0 {
            return false;
        }
        let stands_out = stands_out(batch);
        let lift = match (stands_out, batch.under) {
            (true, _) => OVERLAY_LIFT,
            (false, true) => UNDER_LIFT,
            (false, false) => BATCH_LIFT,
        };
        let list = match form {
            Form::Whole => pass.upload.lists(batch.lists(), theme, lift),
            Form::Coarse => {
                let limit = pass.picture.limit.unwrap_or(pass.far);
                let coarse = debug_draw::coarse(&merged(batch), limit);
                pass.upload.lists(std::iter::once(&coarse), theme, lift)
            }
        };
        let n_bytes = list.n_bytes(self.per_triangle());
        // Creating a coarse form takes as long as a complete one.
        pass.fresh = pass.fresh.saturating_sub(whole_bytes(batch, 0).max(1));
        let used = LastUse { pass: self.n_passes, distance: batch.distance };
        let buffers = BatchBuffers { revision: batch.revision, theme: *theme, stands_out, list };
        self.buffers.insert(key, buffers, n_bytes, used);
        true
    }

    fn set_look(&mut self, batch: &Batch, form: Form, pass: &mut BatchPass<'_>) {
        let key = (batch.id, form);
        let n_bytes = self.buffers.bytes_of(&key).unwrap_or(0);
        pass.left =
            pass.left.saturating_sub(n_bytes.saturating_sub(self.coarse_bytes(batch, pass.far)));
        let used = LastUse { pass: self.n_passes, distance: batch.distance };
        let Some(buffers) = self.buffers.touch(&key, used) else { return };
        // A path is drawn at all heights.
        let slice = if buffers.stands_out { Slice::ALL } else { pass.picture.slice };
        buffers.list.set_look(pass.upload.queue, batch.opacity, slice);
    }

    /// Returns the memory per triangle while it is drawn, in bytes: a software driver keeps triangles in the memory of
    /// this process until the picture is done.
    fn per_triangle(&self) -> usize {
        if self.is_software { 1000 } else { 0 }
    }
}

/// Returns the approximate size of the complete `batch`, with `per_triangle` bytes for each drawn triangle.
fn whole_bytes(batch: &Batch, per_triangle: usize) -> usize {
    bytes(batch, per_triangle, usize::MAX)
}

/// Returns the approximate size of `batch` with at most `max` primitives of each kind.
fn bytes(batch: &Batch, per_triangle: usize, max: usize) -> usize {
    let mut n = [0; 4];
    for DrawList { triangles, lines, points, blocks } in batch.lists() {
        let of_list = [triangles.len(), lines.len(), points.len(), blocks.len()];
        n = std::array::from_fn(|kind| n[kind] + of_list[kind]);
    }
    let sizes = [(48, 1), (32, 2), (24, 2), (32, 6)];
    let size = |(size, n_triangles): (usize, usize)| size + n_triangles * per_triangle;
    n.into_iter().zip(sizes).map(|(n, kind)| n.min(max) * size(kind)).sum()
}

/// Returns whether a batch shows a path, which must always be visible. Pictures of tiles do not.
fn stands_out(batch: &Batch) -> bool {
    let is_path = |paint| matches!(paint, Paint::Path | Paint::Start | Paint::End);
    let shows_path = |list: &DrawList| {
        list.lines.iter().any(|line| is_path(line.paint))
            || list.points.iter().any(|point| is_path(point.paint))
    };
    batch.distance <= 0.0 && batch.lists().any(shows_path)
}

fn merged(batch: &Batch) -> DrawList {
    batch.lists().fold(DrawList::default(), |mut all, list| {
        all.append(list.clone());
        all
    })
}

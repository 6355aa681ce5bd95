//! A preview of a fix: its bake is shown next to the current one, and the document is unchanged.

use std::sync::Arc;

use glam::Vec3;
use walkable::{
    bake::{AreaFlags, BakeInput},
    debug_draw::{self, DrawList},
    explain::Fix,
    phrase,
};

use super::{BakeState, Edit, PathQuestion, Revision, Session};

/// A fix that is tried out. [`Session::bake`] is the bake with it.
#[derive(Clone, Debug)]
pub struct Preview {
    pub fix: Fix,
    edit: Edit,
    /// Revisions of the document and of the bake's input when the preview began.
    revisions: (u64, Revision),
    current: BakeState,
    divider: Option<f32>,
    is_done: bool,
    /// The path on the current bake, and its input.
    path: (Option<PathQuestion>, Arc<DrawList>),
}

/// What a bake of a preview starts from.
#[derive(Debug)]
pub(crate) struct PreviewInput {
    pub(crate) input: BakeInput,
    /// The point around which tiles are baked first.
    pub(crate) near: Vec3,
}

impl Session {
    /// Returns whether a preview can begin: a fix is offered, and the bake is up to date.
    pub fn can_preview(&self) -> bool {
        self.preview.is_none() && self.can_find_fixes() && self.opened.level.is_some()
    }

    /// Begins to try out `fix`; `None` if it was not found for the current point or path, or does not change the bake.
    pub(crate) fn begin_preview(&mut self, fix: Fix) -> Option<PreviewInput> {
        if !self.can_preview() || !self.offers(&fix) {
            return None;
        }
        let edit = self.edit_of(&fix)?;
        let level = self.opened.level.as_ref()?;
        let (mesh, part) = (Arc::clone(&level.mesh), level.part());
        let mut changed = self.document().clone();
        edit.clone().apply(&mut changed);
        // Flags are given to polygons after the bake.
        let input = changed.config().with_mesh(mesh).of_part(part);
        let input = BakeInput { area_flags: AreaFlags::default(), ..input };
        let near = self.present_break().map(|found| found.place);
        let near = near.or_else(|| self.tools.selection.map(|place| place.point));
        let near = near.or_else(|| self.shown.look.map(|look| look.target));
        let drawn = self.path.answer.as_ref().filter(|_| self.path.show.line);
        let drawn = drawn.map(|answer| debug_draw::path(&answer.path)).unwrap_or_default();
        let path = (self.path_question(), Arc::new(drawn));
        self.n_previews += 1;
        let next = self.bake.for_preview(self.n_previews);
        let current = std::mem::replace(&mut self.bake, next);
        let revisions = (self.history.revision(), self.revision());
        let divider = self.shown.display.divider;
        self.shown.display.divider = Some(divider.unwrap_or(0.5));
        self.bake.compares = true;
        let preview = Preview { fix, edit, revisions, current, divider, is_done: false, path };
        self.preview = Some(Box::new(preview));
        Some(PreviewInput { input, near: near.unwrap_or_else(|| self.bounds().center()) })
    }

    pub(crate) fn finish_preview(&mut self) {
        if let Some(preview) = &mut self.preview {
            preview.is_done = true;
        }
    }

    pub fn has_whole_preview(&self) -> bool {
        self.preview.as_ref().is_some_and(|preview| preview.is_done)
    }

    /// Ends the preview and shows the current bake again; returns whether there was one.
    pub(crate) fn discard_preview(&mut self) -> bool {
        let Some(preview) = self.preview.take() else { return false };
        let Preview { current, divider, .. } = *preview;
        self.bake = current;
        self.restore_divider(divider);
        self.update_path();
        true
    }

    /// Ends the preview and applies its fix. A complete preview becomes the current bake.
    pub(crate) fn keep_preview(&mut self) {
        let Some(preview) = self.preview.take() else { return };
        let Preview { edit, current, divider, is_done, .. } = *preview;
        let is_whole = is_done && self.bake.failures().next().is_none();
        let pinned = current.before.clone().filter(|before| before.is_pinned);
        if !is_whole {
            self.bake = current;
        }
        self.restore_divider(divider);
        self.history.change(phrase!("Apply fix"), |document| edit.apply(document));
        if is_whole {
            let revision = self.revision();
            let coords: Vec<_> = self.bake.tiles.keys().copied().collect();
            self.bake.keep(&coords, revision);
            self.bake.started = Some(revision);
            if pinned.is_some() {
                self.bake.before = pinned;
                self.bake.count();
            }
        }
        self.update_path();
    }

    /// Returns whether the document or the level has changed since the preview began.
    pub(crate) fn has_stale_preview(&self) -> bool {
        let now = (self.history.revision(), self.revision());
        self.preview.as_ref().is_some_and(|preview| preview.revisions != now)
    }

    /// Returns the bake of the document, also while the view shows a preview.
    pub fn current_bake(&self) -> &BakeState {
        self.preview.as_ref().map_or(&self.bake, |preview| &preview.current)
    }

    /// Returns the picture of the path on the current bake while the view shows a preview, and its serial number;
    /// `None` if the path has changed since.
    pub(crate) fn path_before_preview(&self) -> Option<(u64, &Arc<DrawList>)> {
        let (question, picture) = &self.preview.as_ref()?.path;
        (*question == self.path_question()).then_some((self.n_previews, picture))
    }

    fn restore_divider(&mut self, divider: Option<f32>) {
        self.shown.display.divider = divider;
        self.bake.compares = divider.is_some();
    }
}

impl BakeState {
    /// Returns a copy into which a preview bakes. `number` differs for each preview, so that serial numbers do not
    /// repeat and caches do not mix up results.
    fn for_preview(&self, number: u64) -> Self {
        let mut next = self.clone();
        let offset = number << 32;
        next.last_serial = self.last_serial.wrapping_add(offset);
        next.navmesh_serial = self.navmesh_serial.wrapping_add(offset);
        next.before = None;
        next.compare_with_current();
        next
    }
}

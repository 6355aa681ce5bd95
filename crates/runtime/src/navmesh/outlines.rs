//! The outlines of a mesh: laid out when they are first asked for, and kept up from then on.

use std::sync::OnceLock;

use super::{
    NavMesh,
    outline::{Outline, put_outlines},
};

impl NavMesh {
    /// Outlines of all polygons, by number.
    #[inline]
    pub(crate) fn outlines(&self) -> &[Outline] {
        self.outlines.0.get_or_init(|| self.all_outlines())
    }

    fn all_outlines(&self) -> Vec<Outline> {
        let mut all = Vec::new();
        for live in self.live_tiles() {
            put_outlines(live, self.graph(), &mut all);
        }
        all
    }

    /// Lays out the polygons of a tile, which is new or has other links than before, if others are.
    pub(super) fn outline(&mut self, id: u32) {
        if let Some(mut all) = self.outlines.0.take() {
            put_outlines(self.live(id), self.graph(), &mut all);
            self.outlines.0 = OnceLock::from(all);
        }
    }
}

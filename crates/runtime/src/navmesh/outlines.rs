//! The outlines of a navmesh: computed at the first query, and updated from then on.

use std::sync::OnceLock;

use super::{
    NavMesh,
    outline::{Outline, put_outlines},
};

impl NavMesh {
    /// Returns the outlines of all polygons, by number.
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

    /// Updates the outlines of a tile that is new or has new links, if outlines have been computed.
    pub(super) fn outline(&mut self, id: u32) {
        if let Some(mut all) = self.outlines.0.take() {
            put_outlines(self.live(id), self.graph(), &mut all);
            self.outlines.0 = OnceLock::from(all);
        }
    }
}

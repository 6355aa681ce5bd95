//! The clusters of the session's navmesh, while they are shown.

use walkable::{
    navmesh::NavMesh,
    query::{Filter, RouteOverlay},
};

use crate::session::{ColorBy, Overlay, Session};

/// Returns a copy of the navmesh of a partly loaded world, in which the loaded tiles count as all tiles.
pub(crate) fn without_world(navmesh: &NavMesh) -> NavMesh {
    let mut navmesh = navmesh.clone();
    navmesh.forget_world();
    navmesh
}

/// The overlay for routes whose clusters are shown. After a bake, only the cells of changed tiles are computed again.
#[derive(Debug, Default)]
pub struct ClusterMap {
    /// The serial number of the navmesh and the filter.
    key: Option<(u64, Filter)>,
    overlay: Option<RouteOverlay>,
    serial: u64,
}

impl ClusterMap {
    /// Updates the clusters for `session`, or frees them if they are not shown.
    pub fn follow(&mut self, session: &Session) {
        let display = &session.shown.display;
        let are_shown =
            display.color_by == ColorBy::Cluster || display.shows(Overlay::ClusterLinks);
        let Some(navmesh) = session.bake.navmesh.as_deref().filter(|_| are_shown) else {
            if self.overlay.is_some() {
                *self = Self { serial: self.serial + 1, ..Self::default() };
            }
            return;
        };
        let filter = &session.path.filter;
        if self.overlay.is_some() && session.bake.progress.is_some() {
            // They are updated once, when the bake ends.
            return;
        }
        let key = (session.bake.navmesh_serial, filter.clone());
        if self.key.as_ref() == Some(&key) {
            return;
        }
        // The loaded part of a world has clusters of its own.
        let part = session.world().map(|_| without_world(navmesh));
        let navmesh = part.as_ref().unwrap_or(navmesh);
        self.serial += 1;
        let is_same_filter = self.key.as_ref().is_some_and(|(_, known)| known == filter);
        if let Some(overlay) = self.overlay.as_mut().filter(|_| is_same_filter) {
            if overlay.update(navmesh).is_err() {
                self.overlay = None;
            }
        } else {
            // The path tool says what is wrong with a filter that has no valid costs.
            self.overlay = RouteOverlay::new(navmesh, filter).ok();
        }
        self.key = Some(key);
    }

    /// Returns a number that changes whenever clusters change.
    pub fn serial(&self) -> u64 {
        self.serial
    }

    pub fn overlay(&self) -> Option<&RouteOverlay> {
        self.overlay.as_ref()
    }
}

//! The differences between the pinned bake and the current one.

use std::sync::Arc;

use glam::Vec3;
use walkable::{
    compare::Comparison,
    debug_draw::{DrawList, Paint, compared, ground_patch},
    geom::Aabb,
    navmesh::NavMesh,
};
use walkable_workspace::{
    changes::{Change, ChangeKind, FoundChanges},
    path_tests::SuiteInput,
};

use super::Session;

/// Distance between a change and the border of the view that shows it, in meters.
const MARGIN: f32 = 2.0;
/// Diameter of the marker of the selected change, in points.
const MARKER: f32 = 12.0;

/// The comparison of the pinned bake with the current one. The previous result stays until the next one is there.
#[derive(Clone, Debug)]
pub struct Changes {
    meshes: Option<[Arc<NavMesh>; 2]>,
    suite: Option<SuiteInput>,
    /// Revision of the document that was compared last with `suite`.
    seen: Option<u64>,
    pub result: Option<Result<Arc<FoundChanges>, String>>,
    pub chosen: Option<usize>,
    pub is_shown: bool,
    /// Grows with each change of the picture, for caches of pictures.
    pub serial: u64,
}

impl Default for Changes {
    fn default() -> Self {
        let (meshes, suite, seen, result, chosen) = (None, None, None, None, None);
        Self { meshes, suite, seen, result, chosen, is_shown: true, serial: 0 }
    }
}

impl Changes {
    /// Begins the comparison of two navmeshes, on which the path tests run.
    pub fn begin(&mut self, meshes: [Arc<NavMesh>; 2], suite: SuiteInput) {
        (self.meshes, self.suite) = (Some(meshes), Some(suite));
    }

    pub fn land(&mut self, found: Result<FoundChanges, String>) {
        if self.meshes.is_some() {
            self.serial += 1;
            (self.result, self.chosen) = (Some(found.map(Arc::new)), None);
        }
    }

    pub(crate) fn forget(&mut self) {
        *self = Self { serial: self.serial + 1, is_shown: self.is_shown, ..Self::default() };
    }

    /// Selects an entry of the list and returns its surroundings; `None` clears the selection.
    pub(crate) fn choose(&mut self, index: Option<usize>) -> Option<Aabb> {
        self.serial += 1;
        let found = self.result.as_ref().and_then(|result| result.as_ref().ok());
        let change = index.and_then(|index| Some((index, found?.list.get(index)?)));
        self.chosen = change.map(|(index, _)| index);
        let Aabb { min, max } = change?.1.bounds;
        Some(Aabb { min: min - MARGIN, max: max + MARGIN })
    }
}

fn highlight(comparison: &Comparison, change: &Change) -> DrawList {
    let Comparison { gained, lost, off_mesh_links, .. } = comparison;
    let mut list = DrawList::default();
    let patches = match change.kind {
        ChangeKind::Gained => &gained.patches[..],
        ChangeKind::Lost => &lost.patches,
        ChangeKind::Island | ChangeKind::Link | ChangeKind::Area | ChangeKind::Path => &[],
    };
    if let Some(patch) = patches.get(change.index) {
        list.append(ground_patch(patch, Paint::Accent));
    }
    match change.kind {
        ChangeKind::Gained | ChangeKind::Lost | ChangeKind::Island => {
            let Aabb { min, max } = change.bounds;
            let corners = [[min.x, min.z], [min.x, max.z], [max.x, max.z], [max.x, min.z]];
            list.ring(&corners.map(|[x, z]| Vec3::new(x, max.y, z)), 2.0, Paint::Accent);
        }
        ChangeKind::Link => {
            let link = off_mesh_links.get(change.index);
            list.lines.extend(link.map(|link| walkable::debug_draw::Line {
                a: link.start,
                b: link.end,
                paint: Paint::Accent,
                width: 3.0,
                dashed: true,
            }));
        }
        ChangeKind::Area => {}
        ChangeKind::Path => {
            // The bounds are those of start and end, so `min + max` is the sum of start and end.
            let Aabb { min, max } = change.bounds;
            list.point(min + max - change.point, MARKER, Paint::Accent);
        }
    }
    list.point(change.point, MARKER, Paint::Accent);
    list
}

impl Session {
    /// Draws all changes. While a divider shows both bakes, draws only the selected change.
    pub fn changes_picture(&self) -> Option<DrawList> {
        let changes = &self.changes;
        let found = changes.result.as_ref()?.as_ref().ok().filter(|_| changes.is_shown)?;
        let mut list = match self.divider() {
            None => compared(&found.comparison),
            Some(_) => DrawList::default(),
        };
        if let Some(change) = changes.chosen.and_then(|index| found.list.get(index)) {
            list.append(highlight(&found.comparison, change));
        }
        Some(list)
    }

    fn compared_bakes(&self) -> Option<[Arc<NavMesh>; 2]> {
        let before = self.bake.before.as_ref().filter(|before| before.is_pinned)?;
        Some([Arc::clone(before.navmesh.as_ref()?), Arc::clone(self.bake.navmesh.as_ref()?)])
    }

    /// Returns the navmeshes to compare without a command, and the path tests to run on them, when no bake is running.
    /// Clears the result if no bake is pinned.
    pub(crate) fn due_comparison(&mut self) -> Option<([Arc<NavMesh>; 2], SuiteInput)> {
        let Some(meshes) = self.compared_bakes() else {
            if self.changes.meshes.is_some() {
                self.changes.forget();
            }
            return None;
        };
        let is_same = |known: &[Arc<NavMesh>; 2]| {
            known.iter().zip(&meshes).all(|(known, mesh)| Arc::ptr_eq(known, mesh))
        };
        let is_known = self.changes.meshes.as_ref().is_some_and(is_same);
        let revision = Some(self.history.revision());
        let is_waiting = self.bake.progress.is_some() || self.history.in_transaction();
        if is_waiting || is_known && self.changes.seen == revision {
            return None;
        }
        self.changes.seen = revision;
        let suite = SuiteInput::of(self.document());
        let is_due = !is_known || self.changes.suite.as_ref() != Some(&suite);
        is_due.then_some((meshes, suite))
    }
}

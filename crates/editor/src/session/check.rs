//! The check of the current navmesh: its findings, and which of them is selected.

use std::{num::NonZeroU64, sync::Arc};

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{
    check::{CheckKind, SurfaceMap},
    debug_draw::{self, DrawList, Paint},
    diagnostic::{Diagnostic, Location},
    geom::Aabb,
    navmesh::PolyRef,
};
use walkable_workspace::{
    check::{CheckResult, CheckedTiles},
    lang::tr,
};

use super::{ColorBy, Session};
use crate::task::TaskId;

/// Distance between a finding and the border of the view that shows it, in meters.
const MARGIN: f32 = 2.0;
/// Diameter of the marker of the selected finding, in points.
const MARKER: f32 = 14.0;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CheckFilter {
    #[default]
    All,
    Warnings,
}

impl CheckFilter {
    pub const ALL: [Self; 2] = [Self::All, Self::Warnings];

    pub fn name(self) -> &'static str {
        match self {
            Self::All => tr!("All"),
            Self::Warnings => tr!("Warnings"),
        }
    }

    pub fn shows(self, found: &Diagnostic) -> bool {
        match self {
            Self::All => true,
            Self::Warnings => found.is_warning(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CheckProgress {
    /// It looks for findings of this kind.
    Kind(CheckKind),
    /// It bakes the tiles of a level that are not baked yet.
    Baking { n_baked: usize, n_all: usize },
    /// It reads the tiles of a tile store.
    Tiles { n_checked: usize, n_all: usize },
}

/// The check of the navmesh. The previous result stays until the next one is there.
#[derive(Clone, Debug, Default)]
pub struct NavmeshCheck {
    latest: Option<u64>,
    of_whole_level: bool,
    pub progress: Option<CheckProgress>,
    /// The latest result, and the serial number of its navmesh.
    result: Option<(u64, Arc<CheckResult>)>,
    pub after_each_bake: bool,
    pub filter: CheckFilter,
    /// Index of the selected finding, of all findings.
    pub chosen: Option<usize>,
    /// Grows with each change of the picture, for caches of pictures.
    pub serial: u64,
    pub n_results: u64,
}

impl NavmeshCheck {
    pub(crate) fn begin(&mut self, navmesh: u64) {
        (self.latest, self.progress) = (Some(navmesh), None);
        self.of_whole_level = false;
    }

    /// Begins the check of all tiles of a level. The navmesh of the loaded part has this serial number.
    pub(crate) fn begin_whole_level(&mut self, navmesh: u64) {
        self.begin(navmesh);
        self.of_whole_level = true;
    }

    pub fn land(&mut self, result: CheckResult) {
        if let Some(navmesh) = self.latest {
            self.result = Some((navmesh, Arc::new(result)));
            (self.chosen, self.serial) = (None, self.serial + 1);
            self.n_results += 1;
        }
    }

    /// Returns whether the result of a running check is no longer wanted, because what was checked is no longer open.
    pub(crate) const fn is_lost(&self) -> bool {
        self.latest.is_none()
    }

    pub fn result(&self) -> Option<&Arc<CheckResult>> {
        self.result.as_ref().map(|(_, result)| result)
    }

    pub(super) fn forget(&mut self) {
        let Self { after_each_bake, filter, n_results, .. } = *self;
        let serial = self.serial + 1;
        *self = Self { after_each_bake, filter, serial, n_results, ..Self::default() };
    }
}

impl Session {
    pub const fn checks_whole_level(&self) -> bool {
        self.runs(TaskId::Check) && self.check.of_whole_level
    }

    pub fn can_check(&self) -> bool {
        self.bake.navmesh.is_some() && self.bake.progress.is_none() && self.preview.is_none()
    }

    /// Hash of the open tile store, if only a part of it is loaded.
    pub fn store_in_part(&self) -> Option<u128> {
        let store = self.opened.store.as_ref().filter(|store| store.world.is_some())?;
        Some(store.index.hash())
    }

    pub fn can_check_whole_level(&self) -> bool {
        self.level_in_part().is_some()
            && self.whole_level_obstacle().is_none()
            && !self.history.in_transaction()
            && !self.bakes_whole_level()
    }

    pub fn bakes_whole_level(&self) -> bool {
        self.checks_whole_level() || self.opened.store_export.is_some()
    }

    /// Returns whether the result covers all tiles of the open tile store or level, including those that are not
    /// loaded.
    pub fn is_whole_checked(&self) -> bool {
        match self.check.result().map(|result| result.tiles) {
            Some(CheckedTiles::Store(hash)) => {
                self.opened.store.as_ref().is_some_and(|store| store.index.hash() == hash)
            }
            Some(CheckedTiles::Level { hash, .. }) => {
                self.level_in_part().is_some_and(|world| world.hash == hash)
            }
            Some(CheckedTiles::Loaded) | None => false,
        }
    }

    /// Returns whether the result of the check is that of an earlier bake, or the bake is out of date.
    pub fn is_check_stale(&self) -> bool {
        let result = self.check.result.as_ref();
        // Loading another part changes the navmesh, but not the store or the level.
        match result.map(|(serial, result)| (serial, result.tiles)) {
            Some((_, CheckedTiles::Store(_))) if self.is_whole_checked() => false,
            Some((_, CheckedTiles::Level { document, .. })) if self.is_whole_checked() => {
                document != self.revision().document
            }
            Some((serial, _)) => *serial != self.current_bake().navmesh_serial || self.is_stale(),
            None => true,
        }
    }

    /// Returns whether a check should start without a command: after a bake, if the user wants that or if its heat map
    /// is shown.
    pub(crate) fn is_check_due(&self) -> bool {
        let is_known = self.check.latest == Some(self.bake.navmesh_serial)
            || (self.is_whole_checked() && !self.is_check_stale());
        let is_waiting = self.history.in_transaction() || self.is_stale();
        let is_shown = self.shown.display.color_by == ColorBy::SurfaceDistance
            && self.bake.layered().is_none()
            && self.bake.finished_plan().is_some();
        let is_wanted = self.check.after_each_bake || is_shown;
        let is_busy = self.checks_whole_level();
        is_wanted && self.can_check() && !is_known && !is_waiting && !is_busy
    }

    pub fn surface_map(&self) -> Option<&Arc<SurfaceMap>> {
        let (serial, result) = self.check.result.as_ref()?;
        result.surface.as_ref().filter(|_| *serial == self.bake.navmesh_serial)
    }

    /// Selects a finding and returns its surroundings; `None` clears the selection.
    pub(crate) fn choose_finding(&mut self, index: Option<usize>) -> Option<Aabb> {
        self.check.serial += 1;
        self.check.chosen = index.filter(|index| self.finding(*index).is_some());
        let place = self.finding_place(self.check.chosen?)?;
        let Aabb { min, max } = place.bounds()?;
        Some(Aabb { min: min - MARGIN, max: max + MARGIN })
    }

    fn finding(&self, index: usize) -> Option<&Diagnostic> {
        self.check.result()?.answer.all().nth(index)
    }

    fn finding_place(&self, index: usize) -> Option<FindingPlace> {
        let found = self.finding(index)?;
        let mut place = FindingPlace::default();
        for location in found.locations() {
            match location {
                Location::Polygon(name) => place.polygon = self.polygon_corners(*name),
                Location::Point(point) => place.point = Some(*point),
                Location::OffMeshLink(number) => {
                    let links = &self.check.result()?.links;
                    place.link = links.get(number).copied();
                }
                Location::Tile(coord) => {
                    let plan = self.current_bake().plan.as_deref();
                    place.tile = plan.map(|plan| plan.tile_bounds(*coord));
                    if let Some(store) = self.opened.store.as_ref().filter(|_| place.tile.is_none())
                    {
                        place.tile = store.square_of(*coord);
                    }
                }
                _ => {}
            }
        }
        place.bounds().is_some().then_some(place)
    }

    /// Returns the corners of a polygon, unless the navmesh has changed since the check.
    fn polygon_corners(&self, name: u64) -> Vec<Vec3> {
        let bake = self.current_bake();
        let serial = self.check.result.as_ref().map(|(serial, _)| *serial);
        let is_known = match self.check.result().map(|result| result.tiles) {
            // The references of a tile store are the same in all its parts.
            Some(CheckedTiles::Store(_)) => self.is_whole_checked(),
            // The references of a whole level differ from those of its part.
            Some(CheckedTiles::Level { .. }) | None => false,
            Some(CheckedTiles::Loaded) => serial == Some(bake.navmesh_serial),
        };
        let navmesh = bake.navmesh.as_deref().filter(|_| is_known);
        let poly = NonZeroU64::new(name).map(PolyRef);
        let found = navmesh.zip(poly).and_then(|(navmesh, poly)| navmesh.resolve(poly));
        let corners =
            found.and_then(|(tile, index)| Some(tile.corners(tile.polys.get(index)?).to_vec()));
        corners.unwrap_or_default()
    }

    pub fn finding_picture(&self) -> Option<DrawList> {
        Some(self.finding_place(self.check.chosen?)?.picture())
    }
}

/// Returns whether a finding has a place that the camera can move to.
pub fn has_place(found: &Diagnostic) -> bool {
    let is_place = |location: &Location| {
        matches!(
            location,
            Location::Polygon(_)
                | Location::Point(_)
                | Location::OffMeshLink(_)
                | Location::Tile(_)
        )
    };
    found.locations().iter().any(is_place)
}

#[derive(Clone, Debug, Default)]
struct FindingPlace {
    tile: Option<Aabb>,
    polygon: Vec<Vec3>,
    link: Option<[Vec3; 2]>,
    point: Option<Vec3>,
}

impl FindingPlace {
    fn bounds(&self) -> Option<Aabb> {
        let inner = self.polygon.iter().copied().chain(self.link.into_iter().flatten());
        let inner = Aabb::around(inner.chain(self.point));
        if inner.is_empty() { self.tile } else { Some(inner) }
    }

    fn picture(&self) -> DrawList {
        let mut list = DrawList::default();
        if !self.polygon.is_empty() {
            list.ring(&self.polygon, 3.0, Paint::Accent);
        }
        if let Some(ends) = self.link {
            list.dashed_line(ends, 3.0, Paint::Accent);
            for end in ends {
                list.point(end, MARKER, Paint::Accent);
            }
        }
        match (self.point, self.tile) {
            (Some(point), _) => list.point(point, MARKER, Paint::Accent),
            (None, Some(tile)) if list.is_empty() => {
                list.append(debug_draw::edges(&tile, 2.0, Paint::Accent));
            }
            (None, _) => {}
        }
        list
    }
}

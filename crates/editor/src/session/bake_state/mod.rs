//! Results of the bake, tile by tile, and its progress.

mod before;
mod stage_cache;
mod tile_result;
mod tile_results;

use std::{collections::BTreeSet, ops::Range, sync::Arc, time::Duration};

use walkable::{
    bake::{BakeEstimate, BakePlan, GroundRemoval, RefBits},
    diagnostic::Phrase,
    geom::Aabb,
    ids::TileCoord,
    navmesh::{NavMesh, NavMeshError, NavMeshParams, Tile, TilePlace},
    query::Pruning,
    stage::Stage,
};
use walkable_workspace::{
    document::Finish, layered::Layered, runner::StageTimes, stage_view::StageView,
};

pub use self::{
    before::{Before, Totals, n_walkable_polys},
    stage_cache::{StageCache, TileKey},
    tile_result::{StageCounts, StageFigure, TileResult},
    tile_results::TileResults,
};
use crate::session::LastUse;

/// Version of everything a bake depends on: equal revisions give equal bakes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Revision {
    pub document: u64,
    pub level: u64,
}

#[derive(Clone, Debug)]
pub struct Base {
    pub plan: Arc<BakePlan>,
    pub except: BTreeSet<TileCoord>,
    pub with_ground: BTreeSet<TileCoord>,
}

#[derive(Clone, Debug, Default)]
pub struct BakeState {
    /// The plan that the newest tiles were baked from.
    pub plan: Option<Arc<BakePlan>>,
    /// Results, in tile order. While a bake runs, tiles that are not done yet have their old results.
    pub tiles: TileResults,
    /// Tiles of an earlier bake with another tile grid, until new tiles replace them.
    pub leftovers: Vec<Leftover>,
    pub progress: Option<BakeProgress>,
    pub navmesh: Option<Arc<NavMesh>>,
    /// Increases with every new `navmesh`; the key of picture caches.
    pub navmesh_serial: u64,
    pub error: Option<Phrase>,
    /// What removed the most ground, if the last bake has no ground at all.
    pub ground_removal: Option<GroundRemoval>,
    pub elapsed: Option<Duration>,
    pub started: Option<Revision>,
    pub totals: Totals,
    pub before: Option<Before>,
    /// Number of tiles that differ from the baseline, and number of all tiles, at the end of the last bake.
    pub n_changed: Option<(usize, usize)>,
    /// Whether results are compared with the baseline, whose stages are then kept too.
    pub compares: bool,
    /// The plan that all tiles were baked from at the end of the last bake…
    finished: Option<Arc<BakePlan>>,
    /// … except these, which were baked or failed since.
    since: BTreeSet<TileCoord>,
    /// The navmesh of a new tile grid, until it is complete.
    pending: Option<NavMesh>,
    pub stages: StageCache,
    pub uses_cache: bool,
    pub(super) finish: Finish,
    pub(super) layered: Option<Layered>,
    /// Whether the level is prepared for obstacles, so that the navmesh is built from layers.
    pub(super) prepared: bool,
    /// Why the level could not be prepared for obstacles.
    pub(super) layers_error: Option<String>,
    pub(super) pruning: Option<Arc<Pruning>>,
    pub(super) last_serial: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prepared {
    /// It is baked in tile cache layers, so that obstacles can be added and removed.
    ForObstacles,
    /// It is baked in plain tiles.
    No,
}

/// A tile of an earlier tile grid.
#[derive(Clone, Debug)]
pub struct Leftover {
    /// Its bounds, without the border.
    pub bounds: Aabb,
    pub result: TileResult,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BakeProgress {
    pub n_done: usize,
    pub n_tiles: usize,
    /// The stage that a thread entered last.
    pub stage: Option<Stage>,
    pub elapsed: Duration,
    /// Estimated remaining time, once a tile is done.
    pub left: Option<Duration>,
    pub estimate: Option<BakeEstimate>,
}

impl BakeState {
    /// Returns whether any result is older than `now`, or missing.
    pub fn is_stale(&self, now: Revision) -> bool {
        !self.leftovers.is_empty() || self.tiles.summary().revision != Some(now)
    }

    pub fn chosen(
        &self,
        chosen: Option<TileCoord>,
    ) -> impl Iterator<Item = (TileCoord, &TileResult)> {
        let wanted = move |coord: &TileCoord| chosen.is_none_or(|tile| tile == *coord);
        let tiles = self.tiles.iter().filter(move |(coord, _)| wanted(coord));
        tiles.map(|(coord, tile)| (*coord, tile))
    }

    pub fn times(&self, chosen: Option<TileCoord>) -> StageTimes {
        let mut sum = StageTimes::default();
        self.chosen(chosen).for_each(|(_, tile)| sum.add(&tile.times));
        sum
    }

    pub fn figure(&self, view: StageView, chosen: Option<TileCoord>) -> StageFigure {
        let time = view.stage().filter(|_| !self.tiles.is_empty());
        let time = time.map(|stage| self.times(chosen).of(stage));
        let counts = self.chosen(chosen).filter(|(_, tile)| tile.error.is_none());
        let counts = counts.map(|(_, tile)| tile.counts.get(view));
        let count = counts.reduce(|a, b| Some(a? + b?)).flatten();
        StageFigure { time, count }
    }

    /// Returns the tiles whose newest bake failed, with the reasons.
    pub fn failures(&self) -> impl Iterator<Item = (TileCoord, &str)> {
        let failed = self.tiles.summary().failed.iter();
        failed.filter_map(|coord| Some((*coord, self.tiles.get(coord)?.error.as_deref()?)))
    }

    pub fn clear(&mut self) {
        let (navmesh_serial, last_serial) = (self.navmesh_serial + 1, self.last_serial);
        let finish = std::mem::take(&mut self.finish);
        let (compares, stages) = (self.compares, self.stages.emptied());
        *self = Self { navmesh_serial, compares, stages, finish, last_serial, ..Self::default() };
    }

    pub fn show_imported(&mut self, navmesh: NavMesh) {
        self.clear();
        self.navmesh = Some(Arc::new(navmesh));
        self.count();
    }

    /// Begins a bake of `plan`. Old tiles stay until new ones replace them.
    pub fn begin(&mut self, plan: Arc<BakePlan>, prepared: Prepared) {
        // Bakes of different parts of a level are not compared.
        let is_moved = self.plan.as_ref().is_some_and(|old| old.input().part != plan.input().part);
        if is_moved {
            self.before = self.before.take().filter(|before| before.is_pinned);
        } else if self.finished.is_some() && self.since.is_empty() {
            self.keep_last();
        }
        let prepared = prepared == Prepared::ForObstacles;
        let was_prepared = std::mem::replace(&mut self.prepared, prepared);
        (self.error, self.ground_removal) = (None, None);
        self.pending = None;
        if !self.plan.as_deref().is_some_and(|old| same_grid(old, &plan)) {
            if let Some(old) = self.plan.take() {
                let tiles = std::mem::take(&mut self.tiles).into_results().into_iter();
                let leftover =
                    |(coord, result)| Leftover { bounds: old.tile_bounds(coord), result };
                self.leftovers.extend(tiles.map(leftover));
            }
            self.finished = None;
            if is_tiled(&plan) {
                self.pending = plan.empty_nav_mesh().ok().map(|mut navmesh| {
                    declare_world(&mut navmesh, &plan);
                    navmesh
                });
            }
            // Without old results, the first tiles are available to paths immediately.
            if self.navmesh.is_none() {
                self.navmesh = self.pending.take().map(Arc::new);
            }
        }
        self.drop_unloaded(&plan);
        if let Some(navmesh) = self.navmesh.as_mut().filter(|_| is_moved) {
            declare_world(Arc::make_mut(navmesh), &plan);
            self.navmesh_serial += 1;
        }
        self.plan = Some(plan);
        if was_prepared && !prepared {
            self.leave_layers();
        }
    }

    /// Removes tiles whose triangles are no longer loaded.
    fn drop_unloaded(&mut self, plan: &BakePlan) {
        let tiles = self.tiles.keys().copied();
        let gone: Vec<_> = tiles.filter(|&coord| !plan.has_tile(coord)).collect();
        if gone.is_empty() {
            return;
        }
        for &coord in &gone {
            if let Some(tile) = self.tiles.remove(&coord) {
                self.stages.remove(tile.bake);
            }
        }
        if let Some(navmesh) = self.navmesh.as_mut().filter(|_| !self.prepared) {
            let navmesh = Arc::make_mut(navmesh);
            for &coord in &gone {
                navmesh.remove_tiles_at(coord);
            }
            self.navmesh_serial += 1;
        }
        // They have to be baked again when they are loaded again.
        self.since.extend(gone);
    }

    pub fn base(&self) -> Option<Base> {
        let plan = self.finished.clone()?;
        let with_ground = self.tiles.values().filter(|tile| tile.baked.is_some());
        let with_ground = with_ground.map(|tile| tile.coord).collect();
        Some(Base { plan, except: self.since.clone(), with_ground })
    }

    /// Returns the tiles that a bake can reuse if it has to bake `tile` again.
    pub fn base_without(&self, tile: TileCoord) -> Option<Base> {
        let mut base = self.base()?;
        base.except.insert(tile);
        Some(base)
    }

    /// Returns the plan that all tiles were baked from; `None` if some were baked from another plan, or failed.
    pub fn finished_plan(&self) -> Option<&Arc<BakePlan>> {
        self.finished.as_ref().filter(|_| self.since.is_empty())
    }

    /// Marks tiles that the bake started from `revision` leaves unchanged.
    pub fn keep(&mut self, kept: &[TileCoord], revision: Revision) {
        for coord in kept {
            if let Some(tile) = self.tiles.get_mut(coord) {
                tile.revision = revision;
                // The new plan gives the same stages for this tile, so the old plan can be dropped.
                tile.plan.clone_from(&self.plan);
            }
        }
    }

    /// Records that the current settings cannot be baked; keeps the results.
    pub fn refuse(&mut self, error: Phrase) {
        self.error = Some(error);
    }

    #[cfg(test)]
    pub fn land(&mut self, coord: TileCoord, result: TileResult) {
        self.land_at(coord, result, 0.0);
    }

    pub fn land_at(&mut self, coord: TileCoord, mut result: TileResult, distance: f32) {
        let Some(plan) = self.plan.clone() else { return };
        result.serial = self.next_serial();
        self.since.insert(coord);
        if result.error.is_some() {
            match self.tiles.get_mut(&coord) {
                Some(before) => before.fail(result),
                None => drop(self.tiles.insert(coord, result)),
            }
            return;
        }
        (result.plan, result.bake) = (Some(Arc::clone(&plan)), result.serial);
        if let Some(stages) = result.stages.take() {
            // These stages have not been used yet.
            self.stages.insert(result.bake, stages, LastUse { pass: 0, distance });
        }
        result.apply_finish(&self.finish);
        let bounds = plan.tile_bounds(coord);
        self.leftovers.retain(|old| !overlap_xz(&old.bounds, &bounds));
        if !self.prepared
            && let Err(error) = self.link(coord, &plan, &result)
        {
            result.error = Some(error.to_string());
        }
        let old = self.tiles.insert(coord, result);
        let is_compared =
            self.compares || self.before.as_ref().is_some_and(|before| before.is_pinned);
        if let Some(old) = old.filter(|_| !is_compared) {
            self.stages.remove(old.bake);
        }
    }

    /// Ends the bake once all tiles are done.
    pub fn finish(&mut self, elapsed: Duration) {
        self.elapsed = Some(elapsed);
        self.leftovers.clear();
        self.forget_stages();
        self.finished.clone_from(&self.plan);
        let are_all_new = self.tiles.keys().all(|coord| self.since.contains(coord));
        self.since = self.failures().map(|(coord, _)| coord).collect();
        if let Some(navmesh) = self.pending.take().filter(|_| !self.prepared) {
            self.publish(navmesh);
        }
        self.restore_islands();
        if are_all_new {
            self.link_by_place();
        }
        self.prune();
        self.count();
    }

    pub const fn last_serial(&self) -> u64 {
        self.last_serial
    }

    pub(super) fn next_serial(&mut self) -> u64 {
        self.last_serial += 1;
        self.last_serial
    }

    pub(super) fn publish(&mut self, mut navmesh: NavMesh) {
        if let Some(plan) = &self.plan {
            declare_world(&mut navmesh, plan);
        }
        self.navmesh = Some(Arc::new(navmesh));
        self.navmesh_serial += 1;
    }

    pub(super) fn link(
        &mut self,
        coord: TileCoord,
        plan: &BakePlan,
        result: &TileResult,
    ) -> Result<(), NavMeshError> {
        let tile = result.tile.clone();
        if !is_tiled(plan) {
            let params =
                tile.as_deref().map_or_else(|| plan.nav_mesh_params(), NavMeshParams::solo);
            let mut navmesh = NavMesh::with_width(params, plan.ref_width())?;
            tile.map_or(Ok(()), |tile| navmesh.add_tile(tile))?;
            self.publish(navmesh);
            return Ok(());
        }
        if let Some(pending) = &mut self.pending {
            pending.remove_tiles_at(coord);
            return tile.map_or(Ok(()), |tile| add(pending, tile, plan));
        }
        let Some(navmesh) = &mut self.navmesh else { return Ok(()) };
        self.navmesh_serial += 1;
        let navmesh = Arc::make_mut(navmesh);
        navmesh.remove_tiles_at(coord);
        tile.map_or(Ok(()), |tile| add(navmesh, tile, plan))
    }
}

/// Adds a tile. If its polygons need wide references and the plan does not fix the width, links all tiles again with
/// wide references.
fn add(navmesh: &mut NavMesh, tile: Arc<Tile>, plan: &BakePlan) -> Result<(), NavMeshError> {
    let added = navmesh.add_tile(Arc::clone(&tile));
    if matches!(added, Err(NavMeshError::TooManyPolys { .. }))
        && plan.input().settings.refs == RefBits::Auto
    {
        let others = navmesh.slots().map(|(_, other)| Arc::clone(other));
        *navmesh = plan.link(others.chain([tile]))?;
        declare_world(navmesh, plan);
        return Ok(());
    }
    added
}

/// Maximum number of tiles of a level larger than memory for which the unloaded tiles are declared to the navmesh.
const MAX_WORLD: u64 = 1 << 22;

/// Declares the tiles of a level larger than memory that `plan` cannot bake as not loaded.
fn declare_world(navmesh: &mut NavMesh, plan: &BakePlan) {
    if plan.input().part.is_none() || plan.n_boxed_tiles() > MAX_WORLD {
        return;
    }
    let to_place = |n: &u32| i32::try_from(*n).unwrap_or(i32::MAX);
    let [columns, rows] =
        plan.boxed_tiles().each_ref().map(|range| to_place(&range.start)..to_place(&range.end));
    let row = |z| columns.clone().map(move |x| TilePlace { z, x, layer: 0 });
    let [across, down] = plan.loaded_tiles();
    let is_loaded = |place: &TilePlace| {
        let is_in = |range: &Range<u32>, at| u32::try_from(at).is_ok_and(|at| range.contains(&at));
        is_in(across, place.x) && is_in(down, place.z)
    };
    navmesh.set_world(rows.flat_map(row).filter(|place| !is_loaded(place)).collect());
}

fn is_tiled(plan: &BakePlan) -> bool {
    plan.params().tile_size_vx > 0
}

fn same_grid(a: &BakePlan, b: &BakePlan) -> bool {
    let [n_x, n_z] = a.n_tiles();
    let last = TileCoord::new(n_x.saturating_sub(1), n_z.saturating_sub(1));
    let same_at = |tile| a.tile_bounds(tile) == b.tile_bounds(tile);
    is_tiled(a) == is_tiled(b)
        && a.n_tiles() == b.n_tiles()
        && [TileCoord::new(0, 0), last].into_iter().all(same_at)
}

/// Returns whether the interiors of two boxes overlap, seen from above.
fn overlap_xz(a: &Aabb, b: &Aabb) -> bool {
    a.min.x < b.max.x && a.max.x > b.min.x && a.min.z < b.max.z && a.max.z > b.min.z
}

//! Results of the bake, tile by tile, and how far it is.

mod before;
mod stage_cache;
mod tile_result;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use walkable::{
    bake::{BakeEstimate, BakePlan, GroundTaken, RefBits},
    geom::Aabb,
    ids::TileCoord,
    navmesh::{NavMesh, NavMeshError, NavMeshParams, Tile},
    query::Pruning,
    stage::Stage,
};

use crate::{
    document::Finish,
    layered::Layered,
    runner::StageTimes,
    session::{StageView, Use},
};

pub use self::{
    before::{Before, Totals, n_walkable_polys},
    stage_cache::{StageCache, TileKey},
    tile_result::{StageCounts, StageFigure, TileResult},
};

/// State of everything a bake depends on: equal revisions, equal bakes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Revision {
    /// Revision of the document.
    pub document: u64,
    /// Serial number of the level.
    pub level: u64,
}

/// Tiles that a new bake can keep.
#[derive(Clone, Debug)]
pub struct Base {
    /// What all tiles were baked from…
    pub plan: Arc<BakePlan>,
    /// … but these.
    pub except: BTreeSet<TileCoord>,
    /// Those with ground.
    pub with_ground: BTreeSet<TileCoord>,
}

/// Results and progress.
#[derive(Clone, Debug, Default)]
pub struct BakeState {
    /// The plan that the newest tiles were baked from.
    pub plan: Option<Arc<BakePlan>>,
    /// Results, in tile order. While a bake runs, tiles that have not landed yet are the old ones.
    pub tiles: BTreeMap<TileCoord, TileResult>,
    /// Tiles of a bake whose tile grid was another, until new ones lie in their place.
    pub leftovers: Vec<Leftover>,
    /// How far the running bake is.
    pub progress: Option<BakeProgress>,
    /// The tiles linked.
    pub navmesh: Option<Arc<NavMesh>>,
    /// Grows with every new `navmesh`, for caches of what is drawn.
    pub navmesh_serial: u64,
    /// Why nothing could be baked with the present settings.
    pub error: Option<String>,
    /// What took the most of the ground, where the last bake left none.
    pub ground_taken: Option<GroundTaken>,
    /// How long the last complete bake took from start to end.
    pub elapsed: Option<Duration>,
    /// What the newest started bake was started from.
    pub started: Option<Revision>,
    /// What the last complete bake amounts to.
    pub totals: Totals,
    /// What the results are compared with.
    pub before: Option<Before>,
    /// Tiles that differ from those, and tiles in all, when a bake ended last.
    pub n_changed: Option<(usize, usize)>,
    /// Whether they are: then the stages of what is to be compared are kept, too.
    pub compares: bool,
    /// What all tiles were baked from when a bake ended last…
    finished: Option<Arc<BakePlan>>,
    /// … but these, which have landed or failed since.
    since: BTreeSet<TileCoord>,
    /// The navmesh of a new tile grid, until all its tiles are there.
    pending: Option<NavMesh>,
    /// What the stages made of tiles.
    pub stages: StageCache,
    /// What is made of baked tiles.
    pub(super) finish: Finish,
    /// The navmesh with obstacles on it, where the level is prepared for them.
    pub(super) layered: Option<Layered>,
    /// Whether it is, and the navmesh comes from layers.
    pub(super) prepared: bool,
    /// Why it could not be prepared.
    pub(super) layers_error: Option<String>,
    /// What that took out.
    pub(super) pruning: Option<Arc<Pruning>>,
    pub(super) last_serial: u64,
}

/// What a level is baked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prepared {
    /// In layers, on which obstacles come and go.
    ForObstacles,
    /// In tiles only.
    No,
}

/// A tile of an older tile grid.
#[derive(Clone, Debug)]
pub struct Leftover {
    /// Where it lies, border left out.
    pub bounds: Aabb,
    /// What it was.
    pub result: TileResult,
}

/// How far a bake is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BakeProgress {
    /// Tiles done or failed.
    pub n_done: usize,
    /// Tiles of the bake.
    pub n_tiles: usize,
    /// The stage entered last on any thread.
    pub stage: Option<Stage>,
    /// Time since the start.
    pub elapsed: Duration,
    /// Estimated time left, once a tile is done.
    pub left: Option<Duration>,
    /// What the whole bake needs, known before it starts.
    pub estimate: Option<BakeEstimate>,
}

impl BakeState {
    /// Whether any result is older than `now`, or missing.
    pub fn is_stale(&self, now: Revision) -> bool {
        let stale = |tile: &TileResult| tile.revision != now;
        self.tiles.is_empty() || !self.leftovers.is_empty() || self.tiles.values().any(stale)
    }

    /// The tiles that `chosen` means: one, or all.
    pub fn chosen(
        &self,
        chosen: Option<TileCoord>,
    ) -> impl Iterator<Item = (TileCoord, &TileResult)> {
        let wanted = move |coord: &TileCoord| chosen.is_none_or(|tile| tile == *coord);
        let tiles = self.tiles.iter().filter(move |(coord, _)| wanted(coord));
        tiles.map(|(coord, tile)| (*coord, tile))
    }

    /// Time spent in each stage, summed over the tiles that `chosen` means.
    pub fn times(&self, chosen: Option<TileCoord>) -> StageTimes {
        let mut sum = StageTimes::default();
        self.chosen(chosen).for_each(|(_, tile)| sum.add(&tile.times));
        sum
    }

    /// Time and count of the stage `view` of the tiles that `chosen` means.
    pub fn figure(&self, view: StageView, chosen: Option<TileCoord>) -> StageFigure {
        let time = view.stage().filter(|_| !self.tiles.is_empty());
        let time = time.map(|stage| self.times(chosen).of(stage));
        let counts = self.chosen(chosen).filter(|(_, tile)| tile.error.is_none());
        let counts = counts.map(|(_, tile)| tile.counts.get(view));
        let count = counts.reduce(|a, b| Some(a? + b?)).flatten();
        StageFigure { time, count, unit: view.unit() }
    }

    /// Tiles whose newest bake failed, and why.
    pub fn failures(&self) -> impl Iterator<Item = (TileCoord, &str)> {
        self.tiles.iter().filter_map(|(coord, tile)| Some((*coord, tile.error.as_deref()?)))
    }

    /// Forgets everything: another level was opened.
    pub fn clear(&mut self) {
        let (navmesh_serial, last_serial) = (self.navmesh_serial + 1, self.last_serial);
        let finish = std::mem::take(&mut self.finish);
        let (compares, stages) = (self.compares, self.stages.emptied());
        *self = Self { navmesh_serial, compares, stages, finish, last_serial, ..Self::default() };
    }

    /// Takes a navmesh that was not baked here.
    pub fn show_imported(&mut self, navmesh: NavMesh) {
        self.clear();
        self.navmesh = Some(Arc::new(navmesh));
    }

    /// A bake of `plan` begins. Old tiles stay until new ones lie in their place.
    pub fn begin(&mut self, plan: Arc<BakePlan>, prepared: Prepared) {
        if self.finished.is_some() && self.since.is_empty() {
            self.keep_last();
        }
        let prepared = prepared == Prepared::ForObstacles;
        let was_prepared = std::mem::replace(&mut self.prepared, prepared);
        (self.error, self.ground_taken) = (None, None);
        self.pending = None;
        if !self.plan.as_deref().is_some_and(|old| same_grid(old, &plan)) {
            if let Some(old) = self.plan.take() {
                let tiles = std::mem::take(&mut self.tiles).into_iter();
                let leftover =
                    |(coord, result)| Leftover { bounds: old.tile_bounds(coord), result };
                self.leftovers.extend(tiles.map(leftover));
            }
            self.finished = None;
            if is_tiled(&plan) {
                self.pending = plan.empty_nav_mesh().ok();
            }
            // Where there is nothing to keep, paths may use the first tiles at once.
            if self.navmesh.is_none() {
                self.navmesh = self.pending.take().map(Arc::new);
            }
        }
        self.plan = Some(plan);
        if was_prepared && !prepared {
            self.leave_layers();
        }
    }

    /// What a new bake may keep.
    pub fn base(&self) -> Option<Base> {
        let plan = self.finished.clone()?;
        let with_ground = self.tiles.values().filter(|tile| tile.baked.is_some());
        let with_ground = with_ground.map(|tile| tile.coord).collect();
        Some(Base { plan, except: self.since.clone(), with_ground })
    }

    /// What a bake may keep that bakes `tile` again.
    pub fn base_without(&self, tile: TileCoord) -> Option<Base> {
        let mut base = self.base()?;
        base.except.insert(tile);
        Some(base)
    }

    /// Tiles that the bake started from `revision` leaves as they are.
    pub fn keep(&mut self, kept: &[TileCoord], revision: Revision) {
        for coord in kept {
            if let Some(tile) = self.tiles.get_mut(coord) {
                tile.revision = revision;
                // Its stages are what the new plan makes, too; the old plan can go.
                tile.plan.clone_from(&self.plan);
            }
        }
    }

    /// The present settings cannot be baked; what was there stays.
    pub fn refuse(&mut self, error: String) {
        self.error = Some(error);
    }

    /// A tile has landed where the user looks.
    #[cfg(test)]
    pub fn land(&mut self, coord: TileCoord, result: TileResult) {
        self.land_at(coord, result, 0.0);
    }

    /// A tile has landed that lies so far from where the user looks.
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
            // Nobody has looked at them yet.
            self.stages.insert(result.bake, stages, Use { pass: 0, distance });
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

    /// All tiles have landed.
    pub fn finish(&mut self, elapsed: Duration) {
        self.elapsed = Some(elapsed);
        self.leftovers.clear();
        self.forget_stages();
        self.finished.clone_from(&self.plan);
        self.since = self.failures().map(|(coord, _)| coord).collect();
        if let Some(navmesh) = self.pending.take().filter(|_| !self.prepared) {
            self.publish(navmesh);
        }
        self.prune_anew();
        self.count();
    }

    /// Grows with every result.
    pub const fn last_serial(&self) -> u64 {
        self.last_serial
    }

    /// A serial number that no result has yet.
    pub(super) fn next_serial(&mut self) -> u64 {
        self.last_serial += 1;
        self.last_serial
    }

    pub(super) fn publish(&mut self, navmesh: NavMesh) {
        self.navmesh = Some(Arc::new(navmesh));
        self.navmesh_serial += 1;
    }

    /// Puts the tile of `result` into the navmesh, in place of the one that was there.
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

/// Adds a tile. Where it has too many polygons for the references of `navmesh`, and their width is left open, they
/// become wide.
fn add(navmesh: &mut NavMesh, tile: Arc<Tile>, plan: &BakePlan) -> Result<(), NavMeshError> {
    let added = navmesh.add_tile(Arc::clone(&tile));
    if matches!(added, Err(NavMeshError::TooManyPolys { .. }))
        && plan.input().settings.refs == RefBits::Auto
    {
        let others = navmesh.slots().map(|(_, other)| Arc::clone(other));
        *navmesh = plan.link(others.chain([tile]))?;
        return Ok(());
    }
    added
}

fn is_tiled(plan: &BakePlan) -> bool {
    plan.params().tile_size_vx > 0
}

/// Whether tiles of one plan may take the places of the other's.
fn same_grid(a: &BakePlan, b: &BakePlan) -> bool {
    let [n_x, n_z] = a.n_tiles();
    let last = TileCoord::new(n_x.saturating_sub(1), n_z.saturating_sub(1));
    let same_at = |tile| a.tile_bounds(tile) == b.tile_bounds(tile);
    is_tiled(a) == is_tiled(b)
        && a.n_tiles() == b.n_tiles()
        && [TileCoord::new(0, 0), last].into_iter().all(same_at)
}

/// Whether two boxes share more than an edge, seen from above.
fn overlap_xz(a: &Aabb, b: &Aabb) -> bool {
    a.min.x < b.max.x && a.max.x > b.min.x && a.min.z < b.max.z && a.max.z > b.min.z
}

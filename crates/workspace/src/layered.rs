//! The navmesh of a level that is prepared for obstacles. Its tiles are built from layers, and rebuilt when obstacles
//! change.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use glam::Vec3;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use walkable::{
    bake::{AreaFlags, BakePlan, LayerCut, OffMeshLink},
    ids::{RegionId, TileCoord},
    monitor::{Monitor, Unmonitored},
    navmesh::{
        NavMesh, NavMeshError, Tile,
        format::{FormatError, RefWidth},
    },
    tile_cache::{self, LayerKey, Obstacle, ObstacleId, TileCache, TileCacheError, TileCacheStats},
};
use web_time::Instant;

use crate::document::Finish;

/// Serialized without the changes of the document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "SavedLayers", try_from = "SavedLayers")]
pub struct Layered {
    cache: TileCache,
    /// The requested obstacles, each with its id in the cache unless the cache was full.
    placed: Vec<(Obstacle, Option<ObstacleId>)>,
    tiles: BTreeMap<LayerKey, LayerTile>,
    pub stats: TileCacheStats,
    /// Why an obstacle could not be placed or a tile could not be built.
    pub error: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct SavedLayers {
    cache: ByteBuf,
    // What the file does not store.
    off_mesh: Vec<OffMeshLink>,
    flags: AreaFlags,
    obstacles: Vec<Obstacle>,
    tiles: Vec<SavedTile>,
}

#[derive(Serialize, Deserialize)]
struct SavedTile {
    coord: TileCoord,
    layer: u32,
    /// A file of Detour's tile data.
    baked: ByteBuf,
    regions: Vec<RegionId>,
    time: Duration,
}

impl From<Layered> for SavedLayers {
    fn from(layered: Layered) -> Self {
        let Layered { cache, placed, tiles, .. } = layered;
        let saved = |(key, tile): (&LayerKey, &LayerTile)| SavedTile {
            coord: key.coord(),
            layer: key.layer,
            baked: ByteBuf::from(tile.baked.to_bytes()),
            regions: tile.regions.to_vec(),
            time: tile.time,
        };
        Self {
            cache: ByteBuf::from(cache.to_bytes()),
            off_mesh: cache.off_mesh().to_vec(),
            flags: cache.area_flags(),
            obstacles: placed.into_iter().map(|(obstacle, _)| obstacle).collect(),
            tiles: tiles.iter().map(saved).collect(),
        }
    }
}

impl TryFrom<SavedLayers> for Layered {
    type Error = FormatError;

    fn try_from(saved: SavedLayers) -> Result<Self, FormatError> {
        let SavedLayers { cache, off_mesh, flags, obstacles, tiles } = saved;
        let cache = TileCache::from_bytes(&cache)?.with_off_mesh(off_mesh).with_area_flags(flags);
        let read = |SavedTile { coord, layer, baked, regions, time }| {
            let tile = LayerTile::new(Arc::new(Tile::from_bytes(&baked)?), regions, time);
            Ok((LayerKey::new(coord, layer), tile))
        };
        let tiles: Result<_, FormatError> = tiles.into_iter().map(read).collect();
        let (placed, stats) = (Vec::new(), cache.stats());
        let mut layered = Self { cache, placed, tiles: tiles?, stats, error: None };
        layered.place_on_layers(&obstacles);
        Ok(layered)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct LayerTile {
    baked: Arc<Tile>,
    /// The tile with all changes of the document; `None` if it is removed.
    pub tile: Option<Arc<Tile>>,
    /// For each ground polygon, the region of the layer that it comes from.
    pub regions: Arc<[RegionId]>,
    pub time: Duration,
    pub n_bytes: usize,
    /// Increases with every change of any tile; the key of picture caches.
    pub serial: u64,
}

impl LayerTile {
    fn new(baked: Arc<Tile>, regions: impl Into<Arc<[RegionId]>>, time: Duration) -> Self {
        let n_bytes = baked.n_bytes(RefWidth::Bits32);
        let tile = Some(Arc::clone(&baked));
        Self { baked, tile, regions: regions.into(), time, n_bytes, serial: 0 }
    }
}

impl Layered {
    /// Bakes the layers of `plan`, adds `obstacles` and builds all tiles.
    pub fn bake(
        plan: &BakePlan,
        obstacles: &[Obstacle],
        monitor: &dyn Monitor,
    ) -> Result<Self, TileCacheError> {
        let cache = TileCache::bake(plan, LayerCut::Sweep, monitor)?.cache;
        let (placed, tiles) = (Vec::new(), BTreeMap::new());
        let stats = cache.stats();
        let mut layered = Self { cache, placed, tiles, stats, error: None };
        layered.place_on_layers(obstacles);
        let keys: Vec<_> = layered.cache.tiles().map(tile_cache::LayerTile::key).collect();
        let made: Vec<_> =
            keys.into_par_iter().map(|key| layered.mesh_layer(key, monitor)).collect();
        for (key, tile) in made.into_iter().collect::<Result<Vec<_>, _>>()? {
            layered.tiles.extend(tile.map(|tile| (key, tile)));
        }
        let Self { cache, tiles, .. } = &mut layered;
        cache.reserve(tiles.iter().map(|(key, tile)| (*key, tile.baked.polys.len())))?;
        Ok(layered)
    }

    #[cfg(any(test, feature = "testing"))]
    pub fn forget_times(&mut self) {
        self.tiles.values_mut().for_each(|tile| tile.time = Duration::ZERO);
    }

    fn mesh_layer(
        &self,
        key: LayerKey,
        monitor: &dyn Monitor,
    ) -> Result<(LayerKey, Option<LayerTile>), TileCacheError> {
        let clock = Instant::now();
        let made = self.cache.mesh_tile(key, monitor)?;
        let time = clock.elapsed();
        let tile = made.and_then(|made| {
            let baked = Arc::new(made.tile?);
            let regions = made.polygons.polygons.iter().map(|polygon| polygon.region);
            Some(LayerTile::new(baked, regions.collect::<Vec<_>>(), time))
        });
        Ok((key, tile))
    }

    pub fn nav_mesh(&mut self, finish: &Finish, serial: &mut u64) -> Result<NavMesh, NavMeshError> {
        let mut mesh = NavMesh::new(*self.cache.nav_mesh_params())?;
        for (key, tile) in &mut self.tiles {
            *serial += 1;
            (tile.tile, tile.serial) = (finish.tile(key.coord(), &tile.baked), *serial);
            tile.tile.clone().map_or(Ok(()), |tile| mesh.add_tile(tile))?;
        }
        Ok(mesh)
    }

    pub fn tiles(&self) -> &BTreeMap<LayerKey, LayerTile> {
        &self.tiles
    }

    /// Returns the indices of the obstacles that block the ground at `at`, which may be some centimeters above or below
    /// the ground.
    pub fn obstacles_at(&self, at: Vec3) -> Vec<usize> {
        let reach = 2.0 * self.cache.params().cell_height + 0.05;
        let found = self.cache.obstacles_at(at, reach);
        let stands_here = |id: &Option<ObstacleId>| id.is_some_and(|id| found.contains(&id));
        let placed = self.placed.iter().enumerate();
        placed.filter(|(_, (_, id))| stands_here(id)).map(|(number, _)| number).collect()
    }

    pub fn tile_mut(&mut self, coord: TileCoord, layer: u32) -> Option<&mut LayerTile> {
        self.tiles.get_mut(&LayerKey::new(coord, layer))
    }

    pub fn cache(&self) -> &TileCache {
        &self.cache
    }

    pub fn differs_from(&self, obstacles: &[Obstacle]) -> bool {
        !self.placed.iter().map(|(obstacle, _)| obstacle).eq(obstacles)
    }

    /// Replaces the obstacles on the layers by `obstacles`, and rebuilds the tiles that change, in `mesh` too.
    pub fn place(
        &mut self,
        obstacles: &[Obstacle],
        finish: &Finish,
        mesh: &mut NavMesh,
        serial: &mut u64,
    ) {
        for key in self.put(obstacles) {
            mesh.remove_tile(key.coord(), key.layer);
            self.apply_finish(key, finish, mesh, serial);
        }
    }

    /// Replaces the obstacles and rebuilds the tiles that they change, but does not add these to a navmesh. Returns
    /// their keys.
    pub fn put(&mut self, obstacles: &[Obstacle]) -> BTreeSet<LayerKey> {
        let touched = self.place_on_layers(obstacles);
        for &key in &touched {
            match self.mesh_layer(key, &Unmonitored) {
                Ok((_, Some(tile))) => drop(self.tiles.insert(key, tile)),
                Ok((_, None)) => drop(self.tiles.remove(&key)),
                Err(error) => self.error = Some(format!("tile {key}: {error}")),
            }
            if let Some(tile) = self.tiles.get_mut(&key) {
                tile.tile = None;
            }
        }
        touched
    }

    pub fn refinish(&mut self, finish: &Finish, mesh: &mut NavMesh, serial: &mut u64) {
        let keys: Vec<_> = self.tiles.keys().copied().collect();
        for key in keys {
            self.apply_finish(key, finish, mesh, serial);
        }
    }

    fn apply_finish(
        &mut self,
        key: LayerKey,
        finish: &Finish,
        mesh: &mut NavMesh,
        serial: &mut u64,
    ) {
        let Some(tile) = self.tiles.get_mut(&key) else { return };
        let wanted = finish.tile(key.coord(), &tile.baked);
        if wanted.as_ref().map(|tile| &tile.polys) == tile.tile.as_ref().map(|tile| &tile.polys) {
            return;
        }
        *serial += 1;
        (tile.tile, tile.serial) = (wanted.clone(), *serial);
        mesh.remove_tile(key.coord(), key.layer);
        if let Some(Err(error)) = wanted.map(|tile| mesh.add_tile(tile)) {
            self.error = Some(self.cache.why_not_linked(error).to_string());
        }
    }

    /// Replaces the obstacles on the layers; returns the affected layers.
    fn place_on_layers(&mut self, obstacles: &[Obstacle]) -> BTreeSet<LayerKey> {
        let mut touched = BTreeSet::new();
        self.error = None;
        let mut before = std::mem::take(&mut self.placed).into_iter();
        let mut waiting = Vec::new();
        for (number, wanted) in obstacles.iter().enumerate() {
            match before.next() {
                Some((old, Some(id))) if old == *wanted => self.placed.push((old, Some(id))),
                old => {
                    let id = old.and_then(|(_, id)| id);
                    touched.extend(self.remove_from_cache(id));
                    waiting.push(number);
                    self.placed.push((wanted.clone(), None));
                }
            }
        }
        for (_, id) in before {
            touched.extend(self.remove_from_cache(id));
        }
        for number in waiting {
            let (obstacle, id) = &mut self.placed[number];
            match self.cache.add_obstacle(obstacle.clone()) {
                Ok((new, under)) => {
                    *id = Some(new);
                    touched.extend(under);
                }
                Err(error) => self.error = Some(format!("obstacle {}: {error}", number + 1)),
            }
        }
        touched
    }

    fn remove_from_cache(&mut self, id: Option<ObstacleId>) -> Vec<LayerKey> {
        id.and_then(|id| self.cache.remove_obstacle(id).ok()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use walkable::level::builtin;

    use super::*;

    fn plan() -> BakePlan {
        let mut level = builtin("sample").unwrap().read().unwrap();
        level.config.settings.tile_size = 32;
        BakePlan::new(level.config.with_mesh(Arc::new(level.mesh))).unwrap()
    }

    fn crate_at(base: Vec3) -> Obstacle {
        Obstacle::Cylinder { base: base - Vec3::Y * 0.5, radius: 1.0, height: 2.0 }
    }

    fn bytes(mesh: &NavMesh) -> BTreeMap<(i32, i32, i32), Vec<u8>> {
        let place = |tile: &Tile| (tile.header.x, tile.header.z, tile.header.layer);
        mesh.tiles().map(|tile| (place(tile), tile.to_bytes())).collect()
    }

    #[test]
    fn moved_obstacles_give_the_result_of_a_bake_with_them() {
        let (plan, finish) = (plan(), Finish::default());
        let start = builtin("sample").unwrap().read().unwrap().start;
        let list = |x: f32| [crate_at(start), crate_at(start + Vec3::X * x)];
        let baked = |obstacles: &[Obstacle]| {
            let mut layered = Layered::bake(&plan, obstacles, &Unmonitored).unwrap();
            let mesh = layered.nav_mesh(&finish, &mut 0).unwrap();
            (layered, mesh)
        };
        let (mut layered, mut mesh) = baked(&[]);
        let empty = bytes(&mesh);
        let mut serial = 1000;
        for obstacles in [&list(3.0)[..], &list(4.5), &list(4.5)[1..], &[]] {
            layered.place(obstacles, &finish, &mut mesh, &mut serial);
            assert!(!layered.differs_from(obstacles) && layered.error.is_none());
            assert!(bytes(&mesh) == bytes(&baked(obstacles).1), "{obstacles:?}");
            assert_eq!(bytes(&mesh) == empty, obstacles.is_empty());
        }
    }

    #[test]
    fn only_tiles_that_an_obstacle_touches_are_rebuilt() {
        let finish = Finish::default();
        let start = builtin("sample").unwrap().read().unwrap().start;
        let mut layered = Layered::bake(&plan(), &[], &Unmonitored).unwrap();
        let mut serial = 0;
        let mut mesh = layered.nav_mesh(&finish, &mut serial).unwrap();
        let last = serial;
        layered.place(&[crate_at(start)], &finish, &mut mesh, &mut serial);
        let changed = layered.tiles().values().filter(|tile| tile.serial > last).count();
        assert!((1..=4).contains(&changed), "{changed} of {}", layered.tiles().len());
    }

    #[test]
    fn too_many_obstacles_are_named() {
        let mut layered = Layered::bake(&plan(), &[], &Unmonitored).unwrap();
        let mut mesh = layered.nav_mesh(&Finish::default(), &mut 0).unwrap();
        let many = vec![crate_at(Vec3::ZERO); 200];
        layered.place(&many, &Finish::default(), &mut mesh, &mut 0);
        assert!(layered.error.as_deref().is_some_and(|error| error.contains("128")));
    }
}

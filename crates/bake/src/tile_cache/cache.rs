use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use glam::Vec3;
use rayon::prelude::*;
use walkable_runtime::{
    diagnostic::{Diagnostic, Location},
    geom::Aabb,
    ids::TileCoord,
    monitor::Monitor,
    navmesh::{NavMesh, NavMeshError, NavMeshParams, Tile, bits_for, format::RefWidth},
};

use super::{
    LayerKey, LayerTile, Obstacle, TileCacheParams, layer_tile::MAX_SIDE,
    params::TILE_AND_POLY_BITS,
};
use crate::bake::{
    AreaFlags, BakeError, BakePlan, DirtyTiles, HeightLayer, HeightLayerSet, LayerBake, LayerCut,
    LayerMeshing, MeshedLayer, OffMeshLink, bake_layers, mesh_layer,
};

/// Maximum number of layers at one coordinate. Source: `dtTileCache::queryTiles`.
pub(super) const MAX_LAYERS: usize = 32;

/// Identifies an obstacle of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObstacleId(u32);

/// An error of the tile cache.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TileCacheError {
    /// A layer cannot be baked or meshed.
    #[error(transparent)]
    Bake(#[from] BakeError),
    /// The tiles cannot be linked to a navmesh.
    #[error(transparent)]
    NavMesh(#[from] NavMeshError),
    /// The plan bakes in one piece, or its tiles are too wide for a layer tile.
    #[error("a layer tile must have 1 to 255 cells along a side, not {found}; set tile_size")]
    TileSize {
        /// Number of cells along the longer side.
        found: u32,
    },
    /// The position already has a layer.
    #[error("there is already a tile at {key}")]
    Occupied {
        /// The key.
        key: LayerKey,
    },
    /// The cache has no space for another layer.
    #[error("the cache is full: it can hold {max_tiles} layers")]
    Full {
        /// Maximum number of layers.
        max_tiles: u32,
    },
    /// The bits for the layers and for the polygons of one of them do not fit in a reference.
    #[error(
        "{n_layers} layers take {tile_bits} bits of a reference and the {n_polys} polygons of tile {key} take \
         {poly_bits}, but layers are for references of 32 bits, which have 22 for both; use a larger tile_size \
         (up to 255), cell_size or edge_max_error, or bake tiles instead of layers, for which refs=64 makes room"
    )]
    RefBits {
        /// Number of layers.
        n_layers: usize,
        /// Number of bits for the layer.
        tile_bits: u32,
        /// The tile with the most polygons.
        key: LayerKey,
        /// Number of its polygons.
        n_polys: usize,
        /// Number of bits for the polygon.
        poly_bits: u32,
    },
    /// A layer has more polygons than fit in the references of the navmesh.
    #[error(
        "tile {key} has {found} polygons, more than the {limit} that the references of these layers have room \
         for; remove obstacles there, or bake the layers again, with a larger tile_size or \
         edge_max_error if \
         need be"
    )]
    TooManyPolys {
        /// The key.
        key: LayerKey,
        /// Number of its polygons.
        found: usize,
        /// Maximum number of polygons.
        limit: u64,
    },
    /// The navmesh allows fewer tiles than there are layers.
    #[error(
        "there are {n_layers} layers, but their navmesh has room for {max_tiles} tiles, so a game would lose the \
         others; bake the layers again, which makes room for as many as there are"
    )]
    TooManyLayers {
        /// Number of layers.
        n_layers: usize,
        /// Maximum number of tiles.
        max_tiles: u32,
    },
    /// The maximum number of obstacles is reached.
    #[error("there are already {max_obstacles} obstacles")]
    TooManyObstacles {
        /// Maximum number of obstacles.
        max_obstacles: u32,
    },
    /// An obstacle has a negative size, no corners, or a number that is not finite.
    #[error("the obstacle has a negative size, no corners or a number that is not finite")]
    BadObstacle,
    /// The obstacle has been removed, or belongs to another cache.
    #[error("there is no such obstacle")]
    UnknownObstacle,
}

/// An obstacle with the layers it touches.
#[derive(Clone, Debug, PartialEq)]
struct Placed {
    obstacle: Obstacle,
    touched: Vec<LayerKey>,
}

/// Layers baked from a level.
#[derive(Clone, Debug, PartialEq)]
pub struct CacheBake {
    /// The layers.
    pub cache: TileCache,
    /// Warnings, each with its tile.
    pub warnings: Vec<Diagnostic>,
}

/// The navmesh of all layers of a cache.
#[derive(Clone, Debug)]
pub struct CacheMesh {
    /// The navmesh.
    pub mesh: NavMesh,
    /// Warnings, each with its tile and layer.
    pub warnings: Vec<Diagnostic>,
}

/// The layers of a level and the obstacles on them.
///
/// Obstacles take effect on the layers immediately; [`TileCache::update`] applies them to a navmesh, given the layers
/// touched by adding or removing one.
#[derive(Clone, Debug, PartialEq)]
pub struct TileCache {
    params: TileCacheParams,
    nav_mesh_params: NavMeshParams,
    meshing: LayerMeshing,
    tiles: BTreeMap<LayerKey, LayerTile>,
    /// Keys of the tiles, in the order in which they were added.
    order: Vec<LayerKey>,
    obstacles: BTreeMap<ObstacleId, Placed>,
    next_obstacle: u32,
}

impl TileCache {
    /// Creates a cache without layers. Each tile gets the off-mesh links that start in it.
    pub fn new(params: TileCacheParams, off_mesh: Vec<OffMeshLink>) -> Self {
        let meshing = params.meshing(off_mesh);
        Self {
            nav_mesh_params: params.nav_mesh_params(),
            params,
            meshing,
            tiles: BTreeMap::new(),
            order: Vec::new(),
            obstacles: BTreeMap::new(),
            next_obstacle: 1,
        }
    }

    /// Returns the cache with other navmesh parameters.
    pub(super) fn with_nav_mesh_params(self, nav_mesh_params: NavMeshParams) -> Self {
        Self { nav_mesh_params, ..self }
    }

    /// Replaces the off-mesh links, which the file format does not store.
    #[must_use]
    pub fn with_off_mesh(self, off_mesh: Vec<OffMeshLink>) -> Self {
        Self { meshing: LayerMeshing { off_mesh, ..self.meshing }, ..self }
    }

    /// Replaces the flags of ground polygons, which the file format does not store.
    #[must_use]
    pub fn with_area_flags(self, area_flags: AreaFlags) -> Self {
        Self { meshing: LayerMeshing { area_flags, ..self.meshing }, ..self }
    }

    /// Returns the off-mesh links.
    pub fn off_mesh(&self) -> &[OffMeshLink] {
        &self.meshing.off_mesh
    }

    /// Returns the flags of ground polygons.
    pub fn area_flags(&self) -> AreaFlags {
        self.meshing.area_flags
    }

    /// Returns the layers without obstacles.
    #[must_use]
    pub fn without_obstacles(&self) -> Self {
        Self { obstacles: BTreeMap::new(), ..self.clone() }
    }

    /// Bakes the layers of all tiles of `plan`, on all cores. The result does not depend on the number of threads.
    /// [`TileCache::build`] or [`TileCache::reserve`] reserves bits for the polygons of their tiles.
    ///
    /// Differs: `RecastDemo` reserves space for four layers per tile, and for at most 16,384 tiles of the navmesh;
    /// here, if there are more layers, there is space for all of them.
    ///
    /// # Errors
    /// Returns [`TileCacheError::TileSize`] if the plan has no tiles of 1 to 255 cells per side, and
    /// [`TileCacheError::Bake`] if the layers of a tile exceed a limit, if a tile has more than 32 layers, or if there
    /// are more than 2^22 layers.
    pub fn bake(
        plan: &BakePlan,
        cut: LayerCut,
        monitor: &dyn Monitor,
    ) -> Result<CacheBake, TileCacheError> {
        Self::bake_with(plan, &|coord| layers_of(plan, coord, cut, monitor))
    }

    /// Like [`TileCache::bake`], for a cache whose layers come from an earlier plan with the same tile grid: bakes
    /// only the `stale` tiles that [`dirty_tiles`](crate::bake::dirty_tiles) reports, and reuses the others. Returns
    /// only the warnings of the baked tiles.
    ///
    /// # Errors
    /// See [`TileCache::bake`].
    pub fn rebake(
        &self,
        plan: &BakePlan,
        cut: LayerCut,
        stale: &DirtyTiles,
        monitor: &dyn Monitor,
    ) -> Result<CacheBake, TileCacheError> {
        let stale: BTreeSet<TileCoord> = stale.changed.iter().copied().collect();
        Self::bake_with(plan, &|coord| {
            if stale.contains(&coord) {
                return layers_of(plan, coord, cut, monitor);
            }
            let all = LayerKey::new(coord, 0)..=LayerKey::new(coord, u32::MAX);
            let tiles = self.tiles.range(all).map(|(_, tile)| tile.clone()).collect();
            Ok(TileLayers { tiles, warnings: Vec::new() })
        })
    }

    fn bake_with(plan: &BakePlan, of_tile: &LayersOfTile<'_>) -> Result<CacheBake, TileCacheError> {
        let side = plan.params().tile_size_vx;
        if !(1..=MAX_SIDE).contains(&side) {
            let [n_x, n_z] = plan.grid_size();
            let found = if side == 0 { n_x.max(n_z) } else { side };
            return Err(TileCacheError::TileSize { found });
        }
        let coords: Vec<_> = plan.tiles().collect();
        let baked: Vec<_> = coords.par_iter().map(|&coord| of_tile(coord)).collect();
        let input = plan.input();
        let cache = Self::new(TileCacheParams::of_plan(plan), input.off_mesh.clone());
        let mut cache = cache.with_area_flags(input.area_flags);
        let mut warnings = Vec::new();
        for (coord, baked) in coords.into_iter().zip(baked) {
            let TileLayers { tiles, warnings: own } = baked?;
            warnings.extend(own.into_iter().map(|found| found.within(Location::Tile(coord))));
            for tile in tiles {
                cache.order.push(tile.key());
                cache.tiles.insert(tile.key(), tile);
            }
        }
        cache.reserve_layers()?;
        Ok(CacheBake { cache, warnings })
    }

    /// Reserves bits for all layers, of which there may be more than expected.
    fn reserve_layers(&mut self) -> Result<(), BakeError> {
        let (n_layers, limit) = (self.tiles.len() as u64, 1 << TILE_AND_POLY_BITS);
        let n = u32::try_from(n_layers).ok().filter(|_| n_layers <= limit);
        let n = n.ok_or(BakeError::LevelLimit {
            what: "the number of layers",
            value: n_layers,
            limit,
            remedy: "use a larger tile_size or cell_size",
        })?;
        self.params.max_tiles = self.params.max_tiles.max(n);
        let tile_bits = self.params.reserved_tile_bits().max(bits_for(n));
        self.nav_mesh_params = self.params.nav_mesh_params_with(tile_bits);
        Ok(())
    }

    /// Reserves bits in the references of the navmesh for tiles with this many polygons, at the expense of bits for
    /// further layers.
    ///
    /// Differs: `RecastDemo` keeps space for four layers per tile, and writes layers whose tiles Detour then rejects.
    ///
    /// # Errors
    /// Returns [`TileCacheError::RefBits`] if layers and polygons do not fit together; nothing changes then.
    pub fn reserve(
        &mut self,
        n_polys: impl IntoIterator<Item = (LayerKey, usize)>,
    ) -> Result<(), TileCacheError> {
        // If several tiles have the most polygons, the first is reported.
        let most = n_polys.into_iter().max_by_key(|&(key, n)| (n, std::cmp::Reverse(key)));
        let Some((key, n_polys)) = most else { return Ok(()) };
        let poly_bits = u32::try_from(n_polys).map_or(u32::BITS, bits_for);
        if poly_bits <= bits_for(self.nav_mesh_params.max_polys) {
            return Ok(());
        }
        let n_layers = self.tiles.len();
        let tile_bits = u32::try_from(n_layers).map_or(u32::BITS, bits_for);
        if TILE_AND_POLY_BITS < tile_bits.saturating_add(poly_bits) {
            return Err(TileCacheError::RefBits { n_layers, tile_bits, key, n_polys, poly_bits });
        }
        self.nav_mesh_params = self.params.nav_mesh_params_with(TILE_AND_POLY_BITS - poly_bits);
        Ok(())
    }

    /// Meshes all layers with their obstacles, on all cores, reserves bits for their polygons and links them. After
    /// that, the cache can be saved as a file that games can load.
    ///
    /// # Errors
    /// Returns the [`TileCacheError`] of the first layer that cannot be meshed, or the errors of
    /// [`TileCache::reserve`].
    pub fn build(&mut self, monitor: &dyn Monitor) -> Result<CacheMesh, TileCacheError> {
        self.build_with(&|_| None, monitor)
    }

    /// Like [`TileCache::build`], after a [`TileCache::rebake`]: meshes the layers of the `stale` tiles, and reuses
    /// the other tiles from `before`, the previous navmesh. Neither may have obstacles.
    ///
    /// # Errors
    /// See [`TileCache::build`].
    pub fn rebuild(
        &mut self,
        before: &NavMesh,
        stale: &DirtyTiles,
        monitor: &dyn Monitor,
    ) -> Result<CacheMesh, TileCacheError> {
        let stale: BTreeSet<TileCoord> = stale.changed.iter().copied().collect();
        let known = |key: LayerKey| {
            let slot = before.slot_at(key.coord(), key.layer)?;
            before.tile(slot).filter(|_| !stale.contains(&key.coord())).map(Arc::clone)
        };
        self.build_with(&known, monitor)
    }

    fn build_with(
        &mut self,
        known: &(dyn Fn(LayerKey) -> Option<Arc<Tile>> + Sync),
        monitor: &dyn Monitor,
    ) -> Result<CacheMesh, TileCacheError> {
        let keys = build_order(self.tiles.keys().copied().collect());
        let make = |&key: &LayerKey| match known(key) {
            Some(tile) => Ok((Some(tile), Vec::new())),
            None => match self.mesh_tile(key, monitor)? {
                Some(MeshedLayer { tile, warnings, .. }) => Ok((tile.map(Arc::new), warnings)),
                None => Ok((None, Vec::new())),
            },
        };
        let made: Vec<Result<_, TileCacheError>> = keys.par_iter().map(make).collect();
        let (mut tiles, mut warnings) = (Vec::with_capacity(keys.len()), Vec::new());
        for (key, made) in keys.into_iter().zip(made) {
            let (tile, own) = made?;
            let in_layer = |found: Diagnostic| {
                found.within(Location::Layer(key.layer)).within(Location::Tile(key.coord()))
            };
            warnings.extend(own.into_iter().map(in_layer));
            tiles.extend(tile.map(|tile| (key, tile)));
        }
        self.reserve(tiles.iter().map(|(key, tile)| (*key, tile.polys.len())))?;
        let tiles = tiles.into_iter().map(|(_, tile)| tile).collect();
        let mesh = NavMesh::of_tiles(self.nav_mesh_params, RefWidth::Bits32, tiles)
            .map_err(|error| self.why_not_linked(error))?;
        warnings.extend(self.findings(&mesh, monitor).map_err(BakeError::from)?);
        Ok(CacheMesh { mesh, warnings })
    }

    /// Converts the error of adding a tile of these layers to their navmesh, with a remedy that fits layers.
    pub fn why_not_linked(&self, error: NavMeshError) -> TileCacheError {
        match error {
            NavMeshError::TooManyPolys { x, z, layer, found, limit } => {
                let key = LayerKey {
                    z: z.cast_unsigned(),
                    x: x.cast_unsigned(),
                    layer: layer.cast_unsigned(),
                };
                TileCacheError::TooManyPolys { key, found, limit }
            }
            NavMeshError::Full { max_tiles } => {
                TileCacheError::TooManyLayers { n_layers: self.tiles.len(), max_tiles }
            }
            error => error.into(),
        }
    }

    /// Returns the parameters of the cache.
    pub fn params(&self) -> &TileCacheParams {
        &self.params
    }

    /// Returns the parameters of the navmesh of all layers.
    pub fn nav_mesh_params(&self) -> &NavMeshParams {
        &self.nav_mesh_params
    }

    /// Returns all layers, by row, column and number.
    pub fn tiles(&self) -> impl Iterator<Item = &LayerTile> {
        self.tiles.values()
    }

    /// Returns all layers, in the order in which they were added, which is that of the file.
    pub(super) fn in_order(&self) -> impl Iterator<Item = &LayerTile> {
        self.order.iter().filter_map(|key| self.tiles.get(key))
    }

    /// Returns all obstacles, from the oldest to the newest.
    pub fn obstacles(&self) -> impl Iterator<Item = (ObstacleId, &Obstacle)> {
        self.obstacles.iter().map(|(id, placed)| (*id, &placed.obstacle))
    }

    /// Adds a layer. Existing obstacles do not affect it.
    ///
    /// # Errors
    /// Returns [`TileCacheError::Occupied`] or [`TileCacheError::Full`].
    pub fn add_tile(&mut self, tile: LayerTile) -> Result<(), TileCacheError> {
        let key = tile.key();
        if self.tiles.contains_key(&key) {
            return Err(TileCacheError::Occupied { key });
        }
        let max_tiles = self.params.max_tiles;
        if self.tiles.len() >= max_tiles as usize {
            return Err(TileCacheError::Full { max_tiles });
        }
        self.tiles.insert(key, tile);
        self.order.push(key);
        Ok(())
    }

    /// Adds an obstacle; returns the layers that it touches, which have to be meshed again.
    ///
    /// Differs: Detour ignores all touched layers after the eighth.
    ///
    /// # Errors
    /// Returns [`TileCacheError::TooManyObstacles`] or [`TileCacheError::BadObstacle`].
    pub fn add_obstacle(
        &mut self,
        obstacle: Obstacle,
    ) -> Result<(ObstacleId, Vec<LayerKey>), TileCacheError> {
        let max_obstacles = self.params.max_obstacles;
        if self.obstacles.len() >= max_obstacles as usize || self.next_obstacle == u32::MAX {
            return Err(TileCacheError::TooManyObstacles { max_obstacles });
        }
        if !obstacle.is_sound() {
            return Err(TileCacheError::BadObstacle);
        }
        let touched = self.touched_by(&obstacle);
        let id = ObstacleId(self.next_obstacle);
        self.next_obstacle += 1;
        self.obstacles.insert(id, Placed { obstacle, touched: touched.clone() });
        Ok((id, touched))
    }

    /// Removes an obstacle; returns the layers that it touched, which have to be meshed again.
    ///
    /// # Errors
    /// Returns [`TileCacheError::UnknownObstacle`].
    pub fn remove_obstacle(&mut self, id: ObstacleId) -> Result<Vec<LayerKey>, TileCacheError> {
        let placed = self.obstacles.remove(&id).ok_or(TileCacheError::UnknownObstacle)?;
        Ok(placed.touched)
    }

    /// Returns the layers that an obstacle may affect: those whose bounds overlap the obstacle's. They are in the order
    /// in which Detour builds them: by row and column, the highest number first.
    ///
    /// Source: `dtTileCache::queryTiles`.
    pub fn touched_by(&self, obstacle: &Obstacle) -> Vec<LayerKey> {
        let bounds = obstacle.bounds();
        let [columns, rows] = self.places_under(&bounds);
        let is_touched = |(key, tile): &(&LayerKey, &LayerTile)| {
            columns.contains(&i64::from(key.x))
                && rows.contains(&i64::from(key.z))
                && tile.ground_bounds(self.params.cell_size).overlaps(&bounds)
        };
        build_order(self.tiles.iter().filter(is_touched).map(|(key, _)| *key).collect())
    }

    /// Returns the columns and rows of tiles under `bounds`.
    fn places_under(&self, bounds: &Aabb) -> [std::ops::RangeInclusive<i64>; 2] {
        let [width, depth] = self.params.tile_size();
        let (min, max) = (bounds.min - self.params.origin, bounds.max - self.params.origin);
        [floor(min.x / width)..=floor(max.x / width), floor(min.z / depth)..=floor(max.z / depth)]
    }

    /// Returns the layer `key` with its obstacles.
    pub fn layer(&self, key: LayerKey) -> Option<HeightLayer> {
        let tile = self.tiles.get(&key)?;
        let mut layer = tile.unpack(self.params.cell_size, self.params.cell_height);
        let on_it = self.obstacles.values().filter(|placed| placed.touched.contains(&key));
        on_it.for_each(|placed| placed.obstacle.carve(&mut layer));
        Some(layer)
    }

    /// Returns the obstacles that block the ground at `at`: that of the layer whose floor is nearest above or below,
    /// within `reach` meters. They are in the order in which they were added.
    pub fn obstacles_at(&self, at: Vec3, reach: f32) -> Vec<ObstacleId> {
        let place = Aabb::new(at, at);
        let [columns, rows] = self.places_under(&place);
        let here = self.tiles.iter().filter(|(key, _)| {
            columns.contains(&i64::from(key.x)) && rows.contains(&i64::from(key.z))
        });
        let floors = here.filter_map(|(key, tile)| {
            let layer = tile.unpack(self.params.cell_size, self.params.cell_height);
            let (cell, floor) = layer.ground_at(at)?;
            let distance = (floor - at.y).abs();
            (distance <= reach).then_some((distance, *key, layer, cell))
        });
        let Some((_, key, layer, cell)) = floors.min_by(|a, b| a.0.total_cmp(&b.0)) else {
            return Vec::new();
        };
        let takes = |placed: &Placed| {
            let mut carved = layer.clone();
            placed.obstacle.carve(&mut carved);
            !carved.areas[cell].is_walkable()
        };
        let on_it = self.obstacles.iter().filter(|(_, placed)| placed.touched.contains(&key));
        on_it.filter(|(_, placed)| takes(placed)).map(|(id, _)| *id).collect()
    }

    /// Builds tile data of the layer `key` with its obstacles, and the warnings; `None` if the layer does not exist.
    ///
    /// # Errors
    /// Returns [`TileCacheError::Bake`] if the layer exceeds a limit.
    pub fn mesh_tile(
        &self,
        key: LayerKey,
        monitor: &dyn Monitor,
    ) -> Result<Option<MeshedLayer>, TileCacheError> {
        let Some(layer) = self.layer(key) else { return Ok(None) };
        Ok(Some(mesh_layer(&layer, key.coord(), key.layer, &self.meshing, monitor)?))
    }

    /// Builds the navmesh of all layers with their obstacles, on all cores. Tiles are added in the order in which
    /// `RecastDemo` adds them after a bake; in a game that loads the layers, the tiles have other slots and their
    /// polygons other references: see [`TileCache::loaded_nav_mesh`].
    ///
    /// # Errors
    /// Returns the [`TileCacheError`] of the first layer that cannot be meshed or added.
    pub fn nav_mesh(&self, monitor: &dyn Monitor) -> Result<NavMesh, TileCacheError> {
        let mut mesh = NavMesh::new(self.nav_mesh_params)?;
        self.update(&mut mesh, &build_order(self.tiles.keys().copied().collect()), monitor)?;
        Ok(mesh)
    }

    /// Builds the navmesh of all layers with the same slots and references as in a game that loads them from a file.
    ///
    /// Source: `RecastDemo`, `Sample_TempObstacles::loadAll`, which builds each layer right after reading it.
    ///
    /// # Errors
    /// See [`TileCache::nav_mesh`].
    pub fn loaded_nav_mesh(&self, monitor: &dyn Monitor) -> Result<NavMesh, TileCacheError> {
        let mut mesh = NavMesh::new(self.nav_mesh_params)?;
        self.update(&mut mesh, &self.order, monitor)?;
        Ok(mesh)
    }

    /// Meshes the `touched` layers again and replaces their tiles in `mesh`. If a layer cannot be meshed or has too
    /// many polygons, `mesh` stays unchanged.
    ///
    /// # Errors
    /// See [`TileCache::nav_mesh`].
    pub fn update(
        &self,
        mesh: &mut NavMesh,
        touched: &[LayerKey],
        monitor: &dyn Monitor,
    ) -> Result<(), TileCacheError> {
        let made = |&key: &LayerKey| Ok(self.mesh_tile(key, monitor)?.and_then(|made| made.tile));
        let made: Vec<Result<_, TileCacheError>> = touched.par_iter().map(made).collect();
        let made: Vec<_> = made.into_iter().collect::<Result<_, _>>()?;
        let limit = 1 << mesh.layout().poly_bits;
        for (&key, tile) in touched.iter().zip(&made) {
            let found = tile.as_ref().map_or(0, |tile: &Tile| tile.polys.len());
            if limit < found as u64 {
                return Err(TileCacheError::TooManyPolys { key, found, limit });
            }
        }
        for (key, tile) in touched.iter().zip(made) {
            mesh.remove_tile(key.coord(), key.layer);
            if let Some(tile) = tile {
                mesh.add_tile(Arc::new(tile)).map_err(|error| self.why_not_linked(error))?;
            }
        }
        Ok(())
    }
}

/// Returns the order in which Detour builds tiles.
fn build_order(mut keys: Vec<LayerKey>) -> Vec<LayerKey> {
    keys.sort_unstable_by_key(|key| (key.z, key.x, std::cmp::Reverse(key.layer)));
    keys
}

/// The layers of a tile, and the warnings of their bake.
struct TileLayers {
    tiles: Vec<LayerTile>,
    warnings: Vec<Diagnostic>,
}

/// Returns the layers of a tile, by baking them or reusing earlier ones.
type LayersOfTile<'a> = dyn Fn(TileCoord) -> Result<TileLayers, BakeError> + Sync + 'a;

/// Bakes the layers of a tile.
fn layers_of(
    plan: &BakePlan,
    coord: TileCoord,
    cut: LayerCut,
    monitor: &dyn Monitor,
) -> Result<TileLayers, BakeError> {
    let LayerBake { set: HeightLayerSet { layers, .. }, warnings } =
        bake_layers(plan, coord, cut, monitor)?;
    check_n_layers(coord, layers.len())?;
    let numbered = (0..).zip(&layers);
    let pack = |(number, layer)| LayerTile::pack(LayerKey::new(coord, number), layer);
    Ok(TileLayers { tiles: numbered.filter_map(pack).collect(), warnings })
}

fn check_n_layers(tile: TileCoord, n_layers: usize) -> Result<(), BakeError> {
    if n_layers <= MAX_LAYERS {
        return Ok(());
    }
    Err(BakeError::Limit {
        tile,
        what: "the number of layers",
        value: n_layers as u64,
        limit: MAX_LAYERS as u64,
        remedy: "use smaller tiles or a larger cell_height",
    })
}

#[expect(clippy::cast_possible_truncation, reason = "what is out of range saturates")]
fn floor(value: f32) -> i64 {
    value.floor() as i64
}

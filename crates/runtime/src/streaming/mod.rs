//! Loads and drops tiles of a navmesh around points of interest, within a budget of memory.
//!
//! A [`Streaming`] decides which tiles to load and links them; the game reads their bytes, on any thread:
//!
//! ```
//! use std::{collections::BTreeMap, sync::Arc};
//! # use walkable::{bake::*, level::*, monitor::Unmonitored};
//! use walkable::{
//!     navmesh::{NavMesh, TilePlace},
//!     streaming::{PointOfInterest, Streaming, StreamingRequest, WorldTile},
//! };
//!
//! # let level = generate(LevelKind::Town, 1, 60.0)?;
//! # let settings = BakeSettings { tile_size: 32, ..BakeSettings::default() };
//! # let whole: NavMesh = bake(BakeInput::new(Arc::new(level.mesh), settings), &Unmonitored)?;
//! // Here, tiles come from memory; a game has them in a tile store (`walkable::store`).
//! let tiles: BTreeMap<TilePlace, Vec<u8>> =
//!     whole.tiles().map(|tile| (TilePlace::of(tile), tile.to_bytes())).collect();
//! let world = tiles.iter().map(|(&place, bytes)| WorldTile::new(place, bytes.len()));
//! let mut streaming = Streaming::new(*whole.params(), whole.width(), world)?;
//!
//! let players = [PointOfInterest { position: level.start, radius: 20.0 }];
//! let request = StreamingRequest::new(&players, 1 << 20);
//! let update = streaming.update(&request)?;
//! for place in update.load {
//!     // A game would pass `place` to a thread that reads files, and call `add` when the bytes arrive.
//!     streaming.add(place, &tiles[&place])?;
//! }
//! assert!(streaming.n_bytes() <= request.budget && streaming.nav_mesh().tiles().count() > 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Searches
//!
//! A search that may continue in a tile that is not loaded reports
//! [`WhyNot::NotLoaded`](crate::query::WhyNot::NotLoaded), and one whose ends are not loaded
//! [`StartNotLoaded`](crate::query::WhyNot::StartNotLoaded) or [`EndNotLoaded`](crate::query::WhyNot::EndNotLoaded),
//! instead of "no path". A search that finds a path does not consider tiles that are not loaded: there may be a cheaper
//! path through them. Other queries end at the edge of the loaded tiles as at a wall; [`NavMesh::is_loaded`] checks
//! where that is.
//!
//! # References
//!
//! The slot of a tile is its index among the tiles of the world, by row, column and layer, and its salt is 1. So a
//! reference does not depend on what was loaded before. It is stale while its tile is not loaded, and valid again
//! afterwards. It equals the reference in a navmesh that all tiles were added to in that order. Changed flags and areas
//! are lost with the tile, unless the game keeps them ([`NavMesh::tile_state`]).

#[cfg(test)]
mod tests;

use std::sync::Arc;

use glam::{Vec2, Vec3, Vec3Swizzles as _};

use crate::navmesh::{
    NavMesh, NavMeshError, NavMeshParams, PolyRef, Tile, TilePlace, World,
    format::{FormatError, RefWidth},
};

/// Estimated memory of a tile divided by the length of its data, until tiles have been loaded.
const USUAL_RATIO: u64 = 5;
/// The part of a tile's longer side by which loaded tiles count as nearer than they are, so that a point that moves
/// back and forth across a border does not load and drop the same tiles repeatedly.
const HYSTERESIS: f32 = 0.5;

/// A tile that can be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorldTile {
    /// Column, row and layer.
    pub place: TilePlace,
    /// Length of its data in bytes.
    pub n_bytes: usize,
}

impl WorldTile {
    /// Creates a tile at `place` with `n_bytes` bytes of data.
    pub fn new(place: TilePlace, n_bytes: usize) -> Self {
        Self { place, n_bytes }
    }
}

/// A point around which tiles are loaded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointOfInterest {
    /// The point. Its height does not matter.
    pub position: Vec3,
    /// Tiles within this horizontal distance are loaded, in meters. May be infinite.
    pub radius: f32,
}

/// Parameters of [`Streaming::update`].
#[derive(Clone, Copy, Debug)]
pub struct StreamingRequest<'a> {
    /// Where tiles are needed.
    pub points: &'a [PointOfInterest],
    /// Maximum memory of the loaded tiles in bytes, as [`NavMesh::memory_of`] estimates it.
    pub budget: u64,
    /// Maximum number of tiles that are requested at the same time. By default 32.
    pub max_requested: usize,
}

impl<'a> StreamingRequest<'a> {
    /// Requests the tiles around `points` that fit in `budget` bytes.
    pub fn new(points: &'a [PointOfInterest], budget: u64) -> Self {
        Self { points, budget, max_requested: 32 }
    }
}

/// The changes of an update.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamingUpdate {
    /// Tiles to load, the nearest first: the game reads their data and passes it to [`Streaming::add`].
    pub load: Vec<TilePlace>,
    /// Tiles that were requested before and are no longer needed. [`Streaming::add`] ignores them.
    pub cancelled: Vec<TilePlace>,
    /// Tiles that were removed from the navmesh.
    pub dropped: Vec<TilePlace>,
}

/// Why tiles cannot be streamed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StreamingError {
    /// The navmesh cannot be created, or a tile cannot be added to it.
    #[error(transparent)]
    Mesh(#[from] NavMeshError),
    /// The data of a tile is invalid.
    #[error("tile {place} is invalid: {error}")]
    Tile {
        /// The tile.
        place: TilePlace,
        /// Cause of the error.
        error: FormatError,
    },
    /// The data belongs to another tile.
    #[error("the data of tile {place} is tile {found}")]
    OtherTile {
        /// The tile.
        place: TilePlace,
        /// The tile of the data.
        found: TilePlace,
    },
    /// The world has no tile at a place.
    #[error("the world has no tile {place}")]
    Unknown {
        /// The place.
        place: TilePlace,
    },
    /// The world has two tiles at a place.
    #[error("the world has tile {place} twice")]
    Twice {
        /// The place.
        place: TilePlace,
    },
    /// A position or radius is not a number or negative, or a position infinite.
    #[error("{what} of a point of interest is not valid")]
    BadPoint {
        /// Name of the value.
        what: &'static str,
    },
}

/// Whether a tile is in the navmesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileStatus {
    /// It is not in the navmesh, and was not requested.
    Absent,
    /// It was requested ([`StreamingUpdate::load`]).
    Requested,
    /// It is in the navmesh.
    Loaded,
    /// It could not be loaded, and is not requested again ([`Streaming::fail`]).
    Failed,
}

/// A tile of the world.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// Length of the data.
    n_bytes: u32,
    /// Memory in the navmesh; 0 if the tile was never loaded.
    memory: u32,
    status: TileStatus,
}

/// A tile with its distance to the nearest point of interest.
#[derive(Clone, Copy, Debug)]
struct Ranked {
    index: u32,
    is_in_radius: bool,
    distance: f32,
}

/// A navmesh of which only the tiles around points of interest are loaded.
///
/// In addition to the budget, it takes 32 bytes per tile of the world, and the memory of one tile while it is added.
#[derive(Clone, Debug)]
pub struct Streaming {
    mesh: NavMesh,
    world: World,
    /// The tiles of the world, in the order of `world`.
    tiles: Vec<Known>,
    /// Indices of tiles that are loaded or requested, ascending.
    active: Vec<u32>,
    /// Memory of the loaded tiles.
    n_bytes: u64,
    /// Memory of all tiles that were loaded since the start, and the length of their data.
    seen: [u64; 2],
    points: Vec<PointOfInterest>,
    budget: u64,
}

impl Streaming {
    /// Creates a navmesh without tiles. `tiles` are all tiles of the world, in any order.
    ///
    /// # Errors
    /// Returns [`StreamingError::Mesh`] if the parameters are invalid or allow fewer tiles, or [`StreamingError::Twice`].
    pub fn new(
        params: NavMeshParams,
        width: RefWidth,
        tiles: impl IntoIterator<Item = WorldTile>,
    ) -> Result<Self, StreamingError> {
        let mut mesh = NavMesh::with_width(params, width)?;
        let mut tiles: Vec<WorldTile> = tiles.into_iter().collect();
        tiles.sort_unstable_by_key(|tile| tile.place);
        if let Some(pair) = tiles.windows(2).find(|pair| pair[0].place == pair[1].place) {
            return Err(StreamingError::Twice { place: pair[0].place });
        }
        if u32::try_from(tiles.len()).map_or(true, |n| n > params.max_tiles) {
            return Err(NavMeshError::Full { max_tiles: params.max_tiles }.into());
        }
        let world = World::new(tiles.iter().map(|tile| tile.place).collect());
        mesh.world = Some(world.clone());
        let known = |tile: &WorldTile| Known {
            n_bytes: u32::try_from(tile.n_bytes).unwrap_or(u32::MAX),
            memory: 0,
            status: TileStatus::Absent,
        };
        let tiles = tiles.iter().map(known).collect();
        let (active, points) = (Vec::new(), Vec::new());
        Ok(Self { mesh, world, tiles, active, n_bytes: 0, seen: [0; 2], points, budget: 0 })
    }

    /// Returns the navmesh of the loaded tiles.
    pub fn nav_mesh(&self) -> &NavMesh {
        &self.mesh
    }

    /// Returns the navmesh, to change flags and areas. Tiles must be added and removed by [`Streaming`] only.
    pub fn nav_mesh_mut(&mut self) -> &mut NavMesh {
        &mut self.mesh
    }

    /// Returns the memory of the loaded tiles, as [`NavMesh::memory_of`] estimates it.
    pub fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// Returns whether the tile at a place is loaded; `None` if the world has none there.
    pub fn status(&self, place: TilePlace) -> Option<TileStatus> {
        Some(self.tiles[self.world.index_of(place)?].status)
    }

    /// Decides which tiles to load, the nearest first, and drops tiles if others need their memory. Tiles outside all
    /// radii stay loaded as long as there is space. Takes time in proportion to the tiles within the radii and the loaded
    /// tiles.
    ///
    /// # Errors
    /// Returns [`StreamingError::BadPoint`]; nothing is changed then.
    pub fn update(
        &mut self,
        request: &StreamingRequest<'_>,
    ) -> Result<StreamingUpdate, StreamingError> {
        for point in request.points {
            if !point.position.is_finite() {
                return Err(StreamingError::BadPoint { what: "the position" });
            }
            if point.radius.is_nan() || point.radius < 0.0 {
                return Err(StreamingError::BadPoint { what: "the radius" });
            }
        }
        self.points.clear();
        self.points.extend_from_slice(request.points);
        self.budget = request.budget;

        let was_active = std::mem::take(&mut self.active);
        let mut update = StreamingUpdate::default();
        let (mut n_bytes, mut n_requested, mut is_full) = (0_u64, 0, false);
        for Ranked { index, is_in_radius, .. } in self.ranked(&was_active) {
            let at = index as usize;
            let status = self.tiles[at].status;
            let after = n_bytes.saturating_add(self.memory(at));
            let fits = after <= self.budget;
            let is_kept = match status {
                TileStatus::Loaded => fits,
                TileStatus::Requested => fits && !is_full && is_in_radius,
                TileStatus::Absent => fits && !is_full && n_requested < request.max_requested,
                TileStatus::Failed => false,
            };
            match status {
                TileStatus::Failed => continue,
                TileStatus::Loaded => {}
                // If a nearer tile does not fit, farther tiles are not loaded in its place.
                TileStatus::Requested | TileStatus::Absent => is_full |= !fits,
            }
            if !is_kept {
                continue;
            }
            n_bytes = after;
            self.active.push(index);
            match status {
                TileStatus::Loaded | TileStatus::Failed => {}
                TileStatus::Requested => n_requested += 1,
                TileStatus::Absent => {
                    n_requested += 1;
                    self.tiles[at].status = TileStatus::Requested;
                    update.load.push(self.world.places()[at]);
                }
            }
        }
        self.active.sort_unstable();
        for index in was_active {
            if self.active.binary_search(&index).is_ok() {
                continue;
            }
            let place = self.world.places()[index as usize];
            match self.tiles[index as usize].status {
                TileStatus::Loaded => {
                    self.remove(index as usize);
                    update.dropped.push(place);
                }
                TileStatus::Requested => {
                    self.tiles[index as usize].status = TileStatus::Absent;
                    update.cancelled.push(place);
                }
                TileStatus::Absent | TileStatus::Failed => {}
            }
        }
        Ok(update)
    }

    /// Adds a requested tile from its data (DNAV) and links it to its neighbors. Returns `false` if the tile is not
    /// requested (any more), or if it takes more memory than is left; the next update then drops farther tiles.
    ///
    /// # Errors
    /// Returns [`StreamingError::Unknown`], or the reason why the data is invalid; the tile has then failed.
    pub fn add(&mut self, place: TilePlace, data: &[u8]) -> Result<bool, StreamingError> {
        let at = self.world.index_of(place).ok_or(StreamingError::Unknown { place })?;
        if self.tiles[at].status != TileStatus::Requested {
            return Ok(false);
        }
        let added = self.add_requested(at, place, data);
        match added {
            Ok(true) => self.tiles[at].status = TileStatus::Loaded,
            Ok(false) => self.release(at, TileStatus::Absent),
            Err(_) => self.release(at, TileStatus::Failed),
        }
        added
    }

    fn add_requested(
        &mut self,
        at: usize,
        place: TilePlace,
        data: &[u8],
    ) -> Result<bool, StreamingError> {
        let tile = Tile::from_bytes(data);
        let tile = tile.map_err(|error| StreamingError::Tile { place, error })?;
        let found = TilePlace::of(&tile);
        if found != place {
            return Err(StreamingError::OtherTile { place, found });
        }
        let memory = NavMesh::memory_of(&tile);
        let known = &mut self.tiles[at];
        known.memory = u32::try_from(memory).unwrap_or(u32::MAX);
        let all = [memory, u64::from(known.n_bytes)];
        self.seen = [0, 1].map(|n| self.seen[n].saturating_add(all[n]));
        if self.n_bytes.saturating_add(memory) > self.budget {
            return Ok(false);
        }
        let slot = u32::try_from(at).unwrap_or(u32::MAX);
        let Some(name) = self.mesh.layout().base(slot, 1) else {
            return Err(NavMeshError::BadSlot { number: slot, salt: 1 }.into());
        };
        self.mesh.add_tile_as(Arc::new(tile), PolyRef(name))?;
        self.n_bytes += memory;
        Ok(true)
    }

    /// Records that a requested tile cannot be loaded; it is not requested again.
    pub fn fail(&mut self, place: TilePlace) {
        if let Some(at) = self.world.index_of(place)
            && self.tiles[at].status == TileStatus::Requested
        {
            self.release(at, TileStatus::Failed);
        }
    }

    /// Allows tiles that failed to be requested again.
    pub fn retry_failed(&mut self) {
        for tile in &mut self.tiles {
            if tile.status == TileStatus::Failed {
                tile.status = TileStatus::Absent;
            }
        }
    }

    fn release(&mut self, at: usize, status: TileStatus) {
        self.tiles[at].status = status;
        self.active.retain(|&index| index as usize != at);
    }

    /// Removes a loaded tile.
    fn remove(&mut self, at: usize) {
        let memory = self.memory(at);
        self.mesh.remove_at(self.world.places()[at]);
        self.tiles[at].status = TileStatus::Absent;
        self.n_bytes -= memory.min(self.n_bytes);
    }

    /// Returns the memory of a tile in the navmesh, estimated if it was never loaded.
    fn memory(&self, at: usize) -> u64 {
        let Known { n_bytes, memory, .. } = self.tiles[at];
        if memory > 0 {
            return u64::from(memory);
        }
        let [memory, of_data] = if self.seen[1] == 0 { [USUAL_RATIO, 1] } else { self.seen };
        let estimate = (u128::from(n_bytes) * u128::from(memory)).div_ceil(u128::from(of_data));
        u64::try_from(estimate).unwrap_or(u64::MAX)
    }

    /// Returns the tiles within the radii and those that are active, the nearest first; those outside all radii come
    /// last.
    fn ranked(&self, active: &[u32]) -> Vec<Ranked> {
        let mut ranked: Vec<Ranked> = Vec::new();
        for point in &self.points {
            let reach = Vec3::splat(point.radius);
            let min = self.mesh.place_of(point.position - reach);
            let max = self.mesh.place_of(point.position + reach);
            self.world.for_each_in(min, max, |at| {
                let distance = self.distance(at, point.position.xz());
                if distance <= point.radius {
                    let rank =
                        |index| Ranked { index, is_in_radius: true, ..self.rank(index, distance) };
                    ranked.extend(u32::try_from(at).map(rank));
                }
                true
            });
        }
        for &index in active {
            let to = |point: &PointOfInterest| self.distance(index as usize, point.position.xz());
            let nearest = self.points.iter().map(to).fold(f32::INFINITY, f32::min);
            ranked.push(self.rank(index, nearest));
        }
        // Of the entries of a tile, the nearest comes first, or one within a radius if there is one.
        let rank = |tile: &Ranked| (!tile.is_in_radius, tile.distance.to_bits(), tile.index);
        ranked.sort_unstable_by_key(|tile| (tile.index, rank(tile)));
        ranked.dedup_by_key(|tile| tile.index);
        ranked.sort_unstable_by_key(rank);
        ranked
    }

    /// Returns the rank of a tile outside all radii.
    fn rank(&self, index: u32, distance: f32) -> Ranked {
        let is_loaded = self.tiles[index as usize].status == TileStatus::Loaded;
        let NavMeshParams { tile_width, tile_height, .. } = self.mesh.params();
        let nearer = if is_loaded { HYSTERESIS * tile_width.max(*tile_height) } else { 0.0 };
        Ranked { index, is_in_radius: false, distance: (distance - nearer).max(0.0) }
    }

    /// Returns the horizontal distance from the square of a tile to a point.
    fn distance(&self, at: usize, point: Vec2) -> f32 {
        let NavMeshParams { origin, tile_width, tile_height, .. } = *self.mesh.params();
        let TilePlace { x, z, .. } = self.world.places()[at];
        #[expect(clippy::cast_precision_loss, reason = "columns and rows are small")]
        let min = origin.xz() + Vec2::new(x as f32 * tile_width, z as f32 * tile_height);
        let max = min + Vec2::new(tile_width, tile_height);
        (min - point).max(point - max).max(Vec2::ZERO).length()
    }
}

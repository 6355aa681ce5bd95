//! Reads tile stores: all tiles if they fit the memory budget, or those of a part.

use std::{
    io::{Read, Seek},
    path::Path,
    sync::Arc,
};

use anyhow::Context as _;
use glam::{Vec2, Vec3, Vec3Swizzles as _};
use walkable::{
    diagnostic::{Diagnostic, Phrase},
    geom::Aabb,
    navmesh::{NavMesh, Tile, TilePlace},
    phrase,
    store::{StoreEntry, StoreError, TileStore},
};
use walkable_workspace::{files, lang, store_route::damage_warnings};

use crate::session::{HeightMap, OpenStore, World};

/// Opens the tile store at `path`; if `hash` is known, the store must have it.
pub(super) fn open_store(
    path: &Path,
    hash: Option<u128>,
) -> anyhow::Result<(TileStore, impl Read + Seek + use<>)> {
    let mut file = files::open(path)?;
    let store = TileStore::read(&mut file).with_context(|| path.display().to_string())?;
    if hash.is_some_and(|hash| hash != store.hash()) {
        let file = path.display().to_string();
        anyhow::bail!(phrase!("{file} has changed on disk", file));
    }
    Ok((store, file))
}

#[derive(Clone, Copy, Debug)]
pub(super) struct StoreRequest {
    /// The point around which a store is loaded if not all of its tiles fit; `None` for its center.
    pub(super) around: Option<Vec3>,
    /// Maximum memory of the loaded tiles, in bytes.
    pub(super) max_bytes: u64,
}

#[derive(Debug)]
pub struct ReadStore {
    pub navmesh: NavMesh,
    pub store: OpenStore,
    pub warnings: Vec<Diagnostic>,
}

/// Reads the tiles of a store around a point that fit the budget.
pub(super) fn read(path: &Path, how: StoreRequest) -> Result<ReadStore, Phrase> {
    let named = |error: Phrase| lang::with_more(path.display().to_string(), error);
    let mut file = files::open(path).map_err(|error| lang::error(&error))?;
    let index = TileStore::read(&mut file).map_err(|error| named(error.to_string().into()))?;
    let center = bounds_of(&index).center();
    let at = how.around.unwrap_or(center);
    let Some(middle) = nearest(&index, at.xz()) else {
        // Nothing is walkable in the whole store.
        let navmesh =
            index.nav_mesh_of(Vec::new()).map_err(|error| named(error.to_string().into()))?;
        let plan = Arc::new(HeightMap::of_squares([], &Aabb::new(Vec3::ZERO, Vec3::ONE)));
        let store = OpenStore { index: Arc::new(index), world: None, plan, n_damaged: 0 };
        return Ok(ReadStore { navmesh, store, warnings: Vec::new() });
    };
    let loaded = load(&index, middle, how.max_bytes, &mut file).map_err(named)?;
    let Loaded { tiles, damaged, n_rings } = loaded;
    let navmesh = index.nav_mesh_of(tiles).map_err(|error| named(error.to_string().into()))?;
    navmesh.prepare_queries();
    let store = opened(index, &navmesh, (middle, at), n_rings, damaged.len());
    Ok(ReadStore { navmesh, store, warnings: damage_warnings(&damaged) })
}

/// Describes what was loaded: `n_rings` squares of tiles around `middle`, or all.
fn opened(
    index: TileStore,
    navmesh: &NavMesh,
    (middle, at): (TilePlace, Vec3),
    n_rings: Option<u32>,
    n_damaged: usize,
) -> OpenStore {
    let heights = Some(navmesh.bounds()).filter(|bounds| !bounds.is_empty());
    let [low, high] = heights.map_or([0.0; 2], |bounds| [bounds.min.y, bounds.max.y]);
    let high_as = |area: Aabb| Aabb { min: area.min.with_y(low), max: area.max.with_y(high) };
    let bounds = high_as(bounds_of(&index));
    let square = high_as(OpenStore::square(index.params(), middle));
    let around = at.with_y(0.5 * (low + high)).clamp(square.min, square.max);
    let world = n_rings.map(|n_rings| {
        let by = Vec3::new(index.params().tile_width, 0.0, index.params().tile_height);
        #[expect(clippy::cast_precision_loss, reason = "far fewer rings than that")]
        let by = by * n_rings as f32;
        let part =
            Aabb { min: (square.min - by).max(bounds.min), max: (square.max + by).min(bounds.max) };
        World { hash: index.hash(), bounds, n_triangles: 0, part, around }
    });
    let squares = index.ground_entries().map(|entry| {
        let Aabb { min, max } = OpenStore::square(index.params(), entry.place);
        [min.xz(), max.xz()]
    });
    let plan = Arc::new(HeightMap::of_squares(squares, &bounds));
    OpenStore { index: Arc::new(index), world, plan, n_damaged }
}

struct Loaded {
    tiles: Vec<Arc<Tile>>,
    damaged: Vec<(TilePlace, StoreError)>,
    /// Number of complete rings of tiles around the middle one; `None` if all tiles were loaded.
    n_rings: Option<u32>,
}

/// Loads rings of tiles around a place as long as they fit in `max_bytes`.
fn load(
    index: &TileStore,
    middle: TilePlace,
    max_bytes: u64,
    file: &mut (impl Read + Seek),
) -> Result<Loaded, Phrase> {
    let ring =
        |entry: &StoreEntry| entry.place.x.abs_diff(middle.x).max(entry.place.z.abs_diff(middle.z));
    let mut entries: Vec<_> = index.ground_entries().map(|entry| (ring(entry), entry)).collect();
    entries.sort_unstable_by_key(|(ring, entry)| (*ring, entry.place));
    let mut loaded = Loaded { tiles: Vec::new(), damaged: Vec::new(), n_rings: None };
    let mut n_bytes = 0;
    for ring in entries.chunk_by(|(a, _), (b, _)| a == b) {
        let (n_tiles, n_damaged) = (loaded.tiles.len(), loaded.damaged.len());
        for &(number, entry) in ring {
            match index.sound_tile(entry, file) {
                Ok(None) => {}
                Ok(Some(tile)) => {
                    n_bytes += NavMesh::memory_of(&tile);
                    if n_bytes <= max_bytes {
                        loaded.tiles.push(Arc::new(tile));
                        continue;
                    }
                    let Some(n_rings) = number.checked_sub(1) else {
                        let [n, max] = [n_bytes, max_bytes].map(|n| n >> 20);
                        return Err(phrase!(
                            "tile {place} takes {n} MiB, more than the {max} MiB for the tiles of a navmesh; \
                             raise Memory budget in Preferences",
                            place = entry.place.to_string(),
                            n,
                            max
                        ));
                    };
                    loaded.tiles.truncate(n_tiles);
                    loaded.damaged.truncate(n_damaged);
                    loaded.n_rings = Some(n_rings);
                    return Ok(loaded);
                }
                Err(error) => loaded.damaged.push((entry.place, error)),
            }
        }
    }
    Ok(loaded)
}

/// Returns the place of the tile with ground that is nearest to a point, seen from above; `None` if there is none.
fn nearest(index: &TileStore, at: Vec2) -> Option<TilePlace> {
    let distance = |entry: &&StoreEntry| {
        let Aabb { min, max } = OpenStore::square(index.params(), entry.place);
        at.distance_squared(at.clamp(min.xz(), max.xz()))
    };
    let nearest = index.ground_entries().min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    Some(nearest.place)
}

/// Returns the square around all tiles with ground, with heights of 0.
fn bounds_of(index: &TileStore) -> Aabb {
    let corners = index.ground_entries().flat_map(|entry| {
        let Aabb { min, max } = OpenStore::square(index.params(), entry.place);
        [min, max]
    });
    Aabb::around(corners)
}

//! The tiles of a navmesh or tile cache as the protocol lists and sends them.

use std::collections::{BTreeMap, BTreeSet};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Serialize;
use serde_json::{Value, json};
use walkable::{
    bake::StreamHash,
    ids::TileCoord,
    navmesh::{NavMesh, Tile},
    tile_cache::{LayerKey, TileCache},
};

use super::TilePlace;

#[derive(Clone, Debug)]
pub struct TileData {
    pub key: LayerKey,
    /// The bytes that Detour's `addTile` takes.
    pub bytes: Vec<u8>,
}

impl TileData {
    fn of(tile: &Tile, mesh: &NavMesh) -> Self {
        Self { key: key_of(tile), bytes: tile.to_bytes_with(mesh.width()) }
    }
}

/// Returns the tiles of a navmesh, in the form that Detour's `addTile` takes.
pub fn tiles_of_mesh(mesh: &NavMesh) -> impl Iterator<Item = TileData> {
    mesh.tiles().map(move |tile| TileData::of(tile, mesh))
}

fn key_of(tile: &Tile) -> LayerKey {
    let [x, z, layer] = [tile.header.x, tile.header.z, tile.header.layer].map(i32::cast_unsigned);
    LayerKey::new(TileCoord::new(x, z), layer)
}

pub fn layers_of_cache(cache: &TileCache) -> impl Iterator<Item = TileData> {
    cache.tiles().map(|tile| TileData { key: tile.key(), bytes: tile.to_bytes() })
}

pub fn find_tiles(mesh: &NavMesh, places: &[TilePlace]) -> Vec<TileData> {
    let wanted = keys(places);
    let found = mesh.tiles().filter(|tile| wanted.contains(&key_of(tile)));
    found.map(|tile| TileData::of(tile, mesh)).collect()
}

pub fn find_layers(cache: &TileCache, places: &[TilePlace]) -> Vec<TileData> {
    let wanted = keys(places);
    let found = cache.tiles().filter(|tile| wanted.contains(&tile.key()));
    found.map(|tile| TileData { key: tile.key(), bytes: tile.to_bytes() }).collect()
}

fn keys(places: &[TilePlace]) -> BTreeSet<LayerKey> {
    let key = |place: &TilePlace| LayerKey { x: place.x, z: place.z, layer: place.layer };
    places.iter().map(key).collect()
}

#[derive(Serialize)]
struct SentTile {
    #[serde(flatten)]
    place: TilePlace,
    hash: String,
    /// The bytes in base64.
    data: String,
}

/// Returns the tiles with their bytes, and those of `places` that are not among them, as JSON.
pub fn tiles_with_bytes(found: Vec<TileData>, places: &[TilePlace]) -> serde_json::Result<Value> {
    let mut missing = keys(places);
    for tile in &found {
        missing.remove(&tile.key);
    }
    let sent = found.into_iter().map(|TileData { key, bytes }| SentTile {
        place: key.into(),
        hash: hash_text(hash(&bytes)),
        data: STANDARD.encode(bytes),
    });
    let missing: Vec<TilePlace> = missing.into_iter().map(TilePlace::from).collect();
    let sent: Vec<SentTile> = sent.collect();
    Ok(json!({ "tiles": serde_json::to_value(sent)?, "missing": serde_json::to_value(missing)? }))
}

impl From<LayerKey> for TilePlace {
    fn from(LayerKey { z, x, layer }: LayerKey) -> Self {
        Self { x, z, layer }
    }
}

/// A tile that exists, or that differs from the one before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedTile {
    #[serde(flatten)]
    pub place: TilePlace,
    bytes: usize,
    /// FNV-1a hash of the bytes.
    hash: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TileChanges {
    pub changed: Vec<ChangedTile>,
    pub removed: Vec<TilePlace>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TileStamps(BTreeMap<LayerKey, (usize, u64)>);

impl TileStamps {
    /// Returns the stamps of `now`, and how they differ from those in `self`. Calls `changed` with each tile that is
    /// new or different.
    pub fn replaced<E>(
        &self,
        now: impl IntoIterator<Item = TileData>,
        mut changed: impl FnMut(&TileData) -> Result<(), E>,
    ) -> Result<(Self, TileChanges), E> {
        let (mut stamps, mut changes) = (BTreeMap::new(), TileChanges::default());
        for tile in now {
            let stamp = (tile.bytes.len(), hash(&tile.bytes));
            stamps.insert(tile.key, stamp);
            if self.0.get(&tile.key) != Some(&stamp) {
                changed(&tile)?;
                changes.changed.push(listed(tile.key, stamp));
            }
        }
        let gone = self.0.keys().filter(|key| !stamps.contains_key(key));
        changes.removed = gone.copied().map(TilePlace::from).collect();
        Ok((Self(stamps), changes))
    }

    pub fn contains(&self, key: &LayerKey) -> bool {
        self.0.contains_key(key)
    }

    pub fn listed(&self) -> impl Iterator<Item = ChangedTile> {
        self.0.iter().map(|(&key, &stamp)| listed(key, stamp))
    }
}

fn listed(key: LayerKey, (bytes, hash): (usize, u64)) -> ChangedTile {
    ChangedTile { place: key.into(), bytes, hash: hash_text(hash) }
}

fn hash_text(hash: u64) -> String {
    format!("{hash:016x}")
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hash = StreamHash::new();
    hash.bytes(bytes);
    hash.finish()
}

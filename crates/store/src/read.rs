use std::{
    io::{Read, Seek},
    ops::RangeInclusive,
    sync::Arc,
};

use walkable_runtime::{
    geom::Aabb,
    navmesh::{NavMesh, NavMeshError, NavMeshParams, Tile, TilePlace, format::RefWidth},
    query::{Filter, RouteOverlay},
    streaming::WorldTile,
};

use crate::{MAGIC, StoreEntry, StoreError, StoredTile, index::IndexHead};

/// The index of a tile store. Memory holds 64 bytes per tile; the tiles stay in the file.
///
/// Invariants: entries are sorted by place, and each record begins where the one before it ends.
#[derive(Clone, Debug)]
pub struct TileStore {
    params: NavMeshParams,
    width: RefWidth,
    entries: Vec<StoreEntry>,
    hash: u128,
}

impl TileStore {
    /// Returns whether `bytes`, the first bytes of a file, are those of a tile store.
    pub fn is_start(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC)
    }

    /// Reads the index.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`], [`StoreError::Foreign`] if the file is not a tile store, [`StoreError::Incomplete`]
    /// if its end is missing, [`StoreError::Damaged`] if the index was changed, or [`StoreError::TooMany`].
    pub fn read(from: &mut (impl Read + Seek)) -> Result<Self, StoreError> {
        let mut entries = Vec::new();
        let head = IndexHead::read(from, |n_tiles, block| {
            entries.reserve_exact(n_tiles - entries.len());
            entries.extend_from_slice(block);
        })?;
        let IndexHead { params, width, hash, .. } = head;
        Ok(Self { params, width, entries, hash })
    }

    /// Returns the parameters of the navmesh.
    pub fn params(&self) -> &NavMeshParams {
        &self.params
    }

    /// Returns the width of the references of the navmesh.
    pub fn width(&self) -> RefWidth {
        self.width
    }

    /// Returns the hash of the index, and thus of everything in the store.
    pub fn hash(&self) -> u128 {
        self.hash
    }

    /// Returns all records by row, column and layer.
    pub fn entries(&self) -> &[StoreEntry] {
        &self.entries
    }

    /// Returns the records of tiles with ground.
    pub fn ground_entries(&self) -> impl Iterator<Item = &StoreEntry> {
        self.entries.iter().filter(|entry| entry.n_tile > 0)
    }

    /// Returns the tiles with ground, for [`Streaming`](walkable_runtime::streaming::Streaming).
    pub fn world_tiles(&self) -> impl Iterator<Item = WorldTile> {
        self.ground_entries().map(|entry| WorldTile::new(entry.place, entry.n_tile as usize))
    }

    /// Returns the record at a place.
    pub fn entry(&self, place: TilePlace) -> Option<&StoreEntry> {
        let at = self.entries.binary_search_by_key(&place, |entry| entry.place).ok()?;
        self.entries.get(at)
    }

    /// Returns the records in a rectangle of columns and rows. Does not visit records outside of it.
    pub fn entries_in(
        &self,
        columns: RangeInclusive<i32>,
        rows: RangeInclusive<i32>,
    ) -> impl Iterator<Item = &StoreEntry> {
        let first = |x: i32, z: i32| {
            self.entries.partition_point(|entry| (entry.place.z, entry.place.x) < (z, x))
        };
        let mut at = first(*columns.start(), *rows.start());
        std::iter::from_fn(move || {
            loop {
                let entry = self.entries.get(at)?;
                let TilePlace { x, z, .. } = entry.place;
                if z > *rows.end() {
                    return None;
                } else if x < *columns.start() {
                    at = first(*columns.start(), z);
                } else if x > *columns.end() {
                    at = first(*columns.start(), z.checked_add(1)?);
                } else {
                    at += 1;
                    return Some(entry);
                }
            }
        })
    }

    /// Returns the records whose squares touch `bounds`, seen from above.
    pub fn entries_in_box(&self, bounds: &Aabb) -> impl Iterator<Item = &StoreEntry> {
        let NavMeshParams { origin, tile_width, tile_height, .. } = self.params;
        let [min, max] = [bounds.min - origin, bounds.max - origin];
        #[expect(clippy::cast_possible_truncation, reason = "stops at the ends of the range")]
        let place = |offset: f32, side: f32| (offset / side).floor() as i32;
        self.entries_in(
            place(min.x, tile_width)..=place(max.x, tile_width),
            place(min.z, tile_height)..=place(max.z, tile_height),
        )
    }

    /// Reads a record and compares it with its checksum. `from` is the file of the index.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`], or [`StoreError::DamagedTile`] if the record was changed.
    #[expect(clippy::unused_self, reason = "`from` must be the file of this index")]
    pub fn record(
        &self,
        entry: &StoreEntry,
        from: &mut (impl Read + Seek),
    ) -> Result<StoredTile, StoreError> {
        entry.record(from)
    }

    /// Reads a tile; `None` if nothing is walkable there. `from` is the file of the index.
    ///
    /// # Errors
    /// Returns the errors of [`TileStore::record`] and [`StoredTile::decode`].
    pub fn tile(
        &self,
        entry: &StoreEntry,
        from: &mut (impl Read + Seek),
    ) -> Result<Option<Tile>, StoreError> {
        self.record(entry, from)?.decode()
    }

    /// Like [`TileStore::tile`], and checks that a navmesh would accept the tile.
    ///
    /// # Errors
    /// Returns the errors of [`TileStore::tile`], or [`StoreError::Mesh`] if the tile is not valid.
    pub fn sound_tile(
        &self,
        entry: &StoreEntry,
        from: &mut (impl Read + Seek),
    ) -> Result<Option<Tile>, StoreError> {
        let tile = self.tile(entry, from)?;
        if let Some(Err(error)) = tile.as_ref().map(Tile::validate) {
            let TilePlace { x, z, layer } = entry.place;
            return Err(NavMeshError::Unsound { x, z, layer, error }.into());
        }
        Ok(tile)
    }

    /// Reads all tiles and links them. `from` is the file of the index.
    ///
    /// # Errors
    /// Returns the errors of [`TileStore::tile`], or [`StoreError::Mesh`] if the tiles cannot be linked.
    pub fn nav_mesh(&self, from: &mut (impl Read + Seek)) -> Result<NavMesh, StoreError> {
        let mut tiles = Vec::new();
        for entry in self.ground_entries() {
            tiles.extend(self.tile(entry, from)?.map(Arc::new));
        }
        Ok(NavMesh::of_tiles(self.params, self.width, tiles)?)
    }

    /// Links some tiles of the store. The others are declared as not loaded ([`NavMesh::set_world`]). References are
    /// the same as in [`TileStore::nav_mesh`].
    ///
    /// # Errors
    /// Returns [`StoreError::Mesh`] if the tiles cannot be linked.
    pub fn nav_mesh_of(&self, tiles: Vec<Arc<Tile>>) -> Result<NavMesh, StoreError> {
        let places = self.world_tiles().map(|tile| tile.place).collect();
        Ok(NavMesh::of_part(self.params, self.width, places, tiles)?)
    }

    /// Computes the overlay for routes with few tiles in memory: those in and around a cell of 4 by 4 tiles. `from` is the
    /// file of the index.
    ///
    /// # Errors
    /// Returns the errors of [`TileStore::tile`], [`StoreError::Mesh`] if the tiles cannot be linked, or
    /// [`StoreError::Overlay`] if the filter is not valid or the tiles have too many links.
    pub fn route_overlay(
        &self,
        filter: &Filter,
        from: &mut (impl Read + Seek),
    ) -> Result<RouteOverlay, StoreError> {
        let mut building = self.begin_overlay(filter, |_| true)?;
        while building.step(self, from)? {}
        Ok(building.finish())
    }

    /// Begins to compute an overlay for the tiles that `has` accepts, cell by cell. The others count as absent.
    ///
    /// # Errors
    /// Returns [`StoreError::Mesh`] if the parameters are not valid, or [`StoreError::Overlay`] if the filter is not valid.
    pub fn begin_overlay(
        &self,
        filter: &Filter,
        has: impl Fn(TilePlace) -> bool,
    ) -> Result<OverlayBuilder, StoreError> {
        let mut mesh = NavMesh::with_width(self.params, self.width)?;
        let places = self.world_tiles().map(|tile| tile.place);
        mesh.set_world(places.filter(|place| has(*place)).collect());
        let overlay = RouteOverlay::new(&mesh, filter)?;
        let n_cells = overlay.n_waiting();
        Ok(OverlayBuilder { mesh, overlay, n_cells })
    }
}

/// An overlay that is being computed: see [`TileStore::begin_overlay`].
#[derive(Debug)]
pub struct OverlayBuilder {
    /// The tiles in and around a cell.
    mesh: NavMesh,
    overlay: RouteOverlay,
    n_cells: usize,
}

impl OverlayBuilder {
    /// Returns the number of cells, and how many of them are computed.
    pub fn progress(&self) -> [usize; 2] {
        [self.n_cells, self.n_cells - self.overlay.n_waiting().min(self.n_cells)]
    }

    /// Reads the tiles of the next cell and computes it; `false` if all are computed. `from` is the file of the index.
    ///
    /// # Errors
    /// Returns the errors of [`TileStore::tile`], [`StoreError::Mesh`] if the tiles cannot be linked, or
    /// [`StoreError::Overlay`] if they have too many links.
    pub fn step(
        &mut self,
        store: &TileStore,
        from: &mut (impl Read + Seek),
    ) -> Result<bool, StoreError> {
        let Self { mesh, overlay, .. } = self;
        let Some(needed) = overlay.needed_tiles() else { return Ok(false) };
        let loaded: Vec<TilePlace> = mesh.tiles().map(TilePlace::of).collect();
        for place in loaded.into_iter().filter(|place| !needed.contains(place)) {
            mesh.remove_at(place);
        }
        for place in needed {
            if !mesh.has_tile(place) {
                let tile = store.entry(place).map(|entry| store.tile(entry, from)).transpose()?;
                let why = "it is missing";
                let tile = tile.flatten().ok_or(StoreError::DamagedTile { place, why })?;
                mesh.add_tile(Arc::new(tile))?;
            }
        }
        let n_waiting = overlay.n_waiting();
        overlay.update(mesh)?;
        if overlay.n_waiting() >= n_waiting {
            return Err(StoreError::Damaged("a tile has the coordinates of another one"));
        }
        Ok(true)
    }

    /// Returns the overlay.
    pub fn finish(mut self) -> RouteOverlay {
        self.overlay.refresh(usize::MAX);
        self.overlay
    }
}

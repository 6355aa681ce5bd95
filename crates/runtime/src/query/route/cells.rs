//! Cells, tiles and links by their places.

use glam::Vec3;

use super::{costs::Cost, matrix::CostMatrix};
use crate::navmesh::{NavMesh, TilePlace, TilePoly};

/// Number of tiles along a side of the cells of each level. Each is a multiple of the one before.
pub(super) const SIDES: [i32; N_LEVELS] = [4, 16, 64];
pub(super) const N_LEVELS: usize = 3;
pub(super) const LARGEST: usize = N_LEVELS - 1;

/// A square of tiles, by its column and row among the cells of its level.
pub(super) type CellPlace = [i32; 2];

/// The number of a cell or a row that does not exist.
pub(super) const NONE: u32 = u32::MAX;

/// A link between two cells of the lowest level. Both cells list the links between them, so that a cell can be computed
/// while only the tiles in it and around it are loaded. A link that only one of them knows cannot be used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    pub(super) from: CellPoly,
    pub(super) to: CellPoly,
    /// Midpoint of its portal.
    pub(super) at: Vec3,
    /// Cost of passing into another area.
    pub(super) entering: Cost,
    /// Cells of the lowest level; [`NONE`] if a cell was removed.
    pub(super) leaves: u32,
    pub(super) enters: u32,
    /// Index in the entries of the cell that it enters; [`NONE`] if only one of the cells lists it.
    pub(super) row: u32,
}

impl Crossing {
    /// Identifies the link. Cells list their links in this order, which does not depend on the order in which tiles were
    /// loaded, as that of polygon links does.
    pub(super) fn key(&self) -> impl Ord + use<> {
        let Self { from, to, at, entering, leaves, enters, row: _ } = *self;
        (leaves, enters, from, to, at.to_array().map(f32::to_bits), entering)
    }
}

/// A polygon in a cell of the lowest level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CellPoly {
    /// Column and row of the tile within the cell, 2 bits each, then the polygon.
    bits: u32,
    pub(super) layer: i32,
}

const POLY_BITS: u32 = 20;
const COLUMN_BITS: u32 = SIDES[0].trailing_zeros();

impl CellPoly {
    pub(super) fn new(place: TilePlace, poly: u32) -> Self {
        let [x, z] = [place.x, place.z].map(|along| along.rem_euclid(SIDES[0]).unsigned_abs());
        let cell = (x << COLUMN_BITS) | z;
        Self { bits: (cell << POLY_BITS) | (poly & ((1 << POLY_BITS) - 1)), layer: place.layer }
    }

    pub(super) fn of(TilePoly { tile, poly }: TilePoly) -> Self {
        Self::new(tile, poly)
    }

    /// Creates a polygon of a cell from its [`CellPoly::bits`] and its layer.
    pub(super) fn from_bits(bits: u32, layer: i32) -> Self {
        Self { bits: bits & ((1 << (POLY_BITS + 2 * COLUMN_BITS)) - 1), layer }
    }

    pub(super) fn bits(self) -> u32 {
        self.bits
    }

    pub(super) fn poly(self) -> u32 {
        self.bits & ((1 << POLY_BITS) - 1)
    }

    /// Returns its tile, by which tiles of a cell are ordered.
    pub(super) fn tile(self) -> TileKey {
        (self.bits >> POLY_BITS, self.layer)
    }

    /// Returns the tile in a cell at `place`.
    pub(super) fn place(self, place: CellPlace) -> TilePlace {
        place_of(self.tile(), place)
    }
}

/// A tile of a cell of the lowest level: column and row within the cell, and layer.
pub(super) type TileKey = (u32, i32);

/// Returns the tile of a cell at `place`.
pub(super) fn place_of((cell, layer): TileKey, place: CellPlace) -> TilePlace {
    let within = [cell >> COLUMN_BITS, cell & ((1 << COLUMN_BITS) - 1)].map(u32::cast_signed);
    let [x, z] =
        [0, 1].map(|axis| place[axis].saturating_mul(SIDES[0]).saturating_add(within[axis]));
    TilePlace { z, x, layer }
}

/// A tile of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KnownTile {
    pub(super) key: TileKey,
    /// Hash of the contents when the tile was last loaded; 0 if it never was.
    pub(super) hash: u64,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Level {
    pub(super) cells: Vec<Cell>,
}

#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) place: CellPlace,
    /// Whether the costs have to be computed again.
    pub(super) is_stale: bool,
    /// Crossings into it.
    pub(super) entries: Vec<u32>,
    /// Crossings out of it.
    pub(super) exits: Vec<u32>,
    pub(super) costs: CostMatrix,
}

impl Cell {
    pub(super) fn new(place: CellPlace) -> Self {
        let (entries, exits) = (Vec::new(), Vec::new());
        Self { place, is_stale: false, entries, exits, costs: CostMatrix::default() }
    }

    /// Returns the number of pairs of an entry and an exit.
    pub(super) fn n_pairs(&self) -> u64 {
        self.entries.len() as u64 * self.exits.len() as u64
    }

    /// Returns the cost from each entry to each exit.
    pub(super) fn all_costs(&self) -> Vec<Cost> {
        self.costs.all(self.entries.len(), self.exits.len())
    }
}

/// Returns the index of the cell at a place.
pub(super) fn find(cells: &[Cell], place: CellPlace) -> Option<usize> {
    cells.binary_search_by_key(&place, |cell| cell.place).ok()
}

/// Returns the cell with `side` tiles along a side that contains a tile.
pub(super) fn cell_place(tile: CellPlace, side: i32) -> CellPlace {
    tile.map(|along| along.div_euclid(side))
}

/// Returns the internal numbers of the tiles in a cell of the lowest level, by column, row and layer.
pub(super) fn tiles_in(mesh: &NavMesh, place: CellPlace) -> Vec<u32> {
    let [xs, zs] = place.map(|along| {
        let start = along.saturating_mul(SIDES[0]);
        start..start.saturating_add(SIDES[0])
    });
    let mut tiles = Vec::new();
    for (x, z) in xs.flat_map(|x| zs.clone().map(move |z| (x, z))) {
        let first = tiles.len();
        tiles.extend(mesh.ids_at(x, z));
        tiles[first..].sort_unstable_by_key(|&id| mesh.live(id).tile.header.layer);
    }
    tiles
}

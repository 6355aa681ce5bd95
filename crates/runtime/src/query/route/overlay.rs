//! The cells of an overlay.

use std::sync::{Arc, OnceLock};

use glam::Vec3;

use super::{
    costs::{Cost, Prices},
    groups::{Groups, Reach},
    local::{Local, index},
};
use crate::{
    navmesh::{NavMesh, Revision, Tile, TilePlace, TilePoly, World},
    query::{Filter, QueryError},
};

/// Number of tiles along a side of the cells of each level. Each is a multiple of the one before.
pub(super) const SIDES: [i32; N_LEVELS] = [4, 16, 64];
pub(super) const N_LEVELS: usize = 3;
pub(super) const LARGEST: usize = N_LEVELS - 1;

/// A square of tiles, by its column and row among the cells of its level.
pub(super) type Place = [i32; 2];

/// Costs between the borders of squares of tiles, in several sizes: with it, [`find_route`](super::find_route) finds
/// the cheapest way across a world in a fraction of the time of a search over its polygons.
///
/// # Costs
///
/// Costs are the shortest distances in this graph:
///
/// - Its vertices are the links between polygons, placed at the midpoints of their portals; also start and end. The two
///   directions of a link are different vertices.
/// - A polygon connects the links into it, and any point in it, to the links out of it and to any point in it. The cost
///   is the length times the cost per meter of the polygon; the entering cost is added when a link leads into another
///   area. Each cost is rounded up to a 1024th, and is at least that.
///
/// So the costs are whole numbers of 1024ths, and exact: any other search of this graph finds the same cost.
/// [`find_corridor`](crate::query::find_corridor) keeps one entry per polygon, so that its corridors cost as much or more.
///
/// Paths start anywhere; as in other searches, an agent may leave a polygon that the filter excludes, but not enter it.
/// Of the filter's rules, an overlay uses the entering costs, the sides and the refused off-mesh links.
///
/// # Memory and time
///
/// Cells have sides of 4, 16 and 64 tiles. For each cell, the cost from each link into it to each link out of it is
/// stored. With p links over a tile border, that is about 64 p² bytes per tile and level, see
/// [`RouteOverlay::n_bytes`]. The overlay keeps the tiles of the navmesh that it was computed from until it is updated.
///
/// # Tiles that are not loaded
///
/// In a navmesh that knows the tiles of its world ([`NavMesh::set_world`],
/// [`Streaming`](crate::streaming::Streaming)), the costs of a cell stay when its tiles are dropped, and routes lead
/// through it. When a tile is loaded again, it is compared with a hash of what it was; only changed tiles have their
/// costs computed again. That needs all tiles in a cell and next to it: until they are loaded, the cell waits
/// ([`RouteOverlay::needed_tiles`]) and keeps its old costs. A route begins and ends in cells whose tiles are all
/// loaded ([`RouteOverlay::tiles_at`]).
///
/// [`RouteOverlay::to_bytes`] saves an overlay.
#[derive(Clone, Debug)]
pub struct RouteOverlay {
    pub(super) filter: Filter,
    pub(super) prices: Prices,
    pub(super) state: Revision,
    /// The tiles of the navmesh at the last update, by slot.
    pub(super) tiles: Vec<Option<Arc<Tile>>>,
    /// The tiles of the world at the last update, if it was known.
    pub(super) world: Option<World>,
    /// What was read from the tiles of each cell of the lowest level, in the order of the cells.
    pub(super) leaves: Vec<Leaf>,
    /// By cell of the lowest level, the cells that contain it, by level.
    pub(super) ancestors: Vec<[u32; N_LEVELS]>,
    pub(super) crossings: Vec<Crossing>,
    pub(super) levels: [Level; N_LEVELS],
    /// Which groups of polygons can be reached from which; computed when it is asked for.
    pub(super) reach: OnceLock<Reach>,
}

/// The number of a cell or a row that does not exist.
pub(super) const NONE: u32 = u32::MAX;

/// A link between two cells of the lowest level. Both cells list the links between them, so that a cell can be computed
/// while only the tiles in it and around it are loaded. A link that only one of them knows cannot be used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    pub(super) from: Spot,
    pub(super) to: Spot,
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
pub(super) struct Spot {
    /// Column and row of the tile within the cell, 2 bits each, then the polygon.
    bits: u32,
    pub(super) layer: i32,
}

const POLY_BITS: u32 = 20;
const COLUMN_BITS: u32 = SIDES[0].trailing_zeros();

impl Spot {
    pub(super) fn new(place: TilePlace, poly: u32) -> Self {
        let [x, z] = [place.x, place.z].map(|along| along.rem_euclid(SIDES[0]).unsigned_abs());
        let cell = (x << COLUMN_BITS) | z;
        Self { bits: (cell << POLY_BITS) | (poly & ((1 << POLY_BITS) - 1)), layer: place.layer }
    }

    pub(super) fn of(TilePoly { tile, poly }: TilePoly) -> Self {
        Self::new(tile, poly)
    }

    /// From [`Spot::bits`] and the layer.
    pub(super) fn from_bits(bits: u32, layer: i32) -> Self {
        Self { bits: bits & ((1 << (POLY_BITS + 2 * COLUMN_BITS)) - 1), layer }
    }

    pub(super) fn bits(self) -> u32 {
        self.bits
    }

    pub(super) fn poly(self) -> u32 {
        self.bits & ((1 << POLY_BITS) - 1)
    }

    /// Orders the tiles of a cell.
    pub(super) fn tile(self) -> TileKey {
        (self.bits >> POLY_BITS, self.layer)
    }

    /// The tile in a cell at `place`.
    pub(super) fn place(self, place: Place) -> TilePlace {
        place_of(self.tile(), place)
    }
}

/// A tile of a cell of the lowest level: column and row within the cell, and layer.
pub(super) type TileKey = (u32, i32);

/// The tile of a cell at `place`.
pub(super) fn place_of((cell, layer): TileKey, place: Place) -> TilePlace {
    let within = [cell >> COLUMN_BITS, cell & ((1 << COLUMN_BITS) - 1)].map(u32::cast_signed);
    let [x, z] =
        [0, 1].map(|axis| place[axis].saturating_mul(SIDES[0]).saturating_add(within[axis]));
    TilePlace { z, x, layer }
}

/// What was read from the tiles of a cell of the lowest level.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaf {
    /// Its tiles by [`Spot::tile`].
    pub(super) tiles: Vec<KnownTile>,
    /// Whether tiles in it or around it changed, and its costs are not computed yet because not all of them are loaded.
    pub(super) is_waiting: bool,
    pub(super) groups: Groups,
}

/// A tile of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KnownTile {
    pub(super) key: TileKey,
    /// Hash of its contents when it was last loaded; 0 if it never was.
    pub(super) hash: u64,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Level {
    pub(super) cells: Vec<Cell>,
}

#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) place: Place,
    /// Whether its costs have to be computed again.
    pub(super) is_stale: bool,
    /// Crossings into it.
    pub(super) entries: Vec<u32>,
    /// Crossings out of it.
    pub(super) exits: Vec<u32>,
    /// For each entry, the costs to the exits.
    pub(super) costs: Vec<Cost>,
}

impl Cell {
    pub(super) fn new(place: Place) -> Self {
        let (entries, exits, costs) = (Vec::new(), Vec::new(), Vec::new());
        Self { place, is_stale: false, entries, exits, costs }
    }

    /// The costs from an entry to all exits.
    pub(super) fn row(&self, row: usize) -> &[Cost] {
        let n = self.exits.len();
        &self.costs[row * n..][..n]
    }
}

impl RouteOverlay {
    /// An overlay without cells.
    pub(super) fn empty(filter: &Filter) -> Result<Self, QueryError> {
        Ok(Self {
            prices: Prices::new(filter)?,
            filter: filter.clone(),
            state: Revision::default(),
            tiles: Vec::new(),
            world: None,
            leaves: Vec::new(),
            ancestors: Vec::new(),
            crossings: Vec::new(),
            levels: Default::default(),
            reach: OnceLock::new(),
        })
    }

    /// Memory of the costs and the crossings, in bytes.
    pub fn n_bytes(&self) -> usize {
        let of_cell = |cell: &Cell| {
            size_of::<Cell>()
                + size_of_val(&*cell.costs)
                + size_of_val(&*cell.entries)
                + size_of_val(&*cell.exits)
        };
        let of_leaf =
            |leaf: &Leaf| size_of::<Leaf>() + size_of_val(&*leaf.tiles) + leaf.groups.n_bytes();
        let cells = self.levels.iter().flat_map(|level| &level.cells).map(of_cell);
        cells.sum::<usize>()
            + self.leaves.iter().map(of_leaf).sum::<usize>()
            + size_of_val(&*self.crossings)
            + size_of_val(&*self.ancestors)
            + size_of_val(&*self.tiles)
    }

    /// The tiles that must be loaded for routes to begin or end in a tile: those of its cell of 4 by 4 tiles.
    pub fn tiles_at(&self, tile: TilePlace) -> Vec<TilePlace> {
        self.leaf_at(tile).map_or_else(Vec::new, |leaf| self.tiles_of(leaf as usize).collect())
    }

    /// Index of the cell of the lowest level that contains a tile.
    pub(super) fn leaf_at(&self, tile: TilePlace) -> Option<u32> {
        find(&self.levels[0].cells, cell_place([tile.x, tile.z], SIDES[0])).map(index)
    }

    /// The cell of the lowest level that contains a tile. All its tiles must be loaded and its costs up to date.
    pub(super) fn loaded_leaf(&self, mesh: &NavMesh, tile: TilePlace) -> Result<u32, QueryError> {
        let leaf = self.leaf_at(tile).ok_or(QueryError::StaleRoute)?;
        let is_missing = |tile: &TilePlace| !mesh.has_tile(*tile);
        let mut missing = self.tiles_of(leaf as usize).find(is_missing);
        if missing.is_none() && self.leaves[leaf as usize].is_waiting {
            let place = self.levels[0].cells[leaf as usize].place;
            missing = self.tiles_around(place).find(is_missing);
        }
        missing.map_or(Ok(leaf), |tile| Err(QueryError::TileNotLoaded { tile }))
    }

    /// The tiles in a cell of the lowest level and next to it.
    pub(super) fn tiles_around(&self, place: Place) -> impl Iterator<Item = TilePlace> {
        let [x, z] = place.map(|along| along.saturating_mul(SIDES[0]));
        let is_near = move |tile: &TilePlace| {
            let reach = |start: i32| start.saturating_sub(1)..=start.saturating_add(SIDES[0]);
            reach(x).contains(&tile.x) && reach(z).contains(&tile.z)
        };
        self.cells_around(place).flat_map(|leaf| self.tiles_of(leaf)).filter(is_near)
    }

    /// The tiles of a cell of the lowest level.
    pub(super) fn tiles_of(&self, leaf: usize) -> impl Iterator<Item = TilePlace> {
        let place = self.levels[0].cells[leaf].place;
        self.leaves[leaf].tiles.iter().map(move |tile| place_of(tile.key, place))
    }

    /// The cells of the lowest level at a place and around it, in order.
    pub(super) fn cells_around(&self, [x, z]: Place) -> impl Iterator<Item = usize> {
        let by = |along: i32, by: i32| along.saturating_add(by);
        self.cells_between([by(x, -1), by(z, -1)], [by(x, 1), by(z, 1)])
    }

    /// The cells of the lowest level in a rectangle, both ends included, in order.
    pub(super) fn cells_between(&self, min: Place, max: Place) -> impl Iterator<Item = usize> {
        let cells = &self.levels[0].cells;
        (min[0]..=max[0]).flat_map(move |x| {
            let first = cells.partition_point(|cell| cell.place < [x, min[1]]);
            let rest = cells[first..].iter().take_while(move |cell| cell.place <= [x, max[1]]);
            (first..).zip(rest).map(|(at, _)| at)
        })
    }

    /// The cells that contain a cell of the lowest level, by level.
    pub(super) fn ancestors(&self, leaf: u32) -> [u32; N_LEVELS] {
        self.ancestors[leaf as usize]
    }

    /// The graph of a cell of the lowest level, whose tiles must be loaded.
    pub(super) fn local(&self, mesh: &NavMesh, leaf: u32) -> Local {
        let cell = &self.levels[0].cells[leaf as usize];
        let exits = cell.exits.iter().map(|&exit| &self.crossings[exit as usize]);
        Local::new(mesh, &self.filter, &self.prices, &tiles_in(mesh, cell.place), exits)
    }
}

/// Index of the cell at a place.
pub(super) fn find(cells: &[Cell], place: Place) -> Option<usize> {
    cells.binary_search_by_key(&place, |cell| cell.place).ok()
}

/// The cell with `side` tiles along a side that contains a tile.
pub(super) fn cell_place(tile: Place, side: i32) -> Place {
    tile.map(|along| along.div_euclid(side))
}

/// Internal numbers of the tiles in a cell of the lowest level, by column, row and layer.
pub(super) fn tiles_in(mesh: &NavMesh, place: Place) -> Vec<u32> {
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

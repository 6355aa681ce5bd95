//! The overlay: its cells on all levels, and reachability.

use std::sync::{Arc, OnceLock};

use super::{
    cells::{
        Cell, CellPlace, Crossing, KnownTile, Level, N_LEVELS, SIDES, cell_place, find, place_of,
        tiles_in,
    },
    clusters::{ClusterReach, Clusters},
    costs::FilterCosts,
    index,
    local::Local,
};
use crate::{
    navmesh::{NavMesh, Revision, Tile, TilePlace, World},
    query::{Filter, QueryError},
};

/// Costs between the borders of squares of tiles, in several sizes: with it, [`find_route`](super::find_route) finds
/// the cheapest path across a world in a fraction of the time of a search over its polygons.
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
/// [`find_corridor`](crate::query::find_corridor) keeps one entry per polygon, so that its corridors cost as much or
/// more.
///
/// Paths start anywhere; as in other searches, an agent may leave a polygon that the filter excludes, but not enter it.
/// Of the filter's rules, an overlay uses the entering costs, the sides and the refused off-mesh links.
///
/// # Memory and time
///
/// Cells have sides of 4, 16 and 64 tiles. For each cell, the cost from each link into it to each link out of it is
/// stored, if a path connects them. With p connected links over a tile border, that is at most about 64 p² bytes per
/// tile and level, see [`RouteOverlay::n_bytes`]. The overlay keeps the tiles of the navmesh that it was computed from
/// until it is updated.
///
/// # Tiles that are not loaded
///
/// In a navmesh that knows the tiles of its world ([`NavMesh::set_world`], [`Streaming`](crate::streaming::Streaming)),
/// the costs of a cell stay when its tiles are dropped, and routes lead through it. When a tile is loaded again, it is
/// compared with a hash of what it was; only changed tiles have their costs computed again. That needs all tiles in a
/// cell and next to it: until they are loaded, the cell waits ([`RouteOverlay::needed_tiles`]) and keeps its old costs.
/// A route begins and ends in cells whose tiles are all loaded ([`RouteOverlay::tiles_at`]).
///
/// # Limits
///
/// A level stores at most 67,108,864 costs, or 512 per link between cells if that is more: with more, the lowest level
/// is an error ([`QueryError::TooManyLinks`]), and on the other levels cells are left out.
///
/// [`RouteOverlay::to_bytes`] saves an overlay.
#[derive(Clone, Debug)]
pub struct RouteOverlay {
    pub(super) filter: Filter,
    pub(super) filter_costs: FilterCosts,
    pub(super) state: Revision,
    /// The tiles of the navmesh at the last update, by slot.
    pub(super) tiles: Vec<Option<Arc<Tile>>>,
    /// The tiles of the world at the last update, if it was known.
    pub(super) world: Option<World>,
    /// The tiles and clusters of each cell of the lowest level, in the order of the cells.
    pub(super) leaves: Vec<Leaf>,
    /// For each cell of the lowest level, the cells that contain it, by level.
    pub(super) ancestors: Vec<[u32; N_LEVELS]>,
    pub(super) crossings: Vec<Crossing>,
    pub(super) levels: [Level; N_LEVELS],
    /// Reachability between clusters of polygons; computed on first use.
    pub(super) reach: OnceLock<ClusterReach>,
}

/// The data that were computed from the tiles of a cell of the lowest level.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaf {
    /// Tiles of the cell, by [`CellPoly::tile`](super::cells::CellPoly::tile).
    pub(super) tiles: Vec<KnownTile>,
    /// Whether tiles in the cell or around it have changed, and the costs are not computed yet because not all of these
    /// tiles are loaded.
    pub(super) is_waiting: bool,
    /// Whether tiles of the cell have changed since the costs were computed; otherwise only links can have changed.
    pub(super) has_changed_inside: bool,
    pub(super) clusters: Clusters,
}

impl RouteOverlay {
    /// Creates an overlay without cells.
    pub(super) fn empty(filter: &Filter) -> Result<Self, QueryError> {
        Ok(Self::of_filter(filter.clone(), FilterCosts::new(filter)?))
    }

    pub(super) fn of_filter(filter: Filter, filter_costs: FilterCosts) -> Self {
        Self {
            filter_costs,
            filter,
            state: Revision::default(),
            tiles: Vec::new(),
            world: None,
            leaves: Vec::new(),
            ancestors: Vec::new(),
            crossings: Vec::new(),
            levels: Default::default(),
            reach: OnceLock::new(),
        }
    }

    /// Returns the memory of the costs and the crossings, in bytes.
    pub fn n_bytes(&self) -> usize {
        let of_cell = |cell: &Cell| {
            size_of::<Cell>()
                + cell.costs.n_bytes()
                + size_of_val(&*cell.entries)
                + size_of_val(&*cell.exits)
        };
        let of_leaf =
            |leaf: &Leaf| size_of::<Leaf>() + size_of_val(&*leaf.tiles) + leaf.clusters.n_bytes();
        let cells = self.levels.iter().flat_map(|level| &level.cells).map(of_cell);
        cells.sum::<usize>()
            + self.leaves.iter().map(of_leaf).sum::<usize>()
            + size_of_val(&*self.crossings)
            + size_of_val(&*self.ancestors)
            + size_of_val(&*self.tiles)
    }

    /// Returns the tiles that must be loaded for routes to begin or end in a tile: those of its cell of 4 by 4 tiles.
    pub fn tiles_at(&self, tile: TilePlace) -> Vec<TilePlace> {
        self.leaf_at(tile).map_or_else(Vec::new, |leaf| self.tiles_of(leaf as usize).collect())
    }

    /// Returns the index of the cell of the lowest level that contains a tile.
    pub(super) fn leaf_at(&self, tile: TilePlace) -> Option<u32> {
        find(&self.levels[0].cells, cell_place([tile.x, tile.z], SIDES[0])).map(index)
    }

    /// Returns the cell of the lowest level that contains a tile. All its tiles must be loaded and its costs up to
    /// date.
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

    /// Returns the tiles in a cell of the lowest level and next to it.
    pub(super) fn tiles_around(&self, place: CellPlace) -> impl Iterator<Item = TilePlace> {
        let [x, z] = place.map(|along| along.saturating_mul(SIDES[0]));
        let is_near = move |tile: &TilePlace| {
            let reach = |start: i32| start.saturating_sub(1)..=start.saturating_add(SIDES[0]);
            reach(x).contains(&tile.x) && reach(z).contains(&tile.z)
        };
        self.cells_around(place).flat_map(|leaf| self.tiles_of(leaf)).filter(is_near)
    }

    /// Returns the tiles of a cell of the lowest level.
    pub(super) fn tiles_of(&self, leaf: usize) -> impl Iterator<Item = TilePlace> {
        let place = self.levels[0].cells[leaf].place;
        self.leaves[leaf].tiles.iter().map(move |tile| place_of(tile.key, place))
    }

    /// Returns the cells of the lowest level at a place and around it, in order.
    pub(super) fn cells_around(&self, [x, z]: CellPlace) -> impl Iterator<Item = usize> {
        let by = |along: i32, by: i32| along.saturating_add(by);
        self.cells_between([by(x, -1), by(z, -1)], [by(x, 1), by(z, 1)])
    }

    /// Returns the cells of the lowest level in a rectangle, both ends included, in order.
    pub(super) fn cells_between(
        &self,
        min: CellPlace,
        max: CellPlace,
    ) -> impl Iterator<Item = usize> {
        let cells = &self.levels[0].cells;
        (min[0]..=max[0]).flat_map(move |x| {
            let first = cells.partition_point(|cell| cell.place < [x, min[1]]);
            let rest = cells[first..].iter().take_while(move |cell| cell.place <= [x, max[1]]);
            (first..).zip(rest).map(|(at, _)| at)
        })
    }

    /// Returns the cells that contain a cell of the lowest level, by level.
    pub(super) fn ancestors(&self, leaf: u32) -> [u32; N_LEVELS] {
        self.ancestors[leaf as usize]
    }

    pub(super) fn is_stale(&self, level: usize, cell: u32) -> bool {
        self.levels[level].cells[cell as usize].is_stale
    }

    /// Returns level and index of the largest cell below `level` that contains a cell of the lowest level and is up to
    /// date.
    pub(super) fn part_below(&self, level: usize, leaf: usize) -> (usize, u32) {
        let ancestors = self.ancestors[leaf];
        let is_usable = |&below: &usize| !self.is_stale(below, ancestors[below]);
        let below = (1..level).rev().find(is_usable).unwrap_or(0);
        (below, ancestors[below])
    }

    /// Returns the column and row of the first and the last tile of a cell.
    pub(super) fn tiles_in_cell(&self, level: usize, cell: usize) -> [CellPlace; 2] {
        let min = self.levels[level].cells[cell].place;
        let min = min.map(|along| along.saturating_mul(SIDES[level]));
        [min, min.map(|along| along.saturating_add(SIDES[level] - 1))]
    }

    /// Returns the graph of a cell of the lowest level, whose tiles must be loaded.
    pub(super) fn local(&self, mesh: &NavMesh, leaf: u32) -> Local {
        let cell = &self.levels[0].cells[leaf as usize];
        let exits = cell.exits.iter().map(|&exit| &self.crossings[exit as usize]);
        Local::new(mesh, &self.filter, &self.filter_costs, &tiles_in(mesh, cell.place), exits)
    }
}

//! The cells of an overlay.

use std::sync::Arc;

use glam::Vec3;

use super::{
    costs::{Cost, Prices},
    local::Local,
};
use crate::{
    navmesh::{NavMesh, PolyRef, Revision, Tile},
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
#[derive(Clone, Debug)]
pub struct RouteOverlay {
    pub(super) filter: Filter,
    pub(super) prices: Prices,
    pub(super) state: Revision,
    /// The tiles by slot, to see what an update has to compute again.
    pub(super) tiles: Vec<Option<Arc<Tile>>>,
    /// By internal number of a tile, its cell of the lowest level.
    pub(super) leaves: Vec<u32>,
    /// By cell of the lowest level, the cells that contain it, by level.
    pub(super) ancestors: Vec<[u32; N_LEVELS]>,
    pub(super) crossings: Vec<Crossing>,
    pub(super) levels: [Level; N_LEVELS],
}

/// A link between two cells of the lowest level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    pub(super) from: PolyRef,
    pub(super) to: PolyRef,
    /// Midpoint of its portal.
    pub(super) at: Vec3,
    /// Cells of the lowest level.
    pub(super) leaves: u32,
    pub(super) enters: u32,
    /// Index in the entries of the cell that it enters.
    pub(super) row: u32,
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
    /// Internal numbers of its tiles, only on the lowest level.
    pub(super) tiles: Vec<u32>,
    /// Crossings into it.
    pub(super) entries: Vec<u32>,
    /// Crossings out of it.
    pub(super) exits: Vec<u32>,
    /// For each entry, the costs to the exits.
    pub(super) costs: Vec<Cost>,
}

impl Cell {
    pub(super) fn new(place: Place) -> Self {
        let (tiles, entries, exits) = (Vec::new(), Vec::new(), Vec::new());
        Self { place, is_stale: false, tiles, entries, exits, costs: Vec::new() }
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
            leaves: Vec::new(),
            ancestors: Vec::new(),
            crossings: Vec::new(),
            levels: Default::default(),
        })
    }

    /// Memory of the costs and the crossings, in bytes.
    pub fn n_bytes(&self) -> usize {
        let cells = self.levels.iter().flat_map(|level| &level.cells);
        let of_cell = |cell: &Cell| {
            size_of::<Cell>()
                + size_of_val(&*cell.costs)
                + size_of_val(&*cell.entries)
                + size_of_val(&*cell.exits)
                + size_of_val(&*cell.tiles)
        };
        cells.map(of_cell).sum::<usize>()
            + size_of_val(&*self.crossings)
            + size_of_val(&*self.ancestors)
            + size_of_val(&*self.leaves)
    }

    /// The cell of the lowest level that contains a polygon.
    pub(super) fn leaf_of(&self, mesh: &NavMesh, poly: u32) -> u32 {
        self.leaves[mesh.graph().poly(poly).tile as usize]
    }

    /// The cells that contain a cell of the lowest level, by level.
    pub(super) fn ancestors(&self, leaf: u32) -> [u32; N_LEVELS] {
        self.ancestors[leaf as usize]
    }

    /// The graph of a cell of the lowest level.
    pub(super) fn local(&self, mesh: &NavMesh, leaf: u32) -> Local {
        let tiles = &self.levels[0].cells[leaf as usize].tiles;
        Local::new(mesh, &self.filter, &self.prices, tiles)
    }
}

//! The cells of an overlay, and the cheapest ways through them.

use std::sync::Arc;

use glam::Vec3;

use super::{
    costs::{Cost, Prices, UNREACHED},
    local::{Exit, Labels, Local, index},
    search::{Memory, Region, Search},
};
use crate::{
    navmesh::{NavMesh, PolyRef, Revision, Tile},
    query::{Filter, QueryError},
    side_by_side,
};

/// Number of tiles along a side of the cells of each level. Each is a multiple of the one before.
pub(super) const SIDES: [i32; N_LEVELS] = [4, 16, 64];
pub(super) const N_LEVELS: usize = 3;
const LARGEST: usize = N_LEVELS - 1;

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
/// [`find_corridor`](super::find_corridor) keeps one entry per polygon, so that its corridors cost as much or more.
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
    tiles: Vec<Option<Arc<Tile>>>,
    /// By internal number of a tile, its cell of the lowest level.
    leaves: Vec<u32>,
    /// By cell of the lowest level, the cells that contain it, by level.
    ancestors: Vec<[u32; N_LEVELS]>,
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
    place: Place,
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
    fn new(place: Place) -> Self {
        let (tiles, entries, exits) = (Vec::new(), Vec::new(), Vec::new());
        Self { place, is_stale: false, tiles, entries, exits, costs: Vec::new() }
    }

    /// The costs from an entry to all exits.
    pub(super) fn row(&self, row: usize) -> &[Cost] {
        let n = self.exits.len();
        &self.costs[row * n..][..n]
    }
}

/// What [`RouteOverlay::update`] computed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RouteUpdate {
    /// Number of tiles that were added, removed or changed.
    pub n_tiles: usize,
    /// Number of cells whose costs were computed again.
    pub n_cells: usize,
}

impl RouteOverlay {
    /// Computes the overlay of a navmesh for one filter.
    ///
    /// # Errors
    /// Returns a [`QueryError`] if a cost of the filter is negative or not finite.
    pub fn new(mesh: &NavMesh, filter: &Filter) -> Result<Self, QueryError> {
        let mut overlay = Self {
            prices: Prices::new(filter)?,
            filter: filter.clone(),
            state: Revision::default(),
            tiles: Vec::new(),
            leaves: Vec::new(),
            ancestors: Vec::new(),
            crossings: Vec::new(),
            levels: Default::default(),
        };
        overlay.update(mesh);
        overlay.refresh(usize::MAX);
        Ok(overlay)
    }

    /// Updates the overlay after tiles, flags or areas of the navmesh have changed. Only cells with changed tiles or
    /// next to one are computed again, and of the largest cells none: until [`RouteOverlay::refresh`] computes them,
    /// routes are found with the cells in them, as exact and a little slower.
    pub fn update(&mut self, mesh: &NavMesh) -> RouteUpdate {
        let changed = self.take_tiles(mesh);
        if changed.is_empty() && self.state.is(mesh.state()) {
            return RouteUpdate { n_tiles: 0, n_cells: 0 };
        }
        let mut due: Vec<Place> = changed
            .iter()
            .flat_map(|[x, z]| (-1..=1).map(move |dx| [x.saturating_add(dx), *z]))
            .flat_map(|[x, z]| (-1..=1).map(move |dz| place([x, z.saturating_add(dz)], SIDES[0])))
            .collect();
        due.sort_unstable();
        due.dedup();
        let old = std::mem::take(&mut self.levels);
        self.find_leaves(mesh);
        self.find_crossings(mesh, &old[0], &due);
        let mut n_cells = 0;
        for (level, old) in old.into_iter().enumerate() {
            if level > 0 {
                self.find_cells(level);
            }
            self.find_entries(level);
            due.iter_mut().for_each(|at| *at = enclosing(*at, level));
            due.sort_unstable();
            due.dedup();
            n_cells += self.customize(mesh, level, old, &due);
        }
        self.state = mesh.state().clone();
        RouteUpdate { n_tiles: changed.len(), n_cells }
    }

    /// Computes the costs of at most `max_cells` of the largest cells that are not up to date. Returns how many are left.
    pub fn refresh(&mut self, max_cells: usize) -> usize {
        let cells = &self.levels[LARGEST].cells;
        let mut stale: Vec<usize> = (0..cells.len()).filter(|&at| cells[at].is_stale).collect();
        let n_left = stale.len().saturating_sub(max_cells);
        stale.truncate(max_cells);
        let n_steps = stale.len() * side_by_side::MANY;
        let costs =
            side_by_side::each(&stale, n_steps, |&at| self.costs_in_cell(LARGEST, index(at)));
        for (at, costs) in stale.into_iter().zip(costs) {
            let cell = &mut self.levels[LARGEST].cells[at];
            (cell.costs, cell.is_stale) = (costs, false);
        }
        n_left
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

    /// Remembers the tiles; returns the places of those that differ from the remembered ones.
    fn take_tiles(&mut self, mesh: &NavMesh) -> Vec<Place> {
        let mut changed = Vec::new();
        let mut is_there = vec![false; self.tiles.len()];
        let coord = |tile: &Tile| [tile.header.x, tile.header.z];
        for (slot, tile) in mesh.slots() {
            if self.tiles.len() <= slot {
                self.tiles.resize(slot + 1, None);
                is_there.resize(slot + 1, false);
            }
            is_there[slot] = true;
            let known = &mut self.tiles[slot];
            if known.as_ref().is_some_and(|known| Arc::ptr_eq(known, tile)) {
                continue;
            }
            changed.extend(known.as_deref().map(coord));
            changed.push(coord(tile));
            *known = Some(Arc::clone(tile));
        }
        for (known, _) in self.tiles.iter_mut().zip(is_there).filter(|(_, is_there)| !is_there) {
            changed.extend(known.take().as_deref().map(coord));
        }
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    /// Groups the tiles into cells.
    fn find_leaves(&mut self, mesh: &NavMesh) {
        let mut tiles: Vec<_> = mesh
            .ids()
            .map(|id| {
                let header = &mesh.live(id).tile.header;
                (place([header.x, header.z], SIDES[0]), header.x, header.z, header.layer, id)
            })
            .collect();
        tiles.sort_unstable();
        let cells = &mut self.levels[0].cells;
        self.leaves.clear();
        for (place, .., id) in tiles {
            if cells.last().is_none_or(|cell| cell.place != place) {
                cells.push(Cell::new(place));
            }
            let leaf = cells.len() - 1;
            cells[leaf].tiles.push(id);
            if self.leaves.len() <= id as usize {
                self.leaves.resize(id as usize + 1, u32::MAX);
            }
            self.leaves[id as usize] = index(leaf);
        }
        self.ancestors = (0..index(cells.len())).map(|leaf| [leaf; N_LEVELS]).collect();
    }

    /// Lists the crossings by cell, anew where the cell is due.
    fn find_crossings(&mut self, mesh: &NavMesh, old: &Level, due: &[Place]) {
        let old_crossings = std::mem::take(&mut self.crossings);
        let cells = &self.levels[0].cells;
        let is_known: Vec<Option<usize>> = cells
            .iter()
            .map(|cell| {
                let is_due = due.binary_search(&cell.place).is_ok();
                if is_due { None } else { find(&old.cells, cell.place) }
            })
            .collect();
        let fresh = (0..cells.len()).filter(|&leaf| is_known[leaf].is_none()).collect::<Vec<_>>();
        let n_steps = fresh.len() * side_by_side::MANY;
        let exits = side_by_side::each(&fresh, n_steps, |&leaf| {
            self.local(mesh, index(leaf)).exits().collect::<Vec<_>>()
        });
        let mut exits = exits.into_iter();
        let mut crossings = Vec::with_capacity(old_crossings.len());
        for (leaf, known) in is_known.iter().enumerate() {
            let start = index(crossings.len());
            let leaves = index(leaf);
            if let Some(known) = known {
                let kept = old.cells[*known].exits.iter().map(|&at| old_crossings[at as usize]);
                crossings.extend(kept.filter_map(|crossing| {
                    let enters = self.leaf_of(mesh, mesh.number(crossing.to)?);
                    Some(Crossing { leaves, enters, ..crossing })
                }));
            } else {
                let exits = exits.next().unwrap_or_default();
                crossings.extend(exits.into_iter().map(|Exit { from, to, at }| {
                    let enters = self.leaf_of(mesh, to);
                    let [from, to] = [from, to].map(|number| mesh.ref_of(number));
                    Crossing { from, to, at, leaves, enters, row: 0 }
                }));
            }
            self.levels[0].cells[leaf].exits = (start..index(crossings.len())).collect();
        }
        self.crossings = crossings;
    }

    /// Groups the cells of the lowest level into those of a level.
    fn find_cells(&mut self, level: usize) {
        let [leaves, .., here] = &mut self.levels[..=level] else { return };
        let place = |leaf: &Cell| leaf.place.map(|along| along.div_euclid(SIDES[level] / SIDES[0]));
        let mut places: Vec<Place> = leaves.cells.iter().map(place).collect();
        places.sort_unstable();
        places.dedup();
        here.cells = places.into_iter().map(Cell::new).collect();
        for (leaf, ancestors) in leaves.cells.iter().zip(&mut self.ancestors) {
            ancestors[level] = find(&here.cells, place(leaf)).map_or(u32::MAX, index);
        }
    }

    /// Lists the entries of the cells of a level, and above the lowest level the exits.
    fn find_entries(&mut self, level: usize) {
        for (at, crossing) in (0..).zip(&mut self.crossings) {
            let [from, to] =
                [crossing.leaves, crossing.enters].map(|leaf| self.ancestors[leaf as usize][level]);
            if from == to {
                continue;
            }
            let cells = &mut self.levels[level].cells;
            if level > 0 {
                cells[from as usize].exits.push(at);
            }
            let entries = &mut cells[to as usize].entries;
            if level == 0 {
                crossing.row = index(entries.len());
            }
            entries.push(at);
        }
    }

    /// Computes the costs of the cells of a level that are due, and takes the others from `old`. Returns the number of
    /// computed cells. The largest cells become stale instead.
    fn customize(&mut self, mesh: &NavMesh, level: usize, mut old: Level, due: &[Place]) -> usize {
        let mut fresh = Vec::new();
        for (at, cell) in self.levels[level].cells.iter_mut().enumerate() {
            let is_due = due.binary_search(&cell.place).is_ok();
            match find(&old.cells, cell.place) {
                Some(known) if !is_due => {
                    let known = &mut old.cells[known];
                    cell.costs = std::mem::take(&mut known.costs);
                    cell.is_stale = known.is_stale;
                }
                _ if level == LARGEST => cell.is_stale = true,
                _ => fresh.push(at),
            }
        }
        let n_steps = fresh.len() * side_by_side::MANY;
        let costs = side_by_side::each(&fresh, n_steps, |&cell| match level {
            0 => self.costs_in_leaf(mesh, index(cell)),
            _ => self.costs_in_cell(level, index(cell)),
        });
        let n_fresh = fresh.len();
        for (at, costs) in fresh.into_iter().zip(costs) {
            self.levels[level].cells[at].costs = costs;
        }
        n_fresh
    }

    fn costs_in_leaf(&self, mesh: &NavMesh, leaf: u32) -> Vec<Cost> {
        let cell = &self.levels[0].cells[leaf as usize];
        let local = self.local(mesh, leaf);
        let mut labels = Labels::default();
        let mut costs = Vec::with_capacity(cell.entries.len() * cell.exits.len());
        for &entry in &cell.entries {
            let Crossing { to, at, .. } = self.crossings[entry as usize];
            match mesh.number(to).and_then(|number| local.local(number)) {
                Some(poly) => {
                    local.search(&self.prices, poly, at, &mut labels);
                    costs.extend(local.exit_costs(&labels));
                }
                None => costs.extend(cell.exits.iter().map(|_| UNREACHED)),
            }
        }
        costs
    }

    fn costs_in_cell(&self, level: usize, cell: u32) -> Vec<Cost> {
        let Cell { entries, exits, .. } = &self.levels[level].cells[cell as usize];
        let mut memory = Memory::default();
        let mut costs = Vec::with_capacity(entries.len() * exits.len());
        for &entry in entries {
            let region = Region::Within { level, cell };
            let mut search = Search::new(self, region, &mut memory);
            search.start_at(entry);
            search.run();
            costs.extend(exits.iter().map(|&exit| search.cost(exit)));
        }
        costs
    }
}

fn find(cells: &[Cell], place: Place) -> Option<usize> {
    cells.binary_search_by_key(&place, |cell| cell.place).ok()
}

/// The cell of the lowest level that contains a tile.
fn place(tile: Place, side: i32) -> Place {
    tile.map(|along| along.div_euclid(side))
}

/// The cell of `level` that contains a cell of the level below; on the lowest level, the cell itself.
fn enclosing(place: Place, level: usize) -> Place {
    match level {
        0 => place,
        _ => place.map(|along| along.div_euclid(SIDES[level] / SIDES[level - 1])),
    }
}

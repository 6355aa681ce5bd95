//! Computes the cells of an overlay, and the cheapest ways through them.

use std::sync::Arc;

use super::{
    costs::{Cost, UNREACHED},
    local::{Exit, Labels, index},
    overlay::{Cell, Crossing, LARGEST, Level, N_LEVELS, Place, RouteOverlay, SIDES},
    search::{Memory, Region, Search},
};
use crate::{
    navmesh::{NavMesh, Tile},
    query::{Filter, QueryError},
    side_by_side,
};

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
        let mut overlay = Self::empty(filter)?;
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
        let mut n_cells = 0;
        if self.replace_crossings(mesh, &due) {
            for level in 0..N_LEVELS {
                due = enclosing(&due, level);
                let cells = &self.levels[level].cells;
                let cells = due.iter().filter_map(|&place| find(cells, place)).collect();
                n_cells += self.customize(mesh, level, cells);
            }
        } else {
            let old = std::mem::take(&mut self.levels);
            self.find_leaves(mesh);
            self.find_crossings(mesh, &old[0], &due);
            for (level, old) in old.into_iter().enumerate() {
                if level > 0 {
                    self.find_cells(level);
                }
                self.find_entries(level);
                due = enclosing(&due, level);
                let cells = self.take_costs(level, old, &due);
                n_cells += self.customize(mesh, level, cells);
            }
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

    /// Updates the crossings out of the cells that are due, if they connect the same cells as before. Returns whether they
    /// do; if not, all have to be listed again.
    fn replace_crossings(&mut self, mesh: &NavMesh, due: &[Place]) -> bool {
        let mut leaves = Vec::new();
        for &place in due {
            let tiles = tiles_in(mesh, place);
            match find(&self.levels[0].cells, place) {
                Some(leaf) if !tiles.is_empty() => {
                    for &tile in &tiles {
                        let end = self.leaves.len().max(tile as usize + 1);
                        self.leaves.resize(end, u32::MAX);
                        self.leaves[tile as usize] = index(leaf);
                    }
                    self.levels[0].cells[leaf].tiles = tiles;
                    leaves.push(leaf);
                }
                None if tiles.is_empty() => {}
                _ => return false,
            }
        }
        let mut fresh = Vec::new();
        for &leaf in &leaves {
            let known = &self.levels[0].cells[leaf].exits;
            let exits: Vec<Exit> = self.local(mesh, index(leaf)).exits().collect();
            let is_same = |(exit, &known): (&Exit, &u32)| {
                self.leaf_of(mesh, exit.to) == self.crossings[known as usize].enters
            };
            if exits.len() != known.len() || !exits.iter().zip(known).all(is_same) {
                return false;
            }
            fresh.push(exits);
        }
        for (leaf, exits) in leaves.into_iter().zip(fresh) {
            for (&at, Exit { from, to, at: point }) in
                self.levels[0].cells[leaf].exits.iter().zip(exits)
            {
                let crossing = &mut self.crossings[at as usize];
                [crossing.from, crossing.to] = [from, to].map(|number| mesh.ref_of(number));
                crossing.at = point;
            }
        }
        true
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

    /// Takes the costs of the cells of a level from `old`, except for cells that are due. Returns the others.
    fn take_costs(&mut self, level: usize, mut old: Level, due: &[Place]) -> Vec<usize> {
        let mut rest = Vec::new();
        for (at, cell) in self.levels[level].cells.iter_mut().enumerate() {
            let is_due = due.binary_search(&cell.place).is_ok();
            match find(&old.cells, cell.place) {
                Some(known) if !is_due => {
                    let known = &mut old.cells[known];
                    cell.costs = std::mem::take(&mut known.costs);
                    cell.is_stale = known.is_stale;
                }
                _ => rest.push(at),
            }
        }
        rest
    }

    /// Computes the costs of some cells of a level; the largest cells become stale instead. Returns the number of
    /// computed cells.
    fn customize(&mut self, mesh: &NavMesh, level: usize, cells: Vec<usize>) -> usize {
        if level == LARGEST {
            for cell in cells {
                self.levels[level].cells[cell].is_stale = true;
            }
            return 0;
        }
        let n_steps = cells.len() * side_by_side::MANY;
        let costs = side_by_side::each(&cells, n_steps, |&cell| match level {
            0 => self.costs_in_leaf(mesh, index(cell)),
            _ => self.costs_in_cell(level, index(cell)),
        });
        let n_cells = cells.len();
        for (cell, costs) in cells.into_iter().zip(costs) {
            self.levels[level].cells[cell].costs = costs;
        }
        n_cells
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

/// The cells of `level` that contain cells of the level below; on the lowest level, the cells themselves.
fn enclosing(places: &[Place], level: usize) -> Vec<Place> {
    let ratio = if level == 0 { 1 } else { SIDES[level] / SIDES[level - 1] };
    let mut found: Vec<Place> =
        places.iter().map(|place| place.map(|along| along.div_euclid(ratio))).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Internal numbers of the tiles in a cell of the lowest level, by column, row and layer.
fn tiles_in(mesh: &NavMesh, place: Place) -> Vec<u32> {
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

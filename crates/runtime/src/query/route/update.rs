//! Keeps an overlay up to date: finds the tiles that changed, computes their cells, and joins these with the others.

use std::sync::Arc;

use super::{
    costs::Cost,
    leaf::Record,
    local::index,
    overlay::{
        Cell, Crossing, KnownTile, LARGEST, Leaf, N_LEVELS, NONE, Place, RouteOverlay, SIDES, Spot,
        cell_place, find,
    },
    search::{Memory, Region, Search},
};
use crate::{
    navmesh::{NavMesh, Tile, TilePlace, World},
    query::{Filter, QueryError},
    random::mixed,
    side_by_side,
};

/// What [`RouteOverlay::update`] computed again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RouteUpdate {
    /// Number of tiles that were added to the world, removed from it or changed. Tiles that were loaded and are what they
    /// were before do not count.
    pub n_tiles: usize,
    /// Number of cells whose costs were computed again.
    pub n_cells: usize,
}

/// Tiles that were loaded or changed since the last update, by column and row.
#[derive(Debug, Default)]
struct Changes {
    changed: Vec<Place>,
    loaded: Vec<Place>,
}

impl RouteOverlay {
    /// Computes the overlay of a navmesh for one filter.
    ///
    /// If tiles of its world are not loaded, the cells with these tiles and next to them wait for them, see
    /// [`RouteOverlay::needed_tiles`].
    ///
    /// # Errors
    /// Returns a [`QueryError`] if a cost of the filter is negative or not finite.
    pub fn new(mesh: &NavMesh, filter: &Filter) -> Result<Self, QueryError> {
        let mut overlay = Self::empty(filter)?;
        overlay.update(mesh);
        overlay.refresh(usize::MAX);
        Ok(overlay)
    }

    /// Updates the overlay after tiles, flags or areas of the navmesh have changed, also after tiles were loaded or
    /// dropped. Only cells with changed tiles or next to one are computed again, and of the largest cells none: until
    /// [`RouteOverlay::refresh`] computes them, routes are found with the cells in them, as exact and a little slower.
    pub fn update(&mut self, mesh: &NavMesh) -> RouteUpdate {
        if self.state.is(mesh.state()) && self.knows_world_of(mesh) {
            return RouteUpdate::default();
        }
        let Changes { changed, loaded } = self.take_tiles(mesh);
        let mut touched = around(&changed);
        for &place in &touched {
            if let Some(leaf) = find(&self.levels[0].cells, place) {
                self.leaves[leaf].is_waiting = true;
            }
        }
        let mut ready = around(&loaded);
        ready.extend(&touched);
        ready.sort_unstable();
        ready.dedup();
        let ready = ready.into_iter().filter_map(|place| find(&self.levels[0].cells, place));
        let ready: Vec<usize> = ready
            .filter(|&leaf| {
                self.leaves[leaf].is_waiting && has_all(mesh, self.levels[0].cells[leaf].place)
            })
            .collect();
        let n_steps = ready.len() * side_by_side::MANY;
        let records =
            side_by_side::each(&ready, n_steps, |&leaf| Record::new(self, mesh, index(leaf)));
        let mut n_cells = ready.len();
        if !ready.is_empty() || !touched.is_empty() {
            let affected = self.join(&ready, records, &mut touched);
            n_cells += self.update_levels(&ready, &affected, &touched);
            self.reach.take();
        }
        self.state = mesh.state().clone();
        RouteUpdate { n_tiles: changed.len(), n_cells }
    }

    /// Computes the costs of at most `max_cells` of the largest cells that are not up to date. Returns how many are left;
    /// cells that wait for tiles do not count.
    pub fn refresh(&mut self, max_cells: usize) -> usize {
        let cells = &self.levels[LARGEST].cells;
        let is_due = |&at: &usize| cells[at].is_stale && !self.has_stale_within(at);
        let mut due: Vec<usize> = (0..cells.len()).filter(is_due).collect();
        let n_left = due.len().saturating_sub(max_cells);
        due.truncate(max_cells);
        let n_steps = due.len() * side_by_side::MANY;
        let costs = side_by_side::each(&due, n_steps, |&at| self.costs_in_cell(LARGEST, index(at)));
        for (at, costs) in due.into_iter().zip(costs) {
            let cell = &mut self.levels[LARGEST].cells[at];
            (cell.costs, cell.is_stale) = (costs, false);
        }
        n_left
    }

    /// The tiles that a waiting cell needs, loaded or not: those in it and next to it. `None` if no cell waits. To
    /// compute an overlay with few tiles in memory, load these tiles, update the overlay, and so on:
    /// `walkable::store::TileStore::route_overlay` does that.
    pub fn needed_tiles(&self) -> Option<Vec<TilePlace>> {
        let leaf = self.leaves.iter().position(|leaf| leaf.is_waiting)?;
        Some(self.tiles_around(self.levels[0].cells[leaf].place).collect())
    }

    /// Number of cells that wait for tiles: tiles in them or next to them have changed, and not all are loaded.
    pub fn n_waiting(&self) -> usize {
        self.leaves.iter().filter(|leaf| leaf.is_waiting).count()
    }

    fn has_stale_within(&self, cell: usize) -> bool {
        let place = self.levels[LARGEST].cells[cell].place;
        let ratio = SIDES[LARGEST] / SIDES[LARGEST - 1];
        let cells = &self.levels[LARGEST - 1].cells;
        let first = place.map(|along| along.saturating_mul(ratio));
        (0..ratio).any(|column| {
            let x = first[0].saturating_add(column);
            let start = cells.partition_point(|cell| cell.place < [x, first[1]]);
            let last = [x, first[1].saturating_add(ratio - 1)];
            cells[start..].iter().take_while(|cell| cell.place <= last).any(|cell| cell.is_stale)
        })
    }

    fn knows_world_of(&self, mesh: &NavMesh) -> bool {
        match (&self.world, &mesh.world) {
            (None, None) => true,
            (Some(known), Some(world)) => known.is(world),
            _ => false,
        }
    }

    /// Compares the tiles of the navmesh with those of the last update, and remembers them.
    fn take_tiles(&mut self, mesh: &NavMesh) -> Changes {
        let (mut gone, mut loaded) = (Vec::new(), Vec::new());
        let mut n_slots = 0;
        for (slot, tile) in mesh.slots() {
            if self.tiles.len() <= slot {
                self.tiles.resize(slot + 1, None);
            }
            gone.extend(self.tiles[n_slots..slot].iter_mut().filter_map(Option::take));
            n_slots = slot + 1;
            let known = &mut self.tiles[slot];
            if !known.as_ref().is_some_and(|known| Arc::ptr_eq(known, tile)) {
                gone.extend(known.replace(Arc::clone(tile)));
                loaded.push(Arc::clone(tile));
            }
        }
        gone.extend(self.tiles[n_slots..].iter_mut().filter_map(Option::take));
        let mut changes = Changes::default();
        if !self.knows_world_of(mesh) {
            self.world.clone_from(&mesh.world);
            self.take_world(mesh, &loaded, &mut changes);
        }
        let is_in_world = |place| {
            self.world.as_ref().is_some_and(|world: &World| world.index_of(place).is_some())
        };
        let gone: Vec<_> = gone.iter().map(|tile| TilePlace::of(tile)).collect();
        let gone: Vec<_> = gone.into_iter().map(|place| (place, is_in_world(place))).collect();
        for &(place, _) in &gone {
            if let Some(known) = self.known_mut(place) {
                known.is_loaded = false;
            }
        }
        self.add_places(loaded.iter().map(|tile| TilePlace::of(tile)).collect());
        for tile in &loaded {
            let (place, hash) = (TilePlace::of(tile), hash_of(tile));
            let Some(known) = self.known_mut(place) else { continue };
            let n_polys = index(tile.polys.len());
            let is_same = known.hash == hash && known.n_polys == n_polys;
            (known.is_loaded, known.hash, known.n_polys) = (true, hash, n_polys);
            let column = [place.x, place.z];
            if is_same { changes.loaded.push(column) } else { changes.changed.push(column) }
        }
        let mut removed = Vec::new();
        for (place, is_in_world) in gone {
            let known = self.known_mut(place);
            if !is_in_world && known.is_some_and(|known| !known.is_loaded) {
                changes.changed.push([place.x, place.z]);
                removed.push(place);
            }
        }
        self.remove_places(removed);
        changes.changed.sort_unstable();
        changes.changed.dedup();
        changes
    }

    /// Compares all known tiles with those of the world.
    fn take_world(&mut self, mesh: &NavMesh, loaded: &[Arc<Tile>], changes: &mut Changes) {
        let places = mesh.world.as_ref().map_or(&[][..], |world| world.places());
        let mut loaded: Vec<_> = loaded.iter().map(|tile| TilePlace::of(tile)).collect();
        loaded.sort_unstable();
        let is_there = |place: TilePlace| {
            places.binary_search(&place).is_ok()
                || loaded.binary_search(&place).is_ok()
                || mesh.has_tile(place)
        };
        let known = (0..self.leaves.len()).flat_map(|leaf| self.tiles_of(leaf));
        let removed: Vec<_> = known.filter(|&place| !is_there(place)).collect();
        let is_new = |place: &TilePlace| self.known(*place).is_none();
        let added: Vec<_> = places.iter().copied().filter(is_new).collect();
        changes.changed.extend(removed.iter().chain(&added).map(|place| [place.x, place.z]));
        self.remove_places(removed);
        self.add_places(added);
    }

    fn known(&self, tile: TilePlace) -> Option<&KnownTile> {
        let tiles = &self.leaves[self.leaf_at(tile)? as usize].tiles;
        let key = Spot::new(tile, 0).tile();
        tiles.get(tiles.binary_search_by_key(&key, |known| known.key).ok()?)
    }

    fn known_mut(&mut self, tile: TilePlace) -> Option<&mut KnownTile> {
        let leaf = self.leaf_at(tile)? as usize;
        let tiles = &mut self.leaves[leaf].tiles;
        let key = Spot::new(tile, 0).tile();
        let at = tiles.binary_search_by_key(&key, |known| known.key).ok()?;
        tiles.get_mut(at)
    }

    /// Adds tiles, and the cells that contain them.
    fn add_places(&mut self, mut tiles: Vec<TilePlace>) {
        tiles.retain(|&tile| self.known(tile).is_none());
        if tiles.is_empty() {
            return;
        }
        let cell = |tile: &TilePlace| cell_place([tile.x, tile.z], SIDES[0]);
        let cells = &self.levels[0].cells;
        let mut places: Vec<Place> = tiles.iter().map(cell).collect();
        places.retain(|&place| find(cells, place).is_none());
        if !places.is_empty() {
            places.extend(cells.iter().map(|cell| cell.place));
            places.sort_unstable();
            places.dedup();
            self.set_cells(&places);
        }
        let key = |tile: &TilePlace| (cell(tile), Spot::new(*tile, 0).tile());
        tiles.sort_unstable_by_key(key);
        tiles.dedup();
        for tiles in tiles.chunk_by(|a, b| cell(a) == cell(b)) {
            let Some(leaf) = find(&self.levels[0].cells, cell(&tiles[0])) else { continue };
            let known = &mut self.leaves[leaf].tiles;
            known.extend(tiles.iter().map(|&tile| {
                let key = Spot::new(tile, 0).tile();
                KnownTile { key, n_polys: 0, is_loaded: false, hash: 0 }
            }));
            known.sort_unstable_by_key(|known| known.key);
        }
    }

    /// Removes tiles, and cells without tiles.
    fn remove_places(&mut self, tiles: Vec<TilePlace>) {
        if tiles.is_empty() {
            return;
        }
        for tile in tiles {
            let Some(leaf) = self.leaf_at(tile) else { continue };
            let key = Spot::new(tile, 0).tile();
            self.leaves[leaf as usize].tiles.retain(|known| known.key != key);
        }
        let leaves = self.levels[0].cells.iter().zip(&self.leaves);
        let kept: Vec<Place> =
            leaves.filter(|(_, leaf)| !leaf.tiles.is_empty()).map(|(cell, _)| cell.place).collect();
        if kept.len() < self.leaves.len() {
            self.set_cells(&kept);
        }
    }

    /// Sets the cells of the lowest level, and with them those of the others. Cells that exist keep what is known.
    fn set_cells(&mut self, places: &[Place]) {
        let old = std::mem::take(&mut self.levels[0].cells);
        let numbers: Vec<u32> =
            old.iter().map(|cell| places.binary_search(&cell.place).map_or(NONE, index)).collect();
        let number = |leaf: u32| numbers.get(leaf as usize).copied().unwrap_or(NONE);
        for crossing in &mut self.crossings {
            crossing.leaves = number(crossing.leaves);
            crossing.enters = number(crossing.enters);
            if crossing.leaves == NONE || crossing.enters == NONE {
                crossing.row = NONE;
            }
        }
        let leaves = std::mem::take(&mut self.leaves);
        let mut known = old.into_iter().zip(leaves).peekable();
        for &place in places {
            while known.next_if(|(cell, _)| cell.place < place).is_some() {}
            let (cell, leaf) = known
                .next_if(|(cell, _)| cell.place == place)
                .unwrap_or_else(|| (Cell::new(place), Leaf::default()));
            self.levels[0].cells.push(cell);
            self.leaves.push(leaf);
        }
        self.ancestors = (0..index(places.len())).map(|leaf| [leaf; N_LEVELS]).collect();
        for level in 1..N_LEVELS {
            let above = |place: Place| cell_place(place, SIDES[level] / SIDES[0]);
            let mut wanted: Vec<Place> = places.iter().map(|&place| above(place)).collect();
            wanted.sort_unstable();
            wanted.dedup();
            let cells = &mut self.levels[level].cells;
            let mut old = std::mem::take(cells).into_iter().peekable();
            for place in wanted {
                while old.next_if(|cell| cell.place < place).is_some() {}
                let known = old.next_if(|cell| cell.place == place);
                cells.push(known.unwrap_or_else(|| Cell { is_stale: true, ..Cell::new(place) }));
            }
            for (&place, ancestors) in places.iter().zip(&mut self.ancestors) {
                ancestors[level] = find(cells, above(place)).map_or(NONE, index);
            }
        }
    }

    /// Replaces what is known of the cells `ready`, and joins them with the cells around them. Returns all these cells.
    /// If a link is known to only one of its cells, all places around are `touched`.
    fn join(
        &mut self,
        ready: &[usize],
        records: Vec<Record>,
        touched: &mut Vec<Place>,
    ) -> Vec<usize> {
        let places = ready.iter().map(|&leaf| self.levels[0].cells[leaf].place);
        let mut affected: Vec<usize> = places
            .chain(touched.iter().copied())
            .flat_map(|place| self.cells_around(place))
            .collect();
        affected.sort_unstable();
        affected.dedup();
        let mut is_uneven = false;
        // What the cells say about the links into them.
        let mut entries: Vec<Vec<Crossing>> = Vec::with_capacity(affected.len());
        for &leaf in &affected {
            let cell = &self.levels[0].cells[leaf];
            let known = || cell.entries.iter().map(|&entry| self.crossings[entry as usize]);
            is_uneven |= self.has_unjoined(cell);
            self.n_unused += known().filter(|entry| entry.row == NONE).count();
            entries.push(if ready.binary_search(&leaf).is_ok() {
                Vec::new()
            } else {
                known().collect()
            });
        }
        for (&leaf, record) in ready.iter().zip(records) {
            let Record { exits, entries: own, costs, groups } = record;
            let cell = &mut self.levels[0].cells[leaf];
            cell.costs = costs;
            if cell.exits.len() != exits.len() {
                self.n_unused += cell.exits.len();
                let first = index(self.crossings.len());
                cell.exits = (first..first + index(exits.len())).collect();
                self.crossings.extend_from_slice(&exits);
            } else {
                for (&at, exit) in cell.exits.iter().zip(exits) {
                    self.crossings[at as usize] = exit;
                }
            }
            (self.leaves[leaf].groups, self.leaves[leaf].is_waiting) = (groups, false);
            if let Ok(at) = affected.binary_search(&leaf) {
                entries[at] = own;
            }
        }
        for (&leaf, entries) in affected.iter().zip(entries) {
            self.join_entries(leaf, entries);
        }
        is_uneven |= affected.iter().any(|&leaf| self.has_unjoined(&self.levels[0].cells[leaf]));
        if is_uneven {
            touched.extend(affected.iter().map(|&leaf| self.levels[0].cells[leaf].place));
            touched.sort_unstable();
            touched.dedup();
        }
        affected
    }

    /// Whether only one of two cells knows a link between them.
    fn has_unjoined(&self, cell: &Cell) -> bool {
        let mut links = cell.exits.iter().chain(&cell.entries);
        links.any(|&link| self.crossings[link as usize].row == NONE)
    }

    /// Finds the links into a cell among the exits of the cells around it.
    fn join_entries(&mut self, leaf: usize, entries: Vec<Crossing>) {
        let enters = index(leaf);
        let around: Vec<usize> = self.cells_around(self.levels[0].cells[leaf].place).collect();
        let mut found: Vec<u32> = Vec::new();
        for &from in &around {
            let exits = self.levels[0].cells[from].exits.iter().copied();
            found.extend(exits.filter(|&exit| self.crossings[exit as usize].enters == enters));
        }
        for &exit in &found {
            self.crossings[exit as usize].row = NONE;
        }
        // Both lists mostly have the same order.
        let mut next = 0;
        let mut joined = Vec::with_capacity(entries.len());
        for (row, entry) in (0..).zip(entries) {
            let n = found.len();
            let same = (next..n).chain(0..next).find(|&at| {
                let exit = &self.crossings[found[at] as usize];
                exit.row == NONE && exit.is(&entry)
            });
            joined.push(match same {
                Some(at) => {
                    next = at + 1;
                    self.crossings[found[at] as usize].row = row;
                    found[at]
                }
                None => {
                    self.crossings.push(Crossing { row: NONE, ..entry });
                    index(self.crossings.len()) - 1
                }
            });
        }
        self.levels[0].cells[leaf].entries = joined;
    }

    /// Updates the cells above the lowest level: those that contain `affected` list their links again, and those that
    /// contain `ready` or `touched` compute their costs again. Returns the number of computed cells.
    fn update_levels(&mut self, ready: &[usize], affected: &[usize], touched: &[Place]) -> usize {
        self.drop_unused();
        let place = |&leaf: &usize| self.levels[0].cells[leaf].place;
        let affected: Vec<Place> =
            affected.iter().map(place).chain(touched.iter().copied()).collect();
        let due: Vec<Place> = ready.iter().map(place).chain(touched.iter().copied()).collect();
        let mut n_cells = 0;
        for level in 1..N_LEVELS {
            let [affected, due] = [&affected, &due].map(|places| self.enclosing(places, level));
            for &cell in &affected {
                self.list_links(level, cell);
            }
            for &cell in &due {
                self.levels[level].cells[cell].is_stale = true;
            }
            if level == LARGEST {
                break;
            }
            let cells = &self.levels[level].cells;
            let is_due = |&cell: &usize| cells[cell].is_stale && !self.has_waiting(level, cell);
            let due: Vec<usize> = affected.into_iter().filter(is_due).collect();
            let n_steps = due.len() * side_by_side::MANY;
            let costs =
                side_by_side::each(&due, n_steps, |&cell| self.costs_in_cell(level, index(cell)));
            n_cells += due.len();
            for (cell, costs) in due.into_iter().zip(costs) {
                let cell = &mut self.levels[level].cells[cell];
                (cell.costs, cell.is_stale) = (costs, false);
            }
        }
        n_cells
    }

    /// The cells of a level that contain places of cells of the lowest level.
    fn enclosing(&self, places: &[Place], level: usize) -> Vec<usize> {
        let above = |&place: &Place| cell_place(place, SIDES[level] / SIDES[0]);
        let mut places: Vec<Place> = places.iter().map(above).collect();
        places.sort_unstable();
        places.dedup();
        places.into_iter().filter_map(|place| find(&self.levels[level].cells, place)).collect()
    }

    /// The places of the cells of the lowest level in a cell: the first and the last.
    pub(super) fn extent(&self, level: usize, cell: usize) -> [Place; 2] {
        let ratio = SIDES[level] / SIDES[0];
        let min = self.levels[level].cells[cell].place.map(|along| along.saturating_mul(ratio));
        [min, min.map(|along| along.saturating_add(ratio - 1))]
    }

    /// Whether cells of the lowest level in a cell, or next to it, wait for tiles.
    fn has_waiting(&self, level: usize, cell: usize) -> bool {
        let [min, max] = self.extent(level, cell);
        let [min, max] = [min.map(|at| at.saturating_sub(1)), max.map(|at| at.saturating_add(1))];
        self.cells_between(min, max).any(|leaf| self.leaves[leaf].is_waiting)
    }

    /// Lists the links into a cell above the lowest level and out of it.
    fn list_links(&mut self, level: usize, cell: usize) {
        let number = index(cell);
        let [min, max] = self.extent(level, cell);
        let [first, last] =
            [min.map(|at| at.saturating_sub(1)), max.map(|at| at.saturating_add(1))];
        let (mut entries, mut exits) = (Vec::new(), Vec::new());
        for leaf in self.cells_between(first, last) {
            let is_inside = self.ancestors[leaf][level] == number;
            for &exit in &self.levels[0].cells[leaf].exits {
                let crossing = &self.crossings[exit as usize];
                if crossing.row == NONE {
                    continue;
                }
                let enters = self.ancestors[crossing.enters as usize][level];
                match (is_inside, enters == number) {
                    (true, false) => exits.push(exit),
                    (false, true) => entries.push(exit),
                    _ => {}
                }
            }
        }
        let cell = &mut self.levels[level].cells[cell];
        (cell.entries, cell.exits) = (entries, exits);
    }

    /// Renumbers the crossings once most are no longer used.
    fn drop_unused(&mut self) {
        if 2 * self.n_unused <= self.crossings.len() {
            return;
        }
        let mut numbers = vec![NONE; self.crossings.len()];
        let mut kept = Vec::with_capacity(self.crossings.len().saturating_sub(self.n_unused));
        for cell in &self.levels[0].cells {
            let unjoined = |entry: &&u32| self.crossings[**entry as usize].row == NONE;
            for &at in cell.exits.iter().chain(cell.entries.iter().filter(unjoined)) {
                numbers[at as usize] = index(kept.len());
                kept.push(self.crossings[at as usize]);
            }
        }
        (self.crossings, self.n_unused) = (kept, 0);
        for cell in self.levels.iter_mut().flat_map(|level| &mut level.cells) {
            for at in cell.exits.iter_mut().chain(&mut cell.entries) {
                *at = numbers.get(*at as usize).copied().unwrap_or(NONE);
            }
        }
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

    /// Takes cells that were read from a file. `levels` are the costs of the cells above the lowest level.
    pub(super) fn take_records(
        &mut self,
        leaves: Vec<(Place, Leaf, Record)>,
        levels: Vec<Vec<(bool, Vec<Cost>)>>,
    ) -> Result<(), &'static str> {
        let places: Vec<Place> = leaves.iter().map(|(place, ..)| *place).collect();
        self.set_cells(&places);
        let ready: Vec<usize> = (0..leaves.len()).collect();
        let mut are_waiting = Vec::with_capacity(leaves.len());
        let mut records = Vec::with_capacity(leaves.len());
        for (known, (_, leaf, record)) in self.leaves.iter_mut().zip(leaves) {
            are_waiting.push(leaf.is_waiting);
            *known = leaf;
            records.push(record);
        }
        self.join(&ready, records, &mut Vec::new());
        for (leaf, is_waiting) in self.leaves.iter_mut().zip(are_waiting) {
            leaf.is_waiting = is_waiting;
        }
        for (level, known) in (1..).zip(levels) {
            if self.levels[level].cells.len() != known.len() {
                return Err("a level has another number of cells");
            }
            for (at, (is_stale, costs)) in known.into_iter().enumerate() {
                self.list_links(level, at);
                let cell = &mut self.levels[level].cells[at];
                if !is_stale && costs.len() != cell.entries.len() * cell.exits.len() {
                    return Err("a cell has another number of costs");
                }
                (cell.is_stale, cell.costs) = (is_stale, costs);
            }
        }
        Ok(())
    }
}

/// The places of the cells of the lowest level that contain tiles or are next to them.
fn around(tiles: &[Place]) -> Vec<Place> {
    let mut places: Vec<Place> = tiles
        .iter()
        .flat_map(|[x, z]| (-1..=1).map(move |dx| [x.saturating_add(dx), *z]))
        .flat_map(|[x, z]| (-1..=1).map(move |dz| cell_place([x, z.saturating_add(dz)], SIDES[0])))
        .collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// Whether all tiles in a cell of the lowest level and next to it are loaded.
fn has_all(mesh: &NavMesh, place: Place) -> bool {
    let first = place.map(|along| along.saturating_mul(SIDES[0]));
    let min = first.map(|along| along.saturating_sub(1));
    mesh.has_all_in(min, first.map(|along| along.saturating_add(SIDES[0])))
}

/// Hashes what the costs in a tile depend on; never 0.
fn hash_of(tile: &Tile) -> u64 {
    let mut hash = 1_u64;
    let mut add = |words: u64| hash = mixed(hash ^ words).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let pair = |a: u32, b: u32| u64::from(a) << 32 | u64::from(b);
    let header = &tile.header;
    add(pair(header.max_link_count, header.off_mesh_base));
    add(pair(header.walkable_climb.to_bits(), header.walkable_radius.to_bits()));
    // The ends of off-mesh links move when tiles are linked.
    let mut is_moved = vec![false; tile.vertices.len()];
    for link in &tile.off_mesh {
        let poly = tile.polys.get(usize::from(link.poly));
        for &vertex in poly.map_or(&[][..], |poly| poly.vertices()) {
            is_moved[usize::from(vertex)] = true;
        }
        for end in link.ends {
            add(pair(end.x.to_bits(), end.y.to_bits()));
            add(pair(end.z.to_bits(), link.radius.to_bits()));
        }
        add(pair(
            u32::from(link.poly) << 16 | u32::from(link.flags) << 8 | u32::from(link.side),
            link.user_id,
        ));
    }
    for (vertex, _) in tile.vertices.iter().zip(is_moved).filter(|(_, is_moved)| !is_moved) {
        add(pair(vertex.x.to_bits(), vertex.y.to_bits()));
        add(u64::from(vertex.z.to_bits()));
    }
    for poly in &tile.polys {
        let kind =
            u32::from(poly.n_vertices) << 16 | u32::from(poly.area.0) << 8 | poly.kind as u32;
        add(pair(kind, u32::from(poly.flags)));
        for (vertices, neighbors) in poly.vertices.chunks(2).zip(poly.neighbors.chunks(2)) {
            let both = |pair: &[u16]| pair.iter().fold(0, |both, &one| both << 16 | u32::from(one));
            add(pair(both(vertices), both(neighbors)));
        }
    }
    hash.max(1)
}

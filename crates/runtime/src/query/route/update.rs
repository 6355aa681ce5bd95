//! Keeps an overlay up to date: finds the tiles that changed, recomputes their cells, and joins these with the others.

use std::{cmp::Reverse, iter::Peekable, ops::Range, sync::Arc};

use super::{
    cell_graph::CellGraph,
    cells::{
        Cell, CellPlace, CellPoly, Crossing, KnownTile, LARGEST, N_LEVELS, NONE, SIDES, cell_place,
        find,
    },
    hash::hash_of,
    index,
    leaf::{Inside, LeafLinks, ReadCosts, ReadLeaf, Record},
    matrix::CostMatrix,
    overlay::{Leaf, RouteOverlay},
};
use crate::{
    navmesh::{NavMesh, Tile, TilePlace, World},
    query::{Filter, QueryError},
    side_by_side,
};

/// Number of entries of a cell from which costs are computed one after the other. Pieces of this size take about a
/// millisecond in the largest cells.
const PIECE: usize = 64;

/// Maximum number of costs on a level, in 256 MiB; more if there are more links, see [`max_pairs`].
const MAX_PAIRS: u64 = 1 << 26;
const MAX_PAIRS_PER_LINK: u64 = 512;
/// Maximum number of costs that the searches in a cell above the lowest level compare, about a minute of work.
const MAX_COMPARED: u64 = 1 << 35;

/// What [`RouteOverlay::update`] recomputed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RouteUpdate {
    /// Number of tiles that were added to the world, removed from it or changed. Tiles that were loaded again unchanged
    /// do not count.
    pub n_tiles: usize,
    /// Number of cells whose costs were recomputed.
    pub n_cells: usize,
}

/// Tiles since the last update.
#[derive(Debug, Default)]
struct Changes {
    /// Tiles that were added, removed or changed.
    changed: Vec<TilePlace>,
    /// Tiles that were loaded again unchanged.
    loaded: Vec<TilePlace>,
}

/// The places of cells of the lowest level that changed.
#[derive(Debug, Default)]
struct ChangedCells {
    /// Cells with other links, including those that were removed.
    links: Vec<CellPlace>,
    /// Cells with other costs.
    costs: Vec<CellPlace>,
}

impl RouteOverlay {
    /// Computes the overlay of a navmesh for one filter.
    ///
    /// If tiles of the world are not loaded, the cells that contain these tiles or are next to them wait for them, see
    /// [`RouteOverlay::needed_tiles`].
    ///
    /// # Errors
    /// Returns a [`QueryError`] if a cost of the filter is negative or not finite, or for
    /// [too many links](QueryError::TooManyLinks).
    pub fn new(mesh: &NavMesh, filter: &Filter) -> Result<Self, QueryError> {
        let mut overlay = Self::empty(filter)?;
        overlay.update(mesh)?;
        overlay.refresh(usize::MAX);
        Ok(overlay)
    }

    /// Updates the overlay after tiles, flags or areas of the navmesh have changed, also after tiles were loaded or
    /// dropped. Only cells with changed tiles or links are recomputed, and larger ones only if costs in them have
    /// changed. The largest cells are not recomputed: until [`RouteOverlay::refresh`] does that, searches use the
    /// smaller cells in them, and find routes with the same costs a little slower.
    ///
    /// # Errors
    /// Returns [`QueryError::TooManyLinks`]. The overlay is then empty.
    pub fn update(&mut self, mesh: &NavMesh) -> Result<RouteUpdate, QueryError> {
        let updated = self.take_changes(mesh);
        if updated.is_err() {
            *self = Self::of_filter(self.filter.clone(), self.filter_costs.clone());
        }
        updated
    }

    fn take_changes(&mut self, mesh: &NavMesh) -> Result<RouteUpdate, QueryError> {
        if self.state.is(mesh.state()) && self.knows_world_of(mesh) {
            return Ok(RouteUpdate::default());
        }
        let Changes { changed, mut loaded } = self.take_tiles(mesh);
        let touched = cells_near(&changed);
        let mut removed = Vec::new();
        for &place in &touched {
            match find(&self.levels[0].cells, place) {
                Some(leaf) => self.leaves[leaf].is_waiting = true,
                None => removed.push(place),
            }
        }
        for &tile in &changed {
            if let Some(leaf) = self.leaf_at(tile) {
                self.leaves[leaf as usize].has_changed_inside = true;
            }
        }
        loaded.extend(&changed);
        let near = cells_near(&loaded);
        let mut ready: Vec<usize> =
            near.iter().filter_map(|&place| find(&self.levels[0].cells, place)).collect();
        ready.retain(|&leaf| {
            self.leaves[leaf].is_waiting && has_all(mesh, self.levels[0].cells[leaf].place)
        });
        let mut n_cells = 0;
        if !ready.is_empty() || !touched.is_empty() {
            let n_steps = ready.len() * side_by_side::MANY;
            let links = side_by_side::each(&ready, n_steps, |&leaf| {
                LeafLinks::new(self, mesh, index(leaf))
            });
            self.check_pairs(&ready, &links)?;
            let known: Vec<_> = ready.iter().copied().zip(&links).collect();
            let insides = side_by_side::each(&known, n_steps, |(leaf, links)| {
                links.inside(self, mesh, index(*leaf))
            });
            let insides: Vec<_> = insides.into_iter().collect::<Result<_, _>>()?;
            n_cells = insides.iter().flatten().count();
            let mut due = removed.clone();
            due.extend(ready.iter().map(|&leaf| self.levels[0].cells[leaf].place));
            let records = links.into_iter().zip(insides);
            let records = records.map(|(links, inside)| Record { links, inside });
            let mut changes = self.take(ready.into_iter().zip(records));
            changes.links.extend(removed);
            n_cells += self.join(&due, changes);
            self.reach.take();
        }
        self.state = mesh.state().clone();
        Ok(RouteUpdate { n_tiles: changed.len(), n_cells })
    }

    /// Checks the number of costs of the lowest level if some of its cells have new links.
    fn check_pairs(&self, leaves: &[usize], links: &[LeafLinks]) -> Result<(), QueryError> {
        let cells = &self.levels[0].cells;
        let mut sizes: Vec<[usize; 2]> =
            cells.iter().map(|cell| [cell.entries.len(), cell.exits.len()]).collect();
        for (&leaf, LeafLinks { exits, entries }) in leaves.iter().zip(links) {
            sizes[leaf] = [entries.len(), exits.len()];
        }
        let n_pairs = sizes.iter().map(|[entries, exits]| *entries as u64 * *exits as u64).sum();
        let limit = max_pairs(sizes.iter().map(|[_, exits]| exits).sum());
        if n_pairs <= limit { Ok(()) } else { Err(QueryError::TooManyLinks { n_pairs, limit }) }
    }

    /// Computes the costs of at most `max_cells` of the largest cells that are not up to date. Returns the number of
    /// cells left; cells that wait for tiles or have too many links do not count.
    pub fn refresh(&mut self, max_cells: usize) -> usize {
        let cells = &self.levels[LARGEST].cells;
        let is_due = |&at: &usize| cells[at].is_stale && !self.has_waiting(LARGEST, at);
        let mut due = self.affordable(LARGEST, (0..cells.len()).filter(is_due).collect());
        let n_left = due.len().saturating_sub(max_cells);
        due.truncate(max_cells);
        self.compute(LARGEST, &due);
        n_left
    }

    /// Returns the tiles that a waiting cell needs, loaded or not: those in it and next to it. `None` if no cell waits.
    /// To compute an overlay with few tiles in memory, load these tiles, update the overlay, and so on:
    /// `walkable::store::TileStore::route_overlay` does that.
    pub fn needed_tiles(&self) -> Option<Vec<TilePlace>> {
        let leaf = self.leaves.iter().position(|leaf| leaf.is_waiting)?;
        Some(self.tiles_around(self.levels[0].cells[leaf].place).collect())
    }

    /// Returns the number of cells that wait for tiles: tiles in them or next to them have changed, and not all are
    /// loaded.
    pub fn n_waiting(&self) -> usize {
        self.leaves.iter().filter(|leaf| leaf.is_waiting).count()
    }

    fn knows_world_of(&self, mesh: &NavMesh) -> bool {
        match (&self.world, &mesh.world) {
            (None, None) => true,
            (Some(known), Some(world)) => known.is(world),
            _ => false,
        }
    }

    /// Compares the tiles of the navmesh and its world with those of the last update, and stores them.
    fn take_tiles(&mut self, mesh: &NavMesh) -> Changes {
        let (mut gone, loaded) = self.take_slots(mesh);
        let mut added: Vec<TilePlace> = loaded.iter().map(|tile| TilePlace::of(tile)).collect();
        if !self.knows_world_of(mesh) {
            self.world.clone_from(&mesh.world);
            gone.extend((0..self.leaves.len()).flat_map(|leaf| self.tiles_of(leaf)));
            added.extend(self.world.iter().flat_map(World::places));
        }
        let mut changes = Changes { changed: self.add_places(added), loaded: Vec::new() };
        for tile in &loaded {
            let place = TilePlace::of(tile);
            let Some(known) = self.known_mut(place) else { continue };
            let before = std::mem::replace(&mut known.hash, hash_of(tile));
            let is_same = known.hash == before;
            if is_same { &mut changes.loaded } else { &mut changes.changed }.push(place);
        }
        gone.retain(|&place| {
            let is_in_world =
                || self.world.as_ref().is_some_and(|world| world.index_of(place).is_some());
            !mesh.has_tile(place) && !is_in_world()
        });
        self.remove_places(&gone);
        changes.changed.extend(gone);
        changes.changed.sort_unstable();
        changes.changed.dedup();
        changes
    }

    /// Compares the tiles of the navmesh with those of the last update by slot. Returns the places of removed tiles,
    /// and the new tiles.
    fn take_slots(&mut self, mesh: &NavMesh) -> (Vec<TilePlace>, Vec<Arc<Tile>>) {
        let (mut gone, mut new) = (Vec::new(), Vec::new());
        let mut slots = mesh.slots().peekable();
        for at in 0.. {
            let tile = slots.next_if(|&(slot, _)| slot == at).map(|(_, tile)| tile);
            if at == self.tiles.len() {
                if tile.is_none() && slots.peek().is_none() {
                    break;
                }
                self.tiles.push(None);
            }
            let known = &mut self.tiles[at];
            let is_same = match (&*known, tile) {
                (Some(known), Some(tile)) => Arc::ptr_eq(known, tile),
                (None, None) => true,
                _ => false,
            };
            if !is_same {
                gone.extend(known.take().map(|tile| TilePlace::of(&tile)));
                new.extend(tile.cloned());
                *known = tile.cloned();
            }
        }
        (gone, new)
    }

    fn known(&self, tile: TilePlace) -> Option<&KnownTile> {
        let tiles = &self.leaves[self.leaf_at(tile)? as usize].tiles;
        let key = CellPoly::new(tile, 0).tile();
        tiles.get(tiles.binary_search_by_key(&key, |known| known.key).ok()?)
    }

    fn known_mut(&mut self, tile: TilePlace) -> Option<&mut KnownTile> {
        let leaf = self.leaf_at(tile)? as usize;
        let tiles = &mut self.leaves[leaf].tiles;
        let key = CellPoly::new(tile, 0).tile();
        let at = tiles.binary_search_by_key(&key, |known| known.key).ok()?;
        tiles.get_mut(at)
    }

    /// Adds tiles that are not yet known, and the cells that contain them. Returns these tiles.
    fn add_places(&mut self, mut tiles: Vec<TilePlace>) -> Vec<TilePlace> {
        tiles.retain(|&tile| self.known(tile).is_none());
        tiles.sort_unstable();
        tiles.dedup();
        let cells = &self.levels[0].cells;
        let mut places: Vec<CellPlace> =
            tiles.iter().map(|&tile| cell_place([tile.x, tile.z], SIDES[0])).collect();
        places.retain(|&place| find(cells, place).is_none());
        if !places.is_empty() {
            places.extend(cells.iter().map(|cell| cell.place));
            places.sort_unstable();
            places.dedup();
            self.set_cells(&places);
        }
        for &tile in &tiles {
            let Some(leaf) = self.leaf_at(tile) else { continue };
            let known = &mut self.leaves[leaf as usize].tiles;
            let key = CellPoly::new(tile, 0).tile();
            if let Err(at) = known.binary_search_by_key(&key, |known| known.key) {
                known.insert(at, KnownTile { key, hash: 0 });
            }
        }
        tiles
    }

    /// Removes tiles, and cells without tiles.
    fn remove_places(&mut self, tiles: &[TilePlace]) {
        for &tile in tiles {
            let Some(leaf) = self.leaf_at(tile) else { continue };
            let key = CellPoly::new(tile, 0).tile();
            self.leaves[leaf as usize].tiles.retain(|known| known.key != key);
        }
        let leaves = self.levels[0].cells.iter().zip(&self.leaves);
        let kept: Vec<CellPlace> =
            leaves.filter(|(_, leaf)| !leaf.tiles.is_empty()).map(|(cell, _)| cell.place).collect();
        if kept.len() < self.leaves.len() {
            self.set_cells(&kept);
        }
    }

    /// Sets the cells of the lowest level, and with them those of the other levels. Cells that exist already keep their
    /// data.
    fn set_cells(&mut self, places: &[CellPlace]) {
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
            let above = |place: CellPlace| cell_place(place, SIDES[level] / SIDES[0]);
            let mut wanted: Vec<CellPlace> = places.iter().map(|&place| above(place)).collect();
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

    /// Returns whether a cell of the lowest level has these links.
    pub(super) fn lists(&self, leaf: u32, LeafLinks { exits, entries }: &LeafLinks) -> bool {
        let cell = &self.levels[0].cells[leaf as usize];
        let are_same = |known: &[u32], links: &[Crossing]| {
            let known = known.iter().map(|&at| self.crossings[at as usize].key());
            known.eq(links.iter().map(Crossing::key))
        };
        are_same(&cell.exits, exits) && are_same(&cell.entries, entries)
    }

    /// Replaces the data of cells of the lowest level.
    fn take(&mut self, records: impl Iterator<Item = (usize, Record)>) -> ChangedCells {
        let mut changes = ChangedCells::default();
        for (leaf, Record { links, inside }) in records {
            let place = self.levels[0].cells[leaf].place;
            if !self.lists(index(leaf), &links) {
                changes.links.push(place);
            }
            let LeafLinks { exits, entries } = links;
            let cell = &mut self.levels[0].cells[leaf];
            let known = [&mut cell.exits, &mut cell.entries].map(std::mem::take);
            let exits = self.numbers_of(&known[0], exits);
            let entries = self.numbers_of(&known[1], entries);
            let (cell, leaf) = (&mut self.levels[0].cells[leaf], &mut self.leaves[leaf]);
            (cell.exits, cell.entries) = (exits, entries);
            (leaf.is_waiting, leaf.has_changed_inside) = (false, false);
            let Some(Inside { costs, clusters }) = inside else { continue };
            if cell.costs != costs {
                changes.costs.push(place);
            }
            (cell.costs, leaf.clusters) = (costs, clusters);
        }
        changes
    }

    /// Joins cells of the lowest level with those around them, and updates the cells that contain them. `due` are the
    /// places of cells that were computed or removed. Returns the number of cells above the lowest level that were
    /// computed: those in which no cost and no link has changed are not.
    fn join(&mut self, due: &[CellPlace], changes: ChangedCells) -> usize {
        let mut relinked = self.places_around(&changes.links);
        for &place in &relinked {
            if let Some(leaf) = find(&self.levels[0].cells, place) {
                self.join_entries(leaf);
            }
        }
        if self.has_many_unused() {
            self.drop_unused();
        }
        relinked.extend(&changes.links);
        let around = [&self.places_around(due), due].concat();
        let mut changed = [changes.links, changes.costs].concat();
        let mut n_cells = 0;
        for level in 1..N_LEVELS {
            for cell in self.enclosing(&changed, level) {
                self.levels[level].cells[cell].is_stale = true;
            }
            for cell in self.enclosing(&relinked, level) {
                self.list_links(level, cell);
            }
            if level == LARGEST {
                break;
            }
            let mut stale = self.enclosing(&around, level);
            stale.retain(|&cell| self.levels[level].cells[cell].is_stale);
            let (waiting, due): (Vec<usize>, Vec<usize>) =
                stale.into_iter().partition(|&cell| self.has_waiting(level, cell));
            n_cells += due.len();
            let computed = self.compute(level, &self.affordable(level, due));
            changed.clear();
            changed
                .extend(waiting.iter().chain(&computed).map(|&cell| self.extent(level, cell)[0]));
        }
        n_cells
    }

    /// Returns the places of the cells of the lowest level at some places and around them, in order.
    fn places_around(&self, places: &[CellPlace]) -> Vec<CellPlace> {
        let cells = &self.levels[0].cells;
        let around = places.iter().flat_map(|&place| self.cells_around(place));
        let mut around: Vec<CellPlace> = around.map(|leaf| cells[leaf].place).collect();
        around.sort_unstable();
        around.dedup();
        around
    }

    /// Returns the numbers of the links of a cell: those that they have in `known`, or new ones.
    fn numbers_of(&mut self, known: &[u32], links: Vec<Crossing>) -> Vec<u32> {
        let mut known = self.existing(known).into_iter().peekable();
        let mut numbers = Vec::with_capacity(links.len());
        for link in links {
            let same = self.next_same(&mut known, &link);
            numbers.push(same.unwrap_or_else(|| index(self.crossings.len())));
            if same.is_none() {
                self.crossings.push(link);
            }
        }
        numbers
    }

    /// Returns the links whose cells both exist, in order.
    fn existing(&self, links: &[u32]) -> Vec<u32> {
        let exists = |&link: &u32| {
            let Crossing { leaves, enters, .. } = self.crossings[link as usize];
            leaves != NONE && enters != NONE
        };
        links.iter().copied().filter(exists).collect()
    }

    /// Skips the links that come before `link`, and returns the next one if it is the same.
    fn next_same(
        &self,
        links: &mut Peekable<impl Iterator<Item = u32>>,
        link: &Crossing,
    ) -> Option<u32> {
        let key = |at: u32| self.crossings[at as usize].key();
        while links.next_if(|&at| key(at) < link.key()).is_some() {}
        links.next_if(|&at| key(at) == link.key())
    }

    /// Finds the links into a cell among the exits of the cells around it.
    fn join_entries(&mut self, leaf: usize) {
        let enters = index(leaf);
        let mut entries = std::mem::take(&mut self.levels[0].cells[leaf].entries);
        let around = self.cells_around(self.levels[0].cells[leaf].place);
        let exits = around.flat_map(|from| &self.levels[0].cells[from].exits).copied();
        let exits: Vec<u32> =
            exits.filter(|&exit| self.crossings[exit as usize].enters == enters).collect();
        for &link in exits.iter().chain(&entries) {
            self.crossings[link as usize].row = NONE;
        }
        let mut exits = exits.into_iter().peekable();
        for (row, entry) in (0..).zip(&mut entries) {
            let link = self.crossings[*entry as usize];
            if link.leaves != NONE
                && let Some(exit) = self.next_same(&mut exits, &link)
            {
                self.crossings[exit as usize].row = row;
                *entry = exit;
            }
        }
        self.levels[0].cells[leaf].entries = entries;
    }

    /// Returns the cells of a level that contain places of cells of the lowest level.
    fn enclosing(&self, places: &[CellPlace], level: usize) -> Vec<usize> {
        let above = |&place: &CellPlace| cell_place(place, SIDES[level] / SIDES[0]);
        let mut places: Vec<CellPlace> = places.iter().map(above).collect();
        places.sort_unstable();
        places.dedup();
        places.into_iter().filter_map(|place| find(&self.levels[level].cells, place)).collect()
    }

    /// Returns the places of the cells of the lowest level in a cell: the first and the last.
    pub(super) fn extent(&self, level: usize, cell: usize) -> [CellPlace; 2] {
        let ratio = SIDES[level] / SIDES[0];
        let min = self.levels[level].cells[cell].place.map(|along| along.saturating_mul(ratio));
        [min, min.map(|along| along.saturating_add(ratio - 1))]
    }

    /// Returns whether cells of the lowest level in a cell, or next to it, wait for tiles.
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
        if (&cell.entries, &cell.exits) != (&entries, &exits) {
            (cell.entries, cell.exits, cell.is_stale) = (entries, exits, true);
            cell.costs = CostMatrix::default();
        }
    }

    /// Returns whether at least a third of the crossings are not listed by any cell. Nearly all others are listed
    /// twice.
    fn has_many_unused(&self) -> bool {
        let n_listed = |cell: &Cell| cell.exits.len() + cell.entries.len();
        4 * self.crossings.len() > 3 * self.levels[0].cells.iter().map(n_listed).sum::<usize>()
    }

    /// Renumbers the crossings without those that no cell lists. Crossings that enter the same cell get numbers side by
    /// side, first those between the largest cells, so that a search reads few parts of memory.
    fn drop_unused(&mut self) {
        let leaves = &self.levels[0].cells;
        let mut kept: Vec<u32> = leaves
            .iter()
            .flat_map(|cell| cell.exits.iter().chain(&cell.entries))
            .copied()
            .collect();
        kept.sort_unstable();
        kept.dedup();
        kept.sort_by_cached_key(|&at| self.rank(&self.crossings[at as usize]));
        let mut numbers = vec![NONE; self.crossings.len()];
        (0..).zip(&kept).for_each(|(number, &at)| numbers[at as usize] = number);
        self.crossings = kept.iter().map(|&at| self.crossings[at as usize]).collect();
        for cell in self.levels.iter_mut().flat_map(|level| &mut level.cells) {
            for at in cell.exits.iter_mut().chain(&mut cell.entries) {
                *at = numbers[*at as usize];
            }
        }
    }

    /// Returns the position of a crossing in the order of numbers: by the level of the largest cells that it connects,
    /// the cell that it enters, and the cell of the lowest level.
    fn rank(&self, crossing: &Crossing) -> impl Ord + use<> {
        let Crossing { leaves, enters, .. } = *crossing;
        let [from, to] = [leaves, enters].map(|leaf| self.ancestors.get(leaf as usize));
        let level = from.zip(to).map_or(0, |(from, to)| {
            (0..N_LEVELS).rev().find(|&level| from[level] != to[level]).unwrap_or(0)
        });
        (Reverse(level), to.map(|to| to[level]), enters)
    }

    /// Returns the cells whose costs can be computed within the limits. Instead of the others, searches use the smaller
    /// cells in them.
    fn affordable(&self, level: usize, mut due: Vec<usize>) -> Vec<usize> {
        let cells = &self.levels[level].cells;
        let mut n_left = max_pairs(self.levels[0].cells.iter().map(|cell| cell.exits.len()).sum());
        let known = cells.iter().filter(|cell| !cell.is_stale);
        n_left = n_left.saturating_sub(known.map(Cell::n_pairs).sum());
        due.retain(|&at| {
            let [min, max] = self.extent(level, at);
            let mut parts: Vec<_> =
                self.cells_between(min, max).map(|leaf| self.part_below(level, leaf)).collect();
            parts.sort_unstable();
            parts.dedup();
            let inside =
                parts.iter().map(|&(level, part)| &self.levels[level].cells[part as usize]);
            let n_inside: u64 = inside.map(Cell::n_pairs).sum();
            let n_compared = n_inside.saturating_mul(cells[at].entries.len() as u64);
            let left = n_left.checked_sub(cells[at].n_pairs());
            n_left = left.filter(|_| n_compared <= MAX_COMPARED).unwrap_or(n_left);
            left.is_some() && n_compared <= MAX_COMPARED
        });
        due
    }

    /// Computes the costs of cells above the lowest level. Returns the cells whose costs have changed.
    fn compute(&mut self, level: usize, due: &[usize]) -> Vec<usize> {
        let n_entries = |cell: usize| self.levels[level].cells[cell].entries.len();
        let n_steps = due.len() * side_by_side::MANY;
        let graphs = side_by_side::each(due, n_steps, |&cell| CellGraph::new(self, level, cell));
        let pieces: Vec<(usize, Range<usize>)> = (0..due.len())
            .flat_map(|at| pieces_of(n_entries(due[at])).map(move |entries| (at, entries)))
            .collect();
        let n_steps = pieces.len() * side_by_side::MANY;
        let rows = side_by_side::each(&pieces, n_steps, |(at, entries)| {
            graphs[*at].costs(entries.clone())
        });
        drop(graphs);
        let mut rows = pieces.into_iter().zip(rows).peekable();
        let mut changed = Vec::new();
        for (at, &number) in due.iter().enumerate() {
            let mut costs = Vec::new();
            while let Some((_, more)) = rows.next_if(|((cell, _), _)| *cell == at) {
                costs.extend(more);
            }
            let cell = &mut self.levels[level].cells[number];
            let costs = CostMatrix::new(cell.exits.len(), &costs);
            cell.is_stale = false;
            if cell.costs != costs {
                cell.costs = costs;
                changed.push(number);
            }
        }
        changed
    }

    /// Takes over cells that were read from a file: those of the lowest level, and the costs of the others by level.
    pub(super) fn take_read(
        &mut self,
        leaves: Vec<ReadLeaf>,
        levels: Vec<Vec<ReadCosts>>,
    ) -> Result<(), &'static str> {
        let places: Vec<CellPlace> = leaves.iter().map(|(place, ..)| *place).collect();
        self.set_cells(&places);
        let (known, records): (Vec<Leaf>, Vec<Record>) =
            leaves.into_iter().map(|(_, leaf, record)| (leaf, record)).unzip();
        self.take(records.into_iter().enumerate());
        (0..places.len()).for_each(|leaf| self.join_entries(leaf));
        self.drop_unused();
        for (leaf, known) in self.leaves.iter_mut().zip(known) {
            (leaf.tiles, leaf.is_waiting) = (known.tiles, known.is_waiting);
            leaf.has_changed_inside = known.has_changed_inside;
        }
        for (level, known) in (1..).zip(levels) {
            for (at, costs) in known.into_iter().enumerate() {
                self.list_links(level, at);
                let cell = &mut self.levels[level].cells[at];
                cell.is_stale = costs.is_none();
                let Some(costs) = costs else { continue };
                if costs.len() != cell.entries.len() * cell.exits.len() {
                    return Err("a cell has another number of costs");
                }
                cell.costs = CostMatrix::new(cell.exits.len(), &costs);
            }
        }
        Ok(())
    }
}

/// Returns the maximum number of costs on a level of an overlay with these links.
fn max_pairs(n_links: usize) -> u64 {
    MAX_PAIRS.max(MAX_PAIRS_PER_LINK.saturating_mul(n_links as u64))
}

/// Divides the entries of a cell into pieces.
fn pieces_of(n_entries: usize) -> impl Iterator<Item = Range<usize>> {
    (0..n_entries).step_by(PIECE).map(move |first| first..n_entries.min(first + PIECE))
}

/// Returns the places of the cells of the lowest level that contain tiles or are next to them.
fn cells_near(tiles: &[TilePlace]) -> Vec<CellPlace> {
    let mut places = Vec::new();
    for tile in tiles {
        for x in [-1, 0, 1].map(|by| tile.x.saturating_add(by)) {
            places
                .extend([-1, 0, 1].map(|by| cell_place([x, tile.z.saturating_add(by)], SIDES[0])));
        }
    }
    places.sort_unstable();
    places.dedup();
    places
}

/// Returns whether all tiles in a cell of the lowest level and next to it are loaded.
fn has_all(mesh: &NavMesh, place: CellPlace) -> bool {
    let first = place.map(|along| along.saturating_mul(SIDES[0]));
    let min = first.map(|along| along.saturating_sub(1));
    mesh.has_all_in(min, first.map(|along| along.saturating_add(SIDES[0])))
}

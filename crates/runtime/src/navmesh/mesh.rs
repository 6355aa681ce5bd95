use std::sync::{Arc, OnceLock};

use glam::Vec3;

use super::{
    NavMeshError, NavMeshParams, PolyRef, RefLayout, RefWidth, Tile, TilePlace,
    graph::Graph,
    link::{Link, PolyLink, index_u32},
    live_tile::LiveTile,
    outline::Outlines,
    places::Places,
    poly_ref::bits_for,
    revision::Revision,
    seams::Seams,
    slots::{SlotName, Slots},
    world::World,
};
use crate::{
    geom::{Aabb, MAX_COORDINATE, in_range},
    ids::{AreaId, TileCoord},
};

/// A polygon, by the navmesh's internal tile number. Valid until a tile is added or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PolyAt {
    pub(crate) tile: u32,
    pub(crate) poly: u32,
}

/// Linked tiles in a grid.
///
/// A navmesh holds tiles by [`Arc`]; a clone shares them, so that one thread may query a clone while another replaces
/// tiles.
///
/// The first raycast or nearest-point query prepares all polygons for such queries, with 128 bytes each, and the first
/// search computes the portals, with 24 bytes per link; tiles added later are prepared immediately.
#[derive(Clone, Debug)]
pub struct NavMesh {
    params: NavMeshParams,
    layout: RefLayout,
    width: RefWidth,
    slots: Slots,
    places: Places,
    tiles: Vec<Option<LiveTile>>,
    /// Indices of empty entries in `tiles`.
    vacant: Vec<u32>,
    /// Number of polygons of all tiles.
    n_polys: u64,
    graph: Graph,
    pub(super) outlines: Outlines,
    /// The tiles of the world, if it is known that some may not be loaded.
    pub(crate) world: Option<World>,
    /// Changes when tiles are added or removed.
    structure: Revision,
    /// Changes with the tiles and with flags and areas.
    state: Revision,
}

impl NavMesh {
    /// Creates an empty navmesh with 32-bit references.
    ///
    /// # Errors
    /// Returns a [`NavMeshError`] if the numbers of tiles and polygons do not fit in a reference.
    pub fn new(params: NavMeshParams) -> Result<Self, NavMeshError> {
        Self::with_width(params, RefWidth::Bits32)
    }

    /// Creates an empty navmesh with references of the given width.
    ///
    /// # Errors
    /// Returns a [`NavMeshError`] if the numbers of tiles and polygons do not fit in a reference, or if positions or
    /// sizes are not finite.
    pub fn with_width(params: NavMeshParams, width: RefWidth) -> Result<Self, NavMeshError> {
        let layout = RefLayout::for_params(&params, width)?;
        if !in_range(params.origin) {
            return Err(NavMeshError::BadParameter { what: "the origin" });
        }
        for (what, size) in
            [("the tile width", params.tile_width), ("the tile height", params.tile_height)]
        {
            if !(0.0..=MAX_COORDINATE).contains(&size) || size <= 0.0 {
                return Err(NavMeshError::BadParameter { what });
            }
        }
        Ok(Self {
            params,
            layout,
            width,
            slots: Slots::new(params.max_tiles, layout.max_salt()),
            places: Places::default(),
            tiles: Vec::new(),
            vacant: Vec::new(),
            n_polys: 0,
            graph: Graph::default(),
            outlines: Outlines::default(),
            world: None,
            structure: Revision::default(),
            state: Revision::default(),
        })
    }

    /// Returns the parameters of the tile grid.
    pub fn params(&self) -> &NavMeshParams {
        &self.params
    }

    /// Returns the layout of the bits in a reference.
    pub fn layout(&self) -> RefLayout {
        self.layout
    }

    /// Returns the width of a reference in a file.
    pub fn width(&self) -> RefWidth {
        self.width
    }

    /// Adds a tile and links it to its neighbors. It gets the slot of the tile that was removed last, else the next
    /// unused one.
    ///
    /// # Errors
    /// Returns a [`NavMeshError`] if the tile is invalid, its position is occupied, or the navmesh is full.
    pub fn add_tile(&mut self, tile: Arc<Tile>) -> Result<(), NavMeshError> {
        check_sound(&tile)?;
        let mut seams = Seams::new();
        self.insert(tile, None, &mut seams)?;
        self.settle(&seams);
        Ok(())
    }

    /// Reserves capacity for this many more tiles and polygons.
    pub(super) fn reserve(&mut self, n_tiles: usize, n_polys: usize) {
        self.tiles.reserve(n_tiles);
        self.graph.reserve_polys(n_polys);
    }

    /// Adds a valid tile without adding its links to the graph, which [`NavMesh::settle`] must do afterwards, for
    /// several tiles together. A tile with a `name` gets that slot and salt. After an error, `seams` is
    /// of no more use.
    pub(super) fn insert(
        &mut self,
        tile: Arc<Tile>,
        name: Option<SlotName>,
        seams: &mut Seams,
    ) -> Result<(), NavMeshError> {
        self.check(&tile, seams)?;
        let id = match self.vacant.last() {
            Some(&id) => id,
            None => u32::try_from(self.tiles.len()).map_err(|_too_many| self.full())?,
        };
        let name = match name {
            None => self.slots.take_next(id).ok_or_else(|| self.full())?,
            Some(name) if self.slots.take(name, id) => name,
            Some(SlotName { number, salt }) => return Err(NavMeshError::BadSlot { number, salt }),
        };
        let Some(base) = self.layout.base(name.number, name.salt) else {
            let SlotName { number, salt } = name;
            self.slots.release(number);
            return Err(NavMeshError::BadSlot { number, salt });
        };
        let (x, z, layer) = (tile.header.x, tile.header.z, tile.header.layer);
        let live = LiveTile {
            first_node: 0,
            n_polys: tile.n_polys(),
            n_links: 0,
            n_refused_links: 0,
            starts: Vec::new(),
            open_vertices: OnceLock::new(),
            number: name.number,
            base,
            tile,
        };
        self.places.insert(x, z, id);
        self.n_polys += live.tile.polys.len() as u64;
        if self.vacant.pop().is_some() {
            self.tiles[id as usize] = Some(live);
        } else {
            self.tiles.push(Some(live));
        }
        self.number_nodes(id);
        self.connect(id, seams);
        if seams.is_exhausted {
            // Only some of its links exist.
            self.settle(seams);
            self.remove(id);
            return Err(NavMeshError::TooMuchWork { x, z, layer });
        }
        Ok(())
    }

    fn full(&self) -> NavMeshError {
        NavMeshError::Full { max_tiles: self.params.max_tiles }
    }

    pub(super) fn places_mut(&mut self) -> &mut Places {
        &mut self.places
    }

    pub(super) fn slots_mut(&mut self) -> &mut Slots {
        &mut self.slots
    }

    fn check(&self, tile: &Tile, seams: &mut Seams) -> Result<(), NavMeshError> {
        let (x, z, layer) = (tile.header.x, tile.header.z, tile.header.layer);
        let found = tile.polys.len();
        let needed = u32::try_from(found).map_or(u32::BITS, bits_for);
        if needed > self.layout.poly_bits {
            let limit = 1 << self.layout.poly_bits;
            return Err(NavMeshError::TooManyPolys { x, z, layer, found, limit });
        }
        let is_same = |id| self.live(id).tile.header.layer == layer;
        if !seams.next_is_distinct() && self.places.at(x, z).any(is_same) {
            return Err(NavMeshError::Occupied { x, z, layer });
        }
        Ok(())
    }

    /// Assigns numbers to the polygons of a new tile. Removed tiles leave gaps; once these outnumber the polygons in
    /// use, all are renumbered.
    fn number_nodes(&mut self, id: u32) {
        let next = index_u32(self.graph.len());
        let n = self.live(id).n_polys;
        if u64::from(next) + u64::from(n) <= 2 * self.n_polys {
            self.live_mut(id).first_node = next;
        } else {
            let mut next = 0;
            for tile in self.tiles.iter_mut().flatten() {
                tile.first_node = next;
                next = next.saturating_add(tile.n_polys);
            }
            let Self { tiles, graph, .. } = self;
            let first_of = |id: u32| tiles[id as usize].as_ref().map_or(0, |live| live.first_node);
            self.outlines.clear();
            graph.renumber(next as usize, first_of);
        }
        let Self { tiles, graph, .. } = self;
        if let Some(live) = &tiles[id as usize] {
            graph.add(id, live);
        }
    }

    /// Records that tiles were added or removed.
    pub(super) fn note_structure(&mut self) {
        self.structure.change();
        self.state.change();
    }

    /// Removes the tiles of all layers at `coord`; returns `false` if there were none.
    pub fn remove_tiles_at(&mut self, coord: TileCoord) -> bool {
        let [Ok(x), Ok(z)] = [coord.x, coord.z].map(i32::try_from) else { return false };
        let ids: Vec<u32> = self.places.at(x, z).collect();
        for &id in &ids {
            self.remove(id);
        }
        !ids.is_empty()
    }

    pub(super) fn remove(&mut self, id: u32) {
        let live = self.live(id);
        let (x, z, number) = (live.tile.header.x, live.tile.header.z, live.number);
        let gone = live.numbers();
        self.n_polys -= live.tile.polys.len() as u64;
        self.places.remove(x, z, id);
        for neighbor in self.around(x, z) {
            let numbers = self.live(neighbor).numbers();
            self.live_mut(neighbor).n_links -= self.graph.remove_links(numbers, &gone);
            self.outline(neighbor);
        }
        self.graph.clear(gone);
        self.tiles[id as usize] = None;
        self.note_structure();
        self.vacant.push(id);
        self.slots.release(number);
    }

    /// Returns the tiles at a coordinate and at the eight around it.
    fn around(&self, x: i32, z: i32) -> Vec<u32> {
        let mut found: Vec<u32> = self.places.at(x, z).collect();
        for side in 0..8 {
            found.extend(self.neighbors(x, z, side));
        }
        found
    }

    /// Returns the tiles at the neighbor coordinate on this side, newest first.
    pub(super) fn neighbors(&self, x: i32, z: i32, side: u8) -> impl Iterator<Item = u32> {
        const STEPS: [[i32; 2]; 8] =
            [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];
        let [dx, dz] = STEPS[usize::from(side & 7)];
        let place = x.checked_add(dx).zip(z.checked_add(dz));
        place.into_iter().flat_map(|(x, z)| self.places.at(x, z))
    }

    /// Returns the tiles at a coordinate, newest first.
    pub(super) fn layers(&self, x: i32, z: i32) -> impl Iterator<Item = u32> {
        self.places.at(x, z)
    }

    /// Returns the internal number of the tile with this slot and salt.
    pub(super) fn find_slot(&self, name: SlotName) -> Option<u32> {
        self.slots.find(name)
    }

    /// Returns the internal number of the tile in a slot.
    pub(super) fn in_slot(&self, slot: u32) -> Option<u32> {
        self.slots.tile(slot)
    }

    /// Records that flags or areas are about to change.
    pub(super) fn note_change(&mut self) {
        self.state.change();
    }

    /// Returns the tile with this internal number.
    pub(crate) fn live(&self, id: u32) -> &LiveTile {
        self.tiles[id as usize].as_ref().expect("links and places name tiles that are in the mesh")
    }

    pub(super) fn live_mut(&mut self, id: u32) -> &mut LiveTile {
        self.tiles[id as usize].as_mut().expect("links and places name tiles that are in the mesh")
    }

    /// Returns the tile in a slot.
    pub(super) fn live_in_slot(&self, slot: u32) -> Option<&LiveTile> {
        self.slots.tile(slot).map(|id| self.live(id))
    }

    /// Computes what the first query would compute otherwise: the outlines and portals of all polygons. They are updated
    /// when tiles are added or removed.
    pub fn prepare_queries(&self) {
        self.outlines();
        self.portals();
    }

    /// Returns whether a query or [`NavMesh::prepare_queries`] has computed outlines and portals.
    pub fn is_prepared(&self) -> bool {
        self.outlines.0.get().is_some() && self.graph.has_portals()
    }

    /// Tiles by slot.
    pub(crate) fn live_tiles(&self) -> impl Iterator<Item = &LiveTile> {
        self.slots.tiles().map(|id| self.live(id))
    }

    /// Returns the internal numbers of the tiles in a column and row.
    pub(crate) fn ids_at(&self, x: i32, z: i32) -> impl Iterator<Item = u32> {
        self.places.at(x, z)
    }

    /// Returns the revision of the tiles. Internal numbers are valid until it changes.
    pub(crate) fn structure(&self) -> &Revision {
        &self.structure
    }

    /// Returns the revision of the tiles, flags and areas.
    pub(crate) fn state(&self) -> &Revision {
        &self.state
    }

    /// Returns the graph of all polygons and links.
    pub(crate) fn graph(&self) -> &Graph {
        &self.graph
    }

    pub(super) fn graph_mut(&mut self) -> &mut Graph {
        &mut self.graph
    }

    /// Returns the number of a polygon in the [`Graph`].
    pub(crate) fn number_of(&self, at: PolyAt) -> u32 {
        self.live(at.tile).first_node + at.poly
    }

    /// Returns the polygon with a number of the [`Graph`].
    pub(crate) fn at(&self, number: u32) -> PolyAt {
        let poly = self.graph.poly(number);
        PolyAt { tile: poly.tile, poly: poly.poly }
    }

    /// Returns the reference to the polygon with a number of the [`Graph`].
    pub(crate) fn ref_of(&self, number: u32) -> PolyRef {
        self.graph.name(number)
    }

    /// Returns the links from a polygon.
    pub(crate) fn links_of(&self, at: PolyAt) -> &[Link] {
        self.graph.links(self.number_of(at))
    }

    /// Returns the length of a list with an entry for each polygon of the navmesh.
    pub(crate) fn n_nodes(&self) -> usize {
        self.graph.len()
    }

    /// Calls `visit` with the tiles under a box, by row, then column, newest first.
    pub(crate) fn for_each_tile_in(&self, bounds: &Aabb, visit: impl FnMut(u32)) {
        self.places.for_each_in(self.place_of(bounds.min), self.place_of(bounds.max), visit);
    }

    /// Returns the column and row of the tile that contains a point.
    pub(crate) fn place_of(&self, point: Vec3) -> [i32; 2] {
        let offset = point - self.params.origin;
        [offset.x / self.params.tile_width, offset.z / self.params.tile_height].map(floor)
    }

    /// Returns all tiles, by slot.
    pub fn tiles(&self) -> impl Iterator<Item = &Tile> {
        self.live_tiles().map(|live| &*live.tile)
    }

    /// Returns all tiles by slot, each with its slot.
    pub fn slots(&self) -> impl Iterator<Item = (usize, &Arc<Tile>)> {
        self.live_tiles().map(|live| (live.number as usize, &live.tile))
    }

    /// Returns the tiles by row, column and layer.
    pub fn tiles_by_place(&self) -> Vec<Arc<Tile>> {
        let mut tiles: Vec<_> = self.live_tiles().map(|live| Arc::clone(&live.tile)).collect();
        tiles.sort_by_key(|tile| TilePlace::of(tile));
        tiles
    }

    /// Returns whether slots and salts are those of an empty mesh to which the tiles were added in the order of
    /// [`NavMesh::tiles_by_place`].
    pub fn is_by_place(&self) -> bool {
        let mut last = None;
        self.live_tiles().zip(0..).all(|(live, slot)| {
            let place = TilePlace::of(&live.tile);
            let follows = last.replace(place).is_none_or(|last| last < place);
            follows && self.layout.base(slot, 1) == Some(live.poly_ref(0).0)
        })
    }

    /// Returns the tile and polygon index of `poly`; `None` if the reference is stale.
    pub fn resolve(&self, poly: PolyRef) -> Option<(&Tile, usize)> {
        let at = self.locate(poly)?;
        Some((&self.live(at.tile).tile, at.poly as usize))
    }

    /// Returns the internal position of `poly`; `None` if the reference is stale.
    pub(crate) fn locate(&self, poly: PolyRef) -> Option<PolyAt> {
        let parts = self.layout.parts(poly.0.get())?;
        let tile = self.slots.find(SlotName { number: parts.slot, salt: parts.salt })?;
        let is_there = parts.poly < self.live(tile).n_polys;
        is_there.then_some(PolyAt { tile, poly: parts.poly })
    }

    /// Returns the number of `poly` in the [`Graph`]; `None` if the reference is stale.
    #[inline]
    pub(crate) fn number(&self, poly: PolyRef) -> Option<u32> {
        let parts = self.layout.parts(poly.0.get())?;
        let tile = self.slots.find(SlotName { number: parts.slot, salt: parts.salt })?;
        let live = self.tiles.get(tile as usize)?.as_ref()?;
        (parts.poly < live.n_polys).then(|| live.first_node + parts.poly)
    }

    /// Returns the polygon with index `poly` of the tile in slot `slot`.
    pub fn poly_ref(&self, slot: usize, poly: usize) -> Option<PolyRef> {
        let live = self.live(self.slots.tile(u32::try_from(slot).ok()?)?);
        let poly = (poly < live.tile.polys.len()).then_some(poly)?;
        Some(live.poly_ref(u32::try_from(poly).ok()?))
    }

    /// Returns the links from a polygon to its neighbors, in the order in which searches follow them; empty if the
    /// reference is stale.
    pub fn links(&self, poly: PolyRef) -> impl Iterator<Item = PolyLink> {
        let number = self.locate(poly).map(|at| self.number_of(at));
        let links = number.map_or(&[][..], |number| self.graph.links(number));
        let portals = number.map_or(&[][..], |number| self.portals().of(number));
        links.iter().zip(portals).map(|(link, &portal)| PolyLink {
            to: self.ref_of(link.to),
            edge: link.edge,
            side: link.side,
            limits: link.limits,
            portal,
        })
    }

    /// Sets the flags of a polygon; returns `false` if the reference is stale. Links stay unchanged.
    pub fn set_flags(&mut self, poly: PolyRef, flags: u16) -> bool {
        self.change_poly(poly, |poly| poly.flags = flags)
    }

    /// Sets the area of a polygon, 0 to 63; returns `false` if the reference is stale or the area is out of range.
    pub fn set_area(&mut self, poly: PolyRef, area: AreaId) -> bool {
        usize::from(area.0) < AreaId::COUNT && self.change_poly(poly, |poly| poly.area = area)
    }

    fn change_poly(&mut self, poly: PolyRef, change: impl FnOnce(&mut super::Poly)) -> bool {
        let Some(at) = self.locate(poly) else { return false };
        self.note_change();
        let live = self.live_mut(at.tile);
        change(&mut Arc::make_mut(&mut live.tile).polys[at.poly as usize]);
        self.refresh(at.tile);
        true
    }

    /// Updates the graph after changes to flags and areas of a tile.
    pub(super) fn refresh(&mut self, id: u32) {
        let live = self.live(id);
        let (first, tile) = (live.first_node, Arc::clone(&live.tile));
        self.graph.refresh(first, &tile);
    }

    /// Returns the bounds of all tiles; [`Aabb::EMPTY`] if there are none.
    pub fn bounds(&self) -> Aabb {
        Aabb::around(self.tiles().flat_map(|tile| [tile.header.bounds.min, tile.header.bounds.max]))
    }
}

/// Checks that a tile is valid.
pub(super) fn check_sound(tile: &Tile) -> Result<(), NavMeshError> {
    let (x, z, layer) = (tile.header.x, tile.header.z, tile.header.layer);
    tile.validate().map_err(|error| NavMeshError::Unsound { x, z, layer, error })
}

#[expect(clippy::cast_possible_truncation, reason = "stops at the ends of the range")]
fn floor(place: f32) -> i32 {
    let toward_zero = place as i32;
    #[expect(clippy::cast_precision_loss, reason = "what was just rounded is as exact")]
    let is_above = toward_zero as f32 > place;
    toward_zero.saturating_sub(i32::from(is_above))
}

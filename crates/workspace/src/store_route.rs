//! Routes across tile stores that are larger than memory, for the window and for `walkable path --route`.

use std::{
    collections::BTreeSet,
    io::{Read, Seek},
    num::NonZeroU64,
    sync::Arc,
};

use glam::Vec3;
use walkable::{
    debug_draw::{DrawList, Line, Paint},
    diagnostic::{Code, Diagnostic, Finding, FindingList},
    geom::Aabb,
    monitor::{Cancelled, Monitor},
    navmesh::{NavMesh, PolyRef, RefLayout, TilePlace},
    query::{
        Filter, MeshPoint, NavPath, NearestRequest, PathRequest, Route, RouteOverlay, RouteRequest,
        Scratch, StraightPathRequest, WhyNot, check_ends, find_route, nearest, route_corridor,
        straight_path,
    },
    store::{StoreError, TileStore},
};

use crate::path_terms::PathTerms;

/// Reads all tiles, and returns the places and errors of the damaged ones.
pub fn damaged_tiles(
    store: &TileStore,
    file: &mut (impl Read + Seek),
    monitor: &dyn Monitor,
) -> Result<Vec<(TilePlace, StoreError)>, Cancelled> {
    let mut damaged = Vec::new();
    for entry in store.ground_entries() {
        monitor.check()?;
        damaged.extend(store.sound_tile(entry, file).err().map(|error| (entry.place, error)));
    }
    Ok(damaged)
}

pub fn damage_warnings(damaged: &[(TilePlace, StoreError)]) -> Vec<Diagnostic> {
    let mut list = FindingList::default();
    for (_, error) in damaged {
        list.add_with(Code::TileDamaged, || {
            Finding::TileDamaged { reason: error.to_string() }.into()
        });
    }
    list.into_diagnostics()
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorldRoute {
    /// Why there is no route; `None` if there is one.
    pub why: Option<WhyNot>,
    pub ends: [Option<MeshPoint>; 2],
    /// Ends that were moved farther than the agent reaches.
    pub warnings: Vec<Diagnostic>,
    /// The polygons of the route, as far as they were read.
    pub corridor: Vec<PolyRef>,
    pub points: Vec<Vec3>,
    /// Index of the point from which the line leads straight from one cell of tiles to the next, because too many tiles
    /// would have to be read; `None` if the whole line lies on the navmesh.
    pub coarse_from: Option<usize>,
    pub length: f32,
    /// The exact cost of the cheapest path.
    pub cost: f32,
    /// The tiles that the line passes, as far as they were read.
    pub tiles: BTreeSet<TilePlace>,
    /// Number of tiles that were read for the line.
    pub n_read: usize,
    pub n_cells: usize,
    /// Number of tiles of the store that are damaged and count as absent.
    pub n_damaged: usize,
}

impl WorldRoute {
    /// Draws the line; the parts that do not lie on the navmesh are dashed.
    pub fn picture(&self) -> DrawList {
        let mut list = DrawList::default();
        let exact = self.coarse_from.map_or(self.points.len(), |from| from + 1);
        for (number, leg) in self.points.windows(2).enumerate() {
            let dashed = number + 1 >= exact;
            list.lines.push(Line { a: leg[0], b: leg[1], paint: Paint::Path, width: 4.0, dashed });
        }
        for (end, paint) in [(self.points.first(), Paint::Start), (self.points.last(), Paint::End)]
        {
            if let Some(end) = end {
                list.point(*end, 16.0, paint);
            }
        }
        list
    }
}

/// Maximum number of tiles that are read to find the ground at an end.
const MAX_AT_END: usize = 256;

/// Tiles of a store that are loaded for routes, and dropped when they take too much memory.
#[derive(Debug)]
pub struct RouteTiles<'a, F> {
    store: &'a TileStore,
    overlay: &'a mut RouteOverlay,
    file: F,
    mesh: NavMesh,
    /// The tiles with ground, by slot.
    places: Vec<TilePlace>,
    n_bytes: u64,
    max_bytes: u64,
    n_read: usize,
    n_damaged: usize,
    /// Maximum number of tiles that are read for the line of a route; unlimited at first.
    pub max_read: usize,
    scratch: Scratch,
}

impl<'a, F: Read + Seek> RouteTiles<'a, F> {
    /// Starts without tiles in memory, and later keeps about `max_bytes` of them. `damaged` tiles count as absent.
    /// `file` is the file of the store. Fails if the parameters of the store are not valid for a navmesh, or if its
    /// tiles have too many links.
    pub fn new(
        store: &'a TileStore,
        damaged: &BTreeSet<TilePlace>,
        overlay: &'a mut RouteOverlay,
        file: F,
        max_bytes: u64,
    ) -> Result<Self, String> {
        let mesh = NavMesh::with_width(*store.params(), store.width());
        let mut mesh = mesh.map_err(|error| error.to_string())?;
        let places: Vec<_> = store.ground_entries().map(|entry| entry.place).collect();
        let sound = places.iter().filter(|place| !damaged.contains(place));
        mesh.set_world(sound.copied().collect());
        overlay.update(&mesh).map_err(|error| error.to_string())?;
        let (n_bytes, n_read, max_read, scratch) = (0, 0, usize::MAX, Scratch::default());
        let n_damaged = damaged.len();
        Ok(Self {
            store,
            overlay,
            file,
            mesh,
            places,
            n_bytes,
            max_bytes,
            n_read,
            n_damaged,
            max_read,
            scratch,
        })
    }

    fn is_full(&self) -> bool {
        self.n_bytes > self.max_bytes
    }

    fn has_read_enough(&self) -> bool {
        self.n_read >= self.max_read
    }

    fn clear(&mut self) {
        let loaded: Vec<TilePlace> = self.mesh.tiles().map(TilePlace::of).collect();
        for place in loaded {
            self.mesh.remove_at(place);
        }
        self.n_bytes = 0;
    }

    fn load(&mut self, places: impl IntoIterator<Item = TilePlace>) -> Result<(), String> {
        for place in places {
            if self.mesh.has_tile(place) {
                continue;
            }
            let Some(entry) = self.store.entry(place) else { continue };
            let tile = self.store.sound_tile(entry, &mut self.file);
            let Some(tile) = tile.map_err(|error| error.to_string())? else { continue };
            self.n_read += 1;
            self.n_bytes += NavMesh::memory_of(&tile);
            let poly = self.first_poly(place).ok_or_else(|| format!("tile {place} is missing"))?;
            let added = self.mesh.add_tile_as(Arc::new(tile), poly);
            added.map_err(|error| error.to_string())?;
        }
        self.overlay.update(&self.mesh).map_err(|error| error.to_string())?;
        Ok(())
    }

    /// Returns the reference to the first polygon of a tile in the navmesh of the whole store.
    fn first_poly(&self, place: TilePlace) -> Option<PolyRef> {
        let slot = self.places.binary_search(&place).ok()? as u64;
        let RefLayout { poly_bits, tile_bits, .. } = self.mesh.layout();
        let salt = 1;
        NonZeroU64::new((salt << (tile_bits + poly_bits)) | (slot << poly_bits)).map(PolyRef)
    }

    /// Loads the tiles around an end, and finds the ground there.
    fn end(
        &mut self,
        at: Vec3,
        terms: &PathTerms,
        [off_mesh, filtered]: [WhyNot; 2],
    ) -> Result<Result<MeshPoint, WhyNot>, String> {
        let half_extents = terms.half_extents;
        let around = Aabb { min: at - half_extents, max: at + half_extents };
        let entries = self.store.entries_in_box(&around).take(MAX_AT_END);
        let places: BTreeSet<TilePlace> =
            entries.flat_map(|entry| self.overlay.tiles_at(entry.place)).collect();
        self.load(places)?;
        let find = |filter: &Filter| {
            let request = NearestRequest { center: at, half_extents, filter };
            nearest(&self.mesh, &request).map_err(|error| error.to_string())
        };
        if let Some(found) = find(&terms.filter)? {
            return Ok(Ok(found));
        }
        Ok(Err(if find(&Filter::default())?.is_some() { filtered } else { off_mesh }))
    }

    /// Finds the route between the ends of a path, and the line along the route. Fails if a tile cannot be read.
    pub fn find(&mut self, terms: &PathTerms, monitor: &dyn Monitor) -> Result<WorldRoute, String> {
        self.n_read = 0;
        if self.is_full() {
            self.clear();
        }
        let mut found = WorldRoute { n_damaged: self.n_damaged, ..WorldRoute::default() };
        let whys = [
            [WhyNot::StartOffMesh, WhyNot::StartFiltered],
            [WhyNot::EndOffMesh, WhyNot::EndFiltered],
        ];
        for (index, (at, whys)) in terms.ends.into_iter().zip(whys).enumerate() {
            match self.end(at, terms, whys)? {
                Ok(end) => found.ends[index] = Some(end),
                Err(why) => {
                    found.why.get_or_insert(why);
                }
            }
        }
        let [start, end] = terms.ends;
        let asked = PathRequest::new(start, end, &terms.filter);
        let [start, end] = found.ends;
        let moved = NavPath { start, end, ..NavPath::unreachable() };
        found.warnings = check_ends(&self.mesh, &asked, &moved);
        if let ([Some(start), Some(end)], None) = (found.ends, found.why) {
            let request = RouteRequest::new(start, end, self.overlay);
            let route = find_route(&self.mesh, &request, &mut self.scratch);
            match route.map_err(|error| error.to_string())? {
                None => found.why = Some(WhyNot::Disconnected),
                Some(route) => self.follow(route, &mut found, monitor)?,
            }
        }
        found.n_read = self.n_read;
        Ok(found)
    }

    fn follow(
        &mut self,
        route: Route,
        found: &mut WorldRoute,
        monitor: &dyn Monitor,
    ) -> Result<(), String> {
        let mut line = LineOf::new(route.start.point);
        (found.cost, found.n_cells) = (route.cost, route.n_cells);
        let mut scratch = std::mem::take(&mut self.scratch);
        let followed = line.follow(self, route, &mut scratch, monitor);
        self.scratch = scratch;
        followed?;
        let LineOf { points, pulled, corridor: _, coarse_from, passed } = line;
        found.length = points.windows(2).map(|leg| leg[0].distance(leg[1])).sum();
        (found.points, found.coarse_from, found.tiles) = (points, coarse_from, passed);
        found.corridor = pulled;
        Ok(())
    }
}

struct LineOf {
    points: Vec<Vec3>,
    /// The polygons up to the last point of `points`.
    pulled: Vec<PolyRef>,
    /// The polygons after it.
    corridor: Vec<PolyRef>,
    coarse_from: Option<usize>,
    passed: BTreeSet<TilePlace>,
}

impl LineOf {
    fn new(start: Vec3) -> Self {
        let (pulled, corridor, passed) = (Vec::new(), Vec::new(), BTreeSet::new());
        Self { points: vec![start], pulled, corridor, coarse_from: None, passed }
    }

    /// Adds the line of the whole route: the shortest one through its corridor, in pieces if the tiles do not fit in memory together.
    fn follow<F: Read + Seek>(
        &mut self,
        tiles: &mut RouteTiles<'_, F>,
        mut route: Route,
        scratch: &mut Scratch,
        monitor: &dyn Monitor,
    ) -> Result<(), String> {
        let (end, mut leg) = (route.end.point, 0);
        while leg < route.n_legs() {
            let legs = route.split(tiles.overlay, leg..leg + 1, scratch);
            let legs = legs.map_err(|error| error.to_string())?;
            leg = legs.end;
            for leg in legs {
                let goal = route.crossings.get(leg).map_or(end, |crossing| crossing.point);
                if tiles.has_read_enough() || monitor.is_cancelled() {
                    self.coarse_from.get_or_insert(self.points.len() - 1);
                    self.points.push(goal);
                    continue;
                }
                tiles.load(route.tiles(tiles.overlay, leg))?;
                let polys =
                    route_corridor(&tiles.mesh, tiles.overlay, &route, leg..leg + 1, scratch);
                self.corridor.extend(polys.map_err(|error| error.to_string())?);
                let is_last = leg + 1 == route.n_legs();
                if is_last || tiles.is_full() || tiles.has_read_enough() {
                    self.pull(&tiles.mesh, goal, scratch)?;
                    if !is_last {
                        tiles.clear();
                    }
                }
            }
        }
        Ok(())
    }

    /// Pulls the line tight through the corridor up to `goal`.
    fn pull(&mut self, mesh: &NavMesh, goal: Vec3, scratch: &mut Scratch) -> Result<(), String> {
        let Some(&start) = self.points.last() else { return Ok(()) };
        let corridor = std::mem::take(&mut self.corridor);
        let tile = |poly: &PolyRef| mesh.tile_poly(*poly).map(|poly| poly.tile);
        self.passed.extend(corridor.iter().filter_map(tile));
        let request = StraightPathRequest::new(start, goal, &corridor);
        let corners = straight_path(mesh, &request, scratch).map_err(|error| error.to_string())?;
        self.points.extend(corners.into_iter().skip(1).map(|corner| corner.position));
        self.pulled.extend(corridor);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use walkable::{
        bake::{BakeInput, BakeSettings, bake},
        level::{LevelKind, generate},
        monitor::Unmonitored,
        store::store_bytes,
    };

    use super::*;

    #[test]
    fn little_memory_and_few_tiles_change_the_line_but_not_the_cost() {
        let mesh = generate(LevelKind::Terrain, 3, 90.0).unwrap().mesh;
        let settings = BakeSettings { tile_size: 16, cell_size: 0.5, ..BakeSettings::default() };
        let whole = bake(BakeInput::new(mesh.into(), settings), &Unmonitored).unwrap();
        let mut file = Cursor::new(store_bytes(&whole).unwrap());
        let store = TileStore::read(&mut file).unwrap();
        let filter = Filter::default();
        let mut overlay = store.route_overlay(&filter, &mut file).unwrap();
        let bounds = whole.bounds();
        let ends = [bounds.min + Vec3::splat(6.0), bounds.max - Vec3::splat(6.0)];
        let terms = PathTerms { half_extents: Vec3::new(8.0, 50.0, 8.0), ..PathTerms::new(ends) };
        let mut found = |max_bytes, max_read| {
            let none = BTreeSet::new();
            let tiles = RouteTiles::new(&store, &none, &mut overlay, &mut file, max_bytes);
            RouteTiles { max_read, ..tiles.unwrap() }.find(&terms, &Unmonitored).unwrap()
        };
        let free = found(u64::MAX, usize::MAX);
        assert_eq!((free.why, free.coarse_from), (None, None));
        let tight = found(1, usize::MAX);
        assert_eq!((tight.cost, tight.coarse_from), (free.cost, None));
        assert_eq!(tight.points.last(), free.points.last());
        assert!(tight.length >= free.length && tight.length < free.length * 1.1);
        assert_eq!((tight.tiles, &tight.corridor), (free.tiles.clone(), &free.corridor));
        let few = found(1, tight.n_read / 2);
        assert_eq!((few.cost, few.points.last()), (free.cost, free.points.last()));
        assert!(few.coarse_from.is_some_and(|from| from + 1 < few.points.len()));
        assert!(few.n_read < tight.n_read && few.tiles.len() < free.tiles.len());
    }
}

//! Finds routes across tile stores that are larger than memory.

use std::{
    collections::BTreeSet,
    io::{Read, Seek},
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use glam::Vec3;
use walkable::{
    geom::Aabb,
    monitor::Monitor,
    navmesh::{NavMesh, PolyRef, TilePlace},
    query::{
        Filter, MeshPoint, NearestRequest, Route, RouteOverlay, RouteRequest, Scratch,
        StraightPathRequest, WhyNot, find_route, nearest, route_corridor, straight_path,
    },
    store::{OverlayBuilder, TileStore},
};

use super::{
    open_store::sound_tile,
    slot::{JobEvent, JobSlot, JobStep, Reporter, Wake},
};
use crate::{
    files,
    lang::tr,
    session::{NoRoute, OpenStore, PathTerms, RouteQuestion, WorldRoute},
};

/// Maximum number of tiles that are read for the line of a route.
const MAX_READ: usize = 50_000;
/// Maximum number of tiles that are read to find the ground at an end.
const MAX_AT_END: usize = 256;
/// Number of tiles or cells between two messages about the progress.
const STEP: usize = 512;

/// The route to find.
#[derive(Clone, Debug)]
pub struct WorldRouteRequest {
    /// The question.
    pub question: RouteQuestion,
    /// Maximum memory of the overlay, and of the tiles that are loaded for the line, in bytes each.
    pub max_bytes: u64,
}

/// A message of the job.
#[derive(Debug)]
pub enum RouteMessage {
    /// The part of the overlay that is computed, from 0 to 1.
    Progress(f32),
    /// The answer.
    Done(Box<Result<WorldRoute, NoRoute>>),
}

/// Finds one route at a time. Keeps the overlay that it computed last, or began to compute.
#[derive(Debug)]
pub(super) struct WorldRouteJob {
    slot: JobSlot<RouteMessage>,
    kept: Arc<Mutex<Option<Searching>>>,
}

impl WorldRouteJob {
    /// An idle job.
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("route", wake), kept: Arc::default() }
    }

    /// Finds a route; cancels the search in progress.
    pub(super) fn start(&mut self, request: WorldRouteRequest) {
        let kept = Arc::clone(&self.kept);
        let mut has_begun = false;
        self.slot.request_steps(move |report| {
            // Only one job of the slot runs at a time.
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            let begun = match kept.take() {
                Some(searching) if has_begun => Ok(searching),
                before => Searching::new(&request, before),
            };
            has_begun = true;
            match begun.and_then(|searching| searching.step(report)) {
                Ok(Searching::Ready(mut ready)) => {
                    let answer = ready.answer(&request, report);
                    *kept = Some(Searching::Ready(ready));
                    report.send(RouteMessage::Done(Box::new(answer)));
                    JobStep::Done
                }
                Ok(next) => {
                    *kept = Some(next);
                    if report.is_cancelled() { JobStep::Done } else { JobStep::Next }
                }
                Err(why) => {
                    report.send(RouteMessage::Done(Box::new(Err(why))));
                    JobStep::Done
                }
            }
        });
    }

    /// Stops searching. The next search continues with the overlay.
    pub(super) fn cancel(&mut self) {
        self.slot.cancel();
    }

    /// Stops searching and frees the overlay.
    pub(super) fn forget(&mut self) {
        self.slot.cancel();
        self.kept = Arc::default();
    }

    /// Whether a route is being found.
    pub(super) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// Messages since the last poll.
    pub(super) fn poll(&mut self) -> Vec<JobEvent<RouteMessage>> {
        self.slot.poll()
    }
}

/// A store with its overlay for one filter.
#[derive(Debug)]
struct Known {
    path: PathBuf,
    store: TileStore,
    filter: Filter,
    damaged: BTreeSet<TilePlace>,
    overlay: RouteOverlay,
}

/// The way to an answer.
#[derive(Debug)]
enum Searching {
    /// Reads all tiles to find the damaged ones.
    Checking(Box<Checking>),
    /// Computes the overlay cell by cell.
    Building(Box<Checking>, Box<OverlayBuilder>),
    /// The overlay is known.
    Ready(Box<Known>),
}

/// A store whose tiles are being checked.
#[derive(Debug)]
struct Checking {
    path: PathBuf,
    store: TileStore,
    filter: Filter,
    damaged: BTreeSet<TilePlace>,
    next: usize,
    max_bytes: u64,
}

impl Searching {
    /// Begins, or continues with what is kept of the search before, if it is about the same store and filter.
    fn new(request: &WorldRouteRequest, before: Option<Self>) -> Result<Self, NoRoute> {
        let WorldRouteRequest { question, max_bytes } = request;
        let path = question.store.clone();
        if !files::is_file(&path) {
            return Err(NoRoute::NoStore);
        }
        let mut file = files::open(&path).map_err(|error| failed(format!("{error:#}")))?;
        let store = TileStore::read(&mut file)
            .map_err(|error| failed(format!("{}: {error}", path.display())))?;
        if question.hash.is_some_and(|hash| hash != store.hash()) {
            return Err(failed(tr!("{} has changed on disk", path.display())));
        }
        let filter = question.terms.filter.clone();
        let is_same = |before: &Self| before.inputs() == (&path, store.hash(), &filter);
        // Only one overlay is in memory at a time.
        if let Some(before) = before.filter(is_same) {
            return Ok(before);
        }
        let n_bytes: u64 = OpenStore::tiles(&store).map(|entry| u64::from(entry.n_tile)).sum();
        check_memory(n_bytes / 4, *max_bytes)?;
        let (damaged, next, max_bytes) = (BTreeSet::new(), 0, *max_bytes);
        Ok(Self::Checking(Box::new(Checking { path, store, filter, damaged, next, max_bytes })))
    }

    /// File, hash and filter.
    fn inputs(&self) -> (&PathBuf, u128, &Filter) {
        match self {
            Self::Checking(of) | Self::Building(of, _) => (&of.path, of.store.hash(), &of.filter),
            Self::Ready(of) => (&of.path, of.store.hash(), &of.filter),
        }
    }

    /// Works on for some time.
    fn step(self, report: &Reporter<RouteMessage>) -> Result<Self, NoRoute> {
        match self {
            Self::Checking(checking) => checking.step(report),
            Self::Building(checking, builder) => checking.build(*builder, report),
            Self::Ready(known) => Ok(Self::Ready(known)),
        }
    }
}

/// The part of the progress after which all tiles are checked.
const CHECKED: f32 = 0.2;

impl Checking {
    fn open(&self) -> Result<impl Read + Seek + use<>, NoRoute> {
        files::open(&self.path).map_err(|error| failed(format!("{error:#}")))
    }

    /// Reads some tiles.
    fn step(mut self: Box<Self>, report: &Reporter<RouteMessage>) -> Result<Searching, NoRoute> {
        let mut file = self.open()?;
        for _ in 0..STEP {
            let Some(entry) = self.store.entries().get(self.next) else {
                let has = |place| !self.damaged.contains(&place);
                let builder = self.store.begin_overlay(&self.filter, has);
                let builder = builder.map_err(|error| failed(error.to_string()))?;
                return Ok(Searching::Building(self, Box::new(builder)));
            };
            if sound_tile(&self.store, entry, &mut file).is_err() {
                self.damaged.insert(entry.place);
            }
            self.next += 1;
        }
        let n = self.store.entries().len();
        report.send(RouteMessage::Progress(CHECKED * share(self.next, n)));
        Ok(Searching::Checking(self))
    }

    /// Computes some cells.
    fn build(
        self: Box<Self>,
        mut builder: OverlayBuilder,
        report: &Reporter<RouteMessage>,
    ) -> Result<Searching, NoRoute> {
        let mut file = self.open()?;
        for _ in 0..STEP / 16 {
            let more = builder.step(&self.store, &mut file);
            let more = more.map_err(|error| failed(format!("{}: {error}", self.path.display())))?;
            if !more {
                let overlay = builder.finish();
                check_memory(overlay.n_bytes() as u64, self.max_bytes)?;
                let Self { path, store, filter, damaged, .. } = *self;
                return Ok(Searching::Ready(Box::new(Known {
                    path,
                    store,
                    filter,
                    damaged,
                    overlay,
                })));
            }
            if report.is_cancelled() {
                break;
            }
        }
        let [n, n_done] = builder.progress();
        report.send(RouteMessage::Progress(CHECKED + (1.0 - CHECKED) * share(n_done, n)));
        Ok(Searching::Building(self, Box::new(builder)))
    }
}

impl Known {
    /// Finds the route.
    fn answer(
        &mut self,
        request: &WorldRouteRequest,
        report: &Reporter<RouteMessage>,
    ) -> Result<WorldRoute, NoRoute> {
        let file = files::open(&self.path).map_err(|error| failed(format!("{error:#}")))?;
        let n_damaged = self.damaged.len();
        let Self { path, store, overlay, damaged, .. } = self;
        let tiles = Tiles::new(store, damaged, overlay, file, request.max_bytes);
        let tiles = tiles.map_err(failed)?;
        let route = find(tiles, &request.question.terms, report);
        let route = route.map_err(|why| failed(format!("{}: {why}", path.display())))?;
        Ok(WorldRoute { n_damaged, ..route })
    }
}

/// Tiles of a store that are loaded for a route, and dropped when they take too much memory.
struct Tiles<'a, F> {
    store: &'a TileStore,
    overlay: &'a mut RouteOverlay,
    file: F,
    mesh: NavMesh,
    n_bytes: u64,
    max_bytes: u64,
    n_read: usize,
    max_read: usize,
}

impl<'a, F: Read + Seek> Tiles<'a, F> {
    fn new(
        store: &'a TileStore,
        damaged: &BTreeSet<TilePlace>,
        overlay: &'a mut RouteOverlay,
        file: F,
        max_bytes: u64,
    ) -> Result<Self, String> {
        let mesh = NavMesh::with_width(*store.params(), store.width());
        let mut mesh = mesh.map_err(|error| error.to_string())?;
        let places = OpenStore::tiles(store).map(|entry| entry.place);
        mesh.set_world(places.filter(|place| !damaged.contains(place)).collect());
        overlay.update(&mesh);
        Ok(Self {
            store,
            overlay,
            file,
            mesh,
            n_bytes: 0,
            max_bytes,
            n_read: 0,
            max_read: MAX_READ,
        })
    }

    fn is_full(&self) -> bool {
        self.n_bytes > self.max_bytes
    }

    fn has_read_enough(&self) -> bool {
        self.n_read >= self.max_read
    }

    /// Drops all tiles.
    fn clear(&mut self) {
        let loaded: Vec<TilePlace> = self.mesh.tiles().map(TilePlace::of).collect();
        for place in loaded {
            self.mesh.remove_at(place);
        }
        self.n_bytes = 0;
    }

    /// Loads these tiles.
    fn load(&mut self, places: impl IntoIterator<Item = TilePlace>) -> Result<(), String> {
        for place in places {
            if self.mesh.has_tile(place) {
                continue;
            }
            let Some(entry) = self.store.entry(place) else { continue };
            let tile = sound_tile(self.store, entry, &mut self.file);
            let Some(tile) = tile.map_err(|error| error.to_string())? else { continue };
            self.n_read += 1;
            self.n_bytes += NavMesh::memory_of(&tile);
            self.mesh.add_tile(Arc::new(tile)).map_err(|error| error.to_string())?;
        }
        self.overlay.update(&self.mesh);
        Ok(())
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
}

/// Finds the route between the ends of a path, and the line along it.
fn find<F: Read + Seek>(
    mut tiles: Tiles<'_, F>,
    terms: &PathTerms,
    monitor: &dyn Monitor,
) -> Result<WorldRoute, String> {
    let [start, end] = terms.ends;
    let start = match tiles.end(start, terms, [WhyNot::StartOffMesh, WhyNot::StartFiltered])? {
        Ok(start) => start,
        Err(why) => return Ok(WorldRoute::none(why, tiles.n_read, 0)),
    };
    let end = match tiles.end(end, terms, [WhyNot::EndOffMesh, WhyNot::EndFiltered])? {
        Ok(end) => end,
        Err(why) => return Ok(WorldRoute::none(why, tiles.n_read, 0)),
    };
    let mut scratch = Scratch::default();
    let request = RouteRequest::new(start, end, tiles.overlay);
    let route = find_route(&tiles.mesh, &request, &mut scratch);
    let Some(route) = route.map_err(|error| error.to_string())? else {
        return Ok(WorldRoute::none(WhyNot::Disconnected, tiles.n_read, 0));
    };
    let mut line = LineOf::new(route.start.point);
    line.follow(&mut tiles, route, &mut scratch, monitor)?;
    let length = line.points.windows(2).map(|leg| leg[0].distance(leg[1])).sum();
    let LineOf { points, coarse_from, passed, cost, .. } = line;
    let n_read = tiles.n_read;
    Ok(WorldRoute {
        why: None,
        points,
        coarse_from,
        length,
        cost,
        tiles: passed,
        n_read,
        n_damaged: 0,
    })
}

/// The line along a route.
struct LineOf {
    points: Vec<Vec3>,
    /// The polygons after the last point of `points`.
    corridor: Vec<PolyRef>,
    coarse_from: Option<usize>,
    passed: BTreeSet<TilePlace>,
    cost: f32,
}

impl LineOf {
    fn new(start: Vec3) -> Self {
        let (corridor, passed) = (Vec::new(), BTreeSet::new());
        Self { points: vec![start], corridor, coarse_from: None, passed, cost: 0.0 }
    }

    /// Adds the line of the whole route: the shortest one through its corridor, in pieces if the tiles do not fit in memory together.
    fn follow<F: Read + Seek>(
        &mut self,
        tiles: &mut Tiles<'_, F>,
        mut route: Route,
        scratch: &mut Scratch,
        monitor: &dyn Monitor,
    ) -> Result<(), String> {
        self.cost = route.cost;
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
        Ok(())
    }
}

fn failed(why: String) -> NoRoute {
    NoRoute::Failed(why)
}

/// Refuses an overlay that takes more memory than it may.
fn check_memory(n_bytes: u64, max_bytes: u64) -> Result<(), NoRoute> {
    if n_bytes <= max_bytes {
        return Ok(());
    }
    let [n, max] = [n_bytes, max_bytes].map(|n| n >> 20);
    Err(failed(tr!(
        "the overlay for routes takes about {n} MiB, more than its {max} MiB; raise Memory budget in Preferences"
    )))
}

#[expect(clippy::cast_precision_loss, reason = "a part of one")]
fn share(n: usize, n_all: usize) -> f32 {
    n as f32 / n_all.max(1) as f32
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
            let tiles = Tiles::new(&store, &none, &mut overlay, &mut file, max_bytes).unwrap();
            find(Tiles { max_read, ..tiles }, &terms, &Unmonitored).unwrap()
        };
        let free = found(u64::MAX, usize::MAX);
        assert_eq!((free.why, free.coarse_from), (None, None));
        let tight = found(1, usize::MAX);
        assert_eq!((tight.cost, tight.coarse_from), (free.cost, None));
        assert_eq!(tight.points.last(), free.points.last());
        assert!(tight.length >= free.length && tight.length < free.length * 1.1);
        assert_eq!(tight.tiles, free.tiles);
        let few = found(1, tight.n_read / 2);
        assert_eq!((few.cost, few.points.last()), (free.cost, free.points.last()));
        assert!(few.coarse_from.is_some_and(|from| from + 1 < few.points.len()));
        assert!(few.n_read < tight.n_read && few.tiles.len() < free.tiles.len());
    }
}

//! The editor with tile stores larger than memory.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use glam::Vec3;
use walkable::{
    bake::{BakeInput, BakeSettings, bake},
    diagnostic::{Diagnostic, Location},
    export::ExportFormat,
    level::{LevelKind, generate},
    monitor::Unmonitored,
    navmesh::{NavMesh, Tile, TilePlace, TilePoly},
    query::{Filter, NearestRequest, PathRequest, Scratch, WhyNot, find_path, nearest},
    store::{TileStore, store_bytes},
};
use walkable_workspace::{
    lang::{self, Language},
    level_files::parse_navmesh,
    store_route::WorldRoute,
};
use web_time::Instant;

use super::{Effect, Event, REST, Tick, requests};
use crate::{
    command::{CameraMove, CheckCommand, Command, PathCommand, ViewCommand},
    headless::HeadlessEditor,
    jobs::{
        BackgroundJobs,
        open::LevelBudget,
        slot::{JobEvent, Wake},
        store_export::StoreExportMessage,
        tasks::TaskMessage,
        work::{JobMessage, JobStatus, Work, WorkReport},
    },
    session::{
        ExportKind, LevelSource, OverviewState, Session, Severity, StoreExportPhase,
        StoreExportProgress, World,
    },
    task::TaskId,
};

/// Time after which a test fails instead of waiting on.
const PATIENCE: Duration = Duration::from_mins(2);
/// Side of the level, in meters.
const SIDE: f32 = 90.0;

pub(super) struct StoreOnDisk {
    pub(super) folder: tempfile::TempDir,
    pub(super) whole: NavMesh,
}

impl StoreOnDisk {
    pub(super) fn new() -> Self {
        let mesh = generate(LevelKind::Terrain, 3, SIDE).unwrap().mesh;
        let settings = BakeSettings { tile_size: 16, cell_size: 0.5, ..BakeSettings::default() };
        let whole = bake(BakeInput::new(mesh.into(), settings), &Unmonitored).unwrap();
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("world.tiles"), store_bytes(&whole).unwrap()).unwrap();
        Self { folder, whole }
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().join("world.tiles")
    }

    fn n_tiles(&self) -> usize {
        self.whole.tiles().count()
    }

    /// Returns the memory of this fraction of the tiles, in bytes.
    pub(super) fn budget(&self, part: f64) -> u64 {
        let all: u64 = self.whole.tiles().map(NavMesh::memory_of).sum();
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a small level"
        )]
        let budget = (all as f64 * part) as u64;
        budget
    }

    /// Changes a byte in the data of a tile.
    fn damage(&self, place: TilePlace) {
        let mut bytes = fs::read(self.path()).unwrap();
        let tile = self.whole.tiles().find(|tile| TilePlace::of(tile) == place).unwrap();
        let data = tile.to_bytes();
        let at = bytes.windows(data.len()).position(|window| window == data).unwrap();
        bytes[at + data.len() / 2] ^= 0x55;
        fs::write(self.path(), bytes).unwrap();
    }
}

pub(super) struct Running {
    pub(super) editor: HeadlessEditor,
    effects: Vec<Effect>,
}

impl Running {
    /// Creates an editor that loads tiles with at most this memory.
    pub(super) fn new(tile_bytes: u64) -> Self {
        Self::with_kept(tile_bytes, None)
    }

    /// Returns an editor that stores overviews and overlays for routes in a folder.
    fn with_kept(tile_bytes: u64, folder: Option<&Path>) -> Self {
        let jobs = |wake: &Wake| {
            let jobs = BackgroundJobs::new(wake, wake, |_| panic!("no dialog"));
            let mut jobs = jobs.with_overviews(folder).with_routes(folder);
            jobs.set_level_budget(LevelBudget { tile_bytes, ..LevelBudget::default() });
            jobs
        };
        Self { editor: HeadlessEditor::new(PATIENCE, jobs), effects: Vec::new() }
    }

    pub(super) fn open(path: &Path, tile_bytes: u64) -> Self {
        let mut running = Self::new(tile_bytes);
        running.run(Command::Load(LevelSource::File(path.to_owned())));
        running
    }

    pub(super) fn session(&self) -> &Session {
        self.editor.editor().session()
    }

    pub(super) fn world(&self) -> &World {
        self.session().world().expect("a part of the store is loaded")
    }

    fn navmesh(&self) -> &NavMesh {
        self.session().bake.navmesh.as_deref().expect("there is a navmesh")
    }

    /// Carries out a command and all work that follows.
    #[track_caller]
    pub(super) fn run(&mut self, command: impl Into<Command>) {
        self.effects.extend(self.editor.carry_out(command.into()).unwrap());
    }

    fn says(&self, text: &str) -> bool {
        self.session().log.iter().any(|entry| entry.text().contains(text))
    }

    /// Checks that the loaded tiles are exactly those of the part, within the budget, with the references of the whole
    /// navmesh; returns their number.
    #[track_caller]
    fn check_part(&self, store: &StoreOnDisk, budget: u64) -> usize {
        let (part, loaded) = (self.world().part, self.navmesh());
        let memory: u64 = loaded.tiles().map(NavMesh::memory_of).sum();
        assert!(memory <= budget, "{memory} bytes of {budget}");
        let is_inside = |tile: &Tile| {
            let middle = tile.header.bounds.center();
            let is_in = part.min.x < middle.x && middle.x < part.max.x;
            is_in && part.min.z < middle.z && middle.z < part.max.z
        };
        for tile in store.whole.tiles() {
            let place = TilePlace::of(tile);
            let poly = TilePoly { tile: place, poly: 0 };
            let found = loaded.find_poly(poly);
            assert_eq!(found.is_some(), is_inside(tile), "tile {place}");
            if found.is_some() {
                assert_eq!(found, store.whole.find_poly(poly), "tile {place}");
            }
        }
        loaded.tiles().count()
    }
}

#[test]
fn a_store_within_the_budget_is_opened_whole() {
    let store = StoreOnDisk::new();
    let running = Running::open(&store.path(), store.budget(1.0));
    let session = running.session();
    assert!(session.world().is_none() && session.opened.overview.made.is_none());
    assert_eq!(running.navmesh().tiles().count(), store.n_tiles());
    assert_eq!(running.navmesh().to_bytes(), store.whole.to_bytes());
    assert!(running.says("Opened world.tiles"));
}

#[test]
fn a_larger_store_is_loaded_around_its_middle() {
    let store = StoreOnDisk::new();
    let budget = store.budget(0.3);
    let running = Running::open(&store.path(), budget);
    let n = running.check_part(&store, budget);
    assert!((store.n_tiles() / 8..=store.n_tiles() * 3 / 10).contains(&n), "{n} tiles");
    let (world, whole) = (running.world(), store.whole.bounds());
    assert!(world.part.center().distance(whole.center()) < 12.0);
    assert!(world.bounds.size().x >= whole.size().x - 1.0);
    // All tiles are on the map, at first without heights.
    let open = running.session().opened.store.as_ref().unwrap();
    let n_empty = open.plan.heights.iter().filter(|height| height.is_none()).count();
    assert!(n_empty < open.plan.heights.len() / 20, "{n_empty} empty cells");
    let overview = &running.session().opened.overview;
    let made = overview.made.as_deref().expect("the overview is made");
    assert!(overview.progress >= 1.0 && made.mesh.bounds().size().x > 0.9 * SIDE);
    let height = |at: Vec3| made.map.height_at(glam::Vec2::new(at.x, at.z));
    assert!(height(whole.min + Vec3::splat(5.0)).is_some());
    assert!(running.says("Loaded") && running.says("of world.tiles"));
}

#[test]
fn the_part_of_a_store_moves_and_the_path_stays() {
    let store = StoreOnDisk::new();
    let budget = store.budget(0.3);
    let mut running = Running::open(&store.path(), budget);
    let first = running.world().clone();
    let (start, end) = (first.part.center(), first.part.center() + Vec3::X * 4.0);
    running.run(PathCommand::Start(start));
    running.run(PathCommand::End(end));
    let answer = running.session().path.answer.as_ref().unwrap();
    assert_eq!(answer.why(), None);
    let corner = store.whole.bounds().max;
    running.run(ViewCommand::WorkAt(corner));
    running.check_part(&store, budget);
    let moved = running.world();
    assert!(moved.is_loaded(corner - Vec3::ONE) && moved.part != first.part);
    assert!(moved.part.max.x <= moved.bounds.max.x, "cropped to the store");
    let session = running.session();
    assert_eq!((session.path.start, session.path.end), (Some(start), Some(end)));
    let answer = session.path.answer.as_ref().unwrap();
    assert_eq!(answer.why(), Some(WhyNot::StartNotLoaded), "not \"no path\"");
    // A point beside the store loads the nearest tiles, and reading the file again loads the same part.
    running.run(ViewCommand::WorkAt(corner + Vec3::splat(1e6)));
    let far = running.world().clone();
    assert!(far.part.max.x > far.bounds.max.x - 0.1 && far.part.max.z > far.bounds.max.z - 0.1);
    running.run(Command::Load(LevelSource::File(store.path())));
    assert_eq!(*running.world(), far);
    running.run(ViewCommand::WorkAt(first.around));
    assert_eq!(running.world().part, first.part);
    let camera =
        running.effects.iter().any(|effect| matches!(effect, Effect::Camera(CameraMove::Look(_))));
    assert!(!camera, "without a camera nothing follows");
}

#[test]
fn a_path_through_unloaded_tiles_is_not_called_impossible() {
    let store = StoreOnDisk::new();
    let mut running = Running::open(&store.path(), store.budget(0.3));
    let part = running.world().part;
    let is_far = |tile: &&Tile| tile.header.bounds.center().x > part.max.x + 8.0;
    let far = store.whole.tiles().find(is_far).expect("there is ground");
    running.run(PathCommand::Start(part.center()));
    running.run(PathCommand::End(far.header.bounds.center()));
    let answer = running.session().path.answer.as_ref().unwrap();
    assert_eq!(answer.why(), Some(WhyNot::EndNotLoaded));
}

/// Places the ends near two corners of the store, which are not loaded.
fn across(running: &mut Running, store: &StoreOnDisk) -> [Vec3; 2] {
    let bounds = store.whole.bounds();
    let on = |at: Vec3| {
        let half_extents = Vec3::new(8.0, 50.0, 8.0);
        let (filter, center) = (&Filter::default(), at);
        let request = NearestRequest { center, half_extents, filter };
        nearest(&store.whole, &request).unwrap().expect("there is ground").point
    };
    let ends = [on(bounds.min + Vec3::splat(6.0)), on(bounds.max - Vec3::splat(6.0))];
    running.run(PathCommand::Ends(ends));
    ends
}

fn route(running: &Running) -> WorldRoute {
    let answer = running.session().route_answer().expect("the route is answered");
    WorldRoute::clone(answer.as_ref().expect("the store can be read"))
}

#[test]
fn a_path_between_ends_that_are_not_loaded_is_found_by_a_route() {
    let store = StoreOnDisk::new();
    let mut running = Running::open(&store.path(), store.budget(0.3));
    let ends = across(&mut running, &store);
    let answer = running.session().path.answer.as_ref().unwrap();
    assert_eq!(answer.why(), Some(WhyNot::StartNotLoaded));
    let found = route(&running);
    let filter = Filter::default();
    let request = PathRequest::new(ends[0], ends[1], &filter);
    let path = find_path(&store.whole, &request, &mut Scratch::default()).unwrap();
    assert_eq!((found.why, path.why), (None, None));
    assert!(found.cost <= path.cost * 1.001, "{} is over {}", found.cost, path.cost);
    assert!(found.length < path.length * 1.1 && found.length >= ends[0].distance(ends[1]));
    let (first, last) = (found.points[0], *found.points.last().unwrap());
    assert!(first.distance(ends[0]) < 0.1 && last.distance(ends[1]) < 0.1);
    assert_eq!((found.coarse_from, found.n_damaged), (None, 0));
    assert!(found.tiles.len() >= 8 && found.n_read >= found.tiles.len());
    assert!(found.tiles.contains(&TilePlace { z: 0, x: 0, layer: 0 }));
    // The route is drawn, and requested only once.
    let session = running.session();
    assert!(session.shown_route().unwrap().picture().lines.len() + 1 == found.points.len());
    assert!(session.due_route().is_none() && session.due_path_question().is_none());
    let serial = session.route.serial;
    running.run(ViewCommand::WorkAt(store.whole.bounds().max));
    assert_eq!((running.session().route.serial, route(&running)), (serial, found.clone()));
    // The overlay is kept for the way back.
    running.run(PathCommand::Swap);
    let back = route(&running);
    assert!((back.cost - found.cost).abs() < 0.01 * found.cost && back.points[0] == last);
    // A path within the loaded part needs no route.
    running.run(PathCommand::Start(ends[1] - Vec3::X * 3.0));
    running.run(PathCommand::End(ends[1]));
    assert!(running.session().route_question().is_none());
    assert!(running.session().shown_route().is_none());
}

#[test]
fn a_search_for_a_route_stops_and_continues() {
    let store = StoreOnDisk::new();
    let mut running = Running::open(&store.path(), store.budget(0.3));
    let bounds = store.whole.bounds();
    let ends = [bounds.min + Vec3::splat(6.0), bounds.max - Vec3::splat(6.0)];
    running.editor.take(Event::Command(PathCommand::Ends(ends).into()));
    let tick = Tick { now: Instant::now(), rest: REST, jobs: JobStatus::default() };
    running.editor.take(Event::Tick(tick));
    assert!(running.session().route.is_busy);
    running.run(PathCommand::CancelRoute);
    assert!(running.session().route_answer().is_none(), "it is not asked again by itself");
    running.run(PathCommand::FindRoute);
    assert!(running.session().route_answer().is_some());
    running.run(Command::CloseLevel);
    assert!(!running.session().route.keeps_overlay);
}

#[test]
fn a_route_leads_around_damaged_tiles() {
    let store = StoreOnDisk::new();
    let mut running = Running::open(&store.path(), store.budget(0.3));
    across(&mut running, &store);
    let tiles = route(&running).tiles;
    let on_it = *tiles.iter().nth(tiles.len() / 2).unwrap();
    store.damage(on_it);
    let mut running = Running::open(&store.path(), store.budget(0.3));
    across(&mut running, &store);
    let around = route(&running);
    assert_eq!((around.why, around.n_damaged), (None, 1));
    assert!(!around.tiles.contains(&on_it));
}

#[track_caller]
fn only_file(folder: &Path, ending: &str) -> PathBuf {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let found: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|found| found == ending)).collect();
    let [file] = &found[..] else { panic!("{found:?}") };
    file.clone()
}

#[test]
fn the_overlay_for_routes_is_stored_and_used_after_a_start() {
    let store = StoreOnDisk::new();
    let folder = store.folder.path().join("kept");
    let find = || {
        let mut running = Running::with_kept(store.budget(0.3), Some(&folder));
        running.run(Command::Load(LevelSource::File(store.path())));
        across(&mut running, &store);
        running
    };
    let first = route(&find());
    let entry = only_file(&folder, "routes");
    let (whole, stored) = (fs::read(store.path()).unwrap(), fs::read(&entry).unwrap());
    // A damaged tile far from the route is not noticed, because the tiles are not checked again.
    let corner = TilePlace {
        z: 0,
        x: store.whole.tiles().map(|tile| tile.header.x).max().unwrap(),
        layer: 0,
    };
    assert!(!first.tiles.contains(&corner));
    store.damage(corner);
    assert_eq!(route(&find()), first);
    // A damaged tile on the route is noticed: then all tiles are checked, and the overlay of the others is not stored.
    let on_it = *first.tiles.iter().nth(first.tiles.len() / 2).unwrap();
    store.damage(on_it);
    let around = route(&find());
    assert_eq!((around.why, around.n_damaged), (None, 2));
    assert!(!around.tiles.contains(&on_it));
    assert_eq!(fs::read(&entry).unwrap(), stored);
    // A damaged entry is computed again.
    fs::write(store.path(), &whole).unwrap();
    fs::write(&entry, "damaged").unwrap();
    let mut running = find();
    assert_eq!((route(&running), fs::read(&entry).unwrap()), (first, stored));
    // Another filter has another overlay.
    let mut filter = Filter::default();
    filter.area_cost[0] = 3.0;
    running.run(PathCommand::Filter(Box::new(filter)));
    assert_eq!(route(&running).why, None);
    let n_routes = fs::read_dir(&folder).unwrap().filter(|file| {
        file.as_ref().unwrap().path().extension().is_some_and(|ending| ending == "routes")
    });
    assert_eq!(n_routes.count(), 2);
}

#[test]
fn the_overview_of_a_store_is_stored_and_shown_without_reading_the_tiles() {
    let store = StoreOnDisk::new();
    let folder = store.folder.path().join("kept");
    let open = |part: f64| {
        let mut running = Running::with_kept(store.budget(part), Some(&folder));
        running.run(Command::Load(LevelSource::File(store.path())));
        running
    };
    let overview = |running: &Running| {
        let OverviewState { progress, made, .. } = &running.session().opened.overview;
        assert!(*progress >= 1.0);
        Arc::clone(&made.as_deref().expect("there is an overview").mesh)
    };
    let first = open(0.3);
    let made = overview(&first);
    let entry = only_file(&folder, "overview");
    let whole = fs::read(store.path()).unwrap();
    store.damage(TilePlace { z: 0, x: 0, layer: 0 });
    // The same holds when another part is loaded.
    let again = open(0.1);
    assert_eq!(overview(&again), made);
    assert!(!again.says("left out of the overview"), "the tiles are not read");
    // A damaged entry is computed again, but not while tiles are damaged.
    fs::write(&entry, "damaged").unwrap();
    assert!(open(0.3).says("1 tile left out of the overview"));
    assert_eq!(fs::read(&entry).unwrap(), b"damaged");
    fs::write(store.path(), whole).unwrap();
    assert_eq!(overview(&open(0.3)), made);
    assert!(fs::read(&entry).unwrap().starts_with(b"WOVW"));
}

#[test]
fn an_end_off_the_navmesh_is_distinguished_from_one_that_is_not_loaded() {
    let store = StoreOnDisk::new();
    let mut running = Running::open(&store.path(), store.budget(0.3));
    let [start, end] = across(&mut running, &store);
    running.run(PathCommand::End(end + Vec3::Y * 500.0));
    assert_eq!(route(&running).why, Some(WhyNot::EndOffMesh));
    let filter = Filter { exclude_flags: 0xffff, ..Filter::default() };
    running.run(PathCommand::End(end));
    running.run(PathCommand::Filter(Box::new(filter)));
    assert_eq!(route(&running).why, Some(WhyNot::StartFiltered));
    assert_ne!(start, end);
}

#[test]
fn damaged_tiles_are_named_and_left_out() {
    let store = StoreOnDisk::new();
    let budget = store.budget(0.3);
    let middle = Running::open(&store.path(), budget).world().around;
    let entries = TileStore::read(&mut fs::File::open(store.path()).unwrap()).unwrap();
    let nearest = |at: Vec3| {
        let around =
            |tile: &&Tile| tile.header.bounds.center().with_y(0.0).distance(at.with_y(0.0));
        let tile = store.whole.tiles().min_by(|a, b| around(a).total_cmp(&around(b)));
        TilePlace::of(tile.unwrap())
    };
    let (near, far) = (nearest(middle + Vec3::X * 10.0), nearest(store.whole.bounds().min));
    assert!(near != far && entries.entry(near).is_some());
    store.damage(near);
    store.damage(far);
    let running = Running::open(&store.path(), budget);
    assert!(!running.navmesh().has_tile(near) && running.navmesh().tiles().count() > 4);
    assert_eq!(running.session().opened.store.as_ref().unwrap().n_damaged, 1);
    let named = format!("tile {near} of the tile store is damaged: its checksum is wrong");
    assert!(running.says(&named), "{named}");
    assert!(
        running
            .says(&format!("2 tiles left out of the overview; the first: tile {}", near.min(far)))
    );
    assert!(running.session().opened.overview.made.is_some());
    // The same holds when the whole store is loaded.
    let whole = Running::open(&store.path(), u64::MAX);
    assert_eq!(whole.navmesh().tiles().count(), store.n_tiles() - 2);
    assert!(whole.says(&named) && whole.session().world().is_none());
}

#[test]
fn a_store_that_cannot_be_opened_leaves_what_is_open() {
    let store = StoreOnDisk::new();
    let mut running = Running::open(&store.path(), store.budget(0.3));
    let cut = store.folder.path().join("cut.tiles");
    fs::write(&cut, &fs::read(store.path()).unwrap()[..1000]).unwrap();
    running.run(Command::Load(LevelSource::File(cut)));
    let error = running.session().log.iter().find(|entry| entry.severity == Severity::Error);
    let error = error.expect("it is refused").text();
    assert!(error.contains("cut.tiles") && error.contains("incomplete"), "{error}");
    assert!(running.session().world().is_some());
    let mut tiny = Running::new(1000);
    tiny.run(Command::Load(LevelSource::File(store.path())));
    assert!(tiny.session().is_empty() && tiny.says("raise Memory budget in Preferences"));
    // Messages are translated when they are shown.
    let notice = || {
        let notice = tiny.editor.editor().notices().list().last().expect("the error is shown");
        [&notice.title, &notice.detail].map(lang::phrase)
    };
    let [title, detail] = notice();
    assert!(title.starts_with("Cannot open ") && detail.contains("MiB, more than"), "{detail}");
    lang::set_language(Language::Chinese);
    let [title, detail] = notice();
    assert!(title.starts_with("无法打开 ") && detail.contains("MiB，超过导航网格"), "{detail}");
    assert!(tiny.says("请在“偏好设置”中提高内存预算"));
    lang::set_language(Language::English);
}

#[test]
fn the_check_of_a_store_in_part_covers_all_tiles_and_loads_the_part_of_a_finding() {
    let store = StoreOnDisk::new();
    let corner = TilePlace::of(store.whole.tiles().last().unwrap());
    store.damage(corner);
    let mut running = Running::open(&store.path(), store.budget(0.2));
    let n_loaded = running.navmesh().tiles().count();
    assert!(n_loaded < store.n_tiles() / 2);
    running.run(CheckCommand::Run);
    let result = Arc::clone(running.session().check.result().expect("it was checked"));
    let line = result.answer.lines().pop().unwrap();
    assert!(line.contains(&format!("in {} tiles", store.n_tiles() - 1)), "{line}");
    assert!(result.answer.all().any(|found| found.line().contains(&corner.to_string())));
    assert!(running.session().is_whole_checked() && !running.session().is_check_stale());

    // The missing neighbor of the corner is found there, where nothing is loaded.
    let place = |found: &Diagnostic| {
        let point = |location: &Location| match location {
            Location::Point(point) => Some(*point),
            _ => None,
        };
        found.locations().iter().find_map(point)
    };
    let far = result.answer.all().enumerate().find_map(|(index, found)| {
        let at = place(found).filter(|at| !running.world().is_loaded(*at))?;
        Some((index, at))
    });
    let (index, at) = far.expect("there is a finding that is not loaded");
    running.run(CheckCommand::Choose(Some(index)));
    assert!(running.world().is_loaded(at), "{at}");
    assert!(running.session().finding_picture().is_some());
    // The result stays that of all tiles.
    assert!(!running.session().is_check_stale());
    assert!(Arc::ptr_eq(running.session().check.result().unwrap(), &result));
}

#[test]
fn all_tiles_of_a_store_in_part_are_exported() {
    let store = StoreOnDisk::new();
    let mut running = Running::open(&store.path(), store.budget(0.2));
    let path = |name: &str| store.folder.path().join(name);
    let expected = parse_navmesh(&fs::read(store.path()).unwrap()).unwrap().to_bytes();
    let kind = ExportKind::Whole(ExportFormat::Detour);
    running.run(Command::ExportTo(kind, path("whole.bin")));
    assert_eq!(fs::read(path("whole.bin")).unwrap(), expected);
    assert!(running.says("whole.bin (") && running.session().opened.store_export.is_none());

    let kind = ExportKind::Whole(ExportFormat::TileStore);
    running.run(Command::ExportTo(kind, path("copy.tiles")));
    assert_eq!(fs::read(path("copy.tiles")).unwrap(), fs::read(store.path()).unwrap());
    // The open file is not replaced, and others only if the user agrees.
    running.run(Command::Replace(kind, store.path()));
    assert!(running.says("is the open file"));
    running.run(Command::ExportTo(kind, path("whole.bin")));
    assert!(running.effects.iter().any(|effect| matches!(effect, Effect::AskReplace(_))));
    assert_eq!(fs::read(path("whole.bin")).unwrap(), expected);

    // A format that needs all tiles in memory says so.
    let kind = ExportKind::Whole(ExportFormat::Json);
    let mut small = Running::open(&store.path(), store.budget(0.1));
    small.run(Command::ExportTo(kind, path("whole.json")));
    assert!(small.says("needs all tiles in memory") && !path("whole.json").exists());

    // What is loaded can still be exported alone.
    let part = requests::export(running.session(), ExportKind::NAVMESH, path("part.bin"), None);
    assert!(matches!(part, Some(Work::Export(..))), "{part:?}");

    let whole = Running::open(&store.path(), u64::MAX / 8);
    assert!(!ExportKind::Whole(ExportFormat::Detour).is_ready(whole.session()));
}

#[test]
fn an_export_of_all_tiles_shows_its_progress_and_stops() {
    let store = StoreOnDisk::new();
    let mut running = Running::open(&store.path(), store.budget(0.2));
    let progress = StoreExportProgress {
        phase: StoreExportPhase::Writing,
        file: "x.bin".to_owned(),
        n_done: 0,
        n_tiles: 9,
    };
    let reading = StoreExportMessage::Entered(progress.clone());
    let reading = TaskMessage::ExportStore(JobEvent::Message(reading));
    let messages = vec![JobMessage::Task(Box::new(reading))];
    let status = JobStatus { running: TaskId::ExportStore.into(), ..JobStatus::default() };
    running.editor.take(Event::Work(WorkReport { messages, status }));
    assert_eq!(running.session().opened.store_export, Some(progress));
    let kind = ExportKind::Whole(ExportFormat::Detour);
    assert!(!kind.is_ready(running.session()), "one at a time");
    running.run(Command::StopExport);
    assert_eq!(running.session().opened.store_export, None);
    assert!(kind.is_ready(running.session()));
}

//! The editor with levels larger than memory.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use glam::Vec3;
use walkable::{
    bake::{
        AreaFlags, AreaVolume, BakeInput, BakeOutput, BakePlan, BakeSettings, OffMeshLink, RawArea,
        VolumeShape, bake, bake_tile,
    },
    diagnostic::{Diagnostic, Location, Phrase},
    export::{ExportFormat, ExportInput},
    geom::Aabb,
    ids::{AreaId, TileCoord},
    level::{LevelKind, generate},
    mesh::{BinnedWriter, TriMesh},
    monitor::Unmonitored,
    phrase,
    query::{Filter, NearestRequest, WhyNot, nearest},
    store::store_bytes,
    suite::{Expectation, Outcome, PathCase},
};
use walkable_workspace::{
    document::Islands,
    lang::{Language, set_language},
    path_tests::CaseState,
};

use super::{Effect, Event, requests};
use crate::{
    command::{CameraMove, CheckCommand, Command, PathCommand, ViewCommand},
    headless::HeadlessEditor,
    jobs::{
        BackgroundJobs, ask_file::DialogEnd, check::CheckRequest, export::Export,
        open::LevelBudget, slot::Wake, work::Work,
    },
    session::{
        Edit, ExportKind, LevelSource, Look, NoRoute, OverviewState, Session, Severity, World,
    },
};

/// Time after which a test fails instead of waiting on.
const PATIENCE: Duration = Duration::from_mins(2);
/// Side of the level, in meters.
const SIDE: f32 = 60.0;

/// A folder with a level of sorted triangles.
struct OnDisk {
    folder: tempfile::TempDir,
    mesh: TriMesh,
}

impl OnDisk {
    fn new() -> Self {
        let mesh = generate(LevelKind::Terrain, 3, SIDE).unwrap().mesh;
        let folder = tempfile::tempdir().unwrap();
        let mut writer = BinnedWriter::new(Vec::new(), 8.0).unwrap();
        writer.add(&mesh).unwrap();
        fs::write(folder.path().join("world.tri"), writer.finish().unwrap()).unwrap();
        let settings = "tile_size = 16\ncell_size = 0.4\n";
        fs::write(folder.path().join("world.cfg"), settings).unwrap();
        Self { folder, mesh }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("world.tri")
    }

    fn n_triangles(&self) -> usize {
        self.mesh.triangles().len()
    }
}

pub(super) struct Running {
    pub(super) editor: HeadlessEditor,
    pub(super) effects: Vec<Effect>,
}

impl Running {
    /// Creates an editor that loads at most `triangles` of a level.
    pub(super) fn new(triangles: usize) -> Self {
        Self::with_overviews(triangles, None)
    }

    fn with_overviews(triangles: usize, folder: Option<&Path>) -> Self {
        let jobs = |wake: &Wake| {
            let jobs = BackgroundJobs::new(wake, wake, |_| DialogEnd::OpensLater);
            let jobs = jobs.with_overviews(folder);
            let levels = folder.map(|folder| folder.with_file_name("levels"));
            let mut jobs = jobs.with_level_stores(levels.as_deref());
            jobs.set_level_budget(LevelBudget { triangles, ..LevelBudget::default() });
            jobs
        };
        Self { editor: HeadlessEditor::new(PATIENCE, jobs), effects: Vec::new() }
    }

    fn open(path: &Path, triangles: usize) -> Self {
        let mut running = Self::new(triangles);
        running.run(Command::Load(LevelSource::File(path.to_owned())));
        running
    }

    pub(super) fn session(&self) -> &Session {
        self.editor.editor().session()
    }

    fn world(&self) -> &World {
        self.session().world().expect("a part of the level is loaded")
    }

    /// Carries out a command and all work that follows.
    #[track_caller]
    pub(super) fn run(&mut self, command: impl Into<Command>) {
        self.effects.extend(self.editor.carry_out(command.into()).unwrap());
    }

    /// Returns the bytes of all baked tiles.
    fn tiles(&self) -> BTreeMap<TileCoord, Vec<u8>> {
        let baked = self.session().bake.tiles.iter();
        baked
            .map(|(&coord, result)| {
                assert_eq!(result.error, None);
                (coord, result.baked.as_ref().map(|tile| tile.to_bytes()).unwrap_or_default())
            })
            .collect()
    }

    /// Checks that the tiles are those of a bake of the whole level; returns their number.
    #[track_caller]
    fn check_tiles(&self, level: &OnDisk) -> usize {
        let config = self.session().document().config();
        let input = config.with_mesh(Arc::new(level.mesh.clone()));
        let input = BakeInput { area_flags: AreaFlags::default(), ..input };
        let plan = BakePlan::new(input).unwrap();
        let tiles = self.tiles();
        for (&coord, bytes) in &tiles {
            let whole = bake_tile(&plan, coord, BakeOutput::Tile, &Unmonitored).unwrap();
            let whole = whole.tile.map(|tile| tile.to_bytes()).unwrap_or_default();
            assert!(whole == *bytes, "tile {coord}");
        }
        assert!(tiles.len() < plan.tiles().count(), "not all tiles are loaded");
        let navmesh = self.session().bake.navmesh.as_deref().expect("it is baked");
        let with_ground = tiles.values().filter(|bytes| !bytes.is_empty()).count();
        assert_eq!(navmesh.tiles().count(), with_ground);
        tiles.len()
    }
}

#[test]
fn a_part_of_a_level_is_baked_like_the_whole_level() {
    let level = OnDisk::new();
    let running = Running::open(&level.path(), level.n_triangles() / 4);
    let world = running.world();
    assert_eq!(world.n_triangles, level.n_triangles());
    assert_eq!(world.bounds, level.mesh.bounds());
    let n_loaded = running.session().opened.level.as_ref().unwrap().mesh.triangles().len();
    assert!((level.n_triangles() / 8..=level.n_triangles() / 3).contains(&n_loaded));
    assert!(running.check_tiles(&level) >= 4);
    assert!(running.session().bake.navmesh.as_ref().is_some_and(|navmesh| navmesh.is_prepared()));
    let overview = &running.session().opened.overview;
    let made = overview.made.as_deref().expect("the overview is made");
    assert!(overview.progress >= 1.0 && made.mesh.bounds().size().x > 0.9 * SIDE);
    assert_eq!(running.session().document().settings.tile_size, 16, "from the settings file");
}

#[test]
fn the_overview_is_stored_and_shown_without_reading_the_level() {
    let level = OnDisk::new();
    let folder = level.folder.path().join("overviews");
    let open = || {
        let mut running = Running::with_overviews(level.n_triangles() / 4, Some(&folder));
        running.run(Command::Load(LevelSource::File(level.path())));
        running.run(ViewCommand::WorkAt(level.mesh.bounds().max));
        running
    };
    let overview = |running: &Running| {
        let OverviewState { progress, made, .. } = &running.session().opened.overview;
        assert!(*progress >= 1.0);
        Arc::clone(&made.as_deref().expect("there is an overview").mesh)
    };
    let made = overview(&open());
    let entries = || fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let found: Vec<_> = entries().collect();
    let [entry] = &found[..] else { panic!("one entry") };
    // Triangles that the second run does not read: those of the first square, far from the loaded part.
    let bytes = fs::read(level.path()).unwrap();
    let mut damaged = bytes.clone();
    damaged[16..20].fill(0xff);
    fs::write(level.path(), &damaged).unwrap();
    let again = open();
    assert_eq!(overview(&again), made);
    let says = |running: &Running, text: &str| {
        running.session().log.iter().any(|entry| entry.text().contains(text))
    };
    assert!(!says(&again, "left out of the overview"), "the level is not read");
    // A damaged entry is computed again, but not while the level is damaged.
    fs::write(entry, "damaged").unwrap();
    assert!(says(&open(), "1 square left out of the overview"));
    assert_eq!(fs::read(entry).unwrap(), b"damaged");
    fs::write(level.path(), &bytes).unwrap();
    assert_eq!(overview(&open()), made);
    assert!(fs::read(entry).unwrap().starts_with(b"WOVW"));
    // A file with other triangles has another overview.
    let mut writer = BinnedWriter::new(Vec::new(), 8.0).unwrap();
    writer.add(&generate(LevelKind::Terrain, 4, SIDE).unwrap().mesh).unwrap();
    fs::write(level.path(), writer.finish().unwrap()).unwrap();
    assert_ne!(overview(&open()), made);
    assert_eq!(entries().count(), 2);
}

#[test]
fn a_level_within_the_budget_is_opened_whole() {
    let level = OnDisk::new();
    fs::remove_file(level.path().with_extension("cfg")).unwrap();
    let running = Running::open(&level.path(), level.n_triangles());
    let session = running.session();
    assert!(session.world().is_none() && session.opened.overview.made.is_none());
    assert_eq!(session.opened.level.as_ref().unwrap().mesh.triangles().len(), level.n_triangles());
    assert!(!Command::ImportOptions.is_ready(session));
    let large = Running::open(&level.path(), level.n_triangles() / 4);
    assert_eq!(large.session().document().settings.tile_size, 64, "it cannot be one piece");
}

#[test]
fn the_part_moves_and_the_work_stays() {
    let level = OnDisk::new();
    let mut running = Running::open(&level.path(), level.n_triangles() / 4);
    let before = running.tiles();
    let shape = VolumeShape::Box(Aabb::new(Vec3::splat(20.0), Vec3::splat(25.0)));
    let volume = AreaVolume::new(RawArea(5), shape);
    let edit = Edit::Volumes(vec![volume.into()]);
    running.run(Command::Change(Phrase::verbatim("Volume"), edit));
    running.editor.take(Event::CameraMoved(Look {
        target: running.world().around,
        yaw: 0.3,
        pitch: 0.5,
        distance: 30.0,
        parallel: false,
    }));
    // Beside the old part, with some tiles in common.
    let part = running.world().part;
    let at = part.center() + Vec3::X * (0.4 * part.size().x);
    running.effects.clear();
    running.run(ViewCommand::WorkAt(at));
    let moved = running.world().part;
    assert!(moved.min.x > part.min.x + 1.0 && moved.min.x < part.max.x, "{moved:?}");
    assert!(running.world().is_loaded(at));
    running.check_tiles(&level);
    let after = running.tiles();
    assert!(after.keys().any(|coord| before.contains_key(coord)), "some tiles are the same");
    assert!(after.keys().any(|coord| !before.contains_key(coord)), "some are new");
    let session = running.session();
    assert_eq!(session.document().volumes.len(), 1);
    assert_eq!(session.history.undo_label().as_deref(), Some("Volume"));
    let moves = running.effects.iter().filter_map(|effect| match effect {
        Effect::Camera(CameraMove::Look(look)) => Some(look.target.x),
        _ => None,
    });
    let moves: Vec<_> = moves.collect();
    let is_seen = running.world().is_loaded(session.shown.look.unwrap().target);
    assert_eq!(moves.len(), usize::from(!is_seen), "the camera follows if it looks elsewhere");
    running.run(ViewCommand::WorkAt(part.center()));
    running.check_tiles(&level);
    assert_eq!(running.tiles().len(), before.len());
    running.run(Command::Undo);
    running.check_tiles(&level);
    assert!(running.session().document().volumes.is_empty());
}

#[test]
fn a_project_comes_back_with_its_part() {
    let level = OnDisk::new();
    let mut running = Running::open(&level.path(), level.n_triangles() / 4);
    running.run(ViewCommand::WorkAt(level.mesh.bounds().min));
    let project = running.session().to_project().unwrap();
    let file = level.folder.path().join("world.walkable");
    fs::write(&file, project.to_text(level.folder.path()).unwrap()).unwrap();
    let again = Running::open(&file, level.n_triangles() / 4);
    assert_eq!(again.session().project.path.as_deref(), Some(&*file));
    assert_eq!(again.world(), running.world());
    assert_eq!(again.tiles(), running.tiles());
}

#[test]
fn a_damaged_square_is_reported_and_the_rest_is_loaded() {
    let level = OnDisk::new();
    let mut bytes = fs::read(level.path()).unwrap();
    // The part of the first triangle.
    bytes[16..20].fill(0xff);
    fs::write(level.path(), bytes).unwrap();
    let mut running = Running::open(&level.path(), level.n_triangles() / 4);
    running.run(ViewCommand::WorkAt(level.mesh.bounds().min));
    let session = running.session();
    let [warning] = &session.opened.level.as_ref().unwrap().warnings[..] else {
        panic!("no warning")
    };
    assert!(warning.to_string().contains("a triangle has no part"), "{warning}");
    assert!(!running.tiles().is_empty());
    let says = |text: &str| session.log.iter().any(|entry| entry.text().contains(text));
    assert!(says("1 square left out of the overview"));
    set_language(Language::Chinese);
    assert!(says("概览中忽略了1 个方格") && says("个三角形"));
    set_language(Language::English);
    // A file without an end cannot be opened; what is open stays.
    let cut = level.folder.path().join("cut.tri");
    fs::write(&cut, &fs::read(level.path()).unwrap()[..1000]).unwrap();
    running.run(Command::Load(LevelSource::File(cut)));
    let error = running.session().log.iter().find(|entry| entry.severity == Severity::Error);
    let error = error.expect("it is refused").text();
    assert!(error.contains("cut.tri") && error.contains("its end is missing"), "{error}");
    assert!(running.session().world().is_some());
}

#[test]
fn a_part_without_whole_tiles_says_what_to_change() {
    let level = OnDisk::new();
    let mut running = Running::open(&level.path(), level.n_triangles() / 4);
    for (tile_size, remedy) in [(0, "set tile_size"), (200, "smaller tile_size")] {
        let settings = BakeSettings { tile_size, ..BakeSettings::default() };
        let edit = Edit::Settings(Box::new(settings));
        running.run(Command::Change(Phrase::verbatim("Tiles"), edit));
        let error = running.session().bake.error.clone().unwrap();
        assert!(error.to_string().contains(remedy), "{error}");
    }
}

#[test]
fn a_path_out_of_the_part_of_a_level_needs_a_store_beside_it() {
    let level = OnDisk::new();
    let mut running = Running::open(&level.path(), level.n_triangles() / 4);
    let bounds = level.mesh.bounds();
    let config = running.session().document().config();
    let whole = bake(config.with_mesh(Arc::new(level.mesh.clone())), &Unmonitored).unwrap();
    let ends = [running.world().part.center(), bounds.max - Vec3::splat(4.0)].map(|at| {
        let (half_extents, filter) = (Vec3::new(5.0, 50.0, 5.0), &Filter::default());
        let request = NearestRequest { center: at, half_extents, filter };
        nearest(&whole, &request).unwrap().expect("there is ground").point
    });
    running.run(PathCommand::Ends(ends));
    let why = |running: &Running| running.session().path.answer.as_ref().unwrap().why();
    assert_eq!(why(&running), Some(WhyNot::EndNotLoaded));
    assert_eq!(running.session().route_answer(), Some(&Err(NoRoute::NoStore)));
    assert!(running.session().path_finding().is_none(), "nothing is in the way");
    fs::write(level.path().with_extension("tiles"), store_bytes(&whole).unwrap()).unwrap();
    running.run(PathCommand::FindRoute);
    let route = running.session().shown_route().expect("the store has the end");
    assert!(route.why.is_none() && route.length >= ends[0].distance(ends[1]));
    // A place in the part without a baked tile counts as loaded, too.
    running.run(PathCommand::End(ends[0] + Vec3::Y * 300.0));
    assert_eq!(why(&running), Some(WhyNot::EndOffMesh));
    // The part moves, and what is loaded with it.
    running.run(ViewCommand::WorkAt(ends[1]));
    running.run(PathCommand::Ends(ends));
    assert_eq!(why(&running), Some(WhyNot::StartNotLoaded));
}

#[test]
fn results_say_that_they_concern_the_loaded_part_only() {
    let level = OnDisk::new();
    let mut running = Running::open(&level.path(), level.n_triangles() / 4);
    let part = running.world().part;
    let [at, far] = [part.center(), level.mesh.bounds().min];
    let cases = [at, far].map(|end| PathCase {
        expects: vec![Expectation::Outcome(Outcome::Reachable)],
        ..PathCase::new(at, end)
    });
    running.run(Command::Change(Phrase::verbatim("Tests"), Edit::PathTests(cases.to_vec())));
    let states: Vec<_> = (0..2).map(|index| running.session().case_state(index)).collect();
    assert!(matches!(states[0], Some(CaseState::Run(_))), "{states:?}");
    let why = phrase!("it starts or ends outside the loaded part of the level");
    assert_eq!(states[1], Some(&CaseState::NotRun(why)));

    let request = CheckRequest::of(running.session()).unwrap();
    let checked = request.run(&mut |_| {}, &Unmonitored).unwrap();
    let json = checked.answer.to_json().unwrap();
    assert!(json.contains("part-of-level"), "{json}");

    for (kind, is_of_part) in [
        (ExportKind::NAVMESH, true),
        (ExportKind::Report, true),
        (ExportKind::Settings, false),
        (ExportKind::Suite, false),
    ] {
        let path = level.folder.path().join(format!("out.{}", kind.ending()));
        let work = requests::export(running.session(), kind, path, None).unwrap();
        let Work::Export(_, target) = work else { panic!("{work:?}") };
        let words = "this concerns only the loaded part, ";
        let says = |loss: &&Phrase| loss.to_string().starts_with(words);
        assert_eq!(target.losses.iter().filter(says).count(), usize::from(is_of_part));
    }
    let export = Export::of(running.session(), ExportKind::Report);
    let Some(Export::Report(report)) = export else { panic!("{export:?}") };
    let report = String::from_utf8(report.to_json().unwrap()).unwrap();
    assert!(report.contains("part-of-level"), "{report}");
}

/// Opens a quarter of the level, with folders for what is stored of it.
fn opened_with_folders(level: &OnDisk) -> Running {
    let folder = level.folder.path().join("overviews");
    let mut running = Running::with_overviews(level.n_triangles() / 4, Some(&folder));
    running.run(Command::Load(LevelSource::File(level.path())));
    running
}

#[test]
fn all_tiles_of_a_level_in_part_are_exported() {
    let level = OnDisk::new();
    let mut running = opened_with_folders(&level);
    // A volume outside the part is baked, too.
    let far = level.mesh.bounds().min + Vec3::splat(3.0);
    assert!(!running.world().is_loaded(far));
    let shape = VolumeShape::Box(Aabb::new(far - 2.0, far + Vec3::new(2.0, 90.0, 2.0)));
    let volume = AreaVolume::new(RawArea(5), shape);
    running.run(Command::Change(Phrase::verbatim("Volume"), Edit::Volumes(vec![volume.into()])));
    let config = running.session().document().config();
    let whole = bake(config.with_mesh(Arc::new(level.mesh.clone())), &Unmonitored).unwrap();
    assert!(whole.tiles().any(|tile| tile.polys.iter().any(|poly| poly.area == AreaId(5))));
    let path = |name: &str| level.folder.path().join(name);
    let kind = ExportKind::Whole(ExportFormat::Detour);
    running.run(Command::ExportTo(kind, path("whole.bin")));
    assert!(fs::read(path("whole.bin")).unwrap() == whole.to_bytes());
    assert!(running.session().opened.store_export.is_none());
    // Formats with settings get those of the document.
    let kind = ExportKind::Whole(ExportFormat::Godot);
    running.run(Command::ExportTo(kind, path("whole.tres")));
    let document = running.session().document();
    let input = ExportInput {
        cell_height: Some(document.settings.cell_height),
        max_slope: Some(document.settings.agent_max_slope),
        ..ExportInput::new(&whole, &document.areas)
    };
    assert!(fs::read(path("whole.tres")).unwrap() == ExportFormat::Godot.write(&input).unwrap());
    // The level itself is not replaced.
    running.run(Command::Replace(ExportKind::Whole(ExportFormat::TileStore), level.path()));
    assert!(running.session().log.iter().any(|entry| entry.text().contains("is the open file")));

    let island = Edit::Islands(Islands { min_area: Some(2.0), ..Islands::default() });
    running.run(Command::Change(Phrase::verbatim("Islands"), island));
    assert!(running.session().whole_level_obstacle().is_some_and(|why| why.contains("islands")));
    assert!(!kind.is_ready(running.session()));
    assert!(!Command::from(CheckCommand::RunWhole).is_ready(running.session()));
}

#[test]
fn the_check_of_a_whole_level_finds_what_is_not_loaded() {
    let level = OnDisk::new();
    let mut running = opened_with_folders(&level);
    let baked = |running: &Running| {
        let config = running.session().document().config();
        bake(config.with_mesh(Arc::new(level.mesh.clone())), &Unmonitored).unwrap()
    };
    // A link to nowhere, far from the part.
    let corner = level.mesh.bounds().min + Vec3::new(3.0, 0.0, 3.0);
    let (half_extents, filter) = (Vec3::new(5.0, 50.0, 5.0), &Filter::default());
    let request = NearestRequest { center: corner, half_extents, filter };
    let far = nearest(&baked(&running), &request).unwrap().expect("there is ground").point;
    let link = OffMeshLink {
        start: far,
        end: far - Vec3::X * 40.0,
        radius: 0.6,
        bidirectional: true,
        area: AreaId::GROUND,
        flags: 1,
        user_id: 0,
    };
    running.run(Command::Change(Phrase::verbatim("Link"), Edit::Links(vec![link.into()])));
    running.run(CheckCommand::Run);
    assert!(!running.session().is_whole_checked());
    running.run(CheckCommand::RunWhole);
    let result = Arc::clone(running.session().check.result().expect("it was checked"));
    assert!(running.session().is_whole_checked() && !running.session().is_check_stale());
    let whole = baked(&running);
    let line = result.answer.lines().pop().unwrap();
    let stats = whole.stats();
    let counts = format!("{} polygons in {} tiles", stats.n_polys, stats.n_tiles);
    assert!(line.contains(&counts), "{line}");
    let json = result.answer.to_json().unwrap();
    assert!(json.contains("\"kind\": \"level\"") && !json.contains("part-of-level"), "{json}");

    // Findings lead to their place.
    let links = |(_, found): &(usize, &Diagnostic)| {
        found.locations().iter().any(|at| matches!(at, Location::OffMeshLink(_)))
    };
    let (index, _) = result.answer.all().enumerate().find(links).expect("the link is found");
    assert!(!running.world().is_loaded(far));
    running.run(CheckCommand::Choose(Some(index)));
    assert!(running.world().is_loaded(far));
    assert!(running.session().finding_picture().is_some());
    assert!(!running.session().is_check_stale(), "another part changes nothing");
    assert!(Arc::ptr_eq(running.session().check.result().unwrap(), &result));
    let settings =
        BakeSettings { agent_height: 3.0, ..running.session().document().settings.clone() };
    running.run(Command::Change(Phrase::verbatim("Height"), Edit::Settings(Box::new(settings))));
    assert!(running.session().is_check_stale());
    running.run(CheckCommand::Run);
    assert!(!running.session().is_whole_checked());
}

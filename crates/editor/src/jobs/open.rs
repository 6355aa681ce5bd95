//! Reads levels and navmeshes in the background.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use glam::Vec3;
use walkable::{
    bake::{BakeConfig, BakeSettings},
    debug_draw::feature_edges,
    diagnostic::{Diagnostic, Finding, Location, Phrase},
    geom::Bvh,
    level::{BUILTIN_LEVELS, BuiltinLevel, builtin},
    mesh::{ImportHint, ImportOptions, TriMesh, import_hint},
    monitor::Monitor,
    navmesh::NavMesh,
    phrase,
};
use walkable_workspace::{
    files::{self, FileKind, Format},
    lang,
    level_files::{LevelUse, parse_level, parse_navmesh, read_level, read_navmesh},
    project::{Project, ProjectError},
    repro::{Repro, ReproLevel, ReproQuery, ReproScene},
    scene_files::{mesh_file, read_gset, settings_beside},
    suite_file::SuiteFile,
};

use crate::{
    jobs::{
        map_level,
        open_store::{self, ReadStore, StoreRequest},
        open_world::{self, PartRequest, ReadPart},
        slot::{JobEvent, JobSlot, Wake},
    },
    level_appearance::{ImageDecoder, LevelAppearance, TextureReading},
    session::{CoarseLevel, LevelSource, LoadedLevel, OpenMap},
};

/// Edges with a sharper angle than this are drawn, in radians.
const MIN_BEND: f32 = std::f32::consts::FRAC_PI_6;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleLevel {
    pub source: LevelSource,
    pub what: String,
}

/// Returns all sample levels; the first one is opened on first start.
pub fn samples() -> Vec<SampleLevel> {
    let sample = |level: &BuiltinLevel| {
        let source = LevelSource::Builtin(level.name.to_owned());
        SampleLevel { source, what: level.description.to_owned() }
    };
    BUILTIN_LEVELS.iter().map(sample).collect()
}

#[derive(Clone, Debug)]
pub struct Companion {
    /// Suitable settings, with areas and off-mesh links.
    pub config: BakeConfig,
    /// Ends of a path worth seeing.
    pub path: Option<[Vec3; 2]>,
}

#[derive(Debug)]
pub enum Opened {
    Level(Box<LoadedLevel>, Option<Box<Companion>>),
    /// A scene of RecastDemo: its level and its settings.
    Scene(Box<LoadedLevel>, Box<BakeConfig>),
    /// A project with its level, its path and the fingerprint of its file.
    Project(Box<LoadedLevel>, Box<Project>, PathBuf, u64),
    Repro(Box<LoadedLevel>, Box<Repro>),
    /// A navmesh without its level; from a repro file with a query.
    Navmesh(LevelSource, Box<NavMesh>, Option<Box<ReproQuery>>),
    Store(LevelSource, Box<ReadStore>),
    /// Path tests for the open level.
    Suite(LevelSource, Box<SuiteFile>),
    Settings(LevelSource, Box<BakeConfig>),
    /// An error; the message names the line or byte.
    Failed(LevelSource, Phrase),
}

#[derive(Clone, Copy, Debug)]
pub struct LevelBudget {
    pub texture_bytes: usize,
    /// Maximum number of triangles to load of a file that can be read in parts.
    pub triangles: usize,
    /// Maximum memory of the tiles to load of a tile store, in bytes.
    pub tile_bytes: u64,
}

impl Default for LevelBudget {
    fn default() -> Self {
        let texture_bytes = TextureReading::DEFAULT_BYTES;
        Self { texture_bytes, triangles: 1 << 20, tile_bytes: 256 << 20 }
    }
}

#[derive(Debug)]
pub struct OpenJob {
    slot: JobSlot<Opened>,
    images: Option<ImageDecoder>,
    budget: LevelBudget,
    reading: Option<(LevelSource, ImportOptions)>,
}

impl OpenJob {
    pub fn new(wake: Wake) -> Self {
        let budget = LevelBudget::default();
        Self { slot: JobSlot::new("open", wake), images: None, budget, reading: None }
    }

    /// Sets the decoder of the levels' textures. Without it, levels have none.
    #[must_use]
    pub fn with_images(self, images: ImageDecoder) -> Self {
        Self { images: Some(images), ..self }
    }

    pub fn set_budget(&mut self, budget: LevelBudget) {
        self.budget = budget;
    }

    /// Reads `source`, and of a level larger than memory only the part around `part`. Cancels a running read.
    pub fn start(&mut self, source: LevelSource, import: ImportOptions, part: Option<Vec3>) {
        self.reading = Some((source.clone(), import));
        let LevelBudget { texture_bytes: max_bytes, triangles: max_triangles, tile_bytes } =
            self.budget;
        let textures = self.images.map(|decoder| TextureReading { decoder, max_bytes });
        let store = StoreRequest { around: part, max_bytes: tile_bytes };
        let part = PartRequest { around: part, max_triangles };
        self.slot.request(move |report| {
            let how = Reading { import, textures, part, store, monitor: report };
            let opened = read(&source, how);
            report.send(opened.unwrap_or_else(|error| Opened::Failed(source, error)));
        });
    }

    pub fn reading(&self) -> Option<&(LevelSource, ImportOptions)> {
        self.reading.as_ref().filter(|_| self.slot.is_busy())
    }

    pub fn poll(&mut self) -> Vec<JobEvent<Opened>> {
        self.slot.poll()
    }
}

#[derive(Clone, Copy)]
struct Reading<'a> {
    import: ImportOptions,
    textures: Option<TextureReading>,
    /// What is loaded of a level larger than memory.
    part: PartRequest,
    store: StoreRequest,
    monitor: &'a dyn Monitor,
}

fn read(source: &LevelSource, how: Reading<'_>) -> Result<Opened, Phrase> {
    if let LevelSource::File(path) = source {
        let kind = kind_of(path)?;
        if kind == FileKind::Project {
            return read_project(path, how);
        }
        if kind == FileKind::Repro {
            return open_repro(source, path, how.import);
        }
    }
    read_below_project(source, how)
}

fn kind_of(path: &Path) -> Result<FileKind, Phrase> {
    FileKind::read(path).map_err(|error| lang::error(&error))
}

fn read_below_project(source: &LevelSource, how: Reading<'_>) -> Result<Opened, Phrase> {
    let import = how.import;
    let path = match source {
        LevelSource::Builtin(name) => {
            let (mesh, companion) = read_builtin(name, import)?;
            let level = prepared(mesh, import, source, Vec::new());
            return Ok(Opened::Level(Box::new(level), Some(Box::new(companion))));
        }
        LevelSource::File(path) => path,
    };
    match kind_of(path)? {
        FileKind::Project => Err(ProjectError::Nested(path.clone()).to_string().into()),
        FileKind::TileStore => {
            let read = open_store::read(path, how.store)?;
            Ok(Opened::Store(source.clone(), Box::new(read)))
        }
        FileKind::Navmesh | FileKind::Layers => {
            let navmesh = read_navmesh(path).and_then(|bytes| parse_navmesh(&bytes));
            let navmesh = navmesh.map_err(|error| lang::error(&error))?;
            navmesh.prepare_queries();
            Ok(Opened::Navmesh(source.clone(), Box::new(navmesh), None))
        }
        FileKind::Scene => read_scene(path, how),
        FileKind::Settings => Ok(Opened::Settings(source.clone(), Box::new(read_config(path)?))),
        kind @ (FileKind::GridMap
        | FileKind::GridScenario
        | FileKind::VolumeMap
        | FileKind::VolumeScenario
        | FileKind::PolygonMesh) => read_map(source, path, kind, import),
        // The level of a project can be that of a repro file; the document and the query in that file are ignored.
        FileKind::Repro => match &read_repro(path)?.scene {
            ReproScene::Level(level) => {
                Ok(Opened::Level(prepared_repro(level, source, import)?, None))
            }
            ReproScene::Navmesh { .. } => Err(phrase!("it contains a navmesh, not a level")),
        },
        FileKind::Level(_) => {
            let mut level = read_level_file(path, how)?;
            let companion = read_companion(path, &mut level);
            Ok(Opened::Level(Box::new(level), companion.map(Box::new)))
        }
        FileKind::Suite | FileKind::TestCases => {
            let suite = SuiteFile::read(path).map_err(|error| lang::error(&error))?;
            Ok(Opened::Suite(source.clone(), Box::new(suite)))
        }
        FileKind::Triangles => {
            let ReadPart { mesh, world, warnings } = open_world::read(path, how.part)?;
            let mut level = LoadedLevel { world, ..prepared(mesh, import, source, warnings) };
            let companion = read_companion(path, &mut level);
            // The whole level cannot be baked in one piece, which is the default.
            let tiled = level.world.is_some().then(open_world::config);
            let companion =
                companion.or_else(|| tiled.map(|config| Companion { config, path: None }));
            Ok(Opened::Level(Box::new(level), companion.map(Box::new)))
        }
    }
}

fn read_repro(path: &Path) -> Result<Repro, Phrase> {
    Repro::read(path).map_err(|error| lang::error(&error))
}

fn prepared_repro(
    level: &ReproLevel,
    source: &LevelSource,
    import: ImportOptions,
) -> Result<Box<LoadedLevel>, Phrase> {
    let mesh = import.import(level.to_file()).map_err(|error| error.to_string())?;
    Ok(Box::new(prepared(mesh, import, source, Vec::new())))
}

fn open_repro(source: &LevelSource, path: &Path, import: ImportOptions) -> Result<Opened, Phrase> {
    let repro = read_repro(path)?;
    match &repro.scene {
        ReproScene::Level(level) => {
            let level = prepared_repro(level, source, import)?;
            Ok(Opened::Repro(level, Box::new(repro)))
        }
        ReproScene::Navmesh { name, bytes } => {
            let named = |error| lang::with_more(name.clone(), lang::error(&error));
            let navmesh = parse_navmesh(bytes).map_err(named)?;
            navmesh.prepare_queries();
            let query = Some(Box::new(repro.query));
            Ok(Opened::Navmesh(source.clone(), Box::new(navmesh), query))
        }
    }
}

fn read_map(
    source: &LevelSource,
    path: &Path,
    kind: FileKind,
    import: ImportOptions,
) -> Result<Opened, Phrase> {
    let (map, mesh) = map_level::read_map(path, kind)?;
    let companions = map_level::companions(path, kind);
    let path = map.queries.last().map(|q| [OpenMap::middle(&q.start), OpenMap::middle(&q.goal)]);
    let level = prepared(mesh, ImportOptions::default(), source, Vec::new());
    let edges = Arc::new(map_level::edges(&map.map, &level.edges));
    let map = Some(Arc::new(map));
    let level = LoadedLevel { edges, map, import, companions, ..level };
    let companion = Companion { config: map_level::config(), path };
    Ok(Opened::Level(Box::new(level), Some(Box::new(companion))))
}

fn read_scene(path: &Path, how: Reading<'_>) -> Result<Opened, Phrase> {
    let scene = read_gset(path).map_err(|error| lang::error(&error))?;
    let file = mesh_file(path, &scene.mesh).map_err(|error| error.to_string())?;
    let mut level = read_level_file(&file, how).map_err(|why| {
        let why = quotable(why, &file, path);
        let level = file.display().to_string();
        phrase!("its level, {level}, cannot be opened: {why}", level, why)
    })?;
    level.companions.push(path.to_owned());
    let config = scene.moved_config_for(&level.mesh.bounds(), how.import.moved_by());
    Ok(Opened::Scene(Box::new(level), Box::new(config)))
}

fn read_project(path: &Path, how: Reading<'_>) -> Result<Opened, Phrase> {
    let text = files::read_text(path, Format::Project).map_err(|error| lang::error(&error))?;
    let project =
        Project::parse(&text, &files::folder_of(path)).map_err(|error| error.to_string())?;
    let part = PartRequest { around: project.part, ..how.part };
    let how = Reading { import: project.document.import, part, ..how };
    match read_below_project(&project.level, how) {
        Ok(Opened::Level(level, _)) => {
            let fingerprint = files::fingerprint(text.as_bytes());
            Ok(Opened::Project(level, Box::new(project), path.to_owned(), fingerprint))
        }
        Ok(_) => {
            let level = project.level.name();
            Err(phrase!("its level, {level}, is not a level file", level))
        }
        Err(why) => {
            let why = match &project.level {
                LevelSource::File(level) => quotable(why, level, path),
                LevelSource::Builtin(_) => why,
            };
            Err(phrase!("its level cannot be opened: {why}", why))
        }
    }
}

/// Returns why `file` cannot be read, unless that may not be shown because the file `by` names it.
fn quotable(why: Phrase, file: &Path, by: &Path) -> Phrase {
    files::check_quotable(file, by).map_or_else(|error| lang::error(&error.into()), |()| why)
}

/// Reads the settings file beside a level, if there is one. If it cannot be read, the level gets a warning.
fn read_companion(path: &Path, level: &mut LoadedLevel) -> Option<Companion> {
    let beside = settings_beside(path)?;
    match read_config(&beside) {
        Ok(config) => {
            level.companions.push(beside);
            Some(Companion { config, path: None })
        }
        Err(why) => {
            let reason = files::check_quotable(&beside, path)
                .map_or_else(|error| error.to_string(), |()| why);
            let file = Location::File(beside.display().to_string());
            level.warnings.push(Diagnostic::new(Finding::SettingsFileIgnored { reason }).at(file));
            None
        }
    }
}

fn read_config(path: &Path) -> Result<BakeConfig, String> {
    let text = files::read_text(path, Format::Settings).map_err(|error| format!("{error:#}"))?;
    BakeConfig::parse(&text).map_err(|error| error.to_string())
}

/// Computes the data for picking and drawing, which may take a second.
pub fn prepared(
    mesh: TriMesh,
    import: ImportOptions,
    source: &LevelSource,
    warnings: Vec<Diagnostic>,
) -> LoadedLevel {
    prepared_with(mesh, None, import, source, warnings)
}

fn prepared_with(
    mesh: TriMesh,
    appearance: Option<LevelAppearance>,
    import: ImportOptions,
    source: &LevelSource,
    warnings: Vec<Diagnostic>,
) -> LoadedLevel {
    let mesh = Arc::new(mesh);
    let bvh = Arc::new(Bvh::build(&*mesh));
    let edges = Arc::new(feature_edges(&mesh, MIN_BEND));
    let coarse = CoarseLevel::of(&mesh, &edges, appearance.as_ref());
    let BakeSettings { agent_height, agent_radius, .. } = BakeSettings::default();
    let hint = import_hint(&mesh, import, agent_height, agent_radius);
    let faces_down = hint == Some(ImportHint::FacesDown);
    let source = source.clone();
    LoadedLevel {
        mesh,
        bvh,
        edges,
        appearance: appearance.map(Arc::new),
        coarse,
        faces_down,
        map: None,
        world: None,
        import,
        source,
        beside: Vec::new(),
        companions: Vec::new(),
        warnings,
        serial: 0,
    }
}

fn read_builtin(name: &str, import: ImportOptions) -> Result<(TriMesh, Companion), Phrase> {
    let level =
        builtin(name).ok_or_else(|| phrase!("there is no built-in level called {name}", name))?;
    let level = level.read().map_err(|error| error.to_string())?;
    let companion = Companion { config: level.config, path: Some([level.start, level.end]) };
    if import == ImportOptions::default() {
        return Ok((level.mesh, companion));
    }
    let mesh = level.mesh;
    let (vertices, triangles) = (mesh.vertices().to_vec(), mesh.triangles().to_vec());
    let mesh = import.convert(vertices, triangles, mesh.parts().to_vec());
    Ok((mesh.map_err(|error| error.to_string())?, companion))
}

fn read_level_file(path: &Path, how: Reading<'_>) -> Result<LoadedLevel, Phrase> {
    let Reading { import, textures, monitor, .. } = how;
    let bytes = read_level(path).map_err(|error| lang::error(&error))?;
    let parsed = parse_level(path, &bytes, import, LevelUse::Picture);
    let (level, beside) = parsed.map_err(|error| lang::error(&error))?;
    drop(bytes);
    let mut warnings = level.warnings.clone().into_diagnostics();
    let imported = import.import_with_appearance(level);
    let (mesh, appearance) = imported.map_err(|error| error.to_string())?;
    let appearance = match appearance {
        Some(of) => LevelAppearance::prepare(of, textures, monitor, &mut warnings)
            .map_err(|cancelled| cancelled.to_string())?,
        None => None,
    };
    let source = LevelSource::File(path.to_owned());
    Ok(LoadedLevel { beside, ..prepared_with(mesh, appearance, import, &source, warnings) })
}

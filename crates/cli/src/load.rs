//! Loads the levels named on the command line.

use std::{
    ffi::OsString,
    fmt,
    fs::File,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context as _;
use clap::builder::{OsStringValueParser, TypedValueParser as _, ValueParser, ValueParserFactory};
use walkable::{
    bake::{AreaVolume, BakeConfig, BakeSettings},
    geom::Aabb,
    level::{BUILTIN_LEVELS, BuiltinLevel, builtin},
    mesh::{FileWarnings, ImportHint, ImportOptions, TriMesh, import_hint, read_obj},
    navmesh::NavMesh,
    store::TileStore,
    tile_cache::{Obstacle, TileCache},
};
use walkable_workspace::{
    document::{Document, Finish, LevelSource},
    files::{self, FileKind, Format},
    level_files::{self, LevelUse, NotALevel},
    path_tests::Volumes,
    project::{Project, ProjectError},
    repro::{Repro, ReproScene},
    scene_files::{self, mesh_file, read_gset, read_project, settings_beside},
    suite_file::SuiteFile,
};

use super::{input_file::InputFile, output::eprint_line, values};

const BUILTIN: &str = "builtin:";

/// A level on the command line: a file or `builtin:NAME`.
#[derive(Clone, Debug)]
pub(super) enum LevelArg {
    Builtin(&'static BuiltinLevel),
    /// An OBJ, glTF, PLY or STL file, or a `.gset` file or a project that names one.
    File(PathBuf),
    /// Such a file that another file names, and not the user.
    Named {
        file: PathBuf,
        by: PathBuf,
    },
}

/// Settings on the command line that replace or override those of a level.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct SettingsArgs {
    /// Settings, areas and off-mesh links that replace those of the level; may also be a .gset file or a project.
    #[arg(id = "settings", long = "settings", value_name = "FILE")]
    pub(super) file: Option<InputFile>,
    /// A setting that overrides the file's; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = values::key_and_value)]
    sets: Vec<(String, String)>,
    /// The suite that names the file, if the user does not.
    #[arg(skip)]
    named_by: Option<PathBuf>,
}

impl SettingsArgs {
    pub(super) fn is_empty(&self) -> bool {
        self.file.is_none() && self.sets.is_empty()
    }

    /// Returns the same settings, but based on the file that the suite at `path` names if no settings file is given.
    pub(super) fn or_of_suite(&self, suite: &SuiteFile, path: &Path) -> anyhow::Result<Self> {
        if self.file.is_some() {
            return Ok(self.clone());
        }
        let (file, named_by) = (suite.settings_file(path)?.map(InputFile), Some(path.to_owned()));
        Ok(Self { file, sets: self.sets.clone(), named_by })
    }

    /// Returns the configuration of the given file, or else that of the file `beside` the level, or else the level's
    /// `own`, with the overrides.
    pub(super) fn over(&self, own: BakeConfig, level: &Level) -> anyhow::Result<BakeConfig> {
        let place = (&level.mesh.bounds(), level.document.import);
        self.over_at(own, place, level.beside.as_deref())
    }

    /// Like [`SettingsArgs::over`], for a level with the bounds and import options in `place`, and with the settings
    /// file `beside` it.
    pub(super) fn over_at(
        &self,
        own: BakeConfig,
        place: (&Aabb, ImportOptions),
        beside: Option<&Path>,
    ) -> anyhow::Result<BakeConfig> {
        self.with_sets(match (&self.file, beside) {
            (None, None) => own,
            (None, Some(beside)) => {
                let file = beside.display();
                eprint_line(&format!("settings of {file}, beside the level"));
                let read = scene_files::read_config(beside, place);
                self.quotable(read, beside).with_context(|| {
                    format!("settings beside the level (--settings uses others instead of {file})")
                })?
            }
            (Some(file), _) => self.quotable(scene_files::read_config(file, place), file)?,
        })
    }

    fn quotable<T>(&self, read: anyhow::Result<T>, file: &Path) -> anyhow::Result<T> {
        match &self.named_by {
            None => read,
            Some(by) => files::quotable(read, file, by),
        }
    }

    /// Returns the configuration with the overrides, whether or not a settings file is given.
    pub(super) fn with_sets(&self, mut config: BakeConfig) -> anyhow::Result<BakeConfig> {
        for (key, value) in &self.sets {
            config.settings.set(key, value)?;
        }
        Ok(config)
    }

    /// Returns the volumes that path tests can name: those of the document, or `own` if they come from a settings file,
    /// where volumes have no names.
    pub(super) fn volumes(&self, level: &Level, own: &[AreaVolume]) -> Volumes {
        if self.file.is_none() && level.beside.is_none() {
            Volumes::of(&level.document.volumes)
        } else {
            Volumes::unnamed(own)
        }
    }
}

pub(super) struct Level {
    pub(super) mesh: Arc<TriMesh>,
    pub(super) config: BakeConfig,
    pub(super) finish: Finish,
    /// The document of the project or repro file; for other files, a default document with the level's settings.
    pub(super) document: Document,
    pub(super) obstacles: Option<Vec<Obstacle>>,
    pub(super) n_faces: usize,
    pub(super) files: Vec<PathBuf>,
    /// The settings file beside it, which is one of its files.
    pub(super) beside: Option<PathBuf>,
    pub(super) warnings: FileWarnings,
}

impl LevelArg {
    /// Parses the argument; a built-in level must exist.
    pub(super) fn parse(text: OsString) -> Result<Self, String> {
        let name = text.to_str().and_then(|text| text.strip_prefix(BUILTIN));
        let Some(name) = name else { return Ok(Self::File(text.into())) };
        let names = || BUILTIN_LEVELS.iter().map(|level| level.name).collect::<Vec<_>>().join(", ");
        let unknown = || format!("there is no built-in level \"{name}\"; there are {}", names());
        builtin(name).map(Self::Builtin).ok_or_else(unknown)
    }

    /// Creates the argument for a level that the file `by` names; a built-in level must exist.
    pub(super) fn named_by(by: &Path, source: LevelSource) -> anyhow::Result<Self> {
        match source {
            LevelSource::File(file) => Ok(Self::Named { file, by: by.to_owned() }),
            LevelSource::Builtin(name) => {
                Self::parse(format!("{BUILTIN}{name}").into()).map_err(anyhow::Error::msg)
            }
        }
    }

    pub(super) fn file(&self) -> Option<&PathBuf> {
        match self {
            Self::Builtin(_) => None,
            Self::File(path) | Self::Named { file: path, .. } => Some(path),
        }
    }

    /// Returns whether the file is a navmesh, or layers to build one from.
    pub(super) fn is_navmesh(&self) -> anyhow::Result<bool> {
        let Some(path) = self.file() else { return Ok(false) };
        let kind = FileKind::read(path)?;
        Ok(matches!(kind, FileKind::Navmesh | FileKind::TileStore | FileKind::Layers))
    }

    pub(super) fn navmesh(&self) -> anyhow::Result<Option<NavMesh>> {
        let Some(path) = self.file() else { return Ok(None) };
        if !self.is_navmesh()? {
            return Ok(None);
        }
        let bytes = level_files::read_navmesh(path)?;
        Ok(Some(level_files::parse_navmesh(&bytes).with_context(|| self.to_string())?))
    }

    pub(super) fn layers(&self) -> anyhow::Result<Option<TileCache>> {
        let Some(path) = self.file() else { return Ok(None) };
        if FileKind::read(path)? != FileKind::Layers {
            return Ok(None);
        }
        let bytes = files::read(path, Format::Navmesh)?;
        Ok(Some(TileCache::from_bytes(&bytes).with_context(|| self.to_string())?))
    }

    /// Opens the file if it is a tile store, and reads its index.
    pub(super) fn tile_store(&self) -> anyhow::Result<Option<(TileStore, File)>> {
        let Some(path) = self.file() else { return Ok(None) };
        if FileKind::read(path)? != FileKind::TileStore {
            return Ok(None);
        }
        let mut file = files::open(path)?;
        let store = TileStore::read(&mut file).with_context(|| self.to_string())?;
        Ok(Some((store, file)))
    }

    pub(super) fn load(&self, import: ImportOptions) -> anyhow::Result<Level> {
        let kind = self.file().map(|path| FileKind::read(path)).transpose()?;
        let mut level = match (self.file(), kind) {
            (Some(path), Some(FileKind::Project)) => self.quotable(load_project(path, import))?,
            _ => self.load_below_project(import)?,
        };
        if kind.is_some_and(|kind| kind.format().is_level()) {
            level.beside = self.file().and_then(|path| settings_beside(path));
            level.files.extend(level.beside.clone());
        }
        // Materials that cannot be read are left out.
        files::check_inputs()?;
        Ok(level)
    }

    /// Replaces the error of reading the file if it may not quote the file.
    fn quotable<T>(&self, read: anyhow::Result<T>) -> anyhow::Result<T> {
        match self {
            Self::Builtin(_) | Self::File(_) => read,
            Self::Named { file, by } => files::quotable(read, file, by),
        }
    }

    fn load_below_project(&self, import: ImportOptions) -> anyhow::Result<Level> {
        self.quotable(self.load_quoting(import))
    }

    fn load_quoting(&self, import: ImportOptions) -> anyhow::Result<Level> {
        let gset = match self.file() {
            None => None,
            Some(path) => {
                let kind = FileKind::read(path)?;
                if kind == FileKind::Project {
                    return Err(ProjectError::Nested(path.clone()).into());
                }
                if kind == FileKind::Repro {
                    return load_repro(path, import);
                }
                // The level parser rejects files that are not levels.
                (kind == FileKind::Scene).then(|| read_gset(path)).transpose()?
            }
        };
        let mut files = Vec::new();
        let (file, mut config, name) = match (self, &gset) {
            (Self::Builtin(level), _) => {
                let config = BakeConfig::parse(level.config).with_context(|| self.to_string())?;
                (read_obj(level.obj).map_err(Into::into), config, self.to_string())
            }
            (Self::File(named) | Self::Named { file: named, .. }, gset) => {
                files.extend(gset.is_some().then(|| named.clone()));
                let path = match gset {
                    None => named.clone(),
                    Some(gset) => mesh_file(named, &gset.mesh)?,
                };
                let name = path.display().to_string();
                let bytes = level_files::read_level(&path)?;
                let mut read = level_files::parse_level(&path, &bytes, import, LevelUse::Bake);
                if gset.is_some() {
                    read = files::quotable(read, &path, named);
                }
                files.push(path);
                let read = read.map(|(file, beside)| {
                    files.extend(beside);
                    file
                });
                (read, BakeConfig::default(), name)
            }
        };
        let file = file.with_context(|| name.clone())?;
        let (n_faces, warnings) = (file.n_faces, file.warnings.clone());
        let mesh = import.import(file).with_context(|| name)?;
        if let Some(gset) = gset {
            config = gset.moved_config_for(&mesh.bounds(), import.moved_by());
        }
        let finish = Finish::default();
        let (document, obstacles) = (Document::new(config.clone(), import), None);
        let mesh = Arc::new(mesh);
        Ok(Level {
            mesh,
            config,
            finish,
            document,
            obstacles,
            n_faces,
            files,
            beside: None,
            warnings,
        })
    }

    #[cfg(feature = "window")]
    pub(super) fn into_source(self) -> LevelSource {
        match self {
            Self::Builtin(level) => LevelSource::Builtin(level.name.to_owned()),
            Self::File(path) | Self::Named { file: path, .. } => LevelSource::File(path),
        }
    }
}

/// A custom parser, because file names need not be UTF-8.
impl ValueParserFactory for LevelArg {
    type Parser = ValueParser;

    fn value_parser() -> ValueParser {
        OsStringValueParser::new().try_map(Self::parse).into()
    }
}

/// Loads the level and the document of a project. The import options of the project apply, unless `import` differs from
/// the default.
fn load_project(path: &Path, import: ImportOptions) -> anyhow::Result<Level> {
    let Project { level, mut document, .. } = read_project(path)?;
    let arg = LevelArg::named_by(path, level).with_context(|| path.display().to_string())?;
    if import != ImportOptions::default() {
        document.import = import;
    }
    let level = arg.load_below_project(document.import);
    let mut level = level.with_context(|| path.display().to_string())?;
    level.files.insert(0, path.to_owned());
    Ok(level.with_document(document))
}

impl Level {
    pub(super) fn import_hint(&self, agent: &BakeSettings) -> Option<ImportHint> {
        let BakeSettings { agent_height, agent_radius, .. } = *agent;
        import_hint(&self.mesh, self.document.import, agent_height, agent_radius)
    }

    fn with_document(self, document: Document) -> Self {
        let obstacles = document.obstacles_on_layers();
        let (config, finish) = (document.config(), document.finish());
        Self { config, finish, document, obstacles, ..self }
    }
}

fn load_repro(path: &Path, import: ImportOptions) -> anyhow::Result<Level> {
    let context = || path.display().to_string();
    let ReproScene::Level(level) = Repro::read(path)?.scene else {
        return Err(NotALevel::Other(FileKind::Navmesh)).with_context(context);
    };
    let file = level.to_file();
    let (n_faces, warnings) = (file.n_faces, file.warnings.clone());
    let mesh = import.import(file).with_context(context)?;
    let loaded = Level {
        mesh: Arc::new(mesh),
        config: BakeConfig::default(),
        finish: Finish::default(),
        document: Document::default(),
        obstacles: None,
        n_faces,
        files: vec![path.to_owned()],
        beside: None,
        warnings,
    };
    Ok(loaded.with_document(*level.document))
}

impl fmt::Display for LevelArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Builtin(level) => write!(f, "{BUILTIN}{}", level.name),
            Self::File(path) | Self::Named { file: path, .. } => path.display().fmt(f),
        }
    }
}

//! Writes results to files in the background.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use walkable::{
    bake::{BakeConfig, Gset, settings_advice},
    ids::TileCoord,
    monitor::Unmonitored,
    navmesh::{NavMesh, format::obj},
    stage::Stage,
    tile_cache::TileCache,
};

use crate::{
    command::ExportKind,
    jobs::slot::{JobEvent, JobSlot, Wake},
    project::Project,
    report::{OutputReport, RAW_CONTOURS, Report, TileReport},
    session::{LevelSource, Session, StageView, TileResult},
};

/// What is to be written: a snapshot, so that the session may go on.
#[derive(Clone, Debug)]
pub enum Export {
    /// RecastDemo's tile set.
    Navmesh(Arc<NavMesh>),
    /// The navmesh's triangles.
    Obj(Arc<NavMesh>),
    /// Counts, times and warnings.
    Report(Box<Report>),
    /// Settings, volumes and links.
    Settings(Box<BakeConfig>),
    /// RecastDemo's set of layers.
    Layers(Box<TileCache>),
    /// The project file.
    Project(Box<Project>),
    /// The lab's table.
    Lab(String),
    /// The text of RecastDemo's scene, and what it cannot hold.
    Gset(String, Vec<String>),
}

impl Export {
    /// Takes from `session` what `kind` needs; `None` where there is nothing to write yet.
    pub fn of(session: &Session, kind: ExportKind) -> Option<Self> {
        Some(match kind {
            ExportKind::Navmesh => Self::Navmesh(session.bake.navmesh.clone()?),
            ExportKind::Obj => Self::Obj(session.bake.navmesh.clone()?),
            ExportKind::Report if session.bake.tiles.is_empty() => return None,
            ExportKind::Report => Self::Report(Box::new(report_of(session))),
            ExportKind::Settings => Self::Settings(Box::new(session.document().config())),
            ExportKind::Gset => {
                let level = session.level.as_ref()?;
                let mesh = match &level.source {
                    LevelSource::File(path) => path.display().to_string(),
                    LevelSource::Builtin(name) => format!("{name}.obj"),
                };
                let config = session.document().config();
                let (text, losses) = Gset::to_text(&mesh, &config, &level.mesh.bounds());
                Self::Gset(text, losses.iter().map(ToString::to_string).collect())
            }
            ExportKind::Layers => Self::Layers(Box::new(session.bake.layered()?.cache().clone())),
            ExportKind::Lab if session.lab.rows.is_empty() => return None,
            ExportKind::Lab => Self::Lab(session.lab.to_csv()),
            ExportKind::Project => Self::Project(Box::new(session.to_project()?)),
        })
    }

    /// The bytes of the file `path`.
    fn bytes(&self, path: &Path) -> Result<Vec<u8>, String> {
        Ok(match self {
            Self::Navmesh(navmesh) => navmesh.to_bytes(),
            Self::Obj(navmesh) => obj::to_obj(navmesh).into_bytes(),
            Self::Layers(cache) => {
                // Whoever loads the file builds the navmesh of the layers alone.
                let mut layers = cache.without_obstacles();
                layers.build(&Unmonitored).map_err(|error| error.to_string())?;
                layers.to_bytes()
            }
            Self::Report(report) => report.to_json().map_err(|error| error.to_string())?,
            Self::Settings(config) => config.to_text().into_bytes(),
            Self::Lab(text) | Self::Gset(text, _) => text.clone().into_bytes(),
            Self::Project(project) => {
                let text = project.to_text(&crate::files::folder_of(path));
                text.map_err(|error| error.to_string())?.into_bytes()
            }
        })
    }
}

/// How writing ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The file.
    pub path: PathBuf,
    /// Bytes written, or why nothing was.
    pub result: Result<usize, String>,
    /// What is saved now, where a project was written.
    pub project: Option<Box<Project>>,
    /// What the file cannot hold.
    pub losses: Vec<String>,
}

/// Writes one file after the other.
#[derive(Debug)]
pub struct ExportJob {
    slot: JobSlot<Written>,
}

impl ExportJob {
    /// Nothing to write yet.
    pub fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("export", wake) }
    }

    /// Writes `export` to `path`, all of it or nothing.
    pub fn start(&mut self, export: Export, path: PathBuf) {
        self.slot.request(move |report| {
            let result = export.bytes(&path).and_then(|bytes| {
                let write = crate::files::write_atomically(&path, &bytes);
                write.map(|()| bytes.len()).map_err(|error| format!("{error:#}"))
            });
            let (project, losses) = match export {
                Export::Project(project) if result.is_ok() => (Some(project), Vec::new()),
                Export::Gset(_, losses) => (None, losses),
                _ => (None, Vec::new()),
            };
            report.send(Written { path, result, project, losses });
        });
    }

    /// Whether something is being written.
    pub fn is_busy(&self) -> bool {
        self.slot.has_thread()
    }

    /// What was written since the last poll.
    pub fn poll(&mut self) -> Vec<JobEvent<Written>> {
        self.slot.poll()
    }
}

fn report_of(session: &Session) -> Report {
    let level = session.level.as_ref();
    let tiles = session.bake.tiles.iter().map(|(&tile, result)| tile_report(tile, result));
    let report = Report::new(
        session.name(),
        level.map_or(0, |level| level.mesh.triangles().len()),
        session.document().settings.clone(),
        session.bake.elapsed,
        tiles.collect(),
    );
    let mut found = level.map_or_else(Vec::new, |level| level.warnings.clone());
    found.extend(settings_advice(&session.document().settings));
    let Some(navmesh) = session.bake.navmesh.as_deref() else {
        return report.with_findings(found, Vec::new());
    };
    found.extend(session.mesh_findings());
    let report = report.with_findings(found, session.link_reports());
    report.with_output(OutputReport::of_mesh(navmesh))
}

fn tile_report(tile: TileCoord, result: &TileResult) -> TileReport {
    let key = |view: StageView| match view {
        StageView::ContoursRaw => Some(RAW_CONTOURS),
        _ => view.stage().map(Stage::key),
    };
    let count = |view: StageView| Some((key(view)?, result.counts.get(view)?));
    TileReport {
        tile,
        error: result.error.clone(),
        times: result.times.clone(),
        counts: StageView::ALL.into_iter().filter_map(count).collect(),
        warnings: result.warnings.clone(),
    }
}

//! Writes results to files in the background.

use std::{
    collections::VecDeque,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

use walkable::{
    bake::{AreaTable, BakeConfig, Gset, settings_advice},
    diagnostic::Phrase,
    export::{ExportFormat, ExportInput},
    ids::TileCoord,
    monitor::Unmonitored,
    navmesh::NavMesh,
    phrase,
    stage::Stage,
    suite::PathCase,
    tile_cache::TileCache,
};
use walkable_workspace::{
    agent_files::agent_files,
    crowd_scene::{BAKED_NAVMESH, Scene},
    document::Agent,
    files::{self, Format, NamedBy},
    lang,
    project::Project,
    report::{OutputReport, RAW_CONTOURS, Report, TileReport},
    repro::{Repro, ReproLevel, ReproQuery, ReproScene, link_to},
    stage_geometry::StageBake,
    stage_view::StageView,
    suite_file::SuiteFile,
    sweep::sweep_to_csv,
};

use crate::{
    jobs::slot::{JobEvent, JobSlot, JobStep, Wake},
    session::{ExportKind, LevelSource, PngPicture, Session, TileResult},
};

/// The data to write: a snapshot, so that the session can change meanwhile.
#[derive(Clone, Debug)]
pub enum Export {
    Mesh(Box<MeshExport>, ExportFormat),
    /// The navmesh of each agent in a format, with the agent's name.
    Agents(Vec<(String, MeshExport)>, ExportFormat),
    Stage(Box<StageBake>, ExportFormat),
    Report(Box<Report>),
    ReportTable(String),
    Settings(Box<BakeConfig>),
    Layers(Box<TileCache>),
    Project(Box<Project>),
    /// A level or navmesh and a query, which is asked when the file is written.
    Repro(Box<ReproScene>, ReproQuery),
    Lab(String),
    Sweep(String),
    /// The scene of a finding of the soak run, and the navmesh unless it is an open file.
    Scene(String, Option<Arc<NavMesh>>),
    /// The path tests, and the level or project on which they run.
    Suite(Vec<PathCase>, LevelSource),
    Picture(PngPicture),
    /// The text of RecastDemo's scene, and the data it cannot hold.
    Gset(String, Vec<Phrase>),
}

/// A navmesh with its areas and the settings that its tiles do not contain.
#[derive(Clone, Debug)]
pub struct MeshExport {
    navmesh: Arc<NavMesh>,
    areas: AreaTable,
    cell_height: Option<f32>,
    max_slope: Option<f32>,
}

impl MeshExport {
    fn of(session: &Session) -> Option<Self> {
        let document = session.document();
        let known = session.opened.level.as_ref().map(|_| &document.settings);
        Some(Self {
            navmesh: session.current_bake().navmesh.clone()?,
            areas: document.areas.clone(),
            cell_height: known.map(|settings| settings.cell_height),
            max_slope: known.map(|settings| settings.agent_max_slope),
        })
    }

    /// Returns the navmesh of agent `number`; `None` if it is not known.
    fn of_agent(session: &Session, number: usize) -> Option<Self> {
        let document = session.document();
        let settings = &document.agents.list.get(number)?.settings;
        let navmesh = if number == document.agents.chosen {
            session.current_bake().navmesh.clone()?
        } else {
            Arc::clone(&session.other_agents.baked.get(&number)?.mesh)
        };
        Some(Self {
            navmesh,
            areas: document.areas.clone(),
            cell_height: Some(settings.cell_height),
            max_slope: Some(settings.agent_max_slope),
        })
    }

    fn bytes(&self, format: ExportFormat) -> Result<Vec<u8>, String> {
        let input = ExportInput {
            cell_height: self.cell_height,
            max_slope: self.max_slope,
            ..ExportInput::new(&self.navmesh, &self.areas)
        };
        format.write(&input).map_err(|error| error.to_string())
    }
}

/// Creates the repro file of `kind` by running its query, and returns the fragment of a link that contains the file;
/// see [`link_to`]. Fails if there is nothing to export, or if the file is too large for a link.
pub fn repro_link(session: &Session, kind: ExportKind) -> Result<String, Phrase> {
    let export = Export::of(session, kind).ok_or_else(|| Phrase::verbatim(kind.before()))?;
    let bytes = export.bytes(Path::new(""))?;
    link_to(&bytes).map_err(|error| error.to_string().into())
}

impl Export {
    /// Collects the data for `kind` from `session`; `None` if there is nothing to write yet.
    pub fn of(session: &Session, kind: ExportKind) -> Option<Self> {
        if !kind.is_ready(session) {
            return None;
        }
        Some(match kind {
            ExportKind::Mesh(format) => Self::Mesh(Box::new(MeshExport::of(session)?), format),
            ExportKind::AllAgents(format) => {
                let agents = session.document().agents.list.iter().enumerate();
                let mesh = |(number, agent): (usize, &Agent)| {
                    Some((agent.name.clone(), MeshExport::of_agent(session, number)?))
                };
                Self::Agents(agents.filter_map(mesh).collect(), format)
            }
            ExportKind::Stage(format) => Self::Stage(Box::new(stage_of(session)), format),
            ExportKind::Report => Self::Report(Box::new(report_of(session))),
            ExportKind::ReportTable => Self::ReportTable(report_of(session).to_csv()),
            ExportKind::Settings => Self::Settings(Box::new(session.document().config())),
            ExportKind::Gset => {
                let level = session.opened.level.as_ref()?;
                let mesh = match &level.source {
                    // The paths of a page say nothing to other programs.
                    LevelSource::File(_) if cfg!(target_family = "wasm") => level.source.name(),
                    LevelSource::File(path) => path.display().to_string(),
                    LevelSource::Builtin(name) => format!("{name}.obj"),
                };
                let config = session.document().config();
                let (text, losses) = Gset::to_text(&mesh, &config, &level.mesh.bounds());
                let mut losses: Vec<_> =
                    losses.iter().map(|loss| Phrase::from(loss.to_string())).collect();
                if let LevelSource::File(path) = &level.source
                    && path.to_str().is_none()
                {
                    losses.push(phrase!("the path of the level, because it is not UTF-8"));
                }
                Self::Gset(text, losses)
            }
            ExportKind::Layers => {
                Self::Layers(Box::new(session.current_bake().layered()?.cache().clone()))
            }
            ExportKind::PathRepro => {
                let query = ReproQuery::Path(session.path.terms()?.into());
                Self::Repro(Box::new(scene_of(session)?), query)
            }
            ExportKind::PlaceRepro => {
                let query = ReproQuery::At(session.tools.selection?.point);
                Self::Repro(Box::new(scene_of(session)?), query)
            }
            ExportKind::FindingScene => {
                let (report, finding) = (session.soak.report()?, session.soak.shown_finding()?);
                let opened = opened_navmesh(session);
                let name = opened.as_deref().unwrap_or(BAKED_NAVMESH);
                let baked = session.soak.navmesh.as_ref().filter(|_| opened.is_none());
                let baked = baked.map(|navmesh| Arc::clone(navmesh.mesh()));
                Self::Scene(Scene::text_of_finding(report, finding, name), baked)
            }
            ExportKind::Suite => {
                Self::Suite(session.document().path_tests.clone(), session.source()?)
            }
            ExportKind::Picture => Self::Picture(session.shown.picture.clone()?),
            ExportKind::Lab => Self::Lab(session.lab.to_csv()),
            ExportKind::Sweep => {
                Self::Sweep(sweep_to_csv(&session.sweep.keys, &session.sweep.rows()))
            }
            ExportKind::Project => Self::Project(Box::new(session.to_project()?)),
            // Other jobs write them.
            ExportKind::Sorted | ExportKind::Whole(_) => return None,
        })
    }

    /// Bakes tiles for the file, unless the target has to be decided first; returns whether there was something to do.
    fn bakes_more(&mut self, target: &Target, cancel: &AtomicBool) -> bool {
        let Self::Stage(stage, _) = self else { return false };
        if stage.is_done() || (stage.is_new() && clash(target) != Ok(None)) {
            return false;
        }
        stage.advance(cancel);
        true
    }

    /// Returns the files to write for `path`, with what each contains.
    fn files(&self, path: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, Phrase> {
        if let Self::Agents(meshes, format) = self {
            let files = self.paths(path);
            let bytes = meshes
                .iter()
                .map(|(name, mesh)| mesh.bytes(*format).map_err(|why| format!("{name}: {why}")));
            return files.into_iter().zip(bytes).map(|(file, bytes)| Ok((file, bytes?))).collect();
        }
        let mut files = vec![(path.to_owned(), self.bytes(path)?)];
        if let Self::Scene(_, Some(navmesh)) = self {
            files.push((path.with_file_name(BAKED_NAVMESH), navmesh.to_bytes()));
        }
        Ok(files)
    }

    /// Returns the files that an export to `path` changes. The navmesh beside a scene is not one of them if it already
    /// has the same content.
    fn paths(&self, path: &Path) -> Vec<PathBuf> {
        match self {
            Self::Agents(meshes, _) => agent_files(path, meshes.iter().map(|(name, _)| &**name)),
            Self::Scene(_, Some(navmesh)) => {
                let beside = path.with_file_name(BAKED_NAVMESH);
                let found = files::read(&beside, Format::Navmesh);
                let is_there = found.is_ok_and(|bytes| bytes == navmesh.to_bytes());
                [Some(path.to_owned()), (!is_there).then_some(beside)]
                    .into_iter()
                    .flatten()
                    .collect()
            }
            Self::Mesh(..)
            | Self::Stage(..)
            | Self::Report(_)
            | Self::ReportTable(_)
            | Self::Settings(_)
            | Self::Layers(_)
            | Self::Project(_)
            | Self::Repro(..)
            | Self::Lab(_)
            | Self::Sweep(_)
            | Self::Scene(_, None)
            | Self::Suite(..)
            | Self::Picture(_)
            | Self::Gset(..) => vec![path.to_owned()],
        }
    }

    fn bytes(&self, path: &Path) -> Result<Vec<u8>, Phrase> {
        Ok(match self {
            Self::Agents(..) => return Err(phrase!("each agent has a file of its own")),
            Self::Mesh(mesh, format) => mesh.bytes(*format)?,
            Self::Stage(stage, format) => {
                stage.bytes(*format).map_err(|error| lang::error(&error))?
            }
            Self::Layers(cache) => {
                // A program that loads the file builds the navmesh of the layers without obstacles.
                let mut layers = cache.without_obstacles();
                layers.build(&Unmonitored).map_err(|error| error.to_string())?;
                layers.to_bytes()
            }
            Self::Repro(scene, query) => {
                let repro = Repro::of((**scene).clone(), query.clone(), &Unmonitored);
                let repro = repro.map_err(|error| lang::error(&error))?;
                repro.to_text().map_err(|error| error.to_string())?.into_bytes()
            }
            Self::Report(report) => report.to_json().map_err(|error| error.to_string())?,
            Self::Settings(config) => config.to_text().into_bytes(),
            Self::Suite(cases, level) => {
                let level = SuiteFile::level_for(level, &files::folder_of(path));
                let suite = SuiteFile { level, cases: cases.clone(), ..SuiteFile::default() };
                suite.to_text().into_bytes()
            }
            Self::Picture(picture) => picture.bytes().to_vec(),
            Self::Lab(text)
            | Self::Sweep(text)
            | Self::Scene(text, _)
            | Self::ReportTable(text)
            | Self::Gset(text, _) => text.clone().into_bytes(),
            Self::Project(project) => {
                if let LevelSource::File(level) = &project.level {
                    files::copy_level(level).map_err(|error| lang::error(&error))?;
                }
                let text = project.to_text(&files::folder_of(path));
                text.map_err(|error| error.to_string())?.into_bytes()
            }
        })
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    pub kind: ExportKind,
    pub path: PathBuf,
    pub consent: Consent,
    /// Source files of the open session: an export may not replace them.
    pub sources: Vec<PathBuf>,
    /// What the session does not have, and so neither does the file.
    pub losses: Vec<Phrase>,
    /// Name of the agent whose navmesh is written, if there are several.
    pub agent: Option<String>,
}

/// What the user agreed to replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consent {
    Nothing,
    /// The project as it was read or written last, by its fingerprint.
    Known(Option<u64>),
    Anything,
}

/// A conflict that the user has to resolve before an export is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    pub kind: ExportKind,
    pub path: PathBuf,
    /// The file of the export; another one if the export writes several files.
    pub of: PathBuf,
    /// Whether it is the open project, changed by another program.
    pub has_changed: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExportMessage {
    Written(Box<Written>),
    Asks(Clash),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    pub path: PathBuf,
    /// Bytes written, or why nothing was.
    pub result: Result<usize, Phrase>,
    /// If a project was written: the saved project, and the fingerprint of its file.
    pub project: Option<(Box<Project>, u64)>,
    /// Data that the file format cannot hold.
    pub losses: Vec<Phrase>,
    /// Files with the navmesh of an agent and its name, if there are several agents.
    pub of_agents: Vec<(PathBuf, String)>,
}

/// Writes one file after the other.
#[derive(Debug)]
pub struct ExportJob {
    slot: JobSlot<ExportMessage>,
    /// Exports that wait for their turn; later ones never displace earlier ones.
    queue: VecDeque<(Export, Target)>,
}

impl ExportJob {
    pub fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("export", wake), queue: VecDeque::new() }
    }

    /// Writes `export` to its target, completely or not at all, after the exports requested before. Replaces an
    /// export that waits to be written to the same file.
    pub fn start(&mut self, export: Export, target: Target) {
        let is_same = |(_, other): &(Export, Target)| {
            (&other.path, other.kind) == (&target.path, target.kind)
        };
        match self.queue.iter().position(is_same) {
            Some(place) => self.queue[place] = (export, target),
            None => self.queue.push_back((export, target)),
        }
        self.go_on();
    }

    fn go_on(&mut self) {
        if self.slot.has_thread() {
            return;
        }
        let mut next = self.queue.pop_front();
        if next.is_some() {
            self.slot.request_steps(move |report| {
                if let Some((export, target)) = &mut next
                    && export.bakes_more(target, report.cancel_flag())
                {
                    return JobStep::Next;
                }
                if let Some((export, target)) = next.take() {
                    report.send(carry_out(export, target));
                }
                JobStep::Done
            });
        }
    }

    pub fn is_busy(&self) -> bool {
        self.slot.has_thread() || !self.queue.is_empty()
    }

    pub fn poll(&mut self) -> Vec<JobEvent<ExportMessage>> {
        let events = self.slot.poll();
        self.go_on();
        events
    }
}

fn carry_out(export: Export, target: Target) -> ExportMessage {
    let paths = export.paths(&target.path);
    let clashes = paths.iter().map(|path| clash(&Target { path: path.clone(), ..target.clone() }));
    let clashes: Result<Vec<_>, Phrase> = clashes.collect();
    let result = clashes.and_then(|clashes| match clashes.into_iter().flatten().next() {
        Some(clash) => Ok(Err(clash)),
        None => write(&export, &target.path).map(Ok),
    });
    let of_agents = if let Export::Agents(meshes, _) = &export {
        paths.into_iter().zip(meshes.iter().map(|(name, _)| name.clone())).collect()
    } else {
        target.agent.iter().map(|name| (target.path.clone(), name.clone())).collect()
    };
    let written = match result {
        // Consent is for all files of the export.
        Ok(Err(clash)) => return ExportMessage::Asks(Clash { of: target.path, ..clash }),
        Ok(Ok(bytes)) => Ok(bytes),
        Err(why) => Err(why),
    };
    let (project, losses) = match export {
        Export::Project(project) => {
            let fingerprint = written.as_ref().ok().map(|written| written.fingerprint);
            (fingerprint.map(|fingerprint| (project, fingerprint)), Vec::new())
        }
        Export::Gset(_, losses) => (None, losses),
        Export::Mesh(..)
        | Export::Agents(..)
        | Export::Stage(..)
        | Export::Report(_)
        | Export::ReportTable(_)
        | Export::Scene(..)
        | Export::Settings(_)
        | Export::Layers(_)
        | Export::Repro(..)
        | Export::Lab(_)
        | Export::Sweep(_)
        | Export::Suite(..)
        | Export::Picture(_) => (None, target.losses),
    };
    let result = written.map(|written| written.n_bytes);
    let path = target.path;
    ExportMessage::Written(Box::new(Written { path, result, project, losses, of_agents }))
}

/// Size of what was written, and the fingerprint of the last file.
struct Bytes {
    n_bytes: usize,
    fingerprint: u64,
}

/// Writes all files of an export, after all of them are made.
fn write(export: &Export, path: &Path) -> Result<Bytes, Phrase> {
    let mut written = Bytes { n_bytes: 0, fingerprint: 0 };
    for (file, bytes) in export.files(path)? {
        files::write_atomically(&file, &bytes).map_err(|error| lang::error(&error))?;
        let n_bytes = written.n_bytes + bytes.len();
        written = Bytes { n_bytes, fingerprint: files::fingerprint(&bytes) };
    }
    Ok(written)
}

/// Returns what the user has to decide before the target is written.
pub(super) fn clash(target: &Target) -> Result<Option<Clash>, Phrase> {
    let Target { kind, path, .. } = target;
    let (kind, of) = (*kind, path.clone());
    let clash = |has_changed| Clash { kind, path: path.clone(), of, has_changed };
    Ok(check(target)?.map(clash))
}

/// Returns whether the user has to confirm that the target is replaced, and if so whether it is the open project,
/// changed by another program.
fn check(target: &Target) -> Result<Option<bool>, Phrase> {
    let Target { path, consent, sources, .. } = target;
    if let Some(source) = sources.iter().find(|source| files::are_same(path, source)) {
        let source = source.display().to_string();
        return Err(phrase!("{source} is the open file: choose another file", source));
    }
    files::check_replaceable(path, NamedBy::User).map_err(|error| lang::error(&error))?;
    let is_there = files::exists(path);
    Ok(match consent {
        _ if !is_there => None,
        Consent::Anything => None,
        Consent::Nothing => Some(false),
        Consent::Known(known) => {
            let now = files::read(path, Format::Project).ok();
            let now = now.map(|bytes| files::fingerprint(&bytes));
            (now.is_none() || now != *known).then_some(true)
        }
    })
}

/// Returns the level of a session with its document, or else its navmesh.
fn scene_of(session: &Session) -> Option<ReproScene> {
    let Some(level) = &session.opened.level else {
        let name = session.opened.imported.as_ref()?.name();
        let bytes = session.bake.navmesh.as_ref()?.to_bytes();
        return Some(ReproScene::Navmesh { name, bytes });
    };
    let (name, mesh) = (level.source.name(), Arc::clone(&level.mesh));
    Some(ReproScene::Level(ReproLevel::new(name, mesh, session.document())))
}

fn opened_navmesh(session: &Session) -> Option<String> {
    match &session.opened.imported {
        Some(LevelSource::File(path)) if session.opened.level.is_none() => {
            Some(path.display().to_string())
        }
        _ => None,
    }
}

/// Returns the shown stage of all tiles that can be baked again.
fn stage_of(session: &Session) -> StageBake {
    let tiles = session.current_bake().tiles.values();
    let tiles = tiles.filter_map(|tile| Some((tile.plan.clone()?, tile.coord)));
    StageBake::new(session.shown.stage, tiles.collect(), session.document().areas.clone())
}

fn report_of(session: &Session) -> Report {
    let level = session.opened.level.as_ref();
    let bake = session.current_bake();
    let tiles = bake.tiles.iter().map(|(&tile, result)| tile_report(tile, result));
    let report = Report::new(
        session.name(),
        level.map_or(0, |level| level.mesh.triangles().len()),
        session.document().settings.clone(),
        bake.elapsed,
        tiles.collect(),
    );
    let mut found: Vec<_> = session.part_finding().into_iter().collect();
    found.extend(level.iter().flat_map(|level| &level.warnings).cloned());
    found.extend(settings_advice(&session.document().settings));
    let Some(navmesh) = bake.navmesh.as_deref() else {
        return report.with_findings(found, Vec::new());
    };
    found.extend(session.mesh_findings());
    let report = report.with_findings(found, session.link_reports());
    report.with_output(OutputReport::of_mesh(navmesh))
}

fn tile_report(tile: TileCoord, result: &TileResult) -> TileReport {
    let key = |view: StageView| {
        let is_raw = view == StageView::ContoursRaw;
        if is_raw { Some(RAW_CONTOURS) } else { view.stage().map(Stage::key) }
    };
    let count = |view: StageView| Some((key(view)?, result.counts.get(view)?));
    TileReport {
        tile,
        from_cache: false,
        error: result.error.clone(),
        times: result.times.clone(),
        counts: StageView::ALL.into_iter().filter_map(count).collect(),
        warnings: result.warnings.clone(),
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, sync::mpsc::sync_channel};

    use super::*;

    fn target(path: &Path, consent: Consent) -> Target {
        Target {
            kind: ExportKind::Lab,
            path: path.to_owned(),
            consent,
            sources: Vec::new(),
            losses: Vec::new(),
            agent: None,
        }
    }

    fn lab(text: &str) -> Export {
        Export::Lab(text.to_owned())
    }

    #[test]
    fn what_is_there_is_asked_about_and_sources_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("old"), "old").unwrap();
        let message = carry_out(lab("new"), target(&at("old"), Consent::Nothing));
        let (path, of) = (at("old"), at("old"));
        let clash = Clash { kind: ExportKind::Lab, path, of, has_changed: false };
        assert_eq!(message, ExportMessage::Asks(clash));
        assert_eq!(fs::read(at("old")).unwrap(), b"old");
        for consent in [Consent::Nothing, Consent::Known(None), Consent::Anything] {
            let sources = vec![at("sub/../old")];
            fs::create_dir_all(at("sub")).unwrap();
            let message = carry_out(lab("new"), Target { sources, ..target(&at("old"), consent) });
            let ExportMessage::Written(written) = message else { panic!("{message:?}") };
            assert!(written.result.unwrap_err().to_string().contains("is the open file"));
            assert_eq!(fs::read(at("old")).unwrap(), b"old");
        }
        for (name, consent) in [("old", Consent::Anything), ("new", Consent::Nothing)] {
            let message = carry_out(lab("new"), target(&at(name), consent));
            assert!(matches!(message, ExportMessage::Written(written) if written.result == Ok(3)));
            assert_eq!(fs::read(at(name)).unwrap(), b"new");
        }
    }

    #[test]
    fn replacing_a_project_changed_elsewhere_needs_a_confirmation() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.walkable");
        fs::write(&path, "one").unwrap();
        let known = Consent::Known(Some(files::fingerprint(b"one")));
        assert_eq!(check(&target(&path, known)), Ok(None));
        fs::write(&path, "two").unwrap();
        assert_eq!(check(&target(&path, known)), Ok(Some(true)));
        assert_eq!(check(&target(&path, Consent::Known(None))), Ok(Some(true)));
        fs::remove_file(&path).unwrap();
        assert_eq!(check(&target(&path, known)), Ok(None), "nothing is lost");
    }

    #[test]
    fn every_requested_file_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let (sender, wakes) = sync_channel(1000);
        let mut job = ExportJob::new(Arc::new(move || sender.try_send(()).unwrap_or_default()));
        let names: Vec<_> = (0..8).map(|n| folder.path().join(n.to_string())).collect();
        for path in &names {
            job.start(lab("first"), target(path, Consent::Anything));
        }
        // Write the exports that still wait.
        job.start(lab("last"), target(&names[7], Consent::Anything));
        let mut n_written = 0;
        while job.is_busy() {
            wakes.recv().unwrap();
            let is_written =
                |event: &JobEvent<_>| matches!(event, JobEvent::Message(ExportMessage::Written(_)));
            n_written += job.poll().iter().filter(|event| is_written(event)).count();
        }
        assert_eq!(n_written, 8, "each export reports a result");
        assert_eq!(fs::read(&names[0]).unwrap(), b"first");
        assert_eq!(fs::read(&names[7]).unwrap(), b"last");
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_holds_up_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let why = check(&target(&pipe, Consent::Anything)).unwrap_err();
        assert!(why.to_string().contains("a named pipe"), "{why}");
    }
}

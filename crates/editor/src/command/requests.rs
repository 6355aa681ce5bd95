//! Creates the work that commands and changes of the session request.

use std::path::{Path, PathBuf};

use glam::Vec3;
use walkable::{diagnostic::Phrase, explain::Fix, export::ExportFormat, mesh::ImportOptions};
use walkable_workspace::files;

use crate::{
    jobs::{
        ask_file::{Proposal, Purpose},
        bake::BakeRequest,
        check::CheckWork,
        export::{Consent, Export, Target},
        lab::LabRequest,
        path_tests::PathTestRequest,
        pieces::SortRequest,
        propose::ProposeRequest,
        scenario::ScenarioRequest,
        soak::SoakRequest,
        store_export::StoreExportRequest,
        store_source::StoreSource,
        task::TaskResources,
        tile_sizes::TileSizeRequest,
        work::Work,
        world_route::WorldRouteRequest,
    },
    prefs::Prefs,
    session::{
        AgentsExport, Base, Batch, ExportKind, LevelSource, PathQuestion, PathTestQuestion,
        PreviewInput, RouteQuestion, Session, SoakNavmesh,
    },
};

/// Reads `source`; if it is the open level, with its import options.
pub(crate) fn open(session: &Session, source: LevelSource) -> Work {
    let same = session.opened.level.as_ref().filter(|level| level.source == source);
    let import = same.map(|level| level.import).unwrap_or_default();
    // What was sorted from pieces has their options, which are not applied again.
    let of_pieces =
        session.opened.pieces.sorted.as_deref().filter(|file| source.path() == Some(*file));
    let import = of_pieces.map_or(import, |_| session.opened.pieces.import);
    open_part(session, source, import)
}

/// Reads `source`; if it is the open level and only partly loaded, reads the part around the same point.
pub(crate) fn open_part(session: &Session, source: LevelSource, import: ImportOptions) -> Work {
    let is_open = open_source(session) == Some(&source);
    let part = session.world().filter(|_| is_open).map(|world| world.around);
    Work::Open(source, import, part)
}

/// Loads the part around a point of the open level or tile store, if that is larger than memory.
pub(crate) fn work_at(session: &Session, at: Vec3) -> Option<Work> {
    session.world()?;
    let import = session.opened.level.as_ref().map(|level| level.import).unwrap_or_default();
    Some(Work::Open(open_source(session)?.clone(), import, Some(at)))
}

/// Returns the file of the open level, or of the navmesh without a level.
fn open_source(session: &Session) -> Option<&LevelSource> {
    session
        .opened
        .level
        .as_ref()
        .map_or(session.opened.imported.as_ref(), |level| Some(&level.source))
}

pub(crate) fn find_route(session: &mut Session, prefs: &Prefs, question: RouteQuestion) -> Work {
    session.route.ask(question.clone());
    Work::FindRoute(Box::new(WorldRouteRequest { question, max_bytes: prefs.memory.tiles() }))
}

pub(crate) fn ask_export(session: &Session, kind: ExportKind) -> Work {
    if let (ExportKind::Sorted, Some(source)) = (kind, &session.opened.pieces.source) {
        let file = source.proposed_file();
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let proposal = Proposal { folder: files::folder_of(&file), name };
        return Work::AskFile(Purpose::Export(kind), proposal);
    }
    let folder = open_folder(session).unwrap_or_default();
    let proposal = Proposal { folder, name: proposed_name(session, kind) };
    Work::AskFile(Purpose::Export(kind), proposal)
}

/// Shows the dialog for opening a file, in the folder of the open file or of the most recent one.
pub(crate) fn ask_open(session: &Session, prefs: &Prefs) -> Work {
    Work::AskFile(Purpose::Open, proposal_to_open(session, prefs))
}

pub(crate) fn ask_open_at(file: &Path) -> Work {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Work::AskFile(Purpose::Open, Proposal { folder: files::folder_of(file), name })
}

pub(crate) fn ask_folder(session: &Session, prefs: &Prefs) -> Work {
    Work::AskFile(Purpose::Pieces, proposal_to_open(session, prefs))
}

fn proposal_to_open(session: &Session, prefs: &Prefs) -> Proposal {
    let recent = || prefs.recent.iter().find_map(|recent| folder_of(&recent.source));
    let folder = open_folder(session).or_else(recent).unwrap_or_default();
    Proposal { folder, name: String::new() }
}

fn open_folder(session: &Session) -> Option<PathBuf> {
    session.source().as_ref().and_then(folder_of)
}

fn folder_of(source: &LevelSource) -> Option<PathBuf> {
    source.path()?.parent().map(Path::to_owned)
}

/// Requests the export of the navmeshes of all agents. Returns the work that writes them; `None` if some of them have
/// to be baked first.
pub(crate) fn export_agents(
    session: &mut Session,
    format: ExportFormat,
    path: PathBuf,
    consent: Option<Consent>,
) -> Option<Work> {
    if !ExportKind::AllAgents(format).is_ready(session) {
        return None;
    }
    session.other_agents.export = Some(AgentsExport { format, path, replaces: consent.is_some() });
    due_export(session)
}

/// Returns the export of the navmeshes of all agents that was requested, once all are known.
pub(crate) fn due_export(session: &mut Session) -> Option<Work> {
    let AgentsExport { format, path, replaces } = session.take_due_export()?;
    let consent = replaces.then_some(Consent::Anything);
    export(session, ExportKind::AllAgents(format), path, consent)
}

/// Returns the work that writes a file of this kind; `None` if there is nothing to write yet. Without `consent`, the
/// only existing file that is replaced is the open project's own, if it has not changed on disk since.
pub(crate) fn export(
    session: &Session,
    kind: ExportKind,
    path: PathBuf,
    consent: Option<Consent>,
) -> Option<Work> {
    let path = with_ending(path, kind);
    if kind == ExportKind::Sorted {
        let source = session.opened.pieces.source.clone()?;
        let consent = consent.unwrap_or(Consent::Nothing);
        let sources = session.protected_from(kind);
        let target = Target { kind, path, consent, sources, losses: Vec::new(), agent: None };
        let import = session.opened.pieces.import;
        return Some(Work::run(SortRequest { source, import, target }));
    }
    if let ExportKind::Whole(format) = kind {
        return export_whole(session, format, path, consent.unwrap_or(Consent::Nothing));
    }
    let export = Export::of(session, kind)?;
    let consent = consent.unwrap_or_else(|| match &session.project.path {
        Some(project) if kind == ExportKind::Project && *project == path => {
            Consent::Known(session.project.on_disk)
        }
        _ => Consent::Nothing,
    });
    let part = session.part_finding().filter(|_| kind.is_of_loaded_part());
    let mut losses: Vec<_> = part.into_iter().map(Phrase::from).collect();
    if matches!(kind, ExportKind::AllAgents(_)) {
        losses.extend(session.agents_without_navmesh());
    }
    let agent = agent_of(session, kind);
    let sources = session.protected_from(kind);
    let target = Target { kind, path, consent, sources, losses, agent };
    Some(Work::Export(Box::new(export), Box::new(target)))
}

/// Returns the name of the agent whose navmesh is exported, if there are several agents.
fn agent_of(session: &Session, kind: ExportKind) -> Option<String> {
    let agents = &session.document().agents;
    let has_agent = kind.is_of_agent() && agents.list.len() > 1;
    agents.active().filter(|_| has_agent).map(|agent| agent.name.clone())
}

/// Writes all tiles of the open tile store or level; `None` unless a part of it is loaded.
fn export_whole(
    session: &Session,
    format: ExportFormat,
    path: PathBuf,
    consent: Consent,
) -> Option<Work> {
    let kind = ExportKind::Whole(format);
    if !kind.is_ready(session) {
        return None;
    }
    let source = StoreSource::of(session)?;
    let areas = session.document().areas.clone();
    let sources = session.protected_from(kind);
    let agent = agent_of(session, kind);
    let target = Target { kind, path, consent, sources, losses: Vec::new(), agent };
    let resources = TaskResources::default();
    Some(Work::run(StoreExportRequest { source, format, areas, target, resources }))
}

/// Bakes the level, except for the tiles that are unchanged since `base`.
pub(crate) fn bake(session: &mut Session, base: Option<Base>) -> Option<Work> {
    session.discard_preview();
    let input = session.bake_input()?;
    let revision = session.revision();
    session.bake.started = Some(revision);
    session.opened.hold_bake = None;
    // The camera is still moving to a level that was just opened.
    let look = session.shown.look.filter(|_| !session.bake.tiles.is_empty());
    let near = look.map_or_else(|| session.bounds().center(), |look| look.target);
    let obstacles = session.document().obstacles_on_layers();
    let stage_room = session.bake.stages.budget();
    let uses_cache = session.bake.uses_cache;
    let request = BakeRequest { input, revision, near, obstacles, stage_room, base, uses_cache };
    Some(Work::Bake(Box::new(request)))
}

pub(crate) fn compare(session: &mut Session) -> Option<Work> {
    session.lab.forget();
    session.lab.compared = session.lab_question();
    match LabRequest::of(session) {
        Ok(request) => Some(Work::run(request)),
        Err(why) => {
            session.lab.error = Some(Phrase::new(why, Vec::new()));
            None
        }
    }
}

pub(crate) fn scenario(session: &mut Session) -> Option<Work> {
    let request = ScenarioRequest::of(session);
    let every = session.lab.batch.every;
    let error = request.as_ref().err().map(|why| Phrase::new(*why, Vec::new()));
    session.lab.batch = Batch { every, error, ..Batch::default() };
    Some(Work::run(request.ok()?))
}

/// Bakes the level with `fix`, to show it next to the current bake.
pub(crate) fn preview(session: &mut Session, fix: Fix) -> Option<Work> {
    let base = session.bake.base();
    let revision = session.revision();
    let PreviewInput { input, near } = session.begin_preview(fix)?;
    let obstacles = session.document().obstacles_on_layers();
    let stage_room = session.bake.stages.budget();
    let uses_cache = session.bake.uses_cache;
    let request = BakeRequest { input, revision, near, obstacles, stage_room, base, uses_cache };
    Some(Work::Preview(Box::new(request)))
}

pub(crate) fn explain_path(session: &mut Session, question: PathQuestion) -> Option<Work> {
    let request = session.path_why_request()?;
    session.path_why.ask(question);
    Some(Work::run(request))
}

pub(crate) fn run_path_tests(session: &mut Session, question: PathTestQuestion) -> Option<Work> {
    let request = PathTestRequest::of(session)?;
    session.path_tests.ask(question);
    Some(Work::run(request))
}

pub(crate) fn check(session: &mut Session) -> Option<Work> {
    let work = CheckWork::of(session)?;
    session.check.begin(session.bake.navmesh_serial);
    Some(Work::run(work))
}

pub(crate) fn check_whole_level(session: &mut Session) -> Option<Work> {
    let work = CheckWork::of_whole(session)?;
    session.check.begin_whole_level(session.bake.navmesh_serial);
    Some(Work::run(work))
}

pub(crate) fn measure_tile_sizes(session: &mut Session) -> Option<Work> {
    let input = session.bake_input()?;
    session.begin_tile_sizes();
    Some(Work::run(TileSizeRequest(input)))
}

pub(crate) fn soak(session: &mut Session) -> Option<Work> {
    let request = SoakRequest::of(session)?;
    session.soak.forget();
    session.soak.navmesh = SoakNavmesh::of(&session.bake);
    Some(Work::run(request))
}

pub(crate) fn propose(session: &mut Session) -> Option<Work> {
    let request = ProposeRequest::of(session);
    session.proposals.note = request.as_ref().err().map(|why| Phrase::new(*why, Vec::new()));
    Some(Work::run(request.ok()?))
}

/// Returns `path` with the extension of the kind, unless it has one.
pub(crate) fn with_ending(path: PathBuf, kind: ExportKind) -> PathBuf {
    if path.extension().is_some() { path } else { path.with_extension(kind.ending()) }
}

/// Returns the proposed path for a file of this kind: in the folder of the open file, with the level's name.
pub fn proposed_path(session: &Session, kind: ExportKind) -> PathBuf {
    let name = proposed_name(session, kind);
    match session.source() {
        Some(LevelSource::File(path)) => path.with_file_name(name),
        Some(LevelSource::Builtin(_)) | None => name.into(),
    }
}

/// Returns the proposed file name: the name of the level, or the number of the finding, with the extension of `kind`.
pub(crate) fn proposed_name(session: &Session, kind: ExportKind) -> String {
    if let (ExportKind::FindingScene, Some(index)) = (kind, session.soak.chosen) {
        return format!("finding-{}.{}", index + 1, kind.ending());
    }
    // A project of a link is saved by its name, but not to its file.
    let of_link = session.project.path.as_deref().filter(|path| files::is_of_link(path));
    let of_link = of_link.and_then(Path::file_name).filter(|_| kind == ExportKind::Project);
    if let Some(name) = of_link {
        return name.to_string_lossy().into_owned();
    }
    let name = session.name().unwrap_or_else(|| "navmesh".to_owned());
    let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
    let is_stage = matches!(kind, ExportKind::Stage(_));
    let stage = if is_stage { format!("_{}", session.shown.stage.key()) } else { String::new() };
    format!("{}{stage}.{}", stem.to_lowercase().replace(' ', "_"), kind.ending())
}

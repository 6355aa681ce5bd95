//! All background work of one window: what is due, what has come back, and who is told.

use std::{path::PathBuf, sync::Arc, time::Duration};

use glam::Vec3;
use walkable::{
    bake::{BakeSettings, Keep},
    mesh::import_hint,
};

use crate::{
    command::{Command, ExportKind},
    dispatch::Effect,
    jobs::{
        ask_file::{Answer, AskFile, Purpose},
        bake::{BakeJob, BakeMessage, BakeRequest, Base, keep},
        export::{Export, ExportJob},
        lab::{LabJob, LabMessage, LabRequest},
        open::{OpenJob, Opened},
        slot::{JobEvent, Wake},
        watch::Watch,
    },
    notices::Notices,
    prefs::Prefs,
    session::{Edit, LevelSource, LoadedLevel, Session, Severity},
};

/// While the user drags, a bake starts after this time without a change.
pub(crate) const REST: Duration = Duration::from_millis(150);

/// A level of more cells is better baked in tiles.
const MANY_CELLS: f32 = 1e6;
/// Side of the tiles proposed then, in voxels.
const TILE_SIZE: u32 = 64;

/// All background work.
#[derive(Debug)]
pub(crate) struct Desk {
    bake: BakeJob,
    open: OpenJob,
    ask: AskFile,
    export: ExportJob,
    watch: Watch,
    lab: LabJob,
}

/// What the window should do about work that came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Happened {
    /// Another level is open: look at it.
    Opened,
    /// This file was chosen to be opened.
    Chosen(PathBuf),
    /// No file dialog could be shown: ask for a path, proposing this one.
    NoDialog(Purpose, String),
}

/// What all work changes when it comes back.
#[derive(Debug)]
pub(crate) struct Outcome<'a> {
    /// Results.
    pub(crate) session: &'a mut Session,
    /// Recent levels.
    pub(crate) prefs: &'a mut Prefs,
    /// Messages.
    pub(crate) notices: &'a mut Notices,
}

impl Desk {
    /// No work yet. `wake` is called whenever there is something to poll.
    pub(crate) fn new(wake: &Wake) -> Self {
        Self {
            bake: BakeJob::new(Arc::clone(wake)),
            open: OpenJob::new(Arc::clone(wake)),
            ask: AskFile::new(Arc::clone(wake)),
            export: ExportJob::new(Arc::clone(wake)),
            watch: Watch::new(Arc::clone(wake)),
            lab: LabJob::new(Arc::clone(wake)),
        }
    }

    /// Name of what is being read.
    pub(crate) fn opening(&self) -> Option<String> {
        self.open.reading().map(|(source, _)| source.name())
    }

    /// Whether work is under way that will change the session.
    pub(crate) fn is_busy(&self) -> bool {
        self.open.reading().is_some() || self.bake.progress().is_some() || self.lab.is_busy()
    }

    /// Starts the work that `effect` asks for; hands back what is not work.
    pub(crate) fn start(
        &mut self,
        effect: Effect,
        session: &mut Session,
        near: Vec3,
    ) -> Option<Effect> {
        match effect {
            Effect::AskOpen => self.ask.start(Purpose::Open, String::new()),
            Effect::AskExport(kind) => {
                self.ask.start(Purpose::Export(kind), proposal(session, kind));
            }
            Effect::Load(source) => self.load(source, session),
            Effect::Export(kind, path) => self.export(kind, path, session),
            Effect::Bake => self.start_bake(session, near, None),
            Effect::RunLab => self.start_lab(session),
            Effect::CancelBake => {
                self.bake.cancel();
                session.bake.progress = None;
            }
            other => return Some(other),
        }
        None
    }

    /// Starts what the state of the session calls for: a bake after a change, the stages of the tile
    /// looked at, another reading of the level. `rest` is how long nothing has changed.
    pub(crate) fn start_due(
        &mut self,
        session: &mut Session,
        prefs: &Prefs,
        rest: Duration,
        near: Vec3,
    ) {
        let source = session.level.as_ref().map(|level| &level.source);
        self.watch.look_after(match source {
            Some(LevelSource::File(path)) => Some(path),
            _ => None,
        });
        if let (Some(import), Some(level)) = (session.wanted_import(), &session.level) {
            let wanted = (level.source.clone(), import);
            if self.open.reading() != Some(&wanted) {
                self.open.start(wanted.0, wanted.1);
            }
            return;
        }
        let changed = session.level.is_some() && session.bake.started != Some(session.revision());
        let settled = !session.history.in_transaction() || rest >= REST;
        if changed && settled && prefs.auto_bake {
            let base = session.bake.base();
            self.start_bake(session, near, base);
        } else if self.bake.progress().is_none()
            && let Some((plan, tile)) = session.wanted_stages()
        {
            self.bake.start_stages(plan, tile);
        }
    }

    fn load(&mut self, source: LevelSource, session: &Session) {
        let same = session.level.as_ref().filter(|level| level.source == source);
        let import = same.map(|level| level.import).unwrap_or_default();
        self.open.start(source, import);
    }

    fn start_bake(&mut self, session: &mut Session, near: Vec3, base: Option<Base>) {
        let Some(input) = session.bake_input() else { return };
        let revision = session.revision();
        session.bake.started = Some(revision);
        // A level that was just opened is not in view yet: the camera is on its way to it.
        let first = session.bake.tiles.is_empty();
        let near = if first { session.bounds().center() } else { near };
        self.bake.start(BakeRequest { input, revision, near, base });
    }

    fn start_lab(&mut self, session: &mut Session) {
        session.lab.forget();
        match LabRequest::of(session) {
            Ok(request) => {
                session.lab.is_busy = true;
                self.lab.start(request);
            }
            Err(why) => session.lab.error = Some(why.to_owned()),
        }
    }

    fn export(&mut self, kind: ExportKind, path: PathBuf, session: &Session) {
        if let Some(export) = Export::of(session, kind) {
            self.export.start(export, with_ending(path, kind));
        }
    }

    /// Takes in what came back since the last poll.
    pub(crate) fn poll(&mut self, mut outcome: Outcome<'_>) -> Vec<Happened> {
        let mut happened = Vec::new();
        for event in self.open.poll() {
            happened.extend(outcome.opened(event));
        }
        let serial = outcome.session.bake.navmesh_serial;
        for event in self.bake.poll() {
            outcome.baked(event);
        }
        if outcome.session.bake.navmesh_serial != serial {
            outcome.session.update_path();
        }
        outcome.session.bake.progress = self.bake.progress();
        if self.watch.poll()
            && let Some(level) = &outcome.session.level
        {
            let text = format!("{} has changed on disk: read again", level.source.name());
            let source = level.source.clone();
            outcome.notices.push(Severity::Info, "Level read again", text.clone(), None);
            outcome.session.log(Severity::Info, text);
            self.load(source, outcome.session);
        }
        for event in self.lab.poll() {
            outcome.compared(event);
        }
        outcome.session.lab.is_busy = self.lab.is_busy();
        for event in self.export.poll() {
            outcome.written(event);
        }
        match self.ask.poll() {
            Some(Answer::File(Purpose::Open, path)) => {
                happened.push(Happened::Chosen(path));
            }
            Some(Answer::File(Purpose::Export(kind), path)) => {
                self.export(kind, path, outcome.session);
            }
            Some(Answer::NoDialog(purpose)) => {
                let name = match purpose {
                    Purpose::Open => String::new(),
                    Purpose::Export(kind) => proposal(outcome.session, kind),
                };
                happened.push(Happened::NoDialog(purpose, name));
            }
            Some(Answer::Cancelled) | None => {}
        }
        happened
    }
}

/// The file with the ending that its kind has.
fn with_ending(path: PathBuf, kind: ExportKind) -> PathBuf {
    if path.extension().is_some() { path } else { path.with_extension(kind.ending()) }
}

/// Name for a new file: the level's, with another ending.
fn proposal(session: &Session, kind: ExportKind) -> String {
    let name = session.name().unwrap_or_else(|| "navmesh".to_owned());
    let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
    format!("{}.{}", stem.to_lowercase().replace(' ', "_"), kind.ending())
}

impl Outcome<'_> {
    fn opened(&mut self, event: JobEvent<Opened>) -> Option<Happened> {
        match event {
            JobEvent::Message(Opened::Level(level, companion)) => {
                let again =
                    self.session.level.as_ref().is_some_and(|old| old.source == level.source);
                self.log_level(&level);
                self.prefs.remember(level.source.clone());
                let path = companion.as_ref().and_then(|companion| companion.path);
                self.session.open(*level, companion.map(|companion| companion.config));
                if let (false, Some([start, end])) = (again, path) {
                    self.session.path.start = Some(start);
                    self.session.path.end = Some(end);
                }
                self.advise();
                return (!again).then_some(Happened::Opened);
            }
            JobEvent::Message(Opened::Project(level, project, path)) => {
                self.log_level(&level);
                if !project.is_recovered {
                    self.prefs.remember(LevelSource::File(path.clone()));
                }
                self.session.open_project(*level, *project, path);
                self.advise();
                return Some(Happened::Opened);
            }
            JobEvent::Message(Opened::Navmesh(source, navmesh)) => {
                self.session.log(Severity::Info, format!("Opened {}", source.name()));
                self.prefs.remember(source.clone());
                self.session.open_navmesh(source, *navmesh);
                return Some(Happened::Opened);
            }
            JobEvent::Message(Opened::Settings(source, config)) => {
                let label = format!("Load {}", source.name());
                let edit = Edit::Config(config);
                self.session.history.change(label, |document| edit.apply(document));
            }
            JobEvent::Message(Opened::Failed(source, why)) => {
                // What could not be read as asked goes back to how it was read.
                self.session.give_up_import();
                self.error(format!("Cannot open {}", source.name()), why, Some(Command::Open));
            }
            JobEvent::Panicked(why) => self.bug("Opening", &why),
            JobEvent::Finished => {}
        }
        None
    }

    fn log_level(&mut self, level: &LoadedLevel) {
        let n = level.mesh.triangles().len();
        let name = level.source.name();
        self.session.log(Severity::Info, format!("Opened {name}: {n} triangles"));
        for warning in &level.warnings {
            self.session.log(Severity::Warning, format!("{name}: {warning}"));
        }
    }

    /// Says what looks wrong about the level as it was read.
    fn advise(&mut self) {
        let Some(level) = &self.session.level else { return };
        let settings = &self.session.document().settings;
        let hint = import_hint(&level.mesh, settings.agent_height, settings.agent_radius);
        if let Some(hint) = hint {
            let (title, why) =
                ("Is the level read as it was meant?", format!("It seems that {hint}."));
            self.notices.push(Severity::Warning, title, why, Some(Command::ImportOptions));
        }
        let size = level.mesh.bounds().size() / settings.cell_size;
        if settings.tile_size == 0 && size.x * size.z > MANY_CELLS {
            let why = format!(
                "It is {:.0} × {:.0} voxels in one piece, all of which is baked after each change.",
                size.x, size.z
            );
            let tiled = BakeSettings { tile_size: TILE_SIZE, ..settings.clone() };
            let edit = Edit::Settings(Box::new(tiled));
            let cut = Command::Change(format!("Cut into tiles of {TILE_SIZE} voxels").into(), edit);
            self.notices.push(Severity::Warning, "The level is large", why, Some(cut));
        }
    }

    fn baked(&mut self, event: JobEvent<BakeMessage>) {
        let state = &mut self.session.bake;
        match event {
            JobEvent::Message(BakeMessage::Planned { plan, kept, revision }) => {
                state.begin(plan);
                state.keep(&kept, revision);
            }
            JobEvent::Message(BakeMessage::Refused { error }) => {
                state.refuse(error.to_string());
                self.session.log(Severity::Error, format!("Cannot bake: {error}"));
            }
            JobEvent::Message(BakeMessage::Tile(result)) => {
                let (coord, error) = (result.coord, result.error.clone());
                state.land(coord, *result);
                if let Some(error) = error {
                    self.session.log(Severity::Error, format!("Tile {coord}: {error}"));
                }
            }
            JobEvent::Message(BakeMessage::Stages(result)) => {
                let room = state.plan.as_deref().map_or(Keep::Tile, keep);
                state.keep_stages(&result, room);
            }
            JobEvent::Message(BakeMessage::Done(elapsed)) => self.done(elapsed),
            JobEvent::Panicked(why) => self.bug("Baking", &why),
            JobEvent::Finished => {}
        }
    }

    fn done(&mut self, elapsed: Duration) {
        let state = &mut self.session.bake;
        state.finish(elapsed);
        let n_failed = state.failures().count();
        let n = state.tiles.len();
        let first = state.failures().next().map(|(tile, why)| (tile, why.to_owned()));
        let tiles = if n == 1 { "tile" } else { "tiles" };
        let text = format!("Baked {n} {tiles} in {:.0} ms", elapsed.as_secs_f64() * 1e3);
        self.session.log(Severity::Info, text);
        if let Some((tile, why)) = first {
            let title = format!("{n_failed} of {n} tiles failed");
            let look = Command::ChooseTile(Some(tile));
            self.notices.push(Severity::Error, title, why, Some(look));
        }
    }

    fn written(&mut self, event: JobEvent<crate::jobs::export::Written>) {
        match event {
            JobEvent::Message(written) => {
                if let Some(project) = &written.project {
                    self.session.saved_to(written.path.clone(), project.document.clone());
                    self.prefs.remember(LevelSource::File(written.path.clone()));
                }
                let path = written.path.display();
                match written.result {
                    Ok(_) if written.project.is_some() => {
                        self.session.log(Severity::Info, format!("Saved {path}"));
                        self.notices.push(Severity::Info, "Saved", path.to_string(), None);
                    }
                    Ok(n_bytes) => {
                        let text = format!("Wrote {path} ({n_bytes} bytes)");
                        self.session.log(Severity::Info, text.clone());
                        self.notices.push(Severity::Info, "Written", text, None);
                    }
                    Err(why) => self.error(format!("Cannot write {path}"), why, None),
                }
            }
            JobEvent::Panicked(why) => self.bug("Writing", &why),
            JobEvent::Finished => {}
        }
    }

    fn compared(&mut self, event: JobEvent<LabMessage>) {
        match event {
            JobEvent::Message(LabMessage::Row(row)) => self.session.lab.land(*row),
            JobEvent::Message(LabMessage::Refused(why)) => self.session.lab.error = Some(why),
            JobEvent::Panicked(why) => self.bug("Comparing", &why),
            JobEvent::Finished => {}
        }
    }

    fn error(&mut self, title: String, why: String, remedy: Option<Command>) {
        self.session.log(Severity::Error, format!("{title}: {why}"));
        self.notices.push(Severity::Error, title, why, remedy);
    }

    fn bug(&mut self, what: &str, why: &str) {
        let title = format!("{what} ended in an internal error");
        self.error(title, format!("Your work is untouched. The message was: {why}"), None);
    }
}

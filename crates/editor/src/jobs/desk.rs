//! All background work of one window: what is due, what has come back, and who is told.

use std::{path::PathBuf, sync::Arc, time::Duration};

use crate::{
    command::ExportKind,
    dispatch::Effect,
    jobs::{
        answer::AnswerJob,
        ask_file::{Answer, AskFile, Purpose},
        bake::{BakeJob, BakeRequest},
        export::{Export, ExportJob},
        film::FilmJob,
        lab::{LabJob, LabRequest},
        open::OpenJob,
        others::OthersJob,
        outcome::{Happened, Outcome},
        propose::ProposeJob,
        scenario::ScenarioJob,
        slot::Wake,
        watch::Watch,
    },
    prefs::Prefs,
    session::{Base, Batch, LevelSource, Searcher, Session, Severity},
};
use glam::Vec3;

/// While the user drags, a bake starts after this time without a change.
pub const REST: Duration = Duration::from_millis(150);

/// Whether the results of a bake are taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results {
    /// Now.
    Take,
    /// With a later poll: they wait.
    Leave,
}

/// All background work.
#[derive(Debug)]
pub struct Desk {
    bake: BakeJob,
    answer: AnswerJob,
    open: OpenJob,
    ask: AskFile,
    export: ExportJob,
    watch: Watch,
    lab: LabJob,
    propose: ProposeJob,
    others: OthersJob,
    film: FilmJob,
    scenario: ScenarioJob,
}

impl Desk {
    /// No work yet. `wake` is called whenever there is something to poll, `wake_for_results` where it is of a bake.
    pub fn new(wake: &Wake, wake_for_results: &Wake) -> Self {
        Self {
            bake: BakeJob::new(Arc::clone(wake_for_results)),
            answer: AnswerJob::new(Arc::clone(wake)),
            open: OpenJob::new(Arc::clone(wake)),
            ask: AskFile::new(Arc::clone(wake)),
            export: ExportJob::new(Arc::clone(wake)),
            watch: Watch::new(Arc::clone(wake)),
            lab: LabJob::new(Arc::clone(wake)),
            propose: ProposeJob::new(Arc::clone(wake)),
            others: OthersJob::new(Arc::clone(wake)),
            film: FilmJob::new(Arc::clone(wake)),
            scenario: ScenarioJob::new(Arc::clone(wake)),
        }
    }

    /// Name of what is being read.
    pub fn opening(&self) -> Option<String> {
        self.open.reading().map(|(source, _)| source.name())
    }

    /// Whether a file is being asked for or written.
    pub fn is_saving(&self) -> bool {
        self.ask.is_busy() || self.export.is_busy()
    }

    /// Whether work is under way that will change the session.
    pub fn is_busy(&self) -> bool {
        self.open.reading().is_some()
            || self.bake.progress().is_some()
            || self.answer.is_busy()
            || self.lab.is_busy()
            || self.propose.is_busy()
            || self.others.is_busy()
            || self.film.is_busy()
            || self.scenario.is_busy()
    }

    /// Starts the work that `effect` asks for; hands back what is not work.
    pub fn start(&mut self, effect: Effect, session: &mut Session, near: Vec3) -> Option<Effect> {
        match effect {
            Effect::AskOpen => self.ask.start(Purpose::Open, String::new()),
            Effect::AskExport(kind) => {
                self.ask.start(Purpose::Export(kind), proposal(session, kind));
            }
            Effect::Load(source) => self.load(source, session),
            Effect::Export(kind, path) => self.export(kind, path, session),
            Effect::Bake => self.start_bake(session, near, None),
            Effect::BakeTile(tile) => {
                let base = session.bake.base_without(tile);
                self.start_bake(session, near, base);
            }
            Effect::RunLab => self.start_lab(session),
            Effect::CancelLab => {
                self.lab.cancel();
                self.scenario.cancel();
            }
            Effect::RunScenario => {
                let started = self.scenario.start(session);
                let every = session.lab.batch.every;
                let error = started.err().map(str::to_owned);
                session.lab.batch = Batch { every, error, ..Batch::default() };
            }
            Effect::ProposeLinks => {
                let started = self.propose.start(session);
                session.proposals.is_busy = started.is_ok();
                session.proposals.note = started.err().map(str::to_owned);
            }
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
    pub fn start_due(&mut self, session: &mut Session, prefs: &Prefs, rest: Duration, near: Vec3) {
        match &session.level {
            Some(level) if let LevelSource::File(path) = &level.source => {
                self.watch.look_after(Some(path), &level.beside);
            }
            _ => self.watch.look_after(None, &[]),
        }
        if let (Some(import), Some(level)) = (session.wanted_import(), &session.level) {
            let wanted = (level.source.clone(), import);
            if self.open.reading() != Some(&wanted) {
                self.open.start(wanted.0, wanted.1);
            }
            return;
        }
        self.answer.start(&session.wanted_stages());
        self.start_others(session);
        self.start_frames(session);
        self.keep_up(session);
        let changed = session.level.is_some() && session.bake.started != Some(session.revision());
        let settled = !session.history.in_transaction() || rest >= REST;
        if changed && settled && prefs.auto_bake {
            let base = session.bake.base();
            self.start_bake(session, near, base);
        }
    }

    /// Bakes the other agents, where they are shown and not known.
    fn start_others(&mut self, session: &mut Session) {
        let Some(wanted) = session.wanted_others() else { return };
        let finish = session.document().finish();
        if let Some(level) = &session.level {
            self.others.start(Arc::clone(&level.mesh), wanted, finish);
        }
    }

    /// Makes the frames of the film that are soon to be seen.
    fn start_frames(&mut self, session: &mut Session) {
        if let Some(request) = session.wanted_frames() {
            self.film.start(request);
        } else if session.film().is_none() && self.film.is_busy() {
            self.film.cancel();
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
        let obstacles = session.document().obstacles_on_layers();
        let stage_room = session.bake.stages.budget();
        self.bake.start(BakeRequest { input, revision, near, obstacles, stage_room, base });
    }

    fn start_lab(&mut self, session: &mut Session) {
        session.lab.forget();
        session.lab.compared = ends(session);
        match LabRequest::of(session) {
            Ok(request) => {
                session.lab.is_busy = true;
                self.lab.start(request);
            }
            Err(why) => session.lab.error = Some(why.to_owned()),
        }
    }

    /// Compares again where an end has moved, and tries all weights where they are shown and something has
    /// changed.
    fn keep_up(&mut self, session: &mut Session) {
        if session.lab.is_due(ends(session)) {
            self.start_lab(session);
        }
        let Some(due) = session.lab.sweep_due(ends(session)) else { return };
        session.lab.swept = Some(due);
        if let Ok(request) = LabRequest::sweep_of(session) {
            session.lab.choose(Some(Searcher::AStarWeighted), None);
            session.lab.refused.clear();
            self.lab.start(request);
        }
    }

    fn export(&mut self, kind: ExportKind, path: PathBuf, session: &Session) {
        if let Some(export) = Export::of(session, kind) {
            self.export.start(export, with_ending(path, kind));
        }
    }

    /// Whether a long bake is under way, whose results are better taken in many at a time.
    pub fn bakes_long(&self) -> bool {
        self.bake.is_long()
    }

    /// Takes in what came back since the last poll, of a bake only as `results` says.
    pub fn poll(&mut self, mut outcome: Outcome<'_>, results: Results) -> Vec<Happened> {
        let mut happened = Vec::new();
        for event in self.open.poll() {
            happened.extend(outcome.opened(event));
        }
        let serial = outcome.session.bake.navmesh_serial;
        let landed = if results == Results::Take { self.bake.poll() } else { Vec::new() };
        for event in landed {
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
        for event in self.answer.poll() {
            outcome.asked(event);
        }
        for event in self.lab.poll() {
            outcome.compared(event);
        }
        outcome.session.lab.is_busy = self.lab.is_busy();
        for event in self.others.poll() {
            outcome.baked_other(event);
        }
        for event in self.film.poll() {
            outcome.filmed(event);
        }
        for event in self.scenario.poll() {
            outcome.answered(event);
        }
        outcome.session.lab.batch.is_busy = self.scenario.is_busy();
        for event in self.propose.poll() {
            outcome.proposed(event);
        }
        outcome.session.proposals.is_busy = self.propose.is_busy();
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

/// Both ends of the path, once they are placed.
fn ends(session: &Session) -> Option<[Vec3; 2]> {
    session.path.start.zip(session.path.end).map(<[Vec3; 2]>::from)
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

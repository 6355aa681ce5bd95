//! The editor's state and the one function that changes it.
//!
//! Everything that happens comes in as an [`Event`]: a command of the user, a message of a background job, the passing
//! of time. Requests to the program around the editor go out as [`Effect`]s. All other code sees the [`Session`] by
//! shared reference only.

mod dispatch;
pub(crate) mod due;
mod finished;
mod follow;
#[cfg(test)]
mod game_tests;
#[cfg(test)]
mod pieces_tests;
#[cfg(test)]
mod store_tests;
#[cfg(test)]
mod world_tests;

use std::{path::PathBuf, time::Duration};

pub use due::REST;
use walkable::{diagnostic::Phrase, phrase};
use walkable_workspace::{document::has_layer_tiles, lang};
use web_time::Instant;

pub use crate::command::{CameraMove, Effect};
use crate::{
    command::{Command, Pane, requests},
    jobs::{
        tasks::TaskRequest,
        work::{JobStatus, Work, WorkReport},
    },
    notices::Notices,
    prefs::Prefs,
    session::{LevelSource, Look, Session, SessionView, Severity, TileKey},
};

#[derive(Debug, Default)]
pub struct Editor {
    session: Session,
    prefs: Prefs,
    notices: Notices,
    watched: Vec<PathBuf>,
    follow: follow::FollowState,
}

#[derive(Debug)]
pub enum Event {
    Command(Command),
    /// The user pressed the keys of a command that has no effect now.
    Unavailable(Command),
    Work(WorkReport),
    /// The time of the system's clock, since the Unix epoch, in whole seconds.
    Clock(Duration),
    /// Time has passed: start the work that is due.
    Tick(Tick),
    Animate(Animation),
    CameraMoved(Look),
    /// These panels are open and the active tabs of their groups.
    PanelsInFront(Vec<Pane>),
    /// The 3D view needs exactly these tiles' stages for its pictures, the nearest first.
    StagesViewed(Vec<TileKey>),
    Message {
        severity: Severity,
        title: Phrase,
        detail: Phrase,
        remedy: Option<Command>,
    },
    /// The program reopened the last session by itself; these files were open when earlier runs crashed.
    Reopened {
        suspects: Vec<LevelSource>,
    },
    Dismissed(u64),
}

/// The inputs that determine which work is due.
#[derive(Clone, Debug)]
pub struct Tick {
    pub now: Instant,
    /// Time since the last change of the document.
    pub rest: Duration,
    pub jobs: JobStatus,
}

/// What obstacles need: tiles that can be split into layers.
#[derive(Clone, Copy, Debug)]
struct TilesForObstacles {
    is_split: bool,
    n_obstacles: usize,
}

impl TilesForObstacles {
    fn of(session: &Session) -> Self {
        let document = session.document();
        let is_split = has_layer_tiles(&document.settings);
        Self { is_split, n_obstacles: document.obstacles.list.len() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Animation {
    Stages,
    Stage,
    /// Playback of the searches of path, lab and query tool.
    Searches,
    Crowd,
    Recording,
    Walk,
}

impl Editor {
    pub fn new(prefs: Prefs) -> Self {
        let gizmo = prefs.gizmo.limited();
        let mut editor = Self { prefs, ..Self::default() };
        editor.session.tools.gizmo = gizmo;
        editor
    }

    pub fn session(&self) -> &Session {
        &self.session
    }

    pub fn prefs(&self) -> &Prefs {
        &self.prefs
    }

    pub fn view(&self) -> SessionView<'_> {
        SessionView { session: &self.session, auto_bake: self.prefs.auto_bake }
    }

    pub fn notices(&self) -> &Notices {
        &self.notices
    }

    /// Handles `event` and returns the resulting effects, in order.
    pub fn reduce(&mut self, event: Event) -> Vec<Effect> {
        let opening = self.session.opening();
        let mut effects = self.handle(event);
        if self.session.opening() != opening {
            // Must come first: the other effects may start tasks for what is open now.
            effects.insert(0, Work::Cancel(TaskRequest::of_level()).into());
        }
        note_tasks(&mut self.session, &effects);
        effects
    }

    fn handle(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Command(command) => {
                self.follow.take_command(&command);
                let before = TilesForObstacles::of(&self.session);
                let effects = dispatch::dispatch(&mut self.session, &mut self.prefs, command);
                self.notify_of_new_tiles(before);
                return effects;
            }
            Event::Unavailable(command) => self.say_what_it_needs(&command),
            Event::Work(report) => return self.take_report(report),
            Event::Clock(now) => self.session.log.set_clock(now),
            Event::Tick(tick) => {
                self.notices.expire(tick.now);
                return self.start_due(&tick);
            }
            Event::Animate(animation) => self.animate(animation),
            Event::CameraMoved(look) => self.session.shown.look = Some(look),
            Event::PanelsInFront(panels) => {
                self.session.lab.is_hidden = !panels.contains(&Pane::Lab);
                self.session.tools.island.take_if(|_| !panels.contains(&Pane::Islands));
            }
            Event::StagesViewed(tiles) => self.session.view_stages(tiles),
            Event::Message { severity, title, detail, remedy } => {
                self.session.add_to_log(severity, lang::with_more(title.clone(), detail.clone()));
                self.notices.push(severity, title, detail, remedy);
            }
            Event::Reopened { suspects } => self.hold_bake(&suspects),
            Event::Dismissed(id) => self.notices.dismiss(id),
        }
        Vec::new()
    }

    /// Tells the user what to do before `command` has an effect.
    fn say_what_it_needs(&mut self, command: &Command) {
        if let Some(before) = command.before(&self.session) {
            let title = Phrase::verbatim(command.text());
            self.notices.push(Severity::Info, title, Phrase::verbatim(before), None);
        }
    }

    /// Suspends automatic baking if what is open was open when the program crashed.
    fn hold_bake(&mut self, suspects: &[LevelSource]) {
        let session = &mut self.session;
        let level = session.opened.level.as_ref().map(|level| level.source.clone());
        let mut open = session.source().into_iter().chain(level);
        if !open.any(|source| suspects.contains(&source)) {
            return;
        }
        let name = session.project_name().unwrap_or_default();
        let why = phrase!(
            "Walkable did not exit properly while {name} was open, possibly because of the bake. \
            Check the settings first, or bake now.",
            name
        );
        let title = phrase!("The bake is on hold");
        session.add_to_log(Severity::Warning, lang::with_more(title.clone(), why.clone()));
        session.opened.hold_bake = Some(why.clone());
        self.notices.push(Severity::Warning, title, why, Some(Command::Bake));
    }

    /// Tells the user that the level was split into tiles because an obstacle needs them.
    fn notify_of_new_tiles(&mut self, before: TilesForObstacles) {
        let now = TilesForObstacles::of(&self.session);
        if !before.is_split && now.is_split && before.n_obstacles < now.n_obstacles {
            let size = self.session.document().settings.tile_size;
            let title = phrase!("Split into tiles of {size} voxels", size);
            let why = phrase!("Obstacles need tiles. Undo removes the obstacle and the tiles.");
            self.session.add_to_log(Severity::Info, lang::with_more(title.clone(), why.clone()));
            self.notices.push(Severity::Info, title, why, None);
        }
    }

    fn animate(&mut self, animation: Animation) {
        let session = &mut self.session;
        match animation {
            Animation::Stages => session.play_on(),
            Animation::Stage => session.animation_on(),
            Animation::Crowd => session.crowd_on(),
            Animation::Recording => session.soak.recording_on(),
            Animation::Walk => session.path.walk_on(),
            Animation::Searches => {
                let Session { path, lab, tools, .. } = session;
                if path.replay.playing {
                    path.replay = path.replay.later(path.n_expanded());
                }
                if lab.replay.playing {
                    lab.play_on();
                }
                if tools.query_tool.replay.playing {
                    let later = tools.query_tool.later();
                    session.show_query(later);
                }
            }
        }
    }
}

fn note_tasks(session: &mut Session, effects: &[Effect]) {
    for effect in effects {
        if let Effect::Work(Work::Run(request)) = effect {
            session.running.insert(request.id());
        } else if let Effect::Work(Work::Cancel(tasks)) = effect {
            session.running.remove(*tasks);
        }
    }
}

#[cfg(any(test, feature = "testing"))]
pub mod testing {
    use super::{Editor, dispatch, note_tasks};
    use crate::{command::Command, notices::Notices, prefs::Prefs, session::Session};

    pub fn carry_out(session: &mut Session, command: Command) {
        let effects = dispatch::dispatch(session, &mut Prefs::default(), command);
        note_tasks(session, &effects);
    }

    impl Editor {
        /// Returns the session, to set up states that no command leads to.
        pub fn session_mut(&mut self) -> &mut Session {
            &mut self.session
        }

        /// Returns the preferences, to set up states that no command leads to.
        pub fn prefs_mut(&mut self) -> &mut Prefs {
            &mut self.prefs
        }

        pub fn clear_notices(&mut self) {
            self.notices = Notices::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{task::TaskId, testing::baked};

    #[test]
    fn tasks_about_a_level_end_with_it() {
        let mut editor = Editor { session: baked(), ..Editor::default() };
        editor.session.opened.imported = Some(LevelSource::File("town.bin".into()));
        editor.session.running = [TaskId::Propose, TaskId::ExportStore].into_iter().collect();
        let effects = editor.reduce(Event::Command(Command::CloseLevel));
        let Some(Effect::Work(Work::Cancel(tasks))) = effects.first() else {
            panic!("{effects:?}")
        };
        assert!(tasks.contains(TaskId::Propose) && tasks.contains(TaskId::OtherAgents));
        assert!(!tasks.contains(TaskId::ExportStore), "the file is written to its end");
        assert!(!editor.session.runs(TaskId::Propose) && editor.session.runs(TaskId::ExportStore));
    }
}

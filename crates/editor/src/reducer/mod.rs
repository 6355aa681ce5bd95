//! The editor's state and the one function that changes it.
//!
//! Whatever happens, a command of the user, a message of a background job, the passing of time, comes
//! in as an [`Event`]; what it asks of the program around the editor goes out as [`Effect`]s. Everybody
//! else sees the [`Session`] by shared reference only.

mod dispatch;
mod due;
mod finished;
mod requests;

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use walkable::geom::Aabb;

use crate::{
    command::{Command, Pane},
    jobs::{
        ask_file::Purpose,
        export::Clash,
        work::{JobStatus, Work, WorkReport},
    },
    notices::Notices,
    prefs::Prefs,
    session::{LevelSource, Look, Session, SessionView, Severity, TileKey},
};

pub use due::REST;

/// What the editor works on, what it remembers of its user, and what it has to say.
#[derive(Debug, Default)]
pub struct Editor {
    session: Session,
    prefs: Prefs,
    notices: Notices,
    /// Files that are watched for changes.
    watched: Vec<PathBuf>,
}

/// Something that happened.
#[derive(Debug)]
pub enum Event {
    /// The user asked for something.
    Command(Command),
    /// Background jobs reported.
    Work(WorkReport),
    /// Time has passed: start what is due.
    Tick(Tick),
    /// The next step of an animation is due.
    Animate(Animation),
    /// The 3D view looks from here now.
    CameraMoved(Look),
    /// The 3D view needs the stages of these tiles for its pictures, the nearest first, and of no others.
    StagesViewed(Vec<TileKey>),
    /// Something around the editor has a message for the user.
    Message {
        /// How bad it is.
        severity: Severity,
        /// What happened, in one line.
        title: String,
        /// Where and why.
        detail: String,
        /// What to do about it.
        remedy: Option<Command>,
    },
    /// What is open was opened by the program itself, as on the last day; these were open when earlier runs did
    /// not end well.
    Reopened {
        /// Levels and projects.
        suspects: Vec<LevelSource>,
    },
    /// The user closed a message.
    Dismissed(u64),
}

/// What decides which work is due.
#[derive(Clone, Debug)]
pub struct Tick {
    /// The present time.
    pub now: Instant,
    /// How long the document has not changed.
    pub rest: Duration,
    /// What the jobs are doing.
    pub jobs: JobStatus,
}

/// Something in the window that moves by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Animation {
    /// All stages, one after the other.
    Stages,
    /// One stage as it happens.
    Stage,
    /// The searches of path, lab and query tool that are played back.
    Searches,
}

/// What an event asks of the program around the editor.
#[derive(Debug)]
pub enum Effect {
    /// Start or stop this work.
    Work(Work),
    /// Another level is open: look at it.
    LevelOpened,
    /// Move the camera.
    Camera(CameraMove),
    /// No file dialog could be shown: ask for a path, proposing this one.
    TypePath(Purpose, String),
    /// A file is there that an export would replace: ask the user.
    AskReplace(Clash),
    /// Show the import options.
    ImportOptions,
    /// Ask for a place to go to.
    AskPlace,
    /// Show the list of commands.
    Palette,
    /// Show the list of keys.
    EditKeys,
    /// Cancel what was started last, as Esc does.
    Back,
    /// Bring a panel to the front, or close it.
    ShowPanel(Pane),
    /// Bring a panel to the front.
    BringToFront(Pane),
    /// Restore the default layout of the panels.
    ResetLayout,
    /// Carry this command out, unless the user has to be asked first.
    Command(Command),
    /// End the program.
    Quit,
}

impl From<Work> for Effect {
    fn from(work: Work) -> Self {
        Self::Work(work)
    }
}

/// A camera movement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CameraMove {
    /// See everything.
    FrameAll,
    /// See all of a box.
    Frame(Aabb),
    /// Look straight down.
    TopView,
    /// Look from here.
    Look(Look),
    /// Switch between parallel and perspective.
    ToggleOrthographic,
}

impl Editor {
    /// An editor without a level, for a user with these preferences.
    pub fn new(prefs: Prefs) -> Self {
        Self { prefs, ..Self::default() }
    }

    /// What is worked on.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The user's preferences.
    pub fn prefs(&self) -> &Prefs {
        &self.prefs
    }

    /// What panels may read while they are drawn.
    pub fn view(&self) -> SessionView<'_> {
        SessionView { session: &self.session, auto_bake: self.prefs.auto_bake }
    }

    /// Messages that the user has not closed.
    pub fn notices(&self) -> &Notices {
        &self.notices
    }

    /// Takes in what happened and returns what has to be done about it, in order.
    pub fn reduce(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Command(command) => {
                return dispatch::dispatch(&mut self.session, &mut self.prefs, command);
            }
            Event::Work(report) => return self.take_report(report),
            Event::Tick(tick) => {
                self.notices.expire(tick.now);
                return self.start_due(&tick);
            }
            Event::Animate(animation) => self.animate(animation),
            Event::CameraMoved(look) => self.session.look = Some(look),
            Event::StagesViewed(tiles) => self.session.view_stages(tiles),
            Event::Message { severity, title, detail, remedy } => {
                self.session.log(severity, format!("{title}: {detail}"));
                self.notices.push(severity, title, detail, remedy);
            }
            Event::Reopened { suspects } => self.hold_bake(&suspects),
            Event::Dismissed(id) => self.notices.dismiss(id),
        }
        Vec::new()
    }

    /// Holds the bake of what is open if it was open when the program did not end well.
    fn hold_bake(&mut self, suspects: &[LevelSource]) {
        let session = &mut self.session;
        let level = session.level.as_ref().map(|level| level.source.clone());
        let mut open = session.source().into_iter().chain(level);
        if !open.any(|source| suspects.contains(&source)) {
            return;
        }
        let name = session.project_name().unwrap_or_default();
        let why = format!(
            "Walkable did not end properly while {name} was open, and the bake may be why. Look at the \
             settings first, or bake now."
        );
        session.log(Severity::Warning, format!("The bake is on hold: {why}"));
        session.hold_bake = Some(why.clone());
        self.notices.push(Severity::Warning, "The bake is on hold", why, Some(Command::Bake));
    }

    fn animate(&mut self, animation: Animation) {
        let session = &mut self.session;
        match animation {
            Animation::Stages => session.play_on(),
            Animation::Stage => session.animation_on(),
            Animation::Searches => {
                let Session { path, lab, query_tool, .. } = session;
                if path.replay.playing {
                    path.replay = path.replay.later(path.n_expanded());
                }
                if lab.replay.playing {
                    lab.play_on();
                }
                if query_tool.replay.playing {
                    let later = query_tool.later();
                    session.show_query(later);
                }
            }
        }
    }
}

/// What tests need of the reducer beyond an [`Editor`].
#[cfg(any(test, feature = "testing"))]
pub mod testing {
    use super::{Editor, dispatch};
    use crate::{command::Command, notices::Notices, prefs::Prefs, session::Session};

    /// Carries out `command` in a session without an editor around it.
    pub fn carry_out(session: &mut Session, command: Command) {
        dispatch::dispatch(session, &mut Prefs::default(), command);
    }

    impl Editor {
        /// The session, to set up a state that no command leads to.
        pub fn session_mut(&mut self) -> &mut Session {
            &mut self.session
        }

        /// The preferences, to set up a state that no command leads to.
        pub fn prefs_mut(&mut self) -> &mut Prefs {
            &mut self.prefs
        }

        /// Forgets all messages.
        pub fn clear_notices(&mut self) {
            self.notices = Notices::default();
        }
    }
}

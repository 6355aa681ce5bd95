//! The editor that saves: it writes an increasing number to a project, an export, the recovery file and the
//! preferences.
//!
//! It reports each event as a line on the standard output: `saved project 3`, or `told …` when the user is notified of
//! a failure.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use walkable::{diagnostic::Phrase, geom::Aabb, glam::Vec3};
use walkable_editor::{
    command::{Command, ExportKind},
    habits::{Habits, HabitsFile},
    jobs::{
        AutoSave, AutoSaveRule, BackgroundJobs, Results, ask_file::DialogEnd, export::Clash,
        slot::Wake,
    },
    prefs::Prefs,
    reducer::{Editor, Effect, Event, Tick},
    session::{Edit, LevelSource, Severity},
};

/// A time without changes after which unsaved work is written to the recovery file.
const LONG: Duration = Duration::from_mins(1);

/// Returns the path of the project file in `folder`.
pub(crate) fn project_in(folder: &Path) -> PathBuf {
    folder.join("level.walkable")
}

pub(crate) fn export_in(folder: &Path) -> PathBuf {
    folder.join("level.cfg")
}

/// An editor with everything that it has in the window, but without the window.
struct Saver {
    editor: Editor,
    jobs: BackgroundJobs,
    auto_save: Option<AutoSave>,
    habits: HabitsFile,
}

/// Saves twice, with numbers that start at the value of the environment variable.
pub(crate) fn run(folder: &Path) {
    let first: u16 = std::env::var("WALKABLE_SAVES_FROM").unwrap().parse().unwrap();
    let mut saver = Saver::start(folder);
    for number in first..first + 2 {
        saver.round(folder, number);
    }
    saver.auto_save.iter().for_each(AutoSave::end);
    say("end");
}

/// Flushes the output, so that the parent has read it even if this process is killed next.
fn say(text: &str) {
    println!("{}", text.replace('\n', " "));
    #[expect(clippy::disallowed_methods, reason = "a test, which prints no names")]
    std::io::stdout().flush().unwrap();
}

impl Saver {
    fn start(folder: &Path) -> Self {
        let wake: Wake = Arc::new(|| ());
        let prefs = Prefs { auto_bake: false, ..Prefs::default() };
        let auto_save = match AutoSave::start(&folder.join("unsaved")) {
            Ok((auto_save, _)) => Some(auto_save),
            Err(why) => {
                say(&format!("told recovery {why:#}"));
                None
            }
        };
        let mut saver = Self {
            editor: Editor::new(prefs),
            jobs: BackgroundJobs::new(&wake, &wake, |_| DialogEnd::Closed),
            auto_save,
            habits: HabitsFile::new(folder),
        };
        let project = project_in(folder);
        let sample = LevelSource::Builtin("sample".to_owned());
        let is_there = project.exists();
        saver.take(Event::Command(Command::Load(if is_there {
            LevelSource::File(project)
        } else {
            sample
        })));
        assert!(saver.editor.session().opened.level.is_some(), "{:?}", saver.editor.notices());
        saver
    }

    fn round(&mut self, folder: &Path, number: u16) {
        let bound = Aabb::new(Vec3::ZERO, Vec3::new(f32::from(number), 1.0, 1.0));
        let edit = Edit::Bounds(vec![bound.into()]);
        self.take(Event::Command(Command::Change(Phrase::verbatim("Number"), edit)));
        self.keep(number);
        let (project, export) = (project_in(folder), export_in(folder));
        self.write("export", ExportKind::Settings, &export, number);
        self.write("project", ExportKind::Project, &project, number);
        let prefs = Prefs { max_secs: number.into(), ..Prefs::default() };
        let habits = Habits { prefs, ..Habits::default() };
        match self.habits.write(&habits) {
            Some(why) => say(&format!("told habits {why}")),
            // An error is reported only once.
            None if HabitsFile::new(folder).read().ok() != Some(Some(habits)) => {}
            None => say(&format!("saved habits {number}")),
        }
        // The recovery file is no longer needed, unless saving failed.
        self.keep(number);
    }

    /// Writes the recovery file, as after a while without changes.
    fn keep(&mut self, number: u16) {
        let Some(auto_save) = &mut self.auto_save else { return };
        let session = self.editor.session();
        let was_unsaved = session.is_unsaved();
        while let Some(next) = auto_save.tend(session, LONG, AutoSaveRule::default()) {
            if let Some(why) = auto_save.news() {
                return say(&format!("told recovery {why}"));
            }
            if next > Duration::from_secs(1) {
                // The failure was reported, and the write is retried later.
                return;
            }
            // The writing job does not wake this thread.
            thread::yield_now();
        }
        if was_unsaved {
            say(&format!("saved recovery {number}"));
        }
    }

    fn write(&mut self, what: &str, kind: ExportKind, path: &Path, number: u16) {
        // The project is saved to its existing path, as by Ctrl+S.
        let is_known = self.editor.session().project.path.as_deref() == Some(path);
        let command =
            if is_known { Command::Save } else { Command::Replace(kind, path.to_owned()) };
        self.take(Event::Command(command));
        let notices = self.editor.notices().list().to_vec();
        let name = path.file_name().unwrap().to_str().unwrap();
        let failed = notices.iter().find(|notice| notice.severity == Severity::Error);
        if let Some(notice) = failed {
            assert!(
                notice.title.to_string().contains(name) || notice.detail.to_string().contains(name),
                "{notice:?}"
            );
            say(&format!("told {what} {}: {}", notice.title, notice.detail));
        } else {
            assert!(!notices.is_empty(), "nothing is said of {what}");
            say(&format!("saved {what} {number}"));
        }
        for notice in notices {
            self.take(Event::Dismissed(notice.id));
        }
    }

    /// Runs the editor and its jobs until the event is handled.
    fn take(&mut self, event: Event) {
        self.reduce(event);
        let mut is_ticked = false;
        loop {
            let report = self.jobs.poll(Results::Take);
            if report.messages.is_empty() && !report.status.is_busy() && !report.status.saves {
                if std::mem::replace(&mut is_ticked, true) {
                    return;
                }
                let jobs = self.jobs.status();
                self.reduce(Event::Tick(Tick { now: Instant::now(), rest: LONG, jobs }));
            } else {
                is_ticked = false;
                self.reduce(Event::Work(report));
                thread::yield_now();
            }
        }
    }

    fn reduce(&mut self, event: Event) {
        for effect in self.editor.reduce(event) {
            match effect {
                Effect::Work(work) => self.jobs.start(work),
                Effect::Command(command) => self.reduce(Event::Command(command)),
                // The user confirms the replacement.
                Effect::AskReplace(Clash { kind, path, .. }) => {
                    self.reduce(Event::Command(Command::Replace(kind, path)));
                }
                _ => {}
            }
        }
    }
}

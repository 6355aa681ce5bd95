//! Asks the desktop for a file, without holding up the window.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use crate::{
    command::ExportKind,
    files::FileKind,
    jobs::slot::{JobEvent, JobSlot, Wake},
};

/// A dialog that ends within this time was never shown: the desktop has no portal.
const TOO_QUICK: Duration = Duration::from_millis(300);

/// A dialog for one file, as the desktop is to show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// For a file that is there.
    Pick(DialogText),
    /// For a file to write, with the name that is proposed.
    Save(DialogText, String),
}

/// What a dialog says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DialogText {
    /// Its title.
    pub title: &'static str,
    /// What the files are called…
    pub filter: &'static str,
    /// … and how their names end.
    pub endings: Vec<&'static str>,
}

/// Shows a dialog until it is answered; `None` where the answer is no file.
pub type ShowDialog = fn(&Dialog) -> Option<PathBuf>;

/// What the file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To be opened.
    Open,
    /// To be written.
    Export(ExportKind),
}

/// How asking ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// With this file.
    File(Purpose, PathBuf),
    /// With nothing: the user thought better of it.
    Cancelled,
    /// No dialog could be shown.
    NoDialog(Purpose),
}

/// The one file dialog.
#[derive(Debug)]
pub struct AskFile {
    slot: JobSlot<Answer>,
    show: ShowDialog,
}

impl AskFile {
    /// No dialog yet; `show` shows one.
    pub fn new(wake: Wake, show: ShowDialog) -> Self {
        Self { slot: JobSlot::new("file dialog", wake), show }
    }

    /// Shows a dialog that proposes `name`, unless one is shown.
    pub fn start(&mut self, purpose: Purpose, name: String) {
        if !self.slot.has_thread() {
            let show = self.show;
            self.slot.request(move |report| report.send(ask(purpose, name, show)));
        }
    }

    /// Whether a dialog is shown.
    pub fn is_busy(&self) -> bool {
        self.slot.has_thread()
    }

    /// How asking ended, once it did.
    pub fn poll(&mut self) -> Option<Answer> {
        self.slot.poll().into_iter().find_map(|event| match event {
            JobEvent::Message(answer) => Some(answer),
            JobEvent::Finished | JobEvent::Panicked(_) => None,
        })
    }
}

fn ask(purpose: Purpose, name: String, show: ShowDialog) -> Answer {
    let dialog = match purpose {
        Purpose::Open => Dialog::Pick(DialogText {
            title: "Open a project, level or navmesh",
            filter: "Projects, levels, navmeshes, settings, maps",
            endings: FileKind::ALL.iter().flat_map(|kind| kind.endings()).copied().collect(),
        }),
        Purpose::Export(kind) => {
            let (filter, endings) = (kind.ending(), vec![kind.ending()]);
            Dialog::Save(DialogText { title: kind.title(), filter, endings }, name)
        }
    };
    let clock = Instant::now();
    match show(&dialog) {
        Some(file) => Answer::File(purpose, file),
        None if clock.elapsed() < TOO_QUICK => Answer::NoDialog(purpose),
        None => Answer::Cancelled,
    }
}

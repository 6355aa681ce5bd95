//! Shows the desktop's file dialogs without blocking the window.

use std::{path::PathBuf, time::Duration};

use walkable_workspace::files::FileKind;
use web_time::Instant;

use crate::{
    jobs::slot::{JobEvent, JobSlot, Wake},
    session::ExportKind,
};

/// A dialog that closes faster than this was never shown: the desktop has no portal.
const TOO_QUICK: Duration = Duration::from_millis(300);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dialog {
    Pick(DialogText, Proposal),
    PickFolder(DialogText, Proposal),
    Save(DialogText, Proposal),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proposal {
    /// The folder; empty for the current one.
    pub folder: PathBuf,
    /// The name; empty for a file to open.
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DialogText {
    pub title: &'static str,
    /// Name of the file type, empty for a folder…
    pub filter: &'static str,
    pub endings: Vec<&'static str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DialogEnd {
    File(PathBuf),
    /// The user chose no file, or the desktop cannot show dialogs.
    Closed,
    /// The dialog is still open; the file will be opened without the dialog's job.
    OpensLater,
}

/// Shows a dialog until the user closes it; a web page does not wait for that.
pub type ShowDialog = fn(&Dialog) -> DialogEnd;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Open,
    Pieces,
    Export(ExportKind),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DialogOutcome {
    File(Purpose, PathBuf),
    Cancelled,
    /// The desktop cannot show dialogs.
    NoDialog(Purpose, Proposal),
}

#[derive(Debug)]
pub struct AskFile {
    slot: JobSlot<DialogOutcome>,
    show: ShowDialog,
}

impl AskFile {
    /// Creates the job without a dialog; `show` will show its dialogs.
    pub fn new(wake: Wake, show: ShowDialog) -> Self {
        Self { slot: JobSlot::new("file dialog", wake), show }
    }

    /// Shows a dialog that begins with `proposal`, unless one is already shown.
    pub fn start(&mut self, purpose: Purpose, proposal: Proposal) {
        if !self.slot.has_thread() {
            let show = self.show;
            self.slot.request(move |report| report.send(ask(purpose, proposal, show)));
        }
    }

    pub fn is_busy(&self) -> bool {
        self.slot.has_thread()
    }

    pub fn poll(&mut self) -> Option<DialogOutcome> {
        self.slot.poll().into_iter().find_map(|event| match event {
            JobEvent::Message(answer) => Some(answer),
            JobEvent::Finished | JobEvent::Panicked(_) => None,
        })
    }
}

fn ask(purpose: Purpose, proposal: Proposal, show: ShowDialog) -> DialogOutcome {
    /// Extension of RecastDemo's test cases, which are recognized by their content only.
    const TEST_CASES: &str = "txt";

    let known = FileKind::ALL.iter().flat_map(|kind| kind.endings()).copied();
    let dialog = match purpose {
        Purpose::Open => {
            let text = DialogText {
                title: "Open a project, level or navmesh",
                filter: "Projects, levels, navmeshes, settings, maps, path tests",
                endings: known.chain([TEST_CASES]).collect(),
            };
            Dialog::Pick(text, proposal.clone())
        }
        Purpose::Pieces => {
            let title = "Open a folder with the pieces of a level";
            let text = DialogText { title, filter: "", endings: Vec::new() };
            Dialog::PickFolder(text, proposal.clone())
        }
        Purpose::Export(kind) => {
            let (filter, endings) = (kind.ending(), vec![kind.ending()]);
            Dialog::Save(DialogText { title: kind.title(), filter, endings }, proposal.clone())
        }
    };
    let clock = Instant::now();
    match show(&dialog) {
        DialogEnd::File(file) => DialogOutcome::File(purpose, file),
        DialogEnd::Closed if clock.elapsed() < TOO_QUICK => {
            DialogOutcome::NoDialog(purpose, proposal)
        }
        DialogEnd::Closed | DialogEnd::OpensLater => DialogOutcome::Cancelled,
    }
}

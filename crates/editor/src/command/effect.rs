//! Effects: what the reducer requests from the program around the editor.

use std::path::PathBuf;

use walkable::geom::Aabb;

use super::{Command, ExportKind, Pane};
use crate::{
    jobs::{
        ask_file::{Proposal, Purpose},
        export::Clash,
        work::Work,
    },
    session::{Look, Side},
};

/// A request of the editor to the program around it.
#[derive(Debug)]
pub enum Effect {
    Work(Work),
    /// Another level is open; move the camera to it.
    LevelOpened,
    Saved,
    Camera(CameraMove),
    /// Show the window's own file dialog, because the desktop has none.
    BrowseFiles(Purpose, Proposal),
    /// An export would replace a file: ask the user.
    AskReplace(Clash),
    RecoverWork,
    /// Delete this unsaved work.
    DiscardWork(PathBuf),
    ImportOptions,
    PieceOptions,
    ExportDialog,
    /// Show the dialog for a picture of the 3D view.
    PictureDialog,
    AskPlace,
    Copy(String),
    /// Copy a link that contains the repro file of this kind to the clipboard.
    CopyLink(ExportKind),
    Paste,
    MenuBar,
    About,
    ReadGuide,
    Palette,
    EditPrefs,
    EditKeys,
    /// Cancel the last action, as Esc does.
    Back,
    /// Bring a panel to the front, or close it.
    ShowPanel(Pane),
    BringToFront(Pane),
    /// Show the dialog that lists the saved layouts.
    EditLayouts,
    /// Show this layout of the panels, or the default one.
    ShowLayout(Option<String>),
    /// Carry out this command, unless the user has to confirm something first.
    Command(Command),
    Quit,
}

impl From<Work> for Effect {
    fn from(work: Work) -> Self {
        Self::Work(work)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CameraMove {
    /// Fit everything into the view.
    FrameAll,
    /// Fit a box into the view.
    Frame(Aabb),
    /// Look straight down at everything.
    TopView,
    /// Look at the same place from this side.
    From(Side),
    Look(Look),
    /// Switch between orthographic and perspective projection.
    ToggleOrthographic,
}

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

#[derive(Debug)]
pub enum Effect {
    Work(Work),
    LevelOpened,
    Saved,
    Camera(CameraMove),
    /// Show the window's own file dialog, because the desktop has none.
    BrowseFiles(Purpose, Proposal),
    AskReplace(Clash),
    RecoverWork,
    DiscardWork(PathBuf),
    ImportOptions,
    PieceOptions,
    ExportDialog,
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
    ShowPanel(Pane),
    BringToFront(Pane),
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

/// What carrying out a command returns.
pub(super) trait IntoEffects {
    fn into_effects(self) -> Vec<Effect>;
}

impl IntoEffects for () {
    fn into_effects(self) -> Vec<Effect> {
        Vec::new()
    }
}

impl IntoEffects for Option<Effect> {
    fn into_effects(self) -> Vec<Effect> {
        self.into_iter().collect()
    }
}

impl IntoEffects for Vec<Effect> {
    fn into_effects(self) -> Vec<Effect> {
        self
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CameraMove {
    FrameAll,
    Frame(Aabb),
    /// Look straight down at everything.
    TopView,
    /// Look at the same place from this side.
    From(Side),
    Look(Look),
    ToggleOrthographic,
}

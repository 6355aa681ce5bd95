//! Everything that a user can trigger, as plain data, with text, tooltip and shortcut. A row of `groups!` and a module are
//! the commands of a feature: the enum, the preconditions, and what the commands do.

mod agents;
mod animation;
mod check;
mod crowd;
mod describe;
mod display;
mod effect;
mod fixes;
mod game;
mod ground;
mod keys;
mod lab;
mod layout;
mod log;
mod pane;
mod path;
mod path_tests;
mod pieces;
mod proposals;
mod query;
pub(crate) mod requests;
mod scene_item;
mod shortcuts;
mod sweep;
mod tour;
mod view;

#[cfg(test)]
mod tests;

use std::path::PathBuf;

use describe::Description;
pub use describe::{lower_first, variant_id};
use effect::IntoEffects as _;
pub use effect::{CameraMove, Effect};
pub use pane::{Home, Pane};
pub use requests::proposed_path;
pub(crate) use scene_item::add as add_items;
use walkable::diagnostic::Phrase;
use walkable_workspace::{lang::Language, presets::PRESETS, units::Units};

pub use crate::session::ExportKind;
use crate::{
    memory_budget::MemoryBudget,
    navigation::Navigation,
    prefs::Prefs,
    session::{CopiedItems, Edit, Hover, LevelSource, PngPicture, Session, ToolKind},
};

/// A request of the user. Panels and tools push commands; the reducer carries them out.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    Open,
    Load(LevelSource),
    /// Closes the level, and shows the start page.
    CloseLevel,
    RecoverWork,
    DiscardWork(PathBuf),
    /// Saves the project; shows a file dialog if it has no file yet.
    Save,
    SaveAs,
    ImportOptions,
    ExportDialog,
    Export(ExportKind),
    /// Copies a link to the editor's web page that contains the repro file of this kind.
    CopyLink(ExportKind),
    PictureDialog,
    SavePicture(PngPicture),
    ExportTo(ExportKind, PathBuf),
    Replace(ExportKind, PathBuf),
    StopExport,
    Quit,
    Undo,
    Redo,
    /// Begins a transaction, as when the user starts dragging.
    Begin(Phrase),
    /// Changes the document in the open transaction.
    Apply(Edit),
    /// Ends the transaction and makes it one undo step.
    Commit,
    /// Ends the transaction and reverts its changes.
    Abort,
    /// Changes the document as one undo step with this label.
    Change(Phrase, Edit),
    ResetSettings,
    UsePreset(usize),
    /// Bakes all tiles again, even if nothing has changed.
    Bake,
    CancelBake,
    ToggleAutoBake,
    ToggleTileCache,
    ToggleAutoSave,
    /// Sets the minimum time between two autosaves, in seconds.
    SetAutoSave(u16),
    TogglePanels,
    /// Brings this panel to the front, or closes it if it is already there.
    ShowPanel(Pane),
    /// Sets the memory limit of bakes, in gigabytes.
    LimitMemory(u8),
    /// Sets the time limit of bakes, in hours.
    LimitTime(u8),
    ToggleTheme,
    /// Sets the language of the window; `None` for that of the system.
    Speak(Option<Language>),
    SetUnits(Units),
    ZoomIn,
    ZoomOut,
    ZoomReset,
    /// Sets the scale of the user interface, in percent.
    Zoom(u16),
    Navigate(Navigation),
    EditPrefs,
    SetMemory(MemoryBudget),
    MenuBar,
    About,
    ReadGuide,
    Palette,
    /// Cancels the last action: a dialog, a drag, a tool, a selection.
    Back,
    ChooseTool(ToolKind),
    Hover(Option<Hover>),
    Select(Option<Hover>),
    PasteItems(Box<CopiedItems>),
    Group(Group),
}

/// Defines [`Group`]: a row per feature that has commands of its own, with its module and what the commands may change.
macro_rules! groups {
    (($session:ident, $prefs:ident) $($module:ident: $group:ident($command:ident) changes $($changed:ident),+;)+) => {
        $(pub use $module::$command;)+

        /// The commands of one feature, which are defined in a file of their own.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Group {
            $($group($command),)+
        }

        $(impl From<$command> for Command {
            fn from(command: $command) -> Self {
                Self::Group(Group::$group(command))
            }
        })+

        impl Group {
            fn listed() -> Vec<Command> {
                [$($command::listed(),)+].concat()
            }

            fn description(&self) -> Description {
                match self {
                    $(Self::$group(command) => command.description(),)+
                }
            }

            pub(crate) fn carry_out(self, $session: &mut Session, $prefs: &mut Prefs) -> Vec<Effect> {
                match self {
                    $(Self::$group(command) => command.carry_out($($changed),+).into_effects(),)+
                }
            }
        }
    };
}

groups! {
    (session, prefs)
    pieces: Pieces(PiecesCommand) changes session, prefs;
    view: View(ViewCommand) changes session, prefs;
    display: Display(DisplayCommand) changes session;
    animation: Animation(AnimationCommand) changes session;
    scene_item: SceneItem(SceneItemCommand) changes session, prefs;
    agents: Agent(AgentCommand) changes session;
    ground: Ground(GroundCommand) changes session;
    path: Path(PathCommand) changes session, prefs;
    path_tests: PathTest(PathTestCommand) changes session;
    check: Check(CheckCommand) changes session;
    crowd: Crowd(CrowdCommand) changes session;
    game: Game(GameCommand) changes session;
    query: Query(QueryCommand) changes session;
    proposals: Proposal(ProposalCommand) changes session;
    fixes: Fix(FixCommand) changes session;
    sweep: Sweep(SweepCommand) changes session;
    lab: Lab(LabCommand) changes session;
    layout: Layout(LayoutCommand) changes prefs;
    log: Log(LogCommand) changes session, prefs;
    keys: Keys(KeysCommand) changes prefs;
    tour: Tour(TourCommand) changes session, prefs;
}

/// Commands pushed during a frame, to be carried out after it.
#[derive(Debug, Default)]
pub struct Commands {
    queue: Vec<Command>,
}

impl Commands {
    pub fn push(&mut self, command: impl Into<Command>) {
        self.queue.push(command.into());
    }

    pub fn push_all(&mut self, commands: impl IntoIterator<Item = Command>) {
        self.queue.extend(commands);
    }

    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    pub fn take(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.queue)
    }
}

/// Returns the commands that need no arguments, for the palette and the keyboard.
pub fn listed() -> Vec<Command> {
    let mut all = vec![
        Command::Open,
        Command::CloseLevel,
        Command::RecoverWork,
        Command::Save,
        Command::SaveAs,
        Command::ImportOptions,
        Command::Undo,
        Command::Redo,
        Command::ResetSettings,
        Command::Bake,
        Command::CancelBake,
        Command::ToggleAutoBake,
        Command::ToggleTileCache,
        Command::ToggleAutoSave,
        Command::TogglePanels,
        Command::ToggleTheme,
        Command::ZoomIn,
        Command::ZoomOut,
        Command::ZoomReset,
        Command::EditPrefs,
        Command::MenuBar,
        Command::ReadGuide,
        Command::About,
        Command::Palette,
        Command::Back,
        Command::ExportDialog,
        Command::StopExport,
        Command::PictureDialog,
        Command::Quit,
    ];
    all.extend((0..PRESETS.len()).map(Command::UsePreset));
    all.push(Command::Speak(None));
    all.extend(Language::ALL.iter().copied().map(|language| Command::Speak(Some(language))));
    all.extend(Units::ALL.iter().copied().map(Command::SetUnits));
    all.extend(Navigation::ALL.iter().copied().map(Command::Navigate));
    all.extend(ExportKind::offered().map(Command::Export));
    if cfg!(target_family = "wasm") {
        all.extend(ExportKind::REPROS.map(Command::CopyLink));
    }
    all.extend(ToolKind::ALL.iter().copied().map(Command::ChooseTool));
    all.extend(Group::listed());
    all.extend(Pane::panels().map(Command::ShowPanel));
    all
}

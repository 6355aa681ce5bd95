//! Everything a user can trigger, as plain data: text, tooltip and shortcut of each in one place.
//! Menus, the palette and the keyboard read them from here. Knows no window. Commands that belong
//! together are a group: an enum in a file here, carried out by the file of the same name in `dispatch`.

mod agent;
mod animation;
mod describe;
mod display;
mod export;
mod fix;
mod ground;
mod keymap;
mod keys;
mod lab;
mod listed;
mod pane;
mod path;
mod proposal;
mod query_tool;
mod shortcut;
mod thing;
mod tour;
mod view;

#[cfg(test)]
mod tests;

pub use agent::AgentCommand;
pub use animation::AnimationCommand;
pub use describe::lower_first;
pub use display::DisplayCommand;
pub use export::ExportKind;
pub use fix::FixCommand;
pub use ground::GroundCommand;
pub use keymap::Keymap;
pub use keys::KeysCommand;
pub use lab::LabCommand;
pub use listed::listed;
pub use pane::{Home, Pane};
pub use path::PathCommand;
pub use proposal::ProposalCommand;
pub use query_tool::QueryCommand;
pub use shortcut::{Key, NoKey, Shortcut};
pub use thing::ThingCommand;
pub use tour::TourCommand;
pub use view::ViewCommand;

use std::{borrow::Cow, path::PathBuf};

use crate::{
    prefs::MemoryBudget,
    session::{Edit, Hover, LevelSource, ToolKind},
};

/// A wish of the user. Panels and tools push them; `dispatch` carries them out.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Asks for a level or navmesh file.
    Open,
    /// Opens this level.
    Load(LevelSource),
    /// Opens the file with this path, as typed.
    LoadText(String),
    /// Writes the project file; asks for one where there is none.
    Save,
    /// Asks where to and writes the project there.
    SaveAs,
    /// Asks for up axis, scale, handedness and winding.
    ImportOptions,
    /// Asks where to and writes.
    Export(ExportKind),
    /// Writes to this file; asks before one that is there is replaced.
    ExportTo(ExportKind, PathBuf),
    /// Writes to this file, which may be replaced.
    Replace(ExportKind, PathBuf),
    /// Ends the program.
    Quit,
    /// Takes back the last step.
    Undo,
    /// Brings back the step undone last.
    Redo,
    /// Opens a transaction: the user starts dragging.
    Begin(Cow<'static, str>),
    /// Changes the document within the open transaction.
    Apply(Edit),
    /// Ends the transaction as one step: the user lets go.
    Commit,
    /// Ends the transaction and goes back to where it began.
    Abort,
    /// Changes the document as one step with this label.
    Change(Cow<'static, str>, Edit),
    /// Sets all settings to their defaults.
    ResetSettings,
    /// Bakes again, changed or not.
    Bake,
    /// Stops the running bake.
    CancelBake,
    /// Bakes by itself after each change, or not.
    ToggleAutoBake,
    /// Folds the panels away or brings them back.
    TogglePanels,
    /// Brings this panel to the front; closes it where it is there already.
    ShowPanel(Pane),
    /// Bakes may take so many gigabytes of memory.
    LimitMemory(u8),
    /// Bakes may take so many hours.
    LimitTime(u8),
    /// Dark or light.
    ToggleTheme,
    /// Makes everything larger.
    ZoomIn,
    /// Makes everything smaller.
    ZoomOut,
    /// Sets how much memory may be taken by what can be made again.
    SetMemory(MemoryBudget),
    /// Puts panels back to their first sizes.
    ResetLayout,
    /// Opens the list of commands.
    Palette,
    /// Backs out one step: a dialog, a drag, a tool, a selection.
    Back,
    /// Takes up this tool.
    ChooseTool(ToolKind),
    /// Says what is under the cursor.
    Hover(Option<Hover>),
    /// Selects a place.
    Select(Option<Hover>),
    /// What is seen in the 3D view.
    View(ViewCommand),
    /// How it is seen.
    Display(DisplayCommand),
    /// How a stage comes about.
    Animation(AnimationCommand),
    /// Things placed in the level.
    Thing(ThingCommand),
    /// Those who walk the level.
    Agent(AgentCommand),
    /// The navmesh as it is used.
    Ground(GroundCommand),
    /// The path and its search.
    Path(PathCommand),
    /// The query tool.
    Query(QueryCommand),
    /// Links that could be placed.
    Proposal(ProposalCommand),
    /// What would make a place walkable, or have a path lead to its end.
    Fix(FixCommand),
    /// Searches side by side.
    Lab(LabCommand),
    /// Keys of commands.
    Keys(KeysCommand),
    /// The first tour of the window.
    Tour(TourCommand),
}

/// Commands pushed during a frame, carried out after it.
#[derive(Debug, Default)]
pub struct Commands {
    queue: Vec<Command>,
}

impl Commands {
    /// Adds a command.
    pub fn push(&mut self, command: impl Into<Command>) {
        self.queue.push(command.into());
    }

    /// Adds commands.
    pub fn push_all(&mut self, commands: impl IntoIterator<Item = Command>) {
        self.queue.extend(commands);
    }

    /// Whether nothing was pushed.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Takes all commands, in the order in which they came.
    pub fn take(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.queue)
    }
}

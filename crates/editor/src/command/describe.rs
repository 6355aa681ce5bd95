//! What each command is called, what it does, and the key for it.

use std::borrow::Cow;

use crate::{
    command::{Command, ExportKind, Key, Pane, Shortcut},
    session::{LevelSource, ToolKind},
};

/// How a command presents itself.
pub(super) struct Description {
    text: Cow<'static, str>,
    tooltip: Cow<'static, str>,
    shortcut: Option<Shortcut>,
}

/// A description without a key.
pub(super) fn says(
    text: impl Into<Cow<'static, str>>,
    tooltip: impl Into<Cow<'static, str>>,
) -> Description {
    Description { text: text.into(), tooltip: tooltip.into(), shortcut: None }
}

impl Description {
    /// The same with a key for it.
    pub(super) fn key(self, shortcut: Shortcut) -> Self {
        Self { shortcut: Some(shortcut), ..self }
    }
}

impl Command {
    /// What it is called in menus and in the palette; `…` where more input follows.
    pub fn text(&self) -> Cow<'static, str> {
        self.description().text
    }

    /// What it does, in one sentence.
    pub fn tooltip(&self) -> Cow<'static, str> {
        self.description().tooltip
    }

    /// The key that triggers it.
    pub fn shortcut(&self) -> Option<Shortcut> {
        self.description().shortcut
    }

    fn description(&self) -> Description {
        match self {
            Self::Open
            | Self::Load(_)
            | Self::LoadText(_)
            | Self::Save
            | Self::SaveAs
            | Self::ImportOptions
            | Self::Export(_)
            | Self::ExportTo(..)
            | Self::Replace(..)
            | Self::Quit => self.file_description(),
            Self::TogglePanels
            | Self::ShowPanel(_)
            | Self::ToggleTheme
            | Self::ZoomIn
            | Self::ZoomOut
            | Self::SetMemory(_)
            | Self::ResetLayout
            | Self::Palette
            | Self::Back => self.window_description(),
            Self::ChooseTool(kind) => tool_kind_description(*kind),
            Self::Hover(_) | Self::Select(_) => {
                says("Select", "Selects the place under the cursor")
            }
            Self::View(command) => command.description(),
            Self::Animation(command) => command.description(),
            Self::Display(command) => command.description(),
            Self::Thing(command) => command.description(),
            Self::Agent(command) => command.description(),
            Self::Ground(command) => command.description(),
            Self::Path(command) => command.description(),
            Self::Query(command) => command.description(),
            Self::Proposal(command) => command.description(),
            Self::Fix(command) => command.description(),
            Self::Lab(command) => command.description(),
            Self::Keys(command) => command.description(),
            Self::Tour(command) => command.description(),
            _ => self.edit_description(),
        }
    }

    fn file_description(&self) -> Description {
        match self {
            Self::Load(source) => load_description(source),
            Self::LoadText(path) => says(format!("Open {path}"), "Opens a level or navmesh file"),
            Self::Save => {
                says("Save", "Writes the project: level, settings and all that was placed")
                    .key(Shortcut::ctrl('S'))
            }
            Self::SaveAs => says("Save as…", "Writes the project to another file")
                .key(Shortcut::ctrl('S').with_shift()),
            Self::ImportOptions => {
                says("Import options…", "Up axis, scale, handedness and winding of the open level")
            }
            Self::Export(kind) => export_description(*kind),
            Self::ExportTo(kind, path) => {
                says(format!("Write {}", path.display()), export_description(*kind).tooltip)
            }
            Self::Replace(kind, path) => {
                says(format!("Replace {}", path.display()), export_description(*kind).tooltip)
            }
            Self::Quit => says("Quit", "Ends the program").key(Shortcut::ctrl('Q')),
            _ => says("Open…", "Opens a project, a level, a navmesh, settings or a benchmark map")
                .key(Shortcut::ctrl('O')),
        }
    }

    fn edit_description(&self) -> Description {
        match self {
            Self::Undo => says("Undo", "Takes back the last change").key(Shortcut::ctrl('Z')),
            Self::Redo => says("Redo", "Brings back the change undone last")
                .key(Shortcut::ctrl('Z').with_shift()),
            Self::ResetSettings => {
                says("Reset settings", "Sets all bake settings to their defaults")
            }
            Self::Bake => says("Bake", "Bakes all tiles again").key(Shortcut::ctrl('B')),
            Self::CancelBake => {
                says("Stop baking", "Stops the bake and keeps the tiles that are done")
            }
            Self::LimitMemory(n) => says(
                format!("Bakes may take {n} GB"),
                "A bake that would need more memory is not started",
            ),
            Self::LimitTime(n) => says(
                format!("Bakes may take {n} h"),
                "A bake that would take longer is not started",
            ),
            Self::ToggleAutoBake => {
                says("Bake after each change", "Starts a bake by itself when something changes")
            }
            Self::Begin(label) | Self::Change(label, _) => {
                says(label.clone(), "Changes the document")
            }
            Self::Abort => says("Abort the change", "Goes back to where the drag began"),
            _ => says("Change", "Changes the document"),
        }
    }

    fn window_description(&self) -> Description {
        match self {
            Self::TogglePanels => says("Panels", "Folds the panels away or brings them back")
                .key(Shortcut::plain(Key::Tab)),
            Self::ShowPanel(pane) => panel_description(*pane),
            Self::ToggleTheme => says("Light theme", "Switches between dark and light surfaces"),
            Self::ZoomIn => says("Larger text", "Makes everything larger").key(Shortcut::ctrl('+')),
            Self::ZoomOut => {
                says("Smaller text", "Makes everything smaller").key(Shortcut::ctrl('-'))
            }
            Self::SetMemory(_) => {
                says("Memory budget", "How much is kept of stages and pictures of tiles")
            }
            Self::ResetLayout => says("Reset layout", "Puts panels back to their first sizes"),
            Self::Back => says("Back", "Backs out one step").key(Shortcut::plain(Key::Escape)),
            _ => says("Commands…", "Finds a command by its name").key(Shortcut::ctrl('K')),
        }
    }
}

fn load_description(source: &LevelSource) -> Description {
    match source {
        LevelSource::File(path) => {
            says(format!("Open {}", source.name()), format!("Opens {}", path.display()))
        }
        LevelSource::Builtin(name) => {
            says(format!("Open sample: {name}"), "Opens one of the built-in levels")
        }
    }
}

fn export_description(kind: ExportKind) -> Description {
    let [entry, tooltip] = kind.entry();
    let description = says(entry, tooltip);
    if kind == ExportKind::Navmesh { description.key(Shortcut::ctrl('E')) } else { description }
}

fn panel_description(pane: Pane) -> Description {
    says(format!("{} panel", pane.name()), pane.tooltip())
}

fn tool_kind_description(kind: ToolKind) -> Description {
    says(kind.name(), kind.tooltip()).key(Shortcut::plain(Key::Char(kind.key())))
}

/// `label` with a small first letter, for the middle of a sentence.
pub fn lower_first(label: &str) -> String {
    let mut chars = label.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

//! The panels of the window.

use crate::table::table;

struct Row {
    /// Name on the tab.
    name: &'static str,
    /// What it shows.
    tooltip: &'static str,
    /// Where it is at first.
    home: Home,
}

/// A part of the window's first layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// In the middle.
    Center,
    /// To the left, above.
    LeftAbove,
    /// To the left, below.
    LeftBelow,
    /// To the right.
    Right,
    /// Under the 3D view.
    Drawer,
}

table! {
    /// What can be docked in the window.
    #[derive(
        Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
    )]
    pub enum Pane of Row {
        /// The level in three dimensions; always open.
        View {
            name: "3D view",
            tooltip: "Shows the level and the navmesh",
            home: Home::Center,
        }
        /// What the level consists of.
        Level {
            name: "Level",
            tooltip: "Shows what the level consists of",
            home: Home::LeftAbove,
        }
        /// Agent, voxels and the rest.
        Settings {
            name: "Bake settings",
            tooltip: "Shows agent, voxels and the other settings of the bake",
            home: Home::LeftBelow,
        }
        /// What is under the cursor or selected.
        Inspector {
            name: "Inspector",
            tooltip: "Shows what is under the cursor or selected, and why",
            home: Home::Right,
        }
        /// What the 3D view shows, and how.
        Display {
            name: "Display",
            tooltip: "Shows several stages at once, slices by height, colors and labels",
            home: Home::Right,
        }
        /// The path's figures.
        Path {
            name: "Path",
            tooltip: "Shows figures of the path",
            home: Home::Drawer,
        }
        /// Where the bake's time goes.
        Profile {
            name: "Profile",
            tooltip: "Shows where the bake's time goes",
            home: Home::Drawer,
        }
        /// Searches side by side.
        Lab {
            name: "Lab",
            tooltip: "Compares ways to search between the same two places",
            home: Home::Drawer,
        }
        /// Those who walk the level.
        Agents {
            name: "Agents",
            tooltip: "Shows who walks the level, and who fits where",
            home: Home::Drawer,
        }
        /// What areas and flags are called, look like and cost.
        Areas {
            name: "Areas",
            tooltip: "Shows names, colors and costs of areas, and names of flags",
            home: Home::Drawer,
        }
        /// Parts of the navmesh that no link connects.
        Islands {
            name: "Islands",
            tooltip: "Shows parts of the navmesh that no link connects, and which are kept",
            home: Home::Drawer,
        }
        /// What happened.
        Log {
            name: "Log",
            tooltip: "Shows what happened so far",
            home: Home::Drawer,
        }
        /// What was changed.
        History {
            name: "History",
            tooltip: "Shows what was changed, to go back to any step",
            home: Home::Drawer,
        }
    }
}

impl Pane {
    /// Name on the tab.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// What it shows.
    pub(super) const fn tooltip(self) -> &'static str {
        self.row().tooltip
    }

    /// Where it is at first; those at one place are tabs there, in the order of [`Pane::ALL`].
    pub const fn home(self) -> Home {
        self.row().home
    }

    /// Those that can be closed.
    pub fn panels() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|&pane| pane != Self::View)
    }
}

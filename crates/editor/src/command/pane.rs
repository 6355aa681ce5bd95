//! The panels of the window.

use crate::table::table;

struct Row {
    /// Title of the tab.
    name: &'static str,
    /// Tooltip of the tab.
    tooltip: &'static str,
    /// Position in the default layout.
    home: Home,
}

/// A position in the default layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// The middle of the window.
    Center,
    /// The upper half of the left side.
    LeftAbove,
    /// The lower half of the left side.
    LeftBelow,
    /// The upper half of the right side.
    RightAbove,
    /// The lower half of the right side.
    RightBelow,
    /// The strip under the 3D view.
    Drawer,
}

table! {
    /// A panel that can be docked in the window.
    #[derive(
        Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
    )]
    pub enum Pane of Row {
        /// The 3D view, which is always open.
        View {
            name: "3D view",
            tooltip: "Shows the level and the navmesh",
            home: Home::Center,
        }
        /// The objects and materials of the level.
        Level {
            name: "Level",
            tooltip: "Lists the objects of the level",
            home: Home::LeftAbove,
        }
        /// The bake settings: agent, voxels and so on.
        Settings {
            name: "Bake settings",
            tooltip: "Shows the agent, the voxels and the other bake settings",
            home: Home::LeftBelow,
        }
        /// Details of the point under the cursor or of the selection.
        Inspector {
            name: "Inspector",
            tooltip: "Shows what is under the cursor or selected, and why",
            home: Home::RightAbove,
        }
        /// Display options of the 3D view.
        Display {
            name: "Display",
            tooltip: "Shows several stages at once, slices by height, colors and labels",
            home: Home::RightAbove,
        }
        /// The result of the path query.
        Path {
            name: "Path",
            tooltip: "Shows the path's length, cost and settings",
            home: Home::RightBelow,
        }
        /// Paths with expected results.
        PathTests {
            name: "Path tests",
            tooltip: "Lists paths with expected results, and which of them a bake breaks",
            home: Home::Drawer,
        }
        /// Agents that walk, and where they get stuck.
        Crowd {
            name: "Crowd",
            tooltip: "Simulates agents, and finds places where they get stuck",
            home: Home::Drawer,
        }
        /// The time spent in each stage of the bake.
        Profile {
            name: "Profile",
            tooltip: "Shows how long each stage and tile takes to bake",
            home: Home::Drawer,
        }
        /// A comparison of search algorithms.
        Lab {
            name: "Lab",
            tooltip: "Compares searches between the same two places",
            home: Home::Drawer,
        }
        /// The agent profiles of the project.
        Agents {
            name: "Agents",
            tooltip: "Lists the agents, and shows where each of them fits",
            home: Home::LeftAbove,
        }
        /// Names, colors and costs of areas and flags.
        Areas {
            name: "Areas",
            tooltip: "Shows names, colors and costs of areas, and names of flags",
            home: Home::LeftAbove,
        }
        /// Connected components of the navmesh.
        Islands {
            name: "Islands",
            tooltip: "Lists parts of the navmesh that are not connected, and which are kept",
            home: Home::LeftAbove,
        }
        /// The differences between the pinned bake and the current one.
        Changes {
            name: "Changes",
            tooltip: "Lists the ground, islands and links that changed since the pinned bake",
            home: Home::Drawer,
        }
        /// The findings of the check of the navmesh.
        Check {
            name: "Check",
            tooltip: "Lists faults of the navmesh, such as tile borders that do not join",
            home: Home::Drawer,
        }
        /// Bakes with combinations of settings, and their measures.
        Sweep {
            name: "Sweep",
            tooltip: "Bakes with combinations of settings, and compares the results",
            home: Home::Drawer,
        }
        /// Past messages.
        Log {
            name: "Log",
            tooltip: "Lists what happened so far",
            home: Home::Drawer,
        }
        /// The undo history.
        History {
            name: "History",
            tooltip: "Lists the changes; a click returns to one",
            home: Home::RightAbove,
        }
    }
}

impl Pane {
    /// Title of the tab.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Tooltip of the tab.
    pub(super) const fn tooltip(self) -> &'static str {
        self.row().tooltip
    }

    /// Position in the default layout; panels at the same position are tabs, in the order of [`Pane::ALL`].
    pub const fn home(self) -> Home {
        self.row().home
    }

    /// The panels that can be closed.
    pub fn panels() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|&pane| pane != Self::View)
    }
}

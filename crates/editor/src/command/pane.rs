//! The panels of the window.

use walkable_workspace::{lang::tr, table, text};

struct Row {
    name: &'static str,
    tooltip: &'static str,
    home: Home,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    Center,
    /// The upper half of the left side.
    LeftAbove,
    /// The lower half of the left side.
    LeftBelow,
    Right,
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
            name: text!("3D view"),
            tooltip: text!("Shows the level and the navmesh"),
            home: Home::Center,
        }
        Level {
            name: text!("Level"),
            tooltip: text!("Lists the objects of the level"),
            home: Home::LeftAbove,
        }
        Settings {
            name: text!("Bake settings"),
            tooltip: text!("Shows the agent, the voxels and the other bake settings"),
            home: Home::LeftBelow,
        }
        Path {
            name: text!("Path"),
            tooltip: text!("Shows the path's length, cost and settings"),
            home: Home::Right,
        }
        /// Details of the point under the cursor or of the selection.
        Inspector {
            name: text!("Inspector"),
            tooltip: text!("Shows what is under the cursor or selected, and why"),
            home: Home::Right,
        }
        Display {
            name: text!("Display"),
            tooltip: text!("Shows several stages at once, slices by height, colors and labels"),
            home: Home::Right,
        }
        /// Paths with expected results.
        PathTests {
            name: text!("Path tests"),
            tooltip: text!("Lists paths with expected results, and which of them a bake breaks"),
            home: Home::Drawer,
        }
        Crowd {
            name: text!("Crowd"),
            tooltip: text!("Simulates agents, and finds places where they get stuck"),
            home: Home::Drawer,
        }
        Game {
            name: text!("Game"),
            tooltip: text!("Shows the agents of a running game, and why its paths failed"),
            home: Home::Drawer,
        }
        Profile {
            name: text!("Profile"),
            tooltip: text!("Shows how long each stage and tile takes to bake"),
            home: Home::Drawer,
        }
        Lab {
            name: text!("Lab"),
            tooltip: text!("Compares searches between the same two places"),
            home: Home::Drawer,
        }
        Agents {
            name: text!("Agents"),
            tooltip: text!("Lists the agents, and shows where each of them fits"),
            home: Home::LeftAbove,
        }
        Areas {
            name: text!("Areas"),
            tooltip: text!("Shows names, colors and costs of areas, and names of flags"),
            home: Home::LeftAbove,
        }
        /// Connected components of the navmesh.
        Islands {
            name: text!("Islands"),
            tooltip: text!("Lists parts of the navmesh that are not connected, and which are kept"),
            home: Home::LeftAbove,
        }
        /// The differences between the pinned bake and the current one.
        Changes {
            name: text!("Changes"),
            tooltip: text!("Lists the ground, islands and off-mesh links that changed since the pinned bake"),
            home: Home::Drawer,
        }
        Check {
            name: text!("Check"),
            tooltip: text!("Lists faults of the navmesh, such as tile borders that do not join"),
            home: Home::Drawer,
        }
        /// Bakes with combinations of settings, and their measures.
        Sweep {
            name: text!("Sweep"),
            tooltip: text!("Bakes with combinations of settings, and compares the results"),
            home: Home::Drawer,
        }
        Log {
            name: text!("Log"),
            tooltip: text!("Lists what happened so far"),
            home: Home::Drawer,
        }
        History {
            name: text!("History"),
            tooltip: text!("Lists the changes; a click returns to one"),
            home: Home::Drawer,
        }
    }
}

impl Pane {
    pub fn name(self) -> &'static str {
        tr(self.row().name)
    }

    pub(super) fn tooltip(self) -> &'static str {
        tr(self.row().tooltip)
    }

    /// Returns the position in the default layout; panels at the same position are tabs, in the order of [`Pane::ALL`].
    pub fn home(self) -> Home {
        self.row().home
    }

    pub fn panels() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|&pane| pane != Self::View)
    }
}

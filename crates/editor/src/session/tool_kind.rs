//! The kinds of tools.

use crate::table::table;

struct Row {
    /// Display name.
    name: &'static str,
    /// Tooltip.
    tooltip: &'static str,
    /// The key that activates the tool.
    key: char,
}

table! {
    /// A tool for the 3D view.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum ToolKind of Row {
        /// Inspects points of the level.
        Select {
            name: "Select tool",
            tooltip: "Shows what a place is and why",
            key: '1',
        }
        /// Finds paths.
        Path {
            name: "Path tool",
            tooltip: "Finds the path between two places",
            key: '2',
        }
        /// Draws volumes that paint areas.
        Volume {
            name: "Volume tool",
            tooltip: "Draws volumes that paint areas on the ground",
            key: '3',
        }
        /// Places off-mesh links.
        Link {
            name: "Link tool",
            tooltip: "Places jumps, drops and ladders with two clicks",
            key: '4',
        }
        /// Draws boxes that limit the bake.
        Bounds {
            name: "Bake box tool",
            tooltip: "Draws boxes that limit the bake",
            key: '5',
        }
        /// Measures between two points.
        Measure {
            name: "Measure tool",
            tooltip: "Measures distance, height, slope and clearance",
            key: '6',
        }
        /// Runs queries on the navmesh.
        Query {
            name: "Query tool",
            tooltip: "Runs the queries that games use: rays, walls, circles, random points",
            key: '7',
        }
        /// Places obstacles.
        Obstacle {
            name: "Obstacle tool",
            tooltip: "Places obstacles that the navmesh avoids",
            key: '0',
        }
        /// Bakes single tiles again or removes them.
        Tile {
            name: "Tile tool",
            tooltip: "Bakes single tiles again, or removes them",
            key: '8',
        }
        /// Paints polygons.
        Paint {
            name: "Paint tool",
            tooltip: "Gives polygons an area or flags with a brush",
            key: '9',
        }
        /// Places agents of a crowd.
        Crowd {
            name: "Crowd tool",
            tooltip: "Places agents that walk and avoid each other, and gives them targets",
            key: 'K',
        }
    }
}

impl ToolKind {
    /// Display name.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Tooltip.
    pub const fn tooltip(self) -> &'static str {
        self.row().tooltip
    }

    /// The key that activates the tool.
    pub const fn key(self) -> char {
        self.row().key
    }
}

//! The kinds of tools.

use walkable_workspace::{lang::tr, table, text};

struct Row {
    name: &'static str,
    tooltip: &'static str,
    key: char,
}

table! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum ToolKind of Row {
        Select {
            name: text!("Select tool"),
            tooltip: text!("Shows what a place is and why"),
            key: '1',
        }
        Path {
            name: text!("Path tool"),
            tooltip: text!("Finds the path between two places"),
            key: '2',
        }
        Volume {
            name: text!("Volume tool"),
            tooltip: text!("Draws volumes that paint areas on the ground"),
            key: '3',
        }
        Link {
            name: text!("Off-mesh link tool"),
            tooltip: text!("Places jumps, drops and ladders with two clicks"),
            key: '4',
        }
        Bounds {
            name: text!("Bake box tool"),
            tooltip: text!("Draws boxes that limit the bake"),
            key: '5',
        }
        Measure {
            name: text!("Measure tool"),
            tooltip: text!("Measures distance, height, slope and clearance"),
            key: '6',
        }
        Query {
            name: text!("Query tool"),
            tooltip: text!("Runs the queries that games use: rays, walls, circles, random points"),
            key: '7',
        }
        Obstacle {
            name: text!("Obstacle tool"),
            tooltip: text!("Places obstacles that the navmesh avoids"),
            key: '0',
        }
        Tile {
            name: text!("Tile tool"),
            tooltip: text!("Bakes single tiles again, or removes them"),
            key: '8',
        }
        Paint {
            name: text!("Paint tool"),
            tooltip: text!("Gives polygons an area or flags with a brush"),
            key: '9',
        }
        Crowd {
            name: text!("Crowd tool"),
            tooltip: text!("Places agents that walk and avoid each other, and gives them targets"),
            key: 'K',
        }
    }
}

impl ToolKind {
    pub fn name(self) -> &'static str {
        tr(self.row().name)
    }

    pub fn tooltip(self) -> &'static str {
        tr(self.row().tooltip)
    }

    pub const fn key(self) -> char {
        self.row().key
    }
}

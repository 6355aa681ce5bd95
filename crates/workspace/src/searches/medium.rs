//! The kinds of search spaces in a level.

use serde::{Deserialize, Serialize};

use crate::lang::tr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Medium {
    Navmesh,
    /// Walkable cells of one floor.
    Grid,
    /// Walkable cells of all floors.
    Graph,
    /// Floors in voxel columns.
    Floors,
    Voxels,
    /// Free cubes of octrees.
    Air,
    /// Free cubes of octrees within water.
    Water,
}

impl Medium {
    pub const ALL: [Self; 7] = [
        Self::Navmesh,
        Self::Grid,
        Self::Graph,
        Self::Floors,
        Self::Voxels,
        Self::Air,
        Self::Water,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Navmesh => tr!("Navmesh"),
            Self::Grid => tr!("Grid of a floor"),
            Self::Graph => tr!("Graph of cells"),
            Self::Floors => tr!("Floors of voxels"),
            Self::Voxels => tr!("Voxels"),
            Self::Air => tr!("Air, octrees"),
            Self::Water => tr!("Water"),
        }
    }

    /// Returns a short description.
    pub fn what(self) -> &'static str {
        match self {
            Self::Navmesh => tr!("The polygons of the bake"),
            Self::Grid => {
                tr!("The walkable cells of the floor on which the path starts, with 8 neighbors")
            }
            Self::Graph => tr!("The walkable cells of all floors, with 4 neighbors"),
            Self::Floors => {
                tr!("The lowest free voxel of each span, with step height and head room")
            }
            Self::Voxels => tr!("Free voxels, one by one or column by column"),
            Self::Air => {
                tr!("Free cubes of an octree: large where there is room, small near the level")
            }
            Self::Water => tr!("The same inside volumes painted as water"),
        }
    }
}

//! Commands for the navmesh as it is used: single tiles, islands, the brush.

use glam::Vec3;
use walkable::{geom::Aabb, ids::TileCoord};

use super::{
    Command,
    describe::{Description, says},
    lower_first,
};
use crate::session::{NewStroke, ShapeKind};

/// A command for tiles, islands and painted polygons.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GroundCommand {
    /// Bakes this tile again, changed or not.
    BakeTile(TileCoord),
    /// Takes this tile out of the navmesh.
    RemoveTile(TileCoord),
    /// Puts this tile back.
    PutTileBack(TileCoord),
    /// Puts all tiles back.
    PutAllTilesBack,
    /// Shows the island at this place, with this box around it; or none.
    ChooseIsland(Option<(Vec3, Aabb)>),
    /// Keeps every island.
    KeepAllIslands,
    /// Says what the next obstacle will be.
    NextObstacle(ShapeKind),
    /// Says what the brush does next.
    NextStroke(NewStroke),
    /// Takes back all that was painted.
    ClearStrokes,
}

impl GroundCommand {
    /// The commands that need no arguments.
    pub fn listed() -> Vec<Command> {
        [Self::PutAllTilesBack, Self::KeepAllIslands, Self::ClearStrokes]
            .map(Command::from)
            .to_vec()
    }

    pub(super) fn description(self) -> Description {
        match self {
            Self::BakeTile(tile) => {
                says(format!("Bake tile {tile} again"), "Bakes this one tile, changed or not")
            }
            Self::RemoveTile(tile) => says(
                format!("Remove tile {tile}"),
                "Leaves this tile out of the navmesh, after the next bake as well",
            ),
            Self::PutTileBack(tile) => {
                says(format!("Put tile {tile} back"), "Has this tile in the navmesh again")
            }
            Self::PutAllTilesBack => {
                says("Put all tiles back", "Puts all removed tiles back into the navmesh")
            }
            Self::ChooseIsland(_) => says("Show island", "Shows where an island lies"),
            Self::KeepAllIslands => {
                says("Keep all islands", "Clears the rule by which islands are removed")
            }
            Self::NextObstacle(kind) => says(
                format!("Drop {}", lower_first(kind.name())),
                "Says what the next obstacle will be",
            ),
            Self::NextStroke(_) => says("Set brush", "Says what the brush paints next"),
            Self::ClearStrokes => {
                says("Clear painted polygons", "Takes back all that the brush painted")
            }
        }
    }
}

impl From<GroundCommand> for Command {
    fn from(command: GroundCommand) -> Self {
        Self::Ground(command)
    }
}

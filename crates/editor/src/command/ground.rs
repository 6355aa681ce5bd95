//! Commands for changes to the baked navmesh: single tiles, islands, the brush.

use glam::Vec3;
use walkable::{diagnostic::Phrase, geom::Aabb, ids::TileCoord, phrase};
use walkable_workspace::lang::tr;

use super::{
    CameraMove, Command, Effect,
    describe::{Description, says, variant_id},
    lower_first, requests,
};
use crate::session::{Edit, Islands, NewStroke, Session, ShapeKind};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GroundCommand {
    BakeTile(TileCoord),
    RemoveTile(TileCoord),
    PutTileBack(TileCoord),
    PutAllTilesBack,
    /// Highlights the island at this point, which has these bounds; `None` removes the highlight.
    ChooseIsland(Option<(Vec3, Aabb)>),
    /// Highlights a change since the pinned bake, by index, and moves the camera to it; `None` removes the highlight.
    ChooseChange(Option<usize>),
    ShowChanges(bool),
    KeepAllIslands,
    NextObstacle(ShapeKind),
    NextStroke(NewStroke),
    ClearStrokes,
}

impl GroundCommand {
    pub(super) fn listed() -> Vec<Command> {
        [Self::PutAllTilesBack, Self::KeepAllIslands, Self::ClearStrokes]
            .map(Command::from)
            .to_vec()
    }

    pub(super) fn description(self) -> Description {
        match self {
            Self::BakeTile(tile) => says(
                format!("ground.bake-tile.{tile}"),
                tr!("Bake tile {tile} again"),
                tr!("Bakes this one tile, changed or not"),
            ),
            Self::RemoveTile(tile) => says(
                format!("ground.remove-tile.{tile}"),
                tr!("Remove tile {tile}"),
                tr!("Leaves this tile out of the navmesh, after the next bake as well"),
            ),
            Self::PutTileBack(tile) => says(
                format!("ground.put-tile-back.{tile}"),
                tr!("Put tile {tile} back"),
                tr!("Adds this tile to the navmesh again"),
            ),
            Self::PutAllTilesBack => says(
                "ground.put-all-tiles-back",
                tr!("Put all tiles back"),
                tr!("Adds all removed tiles to the navmesh again"),
            )
            .needs(
                |session| !session.document().removed_tiles.is_empty(),
                tr!("No tile is removed."),
            ),
            Self::ChooseIsland(_) => {
                says("ground.choose-island", tr!("Show island"), tr!("Shows where an island lies"))
            }
            Self::ChooseChange(_) => says(
                "ground.choose-change",
                tr!("Show change"),
                tr!("Shows a difference from the pinned bake"),
            ),
            Self::ShowChanges(_) => says(
                "ground.show-changes",
                tr!("Show changes in 3D view"),
                tr!("Draws the ground that was gained or lost since the pinned bake"),
            ),
            Self::KeepAllIslands => says(
                "ground.keep-all-islands",
                tr!("Keep all islands"),
                tr!("Clears the rule that removes islands"),
            )
            .needs(
                |session| session.document().islands != Islands::default(),
                tr!("No islands are removed."),
            ),
            Self::NextObstacle(kind) => says(
                format!("ground.next-obstacle.{}", variant_id(kind)),
                tr!("Drop {}", lower_first(kind.name())),
                tr!("Sets the shape of the next obstacle"),
            ),
            Self::NextStroke(_) => {
                says("ground.next-stroke", tr!("Set brush"), tr!("Sets what the brush paints"))
            }
            Self::ClearStrokes => says(
                "ground.clear-strokes",
                tr!("Clear painted polygons"),
                tr!("Removes everything that the brush painted"),
            )
            .needs(|session| !session.document().strokes.is_empty(), tr!("Paint polygons first.")),
        }
    }

    pub(crate) fn carry_out(self, session: &mut Session) -> Option<Effect> {
        match self {
            Self::BakeTile(tile) => {
                let base = session.bake.base_without(tile);
                return requests::bake(session, base).map(Effect::Work);
            }
            Self::RemoveTile(tile) => {
                let mut tiles = session.document().removed_tiles.clone();
                tiles.insert(tile);
                change(
                    session,
                    phrase!("Remove tile {tile}", tile = tile.to_string()),
                    Edit::RemovedTiles(tiles),
                );
            }
            Self::PutTileBack(tile) => {
                let mut tiles = session.document().removed_tiles.clone();
                tiles.remove(&tile);
                let label = phrase!("Put tile {tile} back", tile = tile.to_string());
                change(session, label, Edit::RemovedTiles(tiles));
            }
            Self::PutAllTilesBack => {
                let none = std::collections::BTreeSet::new();
                change(session, phrase!("Put all tiles back"), Edit::RemovedTiles(none));
            }
            Self::ChooseIsland(island) => {
                session.tools.island = island.map(|(place, _)| place);
                return island.map(|(_, bounds)| Effect::Camera(CameraMove::Frame(bounds)));
            }
            Self::ChooseChange(index) => {
                let bounds = session.changes.choose(index)?;
                return Some(Effect::Camera(CameraMove::Frame(bounds)));
            }
            Self::ShowChanges(on) => {
                session.changes.is_shown = on;
                session.changes.serial += 1;
            }
            Self::KeepAllIslands => {
                change(session, phrase!("Keep all islands"), Edit::Islands(Islands::default()));
            }
            Self::NextObstacle(kind) => session.tools.new_obstacle = kind,
            Self::NextStroke(new) => session.tools.new_stroke = new,
            Self::ClearStrokes => {
                change(session, phrase!("Clear painted polygons"), Edit::Strokes(Vec::new()));
            }
        }
        None
    }
}

fn change(session: &mut Session, label: Phrase, edit: Edit) {
    session.history.change(label, |document| edit.apply(document));
}

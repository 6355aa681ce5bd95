//! Commands for the navmesh as it is used: single tiles, islands, the brush.

use super::{CameraMove, Effect, requests};
use crate::{
    command::{Command, GroundCommand},
    session::{Edit, Islands, Session},
};

/// Carries out `command`.
pub(super) fn dispatch(session: &mut Session, command: GroundCommand) -> Option<Effect> {
    match command {
        GroundCommand::BakeTile(tile) => {
            let base = session.bake.base_without(tile);
            return requests::bake(session, base).map(Effect::Work);
        }
        GroundCommand::RemoveTile(tile) => {
            let mut tiles = session.document().removed_tiles.clone();
            tiles.insert(tile);
            change(session, command, Edit::RemovedTiles(tiles));
        }
        GroundCommand::PutTileBack(tile) => {
            let mut tiles = session.document().removed_tiles.clone();
            tiles.remove(&tile);
            change(session, command, Edit::RemovedTiles(tiles));
        }
        GroundCommand::PutAllTilesBack => {
            change(session, command, Edit::RemovedTiles(std::collections::BTreeSet::new()));
        }
        GroundCommand::ChooseIsland(island) => {
            session.island = island.map(|(place, _)| place);
            return island.map(|(_, bounds)| Effect::Camera(CameraMove::Frame(bounds)));
        }
        GroundCommand::KeepAllIslands => {
            change(session, command, Edit::Islands(Islands::default()));
        }
        GroundCommand::NextObstacle(kind) => session.new_obstacle = kind,
        GroundCommand::NextStroke(new) => session.new_stroke = new,
        GroundCommand::ClearStrokes => change(session, command, Edit::Strokes(Vec::new())),
    }
    None
}

fn change(session: &mut Session, command: GroundCommand, edit: Edit) {
    let label = Command::from(command).text();
    session.history.change(label, |document| edit.apply(document));
}

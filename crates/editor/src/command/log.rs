//! Commands of the log.

use walkable::{geom::Aabb, ids::TileCoord};
use walkable_workspace::lang::tr;

use super::{
    CameraMove, Command, Effect, Pane, ViewCommand,
    describe::{Description, says},
    requests,
};
use crate::{
    destination::place_in_level,
    prefs::Prefs,
    session::{LogPlace, SelectedItems, Session},
};

#[derive(Clone, Debug, PartialEq)]
pub enum LogCommand {
    /// Moves the camera to the place of a line and selects it. A file is shown in the dialog for opening files.
    GoTo(LogPlace),
    ShowFileLines,
}

impl LogCommand {
    /// Returns no command: each refers to an entry of the log.
    pub(super) fn listed() -> Vec<Command> {
        Vec::new()
    }

    pub(super) fn description(&self) -> Description {
        match self {
            Self::GoTo(LogPlace::File(path)) => says(
                "log.go-to",
                tr!("Show {}", path.display()),
                tr!("Shows the file in the dialog for opening files"),
            ),
            Self::GoTo(_) => {
                says("log.go-to", tr!("Go there"), tr!("Moves the camera there and selects it"))
            }
            Self::ShowFileLines => says(
                "log.show-file-lines",
                tr!("Show in the log"),
                tr!("Shows what the log says about the file"),
            ),
        }
    }

    pub(crate) fn carry_out(self, session: &mut Session, prefs: &mut Prefs) -> Option<Effect> {
        match self {
            Self::GoTo(place) => go_to(session, prefs, place),
            Self::ShowFileLines => {
                session.log.show_file_lines();
                prefs.panels = true;
                Some(Effect::BringToFront(Pane::Log))
            }
        }
    }
}

fn go_to(session: &mut Session, prefs: &mut Prefs, place: LogPlace) -> Option<Effect> {
    let at = place_in_level(&place, session);
    match place {
        LogPlace::File(path) => Some(requests::ask_open_at(&path).into()),
        LogPlace::Polygon(_) | LogPlace::Point(_) => {
            ViewCommand::LookAt(at?).carry_out(session, prefs)
        }
        LogPlace::Tile(tile) => match tile_bounds(session, tile) {
            Some(bounds) => {
                session.shown.chosen_tile = Some(tile);
                Some(Effect::Camera(CameraMove::Frame(bounds)))
            }
            None => ViewCommand::LookAt(at?).carry_out(session, prefs),
        },
        LogPlace::SceneItem(item) => {
            at?;
            session.tools.selected_items = SelectedItems::from(item);
            ViewCommand::FrameSelected.carry_out(session, prefs)
        }
    }
}

fn tile_bounds(session: &Session, tile: TileCoord) -> Option<Aabb> {
    let plan = session.bake.plan.as_deref().filter(|_| session.bake.tiles.contains_key(&tile))?;
    Some(plan.tile_bounds(tile))
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::{
        jobs::{ask_file::Purpose, work::Work},
        session::SceneItem,
        testing,
    };

    #[test]
    fn a_line_leads_to_its_place() {
        let mut session = testing::baked();
        let mut go = |place: LogPlace| {
            let effect = LogCommand::GoTo(place).carry_out(&mut session, &mut Prefs::default());
            (effect, (session.shown.chosen_tile, session.tools.selection.map(|place| place.point)))
        };
        let tile = TileCoord::new(0, 0);
        let (effect, choice) = go(LogPlace::Tile(tile));
        assert!(matches!(effect, Some(Effect::Camera(CameraMove::Frame(_)))));
        assert_eq!(choice.0, Some(tile));
        let (effect, choice) = go(LogPlace::Point(Vec3::ONE));
        assert!(matches!(effect, Some(Effect::Camera(CameraMove::Frame(_)))));
        assert_eq!(choice.1, Some(Vec3::ONE));
        let (effect, _) = go(LogPlace::Tile(TileCoord::new(99, 99)));
        assert!(effect.is_none(), "there is no such tile");
        let (effect, _) = go(LogPlace::SceneItem(SceneItem::Link(99)));
        assert!(effect.is_none(), "there is no such link");
        let (effect, _) = go(LogPlace::File("levels/yard.obj".into()));
        let Some(Effect::Work(Work::AskFile(Purpose::Open, proposal))) = effect else {
            panic!("{effect:?}")
        };
        assert_eq!((proposal.folder.to_str(), &*proposal.name), (Some("levels"), "yard.obj"));
    }
}

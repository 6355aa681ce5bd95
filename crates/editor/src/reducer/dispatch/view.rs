//! Commands of the 3D view.

use glam::Vec3;
use walkable::geom::Aabb;

use super::{CameraMove, Effect};
use crate::{
    command::ViewCommand,
    prefs::Prefs,
    session::{Edit, Hover, SavedPlace, Session, Thing},
};

/// Carries out `command`.
pub(super) fn dispatch(
    session: &mut Session,
    prefs: &mut Prefs,
    command: ViewCommand,
) -> Option<Effect> {
    match command {
        ViewCommand::GoTo(number) => {
            let look = session.document().views.get(number)?.of;
            return Some(Effect::Camera(CameraMove::Look(look)));
        }
        ViewCommand::AskPlace => return Some(Effect::AskPlace),
        ViewCommand::LookAt(point) => {
            session.selection = Some(Hover { point, triangle: None });
            session.thing = None;
            let around = Vec3::splat(NEAR);
            let bounds = Aabb { min: point - around, max: point + around };
            return Some(Effect::Camera(CameraMove::Frame(bounds)));
        }
        ViewCommand::FramePart(part) => {
            let bounds = part_bounds(session, part)?;
            return Some(Effect::Camera(CameraMove::Frame(bounds)));
        }
        ViewCommand::FrameSelected => {
            let bounds = selected_bounds(session)?;
            return Some(Effect::Camera(CameraMove::Frame(bounds)));
        }
        ViewCommand::FrameAll => return Some(Effect::Camera(CameraMove::FrameAll)),
        ViewCommand::Top => return Some(Effect::Camera(CameraMove::TopView)),
        ViewCommand::ToggleOrthographic => {
            return Some(Effect::Camera(CameraMove::ToggleOrthographic));
        }
        ViewCommand::ToggleGrid => prefs.grid = !prefs.grid,
        ViewCommand::ToggleLevel => session.show_level = !session.show_level,
        ViewCommand::ToggleBacks => session.show_backs = !session.show_backs,
        ViewCommand::Stage(stage) => (session.stage, session.playing) = (stage, false),
        ViewCommand::NextStage => (session.stage, session.playing) = (session.stage.next(), false),
        ViewCommand::PreviousStage => {
            (session.stage, session.playing) = (session.stage.previous(), false);
        }
        ViewCommand::PlayStages => session.toggle_play(),
        ViewCommand::Tile(tile) => session.chosen_tile = tile,
        ViewCommand::Measure(places) => session.measured = places,
        ViewCommand::Keep => keep(session),
        ViewCommand::KeepPlace => keep_place(session),
    }
    None
}

/// Half of the visible size around a place to which the camera moves, in meters.
const NEAR: f32 = 4.0;

/// Bounds of the selection, with a margin that shows its surroundings.
fn selected_bounds(session: &Session) -> Option<Aabb> {
    let thing = session.thing().and_then(|thing| thing.bounds_in(session.document()));
    let place = || session.selection.map(|place| Aabb { min: place.point, max: place.point });
    let with_room = |around: Aabb, room: f32| {
        let room = Vec3::splat(room);
        Aabb { min: around.min - room, max: around.max + room }
    };
    let tile = || {
        let plan = session.bake.plan.as_deref()?;
        session.chosen_tile.map(|tile| plan.tile_bounds(tile))
    };
    let thing = thing.map(|thing| with_room(thing, 0.5 * NEAR));
    thing.or_else(|| place().map(|place| with_room(place, NEAR))).or_else(tile)
}

/// Box around a part of the level.
fn part_bounds(session: &Session, part: usize) -> Option<Aabb> {
    let mesh = &session.level.as_ref()?.mesh;
    let triangles = mesh.parts().get(part)?.triangles.clone();
    let corners = triangles.flat_map(|triangle| mesh.corners(triangle as usize));
    let bounds = Aabb::around(corners);
    (!bounds.is_empty()).then_some(bounds)
}

/// Keeps the selected place.
fn keep_place(session: &mut Session) {
    let Some(Hover { point: at, .. }) = session.selection else { return };
    let mut places = session.document().places.clone();
    places.push(SavedPlace { at }.into());
    let thing = Thing::Place(places.len() - 1);
    session.history.change("Keep place", |document| Edit::Places(places).apply(document));
    session.thing = Some(thing);
}

/// Keeps where the 3D view looks from.
fn keep(session: &mut Session) {
    let Some(look) = session.look else { return };
    let mut views = session.document().views.clone();
    views.push(look.into());
    let thing = Thing::View(views.len() - 1);
    session.history.change("Keep view", |document| Edit::Views(views).apply(document));
    session.thing = Some(thing);
}

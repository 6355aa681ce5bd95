//! Pointer events and a session for tests of tools.

use glam::Vec3;
use walkable::geom::Ray;

use crate::{
    command::Commands,
    pointer::{PointerButton, PointerEvent, PointerKind, PointerModifiers, ViewFrame},
    reducer::testing::carry_out,
    session::{Session, SessionView},
};

/// Creates an event that points straight down at `(x, z)` from 10 m above a floor at height 0.
pub(super) fn event(kind: PointerKind, x: f32, z: f32) -> PointerEvent {
    PointerEvent {
        kind,
        button: PointerButton::Primary,
        modifiers: PointerModifiers::default(),
        ray_in_world: Ray { origin: Vec3::new(x, 10.0, z), direction: Vec3::NEG_Y },
        hit: Some(Vec3::new(x, 0.0, z)),
        triangle: None,
        frame: None,
    }
}

/// Returns a drag or release with a frame between two points of the floor, seen from straight above.
pub(super) fn framed(kind: PointerKind, from: [f32; 2], to: [f32; 2]) -> PointerEvent {
    let corners = [[from[0], from[1]], [to[0], from[1]], [to[0], to[1]], [from[0], to[1]]];
    let rays = corners.map(|[x, z]| event(kind, x, z).ray_in_world);
    PointerEvent { frame: Some(ViewFrame::new(rays)), ..event(kind, to[0], to[1]) }
}

/// Passes `events` to `step` and carries out the commands; returns the tool.
pub(super) fn run<T: Default>(
    session: &mut Session,
    events: &[PointerEvent],
    step: fn(T, PointerEvent, &SessionView<'_>, &mut Commands) -> T,
) -> T {
    let mut tool = T::default();
    for &event in events {
        let mut out = Commands::default();
        tool = step(tool, event, &SessionView { session, auto_bake: true }, &mut out);
        for command in out.take() {
            carry_out(session, command);
        }
    }
    tool
}

//! Commands for how the level and the stages are displayed.

use crate::{
    command::DisplayCommand,
    session::{Session, Slice, Way, storeys},
};

/// Carries out `command`.
pub(super) fn dispatch(session: &mut Session, command: DisplayCommand) {
    let display = &mut session.display;
    match command {
        DisplayCommand::Level(opacity) => display.level = opacity.clamp(0.0, 1.0),
        DisplayCommand::Stage(opacity) => display.stage = opacity.clamp(0.0, 1.0),
        DisplayCommand::Under(stage, opacity) => display.put_under(stage, opacity),
        DisplayCommand::Slice(slice) => (display.slice, display.storey) = (slice, None),
        DisplayCommand::AllHeights => (display.slice, display.storey) = (Slice::ALL, None),
        DisplayCommand::StoreyUp => step(session, Way::Up),
        DisplayCommand::StoreyDown => step(session, Way::Down),
        DisplayCommand::Divide(at) => divide(session, at),
        DisplayCommand::ToggleDivider => {
            let at = session.display.divider.is_none().then_some(0.5);
            divide(session, at);
        }
        DisplayCommand::KeepBefore => {
            session.bake.keep_before();
            session.update_path();
        }
        DisplayCommand::FollowLastBake => follow_last(session),
        DisplayCommand::PointAt(part) => display.part = part,
        DisplayCommand::PointAtDatum(datum) => display.datum = datum,
        DisplayCommand::ColorBy(by) => display.color_by = by,
        DisplayCommand::ToggleLabel(kind) => display.toggle_label(kind),
        DisplayCommand::ToggleOverlay(overlay) => display.toggle_overlay(overlay),
        DisplayCommand::Layers(layers) => display.layers = layers,
    }
}

/// Moves the divider to `at`; `None` hides it.
fn divide(session: &mut Session, at: Option<f32>) {
    session.display.divider = at.map(|at| at.clamp(0.02, 0.98));
    session.bake.compares = at.is_some();
}

fn follow_last(session: &mut Session) {
    if let Some(before) = &mut session.bake.before {
        before.is_pinned = false;
        before.navmesh = None;
    }
    session.update_path();
}

fn step(session: &mut Session, way: Way) {
    let Some(navmesh) = session.bake.navmesh.as_deref() else { return };
    let storeys = storeys(navmesh, session.document().settings.agent_height);
    session.display.step(&storeys, way);
}

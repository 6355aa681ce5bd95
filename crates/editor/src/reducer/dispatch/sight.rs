//! Commands for what is seen of level and stages, and how.

use crate::{
    command::SightCommand,
    session::{Session, Slice, Way, storeys},
};

/// Carries out `command`.
pub(super) fn dispatch(session: &mut Session, command: SightCommand) {
    let sight = &mut session.sight;
    match command {
        SightCommand::Level(opacity) => sight.level = opacity.clamp(0.0, 1.0),
        SightCommand::Stage(opacity) => sight.stage = opacity.clamp(0.0, 1.0),
        SightCommand::Under(stage, opacity) => sight.put_under(stage, opacity),
        SightCommand::Slice(slice) => (sight.slice, sight.storey) = (slice, None),
        SightCommand::AllHeights => (sight.slice, sight.storey) = (Slice::ALL, None),
        SightCommand::StoreyUp => step(session, Way::Up),
        SightCommand::StoreyDown => step(session, Way::Down),
        SightCommand::Divide(at) => divide(session, at),
        SightCommand::ToggleDivider => {
            let at = session.sight.divider.is_none().then_some(0.5);
            divide(session, at);
        }
        SightCommand::KeepBefore => {
            session.bake.keep_before();
            session.update_path();
        }
        SightCommand::FollowLastBake => follow_last(session),
        SightCommand::PointAt(part) => sight.part = part,
        SightCommand::PointAtDatum(datum) => sight.datum = datum,
        SightCommand::ColorBy(by) => sight.color_by = by,
        SightCommand::ToggleLabel(kind) => sight.toggle_label(kind),
        SightCommand::ToggleExtra(extra) => sight.toggle_extra(extra),
        SightCommand::Layers(layers) => sight.layers = layers,
    }
}

/// Puts the divider at `at`, or takes it away.
fn divide(session: &mut Session, at: Option<f32>) {
    session.sight.divider = at.map(|at| at.clamp(0.02, 0.98));
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
    session.sight.step(&storeys, way);
}

//! Commands of the path tool.

use glam::Vec3;

use crate::{
    command::PathCommand,
    session::{Edit, PathState, SavedPath, Session, Thing},
};

/// Carries out `command`.
pub(super) fn dispatch(session: &mut Session, command: PathCommand) {
    let path = &mut session.path;
    match command {
        PathCommand::Start(point) => path.start = Some(point),
        PathCommand::End(point) => path.end = Some(point),
        PathCommand::Swap => std::mem::swap(&mut path.start, &mut path.end),
        PathCommand::Clear => path.forget(),
        PathCommand::Filter(filter) => path.filter = *filter,
        PathCommand::CompareWith(second) => path.second = second,
        PathCommand::SearchBy(method) => path.method = method,
        PathCommand::Show(show) => return path.show = show,
        PathCommand::ShowSearch(replay) => return path.replay = replay,
        PathCommand::PlaySearch => {
            return path.replay = path.replay.toggled(path.n_expanded());
        }
        PathCommand::Keep => return keep(session),
        PathCommand::RandomStart => return put_at_random(session, |path| &mut path.start),
        PathCommand::RandomEnd => return put_at_random(session, |path| &mut path.end),
        PathCommand::Reach(reach) => path.half_extents = reach,
        PathCommand::MaxNodes(max_nodes) => path.max_nodes = max_nodes,
        PathCommand::Backwards(backwards) => path.backwards = backwards,
        PathCommand::RequireGoal(requires) => path.requires_goal = requires,
        PathCommand::PointsAt(crossings) => path.crossings = crossings,
    }
    session.update_path();
}

/// Puts an end somewhere on the navmesh; it stays where nothing may be walked.
fn put_at_random(session: &mut Session, end: fn(&mut PathState) -> &mut Option<Vec3>) {
    let Some(navmesh) = session.bake.navmesh.clone() else { return };
    let Some(place) = session.path.random_place(&navmesh) else { return };
    *end(&mut session.path) = Some(place);
    session.update_path();
}

/// Keeps the path's two ends.
fn keep(session: &mut Session) {
    let (Some(start), Some(end)) = (session.path.start, session.path.end) else { return };
    let mut paths = session.document().paths.clone();
    paths.push(SavedPath { start, end }.into());
    let thing = Thing::Path(paths.len() - 1);
    session.history.change("Keep path", |document| Edit::Paths(paths).apply(document));
    session.thing = Some(thing);
}

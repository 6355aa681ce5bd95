//! Commands of the path tool.

use crate::{
    command::PathCommand,
    session::{Edit, SavedPath, Session, Thing},
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
    }
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

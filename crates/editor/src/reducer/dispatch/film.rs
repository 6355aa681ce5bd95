//! Commands of the film of one stage.

use crate::{command::FilmCommand, session::Session};

/// Carries out `command`.
pub(super) fn dispatch(session: &mut Session, command: FilmCommand) {
    let running = session.film().is_some();
    match (command, &mut session.film) {
        (FilmCommand::Watch, Some(film)) if running => {
            film.replay = film.replay.toggled(film.n_steps);
        }
        (FilmCommand::Watch, _) => session.begin_film(),
        (FilmCommand::Show(replay), Some(film)) => film.replay = replay,
        (FilmCommand::Speed(speed), Some(film)) => film.speed = speed,
        (FilmCommand::End, film) => *film = None,
        (FilmCommand::Show(_) | FilmCommand::Speed(_), None) => {}
    }
}

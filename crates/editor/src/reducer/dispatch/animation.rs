//! Commands of the animation of one stage.

use crate::{command::AnimationCommand, session::Session};

/// Carries out `command`.
pub(super) fn dispatch(session: &mut Session, command: AnimationCommand) {
    let running = session.animation().is_some();
    match (command, &mut session.animation) {
        (AnimationCommand::Watch, Some(animation)) if running => {
            animation.replay = animation.replay.toggled(animation.n_steps);
        }
        (AnimationCommand::Watch, _) => session.begin_animation(),
        (AnimationCommand::Show(replay), Some(animation)) => animation.replay = replay,
        (AnimationCommand::Speed(speed), Some(animation)) => animation.speed = speed,
        (AnimationCommand::End, animation) => *animation = None,
        (AnimationCommand::Show(_) | AnimationCommand::Speed(_), None) => {}
    }
}

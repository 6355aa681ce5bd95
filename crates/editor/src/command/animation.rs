//! Commands of the animation of one stage.

use walkable_workspace::lang::tr;

use super::{
    Command,
    describe::{Description, says},
};
use crate::{
    session::{Replay, Session},
    shortcut::{Key, Shortcut},
};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AnimationCommand {
    /// Starts, pauses or resumes the animation of the current stage in one tile.
    Watch,
    Show(Replay),
    /// Sets the playback speed, 1 for normal.
    Speed(f32),
    End,
}

impl AnimationCommand {
    pub(super) fn listed() -> Vec<Command> {
        [Self::Watch, Self::End].map(Command::from).into()
    }

    pub(super) fn description(self) -> Description {
        match self {
            Self::Watch => says(
                "animation.watch",
                tr!("Animate stage"),
                tr!(
                    "Plays how the stage is computed in one tile: triangles, water, corners, merges"
                ),
            )
            .needs(|session| session.shown.stage.animated().is_some() && !session.bake.tiles.is_empty(), tr!("Bake the level and show a stage that can be animated first, for example Regions."))
            .key(Shortcut::plain(Key::Space).with_shift()),
            Self::Show(_) => {
                says("animation.show", tr!("Show a step"), tr!("Shows the stage after this step"))
            }
            Self::Speed(speed) => says(
                format!("animation.speed.{speed}"),
                tr!("Animation speed"),
                tr!("How fast the animation runs"),
            ),
            Self::End => {
                says("animation.end", tr!("End animation"), tr!("Shows the finished stage again"))
                    .needs(|session| session.shown.animation.is_some(), tr!("Animate a stage first."))
            }
        }
    }

    pub(crate) fn carry_out(self, session: &mut Session) {
        let running = session.animation().is_some();
        match (self, &mut session.shown.animation) {
            (Self::Watch, Some(animation)) if running => {
                animation.replay = animation.replay.toggled(animation.n_steps);
            }
            (Self::Watch, _) => session.begin_animation(),
            (Self::Show(replay), Some(animation)) => animation.replay = replay,
            (Self::Speed(speed), Some(animation)) => animation.speed = speed,
            (Self::End, animation) => *animation = None,
            (Self::Show(_) | Self::Speed(_), None) => {}
        }
    }
}

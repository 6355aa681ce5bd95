//! Renders the frames of an animation in the background.

use std::sync::Arc;

use walkable::{
    bake::{BakeError, StageAnimation},
    debug_draw::{self, DrawList},
    diagnostic::Phrase,
    phrase,
};

use crate::{
    jobs::{
        slot::Reporter,
        task::{FollowUp, Job, Task},
    },
    session::{AnimationFrames, FrameRequest, Session, Severity, list_bytes},
};

#[derive(Debug)]
pub enum AnimationMessage {
    /// Number of steps of the animation, and the name of a step.
    Opened(usize, &'static str),
    /// The stage after this many steps.
    Frame(usize, Arc<DrawList>),
    Done,
    Failed(String),
}

impl Job for FrameRequest {
    type Message = AnimationMessage;

    fn carry_out(self, report: &Reporter<AnimationMessage>) {
        report.send(match make(&self, report) {
            Ok(()) => AnimationMessage::Done,
            Err(error) => AnimationMessage::Failed(error.to_string()),
        });
    }
}

impl Task for FrameRequest {
    const THREAD: &'static str = "animation";
    const ENDS_WITH_LEVEL: bool = true;

    fn what() -> Phrase {
        phrase!("The animation")
    }

    fn apply(session: &mut Session, message: AnimationMessage) -> Option<FollowUp> {
        match message {
            AnimationMessage::Opened(n_steps, step) => session.animation_opened(n_steps, step),
            AnimationMessage::Frame(step, list) => session.shown.animation_frames.land(step, list),
            AnimationMessage::Done => session.shown.animation_frames.done(),
            AnimationMessage::Failed(why) => {
                session.shown.animation = None;
                session.shown.animation_frames.done();
                let text = phrase!("Cannot show the animation: {why}", why);
                session.add_to_log(Severity::Error, text);
            }
        }
        None
    }
}

fn make(request: &FrameRequest, report: &Reporter<AnimationMessage>) -> Result<(), BakeError> {
    let FrameRequest { plan, stages, tile, of, steps } = request;
    let animation = StageAnimation::new(plan, *tile, stages, *of, report)?;
    report.send(AnimationMessage::Opened(animation.n_steps(), animation.step_name()));
    let mut n_bytes = 0;
    for &step in steps {
        let Some(stopped) = animation.frame(step, report)? else { continue };
        let list = debug_draw::unfinished(&stopped, &plan.input().mesh, stages, *tile);
        n_bytes += list_bytes(&list);
        report.send(AnimationMessage::Frame(step, Arc::new(list)));
        if AnimationFrames::ROOM / 2 < n_bytes {
            break;
        }
    }
    Ok(())
}

//! Renders the frames of an animation in the background.

use std::sync::Arc;

use walkable::{
    bake::{BakeError, StageAnimation},
    debug_draw::{self, DrawList},
};

use crate::{
    jobs::slot::{JobEvent, JobSlot, Reporter, Wake},
    session::{AnimationFrames, FrameRequest, list_bytes},
};

#[derive(Debug)]
pub enum AnimationMessage {
    /// Number of steps of the animation, and the name of a step.
    Opened(usize, &'static str),
    /// The stage after this many steps.
    Frame(usize, Arc<DrawList>),
    /// The frames cannot be made.
    Failed(String),
}

/// Handles one request at a time; a new one replaces it.
#[derive(Debug)]
pub(super) struct AnimationJob {
    slot: JobSlot<AnimationMessage>,
}

impl AnimationJob {
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("animation", wake) }
    }

    /// Renders the frames of `request` within the memory limit; cancels the previous request.
    pub(super) fn start(&mut self, request: FrameRequest) {
        self.slot.request(move |report| {
            if let Err(error) = make(&request, report) {
                report.send(AnimationMessage::Failed(error.to_string()));
            }
        });
    }

    /// Cancels the current request.
    pub(super) fn cancel(&mut self) {
        self.slot.cancel();
    }

    /// Returns whether frames are being made.
    pub(super) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// Returns the messages since the last poll.
    pub(super) fn poll(&mut self) -> Vec<JobEvent<AnimationMessage>> {
        self.slot.poll()
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

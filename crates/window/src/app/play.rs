//! What moves by itself: the animation of all stages, the animation of one, a search played back.

use std::time::{Duration, Instant};

use eframe::egui;
use walkable_editor::{
    reducer::{Animation, Event},
    session::Session,
};

use super::App;

/// Time each stage is shown while the animation runs.
const STAGE_STEP: Duration = Duration::from_millis(900);
/// Time between two nodes of a search that is played back.
const STEP: Duration = Duration::from_millis(40);

/// When each of them moved last.
#[derive(Debug)]
pub(super) struct PlayClocks {
    stages: Instant,
    search: Instant,
    animation: Instant,
}

impl PlayClocks {
    pub(super) fn new() -> Self {
        let now = Instant::now();
        Self { stages: now, search: now, animation: now }
    }
}

impl App {
    /// Moves what is due, and asks to be called again when more will be.
    pub(super) fn play(&mut self, ctx: &egui::Context, now: Instant) {
        let clocks = &mut self.clocks.play;
        let session = self.editor.session();
        let Session { path, lab, query_tool, .. } = session;
        let stages = session.playing.then_some(STAGE_STEP);
        let searches = (path.replay.playing || lab.replay.playing || query_tool.replay.playing)
            .then_some(STEP);
        let animation = session.animation().filter(|animation| animation.replay.playing);
        let animation = animation.map(|animation| animation.pace().0);
        let mut due = Vec::new();
        if is_due(ctx, stages, &mut clocks.stages, now) {
            due.push(Animation::Stages);
        }
        if is_due(ctx, searches, &mut clocks.search, now) {
            due.push(Animation::Searches);
        }
        // What an animation waits for wakes the window when it is there.
        if !session.animation_waits() && is_due(ctx, animation, &mut clocks.animation, now) {
            due.push(Animation::Stage);
        }
        for animation in due {
            self.take(ctx, Event::Animate(animation));
        }
    }
}

/// Whether the next step of something is due that takes one each `step`, `None` while it stands still; `last` is when
/// it moved last.
fn is_due(ctx: &egui::Context, step: Option<Duration>, last: &mut Instant, now: Instant) -> bool {
    let Some(step) = step else {
        *last = now;
        return false;
    };
    let shown = now - *last;
    let is_due = shown >= step;
    if is_due {
        *last = now;
    }
    ctx.request_repaint_after(if is_due { step } else { step.saturating_sub(shown) });
    is_due
}

//! Advances animations: of all stages, of one stage, of a search playback.

use std::time::Duration;

use eframe::egui;
use walkable_editor::{
    reducer::{Animation, Event},
    session::WALK_STEP,
};
use web_time::Instant;

use super::App;

const STAGE_STEP: Duration = Duration::from_millis(900);
/// Time between two nodes of a search playback.
const STEP: Duration = Duration::from_millis(40);

#[derive(Debug)]
pub(super) struct PlayClocks {
    stages: Instant,
    search: Instant,
    animation: Instant,
    crowd: Instant,
    recording: Instant,
    walk: Instant,
}

impl PlayClocks {
    pub(super) fn new() -> Self {
        let now = Instant::now();
        Self { stages: now, search: now, animation: now, crowd: now, recording: now, walk: now }
    }
}

impl App {
    /// Advances the animations that are due, and requests a repaint for the next one.
    pub(super) fn play(&mut self, ctx: &egui::Context, now: Instant) {
        let clocks = &mut self.clocks.play;
        let session = self.editor.session();
        let replays = [&session.path.replay, &session.lab.replay, &session.tools.query_tool.replay];
        let stages = session.shown.playing.then_some(STAGE_STEP);
        let searches = replays.iter().any(|replay| replay.playing).then_some(STEP);
        let animation = session.animation().filter(|animation| animation.replay.playing);
        let animation = animation.map(|animation| animation.pace().0);
        let mut due = Vec::new();
        if is_due(ctx, stages, &mut clocks.stages, now) {
            due.push(Animation::Stages);
        }
        if is_due(ctx, searches, &mut clocks.search, now) {
            due.push(Animation::Searches);
        }
        // The job that an animation waits for wakes the window when it is done.
        if !session.animation_waits() && is_due(ctx, animation, &mut clocks.animation, now) {
            due.push(Animation::Stage);
        }
        let crowd = session.crowd.playing.then(|| session.crowd.pace().0);
        if is_due(ctx, crowd, &mut clocks.crowd, now) {
            due.push(Animation::Crowd);
        }
        let recording = session.soak.shown_recording().filter(|_| session.soak.recording.playing);
        let recording = recording.and_then(|recording| {
            Duration::try_from_secs_f32(recording.seconds_per_sample.max(0.01)).ok()
        });
        if is_due(ctx, recording, &mut clocks.recording, now) {
            due.push(Animation::Recording);
        }
        let walk = session.path.walk.map(|_| WALK_STEP);
        if is_due(ctx, walk, &mut clocks.walk, now) {
            due.push(Animation::Walk);
        }
        for animation in due {
            self.take(ctx, Event::Animate(animation));
        }
    }
}

/// Returns whether the next step of an animation is due, and requests a repaint for the step after it. `step` is the
/// time per step, `None` if paused; `last` is the time of the previous step.
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

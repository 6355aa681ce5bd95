//! What moves by itself: the film of all stages, the film of one, a search played back.

use std::time::{Duration, Instant};

use eframe::egui;
use walkable_editor::session::Session;

use super::App;

/// Time each stage is shown while the film runs.
const STAGE_STEP: Duration = Duration::from_millis(900);
/// Time between two nodes of a search that is played back.
const STEP: Duration = Duration::from_millis(40);

/// When each of them moved last.
#[derive(Debug)]
pub(super) struct PlayClocks {
    stages: Instant,
    search: Instant,
    film: Instant,
}

impl PlayClocks {
    pub(super) fn new() -> Self {
        let now = Instant::now();
        Self { stages: now, search: now, film: now }
    }
}

impl App {
    /// Moves what is due, and asks to be called again when more will be.
    pub(super) fn play(&mut self, ctx: &egui::Context, now: Instant) {
        let clocks = &mut self.clocks.play;
        let session = &mut self.session;
        let stages = session.playing.then_some(STAGE_STEP);
        if is_due(ctx, stages, &mut clocks.stages, now) {
            session.play_on();
        }
        let Session { path, lab, probe, .. } = session;
        let search =
            (path.replay.playing || lab.replay.playing || probe.replay.playing).then_some(STEP);
        if is_due(ctx, search, &mut clocks.search, now) {
            if path.replay.playing {
                path.replay = path.replay.later(path.n_expanded());
            }
            if lab.replay.playing {
                lab.play_on();
            }
            if probe.replay.playing {
                let later = probe.later();
                session.show_probe(later);
            }
        }
        // What a film waits for wakes the window when it is there.
        if session.film_waits() {
            return;
        }
        let film = session.film().filter(|film| film.replay.playing);
        if is_due(ctx, film.map(|film| film.pace().0), &mut clocks.film, now) {
            session.film_on();
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

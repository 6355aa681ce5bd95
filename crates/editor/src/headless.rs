//! An editor without a window.

use std::{
    sync::{
        Arc,
        mpsc::{Receiver, sync_channel},
    },
    time::Duration,
};

use web_time::Instant;

use crate::{
    command::Command,
    jobs::{BackgroundJobs, Results, slot::Wake},
    reducer::{Editor, Effect, Event, REST, Tick},
};

/// An editor with its background jobs, for programs that wait for their results.
#[derive(Debug)]
pub struct HeadlessEditor {
    editor: Editor,
    jobs: BackgroundJobs,
    woken: Receiver<()>,
    max_wait: Duration,
}

/// No job reported a result in time, although one is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a job ended without a result")]
pub struct NoResult;

impl HeadlessEditor {
    /// Creates an editor with the jobs that `jobs` returns for a callback, which they call when there are results. It
    /// waits for the next result for at most `max_wait`.
    pub fn new(max_wait: Duration, jobs: impl FnOnce(&Wake) -> BackgroundJobs) -> Self {
        let (sender, woken) = sync_channel(1);
        // One pending wake-up is enough for all results.
        let wake: Wake = Arc::new(move || {
            sender.try_send(()).ok();
        });
        Self { editor: Editor::default(), jobs: jobs(&wake), woken, max_wait }
    }

    pub const fn editor(&self) -> &Editor {
        &self.editor
    }

    #[cfg(test)]
    pub(crate) const fn editor_mut(&mut self) -> &mut Editor {
        &mut self.editor
    }

    /// Passes an event to the editor and starts the requested work. Returns the effects on a window.
    pub fn take(&mut self, event: Event) -> Vec<Effect> {
        let mut effects = self.editor.reduce(event);
        for work in effects.extract_if(.., |effect| matches!(effect, Effect::Work(_))) {
            if let Effect::Work(work) = work {
                self.jobs.start(work);
            }
        }
        effects
    }

    /// Carries out `command`, and waits until all resulting work is done. Returns the effects on a window. Fails if a
    /// running job reports nothing within the maximum time.
    pub fn carry_out(&mut self, command: Command) -> Result<Vec<Effect>, NoResult> {
        let mut effects = self.take(Event::Command(command));
        loop {
            let report = self.jobs.poll(Results::Take);
            effects.extend(self.take(Event::Work(report)));
            let tick = Tick { now: Instant::now(), rest: REST, jobs: self.jobs.status() };
            effects.extend(self.take(Event::Tick(tick)));
            if !self.jobs.status().is_busy() {
                return Ok(effects);
            }
            self.woken.recv_timeout(self.max_wait).map_err(|_no_result| NoResult)?;
        }
    }
}

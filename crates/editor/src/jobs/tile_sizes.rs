//! Measures tile sizes in the background.

use serde::{Deserialize, Serialize};
use walkable::{bake::BakeInput, diagnostic::Phrase, phrase};
use walkable_workspace::{
    limits,
    tile_sizes::{TileSizeAdvice, measure_tile_sizes},
};

use crate::{
    jobs::{
        slot::Reporter,
        task::{FollowUp, Job, Task},
    },
    session::Session,
};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub enum TileSizeMessage {
    /// Tiles of this size, in voxels, are measured now.
    Entered(u32),
    Done(Result<TileSizeAdvice, String>),
}

#[derive(Debug, Serialize, Deserialize)]
pub struct TileSizeRequest(pub BakeInput);

impl Job for TileSizeRequest {
    type Message = TileSizeMessage;

    fn carry_out(self, report: &Reporter<TileSizeMessage>) {
        let Self(input) = self;
        let entered = &mut |tile_size| report.send(TileSizeMessage::Entered(tile_size));
        let advice = measure_tile_sizes(&input, limits::of_bakes(), entered, report);
        report.send(TileSizeMessage::Done(advice.map_err(|error| error.to_string())));
    }
}

impl Task for TileSizeRequest {
    const THREAD: &'static str = "measure tile sizes";
    const ENDS_WITH_LEVEL: bool = true;

    fn what() -> Phrase {
        phrase!("Comparing tile sizes")
    }

    fn apply(session: &mut Session, message: TileSizeMessage) -> Option<FollowUp> {
        let tile_sizes = &mut session.tile_sizes;
        match message {
            TileSizeMessage::Entered(tile_size) => {
                tile_sizes.progress = Some(tile_size);
            }
            TileSizeMessage::Done(result) => tile_sizes.land(result),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use walkable::bake::BakeSettings;

    use super::*;
    use crate::{jobs::job_worker::testing::here_and_in_worker, task::TaskId, testing::baked};

    /// Replaces what depends on the time that the bakes take.
    fn without_times(messages: Vec<TileSizeMessage>) -> Vec<TileSizeMessage> {
        let mut messages = messages;
        for message in &mut messages {
            if let TileSizeMessage::Done(Ok(advice)) = message {
                advice.best = advice.best.map(|_| 0);
                for row in &mut advice.rows {
                    (row.seconds, row.tile_seconds) = (0.0, 0.0);
                }
            }
        }
        messages
    }

    #[test]
    fn a_worker_measures_the_same() {
        let session = baked();
        let level = session.bake.plan.as_ref().unwrap().input();
        let [here, there] =
            here_and_in_worker(TaskId::TileSizes, || TileSizeRequest(level.clone()));
        let [here, there] = [here, there].map(without_times);
        assert_eq!(here, there);
        let [entered @ .., TileSizeMessage::Done(Ok(advice))] = &here[..] else {
            panic!("{here:?}")
        };
        assert_eq!(entered[0], TileSizeMessage::Entered(16));
        assert_eq!(entered.len(), advice.rows.len() + advice.skipped.len());
        assert!(advice.rows.len() > 1, "{advice:?}");
        let settings = BakeSettings { cell_size: -1.0, ..level.settings.clone() };
        let [here, there] = here_and_in_worker(TaskId::TileSizes, || {
            TileSizeRequest(BakeInput { settings: settings.clone(), ..level.clone() })
        });
        assert_eq!(here, there);
        assert!(matches!(here.last(), Some(TileSizeMessage::Done(Err(_)))), "{here:?}");
    }
}

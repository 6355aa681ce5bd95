//! Answers the queries of a scenario in the background, search by search.

use std::sync::Arc;

use walkable::{
    diagnostic::Phrase,
    search::{Unwatched, cancellable},
};
use web_time::Instant;

use crate::{
    jobs::slot::{JobEvent, JobSlot, Reporter, Wake},
    searches::{Algorithm, Finder, Options},
    session::{BatchRow, Mismatch, OpenMap, Searcher, Session},
    text,
};

/// The table is updated after this many queries.
const STRIDE: usize = 50;

/// A message from the scenario job.
#[derive(Debug)]
pub enum ScenarioMessage {
    /// The progress of one search.
    Row(Box<BatchRow>),
    /// A search that cannot be run on the map.
    Refused(Phrase),
}

/// A scenario and the searches that answer it.
#[derive(Clone, Debug)]
pub struct ScenarioRequest {
    map: Arc<OpenMap>,
    wanted: Vec<(Searcher, (Algorithm, Options))>,
    /// Only every n-th query is answered.
    every: usize,
}

impl ScenarioRequest {
    /// Returns the scenario of the open map, answered by the searches chosen in the lab.
    ///
    /// # Errors
    /// Returns what the user has to do first.
    pub fn of(session: &Session) -> Result<Self, &'static str> {
        let map = session.level.as_ref().and_then(|level| level.map.clone());
        let map =
            map.filter(|map| !map.queries.is_empty()).ok_or(text!("Open a scenario first."))?;
        let settings = session.lab.settings;
        let wanted = session.lab.wanted.iter();
        let wanted: Vec<_> = wanted
            .filter_map(|&searcher| Some((searcher, searcher.on_maps(settings.options())?)))
            .filter(|(_, (algorithm, _))| map.map.can_search(*algorithm))
            .collect();
        if wanted.is_empty() {
            return Err(text!("None of the chosen searches works on this map."));
        }
        let every = usize::try_from(session.lab.batch.every).unwrap_or(1).max(1);
        Ok(Self { map, wanted, every })
    }
}

/// Handles one scenario at a time; a new one replaces it.
#[derive(Debug)]
pub(super) struct ScenarioJob {
    slot: JobSlot<ScenarioMessage>,
}

impl ScenarioJob {
    /// Creates an idle job.
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("scenario", wake) }
    }

    /// Starts a scenario.
    pub(super) fn start(&mut self, request: ScenarioRequest) {
        self.slot.request(move |report| {
            let ScenarioRequest { map, wanted, every } = request;
            for search in wanted {
                if let Err(why) = answer(&map, search, every, report) {
                    report.send(ScenarioMessage::Refused(why.into()));
                }
            }
        });
    }

    /// Cancels the scenario.
    pub(super) fn cancel(&mut self) {
        self.slot.cancel();
    }

    /// Returns whether queries are being answered.
    pub(super) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// Returns the results since the last poll.
    pub(super) fn poll(&mut self) -> Vec<JobEvent<ScenarioMessage>> {
        self.slot.poll()
    }
}

fn answer(
    map: &Arc<OpenMap>,
    (searcher, (algorithm, options)): (Searcher, (Algorithm, Options)),
    every: usize,
    report: &Reporter<ScenarioMessage>,
) -> Result<(), String> {
    let finder = cancellable(report, &mut Unwatched, |watch| {
        Finder::new(&map.map, algorithm, options, watch)
    });
    let Ok(finder) = finder else { return Ok(()) };
    let mut finder = finder?;
    let promise = finder.promise();
    let n = map.queries.len().div_ceil(every);
    let mut row = BatchRow {
        searcher,
        n_queries: [0, n],
        total_us: 0.0,
        n_expanded: 0,
        mismatches: Vec::new(),
    };
    for (index, query) in map.queries.iter().enumerate().step_by(every) {
        let clock = Instant::now();
        let found = cancellable(report, &mut Unwatched, |watch| {
            finder.find(&query.start, &query.goal, watch)
        });
        let Ok(found) = found else { return Ok(()) };
        row.total_us += clock.elapsed().as_secs_f64() * 1e6;
        row.n_queries[0] += 1;
        row.n_expanded += found.stats.n_expanded;
        if !promise.holds(found.cost, query.optimum, query.tolerance) {
            let (cost, optimum) = (found.cost, query.optimum);
            row.mismatches.push(Mismatch { query: index, cost, optimum });
        }
        if row.n_queries[0].is_multiple_of(STRIDE) {
            report.send(ScenarioMessage::Row(Box::new(row.clone())));
        }
    }
    report.send(ScenarioMessage::Row(Box::new(row)));
    Ok(())
}

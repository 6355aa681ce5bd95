//! Answers the queries of a scenario in the background, search by search.

use std::{collections::BTreeSet, sync::Arc, time::Instant};

use walkable::search::{Unwatched, cancellable};

use crate::{
    jobs::{
        lab::algorithm,
        slot::{JobEvent, JobSlot, Reporter, Wake},
    },
    searches::{Finder, Kind},
    session::{BatchRow, LabSettings, Mismatch, OpenMap, Searcher, Session},
};

/// After so many queries the table is brought up to date.
const STRIDE: usize = 50;

/// What the job says.
#[derive(Debug)]
pub enum ScenarioMessage {
    /// How far one search has come.
    Row(Box<BatchRow>),
    /// A search that cannot be run on the map.
    Refused(String),
}

/// One scenario at a time; the newest wins.
#[derive(Debug)]
pub struct ScenarioJob {
    slot: JobSlot<ScenarioMessage>,
}

impl ScenarioJob {
    /// Nothing to answer yet.
    pub fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("scenario", wake) }
    }

    /// Answers the scenario of the open map by the searches that are wanted.
    ///
    /// # Errors
    /// What is to be done first.
    pub fn start(&mut self, session: &Session) -> Result<(), &'static str> {
        let map = session.level.as_ref().and_then(|level| level.map.clone());
        let map = map.filter(|map| !map.queries.is_empty()).ok_or("Open a scenario first.")?;
        let settings = session.lab.settings;
        let wanted: BTreeSet<Searcher> = session.lab.wanted.clone();
        let of_map = |searcher: &Searcher| {
            let found = algorithm(*searcher, settings);
            found
                .is_some_and(|(algorithm, _)| (algorithm.kind() == Kind::Grid) == map.map.is_grid())
        };
        let wanted: Vec<_> = wanted.into_iter().filter(of_map).collect();
        if wanted.is_empty() {
            return Err("None of the chosen searches is one of such a map.");
        }
        let every = usize::try_from(session.lab.batch.every).unwrap_or(1).max(1);
        self.slot.request(move |report| {
            for searcher in wanted {
                if let Err(why) = answer(&map, searcher, settings, every, report) {
                    report.send(ScenarioMessage::Refused(why));
                }
            }
        });
        Ok(())
    }

    /// Stops.
    pub fn cancel(&mut self) {
        self.slot.cancel();
    }

    /// Whether queries are being answered.
    pub fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// What was found since the last poll.
    pub fn poll(&mut self) -> Vec<JobEvent<ScenarioMessage>> {
        self.slot.poll()
    }
}

fn answer(
    map: &Arc<OpenMap>,
    searcher: Searcher,
    settings: LabSettings,
    every: usize,
    report: &Reporter<ScenarioMessage>,
) -> Result<(), String> {
    let Some((algorithm, options)) = algorithm(searcher, settings) else { return Ok(()) };
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

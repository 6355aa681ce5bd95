//! Answers the queries of a scenario in the background, search by search.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use walkable::{
    diagnostic::Phrase,
    phrase,
    search::{Unwatched, cancellable},
};
use walkable_workspace::{
    searches::{Finder, Options},
    text,
};
use web_time::Instant;

use crate::{
    jobs::{
        slot::Reporter,
        task::{FollowUp, Job, Task},
    },
    session::{BatchRow, LabSettings, Mismatch, OpenMap, Searcher, Session},
};

/// The table is updated after this many queries.
const STRIDE: usize = 50;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub enum ScenarioMessage {
    Row(Box<BatchRow>),
    /// A search that cannot be run on the map.
    Refused(Phrase),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ScenarioRequest {
    map: Arc<OpenMap>,
    wanted: Vec<Searcher>,
    settings: LabSettings,
    /// Only every n-th query is answered.
    every: usize,
}

impl ScenarioRequest {
    /// Creates the request for the open scenario and the searches chosen in the lab, or returns what the user has to do
    /// first.
    pub fn of(session: &Session) -> Result<Self, &'static str> {
        let map = session.opened.level.as_ref().and_then(|level| level.map.clone());
        let map =
            map.filter(|map| !map.queries.is_empty()).ok_or(text!("Open a scenario first."))?;
        let settings = session.lab.settings;
        let wanted = session.lab.wanted.iter();
        let is_possible = |searcher: &Searcher| map.map.can_search(searcher.algorithm());
        let wanted: Vec<_> = wanted.copied().filter(is_possible).collect();
        if wanted.is_empty() {
            return Err(text!("None of the chosen searches works on this map."));
        }
        let every = usize::try_from(session.lab.batch.every).unwrap_or(1).max(1);
        Ok(Self { map, wanted, settings, every })
    }
}

impl Job for ScenarioRequest {
    type Message = ScenarioMessage;

    fn carry_out(self, report: &Reporter<ScenarioMessage>) {
        let Self { map, wanted, settings, every } = self;
        for searcher in wanted {
            let options = searcher.options(settings.options());
            if let Err(why) = answer(&map, searcher, options, every, report) {
                report.send(ScenarioMessage::Refused(why.into()));
            }
        }
    }
}

impl Task for ScenarioRequest {
    const THREAD: &'static str = "scenario";
    const ENDS_WITH_LEVEL: bool = true;

    fn what() -> Phrase {
        phrase!("Answering the scenario")
    }

    fn apply(session: &mut Session, message: ScenarioMessage) -> Option<FollowUp> {
        let batch = &mut session.lab.batch;
        match message {
            ScenarioMessage::Row(row) => batch.land(*row),
            ScenarioMessage::Refused(why) => batch.error = Some(why),
        }
        None
    }
}

fn answer(
    map: &Arc<OpenMap>,
    searcher: Searcher,
    options: Options,
    every: usize,
    report: &Reporter<ScenarioMessage>,
) -> Result<(), String> {
    let finder = cancellable(report, &mut Unwatched, |watch| {
        Finder::new(&map.map, searcher.algorithm(), options, watch)
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

#[cfg(test)]
mod tests {
    use walkable::{
        grid::Grid,
        voxel::{Fill, Volume},
    };
    use walkable_workspace::searches::{Map, Place, Query};

    use super::*;
    use crate::{jobs::job_worker::testing::here_and_in_worker, task::TaskId};

    /// Returns a map with walls, and the same queries for each number of dimensions.
    fn map(size: &[u32]) -> OpenMap {
        let n: u32 = size.iter().product();
        let is_set = |number: u32| (number * 7 + 3) % 11 < 10;
        let map = if let [n_x, n_y] = *size {
            let mut numbers = 0..n;
            let is_passable = |_| numbers.next().is_some_and(is_set);
            Map::Grid(Grid::new(n_x, n_y, is_passable).unwrap())
        } else {
            let mut volume = Volume::new([size[0], size[1], size[2]]).unwrap();
            for number in (0..n).filter(|number| !is_set(*number)) {
                volume.set(volume.voxel(number.into()), Fill::Blocked);
            }
            Map::Volume(volume)
        };
        let corner: Vec<_> = size.iter().map(|side| side - 1).collect();
        let query = |line| Query {
            line,
            start: Place::Cell(vec![0; size.len()]),
            goal: Place::Cell(corner.clone()),
            optimum: Some(1.1),
            tolerance: 0.01,
        };
        OpenMap { map, queries: (1..121).map(query).collect() }
    }

    #[test]
    fn a_worker_answers_the_same_queries() {
        for size in [&[24, 13][..], &[9, 7, 5]] {
            let map = Arc::new(map(size));
            let settings = LabSettings { weight: 3.0, ..LabSettings::default() };
            let is_possible = |searcher: &Searcher| map.map.can_search(searcher.algorithm());
            let wanted: Vec<_> = Searcher::ALL.iter().copied().filter(is_possible).collect();
            let request = || ScenarioRequest {
                map: Arc::clone(&map),
                wanted: wanted.clone(),
                settings,
                every: 2,
            };
            let without_times = |mut messages: Vec<ScenarioMessage>| {
                for message in &mut messages {
                    if let ScenarioMessage::Row(row) = message {
                        row.total_us = 0.0;
                    }
                }
                messages
            };
            let [here, there] = here_and_in_worker(TaskId::Scenario, request).map(without_times);
            assert_eq!(here, there);
            // A row after fifty queries, and one at the end.
            assert_eq!(here.len(), 2 * wanted.len());
            let has_mismatches = |message: &ScenarioMessage| match message {
                ScenarioMessage::Row(row) => row.mismatches.iter().any(|one| one.cost.is_some()),
                ScenarioMessage::Refused(_) => false,
            };
            assert!(here.iter().any(has_mismatches), "{here:?}");
        }
    }
}

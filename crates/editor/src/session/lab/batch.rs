//! A scenario of Moving AI's benchmarks, answered query by query.

use serde::{Deserialize, Serialize};
use walkable::diagnostic::Phrase;

use super::Searcher;

#[derive(Clone, Debug)]
pub struct Batch {
    pub rows: Vec<BatchRow>,
    /// Only every n-th query is run.
    pub every: u32,
    /// Why the scenario could not be run.
    pub error: Option<Phrase>,
}

impl Default for Batch {
    fn default() -> Self {
        Self { rows: Vec::new(), every: 1, error: None }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BatchRow {
    pub searcher: Searcher,
    /// Number of queries answered so far, and of all queries.
    pub n_queries: [usize; 2],
    /// Total time of the answered queries, in microseconds.
    pub total_us: f64,
    pub n_expanded: u64,
    /// Paths whose lengths differ from the file's.
    pub mismatches: Vec<Mismatch>,
}

/// A path whose length differs from the file's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mismatch {
    /// Index of the query, from 0.
    pub query: usize,
    /// Cost of the path found, in cells.
    pub cost: Option<f64>,
    /// Optimal cost in the file.
    pub optimum: Option<f64>,
}

impl Batch {
    /// Adds a row, or replaces the row of the same search.
    pub fn land(&mut self, row: BatchRow) {
        self.rows.retain(|old| old.searcher != row.searcher);
        self.rows.push(row);
        self.rows.sort_by_key(|row| row.searcher);
    }
}

impl BatchRow {
    /// Returns the mean time of a query in microseconds, and the mean number of expanded nodes.
    #[expect(clippy::cast_precision_loss, reason = "means need no more")]
    pub fn means(&self) -> [f64; 2] {
        let n = self.n_queries[0].max(1) as f64;
        [self.total_us / n, self.n_expanded as f64 / n]
    }
}

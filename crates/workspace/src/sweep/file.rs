//! The CSV file of a sweep: written while the sweep runs, and read to continue it.

use std::collections::BTreeMap;

use serde::Serialize;
use walkable::sweep::{MAX_COMBINATIONS, SweepMeasure, SweepOutcome, SweepResult};

use crate::words::csv_field;

/// The columns after those of the settings and the measures.
const BEST: &str = "best";
const BEST_FOR_SUITE: &str = "best_for_suite";
const ERROR: &str = "error";
const FINGERPRINT: &str = "fingerprint";

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepRow {
    pub values: Vec<String>,
    pub outcome: SweepOutcome,
    /// Whether the row is on the Pareto front; `None` without goals.
    pub is_best: Option<bool>,
    /// Whether the row is the best one for the path tests; `None` without tests.
    pub is_best_for_suite: Option<bool>,
    /// Identifies the input of the bake: rows with equal fingerprints have equal results.
    #[serde(skip)]
    pub fingerprint: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SweepFileError {
    #[error(
        "line 1: there is no column `{column}`; only a file of `walkable sweep` can be continued"
    )]
    NoColumn { column: &'static str },
    /// A row has another number of fields than the first line.
    #[error("line {line}: {n} fields instead of {expected}")]
    FieldCount {
        /// Number of the line, from 1.
        line: usize,
        n: usize,
        expected: usize,
    },
    #[error("line {line}: column `{column}` is not a number")]
    NotNumber {
        /// Number of the line, from 1.
        line: usize,
        column: &'static str,
    },
    #[error("there are more than {max} rows")]
    TooManyRows { max: usize },
}

pub fn sweep_to_csv(keys: &[&str], rows: &[SweepRow]) -> String {
    let mut columns: Vec<String> = keys.iter().map(|&key| key.to_owned()).collect();
    columns.extend(SweepMeasure::ALL.map(|measure| measure.key().to_owned()));
    columns.extend([BEST, BEST_FOR_SUITE, ERROR, FINGERPRINT].map(str::to_owned));
    let mut lines = vec![columns.join(",")];
    lines.extend(rows.iter().map(|row| {
        let mut fields: Vec<String> = row.values.iter().map(|value| csv_field(value)).collect();
        let result = row.outcome.result();
        fields.extend(SweepMeasure::ALL.map(|measure| {
            let value = result.and_then(|result| result.get(measure));
            value.map(|value| value.to_string()).unwrap_or_default()
        }));
        fields.extend([row.is_best, row.is_best_for_suite].map(|mark| {
            mark.map_or_else(String::new, |is_marked| u8::from(is_marked).to_string())
        }));
        fields.push(match &row.outcome {
            SweepOutcome::Measured(_) => String::new(),
            SweepOutcome::Failed(why) => csv_field(&why.to_string()),
        });
        fields.push(format!("{:016x}", row.fingerprint));
        fields.join(",")
    }));
    lines.push(String::new());
    lines.join("\n")
}

/// Reads the results of the rows, by fingerprint. Failed bakes are left out, so that they are tried again.
pub fn read_sweep(text: &str) -> Result<BTreeMap<u64, SweepResult>, SweepFileError> {
    let mut lines = text.lines().enumerate();
    let columns = lines.next().map(|(_, line)| fields(line)).unwrap_or_default();
    let column = |name: &'static str| {
        let found = columns.iter().rposition(|column| column == name);
        found.ok_or(SweepFileError::NoColumn { column: name })
    };
    let (error, fingerprint) = (column(ERROR)?, column(FINGERPRINT)?);
    let mut measures = Vec::new();
    for measure in SweepMeasure::ALL {
        measures.push((measure, column(measure.key())?));
    }
    let mut known = BTreeMap::new();
    for (index, line) in lines {
        if index > MAX_COMBINATIONS {
            return Err(SweepFileError::TooManyRows { max: MAX_COMBINATIONS });
        }
        let (line, fields) = (index + 1, fields(line));
        if fields.len() != columns.len() {
            let (n, expected) = (fields.len(), columns.len());
            return Err(SweepFileError::FieldCount { line, n, expected });
        }
        if !fields[error].is_empty() {
            continue;
        }
        let wrong = |column| SweepFileError::NotNumber { line, column };
        let key = u64::from_str_radix(&fields[fingerprint], 16);
        let key = key.map_err(|_invalid| wrong(FINGERPRINT))?;
        let mut result = SweepResult::default();
        for &(measure, column) in &measures {
            if measure.is_of_suite() && fields[column].is_empty() {
                continue;
            }
            let value: Option<f64> = fields[column].parse().ok();
            let value = value.filter(|value| value.is_finite() && *value >= 0.0);
            result.set(measure, value.ok_or_else(|| wrong(measure.key()))?);
        }
        known.insert(key, result);
    }
    Ok(known)
}

/// Splits a line at commas outside quotation marks.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '"' if is_quoted && chars.peek() == Some(&'"') => {
                chars.next();
                push(&mut fields, '"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            other => push(&mut fields, other),
        }
    }
    fields
}

fn push(fields: &mut [String], char: char) {
    if let Some(last) = fields.last_mut() {
        last.push(char);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(value: &str, outcome: SweepOutcome, fingerprint: u64) -> SweepRow {
        let (values, is_best_for_suite) = (vec![value.to_owned()], None);
        SweepRow { values, outcome, is_best: Some(true), is_best_for_suite, fingerprint }
    }

    #[test]
    fn measured_rows_are_read_back() {
        let plain = SweepResult { ground_m2: 12.25, islands: 3, ..SweepResult::default() };
        let tested = SweepResult { tests_passed: Some(4), tests_failed: Some(0), ..plain };
        let failed =
            SweepOutcome::Failed("too large, \"really\"\nraise --max-memory".to_owned().into());
        let rows = [
            row("0.1", SweepOutcome::Measured(plain), 7),
            row("0.2", SweepOutcome::Measured(tested), 8),
            row("1,2,3", failed, u64::MAX),
        ];
        let text = sweep_to_csv(&["cell_size"], &rows);
        assert_eq!(text.lines().count(), 4, "{text}");
        assert_eq!(read_sweep(&text), Ok(BTreeMap::from([(7, plain), (8, tested)])));
    }

    #[test]
    fn wrong_files_are_refused_with_their_line() {
        let header = sweep_to_csv(&["cell_size"], &[]);
        let cases = [
            (String::new(), "line 1: there is no column `error`"),
            ("a,b\n".to_owned(), "line 1: there is no column `error`"),
            (format!("{header}0.1,2\n"), "line 2: 2 fields instead of 14"),
            (
                format!("{header}0.1,1,1,1,1,x,0,0,,,,,,0\n"),
                "line 2: column `seconds` is not a number",
            ),
            (format!("{header}0.1,1,1,1,1,1,0,0,,,,,,z\n"), "line 2: column `fingerprint` is not"),
            (
                format!("{header}0.1,1,1,1,1,1,0,0,x,,,,,0\n"),
                "line 2: column `tests_passed` is not",
            ),
            (format!("{header}0.1,NaN,1,1,1,1,0,0,,,,,,0\n"), "line 2: column `ground_m2` is not"),
        ];
        for (text, expected) in cases {
            let message = read_sweep(&text).unwrap_err().to_string();
            assert!(message.starts_with(expected), "{message}");
        }
    }
}

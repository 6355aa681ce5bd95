//! Reads the grid maps and scenarios of the Moving AI benchmarks.
//!
//! Source: Sturtevant, "Benchmarks for grid-based pathfinding", 2012, and the files themselves.

use super::{Cell, Grid, GridError, grid::MAX_SIDE};

/// Error of reading a map or scenario.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MovingAiError {
    /// A line of the header is invalid.
    #[error("line {line}: expected {expected}, found {found:?}")]
    Header {
        /// Line number, from 1.
        line: usize,
        /// The expected content.
        expected: &'static str,
        /// The actual content.
        found: String,
    },
    /// The grid is invalid.
    #[error("line {line}: {error}")]
    Grid {
        /// Line number, from 1.
        line: usize,
        /// The reason.
        error: GridError,
    },
    /// The length of a row differs from the header.
    #[error("line {line}: {found} cells, the header says {expected}")]
    Width {
        /// Line number, from 1.
        line: usize,
        /// Number of cells in the header.
        expected: u32,
        /// Number of cells in the row.
        found: usize,
    },
    /// The number of rows differs from the header.
    #[error("line {line}: {found} rows, the header says {expected}")]
    Height {
        /// Line number, from 1.
        line: usize,
        /// Number of rows in the header.
        expected: u32,
        /// Number of rows found.
        found: usize,
    },
    /// An unknown terrain character.
    #[error("line {line}, column {column}: {found:?} is not one of . G @ O T S W")]
    Terrain {
        /// Line number, from 1.
        line: usize,
        /// Column number, from 1.
        column: usize,
        /// The character.
        found: char,
    },
    /// A line of a scenario has too few or too many columns.
    #[error("line {line}: {found} columns, expected {expected}")]
    Columns {
        /// Line number, from 1.
        line: usize,
        /// Expected number of columns.
        expected: usize,
        /// Number of columns found.
        found: usize,
    },
    /// A number cannot be parsed or is invalid.
    #[error("line {line}: {name} {found:?} is {problem}")]
    Number {
        /// Line number, from 1.
        line: usize,
        /// Name of the value.
        name: &'static str,
        /// The text.
        found: String,
        /// The reason.
        problem: &'static str,
    },
}

/// Reads a map (`.map`).
///
/// `.` and `G` are passable; `@`, `O` and `T` are blocked, and so are swamp (`S`) and water (`W`), although one game's
/// maps have passages through them. Carriage returns and blank lines at the end are allowed.
///
/// # Errors
/// Returns an error that names the line if the text is not such a map.
pub fn read_map(text: &str) -> Result<Grid, MovingAiError> {
    let mut lines = text.lines().map(str::trim_end).enumerate().map(|(n, text)| (n + 1, text));
    let mut header = |expected: &'static str| {
        let (line, found) = lines.next().unwrap_or_else(|| (1 + text.lines().count(), ""));
        let value = found.strip_prefix(expected).ok_or_else(|| MovingAiError::Header {
            line,
            expected,
            found: shortened(found),
        });
        value.map(|value| (line, value.trim()))
    };
    header("type")?;
    let n_y = header("height").and_then(|(line, text)| whole_number(line, "height", text))?;
    let (line, n_x) =
        header("width").and_then(|(line, text)| Ok((line, whole_number(line, "width", text)?)))?;
    header("map")?;
    // Rows beyond the maximum size of a grid are not kept, since a file may consist of line breaks only.
    let most = n_y.min(MAX_SIDE) as usize;
    let (mut rows, mut n_rows) = (Vec::new(), 0);
    for (at, row) in lines.enumerate() {
        if at < most {
            rows.push(row);
        }
        if !row.1.is_empty() {
            n_rows = at + 1;
        }
    }
    if n_rows != n_y as usize {
        let line = line + 1 + n_rows;
        return Err(MovingAiError::Height { line, expected: n_y, found: n_rows });
    }
    for &(line, row) in &rows {
        check_row(line, row, n_x)?;
    }
    // All characters are known to be one byte long.
    let free = |cell: Cell| {
        matches!(rows[cell.y as usize].1.as_bytes().get(cell.x as usize), Some(b'.' | b'G'))
    };
    Grid::new(n_x, n_y, free).map_err(|error| MovingAiError::Grid { line, error })
}

fn check_row(line: usize, row: &str, n_x: u32) -> Result<(), MovingAiError> {
    let odd = row.chars().enumerate().find(|&(_, found)| !".G@OTSW".contains(found));
    if let Some((at, found)) = odd {
        return Err(MovingAiError::Terrain { line, column: at + 1, found });
    }
    if row.len() != n_x as usize {
        return Err(MovingAiError::Width { line, expected: n_x, found: row.len() });
    }
    Ok(())
}

/// One query of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct GridScenario {
    /// Line number in the file, from 1.
    pub line: usize,
    /// Number of the group of queries with similar lengths.
    pub bucket: u32,
    /// Path of the map, as in the scenario.
    pub map: String,
    /// Number of columns and rows of the map.
    pub size: [u32; 2],
    /// Start cell.
    pub start: Cell,
    /// Goal cell.
    pub goal: Cell,
    /// Length of the optimal path in cells. 0 with different ends means that there is no path.
    pub length: f64,
}

impl GridScenario {
    /// Returns the length of the optimal path, if there is a path.
    pub fn optimum(&self) -> Option<f64> {
        (self.length > 0.0 || self.start == self.goal).then_some(self.length)
    }

    /// Returns whether the cost of a search, or `None` for no path, agrees with the file. The tolerance is the larger
    /// of 0.01 and 1e-5 times the length, since lengths in files are rounded.
    pub fn agrees(&self, cost: Option<f64>) -> bool {
        match (self.optimum(), cost) {
            (None, None) => true,
            (Some(optimum), Some(cost)) => (cost - optimum).abs() <= (1e-5 * optimum).max(0.01),
            _ => false,
        }
    }
}

/// Reads a scenario (`.map.scen`): version 1 in any spelling, columns separated by blanks or tabs.
///
/// # Errors
/// Returns an error that names the line if the text is not such a scenario.
pub fn read_scenario(text: &str) -> Result<Vec<GridScenario>, MovingAiError> {
    let mut queries = Vec::new();
    for (line, words) in scenario_lines(text)? {
        let words: Vec<_> = words.collect();
        let &[bucket, map, n_x, n_y, x0, y0, x1, y1, length] = &words[..] else {
            return Err(MovingAiError::Columns { line, expected: 9, found: words.len() });
        };
        let size = [whole_number(line, "width", n_x)?, whole_number(line, "height", n_y)?];
        let cell = |x, y| {
            let cell =
                Cell { x: whole_number(line, "column", x)?, y: whole_number(line, "row", y)? };
            let problem = "outside the map";
            if cell.x >= size[0] {
                return Err(number(line, "column", x, problem));
            }
            if cell.y >= size[1] {
                return Err(number(line, "row", y, problem));
            }
            Ok(cell)
        };
        queries.push(GridScenario {
            line,
            bucket: whole_number(line, "bucket", bucket)?,
            map: map.to_owned(),
            size,
            start: cell(x0, y0)?,
            goal: cell(x1, y1)?,
            length: distance(line, length)?,
        });
    }
    Ok(queries)
}

/// Returns the lines of a scenario after its version, numbered and split into words, without blank lines. The iterator
/// collects nothing, since lists of short words take many times the memory of their text.
pub(crate) fn scenario_lines(
    text: &str,
) -> Result<impl Iterator<Item = (usize, impl Iterator<Item = &str> + Clone)>, MovingAiError> {
    let mut lines = text.lines().enumerate().map(|(n, text)| (n + 1, text));
    let (line, first) = lines.next().unwrap_or((1, ""));
    let mut words = first.split_whitespace();
    let version = (words.next(), words.next().and_then(|word| word.parse::<f64>().ok()));
    if !matches!(version, (Some("version"), Some(1.0))) {
        let found = shortened(first);
        return Err(MovingAiError::Header { line, expected: "version 1", found });
    }
    let lines = lines.filter(|(_, text)| !text.trim().is_empty());
    Ok(lines.map(|(line, text)| (line, text.split_whitespace())))
}

/// Parses a whole number of at least 0.
pub(crate) fn whole_number(
    line: usize,
    name: &'static str,
    text: &str,
) -> Result<u32, MovingAiError> {
    text.parse().map_err(|_not_one| number(line, name, text, "not a whole number"))
}

/// Parses a length of at least 0.
pub(crate) fn distance(line: usize, text: &str) -> Result<f64, MovingAiError> {
    let length = text.parse().ok().filter(|&length: &f64| length.is_finite() && length >= 0.0);
    length.ok_or_else(|| number(line, "length", text, "not a number of at least 0"))
}

pub(crate) fn number(
    line: usize,
    name: &'static str,
    found: &str,
    problem: &'static str,
) -> MovingAiError {
    MovingAiError::Number { line, name, found: shortened(found), problem }
}

/// Shortens a text for messages.
pub(crate) fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "type octile\nheight 2\nwidth 3\nmap\n.G@\nTSW\n";

    #[track_caller]
    fn check_map(from: &str, to: &str, expected: &str) {
        let error = read_map(&MAP.replacen(from, to, 1)).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }

    #[track_caller]
    fn check_scenario(text: &str, expected: &str) {
        assert_eq!(read_scenario(text).unwrap_err().to_string(), expected);
    }

    #[test]
    fn maps_are_read_strictly() {
        let grid = read_map(&MAP.replace('\n', "\r\n")).unwrap();
        let passable: Vec<Cell> = grid.passable_cells().collect();
        assert_eq!(passable, [Cell::new(0, 0), Cell::new(1, 0)]);
        check_map("type", "kind", "line 1: expected type, found \"kind octile\"");
        check_map("height 2", "height two", "line 2: height \"two\" is not a whole number");
        check_map("height 2", "height 3", "line 6: 2 rows, the header says 3");
        check_map("height 2", "height 1", "line 6: 2 rows, the header says 1");
        check_map("width 3", "width 4", "line 5: 3 cells, the header says 4");
        check_map(".G@", ".Gx", "line 5, column 3: 'x' is not one of . G @ O T S W");
        check_map("width 3", "width 99999999", "line 5: 3 cells, the header says 99999999");
        assert_eq!(read_map("").unwrap_err().to_string(), "line 1: expected type, found \"\"");
    }

    #[test]
    fn scenarios_are_read_strictly() {
        let text = "version 1.0\n3\tmaps/a.map\t3\t2\t0\t0\t1\t0\t1.5\n\n0 a.map 3 2 1 1 1 1 0\n\n";
        let queries = read_scenario(text).unwrap();
        assert_eq!((queries[0].bucket, queries[0].goal), (3, Cell::new(1, 0)));
        assert_eq!((queries[1].line, queries[1].optimum()), (4, Some(0.0)));
        assert!(queries[0].agrees(Some(1.505)) && !queries[0].agrees(Some(1.52)));
        assert!(!queries[0].agrees(None) && !queries[1].agrees(None));
        let unreachable = GridScenario { length: 0.0, ..queries[0].clone() };
        assert!(unreachable.agrees(None) && !unreachable.agrees(Some(0.0)));
        check_scenario("version 2\n", "line 1: expected version 1, found \"version 2\"");
        check_scenario("version 1\n0 a 3 2 0 0 1\n", "line 2: 7 columns, expected 9");
        check_scenario("version 1\n0 a 3 2 0 0 3 0 1\n", "line 2: column \"3\" is outside the map");
        check_scenario(
            "version 1\n0 a 3 2 0 -1 1 0 1\n",
            "line 2: row \"-1\" is not a whole number",
        );
        check_scenario(
            "version 1\n0 a 3 2 0 0 1 0 nan\n",
            "line 2: length \"nan\" is not a number of at least 0",
        );
    }
}

//! Recordings of the tasks in `docs/tasks.md`: what the user does with mouse and keys, and the result. Tests of the
//! window do each task without a display and compare it with its recording. A test of the program repeats the recordings
//! in a window of the system.

use std::{collections::BTreeMap, fs, path::PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::repository;

/// Stands for the path of the task's folder, in texts and preferences.
pub const FOLDER: &str = "{folder}";
/// Columns and rows of a [`CoarsePicture`].
const CELLS: [usize; 2] = [16, 10];
/// Maximum difference of a color channel between equal cells of two pictures.
const SHADES: u8 = 6;
/// Maximum length of a list or object that is written on one line, in characters.
const LINE: usize = 110;

/// What the user does at the window, or the state of the window that the user waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// Moves the pointer to a point of the window.
    Move([u16; 2]),
    /// Presses the primary button.
    Press,
    /// Releases the primary button.
    Release,
    /// Turns the wheel by this number of notches, away from the user if positive.
    Wheel(i8),
    /// Presses a key, such as `ctrl+s`.
    Key(String),
    /// Types a text. [`FOLDER`] is not counted.
    Text(String),
    /// The program is killed, once its unsaved work is on disk, and started again.
    Crash,
    /// The window has this title and has nothing to do.
    Rest(String),
    /// The window has this title and draws a moving picture.
    Motion(String),
}

/// A task as it was done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// Size of the window, in points.
    pub size: [u16; 2],
    /// Preferences that differ from the default.
    pub prefs: Value,
    /// Files in the task's folder at the start: name and content.
    pub files: BTreeMap<String, String>,
    /// Inputs before the task.
    pub set_up: Vec<Input>,
    /// Inputs of the task.
    pub inputs: Vec<Input>,
    /// State at the end.
    pub result: TaskResult,
}

/// The state at the end of a task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TaskResult {
    /// Content of the project file, saved after the task.
    pub project: Value,
    /// The upper part of the 3D view.
    pub view: CoarsePicture,
    /// The exported file, if the task exports one.
    pub export: Option<Export>,
}

/// A part of the window, as a picture of a few large cells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoarsePicture {
    /// Position of the upper left corner, then width and height, in points.
    pub rect: [u16; 4],
    /// Mean colors of the cells, each row as hexadecimal digits.
    pub rows: Vec<String>,
}

/// A file that a task exported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Export {
    /// Name in the task's folder.
    pub name: String,
    /// Length, in bytes.
    pub n_bytes: usize,
    /// FNV-1a hash of the content, in hexadecimal digits.
    pub hash: String,
}

impl Export {
    /// Describes a file.
    pub fn new(name: &str, bytes: &[u8]) -> Self {
        let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix);
        Self { name: name.to_owned(), n_bytes: bytes.len(), hash: format!("{hash:016x}") }
    }
}

/// Numbers of clicks and keys. A drag and a turn of the wheel count as a click, each typed character as a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of clicks.
    pub n_clicks: usize,
    /// Number of keys.
    pub n_keys: usize,
}

impl Recording {
    /// Returns the file in which the recording of a task is stored.
    pub fn file(task: &str) -> PathBuf {
        let words = task.split(|letter: char| !letter.is_ascii_alphanumeric());
        let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
        let name = format!("crates/cli/tests/data/tasks/{}.json", words.join("-"));
        repository().join(name)
    }

    /// Reads the recording of a task.
    pub fn read(task: &str) -> Self {
        let text = fs::read_to_string(Self::file(task)).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    /// Writes the recording of a task.
    pub fn write(&self, task: &str) {
        let file = Self::file(task);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let mut text = in_lines(&serde_json::to_value(self).unwrap(), 0);
        text.push('\n');
        fs::write(file, text).unwrap();
    }
}

impl Counts {
    /// Counts the clicks and keys of inputs.
    pub fn of(inputs: &[Input]) -> Self {
        let mut counts = Self::default();
        let mut is_turning = false;
        for input in inputs {
            let was_turning = std::mem::take(&mut is_turning);
            match input {
                Input::Press => counts.n_clicks += 1,
                Input::Wheel(_) => {
                    counts.n_clicks += usize::from(!was_turning);
                    is_turning = true;
                }
                Input::Key(_) => counts.n_keys += 1,
                Input::Text(text) => counts.n_keys += n_typed(text),
                Input::Move(_)
                | Input::Release
                | Input::Crash
                | Input::Rest(_)
                | Input::Motion(_) => {}
            }
        }
        counts
    }

    /// Returns the sum of both.
    pub fn sum(self) -> usize {
        self.n_clicks + self.n_keys
    }
}

/// Returns the number of characters of a text, without a folder at its start.
fn n_typed(text: &str) -> usize {
    let folder = format!("{FOLDER}/");
    text.strip_prefix(&*folder).unwrap_or(text).chars().count()
}

/// A row of the table in `docs/tasks.md`.
#[derive(Clone, Debug)]
pub struct TaskRow {
    /// Name of the task.
    pub task: String,
    /// Counts on 2026-11-22; `None` if the task was impossible.
    pub before: Option<Counts>,
    /// Counts now.
    pub now: Counts,
}

/// Reads the table in `docs/tasks.md`.
pub fn table() -> Vec<TaskRow> {
    let page = fs::read_to_string(repository().join("docs/tasks.md")).unwrap();
    page.lines().filter_map(row).collect()
}

/// Reads a row of the table; returns `None` for other lines.
fn row(line: &str) -> Option<TaskRow> {
    let cells: Vec<_> = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").collect();
    let [task, cells @ ..] = &cells[..] else { return None };
    let counts = |cells: &[&str]| {
        let [n_clicks, n_keys] = cells else { return None };
        Some(Counts { n_clicks: n_clicks.parse().ok()?, n_keys: n_keys.parse().ok()? })
    };
    let (before, now) = cells.split_at_checked(2)?;
    Some(TaskRow { task: (*task).to_owned(), before: counts(before), now: counts(now)? })
}

impl CoarsePicture {
    /// Averages the colors of a part of the window.
    pub fn new(rect: [u16; 4], color_at: impl Fn(usize, usize) -> [u8; 3]) -> Self {
        let [left, top, width, height] = rect.map(usize::from);
        let [n_columns, n_rows] = CELLS;
        let color_of = |column: usize, row: usize| {
            let xs = column * width / n_columns..(column + 1) * width / n_columns;
            let ys = row * height / n_rows..(row + 1) * height / n_rows;
            let n_pixels = xs.len() * ys.len();
            let pixels = ys.flat_map(|y| xs.clone().map(move |x| (left + x, top + y)));
            let sums = pixels.fold([0; 3], |sums: [usize; 3], (x, y)| {
                let color = color_at(x, y);
                std::array::from_fn(|channel| sums[channel] + usize::from(color[channel]))
            });
            sums.map(|sum| sum / n_pixels)
        };
        let rows = (0..n_rows).map(|row| {
            let colors = (0..n_columns).flat_map(|column| color_of(column, row));
            colors.map(|channel| format!("{channel:02x}")).collect::<Vec<_>>().concat()
        });
        Self { rect, rows: rows.collect() }
    }

    /// Returns the colors of all cells.
    fn colors(&self) -> Vec<[u8; 3]> {
        let digits = self.rows.concat();
        let channel = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
        let cells = (0..digits.len()).step_by(6);
        cells.map(|at| [channel(at), channel(at + 2), channel(at + 4)]).collect()
    }

    /// Returns the number of cells in which two pictures of equal size differ.
    pub fn n_different_cells(&self, other: &Self) -> usize {
        let (colors, others) = (self.colors(), other.colors());
        assert_eq!(colors.len(), others.len());
        let differ =
            |(a, b): (&[u8; 3], &[u8; 3])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > SHADES);
        colors.iter().zip(&others).filter(|pair| differ(*pair)).count()
    }
}

/// Describes the first difference between two values; returns `None` if they are equal.
pub fn difference(a: &Value, b: &Value) -> Option<String> {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let mut pairs = a.iter().zip(b).enumerate();
            pairs.find_map(|(at, (a, b))| Some(format!("[{at}]{}", difference(a, b)?)))
        }
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
            let mut pairs = a.iter().zip(b.values());
            pairs.find_map(|((key, a), b)| Some(format!(".{key}{}", difference(a, b)?)))
        }
        (a, b) => (a != b).then(|| format!(": {a} and {b}")),
    }
}

/// Formats a value as JSON, with short lists and objects on one line.
fn in_lines(value: &Value, indent: usize) -> String {
    let short = value.to_string();
    if indent + short.len() <= LINE {
        return short;
    }
    let deeper = indent + 2;
    let (entries, [open, close]): (Vec<_>, _) = match value {
        Value::Array(entries) => {
            (entries.iter().map(|entry| in_lines(entry, deeper)).collect(), ['[', ']'])
        }
        Value::Object(entries) => {
            let named = |(key, entry): (&String, &Value)| {
                format!("{}: {}", Value::from(&**key), in_lines(entry, deeper))
            };
            (entries.iter().map(named).collect(), ['{', '}'])
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return short,
    };
    let gap = format!("\n{:deeper$}", "");
    let entries = entries.join(&format!(",{gap}"));
    format!("{open}{gap}{entries}\n{:indent$}{close}", "")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_written_in_lines_and_compared() {
        let value =
            json!({"inputs": ["press", {"move": [1, 2]}, "x".repeat(LINE)], "size": [3, 4]});
        let text = in_lines(&value, 0);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        assert_eq!(text.lines().count(), 8);
        assert_eq!(text.lines().nth(3), Some("    {\"move\":[1,2]},"));
        let mut other = value.clone();
        assert_eq!(difference(&value, &other), None);
        other["inputs"][1]["move"][1] = json!(5);
        assert_eq!(difference(&value, &other).as_deref(), Some(".inputs[1].move[1]: 2 and 5"));
    }

    #[test]
    fn coarse_pictures_differ_where_colors_do() {
        let plain = |x: usize, _| if x < 72 { [10, 20, 30] } else { [200, 100, 0] };
        let picture = |color_at: &dyn Fn(usize, usize) -> [u8; 3]| {
            CoarsePicture::new([8, 4, 128, 80], color_at)
        };
        let before = picture(&plain);
        assert_eq!(before.rows.len(), 10);
        assert_eq!(before.rows[0], ["0a141e".repeat(8), "c86400".repeat(8)].concat());
        let spot = |x, y| if x < 12 && y < 8 { [90, 20, 30] } else { plain(x, y) };
        assert_eq!(before.n_different_cells(&picture(&spot)), 1);
        let shade = |x, y| plain(x, y).map(|channel| channel + 3);
        assert_eq!(before.n_different_cells(&picture(&shade)), 0);
    }

    #[test]
    fn a_turn_of_the_wheel_is_a_click_and_folders_are_not_counted() {
        let inputs = [
            Input::Wheel(-1),
            Input::Wheel(-1),
            Input::Move([3, 4]),
            Input::Press,
            Input::Release,
            Input::Wheel(1),
            Input::Key("ctrl+s".to_owned()),
            Input::Text(format!("{FOLDER}/a.obj")),
        ];
        assert_eq!(Counts::of(&inputs), Counts { n_clicks: 3, n_keys: 6 });
    }
}

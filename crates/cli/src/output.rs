//! Standard output and standard error. All texts are printed here, with control characters escaped: names in files, and
//! names of files, must not send commands to the terminal or pass for other lines.

use std::io::{self, BufWriter, IsTerminal as _, Stderr, StdoutLock, Write};

use anyhow::Context as _;
use walkable::diagnostic::printable;

/// The standard output. After its reader has closed it, as `head` does, further output is dropped without an error.
pub(super) struct Output {
    stdout: BufWriter<StdoutLock<'static>>,
}

impl Output {
    #[expect(clippy::disallowed_methods, reason = "the only use; what is written is escaped")]
    pub(super) fn new() -> Self {
        Self { stdout: BufWriter::new(io::stdout().lock()) }
    }

    pub(super) fn line(&mut self, text: &str) -> anyhow::Result<()> {
        unless_closed(write_line(&mut self.stdout, text))
    }

    /// Writes a text of several lines, in which no name contains a line break, such as JSON.
    pub(super) fn lines(&mut self, text: &str) -> anyhow::Result<()> {
        text.split('\n').try_for_each(|line| self.line(line))
    }

    pub(super) fn finish(&mut self) -> anyhow::Result<()> {
        unless_closed(self.stdout.flush())
    }
}

fn unless_closed(written: io::Result<()>) -> anyhow::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("cannot write to the standard output"),
    }
}

/// Writes a line to the standard error. Failures are ignored, because they cannot be reported.
pub(super) fn eprint_line(text: &str) {
    write_line(&mut stderr(), text).ok();
}

/// Returns the standard error, for [`write_line`] and [`write_over`].
#[expect(clippy::disallowed_methods, reason = "the only use; what is written is escaped")]
pub(super) fn stderr() -> Stderr {
    io::stderr()
}

/// Returns whether a person sees the standard error while the program runs.
pub(super) fn is_watched() -> bool {
    stderr().is_terminal()
}

pub(super) fn write_line(to: &mut impl Write, text: &str) -> io::Result<()> {
    writeln!(to, "{}", printable(text))
}

/// Writes a text over the last line of a terminal.
pub(super) fn write_over(to: &mut impl Write, text: &str) -> io::Result<()> {
    write!(to, "\r\x1b[K{}", printable(text))
}

/// Formats the lines of a table with columns aligned at the right. Lines may have fewer columns than others.
pub(super) fn aligned(lines: &[Vec<String>]) -> Vec<String> {
    let n_columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let texts = lines.iter().filter_map(|line| line.get(column));
        texts.map(|text| text.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..n_columns).map(width).collect();
    let line = |line: &Vec<String>| {
        let texts = line.iter().zip(&widths).map(|(text, width)| format!("{text:>width$}"));
        texts.collect::<Vec<_>>().join("  ")
    };
    lines.iter().map(line).collect()
}

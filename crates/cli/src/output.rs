//! Standard output and standard error.

use std::io::{self, BufWriter, StdoutLock, Write as _};

use anyhow::Context as _;

/// Writes results to the standard output. When its reader closes it, as `head` does, further output is dropped without
/// an error.
pub(super) struct Output {
    stdout: BufWriter<StdoutLock<'static>>,
}

impl Output {
    pub(super) fn new() -> Self {
        Self { stdout: BufWriter::new(io::stdout().lock()) }
    }

    /// Writes a line.
    pub(super) fn line(&mut self, text: &str) -> anyhow::Result<()> {
        unless_closed(writeln!(self.stdout, "{text}"))
    }

    /// Flushes the output.
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
    writeln!(io::stderr(), "{text}").ok();
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

//! The findings of a command: printed as they occur, each only once, and kept for the report and for `--strict`.

use std::fmt;

use walkable::{
    diagnostic::{Code, Diagnostic, Location},
    links::LinkReport,
};

use super::output::eprint_line;

pub(super) struct Findings {
    name: String,
    list: Vec<Diagnostic>,
    /// Findings about tiles or queries: the first one of each code, and their number.
    of_many: Vec<(Code, Diagnostic, usize)>,
    pub(super) links: Vec<LinkReport>,
    printing: Printing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Printing {
    AtOnce,
    ByCaller,
}

impl Findings {
    pub(super) fn new(name: impl fmt::Display) -> Self {
        let (list, of_many, links) = (Vec::new(), Vec::new(), Vec::new());
        Self { name: name.to_string(), list, of_many, links, printing: Printing::AtOnce }
    }

    /// Like [`Findings::new`], but for a command that prints the findings itself.
    pub(super) fn quiet(name: impl fmt::Display) -> Self {
        Self { printing: Printing::ByCaller, ..Self::new(name) }
    }

    /// Prints and keeps a finding, unless it was added before.
    pub(super) fn add(&mut self, found: impl Into<Diagnostic>) {
        let found = found.into();
        if !self.list.contains(&found) {
            self.print(&found);
            self.list.push(found);
        }
    }

    /// Keeps a finding that the error of the command prints.
    pub(super) fn keep(&mut self, found: impl Into<Diagnostic>) {
        self.list.push(found.into());
    }

    pub(super) fn extend(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        found.into_iter().for_each(|one| self.add(one));
    }

    /// Collects a finding about one of many tiles or queries, which [`Findings::print_many`] prints.
    pub(super) fn add_one_of_many(&mut self, found: Diagnostic) {
        let (code, n) = (found.code(), found.count());
        if let Some((.., known)) = self.of_many.iter_mut().find(|(known, ..)| *known == code) {
            *known += n;
        } else {
            self.of_many.push((code, found, n));
        }
    }

    /// Prints the collected findings about tiles or queries: one line per code.
    pub(super) fn print_many(&mut self) {
        for (_, first, n) in std::mem::take(&mut self.of_many) {
            // The same finding about a setting may have been printed before the bake.
            if self.list.iter().all(|known| known.finding() != first.finding()) {
                let found = first.times(n);
                self.print(&found);
                self.list.push(found);
            }
        }
    }

    fn print(&self, found: &Diagnostic) {
        if self.printing == Printing::ByCaller {
            return;
        }
        eprint_line(&found.clone().within(Location::File(self.name.clone())).line());
    }

    pub(super) fn all(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Returns an error if there are warnings, for `--strict`.
    pub(super) fn refuse(&self) -> anyhow::Result<()> {
        refuse(&self.name, self.list.iter().filter(|found| found.is_warning()).count())
    }

    /// Like [`Findings::refuse`], with a message that nothing was written.
    pub(super) fn refuse_to_write(&self) -> anyhow::Result<()> {
        self.refuse().map_err(|refused| anyhow::anyhow!("{refused}; nothing was written"))
    }
}

/// Returns an error if there are warnings, for `--strict`.
pub(super) fn refuse(name: impl fmt::Display, n_warnings: usize) -> anyhow::Result<()> {
    match n_warnings {
        0 => Ok(()),
        1 => anyhow::bail!("{name}: 1 warning, refused by --strict"),
        n => anyhow::bail!("{name}: {n} warnings, refused by --strict"),
    }
}

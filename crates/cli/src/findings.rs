//! What a command finds on its way: said at once, each cause once, and kept for the report and for `--strict`.

use std::fmt;

use walkable::{
    diagnostic::{Code, Diagnostic, Location},
    links::LinkReport,
};

use super::output::say;

/// What was found about a level or a navmesh so far.
pub(super) struct Findings {
    name: String,
    list: Vec<Diagnostic>,
    /// Of tiles or queries: the first of each code, and how many there are.
    of_many: Vec<(Code, Diagnostic, usize)>,
    /// What became of the off-mesh links.
    pub(super) links: Vec<LinkReport>,
}

impl Findings {
    /// Nothing yet about the level or navmesh called `name`.
    pub(super) fn new(name: impl fmt::Display) -> Self {
        let name = name.to_string();
        Self { name, list: Vec::new(), of_many: Vec::new(), links: Vec::new() }
    }

    /// Says what was found, unless it was said before.
    pub(super) fn add(&mut self, found: impl Into<Diagnostic>) {
        let found = found.into();
        if !self.list.contains(&found) {
            self.say(&found);
            self.list.push(found);
        }
    }

    /// Says all of `found`.
    pub(super) fn extend(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        found.into_iter().for_each(|one| self.add(one));
    }

    /// Takes what was found in one of many tiles or queries; it is said by [`Findings::say_many`].
    pub(super) fn add_one_of_many(&mut self, found: Diagnostic) {
        let (code, n) = (found.code(), found.count());
        if let Some((.., known)) = self.of_many.iter_mut().find(|(known, ..)| *known == code) {
            *known += n;
        } else {
            self.of_many.push((code, found, n));
        }
    }

    /// Says what was found in many tiles or queries: a line for each code.
    pub(super) fn say_many(&mut self) {
        for (_, first, n) in std::mem::take(&mut self.of_many) {
            // Of a setting that no tile can be made with, it was said before.
            if self.list.iter().all(|known| known.finding() != first.finding()) {
                let found = first.times(n);
                self.say(&found);
                self.list.push(found);
            }
        }
    }

    fn say(&self, found: &Diagnostic) {
        say(&found.clone().within(Location::File(self.name.clone())).line());
    }

    /// All that was found.
    pub(super) fn all(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Refuses to go on where there are warnings, as `--strict` asks.
    pub(super) fn refuse(&self) -> anyhow::Result<()> {
        let n = self.list.iter().filter(|found| found.is_warning()).count();
        if n == 0 {
            return Ok(());
        }
        let (name, warnings) = (&self.name, if n == 1 { "warning" } else { "warnings" });
        anyhow::bail!("{name}: {n} {warnings}, refused by --strict")
    }

    /// As [`Findings::refuse`], before anything is written.
    pub(super) fn refuse_to_write(&self) -> anyhow::Result<()> {
        self.refuse().map_err(|refused| anyhow::anyhow!("{refused}; nothing was written"))
    }
}

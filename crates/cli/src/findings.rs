//! What a command finds on its way: said at once, each cause once, and kept for the report and for `--strict`.

use walkable::{
    diagnostic::{Code, Diagnostic, Location},
    ids::TileCoord,
    links::LinkReport,
};

use super::{load::LevelArg, output::say};

/// What was found about a level so far.
pub(super) struct Findings {
    level: String,
    list: Vec<Diagnostic>,
    /// Of tiles: the first of each code, and how many there are.
    of_tiles: Vec<(Code, Diagnostic, usize)>,
    /// What became of the off-mesh links.
    pub(super) links: Vec<LinkReport>,
}

impl Findings {
    /// Nothing yet about the level called `level`.
    pub(super) fn new(level: &LevelArg) -> Self {
        let level = level.to_string();
        Self { level, list: Vec::new(), of_tiles: Vec::new(), links: Vec::new() }
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

    /// Takes what was found in a tile; it is said by [`Findings::say_tiles`].
    pub(super) fn add_to_tile(&mut self, tile: TileCoord, found: Diagnostic) {
        let (code, n) = (found.code(), found.count());
        if let Some((.., known)) = self.of_tiles.iter_mut().find(|(known, ..)| *known == code) {
            *known += n;
        } else {
            self.of_tiles.push((code, found.within(Location::Tile(tile)), n));
        }
    }

    /// Says what was found in tiles: a line for each code.
    pub(super) fn say_tiles(&mut self) {
        for (_, first, n) in std::mem::take(&mut self.of_tiles) {
            // Of a setting that no tile can be made with, it was said before.
            if self.list.iter().all(|known| known.finding() != first.finding()) {
                let found = first.times(n);
                self.say(&found);
                self.list.push(found);
            }
        }
    }

    fn say(&self, found: &Diagnostic) {
        say(&found.clone().within(Location::File(self.level.clone())).line());
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
        let (level, warnings) = (&self.level, if n == 1 { "warning" } else { "warnings" });
        anyhow::bail!("{level}: {n} {warnings}, refused by --strict; nothing was written")
    }
}

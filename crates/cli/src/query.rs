//! The question about a level: a place, or a path with its search options.

use glam::Vec3;
use walkable::{geom::Aabb, mesh::ImportOptions};
use walkable_workspace::{
    positions::{Positions, find_positions},
    repro::ReproQuery,
};

use super::{
    path::{EndsArgs, TermArgs},
    values,
};

/// A place or a path to ask about.
#[derive(clap::Args, Debug)]
pub(super) struct QueryArgs {
    /// Place where an agent should stand.
    #[arg(
        long,
        value_name = "X,Y,Z",
        allow_hyphen_values = true,
        value_parser = values::point,
        conflicts_with_all = ["from", "log"]
    )]
    at: Option<Vec3>,
    /// Line of a game's log with one position (as for --at) or two (as for --from and --to), for example "path from (1,2,3)
    /// to (4,5,6)". Positions at most the agent's height above the floor are put on it.
    #[arg(
        long,
        value_name = "LINE",
        allow_hyphen_values = true,
        value_parser = find_positions,
        conflicts_with = "from"
    )]
    log: Option<Positions>,
    #[command(flatten)]
    ends: EndsArgs,
    #[command(flatten)]
    pub(super) terms: TermArgs,
}

/// What is asked about: positions in the level.
pub(super) struct Asked {
    pub(super) at: Positions<Vec3>,
    is_log: bool,
    /// How the positions differ from those of the log.
    pub(super) notes: Vec<String>,
}

impl QueryArgs {
    /// Returns what is asked about a level with these import options and bounds, or about a navmesh; `None` without a
    /// question.
    pub(super) fn asked(&self, level: Option<(ImportOptions, Aabb)>) -> Option<Asked> {
        let Some(log) = self.log else {
            let of_ends = || self.ends.both().map(Positions::Path);
            let at = self.at.map(Positions::Place).or_else(of_ends)?;
            return Some(Asked { at, is_log: false, notes: Vec::new() });
        };
        let as_they_are = log.as_they_are();
        let at = level.map_or(as_they_are, |(import, bounds)| log.in_level(import, &bounds));
        let moved = (at != as_they_are).then(|| "positions are moved by the import origin".into());
        Some(Asked { at, is_log: true, notes: moved.into_iter().collect() })
    }
}

impl Asked {
    /// Puts places of a log that are above the floor on the floor that `below` finds.
    pub(super) fn put_down(&mut self, below: impl Fn(Vec3) -> Option<Vec3>) {
        if !self.is_log {
            return;
        }
        let (names, places): (&[_], &mut [Vec3]) = match &mut self.at {
            Positions::Place(place) => (&["place"], std::slice::from_mut(place)),
            Positions::Path(ends) => (&["start", "end"], ends),
        };
        for (name, place) in names.iter().zip(places) {
            if let Some(floor) = below(*place) {
                let down = place.y - floor.y;
                self.notes.push(format!(
                    "the {name} is put on the floor, {down:.2} m below its position"
                ));
                *place = floor;
            }
        }
    }

    /// Returns the question as a repro file stores it.
    ///
    /// # Errors
    /// See [`TermArgs::filter`].
    pub(super) fn query(&self, terms: &TermArgs) -> anyhow::Result<ReproQuery> {
        Ok(match self.at {
            Positions::Place(at) => ReproQuery::At(at),
            Positions::Path(ends) => ReproQuery::Path(terms.path_terms(ends)?.into()),
        })
    }
}

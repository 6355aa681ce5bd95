//! The question about a level: a place, or a path with its search options.

use glam::Vec3;
use walkable::{geom::Aabb, mesh::ImportOptions};
use walkable_workspace::{
    positions::{Placed, Positions, find_positions},
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

impl QueryArgs {
    /// Returns the places that are asked about and how they differ from the positions of the log: see
    /// [`Positions::placed`](Positions::placed). `None` without a question.
    pub(super) fn asked(
        &self,
        level: Option<(ImportOptions, Aabb)>,
        below: impl Fn(Vec3) -> Option<Vec3>,
    ) -> Option<(Positions<Vec3>, Vec<String>)> {
        if let Some(log) = self.log {
            let Placed { at, notes } = log.placed(level, below);
            return Some((at, notes.iter().map(ToString::to_string).collect()));
        }
        let of_ends = || self.ends.both().map(Positions::Path);
        let at = self.at.map(Positions::Place).or_else(of_ends)?;
        Some((at, Vec::new()))
    }

    /// Returns the question as a repro file stores it.
    pub(super) fn query(&self, at: Positions<Vec3>) -> anyhow::Result<ReproQuery> {
        Ok(match at {
            Positions::Place(at) => ReproQuery::At(at),
            Positions::Path(ends) => ReproQuery::Path(self.terms.path_terms(ends)?.into()),
        })
    }

    pub(super) fn is_path(&self) -> bool {
        self.ends.both().is_some() || matches!(self.log, Some(Positions::Path(_)))
    }
}

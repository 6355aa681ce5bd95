//! The question about a level: a place, or a path with its search options.

use glam::Vec3;
use walkable_workspace::{
    positions::{Positions, find_positions},
    repro::ReproQuery,
};

use super::{
    Failure,
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
    /// Returns the ends of the path; `None` for a place.
    pub(super) fn ends(&self) -> Option<[Vec3; 2]> {
        match self.log {
            Some(Positions::Path(ends)) => Some(ends),
            Some(Positions::Place(_)) | None => self.ends.both(),
        }
    }

    /// Returns the place; `None` for a path, or without a question.
    pub(super) fn at(&self) -> Option<Vec3> {
        match self.log {
            Some(Positions::Place(place)) => Some(place),
            Some(Positions::Path(_)) | None => self.at,
        }
    }

    /// Puts places of a log that are above the floor on the floor that `below` finds. Returns notes that say so.
    pub(super) fn put_down(
        &self,
        places: &mut [Vec3],
        below: impl Fn(Vec3) -> Option<Vec3>,
    ) -> Vec<String> {
        let names: &[_] = match self.log {
            Some(Positions::Place(_)) => &["place"],
            Some(Positions::Path(_)) => &["start", "end"],
            None => &[],
        };
        let mut notes = Vec::new();
        for (name, place) in names.iter().zip(places) {
            if let Some(floor) = below(*place) {
                let down = place.y - floor.y;
                notes.push(format!(
                    "the {name} is put on the floor, {down:.2} m below its position"
                ));
                *place = floor;
            }
        }
        notes
    }

    /// Returns the question as a repro file stores it.
    ///
    /// # Errors
    /// Returns a usage error if there is no question, or the error of [`TermArgs::filter`].
    pub(super) fn query(&self) -> Result<ReproQuery, Failure> {
        match (self.ends(), self.at()) {
            (Some(ends), _) => Ok(ReproQuery::Path(self.terms.path_terms(ends)?.into())),
            (None, Some(at)) => Ok(ReproQuery::At(at)),
            (None, None) => Err(Failure::Usage(
                "give a place (--at), a path (--from and --to), or a line of a log (--log)"
                    .to_owned(),
            )),
        }
    }
}

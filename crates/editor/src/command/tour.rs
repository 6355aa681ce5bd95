//! Commands of the first tour.

use walkable::level::BUILTIN_LEVELS;
use walkable_workspace::lang::tr;

use super::{
    Command, Effect,
    describe::{Description, says},
    requests,
};
use crate::{
    prefs::Prefs,
    session::{LevelSource, Session},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TourCommand {
    Start,
    /// Goes to this step, counted from 0.
    Step(usize),
    End,
}

impl TourCommand {
    pub(super) fn listed() -> Vec<Command> {
        vec![Self::Start.into()]
    }

    pub(super) fn description(self) -> Description {
        match self {
            Self::Start => says(
                "tour.start",
                tr!("Show the tour"),
                tr!("Introduces the window in five steps, on a sample if no level is open"),
            ),
            Self::Step(step) => says(
                format!("tour.step.{step}"),
                tr!("Step {} of the tour", step + 1),
                tr!("Goes to this step of the tour"),
            ),
            Self::End => says("tour.end", tr!("End the tour"), tr!("Closes the tour")),
        }
    }

    pub(crate) fn carry_out(self, session: &Session, prefs: &mut Prefs) -> Option<Effect> {
        prefs.tour = match self {
            Self::Start => Some(0),
            Self::Step(step) => Some(step),
            Self::End => None,
        };
        let opens_sample = self == Self::Start && session.is_empty();
        let sample = || LevelSource::Builtin(BUILTIN_LEVELS[0].name.to_owned());
        opens_sample.then(|| requests::open(session, sample()).into())
    }
}

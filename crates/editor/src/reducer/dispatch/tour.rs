//! Commands of the first tour.

use crate::{command::TourCommand, prefs::Prefs};

/// Carries out `command`.
pub(super) fn dispatch(prefs: &mut Prefs, command: TourCommand) {
    prefs.tour = match command {
        TourCommand::Start => Some(0),
        TourCommand::Step(step) => Some(step),
        TourCommand::End => None,
    };
}

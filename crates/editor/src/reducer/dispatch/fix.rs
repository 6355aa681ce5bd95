//! Commands that make a point of the level walkable.

use super::Effect;
use crate::{
    command::FixCommand,
    jobs::{fixes::FixRequest, work::Work},
    session::Session,
};

/// Carries out `command`.
pub(super) fn dispatch(session: &mut Session, command: FixCommand) -> Option<Effect> {
    match command {
        FixCommand::Find => {
            let (place, request) = FixRequest::of(session)?;
            let revision = session.revision();
            session.fixes.ask(place, revision);
            Some(Work::FindFixes(Box::new(request)).into())
        }
        FixCommand::Apply(index) => {
            let fix = session.settings_fix(index)?;
            let settings = fix.applied(&session.document().settings).ok()?;
            session.history.change("Apply fix", |document| document.settings = settings);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use walkable::explain::{Cause, FixLimits, PlaceQuestion, why_here};
    use walkable::monitor::Unmonitored;

    use super::*;
    use crate::{session::Hover, testing::baked};

    /// A point on the ramp of 60°.
    const STEEP: Vec3 = Vec3::new(13.0, 1.732, 6.0);

    #[test]
    fn a_fix_that_was_found_can_be_applied_and_undone() {
        let mut session = baked();
        session.selection = Some(Hover { point: STEEP, triangle: None });
        let found = dispatch(&mut session, FixCommand::Find);
        assert!(matches!(found, Some(Effect::Work(Work::FindFixes(_)))));
        assert!(session.looks_for_fixes_of(session.selection.unwrap()));

        let plan = session.bake.plan.clone().unwrap();
        let question = PlaceQuestion { at: STEEP, triangle: None };
        let answer = why_here(&plan, question, FixLimits::default(), &Unmonitored).unwrap();
        assert_eq!(answer.chain[0].cause, Cause::TooSteep);
        session.fixes.is_busy = false;
        session.fixes.land(Ok(answer));

        let before = session.document().settings.clone();
        dispatch(&mut session, FixCommand::Apply(0));
        assert!(session.document().settings.agent_max_slope > 60.0);
        assert_eq!(session.history.undo_label(), Some("Apply fix"));
        session.history.undo();
        assert_eq!(session.document().settings, before);
    }

    #[test]
    fn fixes_of_other_settings_are_not_applied() {
        let mut session = baked();
        session.selection = Some(Hover { point: STEEP, triangle: None });
        dispatch(&mut session, FixCommand::Find);
        session.history.change("other", |document| document.settings.agent_radius = 0.1);
        session.fixes.land(Err("cancelled".to_owned()));
        assert!(session.fixes_of(session.selection.unwrap()).is_none());
        let before = session.document().clone();
        dispatch(&mut session, FixCommand::Apply(0));
        assert_eq!(*session.document(), before);
    }
}

//! Commands that find and apply fixes for a point or a path.

use walkable::{explain::Fix, phrase};
use walkable_workspace::lang::tr;

use super::{
    Command, Effect,
    describe::{Description, says},
    requests,
};
use crate::{
    jobs::{fixes::FixRequest, work::Work},
    session::{FixTarget, Session},
    task::TaskId,
};

#[derive(Clone, Debug, PartialEq)]
pub enum FixCommand {
    ExplainPath,
    Find(FixTarget),
    /// Stops the search for fixes and keeps its results.
    Cancel,
    Apply(Box<Fix>),
    TryOut(Box<Fix>),
    Keep,
    Discard,
}

impl FixCommand {
    pub(super) fn listed() -> Vec<Command> {
        let find = [FixTarget::Place, FixTarget::Path].map(Self::Find);
        let plain = [Self::ExplainPath, Self::Cancel, Self::Keep, Self::Discard];
        let all = plain.into_iter().chain(find);
        all.map(Command::from).collect()
    }

    pub(super) fn description(&self) -> Description {
        match self {
            Self::ExplainPath => says(
                "fix.explain-path",
                tr!("Why this path?"),
                tr!("Searches the level's voxels for obstacles between the path's ends"),
            )
            .needs(|session| session.path_question().is_some(), tr!("Find a path first.")),
            Self::Find(FixTarget::Place) => says(
                "fix.find-place",
                tr!("Find fixes for the place"),
                tr!("Bakes the tile of the selected place with other settings until it is walkable"),
            )
            .needs(|session| session.tools.selection.is_some() && session.can_find_fixes(), tr!("Select a place first, and bake the level if the bake is out of date.")),
            Self::Find(FixTarget::Path) => says(
                "fix.find-path",
                tr!("Find fixes for the path"),
                tr!("Bakes the level with other settings, or with an off-mesh link, until the path is complete"),
            )
            .needs(|session| session.present_break().is_some() && session.can_find_fixes(), tr!("Explain a path that does not reach its end first, and bake the level if the bake is out of date.")),
            Self::Cancel => says(
                "fix.cancel",
                tr!("Stop finding fixes"),
                tr!("Stops the search and keeps the fixes found"),
            )
            .needs(|session| session.runs(TaskId::Fixes), tr!("No search for fixes is running.")),
            Self::TryOut(_) => says(
                "fix.try-out",
                tr!("What if"),
                tr!("Bakes with this fix and shows the result beside the current bake"),
            )
            .needs(Session::can_preview, tr!("Bake the level first if the bake is out of date, and keep or discard the other fix.")),
            Self::Keep => says(
                "fix.keep",
                tr!("Keep the fix"),
                tr!("Applies the fix that is tried out"),
            )
            .needs(|session| session.preview.is_some(), tr!("Choose What if for a fix first.")),
            Self::Discard => says(
                "fix.discard",
                tr!("Discard the fix"),
                tr!("Shows the current bake again; nothing has changed"),
            )
            .needs(|session| session.preview.is_some(), tr!("Choose What if for a fix first.")),
            Self::Apply(fix) => {
                let what = match &**fix {
                    Fix::Settings(_) => tr!("Changes these settings and bakes"),
                    Fix::Link(_) => tr!("Places this off-mesh link and bakes"),
                    Fix::Terms(_) => tr!("Changes the filter or the node limit of the path tool"),
                    Fix::Geometry(_) => tr!("A change to make in the level editor"),
                };
                says("fix.apply", tr!("Apply this fix"), what)
            }
        }
    }

    pub(crate) fn carry_out(self, session: &mut Session) -> Option<Effect> {
        match self {
            Self::ExplainPath => {
                let question = session.path_question()?;
                requests::explain_path(session, question).map(Effect::Work)
            }
            Self::Find(target) => find(session, target),
            Self::Cancel => {
                let tasks = Work::Cancel(TaskId::Fixes.into());
                session.runs(TaskId::Fixes).then_some(tasks.into())
            }
            Self::Apply(fix) => {
                apply(session, &fix);
                None
            }
            Self::TryOut(fix) => requests::preview(session, *fix).map(Effect::Work),
            Self::Keep => {
                session.keep_preview();
                Some(Work::CancelPreview.into())
            }
            Self::Discard => session.discard_preview().then_some(Work::CancelPreview.into()),
        }
    }
}

fn find(session: &mut Session, target: FixTarget) -> Option<Effect> {
    let request = FixRequest::of(session, target)?;
    session.ask_for_fixes(target);
    Some(Work::run(request).into())
}

/// Applies `fix`, unless it was found for a target that has changed since.
fn apply(session: &mut Session, fix: &Fix) {
    if !session.offers(fix) {
        return;
    }
    if let Some(edit) = session.edit_of(fix) {
        session.history.change(phrase!("Apply fix"), |document| edit.apply(document));
    }
    if let Fix::Terms(terms) = fix {
        session.path.change_terms(terms);
        session.update_path();
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use walkable::{
        diagnostic::Phrase,
        explain::{LinkFix, SearchTerm},
        mesh::{ImportOptions, TriMesh},
        monitor::Unmonitored,
    };

    use super::*;
    use crate::{
        jobs::{open::prepared, tasks::TaskRequest},
        reducer::due::drop_stale_preview,
        session::{Hover, LevelSource},
        testing::baked,
    };

    /// A point on the ramp of 60°.
    const STEEP: Vec3 = Vec3::new(13.0, 1.732, 6.0);

    /// Returns a session with the ramp selected and its fixes found.
    fn found() -> Session {
        let mut session = baked();
        session.tools.selection = Some(Hover { point: STEEP, triangle: None });
        let find = FixCommand::Find(FixTarget::Place);
        let work = find.carry_out(&mut session).expect("a place is selected");
        let Effect::Work(Work::Run(TaskRequest::Fixes(request))) = work else { panic!("{work:?}") };
        let mut so_far = Vec::new();
        let all = request.search(&mut |fix| so_far.push(fix), &Unmonitored).unwrap();
        for fix in so_far {
            assert!(all.fixes.contains(&fix), "{fix} is not ranked");
            session.fixes.add(fix);
        }
        assert!(!session.fixes.found().fixes.is_empty(), "the first fix is shown at once");
        session.fixes.land(Ok(all));
        session
    }

    /// Returns the first fix that changes settings.
    fn settings_fix(session: &Session) -> Fix {
        let fixes = &session.fixes.found().fixes;
        fixes.iter().find(|fix| matches!(fix, Fix::Settings(_))).expect("there is one").clone()
    }

    #[test]
    fn a_fix_that_was_found_can_be_applied_and_undone() {
        let mut session = found();
        let before = session.document().settings.clone();
        let fix = settings_fix(&session);
        FixCommand::Apply(Box::new(fix)).carry_out(&mut session);
        assert!(session.document().settings.agent_max_slope > 60.0);
        assert_eq!(session.history.undo_label().as_deref(), Some("Apply fix"));
        session.history.undo();
        assert_eq!(session.document().settings, before);
    }

    #[test]
    fn fixes_of_other_settings_are_not_applied() {
        let mut session = found();
        let fix = settings_fix(&session);
        session
            .history
            .change(Phrase::verbatim("other"), |document| document.settings.agent_radius = 0.1);
        assert!(session.fixes_of(FixTarget::Place).is_none());
        let before = session.document().clone();
        FixCommand::Apply(Box::new(fix)).carry_out(&mut session);
        assert_eq!(*session.document(), before);
        assert!(!session.can_find_fixes(), "the bake is out of date");
        assert!(FixCommand::Find(FixTarget::Place).carry_out(&mut session).is_none());
    }

    #[test]
    fn a_link_is_placed_and_terms_change_the_path_tool() {
        let mut session = found();
        let (start, end) = (Vec3::new(2.0, 0.0, 2.0), Vec3::new(2.0, 0.0, 5.0));
        let link = Fix::Link(LinkFix { start, end, radius: 0.7, bidirectional: true });
        let terms = Fix::Terms(vec![SearchTerm::MaxNodes(77), SearchTerm::Exclude(4)]);
        FixCommand::Apply(Box::new(link.clone())).carry_out(&mut session);
        assert!(session.document().off_mesh.is_empty(), "nobody offers it");
        session.fixes.add(link.clone());
        session.fixes.add(terms.clone());
        FixCommand::Apply(Box::new(terms)).carry_out(&mut session);
        assert_eq!((session.path.max_nodes, session.path.filter.exclude_flags), (77, 4));
        FixCommand::Apply(Box::new(link)).carry_out(&mut session);
        let placed = &session.document().off_mesh[0];
        assert_eq!((placed.start, placed.end), (start, end));
        assert_eq!(session.history.undo_label().as_deref(), Some("Apply fix"));
    }

    #[test]
    fn a_search_that_was_stopped_keeps_what_it_found() {
        let mut session = found();
        session.running.insert(TaskId::Fixes);
        let n = session.fixes.found().fixes.len();
        let stopped = FixCommand::Cancel.carry_out(&mut session);
        let Some(Effect::Work(Work::Cancel(tasks))) = stopped else { panic!("{stopped:?}") };
        assert!(tasks.contains(TaskId::Fixes));
        assert_eq!(session.fixes_of(FixTarget::Place).unwrap().found().fixes.len(), n);
    }

    /// Returns the ramp with its fixes, in a session with a level, and the first fix being tried out.
    fn previewed() -> (Session, Box<Fix>) {
        let mut session = found();
        let mesh = TriMesh::clone(&session.bake.plan.as_ref().unwrap().input().mesh);
        let source = LevelSource::Builtin("ramp".to_owned());
        session.opened.level = Some(prepared(mesh, ImportOptions::default(), &source, Vec::new()));
        let fix = Box::new(settings_fix(&session));
        let work = FixCommand::TryOut(fix.clone()).carry_out(&mut session);
        let Some(Effect::Work(Work::Preview(request))) = work else { panic!("{work:?}") };
        assert!(request.input.settings.agent_max_slope > 60.0);
        (session, fix)
    }

    #[test]
    fn a_preview_changes_no_document_and_is_discarded_without_trace() {
        let before = found();
        let (mut session, fix) = previewed();
        assert_eq!(session.document(), before.document());
        assert_ne!(session.bake.navmesh_serial, before.bake.navmesh_serial);
        assert_eq!(session.divider(), Some(0.5));
        let old = session.bake.before.as_ref().unwrap();
        assert!(old.tiles.values().zip(before.bake.tiles.values()).all(|(a, b)| a.tile == b.tile));
        let again = FixCommand::TryOut(fix).carry_out(&mut session);
        assert!(again.is_none(), "one at a time");
        let stopped = FixCommand::Discard.carry_out(&mut session);
        assert!(matches!(stopped, Some(Effect::Work(Work::CancelPreview))));
        assert_eq!(session.document(), before.document());
        assert_eq!(session.bake.navmesh_serial, before.bake.navmesh_serial);
        assert!(session.bake.before.is_none() && session.divider().is_none());
        assert!(session.fixes_of(FixTarget::Place).is_some(), "the list of fixes is still there");
    }

    #[test]
    fn a_preview_that_is_kept_before_its_end_is_baked_again() {
        let (mut session, _) = previewed();
        FixCommand::Keep.carry_out(&mut session);
        assert!(session.document().settings.agent_max_slope > 60.0);
        assert_eq!(session.history.undo_label().as_deref(), Some("Apply fix"));
        assert!(session.preview.is_none() && session.is_stale());
    }

    #[test]
    fn a_change_of_the_document_ends_a_preview() {
        let (mut session, _) = previewed();
        assert!(drop_stale_preview(&mut session).is_none());
        session
            .history
            .change(Phrase::verbatim("other"), |document| document.settings.agent_radius = 0.1);
        assert!(matches!(drop_stale_preview(&mut session), Some(Work::CancelPreview)));
        assert!(session.preview.is_none());
    }
}

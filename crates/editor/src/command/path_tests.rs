//! Commands of the path tests.

use walkable::{
    diagnostic::Phrase,
    geom::Aabb,
    phrase,
    query::Scratch,
    suite::{CaseFilter, CaseResult, Expectation, PathCase, run_case},
};
use walkable_workspace::{
    lang::tr,
    path_tests::{Volumes, case_name, filter_of},
};

use super::{
    CameraMove, Command, Effect, Pane,
    describe::{Description, says},
};
use crate::session::{CaseState, Edit, Session};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathTestCommand {
    /// Adds the current path as a case that expects its result.
    Add,
    /// Shows the case with this number and its path.
    Choose(usize),
    Remove(usize),
    /// Gives the case with this number the ends and the filter of the path tool.
    TakePath(usize),
    /// Makes the latest result of the case with this number its expected outcome and length.
    AcceptResult(usize),
    Run,
    /// Shows the panel and the first failed case.
    ShowFailed,
}

impl PathTestCommand {
    pub(super) fn listed() -> Vec<Command> {
        [Self::Add, Self::Run, Self::ShowFailed].map(Command::from).to_vec()
    }

    pub(super) fn description(self) -> Description {
        match self {
            Self::Add => says(
                "path-tests.add",
                tr!("Add current path"),
                tr!("Adds the path of the path tool as a test, with its outcome and length as the expectation"),
            )
            .needs(|session| session.path.ends().is_some() && session.bake.navmesh.is_some(), tr!("Place both ends of the path and bake the level first.")),
            Self::Choose(index) => says(
                format!("path-tests.choose.{index}"),
                tr!("Show path test {}", index + 1),
                tr!("Moves the camera to the path and puts it into the path tool"),
            ),
            Self::Remove(index) => says(
                format!("path-tests.remove.{index}"),
                tr!("Remove path test {}", index + 1),
                tr!("Removes this path test"),
            ),
            Self::TakePath(index) => says(
                format!("path-tests.take-path.{index}"),
                tr!("Use current path"),
                tr!("Replaces the ends and the filter by those of the path tool"),
            )
            .needs(|session| session.path.ends().is_some(), tr!("Place both ends of the path first.")),
            Self::AcceptResult(index) => says(
                format!("path-tests.accept-result.{index}"),
                tr!("Accept result"),
                tr!("Makes the current outcome and length the expected ones"),
            ),
            Self::Run => says(
                "path-tests.run",
                tr!("Run path tests"),
                tr!("Runs all path tests again; they also run after each bake"),
            )
            .needs(|session| !session.document().path_tests.is_empty(), tr!("Add a path test first.")),
            Self::ShowFailed => says(
                "path-tests.show-failed",
                tr!("Show failed path test"),
                tr!("Shows the first path test that fails"),
            )
            .needs(|session| session.first_failed_case().is_some(), tr!("No path test has failed.")),
        }
    }

    pub(crate) fn carry_out(self, session: &mut Session) -> Vec<Effect> {
        match self {
            Self::Add => add(session),
            Self::Choose(index) => return choose(session, index).into_iter().collect(),
            Self::Remove(index) => remove(session, index),
            Self::TakePath(index) => take_path(session, index),
            Self::AcceptResult(index) => accept_result(session, index),
            Self::Run => session.path_tests.ask_again(),
            Self::ShowFailed => {
                let Some(index) = session.first_failed_case() else { return Vec::new() };
                let show = Effect::BringToFront(Pane::PathTests);
                return [show].into_iter().chain(choose(session, index)).collect();
            }
        }
        Vec::new()
    }
}

/// Returns the path of the path tool as a case without expectations.
fn current_path(session: &Session) -> Option<PathCase> {
    let [start, end] = session.path.ends()?;
    let base = filter_of(&session.document().areas);
    let filter = CaseFilter::difference(&session.path.filter, &base);
    Some(PathCase { filter, ..PathCase::new(start, end) })
}

/// Adds the current path as a case that expects the outcome and length that it has now.
fn add(session: &mut Session) {
    let (Some(mut case), Some(navmesh)) = (current_path(session), &session.bake.navmesh) else {
        return;
    };
    let document = session.document();
    let base = filter_of(&document.areas);
    let volumes = Volumes::of(&document.volumes);
    let result =
        volumes.in_world(navmesh, &base, |world| run_case(world, &case, &mut Scratch::default()));
    case.expects = result.map(|result| result.as_expectations()).unwrap_or_default();
    let mut cases = document.path_tests.clone();
    cases.push(case);
    session.path_tests.chosen = Some(cases.len() - 1);
    change(session, phrase!("Add path test"), cases);
}

/// Puts the path of a case into the path tool, and moves the camera there.
fn choose(session: &mut Session, index: usize) -> Option<Effect> {
    let case = session.document().path_tests.get(index)?.clone();
    let base = filter_of(&session.document().areas);
    session.path_tests.chosen = Some(index);
    (session.path.start, session.path.end) = (Some(case.start), Some(case.end));
    session.path.filter = case.filter.over(&base);
    session.update_path();
    let around = Aabb::around([case.start, case.end]);
    (!around.is_empty()).then_some(Effect::Camera(CameraMove::Frame(around)))
}

fn remove(session: &mut Session, index: usize) {
    let mut cases = session.document().path_tests.clone();
    if index >= cases.len() {
        return;
    }
    let removed = cases.remove(index);
    session.path_tests.chosen = None;
    let name = case_name(&removed, index).within();
    change(session, phrase!("Remove {name}", name), cases);
}

/// Replaces the ends and the filter of a case by those of the path tool.
fn take_path(session: &mut Session, index: usize) {
    let Some(PathCase { start, end, filter, .. }) = current_path(session) else { return };
    let mut cases = session.document().path_tests.clone();
    let Some(case) = cases.get_mut(index) else { return };
    *case = PathCase { start, end, filter, ..case.clone() };
    change(session, phrase!("Change path test"), cases);
}

/// Replaces the expected outcome and length of a case by those of its latest result.
fn accept_result(session: &mut Session, index: usize) {
    let result = session.case_state(index).and_then(CaseState::result);
    let Some(new) = result.map(CaseResult::as_expectations) else { return };
    let mut cases = session.document().path_tests.clone();
    let Some(case) = cases.get_mut(index) else { return };
    case.expects
        .retain(|expected| !matches!(expected, Expectation::Outcome(_) | Expectation::Length(_)));
    case.expects.splice(0..0, new);
    change(session, phrase!("Accept result"), cases);
}

fn change(session: &mut Session, label: Phrase, cases: Vec<PathCase>) {
    session.history.change(label, |document| Edit::PathTests(cases).apply(document));
}

//! The results of the path tests.

use serde::{Deserialize, Serialize};
use walkable::suite::{CaseResult, PathCase};
use walkable_workspace::path_tests::CaseState;

use super::Session;

/// Maximum number of places by which a case can move when others are added or removed and still be found.
const MAX_SHIFT: usize = 8;

/// The path tests' results. Those of the previous run stay until the next one is finished.
#[derive(Clone, Debug, Default)]
pub struct PathTests {
    latest: Option<PathTestQuestion>,
    /// Number of the case that is shown and edited.
    pub chosen: Option<usize>,
    results: Option<PathTestResults>,
}

/// The input of a run: equal inputs give equal results, apart from times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathTestQuestion {
    document: u64,
    navmesh: u64,
    agent: Option<String>,
    /// Names of the other agents on which cases run, and serial numbers of their navmeshes.
    others: Vec<(String, u64)>,
    /// The loaded part of a level larger than memory: the bits of its minimum and maximum along x and z.
    part: Option<[u32; 4]>,
}

impl PathTestQuestion {
    /// Returns the serial number of the navmesh on which `case` runs.
    fn navmesh_of(&self, case: &PathCase) -> u64 {
        let is_own = |(name, _): &&(String, u64)| case.agent.as_ref() == Some(name);
        self.others.iter().find(is_own).map_or(self.navmesh, |(_, serial)| *serial)
    }
}

#[derive(Clone, Debug)]
struct PathTestResults {
    question: PathTestQuestion,
    runs: Vec<CaseRun>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseRun {
    pub case: PathCase,
    pub state: CaseState,
    /// Whether a bake broke the case: it passed before that bake and has failed since.
    pub is_broken: bool,
}

impl CaseRun {
    /// Creates the run of a case that no bake broke.
    pub fn new(case: PathCase, state: CaseState) -> Self {
        Self { case, state, is_broken: false }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathTestCounts {
    pub passed: usize,
    pub failed: usize,
    /// Number of cases without a result.
    pub not_run: usize,
}

impl PathTests {
    pub fn ask(&mut self, question: PathTestQuestion) {
        self.latest = Some(question);
    }

    /// Requests a new run, even if nothing has changed.
    pub fn ask_again(&mut self) {
        self.latest = None;
    }

    /// Stores the results of the latest run. Returns the names of the cases that the last bake broke: they passed on the
    /// previous navmesh of the same agent and fail now.
    pub fn land(&mut self, mut runs: Vec<CaseRun>) -> Vec<String> {
        let Some(question) = self.latest.clone() else { return Vec::new() };
        let mut names = Vec::new();
        let is_comparable = |before: &PathTestResults| {
            // A path may end at the edge of another part.
            (&before.question.agent, before.question.part) == (&question.agent, question.part)
        };
        if let Some(before) = self.results.take().filter(is_comparable) {
            let mut next = 0;
            for (index, run) in runs.iter_mut().enumerate() {
                let Some(old) = same_case(&before.runs, index, &mut next, &run.case) else {
                    continue;
                };
                let is_new_navmesh =
                    before.question.navmesh_of(&run.case) != question.navmesh_of(&run.case);
                let fails = !run.state.failures().is_empty();
                let was_passed = old.state.result().is_some_and(CaseResult::is_passed);
                run.is_broken = fails && (old.is_broken || was_passed && is_new_navmesh);
                if run.is_broken && !old.is_broken {
                    names.push(run.case.label(index));
                }
            }
        }
        self.results = Some(PathTestResults { question, runs });
        names
    }

    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }
}

/// Finds the earlier run of `case`, which is now at `index`. `next` is the position after the run found last: cases keep
/// their order, so only a few runs from there are compared.
fn same_case<'a>(
    runs: &'a [CaseRun],
    index: usize,
    next: &mut usize,
    case: &PathCase,
) -> Option<&'a CaseRun> {
    let near = runs.iter().enumerate().skip(*next).take(MAX_SHIFT);
    let at_index = runs.iter().enumerate().skip(index).take(1);
    let (found, run) = near.chain(at_index).find(|(_, run)| run.case == *case)?;
    *next = found + 1;
    Some(run)
}

impl Session {
    /// Returns the state of case number `index` of the document; `None` if it was not run since it was changed.
    pub fn case_state(&self, index: usize) -> Option<&CaseState> {
        self.case_run(index).map(|run| &run.state)
    }

    fn case_run(&self, index: usize) -> Option<&CaseRun> {
        let case = self.document().path_tests.get(index)?;
        let run = self.path_tests.results.as_ref()?.runs.get(index)?;
        (run.case == *case).then_some(run)
    }

    pub fn path_test_counts(&self) -> PathTestCounts {
        let mut counts = PathTestCounts::default();
        for index in 0..self.document().path_tests.len() {
            let result = self.case_state(index).and_then(CaseState::result);
            match result.map(CaseResult::is_passed) {
                Some(true) => counts.passed += 1,
                Some(false) => counts.failed += 1,
                None => counts.not_run += 1,
            }
        }
        counts
    }

    pub fn first_failed_case(&self) -> Option<usize> {
        let fails = |index: &usize| {
            self.case_state(*index).is_some_and(|state| !state.failures().is_empty())
        };
        (0..self.document().path_tests.len()).find(fails)
    }

    /// Returns the names of the cases that a bake broke and that still fail.
    pub fn broken_cases(&self) -> Vec<String> {
        let runs = (0..self.document().path_tests.len()).map(|index| (index, self.case_run(index)));
        let broken =
            runs.filter_map(|(index, run)| Some((index, run.filter(|run| run.is_broken)?)));
        broken.map(|(index, run)| run.case.label(index)).collect()
    }

    pub fn chosen_case(&self) -> Option<(usize, &PathCase)> {
        let index = self.path_tests.chosen?;
        Some((index, self.document().path_tests.get(index)?))
    }

    /// Returns the run to start without a command: after a change of the tests or of a navmesh, when no bake is running
    /// and the navmeshes are up to date.
    pub fn due_path_tests(&self) -> Option<PathTestQuestion> {
        let is_waiting = self.bake.progress.is_some()
            || self.preview.is_some()
            || self.history.in_transaction()
            || self.is_stale();
        if is_waiting || self.document().path_tests.is_empty() || self.bake.navmesh.is_none() {
            return None;
        }
        let agent = self.document().agents.active().map(|agent| agent.name.clone());
        let (document, navmesh) = (self.history.revision(), self.bake.navmesh_serial);
        let others = self.serials_of_tests()?;
        let part = self.world().map(|world| {
            let [min, max] = [world.part.min, world.part.max];
            [min.x, min.z, max.x, max.z].map(f32::to_bits)
        });
        let question = PathTestQuestion { document, navmesh, agent, others, part };
        (self.path_tests.latest.as_ref() != Some(&question)).then_some(question)
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use walkable::{
        diagnostic::Phrase,
        query::PathStatus,
        suite::{CaseFailure, Expectation},
    };

    use super::*;

    fn case(name: &str) -> PathCase {
        PathCase { name: name.to_owned(), ..PathCase::new(Vec3::ZERO, Vec3::X) }
    }

    fn passed(case: &PathCase) -> CaseRun {
        let (status, failures) = (PathStatus::Complete, Vec::new());
        let result = CaseResult { status, why: None, length: 1.0, cost: 1.0, failures };
        CaseRun::new(case.clone(), CaseState::Run(result))
    }

    fn failed(case: &PathCase) -> CaseRun {
        let expectation = Expectation::MaxMs(1.0);
        let (measured, limit, at) = (None, None, None);
        let failure =
            CaseFailure { expectation, measured, limit, at, text: Phrase::verbatim("slow") };
        let mut run = passed(case);
        if let CaseState::Run(result) = &mut run.state {
            result.failures.push(failure);
        }
        run
    }

    fn question(navmesh: u64, agent: Option<&str>) -> PathTestQuestion {
        let (agent, others) = (agent.map(str::to_owned), Vec::new());
        PathTestQuestion { document: 1, navmesh, agent, others, part: None }
    }

    #[test]
    fn no_test_is_broken_by_loading_another_part() {
        let gate = case("Gate");
        let of_part =
            |navmesh, part| PathTestQuestion { part: Some([part; 4]), ..question(navmesh, None) };
        for (after, expected) in [(of_part(2, 1), vec!["Gate"]), (of_part(2, 7), vec![])] {
            let mut tests = PathTests::default();
            tests.ask(of_part(1, 1));
            tests.land(vec![passed(&gate)]);
            tests.ask(after);
            assert_eq!(tests.land(vec![failed(&gate)]), expected);
        }
    }

    #[test]
    fn only_a_test_that_passed_on_the_previous_navmesh_of_the_agent_is_broken() {
        let [gate, roof] = ["Gate", "Roof"].map(case);
        let other = PathCase { end: Vec3::Z, ..gate.clone() };
        for (name, before, after, runs, expected) in [
            ("broken", question(1, None), question(2, None), failed(&gate), vec!["Gate"]),
            ("same navmesh", question(1, None), question(1, None), failed(&gate), vec![]),
            ("other agent", question(1, None), question(2, Some("Cat")), failed(&gate), vec![]),
            ("failed before", question(1, None), question(2, None), failed(&roof), vec![]),
            ("edited", question(1, None), question(2, None), failed(&other), vec![]),
            ("passes", question(1, None), question(2, None), passed(&gate), vec![]),
        ] {
            let mut tests = PathTests::default();
            tests.ask(before);
            assert_eq!(tests.land(vec![passed(&gate), failed(&roof)]), Vec::<String>::new());
            tests.ask(after);
            assert_eq!(tests.land(vec![runs]), expected, "{name}");
        }
    }

    #[test]
    fn cases_are_found_again_after_others_were_added_removed_or_edited() {
        let cases: Vec<_> = ["A", "B", "C", "D"].map(case).to_vec();
        let other = case("Other");
        let all = |cases: &[PathCase], run: fn(&PathCase) -> CaseRun| {
            cases.iter().map(run).collect::<Vec<_>>()
        };
        let edited = |change: fn(&mut Vec<PathCase>, PathCase)| {
            let mut edited = cases.clone();
            change(&mut edited, other.clone());
            edited
        };
        for (after, expected) in [
            (cases.clone(), vec!["A", "B", "C", "D"]),
            (edited(|cases, _| drop(cases.remove(1))), vec!["A", "C", "D"]),
            (edited(|cases, other| cases.insert(0, other)), vec!["A", "B", "C", "D"]),
            (edited(|cases, other| cases[1] = other), vec!["A", "C", "D"]),
        ] {
            let mut tests = PathTests::default();
            tests.ask(question(1, None));
            tests.land(all(&cases, passed));
            tests.ask(question(2, None));
            assert_eq!(tests.land(all(&after, failed)), expected);
        }
    }

    #[test]
    fn a_broken_test_stays_broken_until_it_passes_or_is_edited() {
        let gate = case("Gate");
        let mut session = Session::default();
        session
            .history
            .change(Phrase::verbatim("Add"), |document| document.path_tests = vec![gate.clone()]);
        let land = |session: &mut Session, navmesh, run: &CaseRun| {
            session.path_tests.ask(question(navmesh, None));
            session.path_tests.land(vec![run.clone()]);
            session.broken_cases().len()
        };
        assert_eq!(land(&mut session, 1, &passed(&gate)), 0);
        assert_eq!(land(&mut session, 2, &failed(&gate)), 1);
        assert_eq!(land(&mut session, 3, &failed(&gate)), 1);
        session
            .history
            .change(Phrase::verbatim("Edit"), |document| document.path_tests[0].end = Vec3::Z);
        assert_eq!((session.broken_cases().len(), session.case_state(0)), (0, None));
        session.history.undo();
        assert_eq!(session.broken_cases().len(), 1);
        assert_eq!(land(&mut session, 4, &passed(&gate)), 0);
    }
}

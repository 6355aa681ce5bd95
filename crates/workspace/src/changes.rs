//! Lists the differences between two navmeshes for users: one entry for each place or path test, with its text.

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{
    compare::{
        AreaChange, Comparison, GroundChange, GroundPatch, IslandChange, IslandChangeKind,
        IslandGround, LinkChange, LinkChangeKind,
    },
    geom::Aabb,
    ids::AreaId,
    links::LinkState,
    query::PathStatus,
    suite::PathCase,
};

use crate::{
    format::{area, counted, fixed_length, length, rounded_coordinates},
    lang::{self, tr},
    path_tests::CaseState,
};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FoundChanges {
    pub comparison: Comparison,
    /// The changes of path tests, followed by all others, the largest first. Off-mesh links have no area, so they are
    /// last.
    pub list: Vec<Change>,
}

impl FoundChanges {
    /// Lists the differences; `paths` are those of the path tests.
    pub fn new(comparison: Comparison, paths: Vec<Change>) -> Self {
        let mut places = changes(&comparison);
        places.sort_by(|a, b| b.area.total_cmp(&a.area));
        let list = paths.into_iter().chain(places).collect();
        Self { comparison, list }
    }
}

/// Maximum number of islands that are named in the text of a change.
const MAX_ISLANDS: usize = 5;

/// Relative difference of path lengths and costs that is ignored.
const LENGTH_TOLERANCE: f32 = 0.001;
/// Absolute difference of path lengths and costs that is ignored.
const LENGTH_NOISE: f32 = 0.01;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ChangeKind {
    /// Ground that only the second navmesh has.
    Gained,
    /// Ground that only the first navmesh has.
    Lost,
    Island,
    Link,
    Area,
    Path,
}

impl ChangeKind {
    /// All kinds, in the order in which they are listed.
    pub const ALL: [Self; 6] =
        [Self::Gained, Self::Lost, Self::Island, Self::Link, Self::Area, Self::Path];

    pub fn name(self) -> &'static str {
        match self {
            Self::Gained => tr!("Gained"),
            Self::Lost => tr!("Lost"),
            Self::Island => tr!("Island"),
            Self::Link => tr!("Off-mesh link"),
            Self::Area => tr!("Area"),
            Self::Path => tr!("Path test"),
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Gained => tr!("Gained"),
            Self::Lost => tr!("Lost"),
            Self::Island => tr!("Islands"),
            Self::Link => tr!("Off-mesh links"),
            Self::Area => tr!("Areas"),
            Self::Path => tr!("Path tests"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    pub kind: ChangeKind,
    pub index: usize,
    /// The area that it concerns, in square meters; 0 for links and path tests.
    pub area: f64,
    pub point: Vec3,
    pub bounds: Aabb,
    subject: Subject,
}

/// What changed, as values: the text is made when it is shown, in the current language and unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Subject {
    /// Ground of this area, at this point, with sides along x and z.
    Ground {
        area: f64,
        point: Vec3,
        sides: [f32; 2],
    },
    Island(IslandChange),
    Link(LinkChange),
    Area(AreaChange),
    /// A path test of this name, and its states on the two navmeshes.
    Path(String, Box<[CaseState; 2]>),
}

impl Change {
    /// `bounds` are the bounds of the start and the end.
    fn of_path(
        (index, name): (usize, String),
        states: [CaseState; 2],
        start: Vec3,
        bounds: Aabb,
    ) -> Self {
        let subject = Subject::Path(name, Box::new(states));
        Self { kind: ChangeKind::Path, index, area: 0.0, point: start, bounds, subject }
    }

    /// Returns the name of a path test and its states on the two navmeshes; `None` for other changes.
    pub fn path_states(&self) -> Option<(&str, &[CaseState; 2])> {
        match &self.subject {
            Subject::Path(name, states) => Some((name, states)),
            Subject::Ground { .. } | Subject::Island(_) | Subject::Link(_) | Subject::Area(_) => {
                None
            }
        }
    }

    pub fn text(&self) -> String {
        match &self.subject {
            Subject::Ground { area, point, sides } => patch_text(*area, *point, *sides),
            Subject::Island(change) => island_text(change),
            Subject::Link(change) => link_text(change),
            Subject::Area(change) => area_text(change),
            Subject::Path(name, states) => {
                let [before, after] = &**states;
                format!("{name}: {}", path_differences(before, after).join("; "))
            }
        }
    }
}

/// Lists all changes of a comparison by kind, the largest of each kind first.
pub fn changes(comparison: &Comparison) -> Vec<Change> {
    let Comparison { gained, lost, islands, off_mesh_links, areas, .. } = comparison;
    let patch = |kind| {
        move |(index, patch): (usize, &GroundPatch)| Change {
            kind,
            index,
            area: patch.area,
            point: patch.point,
            bounds: patch.bounds,
            subject: Subject::Ground {
                area: patch.area,
                point: patch.point,
                sides: [patch.bounds.size().x, patch.bounds.size().z],
            },
        }
    };
    let mut found: Vec<Change> =
        gained.patches.iter().enumerate().map(patch(ChangeKind::Gained)).collect();
    found.extend(lost.patches.iter().enumerate().map(patch(ChangeKind::Lost)));
    found.extend(islands.iter().enumerate().map(|(index, change)| {
        let point = change.point().unwrap_or_default();
        let grounds = change.before.iter().chain(&change.after);
        let around = grounds.min_by(|a, b| {
            let distance = |ground: &IslandGround| ground.point.distance_squared(point);
            distance(a).total_cmp(&distance(b))
        });
        let bounds = around.map_or_else(|| Aabb::around([point]), |ground| ground.bounds);
        let (kind, area) = (ChangeKind::Island, change.area());
        Change { kind, index, area, point, bounds, subject: Subject::Island(change.clone()) }
    }));
    found.extend(off_mesh_links.iter().enumerate().map(|(index, link)| Change {
        kind: ChangeKind::Link,
        index,
        area: 0.0,
        point: link.start,
        bounds: Aabb::around([link.start, link.end]),
        subject: Subject::Link(link.clone()),
    }));
    found.extend(areas.iter().enumerate().map(|(index, change)| Change {
        kind: ChangeKind::Area,
        index,
        area: change.area,
        point: change.point,
        bounds: Aabb::around([change.point]),
        subject: Subject::Area(*change),
    }));
    found
}

/// Lists the path tests whose results differ: they pass only on one navmesh, lead less far, or have another length or cost.
/// `before` and `after` are the states of `cases` on the two navmeshes.
pub fn path_changes(cases: &[PathCase], before: &[CaseState], after: &[CaseState]) -> Vec<Change> {
    let states = before.iter().zip(after);
    let changed = cases.iter().zip(states).enumerate().filter_map(|(index, (case, (old, new)))| {
        let (states, bounds) = ([old.clone(), new.clone()], Aabb::around([case.start, case.end]));
        let change = Change::of_path((index, case.label(index)), states, case.start, bounds);
        (!path_differences(old, new).is_empty()).then_some(change)
    });
    changed.collect()
}

fn path_differences(before: &CaseState, after: &CaseState) -> Vec<String> {
    let mut list = Vec::new();
    let failures = |state: &CaseState| {
        let texts = state.failures().iter().map(|failure| lang::phrase(&failure.text));
        let texts: Vec<_> = texts.collect();
        texts.join("; ")
    };
    let (old, new) = match (before, after) {
        (CaseState::NotRun(_), CaseState::NotRun(_)) => return list,
        (CaseState::NotRun(why), CaseState::Run(new)) => {
            let verdict = if new.is_passed() { tr!("passes") } else { tr!("fails") };
            let why = lang::phrase(why);
            list.push(tr!("did not run before ({why}), {verdict} now"));
            return list;
        }
        (CaseState::Run(_), CaseState::NotRun(why)) => {
            list.push(tr!("does not run any more: {}", lang::phrase(why)));
            return list;
        }
        (CaseState::Run(old), CaseState::Run(new)) => (old, new),
    };
    match (old.is_passed(), new.is_passed()) {
        (true, false) => list.push(tr!("passed before, fails now: {}", failures(after))),
        (false, true) => list.push(tr!("failed before, passes now").to_owned()),
        (true, true) | (false, false) => {}
    }
    if old.status != new.status {
        let [old, new] = [old.status, new.status].map(status_name);
        list.push(tr!("{old} became {new}"));
    }
    if [old.status, new.status].contains(&PathStatus::Unreachable) {
        return list;
    }
    let is_other =
        |old: f32, new: f32| (new - old).abs() > (old.abs() * LENGTH_TOLERANCE).max(LENGTH_NOISE);
    if is_other(old.length, new.length) {
        let [old, new] = [old.length, new.length].map(fixed_length);
        list.push(tr!("length {old} became {new}"));
    }
    if is_other(old.cost, new.cost) {
        let [old, new] = [old.cost, new.cost];
        list.push(tr!("cost {old:.2} became {new:.2}"));
    }
    list
}

fn status_name(status: PathStatus) -> &'static str {
    match status {
        PathStatus::Complete => tr!("complete"),
        PathStatus::Partial => tr!("partial"),
        PathStatus::Unreachable => tr!("unreachable"),
    }
}

pub fn ground_text(change: &GroundChange, tolerance: f64) -> String {
    let places = counted(change.patches.len(), "place", "places");
    let text = format!("{} in {places}", area(change.area));
    let strips = area(change.strips);
    match change.strips {
        0.0 => text,
        _ if tolerance > 0.0 => {
            tr!("{text}, and {strips} in strips narrower than {}", length(tolerance))
        }
        _ => tr!("{text}, and {strips} in smaller places"),
    }
}

pub(crate) fn at(point: Vec3) -> String {
    rounded_coordinates(point).join(",")
}

fn patch_text(square_meters: f64, point: Vec3, sides: [f32; 2]) -> String {
    let [x, z] = sides.map(length);
    tr!("{} at {}, {x} by {z}", area(square_meters), at(point))
}

fn island_text(change: &IslandChange) -> String {
    let one = |island: &IslandGround| format!("{} at {}", area(island.area), at(island.point));
    let list = |islands: &[IslandGround]| {
        let mut list: Vec<_> = islands.iter().take(MAX_ISLANDS).map(one).collect();
        let n_more = islands.len().saturating_sub(MAX_ISLANDS);
        list.extend((n_more > 0).then(|| tr!("and {n_more} smaller")));
        list.join(", ")
    };
    let sum =
        |islands: &[IslandGround]| area(islands.iter().map(|island| island.area).sum::<f64>());
    let IslandChange { before, after, .. } = change;
    match change.kind {
        IslandChangeKind::Split => {
            tr!("split: {} into {}: {}", sum(before), after.len(), list(after))
        }
        IslandChangeKind::Joined => {
            tr!("joined: {} from {}: {}", sum(after), before.len(), list(before))
        }
        IslandChangeKind::Regrouped => {
            tr!("regrouped: {} became {}", list(before), list(after))
        }
        IslandChangeKind::Lost => format!("lost: {}", list(before)),
        IslandChangeKind::Gained => format!("gained: {}", list(after)),
    }
}

fn link_text(link: &LinkChange) -> String {
    let LinkChange { user_id, start, end, .. } = link;
    let ends = tr!("off-mesh link {user_id} from {} to {}", at(*start), at(*end));
    let connected = |state| {
        if state == Some(LinkState::Connected) { "connected" } else { tr!("not connected") }
    };
    let text = match link.kind {
        LinkChangeKind::Disconnected => tr!("{ends} is not connected any more"),
        LinkChangeKind::Connected => tr!("{ends} is connected now"),
        LinkChangeKind::Removed => tr!("{ends} was removed; it was {}", connected(link.before)),
        LinkChangeKind::Added => tr!("{ends} was added; it is {}", connected(link.after)),
    };
    match link.findings.first() {
        Some(finding) => tr!("{text}: {}", lang::diagnostic(finding)),
        None => text,
    }
}

fn area_text(change: &AreaChange) -> String {
    let tag = |(AreaId(area), flags): (AreaId, u16)| tr!("area {area}, flags {flags:#06x}");
    let (size, place) = (area(change.area), at(change.point));
    tr!("{size} at {place}: {} became {}", tag(change.before), tag(change.after))
}

#[cfg(test)]
mod tests {
    use walkable::{
        diagnostic::Phrase,
        suite::{CaseFailure, CaseResult, Expectation, Outcome},
    };

    use super::*;
    use crate::lang::Language;

    fn run(status: PathStatus, length: f32, failures: &[&str]) -> CaseState {
        let failure = |text: &&str| CaseFailure {
            expectation: Expectation::Outcome(Outcome::Reachable),
            measured: None,
            limit: None,
            at: None,
            text: Phrase::verbatim(*text),
        };
        let failures = failures.iter().map(failure).collect();
        CaseState::Run(CaseResult { status, why: None, length, cost: 2.0 * length, failures })
    }

    #[test]
    fn path_tests_with_other_results_are_listed() {
        use PathStatus::{Complete, Partial};
        let case = PathCase { name: "Gate".to_owned(), ..PathCase::new(Vec3::X, Vec3::ZERO) };
        let partial = ["the path is partial"];
        let not_run = || CaseState::NotRun("no agent".to_owned().into());
        let passed = |length| run(Complete, length, &[]);
        for (before, after, expected) in [
            (passed(100.0), passed(100.05), None),
            (not_run(), not_run(), None),
            (
                passed(100.0),
                passed(100.5),
                Some("length 100.00 m became 100.50 m; cost 200.00 became 201.00"),
            ),
            (
                passed(5.0),
                run(Partial, 5.0, &partial),
                Some("passed before, fails now: the path is partial; complete became partial"),
            ),
            (run(Complete, 5.0, &partial), passed(5.0), Some("failed before, passes now")),
            (passed(5.0), not_run(), Some("does not run any more: no agent")),
            (
                not_run(),
                run(Partial, 1.0, &partial),
                Some("did not run before (no agent), fails now"),
            ),
        ] {
            let cases = std::slice::from_ref(&case);
            let found = path_changes(cases, &[before], &[after]);
            let texts: Vec<_> = found.iter().map(Change::text).collect();
            let expected: Vec<_> = expected.iter().map(|text| format!("Gate: {text}")).collect();
            assert_eq!(texts, expected);
        }
        let [change] = &path_changes(&[case], &[passed(5.0)], &[not_run()])[..] else {
            panic!("one change");
        };
        lang::set_language(Language::Chinese);
        assert_eq!(change.text(), "Gate: 不再运行：no agent");
        lang::set_language(Language::English);
    }
}

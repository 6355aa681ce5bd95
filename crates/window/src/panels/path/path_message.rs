//! The texts of the path panel: the outcome of the search, its reason, and what to do next.

use glam::Vec3;
use walkable::{
    diagnostic::Diagnostic,
    query::{NavPath, PathStatus, WhyNot},
};
use walkable_editor::{
    answer::OffMesh,
    session::{PathState, SessionView},
};
use walkable_workspace::{
    format::{counted, length, sentence},
    lang::{self, tr},
    path_terms::Method,
};

use super::{
    message::{PathMessage, Tone},
    route::{route_message, sentence_of},
};

impl PathMessage {
    fn with_findings(mut self, findings: &[Diagnostic]) -> Self {
        for found in findings {
            let text = sentence(&lang::diagnostic(found));
            self.why.extend([" ", &text, "."]);
        }
        if !findings.is_empty() && self.tone == Tone::Good {
            self.tone = Tone::Fair;
            self.title = tr!("Complete, moved ends");
            self.next = Some(tr!("Move the point onto the navmesh, or lower Search half-extents."));
        }
        self
    }
}

/// Describes the state of the session's path. `off_mesh` is the end that is off the navmesh, if there is one.
pub(super) fn path_message(view: &SessionView<'_>, off_mesh: Option<&OffMesh>) -> PathMessage {
    let path = &view.path;
    let waiting = |title, why: &str, next| PathMessage {
        tone: Tone::Waiting,
        title,
        why: why.to_owned(),
        next: Some(next),
    };
    match (&view.opened.level, &view.bake.navmesh) {
        (None, _) if view.bake.navmesh.is_none() => {
            return waiting(
                tr!("No level"),
                tr!("There is no navmesh."),
                tr!("Open a level or a navmesh."),
            );
        }
        (_, None) if view.bake.progress.is_some() => {
            return waiting(
                tr!("Baking"),
                tr!("There is no navmesh yet."),
                tr!("Points can be placed already."),
            );
        }
        (_, None) => {
            return waiting(
                tr!("No navmesh"),
                tr!("The level is not baked."),
                tr!("Bake it with Ctrl-B."),
            );
        }
        _ => {}
    }
    match (path.start, path.end, &path.answer) {
        (None, _, _) => waiting(tr!("No start"), "", tr!("Click a place with the path tool (2).")),
        (_, None, _) => waiting(tr!("No end"), "", tr!("Click where the path should lead.")),
        (Some(_), Some(_), Some(answer)) if view.needs_route() => {
            route_message(view, answer.why().unwrap_or(WhyNot::NotLoaded))
        }
        (Some(start), Some(end), Some(answer)) => {
            let search = SearchTerms::of(path, [start, end]);
            let message = answered(&answer.path, answer.why(), (search, off_mesh));
            let message = message.with_findings(&answer.findings);
            // The explanation is more precise than the general advice.
            let is_explained =
                view.present_break().is_some() && answer.why() == Some(WhyNot::Disconnected);
            PathMessage { next: message.next.filter(|_| !is_explained), ..message }
        }
        _ if path.method == Method::Polyanya => waiting(
            tr!("Not with Polyanya"),
            tr!("Area costs differ, and Polyanya supports only one cost."),
            tr!("Search with Detour A*, or make all costs equal."),
        ),
        _ => waiting(tr!("Searching"), "", tr!("The search is running.")),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Start,
    End,
}

impl End {
    fn name(self) -> &'static str {
        match self {
            Self::Start => tr!("start"),
            Self::End => tr!("end"),
        }
    }
}

#[derive(Clone, Copy)]
struct SearchTerms {
    ends: [Vec3; 2],
    half_extents: Vec3,
    max_nodes: usize,
    backwards: bool,
    requires_goal: bool,
}

impl SearchTerms {
    fn of(path: &PathState, ends: [Vec3; 2]) -> Self {
        let &PathState { half_extents, max_nodes, backwards, requires_goal, .. } = path;
        Self { ends, half_extents, max_nodes, backwards, requires_goal }
    }

    fn gap(&self, path: &NavPath) -> String {
        let [start, end] = self.ends;
        let text = if self.backwards {
            let first = path.points.first();
            first.map(|first| tr!("It begins {} from the start.", length(first.distance(start))))
        } else {
            let last = path.points.last();
            last.map(|last| tr!("It stops {} short.", length(last.distance(end))))
        };
        text.map(|text| format!(" {text}")).unwrap_or_default()
    }

    fn off_mesh(
        &self,
        end: End,
        off_mesh: Option<&OffMesh>,
        gap: &str,
    ) -> (String, Option<&'static str>) {
        let (side, up) = (length(self.half_extents.x), length(self.half_extents.y));
        let here = off_mesh.and_then(|off| off.line.as_deref());
        let here = here.map(|line| tr!(" There it is {line}.")).unwrap_or_default();
        let away = off_mesh.and_then(|off| Some(off.nearest?.distance(off.point)));
        let away = away.map(|away| tr!(" The nearest is {} away.", length(away)));
        let away = away.unwrap_or_default();
        let name = end.name();
        let why = tr!("No walkable polygon within {side} × {up} of the {name}.{here}{away}{gap}");
        (why, Some(self.onto_navmesh(end)))
    }

    fn onto_navmesh(&self, end: End) -> &'static str {
        let goal = if self.backwards { End::Start } else { End::End };
        match (end, self.requires_goal && end == goal) {
            (End::Start, false) => tr!("Move the start onto the navmesh."),
            (End::End, false) => tr!("Move the end onto the navmesh."),
            (End::Start, true) => {
                tr!("Move the start onto the navmesh, or do not require a navigable start.")
            }
            (End::End, true) => {
                tr!("Move the end onto the navmesh, or do not require a navigable end.")
            }
        }
    }
}

fn answered(
    path: &NavPath,
    why: Option<WhyNot>,
    terms: (SearchTerms, Option<&OffMesh>),
) -> PathMessage {
    let (tone, title) = match path.status {
        PathStatus::Complete => (Tone::Good, tr!("Complete")),
        PathStatus::Partial => (Tone::Fair, tr!("Partial")),
        PathStatus::Unreachable => (Tone::Bad, tr!("No path")),
    };
    let (why, next) = why_not(path, why, terms);
    PathMessage { tone, title, why, next }
}

fn why_not(
    path: &NavPath,
    why: Option<WhyNot>,
    (search, off_mesh): (SearchTerms, Option<&OffMesh>),
) -> (String, Option<&'static str>) {
    let gap = search.gap(path);
    match why {
        None if path.status == PathStatus::Complete => {
            let n = counted(path.corridor.len(), "polygon", "polygons");
            (tr!("The path leads to the end through {n}."), None)
        }
        None => (tr!("The search reports no reason.").to_owned(), None),
        Some(WhyNot::StartOffMesh) => search.off_mesh(End::Start, off_mesh, &gap),
        Some(WhyNot::EndOffMesh) => search.off_mesh(End::End, off_mesh, &gap),
        Some(why @ (WhyNot::StartFiltered | WhyNot::EndFiltered)) => {
            let end = if why == WhyNot::StartFiltered { End::Start } else { End::End };
            let end = end.name();
            let why = tr!("The filter excludes the ground near the {end}.{gap}");
            (why, Some(tr!("Change the filter, or move the point.")))
        }
        Some(WhyNot::Disconnected) => (
            tr!("No connection leads from the start to the end.{gap}"),
            Some(tr!("Raise the climb, lower the radius, or change the filter.")),
        ),
        Some(WhyNot::OneWay) => (
            tr!("Off-mesh links lead only the other way, from the end.{gap}"),
            Some(tr!("Make an off-mesh link bidirectional.")),
        ),
        Some(WhyNot::Filtered) => (
            tr!("Only ground that the filter excludes leads to the end.{gap}"),
            Some(tr!("Change the filter.")),
        ),
        Some(WhyNot::NodeLimit) => {
            let n = counted(search.max_nodes, "node", "nodes");
            (
                tr!("The search used all of its {n}, but the end can be reached."),
                Some(tr!("Let the search use more nodes.")),
            )
        }
        Some(WhyNot::CostLimit) => {
            let why = tr!("Every path costs more than the cost limit.{gap}");
            (why, Some(tr!("Raise the cost limit.")))
        }
        Some(WhyNot::LoopBound) => {
            let why = tr!("The search reached its limit of polygons, but the end can be reached.");
            let why = why.to_owned();
            (why, Some(tr!("Raise the limit of polygons.")))
        }
        // If all of a tile store is open, only its damaged tiles are not loaded.
        Some(why @ (WhyNot::StartNotLoaded | WhyNot::EndNotLoaded | WhyNot::NotLoaded)) => (
            format!("{}{gap}", sentence_of(why)),
            Some(tr!("Bake the damaged tiles of the store again.")),
        ),
        Some(_) => (tr!("The search failed for an unknown reason.").to_owned(), None),
    }
}

#[cfg(test)]
mod tests {
    use walkable_editor::session::Session;

    use super::*;

    fn path(status: PathStatus, why: Option<WhyNot>) -> NavPath {
        NavPath {
            status,
            why,
            start: None,
            end: None,
            corridor: Vec::new(),
            portals: Vec::new(),
            points: match status {
                PathStatus::Unreachable => Vec::new(),
                _ => vec![Vec3::ZERO, Vec3::new(1.0, 0.0, 0.0)],
            },
            length: 1.0,
            cost: 1.0,
            n_expanded: 1,
        }
    }

    #[track_caller]
    fn check(status: PathStatus, why: Option<WhyNot>, expected: (Tone, &str)) {
        let ends = [Vec3::new(-2.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0)];
        check_of(SearchTerms::of(&PathState::default(), ends), &path(status, why), expected);
    }

    #[track_caller]
    fn check_of(search: SearchTerms, path: &NavPath, expected: (Tone, &str)) {
        let off = OffMesh {
            point: Vec3::ZERO,
            line: Some("not walkable: x".to_owned()),
            nearest: Some(Vec3::new(3.0, 0.0, 4.0)),
        };
        let message = answered(path, path.why, (search, Some(&off)));
        assert_eq!((message.tone, &*message.why), expected);
    }

    #[test]
    fn every_reason_has_words() {
        use PathStatus::{Complete, Partial, Unreachable};
        let zero = (Tone::Good, "The path leads to the end through 0 polygons.");
        check(Complete, None, zero);
        let gap = "No connection leads from the start to the end. It stops 3 m short.";
        check(Partial, Some(WhyNot::Disconnected), (Tone::Fair, gap));
        let one_way = "Off-mesh links lead only the other way, from the end. It stops 3 m short.";
        check(Partial, Some(WhyNot::OneWay), (Tone::Fair, one_way));
        let filtered = "Only ground that the filter excludes leads to the end. It stops 3 m short.";
        check(Partial, Some(WhyNot::Filtered), (Tone::Fair, filtered));
        let shut = "The filter excludes the ground near the end.";
        check(Unreachable, Some(WhyNot::EndFiltered), (Tone::Bad, shut));
        let limit = "The search used all of its 65\u{2009}535 nodes, but the end can be reached.";
        check(Partial, Some(WhyNot::NodeLimit), (Tone::Fair, limit));
        let off = "No walkable polygon within 2 m × 4 m of the start. There it is not walkable: x. \
                   The nearest is 5 m away.";
        check(Unreachable, Some(WhyNot::StartOffMesh), (Tone::Bad, off));
    }

    #[test]
    fn a_search_from_the_end_comes_near_the_start() {
        let ends = [Vec3::new(-2.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0)];
        let search =
            SearchTerms { backwards: true, ..SearchTerms::of(&PathState::default(), ends) };
        let gap = "No connection leads from the start to the end. It begins 2 m from the start.";
        let partial = path(PathStatus::Partial, Some(WhyNot::Disconnected));
        check_of(search, &partial, (Tone::Fair, gap));
    }

    #[test]
    fn only_the_goal_of_the_search_may_be_off_the_mesh() {
        for (backwards, requires_goal, end, says_so) in [
            (false, true, End::End, true),
            (false, true, End::Start, false),
            (false, false, End::End, false),
            (true, true, End::Start, true),
            (true, true, End::End, false),
        ] {
            let usual = SearchTerms::of(&PathState::default(), [Vec3::ZERO; 2]);
            let next = SearchTerms { backwards, requires_goal, ..usual }.onto_navmesh(end);
            assert_eq!(next.contains("do not require"), says_so, "{next}");
            assert!(next.contains(&format!("the {} onto", end.name())), "{next}");
        }
    }

    #[test]
    fn an_empty_session_says_what_to_do_first() {
        let session = Session::default();
        let view = SessionView { session: &session, auto_bake: true };
        let message = path_message(&view, None);
        assert_eq!((message.tone, message.title), (Tone::Waiting, "No level"));
        assert!(message.next.is_some());
    }
}

//! What the path panel says: how the search went, why, and what to do next. Knows no window.

use glam::Vec3;
use walkable::query::{NavPath, PathStatus, WhyNot};

use crate::{
    answer::OffMesh,
    session::{Method, SessionView},
    widgets::format::{counted, metres},
};

/// How good the news is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Something is still to be done.
    Waiting,
    /// The path is complete.
    Good,
    /// The path is partial.
    Fair,
    /// There is no path.
    Bad,
}

/// The state of the path in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathWords {
    /// How good the news is.
    pub(crate) tone: Tone,
    /// The state in a word or two.
    pub(crate) title: &'static str,
    /// Why it is so.
    pub(crate) why: String,
    /// What to do next.
    pub(crate) next: Option<&'static str>,
}

/// Puts the state of the session's path in words. `off_mesh` is the end that is off the mesh, if one
/// is.
pub(crate) fn words(view: &SessionView<'_>, off_mesh: Option<&OffMesh>) -> PathWords {
    let path = &view.path;
    let waiting = |title, why: &str, next| PathWords {
        tone: Tone::Waiting,
        title,
        why: why.to_owned(),
        next: Some(next),
    };
    match (&view.level, &view.bake.navmesh) {
        (None, _) if view.bake.navmesh.is_none() => {
            return waiting(
                "No level",
                "There is nothing to walk on.",
                "Open a level or a navmesh.",
            );
        }
        (_, None) if view.bake.progress.is_some() => {
            return waiting("Baking", "There is no navmesh yet.", "Points can be placed already.");
        }
        (_, None) => {
            return waiting("No navmesh", "The level is not baked.", "Bake it with Ctrl-B.");
        }
        _ => {}
    }
    match (path.start, path.end, &path.answer) {
        (None, _, _) => waiting("No start", "", "Click a place with the path tool (2)."),
        (_, None, _) => waiting("No end", "", "Click where the path should lead."),
        (_, Some(end), Some(answer)) => {
            answered(&answer.path, end, Search::of(path.half_extents, path.max_nodes), off_mesh)
        }
        _ if path.method == Method::Polyanya => waiting(
            "Not by Polyanya",
            "Areas cost differently, and Polyanya knows one cost.",
            "Search by Detour A*, or make all costs the same.",
        ),
        _ => waiting("Searching", "", "The answer is on its way."),
    }
}

/// What the search was allowed.
#[derive(Clone, Copy)]
struct Search {
    half_extents: Vec3,
    max_nodes: usize,
}

impl Search {
    fn of(half_extents: Vec3, max_nodes: usize) -> Self {
        Self { half_extents, max_nodes }
    }
}

fn answered(path: &NavPath, wanted: Vec3, search: Search, off_mesh: Option<&OffMesh>) -> PathWords {
    let (tone, title) = match path.status {
        PathStatus::Complete => (Tone::Good, "Complete"),
        PathStatus::Partial => (Tone::Fair, "Partial"),
        PathStatus::Unreachable => (Tone::Bad, "No path"),
    };
    let (why, next) = why_not(path, wanted, search, off_mesh);
    PathWords { tone, title, why, next }
}

fn why_not(
    path: &NavPath,
    wanted: Vec3,
    search: Search,
    off_mesh: Option<&OffMesh>,
) -> (String, Option<&'static str>) {
    let off = |end: &str| {
        let (side, up) = (metres(search.half_extents.x), metres(search.half_extents.y));
        let here = off_mesh.and_then(|off| off.line.as_deref());
        let here = here.map(|line| format!(" There it is {line}.")).unwrap_or_default();
        let away = off_mesh.and_then(|off| Some(off.nearest?.distance(off.point)));
        let away = away.map(|away| format!(" The nearest is {} away.", metres(away)));
        let away = away.unwrap_or_default();
        format!("No walkable polygon within {side} × {up} of the {end}.{here}{away}")
    };
    let gap = path.points.last().map(|last| metres(last.distance(wanted)));
    match path.why {
        None if path.status == PathStatus::Complete => {
            let n = counted(path.corridor.len(), "polygon", "polygons");
            (format!("The path leads to the end through {n}."), None)
        }
        None => ("The search gives no reason.".to_owned(), None),
        Some(WhyNot::StartOffMesh) => (off("start"), Some("Move the start onto the navmesh.")),
        Some(WhyNot::EndOffMesh) => (off("end"), Some("Move the end onto the navmesh.")),
        Some(why @ (WhyNot::StartFiltered | WhyNot::EndFiltered)) => {
            let end = if why == WhyNot::StartFiltered { "start" } else { "end" };
            let why = format!("The ground near the {end} may not be used.");
            (why, Some("Allow more kinds of ground, or move the point."))
        }
        Some(WhyNot::Disconnected) => (
            format!("Nothing connects the start with the end.{}", short_by(gap)),
            Some("Raise the climb, lower the radius, or allow more kinds of ground."),
        ),
        Some(WhyNot::OneWay) => (
            format!("Connections lead only the other way, from the end.{}", short_by(gap)),
            Some("Make a connection lead both ways."),
        ),
        Some(WhyNot::Filtered) => (
            format!("Only ground that may not be used leads to the end.{}", short_by(gap)),
            Some("Allow more kinds of ground."),
        ),
        Some(WhyNot::NodeLimit) => {
            let n = counted(search.max_nodes, "node", "nodes");
            (format!("The search used all of its {n}."), Some("Choose an end nearer by."))
        }
        Some(WhyNot::CostLimit) => {
            let why = format!("Every way costs more than is allowed.{}", short_by(gap));
            (why, Some("Raise the cost limit."))
        }
        Some(WhyNot::LoopBound) => {
            let why = "The search looked at as many polygons as it may.".to_owned();
            (why, Some("Choose an end nearer by."))
        }
        Some(_) => ("The search gives a reason that has no words yet.".to_owned(), None),
    }
}

/// How far from the end a path stops, where it does.
fn short_by(gap: Option<String>) -> String {
    gap.map(|gap| format!(" It stops {gap} short.")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;

    fn path(status: PathStatus, why: Option<WhyNot>) -> NavPath {
        NavPath {
            status,
            why,
            start: None,
            end: None,
            corridor: Vec::new(),
            portals: Vec::new(),
            points: vec![Vec3::ZERO, Vec3::new(1.0, 0.0, 0.0)],
            length: 1.0,
            cost: 1.0,
            n_expanded: 1,
            expanded: Vec::new(),
        }
    }

    #[track_caller]
    fn check(status: PathStatus, why: Option<WhyNot>, expected: (Tone, &str)) {
        let search = Search::of(Vec3::new(2.0, 4.0, 2.0), 65_535);
        let off = OffMesh {
            point: Vec3::ZERO,
            line: Some("not walkable: x".to_owned()),
            nearest: Some(Vec3::new(3.0, 0.0, 4.0)),
        };
        let words = answered(&path(status, why), Vec3::new(4.0, 0.0, 0.0), search, Some(&off));
        assert_eq!((words.tone, &*words.why), expected);
    }

    #[test]
    fn every_reason_has_words() {
        use PathStatus::{Complete, Partial, Unreachable};
        let zero = (Tone::Good, "The path leads to the end through 0 polygons.");
        check(Complete, None, zero);
        let gap = "Nothing connects the start with the end. It stops 3 m short.";
        check(Partial, Some(WhyNot::Disconnected), (Tone::Fair, gap));
        let one_way = "Connections lead only the other way, from the end. It stops 3 m short.";
        check(Partial, Some(WhyNot::OneWay), (Tone::Fair, one_way));
        let filtered = "Only ground that may not be used leads to the end. It stops 3 m short.";
        check(Partial, Some(WhyNot::Filtered), (Tone::Fair, filtered));
        let shut = "The ground near the end may not be used.";
        check(Unreachable, Some(WhyNot::EndFiltered), (Tone::Bad, shut));
        let limit = "The search used all of its 65\u{2009}535 nodes.";
        check(Partial, Some(WhyNot::NodeLimit), (Tone::Fair, limit));
        let off = "No walkable polygon within 2 m × 4 m of the start. There it is not walkable: x. \
                   The nearest is 5 m away.";
        check(Unreachable, Some(WhyNot::StartOffMesh), (Tone::Bad, off));
    }

    #[test]
    fn an_empty_session_says_what_to_do_first() {
        let session = Session::default();
        let view = SessionView { session: &session, auto_bake: true };
        let words = words(&view, None);
        assert_eq!((words.tone, words.title), (Tone::Waiting, "No level"));
        assert!(words.next.is_some());
    }
}

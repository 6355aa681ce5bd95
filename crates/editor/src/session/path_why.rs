//! Why the path does not lead to its end, or goes a long way around.

use std::sync::Arc;

use walkable::{
    debug_draw::{DrawList, Paint},
    glam::Vec3,
    query::PathStatus,
    route::{RouteAnswer, RouteBreak, is_there},
};

use super::{PathTerms, Session};

/// What an analysis is about: equal questions, equal answers.
#[derive(Clone, Debug, PartialEq)]
pub struct PathQuestion {
    /// The path.
    pub terms: PathTerms,
    /// Serial number of the navmesh.
    pub navmesh: u64,
}

/// The analysis of the path, and the one before it until there is a new one.
#[derive(Clone, Debug, Default)]
pub struct PathWhy {
    asked: Option<PathQuestion>,
    /// Whether the path is being analyzed.
    pub is_busy: bool,
    result: Option<(PathQuestion, Result<Arc<RouteAnswer>, String>)>,
    /// Grows with every answer, for caches of what is drawn.
    pub serial: u64,
}

/// The newest answer.
#[derive(Clone, Debug)]
pub struct PathFinding<'a> {
    /// What was found, or why nothing could be.
    pub answer: &'a Result<Arc<RouteAnswer>, String>,
    /// Whether the navmesh or the path has changed since.
    pub is_stale: bool,
}

/// What is in the way of the path.
#[derive(Clone, Debug)]
pub struct PathBreaks<'a> {
    /// On the best crossing, in the order in which one comes to it.
    pub first: Vec<&'a RouteBreak>,
    /// On the second and third best.
    pub others: Vec<&'a RouteBreak>,
    /// Whether the navmesh or the path has changed since it was found.
    pub is_stale: bool,
}

impl PathWhy {
    /// Begins the analysis of `question`.
    pub fn ask(&mut self, question: PathQuestion) {
        (self.asked, self.is_busy) = (Some(question), true);
    }

    /// Takes in the answer to the question that was asked last.
    pub fn land(&mut self, answer: Result<RouteAnswer, String>) {
        let Some(question) = self.asked.clone() else { return };
        self.serial += 1;
        self.result = Some((question, answer.map(Arc::new)));
    }

    /// Forgets all, but goes on counting.
    pub(super) fn forget(&mut self) {
        *self = Self { serial: self.serial + 1, ..Self::default() };
    }
}

impl Session {
    /// The question of why the path is as it is; `None` without a path or a navmesh.
    pub fn path_question(&self) -> Option<PathQuestion> {
        let navmesh = self.bake.navmesh.as_ref().map(|_| self.bake.navmesh_serial)?;
        Some(PathQuestion { terms: self.path.terms()?, navmesh })
    }

    /// Whether the path ends where it was asked for.
    pub fn path_leads_there(&self) -> bool {
        let Some((answer, [start, end])) = self.path.answer.as_ref().zip(self.path.ends()) else {
            return false;
        };
        let path = &answer.path;
        path.status == PathStatus::Complete
            && is_there(start, path.start)
            && is_there(end, path.end)
    }

    /// The analysis that is due by itself: of a path that does not lead to its end, once the bake is done.
    pub fn due_path_question(&self) -> Option<PathQuestion> {
        self.path.answer.as_ref()?;
        if self.path_leads_there() || self.bake.progress.is_some() {
            return None;
        }
        self.path_question().filter(|question| self.path_why.asked.as_ref() != Some(question))
    }

    /// The newest analysis of the path.
    pub fn path_finding(&self) -> Option<PathFinding<'_>> {
        self.path.answer.as_ref()?;
        let (question, answer) = self.path_why.result.as_ref()?;
        let is_stale = self.path_question().as_ref() != Some(question);
        // Where the path leads to its end now, what was in its way before is over.
        let is_over = is_stale && self.path_leads_there();
        (!is_over).then_some(PathFinding { answer, is_stale })
    }

    /// What is drawn of what is in the way of the path.
    pub fn path_breaks(&self) -> Option<PathBreaks<'_>> {
        let is_hidden = self.lab.drawn().next().is_some() || self.shows_query();
        if !self.path.show.breaks || is_hidden {
            return None;
        }
        let PathFinding { answer: Ok(answer), is_stale } = self.path_finding()? else {
            return None;
        };
        let first: Vec<_> = answer.first.iter().chain(&answer.also).collect();
        let others: Vec<_> = answer.others.iter().collect();
        let is_empty = first.is_empty() && others.is_empty();
        (!is_empty).then_some(PathBreaks { first, others, is_stale })
    }

    /// What is in the way, for which fixes can be looked for: not of an analysis that is out of date.
    pub fn present_break(&self) -> Option<&RouteBreak> {
        let PathFinding { answer: Ok(answer), is_stale: false } = self.path_finding()? else {
            return None;
        };
        answer.first.as_ref()
    }
}

/// A pole at the break, and dashes between the places before and beyond it where an agent can stand. Lines are so many
/// points wide.
pub fn break_picture(found: &RouteBreak, width: f32) -> DrawList {
    let mut list = DrawList::default();
    let Some([foot, top]) = pole(found) else { return list };
    list.line([foot, top], width, Paint::Break);
    list.point(foot, 4.0 * width, Paint::Break);
    list.point(top, 3.0 * width, Paint::Break);
    for end in found.ends.into_iter().filter(|end| end.is_finite() && *end != found.place) {
        list.dashed_line([end, found.place], width, Paint::Break);
        list.point(end, 2.5 * width, Paint::Break);
    }
    list
}

/// Foot and top of the pole that marks a break; its label is written at the top.
pub fn pole(found: &RouteBreak) -> Option<[Vec3; 2]> {
    /// Above the heads of most agents, in meters.
    const HEIGHT: f32 = 2.2;
    found.place.is_finite().then(|| [found.place, found.place + Vec3::Y * HEIGHT])
}

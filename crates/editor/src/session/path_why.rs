//! The explanation of why the path does not reach its end, or takes a detour.

use std::sync::Arc;

use glam::Vec3;
use walkable::{
    debug_draw::{DrawList, Paint},
    query::PathStatus,
    route::{RouteAnswer, RouteBreak, is_there},
};
use walkable_workspace::{path_terms::PathTerms, path_why::PathWhyRequest};

use super::Session;

/// The input of an explanation: equal questions have equal answers.
#[derive(Clone, Debug, PartialEq)]
pub struct PathQuestion {
    pub terms: PathTerms,
    pub navmesh: u64,
}

/// The explanation of the path. The previous one stays until the next one is there.
#[derive(Clone, Debug, Default)]
pub struct PathWhy {
    latest_question: Option<PathQuestion>,
    result: Option<(PathQuestion, Result<Arc<RouteAnswer>, String>)>,
    /// Grows with each answer, for caches of pictures.
    pub serial: u64,
}

#[derive(Clone, Debug)]
pub struct PathFinding<'a> {
    pub answer: &'a Result<Arc<RouteAnswer>, String>,
    /// Whether the navmesh or the path has changed since.
    pub is_stale: bool,
}

#[derive(Clone, Debug)]
pub struct PathBreaks<'a> {
    /// The obstacles on the best crossing, from start to end.
    pub first: Vec<&'a RouteBreak>,
    /// The obstacles on the second and third best crossings.
    pub others: Vec<&'a RouteBreak>,
    /// Whether the navmesh or the path has changed since.
    pub is_stale: bool,
}

impl PathWhy {
    pub fn ask(&mut self, question: PathQuestion) {
        self.latest_question = Some(question);
    }

    pub fn land(&mut self, answer: Result<RouteAnswer, String>) {
        let Some(question) = self.latest_question.clone() else { return };
        self.serial += 1;
        self.result = Some((question, answer.map(Arc::new)));
    }

    pub(super) fn forget(&mut self) {
        *self = Self { serial: self.serial + 1, ..Self::default() };
    }
}

impl Session {
    /// Returns the question about the current path; `None` without a path or a navmesh.
    pub fn path_question(&self) -> Option<PathQuestion> {
        let bake = self.current_bake();
        let navmesh = bake.navmesh.as_ref().map(|_| bake.navmesh_serial)?;
        Some(PathQuestion { terms: self.path.terms()?, navmesh })
    }

    pub fn path_leads_there(&self) -> bool {
        let Some((answer, [start, end])) = self.path.answer.as_ref().zip(self.path.ends()) else {
            return false;
        };
        let path = &answer.path;
        path.status == PathStatus::Complete
            && is_there(start, path.start)
            && is_there(end, path.end)
    }

    /// Returns the question to start without a command: about a path that does not reach its end, when no bake is
    /// running.
    pub fn due_path_question(&self) -> Option<PathQuestion> {
        self.path.answer.as_ref()?;
        let is_waiting = self.bake.progress.is_some() || self.preview.is_some();
        // The obstacle is unknown if the path may lead through tiles that are not loaded.
        if self.path_leads_there() || is_waiting || self.needs_route() {
            return None;
        }
        self.path_question()
            .filter(|question| self.path_why.latest_question.as_ref() != Some(question))
    }

    pub fn path_finding(&self) -> Option<PathFinding<'_>> {
        self.path.answer.as_ref()?;
        let (question, answer) = self.path_why.result.as_ref()?;
        let is_stale = self.path_question().as_ref() != Some(question);
        // The obstacles on an earlier path do not concern a path that is complete now.
        let is_over = is_stale && self.path_leads_there();
        (!is_over).then_some(PathFinding { answer, is_stale })
    }

    pub fn path_breaks(&self) -> Option<PathBreaks<'_>> {
        let is_hidden = self.lab.drawn().next().is_some() || self.shows_query();
        if !self.path.show.breaks || is_hidden {
            return None;
        }
        let PathFinding { answer: Ok(answer), is_stale } = self.path_finding()? else {
            return None;
        };
        let mut first: Vec<_> = answer.first.iter().chain(&answer.also).collect();
        let mut others: Vec<_> = answer.others.iter().collect();
        if first.is_empty() {
            // For a complete path, these are the obstacles on the direct route.
            first = std::mem::take(&mut others);
        }
        let is_empty = first.is_empty() && others.is_empty();
        (!is_empty).then_some(PathBreaks { first, others, is_stale })
    }

    /// Returns the first obstacle on the path, unless the explanation is out of date.
    pub fn present_break(&self) -> Option<&RouteBreak> {
        let PathFinding { answer: Ok(answer), is_stale: false } = self.path_finding()? else {
            return None;
        };
        answer.first.as_ref()
    }
}

/// Draws a pole at the obstacle, and dashed lines to the walkable points before and behind it. `width` is in points.
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

/// Returns the foot and the top of the pole that marks an obstacle. Its label is written at the top.
pub fn pole(found: &RouteBreak) -> Option<[Vec3; 2]> {
    /// Height of the pole, in meters.
    const HEIGHT: f32 = 2.2;
    found.place.is_finite().then(|| [found.place, found.place + Vec3::Y * HEIGHT])
}

impl Session {
    /// Returns the request to explain the path; `None` without a path or a navmesh.
    pub fn path_why_request(&self) -> Option<PathWhyRequest> {
        self.path_why_request_for(self.path.terms()?)
    }

    /// Returns the request to explain a path; `None` without a navmesh.
    pub fn path_why_request_for(&self, terms: PathTerms) -> Option<PathWhyRequest> {
        Some(PathWhyRequest {
            plan: self.current_bake().plan.clone(),
            navmesh: Arc::clone(self.current_bake().navmesh.as_ref()?),
            terms,
            finish: self.document().finish(),
            obstacles: self.document().obstacles_on_layers(),
        })
    }
}

#[cfg(test)]
mod tests {
    use walkable::{
        bake::VolumeShape, diagnostic::Phrase, explain::Cause, geom::Aabb, monitor::Unmonitored,
        route::RouteDepth,
    };
    use walkable_workspace::{
        document::{Obstacle, Obstacles},
        layered::Layered,
    };

    use super::*;
    use crate::testing::baked;

    /// Returns the explanation of a path along the floor of 24 m, on which a wall of obstacles stands up to this x.
    fn behind_obstacles(x: f32) -> RouteAnswer {
        let mut session = baked();
        let wall = Aabb::new(Vec3::new(-1.0, -1.0, 14.0), Vec3::new(x, 3.0, 16.0));
        let shape = VolumeShape::Box(wall);
        let list = vec![Obstacle { shape }.into()];
        let obstacles = Obstacles { prepared: true, list };
        session.history.change(Phrase::verbatim("wall"), |document| document.obstacles = obstacles);
        let on_layers = session.document().obstacles_on_layers().unwrap();
        let plan = session.bake.plan.clone().unwrap();
        let layered = Layered::bake(&plan, &on_layers, &Unmonitored);
        session.bake.land_layers(layered.map_err(|why| why.to_string()));
        session.path.start = Some(Vec3::new(3.0, 0.0, 20.0));
        session.path.end = Some(Vec3::new(3.0, 0.0, 11.0));
        session.update_path();
        session
            .path_why_request()
            .unwrap()
            .answer(RouteDepth::Alternatives, &Unmonitored)
            .unwrap()
            .1
    }

    #[test]
    fn an_obstacle_across_the_path_is_the_cause() {
        let first = behind_obstacles(25.0).first.expect("it is in the way");
        assert_eq!(first.cause, Cause::Obstacle);
        assert!((13.5..16.5).contains(&first.place.z) && (1.0..5.0).contains(&first.place.x));
    }

    #[test]
    fn obstacles_that_leave_a_way_around_are_no_cause() {
        assert_eq!(behind_obstacles(12.0).first, None);
    }
}

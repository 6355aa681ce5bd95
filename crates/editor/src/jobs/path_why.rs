//! Explains the path in the background.

use serde::{Deserialize, Serialize};
use walkable::{
    diagnostic::Phrase,
    phrase,
    route::{RouteAnswer, RouteDepth},
};
use walkable_workspace::path_why::PathWhyRequest;

use crate::{
    jobs::{
        slot::Reporter,
        task::{FollowUp, Job, Task},
    },
    session::Session,
};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathWhyAnswer(pub Result<RouteAnswer, String>);

impl Job for PathWhyRequest {
    type Message = PathWhyAnswer;

    fn carry_out(self, report: &Reporter<PathWhyAnswer>) {
        let answer = self.answer(RouteDepth::Alternatives, report);
        let answer = answer.map(|(_, answer)| answer).map_err(|error| format!("{error:#}"));
        report.send(PathWhyAnswer(answer));
    }

    fn can_be_sent(&self) -> bool {
        // A navmesh file does not store which part of the level is loaded.
        self.plan.as_ref().is_none_or(|plan| plan.input().part.is_none())
    }
}

impl Task for PathWhyRequest {
    const THREAD: &'static str = "explain path";
    const ENDS_WITH_LEVEL: bool = true;

    fn what() -> Phrase {
        phrase!("Explaining the path")
    }

    fn apply(session: &mut Session, PathWhyAnswer(answer): PathWhyAnswer) -> Option<FollowUp> {
        session.path_why.land(answer);
        None
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Vec3;
    use walkable::{explain::Cause, geom::Aabb, monitor::Unmonitored, tile_cache::Obstacle};
    use walkable_workspace::layered::Layered;

    use super::*;
    use crate::{jobs::job_worker::testing::here_and_in_worker, task::TaskId, testing::baked};

    #[test]
    fn a_worker_gives_the_same_explanation() {
        let mut session = baked();
        session.path.start = Some(Vec3::new(3.0, 0.0, 20.0));
        for end in [Vec3::new(5.5, 1.0, 5.5), Vec3::new(13.0, 2.0, 6.0), Vec3::new(20.0, 0.0, 20.0)]
        {
            session.path.end = Some(end);
            session.update_path();
            let [here, there] =
                here_and_in_worker(TaskId::ExplainPath, || session.path_why_request().unwrap());
            assert_eq!(here, there);
            let [PathWhyAnswer(Ok(answer))] = &here[..] else { panic!("{here:?}") };
            assert_eq!(answer.first.is_some(), end.y > 0.0, "{answer:?}");
        }
    }

    #[test]
    fn a_worker_finds_the_same_obstacle() {
        let mut session = baked();
        session.path.start = Some(Vec3::new(3.0, 0.0, 20.0));
        session.path.end = Some(Vec3::new(20.0, 0.0, 20.0));
        session.update_path();
        let wall = Aabb::new(Vec3::new(9.0, -1.0, -1.0), Vec3::new(11.0, 9.0, 41.0));
        let obstacles = vec![Obstacle::Box(wall)];
        let [here, there] = here_and_in_worker(TaskId::ExplainPath, || {
            let request = session.path_why_request().unwrap();
            let plan = request.plan.as_deref().unwrap();
            let layered = Layered::bake(plan, &obstacles, &Unmonitored);
            let navmesh = layered.unwrap().nav_mesh(&request.finish, &mut 0).unwrap();
            let obstacles = Some(obstacles.clone());
            PathWhyRequest { navmesh: Arc::new(navmesh), obstacles, ..request }
        });
        assert_eq!(here, there);
        let [PathWhyAnswer(Ok(answer))] = &there[..] else { panic!("{there:?}") };
        let cause = answer.first.as_ref().map(|first| first.cause);
        assert_eq!(cause, Some(Cause::Obstacle), "{answer:?}");
    }
}

//! Explains the path in the background.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use walkable::{
    diagnostic::Phrase,
    navmesh::NavMesh,
    phrase,
    route::{RouteAnswer, RouteDepth},
};
use walkable_workspace::{path_why::PathWhyRequest, wire};

use crate::{
    jobs::{
        bake_workers::{plan_of_parts, plan_to_parts},
        job_workers::{JobKind, WorkerRequest},
        slot::Reporter,
        task::{Task, TaskProblem},
    },
    session::Session,
};

/// The explanation, or the reason why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathWhyAnswer(#[serde(with = "wire::formed")] pub Result<RouteAnswer, String>);

impl WorkerRequest for PathWhyRequest {
    type Message = PathWhyAnswer;
    const KIND: JobKind = JobKind::PathWhy;

    fn carry_out(self, report: &Reporter<PathWhyAnswer>) {
        let answer = self.answer(RouteDepth::Alternatives, report);
        report.send(PathWhyAnswer(answer.map(|(_, answer)| answer)));
    }

    fn to_parts(&self) -> Option<Vec<Vec<u8>>> {
        let Self { plan, navmesh, terms, finish, obstacles } = self;
        let input = plan.as_ref().map(|plan| plan.input());
        // A navmesh file does not store which part of the level is loaded.
        if input.is_some_and(|input| input.part.is_some()) {
            return None;
        }
        let obstacles = wire::obstacles_to_form(obstacles.as_deref());
        let rest = serde_json::to_vec(&(terms, finish, obstacles)).ok()?;
        let mut parts = vec![rest, navmesh.to_bytes()];
        if let Some(input) = input {
            parts.extend(plan_to_parts(input));
        }
        Some(parts)
    }

    fn from_parts(parts: &[&[u8]]) -> Option<Self> {
        let [rest, navmesh, plan @ ..] = parts else { return None };
        let (terms, finish, obstacles) = serde_json::from_slice(rest).ok()?;
        let navmesh = Arc::new(NavMesh::from_bytes(navmesh).ok()?);
        let plan = match plan {
            [] => None,
            [input, level] => Some(plan_of_parts(input, level)?),
            _ => return None,
        };
        let obstacles = wire::obstacles_of_form(obstacles);
        Some(Self { plan, navmesh, terms, finish, obstacles })
    }
}

impl Task for PathWhyRequest {
    const THREAD: &'static str = "explain path";

    fn what() -> Phrase {
        phrase!("Explaining the path")
    }

    fn apply(session: &mut Session, PathWhyAnswer(answer): PathWhyAnswer) -> Option<TaskProblem> {
        session.path_why.land(answer);
        None
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use walkable::{explain::Cause, geom::Aabb, monitor::Unmonitored, tile_cache::Obstacle};
    use walkable_workspace::layered::Layered;

    use super::*;
    use crate::{jobs::job_worker::testing::here_and_in_worker, testing::baked};

    #[test]
    fn a_worker_gives_the_same_explanation() {
        let mut session = baked();
        session.path.start = Some(Vec3::new(3.0, 0.0, 20.0));
        for end in [Vec3::new(5.5, 1.0, 5.5), Vec3::new(13.0, 2.0, 6.0), Vec3::new(20.0, 0.0, 20.0)]
        {
            session.path.end = Some(end);
            session.update_path();
            let [here, there] = here_and_in_worker(|| session.path_why_request().unwrap());
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
        let [here, there] = here_and_in_worker(|| {
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

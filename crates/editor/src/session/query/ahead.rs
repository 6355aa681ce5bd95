//! Queries from the start towards the end: raycasts, and moves that slide along walls.

use glam::Vec3;
use walkable::{
    debug_draw::{self, Paint},
    phrase,
    query::{
        MeshPoint, MoveAlongRequest, Raycast, RaycastRequest, SurfaceMove, move_along, raycast,
    },
};
use walkable_workspace::text;

use super::{FactValue, Played, QueryAnswer, QueryInput, QueryResult, timed};

impl QueryInput<'_> {
    pub(super) fn raycast(&self, start: MeshPoint, end: Vec3) -> QueryAnswer {
        let request = RaycastRequest::new(start, end, self.filter);
        let (ray, time) = timed(|| raycast(self.navmesh, &request));
        let Raycast { hit, visited } = ray?;
        let stop = start.point.lerp(end, hit.t.unwrap_or(1.0));
        let mut picture = debug_draw::corridor(self.navmesh, &visited);
        picture.line([start.point, stop], 3.0, Paint::Path);
        let mut facts =
            vec![(text!("Straight distance"), FactValue::Length(start.point.distance(stop)))];
        let stopped = match hit.t {
            None => phrase!("not at all"),
            Some(_) if hit.is_cut => phrase!("where the polygons' links lead in a circle"),
            Some(_) => phrase!("by a wall"),
        };
        if hit.t.is_some() {
            picture.dashed_line([stop, end], 2.0, Paint::Problem);
            picture.line([stop, stop + hit.normal], 2.0, Paint::Accent);
            picture.point(stop, 9.0, Paint::Problem);
        }
        facts.push((text!("Stopped"), stopped.into()));
        facts.push((text!("Polygons"), FactValue::Count(visited.len())));
        facts.push((text!("Cost"), FactValue::Cost(hit.cost)));
        Ok(QueryResult { facts, picture, time, flow: None, played: Played::Nothing })
    }

    pub(super) fn slide(&self, start: MeshPoint, end: Vec3) -> QueryAnswer {
        let request = MoveAlongRequest::new(start, end, self.filter);
        let (moved, time) = timed(|| move_along(self.navmesh, &request));
        let SurfaceMove { position: reached, visited } = moved?;
        let mut picture = debug_draw::corridor(self.navmesh, &visited);
        picture.line([start.point, reached], 3.0, Paint::Path);
        picture.dashed_line([reached, end], 1.5, Paint::Problem);
        picture.point(reached, 9.0, Paint::Accent);
        let facts = vec![
            (text!("Reached"), FactValue::Length(start.point.distance(reached))),
            (text!("Short of the end"), FactValue::Length(reached.distance(end))),
            (text!("Polygons"), FactValue::Count(visited.len())),
        ];
        Ok(QueryResult { facts, picture, time, flow: None, played: Played::Nothing })
    }
}

//! Queries for paths: the corners, and the steps of an agent that follows them.

use glam::Vec3;
use walkable::{
    debug_draw::{self, DrawList, Paint},
    diagnostic::Phrase,
    geom::total,
    phrase,
    query::{
        FollowRequest, FollowedPath, Footing, Footprint, MeshPoint, NavPath, PathRequest,
        PathStatus, PointKind, QueryError, Scratch, StraightPathRequest, WalkEnd, find_path,
        follow, straight_path,
    },
};
use walkable_workspace::text;

use super::{FactValue, Played, QueryAnswer, QueryInput, QueryResult, refused, timed};

impl QueryInput<'_> {
    pub(super) fn follow(&self, start: MeshPoint, end: Vec3) -> QueryAnswer {
        let mut scratch = Scratch::default();
        let path = self.path(start, end, &mut scratch)?;
        let (Some(&first), Some(&last)) = (path.points.first(), path.points.last()) else {
            return Ok(refused(phrase!("no navmesh near the end")));
        };
        let request = FollowRequest::new(first, last, &path.corridor);
        let (walked, time) = timed(|| follow(self.navmesh, &request, &mut scratch));
        let FollowedPath { footprints, end } = walked?;
        let outcome = match end {
            WalkEnd::CutShort => {
                let n = request.strides.max_footprints;
                phrase!("stopped after {n} points", n)
            }
            WalkEnd::Blocked => phrase!("blocked"),
            WalkEnd::Arrived => outcome(&path),
        };
        let mut picture = debug_draw::corridor(self.navmesh, &path.corridor);
        picture.append(footprints_picture(&footprints, footprints.len()));
        let jumps = footprints.iter().filter(|print| print.footing == Footing::Lands);
        let mut facts = vec![
            (text!("Outcome"), outcome.into()),
            (
                text!("Length"),
                FactValue::Length(length(footprints.iter().map(|print| print.position))),
            ),
            (text!("Points"), FactValue::Count(footprints.len())),
        ];
        let n_jumps = jumps.count();
        if n_jumps > 0 {
            facts.push((text!("Jumps"), FactValue::Count(n_jumps)));
        }
        Ok(QueryResult { facts, picture, time, flow: None, played: Played::Strides(footprints) })
    }

    pub(super) fn straight(&self, start: MeshPoint, end: Vec3) -> QueryAnswer {
        let mut scratch = Scratch::default();
        let path = self.path(start, end, &mut scratch)?;
        let (Some(&first), Some(&last)) = (path.points.first(), path.points.last()) else {
            return Ok(refused(phrase!("no navmesh near the end")));
        };
        let crossings = self.options.crossings;
        let request = StraightPathRequest::new(first, last, &path.corridor);
        let request = StraightPathRequest { crossings, ..request };
        let (points, time) = timed(|| straight_path(self.navmesh, &request, &mut scratch));
        let points = points?;
        let mut picture = debug_draw::corridor(self.navmesh, &path.corridor);
        for pair in points.windows(2) {
            let ends = [pair[0].position, pair[1].position];
            if pair[0].kind == PointKind::Connection {
                picture.dashed_line(ends, 3.0, Paint::Path);
            } else {
                picture.line(ends, 3.0, Paint::Path);
            }
        }
        for point in &points {
            let is_corner = path.points.iter().any(|at| at.distance(point.position) < 1e-3);
            let (size, paint) = if is_corner { (9.0, Paint::Path) } else { (6.0, Paint::Accent) };
            picture.point(point.position, size, paint);
        }
        let facts = vec![
            (text!("Outcome"), outcome(&path).into()),
            (text!("Length"), FactValue::Length(path.length)),
            (text!("Cost"), FactValue::Cost(path.cost)),
            (text!("Points"), FactValue::Count(points.len())),
            (text!("Corners"), FactValue::Count(path.points.len().saturating_sub(2))),
            (text!("Polygons"), FactValue::Count(path.corridor.len())),
        ];
        Ok(QueryResult { facts, picture, time, flow: None, played: Played::Nothing })
    }

    fn path(
        &self,
        start: MeshPoint,
        end: Vec3,
        scratch: &mut Scratch,
    ) -> Result<NavPath, QueryError> {
        find_path(self.navmesh, &PathRequest::new(start.point, end, self.filter), scratch)
    }
}

fn outcome(path: &NavPath) -> Phrase {
    let there = path.status == PathStatus::Complete;
    if there { phrase!("arrives") } else { phrase!("ends as near as possible") }
}

pub(super) fn length(points: impl Iterator<Item = Vec3> + Clone) -> f32 {
    total(points.clone().zip(points.skip(1)).map(|(a, b)| a.distance(b)))
}

/// Draws the first `n` steps of an agent: a line where it walks, dashes where it jumps, a marker at the last one.
pub(super) fn footprints_picture(footprints: &[Footprint], n: usize) -> DrawList {
    let mut picture = DrawList::default();
    let shown = &footprints[..n.min(footprints.len())];
    for pair in shown.windows(2) {
        let ends = [pair[0].position, pair[1].position];
        if pair[0].footing == Footing::TakesOff {
            picture.dashed_line(ends, 3.0, Paint::Path);
        } else {
            picture.line(ends, 2.0, Paint::Path);
        }
    }
    for print in shown {
        picture.point(print.position, 6.0, Paint::Path);
    }
    if let Some(last) = shown.last().filter(|_| shown.len() < footprints.len()) {
        picture.point(last.position, 12.0, Paint::Accent);
    }
    picture
}

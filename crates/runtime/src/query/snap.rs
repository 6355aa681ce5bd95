//! Measures how far the ends of a path were moved onto the navmesh, and whether that is within the agent's reach.

use glam::Vec3;
use serde::Serialize;

use super::{MeshPoint, NavPath, PathRequest};
use crate::{
    diagnostic::{Diagnostic, Finding, Location, Meters},
    navmesh::NavMesh,
};

/// The distance by which a point was moved onto the navmesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Snap {
    /// Horizontal distance, in meters.
    pub horizontal: f32,
    /// Height of the navmesh above the point, in meters; negative if it is lower.
    pub vertical: f32,
}

/// Moves up to this many meters count as rounding.
const ROUNDING: f32 = 0.01;

impl Snap {
    /// Returns the move from `requested` to its point on the navmesh.
    pub fn onto(end: &MeshPoint, requested: Vec3) -> Self {
        let moved = end.point - requested;
        // Adding 0 turns negative zero into zero.
        Self { horizontal: moved.with_y(0.0).length(), vertical: moved.y + 0.0 }
    }

    /// Returns whether an agent on the navmesh is close enough to the point: the point lies within `radius`
    /// horizontally, at most `down` above and `up` below the navmesh.
    fn is_within(self, [radius, up, down]: [f32; 3]) -> bool {
        self.horizontal <= radius + ROUNDING
            && self.vertical <= up + ROUNDING
            && -down - ROUNDING <= self.vertical
    }
}

/// Reports the ends of `path`, the result of `request`, that were moved farther than the agent of the navmesh reaches:
/// its radius horizontally, its climb up and its height down. Such an end may lie on another story.
///
/// Differs: Detour moves ends equally far without a warning.
pub fn check_ends(mesh: &NavMesh, request: &PathRequest<'_>, path: &NavPath) -> Vec<Diagnostic> {
    let start = path.start.and_then(|end| check_end(mesh, &end, request.start));
    let start = start.map(|[horizontal, radius, vertical, up, down]| {
        let far = Finding::PathStartFarFromMesh { horizontal, radius, vertical, up, down };
        Diagnostic::new(far).at(Location::Point(request.start))
    });
    let end = path.end.and_then(|end| check_end(mesh, &end, request.end));
    let end = end.map(|[horizontal, radius, vertical, up, down]| {
        let far = Finding::PathEndFarFromMesh { horizontal, radius, vertical, up, down };
        Diagnostic::new(far).at(Location::Point(request.end))
    });
    start.into_iter().chain(end).collect()
}

/// Returns the arguments of the warning about an end, if it was moved too far.
fn check_end(mesh: &NavMesh, end: &MeshPoint, requested: Vec3) -> Option<[Meters; 5]> {
    let (tile, _) = mesh.resolve(end.poly)?;
    let header = &tile.header;
    let (radius, up, down) =
        (header.walkable_radius, header.walkable_climb, header.walkable_height);
    let snap = Snap::onto(end, requested);
    let Snap { horizontal, vertical } = snap;
    (!snap.is_within([radius, up, down]))
        .then(|| [horizontal, radius, vertical, up, down].map(Meters))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        diagnostic::Code,
        navmesh::sample::{mesh, tile},
        query::{Filter, PathStatus, Scratch, find_path},
    };

    /// Checks the codes for the ends of a path between two points of a floor of 4 m at height 0, for an agent 2 m tall
    /// that climbs 0.5 m and has a radius of 0.3 m.
    #[track_caller]
    fn check(start: Vec3, end: Vec3, expected: &[Code]) {
        let mut floor = tile(0, 0, &["....", "....", "....", "...."]);
        floor.header.walkable_radius = 0.3;
        let mesh = mesh([floor]);
        let filter = Filter::default();
        let request = PathRequest::new(start, end, &filter);
        let path = find_path(&mesh, &request, &mut Scratch::default()).unwrap();
        assert_eq!(path.status, PathStatus::Complete);
        let found = check_ends(&mesh, &request, &path);
        assert_eq!(found.iter().map(Diagnostic::code).collect::<Vec<_>>(), expected);
        assert!(found.iter().all(Diagnostic::is_warning));
    }

    #[test]
    fn ends_beyond_the_agents_reach_are_found() {
        let (start, end) = (Vec3::new(0.5, 0.0, 0.5), Vec3::new(3.5, 0.0, 3.5));
        let up = |height: f32| end.with_y(height);
        check(start, end, &[]);
        // The navmesh is lower by less than the agent's height, or higher by at most its climb.
        check(start, up(1.9), &[]);
        check(start, up(-0.5), &[]);
        check(start, up(3.3), &[Code::PathEndFarFromMesh]);
        check(start, up(-0.6), &[Code::PathEndFarFromMesh]);
        check(start.with_y(3.0), up(3.3), &[Code::PathStartFarFromMesh, Code::PathEndFarFromMesh]);
        check(start.with_x(-0.2), end, &[]);
        check(start.with_x(-0.5), end, &[Code::PathStartFarFromMesh]);
    }

    #[test]
    fn a_move_is_shown_in_two_numbers() {
        let mesh = mesh([tile(0, 0, &["..", ".."])]);
        let poly = mesh.poly_ref(0, 0).unwrap();
        let end = MeshPoint { poly, point: Vec3::new(1.0, 0.0, 1.0) };
        let snap = Snap::onto(&end, Vec3::new(-2.0, 3.3, -3.0));
        assert_eq!(snap, Snap { horizontal: 5.0, vertical: -3.3 });
        let none = Snap::onto(&end, end.point.with_y(-0.0));
        assert_eq!(serde_json::to_string(&none).unwrap(), r#"{"horizontal":0.0,"vertical":0.0}"#);
    }

    #[test]
    fn a_path_without_length_is_zero_meters_long() {
        let mesh = mesh([tile(0, 0, &["..", ".."])]);
        let (filter, at) = (Filter::default(), Vec3::new(0.5, 0.0, 0.5));
        let request = PathRequest::new(at, at, &filter);
        let path = find_path(&mesh, &request, &mut Scratch::default()).unwrap();
        assert_eq!(
            (path.status, format!("{}", path.length)),
            (PathStatus::Complete, "0".to_owned())
        );
    }
}

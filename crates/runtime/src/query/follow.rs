//! Computes the steps of an agent that follows a corridor to its end, without obstacles.
//!
//! The line through the corridor lies on known polygons, so no surface search is needed: the agent walks along it from
//! corner to corner, over off-mesh links, at the height of the detail mesh.

use glam::{Vec3, Vec3Swizzles as _};

use super::{
    Crossings, PathPoint, QueryError, Scratch, closest_on_boundary, closest_point,
    error::check_length,
    straight_path::{find_steps, funnel, is_same},
};
use crate::navmesh::{NavMesh, PolyKind, PolyRef};

/// Minimum length of a stride, in meters; shorter ones are an error.
const SHORTEST_STRIDE: f32 = 0.001;

/// What an agent does at a footprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Footing {
    /// The agent starts or continues walking.
    Walks,
    /// The agent enters an off-mesh link.
    TakesOff,
    /// The agent arrives at the other end of the off-mesh link.
    Lands,
    /// The agent arrives at the end.
    Arrives,
}

/// A step of an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// The position, at the height of the detail mesh.
    pub position: Vec3,
    /// The polygon.
    pub poly: PolyRef,
    /// What the agent does there.
    pub footing: Footing,
}

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkEnd {
    /// The agent arrived at the end.
    Arrived,
    /// The agent stopped before a gap in the corridor, or before an off-mesh link at the end of the corridor.
    Blocked,
    /// The maximum number of footprints was reached.
    CutShort,
}

/// Parameters of a walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strides {
    /// Maximum length of a stride, in meters, at least 1 mm.
    pub longest: f32,
    /// Maximum number of footprints; at least one is produced.
    pub max_footprints: usize,
}

impl Default for Strides {
    /// Returns the values of RecastDemo's tester: 0.5 m, and 2,048 footprints.
    fn default() -> Self {
        Self { longest: 0.5, max_footprints: 2048 }
    }
}

/// Parameters of [`follow`].
#[derive(Clone, Copy, Debug)]
pub struct FollowRequest<'a> {
    /// Start of the walk, in the first polygon of the corridor.
    pub start: Vec3,
    /// End of the walk, in the last polygon.
    pub end: Vec3,
    /// The polygons of the corridor, from start to end.
    pub corridor: &'a [PolyRef],
    /// Length and number of the strides.
    pub strides: Strides,
}

impl<'a> FollowRequest<'a> {
    /// Requests the walk from `start` to `end` through `corridor`, with the default strides.
    pub fn new(start: Vec3, end: Vec3, corridor: &'a [PolyRef]) -> Self {
        Self { start, end, corridor, strides: Strides::default() }
    }
}

/// A walk along a corridor.
#[derive(Clone, Debug, PartialEq)]
pub struct FollowedPath {
    /// The start, where each stride ends, every corner, both ends of every off-mesh link, and the end.
    pub footprints: Vec<Footprint>,
    /// How the walk ended.
    pub end: WalkEnd,
}

impl Default for FollowedPath {
    /// Returns a walk without footprints, without allocations.
    fn default() -> Self {
        Self { footprints: Vec::new(), end: WalkEnd::Blocked }
    }
}

/// Follows a corridor to its end.
///
/// ```
/// # use std::sync::Arc;
/// # use walkable::{bake::*, level::*, monitor::Unmonitored};
/// # use walkable::query::*;
/// # let level = generate(LevelKind::Sample, 1, 30.0)?;
/// # let mesh = bake(BakeInput::new(Arc::new(level.mesh), BakeSettings::default()), &Unmonitored)?;
/// # let (start, end, filter, mut scratch) = (level.start, level.end, Filter::default(), Scratch::default());
/// let path = find_path(&mesh, &PathRequest::new(start, end, &filter), &mut scratch)?;
/// let (Some(&start), Some(&end)) = (path.points.first(), path.points.last()) else { return Ok(()) };
/// let walk = follow(&mesh, &FollowRequest::new(start, end, &path.corridor), &mut scratch)?;
/// assert_eq!(walk.end, WalkEnd::Arrived);
/// assert!(walk.footprints.len() as f32 > path.length / 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns a [`QueryError`] if a polygon is stale, the corridor is empty, a point is not finite, or the stride is too
/// short.
///
/// Source: the tester of RecastDemo, mode "Pathfind Follow".
/// Differs: the tester uses [`move_along`](super::move_along) toward the next corner, which sometimes goes wrong at
/// borders between polygons; this function stays on the line, ends a stride at each corner instead of passing it, and
/// so always arrives.
pub fn follow(
    mesh: &NavMesh,
    request: &FollowRequest<'_>,
    scratch: &mut Scratch,
) -> Result<FollowedPath, QueryError> {
    let mut walk = FollowedPath::default();
    follow_into(mesh, request, scratch, &mut walk)?;
    Ok(walk)
}

/// Like [`follow`], but reuses the memory of an earlier walk: if both were used before, nothing is allocated.
///
/// # Errors
/// See [`follow`].
pub fn follow_into(
    mesh: &NavMesh,
    request: &FollowRequest<'_>,
    scratch: &mut Scratch,
    followed: &mut FollowedPath,
) -> Result<(), QueryError> {
    followed.footprints.clear();
    followed.end = walk(mesh, request, scratch, &mut followed.footprints)?;
    Ok(())
}

fn walk(
    mesh: &NavMesh,
    request: &FollowRequest<'_>,
    scratch: &mut Scratch,
    footprints: &mut Vec<Footprint>,
) -> Result<WalkEnd, QueryError> {
    let FollowRequest { start, end, corridor, strides } = *request;
    let ends = [start, end];
    check_length("the stride", strides.longest - SHORTEST_STRIDE)?;
    let Scratch { steps, points, corners, .. } = scratch;
    find_steps(mesh, corridor, steps);
    funnel(mesh, ends, corridor, Crossings::None, steps, corners)?;
    funnel(mesh, ends, corridor, Crossings::All, steps, points)?;
    let is_whole = steps.len() + 1 == corridor.len();
    let mut walk = Walk { mesh, strides, left: strides.longest, footprints };
    let walked = walk.along(points, corners, corridor)?;
    if !is_whole && walked == WalkEnd::Arrived {
        return Ok(WalkEnd::Blocked);
    }
    if walked == WalkEnd::Arrived {
        walk.change_last(Footing::Arrives);
    }
    Ok(walked)
}

struct Walk<'a> {
    mesh: &'a NavMesh,
    strides: Strides,
    /// The remaining length of the stride, in meters.
    left: f32,
    footprints: &'a mut Vec<Footprint>,
}

impl Walk<'_> {
    /// Walks to the end of the line with these crossings. Strides end at `corners`, which are among them.
    fn along(
        &mut self,
        points: &[PathPoint],
        corners: &[PathPoint],
        corridor: &[PolyRef],
    ) -> Result<WalkEnd, QueryError> {
        let Some(start) = points.first() else { return Ok(WalkEnd::Blocked) };
        let mut corners = corners.iter().skip(1).peekable();
        let mut ahead = &corridor[place_of(start.poly, corridor, 0).unwrap_or(0)..];
        self.set_foot(start.position, &corridor[..1])?;
        for pair in points.windows(2) {
            let [a, b] = [pair[0].position, pair[1].position];
            let n_passed = place_of(pair[1].poly, ahead, 1);
            let passed = &ahead[..n_passed.unwrap_or(ahead.len())];
            let stops = corners.next_if(|corner| is_same(corner.position, b)).is_some();
            if passed.iter().any(|&poly| self.is_connection(poly)) {
                // A stride may end where the agent lands, but not on an off-mesh link.
                let on = n_passed.map_or_else(|| passed.last(), |n_passed| ahead.get(n_passed));
                let Some(&on) = on.filter(|on| !self.is_connection(**on)) else {
                    return Ok(WalkEnd::Blocked);
                };
                self.change_last(Footing::TakesOff);
                if !self.set_foot(b, &[on])? {
                    return Ok(WalkEnd::CutShort);
                }
                self.change_last(Footing::Lands);
            } else if !self.stride_along([a, b], passed)? || stops && !self.set_foot(b, passed)? {
                return Ok(WalkEnd::CutShort);
            }
            ahead = &ahead[n_passed.unwrap_or(0)..];
        }
        Ok(WalkEnd::Arrived)
    }

    /// Takes whole strides along a straight line over `polys`; returns whether there was capacity for all.
    fn stride_along(&mut self, [a, b]: [Vec3; 2], polys: &[PolyRef]) -> Result<bool, QueryError> {
        let length = a.distance(b);
        check_length("a corner of the mesh", length)?;
        let mut gone = 0.0;
        // If a line is so long that a stride is lost to rounding, the rest is one stride.
        while length - gone > self.left && gone + self.left > gone {
            gone += self.left;
            if !self.set_foot(a.lerp(b, gone / length), polys)? {
                return Ok(false);
            }
        }
        self.left -= length - gone;
        Ok(true)
    }

    /// Ends a stride at `at`, on the nearest of `polys` that does not come before the polygon of the last footprint;
    /// returns whether there was capacity for the footprint. Along an edge, the polygons on both sides are equally near,
    /// so without this order rounding would lead back to an earlier polygon.
    fn set_foot(&mut self, at: Vec3, polys: &[PolyRef]) -> Result<bool, QueryError> {
        if self.footprints.len() >= self.strides.max_footprints.max(1) {
            return Ok(false);
        }
        let mut nearest: Option<(f32, Footprint)> = None;
        let last = self.footprints.last().map(|last| last.poly);
        for &poly in &polys[place_of(last, polys, 0).unwrap_or(0)..] {
            let y = closest_point(self.mesh, poly, at)?.point.y;
            let on_border = closest_on_boundary(self.mesh, poly, at)?;
            let beside = on_border.xz().distance_squared(at.xz());
            if nearest.is_none_or(|(least, _)| beside < least) {
                let position = at.with_y(y);
                nearest = Some((beside, Footprint { position, poly, footing: Footing::Walks }));
            }
        }
        self.footprints.extend(nearest.map(|(_, footprint)| footprint));
        self.left = self.strides.longest;
        Ok(true)
    }

    /// Sets what the agent does at the last footprint.
    fn change_last(&mut self, footing: Footing) {
        if let Some(last) = self.footprints.last_mut() {
            last.footing = footing;
        }
    }

    fn is_connection(&self, poly: PolyRef) -> bool {
        let found = self.mesh.resolve(poly);
        found.is_some_and(|(tile, index)| tile.polys[index].kind == PolyKind::OffMesh)
    }
}

/// Returns the index of `poly` in a corridor, starting at index `first`.
fn place_of(poly: Option<PolyRef>, corridor: &[PolyRef], first: usize) -> Option<usize> {
    let found = corridor.iter().skip(first).position(|&passed| Some(passed) == poly);
    found.map(|place| place + first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        navmesh::sample::{connect, mesh, solo, tile},
        query::{Filter, NavPath, PathRequest, PathStatus, find_path},
    };

    fn at(x: f32, z: f32) -> Vec3 {
        Vec3::new(x, 0.0, z)
    }

    fn path(mesh: &NavMesh, ends: [Vec3; 2]) -> NavPath {
        let filter = Filter::default();
        let request = PathRequest::new(ends[0], ends[1], &filter);
        find_path(mesh, &request, &mut Scratch::default()).unwrap()
    }

    fn walked(mesh: &NavMesh, [start, end]: [Vec3; 2], max: usize) -> (WalkEnd, Vec<Footprint>) {
        let path = path(mesh, [start, end]);
        assert_eq!(path.status, PathStatus::Complete);
        let strides = Strides { max_footprints: max, ..Strides::default() };
        let request = FollowRequest { strides, ..FollowRequest::new(start, end, &path.corridor) };
        let walk = follow(mesh, &request, &mut Scratch::default()).unwrap();
        (walk.end, walk.footprints)
    }

    #[test]
    fn strides_lead_around_a_wall_to_the_end() {
        let mesh = solo(&[".....", ".###.", ".....", "####.", "....."]);
        let ends = [at(0.5, 4.5), at(0.5, 2.5)];
        let (end, footprints) = walked(&mesh, ends, 2048);
        assert_eq!(end, WalkEnd::Arrived);
        let corners = [at(0.5, 4.5), at(4.0, 4.0), at(4.0, 3.0), at(0.5, 2.5)];
        for corner in corners {
            assert_eq!(footprints.iter().filter(|print| print.position == corner).count(), 1);
        }
        let (last, before) = footprints.split_last().unwrap();
        assert_eq!((last.position, last.footing), (corners[3], Footing::Arrives));
        assert!(before.iter().all(|print| print.footing == Footing::Walks));
        let longest = footprints.windows(2).map(|two| two[0].position.distance(two[1].position));
        assert!(longest.fold(0.0, f32::max) < 0.5001);
        // Two lines of 3.54 m and one of 1 m, each ending with a stride that may be shorter.
        assert_eq!(footprints.len(), 1 + 8 + 2 + 8);
        let (end, few) = walked(&mesh, ends, 7);
        assert_eq!((end, &few[..]), (WalkEnd::CutShort, &footprints[..7]));
    }

    #[track_caller]
    fn check_jump(ends: [Vec3; 2], n: usize) {
        let mut tile = tile(0, 0, &[".#.", ".#.", ".#."]);
        connect(&mut tile, [at(0.9, 1.5), at(2.1, 1.5)], 1, 0xff);
        let (end, footprints) = walked(&mesh([tile]), ends, 2048);
        assert_eq!((end, footprints.len()), (WalkEnd::Arrived, n), "{footprints:#?}");
        let place = footprints.iter().position(|print| print.footing == Footing::TakesOff).unwrap();
        let [off, on] = [footprints[place], footprints[place + 1]];
        let jump = [off, on].map(|print| print.position);
        let [there, back] = [[at(0.9, 1.5), at(2.1, 1.5)], [at(2.1, 1.5), at(0.9, 1.5)]];
        assert!(jump == there || jump == back, "{jump:?}");
        let last = if n == place + 2 { Footing::Arrives } else { Footing::Lands };
        assert_eq!(on.footing, last);
        assert_ne!(off.poly, on.poly);
    }

    #[test]
    fn connections_are_jumped_over_both_ways() {
        check_jump([at(0.5, 0.5), at(2.5, 0.5)], 8);
        check_jump([at(2.5, 0.5), at(0.5, 0.5)], 8);
    }

    #[test]
    fn one_may_start_and_end_on_a_connection() {
        check_jump([at(0.9, 1.5), at(2.5, 0.5)], 5);
        check_jump([at(0.5, 0.5), at(2.1, 1.5)], 5);
        check_jump([at(0.9, 1.5), at(2.1, 1.5)], 2);
    }

    #[test]
    fn an_agent_at_its_target_arrives_immediately() {
        let mesh = solo(&["..", ".."]);
        let (end, footprints) = walked(&mesh, [at(0.5, 0.5); 2], 2048);
        assert_eq!((end, footprints.len()), (WalkEnd::Arrived, 1));
        assert_eq!(footprints[0].footing, Footing::Arrives);
    }

    #[test]
    fn a_gap_and_a_connection_without_a_far_end_stop_the_agent() {
        let mut tile = tile(0, 0, &[".#.", ".#.", ".#."]);
        connect(&mut tile, [at(0.9, 1.5), at(2.1, 1.5)], 0, 0xff);
        let mesh = mesh([tile]);
        let ends = [at(0.5, 0.5), at(2.5, 0.5)];
        let corridor = path(&mesh, ends).corridor;
        let over = corridor.iter().position(|&poly| mesh.resolve(poly).unwrap().1 == 6).unwrap();
        let with_gap = [&corridor[..over], &corridor[over + 1..]].concat();
        for cut in [&corridor[..=over], &with_gap] {
            let request = FollowRequest::new(ends[0], ends[1], cut);
            let walk = follow(&mesh, &request, &mut Scratch::default()).unwrap();
            assert_eq!(walk.end, WalkEnd::Blocked);
            let prints = walk.footprints;
            assert!(prints.iter().all(|print| print.footing == Footing::Walks));
            assert!(prints.last().unwrap().position.x <= 1.0, "{prints:?}");
        }
    }

    #[test]
    fn invalid_input_is_rejected() {
        let mesh = solo(&["..", ".."]);
        let corridor = [mesh.poly_ref(0, 0).unwrap()];
        let ask = |corridor: &[PolyRef], longest| {
            let (start, strides) = (at(0.5, 0.5), Strides { longest, max_footprints: 9 });
            let request = FollowRequest { start, end: start, corridor, strides };
            follow(&mesh, &request, &mut Scratch::default()).map(|walk| walk.end)
        };
        for stride in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            let refused = Err(QueryError::BadNumber { what: "the stride" });
            assert_eq!(ask(&corridor, stride), refused);
        }
        assert!(ask(&[], 0.5).is_err());
        assert_eq!(ask(&corridor, 0.5), Ok(WalkEnd::Arrived));
    }
}

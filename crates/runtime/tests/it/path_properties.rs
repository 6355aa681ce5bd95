//! Properties of every path on every level: on generated levels with random areas and closed polygons.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use glam::{Vec3, Vec3Swizzles as _};
use proptest::{prelude::*, test_runner::TestCaseResult};
use walkable::{
    ids::AreaId,
    navmesh::{NavMesh, PolyRef},
    query::{
        Crossings, Expansion, Filter, FollowRequest, FollowedPath, Footing, Footprint, MeshPoint,
        PathCorridor, PathRequest, PathStatus, RaycastRequest, Reachability, Scratch,
        StraightPathRequest, Strides, WalkEnd, WhyNot, closest_point, find_path, follow, n_usable,
        raycast, straight_path,
    },
};

use crate::levels::{BESIDE, LEVELS, Setting, beside, setting};

fn request(filter: &Filter, [start, end]: [MeshPoint; 2]) -> PathRequest<'_> {
    PathRequest {
        half_extents: Vec3::splat(0.1),
        ..PathRequest::new(start.point, end.point, filter)
    }
}

/// Returns cost per meter and area of a polygon.
fn ground(mesh: &NavMesh, filter: &Filter, poly: PolyRef) -> (f32, AreaId) {
    let (tile, index) = mesh.resolve(poly).unwrap();
    let area = tile.polys[index].area;
    (filter.area_cost[usize::from(area.0)], area)
}

/// Returns whether both points lie on the straight line through a portal of the polygon, seen from above.
fn runs_along_a_portal(mesh: &NavMesh, poly: PolyRef, points: [Vec3; 2]) -> bool {
    mesh.links(poly).any(|link| {
        let [left, right] = [link.portal.left.xz(), link.portal.right.xz()];
        let along = (right - left).normalize_or_zero();
        points.iter().all(|point| along.perp_dot(point.xz() - left).abs() < BESIDE)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    /// A path never leaves its corridor, and the corridor never uses an excluded polygon.
    #[test]
    fn paths_stay_in_corridors_and_corridors_on_open_ground(setting in setting()) {
        setting.with(|mesh, filter, ends| {
            let mut scratch = Scratch::default();
            let path = find_path(mesh, &request(filter, ends), &mut scratch).unwrap();
            prop_assert_eq!(n_usable(mesh, &path.corridor, filter), path.corridor.len());
            let (Some(&first), Some(&last)) = (path.points.first(), path.points.last()) else {
                return Ok(());
            };
            let request = StraightPathRequest::new(first, last, &path.corridor);
            let request = StraightPathRequest { crossings: Crossings::All, ..request };
            let points = straight_path(mesh, &request, &mut scratch).unwrap();
            for pair in points.windows(2) {
                let Some(poly) = pair[0].poly else { continue };
                let ends = [pair[0].position, pair[1].position];
                // Rounding decides where a line crosses a portal that it runs along, in Detour, too.
                if runs_along_a_portal(mesh, poly, ends) {
                    continue;
                }
                for share in [0.0, 0.3, 0.5, 0.9, 1.0] {
                    let point = ends[0].lerp(ends[1], share);
                    let away = beside(mesh, poly, point);
                    prop_assert!(away < BESIDE, "{} m beside {} at {}", away, poly, point);
                }
            }
            Ok(())
        })?;
    }

    /// A search from either end finds a path if there is one. Ground can be walked in both directions, so a search from
    /// the end finds the same as a search from the start finds for the way back.
    #[test]
    fn both_ends_of_a_path_agree(setting in setting(), is_aimed in any::<bool>()) {
        setting.with(|mesh, filter, [start, end]| {
            let mut filter = filter.clone();
            if !is_aimed {
                filter.rules.heuristic_scale = 0.0;
            }
            let ask = |ends, backwards| {
                let request = PathRequest { backwards, ..request(&filter, ends) };
                find_path(mesh, &request, &mut Scratch::default()).unwrap()
            };
            let [there, back] = [false, true].map(|backwards| ask([start, end], backwards));
            prop_assert_eq!((there.status, there.why), (back.status, back.why));
            prop_assert_eq!((there.start, there.end), (back.start, back.end));
            prop_assert_eq!(n_usable(mesh, &back.corridor, &filter), back.corridor.len());
            prop_assert_eq!(back.corridor.last().copied(), back.end.map(|end| end.poly));
            if back.status == PathStatus::Complete {
                prop_assert_eq!(back.corridor[0], back.start.unwrap().poly);
            }
            if setting.entering <= 0.0 && back.status == PathStatus::Complete {
                let home = ask([end, start], false);
                let near = 1e-3 * home.cost.max(1.0);
                prop_assert!((home.cost - back.cost).abs() < near, "{} {}", home.cost, back.cost);
            }
            Ok(())
        })?;
    }

    /// The reported cost is the sum of the steps of the path that the search took.
    #[test]
    fn costs_are_the_sum_of_their_steps(setting in setting()) {
        setting.with(|mesh, filter, ends| {
            let mut scratch = Scratch::traced();
            let path = find_path(mesh, &request(filter, ends), &mut scratch).unwrap();
            if path.status != PathStatus::Complete || path.corridor.len() < 2 {
                return Ok(());
            }
            let mut sum = 0.0;
            let mut at = scratch.expanded().last().unwrap();
            let mut corridor = vec![at.poly];
            let end = path.end.unwrap();
            sum += at.position.distance(end.point) * ground(mesh, filter, at.poly).0;
            while let Some(parent) = at.parent {
                let before = &scratch.expanded()[parent as usize];
                let (per_meter, area) = ground(mesh, filter, before.poly);
                sum += before.position.distance(at.position) * per_meter;
                let entered = ground(mesh, filter, at.poly).1;
                if entered != area {
                    sum += filter.rules.entering_cost[usize::from(entered.0)];
                }
                corridor.push(before.poly);
                at = before;
            }
            corridor.reverse();
            prop_assert_eq!(&corridor, &path.corridor);
            prop_assert!((sum - path.cost).abs() <= 1e-3 * sum.max(1.0), "{} {}", sum, path.cost);
            Ok(())
        })?;
    }

    /// No corridor costs more than the limit, and if one costs less, one is found. It may be a different one: polygons
    /// over the limit are skipped, which changes where others are entered first.
    #[test]
    fn corridors_keep_their_limit(setting in setting(), share in 0.05f32..1.5) {
        setting.with(|mesh, filter, ends| {
            let free = find_path(mesh, &request(filter, ends), &mut Scratch::default()).unwrap();
            let mut limited = filter.clone();
            limited.rules.cost_limit = free.cost * share;
            let held = find_path(mesh, &request(&limited, ends), &mut Scratch::default()).unwrap();
            prop_assert!(held.cost <= free.cost * share + 1e-3 || held.corridor.len() < 2);
            // A path that leads nowhere has no cost to compare.
            if share > 1.001 && free.status == PathStatus::Complete {
                prop_assert_eq!(held.status, PathStatus::Complete);
            }
            Ok(())
        })?;
    }

    /// If areas cost less than 1 per meter and the heuristic is scaled, corridors cost about as little as without a
    /// heuristic. Only the points where polygons are first entered may differ.
    #[test]
    fn a_scaled_heuristic_finds_cheap_areas(setting in setting()) {
        setting.with(|mesh, filter, ends| {
            let mut filter = filter.clone();
            filter.area_cost[4] = 0.25;
            let mut cost = |expects: bool| {
                filter.rules.expects_cheapest_area = expects;
                filter.rules.heuristic_scale = if expects { 0.999 } else { 0.0 };
                let path = find_path(mesh, &request(&filter, ends), &mut Scratch::default()).unwrap();
                (path.status, path.cost)
            };
            let (aimed, blind) = (cost(true), cost(false));
            prop_assert_eq!(aimed.0, blind.0);
            let is_near = aimed.1 <= 1.25 * blind.1 + 1.0;
            prop_assert!(aimed.0 != PathStatus::Complete || is_near, "{:?} {:?}", aimed, blind);
            Ok(())
        })?;
    }

    /// A path that cannot reach its end leads to the polygon whose entry point is nearest to it.
    #[test]
    fn partial_paths_end_nearest(setting in setting()) {
        setting.with(|mesh, filter, ends| {
            let mut scratch = Scratch::traced();
            let path = find_path(mesh, &request(filter, ends), &mut scratch).unwrap();
            let (Some(last), PathStatus::Partial) = (path.corridor.last(), path.status) else {
                return Ok(());
            };
            let to_go = |node: &Expansion| node.f - node.g;
            let least = scratch.expanded().iter().map(to_go).fold(f32::INFINITY, f32::min);
            let own = scratch.expanded().iter().filter(|node| node.poly == *last).map(to_go);
            let own = own.fold(f32::INFINITY, f32::min);
            prop_assert!(own <= least * 1.0001 + 1e-3, "{} {}", own, least);
            Ok(())
        })?;
    }

    /// If a ray reaches a point, the funnel through the ray's polygons reaches it in one line, and so does a search.
    #[test]
    fn rays_and_paths_agree(setting in setting(), reach in 0.5f32..15.0) {
        setting.with(|mesh, filter, [start, end]| {
            let away = end.point - start.point;
            let to = start.point + away * (reach / away.xz().length().max(reach));
            let request = RaycastRequest::new(start, to, filter);
            let ray = raycast(mesh, &RaycastRequest { max_polys: 4096, ..request }).unwrap();
            let (hit, visited) = (ray.hit, ray.visited);
            prop_assert_eq!(n_usable(mesh, &visited, filter), visited.len());
            if hit.t.is_some() {
                return Ok(());
            }
            let request = StraightPathRequest::new(start.point, to, &visited);
            let points = straight_path(mesh, &request, &mut Scratch::default()).unwrap();
            let pairs = points.windows(2);
            let length: f32 =
                pairs.map(|pair| pair[0].position.xz().distance(pair[1].position.xz())).sum();
            let straight = start.point.xz().distance(to.xz());
            prop_assert!((length - straight).abs() < 1e-2, "{} {}", length, straight);
            let last = *visited.last().unwrap();
            let known = Reachability::new(mesh, filter);
            prop_assert_eq!(known.can_reach(mesh, start.poly, last), Some(true));
            Ok(())
        })?;
    }

    /// The computed reachability agrees with what a search reaches, and the reported reason is right.
    #[test]
    fn reachability_agrees_with_searches(setting in setting()) {
        setting.with(|mesh, filter, ends| {
            let path = find_path(mesh, &request(filter, ends), &mut Scratch::default()).unwrap();
            let [Some(start), Some(end)] = [path.start, path.end] else { return Ok(()) };
            let [start, end] = [start.poly, end.poly];
            let known = Reachability::new(mesh, filter);
            let can = known.can_reach(mesh, start, end);
            prop_assert_eq!(can, Some(path.status == PathStatus::Complete));
            let open = Filter::default();
            let without = Reachability::new(mesh, &open);
            let why = match (can, without.can_reach(mesh, start, end)) {
                (Some(true), _) => None,
                (_, Some(true)) => Some(WhyNot::Filtered),
                _ if without.can_reach(mesh, end, start) == Some(true) => Some(WhyNot::OneWay),
                _ => Some(WhyNot::Disconnected),
            };
            prop_assert_eq!(path.why, why);
            Ok(())
        })?;
    }

    #[test]
    fn followers_of_complete_paths_arrive(setting in setting(), longest in 0.05f32..2.0) {
        check_follower(&setting, longest)?;
    }

    /// However an agent and its target move, the corridor between them stays valid. (An agent that steps exactly onto
    /// corners can circle one forever, in Detour as here, so the test does not require it to arrive.)
    #[test]
    fn corridors_stay_good_as_agents_move(setting in setting(), step in 0.3f32..1.5) {
        setting.with(|mesh, filter, ends| {
            let path = find_path(mesh, &request(filter, ends), &mut Scratch::default()).unwrap();
            if path.status != PathStatus::Complete {
                return Ok(());
            }
            let [start, end] = [path.start.unwrap(), path.end.unwrap()];
            let mut corridor = PathCorridor::new(start);
            corridor.set(end.point, &path.corridor);
            let (mut scratch, mut search) = (Scratch::default(), None);
            for n_steps in 0..60 {
                let corners = corridor.corners(mesh, 3, &mut scratch).unwrap();
                let Some(corner) = corners.first() else { break };
                let away = corner.position - corridor.position();
                let to = corridor.position() + away * (step / away.xz().length().max(step));
                corridor.move_position(mesh, to, filter).unwrap();
                match n_steps % 4 {
                    1 => corridor.optimize_visibility(mesh, corner.position, 20.0, filter).unwrap(),
                    2 => _ = corridor.optimize_topology(mesh, filter, &mut search).unwrap(),
                    3 => {
                        let target = corridor.target() + Vec3::new(0.3, 0.0, -0.2);
                        corridor.move_target(mesh, target, filter).unwrap();
                    }
                    _ => {}
                }
                prop_assert_eq!(n_usable(mesh, corridor.polys(), filter), corridor.polys().len());
                for (poly, point) in [
                    (corridor.first(), corridor.position()),
                    (corridor.last(), corridor.target()),
                ] {
                    prop_assert!(beside(mesh, poly, point) < BESIDE);
                }
            }
            Ok(())
        })?;
    }

    /// A mesh that was saved and loaded returns the same results, in any format.
    #[test]
    fn saved_meshes_answer_as_before(setting in setting()) {
        setting.with(|mesh, filter, ends| {
            let ask = |mesh: &NavMesh| {
                let mut scratch = Scratch::traced();
                let path = find_path(mesh, &request(filter, ends), &mut scratch).unwrap();
                let expanded = scratch.expanded().to_vec();
                (path.corridor, path.points, path.cost.to_bits(), expanded, path.why)
            };
            let bytes = mesh.to_bytes();
            let read = NavMesh::from_bytes(&bytes).unwrap();
            prop_assert!(read.to_bytes() == bytes);
            prop_assert_eq!(ask(&read), ask(mesh));
            Ok(())
        })?;
    }
}

/// An agent that follows a path steps on the ground of the corridor, in strides that are no longer than requested,
/// passes every corner, walks as far as the path is long, and arrives.
fn check_follower(setting: &Setting, longest: f32) -> TestCaseResult {
    setting.with(|mesh, filter, ends| {
        let mut scratch = Scratch::default();
        let path = find_path(mesh, &request(filter, ends), &mut scratch).unwrap();
        if path.status != PathStatus::Complete {
            return Ok(());
        }
        let ends = [path.points[0], *path.points.last().unwrap()];
        let request = FollowRequest {
            strides: Strides { longest, max_footprints: usize::MAX },
            ..FollowRequest::new(ends[0], ends[1], &path.corridor)
        };
        let FollowedPath { footprints: prints, end } =
            follow(mesh, &request, &mut scratch).unwrap();
        prop_assert_eq!(end, WalkEnd::Arrived);
        let last = prints.last().unwrap();
        prop_assert_eq!(last.footing, Footing::Arrives);
        prop_assert!(last.position.xz().distance(ends[1].xz()) < BESIDE);
        let mut place = 0;
        for print in &prints {
            let further = path.corridor[place..].iter().position(|&poly| poly == print.poly);
            prop_assert!(further.is_some(), "back to {}", print.poly);
            place += further.unwrap();
            prop_assert!(beside(mesh, print.poly, print.position) < BESIDE);
            let height = closest_point(mesh, print.poly, print.position).unwrap().point.y;
            prop_assert!((height - print.position.y).abs() < BESIDE);
        }
        let mut length = 0.0;
        for pair in prints.windows(2) {
            let across = pair[0].position.xz().distance(pair[1].position.xz());
            prop_assert!(pair[0].footing == Footing::TakesOff || across <= longest + BESIDE);
            length += across;
        }
        let line = path.points.windows(2).map(|pair| pair[0].xz().distance(pair[1].xz()));
        prop_assert!((length - line.sum::<f32>()).abs() <= 0.001 * length.max(1.0));
        for corner in &path.points {
            let is_passed = |print: &Footprint| print.position.xz().distance(corner.xz()) < BESIDE;
            prop_assert!(prints.iter().any(is_passed), "not at {}", corner);
        }
        Ok(())
    })
}

/// Footprints at a vertex of many polygons, and along an edge between two, never went back to an earlier polygon.
#[test]
fn footprints_keep_the_order_of_the_corridor() {
    for (level, seed) in [(1, 5_326_604_784_770_085_857), (1, 2_893_740_506_095_004_623)] {
        let setting = Setting { level, seed, cost: 1.0, entering: 0.0 };
        check_follower(&setting, 0.05).unwrap();
    }
}

#[test]
fn meshes_as_json_answer_as_before() {
    LEVELS.with(|levels| {
        for mesh in levels {
            let text = serde_json::to_string(mesh).unwrap();
            let read: NavMesh = serde_json::from_str(&text).unwrap();
            assert!(read.to_bytes() == mesh.to_bytes());
        }
    });
}

/// The start of this path lies on a portal that leads straight to the first corner.
#[test]
fn a_line_along_a_portal_crosses_it_where_detour_does() {
    let setting = Setting { level: 4, seed: 5_093_387_469_418_409_659, cost: 1.0, entering: 0.0 };
    let check = |mesh: &NavMesh, filter: &Filter, ends: [MeshPoint; 2]| {
        let mut scratch = Scratch::default();
        let path = find_path(mesh, &request(filter, ends), &mut scratch).unwrap();
        let mut points = |crossings| {
            let [start, end] = ends.map(|end| end.point);
            let request = StraightPathRequest::new(start, end, &path.corridor);
            straight_path(mesh, &StraightPathRequest { crossings, ..request }, &mut scratch)
                .unwrap()
        };
        let corner = points(Crossings::None)[1].position;
        let crossing = points(Crossings::All)[1];
        let poly = path.corridor[0];
        prop_assert!(runs_along_a_portal(mesh, poly, [ends[0].point, crossing.position]));
        prop_assert_eq!(crossing.poly, Some(path.corridor[1]));
        let beyond = crossing.position.distance(corner);
        prop_assert!((0.01..0.03).contains(&beyond), "{}", beyond);
        Ok(())
    };
    setting.with(check).unwrap();
}

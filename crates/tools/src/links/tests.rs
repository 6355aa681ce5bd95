use std::sync::Arc;

use glam::Vec3;
use walkable_bake::bake::{BakeConfig, BakeSettings, bake};
use walkable_mesh::TriMesh;
use walkable_runtime::{
    geom::{Ray, from_above::nearest_on_segment},
    ids::AreaId,
    monitor::Unmonitored,
    query::{PathRequest, PathStatus, Scratch, find_path, poly_height},
};

use super::*;
use crate::level::{LevelKind, generate};

/// Creates boxes from their smallest and largest corners.
fn boxes(all: &[[[f32; 3]; 2]]) -> TriMesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for [min, max] in all {
        let first = u32::try_from(vertices.len()).unwrap();
        for corner in 0..8_usize {
            let side = |axis: usize| if corner >> axis & 1 == 0 { min[axis] } else { max[axis] };
            vertices.push(Vec3::new(side(0), side(1), side(2)));
        }
        let sides =
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        for [a, b, c, d] in sides.map(|side| side.map(|corner: u32| first + corner)) {
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    TriMesh::new(vertices, triangles).unwrap()
}

/// Two platforms of 6 by 8 m, 3 m above the ground, with a gap of 1 m between them at x = 0.
const GROUND: [[f32; 3]; 2] = [[-15.0, -1.0, -15.0], [15.0, 0.0, 15.0]];
const LEFT: [[f32; 3]; 2] = [[-6.5, 0.0, -4.0], [-0.5, 3.0, 4.0]];
const RIGHT: [[f32; 3]; 2] = [[0.5, 0.0, -4.0], [6.5, 3.0, 4.0]];

const SETTINGS: LinkSettings = LinkSettings {
    max_distance: 2.8,
    max_drop: 4.0,
    max_up: 0.5,
    spacing: 1.0,
    radius: 0.6,
    height: 2.0,
    step: 0.4,
    rise: 0.2,
    snap: 0.2,
    min_detour: 3.0,
};

fn baked(level: &TriMesh, config: BakeConfig) -> NavMesh {
    bake(config.with_mesh(Arc::new(level.clone())), &Unmonitored).unwrap()
}

fn settings() -> BakeConfig {
    let settings = BakeSettings { cell_size: 0.2, tile_size: 40, ..BakeSettings::default() };
    BakeConfig { settings, ..BakeConfig::default() }
}

fn links(level: &TriMesh, settings_of_links: &LinkSettings) -> Vec<LinkProposal> {
    let mesh = baked(level, settings());
    propose_links(&mesh, level, &Filter::default(), settings_of_links, &Unmonitored).unwrap()
}

fn of_kind(all: &[LinkProposal], kind: LinkKind) -> Vec<[Vec3; 2]> {
    all.iter().filter(|link| link.kind == kind).map(LinkProposal::ends).collect()
}

#[test]
fn platforms_are_joined_and_left() {
    let all = links(&boxes(&[GROUND, LEFT, RIGHT]), &SETTINGS);
    let jumps = of_kind(&all, LinkKind::Jump);
    // 8 m minus a radius at both ends, with one jump per meter.
    assert!((5..=9).contains(&jumps.len()), "{jumps:?}");
    for [start, end] in &jumps {
        assert!(start.x.abs() < 1.6 && end.x.abs() < 1.6 && start.x * end.x < 0.0, "{start} {end}");
        assert!((start.z - end.z).abs() < 0.5 && (start.y - 3.0).abs() < 0.4);
    }
    let drops = of_kind(&all, LinkKind::Drop);
    for [start, end] in &drops {
        assert!((start.y - 3.0).abs() < 0.4 && end.y.abs() < 0.4, "{start} {end}");
        assert!(end.x.abs() > 6.5 || end.z.abs() > 4.0, "into the gap: {end}");
    }
    // Around both platforms: 2 * (4.8 + 4.8 + 6.8) m, minus losses at the corners.
    assert!((24..=40).contains(&drops.len()), "{}", drops.len());
    for (left, right) in drops.iter().map(|[start, _]| (start.x < 0.0, start.x > 0.0)) {
        assert!(left || right);
    }
}

#[test]
fn settings_limit_the_links_found() {
    let level = boxes(&[GROUND, LEFT, RIGHT]);
    let near = LinkSettings { max_distance: 2.0, ..SETTINGS };
    assert_eq!(of_kind(&links(&level, &near), LinkKind::Jump), [] as [[Vec3; 2]; 0]);
    let flat = LinkSettings { max_drop: 2.0, ..SETTINGS };
    assert_eq!(of_kind(&links(&level, &flat), LinkKind::Drop), [] as [[Vec3; 2]; 0]);
    assert!(!of_kind(&links(&level, &flat), LinkKind::Jump).is_empty());
    let high = LinkSettings { max_up: 4.0, ..SETTINGS };
    assert_eq!(of_kind(&links(&level, &high), LinkKind::Drop), [] as [[Vec3; 2]; 0]);
    let sparse = links(&level, &LinkSettings { spacing: 3.0, ..SETTINGS });
    assert!(sparse.len() * 2 < links(&level, &SETTINGS).len());
}

#[test]
fn walls_beams_and_ceilings_are_in_the_way() {
    let jumps = |thing: [[f32; 3]; 2]| {
        of_kind(&links(&boxes(&[GROUND, LEFT, RIGHT, thing]), &SETTINGS), LinkKind::Jump).len()
    };
    let free = jumps([[-1.0, 8.0, -4.0], [1.0, 8.1, 4.0]]);
    assert!(free >= 5);
    assert_eq!(jumps([[-0.05, 0.0, -5.0], [0.05, 9.0, 5.0]]), 0, "a thin wall");
    assert_eq!(jumps([[-0.05, 4.0, -5.0], [0.05, 4.1, 5.0]]), 0, "a beam at the chest");
    assert_eq!(jumps([[-0.4, 5.05, -5.0], [0.4, 6.0, 5.0]]), 0, "a ceiling over the rise");
    let half = jumps([[-0.05, 0.0, -5.0], [0.05, 9.0, 0.0]]);
    assert!(0 < half && half < free, "half a wall: {half} of {free}");
}

#[test]
fn places_close_on_foot_need_no_link() {
    // A bridge joins the platforms at one side.
    let bridge = [[-2.0, 2.5, 1.8], [2.0, 3.0, 4.0]];
    let level = boxes(&[GROUND, LEFT, RIGHT, bridge]);
    let jumps = |min_detour| {
        of_kind(&links(&level, &LinkSettings { min_detour, ..SETTINGS }), LinkKind::Jump)
    };
    let (far, all) = (jumps(3.0), jumps(1.0));
    assert!(!far.is_empty() && far.len() < all.len(), "{} {}", far.len(), all.len());
    assert!(far.iter().all(|[start, _]| start.z < 0.0), "{far:?}");
    assert_eq!(jumps(1000.0), [] as [[Vec3; 2]; 0]);
}

#[test]
fn links_lead_where_no_path_did() {
    let level = boxes(&[GROUND, LEFT, RIGHT]);
    let mut config = settings();
    let ends = [Vec3::new(-3.0, 3.0, 0.0), Vec3::new(12.0, 0.0, 0.0)];
    let filter = Filter::default();
    let status = |mesh: &NavMesh, [from, to]: [Vec3; 2]| {
        let request = PathRequest::new(from, to, &filter);
        find_path(mesh, &request, &mut Scratch::default()).unwrap().status
    };
    let bare = baked(&level, config.clone());
    assert_eq!(status(&bare, ends), PathStatus::Partial);
    let all = propose_links(&bare, &level, &filter, &SETTINGS, &Unmonitored).unwrap();
    let placed = all.iter().zip(1000..);
    config.off_mesh =
        placed.map(|(link, user_id)| link.to_off_mesh(0.6, AreaId(5), 8, user_id)).collect();
    let linked = baked(&level, config);
    assert_eq!(status(&linked, ends), PathStatus::Complete);
    assert_eq!(status(&linked, [ends[1], ends[0]]), PathStatus::Partial, "a drop is one way");
    let over = [ends[0], Vec3::new(3.0, 3.0, 0.0)];
    assert_eq!(status(&linked, over), PathStatus::Complete);
    assert_eq!(status(&linked, [over[1], over[0]]), PathStatus::Complete);
    // The links exist now.
    let again = propose_links(&linked, &level, &filter, &SETTINGS, &Unmonitored).unwrap();
    assert!(again.len() * 2 < all.len(), "{} of {}", again.len(), all.len());
}

/// Checks the properties of all proposals of a level. Clearance is tested with rays along the arc, independently of the
/// search.
fn check_all(level: &TriMesh, mesh: &NavMesh, all: &[LinkProposal], settings: &LinkSettings) {
    let (tree, filter) = (walkable_runtime::geom::Bvh::build(level), Filter::default());
    for link in all {
        let [start, end] = link.ends();
        for side in [link.start, link.end] {
            let on = walkable_runtime::query::closest_point(mesh, side.poly, side.point).unwrap();
            assert!(on.point.distance(side.point) < 1e-3, "{side:?} {on:?}");
            let height = poly_height(mesh, side.poly, side.point).unwrap();
            assert!(height.is_none_or(|height| (height - side.point.y).abs() < 1e-3));
        }
        let drop = start.y - end.y;
        assert!((-settings.max_up..=settings.max_drop).contains(&drop), "{link:?}");
        assert_eq!(link.kind == LinkKind::Jump, drop <= settings.max_up, "{link:?}");
        assert!((end - start).with_y(0.0).length() <= settings.max_distance + 1e-4);
        assert!(start.distance(end) > 0.1, "start = end: {link:?}");
        let request = PathRequest::new(start, end, &filter);
        let path = find_path(mesh, &request, &mut Scratch::default()).unwrap();
        let legs = path.points.windows(2).map(|leg| (leg[1] - leg[0]).with_y(0.0).length());
        let length = legs.sum::<f32>().hypot(end.y - start.y);
        let is_long = length >= 0.9 * settings.min_detour * start.distance(end);
        assert!(path.status != PathStatus::Complete || is_long, "{link:?} {length}");
        let feet = arc(start, end, settings);
        assert_eq!((feet[0], feet[feet.len() - 1]), (start, end));
        let across = (end - start).with_y(0.0).normalize_or_zero();
        let beside = Vec3::new(-across.z, 0.0, across.x) * settings.radius * 0.8;
        for leg in feet.windows(2) {
            for height in [settings.step + 0.05, settings.height - 0.05] {
                for aside in [Vec3::ZERO, beside, -beside] {
                    let [from, to] = [leg[0], leg[1]].map(|at| at + aside + Vec3::Y * height);
                    let Some(ray) = Ray::new(from, to - from) else { continue };
                    let hit = tree.raycast(level, &ray);
                    assert!(hit.is_none_or(|hit| hit.t > from.distance(to)), "{link:?} {hit:?}");
                }
            }
        }
    }
    for (index, link) in all.iter().enumerate() {
        let is_like = |other: &LinkProposal| {
            let close = |a: Vec3, b: Vec3| a.distance(b) < settings.spacing;
            let ([a, b], [c, d]) = (link.ends(), other.ends());
            let turned = link.kind == LinkKind::Jump && close(a, d) && close(b, c);
            link.kind == other.kind && (close(a, c) && close(b, d) || turned)
        };
        assert!(!all[..index].iter().any(is_like), "twice: {link:?}");
    }
}

#[test]
fn the_sample_has_ledges_to_drop_from() {
    let level = generate(LevelKind::Sample, 1, 30.0).unwrap();
    let mesh = baked(&level.mesh, level.config);
    let settings = LinkSettings { max_drop: 4.0, ..SETTINGS };
    let propose =
        || propose_links(&mesh, &level.mesh, &Filter::default(), &settings, &Unmonitored).unwrap();
    let all = propose();
    assert_eq!(all, propose());
    check_all(&level.mesh, &mesh, &all, &settings);
    let from_terrace = |link: &&LinkProposal| {
        let [start, end] = link.ends();
        link.kind == LinkKind::Drop && (start.y - 3.0).abs() < 0.4 && end.y.abs() < 0.4
    };
    assert!(all.iter().filter(from_terrace).count() > 10);
    // No link leads through the wall at z = 15 between hall and yard.
    for link in &all {
        let [start, end] = link.ends();
        let is_through = start.y < 1.0 && end.y < 1.0 && (start.z - 15.0) * (end.z - 15.0) < 0.0;
        assert!(!is_through || start.x > 17.0, "{link:?}");
    }
}

#[test]
fn proposals_of_random_levels_hold() {
    let mut n = 0;
    let kinds = [(LevelKind::Town, 60.0), (LevelKind::Caves, 40.0), (LevelKind::Tower, 30.0)];
    for (kind, size) in kinds {
        let level = generate(kind, 3, size).unwrap();
        let mesh = baked(&level.mesh, level.config);
        let settings = LinkSettings::for_agent(2.0, 0.6, 0.9);
        let all = propose_links(&mesh, &level.mesh, &Filter::default(), &settings, &Unmonitored);
        let all = all.unwrap();
        check_all(&level.mesh, &mesh, &all, &settings);
        n += all.len();
    }
    assert!(n > 20, "{n}");
}

/// A monitor that always cancels.
struct Stopped;

impl Monitor for Stopped {
    fn is_cancelled(&self) -> bool {
        true
    }
}

#[test]
fn bad_settings_are_named() {
    let level = boxes(&[GROUND]);
    let mesh = baked(&level, settings());
    let propose = |settings: LinkSettings| {
        propose_links(&mesh, &level, &Filter::default(), &settings, &Unmonitored)
    };
    assert_eq!(propose(SETTINGS), Ok(vec![]));
    let message = |settings| propose(settings).unwrap_err().to_string();
    assert_eq!(
        message(LinkSettings { spacing: 0.0, ..SETTINGS }),
        "spacing is 0, but must be between 0.01 and 1000"
    );
    assert_eq!(
        message(LinkSettings { max_drop: f32::NAN, ..SETTINGS }),
        "max_drop is NaN, but must be between 0 and 1000"
    );
    assert_eq!(
        message(LinkSettings { min_detour: 0.5, ..SETTINGS }),
        "min_detour is 0.5, but must be between 1 and 1000"
    );
    let stopped = propose_links(&mesh, &level, &Filter::default(), &SETTINGS, &Stopped);
    assert_eq!(stopped, Err(LinkError::Cancelled(Cancelled)));
}

#[test]
fn arcs_stay_above_their_ledge() {
    let (start, end) = (Vec3::new(0.0, 3.0, 0.0), Vec3::new(2.0, 0.0, 0.0));
    let down = arc(start, end, &SETTINGS);
    for at in &down {
        let near = nearest_on_segment(*at, start, end);
        assert!(near.distance_sqr < 1e-6);
        assert!(at.x > 1.2 + 1e-3 || at.y >= 3.0 - 1e-4, "{at}");
    }
    let mut up = arc(end, start, &SETTINGS);
    up.reverse();
    assert_eq!(up, down);
    let level = arc(start, start + Vec3::X * 2.0, &SETTINGS);
    let highest = level.iter().map(|at| at.y).fold(0.0, f32::max);
    assert!((highest - 3.2).abs() < 1e-4);
}

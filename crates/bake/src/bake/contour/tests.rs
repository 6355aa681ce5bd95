use walkable_runtime::monitor::Unmonitored;

use super::*;
use crate::bake::pictures::{Picture, picture, picture_with};

fn contours_of(picture: &Picture, max_error: f32, max_edge_len_vx: u32) -> ContourSet {
    let (set, warnings) =
        build_contours(picture.for_contours(), max_error, max_edge_len_vx, &Unmonitored).unwrap();
    assert_eq!(warnings, [], "no warnings");
    set
}

fn corners(contour: &Contour) -> Vec<(i32, i32)> {
    contour.vertices.iter().map(|v| (v.x, v.z)).collect()
}

/// Checks the simplified corners of every contour, error 1 cell.
#[track_caller]
fn check(text: &str, expected: &[&[(i32, i32)]]) {
    let set = contours_of(&picture(text), 1.0, 0);
    let found: Vec<_> = set.contours.iter().map(corners).collect();
    assert_eq!(found, expected);
}

#[test]
fn square_keeps_its_four_corners() {
    check("AAAA AAAA AAAA AAAA", &[&[(0, 0), (0, 4), (4, 4), (4, 0)]]);
}

#[test]
fn raw_outline_follows_every_cell_and_closes() {
    let set = contours_of(&picture("AAA AAA .AA"), 1.0, 0);
    let raw = &set.contours[0].raw;
    assert_eq!(raw.len(), 12);
    for (i, a) in raw.iter().enumerate() {
        let b = raw[(i + 1) % raw.len()];
        assert_eq!((a.x - b.x).abs() + (a.z - b.z).abs(), 1, "one step from {a:?} to {b:?}");
    }
}

#[test]
fn l_shape_keeps_its_inner_corner() {
    check(
        "AA.... AA.... AA.... AA.... AAAAAA AAAAAA",
        &[&[(0, 0), (0, 6), (6, 6), (6, 4), (2, 4), (2, 0)]],
    );
}

#[test]
fn a_bump_smaller_than_the_error_is_dropped() {
    let text = "......... AAAAAAAAA AAAAAAAAA AAAA.AAAA";
    let set = contours_of(&picture(text), 1.3, 0);
    assert_eq!(corners(&set.contours[0]), [(0, 1), (0, 4), (9, 4), (9, 1)]);
    let set = contours_of(&picture(text), 0.5, 0);
    assert_eq!(set.contours[0].vertices.len(), 8);
}

#[test]
fn long_walls_are_split() {
    let set = contours_of(&picture("AAAAAAAA AAAAAAAA AAAAAAAA"), 1.0, 4);
    assert_eq!(corners(&set.contours[0]), [(0, 0), (0, 3), (4, 3), (8, 3), (8, 0), (4, 0)]);
}

#[test]
fn neighbors_keep_the_corners_where_they_meet() {
    let set = contours_of(&picture("AAABBB AAABBB AAABBB"), 1.0, 0);
    for contour in &set.contours {
        let corners = corners(contour);
        assert!(corners.contains(&(3, 0)) && corners.contains(&(3, 3)), "{corners:?}");
    }
    let across: Vec<_> = set.contours[0].vertices.iter().map(|v| v.region().0).collect();
    assert_eq!(across.iter().filter(|&&r| r == 2).count(), 1, "{across:?}");
}

#[test]
fn an_area_border_is_marked() {
    let set = contours_of(&picture("AAAbbb AAAbbb AAAbbb"), 1.0, 0);
    for contour in &set.contours {
        let marked = contour.vertices.iter().filter(|v| v.has(ContourVertex::AREA_BORDER));
        assert_eq!(marked.count(), 1);
    }
}

#[test]
fn a_hole_is_bridged_to_its_outline() {
    let set = contours_of(&picture("AAAAAA AAAAAA AA..AA AA..AA AAAAAA AAAAAA"), 0.5, 0);
    let [outline, hole] = set.contours.as_slice() else { panic!("two contours") };
    assert_eq!(outline.vertices.len(), 4 + 1 + 4 + 1);
    assert!(hole.vertices.is_empty() && !hole.raw.is_empty());
    let twice: Vec<_> = corners(outline);
    assert_eq!(twice[0], twice[4]);
    assert_eq!(twice[5], twice[9]);
}

#[test]
fn two_holes_are_bridged_from_left_to_right() {
    let set = contours_of(
        &picture("AAAAAAAAAAA AAAAAAAAAAA AA..AAA..AA AA..AAA..AA AAAAAAAAAAA AAAAAAAAAAA"),
        0.5,
        0,
    );
    assert_eq!(set.contours[0].vertices.len(), 4 + 2 * (4 + 2));
    assert!(set.contours[1..].iter().all(|c| c.vertices.is_empty()));
}

#[test]
fn vertices_take_the_highest_floor_around_them() {
    let tilted = picture_with("AAAA AAAA", 0, |x, _| u16::try_from(x).unwrap() * 2);
    let set = contours_of(&tilted, 1.0, 0);
    let y = |x, z| set.contours[0].vertices.iter().find(|v| (v.x, v.z) == (x, z)).unwrap().y;
    assert_eq!([y(0, 0), y(4, 0), y(4, 2)], [0, 6, 6]);
    assert!(set.contours[0].raw.iter().any(|v| v.x == 2 && v.y == 4));
}

#[test]
fn corners_on_the_tile_border_are_marked_and_the_border_is_cut_off() {
    let text = "13333332 1AAABBB2 1AAABBB2 1AAABBB2 14444442";
    let set = contours_of(&picture_with(text, 1, |_, _| 0), 1.0, 0);
    let marked: Vec<_> = set
        .contours
        .iter()
        .flat_map(|c| c.vertices.iter().filter(|v| v.has(ContourVertex::BORDER_VERTEX)))
        .map(|v| (v.x, v.z))
        .collect();
    assert_eq!(marked, [(3, 3), (3, 0), (3, 3), (3, 0)]);
    let bounds = Aabb::new(glam::Vec3::new(1.0, 0.0, 1.0), glam::Vec3::new(7.0, 100.0, 4.0));
    assert_eq!(set.inner_bounds(), bounds);
}

#[test]
fn tiny_regions_are_reported() {
    let picture = picture("AA. .A.");
    let (set, warnings) = build_contours(picture.for_contours(), 5.0, 0, &Unmonitored).unwrap();
    assert_eq!((set.contours.len(), warnings.len()), (0, 1));
}

#[test]
fn cancels() {
    struct Stop;
    impl Monitor for Stop {
        fn is_cancelled(&self) -> bool {
            true
        }
    }
    let picture = picture("AAA AAA");
    assert_eq!(build_contours(picture.for_contours(), 1.0, 0, &Stop), Err(Cancelled));
}

use walkable_runtime::monitor::Unmonitored;

use super::*;
use crate::bake::{
    contour::build_contours,
    pictures::{Picture, picture_with},
    polymesh::build_polymesh,
};

fn detail_of(picture: &Picture, sample_dist: f32, max_error: f32) -> (PolyMesh, DetailMesh) {
    let (set, _) = build_contours(picture.for_contours(), 0.5, 0, &Unmonitored).unwrap();
    let (mesh, _) = build_polymesh(&set, 6, &Unmonitored).unwrap();
    let (detail, warnings) =
        build_detail(&mesh, picture.for_detail(), [sample_dist, max_error], &Unmonitored).unwrap();
    assert_eq!(warnings, []);
    assert_sound(&mesh, &detail);
    (mesh, detail)
}

/// Checks ranges, that corners come first, and that triangles cover each polygon.
#[track_caller]
fn assert_sound(mesh: &PolyMesh, detail: &DetailMesh) {
    assert_eq!(detail.patches.len(), mesh.polygons.len());
    for (polygon, patch) in mesh.polygons.iter().zip(&detail.patches) {
        let vertices = &detail.vertices[patch.first_vertex as usize..][..patch.n_vertices as usize];
        for (&corner, vertex) in polygon.vertices.iter().zip(vertices) {
            let corner = mesh.world_vertex(corner);
            let across = [corner.x - vertex.x, corner.z - vertex.z];
            assert!(across.iter().all(|d| d.abs() < 1e-6), "{corner} {vertex}");
        }
        let area = |points: &[Vec3]| -> f32 {
            (1..points.len() - 1).map(|i| plane::cross(points[0], points[i], points[i + 1])).sum()
        };
        let triangles =
            &detail.triangles[patch.first_triangle as usize..][..patch.n_triangles as usize];
        let covered: f32 = triangles
            .iter()
            .map(|&[a, b, c, _]| area(&[a, b, c].map(|i| vertices[usize::from(i)])).abs())
            .sum();
        let expected = area(&vertices[..polygon.vertices.len()]).abs();
        assert!((covered - expected).abs() <= expected * 1e-3, "{covered} of {expected}");
        let n_boundary = triangles.iter().map(|t| t[3].count_ones()).sum::<u32>() as usize;
        assert!(n_boundary >= polygon.vertices.len());
    }
}

fn rows(n_x: usize, n_z: usize) -> String {
    vec!["A".repeat(n_x); n_z].join(" ")
}

#[test]
fn flat_ground_needs_no_samples() {
    let picture = picture_with(&rows(20, 20), 0, |_, _| 7);
    let (mesh, detail) = detail_of(&picture, 3.0, 0.5);
    assert_eq!((mesh.polygons.len(), detail.vertices.len(), detail.triangles.len()), (1, 4, 2));
    assert!(detail.vertices.iter().all(|v| v.y.to_bits() == 8.0_f32.to_bits()), "a cell above");
}

#[test]
fn no_sample_distance_means_no_vertices() {
    let picture = picture_with(&rows(20, 20), 0, |x, z| u16::try_from((x + z) % 4).unwrap());
    let (_, detail) = detail_of(&picture, 0.0, 0.1);
    assert_eq!((detail.vertices.len(), detail.triangles.len()), (4, 2));
    let flags: Vec<u32> = detail.triangles.iter().map(|t| t[3].count_ones()).collect();
    assert_eq!(flags, [2, 2]);
}

#[test]
fn a_hill_gets_samples_inside_and_along_edges() {
    let hill = |x: u32, z: u32| {
        let far = x.abs_diff(15).max(z.abs_diff(15));
        u16::try_from(30 - 2 * far.min(15)).unwrap()
    };
    let picture = picture_with(&rows(30, 30), 0, hill);
    let (_, detail) = detail_of(&picture, 3.0, 1.0);
    let highest = detail.vertices.iter().map(|v| v.y).fold(0.0, f32::max);
    assert!(detail.vertices.len() > 8, "{}", detail.vertices.len());
    assert!(highest > 25.0, "{highest}");
}

#[test]
fn a_wide_step_is_met_along_the_edges() {
    let picture = picture_with(&rows(24, 6), 0, |x, _| if x < 12 { 0 } else { 4 });
    let (_, detail) = detail_of(&picture, 2.0, 0.5);
    assert!(detail.vertices.len() > 4);
    let at = |x: f32| detail.vertices.iter().filter(move |v| (v.x - x).abs() < 4.0 && v.x > 0.0);
    assert!(at(16.0).all(|v| v.y > 4.0), "{:?}", detail.vertices);
}

#[test]
fn polygons_over_two_regions_walk_from_their_center() {
    let text = "13333332 1AAABBB2 1AAABBB2 1AAABBB2 14444442";
    let picture = picture_with(text, 1, |_, _| 9);
    let (mesh, detail) = detail_of(&picture, 1.0, 0.5);
    assert_eq!(mesh.polygons[0].region, RegionId::NONE);
    assert!(detail.vertices.iter().all(|v| v.y.to_bits() == 10.0_f32.to_bits()));
}

#[test]
fn cancels_at_any_check() {
    use std::sync::atomic::{AtomicU32, Ordering};
    struct StopAfter(AtomicU32);
    impl Monitor for StopAfter {
        fn is_cancelled(&self) -> bool {
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_err()
        }
    }
    let picture = picture_with(&rows(20, 20), 0, |x, _| u16::try_from(x % 5).unwrap());
    let (set, _) = build_contours(picture.for_contours(), 0.5, 0, &Unmonitored).unwrap();
    let (mesh, _) = build_polymesh(&set, 6, &Unmonitored).unwrap();
    for n in 0..5 {
        let monitor = StopAfter(AtomicU32::new(n));
        assert_eq!(build_detail(&mesh, picture.for_detail(), [2.0, 0.5], &monitor), Err(Cancelled));
    }
}

use std::collections::BTreeMap;

use glam::Vec3;
use walkable_mesh::{MeshPart, TriMesh};
use walkable_runtime::{geom::Aabb, monitor::Monitor};

use super::shrink_list;

/// Removes as many triangles of `mesh` as possible while `remains` holds for the rest: first whole objects, then groups
/// of triangles that are near each other, then single triangles.
///
/// If `monitor` cancels, the result is the smallest mesh found until then.
pub fn shrink_mesh(
    mesh: &TriMesh,
    remains: &mut dyn FnMut(&TriMesh) -> bool,
    monitor: &dyn Monitor,
) -> TriMesh {
    let mut part_remains = |parts: &[&MeshPart]| {
        let triangles: Vec<_> = parts.iter().flat_map(|part| part.triangles.clone()).collect();
        submesh(mesh, &triangles).is_some_and(|candidate| remains(&candidate))
    };
    let parts: Vec<_> = mesh.parts().iter().collect();
    let parts = shrink_list(&parts, &mut part_remains, monitor);
    let mut triangles: Vec<_> = parts.iter().flat_map(|part| part.triangles.clone()).collect();
    sort_by_distance(mesh, &mut triangles);
    let mut triangle_remains =
        |kept: &[u32]| submesh(mesh, kept).is_some_and(|candidate| remains(&candidate));
    let kept = shrink_list(&triangles, &mut triangle_remains, monitor);
    submesh(mesh, &kept).unwrap_or_else(|| mesh.clone())
}

/// Sorts triangles so that triangles near each other have indices near each other: divides them into halves along the
/// longest side of their box, recursively.
fn sort_by_distance(mesh: &TriMesh, triangles: &mut [u32]) {
    if triangles.len() < 3 {
        return;
    }
    let center = |triangle: u32| mesh.corners(triangle as usize).iter().sum::<Vec3>();
    let size = Aabb::around(triangles.iter().map(|&triangle| center(triangle))).size();
    let axis = size.max_position();
    let by_axis =
        |a: &u32, b: &u32| center(*a)[axis].total_cmp(&center(*b)[axis]).then_with(|| a.cmp(b));
    let middle = triangles.len() / 2;
    triangles.select_nth_unstable_by(middle, by_axis);
    let (low, high) = triangles.split_at_mut(middle);
    sort_by_distance(mesh, low);
    sort_by_distance(mesh, high);
}

/// Returns a mesh of only these `triangles`, in their original order, with their objects and materials and without
/// unused vertices; `None` without triangles. Indices out of range are ignored.
pub fn submesh(mesh: &TriMesh, triangles: &[u32]) -> Option<TriMesh> {
    let mut kept = triangles.to_vec();
    kept.sort_unstable();
    kept.dedup();
    let mut numbers = BTreeMap::new();
    let (mut vertices, mut corners, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    let mut kept = kept.into_iter().peekable();
    for part in mesh.parts() {
        let first = n_as_u32(&corners);
        while let Some(index) = kept.next_if(|index| *index < part.triangles.end) {
            let triangle = mesh.triangles()[index as usize].map(|vertex| {
                *numbers.entry(vertex).or_insert_with(|| {
                    vertices.push(mesh.vertices()[vertex as usize]);
                    n_as_u32(&vertices) - 1
                })
            });
            corners.push(triangle);
        }
        let end = n_as_u32(&corners);
        if end > first {
            parts.push(MeshPart { triangles: first..end, ..part.clone() });
        }
    }
    TriMesh::with_parts(vertices, corners, parts).ok()
}

/// Returns the number of elements; a mesh has at most `u32::MAX`.
fn n_as_u32<T>(all: &[T]) -> u32 {
    u32::try_from(all.len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use walkable::level::{LevelKind, generate};
    use walkable_runtime::monitor::Unmonitored;

    use super::*;

    fn town() -> TriMesh {
        generate(LevelKind::Town, 1, 100.0).unwrap().mesh
    }

    fn corners(mesh: &TriMesh) -> Vec<[Vec3; 3]> {
        (0..mesh.triangles().len()).map(|index| mesh.corners(index)).collect()
    }

    #[test]
    fn a_submesh_has_the_same_triangles_and_names() {
        let mesh = town();
        let last = u32::try_from(mesh.triangles().len()).unwrap() - 1;
        let chosen = [last, 7, 100, 7, u32::MAX];
        let part = submesh(&mesh, &chosen).unwrap();
        let expected = [7, 100, last as usize].map(|index| mesh.corners(index));
        assert_eq!(corners(&part), expected);
        let object = |mesh: &TriMesh, index: u32| {
            let part = mesh.parts().iter().find(|part| part.triangles.contains(&index));
            part.map(|part| (part.object.to_string(), part.material.to_string()))
        };
        let names: Vec<_> = (0..3).map(|index| object(&part, index)).collect();
        assert_eq!(names, [7, 100, last].map(|index| object(&mesh, index)));
        assert!(part.vertices().len() <= 9);
        assert!(submesh(&mesh, &[]).is_none() && submesh(&mesh, &[u32::MAX]).is_none());
        let all: Vec<_> = (0..=last).collect();
        assert_eq!(corners(&submesh(&mesh, &all).unwrap()), corners(&mesh));
    }

    #[test]
    fn the_needed_triangles_are_found_among_many() {
        let mesh = town();
        let needed = [20, 21, 500].map(|index| mesh.corners(index));
        let mut n_trials = 0;
        let mut remains = |candidate: &TriMesh| {
            n_trials += 1;
            let found = corners(candidate);
            needed.iter().all(|triangle| found.contains(triangle))
        };
        let small = shrink_mesh(&mesh, &mut remains, &Unmonitored);
        assert_eq!(corners(&small), needed);
        assert!(n_trials < 200, "{n_trials} trials for {} triangles", mesh.triangles().len());
    }
}

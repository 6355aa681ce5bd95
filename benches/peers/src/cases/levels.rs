//! Random levels of a few dozen meters.

use std::sync::{Arc, LazyLock};

use glam::{Quat, Vec3};
use walkable::{
    level::{LevelKind, generate},
    mesh::{MeshPart, TriMesh},
};
use walkable_runtime::random::{Noise, Random};

use super::places::MATERIALS;
use crate::levels::{LEVELS, Level};

type Triangle = [Vec3; 3];

/// The levels that are read from files, if the files exist.
static FILES: LazyLock<Vec<(&'static str, Arc<TriMesh>)>> = LazyLock::new(|| {
    let read = |level: &Level| level.is_file().then(|| level.mesh()).flatten();
    LEVELS.iter().filter_map(|level| Some((level.name, read(level)?))).collect()
});

/// Returns a level and its description, for users.
pub(super) fn level(random: &mut Random) -> (String, TriMesh) {
    let (name, triangles) = match random.below(16) {
        0..4 => ("soup on a grid".to_owned(), soup(random, Some(0.25))),
        4..7 => ("soup".to_owned(), soup(random, None)),
        7..11 => ("blocks".to_owned(), blocks(random)),
        11..13 => ("steps".to_owned(), steps(random)),
        13..15 => generated(random),
        _ if FILES.is_empty() => ("blocks".to_owned(), blocks(random)),
        _ => {
            let (name, mesh) = &FILES[random.below(FILES.len())];
            ((*name).to_owned(), triangles_of(mesh))
        }
    };
    let triangles = moved(random, triangles);
    (name, in_parts(random, triangles))
}

/// Returns triangles with vertices anywhere in a box, or on a grid in it: flat, steep, slivers, points.
fn soup(random: &mut Random, grid: Option<f32>) -> Vec<Triangle> {
    let side = random.pick(&[8.0, 24.0, 60.0]);
    let size = random_point(random, Vec3::new(2.0, 0.0, 2.0), Vec3::new(side, 9.0, side));
    let most = random.pick(&[10, 80, 300]);
    let n = 1 + random.below(most);
    let corner = |random: &mut Random| {
        let point = random_point(random, Vec3::ZERO, size);
        grid.map_or(point, |step| (point / step).round() * step)
    };
    (0..n)
        .map(|_| {
            let [a, mut b, mut c] = [(); 3].map(|()| corner(random));
            if random.chance(0.5) {
                (b.y, c.y) = (a.y, a.y);
            }
            [a, b, c]
        })
        .collect()
}

/// Returns boxes, platforms and ramps over a floor.
fn blocks(random: &mut Random) -> Vec<Triangle> {
    let side = random.pick(&[20.0, 60.0]);
    let (side_x, side_z) = (random.between(5.0, side), random.between(5.0, side));
    let mut triangles = quad(Vec3::ZERO, Vec3::new(0.0, 0.0, side_z), Vec3::new(side_x, 0.0, 0.0));
    let most = random.pick(&[10, 40, 150]);
    for _ in 0..random.below(most) {
        let corner = Vec3::new(random.between(0.0, side_x), 0.0, random.between(0.0, side_z));
        let [x, z] = [(); 2].map(|()| random.between(0.2, 8.0));
        let y = random.between(0.1, 5.0);
        match random.below(4) {
            0 => triangles.extend(quad(corner + Vec3::Y * y, Vec3::Z * z, Vec3::X * x)),
            1 => triangles.extend(quad(corner, Vec3::Z * z, Vec3::new(x, y * 0.7, 0.0))),
            _ => triangles.extend(block(corner, Vec3::new(x, y, z))),
        }
    }
    triangles
}

/// Returns squares of random heights, separate or joined at their corners.
fn steps(random: &mut Random) -> Vec<Triangle> {
    let n = 4 + random.below(60);
    let side = random.between(0.3, 1.5);
    let (rise, across) = (random.between(0.1, 1.5), random.between(0.1, 0.9));
    let is_joined = random.chance(0.5);
    let noise = Noise::new(random.below(1 << 30) as u64);
    let height = |x: usize, z: usize| {
        let height = noise.fractal(x as f32 * across, z as f32 * across, 3) * rise * 4.0;
        if is_joined { height } else { (height / rise).round() * rise }
    };
    let corner = |x: usize, z: usize, y: f32| Vec3::new(x as f32 * side, y, z as f32 * side);
    let mut triangles = Vec::new();
    for (x, z) in (0..n * n).map(|cell| (cell % n, cell / n)) {
        if random.chance(0.05) {
            continue;
        }
        let [a, b, c, d] = [(0, 0), (0, 1), (1, 1), (1, 0)].map(|(dx, dz)| {
            let from = if is_joined { (x + dx, z + dz) } else { (x, z) };
            corner(x + dx, z + dz, height(from.0, from.1))
        });
        triangles.extend([[a, b, c], [a, c, d]]);
    }
    if triangles.is_empty() { block(Vec3::ZERO, Vec3::splat(side)) } else { triangles }
}

/// Returns a level of Walkable's generator, of up to twice its minimum size.
fn generated(random: &mut Random) -> (String, Vec<Triangle>) {
    let kind = random.pick(&LevelKind::ALL);
    let (smallest, largest) = (*kind.sizes().start(), *kind.sizes().end());
    let size = random.between(smallest, largest.min(smallest * 2.0));
    let seed = random.below(1 << 30) as u64;
    let level = generate(kind, seed, size).expect("the size is between the limits");
    (format!("{kind}, seed {seed}, {size} m"), triangles_of(&level.mesh))
}

fn triangles_of(mesh: &TriMesh) -> Vec<Triangle> {
    (0..mesh.triangles().len()).map(|index| mesh.corners(index)).collect()
}

fn random_point(random: &mut Random, min: Vec3, max: Vec3) -> Vec3 {
    Vec3::from_array([0, 1, 2].map(|axis| random.between(min[axis], max[axis])))
}

/// Returns a parallelogram that faces up if `along` is clockwise of `across` seen from above.
fn quad(corner: Vec3, along: Vec3, across: Vec3) -> Vec<Triangle> {
    let [a, b, c, d] = [corner, corner + along, corner + along + across, corner + across];
    vec![[a, b, c], [a, c, d]]
}

/// Returns a box without a bottom.
fn block(corner: Vec3, size: Vec3) -> Vec<Triangle> {
    let [x, y, z] = [Vec3::X * size.x, Vec3::Y * size.y, Vec3::Z * size.z];
    [(corner + y, z, x), (corner, y, x), (corner + z, x, y), (corner, z, y), (corner + x, y, z)]
        .into_iter()
        .flat_map(|(corner, along, across)| quad(corner, along, across))
        .collect()
}

/// Rotates the triangles about the vertical and moves them, sometimes far, so that no coordinate is round.
fn moved(random: &mut Random, mut triangles: Vec<Triangle>) -> Vec<Triangle> {
    let turn = random.chance(0.4).then(|| Quat::from_rotation_y(random.between(0.0, 6.0)));
    let far = random.pick(&[0.0, 0.0, 3.0, 100.0, 3000.0]);
    let shift = random_point(random, Vec3::splat(-far), Vec3::splat(far));
    for corner in triangles.iter_mut().flatten() {
        *corner = turn.map_or(*corner, |turn| turn * *corner) + shift;
    }
    triangles
}

/// Divides the triangles into runs of different materials.
fn in_parts(random: &mut Random, triangles: Vec<Triangle>) -> TriMesh {
    let n = u32::try_from(triangles.len()).expect("levels are small");
    let mut ends = [random.below(n as usize) as u32, random.below(n as usize) as u32, n];
    ends.sort_unstable();
    let starts = [0, ends[0], ends[1]];
    let part = |((start, end), material): ((u32, u32), &str)| MeshPart {
        object: "".into(),
        material: material.into(),
        triangles: start..end,
    };
    let parts = starts.into_iter().zip(ends).zip(MATERIALS).map(part).collect();
    let corners = (0..n).map(|index| [3 * index, 3 * index + 1, 3 * index + 2]).collect();
    TriMesh::with_parts(triangles.concat(), corners, parts).expect("coordinates are finite")
}

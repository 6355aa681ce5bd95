//! Open country: hills, terraces with steep faces, and boulders.

use glam::Vec3;
use walkable_bake::bake::{BakeConfig, BakeSettings};
use walkable_runtime::random::{Noise, Random};

use crate::level::{draft::Draft, solid::Solids};

/// Side of a ground cell, in meters.
const CELL: f32 = 1.0;
/// Distance between hills, in meters.
const HILLS: f32 = 85.0;
/// Height of the highest hill, in meters.
const RELIEF: f32 = 30.0;
/// Height difference between terraces, in meters.
const TERRACE: f32 = 6.0;
/// Area per boulder, in square meters.
const AREA_PER_BOULDER: f32 = 420.0;
/// Ground is rock if the cosine of the angle of its normal is less than this.
const ROCK_COSINE: f32 = 0.75;

pub(super) fn terrain(seed: u64, size: f32) -> Draft {
    let n = cells_along(size);
    let shape = Shape { noise: Noise::new(seed), ledge: Noise::new(seed ^ 0x1ed6e) };
    let mut solids = Solids::default();
    ground(&mut solids, n, |x, z| shape.height(x, z));
    let side = f32::from(n) * CELL;
    boulders(&mut solids, &shape, side, &mut Random::new(seed));
    let on_ground = |x: f32, z: f32| Vec3::new(x, shape.height(x, z), z);
    let settings = BakeSettings { tile_size: 64, ..BakeSettings::default() };
    Draft {
        solids,
        config: BakeConfig { settings, ..BakeConfig::default() },
        start: on_ground((side * 0.1).round(), (side * 0.1).round()),
        end: on_ground((side * 0.9).round(), (side * 0.9).round()),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are between 16 and 2048 meters"
)]
fn cells_along(size: f32) -> u16 {
    (size / CELL).round() as u16
}

/// The noise that shapes the ground.
struct Shape {
    noise: Noise,
    ledge: Noise,
}

impl Shape {
    fn height(&self, x: f32, z: f32) -> f32 {
        let hills = self.noise.fractal(x / HILLS, z / HILLS, 5) * RELIEF;
        // The strength of terraces varies. The stronger they are, the steeper the ground between two terraces.
        let strength = ((self.ledge.at(x / 60.0, z / 60.0) - 0.45) * 3.0).clamp(0.0, 0.9);
        let level = (hills / TERRACE).floor();
        let t = hills / TERRACE - level;
        let stepped = ((t - 0.5) * 4.0 + 0.5).clamp(0.0, 1.0);
        (level + t + (stepped - t) * strength) * TERRACE
    }
}

/// Adds the surface over a grid of `n` by `n` cells, first the grass, then the rock.
fn ground(solids: &mut Solids, n: u16, height: impl Fn(f32, f32) -> f32) {
    let mut positions = Vec::new();
    for z in 0..=n {
        for x in 0..=n {
            let (x, z) = (f32::from(x) * CELL, f32::from(z) * CELL);
            positions.push(Vec3::new(x, height(x, z), z));
        }
    }
    let vertices: Vec<u32> = positions.iter().map(|&p| solids.vertex(p)).collect();
    let row = usize::from(n) + 1;
    for material in ["grass", "rock"] {
        solids.part("ground", material);
        for near in (0..usize::from(n)).flat_map(|z| (0..usize::from(n)).map(move |x| x + z * row))
        {
            let far = near + row;
            for corners in [[near, far, near + 1], [near + 1, far, far + 1]] {
                let [a, b, c] = corners.map(|i| positions[i]);
                let normal = (b - a).cross(c - a);
                let steep = normal.y < ROCK_COSINE * normal.length();
                if steep == (material == "rock") {
                    solids.face(corners.map(|i| vertices[i]));
                }
            }
        }
    }
}

fn boulders(solids: &mut Solids, shape: &Shape, side: f32, random: &mut Random) {
    solids.part("boulders", "rock");
    let mut ground_left = side * side;
    while ground_left > AREA_PER_BOULDER {
        ground_left -= AREA_PER_BOULDER;
        let (x, z) = (random.between(3.0, side - 3.0), random.between(3.0, side - 3.0));
        let radius = random.between(0.5, 2.2);
        boulder(solids, Vec3::new(x, shape.height(x, z), z), radius, random);
    }
}

/// Adds an octagonal stone of random proportions, partly below the ground.
fn boulder(solids: &mut Solids, foot: Vec3, radius: f32, random: &mut Random) {
    // Corners of a regular octagon, counter-clockwise seen from above.
    const DIAGONAL: f32 = 0.707_106_77;
    let outline = [
        (1.0, 0.0),
        (DIAGONAL, -DIAGONAL),
        (0.0, -1.0),
        (-DIAGONAL, -DIAGONAL),
        (-1.0, 0.0),
        (-DIAGONAL, DIAGONAL),
        (0.0, 1.0),
        (DIAGONAL, DIAGONAL),
    ];
    let height = radius * random.between(0.6, 1.3);
    let bulge = outline.map(|_| random.between(0.8, 1.15));
    let ring = |r: f32, y: f32| -> Vec<Vec3> {
        let corner =
            |((x, z), bulge): ((f32, f32), f32)| foot + Vec3::new(x * r * bulge, y, z * r * bulge);
        outline.into_iter().zip(bulge).map(corner).collect()
    };
    solids.column(&ring(radius * 0.9, -radius), &ring(radius, height * 0.45));
    solids.column(&ring(radius, height * 0.45), &ring(radius * 0.55, height));
}

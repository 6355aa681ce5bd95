//! Caves: halls on three levels, joined by tunnels with even floors, in solid rock. Only the surface
//! of the rock is made, so that one looks into the caves from outside.

use glam::{Vec2, Vec3, Vec3Swizzles as _};

use crate::{
    bake::{BakeConfig, BakeSettings},
    level::{
        kind::Draft,
        random::{Noise, Random},
        solid::Solids,
        surface_net::{Density, surface_net},
    },
};

/// Distance of grid points, in metres.
const STEP: f32 = 1.0;
/// Height from level to level.
const LEVEL: f32 = 7.0;
/// Levels.
const N_LEVELS: u8 = 3;
/// Height of tunnels above their floor.
const HEAD_ROOM: f32 = 4.0;
/// Ground for every hall of a level, in square metres.
const AREA_PER_HALL: f32 = 500.0;
/// Steepest tunnel floor, rise over run.
const STEEPEST: f32 = 0.5;

/// A straight tunnel with an even floor; a hall where both ends are near each other.
#[derive(Clone, Copy, Debug)]
struct Tunnel {
    from: Vec3,
    to: Vec3,
    radius: f32,
}

pub(super) fn caves(seed: u64, size: f32) -> Draft {
    let mut random = Random::new(seed);
    let halls = halls(size, &mut random);
    let mut tunnels: Vec<Tunnel> = halls.iter().flatten().copied().collect();
    tunnels.extend(passages(&halls, &mut random));
    let height = f32::from(N_LEVELS) * LEVEL + 4.0;
    let n_side = points_along(size);
    let n = [n_side, points_along(height), n_side];
    let mut density = Density::rock(Vec3::new(0.0, -2.0, 0.0), STEP, n);
    let rough = Noise::new(seed);
    for tunnel in &tunnels {
        carve(&mut density, tunnel, rough);
    }
    let mut solids = Solids::default();
    solids.part("caves", "rock");
    surface_net(&density, &mut solids);
    let settings = BakeSettings { tile_size: 48, ..BakeSettings::default() };
    let middle = |tunnel: &Tunnel| (tunnel.from + tunnel.to) * 0.5;
    let top = &halls[halls.len() - 1];
    Draft {
        solids,
        config: BakeConfig { settings, ..BakeConfig::default() },
        start: middle(&halls[0][0]),
        end: middle(&top[top.len() - 1]),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are between 24 and 200 metres"
)]
fn points_along(size: f32) -> usize {
    (size / STEP) as usize + 1
}

/// Halls of each level from the lowest up, at random places.
fn halls(size: f32, random: &mut Random) -> Vec<Vec<Tunnel>> {
    let mut levels = Vec::new();
    for level in 0..N_LEVELS {
        let mut halls = Vec::new();
        let mut ground_left = size * size;
        while ground_left > 0.0 {
            ground_left -= AREA_PER_HALL;
            let radius = random.between(3.0, 5.5);
            let margin = radius + 4.0;
            let x = random.between(margin, size - margin);
            let z = random.between(margin, size - margin);
            let from = Vec3::new(x, f32::from(level) * LEVEL, z);
            let to = from + Vec3::new(random.between(-2.0, 2.0), 0.0, random.between(-2.0, 2.0));
            halls.push(Tunnel { from, to, radius });
        }
        levels.push(halls);
    }
    levels
}

/// Tunnels from each hall to the nearest one before it on its level, some loops, and ways up from each
/// level to the next.
fn passages(levels: &[Vec<Tunnel>], random: &mut Random) -> Vec<Tunnel> {
    let mut passages = Vec::new();
    let mut join = |a: Tunnel, b: Tunnel, radius: f32| {
        passages.push(Tunnel { from: a.to, to: b.from, radius });
    };
    for halls in levels {
        for i in 1..halls.len() {
            let nearest = halls[..i].iter().min_by(|a, b| {
                let away = |hall: &Tunnel| hall.from.distance_squared(halls[i].from);
                away(a).total_cmp(&away(b))
            });
            if let Some(&nearest) = nearest {
                join(halls[i], nearest, random.between(1.8, 2.8));
            }
            if random.chance(0.15) {
                join(halls[i], halls[random.below(i)], random.between(1.8, 2.4));
            }
        }
    }
    for pair in levels.windows(2) {
        let mut ways: Vec<(Tunnel, Tunnel)> = pair[0]
            .iter()
            .flat_map(|&low| pair[1].iter().map(move |&high| (low, high)))
            .filter(|(low, high)| {
                let run = low.to.xz().distance(high.from.xz());
                LEVEL <= run * STEEPEST
            })
            .collect();
        ways.sort_by(|a, b| {
            let away = |(low, high): &(Tunnel, Tunnel)| low.to.distance_squared(high.from);
            away(a).total_cmp(&away(b))
        });
        for (low, high) in ways.into_iter().step_by(3).take(3) {
            join(low, high, 2.4);
        }
    }
    passages
}

/// Opens the rock inside a tunnel.
fn carve(density: &mut Density, tunnel: &Tunnel, rough: Noise) {
    let reach = Vec3::new(tunnel.radius + 2.0, 0.0, tunnel.radius + 2.0);
    let min = tunnel.from.min(tunnel.to) - reach - Vec3::Y * 2.0;
    let max = tunnel.from.max(tunnel.to) + reach + Vec3::Y * (HEAD_ROOM + 3.0);
    let first = density.position([0; 3]);
    let n = density.n;
    let range = |axis: usize| {
        let index = |at: f32| points_along((at - first[axis]).max(0.0));
        index(min[axis]).saturating_sub(1)..(index(max[axis]) + 1).min(n[axis])
    };
    for z in range(2) {
        for x in range(0) {
            for y in range(1) {
                let point = [x, y, z];
                let at = density.position(point);
                density.open(point, openness(tunnel, at, rough));
            }
        }
    }
}

/// How far inside the tunnel a point is, in metres; negative outside.
fn openness(tunnel: &Tunnel, at: Vec3, rough: Noise) -> f32 {
    let (from, to) = (tunnel.from.xz(), tunnel.to.xz());
    let along = to - from;
    let t = ((at.xz() - from).dot(along) / along.length_squared().max(1e-6)).clamp(0.0, 1.0);
    let away = at.xz().distance(from + along * t);
    let floor = tunnel.from.y + (tunnel.to.y - tunnel.from.y) * t;
    let scale = Vec2::new(at.x + at.y, at.z - at.y) / 3.5;
    let bump = rough.fractal(scale.x, scale.y, 2) - 0.5;
    let radius = tunnel.radius + bump * 1.6;
    let arch = 1.0 - (away / radius).min(1.0) * (away / radius).min(1.0) * 0.5;
    let ceiling = floor + (HEAD_ROOM + bump) * arch;
    let ground = floor + (rough.at(at.x / 2.5, at.z / 2.5) - 0.5) * 0.5;
    (radius - away).min(at.y - ground).min(ceiling - at.y)
}

//! Caves: halls on three levels, joined by tunnels with even floors, in solid rock. The mesh is only the surface of the
//! rock, so the caves can be seen from outside.

use glam::{Vec2, Vec3, Vec3Swizzles as _};
use walkable_bake::bake::{BakeConfig, BakeSettings};
use walkable_runtime::random::{Noise, Random};

use crate::level::{
    draft::Draft,
    solid::Solids,
    surface_net::{Density, surface_net},
};

/// Distance of grid points, in meters.
const STEP: f32 = 1.0;
/// Height difference between levels, in meters.
const LEVEL: f32 = 7.0;
/// Number of levels.
const N_LEVELS: u8 = 3;
/// Height of tunnels above their floor.
const HEAD_ROOM: f32 = 4.0;
/// Area of a level per hall, in square meters.
const AREA_PER_HALL: f32 = 500.0;
/// Maximum slope of a tunnel floor, rise over run.
const STEEPEST: f32 = 0.5;

/// A straight tunnel with an even floor; a hall if both ends are close together.
#[derive(Clone, Copy, Debug)]
struct Tunnel {
    from: Vec3,
    to: Vec3,
    radius: f32,
    /// Length of the level floor at each end, so that the floor is still level at the edge of the hall.
    level: [f32; 2],
}

impl Tunnel {
    /// Returns the length seen from above.
    fn length(&self) -> f32 {
        self.from.xz().distance(self.to.xz())
    }

    /// Returns the length of the part that rises.
    fn run(&self) -> f32 {
        (self.length() - self.level[0] - self.level[1]).max(1e-3)
    }

    /// Returns the slope, rise over run.
    fn slope(&self) -> f32 {
        (self.to.y - self.from.y).abs() / self.run()
    }

    /// Returns the place at `t`, from 0 at the start to 1 at the end, seen from above.
    fn at(&self, t: f32) -> Vec2 {
        self.from.xz() + (self.to.xz() - self.from.xz()) * t
    }

    /// Returns the `t` nearest to `point`, seen from above.
    fn nearest(&self, point: Vec2) -> f32 {
        let along = self.to.xz() - self.from.xz();
        let t = (point - self.from.xz()).dot(along) / along.length_squared().max(1e-6);
        t.clamp(0.0, 1.0)
    }

    /// Returns the height of the floor at `t`.
    fn floor(&self, t: f32) -> f32 {
        let risen = ((t * self.length() - self.level[0]) / self.run()).clamp(0.0, 1.0);
        self.from.y + (self.to.y - self.from.y) * risen
    }
}

pub(super) fn caves(seed: u64, size: f32) -> Draft {
    let mut random = Random::new(seed);
    let plan = Plan::connected(size, &mut random);
    let height = f32::from(N_LEVELS) * LEVEL + 4.0;
    let n_side = points_along(size);
    let n = [n_side, points_along(height), n_side];
    let mut density = Density::rock(Vec3::new(0.0, -2.0, 0.0), STEP, n);
    let rough = Noise::new(seed);
    for tunnel in plan.tunnels() {
        carve(&mut density, tunnel, rough);
    }
    let mut solids = Solids::default();
    solids.part("caves", "rock");
    surface_net(&density, &mut solids);
    let settings = BakeSettings { tile_size: 48, ..BakeSettings::default() };
    let middle = |tunnel: &Tunnel| (tunnel.from + tunnel.to) * 0.5;
    let (bottom, top) = (&plan.halls[0], &plan.halls[plan.halls.len() - 1]);
    Draft {
        solids,
        config: BakeConfig { settings, ..BakeConfig::default() },
        start: middle(&bottom[0]),
        end: middle(&top[top.len() - 1]),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are between 24 and 200 meters"
)]
fn points_along(size: f32) -> usize {
    (size / STEP) as usize + 1
}

/// Returns halls at random places on each level, from the lowest level up.
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
            halls.push(Tunnel { from, to, radius, level: [0.0; 2] });
        }
        levels.push(halls);
    }
    levels
}

/// Halls and tunnels between them.
struct Plan {
    /// Halls of each level, from the lowest up.
    halls: Vec<Vec<Tunnel>>,
    /// Tunnels on one level.
    passages: Vec<Tunnel>,
    /// Tunnels between adjacent levels.
    tunnels_up: Vec<Tunnel>,
    /// Whether each level has a tunnel to the next one that no other tunnel cuts.
    is_connected: bool,
}

impl Plan {
    /// Returns a plan with a tunnel from each level to the next, if one of the first attempts has them.
    fn connected(size: f32, random: &mut Random) -> Self {
        const ATTEMPTS: u8 = 50;
        let mut plan = Self::random(size, random);
        for _ in 1..ATTEMPTS {
            if plan.is_connected {
                break;
            }
            plan = Self::random(size, random);
        }
        plan
    }

    fn random(size: f32, random: &mut Random) -> Self {
        let halls = halls(size, random);
        let passages = passages(&halls, random);
        let mut plan = Self { halls, passages, tunnels_up: Vec::new(), is_connected: true };
        for level in 1..plan.halls.len() {
            let found = plan.add_tunnels_up(level - 1);
            plan.is_connected &= found;
        }
        plan
    }

    /// Adds up to three of the shortest tunnels up from `level` that no other tunnel cuts. Returns whether there is
    /// one.
    fn add_tunnels_up(&mut self, level: usize) -> bool {
        let mut tunnels: Vec<Tunnel> = Vec::new();
        for low in &self.halls[level] {
            tunnels.extend(self.halls[level + 1].iter().map(|high| joining(low, high, 2.4)));
        }
        tunnels.retain(|tunnel| tunnel.slope() <= STEEPEST);
        tunnels.sort_by(|a, b| a.length().total_cmp(&b.length()));
        let n_before = self.tunnels_up.len();
        for tunnel in tunnels {
            if self.tunnels_up.len() < n_before + 3 && !self.cuts(&tunnel) {
                self.tunnels_up.push(tunnel);
            }
        }
        self.tunnels_up.len() > n_before
    }

    /// Returns all tunnels and halls.
    fn tunnels(&self) -> impl Iterator<Item = &Tunnel> {
        self.halls.iter().flatten().chain(&self.passages).chain(&self.tunnels_up)
    }

    /// Returns whether another tunnel would remove the floor of `tunnel`, or `tunnel` the floor of another tunnel.
    fn cuts(&self, tunnel: &Tunnel) -> bool {
        let n_steps = points_along(tunnel.length());
        (0..=n_steps).any(|step| {
            let t = to_unit(step, n_steps);
            let (at, floor) = (tunnel.at(t), tunnel.floor(t));
            self.tunnels().any(|other| {
                let nearest = other.nearest(at);
                let apart = (other.floor(nearest) - floor).abs();
                let reach = other.radius + 1.5;
                at.distance(other.at(nearest)) < reach && (0.7..HEAD_ROOM + 1.5).contains(&apart)
            })
        })
    }
}

#[expect(clippy::cast_precision_loss, reason = "tunnels are shorter than 2^24 steps")]
fn to_unit(step: usize, n_steps: usize) -> f32 {
    step as f32 / n_steps as f32
}

/// Returns the tunnel from one hall to another.
fn joining(a: &Tunnel, b: &Tunnel, radius: f32) -> Tunnel {
    Tunnel { from: a.to, to: b.from, radius, level: [a.radius + 1.0, b.radius + 1.0] }
}

/// Returns tunnels from each hall to the nearest previous hall on its level, and some additional ones, so that there
/// are loops.
fn passages(levels: &[Vec<Tunnel>], random: &mut Random) -> Vec<Tunnel> {
    let mut passages = Vec::new();
    for halls in levels {
        for i in 1..halls.len() {
            let away = |hall: &Tunnel| hall.from.distance_squared(halls[i].from);
            let nearest = halls[..i].iter().min_by(|a, b| away(a).total_cmp(&away(b)));
            let radius = random.between(1.8, 2.8);
            passages.extend(nearest.map(|hall| joining(&halls[i], hall, radius)));
            if random.chance(0.15) {
                let other = &halls[random.below(i)];
                passages.push(joining(&halls[i], other, random.between(1.8, 2.4)));
            }
        }
    }
    passages
}

/// Removes the rock inside a tunnel.
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

/// Returns how far a point is inside the tunnel, in meters; negative outside.
fn openness(tunnel: &Tunnel, at: Vec3, rough: Noise) -> f32 {
    let t = tunnel.nearest(at.xz());
    let away = at.xz().distance(tunnel.at(t));
    let floor = tunnel.floor(t);
    let scale = Vec2::new(at.x + at.y, at.z - at.y) / 3.5;
    let bump = rough.fractal(scale.x, scale.y, 2) - 0.5;
    let radius = tunnel.radius + bump * 1.6;
    let arch = 1.0 - (away / radius).min(1.0) * (away / radius).min(1.0) * 0.5;
    let ceiling = floor + (HEAD_ROOM + bump) * arch;
    let ground = floor + (rough.at(at.x / 2.5, at.z / 2.5) - 0.5) * 0.5;
    (radius - away).min(at.y - ground).min(ceiling - at.y)
}

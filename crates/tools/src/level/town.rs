//! A town: blocks between streets, one of which is a canal with bridges. Blocks are houses, squares with a stage, parks
//! with a mound, or decks on two levels.

use glam::Vec3;
use walkable_bake::bake::{AreaVolume, BakeConfig, BakeSettings, RawArea, VolumeShape};
use walkable_runtime::{ids::Dir, random::Random};

use crate::level::{
    draft::Draft,
    house::{self, FloorRect},
    solid::{Solids, level_outline},
};

/// Width of a street, in meters.
const STREET: f32 = 10.0;
/// Approximate distance between streets, in meters.
const PITCH: f32 = 52.0;
/// Height of curbs, in meters.
const KERB: f32 = 0.15;
/// Height of the bottom of the canal, in meters.
const CANAL_FLOOR: f32 = -3.2;
/// Height of the bottom of the ground, in meters.
const BASE: f32 = -3.7;
/// Length of the ramps at the canal's ends, in meters.
const CANAL_RAMP: f32 = 9.0;
/// The area for water, as in RecastDemo.
const WATER: RawArea = RawArea(1);

/// Streets and blocks.
struct Plan {
    /// Number of blocks along each side.
    n_blocks: u8,
    /// Distance between streets, in meters.
    pitch: f32,
}

impl Plan {
    fn new(size: f32) -> Self {
        let room = size - STREET;
        let n_blocks = blocks_along(room);
        Self { n_blocks, pitch: room / f32::from(n_blocks) }
    }

    fn side(&self) -> f32 {
        f32::from(self.n_blocks) * self.pitch + STREET
    }

    /// Returns the start and end of the street before block `n`.
    fn street(&self, n: u8) -> [f32; 2] {
        let start = f32::from(n) * self.pitch;
        [start, start + STREET]
    }

    /// Returns the start and end of block `n`.
    fn block(&self, n: u8) -> [f32; 2] {
        [self.street(n)[1], self.street(n + 1)[0]]
    }

    /// Returns the number of the street along x that is a canal.
    fn canal(&self) -> u8 {
        self.n_blocks / 2
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are between 60 and 2000 meters"
)]
fn blocks_along(room: f32) -> u8 {
    (room / PITCH).round().max(1.0) as u8
}

pub(super) fn town(seed: u64, size: f32) -> Draft {
    let plan = Plan::new(size);
    let mut random = Random::new(seed);
    let mut solids = Solids::default();
    streets(&mut solids, &plan);
    let mut volumes = Vec::new();
    if plan.canal() > 0 {
        volumes.push(canal(&mut solids, &plan));
    }
    for z in 0..plan.n_blocks {
        for x in 0..plan.n_blocks {
            let lot = FloorRect::new(plan.block(x), plan.block(z), KERB);
            lot.cuboid(solids.part("blocks", "paving"), BASE - KERB, 0.0);
            fill_block(&mut solids, &format!("block {x},{z}"), lot, &mut random);
        }
    }
    let settings = BakeSettings { tile_size: 64, ..BakeSettings::default() };
    let far = plan.side() - STREET * 0.5;
    Draft {
        solids,
        config: BakeConfig { settings, volumes, ..BakeConfig::default() },
        start: Vec3::new(STREET * 0.5, 0.0, STREET * 0.5),
        end: Vec3::new(far, 0.0, far),
    }
}

fn streets(solids: &mut Solids, plan: &Plan) {
    solids.part("streets", "asphalt");
    for along_x in 0..=plan.n_blocks {
        if along_x != plan.canal() || plan.canal() == 0 {
            let lot = FloorRect::new([0.0, plan.side()], plan.street(along_x), 0.0);
            lot.cuboid(solids, BASE, 0.0);
        }
    }
    for along_z in 0..=plan.n_blocks {
        for block in 0..plan.n_blocks {
            let lot = FloorRect::new(plan.street(along_z), plan.block(block), 0.0);
            lot.cuboid(solids, BASE, 0.0);
        }
    }
}

/// Adds the canal between the first street and the last. Returns the volume of its water.
fn canal(solids: &mut Solids, plan: &Plan) -> AreaVolume {
    let z = plan.street(plan.canal());
    let ends = [plan.street(0), plan.street(plan.n_blocks)];
    for x in ends {
        FloorRect::new(x, z, 0.0).cuboid(solids.part("streets", "asphalt"), BASE, 0.0);
    }
    let [from, to] = [ends[0][1], ends[1][0]];
    FloorRect::new([from, to], z, 0.0).cuboid(solids.part("canal", "stone"), BASE, CANAL_FLOOR);
    for (start, dir) in [(from, Dir::West), (to - CANAL_RAMP, Dir::East)] {
        let min = Vec3::new(start, CANAL_FLOOR, z[0]);
        let max = Vec3::new(start + CANAL_RAMP, 0.0, z[1]);
        solids.part("canal ramps", "stone").wedge(min, max, dir);
    }
    for street in 1..plan.n_blocks {
        bridge(solids, FloorRect::new(plan.street(street), z, 0.0));
    }
    let (min, max) = (Vec3::new(from, CANAL_FLOOR, z[0]), Vec3::new(to, CANAL_FLOOR, z[1]));
    let outline = level_outline(min, max, CANAL_FLOOR).to_vec();
    let (min_y, max_y) = (CANAL_FLOOR - 0.5, CANAL_FLOOR + 1.5);
    AreaVolume::new(WATER, VolumeShape::Prism { min_y, max_y, outline })
}

/// Adds a bridge across the canal, with rails.
fn bridge(solids: &mut Solids, lot: FloorRect) {
    lot.cuboid(solids.part("bridges", "stone"), -0.4, 0.0);
    for x in [lot.min.x, lot.max.x - 0.25] {
        let rail = FloorRect::new([x, x + 0.25], [lot.min.z, lot.max.z], 0.0);
        rail.cuboid(solids.part("bridge rails", "metal"), 0.0, 1.0);
    }
}

fn fill_block(solids: &mut Solids, name: &str, lot: FloorRect, random: &mut Random) {
    match random.unit() {
        p if p < 0.64 => houses(solids, name, lot, random),
        p if p < 0.76 => square(solids, name, lot, random),
        p if p < 0.88 => park(solids, name, lot, random),
        _ => deck(solids, name, lot),
    }
}

/// Adds two by two houses with their doors to the streets along x.
fn houses(solids: &mut Solids, name: &str, lot: FloorRect, random: &mut Random) {
    let center = lot.center();
    for (north, zs) in [(false, [lot.min.z, center.z]), (true, [center.z, lot.max.z])] {
        for (east, xs) in [(false, [lot.min.x, center.x]), (true, [center.x, lot.max.x])] {
            let mut house = FloorRect::new(xs, zs, KERB).shrunk(1.5);
            house.min += Vec3::new(random.between(0.0, 2.5), 0.0, random.between(0.0, 2.5));
            house.max -= Vec3::new(random.between(0.0, 2.5), 0.0, random.between(0.0, 2.5));
            let door = if north { Dir::North } else { Dir::South };
            let corner = match (north, east) {
                (false, false) => "south west",
                (false, true) => "south east",
                (true, false) => "north west",
                (true, true) => "north east",
            };
            house::house(solids, &format!("{name} {corner}"), house, door, random);
        }
    }
}

/// Adds a square with a stage in the middle: stairs on one side, a ramp on the other.
fn square(solids: &mut Solids, name: &str, lot: FloorRect, random: &mut Random) {
    let stage = lot.shrunk(lot.size().x * 0.3);
    let height = random.between(1.4, 2.4);
    stage.cuboid(solids.part(name, "stone"), 0.0, height);
    let z = [stage.center().z - 2.0, stage.center().z + 2.0];
    let stairs = FloorRect::new([stage.min.x - height * 1.6, stage.min.x], z, KERB);
    let top = Vec3::Y * height;
    solids.part(name, "concrete").stairs(stairs.min, stairs.max + top, Dir::East, 10);
    let ramp = FloorRect::new([stage.max.x, stage.max.x + height * 2.5], z, KERB);
    solids.part(name, "concrete").wedge(ramp.min, ramp.max + top, Dir::West);
}

/// Adds a mound of four steep-sided layers, and trees.
fn park(solids: &mut Solids, name: &str, lot: FloorRect, random: &mut Random) {
    let (mut foot, mut y) = (lot.shrunk(lot.size().x * 0.2), 0.0);
    for _ in 0..4 {
        let top = foot.shrunk(1.9);
        let rise = random.between(0.6, 0.9);
        let outline = |lot: FloorRect, y: f32| level_outline(lot.min, lot.max, lot.min.y + y);
        solids.part(name, "grass").column(&outline(foot, y), &outline(top, y + rise));
        (foot, y) = (top, y + rise);
    }
    for _ in 0..12 {
        let x = random.between(lot.min.x + 1.0, lot.max.x - 1.0);
        let north = random.chance(0.5);
        let margin = lot.size().z * 0.17;
        let offset = random.between(1.0, margin);
        let z = if north { lot.max.z - offset } else { lot.min.z + offset };
        tree(solids, name, Vec3::new(x, lot.min.y, z), random.between(2.4, 4.0));
    }
}

fn tree(solids: &mut Solids, name: &str, foot: Vec3, height: f32) {
    let trunk = Vec3::new(0.2, 0.0, 0.2);
    solids.part(name, "wood").cuboid(foot - trunk, foot + trunk + Vec3::Y * height);
    let outline = |half: f32, y: f32| {
        let half = Vec3::new(half, 0.0, half);
        level_outline(foot - half, foot + half, foot.y + y)
    };
    solids.part(name, "leaves").column(&outline(1.3, height), &outline(0.3, height + 2.6));
}

/// Adds an open building on columns with a ramp to its upper deck.
fn deck(solids: &mut Solids, name: &str, lot: FloorRect) {
    let deck = lot.shrunk(5.0);
    let height = 3.4;
    deck.cuboid(solids.part(name, "concrete"), height - 0.35, height);
    let columns = [0.02, 0.25, 0.5, 0.75, 0.98];
    for (u, v) in columns.into_iter().flat_map(|u| columns.map(|v| (u, v))) {
        let at = deck.min + deck.size() * Vec3::new(u, 0.0, v);
        let half = Vec3::new(0.25, 0.0, 0.25);
        solids.part(name, "concrete").cuboid(at - half, at + half + Vec3::Y * (height - 0.35));
    }
    // The ramp is outside, so that the ground below the deck stays open.
    let x = [deck.min.x + 2.0, deck.min.x + 2.0 + height * 3.0];
    let ramp = FloorRect::new(x, [deck.min.z - 3.2, deck.min.z], KERB);
    solids.part(name, "concrete").wedge(ramp.min, ramp.max + Vec3::Y * height, Dir::East);
    let landing = FloorRect::new([x[1], x[1] + 3.0], [deck.min.z - 3.2, deck.min.z], KERB);
    landing.cuboid(solids.part(name, "concrete"), 0.0, height);
}

//! A tower: floors of two rooms each, joined by flights on alternating sides, up to an open roof.

use glam::Vec3;
use walkable_bake::bake::{BakeConfig, BakeSettings};
use walkable_runtime::{ids::Dir, random::Random};

use crate::level::{
    draft::Draft,
    house::{self, FloorRect, STORY_HEIGHT},
    solid::Solids,
};

/// Width of the ground around the tower, in meters.
const APRON: f32 = 6.0;

pub(super) fn tower(seed: u64, size: f32) -> Draft {
    let mut random = Random::new(seed);
    let mut solids = Solids::default();
    let ground = FloorRect::new([-APRON, size + APRON], [-APRON, size + APRON], 0.0);
    ground.cuboid(solids.part("ground", "grass"), -0.5, 0.0);
    let base = FloorRect::new([0.0, size], [0.0, size], 0.0);
    let n_floors = floors(size);
    for floor in 0..n_floors {
        let lot = base.raised(f32::from(floor) * STORY_HEIGHT);
        let doors: &[Dir] = if floor == 0 { &[Dir::South, Dir::North] } else { &[] };
        house::outer_walls(solids.part("walls", "brick"), lot, STORY_HEIGHT - house::SLAB, doors);
        let side = if floor % 2 == 0 { Dir::West } else { Dir::East };
        house::flight(solids.part("stairs", "wood"), lot, side);
        house::ceiling(solids.part("floors", "concrete"), lot, Some(side));
        house::rails(solids.part("rails", "metal"), lot, side);
        furnish(&mut solids, lot, &mut random);
    }
    let roof = base.raised(f32::from(n_floors) * STORY_HEIGHT);
    house::parapet(solids.part("parapet", "brick"), roof, 1.0);
    let settings = BakeSettings { tile_size: 32, ..BakeSettings::default() };
    Draft {
        solids,
        config: BakeConfig { settings, ..BakeConfig::default() },
        start: Vec3::new(size * 0.5, 0.0, -APRON * 0.5),
        end: roof.center(),
    }
}

fn floors(size: f32) -> u8 {
    match size {
        s if s < 20.0 => 3,
        s if s < 32.0 => 5,
        s if s < 48.0 => 8,
        _ => 10,
    }
}

/// Adds a wall across the floor, north or south of the stairs, and some crates.
fn furnish(solids: &mut Solids, lot: FloorRect, random: &mut Random) {
    let flight = house::flight_place(lot, Dir::West);
    // Leaves room at the ends of the flights.
    let z = if random.chance(0.5) {
        flight.max.z + house::FLIGHT_WIDTH
    } else {
        flight.min.z - house::FLIGHT_WIDTH
    };
    house::inner_wall(solids.part("inner walls", "plaster"), lot, z, STORY_HEIGHT - house::SLAB);
    // Crates are between the flights, away from the ends of the flights.
    let inside = lot.shrunk(house::WALL + house::FLIGHT_WIDTH + 3.0);
    for _ in 0..3 {
        let side = random.between(0.7, 1.3);
        let x = random.between(inside.min.x, inside.max.x - side);
        let z = random.between(flight.min.z, flight.max.z - side);
        let min = Vec3::new(x, lot.min.y, z);
        solids.part("crates", "wood").cuboid(min, min + Vec3::splat(side));
    }
}

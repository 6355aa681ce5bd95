//! The playground: an example of everything that matters to a navmesh, on 30 by 24 meters.
//!
//! ```text
//!      0        7         17       23     30  x
//!    0 ┌────────────────────────────────────┐
//!      │ west    ═══════════   east   ramp  │   terraces 3 m high, joined by a bridge
//!      │ terrace ══ bridge ═  terrace ────▷ │
//!   10 │  stairs             too steep      │
//!      │            crates            ledges│
//!   15 ├── wide door ──┬─ narrow ─┐  ┌──────┐│
//!      │     hall      │  closet  │  │ pool ││   rooms without a roof
//!   24 └─low ceiling───┴──────────┴──┴──────┴┘
//!    z
//! ```

use glam::Vec3;
use walkable_bake::bake::{AreaVolume, BakeConfig, RawArea, VolumeShape};
use walkable_runtime::ids::Dir;

use crate::level::{
    draft::Draft,
    solid::{Opening, Solids, level_outline},
};

/// The area for water, as in RecastDemo.
const WATER: RawArea = RawArea(1);
/// The area for a door, as in RecastDemo.
const DOOR: RawArea = RawArea(3);

/// Lowest height of the level, in meters.
const BASE: f32 = -1.8;
/// Height of the floor of the pool, in meters.
const POOL_FLOOR: f32 = -1.4;
/// Height of the terraces, in meters.
const STORY_HEIGHT: f32 = 3.0;

/// The smallest and largest corner of the pool.
const POOL_MIN: Vec3 = Vec3::new(19.0, POOL_FLOOR, 16.0);
const POOL_MAX: Vec3 = Vec3::new(28.0, 0.0, 22.5);

/// A doorway for the default agent, 2.4 m wide.
const WIDE_DOOR: Opening = Opening { along: [3.0, 5.4], heights: [0.0, 2.4] };
/// A doorway 1.15 m wide: too narrow for the default agent, wide enough for an agent with a radius of 0.3 m.
const NARROW_DOOR: Opening = Opening { along: [11.35, 12.5], heights: [0.0, 2.4] };

pub(super) fn sample() -> Draft {
    let mut solids = Solids::default();
    ground(&mut solids);
    terraces(&mut solids);
    bridge(&mut solids);
    rooms(&mut solids);
    obstacles(&mut solids);
    let volumes = vec![
        painted(WATER, POOL_MIN, POOL_MAX - Vec3::Y * 0.2),
        painted(DOOR, Vec3::new(3.0, 0.0, 14.7), Vec3::new(5.4, 2.0, 15.7)),
    ];
    Draft {
        solids,
        config: BakeConfig { volumes, ..BakeConfig::default() },
        start: Vec3::new(5.5, 0.0, 18.5),
        end: Vec3::new(20.0, STORY_HEIGHT, 4.0),
    }
}

/// Returns a volume that sets the area of the box from `min` to `max`.
fn painted(area: RawArea, min: Vec3, max: Vec3) -> AreaVolume {
    let outline = level_outline(min, max, min.y).to_vec();
    AreaVolume::new(area, VolumeShape::Prism { min_y: min.y - 0.5, max_y: max.y, outline })
}

fn ground(solids: &mut Solids) {
    let (pool_x, pool_z) = (POOL_MIN.x..POOL_MAX.x, POOL_MIN.z..POOL_MAX.z);
    solids.part("ground", "paving").slab_with_hole(
        Vec3::new(0.0, BASE, 0.0),
        Vec3::new(30.0, 0.0, 24.0),
        [pool_x, pool_z],
    );
    solids.part("pool", "tiles").cuboid(POOL_MIN.with_y(BASE), POOL_MAX.with_y(POOL_FLOOR));
    // The ramp into the water, 25 degrees steep.
    let beach = Vec3::new(POOL_MIN.x + 3.0, 0.0, POOL_MIN.z + 3.0);
    solids.part("pool beach", "tiles").wedge(POOL_MIN, beach, Dir::West);
}

fn terraces(solids: &mut Solids) {
    solids
        .part("west terrace", "stone")
        .cuboid(Vec3::new(1.0, 0.0, 1.5), Vec3::new(7.0, STORY_HEIGHT, 8.5));
    solids
        .part("east terrace", "stone")
        .cuboid(Vec3::new(17.0, 0.0, 1.5), Vec3::new(23.0, STORY_HEIGHT, 8.0));
    solids.part("stairs", "concrete").stairs(
        Vec3::new(2.0, 0.0, 8.5),
        Vec3::new(4.6, STORY_HEIGHT, 13.3),
        Dir::South,
        12,
    );
    // 27 degrees.
    solids.part("ramp", "concrete").wedge(
        Vec3::new(23.0, 0.0, 2.5),
        Vec3::new(29.0, STORY_HEIGHT, 5.1),
        Dir::West,
    );
    // 59 degrees.
    solids.part("steep ramp", "concrete").wedge(
        Vec3::new(18.5, 0.0, 8.0),
        Vec3::new(21.1, STORY_HEIGHT, 9.8),
        Dir::South,
    );
}

fn bridge(solids: &mut Solids) {
    let (from, to) = (7.0, 17.0);
    solids
        .part("bridge", "wood")
        .cuboid(Vec3::new(from, STORY_HEIGHT - 0.3, 3.5), Vec3::new(to, STORY_HEIGHT, 6.1));
    for z in [3.5, 5.98] {
        solids
            .part("bridge rails", "wood")
            .cuboid(Vec3::new(from, STORY_HEIGHT, z), Vec3::new(to, STORY_HEIGHT + 0.9, z + 0.12));
    }
    for x in [9.8, 13.8] {
        solids
            .part("bridge piers", "stone")
            .cuboid(Vec3::new(x, 0.0, 4.55), Vec3::new(x + 0.5, STORY_HEIGHT - 0.3, 5.05));
    }
}

fn rooms(solids: &mut Solids) {
    const TOP: f32 = 2.8;
    let walls = solids.part("room walls", "brick");
    walls.wall(Vec3::new(0.0, 0.0, 15.0), Vec3::new(16.0, TOP, 15.4), &[WIDE_DOOR, NARROW_DOOR]);
    walls.wall(Vec3::new(0.0, 0.0, 23.6), Vec3::new(16.0, TOP, 24.0), &[]);
    for x in [0.0, 8.6, 15.6] {
        walls.wall(Vec3::new(x, 0.0, 15.4), Vec3::new(x + 0.4, TOP, 23.6), &[]);
    }
    // 1.5 m of head room in the corner of the hall.
    let (min, max) = (Vec3::new(0.4, 1.5, 20.2), Vec3::new(4.2, 1.7, 23.6));
    solids.part("low ceiling", "wood").cuboid(min, max);
    let post = Vec3::new(max.x - 0.3, 0.0, min.z);
    solids.part("low ceiling post", "wood").cuboid(post, Vec3::new(max.x, min.y, min.z + 0.3));
}

fn obstacles(solids: &mut Solids) {
    // Boxes of rising height: 0.5 and 0.8 m can be climbed, 1.9 m cannot, not even from the second box.
    for (n, height) in [(0.0, 0.5), (1.0, 0.8), (2.0, 1.9)] {
        let min = Vec3::new(23.2 + n * 2.2, 0.0, 10.4);
        solids.part("ledges", "concrete").cuboid(min, Vec3::new(min.x + 2.2, height, min.z + 2.6));
    }
    let crates = solids.part("crates", "wood");
    for (x, y, z, side) in [
        (10.4, 0.0, 10.2, 1.2),
        (11.7, 0.0, 10.6, 1.0),
        (10.7, 1.2, 10.4, 0.8),
        (14.0, 0.0, 12.2, 1.1),
        (10.2, 0.0, 20.6, 1.2),
    ] {
        let min = Vec3::new(x, y, z);
        crates.cuboid(min, min + Vec3::splat(side));
    }
    let columns = solids.part("columns", "stone");
    for x in [8.6, 15.0] {
        let min = Vec3::new(x, 0.0, 8.2);
        columns.cuboid(min, min + Vec3::new(0.6, 2.6, 0.6));
    }
}

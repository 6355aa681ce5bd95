//! A spiral stair around a column, inside a spiral ramp. Both end on the same platform.

use glam::{Vec2, Vec3};
use walkable_bake::bake::{BakeConfig, BakeSettings};

use crate::level::{draft::Draft, solid::Solids};

/// Rotation by a 32nd of a circle: its cosine and sine, as literals because the results of `cos` and `sin` differ
/// between machines.
const SECTOR: Vec2 = Vec2::new(0.980_785_3, 0.195_090_32);
/// Number of sectors in a full turn.
const SECTORS: u16 = 32;
/// Rise of one full turn of the stair or the ramp, in meters.
const RISE: f32 = 4.0;
/// Thickness of steps, ramp and platform, in meters.
const THICKNESS: f32 = 0.3;

pub(super) fn spiral(size: f32) -> Draft {
    let radius = size * 0.5;
    let n_turns: u8 = if size < 28.0 { 3 } else { 5 };
    let [column, stair, ramp] = [radius * 0.1, radius * 0.4, radius * 0.62];
    let ramp_end = radius * 0.9;
    let directions = circle();
    let mut solids = Solids::default();
    let at = |sector: u16, r: f32, y: f32| {
        let direction = directions[usize::from(sector % SECTORS)] * r;
        Vec3::new(radius + direction.x, y, radius + direction.y)
    };
    ground(&mut solids, size);
    let top = RISE * f32::from(n_turns);
    let all_around: Vec<u16> = (0..SECTORS).rev().collect();
    let ring = |r: f32, y: f32| all_around.iter().map(|&s| at(s, r, y)).collect::<Vec<_>>();
    solids.part("column", "stone").column(&ring(column, 0.0), &ring(column, top + 1.2));

    let n_sectors = SECTORS * u16::from(n_turns);
    for sector in 0..n_sectors {
        let y = |sector: u16| f32::from(sector) / f32::from(SECTORS) * RISE;
        let (low, high) = (y(sector), y(sector + 1));
        let piece = |rs: [f32; 2], ys: [f32; 2]| {
            [
                at(sector, rs[0], ys[0]),
                at(sector + 1, rs[0], ys[1]),
                at(sector + 1, rs[1], ys[1]),
                at(sector, rs[1], ys[0]),
            ]
        };
        let below = |ys: [f32; 2]| ys.map(|y| (y - THICKNESS).max(-0.1));
        let mut slab = |name: &str, material: &str, rs: [f32; 2], ys: [f32; 2]| {
            solids.part(name, material).column(&piece(rs, below(ys)), &piece(rs, ys));
        };
        // A step every other sector: 0.25 m high.
        let tread = y(sector / 2 * 2 + 2);
        slab("stair", "wood", [column, stair], [tread; 2]);
        slab("ramp", "concrete", [ramp, ramp_end], [low, high]);
        if sector % 4 == 2 && low > 2.5 {
            // A post stands on the turn of the ramp below.
            post(&mut solids, at(sector, ramp_end - 0.2, (low - RISE).max(0.0)), low - THICKNESS);
        }
    }
    platform(&mut solids, &at, [stair, ramp], top);
    // Tiles so small that no region winds around far enough to be above itself.
    let settings = BakeSettings { tile_size: 24, ..BakeSettings::default() };
    Draft {
        solids,
        config: BakeConfig { settings, ..BakeConfig::default() },
        start: at(30, ramp_end + 0.5, 0.0),
        end: at(8, (stair + ramp) * 0.5, top),
    }
}

fn ground(solids: &mut Solids, size: f32) {
    let (min, max) = (Vec3::new(-4.0, -0.5, -4.0), Vec3::new(size + 4.0, 0.0, size + 4.0));
    solids.part("ground", "grass").cuboid(min, max);
}

fn post(solids: &mut Solids, foot: Vec3, top: f32) {
    let half = Vec3::new(0.1, 0.0, 0.1);
    solids.part("posts", "metal").cuboid(foot - half, (foot + half).with_y(top));
}

/// Adds the ring between stair and ramp.
fn platform(
    solids: &mut Solids,
    at: &impl Fn(u16, f32, f32) -> Vec3,
    [inner, outer]: [f32; 2],
    top: f32,
) {
    let bottom = top - THICKNESS;
    for sector in 0..SECTORS {
        let ring = |y: f32| {
            [
                at(sector, inner, y),
                at(sector + 1, inner, y),
                at(sector + 1, outer, y),
                at(sector, outer, y),
            ]
        };
        solids.part("platform", "wood").column(&ring(bottom), &ring(top));
    }
}

/// Returns the directions around the circle, from x toward z.
fn circle() -> Vec<Vec2> {
    let mut direction = Vec2::X;
    let mut all = Vec::with_capacity(usize::from(SECTORS));
    for _ in 0..SECTORS {
        all.push(direction);
        direction = SECTOR.rotate(direction);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_circle_closes() {
        let all = circle();
        let closing = SECTOR.rotate(all[all.len() - 1]);
        assert!((closing - Vec2::X).length() < 1e-5, "{closing}");
        assert!(all.iter().all(|d| (d.length() - 1.0).abs() < 1e-5));
    }
}

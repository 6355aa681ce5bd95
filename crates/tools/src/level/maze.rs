//! A maze of hedges.

use glam::Vec3;
use walkable_bake::bake::{BakeConfig, BakeSettings};
use walkable_runtime::ids::Dir;
use walkable_search::grid::Maze;

use crate::level::{draft::Draft, solid::Solids};

/// Side of a room from wall to wall, in meters.
const ROOM: f32 = 3.6;
/// Thickness of walls, in meters: too thin to stand on.
const WALL: f32 = 0.4;
/// Height of walls, in meters.
const HEIGHT: f32 = 2.6;
/// Fraction of the walls left by the spanning tree that is removed, to add loops.
const LOOPS: f32 = 0.06;

pub(super) fn maze(seed: u64, size: f32) -> Draft {
    let n_rooms = rooms_along(size);
    let plan = Maze::new(n_rooms, n_rooms, seed, LOOPS);
    let mut solids = Solids::default();
    let side = f32::from(n_rooms) * ROOM + WALL;
    solids.part("floor", "paving").cuboid(Vec3::new(0.0, -0.5, 0.0), Vec3::new(side, 0.0, side));
    solids.part("walls", "hedge");
    for line in 0..=n_rooms {
        for (from, to) in runs(n_rooms, |room| plan.has_wall_before(line, room, Dir::West)) {
            wall(&mut solids, [line, from], [line, to]);
        }
        for (from, to) in runs(n_rooms, |room| plan.has_wall_before(room, line, Dir::South)) {
            wall(&mut solids, [from, line], [to, line]);
        }
    }
    let settings = BakeSettings { tile_size: 48, ..BakeSettings::default() };
    let center = |room: u16| WALL + (f32::from(room) + 0.5) * ROOM - WALL * 0.5;
    let (near, far) = (center(0), center(n_rooms - 1));
    Draft {
        solids,
        config: BakeConfig { settings, ..BakeConfig::default() },
        start: Vec3::new(near, 0.0, near),
        end: Vec3::new(far, 0.0, far),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are between 12 and 600 meters"
)]
fn rooms_along(size: f32) -> u16 {
    ((size - WALL) / ROOM) as u16
}

/// Adds a wall on the grid lines between two grid points, with square ends.
fn wall(solids: &mut Solids, from: [u16; 2], to: [u16; 2]) {
    let at = |line: u16| f32::from(line) * ROOM;
    solids.cuboid(
        Vec3::new(at(from[0]), 0.0, at(from[1])),
        Vec3::new(at(to[0]) + WALL, HEIGHT, at(to[1]) + WALL),
    );
}

/// Returns the maximal ranges of consecutive numbers below `n` for which `holds` is true.
fn runs(n: u16, holds: impl Fn(u16) -> bool) -> Vec<(u16, u16)> {
    let mut found = Vec::new();
    let mut start = None;
    for i in 0..=n {
        match start {
            None if i < n && holds(i) => start = Some(i),
            Some(from) if i == n || !holds(i) => {
                found.push((from, i));
                start = None;
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_maximal() {
        let holds = |i: u16| [true, true, false, true][usize::from(i)];
        assert_eq!(runs(4, holds), [(0, 2), (3, 4)]);
        assert_eq!(runs(0, |_| true), []);
    }
}

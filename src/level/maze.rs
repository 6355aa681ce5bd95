//! A maze: a spanning tree of a grid of rooms, with some walls more taken out so that there are loops.
//!
//! Source: the "recursive backtracker", here with a stack of its own.

use glam::Vec3;

use crate::{
    bake::{BakeConfig, BakeSettings},
    ids::Dir,
    level::{kind::Draft, random::Random, solid::Solids},
};

/// Side of a room from wall to wall, in metres.
const ROOM: f32 = 3.6;
/// Thickness of walls: too thin to stand on.
const WALL: f32 = 0.4;
/// Height of walls.
const HEIGHT: f32 = 2.6;
/// How many of the walls that the spanning tree leaves are taken out.
const LOOPS: f32 = 0.06;

pub(super) fn maze(seed: u64, size: f32) -> Draft {
    let n_rooms = rooms_along(size);
    let plan = Plan::carved(n_rooms, &mut Random::new(seed));
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
    reason = "sizes are between 12 and 600 metres"
)]
fn rooms_along(size: f32) -> u16 {
    ((size - WALL) / ROOM) as u16
}

/// A wall over the grid lines between two grid points, its ends squared off.
fn wall(solids: &mut Solids, from: [u16; 2], to: [u16; 2]) {
    let at = |line: u16| f32::from(line) * ROOM;
    solids.cuboid(
        Vec3::new(at(from[0]), 0.0, at(from[1])),
        Vec3::new(at(to[0]) + WALL, HEIGHT, at(to[1]) + WALL),
    );
}

/// Ranges of consecutive numbers below `n` that `holds` of.
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

/// Which rooms are open to which.
struct Plan {
    n_rooms: u16,
    /// Per room, row by row: whether it is open to the west and to the south.
    open: Vec<[bool; 2]>,
}

impl Plan {
    fn carved(n_rooms: u16, random: &mut Random) -> Self {
        let n = usize::from(n_rooms);
        let mut plan = Self { n_rooms, open: vec![[false; 2]; n * n] };
        let mut visited = vec![false; n * n];
        visited[0] = true;
        let mut trail = vec![[0, 0]];
        while let Some(&room) = trail.last() {
            let ways: Vec<Dir> = Dir::ALL
                .into_iter()
                .filter(|&dir| {
                    plan.beyond(room, dir).is_some_and(|next| !visited[plan.index(next)])
                })
                .collect();
            if ways.is_empty() {
                trail.pop();
                continue;
            }
            let dir = random.pick(&ways);
            plan.open_way(room, dir);
            if let Some(next) = plan.beyond(room, dir) {
                visited[plan.index(next)] = true;
                trail.push(next);
            }
        }
        for x in 0..n_rooms {
            for z in 0..n_rooms {
                for dir in [Dir::West, Dir::South] {
                    if random.chance(LOOPS) {
                        plan.open_way([x, z], dir);
                    }
                }
            }
        }
        plan
    }

    fn index(&self, [x, z]: [u16; 2]) -> usize {
        usize::from(x) + usize::from(z) * usize::from(self.n_rooms)
    }

    fn beyond(&self, [x, z]: [u16; 2], dir: Dir) -> Option<[u16; 2]> {
        let (x, z) = (i32::from(x) + dir.dx(), i32::from(z) + dir.dz());
        let inside = |v: i32| u16::try_from(v).ok().filter(|&v| v < self.n_rooms);
        Some([inside(x)?, inside(z)?])
    }

    fn open_way(&mut self, room: [u16; 2], dir: Dir) {
        let Some(next) = self.beyond(room, dir) else { return };
        let (room, side) = match dir {
            Dir::West => (room, 0),
            Dir::South => (room, 1),
            Dir::East => (next, 0),
            Dir::North => (next, 1),
        };
        let index = self.index(room);
        self.open[index][side] = true;
    }

    /// Whether a wall stands on the west or south side of the room, which may be one past the last.
    fn has_wall_before(&self, x: u16, z: u16, dir: Dir) -> bool {
        let side = usize::from(dir == Dir::South);
        let last = self.n_rooms;
        x == last || z == last || !self.open[self.index([x, z])][side]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_room_can_be_reached() {
        let plan = Plan::carved(13, &mut Random::new(5));
        let mut reached = vec![false; 13 * 13];
        let mut open = vec![[0, 0]];
        while let Some(room) = open.pop() {
            if std::mem::replace(&mut reached[plan.index(room)], true) {
                continue;
            }
            for dir in Dir::ALL {
                let Some(next) = plan.beyond(room, dir) else { continue };
                let (low, side) = match dir {
                    Dir::West => (room, Dir::West),
                    Dir::South => (room, Dir::South),
                    Dir::East => (next, Dir::West),
                    Dir::North => (next, Dir::South),
                };
                if !plan.has_wall_before(low[0], low[1], side) {
                    open.push(next);
                }
            }
        }
        assert!(reached.into_iter().all(|reached| reached));
    }

    #[test]
    fn runs_are_maximal() {
        let holds = |i: u16| [true, true, false, true][usize::from(i)];
        assert_eq!(runs(4, holds), [(0, 2), (3, 4)]);
        assert_eq!(runs(0, |_| true), []);
    }
}

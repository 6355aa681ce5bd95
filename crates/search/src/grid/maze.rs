use walkable_runtime::{ids::Dir, random::Random};

use super::{Grid, GridError};

/// A maze of rooms: a spanning tree, with some additional walls removed to create loops.
///
/// Source: the "recursive backtracker", here with an explicit stack.
#[derive(Clone, Debug)]
pub struct Maze {
    n_x: u16,
    n_y: u16,
    /// For each room, row by row, whether it is open to the west and to the south.
    open: Vec<[bool; 2]>,
}

impl Maze {
    /// Generates the maze of `n_x` by `n_y` rooms for `seed`. `loops` is the fraction of the remaining walls that are
    /// also removed, from 0 to 1. With 0, there is exactly one path between any two rooms.
    pub fn new(n_x: u16, n_y: u16, seed: u64, loops: f32) -> Self {
        let n = usize::from(n_x) * usize::from(n_y);
        let mut maze = Self { n_x, n_y, open: vec![[false; 2]; n] };
        let mut random = Random::new(seed);
        let mut visited = vec![false; n];
        let mut trail = Vec::new();
        if let Some(first) = visited.first_mut() {
            *first = true;
            trail.push([0, 0]);
        }
        while let Some(&room) = trail.last() {
            let is_new = |next| !visited[maze.index(next)];
            let directions: Vec<Dir> = Dir::ALL
                .into_iter()
                .filter(|&dir| maze.beyond(room, dir).is_some_and(is_new))
                .collect();
            if directions.is_empty() {
                trail.pop();
                continue;
            }
            let dir = random.pick(&directions);
            maze.open_passage(room, dir);
            if let Some(next) = maze.beyond(room, dir) {
                visited[maze.index(next)] = true;
                trail.push(next);
            }
        }
        for x in 0..n_x {
            for y in 0..n_y {
                for dir in [Dir::West, Dir::South] {
                    if random.chance(loops) {
                        maze.open_passage([x, y], dir);
                    }
                }
            }
        }
        maze
    }

    /// Returns whether a room has a wall on its west or south side. The room may be one past the last.
    pub fn has_wall_before(&self, x: u16, y: u16, dir: Dir) -> bool {
        let side = usize::from(dir == Dir::South);
        x >= self.n_x || y >= self.n_y || !self.open[self.index([x, y])][side]
    }

    /// Draws the maze on a grid: rooms, walls and openings are one cell wide, with walls all around. Room `x, y` is
    /// the cell `2 x + 1, 2 y + 1`.
    ///
    /// # Errors
    /// Returns an error if the grid would be too large.
    pub fn to_grid(&self) -> Result<Grid, GridError> {
        let [n_x, n_y] = [self.n_x, self.n_y].map(|n| 2 * u32::from(n) + 1);
        Grid::new(n_x, n_y, |cell| {
            let [x, y] = [cell.x / 2, cell.y / 2].map(|v| u16::try_from(v).unwrap_or(u16::MAX));
            match (cell.x % 2, cell.y % 2) {
                (1, 1) => true,
                (0, 1) => !self.has_wall_before(x, y, Dir::West),
                (1, 0) => !self.has_wall_before(x, y, Dir::South),
                _ => false,
            }
        })
    }

    fn index(&self, [x, y]: [u16; 2]) -> usize {
        usize::from(x) + usize::from(y) * usize::from(self.n_x)
    }

    fn beyond(&self, [x, y]: [u16; 2], dir: Dir) -> Option<[u16; 2]> {
        let step = |v: u16, by: i32, n: u16| {
            u16::try_from(i32::from(v) + by).ok().filter(|&stepped| stepped < n)
        };
        Some([step(x, dir.dx(), self.n_x)?, step(y, dir.dz(), self.n_y)?])
    }

    fn open_passage(&mut self, room: [u16; 2], dir: Dir) {
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
}

#[cfg(test)]
mod tests {
    use walkable_runtime::search::Unwatched;

    use super::*;
    use crate::grid::{Cell, Moves, distances};

    #[test]
    fn every_room_can_be_reached_in_one_way() {
        let grid = Maze::new(13, 9, 5, 0.0).to_grid().unwrap();
        let from = distances(&grid, Moves::Four, Cell::new(1, 1), |_| false, &mut Unwatched);
        let n_reached = grid.passable_cells().filter(|&cell| from.cost(cell).is_some()).count();
        // A tree of rooms has one connection less than rooms.
        assert_eq!((n_reached, grid.passable_cells().count()), (2 * 13 * 9 - 1, 2 * 13 * 9 - 1));
        let looped = Maze::new(13, 9, 5, 0.2).to_grid().unwrap();
        assert!(looped.passable_cells().count() > 2 * 13 * 9);
        assert_eq!(Maze::new(0, 4, 1, 0.5).to_grid().unwrap().passable_cells().count(), 0);
    }
}

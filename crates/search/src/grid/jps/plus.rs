//! Jump Point Search on precomputed distances (JPS+).

use walkable_runtime::search::Watch;

use super::{
    core::{self, Jump, Jumps, Successors},
    nodes::Arrival,
    rule,
    scan::ScanEnd,
};
use crate::grid::{
    Cell, Corners, Grid, GridAnswer, GridQuery, GridScratch, Moves,
    direction::{Direction, STEPS, direction_of, directions, is_straight, moved, turned},
};

/// Precomputed jump distances of a grid for JPS+ with [`Corners::Keep`], in 16 bytes per cell.
///
/// Source: Harabor and Grastien 2014; Rabin and Silva, "JPS+: an extreme A* speed optimization for static uniform cost
/// grids", Game AI Pro 2, 2015, for the signs.
#[derive(Clone, Debug)]
pub struct JumpTable {
    n_x: u32,
    n_y: u32,
    /// Number of steps per cell, row by row, and direction. A positive number leads to the next jump point; a negative
    /// number or 0 leads to the last cell before an obstacle. The jump points of a diagonal are the cells from which a
    /// straight scan to a side ends at a jump point.
    reaches: Vec<[i16; 8]>,
}

impl JumpTable {
    /// Computes the distances for `grid`.
    pub fn new(grid: &Grid) -> Self {
        let (n_x, n_y) = (grid.n_x(), grid.n_y());
        let mut table = Self { n_x, n_y, reaches: vec![[0; 8]; grid.n_cells()] };
        for direction in [0, 2, 4, 6] {
            table.fill_straight(grid, direction);
        }
        for direction in [1, 3, 5, 7] {
            table.fill_diagonal(grid, direction);
        }
        table
    }

    /// Returns the memory of a table for `grid`, in bytes.
    pub fn n_bytes(grid: &Grid) -> usize {
        grid.n_cells().saturating_mul(size_of::<[i16; 8]>())
    }

    /// Scans each row or column along `direction`. One scan serves all cells up to its end, so the time is linear in
    /// the number of cells.
    fn fill_straight(&mut self, grid: &Grid, direction: Direction) {
        let [dx, dy] = STEPS[direction];
        let lines = grid.runs().along(direction);
        let (n_lines, n) = if dx == 0 { (self.n_x, self.n_y) } else { (self.n_y, self.n_x) };
        for line in 0..n_lines {
            let (mut distance, mut jumps) = (0, false);
            for i in 0..n {
                let along = if dx + dy > 0 { i } else { n - 1 - i };
                let cell =
                    if dx == 0 { Cell { x: line, y: along } } else { Cell { x: along, y: line } };
                if !grid.is_passable(cell) {
                    distance = 0;
                    continue;
                }
                if distance == 0 {
                    let stop = lines.straight(lines.at(cell));
                    // Grids have at most i16::MAX cells along a side.
                    distance = i16::try_from(stop.distance).unwrap_or(0);
                    jumps = stop.sides != 0;
                }
                self.reaches[grid.number(cell) as usize][direction] =
                    if jumps { distance } else { -distance };
                distance = (distance - 1).max(0);
            }
        }
    }

    /// Computes the distances along a diagonal, in an order in which the next cell along the diagonal is already known.
    fn fill_diagonal(&mut self, grid: &Grid, direction: Direction) {
        let moves = Moves::Eight(Corners::Keep);
        let down = STEPS[direction][1] > 0;
        for row in 0..self.n_y {
            let y = if down { self.n_y - 1 - row } else { row };
            for x in 0..self.n_x {
                let cell = Cell { x, y };
                if moves.allowed_at(grid, grid.node(cell)) & 1 << direction == 0 {
                    continue;
                }
                let next = self.reaches[grid.number(moved(cell, direction, 1)) as usize];
                let turns = next[turned(direction, 1)] > 0 || next[turned(direction, 7)] > 0;
                self.reaches[grid.number(cell) as usize][direction] = match next[direction] {
                    _ if turns => 1,
                    further @ 1.. => further + 1,
                    nothing => nothing - 1,
                };
            }
        }
    }

    fn reach(&self, cell: Cell, direction: Direction) -> ScanEnd {
        let at = cell.y as usize * self.n_x as usize + cell.x as usize;
        let reach = self.reaches.get(at).map_or(0, |reaches| reaches[direction]);
        ScanEnd { distance: u32::from(reach.unsigned_abs()), jumps: reach > 0 }
    }
}

/// Finds an optimal path by Jump Point Search with intermediate pruning, using the precomputed `table` of `query.grid`
/// instead of scans.
///
/// Finds no path if the moves are not [`Corners::Keep`], or if the table belongs to a grid of another size.
pub fn jps_plus<W: Watch>(
    query: &GridQuery<'_>,
    table: &JumpTable,
    scratch: &mut GridScratch,
    watch: &mut W,
) -> GridAnswer {
    let is_of_grid = [table.n_x, table.n_y] == [query.grid.n_x(), query.grid.n_y()];
    if query.moves != Moves::Eight(Corners::Keep) || !is_of_grid {
        return GridAnswer::default();
    }
    core::search(query, |query| FromTable { query, table }, scratch, watch)
}

struct FromTable<'a> {
    query: &'a GridQuery<'a>,
    table: &'a JumpTable,
}

impl Successors for FromTable<'_> {
    fn each(&self, from: Cell, arrival: Option<Arrival>, out: &mut impl Jumps) {
        let grid = self.query.grid;
        let around = grid.rows().around(grid.node(from));
        let worth = |arrival: Arrival| rule::worth(Corners::Keep, around, arrival.direction());
        let bits = arrival.map_or(u8::MAX, worth);
        for direction in directions(bits) {
            if is_straight(direction) {
                self.straight(from, from, direction, out);
            } else {
                self.diagonal(from, direction, out);
            }
        }
    }
}

impl FromTable<'_> {
    /// Reports the jump along a straight direction from `at`, which a diagonal from `from` has reached.
    fn straight(&self, from: Cell, at: Cell, direction: Direction, out: &mut impl Jumps) {
        let mut reach = self.table.reach(at, direction);
        let goal = self.query.goal;
        let [dx, dy] = difference(at, goal);
        let n = dx.unsigned_abs().max(dy.unsigned_abs());
        if (dx == 0 || dy == 0) && direction_of(dx, dy) == Some(direction) && n <= reach.distance {
            reach = ScanEnd { distance: n, jumps: true };
        }
        let ScanEnd { distance: straight, jumps } = reach;
        let jump = || {
            let diagonal = from.x.abs_diff(at.x);
            Jump {
                diagonal,
                straight,
                to: moved(at, direction, straight),
                arrival: Arrival::new(direction, 0),
            }
        };
        if jumps {
            out.take(jump());
        } else {
            out.pass(jump);
        }
    }

    fn diagonal(&self, from: Cell, direction: Direction, out: &mut impl Jumps) {
        let goal = self.query.goal;
        let mut at = from;
        loop {
            let reach = self.table.reach(at, direction);
            let [dx, dy] = difference(at, goal);
            let n = dx.unsigned_abs().min(dy.unsigned_abs());
            // The goal's row or column is crossed before the next jump point.
            if n > 0 && direction_of(dx, dy) == Some(direction) && n <= reach.distance {
                let crossing = moved(at, direction, n);
                if crossing == goal {
                    return out.take(on_diagonal(from, direction, goal));
                }
                let [dx, dy] = difference(crossing, goal);
                if let Some(side) = direction_of(dx, dy)
                    && !(reach.jumps && n == reach.distance)
                {
                    self.straight(from, crossing, side, out);
                }
            }
            at = moved(at, direction, reach.distance);
            if !reach.jumps {
                return out.pass(|| on_diagonal(from, direction, at));
            }
            for side in [turned(direction, 7), turned(direction, 1)] {
                self.straight(from, at, side, out);
            }
        }
    }
}

fn on_diagonal(from: Cell, direction: Direction, to: Cell) -> Jump {
    let diagonal = from.x.abs_diff(to.x);
    Jump { diagonal, straight: 0, to, arrival: Arrival::new(direction, 0) }
}

#[expect(clippy::cast_possible_wrap, reason = "sides of grids are below 2^15")]
fn difference(from: Cell, to: Cell) -> [i32; 2] {
    [to.x as i32 - from.x as i32, to.y as i32 - from.y as i32]
}

//! Jump Point Search with `Corners::Keep`.

use super::{
    Prune,
    core::{Jump, Jumps, Successors},
    nodes::Arrival,
};
use crate::grid::{
    Cell, GridQuery,
    direction::{Direction, EAST, NORTH, SOUTH, STEPS, WEST, directions, moved, turned},
    runs::{DiagonalStretch, Runs, Stop},
};

/// Finds jump points in the grid's scan tables, 64 cells at a time.
pub(super) struct KeepCorners<'a> {
    runs: &'a Runs,
    goal: Cell,
    /// Index of the goal in the lines of each straight direction.
    goal_along: [usize; 4],
    prune: Prune,
}

/// Directions to continue in, by number of an arrival: straight ahead, from a diagonal to both sides, and to the forced
/// neighbors that obstacles behind the cell hide from the parent.
static WORTH: [u8; 32] = {
    let mut worth = [0_u8; 32];
    let mut number = 0_u8;
    while number < 32 {
        let (direction, sides) = (number % 8, number / 8);
        let mut ahead = 1_u8;
        if direction % 2 == 1 {
            ahead |= 1 << 1 | 1 << 7;
        }
        if sides & 1 != 0 {
            ahead |= 1 << 7 | 1 << 6;
        }
        if sides & 2 != 0 {
            ahead |= 1 << 1 | 1 << 2;
        }
        worth[number as usize] = ahead.rotate_left(direction as u32);
        number += 1;
    }
    worth
};

const DIAGONALS: u8 = 0b1010_1010;

impl<'a> KeepCorners<'a> {
    pub(super) fn new(query: &GridQuery<'a>, prune: Prune) -> Self {
        let GridQuery { grid, goal, .. } = *query;
        let runs = grid.runs();
        let goal_along = [EAST, SOUTH, WEST, NORTH].map(|direction| runs.along(direction).at(goal));
        Self { runs, goal, goal_along, prune }
    }
}

impl Successors for KeepCorners<'_> {
    #[inline]
    fn each(&self, from: Cell, arrival: Option<Arrival>, out: &mut impl Jumps) {
        let worth = arrival.map_or(u8::MAX, |arrival| WORTH[arrival.number()]);
        for direction in directions(worth & DIAGONALS) {
            let diagonal = Diagonal::new(from, direction, worth);
            match self.prune {
                Prune::None => self.to_first_turn(diagonal, out),
                Prune::Intermediate => self.along_diagonal(diagonal, out),
            }
        }
    }
}

impl KeepCorners<'_> {
    /// Scans in a straight direction to the goal, to a jump point or to the last cell before an obstacle.
    #[inline]
    fn straight(&self, from: Cell, direction: Direction) -> Jump {
        let lines = self.runs.along(direction);
        let at = lines.at(from);
        let Stop { mut distance, sides } = lines.straight(at);
        // Blocked cells separate the lines, so a goal within the distance is on the same line.
        let to_goal = self.goal_along[(direction / 2) & 3].wrapping_sub(at);
        if to_goal.wrapping_sub(1) < distance as usize {
            #[expect(clippy::cast_possible_truncation, reason = "at most the distance of the scan")]
            let to_goal = to_goal as u32;
            distance = to_goal;
        }
        let to = moved(from, direction, distance);
        Jump { diagonal: 0, straight: distance, to, arrival: Arrival::new(direction, sides) }
    }

    /// Scans in a straight direction after `n` steps of a diagonal.
    #[inline]
    fn scan_to_side(&self, diagonal: Diagonal, n: u32, side: Direction) -> Jump {
        Jump { diagonal: n, ..self.straight(moved(diagonal.from, diagonal.direction, n), side) }
    }

    /// Scans along a diagonal and reports the jumps to its sides.
    #[inline]
    fn along_diagonal(&self, diagonal: Diagonal, out: &mut impl Jumps) {
        let mut n_steps = 0;
        for (begin, stretch) in self.stretches(diagonal) {
            n_steps = begin + stretch.n_steps;
            self.turn(diagonal, begin, stretch.turns, out);
            self.report_failed_scans(diagonal, begin, stretch, out);
        }
        if let Some(jump) = self.to_goal(diagonal, n_steps) {
            out.take(jump);
        }
        out.pass(|| diagonal.jump(n_steps));
    }

    /// Scans along a diagonal to the first cell from which a scan to a side ends at a jump point, and reports the jump
    /// to that cell.
    fn to_first_turn(&self, diagonal: Diagonal, out: &mut impl Jumps) {
        let (mut n_steps, mut turns) = (0, false);
        for (begin, mut stretch) in self.stretches(diagonal) {
            let here = u64::from(begin == 0);
            self.turn(diagonal, begin, stretch.turns.map(|turns| turns & here), out);
            let [x, y] = stretch.turns.map(|turns| turns & !here);
            if x | y != 0 {
                turns = true;
                stretch.n_steps = (x | y).trailing_zeros();
            }
            n_steps = begin + stretch.n_steps;
            self.report_failed_scans(diagonal, begin, stretch, out);
            if turns {
                break;
            }
        }
        match self.to_goal(diagonal, n_steps) {
            Some(jump) if jump.diagonal == 0 => out.take(jump),
            Some(jump) => out.take(diagonal.jump(jump.diagonal)),
            None if turns => out.take(diagonal.jump(n_steps)),
            None => out.pass(|| diagonal.jump(n_steps)),
        }
    }

    /// Reports the jumps to the sides from the cells of a stretch whose bits are set.
    #[inline]
    fn turn(&self, diagonal: Diagonal, begin: u32, [mut x, mut y]: [u64; 2], out: &mut impl Jumps) {
        // A single loop for both sides has a single loop exit to mispredict.
        while x | y != 0 {
            let is_y = x == 0;
            let turns = if is_y { y } else { x };
            let side = diagonal.sides[usize::from(is_y)];
            out.take(self.scan_to_side(diagonal, begin + turns.trailing_zeros(), side));
            x &= x.wrapping_sub(1);
            y &= y.wrapping_sub(u64::from(is_y));
        }
    }

    /// Reports the scans to the sides that found no jump point. Only used for the trace.
    #[inline]
    fn report_failed_scans(
        &self,
        diagonal: Diagonal,
        begin: u32,
        stretch: DiagonalStretch,
        out: &mut impl Jumps,
    ) {
        let n_cells = stretch.n_steps + 1;
        for (n_side, (side, turns)) in diagonal.sides.into_iter().zip(stretch.turns).enumerate() {
            for n in 0..n_cells {
                if turns >> n & 1 == 0 && (begin + n > 0 || diagonal.counts[n_side] & 1 != 0) {
                    out.pass(|| self.scan_to_side(diagonal, begin + n, side));
                }
            }
        }
    }

    /// Returns the stretches of a diagonal, each with the number of steps before it.
    #[inline]
    fn stretches(
        &self,
        diagonal: Diagonal,
    ) -> impl Iterator<Item = (u32, DiagonalStretch)> + use<'_> {
        let lines = self.runs.along(diagonal.direction);
        let from = lines.at(diagonal.from);
        let mut next = Some(0);
        std::iter::from_fn(move || {
            let begin = next?;
            let mut stretch = lines.diagonal(from + begin as usize);
            if begin == 0 {
                stretch.turns[0] &= diagonal.counts[0];
                stretch.turns[1] &= diagonal.counts[1];
            }
            next = stretch.next.map(|n| begin + n);
            Some((begin, stretch))
        })
    }

    /// Returns the jump to the goal through the cell of the diagonal in the goal's row or column, if the diagonal
    /// reaches that cell and no obstacle is between the cell and the goal.
    #[inline]
    fn to_goal(&self, diagonal: Diagonal, n_steps: u32) -> Option<Jump> {
        let [dx, dy] = STEPS[diagonal.direction];
        let towards = |from: u32, to: u32, by: i32| {
            (to.wrapping_sub(from).cast_signed() * by).cast_unsigned()
        };
        let x = towards(diagonal.from.x, self.goal.x, dx);
        let y = towards(diagonal.from.y, self.goal.y, dy);
        let n = x.min(y);
        if n > n_steps {
            return None;
        }
        if x == y {
            return Some(diagonal.jump(n));
        }
        let n_side = usize::from(x < y);
        if n == 0 && diagonal.counts[n_side] & 1 == 0 {
            return None;
        }
        let jump = self.scan_to_side(diagonal, n, diagonal.sides[n_side]);
        Some(jump).filter(|jump| jump.to == self.goal)
    }
}

/// A diagonal from a cell, and the straight directions to its sides.
#[derive(Clone, Copy, Debug)]
struct Diagonal {
    from: Cell,
    direction: Direction,
    /// Directions along x and along y.
    sides: [Direction; 2],
    /// One bit per side and cell of the first stretch, set if a scan to that side belongs to this diagonal. At the
    /// first cell, the scan may belong to another diagonal.
    counts: [u64; 2],
}

impl Diagonal {
    /// Creates the diagonal in `direction`; `worth` has the directions to continue in. A straight direction between
    /// two diagonals of `worth` belongs to the diagonal on its right.
    #[inline]
    const fn new(from: Cell, direction: Direction, worth: u8) -> Self {
        let [left, right] = [turned(direction, 7), turned(direction, 1)];
        let on_right = u64::MAX << (worth >> turned(direction, 2) & 1);
        if matches!(left, EAST | WEST) {
            Self { from, direction, sides: [left, right], counts: [u64::MAX, on_right] }
        } else {
            Self { from, direction, sides: [right, left], counts: [on_right, u64::MAX] }
        }
    }

    /// Returns the jump to the cell after `n` steps.
    fn jump(self, n: u32) -> Jump {
        let to = moved(self.from, self.direction, n);
        Jump { diagonal: n, straight: 0, to, arrival: Arrival::new(self.direction, 0) }
    }
}

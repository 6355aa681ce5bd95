//! Jump point search where corners are kept.

use super::{
    Prune,
    core::{Jump, Jumps, Successors},
    nodes::Arrival,
};
use crate::grid::{
    Cell, GridQuery,
    bits::ones,
    moves::{EAST, NORTH, SOUTH, STEPS, WEST, Way, moved, turned, ways},
    runs::{Runs, Stop, Stretch},
};

/// Scans the bits that the grid keeps, 64 cells at a look.
pub(super) struct Keep<'a> {
    runs: &'a Runs,
    goal: Cell,
    /// Per straight way, where the goal is in its lines.
    goal_along: [usize; 4],
    prune: Prune,
}

/// Per number of an arrival, the ways worth going on: straight ahead, from a diagonal to both its sides, and
/// to the sides that obstacles behind have hidden from the cell before.
static WORTH: [u8; 32] = {
    let mut worth = [0_u8; 32];
    let mut number = 0_u8;
    while number < 32 {
        let (way, sides) = (number % 8, number / 8);
        let mut ahead = 1_u8;
        if way % 2 == 1 {
            ahead |= 1 << 1 | 1 << 7;
        }
        if sides & 1 != 0 {
            ahead |= 1 << 7 | 1 << 6;
        }
        if sides & 2 != 0 {
            ahead |= 1 << 1 | 1 << 2;
        }
        worth[number as usize] = ahead.rotate_left(way as u32);
        number += 1;
    }
    worth
};

const STRAIGHT_WAYS: u8 = 0b0101_0101;

impl<'a> Keep<'a> {
    pub(super) fn new(query: &GridQuery<'a>, prune: Prune) -> Self {
        let GridQuery { grid, goal, .. } = *query;
        let runs = grid.runs();
        let goal_along = [EAST, SOUTH, WEST, NORTH].map(|way| runs.along(way).at(goal));
        Self { runs, goal, goal_along, prune }
    }
}

impl Successors for Keep<'_> {
    #[inline]
    fn each(&self, from: Cell, arrival: Option<Arrival>, out: &mut impl Jumps) {
        let worth = arrival.map_or(u8::MAX, |arrival| WORTH[arrival.number()]);
        for way in ways(worth & STRAIGHT_WAYS) {
            let (jump, is_worth_it) = self.straight(from, way);
            if is_worth_it {
                out.take(jump);
            } else {
                out.pass(|| jump);
            }
        }
        for way in ways(worth & !STRAIGHT_WAYS) {
            let course = Course { from, way };
            match self.prune {
                Prune::None => self.to_first_turn(course, out),
                Prune::Intermediate => self.along_diagonal(course, out),
            }
        }
    }
}

impl Keep<'_> {
    /// How far a scan goes straight on, and whether the goal or a jump point is there.
    #[inline]
    fn straight(&self, from: Cell, way: Way) -> (Jump, bool) {
        let lines = self.runs.along(way);
        let at = lines.at(from);
        let Stop { mut distance, sides } = lines.straight(at);
        let mut is_worth_it = sides != 0;
        // Between lines something is blocked, so that what a scan has passed is on its line.
        let to_goal = self.goal_along[(way / 2) & 3].wrapping_sub(at);
        if to_goal.wrapping_sub(1) < distance as usize {
            #[expect(clippy::cast_possible_truncation, reason = "no further than the scan went")]
            let to_goal = to_goal as u32;
            (distance, is_worth_it) = (to_goal, true);
        }
        let to = moved(from, way, distance);
        let arrival = Arrival::new(way, sides);
        (Jump { diagonal: 0, straight: distance, to, arrival }, is_worth_it)
    }

    /// The same after `n` steps of a diagonal.
    #[inline]
    fn aside(&self, course: Course, n: u32, side: Way) -> (Jump, bool) {
        let (jump, is_worth_it) = self.straight(moved(course.from, course.way, n), side);
        (Jump { diagonal: n, ..jump }, is_worth_it)
    }

    /// Goes along a diagonal and tells of the jumps to its sides.
    #[inline]
    fn along_diagonal(&self, course: Course, out: &mut impl Jumps) {
        let sides = course.sides();
        let mut n_steps = 0;
        for (begin, stretch) in self.stretches(course) {
            n_steps = begin + stretch.n_steps;
            for (side, turns) in sides.into_iter().zip(stretch.turns) {
                for n in ones(turns) {
                    out.take(self.aside(course, begin + n, side).0);
                }
            }
            self.tell(course, begin, stretch, out);
        }
        if let Some(jump) = self.to_goal(course, n_steps) {
            out.take(jump);
        }
        out.pass(|| course.jump(n_steps));
    }

    /// Goes along a diagonal to the first cell from which there is a jump to a side.
    fn to_first_turn(&self, course: Course, out: &mut impl Jumps) {
        let (mut n_steps, mut turns) = (0, false);
        for (begin, mut stretch) in self.stretches(course) {
            let [x, y] = stretch.turns;
            if x | y != 0 {
                turns = true;
                stretch.n_steps = (x | y).trailing_zeros();
            }
            n_steps = begin + stretch.n_steps;
            self.tell(course, begin, stretch, out);
            if turns {
                break;
            }
        }
        if let Some(jump) = self.to_goal(course, n_steps) {
            out.take(course.jump(jump.diagonal));
        } else if turns {
            out.take(course.jump(n_steps));
        } else {
            out.pass(|| course.jump(n_steps));
        }
    }

    /// Tells of the scans to the sides that are not worth it.
    #[inline]
    fn tell(&self, course: Course, begin: u32, stretch: Stretch, out: &mut impl Jumps) {
        let n_cells = stretch.n_steps + 1;
        for (side, turns) in course.sides().into_iter().zip(stretch.turns) {
            for n in 0..n_cells {
                if turns >> n & 1 == 0 && begin + n > 0 {
                    out.pass(|| self.aside(course, begin + n, side).0);
                }
            }
        }
    }

    /// The looks that it takes to go along a diagonal, and how many steps were made before each.
    #[inline]
    fn stretches(&self, course: Course) -> impl Iterator<Item = (u32, Stretch)> + use<'_> {
        let lines = self.runs.along(course.way);
        let from = lines.at(course.from);
        let mut next = Some(0);
        std::iter::from_fn(move || {
            let begin = next?;
            let mut stretch = lines.diagonal(from + begin as usize);
            if begin == 0 {
                // Where it begins does not count.
                stretch.turns = stretch.turns.map(|turns| turns & !1);
            }
            next = stretch.next.map(|n| begin + n);
            Some((begin, stretch))
        })
    }

    /// The jump to the goal from the cell of a diagonal that is in its row or column, if the diagonal comes
    /// there and nothing is in between.
    #[inline]
    fn to_goal(&self, course: Course, n_steps: u32) -> Option<Jump> {
        let [dx, dy] = STEPS[course.way];
        let towards = |from: u32, to: u32, by: i32| {
            (to.wrapping_sub(from).cast_signed() * by).cast_unsigned()
        };
        let x = towards(course.from.x, self.goal.x, dx);
        let y = towards(course.from.y, self.goal.y, dy);
        let n = x.min(y);
        if n.wrapping_sub(1) >= n_steps {
            return None;
        }
        if x == y {
            return Some(course.jump(n));
        }
        let [along_x, along_y] = course.sides();
        let (jump, _) = self.aside(course, n, if x < y { along_y } else { along_x });
        Some(jump).filter(|jump| jump.to == self.goal)
    }
}

/// A diagonal from a cell.
#[derive(Clone, Copy, Debug)]
struct Course {
    from: Cell,
    way: Way,
}

impl Course {
    /// The ways to its sides, along x and along y.
    #[inline]
    const fn sides(self) -> [Way; 2] {
        let [left, right] = [turned(self.way, 7), turned(self.way, 1)];
        if matches!(left, EAST | WEST) { [left, right] } else { [right, left] }
    }

    /// To the cell after `n` steps.
    fn jump(self, n: u32) -> Jump {
        let to = moved(self.from, self.way, n);
        Jump { diagonal: n, straight: 0, to, arrival: Arrival::new(self.way, 0) }
    }
}

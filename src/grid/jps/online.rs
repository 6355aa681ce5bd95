//! Jump point search that scans the grid as it goes.

use super::{
    Prune,
    core::{self, Jump, Jumps, Successors},
    rule,
    scan::{self, Reach},
};
use crate::{
    grid::{
        Cell, Corners, Grid, GridAnswer, GridQuery, GridScratch, Moves,
        moves::{EAST, NORTH, SOUTH, WEST, Way, moved, way_of, ways},
        scratch::node,
    },
    search::Watch,
};

/// Finds the cheapest path by Jump Point Search: A* that opens only cells where a cheapest path may have
/// to turn, and finds these by scanning rows and columns a word of bits at a time. Nothing is computed
/// beforehand but the bits that the grid keeps.
///
/// Works by the eight ways and any rule for corners; with four ways it finds nothing.
///
/// Differs from the common description: a scan stops at obstacles and jump points only, never at a cell
/// that is open or closed already, which would lose cheapest paths; and where corners are kept, a way is
/// forced by obstacles behind it, and diagonals force nothing.
///
/// Source: Harabor and Grastien, "Online graph pruning for pathfinding on grid maps", 2011, and
/// "Improving Jump Point Search", 2014, for scanning words and [`Prune::Intermediate`].
pub fn jps<W: Watch>(
    query: &GridQuery<'_>,
    prune: Prune,
    scratch: &mut GridScratch,
    watch: &mut W,
) -> GridAnswer {
    match query.moves {
        Moves::Four => GridAnswer::default(),
        Moves::Eight(corners @ Corners::Keep) => {
            let online = Online::<true> { query, corners, prune };
            core::search(query, &online, scratch, watch)
        }
        Moves::Eight(corners) => {
            let online = Online::<false> { query, corners, prune };
            core::search(query, &online, scratch, watch)
        }
    }
}

/// `KEEP` says whether corners are kept, once for all scans.
struct Online<'a, const KEEP: bool> {
    query: &'a GridQuery<'a>,
    corners: Corners,
    prune: Prune,
}

impl<const KEEP: bool> Successors for Online<'_, KEEP> {
    fn each(&self, from: Cell, arrived: Option<Way>, out: &mut impl Jumps) {
        let grid = self.query.grid;
        let node = grid.node(from);
        let mut bits = self.query.moves.allowed_at(grid, node);
        if let Some(way) = arrived {
            bits &= rule::worth(self.corners, grid.rows().around(node), way);
        }
        for way in ways(bits) {
            match way {
                1 => self.diagonal::<1, 1>(from, out),
                3 => self.diagonal::<-1, 1>(from, out),
                5 => self.diagonal::<-1, -1>(from, out),
                7 => self.diagonal::<1, -1>(from, out),
                _ => self.straight(from, way, out),
            }
        }
    }
}

impl<const KEEP: bool> Online<'_, KEEP> {
    fn straight(&self, from: Cell, way: Way, out: &mut impl Jumps) {
        let GridQuery { grid, goal, .. } = *self.query;
        let reach = scan::up_to(scan::straight::<KEEP>(grid, from, way), from, goal, way);
        let node = node(grid, moved(from, way, reach.distance));
        let jump = Jump { way, diagonal: 0, straight: reach.distance, node };
        if reach.jumps {
            out.take(jump);
        } else {
            out.pass(|| jump);
        }
    }

    /// Goes along a diagonal whose first step is allowed, `DX` and `DY` a step.
    fn diagonal<const DX: i32, const DY: i32>(&self, from: Cell, out: &mut impl Jumps) {
        let GridQuery { grid, goal, .. } = *self.query;
        let Some(way) = way_of(DX, DY) else { return };
        let course = Course::<KEEP, DX, DY>::new(grid, from, goal);
        let run = grid.runs().diagonal(way);
        let mut at = Place { node: node(grid, from), diagonal: 0 };
        loop {
            at.node = at.node.wrapping_add_signed(course.step);
            at.diagonal += 1;
            let is_abreast = course.to_goal.contains(&at.diagonal);
            if KEEP && !is_abreast && run.is_set(at.node as usize) {
                // Nothing is found from here to either side, as the bit knows.
                out.pass(|| Course::<KEEP, DX, DY>::jump_x(at, course.reach_x(at)));
                out.pass(|| course.jump_y(at, course.reach_y(at)));
                continue;
            }
            let here = Jump { way, diagonal: at.diagonal, straight: 0, node: at.node };
            if course.to_goal == [at.diagonal; 2] || !KEEP && self.is_forced(at.node, way) {
                return out.take(here);
            }
            match self.prune {
                Prune::None if course.turns(at) => return out.take(here),
                Prune::None => {}
                Prune::Intermediate => {
                    course.look_along_x(at, out);
                    course.look_along_y(at, out);
                }
            }
            if self.query.moves.allowed_at(grid, at.node as usize) & 1 << way == 0 {
                return out.pass(|| here);
            }
        }
    }

    fn is_forced(&self, node: u32, way: Way) -> bool {
        let around = self.query.grid.rows().around(node as usize);
        rule::is_forced_diagonal(self.corners, around, way)
    }
}

/// A cell on a diagonal, and after how many steps.
#[derive(Clone, Copy)]
struct Place {
    node: u32,
    diagonal: u32,
}

/// A diagonal by `DX` and `DY` a step.
struct Course<'a, const KEEP: bool, const DX: i32, const DY: i32> {
    grid: &'a Grid,
    /// Where it starts, among the columns.
    in_column: u32,
    /// A step among the rows, of which a row makes so much, and among the columns.
    step: i32,
    row: i32,
    column_step: i32,
    /// After so many steps the goal is in the same column, and in the same row.
    to_goal: [u32; 2],
}

impl<'a, const KEEP: bool, const DX: i32, const DY: i32> Course<'a, KEEP, DX, DY> {
    const WAY_X: Way = if DX > 0 { EAST } else { WEST };
    const WAY_Y: Way = if DY > 0 { SOUTH } else { NORTH };

    #[expect(
        clippy::cast_possible_wrap,
        clippy::cast_possible_truncation,
        reason = "strides are at most 2^15, and grids have at most 2^28 cells"
    )]
    fn new(grid: &'a Grid, from: Cell, goal: Cell) -> Self {
        let (rows, columns) = (grid.rows(), grid.columns());
        let towards = |from: u32, to: u32, by: i32| {
            (to.wrapping_sub(from).cast_signed() * by).cast_unsigned()
        };
        let row = DY * rows.stride() as i32;
        Self {
            grid,
            in_column: columns.at(from.x, from.y) as u32,
            step: row + DX,
            row,
            column_step: DX * columns.stride() as i32 + DY,
            to_goal: [towards(from.x, goal.x, DX), towards(from.y, goal.y, DY)],
        }
    }

    /// Whether something is found to a side.
    #[inline]
    fn turns(&self, at: Place) -> bool {
        self.may_jump(at, Self::WAY_X, self.to_goal[1]) && self.reach_x(at).jumps
            || self.may_jump(at, Self::WAY_Y, self.to_goal[0]) && self.reach_y(at).jumps
    }

    /// Tells of the jump from a place along its row.
    #[inline]
    fn look_along_x(&self, at: Place, out: &mut impl Jumps) {
        if self.may_jump(at, Self::WAY_X, self.to_goal[1]) {
            let reach = self.reach_x(at);
            if reach.jumps {
                return out.take(Self::jump_x(at, reach));
            }
        }
        out.pass(|| Self::jump_x(at, self.reach_x(at)));
    }

    /// The same along its column.
    #[inline]
    fn look_along_y(&self, at: Place, out: &mut impl Jumps) {
        if self.may_jump(at, Self::WAY_Y, self.to_goal[0]) {
            let reach = self.reach_y(at);
            if reach.jumps {
                return out.take(self.jump_y(at, reach));
            }
        }
        out.pass(|| self.jump_y(at, self.reach_y(at)));
    }

    /// Whether the goal may lie straight ahead to a side, or a jump point does.
    #[inline]
    fn may_jump(&self, at: Place, way: Way, abreast: u32) -> bool {
        let turning = self.grid.runs().turning(way);
        !KEEP || abreast == at.diagonal || turning.is_set(at.node as usize)
    }

    fn jump_x(at: Place, reach: Reach) -> Jump {
        let (diagonal, straight) = (at.diagonal, reach.distance);
        let node = at.node.wrapping_add_signed(DX * straight.cast_signed());
        Jump { way: Self::WAY_X, diagonal, straight, node }
    }

    fn jump_y(&self, at: Place, reach: Reach) -> Jump {
        let (diagonal, straight) = (at.diagonal, reach.distance);
        let node = at.node.wrapping_add_signed(self.row * straight.cast_signed());
        Jump { way: Self::WAY_Y, diagonal, straight, node }
    }

    #[inline]
    fn reach_x(&self, at: Place) -> Reach {
        let run = self.grid.runs().straight(Self::WAY_X);
        let reach = scan::ahead::<KEEP, DX>(self.grid.rows(), run, at.node as usize);
        up_to_goal(reach, at, self.to_goal)
    }

    #[inline]
    fn reach_y(&self, at: Place) -> Reach {
        let run = self.grid.runs().straight(Self::WAY_Y);
        let by = self.column_step * at.diagonal.cast_signed();
        let in_column = self.in_column.wrapping_add_signed(by);
        let reach = scan::ahead::<KEEP, DY>(self.grid.columns(), run, in_column as usize);
        let [x, y] = self.to_goal;
        up_to_goal(reach, at, [y, x])
    }
}

/// Ends a scan to a side of a diagonal at the goal, which is `ahead` when it is `abreast`.
#[inline]
fn up_to_goal(reach: Reach, at: Place, [ahead, abreast]: [u32; 2]) -> Reach {
    let distance = ahead.wrapping_sub(at.diagonal);
    if abreast == at.diagonal && distance <= reach.distance {
        Reach { distance, jumps: true }
    } else {
        reach
    }
}

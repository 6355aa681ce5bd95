//! Moves that a grid allows.

use super::{
    Grid,
    direction::{Direction, STEPS, directions},
};

/// Rule for diagonal steps past the corners of blocked cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Corners {
    /// Allowed if both cells beside the step are free, as in Moving AI's benchmarks.
    #[default]
    Keep,
    /// Allowed if at least one cell beside the step is free.
    Cut,
    /// Always allowed, even between two blocked cells that touch at a corner.
    Squeeze,
}

/// Moves from a cell to its neighbors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    /// Steps along rows and columns.
    Four,
    /// Steps along rows and columns, and diagonal steps subject to the rule for corners.
    Eight(Corners),
}

impl Default for Moves {
    fn default() -> Self {
        Self::Eight(Corners::Keep)
    }
}

/// Directions to try, one bit each, per direction of arrival (the last row is for cells without one) and per
/// neighborhood, as returned by [`BitLines::around`](super::bits::BitLines::around). Omits steps that are not allowed
/// and steps to cells that the parent reaches in one step, since those are reached from the parent at no higher cost.
type MoveTable = [[u8; 512]; 9];
const FROM_NOWHERE: usize = 8;

static FOUR: MoveTable = table(Moves::Four);
static KEEP: MoveTable = table(Moves::Eight(Corners::Keep));
static CUT: MoveTable = table(Moves::Eight(Corners::Cut));
static SQUEEZE: MoveTable = table(Moves::Eight(Corners::Squeeze));

const fn table(moves: Moves) -> MoveTable {
    let mut table = [[0; 512]; 9];
    let mut around = 0;
    while around < 512 {
        let mut direction = 0;
        while direction < 8 {
            if is_free(around, direction) && is_allowed(moves, around, [0, 0], STEPS[direction]) {
                let mut arrived = 0;
                while arrived <= FROM_NOWHERE {
                    if !is_known(moves, around, arrived, STEPS[direction]) {
                        table[arrived][around] |= 1 << direction;
                    }
                    arrived += 1;
                }
            }
            direction += 1;
        }
        around += 1;
    }
    table
}

/// Returns whether the cell at offset `x, y` from the center of a neighborhood is free.
const fn is_free_at(around: usize, [x, y]: [i32; 2]) -> bool {
    around >> ((y + 1) * 3 + x + 1) & 1 != 0
}

/// Returns whether the neighbor in `direction` is free.
const fn is_free(around: usize, direction: Direction) -> bool {
    is_free_at(around, STEPS[direction])
}

/// Returns whether the step from one free cell of a neighborhood to an adjacent free cell is allowed.
const fn is_allowed(moves: Moves, around: usize, from: [i32; 2], to: [i32; 2]) -> bool {
    if from[0] == to[0] || from[1] == to[1] {
        return true;
    }
    let aside = is_free_at(around, [to[0], from[1]]);
    let below = is_free_at(around, [from[0], to[1]]);
    match moves {
        Moves::Four => false,
        Moves::Eight(Corners::Keep) => aside && below,
        Moves::Eight(Corners::Cut) => aside || below,
        Moves::Eight(Corners::Squeeze) => true,
    }
}

/// Returns whether a neighbor is the parent of the center cell, or one step from the parent.
const fn is_known(moves: Moves, around: usize, arrived: usize, to: [i32; 2]) -> bool {
    if arrived == FROM_NOWHERE {
        return false;
    }
    let before = [-STEPS[arrived][0], -STEPS[arrived][1]];
    let [dx, dy] = [(to[0] - before[0]).abs(), (to[1] - before[1]).abs()];
    dx <= 1 && dy <= 1 && is_allowed(moves, around, before, to)
}

impl Moves {
    const fn table(self) -> &'static MoveTable {
        match self {
            Self::Four => &FOUR,
            Self::Eight(Corners::Keep) => &KEEP,
            Self::Eight(Corners::Cut) => &CUT,
            Self::Eight(Corners::Squeeze) => &SQUEEZE,
        }
    }

    /// Returns one bit per direction, set if the step from the node is allowed.
    pub(super) fn allowed_at(self, grid: &Grid, node: usize) -> u8 {
        self.table()[FROM_NOWHERE][usize::from(grid.rows().around(node))]
    }
}

/// Neighbors of nodes on a grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbors<'a> {
    grid: &'a Grid,
    table: &'static MoveTable,
    /// Difference between the neighbor's node and the node, per direction.
    offsets: [i32; 8],
}

impl<'a> Neighbors<'a> {
    #[expect(
        clippy::cast_possible_wrap,
        clippy::cast_possible_truncation,
        reason = "strides are at most 2^15"
    )]
    pub(super) fn new(grid: &'a Grid, moves: Moves) -> Self {
        let stride = grid.rows().stride() as i32;
        let offsets = STEPS.map(|[dx, dy]| dy * stride + dx);
        Self { grid, table: moves.table(), offsets }
    }

    /// Returns the neighbors of a node, each with its direction.
    #[inline]
    pub(super) fn of(&self, node: u32) -> impl Iterator<Item = (u32, Direction)> {
        self.beyond(node, None)
    }

    /// Returns the neighbors of a node without the node's parent and the cells that the parent reaches in one step.
    /// `arrived` is the direction of the step from the parent, or `None` for no parent.
    #[inline]
    pub(super) fn beyond(
        &self,
        node: u32,
        arrived: Option<Direction>,
    ) -> impl Iterator<Item = (u32, Direction)> {
        let around = usize::from(self.grid.rows().around(node as usize));
        let bits = self.table[arrived.unwrap_or(FROM_NOWHERE)][around];
        directions(bits).map(move |direction| {
            (node.wrapping_add_signed(self.offsets[direction & 7]), direction)
        })
    }
}

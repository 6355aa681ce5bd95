//! Which steps a grid allows.

use super::{
    Grid,
    way::{STEPS, Way, ways},
};

/// When a diagonal step past corners is allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Corners {
    /// Where both cells beside the step are free. Moving AI's benchmarks mean this.
    #[default]
    Keep,
    /// Where at least one of them is free: corners are cut, but nothing squeezes between two.
    Cut,
    /// Always, also between two blocked cells that touch at a corner.
    Squeeze,
}

/// The steps from a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    /// Along rows and columns.
    Four,
    /// Diagonals too.
    Eight(Corners),
}

impl Default for Moves {
    fn default() -> Self {
        Self::Eight(Corners::Keep)
    }
}

/// Per way by which a cell was reached, the last of them none, and per neighborhood as
/// [`BitLines::around`](super::bits::BitLines::around) gives it: a bit for each way worth a look. Left
/// out are steps that are not allowed, and those to where the cell before leads in one step: what was
/// found from there is as cheap.
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
        let mut way = 0;
        while way < 8 {
            if is_free(around, way) && is_allowed(moves, around, [0, 0], STEPS[way]) {
                let mut arrived = 0;
                while arrived <= FROM_NOWHERE {
                    if !is_known(moves, around, arrived, STEPS[way]) {
                        table[arrived][around] |= 1 << way;
                    }
                    arrived += 1;
                }
            }
            way += 1;
        }
        around += 1;
    }
    table
}

/// Whether a cell at `x, y` from the middle of a neighborhood is free.
const fn is_free_at(around: usize, [x, y]: [i32; 2]) -> bool {
    around >> ((y + 1) * 3 + x + 1) & 1 != 0
}

/// Whether the neighbor that way is free in a neighborhood.
const fn is_free(around: usize, way: Way) -> bool {
    is_free_at(around, STEPS[way])
}

/// Whether one may step from one free cell of a neighborhood to another one beside it.
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

/// Whether a neighbor is the cell from where the middle was reached, or one step from that.
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

    /// A bit for each way that can be gone from a node.
    pub(super) fn allowed_at(self, grid: &Grid, node: usize) -> u8 {
        self.table()[FROM_NOWHERE][usize::from(grid.rows().around(node))]
    }
}

/// Where steps lead on a grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbors<'a> {
    grid: &'a Grid,
    table: &'static MoveTable,
    /// Per way, what is added to a node's number.
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

    /// The nodes that one step from a node leads to, and the ways there.
    #[inline]
    pub(super) fn of(&self, node: u32) -> impl Iterator<Item = (u32, Way)> {
        self.beyond(node, None)
    }

    /// The same without those that the node from where this one was reached by a step leads to, too.
    #[inline]
    pub(super) fn beyond(
        &self,
        node: u32,
        arrived: Option<Way>,
    ) -> impl Iterator<Item = (u32, Way)> {
        let around = usize::from(self.grid.rows().around(node as usize));
        let bits = self.table[arrived.unwrap_or(FROM_NOWHERE)][around];
        ways(bits).map(move |way| (node.wrapping_add_signed(self.offsets[way & 7]), way))
    }
}

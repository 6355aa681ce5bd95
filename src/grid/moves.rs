//! Which steps a grid allows.

use super::Grid;

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

/// A direction on the grid; diagonal ones have odd numbers, and adding 1 turns right by an eighth
/// where rows are counted downwards.
pub(super) type Way = usize;

pub(super) const EAST: Way = 0;
pub(super) const SOUTH: Way = 2;
pub(super) const WEST: Way = 4;
pub(super) const NORTH: Way = 6;

/// Per way, the step along x and y.
pub(super) const STEPS: [[i32; 2]; 8] =
    [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];

/// Whether a way goes along rows or columns.
pub(super) const fn is_straight(way: Way) -> bool {
    way & 1 == 0
}

/// The way turned right by `n` eighths.
pub(super) const fn turned(way: Way, n: usize) -> Way {
    (way + n) & 7
}

/// The way that a step of these signs takes; (0, 0) is none.
pub(super) const fn way_of(dx: i32, dy: i32) -> Option<Way> {
    Some(match (dx.signum(), dy.signum()) {
        (1, 0) => 0,
        (1, 1) => 1,
        (0, 1) => 2,
        (-1, 1) => 3,
        (-1, 0) => 4,
        (-1, -1) => 5,
        (0, -1) => 6,
        (1, -1) => 7,
        _ => return None,
    })
}

/// Per neighbourhood as [`BitLines::around`](super::bits::BitLines::around) gives it: a bit for each
/// way that can be gone.
type MoveTable = [u8; 512];

static TABLES: [MoveTable; 4] = [
    table(Moves::Four),
    table(Moves::Eight(Corners::Keep)),
    table(Moves::Eight(Corners::Cut)),
    table(Moves::Eight(Corners::Squeeze)),
];

const fn table(moves: Moves) -> MoveTable {
    let mut table = [0; 512];
    let mut around = 0;
    while around < 512 {
        let mut way = 0;
        while way < 8 {
            if is_allowed(moves, around, way) {
                table[around] |= 1 << way;
            }
            way += 1;
        }
        around += 1;
    }
    table
}

/// Whether the neighbour that way is free in a neighbourhood.
const fn is_free(around: usize, way: Way) -> bool {
    let [dx, dy] = STEPS[way];
    around >> ((dy + 1) * 3 + dx + 1) & 1 != 0
}

const fn is_allowed(moves: Moves, around: usize, way: Way) -> bool {
    if !is_free(around, way) {
        return false;
    }
    if is_straight(way) {
        return true;
    }
    let (left, right) = (is_free(around, turned(way, 7)), is_free(around, turned(way, 1)));
    match moves {
        Moves::Four => false,
        Moves::Eight(Corners::Keep) => left && right,
        Moves::Eight(Corners::Cut) => left || right,
        Moves::Eight(Corners::Squeeze) => true,
    }
}

impl Moves {
    /// A bit for each way that can be gone from a node.
    pub(super) fn allowed_at(self, grid: &Grid, node: usize) -> u8 {
        let table = match self {
            Self::Four => 0,
            Self::Eight(Corners::Keep) => 1,
            Self::Eight(Corners::Cut) => 2,
            Self::Eight(Corners::Squeeze) => 3,
        };
        TABLES[table][usize::from(grid.rows().around(node))]
    }
}

/// The ways whose bits are set.
pub(super) fn ways(mut bits: u8) -> impl Iterator<Item = Way> {
    std::iter::from_fn(move || {
        let way = (bits != 0).then_some(bits.trailing_zeros() as Way)?;
        bits &= bits - 1;
        Some(way)
    })
}

/// The nodes that one step from a node leads to, and the ways there.
#[inline]
#[expect(
    clippy::cast_possible_wrap,
    clippy::cast_possible_truncation,
    reason = "strides are at most 2^15"
)]
pub(super) fn neighbors(
    grid: &Grid,
    moves: Moves,
    node: u32,
) -> impl Iterator<Item = (u32, Way)> + use<> {
    let stride = grid.rows().stride() as i32;
    ways(moves.allowed_at(grid, node as usize)).map(move |way| {
        let [dx, dy] = STEPS[way];
        (node.wrapping_add_signed(dy * stride + dx), way)
    })
}

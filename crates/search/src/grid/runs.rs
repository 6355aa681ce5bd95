//! Precomputed tables of scans for jump points.

use super::{bits::BitLines, cell::Cell, direction::Direction};

/// Scan tables for `Corners::Keep`, 24 bits per cell.
///
/// Each direction has its own lines, along which the direction leads to increasing indices: columns for south and
/// north, diagonals for diagonal directions, mirrored for directions to smaller coordinates. A scan in any of the eight
/// directions is the same few operations on 64 cells at a time.
///
/// Source: Harabor and Grastien, "Improving Jump Point Search", 2014, for scanning words. Differs: changes beside a
/// line, and the cells of a diagonal from which a scan to a side reaches a jump point, are stored with the grid, so
/// that scans along diagonals also advance by 64 cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Runs {
    /// Lines per direction.
    lines: [RunLines; 8],
}

/// Lines along one direction, three bits per cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RunLines {
    /// Three words per 64 cells.
    ///
    /// For a straight direction: the free cells that a scan passes, because no obstacle beside them ends; the free
    /// cells at which an obstacle on the left ends; and the free cells at which an obstacle on the right ends.
    ///
    /// For a diagonal direction: the cells from which a step is allowed; the cells from which a scan along x ends at a
    /// jump point; and the same along y.
    words: Vec<[u64; 3]>,
    place: LineLayout,
}

/// Mapping from cells to indices in lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LineLayout {
    origin: i64,
    per_x: i64,
    per_y: i64,
    /// Index of the first line; `period` is added to smaller indices.
    first: i64,
    period: i64,
}

/// End of a scan along a straight direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stop {
    /// Number of cells from the start of the scan.
    pub(super) distance: u32,
    /// One bit for left and one for right, set if an obstacle that ends on that side makes the cell a jump point. 0 if
    /// the next cell is blocked.
    pub(super) sides: u8,
}

/// Up to 64 steps along a diagonal.
#[derive(Clone, Copy, Debug)]
pub(super) struct DiagonalStretch {
    /// Number of allowed steps.
    pub(super) n_steps: u32,
    /// For x and for y, one bit per cell from the start to `n_steps` further, set if a scan along that axis ends at a
    /// jump point.
    pub(super) turns: [u64; 2],
    /// Number of steps to the start of the next stretch, if the diagonal continues.
    pub(super) next: Option<u32>,
}

impl Runs {
    /// Builds the tables from the free cells by rows; `size` is the number of columns and the number of rows.
    pub(super) fn new(rows: &BitLines, size: [u32; 2]) -> Self {
        let [south_east, south_west, north_west, north_east] =
            [[false, false], [true, false], [true, true], [false, true]]
                .map(|mirrors| Quadrant::new(rows, size, mirrors));
        // Straight directions come from the quadrants that are not mirrored or mirrored along both axes, because these
        // keep left and right.
        let [east, south] = south_east.straight;
        let [west, north] = north_west.straight;
        let lines = [
            east,
            south_east.diagonal,
            south,
            south_west.diagonal,
            west,
            north_west.diagonal,
            north,
            north_east.diagonal,
        ];
        Self { lines }
    }

    /// Returns the memory of the lines, in bytes.
    pub(super) fn n_bytes(&self) -> usize {
        self.lines.iter().map(|lines| 24 * lines.words.capacity()).sum()
    }

    /// Returns the lines along a direction.
    #[inline]
    pub(super) const fn along(&self, direction: Direction) -> &RunLines {
        &self.lines[direction & 7]
    }
}

impl RunLines {
    fn new(words: [&BitLines; 3], place: LineLayout) -> Self {
        let [a, b, c] = words.map(BitLines::words);
        let words = a.zip(b).zip(c).map(|(((_, a), (_, b)), (_, c))| [a, b, c]).collect();
        Self { words, place }
    }

    /// Returns the index of a cell.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the index of a cell is inside the lines"
    )]
    pub(super) const fn at(&self, cell: Cell) -> usize {
        let LineLayout { origin, per_x, per_y, first, period } = self.place;
        let at = origin + per_x * cell.x as i64 + per_y * cell.y as i64;
        // Whether the period is added is hard to predict, so this uses arithmetic instead of a branch.
        (at + (period & ((at - first) >> 63))) as usize
    }

    #[inline]
    fn words(&self, word: usize) -> [u64; 3] {
        self.words.get(word).copied().unwrap_or([0; 3])
    }

    /// Scans along a straight direction from an index.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "two bits, and sides below 2^15")]
    pub(super) fn straight(&self, from: usize) -> Stop {
        let (mut word, mut bit) = ((from + 1) / 64, (from + 1) % 64);
        loop {
            let [passed, left, right] = self.words(word);
            let stops = !passed >> bit << bit;
            if stops != 0 {
                let at = stops.trailing_zeros() as usize;
                let sides = (left >> at & 1 | (right >> at & 1) << 1) as u8;
                let distance = (word * 64 + at - from) as u32 - u32::from(sides == 0);
                return Stop { distance, sides };
            }
            (word, bit) = (word + 1, 0);
        }
    }

    /// Returns the steps along a diagonal from an index to the end of its word.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a remainder")]
    pub(super) fn diagonal(&self, from: usize) -> DiagonalStretch {
        let bit = from % 64;
        let [goes, x, y] = self.words(from / 64);
        let n_steps = (!(goes >> bit)).trailing_zeros();
        let n_left = 64 - (from % 64) as u32;
        let seen = u64::MAX >> (63 - n_steps.min(63));
        let turns = [x >> bit & seen, y >> bit & seen];
        if n_steps < n_left {
            DiagonalStretch { n_steps, turns, next: None }
        } else {
            DiagonalStretch { n_steps: n_left - 1, turns, next: Some(n_left) }
        }
    }
}

/// Lines of the directions to one corner of the grid.
struct Quadrant {
    /// Lines along x and y.
    straight: [RunLines; 2],
    diagonal: RunLines,
}

impl Quadrant {
    /// Builds the lines from the free cells by rows; `mirrors` selects the axes along which the directions lead to
    /// smaller coordinates.
    fn new(rows: &BitLines, size: [u32; 2], mirrors: [bool; 2]) -> Self {
        // After mirroring, all directions lead to larger coordinates.
        let rows = &rows.mirrored(size, mirrors);
        let columns = &rows.transposed(size);
        let axes = Axes { size, mirrors };
        let [along_x, along_y] = [Beside::new(rows), Beside::new(columns)];
        let [row, column] = [rows, columns].map(|lines| lines.stride().cast_signed() as i64);
        let [n_x, n_y] = size;
        let turning = [
            turning(rows, &along_x.passed),
            turning(columns, &along_y.passed).transposed([n_y, n_x]),
        ];
        Self {
            diagonal: diagonal(rows, turning, &axes),
            straight: [
                RunLines::new(
                    [&along_x.passed, &along_x.before, &along_x.after],
                    axes.place(rows, [1, row], 0),
                ),
                RunLines::new(
                    [&along_y.passed, &along_y.after, &along_y.before],
                    axes.place(columns, [column, 1], 0),
                ),
            ],
        }
    }
}

/// Size of the grid and its mirrored axes.
struct Axes {
    size: [u32; 2],
    mirrors: [bool; 2],
}

impl Axes {
    /// Returns the mapping from cells to indices in `lines`; `steps` is the distance of indices between neighbors along
    /// x and along y.
    fn place(&self, lines: &BitLines, steps: [i64; 2], period: u32) -> LineLayout {
        let first = lines.at(0, 0).cast_signed() as i64;
        let mut place = LineLayout {
            origin: first,
            per_x: steps[0],
            per_y: steps[1],
            first,
            period: i64::from(period) * lines.stride().cast_signed() as i64,
        };
        if self.mirrors[0] {
            place.origin += (i64::from(self.size[0]) - 1) * place.per_x;
            place.per_x = -place.per_x;
        }
        if self.mirrors[1] {
            place.origin += (i64::from(self.size[1]) - 1) * place.per_y;
            place.per_y = -place.per_y;
        }
        place
    }
}

/// Builds the lines of the diagonals to larger coordinates, from the free cells by rows and the cells from which scans
/// along x and along y end at a jump point.
fn diagonal(rows: &BitLines, [turning_x, turning_y]: [BitLines; 2], axes: &Axes) -> RunLines {
    let mut goes = rows.like();
    goes.fill(|at| {
        let two = |at| rows.window(at) & rows.window(at + 1);
        two(at) & two(at + rows.stride())
    });
    let mut found = [goes, turning_x, turning_y];
    let [n_x, n_y] = axes.size;
    // Lines run along the shorter side; otherwise they would take much more memory than the cells.
    let is_tall = n_x < n_y;
    let mut size = axes.size;
    if is_tall {
        found = found.map(|lines| lines.transposed(size));
        size = [n_y, n_x];
    }
    let period = n_x.max(n_y) + 1;
    let [goes, x, y] = found.map(|lines| lines.slanted(size, period));
    let line = goes.stride().cast_signed() as i64;
    let steps = if is_tall { [1 - line, line] } else { [line, 1 - line] };
    RunLines::new([&goes, &x, &y], axes.place(&goes, steps, period))
}

/// Obstacles that end beside the lines of a scan.
struct Beside {
    passed: BitLines,
    /// Free cells at which an obstacle in the previous line ends: the cell beside is free, and the cell before that one
    /// is not.
    before: BitLines,
    /// Free cells at which an obstacle in the next line ends.
    after: BitLines,
}

impl Beside {
    fn new(lines: &BitLines) -> Self {
        let begins = |at: usize| lines.window(at) & !lines.window(at - 1);
        let [mut passed, mut before, mut after] = [lines.like(), lines.like(), lines.like()];
        before.fill(|at| lines.window(at) & begins(at - lines.stride()));
        after.fill(|at| lines.window(at) & begins(at + lines.stride()));
        passed.fill(|at| lines.window(at) & !before.window(at) & !after.window(at));
        Self { passed, before, after }
    }
}

/// Returns the cells from which a scan to larger indices ends at a jump point and not at an obstacle.
///
/// A cell has this property if the next cell is a jump point, or is passed by the scan and has the property. Such a
/// property spreads like the carry of an addition, but to lower bits, so the words are reversed.
fn turning(lines: &BitLines, passed: &BitLines) -> BitLines {
    let mut found = lines.like();
    let mut carry = false;
    for ((at, passed), (_, free)) in passed.words().zip(lines.words()).rev() {
        let (passed, jumps) = (passed.reverse_bits(), (free & !passed).reverse_bits());
        let (sum, over) = (passed | jumps).overflowing_add(jumps);
        let (sum, over_again) = sum.overflowing_add(u64::from(carry));
        carry = over || over_again;
        found.set_word(at, (passed ^ sum).reverse_bits() & free);
    }
    found
}

//! Where scans for jump points stop, known beforehand.

use super::{bits::BitLines, cell::Cell, way::Way};

/// What scans meet where corners are kept: 24 bits a cell.
///
/// Each way has lines of its own, along which it goes upwards: columns for ways south and north, diagonals
/// for slanting ones, mirrored where a way goes down. So a scan in any of the eight ways is the same few
/// operations on 64 cells at a time.
///
/// Source: Harabor and Grastien, "Improving Jump Point Search", 2014, for scanning words. Differs: what
/// changes beside a line, and which cells of a diagonal see a jump point to a side, is kept with the grid,
/// so that a scan looks at one word for 64 cells on diagonals, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Runs {
    /// Per way.
    lines: [RunLines; 8],
}

/// The lines along one way, three bits a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RunLines {
    /// Per 64 cells, three words.
    ///
    /// Along a straight way: cells that a scan passes by, which are free ones where nothing ends that
    /// blocks the cell beside; free cells where such a thing ends to the left, and to the right.
    ///
    /// Along a diagonal: cells from which a step is allowed; cells from which a scan along x ends at a jump
    /// point, and along y.
    words: Vec<[u64; 3]>,
    place: Place,
}

/// Where cells are in lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    origin: i64,
    per_x: i64,
    per_y: i64,
    /// Where the first line begins; places before that are so much further.
    first: i64,
    period: i64,
}

/// Where a scan along a straight way ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stop {
    /// Cells from where it began.
    pub(super) distance: u32,
    /// Bits for left and right where a jump point is there, by the sides that make it one; 0 where the next
    /// cell is blocked.
    pub(super) sides: u8,
}

/// Up to 64 steps along a diagonal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    /// Steps that are allowed.
    pub(super) n_steps: u32,
    /// A bit for each cell, from where it begins to `n_steps` steps on, from which a scan along x ends at a
    /// jump point; and along y.
    pub(super) turns: [u64; 2],
    /// Steps to where the next stretch begins, if the diagonal goes on.
    pub(super) next: Option<u32>,
}

impl Runs {
    /// Of the free cells by rows: as many bits as columns, as many lines as rows.
    pub(super) fn new(rows: &BitLines, size: [u32; 2]) -> Self {
        let [south_east, south_west, north_west, north_east] =
            [[false, false], [true, false], [true, true], [false, true]]
                .map(|mirrors| Quadrant::new(rows, size, mirrors));
        // Of the two that are not mirrored, or both ways, in which left is left.
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

    /// Memory of the lines.
    pub(super) fn n_bytes(&self) -> usize {
        self.lines.iter().map(|lines| 24 * lines.words.capacity()).sum()
    }

    /// The lines along a way.
    #[inline]
    pub(super) const fn along(&self, way: Way) -> &RunLines {
        &self.lines[way & 7]
    }
}

impl RunLines {
    fn new(words: [&BitLines; 3], place: Place) -> Self {
        let [a, b, c] = words.map(BitLines::words);
        let words = a.zip(b).zip(c).map(|(((_, a), (_, b)), (_, c))| [a, b, c]).collect();
        Self { words, place }
    }

    /// Where a cell is.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a cell of the grid is in the lines"
    )]
    pub(super) const fn at(&self, cell: Cell) -> usize {
        let Place { origin, per_x, per_y, first, period } = self.place;
        let at = origin + per_x * cell.x as i64 + per_y * cell.y as i64;
        // Diagonals begin again unforeseeably often: by arithmetic, not by a branch.
        (at + (period & ((at - first) >> 63))) as usize
    }

    #[inline]
    fn words(&self, word: usize) -> [u64; 3] {
        self.words.get(word).copied().unwrap_or([0; 3])
    }

    /// Scans along a straight way.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "two bits; and sides are below 2^15")]
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

    /// Steps along a diagonal, as far as one look goes.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a remainder")]
    pub(super) fn diagonal(&self, from: usize) -> Stretch {
        let bit = from % 64;
        let [goes, x, y] = self.words(from / 64);
        let n_steps = (!(goes >> bit)).trailing_zeros();
        let n_left = 64 - (from % 64) as u32;
        let seen = u64::MAX >> (63 - n_steps.min(63));
        let turns = [x >> bit & seen, y >> bit & seen];
        if n_steps < n_left {
            Stretch { n_steps, turns, next: None }
        } else {
            Stretch { n_steps: n_left - 1, turns, next: Some(n_left) }
        }
    }
}

/// What there is towards one corner of the grid.
struct Quadrant {
    /// Along x and y.
    straight: [RunLines; 2],
    diagonal: RunLines,
}

impl Quadrant {
    /// Of the free cells by rows; `mirrors` says of x and y whether ways go down.
    fn new(rows: &BitLines, size: [u32; 2], mirrors: [bool; 2]) -> Self {
        // From here on all ways go up.
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

/// How cells stand where some ways are mirrored.
struct Axes {
    size: [u32; 2],
    mirrors: [bool; 2],
}

impl Axes {
    /// Where cells are in lines, in which one is so far from the next along x and y.
    fn place(&self, lines: &BitLines, steps: [i64; 2], period: u32) -> Place {
        let first = lines.at(0, 0).cast_signed() as i64;
        let mut place = Place {
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

/// The diagonals that go up, from free cells by rows and those from which scans along x and y turn.
fn diagonal(rows: &BitLines, [turning_x, turning_y]: [BitLines; 2], axes: &Axes) -> RunLines {
    let mut goes = rows.like();
    goes.fill(|at| {
        let two = |at| rows.window(at) & rows.window(at + 1);
        two(at) & two(at + rows.stride())
    });
    let mut found = [goes, turning_x, turning_y];
    let [n_x, n_y] = axes.size;
    // The shorter side is along the lines, or there would be far more room than cells.
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

/// What a scan upwards along lines meets beside it.
struct Beside {
    passed: BitLines,
    /// Free cells beside which, in the line before, a free cell follows on one that is not.
    before: BitLines,
    /// The same in the line after.
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

/// The cells from which a scan upwards along lines ends at a jump point and not at what is blocked.
///
/// That is so where the next cell is a jump point, or is passed by and it is so from there: what a carry
/// does in an addition, only downwards.
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

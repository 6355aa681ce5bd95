//! Where scans for jump points pass by, known beforehand.

use super::{
    bits::BitLines,
    moves::{STEPS, Way},
};

/// What scans meet where corners are kept: twelve bits a cell.
///
/// Source: Harabor and Grastien, "Improving Jump Point Search", 2014, for scanning words. Differs: what
/// changes beside a line, and which cells of a diagonal see a jump point to a side, is kept with the grid,
/// so that a scan looks at one bit a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Runs {
    /// By rows to the east and west, by columns to the south and north: free cells beside which nothing
    /// ends that blocks.
    straight: [BitLines; 4],
    /// By rows: cells from which a scan along a straight way ends at a jump point.
    turning: [BitLines; 4],
    /// By rows: free cells from which the next step that way is allowed and no jump point lies straight
    /// ahead to a side.
    diagonal: [BitLines; 4],
}

/// Which way a scan goes along a line.
#[derive(Clone, Copy, PartialEq)]
enum Scan {
    Up,
    Down,
}
use Scan::{Down, Up};

impl Runs {
    /// Of the free cells by rows and by columns.
    pub(super) fn new(rows: &BitLines, columns: &BitLines) -> Self {
        let straight = [(rows, Up), (columns, Up), (rows, Down), (columns, Down)]
            .map(|(lines, scan)| passed(lines, scan));
        let turning: [BitLines; 4] = std::array::from_fn(|n| {
            let lines = if n % 2 == 0 { rows } else { columns };
            let turning = turning(lines, &straight[n], if n < 2 { Up } else { Down });
            if n % 2 == 0 { turning } else { turned(&turning, rows) }
        });
        let [east, south, west, north] = &turning;
        let diagonal = [(east, south), (west, south), (west, north), (east, north)];
        let mut number = 0;
        let diagonal = diagonal.map(|(along_x, along_y)| {
            number += 1;
            let [dx, dy] = STEPS[2 * number - 1];
            let mut run = rows.like();
            let stride = rows.stride().cast_signed();
            let (aside, beyond) = (dx as isize, dy as isize * stride);
            run.fill(|at| {
                let free = |by: isize| rows.window(at.wrapping_add_signed(by));
                let goes_on = free(0) & free(aside) & free(beyond) & free(aside + beyond);
                goes_on & !along_x.window(at) & !along_y.window(at)
            });
            run
        });
        Self { straight, turning, diagonal }
    }

    /// Along a straight way: by rows or columns.
    pub(super) const fn straight(&self, way: Way) -> &BitLines {
        &self.straight[way / 2]
    }

    /// By rows: the cells from which a scan along a straight way ends at a jump point.
    pub(super) const fn turning(&self, way: Way) -> &BitLines {
        &self.turning[way / 2]
    }

    /// Along a diagonal way, by rows.
    pub(super) const fn diagonal(&self, way: Way) -> &BitLines {
        &self.diagonal[way / 2]
    }
}

/// The cells that a scan along lines passes by: free ones, unless a cell beside is free and the one before
/// that is not.
fn passed(lines: &BitLines, scan: Scan) -> BitLines {
    let mut run = lines.like();
    run.fill(|at| {
        let begins = |line: usize| {
            let before = lines.window(if scan == Up { line - 1 } else { line + 1 });
            lines.window(line) & !before
        };
        let turns = begins(at - lines.stride()) | begins(at + lines.stride());
        lines.window(at) & !turns
    });
    run
}

/// The cells from which a scan along lines ends at a jump point and not at what is blocked.
///
/// That is so where the next cell is a jump point, or is passed by and it is so from there: what a carry
/// does in an addition.
fn turning(lines: &BitLines, run: &BitLines, scan: Scan) -> BitLines {
    let mut found = lines.like();
    let mut carry = false;
    let mut add = |at: usize, passed: u64, jumps: u64| {
        let (sum, over) = (passed | jumps).overflowing_add(jumps);
        let (sum, over_again) = sum.overflowing_add(u64::from(carry));
        carry = over || over_again;
        (at, passed ^ sum)
    };
    // A carry goes upwards; so a scan upwards is turned around.
    let words = run.words().zip(lines.words());
    if scan == Up {
        for ((at, passed), (_, free)) in words.rev() {
            let (at, bits) = add(at, passed.reverse_bits(), (free & !passed).reverse_bits());
            found.set_word(at, bits.reverse_bits() & free);
        }
    } else {
        for ((at, passed), (_, free)) in words {
            let (at, bits) = add(at, passed, free & !passed);
            found.set_word(at, bits & free);
        }
    }
    found
}

/// The same bits by rows that are given by columns.
fn turned(columns: &BitLines, rows: &BitLines) -> BitLines {
    let mut found = rows.like();
    for (at, word) in columns.words() {
        let mut bits = word;
        while bits != 0 {
            #[expect(clippy::cast_possible_truncation, reason = "grids have at most 2^28 cells")]
            let (x, y) = columns.line_and_bit(at as u32 + bits.trailing_zeros());
            bits &= bits - 1;
            found.set(y, x);
        }
    }
    found
}

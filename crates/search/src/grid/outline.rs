use super::{Cell, Grid};

/// A corner between cells: cell `x, y` is between the corners `x, y` and `x + 1, y + 1`.
pub type Corner = [i32; 2];

/// Border of a connected passable area, along the corners of its cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// Outer border, counter-clockwise with x to the right and y upward. May touch itself at a corner.
    pub rim: Vec<Corner>,
    /// Borders of the blocked areas inside the rim, clockwise.
    pub holes: Vec<Vec<Corner>>,
}

/// Returns the outlines of all connected passable areas, without corners in the middle of straight borders. Cells that
/// touch only at a corner are not connected, as with [`Corners::Keep`](super::Corners::Keep).
pub fn outlines(grid: &Grid) -> Vec<Outline> {
    let (mut outlines, mut holes) = (Vec::new(), Vec::new());
    for (ring, inner) in Borders::of(grid).rings() {
        if twice_area(&ring) > 0 {
            outlines.push(Outline { rim: ring, holes: Vec::new() });
        } else {
            holes.push((ring, inner));
        }
    }
    for (hole, inner) in holes {
        // The hole belongs to the area that contains `inner`, and the rim of that area is the smallest rim around
        // `inner`.
        let around = outlines.iter_mut().filter(|outline| holds(&outline.rim, inner));
        if let Some(outline) = around.min_by_key(|outline| twice_area(&outline.rim)) {
            outline.holes.push(hole);
        }
    }
    outlines
}

/// Removes corners that are at most `error` cells from the line between their neighbors, if the ring keeps at least
/// three corners and no other corner is in the removed triangle. Rings that do not cross before do not cross
/// afterward.
#[must_use]
pub fn simplified(outline: &Outline, error: f64) -> Outline {
    let mut rings: Vec<Vec<Corner>> =
        std::iter::once(&outline.rim).chain(&outline.holes).cloned().collect();
    for n in 0..rings.len() {
        let mut at = 0;
        while rings[n].len() > 3 && at < rings[n].len() {
            let ring = &rings[n];
            let n_corners = ring.len();
            let [a, b, c] = [at + n_corners - 1, at, at + 1].map(|i| ring[i % n_corners]);
            let is_free = || {
                let others = rings.iter().flatten().filter(|&&p| p != a && p != b && p != c);
                let doubled = ring.iter().filter(|&&p| p == b).count() > 1;
                !doubled && !others.into_iter().any(|&p| is_in_triangle([a, b, c], p))
            };
            if distance(a, c, b) <= error && is_free() {
                rings[n].remove(at);
                // The previous corner may be removable now.
                at = at.saturating_sub(1);
            } else {
                at += 1;
            }
        }
    }
    let mut rings = rings.into_iter();
    Outline { rim: rings.next().unwrap_or_default(), holes: rings.collect() }
}

/// Returns the distance of `p` from the line through `a` and `b`, or from `a` if `a` and `b` are equal.
fn distance(a: Corner, b: Corner, p: Corner) -> f64 {
    let [dx, dy] = [b[0] - a[0], b[1] - a[1]].map(f64::from);
    let [px, py] = [p[0] - a[0], p[1] - a[1]].map(f64::from);
    let length = dx.hypot(dy);
    if length > 0.0 { (dx * py - dy * px).abs() / length } else { px.hypot(py) }
}

/// Returns twice the signed area of the triangle `a`, `b`, `c`: positive for a left turn at `b`.
pub(super) fn turn(a: Corner, b: Corner, c: Corner) -> i64 {
    let [abx, aby, acx, acy] = [b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]].map(i64::from);
    abx * acy - aby * acx
}

/// Returns whether a point is inside a triangle or on its border. The triangle may have either orientation.
pub(super) fn is_in_triangle([a, b, c]: [Corner; 3], p: Corner) -> bool {
    let turns = [turn(a, b, p), turn(b, c, p), turn(c, a, p)];
    turns.iter().all(|&turn| turn >= 0) || turns.iter().all(|&turn| turn <= 0)
}

/// Returns twice the area in a ring, negative for a clockwise ring.
pub(super) fn twice_area(ring: &[Corner]) -> i64 {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(a, b)| turn([0, 0], *a, *b)).sum()
}

/// Returns whether the center of a cell is inside a ring.
fn holds(ring: &[Corner], cell: Corner) -> bool {
    // Rings run along rows and columns, so counting the crossed vertical edges is sufficient.
    let next = ring.iter().cycle().skip(1);
    let crossed = ring.iter().zip(next).filter(|(a, b)| {
        let (low, high) = (a[1].min(b[1]), a[1].max(b[1]));
        a[0] == b[0] && a[0] > cell[0] && (low..high).contains(&cell[1])
    });
    crossed.count() % 2 == 1
}

/// The four directions along borders, each a left turn from the previous one.
const DIRECTIONS: [[i32; 2]; 4] = [[1, 0], [0, 1], [-1, 0], [0, -1]];

/// Directions of the borders that start at each corner of the grid, with the passable area on their left.
struct Borders {
    n_x: i32,
    directions: Vec<u8>,
}

impl Borders {
    fn of(grid: &Grid) -> Self {
        let [n_x, n_y] = [grid.n_x(), grid.n_y()].map(|n| i32::try_from(n).unwrap_or(0) + 1);
        let n_corners = usize::try_from(n_x).unwrap_or(0) * usize::try_from(n_y).unwrap_or(0);
        let mut borders = Self { n_x, directions: vec![0; n_corners] };
        for cell in grid.passable_cells() {
            let [x, y] = [cell.x, cell.y].map(|n| i32::try_from(n).unwrap_or(0));
            // Sides of the cell, each with the corner where it starts.
            let sides = [
                ([x, y], [0, -1]),
                ([x + 1, y], [1, 0]),
                ([x + 1, y + 1], [0, 1]),
                ([x, y + 1], [-1, 0]),
            ];
            for (direction, (from, [dx, dy])) in sides.into_iter().enumerate() {
                let beside =
                    Cell { x: cell.x.wrapping_add_signed(dx), y: cell.y.wrapping_add_signed(dy) };
                if !grid.is_passable(beside) {
                    let at = borders.index(from);
                    borders.directions[at] |= 1 << direction;
                }
            }
        }
        borders
    }

    fn index(&self, [x, y]: Corner) -> usize {
        usize::try_from(y * self.n_x + x).unwrap_or(0)
    }

    /// Returns all rings, each with a passable cell beside it.
    fn rings(self) -> Vec<(Vec<Corner>, Corner)> {
        let mut left = self.directions.clone();
        let mut rings = Vec::new();
        for start in 0..left.len() {
            while left[start] != 0 {
                let first = left[start].trailing_zeros() as usize;
                let at = i32::try_from(start).unwrap_or(0);
                rings.push(self.ring([at % self.n_x, at / self.n_x], first, &mut left));
            }
        }
        rings
    }

    fn ring(&self, start: Corner, first: usize, left: &mut [u8]) -> (Vec<Corner>, Corner) {
        let mut corners = Vec::new();
        let (mut at, mut direction) = (start, first);
        // Cell to the left of the first side.
        let [x, y] = start;
        let inner = [[x, y], [x - 1, y], [x - 1, y - 1], [x, y - 1]][first];
        loop {
            left[self.index(at)] &= !(1 << direction);
            at = [at[0] + DIRECTIONS[direction][0], at[1] + DIRECTIONS[direction][1]];
            // If two areas touch at a corner, the left turn stays on the border of the same area.
            let directions = self.directions[self.index(at)];
            let next = [1, 0, 3]
                .map(|by| (direction + by) & 3)
                .into_iter()
                .find(|n| directions >> n & 1 != 0);
            let Some(next) = next else { break };
            if next != direction {
                corners.push(at);
            }
            if (at, next) == (start, first) {
                break;
            }
            direction = next;
        }
        (corners, inner)
    }
}

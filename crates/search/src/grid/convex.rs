use super::{
    Outline,
    outline::{Corner, is_in_triangle, turn},
};

/// Divides the area of an outline into convex pieces, each counter-clockwise like the rim: joins holes to the nearest
/// visible corner, cuts off ears along the shortest diagonals, and then removes unneeded diagonals, the longest first.
///
/// The number of pieces is not minimal, and the time is quadratic in the number of corners. This is the textbook
/// algorithm.
pub fn convex_pieces(outline: &Outline) -> Vec<Vec<Corner>> {
    let mut cuts = Vec::new();
    let ring = joined(outline, &mut cuts);
    let mut pieces = ears(ring, &mut cuts);
    cuts.sort_by_key(|&[a, b]| std::cmp::Reverse(squared(a, b)));
    for [a, b] in cuts {
        merge(&mut pieces, a, b);
    }
    pieces
}

fn squared(a: Corner, b: Corner) -> i64 {
    let [dx, dy] = [b[0] - a[0], b[1] - a[1]].map(i64::from);
    dx * dx + dy * dy
}

/// Returns the rim with all holes joined to it by edges that are traversed in both directions.
fn joined(outline: &Outline, cuts: &mut Vec<[Corner; 2]>) -> Vec<Corner> {
    let mut ring = outline.rim.clone();
    let mut holes = outline.holes.clone();
    while !holes.is_empty() {
        let mut pairs: Vec<(i64, usize, usize, usize)> = Vec::new();
        for (n, hole) in holes.iter().enumerate() {
            for (h, &corner) in hole.iter().enumerate() {
                let to = ring.iter().enumerate();
                pairs.extend(to.map(|(r, &end)| (squared(corner, end), n, h, r)));
            }
        }
        pairs.sort_unstable();
        let seen = pairs.into_iter().find(|&(_, n, h, r)| {
            let (from, to) = (holes[n][h], ring[r]);
            is_inside(&ring, r, from) && is_inside(&holes[n], h, to) && {
                let rings = holes.iter().chain([&ring]);
                rings.into_iter().all(|ring| is_clear(ring, from, to))
            }
        });
        // A visible pair always exists; without one, the remaining holes would be ignored.
        let Some((_, n, h, r)) = seen else { break };
        let hole = holes.swap_remove(n);
        cuts.push([hole[h], ring[r]]);
        let around = hole.iter().cycle().skip(h).take(hole.len() + 1).copied();
        let there_and_back: Vec<Corner> = around.chain([ring[r]]).collect();
        let rest = ring.split_off(r + 1);
        ring.extend(there_and_back.into_iter().chain(rest));
    }
    ring
}

/// Returns whether the line from a corner of a ring to a point starts inside the ring.
fn is_inside(ring: &[Corner], at: usize, to: Corner) -> bool {
    let n = ring.len();
    let [before, own, after] = [at + n - 1, at, at + 1].map(|i| ring[i % n]);
    if turn(before, own, after) >= 0 {
        turn(own, to, before) > 0 && turn(to, own, after) > 0
    } else {
        !(turn(own, to, after) >= 0 && turn(to, own, before) >= 0)
    }
}

/// Returns whether a line between two corners touches a ring only at its ends.
fn is_clear(ring: &[Corner], from: Corner, to: Corner) -> bool {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).all(|(&a, &b)| {
        let is_end = |corner: Corner| corner == from || corner == to;
        let on_line = |p: Corner| {
            let between = squared(from, p).max(squared(p, to)) <= squared(from, to);
            turn(from, to, p) == 0 && between
        };
        let touches = [a, b].into_iter().any(|corner| !is_end(corner) && on_line(corner));
        let sides = [turn(from, to, a), turn(from, to, b), turn(a, b, from), turn(a, b, to)];
        let [p, q, r, s] = sides.map(i64::signum);
        !(touches || p * q < 0 && r * s <= 0)
    })
}

/// Cuts off one triangle after another, always along the shortest possible diagonal.
fn ears(mut ring: Vec<Corner>, cuts: &mut Vec<[Corner; 2]>) -> Vec<Vec<Corner>> {
    let mut pieces = Vec::new();
    let around = |ring: &[Corner], at: usize| {
        let n = ring.len();
        [at + n - 1, at, at + 1].map(|i| ring[i % n])
    };
    let length = |ring: &[Corner], at: usize| {
        let [a, b, c] = around(ring, at);
        let is_ear = turn(a, b, c) > 0
            && !ring.iter().any(|&p| ![a, b, c].contains(&p) && is_in_triangle([a, b, c], p));
        is_ear.then(|| squared(a, c))
    };
    let mut lengths: Vec<Option<i64>> = (0..ring.len()).map(|at| length(&ring, at)).collect();
    while ring.len() > 3 {
        let known = lengths.iter().enumerate().filter_map(|(at, length)| Some(((*length)?, at)));
        let Some((_, at)) = known.min() else { break };
        let [a, b, c] = around(&ring, at);
        pieces.push(vec![a, b, c]);
        cuts.push([a, c]);
        ring.remove(at);
        lengths.remove(at);
        let n = ring.len();
        for beside in [(at + n - 1) % n, at % n] {
            lengths[beside] = length(&ring, beside);
        }
        // An ear that was blocked by this corner may be possible now.
        for (other, known) in lengths.iter_mut().enumerate() {
            if known.is_none() && is_in_triangle(around(&ring, other), b) {
                *known = length(&ring, other);
            }
        }
    }
    if ring.len() == 3 {
        pieces.push(ring);
    }
    pieces
}

/// Merges the two pieces on both sides of a diagonal if the result is convex.
fn merge(pieces: &mut Vec<Vec<Corner>>, a: Corner, b: Corner) {
    let with_side = |from: Corner, to: Corner| {
        pieces.iter().enumerate().find_map(|(n, piece)| {
            let next = piece.iter().cycle().skip(1);
            let at = piece.iter().zip(next).position(|(&p, &q)| p == from && q == to)?;
            Some((n, at))
        })
    };
    let (Some((n, at)), Some((m, other))) = (with_side(a, b), with_side(b, a)) else { return };
    if n == m {
        return;
    }
    // Starts at the end of the shared side, goes around one piece, then around the other.
    let (first, second) = (&pieces[n], &pieces[m]);
    let one = first.iter().cycle().skip(at + 1).take(first.len());
    let two = second.iter().cycle().skip(other + 2).take(second.len() - 2);
    let joined: Vec<Corner> = one.chain(two).copied().collect();
    let k = joined.len();
    let is_convex = (0..k).all(|i| turn(joined[i], joined[(i + 1) % k], joined[(i + 2) % k]) >= 0);
    if is_convex {
        pieces[n] = joined;
        pieces.swap_remove(m);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::grid::{Grid, outline::twice_area, outlines, picture, simplified};

    /// Returns whether the center of a cell is inside a convex piece.
    fn holds(piece: &[Corner], [x, y]: Corner) -> bool {
        let doubled = piece.iter().map(|&[x, y]| [2 * x, 2 * y]);
        let corners: Vec<Corner> = doubled.collect();
        let middle = [2 * x + 1, 2 * y + 1];
        (0..corners.len()).all(|i| turn(corners[i], corners[(i + 1) % corners.len()], middle) >= 0)
    }

    /// Checks that the pieces of all outlines are convex and have the area of the passable cells.
    fn check(grid: &Grid) {
        let outlines = outlines(grid);
        let mut area = 0;
        let mut pieces = Vec::new();
        for outline in &outlines {
            let own = convex_pieces(outline);
            let sum: i64 = own.iter().map(|piece| twice_area(piece)).sum();
            let rings = std::iter::once(&outline.rim).chain(&outline.holes);
            assert_eq!(sum, rings.map(|ring| twice_area(ring)).sum::<i64>(), "{outline:?}");
            area += sum;
            pieces.extend(own);
        }
        assert_eq!(area, 2 * i64::try_from(grid.passable_cells().count()).unwrap());
        for piece in &pieces {
            let n = piece.len();
            assert!((0..n).all(|i| turn(piece[i], piece[(i + 1) % n], piece[(i + 2) % n]) >= 0));
            assert!(twice_area(piece) > 0);
        }
        for number in 0..u32::try_from(grid.n_cells()).unwrap() {
            let cell = grid.cell(number);
            let at = [cell.x, cell.y].map(|n| i32::try_from(n).unwrap());
            let is_held = pieces.iter().any(|piece| holds(piece, at));
            assert_eq!(is_held, grid.is_passable(cell), "{cell:?}");
        }
    }

    #[test]
    fn a_room_with_pillars_is_divided() {
        let grid = picture(".......\n.##..#.\n.......\n..#.#..\n.......");
        let found = outlines(&grid);
        assert_eq!((found.len(), found[0].rim.len(), found[0].holes.len()), (1, 4, 4));
        check(&grid);
        // Cells that touch only at a corner are separate; an area in a hole has its own outline.
        let grid = picture(".#...\n#.###\n..#.#\n.####");
        assert_eq!(outlines(&grid).len(), 4);
        check(&grid);
        let grid = picture(".....\n.###.\n.#.#.\n.###.\n.....");
        let rims: Vec<usize> = outlines(&grid).iter().map(|outline| outline.holes.len()).collect();
        assert_eq!(rims, [1, 0]);
        check(&grid);
    }

    #[test]
    fn stairs_are_simplified_to_a_slope() {
        let grid = picture("######\n.#####\n..####\n...###\n....##\n.....#");
        let outline = &outlines(&grid)[0];
        assert_eq!(outline.rim.len(), 12);
        assert_eq!(simplified(outline, 0.0), *outline);
        let slope = simplified(outline, 1.0);
        assert!(slope.rim.len() <= 5, "{slope:?}");
        let pieces = convex_pieces(&slope);
        let sum: i64 = pieces.iter().map(|piece| twice_area(piece)).sum();
        assert_eq!(sum, twice_area(&slope.rim));
    }

    proptest! {
        #[test]
        fn random_grids_are_divided(n_x in 1_u32..12, n_y in 1_u32..12, free in any::<[u64; 2]>(), more in any::<[u64; 2]>()) {
            let bit = |words: [u64; 2], n: u32| words[n as usize / 64 % 2] >> (n % 64) & 1 != 0;
            let grid = Grid::new(n_x, n_y, |cell| {
                let n = cell.y * n_x + cell.x;
                bit(free, n) || bit(more, n)
            });
            check(&grid.unwrap());
        }
    }
}

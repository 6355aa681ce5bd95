use super::{Cell, Corners, Grid, Moves};

/// Returns whether one cell is in line of sight of another: all cells crossed by the line between their centers are
/// passable. If the line passes exactly through a corner of cells, the rule for corners decides; [`Moves::Four`] uses
/// [`Corners::Keep`].
pub fn is_in_sight(grid: &Grid, moves: Moves, from: Cell, to: Cell) -> bool {
    let corners = match moves {
        Moves::Four => Corners::Keep,
        Moves::Eight(corners) => corners,
    };
    if !grid.is_passable(from) || !grid.is_passable(to) {
        return false;
    }
    let [n_x, n_y] = [from.x.abs_diff(to.x), from.y.abs_diff(to.y)].map(i64::from);
    let mut at = from;
    let (mut done_x, mut done_y) = (0, 0);
    while at != to {
        // Determines the border of the cell that the line crosses first, at `(1 + 2 * done) / (2 * n)` of its length.
        let order = ((1 + 2 * done_x) * n_y).cmp(&((1 + 2 * done_y) * n_x));
        let aside = Cell { x: stepped(at.x, to.x), ..at };
        let below = Cell { y: stepped(at.y, to.y), ..at };
        at = match order {
            std::cmp::Ordering::Less => aside,
            std::cmp::Ordering::Greater => below,
            std::cmp::Ordering::Equal => {
                let free = [aside, below].map(|cell| grid.is_passable(cell));
                let is_open = match corners {
                    Corners::Keep => free[0] && free[1],
                    Corners::Cut => free[0] || free[1],
                    Corners::Squeeze => true,
                };
                if !is_open {
                    return false;
                }
                Cell { x: aside.x, y: below.y }
            }
        };
        done_x += i64::from(order.is_le());
        done_y += i64::from(order.is_ge());
        if !grid.is_passable(at) {
            return false;
        }
    }
    true
}

/// Returns `from` moved by one toward `to`, which must differ.
const fn stepped(from: u32, to: u32) -> u32 {
    if from < to { from + 1 } else { from.wrapping_sub(1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::picture;

    #[test]
    fn lines_pass_corners_by_the_rule() {
        let grid = picture("..#.\n....\n#...\n....");
        let sees = |corners, a: [u32; 2], b: [u32; 2]| {
            let [a, b] = [a, b].map(|[x, y]| Cell { x, y });
            let seen = is_in_sight(&grid, Moves::Eight(corners), a, b);
            assert_eq!(seen, is_in_sight(&grid, Moves::Eight(corners), b, a), "both directions");
            seen
        };
        // Through the corner of the block at (2, 0).
        assert!(!sees(Corners::Keep, [1, 0], [2, 1]));
        assert!(sees(Corners::Cut, [1, 0], [2, 1]));
        // Through the block itself.
        assert!(!sees(Corners::Squeeze, [1, 0], [3, 0]));
        assert!(!sees(Corners::Squeeze, [0, 1], [0, 3]));
        // At other angles, past both blocks.
        assert!(sees(Corners::Keep, [0, 0], [3, 3]));
        assert!(sees(Corners::Keep, [1, 3], [3, 1]));
        assert!(!sees(Corners::Keep, [0, 1], [1, 3]));
    }
}

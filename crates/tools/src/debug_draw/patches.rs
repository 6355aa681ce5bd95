//! Joins cells that look the same into rectangles, so that a flat floor is a few quads instead of thousands.

use std::ops::Range;

use walkable_bake::bake::GridFrame;

/// Cells `x` by `z` of the grid, all with the same `look`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Patch<L> {
    pub(super) x: Range<u32>,
    pub(super) z: Range<u32>,
    pub(super) look: L,
}

/// Returns rectangles that cover all looks that `looks_of` returns for the cells `(x, z)` of `frame`. Each look of each
/// cell is in one rectangle. The cells of the border belong to the neighboring tiles and are left out.
pub(super) fn patches<L: Clone + PartialEq, I: IntoIterator<Item = L>>(
    frame: &GridFrame,
    mut looks_of: impl FnMut(u32, u32) -> I,
) -> Vec<Patch<L>> {
    let inside = |n: u32| frame.border_vx..n.saturating_sub(frame.border_vx);
    let mut done = Vec::new();
    // Rectangles that the next row may extend, by their first column.
    let mut growing: Vec<Vec<Patch<L>>> = vec![Vec::new(); frame.n_x as usize];
    for z in inside(frame.n_z) {
        for strip in strips(inside(frame.n_x), z, |x| looks_of(x, z)) {
            let here = &mut growing[strip.x.start as usize];
            done.extend(here.extract_if(.., |patch| patch.z.end < z));
            let same = |patch: &&mut Patch<L>| {
                patch.z.end == z && patch.x.end == strip.x.end && patch.look == strip.look
            };
            match here.iter_mut().find(same) {
                Some(patch) => patch.z.end = z + 1,
                None => here.push(strip),
            }
        }
    }
    done.extend(growing.into_iter().flatten());
    done
}

/// Returns the runs of equal looks in row `z`.
fn strips<L: PartialEq, I: IntoIterator<Item = L>>(
    columns: Range<u32>,
    z: u32,
    mut looks_of: impl FnMut(u32) -> I,
) -> Vec<Patch<L>> {
    let mut done = Vec::new();
    let mut growing: Vec<Patch<L>> = Vec::new();
    for x in columns {
        for look in looks_of(x) {
            match growing.iter_mut().find(|strip| strip.x.end == x && strip.look == look) {
                Some(strip) => strip.x.end = x + 1,
                None => growing.push(Patch { x: x..x + 1, z: z..z + 1, look }),
            }
        }
        done.extend(growing.extract_if(.., |strip| strip.x.end <= x));
    }
    done.extend(growing);
    done
}

/// Returns the number of a grid line as a coordinate.
#[expect(clippy::cast_precision_loss, reason = "grids are narrower than 2^24 cells")]
pub(super) fn grid_line(number: u32) -> f32 {
    number as f32
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use walkable_runtime::geom::Aabb;

    use super::*;

    /// Draws the patches of a picture, one letter each, in order of their start.
    #[track_caller]
    fn check(rows: &[&str], expected: &[&str]) {
        let (n_x, n_z) = (rows[0].len(), rows.len());
        let frame = GridFrame {
            bounds: Aabb::new(Vec3::ZERO, Vec3::ONE),
            cell_size: 1.0,
            cell_height: 1.0,
            n_x: u32::try_from(n_x).unwrap(),
            n_z: u32::try_from(n_z).unwrap(),
            border_vx: 0,
        };
        let found = patches(&frame, |x, z| {
            let look = rows[z as usize].as_bytes()[x as usize];
            (look != b'.').then_some(look)
        });
        let mut picture = vec![vec![b'.'; n_x]; n_z];
        let mut letters: Vec<&Patch<u8>> = found.iter().collect();
        letters.sort_by_key(|patch| (patch.z.start, patch.x.start));
        for (patch, letter) in letters.into_iter().zip(b'a'..) {
            for (x, z) in patch.x.clone().flat_map(|x| patch.z.clone().map(move |z| (x, z))) {
                let cell = &mut picture[z as usize][x as usize];
                assert_eq!(*cell, b'.', "two patches at {x},{z}");
                assert_eq!(rows[z as usize].as_bytes()[x as usize], patch.look);
                *cell = letter;
            }
        }
        let picture: Vec<String> =
            picture.into_iter().map(|row| String::from_utf8(row).unwrap()).collect();
        assert_eq!(picture, expected);
    }

    #[test]
    fn equal_cells_join_into_rectangles() {
        check(&["111", "111"], &["aaa", "aaa"]);
        check(&["1.1", "1.1"], &["a.b", "a.b"]);
        check(&["112", "112", "111"], &["aab", "aab", "ccc"]);
        check(&["11", "..", "11"], &["aa", "..", "bb"]);
        check(&["11", "21", "11"], &["aa", "bc", "dd"]);
    }

    #[test]
    fn floors_above_each_other_join_apart() {
        let bounds = Aabb::new(Vec3::ZERO, Vec3::ONE);
        let frame =
            GridFrame { bounds, cell_size: 1.0, cell_height: 1.0, n_x: 4, n_z: 4, border_vx: 1 };
        let found = patches(&frame, |_, _| [1, 9]);
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|patch| patch.x == (1..3) && patch.z == (1..3)));
    }
}

use serde::{Deserialize, Serialize};

use crate::bake::{GridFrame, RawArea};

/// A solid span: a range of cells of one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// Bottom, as a cell boundary.
    pub min_vx: u16,
    /// Top, as a cell boundary: the surface that agents stand on.
    pub max_vx: u16,
    /// Area of the top.
    pub area: RawArea,
}

/// The solid spans of all columns.
///
/// Invariants: `starts` has one element per cell and one more; the spans of cell `c` are
/// `spans[starts[c]..starts[c + 1]]`, from low to high, disjoint, `min_vx < max_vx`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Heightfield {
    /// The grid of columns.
    pub frame: GridFrame,
    /// Index of each cell's first span, and the number of spans.
    pub starts: Vec<u32>,
    /// The spans of all cells, in the order of cells.
    pub spans: Vec<Span>,
}

/// Height of the open sky above the last span, in cells.
pub(super) const SKY_VX: u16 = u16::MAX;

impl Heightfield {
    /// Highest top of a span: 6.5 km at cells of 0.2 m. The open space above it is still higher than any agent needs.
    ///
    /// Differs: Recast stores 13 bits and clamps heights above 8191 cells without an error.
    pub const MAX_HEIGHT_VX: u16 = 0x7fff;

    /// Returns the spans of cell `cell`, from low to high.
    pub fn column(&self, cell: usize) -> &[Span] {
        &self.spans[self.range(cell)]
    }

    /// Returns the number of walkable spans.
    pub fn n_walkable(&self) -> usize {
        self.spans.iter().filter(|span| span.area.is_walkable()).count()
    }

    pub(super) fn range(&self, cell: usize) -> std::ops::Range<usize> {
        self.starts[cell] as usize..self.starts[cell + 1] as usize
    }
}

/// Returns the bottom of the next span above span `index` of `column`, in cells.
pub(super) fn ceiling(column: &[Span], index: usize) -> u16 {
    column.get(index + 1).map_or(SKY_VX, |above| above.min_vx)
}

#[cfg(test)]
pub(super) mod tests {
    use glam::Vec3;
    use walkable_runtime::{geom::Aabb, random::Random};

    use super::*;

    /// Returns a frame of cells of 1 m in a box of height 100 m, with its minimum corner at the origin.
    #[expect(clippy::cast_precision_loss, reason = "test fields are small")]
    pub(in crate::bake) fn unit_frame(n_x: u32, n_z: u32) -> GridFrame {
        GridFrame {
            bounds: Aabb::new(Vec3::ZERO, Vec3::new(n_x as f32, 100.0, n_z as f32)),
            cell_size: 1.0,
            cell_height: 1.0,
            n_x,
            n_z,
            border_vx: 0,
        }
    }

    /// Parses a heightfield: one row of cells per line, cells separated by blanks, spans of a cell by commas, each
    /// `min-max` with a `!` if it is not walkable; `.` is an empty cell.
    pub(in crate::bake) fn field(text: &str) -> Heightfield {
        let rows: Vec<Vec<&str>> = text
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>())
            .filter(|row| !row.is_empty())
            .collect();
        let count = |n: usize| u32::try_from(n).unwrap();
        let mut starts = vec![0];
        let mut spans = Vec::new();
        for cell in rows.iter().flatten() {
            spans.extend(cell.split(',').filter(|span| *span != ".").map(read_span));
            starts.push(count(spans.len()));
        }
        let frame = unit_frame(count(rows[0].len()), count(rows.len()));
        assert_eq!(starts.len(), frame.n_cells() + 1, "rows differ in length");
        Heightfield { frame, starts, spans }
    }

    fn read_span(text: &str) -> Span {
        let area = if text.ends_with('!') { RawArea::NULL } else { RawArea::WALKABLE };
        let (min, max) = text.trim_end_matches('!').split_once('-').unwrap();
        Span { min_vx: min.parse().unwrap(), max_vx: max.parse().unwrap(), area }
    }

    /// Returns a heightfield of `n` by `n` cells like buildings on uneven ground: most columns differ by a cell or two
    /// in height; in some, spans are missing or merged. A few are towers of up to 60 floors.
    pub(in crate::bake) fn random_field(seed: u64, n: u32) -> Heightfield {
        let mut random = Random::new(seed);
        let mut height = |least: usize, n: usize| u16::try_from(least + random.below(n)).unwrap();
        let mut top = height(2, 4);
        let mut floors = Vec::new();
        let n_floors = if height(0, 16) == 0 { height(20, 40) } else { height(1, 5) };
        for _ in 0..n_floors {
            floors.push(top);
            top += height(3, 14);
        }
        let mut starts = vec![0];
        let mut spans: Vec<Span> = Vec::new();
        for _ in 0..n * n {
            let first = spans.len();
            for floor in &floors {
                let min_vx = floor + height(0, 3) - 2;
                let max_vx = min_vx + height(1, 3);
                let area = if height(0, 8) == 0 { RawArea::NULL } else { RawArea::WALKABLE };
                match spans[first..].last_mut() {
                    Some(below) if min_vx <= below.max_vx || height(0, 16) == 0 => {
                        below.max_vx = max_vx;
                    }
                    _ if height(0, 16) == 0 => {}
                    _ => spans.push(Span { min_vx, max_vx, area }),
                }
            }
            starts.push(u32::try_from(spans.len()).unwrap());
        }
        Heightfield { frame: unit_frame(n, n), starts, spans }
    }

    /// Formats a heightfield in the syntax of [`field`].
    pub(in crate::bake) fn show(field: &Heightfield) -> String {
        let cell = |cell: usize| {
            let spans = field.column(cell).iter().map(|span| {
                let mark = if span.area.is_walkable() { "" } else { "!" };
                format!("{}-{}{mark}", span.min_vx, span.max_vx)
            });
            let spans: Vec<_> = spans.collect();
            if spans.is_empty() { ".".to_owned() } else { spans.join(",") }
        };
        let cells: Vec<_> = (0..field.frame.n_cells()).map(cell).collect();
        let rows: Vec<_> =
            cells.chunks(field.frame.n_x as usize).map(|row| row.join(" ")).collect();
        rows.join("\n")
    }
}

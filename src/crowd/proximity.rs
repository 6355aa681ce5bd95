//! A grid of cells from above that tells who is near.

/// Most agents that a question finds, the asker among them.
pub(super) const MAX_FOUND: usize = 32;

/// An agent in a cell.
#[derive(Clone, Copy, Debug)]
struct Item {
    x: i32,
    z: i32,
    agent: u32,
}

/// A rectangle of cells, ends included.
#[derive(Clone, Copy, Debug)]
struct CellRange {
    min: [i32; 2],
    max: [i32; 2],
}

impl CellRange {
    const EMPTY: Self = Self { min: [i32::MAX; 2], max: [i32::MIN; 2] };
    /// Cells farther from the origin hold nobody, as in Detour.
    const ALL: Self = Self { min: [i16::MIN as i32; 2], max: [i16::MAX as i32; 2] };

    fn around([x, z]: [f32; 2], reach: f32, per_meter: f32) -> Self {
        Self {
            min: [x - reach, z - reach].map(|place| cell(place, per_meter)),
            max: [x + reach, z + reach].map(|place| cell(place, per_meter)),
        }
    }

    fn add(&mut self, x: i32, z: i32) {
        self.min = [self.min[0].min(x), self.min[1].min(z)];
        self.max = [self.max[0].max(x), self.max[1].max(z)];
    }

    fn within(self, other: Self) -> Self {
        Self {
            min: [self.min[0].max(other.min[0]), self.min[1].max(other.min[1])],
            max: [self.max[0].min(other.max[0]), self.max[1].min(other.max[1])],
        }
    }

    /// All cells, row by row.
    fn cells(self) -> impl Iterator<Item = [i32; 2]> {
        (self.min[1]..=self.max[1])
            .flat_map(move |z| (self.min[0]..=self.max[0]).map(move |x| [x, z]))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "far cells are cut to the range of numbers")]
fn cell(place: f32, per_meter: f32) -> i32 {
    (place * per_meter).floor() as i32
}

/// Agents by cell. Made anew in each update.
///
/// Source: `dtProximityGrid`. Agents of a cell are found in the same order: the last that was added first.
#[derive(Clone, Debug, Default)]
pub(super) struct ProximityGrid {
    per_meter: f32,
    /// In the order in which they were added, and then by bucket.
    added: Vec<Item>,
    items: Vec<Item>,
    /// Per bucket, where its items begin; and where the last ends.
    starts: Vec<u32>,
    n_bits: u32,
    occupied: Option<CellRange>,
}

impl ProximityGrid {
    /// Holds these agents from here on: places, radii and numbers. An agent is in every cell that its circle's
    /// square touches, as long as there are no more than `max_items` in all.
    pub(super) fn fill(
        &mut self,
        cell_size: f32,
        max_items: usize,
        agents: impl Iterator<Item = ([f32; 2], f32, u32)>,
    ) {
        self.per_meter = 1.0 / cell_size;
        self.added.clear();
        let mut occupied = CellRange::EMPTY;
        let mut n_left = max_items;
        for (place, radius, agent) in agents {
            for [x, z] in CellRange::around(place, radius, self.per_meter).cells() {
                let Some(fewer) = n_left.checked_sub(1) else { break };
                n_left = fewer;
                if i16::try_from(x).is_ok() && i16::try_from(z).is_ok() {
                    occupied.add(x, z);
                    self.added.push(Item { x, z, agent });
                }
            }
        }
        self.occupied = Some(occupied.within(CellRange::ALL)).filter(|_| !self.added.is_empty());
        self.sort();
    }

    /// Sorts items by bucket, the last added first.
    fn sort(&mut self) {
        self.n_bits = (usize::BITS - self.added.len().leading_zeros()).clamp(4, 24);
        self.starts.clear();
        self.starts.resize((1 << self.n_bits) + 1, 0);
        for item in &self.added {
            self.starts[bucket(item.x, item.z, self.n_bits)] += 1;
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        self.items.clear();
        self.items.resize(self.added.len(), Item { x: 0, z: 0, agent: 0 });
        for &item in &self.added {
            let start = &mut self.starts[bucket(item.x, item.z, self.n_bits)];
            *start -= 1;
            self.items[*start as usize] = item;
        }
    }

    /// Puts into `found` the agents in the cells that the square of half side `reach` around a place touches,
    /// each once, at most [`MAX_FOUND`].
    pub(super) fn find(
        &self,
        place: [f32; 2],
        reach: f32,
        found: &mut arrayvec::ArrayVec<u32, MAX_FOUND>,
    ) {
        found.clear();
        let Some(occupied) = self.occupied else { return };
        for [x, z] in CellRange::around(place, reach, self.per_meter).within(occupied).cells() {
            let bucket = bucket(x, z, self.n_bits);
            let [start, end] = [self.starts[bucket], self.starts[bucket + 1]].map(|at| at as usize);
            for item in &self.items[start..end] {
                if (item.x, item.z) == (x, z)
                    && !found.contains(&item.agent)
                    && found.try_push(item.agent).is_err()
                {
                    return;
                }
            }
        }
    }
}

/// Where the items of a cell are, among `2^n_bits` buckets.
fn bucket(x: i32, z: i32, n_bits: u32) -> usize {
    let mixed =
        x.cast_unsigned().wrapping_mul(0x9e37_79b1) ^ z.cast_unsigned().wrapping_mul(0x85eb_ca77);
    (mixed.wrapping_mul(0xc2b2_ae35) >> (32 - n_bits)) as usize
}

#[cfg(test)]
mod tests {
    use arrayvec::ArrayVec;

    use super::*;

    #[test]
    fn agents_are_found_once_row_by_row_the_last_first() {
        let mut grid = ProximityGrid::default();
        let places = [[0.5, 0.5], [1.5, 0.5], [0.5, 1.5], [0.6, 0.6], [9.0, 9.0]];
        grid.fill(1.0, 99, places.into_iter().zip(0..).map(|(place, id)| (place, 0.2, id)));
        let mut found = ArrayVec::new();
        grid.find([1.0, 1.0], 0.9, &mut found);
        assert_eq!(found[..], [3, 0, 1, 2]);
        grid.find([1.0, 1.0], 1e30, &mut found);
        assert_eq!(found[..], [3, 0, 1, 2, 4]);
        grid.find([-5.0, 1.0], 1.0, &mut found);
        assert!(found.is_empty());
    }

    #[test]
    fn what_there_is_no_room_for_is_not_found() {
        let mut grid = ProximityGrid::default();
        grid.fill(1.0, 3, (0..9).map(|id| ([f32::from(id), 0.5], 0.1, u32::from(id))));
        let mut found = ArrayVec::new();
        grid.find([4.0, 0.5], 10.0, &mut found);
        assert_eq!(found[..], [0, 1, 2], "each lies in one cell or two");
        grid.fill(1.0, 40, (0..40).map(|id| ([0.5, 0.5], 0.1, id)));
        grid.find([0.5, 0.5], 0.1, &mut found);
        assert_eq!((found.len(), found[0]), (MAX_FOUND, 39));
        grid.fill(1.0, 50, [([0.0, 0.0], 1e30, 1)].into_iter());
        grid.find([1e30, 0.0], 5.0, &mut found);
        assert!(found.is_empty());
    }
}

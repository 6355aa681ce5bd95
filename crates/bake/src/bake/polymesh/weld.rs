//! Shares corners between outlines.

/// Maximum difference of height of corners in a column that are shared, in cells: on the two sides of a border between
/// regions, the height of the floor may differ. Source: `addVertex`.
const MAX_HEIGHT_DIFFERENCE_VX: u16 = 2;

/// Number of hash buckets, a power of two.
const N_BUCKETS: u32 = 1 << 12;

/// The corners of a mesh, by position.
#[derive(Debug)]
pub(super) struct Welder {
    vertices: Vec<[u16; 3]>,
    /// Per bucket, the last added corner.
    last_in_bucket: Vec<Option<u16>>,
    /// Per corner, the previous corner of its bucket.
    before: Vec<Option<u16>>,
}

impl Welder {
    pub(super) fn new() -> Self {
        Self {
            vertices: Vec::new(),
            last_in_bucket: vec![None; N_BUCKETS as usize],
            before: Vec::new(),
        }
    }

    /// Returns the index of the corner in the column of `vertex` at about its height; of several, the last added one.
    /// Adds the corner if there is none. At most 65,535 can be added.
    pub(super) fn index_of(&mut self, vertex: [u16; 3]) -> u16 {
        let [x, y, z] = vertex;
        let bucket = bucket(x, z);
        let mut at = self.last_in_bucket[bucket];
        while let Some(index) = at {
            let [other_x, other_y, other_z] = self.vertices[usize::from(index)];
            if x == other_x && z == other_z && y.abs_diff(other_y) <= MAX_HEIGHT_DIFFERENCE_VX {
                return index;
            }
            at = self.before[usize::from(index)];
        }
        #[expect(clippy::cast_possible_truncation, reason = "the caller checked the limit")]
        let index = self.vertices.len() as u16;
        self.vertices.push(vertex);
        self.before.push(self.last_in_bucket[bucket].replace(index));
        index
    }

    pub(super) fn into_vertices(self) -> Vec<[u16; 3]> {
        self.vertices
    }

    pub(super) fn vertices(&self) -> &[[u16; 3]] {
        &self.vertices
    }
}

fn bucket(x: u16, z: u16) -> usize {
    let mixed =
        u32::from(x).wrapping_mul(0x8da6_b343).wrapping_add(u32::from(z).wrapping_mul(0xcb1a_b31f));
    (mixed % N_BUCKETS) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_heights_are_one_corner_and_the_latest_wins() {
        let mut welder = Welder::new();
        assert_eq!(welder.index_of([3, 10, 4]), 0);
        assert_eq!(welder.index_of([3, 12, 4]), 0);
        assert_eq!(welder.index_of([3, 13, 4]), 1);
        assert_eq!(welder.index_of([3, 12, 4]), 1, "both are near, the later one is found");
        assert_eq!(welder.index_of([4, 10, 3]), 2);
        assert_eq!(welder.into_vertices(), [[3, 10, 4], [3, 13, 4], [4, 10, 3]]);
    }
}

//! Vertices that are surrounded by ground polygons of their tile.

use super::{NO_NEIGHBOR, PORTAL_BIT, PolyKind, Tile};

/// The polygons around each open vertex.
///
/// A vertex is open if it is surrounded by ground polygons. Vertices on the tile's border, on a wall or of an off-mesh
/// link are not.
#[derive(Clone, Debug)]
pub(crate) struct OpenVertices {
    /// Index of the first polygon of each vertex, and the number of polygons as the last element.
    starts: Vec<u32>,
    polys: Vec<u16>,
}

impl OpenVertices {
    pub(super) fn of(tile: &Tile) -> Self {
        let mut n_around = vec![Some(0); tile.vertices.len()];
        for (_, vertex, is_rim) in corners(tile) {
            let n: &mut Option<u32> = &mut n_around[vertex];
            *n = if is_rim { None } else { n.map(|n| n + 1) };
        }
        let mut starts = Vec::with_capacity(n_around.len() + 1);
        let mut end = 0;
        for n in &n_around {
            starts.push(end);
            end += n.unwrap_or(0);
        }
        starts.push(end);
        let mut next = starts.clone();
        let mut polys = vec![0; end as usize];
        for (poly, vertex, _) in corners(tile) {
            if n_around[vertex].is_some() {
                polys[next[vertex] as usize] = poly;
                next[vertex] += 1;
            }
        }
        Self { starts, polys }
    }

    /// Returns the polygons around an open vertex; none for others.
    pub(crate) fn around(&self, vertex: u16) -> &[u16] {
        let vertex = usize::from(vertex);
        &self.polys[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

/// Returns the corners of polygons: polygon, vertex, and whether one of the two edges at the corner has no neighbor in
/// the tile.
fn corners(tile: &Tile) -> impl Iterator<Item = (u16, usize, bool)> {
    (0..).zip(&tile.polys).flat_map(|(index, poly)| {
        let n = usize::from(poly.n_vertices);
        (0..n).map(move |corner| {
            let before = if corner == 0 { n - 1 } else { corner - 1 };
            let is_rim = poly.kind == PolyKind::OffMesh
                || [before, corner].iter().any(|&edge| {
                    let neighbor = poly.neighbors[edge];
                    neighbor == NO_NEIGHBOR || neighbor & PORTAL_BIT != 0
                });
            (index, usize::from(poly.vertices[corner]), is_rim)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::navmesh::sample;

    #[test]
    fn only_vertices_amid_ground_are_open() {
        let tile = sample::tile(0, 0, &["....", "....", "..#.", "...."]);
        let open = OpenVertices::of(&tile);
        let is_open = |x: u16, z: u16| !open.around(x + 5 * z).is_empty();
        let found: Vec<(u16, u16)> =
            (0..25).map(|n| (n % 5, n / 5)).filter(|&(x, z)| is_open(x, z)).collect();
        assert_eq!(found, [(1, 1), (2, 1), (3, 1), (1, 2), (1, 3)]);
        assert_eq!(open.around(6), [0, 1, 4, 5]);
    }
}

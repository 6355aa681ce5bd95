//! Validation of tile data.

use glam::Vec3;

use super::{NO_NEIGHBOR, PORTAL_BIT, Poly, PolyKind, Tile, VERTS_PER_POLYGON};
use crate::geom::in_range;

/// An error in the data of a tile.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TileError {
    /// The length of a list does not match the rest of the tile.
    #[error("there are {found} {list} instead of {expected}")]
    WrongLength {
        /// Name of the list.
        list: &'static str,
        /// The length.
        found: usize,
        /// The expected length.
        expected: usize,
    },
    /// A number is out of range.
    #[error("{item} {index}: {what} is {value}")]
    OutOfRange {
        /// Kind of element.
        item: &'static str,
        /// Index of the element.
        index: usize,
        /// Name of the number.
        what: &'static str,
        /// The value.
        value: i64,
    },
    /// A size is infinite or not a number, or a coordinate is NaN or larger than
    /// [`MAX_COORDINATE`](crate::geom::MAX_COORDINATE).
    ///
    /// Differs: Detour accepts any coordinate, and its searches then compute with infinities.
    #[error("{item} {index} is not finite, or is more than 1.15e18 m from the origin")]
    NotFinite {
        /// Kind of element.
        item: &'static str,
        /// Index of the element.
        index: usize,
    },
    /// The minimum of the tile's bounds is larger than the maximum.
    #[error("the box of the tile is inside out")]
    InsideOut,
}

impl Tile {
    /// Checks that all indices are in range and all coordinates finite, as queries require.
    ///
    /// # Errors
    /// Returns a [`TileError`] with the first invalid element.
    pub fn validate(&self) -> Result<(), TileError> {
        self.validate_header()?;
        self.validate_lengths()?;
        all_in_range("vertex", &self.vertices)?;
        all_in_range("detail vertex", &self.detail_vertices)?;
        let n_known = if self.is_ground_sound() { self.n_ground() } else { 0 };
        for (index, poly) in self.polys.iter().enumerate().skip(n_known) {
            self.validate_poly(index, poly)?;
        }
        for index in 0..self.detail_patches.len() {
            self.validate_detail_patch(index)?;
        }
        self.validate_bv_nodes()?;
        self.validate_off_mesh()
    }

    fn n_ground(&self) -> usize {
        self.header.off_mesh_base as usize
    }

    fn validate_header(&self) -> Result<(), TileError> {
        let header = &self.header;
        let numbers = [
            header.walkable_height,
            header.walkable_radius,
            header.walkable_climb,
            header.bv_quant_factor,
        ];
        if !numbers.iter().all(|n| n.is_finite()) {
            return Err(TileError::NotFinite { item: "agent or cell size of tile", index: 0 });
        }
        all_in_range("box corner", &[header.bounds.min, header.bounds.max])?;
        if header.bounds.is_empty() { Err(TileError::InsideOut) } else { Ok(()) }
    }

    fn validate_lengths(&self) -> Result<(), TileError> {
        let lengths = [
            ("polygons", self.polys.len(), self.n_ground() + self.off_mesh.len()),
            ("detail patches", self.detail_patches.len(), self.n_ground()),
        ];
        for (list, found, expected) in lengths {
            if found != expected {
                return Err(TileError::WrongLength { list, found, expected });
            }
        }
        Ok(())
    }

    /// Returns whether [`Tile::validate_poly`] accepts all ground polygons. Checks without branches, which is several
    /// times as fast as searching for the first error.
    #[expect(clippy::needless_bitwise_bool, reason = "nothing should branch on part of a test")]
    fn is_ground_sound(&self) -> bool {
        let most = usize::from(!PORTAL_BIT);
        let last_inside = u16::try_from(self.n_ground().min(most)).unwrap_or(0);
        let n_vertices = self.vertices.len();
        let is_sound = |poly: &Poly| {
            let n = usize::from(poly.n_vertices);
            let is_ground = (poly.kind == PolyKind::Ground)
                & (usize::from(poly.area.0) < crate::ids::AreaId::COUNT)
                & (3..=VERTS_PER_POLYGON).contains(&n);
            (0..VERTS_PER_POLYGON).fold(is_ground, |all, corner| {
                let (vertex, neighbor) = (poly.vertices[corner], poly.neighbors[corner]);
                // The sides of a tile are numbered 0, 2, 4 and 6.
                let is_neighbor = (neighbor <= last_inside) | (neighbor & !6 == PORTAL_BIT);
                all & ((corner >= n) | (is_neighbor & (usize::from(vertex) < n_vertices)))
            })
        };
        self.polys[..self.n_ground()].iter().fold(true, |all, poly| all & is_sound(poly))
    }

    fn validate_poly(&self, index: usize, poly: &Poly) -> Result<(), TileError> {
        let fault =
            |what, value: i64| TileError::OutOfRange { item: "polygon", index, what, value };
        let is_ground = index < self.n_ground();
        let (kind, n_allowed) = if is_ground {
            (PolyKind::Ground, 3..=VERTS_PER_POLYGON)
        } else {
            (PolyKind::OffMesh, 2..=2)
        };
        if poly.kind != kind {
            return Err(fault("kind", i64::from(poly.kind == PolyKind::OffMesh)));
        }
        if !n_allowed.contains(&usize::from(poly.n_vertices)) {
            return Err(fault("number of corners", i64::from(poly.n_vertices)));
        }
        if usize::from(poly.area.0) >= crate::ids::AreaId::COUNT {
            return Err(fault("area", i64::from(poly.area.0)));
        }
        let n_vertices = self.vertices.len();
        if let Some(&vertex) = poly.vertices().iter().find(|&&v| usize::from(v) >= n_vertices) {
            return Err(fault("corner", i64::from(vertex)));
        }
        if !is_ground {
            return Ok(());
        }
        let neighbors = &poly.neighbors[..usize::from(poly.n_vertices)];
        match neighbors.iter().find(|&&neighbor| !self.is_neighbor(neighbor)) {
            Some(&neighbor) => Err(fault("neighbor", i64::from(neighbor))),
            None => Ok(()),
        }
    }

    fn is_neighbor(&self, neighbor: u16) -> bool {
        if neighbor & PORTAL_BIT == 0 {
            neighbor == NO_NEIGHBOR || usize::from(neighbor) <= self.n_ground()
        } else {
            matches!(neighbor & !PORTAL_BIT, 0 | 2 | 4 | 6)
        }
    }

    fn validate_detail_patch(&self, index: usize) -> Result<(), TileError> {
        let fault = |what, value: u32| TileError::OutOfRange {
            item: "detail patch",
            index,
            what,
            value: i64::from(value),
        };
        let patch = &self.detail_patches[index];
        let end = |first: u32, n: u8| first as usize + usize::from(n);
        if end(patch.first_vertex, patch.n_vertices) > self.detail_vertices.len() {
            return Err(fault("first vertex", patch.first_vertex));
        }
        let triangles = patch.first_triangle as usize..end(patch.first_triangle, patch.n_triangles);
        let Some(triangles) = self.detail_triangles.get(triangles) else {
            return Err(fault("first triangle", patch.first_triangle));
        };
        let n_vertices = u32::from(self.polys[index].n_vertices) + u32::from(patch.n_vertices);
        if are_below(triangles, n_vertices) {
            return Ok(());
        }
        let largest = triangles.iter().map(|&[a, b, c, _]| u32::from(a.max(b).max(c))).max();
        match largest.filter(|&largest| largest >= n_vertices) {
            Some(largest) => Err(fault("triangle corner", largest)),
            None => Ok(()),
        }
    }

    /// Checks that leaves refer to ground polygons, and that escape indices lead forward within the tree.
    fn validate_bv_nodes(&self) -> Result<(), TileError> {
        for (index, node) in self.bv_nodes.iter().enumerate() {
            let is_in_range = match usize::try_from(node.index) {
                Ok(poly) => poly < self.n_ground(),
                Err(_negative) => node.index.unsigned_abs() as usize <= self.bv_nodes.len() - index,
            };
            if !is_in_range {
                let value = i64::from(node.index);
                return Err(TileError::OutOfRange {
                    item: "tree node",
                    index,
                    what: "index",
                    value,
                });
            }
        }
        Ok(())
    }

    fn validate_off_mesh(&self) -> Result<(), TileError> {
        self.validate_own_ends()?;
        for (index, connection) in self.off_mesh.iter().enumerate() {
            if !connection.radius.is_finite() || !connection.ends.iter().all(|&end| in_range(end)) {
                return Err(TileError::NotFinite { item: "connection", index });
            }
            if usize::from(connection.poly) != self.n_ground() + index {
                let value = i64::from(connection.poly);
                return Err(TileError::OutOfRange {
                    item: "connection",
                    index,
                    what: "polygon",
                    value,
                });
            }
        }
        Ok(())
    }

    /// Checks that off-mesh links share no vertices: linking moves them onto the ground.
    fn validate_own_ends(&self) -> Result<(), TileError> {
        let (ground, connections) = self.polys.split_at(self.n_ground());
        if connections.is_empty() {
            return Ok(());
        }
        let mut is_used = vec![false; self.vertices.len()];
        for &vertex in ground.iter().flat_map(Poly::vertices) {
            is_used[usize::from(vertex)] = true;
        }
        for (index, connection) in (self.n_ground()..).zip(connections) {
            for &vertex in connection.vertices() {
                if std::mem::replace(&mut is_used[usize::from(vertex)], true) {
                    let (what, value) = ("end that another polygon uses", i64::from(vertex));
                    return Err(TileError::OutOfRange { item: "polygon", index, what, value });
                }
            }
        }
        Ok(())
    }
}

/// Returns whether the corners of triangles, their first three bytes, are below `n`. Can wrongly return `false` if a
/// corner is 128 or more. Compares all three at once, with one spare bit for each.
fn are_below(triangles: &[[u8; 4]], n: u32) -> bool {
    const ONES: u32 = 0x0001_0101;
    let n = n.min(128);
    let over = triangles.iter().fold(0, |over, &triangle| {
        let corners = u32::from_le_bytes(triangle) & (0xff * ONES);
        over | corners | ((corners & (0x7f * ONES)) + (128 - n) * ONES)
    });
    over & (0x80 * ONES) == 0
}

fn all_in_range(item: &'static str, points: &[Vec3]) -> Result<(), TileError> {
    // Checking all points without branches is faster than searching for the first invalid one.
    if points.iter().fold(true, |all, &point| all & in_range(point)) {
        return Ok(());
    }
    match points.iter().position(|&point| !in_range(point)) {
        Some(index) => Err(TileError::NotFinite { item, index }),
        None => Ok(()),
    }
}

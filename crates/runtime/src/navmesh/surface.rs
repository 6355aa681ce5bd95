//! The surface of one tile: vertices, heights and nearest points of its polygons.

use arrayvec::ArrayVec;
use glam::Vec3;

use super::{BvNode, Poly, PolyKind, Tile, VERTS_PER_POLYGON};
use crate::geom::{Aabb, from_above};

/// Bit of a detail triangle's edge that lies on the polygon's boundary.
const BOUNDARY_EDGE: u8 = 1;
/// The boundary bits of all three edges.
const ANY_BOUNDARY: u8 = 0b01_0101;

/// The point of a polygon that is nearest to another point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// The point.
    pub point: Vec3,
    /// Whether the other point lies directly above or below the polygon.
    pub is_over: bool,
}

impl Tile {
    /// Returns the bounds of a node of this tile's BV tree, in meters.
    pub fn node_bounds(&self, node: &BvNode) -> Aabb {
        let cell = 1.0 / self.header.bv_quant_factor.max(1e-6);
        let [min, max] = [node.min, node.max]
            .map(|at| self.header.bounds.min + Vec3::from(at.map(f32::from)) * cell);
        Aabb { min, max }
    }

    /// Returns the vertices of a polygon of this tile.
    #[inline]
    pub fn corners(&self, poly: &Poly) -> ArrayVec<Vec3, VERTS_PER_POLYGON> {
        let mut room = [Vec3::ZERO; VERTS_PER_POLYGON];
        self.corners_in(poly, &mut room).iter().copied().collect()
    }

    /// Same as [`Tile::corners`], but stored in `room`, which is faster.
    #[inline]
    pub(crate) fn corners_in<'a>(
        &self,
        poly: &Poly,
        room: &'a mut [Vec3; VERTS_PER_POLYGON],
    ) -> &'a [Vec3] {
        // Copies all entries, used or not, because the number of used ones is unpredictable.
        for (corner, &vertex) in room.iter_mut().zip(&poly.vertices) {
            if let Some(&vertex) = self.vertices.get(usize::from(vertex)) {
                *corner = vertex;
            }
        }
        &room[..usize::from(poly.n_vertices).min(VERTS_PER_POLYGON)]
    }

    /// Returns the ends of the edge with index `edge` of a polygon.
    pub fn edge(&self, poly: &Poly, edge: usize) -> [Vec3; 2] {
        let next = if edge + 1 < usize::from(poly.n_vertices) { edge + 1 } else { 0 };
        [edge, next].map(|corner| self.vertices[usize::from(poly.vertices[corner])])
    }

    /// Returns the detail triangles of ground polygon `index`; none for other polygons.
    pub fn detail_of(&self, index: usize) -> &[[u8; 4]] {
        self.detail_patches.get(index).map_or(&[], |patch| {
            let first = patch.first_triangle as usize;
            &self.detail_triangles[first..first + usize::from(patch.n_triangles)]
        })
    }

    /// Returns the corners of a detail triangle of ground polygon `index`.
    #[inline]
    pub fn detail_corners(&self, index: usize, triangle: [u8; 4]) -> [Vec3; 3] {
        let (poly, patch) = (&self.polys[index], &self.detail_patches[index]);
        let corner = |index: u8| match index.checked_sub(poly.n_vertices) {
            None => self.vertices[usize::from(poly.vertices[usize::from(index)])],
            Some(own) => self.detail_vertices[patch.first_vertex as usize + usize::from(own)],
        };
        let [a, b, c, _] = triangle;
        [corner(a), corner(b), corner(c)]
    }

    /// Returns the height of ground polygon `index` at a point; `None` outside of it and for off-mesh links.
    ///
    /// Source: `dtNavMesh::getPolyHeight`.
    pub fn height_at(&self, index: usize, point: Vec3) -> Option<f32> {
        let poly = &self.polys[index];
        if poly.kind == PolyKind::OffMesh || !self.is_over(poly, point) {
            return None;
        }
        Some(self.height_over(index, point))
    }

    /// Returns the height of ground polygon `index` at a point that lies above or below it.
    pub(crate) fn height_over(&self, index: usize, point: Vec3) -> f32 {
        let mut triangles = self.detail_of(index).iter();
        let height = triangles.find_map(|&triangle| {
            from_above::height_on_triangle(point, self.detail_corners(index, triangle))
        });
        // Rounding can place a point of the polygon between all its triangles.
        height.unwrap_or_else(|| {
            self.closest_on_detail(index, point, EdgesOf::All, f32::MAX).unwrap_or(point).y
        })
    }

    /// Returns whether all points of the detail surface of polygon `index` have the same height, to the last bit.
    pub(crate) fn is_flat(&self, index: usize) -> bool {
        let poly = &self.polys[index];
        let corners = self.corners(poly);
        let Some(first) = corners.first().filter(|_| poly.kind == PolyKind::Ground) else {
            return false;
        };
        let own = self.detail_patches.get(index).and_then(|patch| {
            let start = patch.first_vertex as usize;
            self.detail_vertices.get(start..start + usize::from(patch.n_vertices))
        });
        let height = first.y;
        // The sign of a negative zero depends on the point.
        let is_exact = height.is_finite() && height.to_bits() != (-0.0_f32).to_bits();
        let is_level = |vertex: &Vec3| vertex.y.to_bits() == height.to_bits();
        is_exact && corners.iter().all(is_level) && own.is_some_and(|own| own.iter().all(is_level))
    }

    fn is_over(&self, poly: &Poly, point: Vec3) -> bool {
        let room = &mut [Vec3::ZERO; VERTS_PER_POLYGON];
        from_above::contains(self.corners_in(poly, room), point)
    }

    /// Returns the point of polygon `index` nearest to `point`: above or below it on the detail mesh, else on the
    /// boundary.
    ///
    /// Source: `dtNavMesh::closestPointOnPoly`.
    pub fn closest_point(&self, index: usize, point: Vec3) -> SurfacePoint {
        if let Some(height) = self.height_at(index, point) {
            return SurfacePoint { point: point.with_y(height), is_over: true };
        }
        let closest = match self.polys[index].kind {
            PolyKind::Ground => {
                self.closest_on_detail(index, point, EdgesOf::Boundary, f32::MAX).unwrap_or(point)
            }
            PolyKind::OffMesh => {
                let [a, b] = self.edge(&self.polys[index], 0);
                from_above::point_between(a, b, from_above::nearest_on_segment(point, a, b).t)
            }
        };
        SurfacePoint { point: closest, is_over: false }
    }

    /// Same as [`Tile::closest_point`] for a `point` outside a ground polygon, but may return `None` if the distance
    /// seen from above exceeds the square root of `reach_sqr`, and does so if it is much larger.
    pub(crate) fn closest_beside(&self, index: usize, point: Vec3, reach_sqr: f32) -> Option<Vec3> {
        self.closest_on_detail(index, point, EdgesOf::Boundary, reach_sqr)
    }

    /// Returns `point` if it lies above or below the polygon, else the nearest point on its edges, with heights taken
    /// from the vertices alone.
    ///
    /// Source: `dtNavMeshQuery::closestPointOnPolyBoundary`.
    pub fn closest_on_boundary(&self, poly: &Poly, point: Vec3) -> Vec3 {
        if self.is_over(poly, point) {
            return point;
        }
        self.closest_on_edges(poly, point, f32::MAX).unwrap_or(point)
    }

    /// Returns the point nearest to `point` on a polygon's edges, whether it lies inside or not; `None` if its squared
    /// distance is not less than `reach_sqr`.
    fn closest_on_edges(&self, poly: &Poly, point: Vec3, reach_sqr: f32) -> Option<Vec3> {
        let mut nearest = Nearest::to(point, reach_sqr);
        for edge in 0..usize::from(poly.n_vertices) {
            let [a, b] = self.edge(poly, edge);
            nearest.look_at(a, b);
        }
        nearest.point()
    }

    /// Returns the point nearest to `point` on edges of the detail triangles of ground polygon `index`, or on the
    /// polygon's own edges if it has no such triangles; `None` if its squared distance is not less than `reach_sqr`.
    fn closest_on_detail(
        &self,
        index: usize,
        point: Vec3,
        which: EdgesOf,
        reach_sqr: f32,
    ) -> Option<Vec3> {
        let mut nearest = Nearest::to(point, reach_sqr);
        let mut has_edges = false;
        for &triangle in self.detail_of(index) {
            if which == EdgesOf::Boundary && triangle[3] & ANY_BOUNDARY == 0 {
                continue;
            }
            has_edges = true;
            let corners = self.detail_corners(index, triangle);
            for (from, to) in [(2, 0), (0, 1), (1, 2)] {
                if which.has(triangle, from, to) {
                    nearest.look_at(corners[from], corners[to]);
                }
            }
        }
        match nearest.point() {
            None if !has_edges || reach_sqr >= f32::MAX => {
                self.closest_on_edges(&self.polys[index], point, reach_sqr)
            }
            found => found,
        }
    }
}

/// The edges of detail triangles to consider.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EdgesOf {
    /// Edges on the polygon's boundary.
    Boundary,
    /// Boundary edges, and each inner edge once.
    All,
}

impl EdgesOf {
    fn has(self, triangle: [u8; 4], from: usize, to: usize) -> bool {
        let is_boundary = (triangle[3] >> (2 * from)) & BOUNDARY_EDGE != 0;
        match self {
            Self::Boundary => is_boundary,
            // Both triangles at an inner edge contain it, in opposite directions.
            Self::All => is_boundary || triangle[from] >= triangle[to],
        }
    }
}

/// The nearest point so far, the first if several are equal.
struct Nearest {
    to: Vec3,
    /// Squared distance of that point, or initially the upper limit.
    least: f32,
    on: Option<(Vec3, Vec3, f32)>,
}

impl Nearest {
    fn to(point: Vec3, reach_sqr: f32) -> Self {
        Self { to: point, least: reach_sqr, on: None }
    }

    #[inline]
    fn look_at(&mut self, a: Vec3, b: Vec3) {
        if self.is_beyond(a, b) {
            return;
        }
        let place = from_above::nearest_on_segment(self.to, a, b);
        if place.distance_sqr < self.least {
            self.least = place.distance_sqr;
            self.on = Some((a, b, place.t));
        }
    }

    /// Returns whether the line of a segment is certainly too far away, which is cheaper to test than to find its
    /// nearest point.
    #[inline]
    fn is_beyond(&self, a: Vec3, b: Vec3) -> bool {
        let (along, offset) = (b - a, self.to - a);
        let area = along.x * offset.z - along.z * offset.x;
        let length_sqr = along.x * along.x + along.z * along.z;
        // The rounding error is relative to the subtracted numbers.
        let sizes = (along.x * offset.z).abs() + (along.z * offset.x).abs();
        let certain = area.abs() - 1e-6 * sizes;
        certain > 0.0 && certain * certain > self.least * length_sqr * 1.001
    }

    fn point(&self) -> Option<Vec3> {
        self.on.map(|(a, b, t)| from_above::point_between(a, b, t))
    }
}

/// Returns the distance of a point from the nearest point of a polygon, for comparing polygons: the squared distance,
/// but directly above or below a polygon only the height beyond `climb` counts.
///
/// Source: `dtNavMeshQuery::findNearestPoly`.
pub(crate) fn preference(from: Vec3, on: &SurfacePoint, climb: f32) -> f32 {
    let offset = from - on.point;
    if !on.is_over {
        return offset.length_squared();
    }
    let beyond = offset.y.abs() - climb;
    if beyond > 0.0 { beyond * beyond } else { 0.0 }
}

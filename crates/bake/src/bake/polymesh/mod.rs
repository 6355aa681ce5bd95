//! Builds convex polygons from contours: triangulates them, merges the triangles, and links the polygons.
//!
//! [`triangulate`] divides each contour into triangles, [`weld`] shares their vertices with other contours, [`merge`]
//! joins triangles to larger polygons while they stay convex, [`remove_vertex`] removes vertices that only mark the
//! end of a region at the tile's border, and [`adjacency`] finds what lies across each edge.
//!
//! Source: `rcBuildPolyMesh`.

mod adjacency;
mod merge;
mod remove_vertex;
mod triangulate;
mod weld;

#[cfg(test)]
mod tests;

use glam::Vec3;
use merge::Merger;
pub(super) use merge::Piece;
pub(super) use remove_vertex::Draft;
use remove_vertex::Remover;
use serde::{Deserialize, Serialize};
use triangulate::Triangulator;
pub(super) use triangulate::{Coverage, NoEars};
use walkable_runtime::{
    diagnostic::{Diagnostic, Finding, Location},
    ids::RegionId,
    monitor::{Cancelled, Monitor},
};
use weld::Welder;

use crate::bake::{
    Contour, ContourSet, ContourVertex, RawArea,
    lattice::Point,
    limit::{Limit, StageError},
    pulse::Pulse,
};

/// Maximum number of vertices of a polygon.
pub const MAX_VERTS_PER_POLY: usize = 12;

/// What lies across an edge of a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Edge {
    /// A wall or a drop.
    Boundary,
    /// The polygon with this index.
    Neighbor(u16),
    /// The polygon itself, which has the edge twice: a boundary, but tile data reserves links as for a portal. Occurs
    /// only in layer meshes, where links can lead one way and contours can overlap themselves.
    Itself,
    /// The adjacent tile, on the side numbered like [`Dir`](walkable_runtime::ids::Dir) (0 −x, 1 +z, 2 +x, 3 −z).
    Portal(u8),
}

/// One convex polygon.
///
/// Invariants: 3 to [`MAX_VERTS_PER_POLY`] vertices; `edges` has one entry per vertex, for the edge that starts there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeshPolygon {
    /// Vertex indices, counter-clockwise seen from above.
    pub vertices: arrayvec::ArrayVec<u16, MAX_VERTS_PER_POLY>,
    /// What lies across each edge.
    pub edges: arrayvec::ArrayVec<Edge, MAX_VERTS_PER_POLY>,
    /// The region from which the polygon was built.
    pub region: RegionId,
    /// Area of the polygon.
    pub area: RawArea,
}

/// Convex polygons of a tile, with vertices on the voxel grid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolyMesh {
    /// World position of the grid point (0, 0, 0), without the border.
    pub origin: Vec3,
    /// Maximum of the tile's bounds, without the border.
    pub bounds_max: Vec3,
    /// Side of a cell, in meters.
    pub cell_size: f32,
    /// Height of a cell, in meters.
    pub cell_height: f32,
    /// Maximum number of vertices of a polygon of this mesh.
    pub max_verts_per_poly: usize,
    /// Width of the removed border, in cells.
    pub border_vx: u32,
    /// Maximum deviation of the simplified contours, in cells.
    pub max_edge_error: f32,
    /// Vertices, in cells.
    pub vertices: Vec<[u16; 3]>,
    /// Polygons.
    pub polygons: Vec<MeshPolygon>,
}

impl PolyMesh {
    /// Returns the world position of vertex `index`.
    pub fn world_vertex(&self, index: u16) -> Vec3 {
        let [x, y, z] = self.vertices[usize::from(index)].map(f32::from);
        self.origin + Vec3::new(x * self.cell_size, y * self.cell_height, z * self.cell_size)
    }
}

/// Maximum number of vertices of all contours of a tile together. Source: `rcBuildPolyMesh`.
pub(super) const MAX_OUTLINE_CORNERS: usize = 0xfffd;

/// Builds convex polygons from contours.
///
/// - `max_verts_per_poly`: maximum number of vertices of a polygon, 3 to [`MAX_VERTS_PER_POLY`]; tile data holds 6.
///
/// Contours that intersect themselves are covered in part, with a warning; only then, or if a contour overlaps itself,
/// which has a warning too, polygons may overlap or be concave.
///
/// Source: `rcBuildPolyMesh`. Differs: more than [`MAX_VERTS_PER_POLY`] vertices are an error.
///
pub(super) fn build_polymesh(
    set: &ContourSet,
    max_verts_per_poly: usize,
    monitor: &dyn Monitor,
) -> Result<(PolyMesh, Vec<Diagnostic>), StageError> {
    assert!((3..=MAX_VERTS_PER_POLY).contains(&max_verts_per_poly), "3 to 12 corners");
    check_limits(set)?;
    let mut warnings = Vec::new();
    let mut builder = Builder::new(max_verts_per_poly, NoEars::CutLoosely, monitor);
    let mut outline = Vec::new();
    for contour in set.contours.iter().filter(|c| c.vertices.len() >= 3) {
        outline.clear();
        outline.extend(corners_of(contour));
        let fault = match builder.add(&outline, contour.region, contour.area)? {
            Coverage::Full => None,
            Coverage::Overlapping => Some(Finding::ContourOverlapsItself {}),
            Coverage::Partial => Some(Finding::ContourCrossesItself {}),
        };
        let of_region = |fault| Diagnostic::new(fault).at(Location::Region(contour.region.0));
        warnings.extend(fault.map(of_region));
    }
    let (draft, n_gaps) = builder.finish()?;
    if n_gaps > 0 {
        warnings.push(Finding::BorderPolygonsOverlap { n: n_gaps }.into());
    }
    Ok((mesh_of(draft, set, max_verts_per_poly), warnings))
}

fn mesh_of(draft: Draft, set: &ContourSet, max_verts_per_poly: usize) -> PolyMesh {
    let bounds = set.inner_bounds();
    PolyMesh {
        origin: bounds.min,
        bounds_max: bounds.max,
        cell_size: set.frame.cell_size,
        cell_height: set.frame.cell_height,
        max_verts_per_poly,
        border_vx: set.frame.border_vx,
        max_edge_error: set.max_error,
        polygons: linked(&draft, set),
        vertices: draft.vertices,
    }
}

fn corners_of(contour: &Contour) -> impl Iterator<Item = OutlineCorner> {
    contour.vertices.iter().map(|vertex| OutlineCorner {
        place: [vertex.x, vertex.y, vertex.z].map(coordinate),
        is_removable: vertex.has(ContourVertex::BORDER_VERTEX),
    })
}

/// Triangulates all contours of `set`, merges `n` pairs, and returns the merges left of `n`.
fn pieces_until(
    set: &ContourSet,
    max_verts_per_poly: usize,
    n: usize,
    monitor: &dyn Monitor,
) -> Result<(Draft, usize), Cancelled> {
    let mut builder = Builder::new(max_verts_per_poly, NoEars::CutLoosely, monitor);
    builder.merges_left = n;
    for contour in set.contours.iter().filter(|c| c.vertices.len() >= 3) {
        let outline: Vec<_> = corners_of(contour).collect();
        // Problems with a contour were reported during the bake.
        let _: Coverage = builder.add(&outline, contour.region, contour.area)?;
    }
    let Builder { welder, pieces, merges_left, .. } = builder;
    Ok((Draft { vertices: welder.into_vertices(), pieces }, merges_left))
}

/// Returns the number of merges that turn the triangles of the contours of `set` into polygons.
pub(super) fn n_merges(
    set: &ContourSet,
    max_verts_per_poly: usize,
    monitor: &dyn Monitor,
) -> Result<usize, Cancelled> {
    Ok(usize::MAX - pieces_until(set, max_verts_per_poly, usize::MAX, monitor)?.1)
}

/// Triangulates the contours of `set`, which must be those of a baked tile, and merges `n` pairs of polygons.
/// Removable border vertices are still there.
pub(super) fn merged_until(
    set: &ContourSet,
    max_verts_per_poly: usize,
    n: usize,
    monitor: &dyn Monitor,
) -> Result<PolyMesh, Cancelled> {
    let (draft, _) = pieces_until(set, max_verts_per_poly, n, monitor)?;
    Ok(mesh_of(draft, set, max_verts_per_poly))
}

fn check_limits(set: &ContourSet) -> Result<(), Limit> {
    let outlines = || set.contours.iter().map(|c| c.vertices.as_slice()).filter(|v| v.len() >= 3);
    let n_corners: usize = outlines().map(<[_]>::len).sum();
    let remedy = "use smaller tiles or larger cells";
    if n_corners > MAX_OUTLINE_CORNERS {
        let what = "number of outline corners";
        let (value, limit) = (n_corners as u64, MAX_OUTLINE_CORNERS as u64);
        return Err(Limit { what, value, limit, remedy });
    }
    let farthest = outlines().flatten().map(|v| v.x.max(v.y).max(v.z)).max().unwrap_or(0);
    if farthest > i32::from(u16::MAX) {
        let (value, limit) = (u64::from(farthest.unsigned_abs()), u64::from(u16::MAX));
        return Err(Limit { what: "size in cells", value, limit, remedy });
    }
    Ok(())
}

/// Returns the position seen from above.
fn point_of([x, _, z]: [u16; 3]) -> Point {
    Point::new(i32::from(x), i32::from(z))
}

/// A vertex of a contour, in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OutlineCorner {
    pub(super) place: [u16; 3],
    /// Whether it only marks the end of a region at the tile's border.
    pub(super) is_removable: bool,
}

/// Collects the polygons of contours, one contour at a time.
pub(super) struct Builder<'m> {
    max_corners: usize,
    welder: Welder,
    pieces: Vec<Piece>,
    /// For each vertex, whether it only marks the end of a region at the tile's border.
    is_removable: Vec<bool>,
    triangulator: Triangulator,
    merger: Merger,
    /// Number of remaining merges.
    merges_left: usize,
    indices: Vec<u16>,
    fresh: Vec<Piece>,
    pulse: Pulse<'m>,
}

impl<'m> Builder<'m> {
    pub(super) fn new(max_corners: usize, no_ears: NoEars, monitor: &'m dyn Monitor) -> Self {
        Self {
            max_corners,
            welder: Welder::new(),
            pieces: Vec::new(),
            is_removable: Vec::new(),
            triangulator: Triangulator::new(no_ears),
            merger: Merger::default(),
            merges_left: usize::MAX,
            indices: Vec::new(),
            fresh: Vec::new(),
            pulse: Pulse::new(monitor),
        }
    }

    /// Adds a contour of at least three vertices. All contours together have at most [`MAX_OUTLINE_CORNERS`].
    pub(super) fn add(
        &mut self,
        outline: &[OutlineCorner],
        region: RegionId,
        area: RawArea,
    ) -> Result<Coverage, Cancelled> {
        let points = outline.iter().map(|corner| point_of(corner.place));
        let coverage = self.triangulator.run(points, &mut self.pulse)?;
        self.indices.clear();
        for corner in outline {
            let index = self.welder.index_of(corner.place);
            self.indices.push(index);
            if self.is_removable.len() < self.welder.vertices().len() {
                self.is_removable.push(false);
            }
            self.is_removable[usize::from(index)] |= corner.is_removable;
        }
        let piece = |triangle: &[usize; 3]| {
            Piece::triangle(triangle.map(|i| self.indices[i]), region, area)
        };
        self.fresh.clear();
        self.fresh.extend(self.triangulator.triangles().iter().map(piece));
        let (vertices, left) = (self.welder.vertices(), &mut self.merges_left);
        let pulse = &mut self.pulse;
        self.merger.run_until(&mut self.fresh, vertices, self.max_corners, left, pulse)?;
        self.pieces.append(&mut self.fresh);
        Ok(coverage)
    }

    /// Removes unneeded vertices; also returns the number of gaps that this left.
    pub(super) fn finish(mut self) -> Result<(Draft, usize), Cancelled> {
        let mut draft = Draft { vertices: self.welder.into_vertices(), pieces: self.pieces };
        let mut remover = Remover {
            triangulator: &mut self.triangulator,
            merger: &mut self.merger,
            max_corners: self.max_corners,
        };
        let n_gaps = remover.run(&mut draft, self.is_removable, &mut self.pulse)?;
        Ok((draft, n_gaps))
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "outlines lie inside the tile, whose size was checked"
)]
const fn coordinate(value: i32) -> u16 {
    value as u16
}

fn linked(draft: &Draft, set: &ContourSet) -> Vec<MeshPolygon> {
    let mut edges = adjacency::link_neighbors(&draft.pieces, draft.vertices.len());
    let border = set.frame.border_vx;
    if border > 0 {
        let size = [set.frame.n_x, set.frame.n_z].map(|n| n.saturating_sub(2 * border));
        adjacency::mark_portals(&mut edges, &draft.pieces, &draft.vertices, size);
    }
    let polygon = |(piece, edges): (&Piece, _)| MeshPolygon {
        vertices: piece.corners.clone(),
        edges,
        region: piece.region,
        area: piece.area,
    };
    draft.pieces.iter().zip(edges).map(polygon).collect()
}

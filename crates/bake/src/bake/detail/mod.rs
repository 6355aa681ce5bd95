//! The detail mesh: triangles of each polygon that follow the ground.
//!
//! For each polygon, the heights of the floor are collected ([`flood`], [`height_patch`]), samples are added to its
//! edges ([`outline`]), its boundary is triangulated ([`hull`]), and samples are added inside until the error is small
//! enough ([`refine`], [`delaunay`], [`facet`]).
//!
//! Source: `rcBuildPolyMeshDetail`.

mod delaunay;
mod facet;
mod flood;
mod height_patch;
mod hull;
mod outline;
mod plane;
mod refine;

#[cfg(test)]
mod tests;

use delaunay::{Delaunay, Outcome};
use flood::Flood;
use glam::Vec3;
use height_patch::{Grid, HeightPatch, Window};
use refine::SampleGrid;
use serde::{Deserialize, Serialize};
use walkable_runtime::{
    diagnostic::{Diagnostic, Finding},
    ids::RegionId,
    monitor::{Cancelled, Monitor},
};

use crate::bake::{
    CompactField, GridFrame, MeshPolygon, PolyMesh,
    adjacency::{EitherLinks, Links, SpanIndex},
};

/// Maximum number of vertices of the detail of a polygon, its corners included. Source: `MAX_VERTS`.
const MAX_VERTICES: usize = 127;
/// Maximum number of triangles of the detail of a polygon: their number is stored in a byte.
const MAX_TRIANGLES: usize = 255;

/// The detail triangles of a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DetailRange {
    /// Index of the polygon's first vertex.
    pub first_vertex: u32,
    /// Number of vertices; the polygon's own corners come first, in order.
    pub n_vertices: u32,
    /// Index of the polygon's first triangle.
    pub first_triangle: u32,
    /// Number of triangles.
    pub n_triangles: u32,
}

/// The detail mesh of a tile.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DetailMesh {
    /// One element per polygon.
    pub patches: Vec<DetailRange>,
    /// Positions in world space.
    pub vertices: Vec<Vec3>,
    /// Per triangle: three vertex indices in its patch, then two bits per edge that mark edges on the polygon's
    /// boundary.
    pub triangles: Vec<[u8; 4]>,
}

/// The spans below the polygons, with their regions, one per span.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) field: &'a CompactField,
    pub(super) regions: &'a [RegionId],
}

/// Builds the detail triangles of each polygon.
///
/// - `ground`: the ground that `mesh` was built from.
/// - `sample_dist`: distance of height samples, in meters; 0 for the polygons' own corners only.
/// - `max_error`: maximum distance of the triangles from the samples, in meters.
///
/// The detail mesh is one cell above the ground, as in Recast. A polygon has at most 127 vertices and 255 triangles;
/// further samples are ignored.
///
/// Source: `rcBuildPolyMeshDetail`. Differs: without samples, the polygon's outline is triangulated; Recast reads out
/// of bounds.
///
/// The monitor is checked once per polygon and while samples are compared.
pub(super) fn build_detail(
    mesh: &PolyMesh,
    ground: Ground<'_>,
    [sample_dist, max_error]: [f32; 2],
    monitor: &dyn Monitor,
) -> Result<(DetailMesh, Vec<Diagnostic>), Cancelled> {
    match ground.field.adjacency.links() {
        EitherLinks::Narrow(links) => {
            details(Maker::new(mesh, ground, links, [sample_dist, max_error]), monitor)
        }
        EitherLinks::Wide(links) => {
            details(Maker::new(mesh, ground, links, [sample_dist, max_error]), monitor)
        }
    }
}

/// Returns the detail of each polygon, built by `maker`.
fn details<I: SpanIndex>(
    mut maker: Maker<'_, I>,
    monitor: &dyn Monitor,
) -> Result<(DetailMesh, Vec<Diagnostic>), Cancelled> {
    let mesh = maker.mesh;
    let mut result = DetailMesh::default();
    let [mut n_guessed, mut n_holes] = [0, 0];
    for polygon in &mesh.polygons {
        let (source, outcome) = maker.build(polygon, usize::MAX, monitor)?;
        n_guessed += usize::from(source == flood::Source::Guess);
        n_holes += usize::from(outcome == Outcome::Holes);
        maker.detail.store(mesh, &mut result);
    }
    let flat = (n_guessed > 0).then_some(Finding::DetailFlat { n: n_guessed });
    let gaps = (n_holes > 0).then_some(Finding::DetailGaps { n: n_holes });
    let warnings = flat.into_iter().chain(gaps).map(Diagnostic::new);
    Ok((result, warnings.collect()))
}

/// Returns the number of steps of [`build_detail`] per polygon of `mesh`, whose detail is `made`: one for its outline,
/// and one for each sample inside.
pub(super) fn steps(
    mesh: &PolyMesh,
    made: &DetailMesh,
    ground: Ground<'_>,
    sampling: [f32; 2],
    monitor: &dyn Monitor,
) -> Result<Vec<usize>, Cancelled> {
    match ground.field.adjacency.links() {
        EitherLinks::Narrow(links) => {
            steps_of(Maker::new(mesh, ground, links, sampling), made, monitor)
        }
        EitherLinks::Wide(links) => {
            steps_of(Maker::new(mesh, ground, links, sampling), made, monitor)
        }
    }
}

fn steps_of<I: SpanIndex>(
    mut maker: Maker<'_, I>,
    made: &DetailMesh,
    monitor: &dyn Monitor,
) -> Result<Vec<usize>, Cancelled> {
    let polygons = maker.mesh.polygons.iter().zip(&made.patches);
    let n_steps = |(polygon, patch): (&MeshPolygon, &DetailRange)| {
        maker.build(polygon, 0, monitor)?;
        Ok(1 + (patch.n_vertices as usize).saturating_sub(maker.detail.vertices.len()))
    };
    polygons.map(n_steps).collect()
}

/// Returns the detail of `mesh` after `n` of the `steps` of its polygons; after all steps, it is `made`. Polygons that
/// were not reached have no patch.
pub(super) fn built_until(
    mesh: &PolyMesh,
    (made, steps): (&DetailMesh, &[usize]),
    ground: Ground<'_>,
    sampling: [f32; 2],
    n: usize,
    monitor: &dyn Monitor,
) -> Result<DetailMesh, Cancelled> {
    let mut left = n;
    let mut n_done = 0;
    while let Some(less) = steps.get(n_done).and_then(|steps| left.checked_sub(*steps)) {
        (left, n_done) = (less, n_done + 1);
    }
    let mut detail = made.first(n_done);
    if let (Some(polygon), Some(n_samples)) = (mesh.polygons.get(n_done), left.checked_sub(1)) {
        built(mesh, polygon, ground, (sampling, n_samples), monitor)?.store(mesh, &mut detail);
    }
    Ok(detail)
}

/// Returns the detail of a polygon with at most the given number of samples inside.
fn built(
    mesh: &PolyMesh,
    polygon: &MeshPolygon,
    ground: Ground<'_>,
    (sampling, n_samples): ([f32; 2], usize),
    monitor: &dyn Monitor,
) -> Result<PolygonDetail, Cancelled> {
    Ok(match ground.field.adjacency.links() {
        EitherLinks::Narrow(links) => {
            let mut maker = Maker::new(mesh, ground, links, sampling);
            maker.build(polygon, n_samples, monitor)?;
            maker.detail
        }
        EitherLinks::Wide(links) => {
            let mut maker = Maker::new(mesh, ground, links, sampling);
            maker.build(polygon, n_samples, monitor)?;
            maker.detail
        }
    })
}

impl DetailMesh {
    /// Returns the detail of the first `n` polygons.
    fn first(&self, n: usize) -> Self {
        let patches = self.patches.get(..n).unwrap_or(&self.patches);
        let [n_vertices, n_triangles] = patches.last().map_or([0; 2], |last| {
            [last.first_vertex + last.n_vertices, last.first_triangle + last.n_triangles]
        });
        Self {
            patches: patches.to_vec(),
            vertices: self.vertices.iter().take(n_vertices as usize).copied().collect(),
            triangles: self.triangles.iter().take(n_triangles as usize).copied().collect(),
        }
    }
}

/// Builds the detail of polygons of a mesh, one after the other.
struct Maker<'a, I> {
    mesh: &'a PolyMesh,
    sampling: Sampling,
    flood: Flood<'a, I>,
    patch: HeightPatch,
    detail: PolygonDetail,
}

impl<'a, I: SpanIndex> Maker<'a, I> {
    /// Creates the builder; `links` are the connections of `ground`.
    fn new(
        mesh: &'a PolyMesh,
        ground: Ground<'a>,
        links: Links<'a, I>,
        [distance, max_error]: [f32; 2],
    ) -> Self {
        let Ground { field, regions } = ground;
        assert_eq!(field.adjacency.len(), field.spans.len(), "neighbors of each span");
        assert_eq!(regions.len(), field.spans.len(), "one region per span");
        Self {
            mesh,
            sampling: Sampling { distance, max_error, grid: grid_of(mesh) },
            flood: Flood::new(field, links, regions),
            patch: HeightPatch::default(),
            detail: PolygonDetail::default(),
        }
    }

    /// Builds the detail of `polygon` with at most `n_samples` inside.
    fn build(
        &mut self,
        polygon: &MeshPolygon,
        n_samples: usize,
        monitor: &dyn Monitor,
    ) -> Result<(flood::Source, Outcome), Cancelled> {
        monitor.check()?;
        let Self { mesh, sampling, flood, patch, detail } = self;
        patch.reset(window_of(mesh, polygon, flood.frame()));
        let source = flood.run(mesh, polygon, patch);
        let corners = corners_of(mesh, polygon);
        Ok((source, detail.build(*sampling, patch, corners, n_samples, monitor)?))
    }
}

/// Distance and accuracy of height samples.
#[derive(Clone, Copy, Debug)]
struct Sampling {
    /// Distance of samples, in meters; 0 for none.
    distance: f32,
    /// Maximum error, in meters.
    max_error: f32,
    grid: Grid,
}

fn grid_of(mesh: &PolyMesh) -> Grid {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a few cells, and floats saturate"
    )]
    let search_radius_vx = (mesh.max_edge_error.ceil() as u32).max(1);
    Grid {
        cell_size: mesh.cell_size,
        cells_per_meter: 1.0 / mesh.cell_size,
        cell_height: mesh.cell_height,
        search_radius_vx,
    }
}

fn window_of(mesh: &PolyMesh, polygon: &MeshPolygon, frame: &GridFrame) -> Window {
    let corners = polygon.vertices.iter().map(|&v| {
        let [x, _, z] = mesh.vertices[usize::from(v)].map(u32::from);
        [x, z]
    });
    Window::around(corners, [frame.n_x, frame.n_z])
}

/// Returns the corners, in meters from the tile's origin.
fn corners_of(mesh: &PolyMesh, polygon: &MeshPolygon) -> impl Iterator<Item = Vec3> {
    polygon.vertices.iter().map(|&v| {
        let [x, y, z] = mesh.vertices[usize::from(v)].map(f32::from);
        Vec3::new(x * mesh.cell_size, y * mesh.cell_height, z * mesh.cell_size)
    })
}

/// The detail of a polygon under construction. Buffers are reused for the next one.
#[derive(Debug, Default)]
struct PolygonDetail {
    /// The vertices, in meters from the tile's origin: corners, samples along edges, samples inside.
    vertices: Vec<Vec3>,
    /// Vertices in order around the polygon.
    hull: Vec<u8>,
    triangles: Vec<[u8; 3]>,
    corners: Vec<Vec3>,
    samples: SampleGrid,
    delaunay: Delaunay,
}

impl PolygonDetail {
    /// Source: `buildPolyDetail`.
    fn build(
        &mut self,
        sampling: Sampling,
        patch: &HeightPatch,
        corners: impl Iterator<Item = Vec3>,
        n_samples: usize,
        monitor: &dyn Monitor,
    ) -> Result<Outcome, Cancelled> {
        self.corners.clear();
        self.corners.extend(corners);
        self.vertices.clone_from(&self.corners);
        self.triangles.clear();
        outline::sample_outline(sampling, patch, &mut self.vertices, &mut self.hull);
        hull::triangulate(&self.vertices, &self.hull, self.corners.len(), &mut self.triangles);
        // Narrow polygons get no samples inside.
        let is_bare =
            sampling.distance <= 0.0 || plane::width(&self.corners) < sampling.distance * 2.0;
        if is_bare || n_samples == 0 {
            return Ok(Outcome::Sound);
        }
        self.samples.fill(sampling, patch, &self.corners, monitor)?;
        let outcome = refine::add_samples(sampling, self, n_samples, monitor)?;
        self.triangles.truncate(MAX_TRIANGLES);
        Ok(outcome)
    }

    /// Appends the polygon's detail to `result`, in world space.
    fn store(&self, mesh: &PolyMesh, result: &mut DetailMesh) {
        result.patches.push(DetailRange {
            first_vertex: count(result.vertices.len()),
            n_vertices: count(self.vertices.len()),
            first_triangle: count(result.triangles.len()),
            n_triangles: count(self.triangles.len()),
        });
        let origin = mesh.origin + Vec3::new(0.0, mesh.cell_height, 0.0);
        result.vertices.extend(self.vertices.iter().map(|&vertex| vertex + origin));
        let boundary = hull::Boundary::new(&self.hull);
        let with_flags = |&[a, b, c]: &[u8; 3]| [a, b, c, boundary.flags([a, b, c])];
        result.triangles.extend(self.triangles.iter().map(with_flags));
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a polygon has at most 127 vertices")]
const fn vertex_index(index: usize) -> u8 {
    index as u8
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "65,535 polygons of 127 vertices and 255 triangles fit 32 bits"
)]
const fn count(n: usize) -> u32 {
    n as u32
}

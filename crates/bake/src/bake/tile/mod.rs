//! The last stage: combines polygons, detail mesh and off-mesh links to a tile in Detour's format.
//!
//! Source: `dtCreateNavMeshData`, with areas and flags as `RecastDemo` gives them.

mod bv_tree;
mod off_mesh;

#[cfg(test)]
mod tests;

use bv_tree::{QuantizedBox, build_bv_tree};
use glam::Vec3;
use off_mesh::Connections;
pub(super) use off_mesh::is_within;
use walkable_runtime::{
    diagnostic::{Diagnostic, Finding},
    geom::Aabb,
    ids::TileCoord,
    navmesh::{
        BvNode, DetailPatch, NO_NEIGHBOR, PORTAL_BIT, Poly, PolyKind, Tile, TileHeader,
        VERTS_PER_POLYGON,
    },
};

use crate::bake::{
    DetailMesh, Edge, MeshPolygon, OffMeshLink, PolyMesh, class::PolygonKinds, limit::Limit,
};

/// Maximum number of ground polygons: a neighbor is stored as its index plus one in 15 bits.
const MAX_POLYGONS: usize = 0x7fff;
/// Maximum number of vertices, including the ends of off-mesh links. Source: `dtCreateNavMeshData`.
const MAX_VERTICES: usize = 0xfffe;
/// Maximum number of vertices added by the detail mesh: the reference counts them in 16 bits.
const MAX_DETAIL_VERTICES: usize = 0xffff;

/// Boundary edges of a triangle of a fan, two bits per edge: the edge between its second and third vertex always is
/// one; the edge from the first vertex is one in the fan's first triangle, and the edge back to it in the last.
const FAN_RIM: u8 = 1 << 2;
const FAN_FIRST: u8 = 1;
const FAN_LAST: u8 = 1 << 4;

/// The agent of a tile, in meters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TileAgent {
    /// Height.
    pub(super) height: f32,
    /// Radius.
    pub(super) radius: f32,
    /// Highest step that the agent climbs.
    pub(super) max_climb: f32,
}

/// The position of a tile in the navmesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TilePlace {
    /// Column and row.
    pub(super) coord: TileCoord,
    /// Layer within that column and row.
    pub(super) layer: u32,
}

impl From<TileCoord> for TilePlace {
    fn from(coord: TileCoord) -> Self {
        Self { coord, layer: 0 }
    }
}

/// Builds tile data from the results of the previous stages.
///
/// - `detail` must belong to `mesh`. Without it each polygon is a fan of triangles, and there is no BV tree.
/// - `links`: off-mesh links, of which the tile takes those that start in it; `kinds`: area and flags of ground polygons.
///
/// Returns `None` if there are no polygons, and with a warning if polygons may have more than 6 vertices. Plain ground
/// becomes area 0; other areas keep their number.
///
/// Source: `dtCreateNavMeshData`.
///
/// Returns an error if the tile exceeds a limit of the format.
pub(super) fn build_tile(
    mesh: &PolyMesh,
    detail: Option<&DetailMesh>,
    (links, kinds): (&[OffMeshLink], PolygonKinds<'_>),
    agent: TileAgent,
    place: TilePlace,
) -> Result<(Option<Tile>, Vec<Diagnostic>), Limit> {
    if mesh.max_verts_per_poly > VERTS_PER_POLYGON {
        let (found, limit) = (mesh.max_verts_per_poly, VERTS_PER_POLYGON);
        return Ok((None, vec![Finding::TooManyVertsPerPoly { found, limit }.into()]));
    }
    if mesh.polygons.is_empty() {
        return Ok((None, Vec::new()));
    }
    let bounds = Aabb { min: mesh.origin, max: mesh.bounds_max };
    let mut vertices: Vec<Vec3> =
        (0..).take(mesh.vertices.len()).map(|vertex| mesh.world_vertex(vertex)).collect();
    let ground = detail.map_or(&vertices[..], |detail| &detail.vertices[..]);
    let connections = Connections::choose(links, bounds, ground, agent.max_climb);
    check_limits(mesh, detail, connections.len())?;

    let ground_poly = |polygon| ground_poly(polygon, kinds);
    let mut polys: Vec<Poly> = mesh.polygons.iter().map(ground_poly).collect();
    let header = header_of(mesh, bounds, connections.n_landings(), agent, place);
    let off_mesh = connections.append_to(&mut vertices, &mut polys, kinds.link_flags());
    let surface = match detail {
        Some(detail) => Surface::of_detail(mesh, detail, header.bv_quant_factor),
        None => Surface::of_fans(mesh),
    };
    let tile = Tile {
        header,
        vertices,
        polys,
        detail_patches: surface.patches,
        detail_vertices: surface.vertices,
        detail_triangles: surface.triangles,
        bv_nodes: surface.bv_nodes,
        off_mesh,
    };
    Ok((Some(tile), Vec::new()))
}

/// The detail data of the polygons.
struct Surface {
    patches: Vec<DetailPatch>,
    vertices: Vec<Vec3>,
    triangles: Vec<[u8; 4]>,
    bv_nodes: Vec<BvNode>,
}

impl Surface {
    fn of_detail(mesh: &PolyMesh, detail: &DetailMesh, cells_per_meter: f32) -> Self {
        assert_eq!(detail.patches.len(), mesh.polygons.len(), "one patch per polygon");
        let (patches, vertices) = own_detail(mesh, detail);
        let boxes = quantized_boxes(detail, mesh.origin, cells_per_meter);
        let triangles = detail.triangles.clone();
        Self { patches, vertices, triangles, bv_nodes: build_bv_tree(boxes) }
    }

    /// Triangulates the polygons as fans from the first vertex.
    fn of_fans(mesh: &PolyMesh) -> Self {
        let mut triangles = Vec::new();
        let patch = |polygon: &MeshPolygon| {
            let first_triangle = count(triangles.len());
            #[expect(clippy::cast_possible_truncation, reason = "at most 6 corners")]
            let n_corners = polygon.vertices.len() as u8;
            for corner in 2..n_corners {
                let mut edges = FAN_RIM;
                if corner == 2 {
                    edges |= FAN_FIRST;
                }
                if corner == n_corners - 1 {
                    edges |= FAN_LAST;
                }
                triangles.push([0, corner - 1, corner, edges]);
            }
            DetailPatch {
                first_vertex: 0,
                first_triangle,
                n_vertices: 0,
                n_triangles: n_corners - 2,
            }
        };
        let patches = mesh.polygons.iter().map(patch).collect();
        Self { patches, vertices: Vec::new(), triangles, bv_nodes: Vec::new() }
    }
}

fn check_limits(
    mesh: &PolyMesh,
    detail: Option<&DetailMesh>,
    n_connections: usize,
) -> Result<(), Limit> {
    let n_corners: usize = mesh.polygons.iter().map(|polygon| polygon.vertices.len()).sum();
    let n_detail = detail.map_or(0, |detail| detail.vertices.len()).saturating_sub(n_corners);
    let counts = [
        ("number of polygons", mesh.polygons.len(), MAX_POLYGONS),
        ("number of vertices", mesh.vertices.len() + 2 * n_connections, MAX_VERTICES),
        ("number of detail vertices", n_detail, MAX_DETAIL_VERTICES),
    ];
    match counts.into_iter().find(|(_, value, limit)| value > limit) {
        None => Ok(()),
        Some((what, value, limit)) => {
            let (value, limit) = (value as u64, limit as u64);
            Err(Limit { what, value, limit, remedy: "use smaller tiles" })
        }
    }
}

fn header_of(
    mesh: &PolyMesh,
    bounds: Aabb,
    n_landings: usize,
    agent: TileAgent,
    place: TilePlace,
) -> TileHeader {
    let edges = || mesh.polygons.iter().flat_map(|polygon| &polygon.edges);
    let is_portal = |edge: &&Edge| matches!(edge, Edge::Portal(_) | Edge::Itself);
    let n_portals = edges().filter(is_portal).count();
    TileHeader {
        x: place.coord.x.cast_signed(),
        z: place.coord.z.cast_signed(),
        layer: place.layer.cast_signed(),
        user_id: 0,
        max_link_count: count(edges().count() + 2 * n_portals + 2 * n_landings),
        off_mesh_base: count(mesh.polygons.len()),
        walkable_height: agent.height,
        walkable_radius: agent.radius,
        walkable_climb: agent.max_climb,
        bounds,
        bv_quant_factor: 1.0 / mesh.cell_size,
    }
}

fn ground_poly(polygon: &MeshPolygon, kinds: PolygonKinds<'_>) -> Poly {
    let mut vertices = [0; VERTS_PER_POLYGON];
    let mut neighbors = [NO_NEIGHBOR; VERTS_PER_POLYGON];
    for (i, (&vertex, &edge)) in polygon.vertices.iter().zip(&polygon.edges).enumerate() {
        vertices[i] = vertex;
        neighbors[i] = match edge {
            Edge::Boundary | Edge::Itself => NO_NEIGHBOR,
            Edge::Neighbor(other) => other + 1,
            Edge::Portal(side) => PORTAL_BIT | tile_side(side),
        };
    }
    #[expect(clippy::cast_possible_truncation, reason = "at most 12 corners")]
    let n_vertices = polygon.vertices.len() as u8;
    let (area, flags) = kinds.of(polygon.area);
    Poly { vertices, neighbors, flags, n_vertices, area, kind: PolyKind::Ground }
}

/// Converts the side of a tile from the grid's numbering to that of tile data (0 +x, 2 +z, 4 −x, 6 −z).
const fn tile_side(side: u8) -> u16 {
    [4, 2, 0, 6][side as usize & 3]
}

/// Returns the detail mesh without the polygons' vertices, which the tile already has.
fn own_detail(mesh: &PolyMesh, detail: &DetailMesh) -> (Vec<DetailPatch>, Vec<Vec3>) {
    let n_corners: usize = mesh.polygons.iter().map(|polygon| polygon.vertices.len()).sum();
    let mut own_vertices = Vec::with_capacity(detail.vertices.len().saturating_sub(n_corners));
    let patch = |(polygon, patch): (&MeshPolygon, &super::DetailRange)| {
        let first_vertex = count(own_vertices.len());
        let all = patch.first_vertex as usize..(patch.first_vertex + patch.n_vertices) as usize;
        let own = &detail.vertices[all][polygon.vertices.len()..];
        own_vertices.extend_from_slice(own);
        #[expect(clippy::cast_possible_truncation, reason = "127 vertices, 255 triangles at most")]
        DetailPatch {
            first_vertex,
            first_triangle: patch.first_triangle,
            n_vertices: own.len() as u8,
            n_triangles: patch.n_triangles as u8,
        }
    };
    let patches = mesh.polygons.iter().zip(&detail.patches).map(patch).collect();
    (patches, own_vertices)
}

/// Returns the bounds of each polygon's detail mesh, in cells of the tile's grid along all three axes.
fn quantized_boxes(
    detail: &DetailMesh,
    origin: Vec3,
    cells_per_meter: f32,
) -> impl Iterator<Item = QuantizedBox> {
    detail.patches.iter().map(move |patch| {
        let all = patch.first_vertex as usize..(patch.first_vertex + patch.n_vertices) as usize;
        let around = Aabb::around(detail.vertices[all].iter().copied());
        [around.min, around.max].map(|corner| {
            let in_cells = (corner - origin) * cells_per_meter;
            in_cells.to_array().map(quantized)
        })
    })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "floats saturate")]
const fn quantized(cells: f32) -> u16 {
    cells as u16
}

#[expect(clippy::cast_possible_truncation, reason = "checked against limits far below")]
const fn count(n: usize) -> u32 {
    n as u32
}

//! Detour's tile data, magic `DNAV`, version 7.

use super::{
    FormatError, RefWidth,
    bytes::{Reader, Record, Writer},
};
use crate::{
    geom::Aabb,
    ids::AreaId,
    navmesh::{
        BvNode, DetailPatch, OffMeshConnection, Poly, PolyKind, Tile, TileHeader, TilePlace,
    },
};

/// Magic number, in the first four bytes of tile data.
pub(super) const MAGIC: u32 = 0x444e_4156;
pub(super) const VERSION: u32 = 7;
/// Size of the header, in bytes.
pub(super) const HEADER_SIZE: usize = 100;
const VERTEX_SIZE: usize = 12;
const POLY_SIZE: usize = 32;
const DETAIL_PATCH_SIZE: usize = 12;
const DETAIL_TRIANGLE_SIZE: usize = 4;
const BV_NODE_SIZE: usize = 16;
const OFF_MESH_SIZE: usize = 36;
/// Position of the polygon type's bits in the byte that it shares with the area.
const KIND_SHIFT: u32 = 6;
const AREA_MASK: u8 = 0x3f;

impl RefWidth {
    /// Returns the size of a link in tile data, in bytes.
    const fn link_size(self) -> usize {
        match self {
            Self::Bits32 => 12,
            Self::Bits64 => 16,
        }
    }
}

impl Tile {
    /// Writes Detour's tile data like `dtCreateNavMeshData` with 32-bit references: links are zero.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.to_bytes_with(RefWidth::Bits32)
    }

    /// Writes Detour's tile data with space for links of the given width.
    pub fn to_bytes_with(&self, width: RefWidth) -> Vec<u8> {
        let mut out = Writer::default();
        write_header(&mut out, self);
        for &vertex in &self.vertices {
            out.vec3(vertex);
        }
        for poly in &self.polys {
            write_poly(&mut out, poly);
        }
        out.zeros(self.header.max_link_count as usize * width.link_size());
        for patch in &self.detail_patches {
            out.u32(patch.first_vertex);
            out.u32(patch.first_triangle);
            out.put([patch.n_vertices, patch.n_triangles, 0, 0]);
        }
        for &vertex in &self.detail_vertices {
            out.vec3(vertex);
        }
        for &triangle in &self.detail_triangles {
            out.put(triangle);
        }
        for node in &self.bv_nodes {
            out.u16s(&node.min);
            out.u16s(&node.max);
            out.i32(node.index);
        }
        for connection in &self.off_mesh {
            write_off_mesh(&mut out, connection);
        }
        out.bytes
    }

    /// Returns the length of [`Tile::to_bytes_with`], computed without writing.
    pub fn n_bytes(&self, width: RefWidth) -> usize {
        HEADER_SIZE
            + self.vertices.len() * VERTEX_SIZE
            + self.polys.len() * POLY_SIZE
            + self.header.max_link_count as usize * width.link_size()
            + self.detail_patches.len() * DETAIL_PATCH_SIZE
            + self.detail_vertices.len() * VERTEX_SIZE
            + self.detail_triangles.len() * DETAIL_TRIANGLE_SIZE
            + self.bv_nodes.len() * BV_NODE_SIZE
            + self.off_mesh.len() * OFF_MESH_SIZE
    }

    /// Returns the byte range of the BV tree's nodes in [`Tile::to_bytes`].
    pub fn bv_node_bytes(&self) -> std::ops::Range<usize> {
        let end = self.n_bytes(RefWidth::Bits32) - self.off_mesh.len() * OFF_MESH_SIZE;
        end - self.bv_nodes.len() * BV_NODE_SIZE..end
    }

    /// Reads Detour's tile data, with 32- or 64-bit references; ignores links.
    ///
    /// # Errors
    /// Returns a [`FormatError`] if the bytes are not exactly one valid tile.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        let mut input = Reader::new(bytes);
        let (header, counts) = read_header(&mut input)?;
        let width = counts.width_of(header.max_link_count, bytes.len())?;
        let vertices = input.records("vertices", counts.vertices)?;
        let polys_at = input.offset();
        let polys = input.records("polygons", counts.polys)?;
        check_kinds(polys, polys_at)?;
        input.slice("links", header.max_link_count as usize * width.link_size())?;
        let patches = input.records("detail patches", counts.detail_patches)?;
        let detail_vertices = input.records("detail vertices", counts.detail_vertices)?;
        let triangles = input.records("detail triangles", counts.detail_triangles)?;
        let nodes = input.records("tree nodes", counts.bv_nodes)?;
        let off_mesh = input.records("connections", counts.off_mesh)?;
        let tile = Self {
            header,
            vertices: vertices.iter().map(read_vertex).collect(),
            polys: polys.iter().map(read_poly).collect(),
            detail_patches: patches.iter().map(read_detail_patch).collect(),
            detail_vertices: detail_vertices.iter().map(read_vertex).collect(),
            detail_triangles: triangles.to_vec(),
            bv_nodes: nodes.iter().map(read_bv_node).collect(),
            off_mesh: off_mesh.iter().map(read_off_mesh).collect(),
        };
        tile.validate()?;
        Ok(tile)
    }
}

/// Lengths of the lists of a tile.
struct Counts {
    polys: u32,
    vertices: u32,
    detail_patches: u32,
    detail_vertices: u32,
    detail_triangles: u32,
    bv_nodes: u32,
    off_mesh: u32,
}

impl Counts {
    /// Returns the size of a tile whose links take `link_size` bytes each. Cannot overflow: eight counts below 2³¹,
    /// each times at most 36.
    fn size(&self, n_links: u32, link_size: usize) -> u64 {
        let parts = [
            (1, HEADER_SIZE),
            (self.vertices, VERTEX_SIZE),
            (self.polys, POLY_SIZE),
            (n_links, link_size),
            (self.detail_patches, DETAIL_PATCH_SIZE),
            (self.detail_vertices, VERTEX_SIZE),
            (self.detail_triangles, DETAIL_TRIANGLE_SIZE),
            (self.bv_nodes, BV_NODE_SIZE),
            (self.off_mesh, OFF_MESH_SIZE),
        ];
        parts.iter().map(|&(n, size)| u64::from(n) * size as u64).sum()
    }

    /// Returns the reference width with which the counts add up to `found` bytes.
    fn width_of(&self, n_links: u32, found: usize) -> Result<RefWidth, FormatError> {
        let narrow = self.size(n_links, RefWidth::Bits32.link_size());
        let wide = self.size(n_links, RefWidth::Bits64.link_size());
        if found as u64 == narrow {
            Ok(RefWidth::Bits32)
        } else if found as u64 == wide {
            Ok(RefWidth::Bits64)
        } else {
            Err(FormatError::WrongSize { found, narrow, wide })
        }
    }
}

fn write_header(out: &mut Writer, tile: &Tile) {
    let header = &tile.header;
    out.u32(MAGIC);
    out.u32(VERSION);
    out.i32(header.x);
    out.i32(header.z);
    out.i32(header.layer);
    out.u32(header.user_id);
    out.count(tile.polys.len());
    out.count(tile.vertices.len());
    out.u32(header.max_link_count);
    out.count(tile.detail_patches.len());
    out.count(tile.detail_vertices.len());
    out.count(tile.detail_triangles.len());
    out.count(tile.bv_nodes.len());
    out.count(tile.off_mesh.len());
    out.u32(header.off_mesh_base);
    out.f32(header.walkable_height);
    out.f32(header.walkable_radius);
    out.f32(header.walkable_climb);
    out.vec3(header.bounds.min);
    out.vec3(header.bounds.max);
    out.f32(header.bv_quant_factor);
}

/// Reads only the coordinate and layer of a tile.
pub(super) fn place_of(bytes: &[u8]) -> Result<TilePlace, FormatError> {
    let mut input = Reader::new(bytes);
    input.magic("tile data", MAGIC)?;
    input.version("tile data", VERSION)?;
    let x = input.i32("tile column")?;
    let z = input.i32("tile row")?;
    let layer = input.i32("tile layer")?;
    Ok(TilePlace { z, x, layer })
}

fn read_header(input: &mut Reader<'_>) -> Result<(TileHeader, Counts), FormatError> {
    input.magic("tile data", MAGIC)?;
    input.version("tile data", VERSION)?;
    let x = input.i32("tile column")?;
    let z = input.i32("tile row")?;
    let layer = input.i32("tile layer")?;
    let user_id = input.u32("user id")?;
    let polys = input.count("number of polygons")?;
    let vertices = input.count("number of vertices")?;
    let max_link_count = input.count("number of links")?;
    let counts = Counts {
        polys,
        vertices,
        detail_patches: input.count("number of detail patches")?,
        detail_vertices: input.count("number of detail vertices")?,
        detail_triangles: input.count("number of detail triangles")?,
        bv_nodes: input.count("number of tree nodes")?,
        off_mesh: input.count("number of connections")?,
    };
    let header = TileHeader {
        x,
        z,
        layer,
        user_id,
        max_link_count,
        off_mesh_base: input.count("index of the first connection")?,
        walkable_height: input.f32("agent height")?,
        walkable_radius: input.f32("agent radius")?,
        walkable_climb: input.f32("agent climb")?,
        bounds: Aabb { min: input.vec3("tile bounds")?, max: input.vec3("tile bounds")? },
        bv_quant_factor: input.f32("cells per meter")?,
    };
    Ok((header, counts))
}

fn write_poly(out: &mut Writer, poly: &Poly) {
    // Index of the first link, which is known only once the tile is in a mesh.
    out.u32(0);
    out.u16s(&poly.vertices);
    out.u16s(&poly.neighbors);
    out.u16(poly.flags);
    let kind = match poly.kind {
        PolyKind::Ground => 0,
        PolyKind::OffMesh => 1,
    };
    out.put([poly.n_vertices, (poly.area.0 & AREA_MASK) | (kind << KIND_SHIFT)]);
}

/// Rejects polygons that are neither ground nor off-mesh links; the first starts at byte `offset`.
fn check_kinds(polys: &[[u8; POLY_SIZE]], offset: usize) -> Result<(), FormatError> {
    let kind = |poly: &[u8; POLY_SIZE]| poly[POLY_SIZE - 1] >> KIND_SHIFT;
    match polys.iter().position(|poly| kind(poly) > 1) {
        Some(index) => Err(FormatError::BadNumber {
            what: "kind of polygon",
            offset: offset + (index + 1) * POLY_SIZE - 1,
            value: i64::from(kind(&polys[index])),
        }),
        None => Ok(()),
    }
}

fn read_vertex(bytes: &[u8; VERTEX_SIZE]) -> glam::Vec3 {
    Record(bytes).vec3(0)
}

/// Reads a polygon whose type has been checked. Its first four bytes are the index of its first link.
fn read_poly(bytes: &[u8; POLY_SIZE]) -> Poly {
    let record = Record(bytes);
    let [.., n_vertices, area_and_kind] = *bytes;
    let kind = match area_and_kind >> KIND_SHIFT {
        0 => PolyKind::Ground,
        _ => PolyKind::OffMesh,
    };
    let (vertices, neighbors) = (record.u16s(4), record.u16s(16));
    let area = AreaId(area_and_kind & AREA_MASK);
    Poly { vertices, neighbors, flags: record.u16(28), n_vertices, area, kind }
}

fn read_detail_patch(bytes: &[u8; DETAIL_PATCH_SIZE]) -> DetailPatch {
    let record = Record(bytes);
    let [.., n_vertices, n_triangles, _, _] = *bytes;
    let (first_vertex, first_triangle) = (record.u32(0), record.u32(4));
    DetailPatch { first_vertex, first_triangle, n_vertices, n_triangles }
}

fn read_bv_node(bytes: &[u8; BV_NODE_SIZE]) -> BvNode {
    let record = Record(bytes);
    BvNode { min: record.u16s(0), max: record.u16s(6), index: record.u32(12).cast_signed() }
}

fn write_off_mesh(out: &mut Writer, connection: &OffMeshConnection) {
    for end in connection.ends {
        out.vec3(end);
    }
    out.f32(connection.radius);
    out.u16(connection.poly);
    out.put([connection.flags, connection.side]);
    out.u32(connection.user_id);
}

fn read_off_mesh(bytes: &[u8; OFF_MESH_SIZE]) -> OffMeshConnection {
    let record = Record(bytes);
    OffMeshConnection {
        ends: [record.vec3(0), record.vec3(12)],
        radius: f32::from_bits(record.u32(24)),
        poly: record.u16(28),
        flags: bytes[30],
        side: bytes[31],
        user_id: record.u32(32),
    }
}

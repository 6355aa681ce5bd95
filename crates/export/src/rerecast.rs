//! Navmeshes of `bevy_rerecast`: its type `Navmesh` in Bincode.
//!
//! Fields are written in the order in which `bevy_rerecast` declares them. The format has no tiles, so they become one
//! mesh, whose vertices are given in voxels.

use glam::Vec3;
use walkable_runtime::{
    ids::AreaId,
    navmesh::{Tile, VERTS_PER_POLYGON},
};

use crate::{
    bincode::Bincode,
    ground::{Ground, GroundPoly, index_u32},
    input::{ExportError, ExportInput},
};

/// The end of a polygon's vertices, and an edge without a neighbor.
const NONE: u32 = 0xffff;
/// The area of plain ground.
const DEFAULT_WALKABLE: u8 = 255;
/// The region of all polygons, because tiles do not contain their regions.
const REGION: u32 = 1;
/// Minimum side of a voxel in meters, if that of the bake is unknown.
const SMALLEST_CELL: f32 = 0.001;

/// Writes the file.
pub(crate) fn write(input: &ExportInput<'_>) -> Result<Vec<u8>, ExportError> {
    let ground = Ground::of(input.mesh);
    let grid = Grid::of(input, &ground)?;
    let corners = ground.polys.iter().map(|poly| poly.ring.len()).max();
    let row = corners.unwrap_or_default().max(VERTS_PER_POLYGON);
    check(ground.vertices.len(), NONE, "vertices")?;
    check(ground.polys.len(), NONE, "polygons")?;
    // Corners of detail triangles are numbered in bytes.
    check(row, u32::from(u8::MAX), "vertices of a polygon")?;
    let mut out = Bincode::default();
    put_polygons(&mut out, &ground, &grid, row);
    put_detail(&mut out, input, &ground);
    put_settings(&mut out, input, row);
    Ok(out.into_bytes())
}

/// Checks that a number is within a limit of the format.
fn check(n: usize, limit: u32, what: &'static str) -> Result<(), ExportError> {
    let (n, limit) = (n as u64, u64::from(limit));
    if n > limit {
        return Err(ExportError::TooLarge { format: "bevy_rerecast", n, what, limit });
    }
    Ok(())
}

/// The voxels in which vertices are given.
struct Grid {
    min: Vec3,
    max: Vec3,
    /// Sides of a voxel.
    cell: Vec3,
}

impl Grid {
    /// Returns the voxels of the bake; along axes where they are unknown, small ones.
    fn of(input: &ExportInput<'_>, ground: &Ground) -> Result<Self, ExportError> {
        let points = || ground.vertices.iter().copied();
        let ends = points().reduce(Vec3::min).zip(points().reduce(Vec3::max));
        let (min, max) = ends.ok_or(ExportError::Empty)?;
        let size = max - min;
        let small = |size: f32| (size / f32::from(u16::MAX)).max(SMALLEST_CELL);
        let side = input.cell_size().unwrap_or_else(|| small(size.x.max(size.z)));
        let height = input.cell_height.unwrap_or_else(|| small(size.y));
        let cell = Vec3::new(side, height, side);
        let farthest = (size / cell).round().max_element();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        check(farthest as usize, u32::from(u16::MAX), "voxels along an axis")?;
        Ok(Self { min, max, cell })
    }

    /// Returns `point` in voxels from the lowest corner.
    fn voxels(&self, point: Vec3) -> [u32; 3] {
        ((point - self.min) / self.cell).round().as_uvec3().to_array()
    }
}

/// Writes the field `polygon`; polygons and neighbors have `row` entries each.
fn put_polygons(out: &mut Bincode, ground: &Ground, grid: &Grid, row: usize) {
    let polys = &ground.polys;
    out.list(&ground.vertices, |out, &at| out.unsigned(grid.voxels(at)));
    let table = |entries: &dyn Fn(&GroundPoly) -> Vec<u32>| -> Vec<u32> {
        let padded = |poly| {
            let mut entries = entries(poly);
            entries.resize(row, NONE);
            entries
        };
        polys.iter().flat_map(padded).collect()
    };
    for numbers in [table(&corners), table(&neighbors)] {
        out.list(&numbers, |out, &number| out.unsigned([number]));
    }
    out.list(polys, |out, poly| out.unsigned([poly.flags.into()]));
    out.list(polys, |out, _| out.unsigned([REGION]));
    out.list(polys, |out, poly| out.bytes([area_type(poly.area)]));
    out.unsigned([index_u32(row)]);
    out.floats(grid.min.to_array());
    out.floats(grid.max.to_array());
    out.floats([grid.cell.x, grid.cell.y]);
    // Border and maximum error of edges, which only a bake uses.
    out.unsigned([0]);
    out.floats([0.0]);
}

/// Returns the vertices of `poly` in the order of the format, clockwise seen from above.
fn corners(poly: &GroundPoly) -> Vec<u32> {
    poly.ring.iter().rev().copied().collect()
}

/// Returns the neighbors of `poly` in that order.
fn neighbors(poly: &GroundPoly) -> Vec<u32> {
    let mut neighbors: Vec<_> = poly.neighbors.iter().rev().map(|to| to.unwrap_or(NONE)).collect();
    // The first edge now leaves the vertex that it led to.
    neighbors.rotate_left(1);
    neighbors
}

fn area_type(area: AreaId) -> u8 {
    if area == AreaId::GROUND { DEFAULT_WALKABLE } else { area.0 }
}

/// Writes the field `detail`.
fn put_detail(out: &mut Bincode, input: &ExportInput<'_>, ground: &Ground) {
    let tiles: Vec<_> = input.mesh.tiles().collect();
    let patches: Vec<_> =
        ground.polys.iter().map(|poly| Patch::of(ground, tiles[poly.tile], poly)).collect();
    let mut first = [0, 0];
    out.list(&patches, |out, patch| {
        let n = [patch.vertices.len(), patch.triangles.len()].map(index_u32);
        out.unsigned([first[0], n[0], first[1], n[1]]);
        first = [first[0] + n[0], first[1] + n[1]];
    });
    let vertices: Vec<_> = patches.iter().flat_map(|patch| &patch.vertices).collect();
    let triangles: Vec<_> = patches.iter().flat_map(|patch| &patch.triangles).collect();
    out.list(&vertices, |out, at| out.floats(at.to_array()));
    out.list(&triangles, |out, &&[a, b, c, _]| out.bytes([a, b, c]));
    out.list(&triangles, |out, &&[.., edges]| out.bytes([edges]));
}

/// The detail surface of a polygon.
struct Patch {
    /// The vertices of the polygon, then further ones.
    vertices: Vec<Vec3>,
    /// Corners, and two bits per edge, as in a tile.
    triangles: Vec<[u8; 4]>,
}

impl Patch {
    fn of(ground: &Ground, tile: &Tile, poly: &GroundPoly) -> Self {
        let mut vertices: Vec<_> =
            corners(poly).iter().map(|&vertex| ground.vertices[vertex as usize]).collect();
        // The polygon may also have vertices of neighboring tiles, and equal vertices are merged.
        let nearest = |to: &Vec3| {
            let far = |at: &Vec3| at.distance_squared(*to);
            let ring = vertices.iter().enumerate();
            ring.min_by(|a, b| far(a.1).total_cmp(&far(b.1))).map_or(0, |(index, _)| index)
        };
        let mut numbers: Vec<_> =
            tile.corners(&tile.polys[poly.index]).iter().map(nearest).collect();
        let patch = &tile.detail_patches[poly.index];
        let own = &tile.detail_vertices[patch.first_vertex as usize..][..patch.n_vertices.into()];
        numbers.extend(vertices.len()..vertices.len() + own.len());
        vertices.extend(own);
        let number = |corner: u8| {
            numbers.get(usize::from(corner)).and_then(|&number| u8::try_from(number).ok())
        };
        let triangle =
            |&[a, b, c, edges]: &[u8; 4]| Some([number(a)?, number(b)?, number(c)?, edges]);
        let triangles = tile.detail_of(poly.index).iter().filter_map(triangle).collect();
        Self { vertices, triangles }
    }
}

/// Writes the field `settings`, from which `bevy_rerecast` bakes again. Unknown values are its defaults.
fn put_settings(out: &mut Bincode, input: &ExportInput<'_>, row: usize) {
    let Some(header) = input.mesh.tiles().next().map(|tile| tile.header) else { return };
    let (radius, height) = (header.walkable_radius, header.walkable_height);
    let per_radius = |cell: Option<f32>, default: f32| {
        cell.map(|cell| radius / cell).filter(|cells| *cells > 0.0).unwrap_or(default)
    };
    out.floats([per_radius(input.cell_size(), 3.0), per_radius(input.cell_height, 4.0)]);
    out.floats([height, radius, header.walkable_climb]);
    out.floats([input.max_slope.unwrap_or(45.0).to_radians()]);
    // Sizes of regions and longest edge.
    out.unsigned([8, 20, 8]);
    out.floats([1.3]);
    out.unsigned([index_u32(row)]);
    // Detail surface, and size of tiles.
    out.floats([6.0, 1.0]);
    out.unsigned([32]);
    // No bounds, edges of walls are divided, no tiles.
    out.bytes([0, 1, 0]);
    // No volumes.
    out.unsigned([0]);
    // No filter.
    out.bytes([0]);
    out.floats(Vec3::Y.to_array());
}

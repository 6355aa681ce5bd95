//! JSON for scripts: polygons, links and off-mesh links, numbered through the whole file.

use std::collections::BTreeMap;

use glam::Vec3;
use serde::Serialize;
use walkable_bake::bake::Rgb;
use walkable_runtime::{
    ids::AreaId,
    navmesh::{NavMesh, NavMeshParams, PORTAL_BIT, PolyLink, PolyRef, Tile},
};

use crate::input::{ExportError, ExportInput};

/// Version of the JSON format.
pub const JSON_VERSION: u32 = 1;
/// Edge of a link from the ground onto an off-mesh link.
const NO_EDGE: u8 = 0xff;

#[derive(Serialize)]
struct Document<'a> {
    walkable_navmesh: u32,
    generator: &'static str,
    params: &'a NavMeshParams,
    areas: Vec<AreaRow>,
    tiles: Vec<TileRow<'a>>,
    polygons: Vec<PolyRow>,
    off_mesh_links: Vec<LinkRow>,
}

#[derive(Serialize)]
struct AreaRow {
    id: u8,
    name: String,
    color: Rgb,
    cost: f32,
    entering_cost: f32,
}

#[derive(Serialize)]
struct TileRow<'a> {
    x: i32,
    z: i32,
    layer: i32,
    min: Vec3,
    max: Vec3,
    agent_height: f32,
    agent_radius: f32,
    agent_max_climb: f32,
    first_polygon: usize,
    n_polygons: usize,
    vertices: &'a [Vec3],
}

#[derive(Serialize)]
struct PolyRow {
    /// As text, because numbers of 64 bits are not exact in all readers.
    reference: String,
    tile: usize,
    area: AreaId,
    flags: u16,
    /// Indices in the vertices of the tile, clockwise seen from above.
    vertices: Vec<u16>,
    /// For each edge, the polygon across it in the same tile.
    neighbors: Vec<Option<usize>>,
    links: Vec<PolyLinkRow>,
}

#[derive(Serialize)]
struct PolyLinkRow {
    to: usize,
    edge: Option<u8>,
    portal: [Vec3; 2],
}

#[derive(Serialize)]
struct LinkRow {
    user_id: u32,
    polygon: usize,
    start: Vec3,
    end: Vec3,
    radius: f32,
    bidirectional: bool,
    area: AreaId,
    flags: u16,
}

/// Writes the file.
pub(crate) fn write(input: &ExportInput<'_>) -> Result<Vec<u8>, ExportError> {
    let mesh = input.mesh;
    let (mut references, mut first) = (Vec::new(), Vec::new());
    for (slot, tile) in mesh.slots() {
        first.push(references.len());
        let all = (0..tile.polys.len()).filter_map(|poly| mesh.poly_ref(slot, poly));
        references.extend(all);
    }
    let numbers: BTreeMap<PolyRef, usize> =
        references.iter().enumerate().map(|(number, &reference)| (reference, number)).collect();
    let document = Document {
        walkable_navmesh: JSON_VERSION,
        generator: concat!("walkable ", env!("CARGO_PKG_VERSION")),
        params: mesh.params(),
        areas: areas(input),
        tiles: tiles(mesh, &first),
        polygons: polygons(mesh, &numbers, &references, &first),
        off_mesh_links: off_mesh_links(mesh, &first),
    };
    let mut bytes = serde_json::to_vec(&document)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Returns the areas that polygons have.
fn areas(input: &ExportInput<'_>) -> Vec<AreaRow> {
    let mut ids: Vec<_> =
        input.mesh.tiles().flat_map(|tile| &tile.polys).map(|poly| poly.area.0).collect();
    ids.sort_unstable();
    ids.dedup();
    let row = |id| {
        let area = input.areas.area(id);
        let (color, cost) = (input.color(id), area.cost);
        AreaRow { id, name: area.name, color, cost, entering_cost: area.entering_cost }
    };
    ids.into_iter().map(row).collect()
}

fn tiles<'a>(mesh: &'a NavMesh, first: &[usize]) -> Vec<TileRow<'a>> {
    let row = |(tile, &first): (&'a Tile, &usize)| {
        let header = &tile.header;
        TileRow {
            x: header.x,
            z: header.z,
            layer: header.layer,
            min: header.bounds.min,
            max: header.bounds.max,
            agent_height: header.walkable_height,
            agent_radius: header.walkable_radius,
            agent_max_climb: header.walkable_climb,
            first_polygon: first,
            n_polygons: tile.polys.len(),
            vertices: &tile.vertices,
        }
    };
    mesh.tiles().zip(first).map(row).collect()
}

fn polygons(
    mesh: &NavMesh,
    numbers: &BTreeMap<PolyRef, usize>,
    references: &[PolyRef],
    first: &[usize],
) -> Vec<PolyRow> {
    let mut rows = Vec::with_capacity(references.len());
    for (index, (tile, &first)) in mesh.tiles().zip(first).enumerate() {
        for poly in &tile.polys {
            let reference = references[rows.len()];
            let link = |link: PolyLink| {
                Some(PolyLinkRow {
                    to: *numbers.get(&link.to)?,
                    edge: (link.edge != NO_EDGE).then_some(link.edge),
                    portal: [link.portal.left, link.portal.right],
                })
            };
            let neighbor = |&value: &u16| {
                let index = usize::from(value).checked_sub(1)?;
                (value & PORTAL_BIT == 0).then_some(first + index)
            };
            let n = usize::from(poly.n_vertices);
            rows.push(PolyRow {
                reference: reference.0.to_string(),
                tile: index,
                area: poly.area,
                flags: poly.flags,
                vertices: poly.vertices().to_vec(),
                neighbors: poly.neighbors[..n].iter().map(neighbor).collect(),
                links: mesh.links(reference).filter_map(link).collect(),
            });
        }
    }
    rows
}

fn off_mesh_links(mesh: &NavMesh, first: &[usize]) -> Vec<LinkRow> {
    let mut rows = Vec::new();
    for (tile, &first) in mesh.tiles().zip(first) {
        for link in &tile.off_mesh {
            let poly = &tile.polys[usize::from(link.poly)];
            rows.push(LinkRow {
                user_id: link.user_id,
                polygon: first + usize::from(link.poly),
                start: link.ends[0],
                end: link.ends[1],
                radius: link.radius,
                bidirectional: link.is_both_ways(),
                area: poly.area,
                flags: poly.flags,
            });
        }
    }
    rows
}

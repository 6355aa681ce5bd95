//! Text scenes and resources of Godot: format 3 of Godot 4, format 2 of Godot 3.
//!
//! A region has one cost and one set of layers, so each tile has a region for every combination of area and flags in
//! it. Neighbors have common vertices, so the regions are connected by their edges.

use std::fmt::{self, Write as _};

use glam::Vec3;
use walkable_runtime::{ids::AreaId, navmesh::Tile};

use crate::{
    ground::{Ground, GroundPoly, ground_count, off_mesh_of},
    input::{ExportError, ExportInput},
};

/// The versions of Godot whose text formats differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GodotVersion {
    /// Godot 3.
    Three,
    /// Godot 4.
    Four,
}

/// Polygons of a tile that become one region.
struct Region<'a> {
    name: String,
    tile: &'a Tile,
    area: AreaId,
    flags: u16,
    polys: Vec<&'a GroundPoly>,
}

/// Writes a scene with regions and off-mesh links.
pub(crate) fn scene(
    input: &ExportInput<'_>,
    version: GodotVersion,
) -> Result<Vec<u8>, ExportError> {
    let ground = Ground::of(input.mesh);
    if ground.polys.is_empty() {
        return Err(ExportError::Empty);
    }
    let regions = regions(input, &ground, version);
    let mut text = String::new();
    let (format, root) = match version {
        GodotVersion::Three => (2, "Navigation"),
        GodotVersion::Four => (3, "Node3D"),
    };
    // Writing to a string cannot fail.
    let _ = write!(text, "[gd_scene load_steps={} format={format}]\n\n", regions.len() + 1);
    for (number, region) in (1..).zip(&regions) {
        let id = Id { number, version };
        let _ = writeln!(text, "[sub_resource type=\"NavigationMesh\" id={id}]");
        put_mesh(&mut text, &ground, &region.polys, version);
        if version == GodotVersion::Four {
            put_agent(&mut text, input, region.tile);
        }
        text.push('\n');
    }
    let _ = write!(text, "[node name=\"Navmesh\" type=\"{root}\"]\n\n");
    for (number, region) in (1..).zip(&regions) {
        let id = Id { number, version };
        put_region(&mut text, input, region, id);
    }
    if version == GodotVersion::Four {
        put_links(&mut text, input);
    }
    Ok(text.into_bytes())
}

/// Writes all polygons as one navigation mesh of Godot 4.
pub(crate) fn resource(input: &ExportInput<'_>) -> Result<Vec<u8>, ExportError> {
    let ground = Ground::of(input.mesh);
    let tile = input.mesh.tiles().find(|tile| ground_count(tile) > 0).ok_or(ExportError::Empty)?;
    let mut text = String::from("[gd_resource type=\"NavigationMesh\" format=3]\n\n[resource]\n");
    let polys: Vec<_> = ground.polys.iter().collect();
    put_mesh(&mut text, &ground, &polys, GodotVersion::Four);
    put_agent(&mut text, input, tile);
    Ok(text.into_bytes())
}

/// Returns the regions: one per tile in Godot 3, which has no costs; one per tile, area and flags in Godot 4.
fn regions<'a>(
    input: &ExportInput<'a>,
    ground: &'a Ground,
    version: GodotVersion,
) -> Vec<Region<'a>> {
    let tiles: Vec<_> = input.mesh.tiles().collect();
    let mut all = Vec::new();
    for of_tile in ground.polys.chunk_by(|a, b| a.tile == b.tile) {
        let tile = tiles[of_tile[0].tile];
        let header = &tile.header;
        let place = format!("Tile_{}_{}_{}", header.x, header.z, header.layer);
        let mut polys: Vec<_> = of_tile.iter().collect();
        let key = |poly: &GroundPoly| match version {
            GodotVersion::Three => (0, 0),
            GodotVersion::Four => (poly.area.0, poly.flags),
        };
        polys.sort_by_key(|poly| key(poly));
        for (number, group) in polys.chunk_by(|a, b| key(a) == key(b)).enumerate() {
            let (area, flags) = (group[0].area, group[0].flags);
            let name = if number == 0 {
                place.clone()
            } else {
                format!("{place}_{}_{flags}", in_name(&input.areas.name(area.0)))
            };
            all.push(Region { name, tile, area, flags, polys: group.to_vec() });
        }
    }
    all
}

/// Replaces characters that names of nodes cannot contain.
fn in_name(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}

/// The identifier of a sub-resource.
#[derive(Clone, Copy)]
struct Id {
    number: usize,
    version: GodotVersion,
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.number;
        match self.version {
            GodotVersion::Three => write!(f, "{number}"),
            GodotVersion::Four => write!(f, "\"NavigationMesh_{number}\""),
        }
    }
}

/// Writes the vertices that `polys` use, and the polygons, clockwise seen from above as Godot bakes them.
fn put_mesh(text: &mut String, ground: &Ground, polys: &[&GroundPoly], version: GodotVersion) {
    let (floats, ints) = match version {
        GodotVersion::Three => ("PoolVector3Array", "PoolIntArray"),
        GodotVersion::Four => ("PackedVector3Array", "PackedInt32Array"),
    };
    let mut used: Vec<u32> = polys.iter().flat_map(|poly| &poly.ring).copied().collect();
    used.sort_unstable();
    used.dedup();
    let points = used.iter().map(|&vertex| Numbers(ground.vertices[vertex as usize]));
    let _ = writeln!(text, "vertices = {floats}({})", joined(points));
    let polygon = |poly: &&GroundPoly| {
        let number = |vertex| used.binary_search(vertex).unwrap_or_default();
        format!("{ints}({})", joined(poly.ring.iter().rev().map(number)))
    };
    let _ = writeln!(text, "polygons = [{}]", joined(polys.iter().map(polygon)));
}

/// Writes the agent and the voxels of a navigation mesh.
fn put_agent(text: &mut String, input: &ExportInput<'_>, tile: &Tile) {
    let header = &tile.header;
    let known = [
        ("cell_size", input.cell_size()),
        ("cell_height", input.cell_height),
        ("agent_height", Some(header.walkable_height)),
        ("agent_radius", Some(header.walkable_radius)),
        ("agent_max_climb", Some(header.walkable_climb)),
        ("agent_max_slope", input.max_slope),
    ];
    for (name, value) in known {
        if let Some(value) = value {
            let _ = writeln!(text, "{name} = {value:?}");
        }
    }
}

fn put_region(text: &mut String, input: &ExportInput<'_>, region: &Region<'_>, id: Id) {
    let (kind, property) = match id.version {
        GodotVersion::Three => ("NavigationMeshInstance", "navmesh"),
        GodotVersion::Four => ("NavigationRegion3D", "navigation_mesh"),
    };
    let _ = writeln!(text, "[node name=\"{}\" type=\"{kind}\" parent=\".\"]", region.name);
    let _ = writeln!(text, "{property} = SubResource({id})");
    if id.version == GodotVersion::Four {
        put_costs(text, input, region.area, region.flags);
    }
    text.push('\n');
}

/// Writes layers and costs.
fn put_costs(text: &mut String, input: &ExportInput<'_>, area: AreaId, flags: u16) {
    let area = input.areas.area(area.0);
    let _ = writeln!(text, "navigation_layers = {flags}");
    let _ = writeln!(text, "enter_cost = {:?}", area.entering_cost);
    let _ = writeln!(text, "travel_cost = {:?}", area.cost);
}

fn put_links(text: &mut String, input: &ExportInput<'_>) {
    let links = input.mesh.tiles().flat_map(off_mesh_of);
    for (number, (link, poly)) in (1..).zip(links) {
        let name = format!("Link_{number}_{}", link.user_id);
        let _ = writeln!(text, "[node name=\"{name}\" type=\"NavigationLink3D\" parent=\".\"]");
        let _ = writeln!(text, "bidirectional = {}", link.is_both_ways());
        for (end, point) in ["start", "end"].into_iter().zip(link.ends) {
            let _ = writeln!(text, "{end}_position = Vector3({})", Numbers(point));
        }
        put_costs(text, input, poly.area, poly.flags);
        text.push('\n');
    }
}

/// The coordinates of a point.
struct Numbers(Vec3);

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Vec3 { x, y, z } = self.0;
        write!(f, "{x}, {y}, {z}")
    }
}

fn joined<T: fmt::Display>(items: impl Iterator<Item = T>) -> String {
    let mut text = String::new();
    for (index, item) in items.enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        let _ = write!(text, "{separator}{item}");
    }
    text
}

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    str::FromStr,
};

use walkable::{
    export::{ExportFormat, ExportInput},
    navmesh::{NavMesh, PolyKind},
};

use crate::sample::{TILED, area, assert_same_area, baked, ground_area};

/// A section of a text scene: its heading and its properties.
struct Section<'a> {
    heading: &'a str,
    properties: BTreeMap<&'a str, &'a str>,
}

fn sections(text: &str) -> Vec<Section<'_>> {
    let mut all: Vec<Section<'_>> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        if line.starts_with('[') {
            all.push(Section { heading: line, properties: BTreeMap::new() });
        } else {
            let (name, value) = line.split_once(" = ").unwrap();
            assert!(all.last_mut().unwrap().properties.insert(name, value).is_none(), "{line}");
        }
    }
    all
}

/// Returns the numbers in the parentheses of `text`.
fn numbers<T: FromStr<Err: Debug>>(text: &str) -> Vec<T> {
    let inner = text.split_once('(').unwrap().1.split_once(')').unwrap().0;
    inner.split(", ").map(|number| number.parse().unwrap()).collect()
}

/// Returns the polygons of a navigation mesh, as points.
fn polygons(mesh: &Section<'_>) -> Vec<Vec<[f32; 3]>> {
    let points: Vec<f32> = numbers(mesh.properties["vertices"]);
    let point = |index: usize| -> [f32; 3] {
        let at = 3 * index;
        points[at..at + 3].try_into().unwrap()
    };
    let list = mesh.properties["polygons"];
    list.split("), ")
        .map(|polygon| {
            let closed = format!("{})", polygon.trim_end_matches([']', ')']));
            numbers(&closed).into_iter().map(point).collect()
        })
        .collect()
}

fn scene(mesh: &NavMesh, areas: &walkable::bake::AreaTable, format: ExportFormat) -> String {
    let input = ExportInput { cell_height: Some(0.2), ..ExportInput::new(mesh, areas) };
    String::from_utf8(format.write(&input).unwrap()).unwrap()
}

fn total_area<'a>(polygons: impl Iterator<Item = &'a Vec<[f32; 3]>>) -> f64 {
    polygons.map(|ring| area(ring.iter().map(|at| [at[0], at[2]]))).sum()
}

/// Returns the number of pairs of ground polygons that are linked over an edge.
fn n_linked(mesh: &NavMesh) -> usize {
    let mut pairs = BTreeSet::new();
    for (slot, tile) in mesh.slots() {
        let ground =
            (0..tile.polys.len()).filter(|&poly| tile.polys[poly].kind == PolyKind::Ground);
        for poly in ground.map(|poly| mesh.poly_ref(slot, poly).unwrap()) {
            for link in mesh.links(poly).filter(|link| link.edge != 0xff) {
                // A link narrower than a tenth of a cell is ignored.
                if link.portal.left.distance(link.portal.right) > 0.03 {
                    pairs.insert((poly.min(link.to), poly.max(link.to)));
                }
            }
        }
    }
    pairs.len()
}

#[test]
fn the_scenes_have_a_region_per_tile_area_and_flags() {
    let (mesh, areas) = baked("sample", TILED);
    for (format, kind, heading) in [
        (ExportFormat::Godot, "NavigationRegion3D", "[gd_scene load_steps="),
        (ExportFormat::Godot3, "NavigationMeshInstance", "[gd_scene load_steps="),
    ] {
        let text = scene(&mesh, &areas, format);
        let all = sections(&text);
        assert!(all[0].heading.starts_with(heading));
        let of = |part: &str| {
            all.iter().filter(|section| section.heading.contains(part)).collect::<Vec<_>>()
        };
        let meshes = of("[sub_resource type=\"NavigationMesh\"");
        assert_eq!(meshes.len(), of(kind).len());
        assert!(meshes.len() >= mesh.tiles().count());
        assert!(all[0].heading.contains(&format!("load_steps={} ", meshes.len() + 1)));
        let polygons: Vec<_> = meshes.iter().flat_map(|section| polygons(section)).collect();
        assert_same_area(total_area(polygons.iter()), ground_area(&mesh));
        // Neighbors share their edges exactly, across regions as well.
        let mut edges = BTreeMap::new();
        for ring in &polygons {
            for (a, b) in ring.iter().zip(ring.iter().cycle().skip(1)) {
                let key = |at: &[f32; 3]| at.map(f32::to_bits);
                *edges.entry((key(a).min(key(b)), key(a).max(key(b)))).or_insert(0) += 1;
            }
        }
        let n_shared = edges.values().filter(|count| **count == 2).count();
        assert!(edges.values().all(|count| *count <= 2));
        assert!(n_shared >= n_linked(&mesh), "{n_shared} shared edges");
    }
}

#[test]
fn regions_and_links_of_godot_4_have_costs_and_layers() {
    let (mesh, areas) = baked("sample", TILED);
    let text = scene(&mesh, &areas, ExportFormat::Godot);
    let all = sections(&text);
    let water = all.iter().find(|section| section.properties.get("travel_cost") == Some(&"4.0"));
    let water = water.unwrap();
    assert_eq!(water.properties["enter_cost"], "2.0");
    assert_eq!(water.properties["navigation_layers"], "2");
    let links: Vec<_> =
        all.iter().filter(|section| section.heading.contains("NavigationLink3D")).collect();
    assert_eq!(links.len(), 2);
    assert_eq!(links[0].properties["start_position"], "Vector3(2, 0, 2)");
    assert_eq!(links[0].properties["end_position"], "Vector3(4, 0, 4)");
    assert_eq!(links[0].properties["bidirectional"], "true");
    assert_eq!(links[1].properties["bidirectional"], "false");
    assert_eq!(links[1].properties["navigation_layers"], "8");
    let navmesh = all.iter().find(|section| section.heading.contains("sub_resource")).unwrap();
    assert_eq!(navmesh.properties["cell_height"], "0.2");
    assert_eq!(navmesh.properties["agent_radius"], "0.6");
}

#[test]
fn the_resource_has_all_polygons() {
    let (mesh, areas) = baked("town", "");
    let text = scene(&mesh, &areas, ExportFormat::GodotMesh);
    let all = sections(&text);
    assert_eq!(all.len(), 2);
    assert_same_area(total_area(polygons(&all[1]).iter()), ground_area(&mesh));
}

use serde_json::Value;
use walkable::{
    export::{ExportFormat, ExportInput},
    mesh::read_gltf,
};

use crate::sample::{TILED, area, assert_same_area, baked, ground_area};

/// Returns the document of a binary file.
fn document(bytes: &[u8]) -> Value {
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap());
    serde_json::from_slice(&bytes[20..20 + usize::try_from(length).unwrap()]).unwrap()
}

#[test]
fn our_reader_finds_the_same_ground_in_both_forms() {
    for (level, more) in [("sample", ""), ("sample", TILED), ("town", ""), ("tower", "")] {
        let (mesh, areas) = baked(level, more);
        let input = ExportInput::new(&mesh, &areas);
        let files = [ExportFormat::Glb, ExportFormat::Gltf].map(|format| {
            let bytes = format.write(&input).unwrap();
            read_gltf(&bytes, &|name| panic!("{name} is another file")).unwrap()
        });
        assert_eq!(files[0], files[1], "{level}");
        assert!(files[0].warnings.is_empty(), "{level}: {:?}", files[0].warnings);
        let (mut total, mut min_up) = (0.0, f32::INFINITY);
        for triangle in &files[0].triangles {
            let [a, b, c] = triangle.map(|index| files[0].vertices[index as usize]);
            total += area([a, b, c].iter().map(|at| [at.x, at.z]));
            min_up = min_up.min((b - a).cross(c - a).y);
        }
        assert_same_area(total, ground_area(&mesh));
        assert!(min_up > 0.0, "{level}: a triangle faces down or has no area: {min_up}");
    }
}

#[test]
fn areas_are_materials_and_links_are_nodes() {
    let (mesh, areas) = baked("sample", TILED);
    let bytes = ExportFormat::Glb.write(&ExportInput::new(&mesh, &areas)).unwrap();
    let file = read_gltf(&bytes, &|_| panic!("no other file")).unwrap();
    let materials: Vec<_> = file.parts.iter().map(|part| &*part.material).collect();
    assert!(materials.contains(&"deep water") && materials.contains(&"Ground"), "{materials:?}");
    let document = document(&bytes);
    let water = document["materials"].as_array().unwrap();
    let water = water.iter().find(|material| material["name"] == "deep water").unwrap();
    assert_eq!(water["extras"]["cost"], 4.0);
    assert_eq!(water["extras"]["entering_cost"], 2.0);
    // #112233 in linear light.
    assert_eq!(water["pbrMetallicRoughness"]["baseColorFactor"][0], 0.005_605);
    let nodes = document["nodes"].as_array().unwrap();
    let links: Vec<_> =
        nodes.iter().filter(|node| node["extras"]["off_mesh_link"] == true).collect();
    assert_eq!(links.len(), 2);
    assert_eq!(links[0]["extras"]["start"], serde_json::json!([2.0, 0.0, 2.0]));
    let both_ways = |link: &&Value| link["extras"]["bidirectional"].as_bool().unwrap();
    assert_eq!(links.iter().map(both_ways).filter(|both| *both).count(), 1);
    assert_eq!(links[0]["extras"]["flags"], 8);
}

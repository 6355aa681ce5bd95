use serde_json::Value;
use walkable::export::{ExportFormat, ExportInput, JSON_VERSION};

use crate::sample::{TILED, baked};

#[test]
fn json_has_every_polygon_link_and_area() {
    let (mesh, areas) = baked("sample", TILED);
    let bytes = ExportFormat::Json.write(&ExportInput::new(&mesh, &areas)).unwrap();
    let file: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(file["walkable_navmesh"], JSON_VERSION);
    let polygons = file["polygons"].as_array().unwrap();
    let mut number = 0;
    for ((slot, tile), row) in mesh.slots().zip(file["tiles"].as_array().unwrap()) {
        assert_eq!(row["first_polygon"], number);
        assert_eq!(row["vertices"].as_array().unwrap().len(), tile.vertices.len());
        for (index, poly) in tile.polys.iter().enumerate() {
            let (row, reference) = (&polygons[number], mesh.poly_ref(slot, index).unwrap());
            assert_eq!(row["reference"], reference.0.to_string());
            assert_eq!(
                [&row["area"], &row["flags"]],
                [&poly.area.0.into(), &poly.flags.into()] as [&Value; 2]
            );
            assert_eq!(row["vertices"].as_array().unwrap().len(), usize::from(poly.n_vertices));
            let links = row["links"].as_array().unwrap();
            assert_eq!(links.len(), mesh.links(reference).count());
            for (row, link) in links.iter().zip(mesh.links(reference)) {
                let to = usize::try_from(row["to"].as_u64().unwrap()).unwrap();
                assert_eq!(polygons[to]["reference"], link.to.0.to_string());
                assert_eq!(row["edge"].is_null(), link.edge == 0xff);
            }
            number += 1;
        }
    }
    assert_eq!(polygons.len(), number);
    let links = file["off_mesh_links"].as_array().unwrap();
    assert_eq!((links.len(), &links[0]["area"]), (2, &5.into()));
    let names: Vec<_> =
        file["areas"].as_array().unwrap().iter().map(|area| &area["name"]).collect();
    assert!(names.contains(&&"deep water".into()), "{names:?}");
}

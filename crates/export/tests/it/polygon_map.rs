use std::collections::BTreeSet;

use walkable::{
    export::{ExportFormat, ExportInput},
    query::polyanya::PolygonMesh,
};

use crate::sample::{Graph, LEVELS, assert_same_graph, baked};

#[test]
fn polygons_have_the_neighbors_that_links_lead_to() {
    for (level, more) in LEVELS {
        let (mesh, areas) = baked(level, more);
        let bytes = ExportFormat::PolygonMap.write(&ExportInput::new(&mesh, &areas)).unwrap();
        let map: PolygonMesh = String::from_utf8(bytes).unwrap().parse().unwrap();
        let poly = |number| {
            let corners = map.corners(number).map(|at| at.as_vec2().to_array()).collect();
            let neighbors: BTreeSet<_> = map.gates(number).iter().map(|gate| gate.to).collect();
            (corners, neighbors)
        };
        let polys: Graph = (0..u32::try_from(map.n_polygons()).unwrap()).map(poly).collect();
        assert_same_graph(level, &mesh, &polys);
    }
}

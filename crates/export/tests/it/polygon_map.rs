use std::collections::BTreeSet;

use walkable::{
    export::{ExportFormat, ExportInput},
    navmesh::PolyKind,
    query::polyanya::PolygonMesh,
};

use crate::sample::{TILED, area, assert_same_area, baked, ground_area};

#[test]
fn polygons_have_the_neighbors_that_links_lead_to() {
    for (level, more) in
        [("sample", ""), ("sample", TILED), ("town", ""), ("tower", ""), ("spiral", "")]
    {
        let (mesh, areas) = baked(level, more);
        let bytes = ExportFormat::PolygonMap.write(&ExportInput::new(&mesh, &areas)).unwrap();
        let map: PolygonMesh = String::from_utf8(bytes).unwrap().parse().unwrap();
        // Polygons are in the order of tiles.
        let mut numbers = Vec::new();
        for (slot, tile) in mesh.slots() {
            let ground = |index: &usize| tile.polys[*index].kind == PolyKind::Ground;
            let indices = (0..tile.polys.len()).filter(ground);
            numbers.extend(indices.map(|index| mesh.poly_ref(slot, index).unwrap()));
        }
        assert_eq!(map.n_polygons(), numbers.len(), "{level}");
        let (mut total, mut n_links) = (0.0, 0);
        for (number, &reference) in (0..).zip(&numbers) {
            total += area(map.corners(number).map(|at| at.as_vec2().to_array()));
            let gates: BTreeSet<_> = map.gates(number).iter().map(|gate| gate.to).collect();
            for link in mesh.links(reference).filter(|link| link.edge != 0xff) {
                let Some(to) = numbers.iter().position(|other| *other == link.to) else { continue };
                // A link over less than a tenth of a cell is not a way for anybody.
                if link.portal.left.distance(link.portal.right) > 0.03 {
                    n_links += 1;
                    let to = u32::try_from(to).unwrap();
                    assert!(gates.contains(&to), "{level}: {number} to {to}: {link:?}");
                }
            }
        }
        assert!(n_links > numbers.len(), "{level}: only {n_links} links");
        assert_same_area(total, ground_area(&mesh));
    }
}

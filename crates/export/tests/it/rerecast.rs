use std::collections::BTreeSet;

use walkable::export::{ExportError, ExportFormat, ExportInput};

use crate::sample::{
    Graph, LEVELS, TILED, area, assert_same_area, assert_same_graph, baked, ground_area,
};

/// Values of Bincode, version 2, that are still to be read.
struct Bincode<'a>(&'a [u8]);

impl Bincode<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (head, tail) = self.0.split_first_chunk().unwrap();
        self.0 = tail;
        *head
    }

    fn unsigned(&mut self) -> u32 {
        match self.take() {
            [251] => u16::from_le_bytes(self.take()).into(),
            [252] => u32::from_le_bytes(self.take()),
            [byte] => byte.into(),
        }
    }

    fn floats<const N: usize>(&mut self) -> [f32; N] {
        [(); N].map(|()| f32::from_le_bytes(self.take()))
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.unsigned()).map(|_| item(self)).collect()
    }
}

#[test]
fn polygons_neighbors_and_detail_are_those_of_the_tiles() {
    for (level, more) in LEVELS {
        let (mesh, areas) = baked(level, more);
        let input = ExportInput::new(&mesh, &areas);
        let bytes = ExportFormat::Rerecast.write(&input).unwrap();
        let mut file = Bincode(&bytes);
        let vertices = file.list(|file| [(); 3].map(|()| file.unsigned()));
        let [polygons, neighbors] = [(); 2].map(|()| file.list(Bincode::unsigned));
        let [flags, regions] = [(); 2].map(|()| file.list(Bincode::unsigned));
        let kinds: BTreeSet<_> = file.list(Bincode::take::<1>).into_iter().zip(flags).collect();
        assert!(kinds.contains(&([255], 1)), "{level}: {kinds:?}");
        assert!(more != TILED || kinds.contains(&([1], 2)), "{level}: {kinds:?}");
        let row = file.unsigned() as usize;
        let [min, max]: [[f32; 3]; 2] = [(); 2].map(|()| file.floats());
        let [cell_size, cell_height] = file.floats();
        let (border, [edge_error]) = (file.unsigned(), file.floats());
        assert_eq!((border, edge_error), (0, 0.0));
        assert!(min[1] < max[1] && cell_height > 0.0, "{level}");

        #[expect(clippy::cast_precision_loss, reason = "few voxels")]
        let at = |&vertex: &u32| {
            let [x, _, z] = vertices[vertex as usize].map(|n| n as f32 * cell_size);
            [min[0] + x, min[2] + z]
        };
        let used = |row: &[u32]| row.iter().copied().filter(|&n| n != 0xffff).collect::<Vec<_>>();
        let rows = polygons.chunks(row).zip(neighbors.chunks(row));
        let polys: Graph = rows
            .map(|(ring, to)| (used(ring).iter().map(at).collect(), used(to).into_iter().collect()))
            .collect();
        assert_same_graph(level, &mesh, &polys);
        let rings: Vec<_> = polygons.chunks(row).map(used).collect();
        for (ring, neighbors) in rings.iter().zip(neighbors.chunks(row)) {
            let next = ring.iter().cycle().skip(1);
            for ((start, end), &to) in ring.iter().zip(next).zip(neighbors) {
                let has_edge =
                    rings.get(to as usize).is_none_or(|to| to.contains(start) && to.contains(end));
                assert!(
                    has_edge,
                    "{level}: polygon {to} does not have the edge from {start} to {end}"
                );
            }
        }
        assert_eq!(regions.len(), polys.len(), "{level}");

        let patches = file.list(|file| [(); 4].map(|()| file.unsigned() as usize));
        let vertices = file.list(Bincode::floats::<3>);
        let triangles = file.list(Bincode::take::<3>);
        assert_eq!(file.list(Bincode::take::<1>).len(), triangles.len(), "{level}");
        assert_eq!(patches.len(), polys.len(), "{level}");
        let mut total = 0.0;
        for (&[first_vertex, n_vertices, first_triangle, n_triangles], poly) in
            patches.iter().zip(&polys)
        {
            let vertices = &vertices[first_vertex..][..n_vertices];
            let place =
                |index: u8| [vertices[usize::from(index)][0], vertices[usize::from(index)][2]];
            for (corner, vertex) in poly.0.iter().zip(vertices) {
                let far = (corner[0] - vertex[0]).hypot(corner[1] - vertex[2]);
                assert!(far < 0.5 * cell_size, "{level}: {corner:?} and {vertex:?}");
            }
            for triangle in &triangles[first_triangle..][..n_triangles] {
                total += area(triangle.iter().map(|&index| place(index)));
            }
        }
        assert_same_area(total, ground_area(&mesh));
        assert_settings(&mut file, cell_size);
    }
}

/// Checks the settings at the end of a file.
#[track_caller]
fn assert_settings(file: &mut Bincode<'_>, cell_size: f32) {
    let [per_radius, _, height, radius, climb, slope] = file.floats();
    assert!((radius / per_radius - cell_size).abs() < 1e-5 && height > climb, "{per_radius}");
    assert!((slope - 45_f32.to_radians()).abs() < 1e-5);
    assert_eq!(file.0.len(), 34, "rest of the settings");
}

#[test]
fn the_voxels_of_the_bake_are_used_if_they_are_known() {
    let (mesh, areas) = baked("sample", "");
    let input = |cell_height| ExportInput { cell_height, ..ExportInput::new(&mesh, &areas) };
    let error = ExportFormat::Rerecast.write(&input(Some(1e-6))).unwrap_err();
    assert!(matches!(error, ExportError::TooLarge { what: "voxels along an axis", .. }), "{error}");
    let [unknown, known] = [None, Some(0.2)].map(|cell| ExportFormat::Rerecast.write(&input(cell)));
    assert_ne!(unknown.unwrap(), known.unwrap());
}

use std::collections::BTreeSet;

use glam::Vec3;
use walkable::{
    bake::AreaTable,
    export::{ExportError, ExportFormat, ExportInput},
    mesh::read_obj,
    navmesh::{NavMesh, Tile},
};

use crate::sample::{LEVELS, TILED, area, assert_same_area, baked, ground_area};

#[test]
fn every_format_has_its_own_name_and_texts() {
    let keys: BTreeSet<_> = ExportFormat::ALL.iter().map(|format| format.key()).collect();
    assert_eq!(keys.len(), ExportFormat::ALL.len(), "two formats have the same key");
    for &format in ExportFormat::ALL {
        assert_eq!(ExportFormat::of_key(format.key()), Some(format));
        let first = ExportFormat::of_ending(&format.ending().to_uppercase()).unwrap();
        assert_eq!(first.ending(), format.ending());
        for text in [format.name(), format.readers(), format.keeps(), format.loses()] {
            assert!(!text.is_empty() && !text.ends_with('.'), "{}: {text:?}", format.key());
        }
    }
    assert_eq!(ExportFormat::of_ending("tscn"), Some(ExportFormat::Godot));
    assert_eq!(ExportFormat::of_ending("exe"), None);
}

#[test]
fn every_format_has_the_same_bytes_each_time() {
    let (mesh, areas) = baked("sample", TILED);
    let input = ExportInput::new(&mesh, &areas);
    for &format in ExportFormat::ALL {
        let bytes = format.write(&input).unwrap();
        assert!(bytes == format.write(&input).unwrap(), "{}", format.key());
        assert!(bytes.len() > 1000, "{}: {} bytes", format.key(), bytes.len());
    }
}

#[test]
fn a_navmesh_without_ground_is_an_error_or_an_empty_file() {
    let (mesh, areas) = baked("sample", "");
    let empty = NavMesh::new(*mesh.params()).unwrap();
    for &format in ExportFormat::ALL {
        match format.write(&ExportInput::new(&empty, &areas)) {
            Ok(bytes) => assert!(bytes.len() < 1000, "{}", format.key()),
            Err(error) => assert!(matches!(error, ExportError::Empty), "{error}"),
        }
    }
}

#[test]
fn detour_tiles_are_read_back() {
    let (mesh, areas) = baked("town", "");
    let bytes = ExportFormat::Detour.write(&ExportInput::new(&mesh, &areas)).unwrap();
    assert!(NavMesh::from_bytes(&bytes).unwrap().to_bytes() == mesh.to_bytes());
}

#[test]
fn ply_has_the_polygons_with_areas_and_flags() {
    let (mesh, areas) = baked("sample", TILED);
    let bytes = ExportFormat::Ply.write(&ExportInput::new(&mesh, &areas)).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("end_header\n").unwrap();
    let count = |element: &str| -> usize {
        let prefix = format!("element {element} ");
        head.lines().find_map(|line| line.strip_prefix(&prefix)).unwrap().parse().unwrap()
    };
    let mut lines = body.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let vertex = |line: Vec<&str>| -> [f32; 3] {
        let numbers: Vec<f32> = line.iter().map(|number| number.parse().unwrap()).collect();
        numbers.try_into().unwrap()
    };
    let vertices: Vec<_> = lines.by_ref().take(count("vertex")).map(vertex).collect();
    let faces: Vec<_> = lines.collect();
    assert_eq!(faces.len(), count("face"));
    let (mut total, mut kinds) = (0.0, BTreeSet::new());
    for face in &faces {
        let numbers: Vec<usize> = face.iter().map(|number| number.parse().unwrap()).collect();
        let (ring, more) = numbers[1..].split_at(numbers[0]);
        total += area(ring.iter().map(|&index| [vertices[index][0], vertices[index][2]]));
        let [r, g, b, area, flags, tile] = *more else { panic!("{face:?}") };
        assert!(tile < mesh.tiles().count());
        kinds.insert((area, flags, [r, g, b]));
    }
    assert_same_area(total, ground_area(&mesh));
    assert!(kinds.contains(&(1, 2, [0x11, 0x22, 0x33])), "{kinds:?}");
    assert!(kinds.iter().any(|kind| (kind.0, kind.1) == (0, 1)), "{kinds:?}");
}

#[test]
fn areas_unknown_to_the_table_have_a_name_and_a_color() {
    let (mut mesh, _) = baked("sample", "");
    let (slot, _) = mesh.slots().next().unwrap();
    let poly = mesh.poly_ref(slot, 0).unwrap();
    mesh.set_area(poly, walkable::ids::AreaId(63));
    let areas = AreaTable::default();
    for &format in ExportFormat::ALL {
        format.write(&ExportInput::new(&mesh, &areas)).unwrap();
    }
}

#[test]
fn obj_has_the_triangles_of_the_detail_surface() {
    for (level, more) in LEVELS {
        let (mesh, areas) = baked(level, more);
        let bytes = ExportFormat::Obj.write(&ExportInput::new(&mesh, &areas)).unwrap();
        let file = read_obj(&bytes).unwrap();
        let expected: Vec<[Vec3; 3]> = mesh.tiles().flat_map(detail_triangles).collect();
        let corners = file.triangles.iter().map(|ids| ids.map(|id| file.vertices[id as usize]));
        assert!(corners.eq(expected.iter().copied()), "{level}: other triangles");
        let of_triangle = |corners: &[Vec3; 3]| area(corners.iter().map(|at| [at.x, at.z]));
        // The detail surface of a polygon covers the polygon.
        assert_same_area(expected.iter().map(of_triangle).sum(), ground_area(&mesh));
        let lines = String::from_utf8(bytes).unwrap();
        let n_links = lines.lines().filter(|line| line.starts_with("l ")).count();
        assert_eq!(n_links, mesh.tiles().map(|tile| tile.off_mesh.len()).sum::<usize>(), "{level}");
    }
}

/// Returns the triangles of the detail surface of a tile.
fn detail_triangles(tile: &Tile) -> Vec<[Vec3; 3]> {
    let mut triangles = Vec::new();
    for (index, (poly, patch)) in tile.polys.iter().zip(&tile.detail_patches).enumerate() {
        let corners = tile.corners(poly);
        let vertex = |corner: u8| match usize::from(corner).checked_sub(corners.len()) {
            None => corners[usize::from(corner)],
            Some(own) => tile.detail_vertices[patch.first_vertex as usize + own],
        };
        triangles.extend(tile.detail_of(index).iter().map(|&[a, b, c, _]| [a, b, c].map(vertex)));
    }
    triangles
}

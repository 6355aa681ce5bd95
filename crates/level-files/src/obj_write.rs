use std::fmt::Write as _;

use walkable_mesh::TriMesh;

/// Writes a mesh as OBJ text: all vertices, then the faces of each part under `o` and `usemtl`.
///
/// Coordinates have enough digits to be read as the same `f32`, so [`read_obj`](crate::read_obj) returns the same
/// vertices and triangles.
pub fn to_obj(mesh: &TriMesh) -> String {
    let n_lines = mesh.vertices().len() + mesh.triangles().len();
    let mut text = String::with_capacity(n_lines * 24);
    write_obj(&mut text, mesh);
    text
}

// Writing to a string cannot fail, so the results are ignored.
fn write_obj(text: &mut String, mesh: &TriMesh) {
    for v in mesh.vertices() {
        let _ = writeln!(text, "v {} {} {}", v.x, v.y, v.z);
    }
    let mut names = (String::new(), String::new());
    for part in mesh.parts() {
        let (object, material) = (on_one_line(&part.object), on_one_line(&part.material));
        if names.0 != object {
            let _ = writeln!(text, "o {object}");
        }
        if names.1 != material {
            let _ = writeln!(text, "usemtl {material}");
        }
        names = (object, material);
        let range = part.triangles.start as usize..part.triangles.end as usize;
        for [a, b, c] in &mesh.triangles()[range] {
            let _ = writeln!(
                text,
                "f {} {} {}",
                u64::from(*a) + 1,
                u64::from(*b) + 1,
                u64::from(*c) + 1
            );
        }
    }
}

/// Returns a name that does not end its statement.
fn on_one_line(name: &str) -> String {
    let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    name.trim_start().trim_end_matches(|c: char| c == '\\' || c.is_whitespace()).to_owned()
}

//! Collision shapes: objects that engines recognize by their names.

use std::collections::BTreeSet;

use walkable_mesh::MeshPart;
use walkable_runtime::diagnostic::{Code, Finding, Location};

use crate::{LevelFile, renumber::renumber};

/// Beginnings of names of collision shapes in Unreal: convex hull, box, capsule, sphere.
const PREFIXES: [&str; 4] = ["UCX_", "UBX_", "UCP_", "USP_"];
/// Ends of names of collision shapes, after `-` or `_`: those of Godot, and `collider`.
const SUFFIXES: [&str; 5] = ["col", "colonly", "convcol", "convcolonly", "collider"];

/// Returns whether an object with this name is a collision shape: the name of the object or of the group begins with
/// `UCX_`, `UBX_`, `UCP_` or `USP_`, or ends with `col`, `colonly`, `convcol`, `convcolonly` or `collider` after `-` or
/// `_`. Case, and a number at the end such as `.001`, do not matter.
pub fn is_collision_name(name: &str) -> bool {
    name.split('/').any(|name| {
        let has_prefix = |prefix: &&str| {
            name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
        };
        // Modeling tools append a number to the names of copies.
        let stem =
            name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c.is_whitespace());
        let last = stem.rsplit_once(['-', '_']).map(|(_, last)| last);
        let has_suffix = |suffix: &&str| last.is_some_and(|last| last.eq_ignore_ascii_case(suffix));
        PREFIXES.iter().any(has_prefix) || SUFFIXES.iter().any(has_suffix)
    })
}

impl LevelFile {
    /// Drops all objects that are not collision shapes by [`is_collision_name`], and vertices that are then unused. If
    /// the level has no collision shapes, it is unchanged. A finding says which it was.
    pub fn keep_collision_shapes(&mut self) {
        let is_kept: Vec<bool> =
            self.parts.iter().map(|part| is_collision_name(&part.object)).collect();
        let names = |kept: bool| -> BTreeSet<&str> {
            let parts = self.parts.iter().zip(&is_kept).filter(|(_, is_kept)| **is_kept == kept);
            parts.map(|(part, _)| &*part.object).collect()
        };
        let [kept, left_out] = [true, false].map(names);
        let place = || Location::Element("import options".to_owned());
        let Some(first) = kept.first() else {
            let missing = Finding::CollisionShapesMissing {};
            self.warnings.add(Code::CollisionShapesMissing, || (place(), missing));
            self.warnings.sort();
            return;
        };
        let (n, first, left_out) = (kept.len(), (*first).to_owned(), left_out.len());
        if left_out > 0 {
            self.drop_parts(&is_kept);
        }
        let only = Finding::CollisionShapesOnly { n, first, left_out };
        self.warnings.add(Code::CollisionShapesOnly, || (place(), only));
        self.warnings.sort();
    }

    /// Drops the parts that are not in `is_kept`, and unused vertices.
    fn drop_parts(&mut self, is_kept: &[bool]) {
        let mut triangles = Vec::new();
        let mut parts: Vec<MeshPart> = Vec::new();
        let mut kept = Vec::new();
        for part in self.parts.iter().zip(is_kept).filter_map(|(part, kept)| kept.then_some(part)) {
            let first = triangles.len();
            let range = part.triangles.start as usize..part.triangles.end as usize;
            triangles.extend_from_slice(self.triangles.get(range.clone()).unwrap_or_default());
            kept.push(range);
            let [start, end] =
                [first, triangles.len()].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
            parts.push(MeshPart { triangles: start..end, ..part.clone() });
        }
        let used = renumber(&mut triangles);
        if let Some(appearance) = &mut self.appearance {
            appearance.keep_vertices(&used);
            appearance.keep_triangles(&kept);
        }
        self.vertices = used.into_iter().map(|vertex| self.vertices[vertex as usize]).collect();
        (self.triangles, self.parts) = (triangles, parts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ImportOptions, read_obj};

    #[test]
    fn names_of_engines_are_recognized() {
        for name in [
            "UCX_Wall_01",
            "UBX_Wall",
            "UCP_Pole",
            "USP_Ball",
            "ucx_wall",
            "Wall-col",
            "Wall-colonly",
            "Wall-convcol",
            "Wall-convcolonly",
            "wall_col",
            "Wall_collider",
            "Wall-COL",
            "Wall-col.001",
            "Wall-col 2",
            "house/UCX_wall",
            "house-col/wall",
        ] {
            assert!(is_collision_name(name), "{name}");
        }
        for name in [
            "",
            "Wall",
            "col",
            "protocol",
            "UCX",
            "Wall-colored",
            "Wall col",
            "-",
            "AUCX_Wall",
            "W\u{e4}nd",
        ] {
            assert!(!is_collision_name(name), "{name}");
        }
    }

    const LEVEL: &str = "v 0 0 0\nv 0 0 1\nv 1 0 0\nv 50 0 0\nv 50 0 1\nv 51 0 0\n\
        o house\nf 4 5 6\no house-col\nf 1 2 3\no tree\nf 4 5 6\nf 6 5 4\no UCX_tree\nf 3 2 1\n";

    fn findings(level: &LevelFile) -> Vec<String> {
        let found = level.warnings.listed().iter();
        found.map(ToString::to_string).filter(|text| text.starts_with("import")).collect()
    }

    #[test]
    fn only_collision_shapes_are_kept() {
        let mut level = read_obj(LEVEL.as_bytes()).unwrap();
        level.keep_collision_shapes();
        assert_eq!((level.vertices.len(), &level.triangles[..]), (3, &[[0, 1, 2], [2, 1, 0]][..]));
        let parts: Vec<_> =
            level.parts.iter().map(|part| (&*part.object, part.triangles.clone())).collect();
        assert_eq!(parts, [("house-col", 0..1), ("UCX_tree", 1..2)]);
        assert_eq!(
            findings(&level),
            ["import options: objects named as collision shapes, such as `UCX_tree`: {n}; other objects left out: {left_out}"
                .replace("{n}", "2").replace("{left_out}", "2")]
        );
        let options = ImportOptions { collision_only: true, ..ImportOptions::default() };
        let mesh = options.import(read_obj(LEVEL.as_bytes()).unwrap()).unwrap();
        assert_eq!((mesh.triangles().len(), mesh.bounds().size().x), (2, 1.0));
    }

    #[test]
    fn a_level_without_collision_shapes_is_used_as_it_is() {
        let text = LEVEL.replace("-col", "").replace("UCX_", "");
        let (mut level, original) =
            (read_obj(text.as_bytes()).unwrap(), read_obj(text.as_bytes()).unwrap());
        level.keep_collision_shapes();
        assert_eq!((level.triangles.len(), level.vertices.len()), (5, 6));
        assert_eq!(level.parts, original.parts);
        let expected =
            "import options: no object is named as a collision shape, so all objects are used";
        assert_eq!(findings(&level), [expected]);
    }
}

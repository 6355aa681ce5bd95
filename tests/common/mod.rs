//! Reading the reference data: levels, settings and what the stages should come to.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use glam::Vec3;
use serde_json::Value;
use walkable::{
    bake::{BakeConfig, BakeInput, BakePlan},
    mesh::TriMesh,
};

/// Folders with `levels` and `cases`: the reference folder if it is there, and the copies of this
/// repository.
pub(crate) fn reference_roots() -> Vec<PathBuf> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = std::env::var_os("WALKABLE_REFERENCE")
        .map_or_else(|| package.join("../shared/reference"), PathBuf::from);
    [shared, package.join("tests/reference")].into_iter().filter(|r| r.is_dir()).collect()
}

/// Folders of all cases by name; the reference folder goes before the copies.
pub(crate) fn cases() -> BTreeMap<String, PathBuf> {
    let mut cases = BTreeMap::new();
    for root in reference_roots() {
        for entry in std::fs::read_dir(root.join("cases")).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            cases.entry(name).or_insert(path);
        }
    }
    cases
}

/// What the case in `folder` bakes.
pub(crate) fn plan(folder: &Path) -> BakePlan {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let level = read("level");
    let BakeConfig { settings, volumes, off_mesh } =
        BakeConfig::parse(&read("settings.cfg")).unwrap();
    let mesh = folder.join("../../levels").join(format!("{}.obj", level.trim()));
    let mesh = Arc::new(read_obj(&std::fs::read_to_string(mesh).unwrap()));
    BakePlan::new(BakeInput { mesh, settings, volumes, off_mesh }).unwrap()
}

/// What the stages of the case in `folder` should come to.
pub(crate) fn expected_stages(folder: &Path) -> Value {
    let text = std::fs::read_to_string(folder.join("stages.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Vertices and polygons of an OBJ file; polygons are cut into a fan from their first corner.
pub(crate) fn read_obj(text: &str) -> TriMesh {
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let mut number = || words.next().unwrap().parse().unwrap();
                vertices.push(Vec3::new(number(), number(), number()));
            }
            Some("f") => {
                let index = |word: &str| -> u32 {
                    let index: i64 = word.split('/').next().unwrap().parse().unwrap();
                    let n = i64::try_from(vertices.len()).unwrap();
                    u32::try_from(if index < 0 { n + index } else { index - 1 }).unwrap()
                };
                let corners: Vec<_> = words.map(index).collect();
                triangles
                    .extend(corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]));
            }
            _ => {}
        }
    }
    TriMesh::new(vertices, triangles).unwrap()
}

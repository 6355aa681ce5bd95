//! Reads the reference data: levels, settings and the expected results of the stages.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde_json::Value;
use walkable::{
    bake::{BakeConfig, BakePlan},
    mesh::{ImportOptions, TriMesh, read_obj},
};

/// Returns the root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the reference folder, which may not exist: `WALKABLE_REFERENCE` if set, otherwise `../shared/reference`.
pub fn shared_reference() -> PathBuf {
    std::env::var_os("WALKABLE_REFERENCE")
        .map_or_else(|| repository().join("../shared/reference"), PathBuf::from)
}

/// Returns the folder with the copies of some of the reference data in this repository.
pub fn own_reference() -> PathBuf {
    repository().join("tests/reference")
}

/// Returns the folders with `levels` and `cases`: the reference folder if it exists, and the copies in this repository.
pub fn reference_roots() -> Vec<PathBuf> {
    [shared_reference(), own_reference()].into_iter().filter(|r| r.is_dir()).collect()
}

/// Returns the folders of all cases by name. The reference folder takes precedence over the copies.
pub fn cases() -> BTreeMap<String, PathBuf> {
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

/// Reads a level as RecastDemo does, which splits every face into a fan.
pub fn reference_mesh(obj: &Path) -> TriMesh {
    let text = std::fs::read_to_string(obj).unwrap();
    let level = read_obj(with_fans(&text).as_bytes()).unwrap();
    ImportOptions::default().import(level).unwrap()
}

/// Replaces each face of an OBJ file by a fan of triangles from its first corner.
pub fn with_fans(obj: &str) -> String {
    let mut text = String::new();
    for line in obj.lines() {
        let corners: Vec<_> = line.split_whitespace().skip(1).collect();
        if line.starts_with("f ") && corners.len() > 3 {
            let fan = corners[1..].windows(2);
            text.extend(fan.map(|edge| format!("f {} {} {}\n", corners[0], edge[0], edge[1])));
        } else {
            text.extend([line, "\n"]);
        }
    }
    text
}

/// Returns the plan of the case in `folder`.
pub fn plan(folder: &Path) -> BakePlan {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let level = read("level");
    let config = BakeConfig::parse(&read("settings.cfg")).unwrap();
    let mesh = folder.join("../../levels").join(format!("{}.obj", level.trim()));
    BakePlan::new(config.with_mesh(Arc::new(reference_mesh(&mesh)))).unwrap()
}

/// Returns the expected results of the stages of the case in `folder`.
pub fn expected_stages(folder: &Path) -> Value {
    let text = std::fs::read_to_string(folder.join("stages.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

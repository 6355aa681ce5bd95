//! The reference's cases.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Folders of all cases by name; those of the reference folder, if it is there, go before the copies of
/// this repository.
pub(crate) fn cases() -> BTreeMap<String, PathBuf> {
    let shared = std::env::var_os("WALKABLE_REFERENCE")
        .map_or_else(|| root().join("../shared/reference"), PathBuf::from);
    let roots = [shared, root().join("tests/reference")].into_iter().filter(|root| root.is_dir());
    let mut cases = BTreeMap::new();
    for entry in roots.flat_map(|root| std::fs::read_dir(root.join("cases")).unwrap()) {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        cases.entry(name).or_insert(path);
    }
    cases
}

//! Checks that `include/walkable.h` is up to date. `UPDATE_HEADER=1 cargo test` writes it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{env, fs, path::Path};

#[test]
fn the_header_is_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    let mut header = Vec::new();
    cbindgen::generate_with_config(root, config).unwrap().write(&mut header);
    let path = root.join("include/walkable.h");
    if env::var_os("UPDATE_HEADER").is_some() {
        fs::write(&path, &header).unwrap();
    }
    assert!(fs::read(&path).unwrap() == header, "run `bash .ci/c update`");
}

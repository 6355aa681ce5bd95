//! Records for the page "About" what the program is built from: compiler, target, versions of libraries.

use std::{env, fs, process::Command};

const LIBRARIES: [&str; 6] = ["eframe", "wgpu", "glam", "rayon", "serde", "jiff"];
/// The lock file of the workspace; a published crate has none.
const LOCK: &str = "../../Cargo.lock";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if fs::exists(LOCK).is_ok_and(|exists| exists) {
        println!("cargo:rerun-if-changed={LOCK}");
    }
    let compiler = env::var("RUSTC").ok().and_then(|rustc| {
        let output = Command::new(rustc).arg("--version").output().ok()?;
        String::from_utf8(output.stdout).ok()
    });
    let compiler = compiler.unwrap_or_default();
    println!("cargo:rustc-env=WALKABLE_COMPILER={}", compiler.trim());
    println!("cargo:rustc-env=WALKABLE_TARGET={}", env::var("TARGET").unwrap_or_default());
    let lock = fs::read_to_string(LOCK).unwrap_or_default();
    let versions: Vec<_> = LIBRARIES.iter().map(|name| version(&lock, name)).collect();
    println!("cargo:rustc-env=WALKABLE_LIBRARIES={}", versions.join(", "));
}

/// Returns the name of a library with its version, if the lock file has one.
fn version(lock: &str, name: &str) -> String {
    let entry =
        lock.split("[[package]]").find(|entry| entry.contains(&format!("name = \"{name}\"\n")));
    let version = entry.and_then(|entry| entry.split("version = \"").nth(1)?.split('"').next());
    version.map_or_else(|| name.to_owned(), |version| format!("{name} {version}"))
}

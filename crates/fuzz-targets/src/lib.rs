//! Properties that hold for any input that the program reads, with one function for each file format or text language.
//! Each function takes the bytes of a file, and panics if the bytes are accepted and the result is wrong. Bytes may be
//! rejected.
//!
//! `fuzz/` calls them with generated inputs, `tests/it` with the files in `fuzz/corpus` and with damaged files.

mod bakes;
mod levels;
mod maps;
mod navmeshes;
mod overlaps;
mod questions;
mod texts;

pub use questions::ask_everything;

/// A file format or text language, named after its folder in `fuzz/corpus`.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name for `.ci/fuzz NAME`.
    pub name: &'static str,
    /// Panics if the bytes are accepted and the result is wrong.
    pub check: fn(&[u8]),
}

/// All targets.
pub const TARGETS: [Target; 31] = [
    Target { name: "bake", check: bakes::bake },
    Target { name: "crowd", check: texts::crowd },
    Target { name: "gltf", check: levels::gltf },
    Target { name: "gset", check: texts::gset },
    Target { name: "json", check: navmeshes::json },
    Target { name: "links", check: navmeshes::links },
    Target { name: "live", check: texts::live },
    Target { name: "map", check: maps::map },
    Target { name: "map3d", check: maps::map },
    Target { name: "mset", check: navmeshes::mset },
    Target { name: "obj", check: levels::obj },
    Target { name: "overlaps", check: overlaps::overlaps },
    Target { name: "overview", check: levels::overview },
    Target { name: "page_links", check: texts::page_links },
    Target { name: "part", check: navmeshes::part },
    Target { name: "ply", check: levels::ply },
    Target { name: "preferences", check: texts::preferences },
    Target { name: "project", check: texts::project },
    Target { name: "repro", check: texts::repro },
    Target { name: "routes", check: navmeshes::routes },
    Target { name: "scen", check: maps::scen },
    Target { name: "scen3d", check: maps::scen3d },
    Target { name: "settings", check: texts::settings },
    Target { name: "stl", check: levels::stl },
    Target { name: "store", check: navmeshes::store },
    Target { name: "suite", check: texts::suite },
    Target { name: "sweep", check: texts::sweep },
    Target { name: "tile", check: navmeshes::tile },
    Target { name: "tri", check: levels::tri },
    Target { name: "tset", check: navmeshes::tset },
    Target { name: "values", check: texts::values },
];

/// Checks `bytes` with the target called `name`.
///
/// # Panics
/// If there is no such target, or if the bytes are accepted and the result is wrong.
pub fn check(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    (target.expect("a target of this name").check)(bytes);
}

//! Support for the tests and benchmarks of several crates: the reference data, small glTF files, crafted navmeshes, large
//! towns, and recordings of tasks.
#![expect(clippy::unwrap_used, clippy::missing_panics_doc, reason = "a test fails by panicking")]

#[cfg(target_os = "linux")]
pub mod faults;
pub mod glb;
pub mod hostile;
pub mod piles;
mod reference;
pub mod tasks;
pub mod worlds;

pub use reference::{
    cases, expected_stages, own_reference, plan, reference_mesh, reference_roots, repository,
    shared_reference, with_fans,
};

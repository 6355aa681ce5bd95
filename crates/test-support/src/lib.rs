//! Support for the tests and benchmarks of several crates: the reference data, small glTF files, and large towns.
#![expect(clippy::unwrap_used, clippy::missing_panics_doc, reason = "a test fails by panicking")]

#[cfg(target_os = "linux")]
pub mod faults;
pub mod glb;
mod reference;
pub mod worlds;

pub use reference::{
    cases, expected_stages, own_reference, plan, reference_roots, repository, shared_reference,
};

//! Support for the tests of several crates: the reference data, and small glTF files.
#![expect(clippy::unwrap_used, clippy::missing_panics_doc, reason = "a test fails by panicking")]

#[cfg(target_os = "linux")]
pub mod faults;
pub mod glb;
mod reference;

pub use reference::{
    cases, expected_stages, own_reference, plan, reference_roots, repository, shared_reference,
};

//! What the tests of several crates share: the reference data, and small files made to be read.
#![expect(clippy::unwrap_used, clippy::missing_panics_doc, reason = "a test fails by panicking")]

#[cfg(target_os = "linux")]
pub mod faults;
pub mod glb;
mod reference;

pub use reference::{
    cases, expected_stages, own_reference, plan, reference_roots, repository, shared_reference,
};

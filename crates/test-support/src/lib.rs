//! What the tests of several crates share: the reference data, and small files made to be read.

pub mod glb;
mod reference;

pub use reference::{cases, expected_stages, plan, reference_roots, repository};

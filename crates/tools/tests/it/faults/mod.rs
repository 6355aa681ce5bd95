//! Levels with one fault each, to test explanations.

#![expect(clippy::unwrap_used, reason = "a level that cannot be made should fail its test")]

pub(crate) mod pairs;
pub(crate) mod paths;
pub(crate) mod places;
pub(crate) mod scene;

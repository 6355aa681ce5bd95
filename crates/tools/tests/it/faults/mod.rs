//! Levels with one fault each, to hold explanations to.

pub(crate) mod places;
mod scene;

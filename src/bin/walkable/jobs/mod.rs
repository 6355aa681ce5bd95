//! Long work on background threads. Knows no window.

pub(crate) mod runner;

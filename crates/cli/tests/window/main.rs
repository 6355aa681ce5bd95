//! The real program in a real window on a virtual display, used with mouse and keys.
//!
//! The picture of the window is read from the display's memory, its results from its title, its exit code and the files
//! it wrote.

#![expect(clippy::unwrap_used, reason = "a test that cannot drive the window should fail")]

mod display;
mod first_sitting;
mod games;
mod tasks;

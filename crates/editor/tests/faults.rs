//! Faults on saving: an editor without a window saves in a loop, is killed at every change that it makes to the disk, and
//! meets a failure at each. Nothing that it saved is lost, nothing half-written is opened, and the user is told.
//!
//! 300 kills; `WALKABLE_KILLS=1000` for another number. Only where a library can be loaded before the system's.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test fails by panicking, and tells what it did"
)]

#[cfg(target_os = "linux")]
mod faults {
    pub(crate) mod saver;
    pub(crate) mod seen;
}

#[cfg(target_os = "linux")]
fn main() {
    // The same program is the editor that is killed.
    match std::env::var("WALKABLE_SAVES_IN") {
        Ok(folder) => faults::saver::run(folder.as_ref()),
        Err(_) => faults::seen::run(),
    }
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("faults on saving are tried on Linux only");
}

//! Faults on saving: an editor without a window saves in a loop and is killed, or gets an I/O error, at every change
//! that it makes to the disk. Nothing saved is lost, no incomplete file is opened, and the user is notified.
//!
//! Kills the editor 300 times; `WALKABLE_KILLS=1000` sets another number. Runs only on systems that can preload a
//! library.
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
    // The test binary runs itself as the editor to be killed.
    match std::env::var("WALKABLE_SAVES_IN") {
        Ok(folder) => faults::saver::run(folder.as_ref()),
        Err(_) => faults::seen::run(),
    }
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("faults on saving are tried on Linux only");
}

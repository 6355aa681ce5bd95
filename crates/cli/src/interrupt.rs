//! Cancels long work when the user presses Ctrl-C.

use std::sync::{
    Once,
    atomic::{AtomicBool, Ordering},
};

/// Exit code after a second Ctrl-C: 128 and the number of the signal.
const KILLED: i32 = 130;

/// Returns a flag that Ctrl-C sets. From then on the program ends only if the work checks the flag, or at a second
/// Ctrl-C.
#[expect(clippy::exit, reason = "the user asked for the end of the program, twice")]
pub(super) fn flag() -> &'static AtomicBool {
    static INTERRUPTED: AtomicBool = AtomicBool::new(false);
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        let set = || {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                std::process::exit(KILLED);
            }
        };
        // Without a handler, Ctrl-C ends the program at once.
        ctrlc::set_handler(set).ok();
    });
    &INTERRUPTED
}

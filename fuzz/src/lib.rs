//! Common parts of all fuzz targets: limits of memory and time per input, and the lookup of a check by name.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    io::Write as _,
    sync::atomic::{AtomicUsize, Ordering},
};

#[doc(hidden)]
pub use libfuzzer_sys::fuzz_target;

/// Maximum number of bytes in use at a time. A file of a few kilobytes must be read within this limit.
const MAX_BYTES: usize = 500_000_000;

/// Maximum CPU time per input, in seconds. libFuzzer's `-timeout` counts wall time, which depends on the load of the
/// machine.
const MAX_SECONDS: f64 = 5.0;

/// Checks `bytes` with the target called `name`, within the limits.
///
/// # Panics
/// If the check takes too long, or if the bytes are accepted and the result is wrong.
pub fn check(name: &str, bytes: &[u8]) {
    let began = seconds();
    walkable_fuzz_targets::check(name, bytes);
    let took = seconds() - began;
    assert!(took <= MAX_SECONDS, "{took} s of CPU time");
}

/// Returns the CPU time used by this process, in seconds.
fn seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is valid for writing one `timespec`.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    assert_eq!(failed, 0);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The system allocator, which aborts the process if more than [`MAX_BYTES`] are in use. libFuzzer's `-malloc_limit_mb`
/// works only with a sanitizer, and `-rss_limit_mb` checks only once per second.
struct Limited;

static IN_USE: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Limited = Limited;

fn take(n_bytes: usize) {
    if IN_USE.fetch_add(n_bytes, Ordering::Relaxed).saturating_add(n_bytes) > MAX_BYTES {
        // Reset, so that the allocations of the message below do not exceed the limit again.
        IN_USE.store(0, Ordering::Relaxed);
        let _ = writeln!(
            std::io::stderr(),
            "more than {MAX_BYTES} bytes are in use; {n_bytes} were asked for"
        );
        std::process::abort();
    }
}

// SAFETY: every call is forwarded to the system allocator, and counting does not allocate.
unsafe impl GlobalAlloc for Limited {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        take(new_size);
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.realloc(ptr, layout, new_size) }
    }
}

/// Defines the fuzz target of this name.
#[macro_export]
macro_rules! target {
    ($name:literal) => {
        $crate::fuzz_target!(|bytes: &[u8]| $crate::check($name, bytes));
    };
}

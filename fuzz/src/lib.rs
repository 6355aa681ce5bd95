//! What all fuzzing targets share: the limits of memory and time for an input, and the way from a name to the check.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    io::Write as _,
    sync::atomic::{AtomicUsize, Ordering},
};

#[doc(hidden)]
pub use libfuzzer_sys::fuzz_target;

/// Most bytes in use at a time, as the readers of the program are to need them for files of a few kilobytes.
const MAX_BYTES: usize = 500_000_000;

/// Most seconds of the processor for an input. `-timeout` of libFuzzer counts those of the clock on the wall, which say
/// more about what else the machine does.
const MAX_SECONDS: f64 = 5.0;

/// Checks `bytes` as the target called `name`, within the limits.
///
/// # Panics
/// Where that takes too long, or something is wrong with what is made of the bytes.
pub fn check(name: &str, bytes: &[u8]) {
    let began = seconds();
    walkable_fuzz_targets::check(name, bytes);
    let took = seconds() - began;
    assert!(took <= MAX_SECONDS, "{took} s of the processor");
}

/// Seconds of the processor that this process has had.
fn seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the time is written to a place for one.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    assert_eq!(failed, 0);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The system's allocator, which ends the process where more than [`MAX_BYTES`] are in use: `-malloc_limit_mb` of
/// libFuzzer works only with a sanitizer, and `-rss_limit_mb` only looks once a second.
struct Limited;

static IN_USE: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Limited = Limited;

fn take(n_bytes: usize) {
    if IN_USE.fetch_add(n_bytes, Ordering::Relaxed).saturating_add(n_bytes) > MAX_BYTES {
        // Whatever comes now must not count.
        IN_USE.store(0, Ordering::Relaxed);
        let _ = writeln!(std::io::stderr(), "more than {MAX_BYTES} bytes are in use; {n_bytes} were asked for");
        std::process::abort();
    }
}

// SAFETY: all is left to the system's allocator; counting allocates nothing.
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

/// Makes the target of this name.
#[macro_export]
macro_rules! target {
    ($name:literal) => {
        $crate::fuzz_target!(|bytes: &[u8]| $crate::check($name, bytes));
    };
}

//! Peak of the memory in use, measured in the same way for Walkable and for C++: the sizes of the blocks of the
//! system's allocator.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    ffi::c_void,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use recastnavigation_sys::dtAllocSetCustom;

unsafe extern "C" {
    /// The crate has no binding for this function, so it is declared by its linker name.
    #[link_name = "_Z16rcAllocSetCustomPFPvm11rcAllocHintEPFvS_E"]
    pub(crate) fn rcAllocSetCustom(
        alloc: unsafe extern "C" fn(usize, u32) -> *mut c_void,
        free: unsafe extern "C" fn(*mut c_void),
    );
}

/// Bytes in use, and their maximum since [`Counter::restart`].
#[derive(Debug)]
pub struct Counter {
    now: AtomicUsize,
    peak: AtomicUsize,
}

impl Counter {
    const fn new() -> Self {
        Self { now: AtomicUsize::new(0), peak: AtomicUsize::new(0) }
    }

    /// Resets the peak; returns the bytes in use now.
    pub fn restart(&self) -> usize {
        let now = self.now.load(Relaxed);
        self.peak.store(now, Relaxed);
        now
    }

    /// Returns the maximum number of bytes in use since the restart.
    pub fn peak(&self) -> usize {
        self.peak.load(Relaxed)
    }

    fn add(&self, n: usize) {
        let now = self.now.fetch_add(n, Relaxed) + n;
        if self.peak.load(Relaxed) < now {
            self.peak.fetch_max(now, Relaxed);
        }
    }

    fn subtract(&self, n: usize) {
        self.now.fetch_sub(n, Relaxed);
    }
}

/// Allocations of Rust code, in programs whose global allocator is [`Counting`].
pub static OURS: Counter = Counter::new();
/// Allocations of Recast and Detour after [`count_theirs`].
pub static THEIRS: Counter = Counter::new();

/// The system's allocator, with a counter.
#[derive(Debug)]
pub struct Counting;

// SAFETY: every call is forwarded to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        let pointer = unsafe { System.alloc(layout) };
        OURS.add(block_size(pointer));
        pointer
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        let pointer = unsafe { System.alloc_zeroed(layout) };
        OURS.add(block_size(pointer));
        pointer
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        OURS.subtract(block_size(pointer));
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) };
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        OURS.subtract(block_size(pointer));
        // SAFETY: as the caller promises.
        let pointer = unsafe { System.realloc(pointer, layout, size) };
        OURS.add(block_size(pointer));
        pointer
    }
}

/// Counts the allocations of Recast and Detour from now on. Must be called before any of their functions.
pub fn count_theirs() {
    // SAFETY: the functions fulfill the contracts of `malloc` and `free`.
    unsafe {
        rcAllocSetCustom(counted_malloc, counted_free);
        dtAllocSetCustom(Some(counted_malloc), Some(counted_free));
    }
}

unsafe extern "C" fn counted_malloc(size: usize, _hint: u32) -> *mut c_void {
    // SAFETY: malloc takes any size.
    let pointer = unsafe { libc::malloc(size) };
    THEIRS.add(block_size(pointer.cast()));
    pointer
}

unsafe extern "C" fn counted_free(pointer: *mut c_void) {
    THEIRS.subtract(block_size(pointer.cast()));
    // SAFETY: Recast returns what `counted_malloc` gave it, or null.
    unsafe { libc::free(pointer) };
}

/// Returns the size of a block of the system's allocator; 0 for null. Rust's allocator uses the same blocks.
fn block_size(pointer: *mut u8) -> usize {
    // SAFETY: all callers pass a pointer from the allocator, or null.
    unsafe { libc::malloc_usable_size(pointer.cast()) }
}

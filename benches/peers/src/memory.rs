//! Peak of the memory in use, counted for ours and theirs alike: bytes in the blocks that the
//! system's allocator gave.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    ffi::c_void,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use recastnavigation_sys::dtAllocSetCustom;

unsafe extern "C" {
    /// Not among the bindings of the crate, so by the name it has for the linker.
    #[link_name = "_Z16rcAllocSetCustomPFPvm11rcAllocHintEPFvS_E"]
    pub(crate) fn rcAllocSetCustom(
        alloc: unsafe extern "C" fn(usize, u32) -> *mut c_void,
        free: unsafe extern "C" fn(*mut c_void),
    );
}

/// Bytes in use and the most there were since [`Counter::restart`].
#[derive(Debug)]
pub struct Counter {
    now: AtomicUsize,
    peak: AtomicUsize,
}

impl Counter {
    const fn new() -> Self {
        Self { now: AtomicUsize::new(0), peak: AtomicUsize::new(0) }
    }

    /// Forgets the peak; what is in use now.
    pub fn restart(&self) -> usize {
        let now = self.now.load(Relaxed);
        self.peak.store(now, Relaxed);
        now
    }

    /// The most bytes in use at once since the restart.
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

/// What Rust code has allocated, in programs whose global allocator is [`Counting`].
pub static OURS: Counter = Counter::new();
/// What Recast and Detour have allocated after [`count_theirs`].
pub static THEIRS: Counter = Counter::new();

/// The system's allocator with a count.
#[derive(Debug)]
pub struct Counting;

// SAFETY: every call is handed on to the system's allocator unchanged.
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

/// Counts what Recast and Detour allocate from now on. Before the first of their calls only.
pub fn count_theirs() {
    // SAFETY: the functions keep to malloc's and free's contract.
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
    // SAFETY: Recast hands back what `counted_malloc` gave it, or null.
    unsafe { libc::free(pointer) };
}

/// Size of a block of the system's allocator, 0 for none. Rust's takes its blocks from there too.
fn block_size(pointer: *mut u8) -> usize {
    // SAFETY: all callers pass what the allocator gave, or null.
    unsafe { libc::malloc_usable_size(pointer.cast()) }
}

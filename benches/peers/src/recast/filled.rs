//! Memory for C++ Recast that holds the same whenever it is read before it is written.
//!
//! Recast does so where it joins holes to outlines: for the hole numbered `n` it looks at the diagonal numbered
//! `n`, of which there may be fewer. It also reads the third corner of gaps that have two.

use std::ffi::c_void;

use recastnavigation_sys::dtAllocSetCustom;

use crate::memory::rcAllocSetCustom;

/// Bytes of zeros behind each piece of memory.
const BEHIND: usize = 64;

/// Lets Recast have memory in which all bytes are 255, which is no vertex's number, with zeros behind. To be
/// called before Recast has any memory; takes the place of [`crate::memory::count_theirs`].
pub fn fill_memory() {
    // SAFETY: the functions keep to what `malloc` and `free` promise.
    unsafe {
        rcAllocSetCustom(allocate, free);
        dtAllocSetCustom(Some(allocate), Some(free));
    }
}

unsafe extern "C" fn allocate(size: usize, _hint: u32) -> *mut c_void {
    // SAFETY: both parts lie within the piece.
    unsafe {
        let piece = libc::malloc(size + BEHIND);
        if !piece.is_null() {
            libc::memset(piece, 0xff, size);
            libc::memset(piece.add(size), 0, BEHIND);
        }
        piece
    }
}

unsafe extern "C" fn free(piece: *mut c_void) {
    // SAFETY: it came from `allocate`.
    unsafe { libc::free(piece) };
}

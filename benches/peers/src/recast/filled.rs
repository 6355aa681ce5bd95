//! Memory for C++ Recast with fixed contents, for where Recast reads it before writing it.
//!
//! Recast does so when it joins holes to outlines: for the hole with number `n`, it reads the diagonal with number `n`,
//! which may not exist. It also reads the third corner of gaps with two corners.

use std::ffi::c_void;

use recastnavigation_sys::dtAllocSetCustom;

use crate::memory::rcAllocSetCustom;

/// Number of zero bytes after each piece of memory.
const BEHIND: usize = 64;

/// Makes Recast's memory contain bytes of 255, which is not the number of a vertex, with zeros behind. Must be called
/// before Recast allocates memory; replaces [`crate::memory::count_theirs`].
pub fn fill_memory() {
    // SAFETY: the functions fulfill the contracts of `malloc` and `free`.
    unsafe {
        rcAllocSetCustom(allocate, free);
        dtAllocSetCustom(Some(allocate), Some(free));
    }
}

unsafe extern "C" fn allocate(size: usize, _hint: u32) -> *mut c_void {
    // SAFETY: both parts are within the piece.
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

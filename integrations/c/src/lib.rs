//! C interface of Walkable. `include/walkable.h` is generated from it.

mod error;
mod level;
mod navmesh;
mod why;

use std::{
    ffi::{CStr, CString, c_char},
    slice,
};

pub use error::Status;

/// Bytes that the library allocated. Free them with `walkable_bytes_free`.
#[repr(C)]
#[derive(Debug)]
pub struct Bytes {
    /// The first byte.
    pub data: *mut u8,
    /// Number of bytes.
    pub len: usize,
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        let bytes = Box::leak(bytes.into_boxed_slice());
        Self { data: bytes.as_mut_ptr(), len: bytes.len() }
    }
}

/// Frees bytes.
///
/// # Safety
/// `bytes` were returned by this library and not freed before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn walkable_bytes_free(bytes: Bytes) {
    // SAFETY: by contract, this is the boxed slice of `Bytes::from`.
    unsafe { free_array(bytes.data, bytes.len) };
}

/// Frees a string.
///
/// # Safety
/// `text` is NULL, or was returned by this library as a string to free and not freed before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn walkable_string_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: by contract, this is a string of `to_string`.
        drop(unsafe { CString::from_raw(text) });
    }
}

/// Returns a string for C; NUL characters are removed.
fn to_string(text: String) -> *mut c_char {
    let text = text.replace('\0', "");
    CString::new(text).unwrap_or_default().into_raw()
}

/// Returns an array for C.
fn to_array<T>(items: Vec<T>) -> *mut T {
    Box::leak(items.into_boxed_slice()).as_mut_ptr()
}

/// Frees an array.
///
/// # Safety
/// `data` is NULL, or the array of `len` elements was returned by `to_array` and not freed before.
unsafe fn free_array<T>(data: *mut T, len: usize) {
    if !data.is_null() {
        // SAFETY: by contract, this is the boxed slice of `to_array`.
        drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(data, len)) });
    }
}

/// Returns the array of `len` elements at `data`, which may be NULL if `len` is 0.
///
/// # Safety
/// Unless it is empty, `data` points to `len` elements that do not change while the slice is used.
unsafe fn array<'a, T>(data: *const T, len: usize, name: &str) -> Result<&'a [T], String> {
    if len == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(format!("{name} is NULL"));
    }
    // SAFETY: by contract.
    Ok(unsafe { slice::from_raw_parts(data, len) })
}

/// Returns the object at `pointer`.
///
/// # Safety
/// `pointer` is NULL or points to an object that does not change while the reference is used.
unsafe fn object<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, String> {
    // SAFETY: by contract.
    unsafe { pointer.as_ref() }.ok_or_else(|| format!("{name} is NULL"))
}

/// Returns the text at `pointer`.
///
/// # Safety
/// `pointer` is NULL or points to a string that ends in NUL and does not change while the text is used.
unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, String> {
    if pointer.is_null() {
        return Err(format!("{name} is NULL"));
    }
    // SAFETY: by contract.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| format!("{name} is not UTF-8"))
}

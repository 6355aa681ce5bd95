//! Errors.

use std::{
    cell::RefCell,
    ffi::{CString, c_char},
    panic::{self, AssertUnwindSafe},
    ptr,
};

pub(crate) use walkable::diagnostic::error_text;
use walkable::diagnostic::printable;

/// The result of a function.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The function succeeded.
    Ok = 0,
    /// The function failed; `walkable_last_error` describes the error.
    Error = 1,
    /// There is no result: for example, no polygon is near a point.
    None = 2,
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Describes the last error on this thread, in UTF-8. The string is valid until the next call on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn walkable_last_error() -> *const c_char {
    LAST.with_borrow(|last| last.as_ptr())
}

/// Runs `work`, and returns `failed` if it fails or panics.
pub(crate) fn guard<R>(failed: R, work: impl FnOnce() -> Result<R, String>) -> R {
    let error = match panic::catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(result)) => return result,
        Ok(Err(error)) => error,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
            format!("internal error: {text}")
        }
    };
    let error = CString::new(&*printable(&error)).unwrap_or_default();
    LAST.set(error);
    failed
}

/// Runs `work`, and returns its result as an object for C; NULL if `work` fails or panics.
pub(crate) fn guard_new<T>(work: impl FnOnce() -> Result<T, String>) -> *mut T {
    guard(ptr::null_mut(), || work().map(|object| Box::into_raw(Box::new(object))))
}

/// Frees an object of `guard_new`.
///
/// # Safety
/// `object` is NULL, or was returned by `guard_new` and not freed before.
pub(crate) unsafe fn free<T>(object: *mut T) {
    if !object.is_null() {
        // SAFETY: by contract.
        drop(unsafe { Box::from_raw(object) });
    }
}

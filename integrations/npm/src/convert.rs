//! Conversions that both WebAssembly files of the package use.

use glam::Vec3;
use js_sys::Error;
use walkable_runtime::diagnostic::{error_text, printable};

/// Returns the JavaScript error with the text of `error` and of its causes.
pub(crate) fn to_error(error: &dyn std::error::Error) -> Error {
    Error::new(&printable(&error_text(error)))
}

/// Returns a position or a size given as three numbers. `name` is the name of the argument.
pub(crate) fn vec3(name: &str, numbers: &[f32]) -> Result<Vec3, Error> {
    let numbers: [f32; 3] = numbers.try_into().map_err(|_| {
        Error::new(&format!("{name} has {} numbers, not three: x, y and z", numbers.len()))
    })?;
    Ok(numbers.into())
}

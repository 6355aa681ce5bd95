//! Conversions that both WebAssembly files of the package use.

use glam::Vec3;
use js_sys::Error;

/// Returns the JavaScript error with the text of `error` and of its causes.
pub(crate) fn to_error(error: &dyn std::error::Error) -> Error {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        if !text.contains(&next) {
            text = format!("{text}: {next}");
        }
        cause = error.source();
    }
    Error::new(&text)
}

/// Returns a position or a size given as three numbers. `name` is that of the argument.
pub(crate) fn vec3(name: &str, numbers: &[f32]) -> Result<Vec3, Error> {
    let numbers: [f32; 3] = numbers.try_into().map_err(|_| {
        Error::new(&format!("{name} has {} numbers, not three: x, y and z", numbers.len()))
    })?;
    Ok(numbers.into())
}

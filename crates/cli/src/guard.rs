//! Checks that no output of a command replaces an input or another output.

use std::path::{Path, PathBuf};

use walkable_editor::files::{self, Output};

use super::Failure;

/// Returns a file that a command writes, and the option that names it.
pub(super) fn written<'a>(path: &'a Path, option: &'a str) -> Output<'a> {
    Output { path, option }
}

/// Checks that none of `outputs` is one of `inputs` or another output.
///
/// # Errors
/// Returns a usage error that names the file and the options.
pub(super) fn check<'a>(
    outputs: &[Output<'_>],
    inputs: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<(), Failure> {
    let inputs: Vec<_> = inputs.into_iter().cloned().collect();
    files::check_outputs(outputs, &inputs).map_err(Failure::Usage)
}

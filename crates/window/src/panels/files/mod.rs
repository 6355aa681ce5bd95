//! Dialogs about files: import options, paths to write to, unsaved work; the start page.

pub mod export;
pub mod import;
pub mod recovery;
pub mod replace;
pub mod start;
pub mod typed_path;
pub mod unsaved;

#[cfg(test)]
mod tests;

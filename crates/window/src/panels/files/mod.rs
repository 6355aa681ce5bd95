//! Dialogs about files: import options, paths to write to, unsaved work; the start page.

pub mod browser;
pub mod export;
pub mod import;
pub mod picture;
pub mod recovery;
pub mod replace;
pub mod start;
pub mod unsaved;

#[cfg(test)]
mod tests;

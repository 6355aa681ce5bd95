//! The window of Walkable's editor, and pictures of levels taken without one.

pub mod app;
pub mod diff_picture;
pub mod editor;
pub mod file_dialog;
mod legend;
pub mod panels;
pub mod png;
pub mod screenshots;
pub mod search_pictures;
pub mod shot;
#[cfg(test)]
mod testing;
pub mod theme;
pub mod viewport;
pub mod widgets;

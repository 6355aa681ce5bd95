//! The window of Walkable's editor, and pictures of levels without a window.
#![expect(
    missing_docs,
    reason = "an item of an application has a comment where its name does not say all"
)]

pub mod app;
#[cfg(not(target_family = "wasm"))]
pub mod diff_picture;
#[cfg(not(target_family = "wasm"))]
pub mod editor;
#[cfg(not(target_family = "wasm"))]
pub mod file_dialog;
pub mod fonts;
pub mod host;
pub mod icons;
mod images;
#[cfg(not(target_family = "wasm"))]
mod legend;
#[cfg(not(target_family = "wasm"))]
mod map_picture;
pub mod panels;
pub mod png;
#[cfg(not(target_family = "wasm"))]
pub mod screenshots;
#[cfg(not(target_family = "wasm"))]
pub mod search_pictures;
#[cfg(not(target_family = "wasm"))]
pub mod shot;
#[cfg(not(target_family = "wasm"))]
pub mod soak_picture;
#[cfg(test)]
mod testing;
pub mod theme;
pub mod thumbnails;
pub mod viewport;
pub mod widgets;

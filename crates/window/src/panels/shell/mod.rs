//! The frame around the panels: toolbar, menus, dock, status line, keyboard, and the dialogs that belong to no feature.

pub mod about;
pub mod dock;
pub mod focus;
pub mod go_to;
pub mod guide;
pub mod in_use;
pub mod keys;
pub mod layouts;
pub mod menu;
pub mod palette;
pub mod preferences;
pub mod shortcuts;
pub mod status;
pub mod toolbar;
pub mod tour;

//! Controls of our own, shared by the panels. Know no session's results.

pub(crate) mod buttons;
pub(crate) mod command_button;
pub(crate) mod edited;
pub(crate) mod format;
pub(crate) mod keymap;
pub(crate) mod legend;
pub(crate) mod notice;
pub(crate) mod numeric;
pub(crate) mod player;
pub(crate) mod property_row;
pub(crate) mod text_field;

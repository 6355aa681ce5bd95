//! Custom controls, shared by the panels. They do not depend on the session's results.

pub mod author_id;
pub mod busy;
pub mod buttons;
pub mod color_menu;
pub mod combo;
pub mod command_button;
pub mod dialog;
pub mod edited;
pub mod expression;
pub mod group;
pub mod keymap;
pub mod legend;
pub mod notice;
pub mod numeric;
pub mod player;
pub mod position_fields;
pub mod property_row;
pub mod text_field;

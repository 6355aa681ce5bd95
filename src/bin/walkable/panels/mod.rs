//! What stands around the 3D view. Panels read the session and push commands.

pub(crate) mod bake_settings;
pub(crate) mod inspector;
pub(crate) mod path;
pub(crate) mod path_words;
pub(crate) mod profile;

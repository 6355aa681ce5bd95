//! Controls of our own, shared by the panels. Know no session.

pub(crate) mod edited;
pub(crate) mod format;
pub(crate) mod legend;
pub(crate) mod numeric;
pub(crate) mod property_row;

//! The state of a path as text, with its tone.

use eframe::egui::Color32;

use crate::{
    icons::{self, MaterialIcon},
    theme::Theme,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    /// The user still has to do something.
    Waiting,
    Good,
    Fair,
    Bad,
}

impl Tone {
    pub(super) fn icon(self, theme: &Theme) -> (MaterialIcon, Color32) {
        match self {
            Self::Waiting => (icons::ICON_INFO, theme.text_weak),
            Self::Good => (icons::ICON_CHECK_CIRCLE, theme.good),
            Self::Fair => (icons::ICON_WARNING, theme.warning),
            Self::Bad => (icons::ICON_ERROR, theme.error),
        }
    }
}

/// The state of the path as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PathMessage {
    pub(super) tone: Tone,
    /// The state in a word or two.
    pub(super) title: &'static str,
    pub(super) why: String,
    pub(super) next: Option<&'static str>,
}

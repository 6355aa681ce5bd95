//! The state of a path as text, with its tone.

use eframe::egui::Color32;

use crate::{
    icons::{self, MaterialIcon},
    theme::Theme,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PathMessage {
    pub(super) tone: Tone,
    pub(super) title: &'static str,
    pub(super) why: String,
    pub(super) next: Option<&'static str>,
}

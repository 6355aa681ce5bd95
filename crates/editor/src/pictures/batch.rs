//! A picture that stays for many frames, as the window takes it.

use std::sync::Arc;

use walkable::debug_draw::DrawList;

/// A picture kept on the graphics card until its `id` is no longer among the batches.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Names the thing shown, across frames.
    pub id: u64,
    /// Differs whenever `list` does; a new one uploads the picture again.
    pub revision: u64,
    /// The picture.
    pub list: Arc<DrawList>,
    /// From 0, unseen, to 1, as the theme says. Changing it uploads nothing.
    pub opacity: f32,
    /// In which half of a divided view it is seen.
    pub half: Half,
    /// Whether it lies under all others and hides nothing of them.
    pub under: bool,
}

/// A half of a divided view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Half {
    /// The whole view.
    #[default]
    Both,
    /// The left one.
    Left,
    /// The right one.
    Right,
}

impl Half {
    /// Whether what stands in this half is seen in `other`.
    pub fn is_seen_in(self, other: Self) -> bool {
        self == Self::Both || self == other
    }
}

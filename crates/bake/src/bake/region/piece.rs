//! Numbers of pieces of ground during partitioning, merging and removing.

use std::fmt;

use walkable_runtime::ids::RegionId;

/// The number of a piece of ground or of a part of the border, or none. There can be many more pieces than regions in
/// the end: if [`RegionId`], which is faster, does not suffice, the partitioning is repeated with [`WidePiece`].
pub(super) trait Piece: Copy + Eq + Default + fmt::Debug {
    /// The largest number of a piece.
    const MAX: u32;

    /// Creates the piece with number `number`, from 1 to [`Piece::MAX`].
    fn numbered(number: u32) -> Self;

    /// Creates the part of the border with number `side`.
    fn border(side: u16) -> Self;

    /// Returns the number of a piece; 0 for none.
    fn number(self) -> usize;

    /// Returns the number of a part of the border; `None` for others.
    fn side(self) -> Option<u16>;

    fn is_border(self) -> bool {
        self.side().is_some()
    }

    /// Returns whether it is a piece of ground: neither none nor border.
    fn is_ground(self) -> bool {
        !self.is_border() && self != Self::default()
    }
}

impl Piece for RegionId {
    // One number is reserved: tables of regions have one more element than numbers.
    const MAX: u32 = Self::BORDER_BIT as u32 - 2;

    fn numbered(number: u32) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "numbers go to MAX")]
        Self(number as u16)
    }

    fn border(side: u16) -> Self {
        Self(side | Self::BORDER_BIT)
    }

    fn number(self) -> usize {
        usize::from(self.0)
    }

    fn side(self) -> Option<u16> {
        self.is_border().then_some(self.0 & !Self::BORDER_BIT)
    }

    fn is_border(self) -> bool {
        Self::is_border(self)
    }
}

/// Like [`RegionId`], for any number of pieces of a tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WidePiece(u32);

impl WidePiece {
    const BORDER_BIT: u32 = 1 << 31;

    /// Returns a region number of the same kind, modulo the number of region numbers.
    pub(super) fn folded(self) -> RegionId {
        match self.side() {
            Some(side) => RegionId::border(side),
            None if self.0 == 0 => RegionId::NONE,
            None => RegionId::numbered((self.0 - 1) % <RegionId as Piece>::MAX + 1),
        }
    }
}

impl Piece for WidePiece {
    const MAX: u32 = Self::BORDER_BIT - 2;

    fn numbered(number: u32) -> Self {
        Self(number)
    }

    fn border(side: u16) -> Self {
        Self(u32::from(side) | Self::BORDER_BIT)
    }

    fn number(self) -> usize {
        self.0 as usize
    }

    fn side(self) -> Option<u16> {
        let side = u16::try_from(self.0 & !Self::BORDER_BIT).ok();
        side.filter(|_| self.0 & Self::BORDER_BIT != 0)
    }

    fn is_border(self) -> bool {
        self.0 & Self::BORDER_BIT != 0
    }
}

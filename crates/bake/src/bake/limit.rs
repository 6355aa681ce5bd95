//! Why a stage stops: it was cancelled, or its result does not fit.

use walkable_runtime::{ids::TileCoord, monitor::Cancelled};

use crate::bake::{BakeError, class::Clash};

/// A number that exceeds a limit, before it is known to which tile it belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "the names of `BakeError::Limit`")]
pub(super) struct Limit {
    /// The quantity that exceeds the limit.
    pub(super) what: &'static str,
    /// The value.
    pub(super) value: u64,
    /// The limit.
    pub(super) limit: u64,
    /// What to change.
    pub(super) remedy: &'static str,
}

/// Why a stage has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StageError {
    Cancelled(Cancelled),
    Limit(Limit),
    Clash(Clash),
}

impl StageError {
    /// Returns the error of the tile at `tile`.
    pub(super) fn at(self, tile: TileCoord) -> BakeError {
        match self {
            Self::Cancelled(cancelled) => cancelled.into(),
            Self::Limit(Limit { what, value, limit, remedy }) => {
                BakeError::Limit { tile, what, value, limit, remedy }
            }
            Self::Clash(clash) => BakeError::AgentsDiffer { tile, what: clash.what() },
        }
    }
}

impl From<Cancelled> for StageError {
    fn from(cancelled: Cancelled) -> Self {
        Self::Cancelled(cancelled)
    }
}

impl From<Clash> for StageError {
    fn from(clash: Clash) -> Self {
        Self::Clash(clash)
    }
}

impl From<Limit> for StageError {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

//! Requests for overviews, and messages about them.

use std::path::PathBuf;

use walkable::{diagnostic::Phrase, geom::Aabb};

use crate::{overview_store::OverviewKey, session::Overview};

#[derive(Clone, Debug)]
pub struct OverviewRequest {
    pub path: PathBuf,
    /// The level in the file; for a tile store, with heights of 0. A file with another hash is not read.
    pub level: OverviewKey,
    pub contents: OverviewContents,
}

impl OverviewRequest {
    /// Returns the bounds of the level. For a tile store, the heights may be those of only some tiles.
    pub(super) fn bounds(&self) -> Aabb {
        match self.contents {
            OverviewContents::Triangles => self.level.bounds,
            OverviewContents::Tiles(bounds) => bounds,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub enum OverviewContents {
    Triangles,
    /// The tiles of a navmesh with these bounds, whose heights may be those of only some tiles.
    Tiles(Aabb),
}

#[derive(Debug)]
pub struct OverviewMessage {
    pub hash: u128,
    /// The fraction of the file that was read, from 0 to 1.
    pub progress: f32,
    pub made: Option<Box<Overview>>,
    pub error: Option<Phrase>,
}

#[derive(Debug, Default)]
pub(super) struct OverviewSchedule {
    n_due: usize,
}

impl OverviewSchedule {
    /// Fractions of the file after which the overview of what was read so far is sent.
    const AT: [f32; 4] = [0.05, 0.25, 0.6, 1.0];

    /// Returns whether an overview is due now that this part of the file is read, from 0 to 1.
    pub(super) fn is_due(&mut self, progress: f32) -> bool {
        let n_due = Self::AT.iter().filter(|at| **at <= progress).count();
        std::mem::replace(&mut self.n_due, n_due) < n_due
    }
}

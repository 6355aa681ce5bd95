//! Reads the tiles of a store one after the other and makes an overview of their polygons.

use std::{path::PathBuf, sync::Arc};

use glam::Vec3;
use walkable::{
    debug_draw::CoarseStream,
    diagnostic::Phrase,
    geom::Aabb,
    navmesh::Tile,
    phrase,
    store::{StoreEntry, StoreError, TileStore},
};
use walkable_workspace::{files, format::counted_value, lang};

use super::{
    open_store::open_store,
    overview_message::{OverviewMessage, OverviewRequest, OverviewSchedule},
    slot::Reporter,
};
use crate::{
    overview_store::{OverviewKey, OverviewStore},
    session::Overview,
};

/// Number of bytes of tiles that are read between two messages about the progress.
const STEP: u64 = 4 << 20;

pub(super) struct TileReader {
    path: PathBuf,
    key: OverviewKey,
    store: TileStore,
    bounds: Aabb,
    stream: CoarseStream,
    next_entry: usize,
    n_read: u64,
    n_bytes: u64,
    schedule: OverviewSchedule,
    /// Number of tiles that cannot be read, and the reason of the first one.
    damaged: (usize, Option<StoreError>),
}

impl TileReader {
    pub(super) fn new(request: &OverviewRequest, bounds: Aabb) -> Result<Self, Phrase> {
        let path = request.path.clone();
        let opened = open_store(&path, Some(request.level.hash));
        let (store, _) = opened.map_err(|error| lang::error(&error))?;
        // The heights of tiles that were not read are unknown, and cells below the lowest known one would be merged.
        let below = bounds.size().x.max(bounds.size().z);
        let space = Aabb { min: bounds.min - Vec3::Y * below, max: bounds.max };
        let stream = CoarseStream::new(&space, Overview::MAX_TRIANGLES);
        let n_bytes = store.entries().iter().map(StoreEntry::n_bytes).sum();
        let (next_entry, n_read, schedule, damaged) =
            (0, 0, OverviewSchedule::default(), (0, None));
        let key = request.level;
        Ok(Self {
            path,
            key,
            store,
            bounds,
            stream,
            next_entry,
            n_read,
            n_bytes,
            schedule,
            damaged,
        })
    }

    /// Reads some tiles and reports the progress; `None` at the end of the file. Then stores the overview, unless tiles
    /// are damaged: the user is notified of them each time the file is opened.
    pub(super) fn step(
        mut self,
        kept: Option<&OverviewStore>,
        report: &Reporter<OverviewMessage>,
    ) -> Result<Option<Self>, Phrase> {
        let mut file = files::open(&self.path).map_err(|error| lang::error(&error))?;
        let goal = self.n_read + STEP;
        while self.n_read < goal
            && let Some(entry) = self.store.entries().get(self.next_entry)
        {
            if report.is_cancelled() {
                return Ok(None);
            }
            if entry.n_tile > 0 {
                match self.store.sound_tile(entry, &mut file) {
                    Ok(tile) => tile.iter().for_each(|tile| add(&mut self.stream, tile)),
                    Err(error) => {
                        self.damaged.0 += 1;
                        self.damaged.1.get_or_insert(error);
                    }
                }
            }
            self.n_read += entry.n_bytes();
            self.next_entry += 1;
        }
        let is_done = self.next_entry == self.store.entries().len();
        #[expect(clippy::cast_precision_loss, reason = "a part of one")]
        let share = self.n_read as f32 / self.n_bytes.max(1) as f32;
        let progress = if is_done { 1.0 } else { share };
        let is_due = self.schedule.is_due(progress);
        let overview = || Overview::new(&self.stream, &[Arc::default()], &self.bounds);
        let made = is_due.then(overview).flatten().map(Box::new);
        let hash = self.store.hash();
        let mut error = self.error().filter(|_| is_done);
        if let (true, None, Some(kept), Some(made)) = (is_done, &error, kept, &made) {
            error = kept.write_reporting(&self.key, &made.mesh);
        }
        report.send(OverviewMessage { hash, progress, made, error });
        Ok((!is_done).then_some(self))
    }

    fn error(&self) -> Option<Phrase> {
        let (n, first) = &self.damaged;
        let first = first.as_ref()?;
        Some(phrase!(
            "{path}: {tiles} left out of the overview; the first: {first}",
            path = self.path.display().to_string(),
            tiles = counted_value(*n, "tile", "tiles"),
            first = first.to_string()
        ))
    }
}

fn add(stream: &mut CoarseStream, tile: &Tile) {
    for poly in 0..tile.detail_patches.len() {
        for &triangle in tile.detail_of(poly) {
            stream.add(tile.detail_corners(poly, triangle), 0);
        }
    }
}

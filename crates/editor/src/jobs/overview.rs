//! Creates the overview of a level larger than memory: reads triangles square by square, or a tile store tile by tile.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use walkable::{
    debug_draw::CoarseStream,
    diagnostic::Phrase,
    mesh::{BinnedError, BinnedLevel},
    phrase,
};
use walkable_workspace::{files, format::counted_value, lang};

use super::{
    overview_message::{OverviewContents, OverviewMessage, OverviewRequest, OverviewSchedule},
    overview_tiles::TileReader,
    slot::{JobEvent, JobSlot, JobStep, Reporter, Wake},
};
use crate::{
    overview_store::{OverviewKey, OverviewStore},
    session::Overview,
};

/// Number of triangles that are read between two messages about the progress.
const STEP: u64 = 1 << 20;

#[derive(Debug)]
pub(super) struct OverviewJob {
    slot: JobSlot<OverviewMessage>,
    store: Option<OverviewStore>,
}

impl OverviewJob {
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("overview", wake), store: None }
    }

    /// Sets the folder in which overviews are stored. Without it, each level is read whenever it is opened.
    pub(super) fn with_store(self, folder: Option<PathBuf>) -> Self {
        Self { store: folder.map(OverviewStore::new), ..self }
    }

    /// Reads a file, unless its overview is stored; cancels the read in progress.
    pub(super) fn start(&mut self, request: OverviewRequest) {
        let mut reading = None;
        let store = self.store.clone();
        self.slot.request_steps(move |report| {
            if reading.is_none()
                && let Some(mesh) = store.as_ref().and_then(|store| store.read(&request.level))
            {
                let (hash, bounds) = (request.level.hash, request.bounds());
                let made = Some(Box::new(Overview::of(mesh, &bounds)));
                report.send(OverviewMessage { hash, progress: 1.0, made, error: None });
                return JobStep::Done;
            }
            let begun = match reading.take() {
                Some(reading) => Ok(reading),
                None => Reading::new(&request),
            };
            match begun.and_then(|reading| reading.step(store.as_ref(), report)) {
                Ok(next) => {
                    reading = next;
                    if reading.is_some() { JobStep::Next } else { JobStep::Done }
                }
                Err(error) => {
                    let (hash, error) = (request.level.hash, Some(error));
                    report.send(OverviewMessage { hash, progress: 1.0, made: None, error });
                    JobStep::Done
                }
            }
        });
    }

    pub(super) fn cancel(&mut self) {
        self.slot.cancel();
    }

    pub(super) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    pub(super) fn poll(&mut self) -> Vec<JobEvent<OverviewMessage>> {
        self.slot.poll()
    }
}

enum Reading {
    Triangles(Box<Reader>),
    Tiles(Box<TileReader>),
}

impl Reading {
    fn new(request: &OverviewRequest) -> Result<Self, Phrase> {
        Ok(match request.contents {
            OverviewContents::Triangles => Self::Triangles(Box::new(Reader::new(request)?)),
            OverviewContents::Tiles(bounds) => {
                Self::Tiles(Box::new(TileReader::new(request, bounds)?))
            }
        })
    }

    /// Reads on and reports the progress; `None` at the end of the file.
    fn step(
        self,
        store: Option<&OverviewStore>,
        report: &Reporter<OverviewMessage>,
    ) -> Result<Option<Self>, Phrase> {
        Ok(match self {
            Self::Triangles(reader) => {
                reader.step(store, report)?.map(|reader| Self::Triangles(Box::new(reader)))
            }
            Self::Tiles(reader) => {
                reader.step(store, report)?.map(|reader| Self::Tiles(Box::new(reader)))
            }
        })
    }
}

struct Reader {
    path: PathBuf,
    key: OverviewKey,
    level: BinnedLevel,
    stream: CoarseStream,
    /// The group of each part: the number of its material.
    groups: Vec<u32>,
    materials: Vec<Arc<str>>,
    next_square: usize,
    n_read: u64,
    schedule: OverviewSchedule,
    /// Number of squares that cannot be read, and the reason of the first one.
    damaged: (usize, Option<BinnedError>),
}

impl Reader {
    fn new(request: &OverviewRequest) -> Result<Self, Phrase> {
        let path = request.path.clone();
        let mut file = files::open(&path).map_err(|error| lang::error(&error))?;
        let level =
            BinnedLevel::read(&mut file).map_err(|error| format!("{}: {error}", path.display()))?;
        if level.hash() != request.level.hash {
            let file = path.display().to_string();
            return Err(phrase!("{file} has changed on disk", file));
        }
        let stream = CoarseStream::new(&level.bounds(), Overview::MAX_TRIANGLES);
        let (mut numbers, mut materials) = (BTreeMap::new(), Vec::new());
        let groups = level.parts().iter().map(|[_, material]| {
            *numbers.entry(Arc::clone(material)).or_insert_with(|| {
                materials.push(Arc::clone(material));
                u32::try_from(materials.len() - 1).unwrap_or(u32::MAX)
            })
        });
        let groups = groups.collect();
        let (next_square, n_read, schedule, damaged) =
            (0, 0, OverviewSchedule::default(), (0, None));
        let key = request.level;
        Ok(Self {
            path,
            key,
            level,
            stream,
            groups,
            materials,
            next_square,
            n_read,
            schedule,
            damaged,
        })
    }

    /// Reads some squares and reports the progress; `None` at the end of the file. Then stores the overview, unless
    /// squares are damaged: the user is notified of them each time the file is opened.
    fn step(
        mut self,
        store: Option<&OverviewStore>,
        report: &Reporter<OverviewMessage>,
    ) -> Result<Option<Self>, Phrase> {
        let mut file = files::open(&self.path).map_err(|error| lang::error(&error))?;
        let goal = self.n_read + STEP;
        while self.n_read < goal && self.next_square < self.level.n_squares() {
            if report.is_cancelled() {
                return Ok(None);
            }
            let (stream, groups) = (&mut self.stream, &self.groups);
            let mut add = |part: usize, corners| {
                stream.add(corners, groups.get(part).copied().unwrap_or_default());
            };
            match self.level.square(self.next_square, &mut file, &mut add) {
                Ok(n) => self.n_read += n,
                Err(error) => {
                    self.damaged.0 += 1;
                    self.damaged.1.get_or_insert(error);
                }
            }
            self.next_square += 1;
        }
        let is_done = self.next_square == self.level.n_squares();
        #[expect(clippy::cast_precision_loss, reason = "a part of one")]
        let share = self.n_read as f32 / self.level.n_triangles_in_file().max(1) as f32;
        let progress = if is_done { 1.0 } else { share };
        let is_due = self.schedule.is_due(progress);
        let overview = || Overview::new(&self.stream, &self.materials, &self.level.bounds());
        let made = is_due.then(overview).flatten().map(Box::new);
        let hash = self.key.hash;
        let mut error = self.error().filter(|_| is_done);
        if let (true, None, Some(store), Some(made)) = (is_done, &error, store, &made) {
            error = store.write_reporting(&self.key, &made.mesh);
        }
        report.send(OverviewMessage { hash, progress, made, error });
        Ok((!is_done).then_some(self))
    }

    fn error(&self) -> Option<Phrase> {
        let (n, first) = &self.damaged;
        let first = first.as_ref()?;
        Some(phrase!(
            "{path}: {squares} left out of the overview; the first: {first}",
            path = self.path.display().to_string(),
            squares = counted_value(*n, "square", "squares"),
            first = first.to_string()
        ))
    }
}

//! Finds routes across tile stores that are larger than memory.

use std::{
    collections::BTreeSet,
    io::{Read, Seek},
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use walkable::{
    diagnostic::Phrase,
    mesh::StableHash,
    navmesh::TilePlace,
    phrase,
    query::{Filter, RouteOverlay},
    store::{OverlayBuilder, TileStore},
};
use walkable_workspace::{
    disk_cache::{DiskCache, DiskCacheKind},
    files::{self, Format},
    lang,
    store_route::{RouteTiles, WorldRoute},
};

use super::{
    open_store::open_store,
    slot::{JobEvent, JobSlot, JobStep, Reporter, Wake},
};
use crate::session::{NoRoute, RouteQuestion};

/// Maximum number of tiles that are read for the line of a route.
const MAX_READ: usize = 50_000;
/// Number of tiles or cells between two messages about the progress.
const STEP: usize = 512;

/// The stored overlays, with which the first route after a start is found at once.
static KIND: DiskCacheKind = DiskCacheKind {
    magic: *b"WRTK",
    version: 1,
    ending: "routes",
    format: Format::Routes,
    max_folder_bytes: 1 << 30,
};

#[derive(Clone, Debug)]
pub struct WorldRouteRequest {
    pub question: RouteQuestion,
    /// Maximum memory of the overlay, and of the tiles that are loaded for the line, in bytes each.
    pub max_bytes: u64,
}

#[derive(Debug)]
pub enum RouteMessage {
    /// The fraction of the overlay that is computed, from 0 to 1.
    Progress(f32),
    /// Why the overlay could not be stored.
    NotStored(Phrase),
    Done(Box<Result<WorldRoute, NoRoute>>),
}

/// Finds one route at a time. Keeps the overlay that it computed last, or began to compute.
#[derive(Debug)]
pub(super) struct WorldRouteJob {
    slot: JobSlot<RouteMessage>,
    kept: Arc<Mutex<Option<Searching>>>,
    stored: Option<DiskCache>,
}

impl WorldRouteJob {
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("route", wake), kept: Arc::default(), stored: None }
    }

    /// Sets the folder in which overlays are stored. Without it, they are computed after each start.
    pub(super) fn with_store(self, folder: Option<PathBuf>) -> Self {
        Self { stored: folder.map(|folder| DiskCache::new(folder, &KIND)), ..self }
    }

    /// Finds a route; cancels the search in progress.
    pub(super) fn start(&mut self, request: WorldRouteRequest) {
        let kept = Arc::clone(&self.kept);
        let stored = self.stored.clone();
        let mut has_begun = false;
        self.slot.request_steps(move |report| {
            // Only one job of the slot runs at a time.
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            let begun = match kept.take() {
                Some(searching) if has_begun => Ok(searching),
                before => Searching::new(&request, before, stored.as_ref()),
            };
            has_begun = true;
            match begun.and_then(|searching| searching.step(stored.as_ref(), report)) {
                Ok(Searching::Ready(mut ready)) => {
                    let answer = ready.answer(&request, report);
                    if answer.is_err() && ready.is_unchecked {
                        *kept = Some(Searching::Checking(Box::new(ready.check(&request))));
                        return JobStep::Next;
                    }
                    *kept = Some(Searching::Ready(ready));
                    report.send(RouteMessage::Done(Box::new(answer)));
                    JobStep::Done
                }
                Ok(next) => {
                    *kept = Some(next);
                    if report.is_cancelled() { JobStep::Done } else { JobStep::Next }
                }
                Err(why) => {
                    report.send(RouteMessage::Done(Box::new(Err(why))));
                    JobStep::Done
                }
            }
        });
    }

    /// Stops searching. The next search continues with the overlay.
    pub(super) fn cancel(&mut self) {
        self.slot.cancel();
    }

    /// Stops searching and frees the overlay.
    pub(super) fn forget(&mut self) {
        self.slot.cancel();
        self.kept = Arc::default();
    }

    pub(super) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    pub(super) fn poll(&mut self) -> Vec<JobEvent<RouteMessage>> {
        self.slot.poll()
    }
}

/// A store with its overlay for one filter.
#[derive(Debug)]
struct Known {
    path: PathBuf,
    store: TileStore,
    filter: Filter,
    damaged: BTreeSet<TilePlace>,
    overlay: RouteOverlay,
    /// Whether the overlay was read from the folder, and the tiles have not been checked since.
    is_unchecked: bool,
}

fn key_of(store: &TileStore, filter: &Filter) -> u128 {
    let mut hash = StableHash::new();
    hash.bytes(&store.hash().to_le_bytes());
    hash.bytes(&RouteOverlay::filter_hash(filter).to_le_bytes());
    hash.finish()
}

#[derive(Debug)]
enum Searching {
    /// Reads all tiles to find the damaged ones.
    Checking(Box<Checking>),
    Building(Box<Checking>, Box<OverlayBuilder>),
    Ready(Box<Known>),
}

#[derive(Debug)]
struct Checking {
    path: PathBuf,
    store: TileStore,
    filter: Filter,
    damaged: BTreeSet<TilePlace>,
    next: usize,
    max_bytes: u64,
}

impl Searching {
    /// Reuses the state of the previous search if it was for the same store and filter, or else the stored overlay. If
    /// there is neither, begins by checking the tiles.
    fn new(
        request: &WorldRouteRequest,
        before: Option<Self>,
        stored: Option<&DiskCache>,
    ) -> Result<Self, NoRoute> {
        let WorldRouteRequest { question, max_bytes } = request;
        let path = question.store.clone();
        if !files::is_file(&path) {
            return Err(NoRoute::NoStore);
        }
        let opened = open_store(&path, question.hash);
        let (store, _) = opened.map_err(|error| failed(lang::error(&error)))?;
        let filter = question.terms.filter.clone();
        let is_same = |before: &Self| before.inputs() == (&path, store.hash(), &filter);
        // Only one overlay is in memory at a time.
        if let Some(before) = before.filter(is_same) {
            return Ok(before);
        }
        let n_bytes: u64 = store.ground_entries().map(|entry| u64::from(entry.n_tile)).sum();
        check_memory(n_bytes / 4, *max_bytes)?;
        let read = stored.and_then(|stored| stored.read(key_of(&store, &filter), *max_bytes));
        let read = read.and_then(|bytes| RouteOverlay::from_bytes(&bytes, &filter).ok());
        if let Some(overlay) = read.filter(|overlay| overlay.n_bytes() as u64 <= *max_bytes) {
            let (damaged, is_unchecked) = (BTreeSet::new(), true);
            let known = Known { path, store, filter, damaged, overlay, is_unchecked };
            return Ok(Self::Ready(Box::new(known)));
        }
        let (damaged, next, max_bytes) = (BTreeSet::new(), 0, *max_bytes);
        Ok(Self::Checking(Box::new(Checking { path, store, filter, damaged, next, max_bytes })))
    }

    fn inputs(&self) -> (&PathBuf, u128, &Filter) {
        match self {
            Self::Checking(of) | Self::Building(of, _) => (&of.path, of.store.hash(), &of.filter),
            Self::Ready(of) => (&of.path, of.store.hash(), &of.filter),
        }
    }

    fn step(
        self,
        stored: Option<&DiskCache>,
        report: &Reporter<RouteMessage>,
    ) -> Result<Self, NoRoute> {
        match self {
            Self::Checking(checking) => checking.step(report),
            Self::Building(checking, builder) => checking.build(*builder, stored, report),
            Self::Ready(known) => Ok(Self::Ready(known)),
        }
    }
}

/// The progress at which all tiles are checked.
const CHECKED: f32 = 0.2;

impl Checking {
    fn open(&self) -> Result<impl Read + Seek + use<>, NoRoute> {
        files::open(&self.path).map_err(|error| failed(lang::error(&error)))
    }

    fn step(mut self: Box<Self>, report: &Reporter<RouteMessage>) -> Result<Searching, NoRoute> {
        let mut file = self.open()?;
        for _ in 0..STEP {
            let Some(entry) = self.store.entries().get(self.next) else {
                let has = |place| !self.damaged.contains(&place);
                let builder = self.store.begin_overlay(&self.filter, has);
                let builder = builder.map_err(|error| failed(error.to_string()))?;
                return Ok(Searching::Building(self, Box::new(builder)));
            };
            if self.store.sound_tile(entry, &mut file).is_err() {
                self.damaged.insert(entry.place);
            }
            self.next += 1;
        }
        let n = self.store.entries().len();
        report.send(RouteMessage::Progress(CHECKED * share(self.next, n)));
        Ok(Searching::Checking(self))
    }

    fn build(
        self: Box<Self>,
        mut builder: OverlayBuilder,
        stored: Option<&DiskCache>,
        report: &Reporter<RouteMessage>,
    ) -> Result<Searching, NoRoute> {
        let mut file = self.open()?;
        for _ in 0..STEP / 16 {
            let more = builder.step(&self.store, &mut file);
            let more = more.map_err(|error| failed(format!("{}: {error}", self.path.display())))?;
            if !more {
                let overlay = builder.finish();
                check_memory(overlay.n_bytes() as u64, self.max_bytes)?;
                let Self { path, store, filter, damaged, .. } = *self;
                if let Some(stored) = stored.filter(|_| damaged.is_empty()) {
                    let written = stored.write(key_of(&store, &filter), &overlay.to_bytes());
                    if let Err(why) = written {
                        report.send(RouteMessage::NotStored(lang::error(&why)));
                    }
                }
                let known = Known { path, store, filter, damaged, overlay, is_unchecked: false };
                return Ok(Searching::Ready(Box::new(known)));
            }
            if report.is_cancelled() {
                break;
            }
        }
        let [n, n_done] = builder.progress();
        report.send(RouteMessage::Progress(CHECKED + (1.0 - CHECKED) * share(n_done, n)));
        Ok(Searching::Building(self, Box::new(builder)))
    }
}

impl Known {
    fn check(self, request: &WorldRouteRequest) -> Checking {
        let Self { path, store, filter, .. } = self;
        let (damaged, next, max_bytes) = (BTreeSet::new(), 0, request.max_bytes);
        Checking { path, store, filter, damaged, next, max_bytes }
    }

    fn answer(
        &mut self,
        request: &WorldRouteRequest,
        report: &Reporter<RouteMessage>,
    ) -> Result<WorldRoute, NoRoute> {
        let file = files::open(&self.path).map_err(|error| failed(lang::error(&error)))?;
        let Self { path, store, overlay, damaged, .. } = self;
        let tiles = RouteTiles::new(store, damaged, overlay, file, request.max_bytes);
        let mut tiles = tiles.map_err(failed)?;
        tiles.max_read = MAX_READ;
        let route = tiles.find(&request.question.terms, report);
        route.map_err(|why| failed(format!("{}: {why}", path.display())))
    }
}

fn failed(why: impl Into<Phrase>) -> NoRoute {
    NoRoute::Failed(why.into())
}

/// Returns an error if an overlay takes more memory than allowed.
fn check_memory(n_bytes: u64, max_bytes: u64) -> Result<(), NoRoute> {
    if n_bytes <= max_bytes {
        return Ok(());
    }
    let [n, max] = [n_bytes, max_bytes].map(|n| n >> 20);
    Err(failed(phrase!(
        "the overlay for routes takes about {n} MiB, more than its {max} MiB; raise Memory budget in Preferences",
        n,
        max
    )))
}

#[expect(clippy::cast_precision_loss, reason = "a part of one")]
fn share(n: usize, n_all: usize) -> f32 {
    n as f32 / n_all.max(1) as f32
}

#[cfg(test)]
mod tests {
    use walkable_workspace::lang::Language;

    use super::*;

    #[test]
    fn why_there_is_no_route_follows_the_language() {
        assert_eq!(check_memory(1 << 20, 1 << 20), Ok(()));
        let Err(NoRoute::Failed(why)) = check_memory(3 << 20, 1 << 20) else {
            panic!("the overlay is too large");
        };
        assert!(lang::phrase(&why).starts_with("the overlay for routes takes about 3 MiB"));
        lang::set_language(Language::Chinese);
        assert_eq!(
            lang::phrase(&why),
            "路线的叠加层约占 3 MiB，超过其 1 MiB；请在“偏好设置”中提高内存预算"
        );
        lang::set_language(Language::English);
    }
}

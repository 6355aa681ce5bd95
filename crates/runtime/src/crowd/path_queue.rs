//! Searches for long paths, a few polygons per update.

use serde::{Deserialize, Serialize};

use super::{params::AgentParams, search};
use crate::{
    navmesh::{NavMesh, PolyRef},
    query::{Filter, MeshPoint, SlicedPath, SlicedState},
};

/// Maximum number of requests.
const MAX_REQUESTS: usize = 8;
/// Maximum number of nodes of a search.
pub(super) const MAX_NODES: usize = 4096;
/// Maximum number of polygons of a path.
pub(super) const MAX_PATH: usize = 256;
/// Number of updates after which an unused result is dropped.
const MAX_KEPT: u8 = 2;

/// Identifies a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RequestId(u32);

/// The state of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum RequestState {
    /// The search has not begun.
    Waiting,
    /// The search is running.
    Searching,
    /// The path is found. `is_partial` is set if it does not reach the end.
    Done { is_partial: bool },
    /// There is no path.
    Failed,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Request {
    /// `None` if the slot is free.
    id: Option<RequestId>,
    state: RequestState,
    ends: Option<[MeshPoint; 2]>,
    filter: u8,
    path: Vec<PolyRef>,
    /// Number of updates since the result was found.
    n_kept: u8,
}

impl Request {
    const FREE: Self = Self {
        id: None,
        state: RequestState::Waiting,
        ends: None,
        filter: 0,
        path: Vec::new(),
        n_kept: 0,
    };

    fn free(&mut self) {
        self.id = None;
        self.state = RequestState::Waiting;
    }
}

/// A queue of requests, searched one after the other.
///
/// Source: `dtPathQueue`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PathQueue {
    requests: [Request; MAX_REQUESTS],
    next_id: u32,
    /// The current slot.
    turn: usize,
    search: Option<SlicedPath>,
}

impl Default for PathQueue {
    fn default() -> Self {
        Self { requests: [Request::FREE; MAX_REQUESTS], next_id: 1, turn: 0, search: None }
    }
}

impl PathQueue {
    /// Returns the running search, or the last one.
    pub(super) fn search(&self) -> Option<&SlicedPath> {
        self.search.as_ref()
    }

    /// Returns whether the search is consistent. One that was read from a file may not be.
    pub(super) fn is_sound(&self) -> bool {
        self.search.as_ref().is_none_or(SlicedPath::is_sound)
    }

    /// Adds a request; returns `None` if the queue is full.
    pub(super) fn request(&mut self, ends: [MeshPoint; 2], filter: u8) -> Option<RequestId> {
        let slot = self.requests.iter_mut().find(|request| request.id.is_none())?;
        let id = RequestId(self.next_id);
        self.next_id = self.next_id.checked_add(1).unwrap_or(1);
        slot.id = Some(id);
        slot.state = RequestState::Waiting;
        slot.ends = Some(ends);
        slot.filter = filter;
        slot.path.clear();
        slot.n_kept = 0;
        Some(id)
    }

    /// Returns the state of a request; [`RequestState::Failed`] if it was dropped.
    pub(super) fn state(&self, id: RequestId) -> RequestState {
        let found = self.requests.iter().find(|request| request.id == Some(id));
        found.map_or(RequestState::Failed, |request| request.state)
    }

    /// Moves the path of a completed request to `path`, and removes the request.
    pub(super) fn take(&mut self, id: RequestId, path: &mut Vec<PolyRef>) {
        path.clear();
        if let Some(request) = self.requests.iter_mut().find(|request| request.id == Some(id)) {
            path.extend_from_slice(&request.path);
            request.free();
        }
    }

    /// Expands up to `budget` polygons.
    pub(super) fn update(
        &mut self,
        mesh: &NavMesh,
        filters: &[Filter; AgentParams::N_FILTERS],
        mut budget: usize,
    ) {
        for _ in 0..MAX_REQUESTS {
            let slot = self.turn % MAX_REQUESTS;
            let request = &mut self.requests[slot];
            let goes_on = match (request.id, request.state) {
                (None, _) => true,
                (Some(_), RequestState::Done { .. } | RequestState::Failed) => {
                    request.n_kept = request.n_kept.saturating_add(1);
                    if request.n_kept > MAX_KEPT {
                        request.free();
                    }
                    true
                }
                (Some(_), RequestState::Waiting | RequestState::Searching) => {
                    let filter = &filters[usize::from(request.filter) % filters.len()];
                    advance(request, &mut self.search, mesh, filter, &mut budget);
                    budget > 0
                }
            };
            if !goes_on {
                return;
            }
            self.turn = (slot + 1) % MAX_REQUESTS;
        }
    }
}

/// Begins or continues the search of a request, within `budget`.
fn advance(
    request: &mut Request,
    search: &mut Option<SlicedPath>,
    mesh: &NavMesh,
    filter: &Filter,
    budget: &mut usize,
) {
    if request.state == RequestState::Waiting {
        let begun = request.ends.and_then(|ends| search::begin(search, mesh, ends, MAX_NODES));
        request.state =
            if begun.is_some() { RequestState::Searching } else { RequestState::Failed };
    }
    let Some(search) = search.as_mut().filter(|_| request.state == RequestState::Searching) else {
        return;
    };
    let before = search.n_expanded();
    let stepped = search.step(mesh, filter, *budget);
    *budget = budget.saturating_sub(search.n_expanded() - before);
    let found = match stepped {
        Ok(SlicedState::Searching) => return,
        Ok(SlicedState::Done) => search.find_polys_with_removed(mesh, filter, &mut request.path),
        Err(error) => Err(error),
    };
    request.path.truncate(MAX_PATH);
    request.state = match found {
        Ok(outcome) => RequestState::Done { is_partial: !outcome.is_complete },
        Err(_) => RequestState::Failed,
    };
}

//! Short searches that run immediately, without being queued.

use crate::{
    navmesh::{NavMesh, PolyRef},
    query::{Filter, MeshPoint, Scratch, SlicedPath, SlicedRequest},
};

/// Maximum number of nodes of a short search.
pub(super) const MAX_NODES: usize = 512;
/// Maximum number of polygons that a search for the beginning of a path expands.
const MAX_EXPANDED: usize = 20;
/// Maximum number of polygons of the beginning of a path.
const MAX_PATH: usize = 32;

/// Starts a search with the memory of an earlier one; `None` if an end is stale or not valid.
pub(super) fn begin<'a>(
    search: &'a mut Option<SlicedPath>,
    mesh: &NavMesh,
    ends: [MeshPoint; 2],
    max_nodes: usize,
) -> Option<&'a mut SlicedPath> {
    if let Some(search) = search {
        search.restart(mesh, ends).ok()?;
        return Some(search);
    }
    let [start, end] = ends;
    let request = SlicedRequest { max_nodes, ..SlicedRequest::new(start, end) };
    Some(search.insert(SlicedPath::new(mesh, &request, Scratch::default()).ok()?))
}

/// Searches from one end toward the other and writes the beginning of a path to `path`. If there is an `existing`
/// path, the new one leads to the farthest point along it that the search reached. Returns `None` if no path is found.
pub(super) fn find_beginning(
    search: &mut Option<SlicedPath>,
    mesh: &NavMesh,
    (ends, filter): ([MeshPoint; 2], &Filter),
    existing: Option<&[PolyRef]>,
    path: &mut Vec<PolyRef>,
) -> Option<()> {
    let search = begin(search, mesh, ends, MAX_NODES)?;
    search.step(mesh, filter, MAX_EXPANDED).ok()?;
    match existing {
        Some(existing) => search.find_polys_along(mesh, filter, existing, path).ok()?,
        None => search.find_polys(mesh, filter, path).ok()?,
    };
    path.truncate(MAX_PATH);
    Some(())
}

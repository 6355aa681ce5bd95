//! Searches over the navmesh's polygons.

use std::sync::Arc;

use glam::Vec3;
use walkable::{
    debug_draw,
    navmesh::NavMesh,
    query::{
        Expansion, Filter, NavPath, PathRequest, PathStatus, QueryError, Scratch, find_path,
        find_shortest_path,
    },
    search::{SearchStep, Side, StepKind, Watch as _},
};

use super::{Lab, QUICK, timed};
use crate::{
    lang::tr,
    session::{Effort, LabRow, NavmeshSearch, Recorder, Recording, Searcher, Shape},
};

pub(super) fn run(lab: &Lab<'_>, wanted: &[(Searcher, NavmeshSearch)]) -> Result<(), String> {
    let navmesh = lab.request.navmesh.as_deref().ok_or("Bake the level first.")?;
    let n_bytes = navmesh.stats().n_bytes;
    let (mut scratch, mut traced) = (Scratch::default(), Scratch::traced());
    let shortest = ask(lab, navmesh, NavmeshSearch::Polyanya, &mut scratch).ok();
    let least = shortest
        .filter(|path| path.status == PathStatus::Complete)
        .map(|path| f64::from(path.length));
    for &(searcher, search) in wanted {
        let (mut found, mut time) = timed(|| ask(lab, navmesh, search, &mut scratch));
        if time < QUICK {
            (found, time) = timed(|| ask(lab, navmesh, search, &mut scratch));
        }
        // The search that is timed keeps no trace. If it finds no path, so does this one.
        let _ = ask(lab, navmesh, search, &mut traced);
        let why = match &found {
            Err(QueryError::UnequalCosts) => Some(tr!("area costs differ").to_owned()),
            Err(error) => Some(error.to_string()),
            Ok(path) if path.status == PathStatus::Complete => None,
            Ok(_) => Some(tr!("no complete path").to_owned()),
        };
        let found = found.unwrap_or_else(|_| NavPath::unreachable());
        let length = f64::from(found.length);
        lab.send(LabRow {
            searcher,
            length,
            cost: least.map(|least| (length, least)),
            why,
            effort: Effort { n_expanded: found.n_expanded as u64, ..Effort::default() },
            points: found.points,
            time,
            made_in: None,
            n_bytes,
            recording: Arc::new(recording(navmesh, traced.expanded())),
        });
        if lab.is_cancelled() {
            break;
        }
    }
    Ok(())
}

fn ask(
    lab: &Lab<'_>,
    navmesh: &NavMesh,
    search: NavmeshSearch,
    scratch: &mut Scratch,
) -> Result<NavPath, QueryError> {
    let [start, end] = lab.request.ends;
    let mut filter: Filter = lab.request.filter.clone();
    filter.rules.moves_entries = search == NavmeshSearch::MovingEntries;
    let request = PathRequest::new(start, end, &filter);
    match search {
        NavmeshSearch::Polyanya => find_shortest_path(navmesh, &request, scratch),
        NavmeshSearch::AStar | NavmeshSearch::MovingEntries => {
            find_path(navmesh, &request, scratch)
        }
    }
}

/// Records the expansions. Each one is a separate node, because a polygon may be entered more than once.
fn recording(navmesh: &NavMesh, expanded: &[Expansion]) -> Recording {
    let shape = |place: u64| {
        let node = usize::try_from(place).ok().and_then(|index| expanded.get(index));
        let Some(node) = node else { return Shape::Voxel(Vec3::ZERO) };
        let triangles = debug_draw::corridor(navmesh, &[node.poly]).triangles;
        Shape::Polygon(node.position, triangles.iter().map(|t| t.corners).collect())
    };
    let mut recorder = Recorder::new(shape);
    for (place, node) in (0..).zip(expanded) {
        recorder.step(|| SearchStep {
            kind: StepKind::Expanded,
            place,
            parent: node.parent.map(u64::from),
            side: Side::Start,
            g: node.g.into(),
            h: (node.f - node.g).max(0.0).into(),
            f: node.f.into(),
        });
    }
    recorder.finish()
}

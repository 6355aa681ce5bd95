//! Maps and scenarios in the formats of the Moving AI benchmarks.

use std::str;

use walkable::search::Unwatched;
use walkable_workspace::searches::{Algorithm, Finder, Map, Options, Place, parse_queries};

/// Maximum number of cells of a map to search, so that all searches together take seconds.
const MAX_CELLS: u64 = 1 << 16;

const GRID: &str = "type octile\nheight 4\nwidth 6\nmap\n......\n.@@@..\n...@..\n......\n";
const VOLUME: &str = "voxel 4 4 4\n1 0 1\n1 1 1\n1 2 1\n2 1 1\n";

/// Searches with every algorithm. All must agree on whether there is a path.
fn search(map: &Map, start: &Place, goal: &Place) {
    let mut found = Vec::new();
    let can_search = |algorithm: &Algorithm| map.can_search(*algorithm);
    for algorithm in Algorithm::all().iter().copied().filter(can_search) {
        let finder = Finder::new(map, algorithm, Options::default(), &mut Unwatched);
        let Ok(mut finder) = finder else { continue };
        let answer = finder.find(start, goal, &mut Unwatched);
        found.push((algorithm, answer.cost.is_some()));
    }
    assert!(
        found.windows(2).all(|pair| pair[0].1 == pair[1].1),
        "{start:?} to {goal:?}: {found:?}"
    );
}

fn check_map(text: &str) {
    let Ok(map) = Map::parse(text) else { return };
    let size = map.size();
    let places = if let Map::Polygons(mesh) = &map {
        let polys = 0..u32::try_from(mesh.n_polygons()).unwrap_or_default();
        let corners = [polys.clone().next(), polys.last()].into_iter().flatten();
        corners
            .filter_map(|poly| mesh.corners(poly).next())
            .map(|corner| Place::Point(corner.into()))
            .collect()
    } else if size.iter().map(|&n| u64::from(n)).product::<u64>() <= MAX_CELLS {
        let cell = |of: fn(u32) -> u32| Place::Cell(size.iter().map(|&n| of(n)).collect());
        vec![cell(|_| 0), cell(|n| n / 2), cell(|n| n - 1)]
    } else {
        Vec::new()
    };
    for pair in places.windows(2) {
        search(&map, &pair[0], &pair[1]);
    }
}

fn check_scenario(text: &str, map: &str) {
    let Ok(map) = Map::parse(map) else { return };
    let Ok(queries) = parse_queries(text, &map) else { return };
    for query in &queries {
        search(&map, &query.start, &query.goal);
    }
}

pub(crate) fn map(bytes: &[u8]) {
    if let Ok(text) = str::from_utf8(bytes) {
        check_map(text);
    }
}

pub(crate) fn scen(bytes: &[u8]) {
    if let Ok(text) = str::from_utf8(bytes) {
        check_scenario(text, GRID);
    }
}

pub(crate) fn scen3d(bytes: &[u8]) {
    if let Ok(text) = str::from_utf8(bytes) {
        check_scenario(text, VOLUME);
    }
}

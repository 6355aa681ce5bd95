//! Shortest paths by brute force: over all corners of cells that see each other.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "coordinates of cells of small maps"
)]

use glam::DVec2;

/// Returns whether all of a line is on free cells or their edges.
fn sees(cells: &[Vec<bool>], [a, b]: [DVec2; 2]) -> bool {
    let mut cuts = vec![0.0, 1.0];
    for axis in 0..2 {
        let (from, along) = (a[axis], b[axis] - a[axis]);
        let lines = (0..=cells.len().max(cells[0].len())).map(|n| n as f64);
        cuts.extend(lines.map(|line| (line - from) / along).filter(|t| (0.0..=1.0).contains(t)));
    }
    cuts.sort_by(f64::total_cmp);
    cuts.windows(2).filter(|pair| pair[1] - pair[0] > 1e-9).all(|pair| {
        let middle = a.lerp(b, f64::midpoint(pair[0], pair[1]));
        let is_free = |shift: DVec2| {
            let cell = (middle + shift).floor();
            let row = (cell.y >= 0.0).then(|| cells.get(cell.y as usize)).flatten();
            row.is_some_and(|row| cell.x >= 0.0 && row.get(cell.x as usize) == Some(&true))
        };
        is_free(DVec2::splat(1e-7)) || is_free(DVec2::splat(-1e-7))
    })
}

/// Returns the length of the shortest path by Dijkstra over all corners of cells that see each other.
pub(crate) fn by_sight(cells: &[Vec<bool>], [start, end]: [DVec2; 2]) -> Option<f64> {
    let mut points = vec![start, end];
    for y in 0..=cells.len() {
        points.extend((0..=cells[0].len()).map(|x| DVec2::new(x as f64, y as f64)));
    }
    let mut best = vec![f64::INFINITY; points.len()];
    best[0] = 0.0;
    let mut waiting: Vec<usize> = (0..points.len()).collect();
    while !waiting.is_empty() {
        let next =
            (0..waiting.len()).min_by(|&i, &j| best[waiting[i]].total_cmp(&best[waiting[j]]));
        let at = waiting.swap_remove(next.unwrap());
        if at == 1 || best[at] == f64::INFINITY {
            break;
        }
        for &to in &waiting {
            let length = best[at] + points[at].distance(points[to]);
            if length < best[to] && sees(cells, [points[at], points[to]]) {
                best[to] = length;
            }
        }
    }
    (best[1] < f64::INFINITY).then_some(best[1])
}

//! Polygon maps of Polyanya and other any-angle searches: format "mesh", version 2.
//!
//! `x` and `y` of the format are x and z of the navmesh.

use std::fmt::Write as _;

use crate::{
    ground::Ground,
    input::{ExportError, ExportInput},
};

/// Writes the file.
pub(crate) fn write(input: &ExportInput<'_>) -> Result<Vec<u8>, ExportError> {
    let ground = Ground::of(input.mesh);
    if ground.polys.is_empty() {
        return Err(ExportError::Empty);
    }
    let mut text = String::from("mesh\n2\n");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{} {}", ground.vertices.len(), ground.polys.len());
    for (vertex, around) in ground.vertices.iter().zip(polygons_around(&ground)) {
        let _ = write!(text, "{} {} {}", vertex.x, vertex.z, around.len());
        for poly in around {
            let _ = write!(text, " {}", number(poly));
        }
        text.push('\n');
    }
    for poly in &ground.polys {
        let _ = write!(text, "{}", poly.ring.len());
        // Counter-clockwise in the plane of x and z is clockwise seen from above.
        for vertex in poly.ring.iter().rev() {
            let _ = write!(text, " {vertex}");
        }
        // The first edge of the format ends at its first vertex.
        let n = poly.neighbors.len();
        for index in 0..n {
            let edge = n - 1 - index;
            let _ = write!(text, " {}", number(poly.neighbors[edge]));
        }
        text.push('\n');
    }
    Ok(text.into_bytes())
}

/// Returns the number of a polygon in the file, −1 for an obstacle.
fn number(poly: Option<u32>) -> i64 {
    poly.map_or(-1, i64::from)
}

/// Returns the polygons around each vertex, counter-clockwise in the plane of x and z, with `None` for each gap.
fn polygons_around(ground: &Ground) -> Vec<Vec<Option<u32>>> {
    let mut corners: Vec<Vec<(u32, usize)>> = vec![Vec::new(); ground.vertices.len()];
    for (number, poly) in (0..).zip(&ground.polys) {
        for (corner, &vertex) in poly.ring.iter().enumerate() {
            corners[vertex as usize].push((number, corner));
        }
    }
    let around = |corners: Vec<(u32, usize)>| {
        // Seen from above, the order is clockwise: from a polygon over the edge that leaves the vertex.
        let before = |(poly, corner): (u32, usize)| {
            let neighbors = &ground.polys[poly as usize].neighbors;
            neighbors[(corner + neighbors.len() - 1) % neighbors.len()]
        };
        let after = |(poly, corner): (u32, usize)| ground.polys[poly as usize].neighbors[corner];
        let mut left = corners;
        let mut all = Vec::new();
        while !left.is_empty() {
            let start = left.iter().position(|&corner| before(corner).is_none()).unwrap_or(0);
            let mut at = left.remove(start);
            all.push(Some(at.0));
            loop {
                let next = after(at);
                match left.iter().position(|corner| Some(corner.0) == next) {
                    Some(index) => at = left.remove(index),
                    None => break all.extend(next.is_none().then_some(None)),
                }
                all.push(Some(at.0));
            }
        }
        all
    };
    corners.into_iter().map(around).collect()
}

//! Reading polygon maps: format "mesh", version 2.
//!
//! ```text
//! mesh
//! 2
//! V P
//! x y n p…        V lines: a vertex and the n polygons around it, −1 for none
//! n v… p…         P lines: the n corners of a polygon, counter-clockwise, and its neighbors;
//!                 neighbor i lies over the edge from corner i − 1 to corner i, −1 for none
//! ```
//!
//! Empty lines are ignored. The polygons around a vertex are checked and not used: they follow from the edges.

use glam::DVec2;

use super::polygon_mesh::{PolygonMesh, Ring};

/// An error of a polygon map. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolygonMeshError {
    /// The file or a line ends too early.
    #[error("line {line}: {what} is missing")]
    Missing {
        /// The line; the last one if the file ends.
        line: usize,
        /// What was expected.
        what: &'static str,
    },
    /// The file has another format or version.
    #[error("line {line}: {found:?} stands where {expected:?} should")]
    Unexpected {
        /// The line.
        line: usize,
        /// What was found.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A value is not a number, or is out of range.
    #[error("line {line}: {what} is {found:?}")]
    BadNumber {
        /// The line.
        line: usize,
        /// What the number means.
        what: &'static str,
        /// What was found.
        found: String,
    },
    /// An index of a vertex or polygon is out of range.
    #[error("line {line}: {what} {index} does not exist, there are {n}")]
    OutOfRange {
        /// The line.
        line: usize,
        /// What the index refers to.
        what: &'static str,
        /// The index.
        index: u64,
        /// Number of vertices or polygons.
        n: usize,
    },
    /// A polygon is not convex, not counter-clockwise, or has no area.
    #[error("line {line}: the polygon is not convex and counter-clockwise")]
    NotConvex {
        /// Line of the polygon.
        line: usize,
    },
    /// A polygon refers to a neighbor over an edge, but the neighbor does not refer to the polygon.
    #[error("line {line}: polygon {neighbor} does not have the edge that it is said to share")]
    OneSided {
        /// Line of the polygon.
        line: usize,
        /// The neighbor.
        neighbor: u32,
    },
    /// Something follows the last polygon or the last number of a line.
    #[error("line {line}: {found:?} follows where nothing should")]
    LeftOver {
        /// The line.
        line: usize,
        /// What follows.
        found: String,
    },
    /// The map has more vertices, polygons or corners than 32 bits can count.
    #[error("the map is too large")]
    TooLarge,
}

impl std::str::FromStr for PolygonMesh {
    type Err = PolygonMeshError;

    fn from_str(text: &str) -> Result<Self, PolygonMeshError> {
        if u32::try_from(text.len()).is_err() {
            return Err(PolygonMeshError::TooLarge);
        }
        let mut lines = Lines::new(text);
        lines.next("the name of the format")?.expect_only("mesh")?;
        lines.next("the version")?.expect_only("2")?;
        let mut counts = lines.next("the numbers of vertices and polygons")?;
        let n_vertices = counts.count("the number of vertices")?;
        let n_polygons = counts.count("the number of polygons")?;
        counts.end()?;
        // Reserves no memory: the numbers in the file can be larger than its content.
        let mut vertices = Vec::new();
        for _ in 0..n_vertices {
            vertices.push(vertex(lines.next("a vertex")?, n_polygons)?);
        }
        let (mut rings, mut line_of) = (Vec::new(), Vec::new());
        for _ in 0..n_polygons {
            let line = lines.next("a polygon")?;
            line_of.push(line.number);
            rings.push(polygon(line, &vertices, n_polygons)?);
        }
        lines.end()?;
        check_neighbors(&rings, &line_of)?;
        Ok(Self::from_rings(vertices, &rings))
    }
}

fn vertex(mut line: Line<'_>, n_polygons: usize) -> Result<DVec2, PolygonMeshError> {
    let point = DVec2::new(line.coordinate("x")?, line.coordinate("y")?);
    for _ in 0..line.count("the number of polygons around a vertex")? {
        line.index_or_none("polygon", n_polygons)?;
    }
    line.end()?;
    Ok(point)
}

fn polygon(
    mut line: Line<'_>,
    vertices: &[DVec2],
    n_polygons: usize,
) -> Result<Ring, PolygonMeshError> {
    let n = line.count("the number of corners")?;
    let mut ring = Ring::default();
    for _ in 0..n {
        ring.corners.push(line.index("vertex", vertices.len())?);
    }
    for _ in 0..n {
        ring.neighbors.push(line.index_or_none("polygon", n_polygons)?);
    }
    let number = line.number;
    line.end()?;
    let corners: Vec<DVec2> = ring.corners.iter().map(|&v| vertices[v as usize]).collect();
    if is_convex(&corners) { Ok(ring) } else { Err(PolygonMeshError::NotConvex { line: number }) }
}

/// Returns whether a polygon is convex and counter-clockwise. Collinear corners are allowed.
fn is_convex(corners: &[DVec2]) -> bool {
    let n = corners.len();
    let corner = |index: usize| corners[index % n];
    let turn = |a: DVec2, b: DVec2, c: DVec2| (b - a).perp_dot(c - b);
    let mut turns = (0..n).map(|i| turn(corner(i), corner(i + 1), corner(i + 2)));
    // In a polygon that winds around twice, the fan of triangles at the first corner changes its orientation.
    let mut fan = (1..n.saturating_sub(1)).map(|i| turn(corner(0), corner(i), corner(i + 1)));
    n >= 3
        && (0..n).all(|i| corner(i) != corner(i + 1))
        && turns.all(|turn| turn >= 0.0)
        && fan.clone().all(|area| area >= 0.0)
        && fan.any(|area| area > 0.0)
}

fn check_neighbors(rings: &[Ring], line_of: &[usize]) -> Result<(), PolygonMeshError> {
    let mut borders = Vec::new();
    for (poly, ring) in (0_u32..).zip(rings) {
        let before = ring.corners.iter().cycle().skip(ring.corners.len().saturating_sub(1));
        for ((&to, &from), neighbor) in ring.corners.iter().zip(before).zip(&ring.neighbors) {
            borders.extend(neighbor.map(|neighbor| (from, to, poly, neighbor)));
        }
    }
    borders.sort_unstable();
    let one_sided = borders
        .iter()
        .find(|&&(from, to, poly, other)| borders.binary_search(&(to, from, other, poly)).is_err());
    match one_sided {
        None => Ok(()),
        Some(&(_, _, poly, neighbor)) => {
            Err(PolygonMeshError::OneSided { line: line_of[poly as usize], neighbor })
        }
    }
}

/// Reads lines that are not empty.
struct Lines<'a> {
    rest: std::iter::Enumerate<std::str::Lines<'a>>,
    last: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        Self { rest: text.lines().enumerate(), last: 0 }
    }

    fn next_if_any(&mut self) -> Option<Line<'a>> {
        let mut lines = self.rest.by_ref().map(|(index, text)| (index + 1, text));
        let (number, text) = lines.find(|(_, text)| !text.trim().is_empty())?;
        self.last = number;
        Some(Line { number, words: text.split_ascii_whitespace() })
    }

    fn next(&mut self, what: &'static str) -> Result<Line<'a>, PolygonMeshError> {
        let line = self.last;
        self.next_if_any().ok_or(PolygonMeshError::Missing { line, what })
    }

    fn end(&mut self) -> Result<(), PolygonMeshError> {
        self.next_if_any().map_or(Ok(()), Line::end)
    }
}

struct Line<'a> {
    number: usize,
    words: std::str::SplitAsciiWhitespace<'a>,
}

impl<'a> Line<'a> {
    fn word(&mut self, what: &'static str) -> Result<&'a str, PolygonMeshError> {
        self.words.next().ok_or(PolygonMeshError::Missing { line: self.number, what })
    }

    fn parse<T: std::str::FromStr>(&mut self, what: &'static str) -> Result<T, PolygonMeshError> {
        let word = self.word(what)?;
        word.parse().map_err(|_not_one| self.bad_number(what, word))
    }

    fn bad_number(&self, what: &'static str, found: &str) -> PolygonMeshError {
        PolygonMeshError::BadNumber { line: self.number, what, found: found.to_owned() }
    }

    fn coordinate(&mut self, what: &'static str) -> Result<f64, PolygonMeshError> {
        let value: f64 = self.parse(what)?;
        // Products of differences must be finite.
        let makes_sense = value.abs() <= 1e100;
        if makes_sense { Ok(value) } else { Err(self.bad_number(what, &value.to_string())) }
    }

    fn count(&mut self, what: &'static str) -> Result<usize, PolygonMeshError> {
        self.parse(what)
    }

    fn index(&mut self, what: &'static str, n: usize) -> Result<u32, PolygonMeshError> {
        let index: u64 = self.parse(what)?;
        let is_there = usize::try_from(index).is_ok_and(|index| index < n);
        let out_of_range = PolygonMeshError::OutOfRange { line: self.number, what, index, n };
        u32::try_from(index).ok().filter(|_| is_there).ok_or(out_of_range)
    }

    /// Parses an index, or −1.
    fn index_or_none(
        &mut self,
        what: &'static str,
        n: usize,
    ) -> Result<Option<u32>, PolygonMeshError> {
        let mut ahead = self.words.clone();
        if ahead.next() == Some("-1") {
            self.words = ahead;
            return Ok(None);
        }
        self.index(what, n).map(Some)
    }

    fn expect_only(mut self, expected: &'static str) -> Result<(), PolygonMeshError> {
        let found = self.word(expected)?;
        if found != expected {
            let found = found.to_owned();
            return Err(PolygonMeshError::Unexpected { line: self.number, found, expected });
        }
        self.end()
    }

    fn end(mut self) -> Result<(), PolygonMeshError> {
        match self.words.next() {
            None => Ok(()),
            Some(found) => {
                Err(PolygonMeshError::LeftOver { line: self.number, found: found.to_owned() })
            }
        }
    }
}

//! References of 64 bits, and agents that step exactly onto corners: the answers of C++ Detour built with
//! `DT_POLYREF64`, line by line.
//!
//! `tests/reference/wide/CASE.txt` contains its output for the tile set that [`wide`] makes from that case: for each
//! query the polygons nearest to both ends, corridor, funnel, ray, polygons around the start, and the walk of an agent
//! along the corridor, in steps of 0.7 m, with the last step to each corner ending exactly on it. References and the
//! bits of numbers are in hexadecimal.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use glam::Vec3;
use walkable::{
    ids::TileCoord,
    navmesh::{NavMesh, PolyRef, Tile, format::RefWidth},
    query::{
        CorridorRequest, Filter, MeshPoint, NearestRequest, PathCorridor, PointKind,
        PolygonsAroundRequest, RaycastRequest, Scratch, StraightPathRequest, closest_point,
        find_corridor, nearest, polygons_around, raycast, straight_path,
    },
};

const HALF_EXTENTS: Vec3 = Vec3::new(2.0, 4.0, 2.0);
/// Maximum step of an agent, in meters.
const STEP: f32 = 0.7;

fn reference() -> PathBuf {
    walkable_test_support::own_reference()
}

/// Returns the tiles of a case with references of 64 bits, the second tile with its second salt.
fn wide(case: &Path) -> NavMesh {
    let narrow = NavMesh::from_bytes(&std::fs::read(case.join("navmesh.bin")).unwrap()).unwrap();
    let mut mesh = NavMesh::with_width(*narrow.params(), RefWidth::Bits64).unwrap();
    for (_, tile) in narrow.slots() {
        mesh.add_tile(Arc::new(Tile::from_bytes(&tile.to_bytes()).unwrap())).unwrap();
    }
    let second = mesh.tile(1).unwrap().header;
    let [x, z] = [second.x, second.z].map(|place| u32::try_from(place).unwrap());
    let place = TileCoord::new(x, z);
    let tile = mesh.remove_tile(place, second.layer.cast_unsigned()).unwrap();
    mesh.add_tile(tile).unwrap();
    NavMesh::from_bytes(&mesh.to_bytes()).unwrap()
}

#[derive(Default)]
struct Lines(String);

impl Lines {
    fn word(&mut self, word: &str) {
        self.0.push_str(word);
    }

    fn point(&mut self, point: Vec3) {
        for number in point.to_array() {
            self.number(number);
        }
    }

    fn number(&mut self, number: f32) {
        write!(self.0, " {:08x}", number.to_bits()).unwrap();
    }

    /// Writes a reference, 0 for none.
    fn poly(&mut self, poly: Option<PolyRef>) {
        write!(self.0, " {:x}", poly.map_or(0, |poly| poly.0.get())).unwrap();
    }

    fn polys(&mut self, polys: &[PolyRef]) {
        for &poly in polys {
            self.poly(Some(poly));
        }
    }

    fn end(&mut self) {
        self.0.push('\n');
    }
}

struct QueryRecorder<'a> {
    mesh: &'a NavMesh,
    filter: Filter,
    scratch: Scratch,
    lines: Lines,
}

impl QueryRecorder<'_> {
    fn ask(&mut self, ends: [Vec3; 2]) {
        let found = ends.map(|center| {
            let (half_extents, filter) = (HALF_EXTENTS, &self.filter);
            nearest(self.mesh, &NearestRequest { center, half_extents, filter }).unwrap()
        });
        self.lines.word("near");
        for end in found {
            self.lines.poly(end.map(|end| end.poly));
        }
        for end in found.into_iter().flatten() {
            self.lines.point(end.point);
        }
        self.lines.end();
        let [Some(start), Some(end)] = found else { return };
        let Self { mesh, filter, scratch, lines } = self;
        let request = CorridorRequest::new(start, end, filter);
        let polys = find_corridor(mesh, &request, scratch).unwrap().polys;
        lines.word("path");
        lines.polys(&polys);
        lines.end();
        let last = *polys.last().unwrap();
        let target = match closest_point(mesh, last, end.point) {
            Ok(on) if last != end.poly => on.point,
            _ => end.point,
        };
        let request = StraightPathRequest::new(start.point, target, &polys);
        let points = straight_path(mesh, &request, scratch).unwrap();
        lines.word("line");
        for point in &points {
            lines.point(point.position);
            lines.poly(point.poly);
        }
        lines.end();
        let request = RaycastRequest::new(start, end.point, filter);
        let ray = raycast(mesh, &RaycastRequest { max_polys: 8192, ..request }).unwrap();
        lines.word("ray");
        lines.number(ray.hit.t.unwrap_or(f32::MAX));
        lines.number(ray.hit.cost);
        lines.polys(&ray.visited);
        lines.end();
        let request = PolygonsAroundRequest::new(start, 6.0, filter);
        let around = polygons_around(mesh, &request, scratch).unwrap();
        lines.word("circle");
        for one in &around.polys {
            lines.polys(&[one.poly]);
            lines.poly(one.parent);
            lines.number(one.cost);
        }
        lines.end();
        self.walk(start, target, &polys);
    }

    /// Walks until the end is reached, or the next step is an off-mesh link.
    fn walk(&mut self, start: MeshPoint, target: Vec3, polys: &[PolyRef]) {
        let Self { mesh, filter, scratch, lines } = self;
        let mut agent = PathCorridor::new(start);
        agent.set(target, polys);
        for _ in 0..200 {
            let corners = agent.corners(mesh, 7, scratch).unwrap();
            write!(lines.0, "walk {}", corners.len()).unwrap();
            let Some(corner) = corners.first() else { break };
            lines.point(corner.position);
            lines.poly(corner.poly);
            if corner.kind == PointKind::Connection {
                lines.word(" off");
                break;
            }
            let away = corner.position - agent.position();
            let distance = away.length();
            let is_onto = distance <= STEP;
            let to = agent.position() + away * (STEP / distance);
            let to = if is_onto { corner.position } else { to };
            agent.move_position(mesh, to, filter).unwrap();
            lines.point(agent.position());
            lines.word(" |");
            lines.polys(agent.polys());
            if is_onto && corner.kind == PointKind::End {
                break;
            }
            lines.end();
        }
        lines.end();
    }
}

#[test]
fn answers_with_wide_references_and_walks_onto_corners_agree() {
    for name in ["islands-tiled", "tower-tiled"] {
        let case = reference().join("cases").join(name);
        let expected =
            std::fs::read_to_string(reference().join("wide").join(format!("{name}.txt"))).unwrap();
        let n = expected.lines().filter(|line| line.starts_with("near")).count();
        let mesh = wide(&case);
        assert_eq!(mesh.width(), RefWidth::Bits64);
        let (filter, scratch) = (Filter::default(), Scratch::default());
        let mut asked = QueryRecorder { mesh: &mesh, filter, scratch, lines: Lines::default() };
        let questions = std::fs::read_to_string(case.join("queries.txt")).unwrap();
        for line in questions.lines().take(n) {
            let numbers: Vec<f32> = line.split(' ').map(|n| n.parse().unwrap()).collect();
            asked.ask([&numbers[..3], &numbers[3..]].map(Vec3::from_slice));
        }
        for (index, (found, expected)) in asked.lines.0.lines().zip(expected.lines()).enumerate() {
            assert_eq!(found, expected, "{name}, line {}", index + 1);
        }
        assert_eq!(asked.lines.0.lines().count(), expected.lines().count(), "{name}");
    }
}

//! Compares Polyanya in Walkable and in the crate `polyanya`, alternating on the same map and queries.

use std::{error::Error, hint::black_box, path::Path};

use glam::DVec2;
use peers::clock::thread_nanoseconds;
use walkable::query::polyanya::{
    PlanePath, PlanePoint, PlaneRequest, PlaneScratch, PolygonMesh, shortest_in_plane_into,
};

/// Number of queries that are timed together.
const CHUNK: usize = 50;
const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = peers::levels::reference_folder().join("polygon-meshes");
    println!("| map | queries | ours, µs | crate, µs | ratio | sum of lengths, ours | crate |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for name in ["arena", "aurora"] {
        compare(&folder, name)?;
    }
    Ok(())
}

fn compare(folder: &Path, name: &str) -> Result<(), Box<dyn Error>> {
    let text = std::fs::read_to_string(folder.join(format!("{name}-merged.mesh")))?;
    let mesh: PolygonMesh = text.parse()?;
    let theirs: polyanya::Mesh = polyanya::PolyanyaFile::from_bytes(text.as_bytes())
        .try_into()
        .map_err(|e| format!("{e:?}"))?;
    let scenario = std::fs::read_to_string(folder.join(format!("{name}.scen")))?;
    let queries: Vec<[DVec2; 2]> = scenario.lines().filter_map(query).collect();
    let places: Vec<[PlanePoint<u32>; 2]> = queries
        .iter()
        .map(|ends| ends.map(|end| mesh.locate(end).expect("queries lie on the map")))
        .collect();
    let (mut scratch, mut path) = (PlaneScratch::default(), PlanePath::default());
    let mut sums = [0.0, 0.0];
    for (ends, points) in places.iter().zip(&queries) {
        let request = PlaneRequest::new(ends[0], ends[1]);
        shortest_in_plane_into(&mesh, &request, &mut scratch, &mut path)?;
        let [from, to] = points.map(in_crate);
        let found = theirs.path(from, to).map_or(f64::NAN, |path| f64::from(path.length));
        assert!(
            (found - path.length).abs() < 0.01 + 1e-4 * found,
            "{points:?}: {found}, {}",
            path.length
        );
        sums = [sums[0] + path.length, sums[1] + found];
    }
    let mut total = [0, 0];
    for chunk in queries.chunks(CHUNK) {
        let mut least = [u64::MAX; 2];
        for round in 0..ROUNDS {
            for is_ours in [round % 2 == 0, round % 2 != 0] {
                let start = thread_nanoseconds();
                for points in chunk {
                    // Finding the polygons of both ends is part of a query in both libraries.
                    if is_ours {
                        let ends = points.map(|end| mesh.locate(end).expect("they lie on the map"));
                        let request = PlaneRequest::new(ends[0], ends[1]);
                        shortest_in_plane_into(&mesh, &request, &mut scratch, &mut path)?;
                        black_box(&path);
                    } else {
                        let [from, to] = points.map(in_crate);
                        black_box(theirs.path(from, to));
                    }
                }
                let best = &mut least[usize::from(!is_ours)];
                *best = (*best).min(thread_nanoseconds() - start);
            }
        }
        total = [total[0] + least[0], total[1] + least[1]];
    }
    let each = |time: u64| time as f64 / 1e3 / queries.len() as f64;
    println!(
        "| {name}-merged | {} | {:.2} | {:.2} | {:.3} | {:.6} | {:.6} |",
        queries.len(),
        each(total[0]),
        each(total[1]),
        total[0] as f64 / total[1] as f64,
        sums[0],
        sums[1]
    );
    Ok(())
}

fn in_crate(point: DVec2) -> polyanya_glam::Vec2 {
    polyanya_glam::Vec2::new(point.x as f32, point.y as f32)
}

fn query(line: &str) -> Option<[DVec2; 2]> {
    let numbers: Vec<f64> =
        line.split_whitespace().skip(4).map(str::parse).collect::<Result<_, _>>().ok()?;
    let [x, y, to_x, to_y, _] = numbers[..] else { return None };
    Some([DVec2::new(x, y), DVec2::new(to_x, to_y)])
}

//! Measures the memory of bakes: the peak beyond the level while a tile is baked, compared with C++ Recast; then time
//! and memory by the size of the world.

use std::{error::Error, fs::File, io::BufWriter, sync::Arc};

use glam::Vec3;
use peers::{
    clock::thread_nanoseconds,
    levels::{LEVELS, terrain},
    memory::{Counting, OURS, THEIRS, count_theirs},
    recast,
};
use walkable::{
    bake::{BakeConfig, BakeInput, BakeOutput, BakePlan, BakeSettings, StreamedBake, bake_tile},
    mesh::{BinnedLevel, BinnedWriter, TriMesh},
    monitor::Unmonitored,
};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const USAGE: &str = "memory peaks | memory scale [METRES…] | memory stream [METRES…]";

/// Side of a tile in the table over sizes, in cells: 76.8 m, so that 5 km fit the 16,384 tiles of
/// 32-bit references.
const SCALE_TILE: u32 = 256;
/// Side of a square of a binned level, in meters: two tiles.
const STREAM_SQUARE: f32 = 150.0;
/// Larger terrains are assembled from copies side by side.
const COPY: u16 = 1000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let mode = args.next();
    let sizes: Result<Vec<u16>, _> = args.map(|arg| arg.parse()).collect();
    let sizes = sizes?;
    let or = |usual: &[u16]| if sizes.is_empty() { usual.to_vec() } else { sizes.clone() };
    match mode.as_deref() {
        Some("peaks") => peaks(),
        Some("scale") => scale(&or(&[100, 200, 500, 1000, 2000, 5000])),
        Some("stream") => stream(&or(&[1000, 2000, 5000])),
        _ => {
            println!("{USAGE}");
            Ok(())
        }
    }
}

fn plan(mesh: Arc<TriMesh>, tile_size: u32) -> Result<BakePlan, Box<dyn Error>> {
    let settings = BakeSettings { tile_size, ..BakeSettings::default() };
    Ok(BakePlan::new(BakeInput::new(mesh, settings))?)
}

fn peaks() -> Result<(), Box<dyn Error>> {
    count_theirs();
    println!("| level | ours, MB | C++, MB | ratio |\n|---|---:|---:|---:|");
    for level in LEVELS {
        let Some(mesh) = level.mesh() else { continue };
        for tile_size in [48, 0] {
            let plan = plan(Arc::clone(&mesh), tile_size)?;
            let cpp = recast::Level::new(&plan);
            let [mut ours, mut theirs] = [0; 2];
            for coord in plan.tiles() {
                let before = OURS.restart();
                drop(bake_tile(&plan, coord, BakeOutput::Tile, &Unmonitored)?);
                ours = ours.max(OURS.peak() - before);
                let input = cpp.tile(&plan, coord);
                let before = THEIRS.restart();
                cpp.bake(&input, &mut |_, _| {});
                theirs = theirs.max(THEIRS.peak() - before);
            }
            let kind = if tile_size == 0 { "solo".into() } else { format!("tiles of {tile_size}") };
            let ratio = ours as f64 / theirs as f64;
            let [ours, theirs] = [ours, theirs].map(megabytes);
            println!("| {}, {kind} | {ours:.2} | {theirs:.2} | {ratio:.3} |", level.name);
        }
    }
    Ok(())
}

fn scale(sizes: &[u16]) -> Result<(), Box<dyn Error>> {
    println!(
        "| side, m | triangles | tiles | lookup, s | bake, s | µs per m² | level and lookup, MB | results, MB | one tile, MB |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for &size in sizes {
        let empty = OURS.restart();
        let mesh = world(size)?;
        let n_triangles = mesh.triangles().len();
        let start = thread_nanoseconds();
        let plan = plan(mesh, SCALE_TILE)?;
        let lookup = thread_nanoseconds() - start;
        let level = OURS.restart() - empty;

        let start = thread_nanoseconds();
        let mut results = Vec::new();
        let mut most = 0;
        for coord in plan.tiles() {
            let before = OURS.restart();
            results.push(bake_tile(&plan, coord, BakeOutput::Tile, &Unmonitored)?.tile);
            most = most.max(OURS.peak() - before);
        }
        let bake = thread_nanoseconds() - start;
        let kept = OURS.restart() - empty - level;
        let area = f64::from(size) * f64::from(size);
        println!(
            "| {size} | {n_triangles} | {} | {:.2} | {:.2} | {:.2} | {:.1} | {:.1} | {:.2} |",
            results.len(),
            lookup as f64 / 1e9,
            bake as f64 / 1e9,
            bake as f64 / 1e3 / area,
            megabytes(level),
            megabytes(kept),
            megabytes(most),
        );
    }
    Ok(())
}

/// Like [`scale`], with the triangles in a file. The world consists of terrains of [`COPY`] meters.
fn stream(sizes: &[u16]) -> Result<(), Box<dyn Error>> {
    println!(
        "| side, m | triangles | file, MB | bake, s | list of squares, MB | results, MB | one tile, MB |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|");
    let path = std::env::temp_dir().join(format!("walkable-peers-{}.tri", std::process::id()));
    for &size in sizes {
        let file = BufWriter::new(File::create(&path)?);
        let mut writer = BinnedWriter::new(file, STREAM_SQUARE)?;
        let piece = terrain(f32::from(COPY));
        for (z, x) in places(size / COPY) {
            let offset = Vec3::new(f32::from(x * COPY), 0.0, f32::from(z * COPY));
            let vertices = piece.vertices().iter().map(|&vertex| vertex + offset).collect();
            writer.add(&TriMesh::new(vertices, piece.triangles().to_vec())?)?;
        }
        drop(writer.finish()?);
        drop(piece);

        let empty = OURS.restart();
        let mut file = File::open(&path)?;
        let level = BinnedLevel::read(&mut file)?;
        let n_triangles = level.n_triangles();
        let settings = BakeSettings { tile_size: SCALE_TILE, ..BakeSettings::default() };
        let config = BakeConfig { settings, ..BakeConfig::default() };
        let streamed = StreamedBake::new(level, config)?;
        let list = OURS.restart() - empty;
        let start = thread_nanoseconds();
        let mut results = Vec::new();
        let mut most = 0;
        for coord in streamed.plan().tiles() {
            let before = OURS.restart();
            let baked = streamed.bake_tile(coord, &mut file, BakeOutput::Tile, &Unmonitored)?;
            results.push(baked.tile);
            most = most.max(OURS.peak() - before);
        }
        let bake = thread_nanoseconds() - start;
        let kept = OURS.restart() - empty - list;
        println!(
            "| {size} | {n_triangles} | {:.0} | {:.2} | {:.2} | {:.1} | {:.2} |",
            file.metadata()?.len() as f64 / 1e6,
            bake as f64 / 1e9,
            megabytes(list),
            megabytes(kept),
            megabytes(most),
        );
    }
    std::fs::remove_file(&path)?;
    Ok(())
}

/// Returns rows and columns of `n` by `n` pieces.
fn places(n: u16) -> impl Iterator<Item = (u16, u16)> {
    (0..n).flat_map(move |z| (0..n).map(move |x| (z, x)))
}

/// Returns a terrain with a side of `size` meters.
fn world(size: u16) -> Result<Arc<TriMesh>, Box<dyn Error>> {
    if size <= 2 * COPY {
        return Ok(terrain(f32::from(size)));
    }
    let copy = terrain(f32::from(COPY));
    let n = size / COPY;
    let n_copies = usize::from(n) * usize::from(n);
    let mut vertices = Vec::with_capacity(copy.vertices().len() * n_copies);
    let mut triangles = Vec::with_capacity(copy.triangles().len() * n_copies);
    for (z, x) in places(n) {
        let first = u32::try_from(vertices.len())?;
        let offset = Vec3::new(f32::from(x * COPY), 0.0, f32::from(z * COPY));
        vertices.extend(copy.vertices().iter().map(|&vertex| vertex + offset));
        triangles.extend(copy.triangles().iter().map(|corners| corners.map(|v| v + first)));
    }
    Ok(Arc::new(TriMesh::new(vertices, triangles)?))
}

fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}

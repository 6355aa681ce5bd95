//! Flies through a level: `cargo run --example fly [LEVEL.obj sx sy sz ex ey ez]`.

#![expect(clippy::print_stdout, reason = "a program that shows its result")]

use std::{env, error::Error, fs};

use glam::Vec3;
use walkable::{
    geom::Aabb,
    level::{LevelKind, generate},
    mesh::{ImportOptions, read_obj},
    monitor::Unmonitored,
    search::Unwatched,
    voxel::{Airspace, AirspaceSettings, CellOptions, CellTree as _, VoxelScratch},
};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let (mesh, ends) = if let [file, ends @ ..] = &args[..] {
        let ends: Vec<f32> = ends.iter().map(|n| n.parse()).collect::<Result<_, _>>()?;
        let &[sx, sy, sz, ex, ey, ez] = &ends[..] else {
            return Err("expected six numbers".into());
        };
        let mesh = ImportOptions::default().import(read_obj(&fs::read(file)?)?)?;
        (mesh, [Vec3::new(sx, sy, sz), Vec3::new(ex, ey, ez)])
    } else {
        let level = generate(LevelKind::Town, 1, 100.0)?;
        (level.mesh, [level.start + Vec3::Y * 2.0, level.end + Vec3::Y * 2.0])
    };
    let bounds = Aabb { max: mesh.bounds().max + Vec3::Y * 10.0, ..mesh.bounds() };
    let settings = AirspaceSettings { voxel_size: 0.25, agent_radius: 0.4 };
    let space = Airspace::new(&mesh, bounds, settings, &Unmonitored)?;
    println!("{} voxels blocked in {} bytes", space.tree.n_blocked(), space.tree.n_bytes());
    let mut scratch = VoxelScratch::default();
    let found = space.find_path(ends, CellOptions::default(), &mut scratch, &mut Unwatched);
    let path = found.path.ok_or("there is no way through the air")?;
    println!("{:.2} m, {} cubes expanded", path.length, found.stats.n_expanded);
    path.points.iter().for_each(|at| println!("{:.2} {:.2} {:.2}", at.x, at.y, at.z));
    Ok(())
}

//! Bakes a town on all cores, finds a path and writes the tiles: `cargo run --example bake`.

#![expect(clippy::print_stdout, reason = "a program that shows its result")]

use std::{error::Error, sync::Arc};

use walkable::{
    bake::{BakeInput, BakeSettings, bake},
    level::{LevelKind, generate},
    monitor::Unmonitored,
    query::{Filter, PathRequest, Scratch, find_path},
};

fn main() -> Result<(), Box<dyn Error>> {
    let level = generate(LevelKind::Town, 7, 120.0)?;
    let settings = BakeSettings { agent_radius: 0.4, tile_size: 48, ..BakeSettings::default() };
    let mesh = bake(BakeInput::new(Arc::new(level.mesh), settings), &Unmonitored)?;

    let filter = Filter::default();
    let request = PathRequest::new(level.start, level.end, &filter);
    let path = find_path(&mesh, &request, &mut Scratch::default())?;
    println!("{:?}: {:.1} m round {} corners", path.status, path.length, path.points.len());

    let file = std::env::temp_dir().join("town.bin");
    std::fs::write(&file, mesh.to_bytes())?;
    println!("{} tiles in {}", mesh.tiles().count(), file.display());
    Ok(())
}

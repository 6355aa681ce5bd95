//! The world of the examples that walk across a tile store.

use std::{
    env,
    error::Error,
    fs::File,
    io::{Cursor, Read, Seek},
    sync::Arc,
};

use walkable::{
    bake::{BakeInput, BakeSettings, bake},
    glam::Vec3,
    level::{LevelKind, generate},
    monitor::Unmonitored,
    store::store_bytes,
};

/// A file, or a file in memory.
pub(crate) trait Source: Read + Seek {}

impl<T: Read + Seek> Source for T {}

/// A tile store, and the ends of the walk.
type World = (Box<dyn Source>, [Vec3; 2]);

/// Opens the world of the arguments `STORE X,Y,Z X,Y,Z`; without arguments, bakes a town of `size` meters.
pub(crate) fn of_arguments(size: f32) -> Result<World, Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    if let [path, start, end] = &args[..] {
        return Ok((Box::new(File::open(path)?), [position(start)?, position(end)?]));
    }
    let level = generate(LevelKind::Town, 7, size)?;
    let settings = BakeSettings { tile_size: 64, ..BakeSettings::default() };
    let whole = bake(BakeInput::new(Arc::new(level.mesh), settings), &Unmonitored)?;
    Ok((Box::new(Cursor::new(store_bytes(&whole)?)), [level.start, level.end]))
}

/// Parses a position such as `2,0,3`.
fn position(text: &str) -> Result<Vec3, Box<dyn Error>> {
    let numbers: Vec<f32> = text.split(',').map(str::parse).collect::<Result<_, _>>()?;
    let [x, y, z] = numbers[..] else { return Err("a position is X,Y,Z".into()) };
    Ok(Vec3::new(x, y, z))
}

//! Loads a baked mesh and prints a path: `cargo run --example path FILE sx sy sz ex ey ez`.

#![expect(clippy::print_stdout, reason = "a program that shows its result")]

use std::{env, error::Error, fs};

use glam::Vec3;
use walkable::{
    navmesh::NavMesh,
    query::{Filter, PathRequest, Scratch, find_path},
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let file = args.next().ok_or("usage: path FILE sx sy sz ex ey ez")?;
    let numbers: Vec<f32> = args.map(|number| number.parse()).collect::<Result<_, _>>()?;
    let &[sx, sy, sz, ex, ey, ez] = numbers.as_slice() else {
        return Err("expected six numbers: start and end".into());
    };
    let mesh = NavMesh::from_bytes(&fs::read(file)?)?;

    let filter = Filter::default();
    let request = PathRequest::new(Vec3::new(sx, sy, sz), Vec3::new(ex, ey, ez), &filter);
    let path = find_path(&mesh, &request, &mut Scratch::default())?;
    println!("{:?} {:?}: {:.2} m", path.status, path.why, path.length);
    for point in &path.points {
        println!("{:.3} {:.3} {:.3}", point.x, point.y, point.z);
    }
    Ok(())
}

//! Walks across a town whose navmesh never takes more than 1 MB of memory: `cargo run --example streaming`. With
//! `-- world.tiles 2,0,3 90,0,80`, walks across the world in a tile store, from one position to another.

#![expect(clippy::print_stdout, reason = "a program that shows its result")]

mod world;

use std::error::Error;

use walkable::{
    glam::Vec3,
    query::{Filter, PathRequest, PathStatus, Scratch, WhyNot, find_path},
    store::TileStore,
    streaming::{PointOfInterest, Streaming, StreamingRequest},
};

const BUDGET: u64 = 1 << 20;
const SIGHT: f32 = 60.0;
const STRIDE: f32 = 20.0;

fn main() -> Result<(), Box<dyn Error>> {
    // A game has this file on disk: `walkable bake LEVEL -o world.tiles`.
    let (mut file, [start, end]) = world::of_arguments(300.0)?;
    let store = TileStore::read(&mut file)?;
    let mut streaming = Streaming::new(*store.params(), store.width(), store.world_tiles())?;
    let (filter, mut scratch) = (Filter::default(), Scratch::default());
    let mut position = start;
    loop {
        let player = PointOfInterest { position, radius: SIGHT };
        let update = streaming.update(&StreamingRequest::new(&[player], BUDGET))?;
        for &place in &update.load {
            // A game reads the file on another thread.
            let entry = store.entry(place).ok_or("the store has all tiles of the world")?;
            streaming.add(place, &store.record(entry, &mut file)?.tile)?;
        }
        if !update.load.is_empty() {
            continue;
        }
        // If the end is not loaded, the path leads as near to it as possible.
        let request = PathRequest::new(position, end, &filter);
        let request = PathRequest { requires_goal: false, ..request };
        let path = find_path(streaming.nav_mesh(), &request, &mut scratch)?;
        let n_tiles = streaming.nav_mesh().tiles().count();
        let kilobytes = streaming.n_bytes() / 1000;
        let why = path.why.map_or(String::new(), |why| format!(": {why}"));
        println!("{n_tiles} tiles, {kilobytes} kB, {:?}{why}", path.status);
        let is_unknown = matches!(path.why, Some(WhyNot::EndNotLoaded | WhyNot::NotLoaded));
        if path.status != PathStatus::Complete && !is_unknown {
            return Err("there is no path".into());
        }
        let next = walk(&path.points, STRIDE).unwrap_or(position);
        if next.distance(position) < 0.1 {
            break;
        }
        position = next;
    }
    println!("{:.1} m from the end", position.distance(end));
    Ok(())
}

/// Returns the point `distance` meters along a path, or its end.
fn walk(points: &[Vec3], mut distance: f32) -> Option<Vec3> {
    for pair in points.windows(2) {
        let length = pair[0].distance(pair[1]);
        if length >= distance && length > 0.0 {
            return Some(pair[0].lerp(pair[1], distance / length));
        }
        distance -= length;
    }
    points.last().copied()
}

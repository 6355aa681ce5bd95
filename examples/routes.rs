//! Walks along a route across a town whose navmesh never takes more than 1 MB of memory: `cargo run --example routes`. With
//! `-- world.tiles 2,0,3 90,0,80`, walks across the world in a tile store, from one position to another.

#![expect(clippy::print_stdout, reason = "a program that shows its result")]

mod world;

use std::error::Error;

use walkable::{
    geom::Aabb,
    glam::Vec3,
    navmesh::TilePlace,
    query::{
        Filter, MeshPoint, NearestRequest, RouteOverlay, RouteRequest, Scratch,
        StraightPathRequest, find_route, nearest, route_corridor, straight_path,
    },
    store::TileStore,
    streaming::{PointOfInterest, Streaming, StreamingRequest},
};

const BUDGET: u64 = 1 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    // A game has these files on disk: the tile store of `walkable bake LEVEL -o world.tiles`, and the overlay.
    let (mut file, ends) = world::of_arguments(600.0)?;
    let filter = Filter::default();
    let store = TileStore::read(&mut file)?;
    let overlay_file = store.route_overlay(&filter, &mut file)?.to_bytes();

    let streaming = Streaming::new(*store.params(), store.width(), store.world_tiles())?;
    let overlay = RouteOverlay::from_bytes(&overlay_file, &filter)?;
    let mut game = Game { store, file, streaming, overlay };
    let [start, end] = game.load_ends(ends, &filter)?;
    let mut scratch = Scratch::default();
    let request = RouteRequest::new(start, end, &game.overlay);
    let route = find_route(game.streaming.nav_mesh(), &request, &mut scratch)?;
    let mut route = route.ok_or("there is no way")?;
    let n_tiles = game.streaming.nav_mesh().tiles().count();
    println!("a route of {:.0} m, found with {n_tiles} tiles in memory", route.cost);

    let (mut position, mut length, mut leg) = (start.point, 0.0, 0);
    while leg < route.n_legs() {
        // Legs through large cells are divided into short ones when the agent gets there.
        let legs = route.split(&game.overlay, leg..leg + 1, &mut scratch)?;
        leg = legs.end;
        for leg in legs {
            game.load(&route.tiles(&game.overlay, leg))?;
            let mesh = game.streaming.nav_mesh();
            let corridor = route_corridor(mesh, &game.overlay, &route, leg..leg + 1, &mut scratch)?;
            let goal = route.crossings.get(leg).map_or(end.point, |crossing| crossing.point);
            let request = StraightPathRequest::new(position, goal, &corridor);
            for corner in straight_path(mesh, &request, &mut scratch)? {
                length += corner.position.distance(position);
                position = corner.position;
            }
            let (n_tiles, n_polys) = (mesh.tiles().count(), corridor.len());
            let kilobytes = game.streaming.n_bytes() / 1000;
            println!("leg {leg}: {n_polys} polygons, {n_tiles} tiles, {kilobytes} kB");
        }
    }
    println!("walked {length:.0} m; {:.1} m from the end", position.distance(end.point));
    Ok(())
}

struct Game {
    store: TileStore,
    file: Box<dyn world::Source>,
    streaming: Streaming,
    overlay: RouteOverlay,
}

impl Game {
    /// Loads the tiles that a route needs at its ends, and finds the ends on the navmesh.
    fn load_ends(
        &mut self,
        ends: [Vec3; 2],
        filter: &Filter,
    ) -> Result<[MeshPoint; 2], Box<dyn Error>> {
        let columns = ends.map(|end| Aabb { min: end, max: end });
        let tiles: Vec<TilePlace> = columns
            .iter()
            .flat_map(|column| self.store.entries_in_box(column))
            .flat_map(|entry| self.overlay.tiles_at(entry.place))
            .collect();
        self.load(&tiles)?;
        let mesh = self.streaming.nav_mesh();
        let on = |end| nearest(mesh, &NearestRequest::new(end, filter));
        Ok([on(ends[0])?.ok_or("no ground")?, on(ends[1])?.ok_or("no ground")?])
    }

    /// Loads these tiles, and drops others as the budget requires.
    fn load(&mut self, tiles: &[TilePlace]) -> Result<(), Box<dyn Error>> {
        let params = *self.store.params();
        #[expect(clippy::cast_precision_loss, reason = "a town has few tiles")]
        let middle = |&TilePlace { x, z, .. }: &TilePlace| {
            let [x, z] = [x, z].map(|along| along as f32 + 0.5);
            let position =
                params.origin + Vec3::new(x * params.tile_width, 0.0, z * params.tile_height);
            PointOfInterest { position, radius: 0.0 }
        };
        let points: Vec<PointOfInterest> = tiles.iter().map(middle).collect();
        loop {
            let update = self.streaming.update(&StreamingRequest::new(&points, BUDGET))?;
            for &place in &update.load {
                // A game reads the file on another thread.
                let entry = self.store.entry(place).ok_or("the store has all tiles")?;
                let record = self.store.record(entry, &mut self.file)?;
                self.streaming.add(place, &record.tile)?;
            }
            if update.load.is_empty() {
                break;
            }
        }
        self.overlay.update(self.streaming.nav_mesh())?;
        Ok(())
    }
}

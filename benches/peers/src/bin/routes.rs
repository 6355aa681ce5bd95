//! Compares routes across a large navmesh with A*, C++ Detour, and A* with landmarks (ALT): times, memory and costs.
//!
//! All searches of a pair run in one process on the same navmesh. Paths over the midpoints of portals must have the
//! same costs in routes, ALT and Dijkstra's algorithm, and Detour must find the corridors of A*.

use std::{error::Error, num::NonZero, time::Duration};

use cpu_time::ProcessTime;
use glam::Vec3;
use peers::{
    detour,
    landmarks::{Bound, Landmarks, LinkGraph, LinkSearch},
    memory::{Counting, OURS, THEIRS, count_theirs},
};
use recastnavigation_sys::{DT_BUFFER_TOO_SMALL, DT_PARTIAL_RESULT, dtPolyRef};
use walkable::{
    navmesh::{NavMesh, PolyRef},
    query::{
        Corridor, CorridorRequest, Filter, MeshPoint, RouteOverlay, RouteRequest, Scratch,
        find_corridor_into, find_route, route_corridor,
    },
};
use walkable_test_support::worlds::{Times, far, far_points, megabytes, nav_mesh, shortest, timed};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const USAGE: &str = "routes [--pairs N] [--landmarks N] METERS | FILE

  --pairs      how many pairs of points that a path connects (50)
  --landmarks  number of landmarks (16)
  METERS       side of a town, which is baked
  FILE         a tile set or a tile store to load instead; needs the width of references that Detour is built with";

/// Maximum number of polygons of a corridor.
const MAX_POLYS: usize = 1 << 20;

struct Options {
    n_pairs: usize,
    n_landmarks: usize,
    world: String,
}

impl Options {
    fn read(mut args: impl Iterator<Item = String>) -> Result<Option<Self>, Box<dyn Error>> {
        let mut options = Self { n_pairs: 50, n_landmarks: 16, world: String::new() };
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
            match arg.as_str() {
                "--help" => return Ok(None),
                "--pairs" => options.n_pairs = value()?.parse()?,
                "--landmarks" => options.n_landmarks = value()?.parse()?,
                _ => options.world = arg,
            }
        }
        Ok(Some(options).filter(|options| !options.world.is_empty()))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let Some(options) = Options::read(std::env::args().skip(1))? else {
        println!("{USAGE}");
        return Ok(());
    };
    count_theirs();
    let filter = Filter::default();
    let loaded = nav_mesh(&options.world);
    let tiles = loaded.slots().map(|(_, tile)| tile.clone()).collect();
    let bytes = NavMesh::of_tiles(*loaded.params(), detour::REF_WIDTH, tiles)?.to_bytes();
    drop(loaded);

    let before = OURS.restart();
    let (mesh_time, mesh) = on_all_threads(|| NavMesh::from_bytes(&bytes));
    let mesh = mesh?;
    let n_polys: usize = mesh.tiles().map(|tile| tile.polys.len()).sum();
    let mut scratch = Scratch::default();
    let pairs = connected(&mesh, &filter, options.n_pairs, &mut scratch);
    let with_nodes = OURS.restart();
    drop(scratch);
    let mesh_bytes = OURS.restart() - before;
    let nodes_bytes = with_nodes - before - mesh_bytes;
    println!(
        "{} tiles, {n_polys} polygons, references of {} bits, a file of {:.1} MB; {} pairs at least {:.0} m apart",
        mesh.tiles().count(),
        mesh.width().bits(),
        megabytes(bytes.len()),
        pairs.len(),
        far(&mesh),
    );

    let before = THEIRS.restart();
    let (their_time, theirs) = on_all_threads(|| detour::Mesh::load(&bytes));
    let their_bytes = THEIRS.restart() - before;
    drop(bytes);
    // A polygon has more than one node only if it is entered over several sides of its tile.
    let query = detour::Query::with_room(&theirs, 2 * n_polys, MAX_POLYS);
    let query_bytes = THEIRS.restart() - before - their_bytes;

    let (overlay_time, overlay) = on_all_threads(|| RouteOverlay::new(&mesh, &filter));
    let overlay = overlay?;
    let before = OURS.restart();
    let (graph_time, graph) = on_all_threads(|| LinkGraph::new(&mesh, &filter));
    let graph_bytes = OURS.restart() - before;
    let (landmarks_time, landmarks) =
        on_all_threads(|| Landmarks::new(&graph, &mesh, pairs[0][0], options.n_landmarks));
    let landmarks_bytes = OURS.restart() - before - graph_bytes;

    println!("\n| in memory | computed or loaded in, s | MB |\n|---|---:|---:|");
    let row = |name: &str, time: Duration, bytes: usize| {
        println!("| {name} | {:.2} | {:.1} |", time.as_secs_f64(), megabytes(bytes));
    };
    row("navmesh", mesh_time, mesh_bytes);
    row("C++ Detour", their_time, their_bytes);
    row("overlay", overlay_time, overlay.n_bytes());
    row(&format!("graph of {} links", graph.n_links()), graph_time, graph_bytes);
    row(&format!("{} landmarks", options.n_landmarks), landmarks_time, landmarks_bytes);
    println!(
        "\nNodes of a search: A* {:.1} MB, C++ Detour {:.1} MB",
        megabytes(nodes_bytes),
        megabytes(query_bytes),
    );
    if query.is_none() {
        println!("C++ Detour refuses more than {} nodes", detour::MAX_NODES);
    }

    let mut searches = Searches {
        mesh: &mesh,
        filter: &filter,
        overlay: &overlay,
        graph: &graph,
        landmarks: &landmarks,
        search: LinkSearch::new(&graph),
        few: detour::Query::with_room(&theirs, detour::MAX_NODES, MAX_POLYS),
        many: query,
        scratch: Scratch::default(),
        corridor: Corridor::default(),
    };
    let rows = searches.measure(&pairs);
    print(&rows);
    Ok(())
}

/// Returns the result, and the processor time of all threads.
fn on_all_threads<T>(run: impl FnOnce() -> T) -> (Duration, T) {
    let clock = ProcessTime::now();
    let result = run();
    (clock.elapsed(), result)
}

/// Returns pairs of distant points that a path connects.
fn connected(
    mesh: &NavMesh,
    filter: &Filter,
    n: usize,
    scratch: &mut Scratch,
) -> Vec<[MeshPoint; 2]> {
    let mut corridor = Corridor::default();
    let pairs = far_points(mesh, filter).filter(|&[start, end]| {
        let request =
            CorridorRequest { max_nodes: usize::MAX, ..CorridorRequest::new(start, end, filter) };
        find_corridor_into(mesh, &request, scratch, &mut corridor).expect("sound ends");
        corridor.is_complete
    });
    pairs.take(n).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    AStar,
    /// C++ Detour with a node pool for the whole navmesh.
    Detour,
    /// C++ Detour as released, with at most 65,535 nodes.
    DetourOfFew,
    ExactAStar,
    Alt,
    Route,
    RouteWithPolys,
    Dijkstra,
}

impl Kind {
    const ALL: [Self; 8] = [
        Self::AStar,
        Self::Detour,
        Self::DetourOfFew,
        Self::Dijkstra,
        Self::ExactAStar,
        Self::Alt,
        Self::Route,
        Self::RouteWithPolys,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::AStar => "A*",
            Self::Detour => "C++ Detour",
            Self::DetourOfFew => "C++ Detour, 65,535 nodes",
            Self::Dijkstra => "Dijkstra over portals",
            Self::ExactAStar => "A* over portals",
            Self::Alt => "ALT over portals",
            Self::Route => "route",
            Self::RouteWithPolys => "route and its polygons",
        }
    }
}

/// The result of a search.
#[derive(Clone, Copy, Debug, Default)]
struct SearchResult {
    /// The cost in meters; `None` if the end was not reached.
    cost: Option<f32>,
    n_expanded: Option<usize>,
}

struct Searches<'a> {
    mesh: &'a NavMesh,
    filter: &'a Filter,
    overlay: &'a RouteOverlay,
    graph: &'a LinkGraph,
    landmarks: &'a Landmarks,
    search: LinkSearch,
    few: Option<detour::Query<'a>>,
    many: Option<detour::Query<'a>>,
    scratch: Scratch,
    corridor: Corridor,
}

#[derive(Debug)]
struct Row {
    kind: Kind,
    warm: Times,
    cold: Times,
    n_expanded: usize,
    n_reached: usize,
    /// Sum of the costs relative to the cheapest ones, minus 1.
    excess: f64,
}

impl Searches<'_> {
    fn measure(&mut self, pairs: &[[MeshPoint; 2]]) -> Vec<Row> {
        let row = |kind| {
            let (warm, cold) = (Times::default(), Times::default());
            Row { kind, warm, cold, n_expanded: 0, n_reached: 0, excess: 0.0 }
        };
        let kinds =
            Kind::ALL.into_iter().filter(|&kind| kind != Kind::Detour || self.many.is_some());
        let mut rows: Vec<Row> = kinds.map(row).collect();
        for &pair in pairs {
            let cheapest = self.run(Kind::Route, pair).cost.expect("the ends are connected");
            for row in &mut rows {
                let kind = row.kind;
                let (time, found) = if kind == Kind::Dijkstra {
                    timed(|| self.run(kind, pair))
                } else {
                    shortest(|| self.run(kind, pair))
                };
                let found = match kind {
                    Kind::AStar => {
                        let cost =
                            found.cost.map(|_| self.midpoint_cost(pair, &self.corridor.polys));
                        SearchResult { cost, ..found }
                    }
                    Kind::Detour | Kind::DetourOfFew => self.check_detour(kind, pair),
                    _ => found,
                };
                row.warm.push(time);
                row.n_expanded += found.n_expanded.unwrap_or(0);
                let Some(cost) = found.cost else { continue };
                row.n_reached += 1;
                row.excess += f64::from(cost) / f64::from(cheapest) - 1.0;
                if !matches!(kind, Kind::AStar | Kind::Detour | Kind::DetourOfFew) {
                    assert_eq!(cost, cheapest, "{kind:?} {pair:?}");
                }
            }
            for row in rows.iter_mut().filter(|row| row.kind != Kind::Dijkstra) {
                row.cold.push(timed(|| self.run(row.kind, pair)).0);
            }
        }
        rows
    }

    fn run(&mut self, kind: Kind, [start, end]: [MeshPoint; 2]) -> SearchResult {
        let ends = [start, end];
        match kind {
            Kind::AStar => {
                let request = CorridorRequest::new(start, end, self.filter);
                let request = CorridorRequest { max_nodes: usize::MAX, ..request };
                find_corridor_into(self.mesh, &request, &mut self.scratch, &mut self.corridor)
                    .expect("sound ends");
                let Corridor { cost, is_complete, n_expanded, .. } = self.corridor;
                SearchResult { cost: is_complete.then_some(cost), n_expanded: Some(n_expanded) }
            }
            Kind::Detour | Kind::DetourOfFew => {
                let query = if kind == Kind::Detour { &mut self.many } else { &mut self.few };
                query.as_mut().expect("it is measured").corridor(ends.map(as_detour));
                SearchResult::default()
            }
            Kind::Dijkstra => self.over_portals(ends, Bound::None),
            Kind::ExactAStar => self.over_portals(ends, Bound::Straight),
            Kind::Alt => self.over_portals(ends, Bound::Landmarks(self.landmarks)),
            Kind::Route | Kind::RouteWithPolys => {
                let request = RouteRequest::new(start, end, self.overlay);
                let route = find_route(self.mesh, &request, &mut self.scratch).expect("sound ends");
                if let Some(route) = &route
                    && kind == Kind::RouteWithPolys
                {
                    let legs = 0..route.n_legs();
                    route_corridor(self.mesh, self.overlay, route, legs, &mut self.scratch)
                        .expect("the route is up to date");
                }
                SearchResult { cost: route.map(|route| route.cost), n_expanded: None }
            }
        }
    }

    fn over_portals(&mut self, ends: [MeshPoint; 2], bound: Bound<'_>) -> SearchResult {
        let cost = self.search.cost(self.mesh, self.graph, ends, bound);
        let cost = cost.map(|cost| (f64::from(cost) / 1024.0) as f32);
        SearchResult { cost, n_expanded: Some(self.search.n_expanded) }
    }

    /// Returns whether Detour reached the end, and the cost of its corridor over the midpoints of portals.
    ///
    /// # Panics
    /// Panics if it has space for all nodes, and its corridor is not the one that A* found last.
    fn check_detour(&mut self, kind: Kind, ends: [MeshPoint; 2]) -> SearchResult {
        let query = if kind == Kind::Detour { &mut self.many } else { &mut self.few };
        let query = query.as_mut().expect("it is measured");
        let (polys, status) = query.corridor(ends.map(as_detour));
        let polys = polys.iter().map(|&poly| PolyRef(NonZero::new(poly as u64).expect("not 0")));
        let polys: Vec<PolyRef> = polys.collect();
        if kind == Kind::Detour {
            assert_eq!(polys, self.corridor.polys, "{ends:?}");
        }
        let is_complete = status & (DT_PARTIAL_RESULT | DT_BUFFER_TOO_SMALL) == 0;
        SearchResult {
            cost: is_complete.then(|| self.midpoint_cost(ends, &polys)),
            n_expanded: None,
        }
    }

    /// Returns the cost of a corridor over the midpoints of its portals.
    fn midpoint_cost(&self, [start, end]: [MeshPoint; 2], polys: &[PolyRef]) -> f32 {
        let (mut at, mut cost) = (start.point, 0.0);
        for pair in polys.windows(2) {
            let link = self.mesh.links(pair[0]).find(|link| link.to == pair[1]);
            let point = link.expect("neighbors are linked").portal.midpoint();
            cost += at.distance(point);
            at = point;
        }
        cost + at.distance(end.point)
    }
}

fn as_detour(end: MeshPoint) -> (dtPolyRef, Vec3) {
    (dtPolyRef::try_from(end.poly.0.get()).expect("the navmesh has Detour's width"), end.point)
}

fn print(rows: &[Row]) {
    let mean = |kind, times: fn(&Row) -> &Times| {
        rows.iter().find(|row| row.kind == kind).map_or(f64::NAN, |row| times(row).mean())
    };
    let warm_route = mean(Kind::Route, |row| &row.warm);
    let cold_route = mean(Kind::Route, |row| &row.cold);
    println!(
        "\n| search | warm: mean, ms | median | 95 % | over a route | cold: mean, ms | over a route | expanded | reached | cost over the cheapest |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for Row { kind, warm, cold, n_expanded, n_reached, excess } in rows {
        let n = warm.len();
        let [median, most] = [0.5, 0.95].map(|share| warm.quantile(share));
        let cold = match kind {
            Kind::Dijkstra => "| ".to_owned(),
            _ => format!("{:.3} | {:.1}", cold.mean(), cold.mean() / cold_route),
        };
        let expanded = if *n_expanded == 0 { String::new() } else { (n_expanded / n).to_string() };
        println!(
            "| {} | {:.3} | {median:.3} | {most:.3} | {:.1} | {cold} | {expanded} | {n_reached} of {n} | {:.3} % |",
            kind.name(),
            warm.mean(),
            warm.mean() / warm_route,
            100.0 * excess / *n_reached as f64,
        );
    }
}

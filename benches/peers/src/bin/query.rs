//! Runs the same queries with Walkable and C++ Detour on the same tiles, alternating: checks that every answer agrees
//! to the last bit, and prints the time of each kind.

use std::{error::Error, hint::black_box, time::Instant};

use glam::Vec3;
use peers::{clock::thread_nanoseconds, detour, levels::Level};
use rayon::prelude::*;
use walkable::{
    bake::{BakeInput, BakeSettings, bake},
    monitor::Unmonitored,
    navmesh::{NavMesh, PolyRef},
    query::{
        Corridor, CorridorRequest, Filter, MeshPoint, NavPath, NearestRequest, PathPoint,
        PathRequest, Raycast, RaycastRequest, Scratch, StraightPathRequest, find_corridor_into,
        find_path_into, nearest, raycast_into, straight_path_into,
    },
};

const USAGE: &str = "query [--queries N] [--rounds N] [--only KIND] [--many] [LEVEL…]

  --queries  how many of each kind (10000)
  --rounds   how often each is asked (5); the least time of each hundred counts
  --only     one kind alone: nearest, corridor, funnel, ray or loading
  --many     also asks for whole paths with one thread and with two
  LEVEL      nav_test, town, terrain and others, without it these three; town:930 is one of another side, in
             meters";

const HALF_EXTENTS: Vec3 = Vec3::new(2.0, 4.0, 2.0);
/// Number of queries that are timed together.
const CHUNK: usize = 100;

struct Options {
    n_queries: usize,
    rounds: usize,
    only: Option<String>,
    many: bool,
    levels: Vec<String>,
}

impl Options {
    fn read(mut args: impl Iterator<Item = String>) -> Result<Option<Self>, Box<dyn Error>> {
        let mut options =
            Self { n_queries: 10_000, rounds: 5, only: None, many: false, levels: Vec::new() };
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
            match arg.as_str() {
                "--help" => return Ok(None),
                "--queries" => options.n_queries = value()?.parse()?,
                "--rounds" => options.rounds = value()?.parse()?,
                "--only" => options.only = Some(value()?),
                "--many" => options.many = true,
                level if Level::named(level).is_some() => options.levels.push(arg),
                _ => return Err(format!("unknown: {arg}\n{USAGE}").into()),
            }
        }
        if options.levels.is_empty() {
            options.levels = ["nav_test", "town", "terrain"].map(str::to_owned).to_vec();
        }
        Ok(Some(options))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let Some(options) = Options::read(std::env::args().skip(1))? else {
        println!("{USAGE}");
        return Ok(());
    };
    for name in &options.levels {
        let Some(mesh) = Level::named(name).and_then(|level| level.mesh()) else { continue };
        let settings = BakeSettings { tile_size: 48, ..BakeSettings::default() };
        let bytes = bake(BakeInput::new(mesh, settings), &Unmonitored)?.to_bytes();
        compare(name, &bytes, &options)?;
    }
    Ok(())
}

fn compare(name: &str, bytes: &[u8], options: &Options) -> Result<(), Box<dyn Error>> {
    let mesh = NavMesh::from_bytes(bytes)?;
    let theirs = detour::Mesh::load(bytes);
    let queries = queries(&mesh, options.n_queries);
    let n_polys: usize = mesh.tiles().map(|tile| tile.polys.len()).sum();
    let mut both = Both {
        ours: Ours { mesh: &mesh, filter: Filter::default(), ..Ours::new(&mesh) },
        theirs: detour::Query::new(&theirs),
    };
    let n_passed = both.check(&queries);
    println!(
        "\n{name}: {} bytes, {n_polys} polygons, {} queries, all answers agree; a ray passes \
         {n_passed:.1} polygons",
        bytes.len(),
        queries.len()
    );
    println!("| query | ours, µs | C++, µs | ratio |\n|---|---:|---:|---:|");
    let is_asked = |name: &str| options.only.as_deref().is_none_or(|only| only == name);
    for (_, kind) in KINDS.into_iter().filter(|(asked, _)| is_asked(asked)) {
        let times = both.time(kind, &queries, options.rounds);
        print_row(kind.name(), times, queries.len());
    }
    if is_asked("loading") {
        let load = turns(options.rounds, |_, is_ours| {
            if is_ours {
                drop(black_box(NavMesh::from_bytes(black_box(bytes))));
            } else {
                drop(black_box(detour::Mesh::load(black_box(bytes))));
            }
        });
        print_row("loading", load, 1);
    }
    if options.many {
        many(&mesh, &queries, options.rounds)?;
    }
    Ok(())
}

fn print_row(name: &str, [ours, theirs]: [u64; 2], n: usize) {
    let each = |time: u64| time as f64 / 1e3 / n as f64;
    let ratio = ours as f64 / theirs as f64;
    println!("| {name} | {:.3} | {:.3} | {ratio:.3} |", each(ours), each(theirs));
}

/// Returns pairs of points near polygons, always the same.
fn queries(mesh: &NavMesh, n: usize) -> Vec<[Vec3; 2]> {
    let middles: Vec<Vec3> = mesh
        .tiles()
        .flat_map(|tile| {
            tile.polys
                .iter()
                .map(|poly| tile.corners(poly).iter().sum::<Vec3>() / f32::from(poly.n_vertices))
        })
        .collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut point = || {
        let middle = middles[(random() % middles.len() as u64) as usize];
        let mut jitter = || (random() % 3001) as f32 / 1000.0 - 1.5;
        middle + Vec3::new(jitter(), jitter(), jitter())
    };
    (0..n).map(|_| [point(), point()]).collect()
}

#[derive(Clone, Copy)]
enum Kind {
    Nearest,
    Corridor,
    Funnel,
    Ray,
}

/// Kinds of queries, by their names for `--only`.
const KINDS: [(&str, Kind); 4] = [
    ("nearest", Kind::Nearest),
    ("corridor", Kind::Corridor),
    ("funnel", Kind::Funnel),
    ("ray", Kind::Ray),
];

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Nearest => "nearest polygon",
            Self::Corridor => "corridor",
            Self::Funnel => "funnel",
            Self::Ray => "raycast with cost",
        }
    }
}

struct Ours<'a> {
    mesh: &'a NavMesh,
    filter: Filter,
    scratch: Scratch,
    corridor: Corridor,
    ray: Raycast,
    points: Vec<PathPoint>,
}

impl<'a> Ours<'a> {
    fn new(mesh: &'a NavMesh) -> Self {
        let (filter, scratch, points) = (Filter::default(), Scratch::default(), Vec::new());
        let (corridor, ray) = (Corridor::default(), Raycast::default());
        Self { mesh, filter, scratch, corridor, ray, points }
    }

    fn nearest(&self, point: Vec3) -> Option<MeshPoint> {
        let (half_extents, filter) = (HALF_EXTENTS, &self.filter);
        let request = NearestRequest { center: point, half_extents, filter };
        nearest(self.mesh, &request).expect("sound points")
    }

    fn corridor(&mut self, [start, end]: [MeshPoint; 2]) -> bool {
        let Self { mesh, filter, scratch, corridor, .. } = self;
        let request = CorridorRequest::new(start, end, filter);
        find_corridor_into(mesh, &request, scratch, corridor).expect("sound ends");
        corridor.is_complete
    }

    fn straight(&mut self, [start, end]: [Vec3; 2], corridor: &[PolyRef]) {
        let Self { mesh, scratch, points, .. } = self;
        let request = StraightPathRequest::new(start, end, corridor);
        straight_path_into(mesh, &request, scratch, points).expect("sound ends");
    }

    fn raycast(&mut self, start: MeshPoint, end: Vec3) -> &Raycast {
        let Self { mesh, filter, ray, .. } = self;
        let request = RaycastRequest::new(start, end, filter);
        let request = RaycastRequest { max_polys: 8192, ..request };
        raycast_into(mesh, &request, ray).expect("sound ends");
        ray
    }
}

struct Both<'a> {
    ours: Ours<'a>,
    theirs: detour::Query<'a>,
}

/// A pair of ends on the mesh, and the corridor between them.
struct Known {
    ends: [MeshPoint; 2],
    corridor: Vec<PolyRef>,
}

fn raw(poly: PolyRef) -> u32 {
    u32::try_from(poly.0.get()).expect("references have 32 bits")
}

fn as_detour(end: MeshPoint) -> (u32, Vec3) {
    (raw(end.poly), end.point)
}

fn bits(points: impl Iterator<Item = Vec3>) -> Vec<[u32; 3]> {
    points.map(|point| point.to_array().map(f32::to_bits)).collect()
}

impl Both<'_> {
    fn known(&mut self, queries: &[[Vec3; 2]]) -> Vec<Known> {
        let mut known = Vec::new();
        for points in queries {
            if let [Some(start), Some(end)] = points.map(|point| self.ours.nearest(point)) {
                self.ours.corridor([start, end]);
                known
                    .push(Known { ends: [start, end], corridor: self.ours.corridor.polys.clone() });
            }
        }
        known
    }

    /// Checks that all answers agree; returns the mean number of polygons that a ray passes.
    fn check(&mut self, queries: &[[Vec3; 2]]) -> f64 {
        for &point in queries.iter().flatten() {
            let ours = self.ours.nearest(point).map_or((0, Vec3::ZERO), as_detour);
            let theirs = self.theirs.nearest(point, HALF_EXTENTS);
            assert_eq!(ours.0, theirs.0, "nearest to {point}");
            assert_eq!(bits([ours.1].into_iter()), bits([theirs.1].into_iter()), "{point}");
        }
        let mut n_passed = 0;
        let known = self.known(queries);
        let n_rays = known.len();
        for Known { ends, corridor } in known {
            let refs: Vec<u32> = corridor.iter().copied().map(raw).collect();
            let (theirs, _) = self.theirs.corridor(ends.map(as_detour));
            assert_eq!(refs, theirs, "corridor {ends:?}");
            let points = ends.map(|end| end.point);
            self.ours.straight(points, &corridor);
            let ours = bits(self.ours.points.iter().map(|point| point.position));
            assert_eq!(ours, bits(self.theirs.straight(points, &refs).iter().copied()));
            let Raycast { hit, visited } = self.ours.raycast(ends[0], points[1]);
            let (t, cost, passed) = self.theirs.raycast(as_detour(ends[0]), points[1]);
            assert_eq!(hit.t.unwrap_or(f32::MAX).to_bits(), t.to_bits(), "ray {ends:?}");
            assert_eq!(hit.cost.to_bits(), cost.to_bits(), "ray {ends:?}: {} {cost}", hit.cost);
            assert_eq!(visited.iter().copied().map(raw).collect::<Vec<_>>(), passed);
            n_passed += passed.len();
        }
        n_passed as f64 / n_rays as f64
    }

    fn time(&mut self, kind: Kind, queries: &[[Vec3; 2]], rounds: usize) -> [u64; 2] {
        let known = self.known(queries);
        let as_refs: Vec<Vec<u32>> =
            known.iter().map(|one| one.corridor.iter().copied().map(raw).collect()).collect();
        let mut total = [0, 0];
        let starts = (0..known.len().max(queries.len())).step_by(CHUNK);
        for start in starts {
            let asked = start..(start + CHUNK).min(known.len()).max(start.min(known.len()));
            let asked = asked.start.min(known.len())..asked.end;
            let near = start..(start + CHUNK).min(queries.len());
            let times = turns(rounds, |round, is_ours| {
                if let Kind::Nearest = kind {
                    for index in shuffled(near.clone(), round) {
                        let point = queries[index][0];
                        match is_ours {
                            true => drop(black_box(self.ours.nearest(point))),
                            false => drop(black_box(self.theirs.nearest(point, HALF_EXTENTS))),
                        }
                    }
                    return;
                }
                for index in shuffled(asked.clone(), round) {
                    let Known { ends, corridor } = &known[index];
                    let points = ends.map(|end| end.point);
                    match (kind, is_ours) {
                        (Kind::Corridor, true) => {
                            black_box(self.ours.corridor(*ends));
                        }
                        (Kind::Corridor, false) => {
                            black_box(self.theirs.corridor(ends.map(as_detour)));
                        }
                        (Kind::Funnel, true) => {
                            self.ours.straight(points, corridor);
                            black_box(&self.ours.points);
                        }
                        (Kind::Funnel, false) => {
                            black_box(self.theirs.straight(points, &as_refs[index]));
                        }
                        (_, true) => {
                            black_box(self.ours.raycast(ends[0], points[1]));
                        }
                        (_, false) => {
                            black_box(self.theirs.raycast(as_detour(ends[0]), points[1]));
                        }
                    }
                }
            });
            total = [total[0] + times[0], total[1] + times[1]];
        }
        total
    }
}

/// Returns the same numbers in another order in each round, so that the processor's branch predictor does not learn the
/// answers, as it could not in a game.
fn shuffled(range: std::ops::Range<usize>, round: usize) -> impl Iterator<Item = usize> {
    let (start, n) = (range.start, range.len());
    // A prime that does not divide the length of a chunk visits each number once.
    let step = [7, 11, 13, 17, 19, 23, 29, 31, 37, 41][round % 10];
    let step = if n % step == 0 { 1 } else { step };
    (0..n).map(move |at| start + (at * step + round) % n)
}

/// Returns the shortest times of Walkable and C++, alternating; `ask` gets the round, and whether it is Walkable's
/// turn.
fn turns(rounds: usize, mut ask: impl FnMut(usize, bool)) -> [u64; 2] {
    let mut least = [u64::MAX; 2];
    for round in 0..rounds {
        // The second one finds warm caches, so the order alternates.
        for is_ours in [round % 2 == 0, round % 2 != 0] {
            let start = thread_nanoseconds();
            ask(round, is_ours);
            let time = thread_nanoseconds() - start;
            let best = &mut least[usize::from(!is_ours)];
            *best = (*best).min(time);
        }
    }
    least
}

/// Measures whole paths with one thread and with two, in elapsed time.
fn many(mesh: &NavMesh, queries: &[[Vec3; 2]], rounds: usize) -> Result<(), Box<dyn Error>> {
    let filter = Filter::default();
    let mut least = [f64::INFINITY; 2];
    let pools = [1, 2].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build());
    let [one, two] = pools;
    let pools = [one?, two?];
    for _ in 0..rounds {
        for (pool, least) in pools.iter().zip(&mut least) {
            let start = Instant::now();
            pool.install(|| {
                queries.par_chunks(64).for_each_init(
                    || (Scratch::default(), NavPath::unreachable()),
                    |(scratch, path), chunk| {
                        for &[start, end] in chunk {
                            let request = PathRequest::new(start, end, &filter);
                            find_path_into(mesh, &request, scratch, path).expect("sound ends");
                            black_box(&path.length);
                        }
                    },
                );
            });
            *least = least.min(start.elapsed().as_secs_f64());
        }
    }
    let [one, two] = least;
    println!(
        "{} whole paths: one thread {:.1} ms, two {:.1} ms, {:.2} times",
        queries.len(),
        one * 1e3,
        two * 1e3,
        one / two
    );
    Ok(())
}

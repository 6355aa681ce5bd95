//! Bakes levels with Walkable and with C++ Recast, alternating, on one thread: checks that every stage of every tile
//! agrees, and prints the time of each.

use std::{error::Error, sync::Arc};

use peers::{
    agreement,
    clock::{StageClock, StageTimes, reading_nanoseconds, stage_index, thread_nanoseconds},
    levels::LEVELS,
    recast,
};
use walkable::{
    bake::{BakeInput, BakeOutput, BakePlan, BakeSettings, bake_tile},
    ids::TileCoord,
    mesh::TriMesh,
    stage::Stage,
};

const USAGE: &str = "bake [--tile-size VX]… [--rounds N] [--seconds S] [--max-tiles N] [LEVEL…]

  --tile-size  cells along a tile, 0 for solo; without it both 48 and 0
  --rounds     how often each tile is baked at least (5); the least time counts
  --seconds    for how long each level is baked at least (2), its tiles alike
  --max-tiles  bakes so many tiles of a level only, spread over it
  LEVEL        nav_test, dungeon, undulating, tower, caves, town, terrain; without it all";

struct Options {
    tile_sizes: Vec<u32>,
    rounds: u32,
    seconds: f64,
    max_tiles: usize,
    levels: Vec<String>,
}

impl Options {
    fn read(mut args: impl Iterator<Item = String>) -> Result<Option<Self>, Box<dyn Error>> {
        let mut options = Self {
            tile_sizes: Vec::new(),
            rounds: 5,
            seconds: 2.0,
            max_tiles: usize::MAX,
            levels: Vec::new(),
        };
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
            match arg.as_str() {
                "--help" => return Ok(None),
                "--tile-size" => options.tile_sizes.push(value()?.parse()?),
                "--rounds" => options.rounds = value()?.parse()?,
                "--seconds" => options.seconds = value()?.parse()?,
                "--max-tiles" => options.max_tiles = value()?.parse()?,
                level if LEVELS.iter().any(|known| known.name == level) => options.levels.push(arg),
                _ => return Err(format!("unknown: {arg}\n{USAGE}").into()),
            }
        }
        if options.tile_sizes.is_empty() {
            options.tile_sizes = vec![48, 0];
        }
        Ok(Some(options))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let Some(options) = Options::read(std::env::args().skip(1))? else {
        println!("{USAGE}");
        return Ok(());
    };
    let mut totals = Vec::new();
    let is_chosen =
        |name: &str| options.levels.is_empty() || options.levels.iter().any(|l| l == name);
    for level in LEVELS.iter().filter(|level| is_chosen(level.name)) {
        let Some(mesh) = level.mesh() else { continue };
        for &tile_size in &options.tile_sizes {
            let kind = if tile_size == 0 { "solo".into() } else { format!("tiles of {tile_size}") };
            let comparison = compare(Arc::clone(&mesh), tile_size, &options)?;
            println!(
                "\n{}, {kind}: {} triangles, {} tiles, all stages agree",
                level.name,
                mesh.triangles().len(),
                comparison.n_tiles
            );
            comparison.print();
            totals.push((format!("{}, {kind}", level.name), comparison));
        }
    }
    print_summary(&totals);
    Ok(())
}

/// Times over all tiles of a level.
#[derive(Default)]
struct Comparison {
    n_tiles: usize,
    /// Time to sort the triangles by position, once, and to look them up for each tile. C++ gets the triangles of each
    /// tile without this cost.
    lookup: u64,
    ours: StageTimes,
    theirs: StageTimes,
}

impl Comparison {
    fn totals(&self) -> [u64; 2] {
        [self.lookup + self.ours.iter().sum::<u64>(), self.theirs.iter().sum()]
    }

    fn print(&self) {
        println!("| stage | ours, ms | C++, ms | ratio |\n|---|---:|---:|---:|");
        println!("| lookup | {:.2} | | |", milliseconds(self.lookup));
        for stage in Stage::ALL {
            let at = stage_index(stage);
            print_row(stage.key(), [self.ours[at], self.theirs[at]]);
        }
        print_row("total", self.totals());
    }
}

fn print_row(name: &str, [ours, theirs]: [u64; 2]) {
    let ratio = ratio([ours, theirs]);
    println!("| {name} | {:.2} | {:.2} | {ratio:.3} |", milliseconds(ours), milliseconds(theirs));
}

fn print_summary(totals: &[(String, Comparison)]) {
    println!("\n| level | ours, ms | C++, ms | ratio |\n|---|---:|---:|---:|");
    for (name, comparison) in totals {
        print_row(name, comparison.totals());
    }
    let logarithms = totals.iter().map(|(_, comparison)| ratio(comparison.totals()).ln());
    let mean = logarithms.sum::<f64>() / totals.len() as f64;
    println!("| geometric mean | | | {:.3} |", mean.exp());
}

fn milliseconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e6
}

fn ratio([ours, theirs]: [u64; 2]) -> f64 {
    ours as f64 / theirs as f64
}

fn compare(
    mesh: Arc<TriMesh>,
    tile_size: u32,
    options: &Options,
) -> Result<Comparison, Box<dyn Error>> {
    let settings = BakeSettings { tile_size, ..BakeSettings::default() };
    let start = thread_nanoseconds();
    let plan = BakePlan::new(BakeInput::new(mesh, settings))?;
    let plan_time = thread_nanoseconds() - start;
    let level = recast::Level::new(&plan);
    let coords = spread(plan.tiles().collect(), options.max_tiles);
    let n_tiles = coords.len() as f64;
    let reading = reading_nanoseconds();
    let mut comparison =
        Comparison { n_tiles: coords.len(), lookup: plan_time, ..Comparison::default() };
    for coord in coords {
        let input = level.tile(&plan, coord);
        if let Some(stage) = agreement::compare(&plan, &level, &input, coord)?.differs_in {
            return Err(format!("tile {coord} differs in stage {stage}").into());
        }
        let [mut ours, mut theirs] = [[u64::MAX; Stage::ALL.len()]; 2];
        let mut lookup = u64::MAX;
        let start = thread_nanoseconds();
        let is_long_enough = |round: u32| {
            let seconds = (thread_nanoseconds() - start) as f64 / 1e9;
            options.rounds <= round && options.seconds <= seconds * n_tiles
        };
        for round in (0..).take_while(|round| !is_long_enough(*round)) {
            // The second one finds warm caches, so the order alternates.
            for is_ours in [round % 2 == 0, round % 2 != 0] {
                if is_ours {
                    let clock = StageClock::start();
                    let baked = bake_tile(&plan, coord, BakeOutput::Tile, &clock)?;
                    let (before, times) = clock.finish();
                    lookup = lookup.min(before);
                    least(&mut ours, times);
                    drop(baked);
                } else {
                    least(&mut theirs, level.bake(&input, &mut |_, _| {}));
                }
            }
        }
        comparison.lookup += lookup.saturating_sub(reading);
        add(&mut comparison.ours, ours, reading);
        add(&mut comparison.theirs, theirs, reading);
    }
    Ok(comparison)
}

/// Returns at most `n` of `coords`, evenly spread.
fn spread(coords: Vec<TileCoord>, n: usize) -> Vec<TileCoord> {
    let step = coords.len().div_ceil(n).max(1);
    coords.into_iter().step_by(step).collect()
}

fn least(times: &mut StageTimes, other: StageTimes) {
    times.iter_mut().zip(other).for_each(|(time, other)| *time = (*time).min(other));
}

/// Adds the times of a tile, each without the time `reading` that it takes to read the clock.
fn add(times: &mut StageTimes, other: StageTimes, reading: u64) {
    times.iter_mut().zip(other).for_each(|(time, other)| *time += other.saturating_sub(reading));
}

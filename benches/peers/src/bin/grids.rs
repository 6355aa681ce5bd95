//! Compares grid searches in Walkable and in the crates `pathfinding` and `grid_pathfinding`, alternating on the same
//! maps and queries.

use std::{error::Error, fs, hint::black_box, path::Path};

use grid_pathfinding::PathingGrid;
use grid_util::{grid::ValueGrid as _, point::Point};
use peers::clock::{reading_nanoseconds, thread_nanoseconds};
use walkable::{
    grid::{
        Cell, Estimate, Grid, GridQuery, GridScenario, GridScratch, JumpTable, Moves, Prune, astar,
        jps, jps_plus, read_map, read_scenario,
    },
    search::Unwatched,
};

const ROUNDS: usize = 3;
/// Costs of steps for `pathfinding`, which defines none: those of Walkable.
const STEPS: [u64; 2] = [33_461, 47_321];

const NAMES: [&str; 6] =
    ["A*", "A* `pathfinding`", "JPS", "JPS pruned", "JPS+", "`grid_pathfinding`"];

/// Number of queries that an algorithm answers in a row: one, which finds the caches full of the data of the others,
/// and enough to keep its own data cached.
const BLOCKS: [(usize, &str); 2] =
    [(1, "in turns query by query"), (50, "in blocks of 50 queries")];

fn main() -> Result<(), Box<dyn Error>> {
    let every: usize = std::env::args().nth(1).map_or(Ok(20), |text| text.parse())?;
    let folder = peers::levels::reference_folder().join("movingai/2d");
    let mut maps: Vec<_> = fs::read_dir(&folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_, std::io::Error>>()?;
    maps.retain(|path| path.extension().is_some_and(|extension| extension == "map"));
    maps.sort();
    let mut maps = maps.iter().map(|map| Map::read(map, every)).collect::<Result<Vec<_>, _>>()?;
    for (block, name) in BLOCKS {
        println!("\nMean µs of a query, {name}:\n");
        println!("| map | queries | {} |", NAMES.join(" | "));
        println!("|---|---:|{}", "---:|".repeat(NAMES.len()));
        let mut sets = [("bg512", Sum::default()), ("dao", Sum::default())];
        for map in &mut maps {
            let sum = map.compare(block);
            println!("| {} | {} |", map.name, sum.means());
            // The maps of bg512 are named after the areas of their game.
            sets[usize::from(!map.name.starts_with("AR"))].1.add(&sum);
        }
        for (set, sum) in &sets {
            println!("| {set}, all queries | {} |", sum.means());
        }
        for (set, sum) in &sets {
            println!("| {set}, time of A* by that of each | | {} |", sum.ratios());
        }
    }
    Ok(())
}

/// Sums over all queries of a map or set.
#[derive(Default)]
struct Sum {
    n_queries: usize,
    nanoseconds: [u64; NAMES.len()],
    n_wrong: [usize; NAMES.len()],
}

impl Sum {
    fn add(&mut self, other: &Self) {
        self.n_queries += other.n_queries;
        for n in 0..NAMES.len() {
            self.nanoseconds[n] += other.nanoseconds[n];
            self.n_wrong[n] += other.n_wrong[n];
        }
    }

    fn means(&self) -> String {
        let cells = self.nanoseconds.iter().zip(self.n_wrong).map(|(&sum, wrong)| {
            let us = sum as f64 / 1e3 / self.n_queries as f64;
            if wrong > 0 { format!("{us:.1} ({wrong} differ)") } else { format!("{us:.1}") }
        });
        format!("{} | {}", self.n_queries, cells.collect::<Vec<_>>().join(" | "))
    }

    fn ratios(&self) -> String {
        let ratios = self
            .nanoseconds
            .iter()
            .map(|&sum| format!("{:.2}", self.nanoseconds[0] as f64 / sum as f64));
        ratios.collect::<Vec<_>>().join(" | ")
    }
}

struct Map {
    name: String,
    queries: Vec<GridScenario>,
    solvers: GridSolvers,
}

struct GridSolvers {
    grid: Grid,
    table: JumpTable,
    theirs: PathingGrid,
    scratch: GridScratch,
}

impl Map {
    fn read(map: &Path, every: usize) -> Result<Self, Box<dyn Error>> {
        let grid = read_map(&fs::read_to_string(map)?)?;
        let queries = read_scenario(&fs::read_to_string(map.with_extension("map.scen"))?)?;
        let queries = queries.into_iter().step_by(every).collect();
        let mut theirs = PathingGrid::new(grid.n_x() as usize, grid.n_y() as usize, true);
        for cell in grid.passable_cells() {
            theirs.set(i32::try_from(cell.x)?, i32::try_from(cell.y)?, false);
        }
        theirs.generate_components();
        theirs.initialize();
        let table = JumpTable::new(&grid);
        let name = map.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self {
            name,
            queries,
            solvers: GridSolvers { grid, table, theirs, scratch: GridScratch::default() },
        })
    }

    /// Runs all queries, `block` in a row with each algorithm. For each query, the shortest time of all rounds counts,
    /// without the time to read the clock.
    fn compare(&mut self, block: usize) -> Sum {
        let reading = reading_nanoseconds();
        let mut sum = Sum { n_queries: self.queries.len(), ..Sum::default() };
        for queries in self.queries.chunks(block) {
            let mut least = vec![[u64::MAX; NAMES.len()]; queries.len()];
            for round in 0..ROUNDS {
                for n in 0..NAMES.len() {
                    let which = (n + round) % NAMES.len();
                    for (query, least) in queries.iter().zip(&mut least) {
                        let start = thread_nanoseconds();
                        let cost = black_box(self.solvers.run(which, query.start, query.goal));
                        let time = thread_nanoseconds() - start;
                        least[which] = least[which].min(time.saturating_sub(reading));
                        sum.n_wrong[which] += usize::from(round == 0 && !query.agrees(cost));
                    }
                }
            }
            for least in least {
                for (sum, least) in sum.nanoseconds.iter_mut().zip(least) {
                    *sum += least;
                }
            }
        }
        sum
    }
}

impl GridSolvers {
    /// Returns the cost of the path, if there is one.
    fn run(&mut self, which: usize, start: Cell, goal: Cell) -> Option<f64> {
        let moves = Moves::default();
        let query = &GridQuery { grid: &self.grid, start, goal, moves };
        let scratch = &mut self.scratch;
        let answer = match which {
            0 => astar(query, Estimate::Octile, 1.0, scratch, &mut Unwatched),
            1 => return by_pathfinding(&self.grid, start, goal),
            2 => jps(query, Prune::None, scratch, &mut Unwatched),
            3 => jps(query, Prune::Intermediate, scratch, &mut Unwatched),
            4 => jps_plus(query, &self.table, scratch, &mut Unwatched),
            _ => return by_grid_pathfinding(&self.theirs, start, goal),
        };
        answer.path.map(|path| path.cost)
    }
}

fn by_pathfinding(grid: &Grid, start: Cell, goal: Cell) -> Option<f64> {
    let around = |cell: &Cell| {
        let (x, y) = (cell.x, cell.y);
        let free = |dx: i32, dy: i32| {
            let to = Cell::new(x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
            grid.is_passable(to).then_some(to)
        };
        let steps = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
        steps
            .into_iter()
            .filter_map(move |(dx, dy)| {
                let to = free(dx, dy)?;
                let slanted = dx != 0 && dy != 0;
                let open = !slanted || free(dx, 0).is_some() && free(0, dy).is_some();
                open.then_some((to, STEPS[usize::from(slanted)]))
            })
            .collect::<Vec<_>>()
    };
    let estimate = |cell: &Cell| {
        let [dx, dy] = [cell.x.abs_diff(goal.x), cell.y.abs_diff(goal.y)].map(u64::from);
        STEPS[1] * dx.min(dy) + STEPS[0] * (dx.max(dy) - dx.min(dy))
    };
    let (_, cost) =
        pathfinding::directed::astar::astar(&start, around, estimate, |&at| at == goal)?;
    Some(cost as f64 / STEPS[0] as f64)
}

fn by_grid_pathfinding(grid: &PathingGrid, start: Cell, goal: Cell) -> Option<f64> {
    let point = |cell: Cell| Point::new(cell.x as i32, cell.y as i32);
    let path = grid.get_waypoints_single_goal(point(start), point(goal), false)?;
    let legs = path.windows(2).map(|leg| {
        let [dx, dy] = [leg[0].x.abs_diff(leg[1].x), leg[0].y.abs_diff(leg[1].y)].map(f64::from);
        dx.min(dy) * std::f64::consts::SQRT_2 + dx.max(dy) - dx.min(dy)
    });
    Some(legs.sum())
}

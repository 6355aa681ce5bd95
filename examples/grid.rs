//! Finds a path through a maze with several searches: `cargo run --example grid [SEED]`.

#![expect(clippy::print_stdout, reason = "a program that shows its result")]

use std::{env, error::Error};

use walkable::{
    grid::{Cell, Estimate, GridQuery, GridScratch, Maze, Moves, Prune, astar, jps},
    search::{StepKind, Trace, Unwatched},
};

fn main() -> Result<(), Box<dyn Error>> {
    let seed = env::args().nth(1).map_or(Ok(1), |seed| seed.parse())?;
    let grid = Maze::new(24, 8, seed, 0.1).to_grid()?;
    let goal = Cell::new(grid.n_x() - 2, grid.n_y() - 2);
    let query = GridQuery { grid: &grid, start: Cell::new(1, 1), goal, moves: Moves::default() };
    let mut scratch = GridScratch::default();

    let mut trace = Trace::default();
    let found = astar(&query, Estimate::Octile, 1.0, &mut scratch, &mut trace);
    let path = found.path.ok_or("there is no way")?;
    let jumps = jps(&query, Prune::Intermediate, &mut scratch, &mut Unwatched);
    let (slow, fast) = (found.stats.n_expanded, jumps.stats.n_expanded);
    println!("{:.2} cells; A* expands {slow}, Jump Point Search {fast}", path.cost);

    let mut picture = vec![vec!['#'; grid.n_x() as usize]; grid.n_y() as usize];
    let mut draw = |cell: Cell, mark| picture[cell.y as usize][cell.x as usize] = mark;
    grid.passable_cells().for_each(|cell| draw(cell, ' '));
    for step in trace.steps.iter().filter(|step| step.kind == StepKind::Expanded) {
        draw(grid.cell(u32::try_from(step.place)?), '.');
    }
    path.steps().into_iter().for_each(|cell| draw(cell, 'o'));
    for row in picture {
        println!("{}", row.iter().collect::<String>());
    }
    Ok(())
}

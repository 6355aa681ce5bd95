//! Bakes random levels with random settings with Walkable and with C++ Recast and compares every stage and the
//! tile bytes, until two differ.

use std::{error::Error, fs, path::Path, process::ExitCode};

use peers::{
    agreement::{self, Comparison, first_differing_layer},
    cases::Case,
    recast::{Level, Release, fill_memory},
};
use walkable::{
    bake::{BakeError, BakePlan},
    mesh::to_obj,
};

const USAGE: &str = "agree [--seed N] [--cases N] [--go-on] [--save DIR]

  --seed   number of the first case (1); the next case has the next number
  --cases  how many cases (1500); 1 to see one again
  --go-on  does not stop at the first difference, and ends with how many there were
  --save   writes the level and the settings of each case that differs to DIR";

struct Options {
    seed: u64,
    n_cases: u64,
    goes_on: bool,
    save: Option<String>,
}

impl Options {
    fn read(mut args: impl Iterator<Item = String>) -> Result<Option<Self>, Box<dyn Error>> {
        let mut options = Self { seed: 1, n_cases: 1500, goes_on: false, save: None };
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
            match arg.as_str() {
                "--help" => return Ok(None),
                "--seed" => options.seed = value()?.parse()?,
                "--cases" => options.n_cases = value()?.parse()?,
                "--go-on" => options.goes_on = true,
                "--save" => options.save = Some(value()?),
                _ => return Err(format!("unknown: {arg}\n{USAGE}").into()),
            }
        }
        Ok(Some(options))
    }
}

/// Results of all cases.
#[derive(Default)]
struct Tally {
    n_tiles: usize,
    n_polygons: usize,
    n_refused: usize,
    n_left_out: usize,
    n_differing: usize,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let Some(options) = Options::read(std::env::args().skip(1))? else {
        println!("{USAGE}");
        return Ok(ExitCode::SUCCESS);
    };
    fill_memory();
    let release = Release::linked();
    let mut tally = Tally::default();
    for seed in (options.seed..).take(usize::try_from(options.n_cases)?) {
        let case = Case::new(seed, release);
        let Some(difference) = compare(&case, &mut tally) else { continue };
        tally.n_differing += 1;
        if let Some(folder) = &options.save {
            save(&case, Path::new(folder))?;
        }
        if !options.goes_on {
            println!("{difference}\n{case}");
            return Ok(ExitCode::FAILURE);
        }
        println!("seed {seed}, {}: {difference}", case.level);
    }
    let Tally { n_tiles, n_polygons, n_refused, n_left_out, n_differing } = tally;
    println!(
        "{} cases from {} beside the Recast {release:?}: {n_tiles} tiles, {n_polygons} polygons; {n_refused} \
         refused by Walkable, {n_left_out} too much for C++; {n_differing} cases differ",
        options.n_cases, options.seed
    );
    Ok(if n_differing > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Returns what differs in a case, if anything does.
fn compare(case: &Case, tally: &mut Tally) -> Option<String> {
    let Ok(plan) = BakePlan::new(case.input()) else {
        tally.n_refused += 1;
        return None;
    };
    let level = Level::new(&plan);
    for coord in case.tiles(&plan) {
        tally.n_tiles += 1;
        match agreement::compare(&plan, &level, &level.tile(&plan, coord), coord) {
            Ok(Comparison { differs_in: Some(stage), .. }) => {
                return Some(format!("tile {coord} differs in {stage}"));
            }
            Ok(Comparison { is_too_much: true, .. }) => tally.n_left_out += 1,
            Ok(Comparison { n_polygons, .. }) => tally.n_polygons += n_polygons,
            Err(BakeError::Limit { .. }) => tally.n_refused += 1,
            Err(error) => return Some(error.to_string()),
        }
        if let Ok(Some(layer)) = first_differing_layer(&plan, coord, &case.obstacles) {
            return Some(format!("layer {layer} of tile {coord} differs as a tile of the cache"));
        }
    }
    None
}

/// Writes the case as files for the editor and the command line.
fn save(case: &Case, folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join(format!("{}.obj", case.seed)), to_obj(&case.mesh))?;
    fs::write(folder.join(format!("{}.cfg", case.seed)), case.config.to_text())?;
    Ok(())
}

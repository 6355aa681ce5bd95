//! Compares the exact search by spans with the dense search with six moves, alternating on the same volumes and
//! queries.

use std::{error::Error, fs, hint::black_box};

use peers::clock::thread_nanoseconds;
use walkable::{
    search::Unwatched,
    voxel::{
        Columns, Fill, SpanSearch, Volume, Voxel, VoxelAnswer, VoxelMoves, VoxelPath, VoxelScratch,
        find_by_spans, find_dense, read_voxel_scenario, read_voxels,
    },
};

const ROUNDS: usize = 3;
const NAMES: [&str; 2] = ["six ways", "spans"];
/// Number of queries that each search answers in a row.
const BLOCK: usize = 50;
/// Side of random volumes, percentages of blocked voxels, and number of queries of each.
const RANDOM: (u32, [u64; 3], usize) = (64, [1, 10, 30], 200);

fn main() -> Result<(), Box<dyn Error>> {
    let every: usize = std::env::args().nth(1).map_or(Ok(10), |text| text.parse())?;
    let folder = peers::levels::reference_folder().join("movingai/3d");
    println!(
        "| volume | queries | {} µs | expanded | {} µs | expanded | ratio |",
        NAMES[0], NAMES[1]
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    let mut maps: Vec<_> = fs::read_dir(&folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_, std::io::Error>>()?;
    maps.retain(|path| path.extension().is_some_and(|extension| extension == "3dmap"));
    maps.sort();
    for map in maps {
        let volume = read_voxels(&fs::read_to_string(&map)?)?;
        let (_, queries) =
            read_voxel_scenario(&fs::read_to_string(map.with_extension("3dmap.3dscen"))?)?;
        let queries: Vec<_> =
            queries.iter().step_by(every).map(|query| [query.start, query.goal]).collect();
        compare(&map.file_stem().unwrap_or_default().to_string_lossy(), &volume, &queries)?;
    }
    let (side, shares, n_queries) = RANDOM;
    for share in shares {
        let (volume, queries) = random(side, share, n_queries)?;
        compare(&format!("random {side}³, {share} % blocked"), &volume, &queries)?;
    }
    Ok(())
}

fn compare(name: &str, volume: &Volume, queries: &[[Voxel; 2]]) -> Result<(), Box<dyn Error>> {
    let columns = Columns::of_volume(volume)?;
    let scratch = &mut VoxelScratch::default();
    let mut run = |which: usize, ends: [Voxel; 2]| -> VoxelAnswer<VoxelPath> {
        match which {
            0 => find_dense(volume, ends, VoxelMoves::Six, 1.0, scratch, &mut Unwatched),
            _ => find_by_spans(&columns, ends, SpanSearch::Exact, scratch, &mut Unwatched),
        }
    };
    let (mut nanoseconds, mut n_expanded) = ([0; 2], [0; 2]);
    for queries in queries.chunks(BLOCK) {
        let mut least = vec![[u64::MAX; 2]; queries.len()];
        let mut costs = vec![[None; 2]; queries.len()];
        for round in 0..ROUNDS {
            for which in [round % 2, (round + 1) % 2] {
                for ((&ends, least), costs) in queries.iter().zip(&mut least).zip(&mut costs) {
                    let start = thread_nanoseconds();
                    let answer = black_box(run(which, ends));
                    least[which] = least[which].min(thread_nanoseconds() - start);
                    costs[which] = answer.path.map(|path| path.cost.to_bits());
                    n_expanded[which] += if round == 0 { answer.stats.n_expanded } else { 0 };
                }
            }
        }
        assert!(costs.iter().all(|[six, spans]| six == spans), "{name}: costs differ");
        for least in least {
            nanoseconds = std::array::from_fn(|which| nanoseconds[which] + least[which]);
        }
    }
    let n = queries.len() as f64;
    let us = nanoseconds.map(|sum| sum as f64 / 1e3 / n);
    let expanded = n_expanded.map(|sum| sum as f64 / n);
    println!(
        "| {name} | {n} | {:.1} | {:.0} | {:.1} | {:.0} | {:.1} |",
        us[0],
        expanded[0],
        us[1],
        expanded[1],
        us[0] / us[1],
    );
    Ok(())
}

/// A volume and the ends of queries in it.
type Questions = (Volume, Vec<[Voxel; 2]>);

/// Returns a volume with scattered blocked voxels, and queries between free ones.
fn random(side: u32, share: u64, n_queries: usize) -> Result<Questions, Box<dyn Error>> {
    let mut state = 1_u64;
    let mut below = move |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % n
    };
    let mut volume = Volume::new([side; 3])?;
    for number in 0..u64::from(side).pow(3) {
        if below(100) < share {
            volume.set(volume.voxel(number), Fill::Blocked);
        }
    }
    let mut queries = Vec::new();
    while queries.len() < n_queries {
        let ends = [(); 2].map(|()| [(); 3].map(|()| below(u64::from(side)) as u32));
        if ends.iter().all(|&end| !volume.is_blocked(end)) {
            queries.push(ends);
        }
    }
    Ok((volume, queries))
}

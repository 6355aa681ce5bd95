//! `walkable search`: one query on a map or a level, with a chosen search algorithm.

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use clap::Args;
use glam::Vec3;
use serde::Serialize;
use walkable::{
    bake::{BakePlan, bake},
    mesh::ImportOptions,
    query::Filter,
    search::Unwatched,
};
use walkable_workspace::{
    files::FileKind,
    lang, limits,
    searches::{
        Algorithm, Effort, Finder, LevelQuestion, LevelSpaces, Map, Medium, NavmeshAlgorithm,
        Options, PathPoints, Place, Sides,
    },
};

use super::super::{Failure, limit::LimitArgs, load::LevelArg, output::Output, values};

/// Arguments of `walkable search`.
#[derive(Args, Debug)]
pub(in super::super) struct SearchArgs {
    /// Map of Moving AI's benchmarks (.map or .3dmap), polygon mesh (.mesh), or a level: an OBJ, glTF, PLY or STL file, a
    /// .gset file that names one, or builtin:NAME.
    file: LevelArg,
    /// Search algorithm; by default `astar`, on voxel maps `dense26`, on polygon meshes `polyanya`, on levels
    /// `detour`.
    #[arg(long, value_enum, value_name = "NAME")]
    algorithm: Option<Algorithm>,
    /// Cell or voxel at which the path starts; on polygon meshes and levels a point.
    #[arg(long, value_name = "X,Y[,Z]", allow_hyphen_values = true, value_parser = place)]
    from: Coordinates,
    /// Cell, voxel or point at which the path ends.
    #[arg(long, value_name = "X,Y[,Z]", allow_hyphen_values = true, value_parser = place)]
    to: Coordinates,
    /// A bake setting that overrides the level's; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = values::key_and_value)]
    sets: Vec<(String, String)>,
    /// Print the answer as one line of JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    options: Options,
}

/// Maximum number of voxels to search one by one.
const MAX_VOXELS: u64 = 1 << 28;

/// Coordinates of a cell, a voxel or a point.
type Coordinates = Arc<[f64]>;

const EXPECTED: &str =
    "expected two or three whole numbers, as in 12,7, or on a level three, as in 1.5,0,-2";

fn place(text: &str) -> Result<Coordinates, String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|n| n.trim().parse().ok()).collect();
    let numbers = numbers.filter(|numbers| matches!(numbers.len(), 2 | 3));
    let numbers = numbers.filter(|numbers| numbers.iter().all(|number| number.is_finite()));
    numbers.map(Into::into).ok_or_else(|| EXPECTED.to_owned())
}

/// Converts coordinates to a cell, voxel or point of a map.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole numbers that were checked"
)]
fn on_map(name: &str, place: &Coordinates, map: &Map) -> Result<Place, Failure> {
    if matches!(map, Map::Polygons(_)) {
        let &[x, y] = &**place else {
            return Err(Failure::Usage(format!("{name}: expected two numbers, as in 1.5,-2")));
        };
        let place = Place::Point([x, y]);
        let outside = || Failure::Usage(format!("{name} {x},{y} is outside the map's polygons"));
        return if map.contains(&place) { Ok(place) } else { Err(outside()) };
    }
    let is_whole = |&n: &f64| n.fract().abs() < f64::EPSILON && (0.0..=4e9).contains(&n);
    if !place.iter().all(is_whole) {
        return Err(Failure::Usage(format!("{name}: {EXPECTED}")));
    }
    let cell: Vec<u32> = place.iter().map(|&n| n as u32).collect();
    let outside = format!(
        "{name} {} is outside the map's {}",
        numbers(&cell, ","),
        numbers(&map.size(), " x ")
    );
    let place = Place::Cell(cell);
    if map.contains(&place) { Ok(place) } else { Err(Failure::Usage(outside)) }
}

/// Converts coordinates to a point of a level.
#[expect(clippy::cast_possible_truncation, reason = "levels are in f32")]
fn on_level(name: &str, place: &Coordinates) -> Result<Vec3, Failure> {
    let &[x, y, z] = &**place else {
        let text = format!("{name}: expected three numbers, as in 1.5,0,-2");
        return Err(Failure::Usage(text));
    };
    Ok(Vec3::new(x as f32, y as f32, z as f32))
}

/// Returns the map at the path; `None` if it is a level.
fn map_file(file: &LevelArg) -> anyhow::Result<Option<&Path>> {
    let Some(path) = file.file() else { return Ok(None) };
    let is_map = matches!(
        FileKind::read(path)?,
        FileKind::GridMap | FileKind::VolumeMap | FileKind::PolygonMesh
    );
    Ok(is_map.then_some(path))
}

#[derive(Serialize)]
struct SearchJson<'a> {
    algorithm: String,
    status: &'static str,
    cost: Option<f64>,
    path: &'a PathPoints,
    expanded: u64,
    opened: Option<u64>,
    open_peak: Option<u64>,
    us: f64,
}

pub(in super::super) fn run(args: &SearchArgs, output: &mut Output) -> Result<(), Failure> {
    args.limits.apply();
    let found = match map_file(&args.file)? {
        Some(path) => search_map(args, path)?,
        None => search_level(args)?,
    };
    let us = found.time.as_secs_f64() * 1e6;
    if args.json {
        let answer = SearchJson {
            algorithm: found.algorithm.name(),
            status: if found.cost.is_some() { "complete" } else { "unreachable" },
            cost: found.cost,
            path: &found.path,
            expanded: found.effort.n_expanded,
            opened: found.effort.n_opened,
            open_peak: found.effort.open_peak,
            us,
        };
        let json = serde_json::to_string(&answer).context("cannot write the answer as JSON")?;
        output.line(&json)?;
    } else {
        output.lines(&in_words(&found, us))?;
    }
    Ok(())
}

struct Found {
    algorithm: Algorithm,
    cost: Option<f64>,
    path: PathPoints,
    effort: Effort,
    time: Duration,
}

fn search_map(args: &SearchArgs, path: &Path) -> Result<Found, Failure> {
    let map = Map::read(path)?;
    let from = on_map("--from", &args.from, &map)?;
    let to = on_map("--to", &args.to, &map)?;
    if !args.sets.is_empty() {
        return Err(Failure::Usage("--set is for levels; maps are not baked".to_owned()));
    }
    let algorithm = args.algorithm.unwrap_or_else(|| map.usual_algorithm());
    args.options.check(&[algorithm])?;
    let finder = Finder::new(&map, algorithm, args.options, &mut Unwatched);
    let mut finder = finder?;
    let began = Instant::now();
    let mut bounded = limits::Bounded::new();
    let found = finder.find(&from, &to, &mut bounded);
    let (time, name) = (began.elapsed(), || path.display().to_string());
    bounded.check().map_err(anyhow::Error::msg).with_context(name)?;
    let effort = Effort::from(found.stats);
    Ok(Found { algorithm, cost: found.cost, path: found.path, effort, time })
}

fn search_level(args: &SearchArgs) -> Result<Found, Failure> {
    let ends = [on_level("--from", &args.from)?, on_level("--to", &args.to)?];
    let algorithm = args.algorithm.unwrap_or(Algorithm::Navmesh(NavmeshAlgorithm::Detour));
    args.options.check(&[algorithm])?;
    let level = args.file.load(ImportOptions::default())?;
    let mut config = level.config;
    for (key, value) in &args.sets {
        config.settings.set(key, value).with_context(|| key.clone())?;
    }
    let input = config.with_mesh(level.mesh);
    let navmesh = if algorithm.medium() == Medium::Navmesh {
        limits::admit(&BakePlan::new(input.clone()).map_err(anyhow::Error::from)?)
            .map_err(anyhow::Error::from)?;
        Some(bake(input.clone(), &limits::InTime).map_err(anyhow::Error::from)?)
    } else {
        None
    };
    let settings = &input.settings;
    let sides = Sides {
        cell: settings.cell_size,
        voxel: settings.cell_size,
        flyer_radius: settings.agent_radius,
    };
    let question = LevelQuestion {
        input: &input,
        navmesh: navmesh.as_ref(),
        filter: &Filter::default(),
        map: None,
        ends,
        sides,
        max_voxels: MAX_VOXELS,
    };
    let spaces = LevelSpaces::new(question, &limits::InTime);
    let search = spaces.search(algorithm, args.options);
    let answered = search.and_then(|mut search| search.run());
    let (answer, time) = answered
        .map_err(|why| Failure::Failed(anyhow::anyhow!("{}: {}", args.file, lang::phrase(&why))))?;
    let points = if answer.cost.is_some() { answer.points } else { Vec::new() };
    let path = PathPoints::Points(points);
    Ok(Found { algorithm, cost: answer.cost, path, effort: answer.effort, time })
}

fn in_words(found: &Found, us: f64) -> String {
    let work = format!("{} expanded, {us:.0} us", found.effort.n_expanded);
    let Some(cost) = found.cost else { return format!("unreachable; {work}") };
    format!("complete, cost {cost:.6}; {work}\n{}", found.path.in_words())
}

fn numbers(numbers: &[u32], between: &str) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(between)
}

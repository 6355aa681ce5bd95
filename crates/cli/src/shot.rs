//! `walkable shot`: a picture of a level or project, without a window.

use walkable::ids::TileCoord;
use walkable_editor::session::{ColorBy, CrowdPlay, Searcher};
use walkable_window::shot::{From, PictureOverlay, Shot, take};
use walkable_workspace::stage_view::StageView;

use super::{Failure, guard::OutputFile, load::LevelArg, output::eprint_line};

/// Maximum width and height in pixels, which most drivers support.
const MAX_SIDE: u32 = 8192;

/// Options of `walkable shot`.
#[derive(Debug, clap::Args)]
pub(super) struct ShotArgs {
    /// Project (.walkable), level (.obj, .glb, .gltf, .ply, .stl, .gset, builtin:NAME) or navmesh (.bin).
    level: LevelArg,
    /// PNG file to write.
    #[arg(short, long, value_name = "FILE.png")]
    output: OutputFile,
    /// Name of a view of the project; `top` looks straight down. By default the view in which the
    /// project was saved, or one that shows the whole level.
    #[arg(long, value_name = "NAME")]
    view: Option<String>,
    /// Stage of the bake to show: input, slope, spans, filtered, compact, eroded, distance, regions,
    /// layers, raw-contours, contours, polygons, detail or navmesh.
    #[arg(long, value_parser = StageView::of_key, default_value = "navmesh")]
    stage: StageView,
    /// What the colors of polygons stand for, for example `slope` or `surface-distance`; an unknown name lists all.
    #[arg(long, value_name = "NAME", value_parser = color_by, default_value = "area")]
    color_by: ColorBy,
    /// Show only the stage of this tile, by column and row.
    #[arg(long, value_name = "X,Z", value_parser = tile)]
    tile: Option<TileCoord>,
    /// Width and height in pixels.
    #[arg(long, value_name = "WxH", default_value = "1920x1080", value_parser = size)]
    size: [u32; 2],
    /// Search of the lab to draw between the path's ends, for example `jump-points`; may be given twice to
    /// compare two searches side by side.
    #[arg(long = "search", value_name = "NAME", value_parser = search)]
    searches: Vec<Searcher>,
    /// Number of expansions after which the searches are drawn; by default all.
    #[arg(long, value_name = "N", requires = "searches")]
    step: Option<usize>,
    /// Simulate the crowd of the project for this time, at most 600 s, and draw its agents with the trails of their
    /// last seconds.
    #[arg(long, value_name = "SECONDS", value_parser = crowd_time)]
    crowd_time: Option<f32>,
    /// Use the light theme instead of the dark one.
    #[arg(long)]
    light: bool,
    /// Draw the legend of the stage over the image.
    #[arg(long)]
    legend: bool,
    /// Draw a scale bar over the image.
    #[arg(long)]
    scale_bar: bool,
}

pub(super) fn run(args: &ShotArgs) -> Result<(), Failure> {
    let from = match args.view.as_deref() {
        None => From::Kept,
        Some("top") => From::Above,
        Some(name) => From::View(name.to_owned()),
    };
    let shot = Shot {
        source: args.level.clone().into_source(),
        from,
        stage: args.stage,
        color_by: args.color_by,
        tile: args.tile,
        size: args.size,
        light: args.light,
        searches: args.searches.clone(),
        step: args.step,
        crowd_time: args.crowd_time,
        over: PictureOverlay { legend: args.legend, scale_bar: args.scale_bar },
    };
    args.output.write(&take(&shot)?)?;
    eprint_line(&format!("wrote {}", args.output.display()));
    Ok(())
}

fn crowd_time(text: &str) -> Result<f32, String> {
    let most = f32::from(CrowdPlay::MAX_SECONDS);
    let seconds = text.parse().ok().filter(|seconds| (0.0..=most).contains(seconds));
    seconds.ok_or_else(|| format!("expected seconds, from 0 to {most}"))
}

fn search(text: &str) -> Result<Searcher, String> {
    let found = Searcher::ALL.iter().copied().find(|searcher| searcher.key() == text);
    found.ok_or_else(|| {
        let all: Vec<_> = Searcher::ALL.iter().copied().map(Searcher::key).collect();
        format!("there is no such search; there are: {}", all.join(", "))
    })
}

fn color_by(text: &str) -> Result<ColorBy, String> {
    let found = ColorBy::ALL.into_iter().find(|by| by.key() == text);
    found.ok_or_else(|| {
        let all: Vec<_> = ColorBy::ALL.iter().map(|by| by.key()).collect();
        format!("there is no such coloring; there are: {}", all.join(", "))
    })
}

fn tile(text: &str) -> Result<TileCoord, String> {
    let pair = text
        .split_once(',')
        .and_then(|(x, z)| Some((x.trim().parse().ok()?, z.trim().parse().ok()?)));
    let (x, z) = pair.ok_or("expected column and row, as in 3,0")?;
    Ok(TileCoord { x, z })
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let pair = text.split_once('x').and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    pair.filter(|sides| sides.iter().all(|side| (1..=MAX_SIDE).contains(side))).ok_or_else(|| {
        format!("expected pixels across and down, at most {MAX_SIDE}, as in 1920x1080")
    })
}

//! `walkable links`: proposes jumps and drops for a navmesh.
//!
//! Without `--json`, prints lines for a settings file. With it, one object per line:
//!
//! | field | meaning |
//! |---|---|
//! | `kind` | `jump` (both ways) or `drop` (from start to end) |
//! | `start`, `end` | `{"ref", "point"}`: polygon and point |

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;
use walkable::{
    bake::BakeConfig,
    ids::AreaId,
    links::{LinkError, LinkKind, LinkProposal, LinkSettings, propose_links},
    query::{Filter, MeshPoint},
};
use walkable_workspace::{
    level_files::{parse_navmesh, read_navmesh},
    limits::{self, InTime},
};

use super::{
    Failure, bake::agent_config, guard::InputFile, import::ImportArgs, limit, load::LevelArg,
    output::Output, values,
};

/// Arguments of `walkable links`.
#[derive(Args, Debug)]
pub(super) struct LinksArgs {
    /// Baked navmesh (MSET), or baked layers (TSET) to build one from.
    navmesh: InputFile,
    /// Level from which the navmesh was baked.
    level: LevelArg,
    /// Agent of the project whose limits of jumps and drops apply, instead of the current one.
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Maximum horizontal distance from start to end, in meters.
    #[arg(long, value_name = "N", value_parser = values::positive)]
    max_distance: Option<f32>,
    /// Maximum drop, in meters.
    #[arg(long, value_name = "N", value_parser = values::positive)]
    max_drop: Option<f32>,
    /// Maximum jump up, in meters.
    #[arg(long, value_name = "N", value_parser = values::positive)]
    max_up: Option<f32>,
    /// Distance between neighboring links, in meters.
    #[arg(long, value_name = "N", value_parser = values::positive)]
    spacing: Option<f32>,
    /// Minimum ratio of the walking distance to the link's length.
    #[arg(long, value_name = "N", value_parser = values::positive)]
    min_detour: Option<f32>,
    /// Maximum time of the search, as in 30s or 2min.
    #[arg(long, value_name = "TIME", default_value = "5min", value_parser = limits::parse_time)]
    max_time: u32,
    /// Area of the links.
    #[arg(long, value_name = "AREA", default_value_t = 5, value_parser = clap::value_parser!(u8).range(..64))]
    area: u8,
    /// Flags of the links, decimal or hexadecimal after 0x.
    #[arg(long, value_name = "FLAGS", default_value = "8", value_parser = values::flags)]
    flags: u16,
    /// Print one line of JSON per link.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    import: ImportArgs,
}

#[derive(Serialize)]
struct LinkAnswer {
    kind: &'static str,
    start: MeshPoint,
    end: MeshPoint,
}

pub(super) fn run(args: &LinksArgs, output: &mut Output) -> Result<(), Failure> {
    limit::end_after(args.max_time, "--max-time");
    let name = || args.navmesh.display().to_string();
    let mesh = parse_navmesh(&read_navmesh(&args.navmesh)?).with_context(name)?;
    let level = args.level.load(args.import.options())?;
    let header = mesh.tiles().next().map(|tile| tile.header);
    let header = header.with_context(|| format!("{}: there are no tiles", name()))?;
    let (height, radius) = (header.walkable_height, header.walkable_radius);
    let config = agent_config(args.agent.as_deref(), &level);
    let config = config.map_err(|why| Failure::Usage(format!("{}: {why}", args.level)))?;
    let of_size = LinkSettings::for_agent(height, radius, header.walkable_climb);
    let usual = of_size.limited(&config.jumps);
    let settings = LinkSettings {
        max_distance: args.max_distance.unwrap_or(usual.max_distance),
        max_drop: args.max_drop.unwrap_or(usual.max_drop),
        max_up: args.max_up.unwrap_or(usual.max_up),
        spacing: args.spacing.unwrap_or_else(|| usual.spacing.max(0.5)),
        min_detour: args.min_detour.unwrap_or(usual.min_detour),
        ..usual
    };
    let found = propose_links(&mesh, &level.mesh, &Filter::default(), &settings, &InTime);
    let found = found.map_err(|error| match error {
        LinkError::Cancelled(_) => Failure::Failed(anyhow::anyhow!(
            "{}: the search took longer than {} s; use a larger --spacing, or raise --max-time",
            name(),
            args.max_time
        )),
        LinkError::OutOfRange { .. } => Failure::Usage(error.to_string()),
        _ => Failure::Failed(error.into()),
    })?;
    if args.json {
        return Ok(found.iter().try_for_each(|link| json(link, output))?);
    }
    let link = |(link, user_id): (&LinkProposal, u32)| {
        link.to_off_mesh(radius.max(0.1), AreaId(args.area), args.flags, user_id)
    };
    let off_mesh = found.iter().zip(1000..).map(link).collect();
    let text = BakeConfig { off_mesh, ..BakeConfig::default() }.to_text();
    let mut lines = text.lines().filter(|line| line.starts_with("offmesh"));
    Ok(lines.try_for_each(|line| output.line(line))?)
}

fn json(link: &LinkProposal, output: &mut Output) -> anyhow::Result<()> {
    let kind = match link.kind {
        LinkKind::Jump => "jump",
        LinkKind::Drop => "drop",
    };
    let answer = LinkAnswer { kind, start: link.start, end: link.end };
    output.line(&serde_json::to_string(&answer).context("cannot write a link as JSON")?)
}

//! `walkable watch`: bakes a level, and bakes its changes whenever its files change.

mod answer;
mod session;
mod tiles;

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    net::SocketAddr,
    sync::{
        Arc,
        mpsc::{SyncSender, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use clap::Args;
use glam::Vec3;
use serde_json::{Value, json};
use walkable::{
    bake::{BakeLimits, BakeOutput, BakePlan, DirtyTiles, dirty_tiles},
    explain::{FixLimits, PlaceQuestion},
    ids::TileCoord,
    monitor::{Monitor, Unmonitored},
    navmesh::NavMesh,
    tile_cache::Obstacle,
};
use walkable_workspace::{
    after_bake::PostBake,
    document::{self, Finish},
    files::next_line,
    limits,
    live::{
        self, ChangedTile, LiveObjects, Server, ServerEvent, TilePlace, TileStamps, read_token,
    },
    path_terms::PathTerms,
    path_why::PathWhyRequest,
    runner::{self, TileOutcome},
    watched::Watched,
};

use self::{
    answer::{WatchAnswer, Written},
    session::{FIX_TIME, Session, Speech},
};
use super::{
    Failure,
    bake::{self, BakeArgs, WrittenFile},
    bin,
    empty::Empty,
    findings::Findings,
    guard::{InputFile, OutputFolder},
    layers::{self, BakedLayers, CutArg, PreviousLayers},
    limit::{self, Deadline},
    load::{Level, LevelArg},
    output::{Output, eprint_line},
    remarks,
};

/// Time between two checks of the files.
const PAUSE: Duration = Duration::from_millis(500);

/// Arguments of `walkable watch`.
#[derive(Args, Debug)]
pub(super) struct WatchArgs {
    /// Check the files only when a line arrives on the standard input, not periodically.
    #[arg(long)]
    when_asked: bool,
    /// Print answers as JSON, one object per line, which list the changed tiles.
    #[arg(long)]
    json: bool,
    /// Read messages from the standard input and write replies and events to the standard output, as JSON lines of the
    /// protocol in docs/live.md.
    #[arg(long, conflicts_with = "json")]
    protocol: bool,
    /// Also accept programs of this machine that speak the protocol and know the token, at a loopback address such as
    /// 127.0.0.1:7777. With port 0, the system chooses a port, which is printed.
    #[arg(long, value_name = "ADDRESS", value_parser = live::loopback_address, requires = "token_file")]
    listen: Option<SocketAddr>,
    /// File that contains the token for --listen: 16 to 1024 letters or digits.
    #[arg(long, value_name = "FILE", requires = "listen")]
    token_file: Option<InputFile>,
    /// Also write each changed tile to this folder, as `COLUMN_ROW_LAYER.tile`, and remove the files of tiles that no
    /// longer exist.
    #[arg(long, value_name = "FOLDER", value_parser = OutputFolder::of(&tiles::FILES))]
    tiles: Option<OutputFolder>,
    #[command(flatten)]
    bake: BakeArgs,
}

pub(super) fn run(args: &WatchArgs, output: &mut Output) -> Result<(), Failure> {
    let WatchArgs { when_asked, json, protocol, tiles, listen, token_file, bake: args } = args;
    args.limits.apply_to_estimates();
    if let Some(why) = refusal(args)? {
        return Err(Failure::Usage(format!("{}: {why}", args.level)));
    }
    let token = token_file.as_ref().map(|file| read_token(file)).transpose()?;
    let server = listen.zip(token).map(|(address, (token, warning))| {
        if let Some(why) = warning {
            eprint_line(&format!("warning: {why}"));
        }
        Server::bind(address, token)
    });
    let server = server.transpose()?;
    let listening = server.as_ref().map(Server::address).transpose()?;
    let mut watch = Watch {
        args,
        folder: tiles.as_ref(),
        files: Watched::default(),
        last: None,
        written: None,
        state: None,
        objects: LiveObjects::default(),
        obstacles: None,
        is_stale: false,
    };
    let first = watch.bake()?;
    let speech = match (protocol, json) {
        (true, _) => Speech::Protocol,
        (false, true) => Speech::Json,
        (false, false) => Speech::Words,
    };
    let (when_asked, clients) = (*when_asked, BTreeMap::new());
    let mut session = Session { watch, output, speech, when_asked, clients, listening };
    session.start(&first)?;
    // The channel holds one event, so each line waits for its turn.
    let (sender, events) = sync_channel(1);
    let _listening = server.map(|server| server.start(sender.clone())).transpose()?;
    read_input(sender).context("cannot read the standard input")?;
    session.run(&events)
}

enum Event {
    /// A line of the standard input, whatever its bytes.
    Input(io::Result<Vec<u8>>),
    InputEnded,
    Client(ServerEvent),
}

impl From<ServerEvent> for Event {
    fn from(event: ServerEvent) -> Self {
        Self::Client(event)
    }
}

/// Returns why the arguments cannot be watched; `None` if they can.
fn refusal(args: &BakeArgs) -> anyhow::Result<Option<&'static str>> {
    Ok(if args.report.is_some() {
        Some("`walkable watch` writes no report: remove --report, and use --json for JSON output")
    } else if args.is_sharded() {
        Some("`walkable watch` bakes all tiles: remove --shard and --dry-run")
    } else if args.for_all_agents {
        Some("`walkable watch` bakes for one agent: remove --for-all-agents")
    } else if matches!(args.level, LevelArg::Builtin(_)) {
        Some("a built-in level never changes")
    } else if bin::binned_file(&args.level)?.is_some() {
        Some("a file of `walkable bin` cannot be watched: bake it again instead")
    } else {
        None
    })
}

fn read_input(events: SyncSender<Event>) -> io::Result<()> {
    let read = move || {
        let mut input = io::stdin().lock();
        while let Some(line) = next_line(&mut input).transpose() {
            let is_last = line.is_err();
            if events.send(Event::Input(line)).is_err() || is_last {
                return;
            }
        }
        events.send(Event::InputEnded).ok();
    };
    thread::Builder::new().name("input".to_owned()).spawn(read).map(|_| ())
}

struct Watch<'a> {
    args: &'a BakeArgs,
    folder: Option<&'a OutputFolder>,
    files: Watched,
    /// The last bake; `None` after a failure, so that everything is baked again.
    last: Option<LastBake>,
    /// The tiles last written; `None` after a failed write, so that all are written again.
    written: Option<TileStamps>,
    /// `file`, `output` and `parameters` of the last answer, for clients that connect later.
    state: Option<Value>,
    objects: LiveObjects,
    /// Obstacles that a message set, instead of those of the project.
    obstacles: Option<Vec<Obstacle>>,
    /// Whether messages changed something since the last bake.
    is_stale: bool,
}

struct WantedBake {
    plan: BakePlan,
    finish: Finish,
    obstacles: Option<Vec<Obstacle>>,
}

struct LastBake {
    wanted: WantedBake,
    baked: Baked,
}

enum Baked {
    /// Tiles by row and column, and their navmesh.
    Tiles {
        outcomes: Vec<TileOutcome>,
        mesh: NavMesh,
    },
    Layers(Box<BakedLayers>),
    WithObstacles {
        mesh: NavMesh,
    },
}

impl Watch<'_> {
    fn has_changed(&mut self) -> bool {
        self.files.has_changed() || self.is_stale
    }

    fn set_obstacles(&mut self, obstacles: &[document::Obstacle]) -> anyhow::Result<()> {
        let wanted = self.last.as_ref().map(|last| &last.wanted);
        ensure!(
            wanted.is_none_or(|wanted| wanted.obstacles.is_some()) && self.args.layers.is_none(),
            "the level is not prepared for obstacles: set it in the project, and do not use --layers"
        );
        self.obstacles = Some(obstacles.iter().map(document::Obstacle::on_layers).collect());
        self.is_stale = true;
        Ok(())
    }

    fn listed(&self) -> Vec<ChangedTile> {
        self.written.iter().flat_map(TileStamps::listed).collect()
    }

    /// Returns the bytes of tiles, and which of `places` have none, as JSON.
    fn tiles(&self, places: &[TilePlace]) -> anyhow::Result<Value> {
        let last =
            self.last.as_ref().context("there are no tiles, because the last bake failed")?;
        let found = match &last.baked {
            Baked::Tiles { mesh, .. } | Baked::WithObstacles { mesh } => {
                live::find_tiles(mesh, places)
            }
            Baked::Layers(layers) => live::find_layers(&layers.cache, places),
        };
        Ok(live::tiles_with_bytes(found, places)?)
    }

    /// Returns why an agent cannot stand at a place, as JSON. With limits for its bakes, also searches for fixes.
    fn why_here(&self, at: Vec3, fixes: Option<BakeLimits>) -> anyhow::Result<Value> {
        let (LastBake { wanted, .. }, post_bake) = self.asked()?;
        let none = FixLimits { n_bakes: 0, ..FixLimits::default() };
        let limits = fixes.map_or(none, |bake| FixLimits { bake, ..FixLimits::default() });
        let (question, deadline) =
            (PlaceQuestion { at, triangle: None }, Deadline::after(FIX_TIME));
        Ok(serde_json::to_value(post_bake.why_here(&wanted.plan, question, limits, &deadline)?)?)
    }

    /// Returns why there is no path between two points, as JSON. With limits for its bakes, also searches for fixes.
    fn why_path(&self, ends: [Vec3; 2], fixes: Option<BakeLimits>) -> anyhow::Result<Value> {
        let (LastBake { wanted, baked }, post_bake) = self.asked()?;
        let deadline = Deadline::after(FIX_TIME);
        let navmesh = match baked {
            Baked::Tiles { mesh, .. } | Baked::WithObstacles { mesh } => mesh.clone(),
            Baked::Layers(_) => post_bake.nav_mesh(&wanted.plan, &deadline)?,
        };
        let why = PathWhyRequest {
            plan: Some(Arc::new(wanted.plan.clone())),
            navmesh: Arc::new(navmesh),
            terms: PathTerms::new(ends),
            finish: post_bake.finish.clone(),
            obstacles: post_bake.obstacles.map(<[_]>::to_vec),
        };
        let limited = fixes.map(|_| &deadline as &dyn Monitor);
        Ok(serde_json::to_value(why.why_no_path(limited, &deadline)?)?)
    }

    /// Returns the bake that questions are about.
    fn asked(&self) -> anyhow::Result<(&LastBake, PostBake<'_>)> {
        let last = self.last.as_ref();
        let last = last.context("there is no level to ask about, because the last bake failed")?;
        let WantedBake { finish, obstacles, .. } = &last.wanted;
        Ok((last, PostBake { finish, obstacles: obstacles.as_deref() }))
    }

    /// Reads the level, bakes what has changed, and writes the file. Each call has the whole time limit of a bake.
    fn bake(&mut self) -> Result<WatchAnswer, Failure> {
        let args = self.args;
        args.limits.timed(|| self.bake_changed())
    }

    fn bake_changed(&mut self) -> Result<WatchAnswer, Failure> {
        let args = self.args;
        self.is_stale = false;
        let mut findings = Findings::new(&args.level);
        let wanted = self.read(&mut findings)?;
        let clock = Instant::now();
        let stale = self.stale(&wanted);
        if self
            .last
            .as_ref()
            .is_some_and(|last| stale == DirtyTiles::default() && last.has_same_finish(&wanted))
        {
            return Ok(WatchAnswer::Unchanged {});
        }
        let before = self.last.take().map(|last| last.baked);
        let (baked, n_baked) = match (args.layers, &wanted.obstacles) {
            (Some(cut), _) => {
                self.bake_layers(&wanted.plan, cut, (before, &stale), &mut findings)?
            }
            (None, Some(obstacles)) => {
                let on_it = (&obstacles[..], &wanted.finish);
                let mesh =
                    bake::finished_layered_mesh(&args.level, &wanted.plan, on_it, &mut findings)?;
                (Baked::WithObstacles { mesh }, wanted.plan.tiles().count())
            }
            (None, None) => self.bake_tiles(&wanted, (before, &stale), &mut findings)?,
        };
        if args.strict {
            findings.refuse_to_write()?;
        }
        let answer = self.write(&baked, clock)?;
        self.last = Some(LastBake { wanted, baked });
        Ok(WatchAnswer::Written(Box::new(Written { baked: n_baked, ..answer })))
    }

    /// Writes the result of a bake and returns the answer, with the number of baked tiles left at 0.
    fn write(&mut self, baked: &Baked, clock: Instant) -> Result<Written, Failure> {
        let (args, folder) = (self.args, self.folder);
        let before = self.written.take();
        let ((stamps, changes), parameters) = match baked {
            Baked::Tiles { mesh, .. } | Baked::WithObstacles { mesh } => {
                let tiles = tiles::replace(before.as_ref(), live::tiles_of_mesh(mesh), folder)?;
                (tiles, *mesh.params())
            }
            Baked::Layers(layers) => {
                let now = live::layers_of_cache(&layers.cache);
                let tiles = tiles::replace(before.as_ref(), now, folder)?;
                (tiles, *layers.cache.nav_mesh_params())
            }
        };
        // Written last, so that a program that sees the new file also sees the new tiles.
        let elapsed = clock.elapsed();
        let file = match baked {
            Baked::Tiles { mesh, .. } | Baked::WithObstacles { mesh } => {
                bake::write_mesh(&args.output, mesh, elapsed)?
            }
            Baked::Layers(layers) => bake::write_layers(args, layers)?,
        };
        self.written = Some(stamps);
        let seconds = elapsed.as_secs_f32();
        let WrittenFile { file, output, summary } = file;
        self.state = Some(json!({ "file": file, "output": output, "parameters": parameters }));
        Ok(Written { summary, file, output, seconds, baked: 0, parameters, changes })
    }

    /// Bakes the `stale` tiles and reuses the others. Returns the result and the number of baked tiles.
    fn bake_tiles(
        &self,
        wanted: &WantedBake,
        (before, stale): (Option<Baked>, &DirtyTiles),
        findings: &mut Findings,
    ) -> anyhow::Result<(Baked, usize)> {
        let WantedBake { plan, finish, .. } = wanted;
        let known = match before {
            Some(Baked::Tiles { outcomes, .. }) => outcomes,
            Some(Baked::Layers(_) | Baked::WithObstacles { .. }) | None => Vec::new(),
        };
        let outcomes = self.rebake(plan, known, stale, findings)?;
        let again = runner::from_memory(plan, BakeOutput::Stages);
        let empty = Empty { plan, again: &again };
        let mesh = bake::assemble(&empty, &outcomes, finish, findings);
        let mesh = mesh.with_context(|| self.args.level.to_string())?;
        Ok((Baked::Tiles { outcomes, mesh }, stale.changed.len()))
    }

    /// Bakes the layers of the `stale` tiles and reuses the others. Returns the result and the number of baked tiles.
    fn bake_layers(
        &self,
        plan: &BakePlan,
        cut: CutArg,
        (before, stale): (Option<Baked>, &DirtyTiles),
        findings: &mut Findings,
    ) -> anyhow::Result<(Baked, usize)> {
        let known = match &before {
            Some(Baked::Layers(layers)) => Some(PreviousLayers { layers, stale }),
            Some(Baked::Tiles { .. } | Baked::WithObstacles { .. }) | None => None,
        };
        let layers = layers::bake(plan, cut, bake::n_threads(self.args), known.as_ref(), findings);
        let layers = layers.with_context(|| self.args.level.to_string())?;
        findings.extend(layers.warnings.iter().cloned());
        Ok((Baked::Layers(Box::new(layers)), stale.changed.len()))
    }

    fn read(&mut self, findings: &mut Findings) -> Result<WantedBake, Failure> {
        let args = self.args;
        let level = args.level.load(args.import.options())?;
        bake::check_tile_options(args, &level)?;
        let files = level.files.iter().chain(args.settings.file.as_deref());
        self.files.follow(files.cloned().collect());
        let own = bake::of_agent(args, &level)?;
        let config = args.settings.over(own, &level)?;
        remarks::remark(&level, &config, findings);
        let Level { mut mesh, finish, mut obstacles, .. } = level;
        if !self.objects.is_empty() {
            let changed = self.objects.on(&mesh).with_context(|| args.level.to_string())?;
            mesh = Arc::new(changed);
        }
        if let Some(set) = self.obstacles.as_ref().filter(|_| obstacles.is_some()) {
            obstacles = Some(set.clone());
        }
        let plan = BakePlan::new(config.with_mesh(mesh));
        let plan = plan.with_context(|| args.level.to_string())?;
        remarks::remark_plan(&plan, findings);
        limit::admit(&args.level, limits::admit(&plan))?;
        Ok(WantedBake { plan, finish, obstacles })
    }

    fn stale(&self, wanted: &WantedBake) -> DirtyTiles {
        let last = self.last.as_ref().map(|last| &last.wanted);
        let last = last.filter(|last| last.obstacles.is_some() == wanted.obstacles.is_some());
        let found = last.and_then(|last| dirty_tiles(&last.plan, &wanted.plan, &Unmonitored).ok());
        let all = || DirtyTiles { changed: wanted.plan.tiles().collect(), removed: Vec::new() };
        found.unwrap_or_else(all)
    }

    /// Replaces the `stale` tiles among the `known` ones with newly baked ones. Returns all by row and column.
    fn rebake(
        &self,
        plan: &BakePlan,
        mut known: Vec<TileOutcome>,
        stale: &DirtyTiles,
        findings: &mut Findings,
    ) -> anyhow::Result<Vec<TileOutcome>> {
        let cache = bake::open_cache(self.args)?;
        let one = bake::from_memory(cache.as_ref(), plan, BakeOutput::Tile);
        let baked = bake::bake(self.args, stale.changed.iter().copied(), &*one)?.outcomes;
        cache
            .iter()
            .flat_map(|cache| cache.tally().lines())
            .for_each(|line| eprint_line(&line.to_string()));
        remarks::remark_tiles(&self.args.level, &baked, findings);
        let gone: BTreeSet<TileCoord> =
            stale.changed.iter().chain(&stale.removed).copied().collect();
        known.retain(|outcome| !gone.contains(&outcome.coord));
        known.extend(baked);
        known.sort_by_key(|outcome| (outcome.coord.z, outcome.coord.x));
        Ok(known)
    }
}

impl LastBake {
    /// Returns whether the changes applied after the bake are the same, including obstacles.
    fn has_same_finish(&self, wanted: &WantedBake) -> bool {
        let WantedBake { finish, obstacles, .. } = &self.wanted;
        *finish == wanted.finish && *obstacles == wanted.obstacles
    }
}

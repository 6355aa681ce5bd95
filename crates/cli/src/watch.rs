//! `walkable watch`: bakes a level, and whenever its files change, what changed of it.

use std::{
    collections::BTreeSet,
    io,
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use clap::Args;
use walkable::{
    bake::{BakePlan, DirtyTiles, Keep, dirty_tiles},
    ids::TileCoord,
    monitor::Unmonitored,
    tile_cache::Obstacle,
};
use walkable_editor::{
    document::Finish,
    files::next_line,
    memory,
    runner::{self, TileOutcome},
    watched::Watched,
};

use super::{
    Failure,
    bake::{self, BakeArgs},
    bin,
    empty::Empty,
    findings::Findings,
    limit,
    load::{Level, LevelArg},
    output::Output,
    remarks,
};

/// Between two looks at the files.
const PAUSE: Duration = Duration::from_millis(500);

/// Arguments of `walkable watch`.
#[derive(Args, Debug)]
pub(super) struct WatchArgs {
    /// Look at the files only when a line on the standard input asks for it, not by the clock.
    #[arg(long)]
    when_asked: bool,
    #[command(flatten)]
    bake: BakeArgs,
}

pub(super) fn run(args: &WatchArgs, output: &mut Output) -> Result<(), Failure> {
    let WatchArgs { when_asked, bake: args } = args;
    args.memory.apply();
    if let Some(why) = refusal(args)? {
        return Err(Failure::Usage(format!("{}: {why}", args.level)));
    }
    let mut watch = Watch { args, files: Watched::default(), last: None };
    let first = watch.bake()?;
    tell(output, &first.unwrap_or_default())?;
    let asked = lines_of_input().context("cannot read the standard input")?;
    loop {
        let next =
            if *when_asked { asked.recv().map_err(Into::into) } else { asked.recv_timeout(PAUSE) };
        let was_asked = match next {
            Ok(line) => {
                line.context("cannot read the standard input")?;
                watch.files.note();
                true
            }
            Err(RecvTimeoutError::Timeout) if watch.files.has_changed() => false,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        };
        match watch.bake() {
            Ok(Some(done)) => tell(output, &done)?,
            Ok(None) if was_asked => tell(output, "unchanged")?,
            Ok(None) => {}
            Err(Failure::Failed(error)) => tell(output, &format!("failed: {error:#}"))?,
            Err(Failure::Usage(message)) => tell(output, &format!("failed: {message}"))?,
        }
    }
}

/// What cannot be watched, and why.
fn refusal(args: &BakeArgs) -> anyhow::Result<Option<&'static str>> {
    Ok(if args.layers.is_some() || args.report.is_some() {
        Some("watching writes tiles only: leave out --layers and --report")
    } else if matches!(args.level, LevelArg::Builtin(_)) {
        Some("a level of the program's own does not change")
    } else if bin::binned_file(&args.level)?.is_some() {
        Some("a file of `walkable bin` is not watched: bake it again")
    } else {
        None
    })
}

/// Whoever waits for the line gets it now, and it is one.
fn tell(output: &mut Output, text: &str) -> anyhow::Result<()> {
    output.line(&text.replace('\n', " "))?;
    output.finish()
}

/// Something for each line of the standard input, whatever its bytes; disconnected once it has ended.
fn lines_of_input() -> io::Result<Receiver<io::Result<Vec<u8>>>> {
    let (sender, receiver) = sync_channel(1);
    let read = move || {
        let mut input = io::stdin().lock();
        // Each line waits for its turn, and gets an answer of its own.
        while let Some(line) = next_line(&mut input).transpose() {
            let is_last = line.is_err();
            if sender.send(line).is_err() || is_last {
                return;
            }
        }
    };
    thread::Builder::new().name("input".to_owned()).spawn(read)?;
    Ok(receiver)
}

struct Watch<'a> {
    args: &'a BakeArgs,
    files: Watched,
    /// What was written last; none after a failure, so that all is baked anew.
    last: Option<Last>,
}

/// What the files ask for.
struct Wanted {
    plan: BakePlan,
    finish: Finish,
    /// Where the level is prepared for them.
    obstacles: Option<Vec<Obstacle>>,
}

/// What was asked for, and its tiles by row and column.
struct Last {
    wanted: Wanted,
    outcomes: Vec<TileOutcome>,
}

impl Watch<'_> {
    /// Reads the level, bakes what has changed since the last time and writes all tiles; what to say of
    /// it, or nothing where the tiles are those written last.
    fn bake(&mut self) -> Result<Option<String>, Failure> {
        let args = self.args;
        let mut findings = Findings::new(&args.level);
        let wanted = self.read(&mut findings)?;
        let clock = Instant::now();
        let stale = self.stale(&wanted);
        if self
            .last
            .as_ref()
            .is_some_and(|last| stale == DirtyTiles::default() && last.suits(&wanted))
        {
            return Ok(None);
        }
        let context = || args.level.to_string();
        let (plan, finish) = (&wanted.plan, &wanted.finish);
        let (n_baked, outcomes, mesh) = if let Some(obstacles) = &wanted.obstacles {
            let mesh = bake::layered_mesh(args, plan, (obstacles, finish), &mut findings)?;
            (plan.tiles().count(), Vec::new(), mesh)
        } else {
            let outcomes = self.rebake(plan, &stale, &mut findings);
            let again = runner::from_memory(plan, Keep::Stages);
            let empty = Empty { plan, again: &again };
            let mesh = bake::assemble(&empty, &outcomes, finish, &mut findings);
            let mesh = mesh.with_context(context)?;
            (stale.changed.len(), outcomes, mesh)
        };
        if args.strict {
            findings.refuse()?;
        }
        let written = bake::write_mesh(args, &mesh, clock.elapsed())?;
        self.last = Some(Last { wanted, outcomes });
        Ok(Some(format!("{written}; {n_baked} tiles baked")))
    }

    fn read(&mut self, findings: &mut Findings) -> Result<Wanted, Failure> {
        let args = self.args;
        let level = args.level.load(args.import.options())?;
        bake::check_outputs(args, &level.files)?;
        let files = level.files.iter().chain(&args.settings);
        self.files.follow(files.cloned().collect());
        let own = bake::of_agent(args, &level)?;
        let config = bake::config(args, own, &level.mesh.bounds())?;
        remarks::remark(&level, &config, findings);
        let Level { mesh, finish, obstacles, .. } = level;
        let plan = BakePlan::new(config.with_mesh(Arc::new(mesh)));
        let plan = plan.with_context(|| args.level.to_string())?;
        remarks::remark_rules(&plan, findings);
        limit::admit(&args.level, memory::admit(&plan))?;
        Ok(Wanted { plan, finish, obstacles })
    }

    /// The tiles that are not as `wanted` has them.
    fn stale(&self, wanted: &Wanted) -> DirtyTiles {
        let last = self.last.as_ref().map(|last| &last.wanted);
        let last = last.filter(|last| last.obstacles.is_some() == wanted.obstacles.is_some());
        let found = last.and_then(|last| dirty_tiles(&last.plan, &wanted.plan, &Unmonitored).ok());
        let all = || DirtyTiles { changed: wanted.plan.tiles().collect(), removed: Vec::new() };
        found.unwrap_or_else(all)
    }

    /// The tiles of last time with those of `stale` baked anew, by row and column.
    fn rebake(
        &mut self,
        plan: &BakePlan,
        stale: &DirtyTiles,
        findings: &mut Findings,
    ) -> Vec<TileOutcome> {
        let one = runner::from_memory(plan, Keep::Tile);
        let baked = bake::bake(self.args, &stale.changed, &one).outcomes;
        remarks::say_tiles(&self.args.level, &baked, findings);
        let gone: BTreeSet<TileCoord> =
            stale.changed.iter().chain(&stale.removed).copied().collect();
        let mut all = self.last.take().map(|last| last.outcomes).unwrap_or_default();
        all.retain(|outcome| !gone.contains(&outcome.coord));
        all.extend(baked);
        all.sort_by_key(|outcome| (outcome.coord.z, outcome.coord.x));
        all
    }
}

impl Last {
    /// Whether the same is to be made of the same tiles.
    fn suits(&self, wanted: &Wanted) -> bool {
        let Wanted { finish, obstacles, .. } = &self.wanted;
        *finish == wanted.finish && *obstacles == wanted.obstacles
    }
}

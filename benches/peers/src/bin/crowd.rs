//! Moves the same agents with Walkable and with C++ `DetourCrowd`: compares all positions and velocities bit by bit,
//! and times updates, alternating.

use std::{
    error::Error,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use peers::{
    clock::thread_nanoseconds,
    crowd::{
        Both,
        cases::Case,
        profile::{CrowdDriver, Scene},
    },
};
use rayon::prelude::*;
use walkable::{crowd::Crowd, navmesh::NavMesh};

const USAGE: &str = "crowd agree [--seed N] [--cases N] [--updates N]
crowd time [--agents N]… [--scene zones|doors] [--warm N] [--updates N] [--rounds N] [--levels DIR]
crowd threads [--agents N]… (the same options)

  --seed     number of the first scene (1)
  --cases    number of scenes (500)
  --updates  updates of each scene (agree: 2000), updates that are timed (200)
  --agents   number of agents; may be repeated (128, 1000 and 10000)
  --warm     updates before the first that is timed (100)
  --rounds   how often a scene is played (3); the least time of each update counts
  --levels   folder in which baked levels are kept from run to run";

/// Length of an update that is timed, in seconds.
const SECONDS: f32 = 1.0 / 30.0;

struct Options {
    seed: u64,
    n_cases: u64,
    n_updates: Option<u32>,
    agents: Vec<usize>,
    scenes: Vec<Scene>,
    warm: u32,
    rounds: u32,
    levels: Option<PathBuf>,
}

impl Options {
    fn read(mut args: impl Iterator<Item = String>) -> Result<Self, Box<dyn Error>> {
        let mut options = Self {
            seed: 1,
            n_cases: 500,
            n_updates: None,
            agents: Vec::new(),
            scenes: Vec::new(),
            warm: 100,
            rounds: 3,
            levels: None,
        };
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
            match arg.as_str() {
                "--seed" => options.seed = value()?.parse()?,
                "--cases" => options.n_cases = value()?.parse()?,
                "--updates" => options.n_updates = Some(value()?.parse()?),
                "--agents" => options.agents.push(value()?.parse()?),
                "--warm" => options.warm = value()?.parse()?,
                "--rounds" => options.rounds = value()?.parse()?,
                "--levels" => options.levels = Some(value()?.into()),
                "--scene" => {
                    let name = value()?;
                    let scene = Scene::ALL.into_iter().find(|scene| scene.name() == name);
                    options.scenes.push(scene.ok_or_else(|| format!("no scene {name}"))?);
                }
                _ => return Err(format!("unknown: {arg}\n{USAGE}").into()),
            }
        }
        if options.agents.is_empty() {
            options.agents = vec![128, 1000, 10_000];
        }
        if options.scenes.is_empty() {
            options.scenes = Scene::ALL.to_vec();
        }
        Ok(options)
    }

    fn n_timed(&self) -> u32 {
        self.n_updates.unwrap_or(200)
    }

    /// Calls `visit` with every scene, every number of agents, and its level.
    fn each(&self, mut visit: impl FnMut(Scene, usize, &[u8])) -> Result<(), Box<dyn Error>> {
        for &scene in &self.scenes {
            for &n_agents in &self.agents {
                visit(scene, n_agents, &baked(scene, n_agents, self.levels.as_deref())?);
            }
        }
        Ok(())
    }
}

fn baked(scene: Scene, n_agents: usize, folder: Option<&Path>) -> Result<Vec<u8>, Box<dyn Error>> {
    let Some(folder) = folder else { return Ok(scene.bake(n_agents)) };
    let file = folder.join(format!("{}-{n_agents}.bin", scene.name()));
    if let Ok(bytes) = std::fs::read(&file) {
        return Ok(bytes);
    }
    let bytes = scene.bake(n_agents);
    std::fs::create_dir_all(folder)?;
    std::fs::write(file, &bytes)?;
    Ok(bytes)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let task = args.next().unwrap_or_default();
    let options = Options::read(args)?;
    match task.as_str() {
        "agree" => agree(&options),
        "time" => time(&options),
        "threads" => threads(&options),
        _ => {
            println!("{USAGE}");
            Ok(())
        }
    }
}

fn agree(options: &Options) -> Result<(), Box<dyn Error>> {
    let n_updates = options.n_updates.unwrap_or(2000);
    let (mut n_states, mut n_moving) = (0_u64, 0_u64);
    for seed in options.seed..options.seed + options.n_cases {
        let (mut case, mut both) = Case::new(seed);
        for update in 0..n_updates {
            case.tell(update, &mut both);
            both.ours.update(&both.mesh, case.seconds);
            both.theirs.update(case.seconds);
            if let Some((agent, [ours, theirs])) = both.first_difference() {
                return Err(format!(
                    "{}\nafter update {update}, agent {agent} differs:\nours {ours:?}\nC++  {theirs:?}",
                    case.name
                )
                .into());
            }
            n_states += both.ours.agents().count() as u64;
            let is_moving = |agent: &walkable::crowd::Agent| agent.velocity().length() > 0.1;
            n_moving += both.ours.agents().filter(|(_, agent)| is_moving(agent)).count() as u64;
        }
        if seed % 50 == 0 {
            println!("scene {}", case.name);
        }
    }
    let (n, share) = (options.n_cases, n_moving as f64 / n_states.max(1) as f64 * 100.0);
    println!("{n} scenes of {n_updates} updates agree: {n_states} states, {share:.0} % moving");
    Ok(())
}

/// Shortest time of each timed update over all rounds, in nanoseconds.
struct Least(Vec<u64>);

impl Least {
    fn new(n: u32) -> Self {
        Self(vec![u64::MAX; n as usize])
    }

    fn note(&mut self, update: u32, nanoseconds: u64) {
        let least = &mut self.0[update as usize];
        *least = nanoseconds.min(*least);
    }

    fn microseconds_per_update(&self) -> f64 {
        self.0.iter().sum::<u64>() as f64 / 1e3 / self.0.len() as f64
    }
}

fn time(options: &Options) -> Result<(), Box<dyn Error>> {
    // From here on, one thread does everything.
    thread_nanoseconds();
    println!(
        "| scene | agents | ours, µs | C++, µs | ratio | ours, ns per agent | C++, ns per agent |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    options.each(|scene, n_agents, bytes| {
        let n = options.n_timed();
        let (mut ours, mut theirs) = (Least::new(n), Least::new(n));
        for _ in 0..options.rounds {
            let (mut driver, mut both) = warm(scene, n_agents, bytes, options.warm);
            for update in 0..n {
                driver.tell(&mut both);
                for is_ours in [update % 2 == 0, update % 2 == 1] {
                    let start = thread_nanoseconds();
                    if is_ours {
                        update_ours(&mut both);
                    } else {
                        update_theirs(&mut both);
                    }
                    let took = thread_nanoseconds() - start;
                    if is_ours { &mut ours } else { &mut theirs }.note(update, took);
                }
            }
            assert_eq!(both.first_difference(), None, "both move agents alike");
        }
        let [ours, theirs] = [ours, theirs].map(|least| least.microseconds_per_update());
        let per_agent = |time: f64| time * 1e3 / n_agents as f64;
        println!(
            "| {} | {n_agents} | {ours:.1} | {theirs:.1} | {:.3} | {:.0} | {:.0} |",
            scene.name(),
            ours / theirs,
            per_agent(ours),
            per_agent(theirs)
        );
    })
}

fn warm(scene: Scene, n_agents: usize, bytes: &[u8], n: u32) -> (CrowdDriver, Both) {
    let (mut driver, mut both) = scene.start(bytes, n_agents);
    for _ in 0..n {
        driver.tell(&mut both);
        both.ours.update(&both.mesh, SECONDS);
        both.theirs.update(SECONDS);
    }
    (driver, both)
}

/// Runs an update of Walkable to be timed. Not inlined, so that a profiler can be limited to it.
#[inline(never)]
fn update_ours(both: &mut Both) {
    both.ours.update(&both.mesh, SECONDS);
}

/// Runs an update of C++ to be timed.
#[inline(never)]
fn update_theirs(both: &mut Both) {
    both.theirs.update(SECONDS);
}

/// Compares two threads with one by elapsed time, and two crowds on a thread each with the two one after the other. Two
/// crowds share nothing but the machine, so they show the largest factor that its caches and memory allow. Even work of
/// the same length in [`N_STEPS`] steps shows what starting the threads allows.
fn threads(options: &Options) -> Result<(), Box<dyn Error>> {
    println!(
        "| scene | agents | 1 thread, µs | 2 threads, µs | speedup | 2 crowds at once | even work |\n\
         |---|---:|---:|---:|---:|---:|---:|"
    );
    let pool = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build();
    let (one, two, other) = (pool(1)?, pool(2)?, pool(1)?);
    options.each(|scene, n_agents, bytes| {
        let n = options.n_timed();
        let mut least = [Least::new(n), Least::new(n), Least::new(n)];
        for _ in 0..options.rounds {
            let mut crowds = [(); 4].map(|()| warm(scene, n_agents, bytes, options.warm));
            for update in 0..n {
                for (driver, both) in &mut crowds {
                    driver.tell(both);
                }
                let parts = crowds.each_mut().map(|(_, both)| (&mut both.ours, &both.mesh));
                let [first, second, third, fourth] = parts;
                let [least_one, least_two, least_at_once] = &mut least;
                let step = |(ours, mesh): (&mut Crowd, &NavMesh)| ours.update(mesh, SECONDS);
                least_one.note(update, nanoseconds(|| one.install(|| step(first))));
                least_two.note(update, nanoseconds(|| two.install(|| step(second))));
                let at_once = || {
                    two.join(|| one.install(|| step(third)), || other.install(|| step(fourth)));
                };
                least_at_once.note(update, nanoseconds(at_once));
            }
            let positions = crowds.each_ref().map(|(_, both)| -> Vec<_> {
                both.ours.agents().map(|(_, agent)| agent.position()).collect()
            });
            assert!(positions.iter().all(|one| *one == positions[0]), "threads change nothing");
        }
        let [alone, shared, at_once] = least.map(|least| least.microseconds_per_update());
        let n_batches = n_agents.div_ceil(16);
        let batch = Duration::from_secs_f64(alone * 1e-6 / (N_STEPS * n_batches) as f64);
        let mut even = [Least::new(n), Least::new(n)];
        for _ in 0..options.rounds {
            for update in 0..n {
                for (least, pool) in even.iter_mut().zip([&one, &two]) {
                    least
                        .note(update, nanoseconds(|| pool.install(|| even_work(n_batches, batch))));
                }
            }
        }
        let [even_alone, even_shared] = even.map(|least| least.microseconds_per_update());
        println!(
            "| {} | {n_agents} | {alone:.1} | {shared:.1} | {:.2} | {:.2} | {:.2} |",
            scene.name(),
            alone / shared,
            2.0 * alone / at_once,
            even_alone / even_shared
        );
    })
}

/// Number of parallel steps of an update with few agents, which run one after the other.
const N_STEPS: usize = 4;

/// Runs [`N_STEPS`] steps, each of `n_batches` batches that take `batch` and need neither memory nor locks.
fn even_work(n_batches: usize, batch: Duration) {
    for _ in 0..N_STEPS {
        (0..n_batches).into_par_iter().for_each(|_| {
            let start = Instant::now();
            while start.elapsed() < batch {
                std::hint::spin_loop();
            }
        });
    }
}

/// Returns the elapsed time of `run`.
fn nanoseconds<T>(run: impl FnOnce() -> T) -> u64 {
    let start = Instant::now();
    run();
    u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

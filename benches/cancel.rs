//! Measures how long a bake continues after it was cancelled: the longest time between two checks of the monitor, by
//! stage. `cargo bench -p walkable --bench cancel`

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a program that shows its result")]

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use walkable::{
    bake::{BakeInput, BakeOutput, BakePlan, BakeSettings, bake_tile},
    level::{LevelKind, generate},
    monitor::Monitor,
    stage::Stage,
};

/// Side of the levels, in meters: the terrain has some 700,000 triangles, the town some 300,000.
const LEVELS: [(LevelKind, f32); 3] =
    [(LevelKind::Terrain, 600.0), (LevelKind::Town, 700.0), (LevelKind::Caves, 200.0)];

/// The longest times between two checks so far.
struct Silences(Mutex<State>);

struct State {
    stage: Option<Stage>,
    heard: Instant,
    longest: Vec<(Option<Stage>, Duration)>,
}

impl Silences {
    fn new() -> Self {
        Self(Mutex::new(State { stage: None, heard: Instant::now(), longest: Vec::new() }))
    }

    fn hear(&self, enters: Option<Stage>) {
        let mut state = self.0.lock().unwrap();
        let (stage, silence) = (state.stage, state.heard.elapsed());
        match state.longest.iter_mut().find(|(of, _)| *of == stage) {
            Some((_, longest)) => *longest = silence.max(*longest),
            None => state.longest.push((stage, silence)),
        }
        state.stage = enters.or(stage);
        state.heard = Instant::now();
    }
}

impl Monitor for Silences {
    fn enter(&self, stage: Stage) {
        self.hear(Some(stage));
    }

    fn is_cancelled(&self) -> bool {
        self.hear(None);
        false
    }
}

fn main() {
    for (kind, size) in LEVELS {
        let mesh = Arc::new(generate(kind, 1, size).unwrap().mesh);
        let triangles = mesh.triangles().len();
        let input = BakeInput::new(mesh, BakeSettings::default());
        let started = Instant::now();
        let plan = BakePlan::new(input).unwrap();
        println!("{kind:?} {size} m, {triangles} triangles, one tile");
        println!("  {:<14}{:8.1} ms", "plan", started.elapsed().as_secs_f64() * 1e3);
        let silences = Silences::new();
        for coord in plan.tiles() {
            if let Err(error) = bake_tile(&plan, coord, BakeOutput::Tile, &silences) {
                println!("  {error}");
            }
        }
        silences.hear(None);
        for (stage, silence) in silences.0.into_inner().unwrap().longest {
            let stage = stage.map_or_else(|| "before".to_owned(), |stage| format!("{stage:?}"));
            println!("  {stage:<14}{:8.1} ms", silence.as_secs_f64() * 1e3);
        }
    }
}

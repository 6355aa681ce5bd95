//! Measures the time of the editor's frames in our code: the whole program on a town of 700 m, without a window and
//! without a driver's work. Run it with `cargo bench -p walkable-window --bench frames`.
//!
//! With `-- --frames 2000`, times the same frames on a town of 2 km.
//!
//! With `-- --town 2000`, opens and bakes a town of 2 km as the window does, and prints the peak memory.
//!
//! With `-- --fly WORLD.tri`, flies over a level larger than memory, of which the loaded part follows the camera. The frames in
//! flight are also drawn by the driver.
//! `cargo bench -p walkable --bench routes -- 5000 WORLD.tri terrain` writes a terrain of 5 km.

#![expect(clippy::print_stdout, reason = "a program that shows its result")]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::mpsc,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use cpu_time::ThreadTime;
use eframe::{
    App as _,
    egui::{self, Event, Modifiers, PointerButton, Pos2, RawInput, Rect, Vec2, pos2, vec2},
};
use egui_kittest::Harness;
use walkable::{
    level::{LevelKind, generate},
    mesh::to_obj,
};
use walkable_editor::{
    command::{TourCommand, ViewCommand},
    session::LevelSource,
};
use walkable_window::app::App;

/// Number of timed frames of each kind.
const N_FRAMES: usize = 300;
const SIZE: Vec2 = vec2(1440.0, 900.0);
/// A position in the 3D view.
const MIDDLE: Pos2 = pos2(720.0, 320.0);

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => time_frames(700.0),
        ["--frames", side] => time_frames(side.parse().context("--frames takes a side in meters")?),
        ["--town", side] => bake_town(side.parse().context("--town takes a side in meters")?),
        ["--fly", file] => fly_over(Path::new(file)),
        _ => anyhow::bail!(
            "no such option: {}; there are --frames METERS, --town METERS and --fly FILE",
            args.join(" ")
        ),
    }
}

/// Opens a town with this side, bakes it, and times frames at rest, under a moving pointer and in an orbit.
fn time_frames(side: f32) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let (path, n) = town(folder.path(), side)?;
    let clock = Instant::now();
    let mut harness = editor(path);
    println!("start to first frame, driver included: {}", millis(clock.elapsed()));
    while harness.state().is_busy() {
        harness.step();
        std::thread::yield_now();
    }
    println!("town of {n} triangles baked after {}", millis(clock.elapsed()));
    // The page of the tour covers the view on the first start.
    harness.state_mut().trigger(TourCommand::End.into());
    let ctx = harness.ctx.clone();
    ctx.disable_accesskit();
    let mut window = Window { app: harness.state_mut(), ctx, frame: eframe::Frame::_new_kittest() };
    // Pictures are made over several frames, and fade in.
    let mut delay = Duration::ZERO;
    for _ in 0..N_FRAMES {
        delay = window.draw(Vec::new());
    }
    println!("{}", timed("at rest", &mut window, |_, _| Vec::new()));
    let asks = if delay == Duration::ZERO { "yes" } else { "no" };
    println!("asks for another frame at rest: {asks}");
    let move_to = |n| vec![Event::PointerMoved(around(n))];
    println!("{}", timed("pointer moving", &mut window, |_, n| move_to(n)));
    let [down, up] = middle_button();
    window.draw(vec![Event::PointerMoved(MIDDLE)]);
    window.draw(vec![down]);
    let look = |app: &App| app.editor().session().shown.look;
    let (mut before, mut n_turned) = (look(window.app), 0);
    let turning = timed("turning", &mut window, |app, n| {
        let now = look(app);
        n_turned += usize::from(now != before);
        before = now;
        move_to(n)
    });
    // The first frame comes before the first movement.
    anyhow::ensure!(
        n_turned + 2 >= N_FRAMES,
        "the camera turned in {n_turned} of {N_FRAMES} frames"
    );
    println!("{turning}");
    window.draw(vec![up]);
    Ok(())
}

/// The program as its window runs it while no screen reader is in use. [`Harness::step`] also makes and reads the
/// accessibility tree.
struct Window<'a> {
    app: &'a mut App,
    ctx: egui::Context,
    frame: eframe::Frame,
}

impl Window<'_> {
    /// Draws a frame after `events`. Returns the time after which the program asks for the next frame.
    fn draw(&mut self, events: Vec<Event>) -> Duration {
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, SIZE));
        let input = RawInput { screen_rect, events, ..RawInput::default() };
        let Self { app, ctx, frame } = self;
        let output = ctx.run_ui(input, |ui| {
            app.logic(ui, frame);
            app.ui(ui, frame);
        });
        let delays = output.viewport_output.values().map(|view| view.repaint_delay);
        delays.min().unwrap_or(Duration::MAX)
    }
}

/// Opens a town with this side, bakes and draws it as the window does, and prints the time of the bake and the peak
/// memory of the process. `walkable bake` is the baseline to compare with.
fn bake_town(side: f32) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let (path, n) = town(folder.path(), side)?;
    let clock = Instant::now();
    let mut harness = editor(path);
    let (wishes, wished) = mpsc::sync_channel(1 << 16);
    harness.ctx.set_request_repaint_callback(move |info| {
        // The receiver is gone after the last frame.
        let _ = wishes.try_send(Instant::now() + info.delay);
    });
    let (mut n_frames, mut n_idle) = (0, 0);
    let mut baked = None;
    // When the program is idle, the rest of the picture is built, a part in each frame.
    while n_idle < N_FRAMES / 10 {
        harness.step();
        harness.render().map_err(anyhow::Error::msg)?;
        n_frames += 1;
        if harness.state().is_busy() {
            n_idle = 0;
            wait_for_frame(&wished);
        } else {
            n_idle += 1;
            baked.get_or_insert_with(|| (clock.elapsed(), n_frames));
        }
    }
    let (opened, until) = baked.context("it was not baked")?;
    let tiles = harness.state().baked_in().context("it was not baked")?;
    println!("town of {side} m, {n} triangles: tiles baked in {}", millis(tiles));
    println!("opened and baked in {}, {until} frames until then", millis(opened));
    println!("most memory {}", most_memory()?);
    Ok(())
}

/// Number of flights over a level, between which the camera rests until the part around it is loaded and baked.
const N_FLIGHTS: usize = 8;
/// Number of frames of a flight: two seconds.
const N_FLOWN: usize = 60;
/// Distance flown in a frame, in meters: 90 m per second.
const STEP: f32 = 3.0;
/// A frame may take this long at 30 pictures per second.
const FRAME: Duration = Duration::from_millis(33);
/// Time after which the benchmark ends instead of waiting on.
const PATIENCE: Duration = Duration::from_mins(10);

/// Opens a level larger than memory and flies over it. Times the frames of the flights, with and without the driver's work,
/// and those in which parts are loaded and baked.
fn fly_over(path: &Path) -> anyhow::Result<()> {
    let clock = Instant::now();
    let mut harness = editor(path.to_owned());
    let mut opened = Vec::new();
    rest(&mut harness, &mut opened)?;
    let world = |harness: &Harness<'_, App>| harness.state().editor().session().world().cloned();
    let first = world(&harness).context("the level is not larger than the memory budget")?;
    let [side, part] = [first.bounds, first.part].map(|bounds| bounds.size().x);
    let n = first.n_triangles;
    println!("level of {side:.0} m, {n} triangles: a part of {part:.0} m");
    println!("opened, baked and overview made after {}", millis(clock.elapsed()));
    println!("{}", summary("opening", &mut opened));

    // The page of the tour covers the view on the first start.
    harness.state_mut().trigger(TourCommand::End.into());
    harness.state_mut().trigger(ViewCommand::TogglePartFollows.into());
    for _ in 0..N_FRAMES / 10 {
        harness.step();
    }
    let mut resting = Vec::new();
    for _ in 0..N_FLOWN {
        let clock = Instant::now();
        harness.step();
        harness.render().map_err(anyhow::Error::msg)?;
        resting.push(clock.elapsed());
    }
    println!("{}", summary("at rest, drawn by the driver, by the clock", &mut resting));
    let mut at = first.around;
    let (mut flying, mut loading, mut parts) = (Vec::new(), Vec::new(), vec![first.around]);
    let mut pictures = Vec::new();
    for _ in 0..N_FLIGHTS {
        for _ in 0..N_FLOWN {
            at.x = if at.x + STEP < first.bounds.max.x { at.x + STEP } else { first.bounds.min.x };
            harness.state_mut().trigger(ViewCommand::LookAt(at).into());
            let clock = Instant::now();
            flying.push(time_of_frame(&mut harness));
            harness.render().map_err(anyhow::Error::msg)?;
            pictures.push(clock.elapsed());
        }
        // The camera counts as resting after a moment.
        let since = Instant::now();
        while since.elapsed() < Duration::from_secs(1) {
            loading.push(time_of_frame(&mut harness));
            std::thread::sleep(Duration::from_millis(10));
        }
        rest(&mut harness, &mut loading)?;
        parts.extend(world(&harness).map(|world| world.around));
    }
    parts.dedup();
    println!("flew over {} parts", parts.len());
    println!("{}", summary("flying", &mut flying));
    println!("{}", summary("flying, drawn by the driver, by the clock", &mut pictures));
    println!("{}", summary("loading parts", &mut loading));
    println!("most memory {}", most_memory()?);
    Ok(())
}

/// Draws frames until no work is in progress, and adds the time of each to `times`.
fn rest(harness: &mut Harness<'_, App>, times: &mut Vec<Duration>) -> anyhow::Result<()> {
    let clock = Instant::now();
    let mut n_idle = 0;
    while n_idle < N_FRAMES / 10 {
        anyhow::ensure!(clock.elapsed() < PATIENCE, "the work does not end");
        times.push(time_of_frame(harness));
        n_idle = if harness.state().is_busy() { 0 } else { n_idle + 1 };
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(())
}

/// Returns the processor time of this thread for a frame.
fn time_of_frame(harness: &mut Harness<'_, App>) -> Duration {
    let clock = ThreadTime::now();
    harness.step();
    clock.elapsed()
}

fn summary(name: &str, times: &mut [Duration]) -> String {
    times.sort_unstable();
    let n = times.len();
    let at = |share: usize| times.get(n.saturating_sub(1) * share / 100).copied();
    let [median, most, longest] = [50, 95, 100].map(|share| millis(at(share).unwrap_or_default()));
    let n_slow = times.iter().filter(|time| **time > FRAME).count();
    format!(
        "{name}: {n} frames, median {median}, 95th percentile {most}, longest {longest}, {n_slow} over 33 ms"
    )
}

/// Waits for the next frame that the window would draw, which is at the earliest of the `wished` times, but at most a
/// second.
fn wait_for_frame(wished: &mpsc::Receiver<Instant>) {
    let mut next = Instant::now() + Duration::from_secs(1);
    while let Ok(wish) = wished.recv_timeout(next.saturating_duration_since(Instant::now())) {
        next = next.min(wish);
    }
}

/// Writes a town with this side into `folder`. Returns its path and its number of triangles.
fn town(folder: &Path, side: f32) -> anyhow::Result<(PathBuf, usize)> {
    let level = generate(LevelKind::Town, 1, side)?;
    let path = folder.join("town.obj");
    fs::write(&path, to_obj(&level.mesh))?;
    fs::write(path.with_extension("cfg"), level.config.to_text())?;
    Ok((path, level.mesh.triangles().len()))
}

fn editor(path: PathBuf) -> Harness<'static, App> {
    let builder = Harness::builder().with_size(SIZE).with_max_steps(1);
    let source = LevelSource::File(path);
    builder.wgpu().build_eframe(|cc| App::new(cc, Some(source)))
}

/// Returns the peak memory of this process, as reported by the system.
fn most_memory() -> anyhow::Result<String> {
    let status = fs::read_to_string("/proc/self/status").context("only Linux says that")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    Ok(line.context("only Linux says that")?.trim().to_owned())
}

/// Presses and releases the middle button in the middle of the view.
fn middle_button() -> [Event; 2] {
    [true, false].map(|pressed| {
        let button = PointerButton::Middle;
        Event::PointerButton { pos: MIDDLE, button, pressed, modifiers: Modifiers::NONE }
    })
}

/// Returns the `n`-th point on a circle in the view.
fn around(n: usize) -> Pos2 {
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    let angle = n as f32 * 0.1;
    MIDDLE + Vec2::angled(angle) * 120.0
}

/// Times frames, each with the events that `prepare` returns. Measures the CPU time of this thread, so other load on
/// the machine does not count.
fn timed(
    name: &str,
    window: &mut Window<'_>,
    mut prepare: impl FnMut(&App, usize) -> Vec<Event>,
) -> String {
    let mut times: Vec<_> = (0..N_FRAMES)
        .map(|n| {
            let events = prepare(window.app, n);
            let clock = ThreadTime::now();
            window.draw(events);
            clock.elapsed()
        })
        .collect();
    times.sort_unstable();
    let at = |share: usize| millis(times[(N_FRAMES - 1) * share / 100]);
    format!("{name}: median {}, 95th percentile {}, longest {}", at(50), at(95), at(100))
}

fn millis(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

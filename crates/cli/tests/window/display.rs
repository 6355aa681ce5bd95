//! A virtual display, and the editor in a window that fills it.

use std::{
    ffi::OsStr,
    fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Maximum time that anything may take, on a slow machine that draws without a graphics card.
const PATIENCE: Duration = Duration::from_mins(2);
/// Time between two checks of the awaited state.
const PAUSE: Duration = Duration::from_millis(50);
/// Time after which a key or click that changed nothing is repeated.
const TRY_AGAIN: Duration = Duration::from_secs(10);
/// A program that uses no processor time for this long waits for input. A blinking cursor is drawn every half second.
const IDLE: Duration = Duration::from_millis(200);
/// The settings of the window manager: windows fill the screen.
const MANAGER: &str = r#"<openbox_config xmlns="http://openbox.org/3.4/rc">
  <applications>
    <application class="*"><decor>no</decor><maximized>yes</maximized></application>
  </applications>
</openbox_config>
"#;

/// A virtual display with a window manager; both end when it is dropped.
pub(crate) struct Display {
    server: Child,
    manager: Child,
    name: String,
    memory: PathBuf,
    /// Width and height, in pixels.
    size: [usize; 2],
}

impl Display {
    /// Starts a display of this size, which keeps its memory in `folder`.
    pub(crate) fn start(folder: &Path, size: [usize; 2]) -> Self {
        let [width, height] = size;
        let screen = format!("{width}x{height}x24");
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-noreset", "-screen", "0", &screen, "-fbdir"])
            .arg(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts; `.ci/setup test` installs it");
        // The server takes a free number and writes it once it accepts connections.
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        let name = format!(":{}", number.trim().parse::<u32>().expect("Xvfb writes its number"));
        let settings = folder.join("openbox.xml");
        fs::write(&settings, MANAGER).unwrap();
        let manager = Command::new("openbox")
            .arg("--config-file")
            .arg(&settings)
            .env("DISPLAY", &name)
            .stderr(Stdio::null())
            .spawn()
            .expect("openbox starts; `.ci/setup test` installs it");
        Self { server, manager, name, memory: folder.join("Xvfb_screen0"), size }
    }

    /// Runs xdotool with words that contain no spaces.
    pub(crate) fn xdotool(&self, words: &str) -> String {
        self.run_xdotool(words.split(' '))
    }

    fn run_xdotool<'a>(&self, words: impl Iterator<Item = &'a str>) -> String {
        let mut tool = Command::new("xdotool");
        let output = tool.env("DISPLAY", &self.name).args(words).output();
        String::from_utf8(output.expect("xdotool runs").stdout).unwrap().trim().to_owned()
    }

    /// Types a text into the window that has the focus.
    pub(crate) fn type_text(&self, text: &str) {
        self.run_xdotool(["type", "--", text].into_iter());
    }

    /// Returns the title of the window that has the focus.
    pub(crate) fn title(&self) -> String {
        self.xdotool("getactivewindow getwindowname")
    }

    /// Waits until the window that has the focus has this title.
    #[track_caller]
    pub(crate) fn wait_for_title(&self, title: &str) {
        let start = Instant::now();
        loop {
            let shown = self.title();
            if shown == title {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "the title is {shown:?} instead of {title:?}");
            thread::park_timeout(PAUSE);
        }
    }

    /// Returns the colors of the screen, row by row, as red, green and blue.
    pub(crate) fn pixels(&self) -> Vec<[u8; 3]> {
        let dump = fs::read(&self.memory).unwrap();
        let [width, height] = self.size;
        // Four bytes per pixel at the end of the dump: blue, green, red, unused.
        let pixels = dump[dump.len() - width * height * 4..].chunks_exact(4);
        pixels.map(|pixel| [pixel[2], pixel[1], pixel[0]]).collect()
    }

    /// Returns the number of pixels within a few shades of `color`, at most `reach` pixels from `at`.
    pub(crate) fn count(&self, color: [u8; 3], [x, y]: [usize; 2], reach: usize) -> usize {
        let [width, height] = self.size;
        let pixels = self.pixels();
        let is_near = |column: usize, row: usize| {
            let pixel = pixels[row * width + column];
            color.iter().zip(pixel).all(|(a, b)| a.abs_diff(b) < 12)
        };
        let rows = y.saturating_sub(reach)..(y + reach).min(height);
        let columns = x.saturating_sub(reach)..(x + reach).min(width);
        rows.map(|row| columns.clone().filter(|column| is_near(*column, row)).count()).sum()
    }

    pub(crate) fn drag(&self, [x, y]: [usize; 2], [to_x, to_y]: [usize; 2]) {
        self.xdotool(&format!("mousemove {x} {y} sleep 0.3 mousedown 1 sleep 0.2"));
        self.xdotool(&format!("mousemove {to_x} {to_y} sleep 0.3 mouseup 1 sleep 0.2"));
    }

    pub(crate) fn click(&self, [x, y]: [usize; 2]) {
        self.xdotool(&format!("mousemove {x} {y} sleep 0.3 click 1"));
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        end(&mut self.manager);
        end(&mut self.server);
    }
}

/// The editor in its window.
pub(crate) struct Editor<'a> {
    pub(crate) process: Child,
    display: &'a Display,
}

impl<'a> Editor<'a> {
    /// Starts with the preferences in `home`, if there are any, and without a desktop that offers a file dialog.
    pub(crate) fn start(display: &'a Display, home: &Path) -> Self {
        Self::start_with(display, home, &[])
    }

    /// Starts with arguments.
    pub(crate) fn start_with(display: &'a Display, home: &Path, args: &[&OsStr]) -> Self {
        let process = Command::new(env!("CARGO_BIN_EXE_walkable"))
            .args(args)
            .env("DISPLAY", &display.name)
            .env_remove("WAYLAND_DISPLAY")
            .env("XDG_DATA_HOME", home)
            .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
            .env("WINIT_X11_SCALE_FACTOR", "1")
            .spawn()
            .unwrap();
        Self { process, display }
    }

    /// Returns the number of polygons in the window's title, once the bake is done.
    pub(crate) fn n_polygons(&self) -> Option<usize> {
        let title = self.display.title();
        let words: Vec<&str> = title.split(' ').collect();
        let at = words.iter().position(|word| *word == "polygons")?;
        words[at - 1].parse().ok()
    }

    /// Waits until the program waits for input.
    #[track_caller]
    pub(crate) fn wait_until_idle(&self) {
        let mut used = self.processor_time();
        let mut since = Instant::now();
        wait_for("a program that waits for input", || {
            let now = self.processor_time();
            if now != used {
                (used, since) = (now, Instant::now());
            }
            (since.elapsed() > IDLE).then_some(())
        });
    }

    /// Returns the processor time used by the program, in ticks of the system's clock.
    #[track_caller]
    fn processor_time(&self) -> u64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.process.id())).unwrap();
        // The name before may contain spaces.
        let (_, fields) = stat.rsplit_once(')').unwrap();
        let fields: Vec<_> = fields.split_whitespace().collect();
        assert_ne!(fields[0], "Z", "the program has ended");
        fields[11..13].iter().map(|time| time.parse::<u64>().unwrap()).sum()
    }

    pub(crate) fn quit(&mut self) -> ExitStatus {
        let Self { process, display } = self;
        let ask = || drop(display.xdotool("key ctrl+q"));
        act_until("the end of the program", ask, || process.try_wait().unwrap())
    }
}

impl Drop for Editor<'_> {
    fn drop(&mut self) {
        end(&mut self.process);
    }
}

/// Ends a process that may have ended.
pub(crate) fn end(process: &mut Child) {
    process.kill().and_then(|()| process.wait()).ok();
}

#[track_caller]
pub(crate) fn wait_for<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    act_until(what, || (), look)
}

/// Repeats `act` until `look` returns something. A busy display may lose a key or a click; a user would press again,
/// too.
#[track_caller]
pub(crate) fn act_until<T>(
    what: &str,
    mut act: impl FnMut(),
    mut look: impl FnMut() -> Option<T>,
) -> T {
    let start = Instant::now();
    let mut acted = None;
    loop {
        if acted.is_none_or(|at: Instant| at.elapsed() > TRY_AGAIN) {
            act();
            acted = Some(Instant::now());
        }
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "waited {PATIENCE:?} for {what}");
        thread::park_timeout(PAUSE);
    }
}

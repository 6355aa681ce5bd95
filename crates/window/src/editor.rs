//! Opens the editor's window.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use eframe::egui;
use walkable_editor::{
    command::GameCommand,
    habits::{HabitsFile, WindowState},
    jobs::game::ListenRequest,
    session::LevelSource,
};

use crate::{app::App, host::Host};

/// Size of the window on first start, in points.
const SIZE: [f32; 2] = [1440.0, 900.0];

/// Runs the editor on `source`, or on the first sample, until its window is closed. With `games`, it listens for
/// running games from the start. Fails if there is no display or no graphics driver.
pub fn run(source: Option<LevelSource>, games: Option<ListenRequest>) -> anyhow::Result<()> {
    let habits = Host::desktop().folder.map(|folder| HabitsFile::new(&folder).read());
    // The window reports what is wrong with the file.
    let window = habits.and_then(|read| read.ok().flatten()).and_then(|habits| habits.window);
    let window = window.unwrap_or(WindowState { size: SIZE, is_maximized: false });
    run_app(window, |cc| {
        let mut app = App::new(cc, source);
        if let Some(request) = games {
            app.trigger(GameCommand::Connect.into());
            app.trigger(GameCommand::Listen(request).into());
        }
        Box::new(app)
    })
}

pub fn run_app(
    window: WindowState,
    make: impl FnOnce(&eframe::CreationContext<'_>) -> Box<dyn eframe::App> + 'static,
) -> anyhow::Result<()> {
    if !has_display() {
        bail!(
            "there is no display to open a window on; without one, use `walkable bake LEVEL -o \
             OUT.bin`, or start a virtual one: `xvfb-run -a walkable`"
        );
    }
    let viewport = egui::ViewportBuilder::default()
        .with_app_id("walkable")
        .with_title("Walkable")
        .with_inner_size(window.size)
        .with_maximized(window.is_maximized)
        .with_min_inner_size([960.0, 600.0])
        .with_drag_and_drop(true);
    let options = eframe::NativeOptions {
        viewport,
        // No file: the window library would open it wherever it leads, and use any numbers in it.
        persistence_path: Some(PathBuf::new()),
        persist_window: false,
        ..eframe::NativeOptions::default()
    };
    guarded(|| eframe::run_native("walkable", options, Box::new(|cc| Ok(make(cc)))))
}

/// Runs the window. The window library panics if the X server ends while a frame is drawn; the work that was autosaved is
/// then offered at the next start, as after any panic.
fn guarded(run: impl FnOnce() -> eframe::Result) -> anyhow::Result<()> {
    let Ok(done) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)) else {
        bail!(
            "the window has ended: its display is gone, or the message above tells of an internal error; the next \
             start offers the unsaved work"
        );
    };
    done.map_err(|error| anyhow::anyhow!("{error}")).context(
        "cannot open the window; it needs a Vulkan or OpenGL driver (without a graphics card: \
         Debian's mesa-vulkan-drivers) and the X11 or Wayland client libraries",
    )
}

fn has_display() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(all(unix, not(target_os = "macos"))) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_that_panics_ends_with_an_error() {
        assert!(guarded(|| Ok(())).is_ok());
        let error = guarded(|| panic!("the display is gone")).unwrap_err();
        assert!(error.to_string().contains("the next start offers the unsaved work"), "{error}");
        let error = guarded(|| Err(eframe::Error::AppCreation("no driver".into()))).unwrap_err();
        assert!(
            format!("{error:#}").ends_with("client libraries: app creation error: no driver"),
            "{error:#}"
        );
    }
}

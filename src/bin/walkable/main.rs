//! Walkable: the editor and its commands.

#![expect(unreachable_pub, reason = "these modules become crates of their own")]

mod cli;
#[cfg_attr(
    not(feature = "gui"),
    expect(dead_code, unused_imports, reason = "the command line reads what it needs")
)]
mod document;
mod files;
mod jobs;
#[cfg_attr(
    not(feature = "gui"),
    expect(dead_code, reason = "the command line reads what it needs")
)]
mod layered;
mod level_files;
mod path_text;
#[cfg_attr(
    all(not(feature = "gui"), not(test)),
    expect(dead_code, reason = "the command line reads what it needs")
)]
mod project;
mod report;
mod scene_files;
#[cfg(feature = "gui")]
mod search_pictures;
mod searches;
mod watched;

#[cfg(feature = "gui")]
mod answer;
#[cfg(feature = "gui")]
mod app;
#[cfg(feature = "gui")]
mod coloring;
#[cfg(feature = "gui")]
mod command;
#[cfg(feature = "gui")]
mod destination;
#[cfg(feature = "gui")]
mod dispatch;
#[cfg(feature = "gui")]
mod editor;
#[cfg(feature = "test-gui")]
mod frame_bench;
#[cfg(feature = "gui")]
mod labels;
#[cfg(feature = "gui")]
mod notices;
#[cfg(feature = "gui")]
mod panels;
#[cfg(feature = "gui")]
mod pick;
#[cfg(feature = "gui")]
mod pictures;
#[cfg(feature = "gui")]
mod png;
#[cfg(feature = "gui")]
mod prefs;
#[cfg(feature = "gui")]
mod presets;
#[cfg(feature = "gui")]
mod screenshots;
#[cfg(feature = "gui")]
mod session;
#[cfg(feature = "gui")]
mod shot;
#[cfg(feature = "gui")]
mod theme;
#[cfg(feature = "gui")]
mod tools;
#[cfg(feature = "gui")]
mod viewport;
#[cfg(feature = "gui")]
mod widgets;

fn main() -> std::process::ExitCode {
    cli::main()
}

//! Runs the program as a person runs it.

use std::{
    path::Path,
    process::{Child, Command, Output, Stdio},
};

use serde_json::Value;

/// The outcome of a run of the program.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Parses what a command printed.
#[track_caller]
pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Runs `walkable` with `args` in `folder`, without a display.
#[track_caller]
pub(crate) fn run_in(folder: &Path, args: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_walkable"))
        .args(args)
        .current_dir(folder)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    Run::new(output)
}

/// Like [`run_in`], but ends a program that hangs: its code is then 124.
#[cfg(unix)]
#[track_caller]
pub(crate) fn run_at_most(seconds: u32, folder: &Path, args: &[&str]) -> Run {
    let mut command = Command::new("timeout");
    command.arg(seconds.to_string()).arg(env!("CARGO_BIN_EXE_walkable")).args(args);
    Run::new(command.current_dir(folder).stdin(Stdio::null()).output().unwrap())
}

/// Runs `walkable` with `args` in `folder`, and sends the signal of Ctrl-C once `is_ready` returns true.
#[cfg(unix)]
#[track_caller]
pub(crate) fn run_interrupted(
    folder: &Path,
    args: &[&str],
    mut is_ready: impl FnMut(&Child) -> bool,
) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_walkable"));
    command.args(args).current_dir(folder).stdin(Stdio::null());
    let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !is_ready(&process) && process.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let id = process.id().to_string();
    assert!(Command::new("kill").args(["-INT", &*id]).status().unwrap().success());
    Run::new(process.wait_with_output().unwrap())
}

/// Returns whether `process` handles the signal of Ctrl-C.
#[cfg(target_os = "linux")]
pub(crate) fn handles_ctrl_c(process: &Child) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    // In hexadecimal; the signal has number 2.
    u64::from_str_radix(mask.trim(), 16).unwrap() & 2 != 0
}

impl Run {
    fn new(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    #[track_caller]
    pub(crate) fn succeeded(self) -> String {
        assert_eq!(self.code, 0, "{}{}", self.stdout, self.stderr);
        self.stdout
    }

    /// Checks that it ended with `code` and printed `words` on the standard error.
    #[track_caller]
    pub(crate) fn failed(self, code: i32, words: &[&str]) {
        assert_eq!(self.code, code, "{}{}", self.stdout, self.stderr);
        for word in words {
            assert!(self.stderr.contains(word), "no {word:?} in {}", self.stderr);
        }
        assert_eq!(self.stdout, "", "results of a failure");
    }
}

//! What the commands say about levels, settings and bakes: codes, reports, and what `--strict` refuses.

#![cfg(feature = "cli")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Stdio};

use tempfile::TempDir;

/// What a run of the program left behind.
struct Run {
    code: i32,
    stdout: String,
    stderr: String,
}

#[track_caller]
fn run(folder: &TempDir, args: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_walkable"))
        .args(args)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    Run {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Run {
    /// Checks the exit code; the standard output.
    #[track_caller]
    fn ended(&self, code: i32) -> &str {
        assert_eq!(self.code, code, "{}{}", self.stdout, self.stderr);
        &self.stdout
    }

    /// Checks that all of `words` stand on the standard error.
    #[track_caller]
    fn said(&self, words: &[&str]) {
        for word in words {
            assert!(self.stderr.contains(word), "no {word:?} in {}", self.stderr);
        }
    }
}

fn folder() -> TempDir {
    TempDir::new().unwrap()
}

#[test]
fn codes_are_listed_and_explained() {
    let folder = folder();
    let all = run(&folder, &["explain"]);
    assert!(
        all.ended(0).lines().any(|line| line.contains("link-start-off-mesh")),
        "{}",
        all.stdout
    );
    let page = run(&folder, &["explain", "link-start-off-mesh"]);
    for words in ["link-start-off-mesh (warning)", "Cause:", "Remedy:", "{radius}  m"] {
        assert!(page.ended(0).contains(words), "no {words:?} in {}", page.stdout);
    }
    let refused = run(&folder, &["explain", "start-off"]);
    refused.ended(2);
    refused.said(&["there is no code `start-off`", "link-start-off-mesh"]);
}

//! The investigations of `docs/guide.md`: each repro file still shows the problem that the guide explains, and the fix works.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::run::run_in;

struct Investigation {
    /// Name of the repro file.
    name: &'static str,
    /// A part of the answer in the guide.
    answer: &'static str,
    /// The fix in the guide, as options.
    fix: &'static [&'static str],
    /// Start and end of the path.
    ends: [&'static str; 2],
}

const INVESTIGATIONS: [Investigation; 3] = [
    Investigation {
        name: "stair",
        answer: "a step of 0.9 m is higher than the climb of 0.8 m",
        fix: &["--set", "cell_height=0.1"],
        ends: ["3,0,5", "13,1.6,5"],
    },
    Investigation {
        name: "door",
        answer: "a passage of 1 m is narrower than 1.2 m, twice the radius",
        fix: &["--set", "agent_radius=0.3", "--set", "cell_size=0.15"],
        ends: ["4,0,5", "12,0,5"],
    },
    Investigation {
        name: "jump",
        answer: "it lies 2 tiles from the start",
        fix: &["--set", "tile_size=32"],
        ends: ["2,0,5", "14,2.4,5"],
    },
];

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

#[test]
fn the_problems_in_the_guide_are_still_there() {
    let guide = std::fs::read_to_string(docs().join("guide.md")).unwrap();
    for Investigation { name, answer, .. } in INVESTIGATIONS {
        let file = format!("investigations/{name}.repro");
        let text = run_in(&docs(), &["repro", "run", &file]).succeeded();
        let line = text.lines().next().unwrap_or_default();
        assert!(line.contains(answer), "{name}: {text}");
        assert!(guide.contains(line), "{name}: the guide does not show {line:?}");
    }
}

#[test]
fn the_fixes_in_the_guide_work() {
    for Investigation { name, fix, ends: [start, end], .. } in INVESTIGATIONS {
        let file = format!("investigations/{name}.repro");
        let folder = TempDir::new().unwrap();
        let tiles = folder.path().join("fixed.bin");
        let tiles = tiles.to_str().unwrap();
        run_in(&docs(), &[&["bake", &file, "-o", tiles], fix].concat()).succeeded();
        let path = ["path", tiles, "--from", start, "--to", end, "--json"];
        let path = run_in(&docs(), &path).succeeded();
        assert!(path.contains("\"status\":\"complete\""), "{name}: {path}");
    }
}

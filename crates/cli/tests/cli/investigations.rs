//! The investigations of `docs/guide.md`: each repro file still shows the problem that the guide explains, and the fix works.

use std::path::Path;

use crate::run::run_in;

/// The name of the file, a part of the answer in the guide, and the fix.
const CASES: [(&str, &str, &str); 3] = [
    ("stair", "a step of 0.9 m is higher than the climb of 0.8 m", "cell_height=0.1"),
    ("door", "a passage of 1 m is narrower than 1.2 m, twice the radius", "agent_radius=0.3"),
    ("jump", "it lies 2 tiles from the start", "tile_size=32"),
];

#[test]
fn the_problems_in_the_guide_are_still_there() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let guide = std::fs::read_to_string(docs.join("guide.md")).unwrap();
    for (name, answer, _) in CASES {
        let file = format!("investigations/{name}.repro");
        let text = run_in(&docs, &["repro", "run", &file]).succeeded();
        let line = text.lines().next().unwrap_or_default();
        assert!(line.contains(answer), "{name}: {text}");
        assert!(guide.contains(line), "{name}: the guide does not show {line:?}");
    }
}

#[test]
fn the_fixes_in_the_guide_work() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for (name, _, fix) in CASES {
        let file = format!("investigations/{name}.repro");
        let finer = if name == "door" { "cell_size=0.15" } else { fix };
        let args = ["bake", &file, "--set", fix, "--set", finer, "-o"];
        let folder = tempfile::TempDir::new().unwrap();
        let tiles = folder.path().join("fixed.bin");
        let tiles = tiles.to_str().unwrap();
        run_in(&docs, &[&args[..], &[tiles]].concat()).succeeded();
        let ends = match name {
            "stair" => ["3,0,5", "13,1.6,5"],
            "door" => ["4,0,5", "12,0,5"],
            _ => ["2,0,5", "14,2.4,5"],
        };
        let path = ["path", tiles, "--from", ends[0], "--to", ends[1], "--json"];
        let path = run_in(&docs, &path).succeeded();
        assert!(path.contains("\"status\":\"complete\""), "{name}: {path}");
    }
}

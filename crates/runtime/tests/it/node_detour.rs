//! Our files in another program: the C++ Detour as WebAssembly, run by Node, loads what we export and
//! finds the same corridors; and we load what it exports.
//!
//! Needs `node` and `npm`, and the registry the first time. Where they are missing the test says so; under
//! `.ci/test`, which installs them, it fails.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use glam::Vec3;
use serde_json::Value;
use walkable::{
    navmesh::NavMesh,
    query::{Filter, PathRequest, Scratch, find_path},
};

/// Runs a program in a folder; `None` where there is no such program.
fn run(folder: &Path, program: &str, args: &[&str]) -> Option<()> {
    let output = Command::new(program).args(args).current_dir(folder).output();
    if output.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
        return None;
    }
    let output = output.unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {args:?}: {said}");
    Some(())
}

/// A folder with the program and the packages it needs, the versions of the lock file; `None` where Node
/// is missing.
fn peer() -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("node");
    fs::create_dir_all(&folder).unwrap();
    run(&folder, "node", &["--version"])?;
    let lock = fs::read(source.join("package-lock.json")).unwrap();
    let installed = folder.join("node_modules/.walkable-lock");
    if fs::read(&installed).ok().as_ref() != Some(&lock) {
        for file in ["package.json", "package-lock.json"] {
            fs::copy(source.join(file), folder.join(file)).unwrap();
        }
        run(&folder, "npm", &["ci", "--no-audit", "--no-fund", "--ignore-scripts"])?;
        fs::write(installed, lock).unwrap();
    }
    fs::copy(source.join("peer.mjs"), folder.join("peer.mjs")).unwrap();
    Some(folder)
}

/// A question line of a case, as numbers.
fn numbers(line: &str) -> Vec<f32> {
    line.split(' ').map(|number| number.parse().unwrap()).collect()
}

/// What we answer, in the form of the program.
fn answer(mesh: &NavMesh, line: &str, scratch: &mut Scratch) -> Value {
    let [start, end] = [0, 3].map(|at| Vec3::from_slice(&numbers(line)[at..]));
    let path = find_path(mesh, &PathRequest::new(start, end, &Filter::default()), scratch);
    let [start, end] = [path.start, path.end].map(|end| end.map_or(0, |end| end.poly.0.get()));
    serde_json::json!({ "start": start, "end": end, "corridor": path.corridor })
}

#[test]
fn detour_in_node_finds_the_same_corridors() {
    let Some(folder) = peer() else {
        let missing =
            "node and npm are missing (Debian: nodejs, npm): our files were not loaded by Detour";
        assert!(std::env::var_os("WALKABLE_CI").is_none(), "{missing}");
        eprintln!("NOT RUN: {missing}");
        return;
    };
    let work = tempfile::tempdir_in(&folder).unwrap();
    let file = |name: &str, ending: &str| work.path().join(format!("{name}.{ending}"));
    let cases = walkable_test_support::cases();
    for (name, case) in &cases {
        let mesh = NavMesh::from_bytes(&fs::read(case.join("navmesh.bin")).unwrap()).unwrap();
        fs::write(file(name, "bin"), mesh.to_bytes()).unwrap();
        fs::copy(case.join("queries.txt"), file(name, "txt")).unwrap();
    }
    run(&folder, "node", &["peer.mjs", work.path().to_str().unwrap()]).unwrap();

    let (mut scratch, mut n_corridors) = (Scratch::default(), 0);
    for name in cases.keys() {
        let read = |ending: &str| fs::read(file(name, ending)).unwrap();
        let ours = NavMesh::from_bytes(&read("bin")).unwrap();
        let theirs = NavMesh::from_bytes(&read("out")).unwrap();
        assert!(ours.to_bytes() == theirs.to_bytes(), "{name}: it exports another mesh");
        let [questions, answers] =
            ["txt", "jsonl"].map(|ending| String::from_utf8(read(ending)).unwrap());
        assert_eq!(questions.lines().count(), answers.lines().count(), "{name}");
        for (index, (question, theirs_say)) in questions.lines().zip(answers.lines()).enumerate() {
            let expected: Value = serde_json::from_str(theirs_say).unwrap();
            n_corridors += usize::from(expected["corridor"] != serde_json::json!([]));
            for mesh in [&ours, &theirs] {
                let found = answer(mesh, question, &mut scratch);
                assert_eq!(found, expected, "{name}, line {}", index + 1);
            }
        }
    }
    assert!(n_corridors > 100, "only {n_corridors} corridors");
}

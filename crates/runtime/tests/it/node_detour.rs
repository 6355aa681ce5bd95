//! Exchanges files with another program: the C++ Detour as WebAssembly, run by Node, loads exported files and finds the
//! same corridors, and its exports are loaded here.
//!
//! Needs `node` and `npm`, and the first time the registry. If they are missing, the test reports it; under `.ci/test`,
//! which installs them, it fails.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use glam::Vec3;
use serde_json::Value;
use walkable::{
    bake::{BakeConfig, BakePlan, LayerCut},
    monitor::Unmonitored,
    navmesh::{NavMesh, Tile},
    query::{Filter, PathRequest, Scratch, find_path},
    tile_cache::TileCache,
};

/// Runs a program in a folder; `None` if the program does not exist.
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

/// Returns a folder with the program and the packages it needs, in the versions of the lock file; `None` if Node is
/// missing.
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

/// Parses the numbers of a line of queries.
fn numbers(line: &str) -> Vec<f32> {
    line.split(' ').map(|number| number.parse().unwrap()).collect()
}

/// Returns the result of this library, in the format of the program.
fn answer(mesh: &NavMesh, line: &str, scratch: &mut Scratch) -> Value {
    let [start, end] = [0, 3].map(|at| Vec3::from_slice(&numbers(line)[at..]));
    let path = find_path(mesh, &PathRequest::new(start, end, &Filter::default()), scratch).unwrap();
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

/// Returns the folders of levels with tile cache layers.
fn cached_levels() -> Vec<PathBuf> {
    let roots = walkable_test_support::reference_roots();
    let folders = roots.iter().filter_map(|root| fs::read_dir(root.join("tilecache")).ok());
    let mut folders: Vec<_> = folders.flatten().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders.dedup_by_key(|folder| folder.file_name().unwrap().to_owned());
    folders
}

/// Returns the layers for the settings and the level in a case's folder, as a file.
fn baked_layers(folder: &Path) -> Vec<u8> {
    let text = fs::read_to_string(folder.join("settings.cfg")).unwrap();
    let settings: Vec<_> = text.lines().filter(|line| !line.starts_with("obstacle ")).collect();
    let config = BakeConfig::parse(&settings.join("\n")).unwrap();
    let name = folder.file_name().unwrap().to_str().unwrap();
    let mesh = walkable_test_support::reference_mesh(
        &folder.join("../../levels").join(format!("{name}.obj")),
    );
    let plan = BakePlan::new(config.with_mesh(Arc::new(mesh))).unwrap();
    TileCache::bake(&plan, LayerCut::Sweep, &Unmonitored).unwrap().cache.to_bytes()
}

#[test]
fn detour_in_node_builds_the_same_navmesh_of_layers() {
    let Some(folder) = peer() else {
        assert!(std::env::var_os("WALKABLE_CI").is_none(), "node and npm are missing");
        eprintln!("NOT RUN: node and npm are missing: our layers were not loaded by Detour");
        return;
    };
    let work = tempfile::tempdir_in(&folder).unwrap();
    let levels = cached_levels();
    assert!(!levels.is_empty(), "no reference cases found");
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for level in &levels {
        let name = level.file_name().unwrap().to_str().unwrap().to_owned();
        let bytes = baked_layers(level);
        // The layers in files of other programs may have any order.
        files.push((format!("{name}-backwards"), backwards(&bytes)));
        files.push((name, bytes));
    }
    for (name, bytes) in &files {
        fs::write(work.path().join(format!("{name}.tset")), bytes).unwrap();
    }
    run(&folder, "node", &["peer.mjs", work.path().to_str().unwrap()]).unwrap();
    let mut n_upper_layers = 0;
    for (name, bytes) in &files {
        let theirs = fs::read(work.path().join(format!("{name}.out"))).unwrap();
        let theirs = NavMesh::from_bytes(&theirs).unwrap();
        let ours = TileCache::from_bytes(bytes).unwrap().loaded_nav_mesh(&Unmonitored).unwrap();
        let place = |(slot, tile): (usize, &Arc<Tile>)| {
            (slot, [tile.header.x, tile.header.z, tile.header.layer])
        };
        let places = |mesh: &NavMesh| mesh.slots().map(place).collect::<Vec<_>>();
        assert_eq!(places(&ours), places(&theirs), "{name}: tiles have other slots");
        assert!(ours.to_bytes() == theirs.to_bytes(), "{name}: another navmesh");
        n_upper_layers += ours.tiles().filter(|tile| tile.header.layer > 0).count();
    }
    assert!(n_upper_layers > 10, "only {n_upper_layers} layers above others");
}

/// Reverses the order of the layers in a file.
fn backwards(file: &[u8]) -> Vec<u8> {
    const HEADER: usize = 92;
    let (mut bytes, mut layers, mut at) = (file[..HEADER].to_vec(), Vec::new(), HEADER);
    while at < file.len() {
        let size = u32::from_le_bytes(file[at + 4..at + 8].try_into().unwrap());
        let end = at + 8 + usize::try_from(size).unwrap();
        layers.push(&file[at..end]);
        at = end;
    }
    layers.iter().rev().for_each(|layer| bytes.extend_from_slice(layer));
    bytes
}

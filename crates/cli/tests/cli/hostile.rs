//! Files of strangers: what the program prints of them, and of files that they name.

use std::{fs, path::Path};

use base64::Engine as _;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::run::{Run, run_in};

/// A name that writes the clipboard, moves the cursor, changes the order of the text, and adds a line.
const EVIL: &str = "a\u{1b}]52;c;aGk=\u{7}\u{9b}2J\u{7f}\u{202e}\u{2066}\u{2028}\r\nforged";
/// The same for formats whose lines a line break would end.
const EVIL_WORD: &str = "a\u{1b}]52;c;aGk\u{7}\u{9b}2J\u{7f}\u{202e}\u{2066}z";

const FLOOR: &str = "v 0 0 0\nv 0 0 10\nv 10 0 10\nv 10 0 0\nf 1 2 3 4\n";

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).unwrap();
}

/// Returns a project whose parts have the evil name.
fn project(level: &str) -> String {
    let at = |x: f32| json!([x, 0.0, 5.0]);
    let cylinder = json!({ "cylinder": { "base": at(5.0), "radius": 1.0, "height": 2.0 } });
    let rule =
        |source: &str, name: &str| json!({ "source": source, "name": name, "becomes": "left_out" });
    let case = |end: f32| json!({ "name": EVIL, "start": at(1.0), "end": at(end), "agent": EVIL, "expects": [{ "length": { "value": 1.0, "tolerance": 0.0 } }] });
    json!({
        "walkable_project": 6,
        "level": { "file": level },
        "document": {
            "agents": { "list": [{ "name": EVIL, "settings": {} }], "chosen": 0 },
            "areas": { "areas": { "6": { "name": EVIL, "cost": 2.0, "entering_cost": 0.0, "flags": 1 } } },
            "volumes": [{ "name": EVIL, "area": 1, "shape": cylinder }],
            "surfaces": [rule("material", EVIL), rule("object", "*nothing*")],
            "path_tests": [case(9.0), case(90.0)],
        },
    })
    .to_string()
}

/// Checks that no character of what was printed is a command to a terminal, and that names were printed at all.
#[track_caller]
fn check_printed(args: &[&str], run: &Run) {
    let all = format!("{}{}", run.stdout, run.stderr);
    let is_raw = |c: char| {
        c.is_control() && c != '\n' && c != '\t'
            || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    assert!(!all.contains(is_raw), "{args:?}: {all:?}");
    assert!(!all.lines().any(|line| line.starts_with("forged")), "{args:?}: {all}");
    assert!(!all.contains("panicked"), "{args:?}: {all}");
    if args.contains(&"--json") && run.code == 0 {
        let whole: Result<Value, _> = serde_json::from_str(&run.stdout);
        whole.unwrap_or_else(|error| panic!("{args:?}: {error}: {}", run.stdout));
    }
    // As the escape of JSON or, in errors about JSON, of Rust. The parser of arguments removes some of the characters.
    let is_named = ["\\u009b", "\\u{9b}"].iter().any(|escape| all.contains(escape));
    assert!(is_named, "{args:?} prints no name: {all}");
}

#[expect(clippy::too_many_lines, reason = "a table of files and commands")]
#[test]
fn no_name_in_a_file_is_a_command_to_the_terminal() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    write(path, "evil.obj", &format!("o {EVIL_WORD}\nusemtl {EVIL_WORD}\n{FLOOR}"));
    write(path, "number.obj", &format!("v 0 {EVIL_WORD} 0\n"));
    write(path, "floor.obj", FLOOR);
    write(path, "evil.walkable", &project("evil.obj"));
    write(path, "lost.walkable", &project(EVIL));
    write(path, "nested.walkable", &project(&format!("{EVIL}.walkable")));
    write(path, "evil.gset", &format!("f {EVIL_WORD}.obj\n"));
    write(path, "evil.cfg", &format!("{EVIL_WORD}=1\n"));
    write(path, "value.cfg", &format!("tile_size={EVIL_WORD}\n"));
    write(path, "rules.cfg", &format!("leave_out_material={EVIL_WORD}\n"));
    let suite = |more: &str| {
        format!(
            "walkable_suite 1\nlevel floor.obj\n{more}\npath {EVIL_WORD}\nstart 1 0 5\nend 9 0 5\nlength 1 0\n"
        )
    };
    write(path, "evil.suite", &suite(""));
    write(path, "settings.suite", &suite(&format!("settings {EVIL_WORD}.cfg")));
    write(path, "word.suite", &suite(EVIL_WORD));
    write(path, "evil.ply", &format!("ply\nformat ascii 1.0\nelement {EVIL_WORD} 1\nend_header\n"));
    write(path, "evil.gltf", &json!({ "asset": { "version": EVIL } }).to_string());
    let floor = [[0.0f32, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 0.0, 9.0]];
    let bytes: Vec<u8> = floor.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
    let data = base64::engine::general_purpose::STANDARD.encode(bytes);
    let gltf = json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": 36, "uri": format!("data:application/octet-stream;base64,{data}") }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [9, 0, 9] }],
        "materials": [{ "name": EVIL }],
        "meshes": [{ "name": EVIL, "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0 }] }],
        "nodes": [{ "name": EVIL, "mesh": 0 }],
        "scenes": [{ "nodes": [0] }],
        "scene": 0,
    });
    write(path, "names.gltf", &gltf.to_string());
    write(
        path,
        "evil.stl",
        &format!("solid x\nfacet normal 0 0 1\nouter loop\nvertex {EVIL_WORD}\n"),
    );
    write(path, "evil.map", &format!("type octile\nheight 1\nwidth {EVIL_WORD}\nmap\n.\n"));
    write(path, "evil.repro", &json!({ "walkable_repro": EVIL }).to_string());
    write(path, "evil.scene", &format!("{EVIL_WORD} 1\n"));
    for args in [
        &["bake", "floor.obj", "-o", "floor.bin"][..],
        &["bake", "evil.walkable", "-o", "evil.bin"],
    ] {
        assert_eq!(run_in(path, args).code, 0, "{args:?}");
    }
    for args in [
        &["info", "evil.obj"][..],
        &["info", "evil.obj", "--json"],
        &["info", "number.obj"],
        &["info", "names.gltf"],
        &["info", "names.gltf", "--json"],
        &["info", "evil.ply"],
        &["info", "evil.gltf"],
        &["info", "evil.stl"],
        &["info", "lost.walkable"],
        &["info", "nested.walkable"],
        &["info", "evil.gset"],
        &["bake", "evil.walkable", "-o", "out.bin"],
        &["bake", "floor.obj", "-o", "out.bin", "--settings", "evil.cfg"],
        &["bake", "floor.obj", "-o", "out.bin", "--settings", "value.cfg"],
        &["bake", "floor.obj", "-o", "out.bin", "--settings", "evil.walkable"],
        &["bake", "floor.obj", "-o", "out.bin", "--set", EVIL_WORD],
        &["bake", "evil.walkable", "-o", "out.bin", "--agent", EVIL],
        &["watch", "evil.walkable", "-o", "out.bin"],
        &["export", "evil.walkable", "--format", EVIL_WORD, "-o", "out.json"],
        &["test", "evil.walkable"],
        &["test", "evil.walkable", "--json"],
        &["test", "evil.suite"],
        &["test", "evil.suite", "--json"],
        &["test", "settings.suite"],
        &["test", "word.suite"],
        &["check", "evil.walkable"],
        &["check", "evil.walkable", "--json"],
        &["why", "lost.walkable", "--at", "5,0,5"],
        &["diff", "evil.walkable", "floor.obj"],
        &["diff", "evil.walkable", "floor.obj", "--json"],
        &["sweep", "lost.walkable", "--vary", "agent_radius=0.3,0.4"],
        &["soak", "lost.walkable"],
        &["search", "evil.map", "--from", "0,0", "--to", "0,0"],
        &["repro", "run", "evil.repro"],
        &["repro", "save", "lost.walkable", "--at", "1,0,1", "-o", "out.repro"],
        &["crowd", "floor.bin", "--scene", "evil.scene"],
        &["explain", EVIL],
        &["generate", "town", "--seed", EVIL_WORD, "-o", "out.obj"],
        &[EVIL_WORD, EVIL_WORD],
    ] {
        check_printed(args, &run_in(path, args));
    }
}

#[cfg(unix)]
#[test]
fn no_name_of_a_file_is_a_command_to_the_terminal() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let [level, settings, navmesh, missing] =
        ["obj", "cfg", "bin", "glb"].map(|ending| format!("{EVIL}.{ending}"));
    write(path, &level, FLOOR);
    write(path, &settings, "tile_size=32\n");
    for args in [
        &["bake", &level, "-o", &navmesh, "--settings", &settings][..],
        &["info", &missing],
        &["bake", &missing, "-o", &navmesh],
        &["check", &navmesh],
        &["check", &navmesh, "--json"],
        &["export", &navmesh, "-o", &format!("{EVIL}.json")],
        &[
            "repro",
            "save",
            &level,
            "--from",
            "1,0,1",
            "--to",
            "9,0,9",
            "-o",
            &format!("{EVIL}.repro"),
        ],
        &["farm", "slurm", &level, "-o", EVIL],
        &["man", "-o", EVIL],
        &["generate", "maze", "-o", &format!("{EVIL}.2.obj")],
        &["diff", &level, &navmesh],
        &["test", &level, &settings],
        &["merge", &navmesh, "-o", "merged.bin"],
    ] {
        check_printed(args, &run_in(path, args));
    }
}

/// Runs `args` in a folder with a file that names `secret`, which nobody may quote.
fn check_not_quoted(secret: &str, text: &str, naming: (&str, &str), args: &[&str]) {
    let root = TempDir::new().unwrap();
    let folder = root.path().join("given");
    fs::create_dir(&folder).unwrap();
    let (name, naming) = naming;
    for is_inside in [false, true] {
        let place = if is_inside { &folder } else { root.path() };
        write(place, secret, text);
        let named = if is_inside { secret.to_owned() } else { format!("../{secret}") };
        write(&folder, name, &naming.replace("SECRET", &named));
        let run = run_in(&folder, args);
        let said = format!("{}{}", run.stdout, run.stderr);
        assert_ne!(run.code, 0, "{args:?}: {said}");
        assert_eq!(said.contains("hunter2"), is_inside, "{args:?}: {said}");
        assert!(is_inside || said.contains("open it directly"), "{args:?}: {said}");
    }
}

#[test]
fn errors_quote_no_file_that_another_file_names_outside_its_folder() {
    let suite =
        "walkable_suite 1\nlevel builtin:sample\nsettings SECRET\npath\nstart 0 0 0\nend 1 0 0\n";
    check_not_quoted("passwords", "root:hunter2\n", ("a.suite", suite), &["test", "a.suite"]);
    let suite = "walkable_suite 1\nlevel SECRET\npath\nstart 0 0 0\nend 1 0 0\n";
    let obj = "v 0 hunter2 0\n";
    check_not_quoted("level.obj", obj, ("a.suite", suite), &["test", "a.suite"]);
    let nested = json!({ "walkable_project": "hunter2" }).to_string();
    check_not_quoted("a.walkable", &nested, ("a.suite", suite), &["test", "a.suite"]);
    check_not_quoted(
        "a.obj",
        obj,
        ("a.txt", "s Tiles\nf SECRET\npf 0 0 0 1 0 0 0x1 0x0\n"),
        &["test", "a.txt"],
    );
    check_not_quoted("a.obj", obj, ("a.gset", "f SECRET\n"), &["info", "a.gset"]);
    let project = json!({ "walkable_project": 6, "level": { "file": "SECRET" }, "document": {} });
    for command in [&["info", "a.walkable"][..], &["bake", "a.walkable", "-o", "a.bin"]] {
        check_not_quoted("a.obj", obj, ("a.walkable", &project.to_string()), command);
    }
    let gltf = json!({ "asset": { "version": "hunter2" } }).to_string();
    check_not_quoted(
        "a.gltf",
        &gltf,
        ("a.walkable", &project.to_string()),
        &["info", "a.walkable"],
    );
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_folder_is_not_quoted() {
    let root = TempDir::new().unwrap();
    let folder = root.path().join("given");
    fs::create_dir(&folder).unwrap();
    write(root.path(), "secret", "root:hunter2\n");
    write(
        &folder,
        "a.suite",
        "walkable_suite 1\nlevel builtin:sample\nsettings a.cfg\npath\nstart 0 0 0\nend 1 0 0\n",
    );
    write(&folder, "a.map.scen", "version 1\n");
    for (link, args) in
        [("a.cfg", &["test", "a.suite"][..]), ("a.map", &["bench-scen", "a.map.scen"])]
    {
        std::os::unix::fs::symlink("../secret", folder.join(link)).unwrap();
        let run = run_in(&folder, args);
        assert!(run.code != 0 && !run.stderr.contains("hunter2"), "{}", run.stderr);
        assert!(run.stderr.contains("open it directly"), "{}", run.stderr);
    }
}

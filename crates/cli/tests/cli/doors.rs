//! Inputs and outputs of the commands: paths that are not regular files, files that are too large, outputs that would
//! overwrite their inputs, arbitrary bytes on the standard input. Each case ends quickly with a message and leaves all
//! files unchanged.

use std::{
    fs::{self, File},
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// Maximum time until a command must have ended, on a busy machine.
const SOON: Duration = Duration::from_mins(1);

const SQUARE: &str = "v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nf 1 2 3 4\n";

/// A triangle whose corners are in `level.buf`.
const GLTF: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"buffers":[{"uri":"level.buf","byteLength":36}],
    "bufferViews":[{"buffer":0,"byteLength":36}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[9,0,9]}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}]}"#;

/// Prepares a run of the program with `args` in `folder`, limited to 2 GB of address space.
fn walkable(folder: &Path, args: &[&str]) -> Command {
    let program = env!("CARGO_BIN_EXE_walkable");
    let mut command = if cfg!(target_os = "linux") {
        let mut shell = Command::new("sh");
        shell.args(["-c", "ulimit -v 2000000; exec \"$0\" \"$@\"", program]);
        shell
    } else {
        Command::new(program)
    };
    command.args(args).current_dir(folder).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Waits for `child` to end, but not forever.
fn ended(mut child: Child, what: &str) -> Output {
    let deadline = Instant::now() + SOON;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("{what} does not end");
        }
        thread::yield_now();
    }
    child.wait_with_output().unwrap()
}

/// Runs `args` in `folder`, and checks that it ends with `code` and with `words` on the standard error.
#[track_caller]
fn fails(folder: &Path, args: &[&str], code: i32, words: &[&str]) {
    let output = ended(walkable(folder, args).spawn().unwrap(), &args.join(" "));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {}: {said}", output.status);
    for word in words {
        assert!(said.contains(word), "{args:?}: no {word:?} in {said}");
    }
}

#[track_caller]
fn succeeds(folder: &Path, args: &[&str]) {
    let output = ended(walkable(folder, args).spawn().unwrap(), &args.join(" "));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {said}");
}

/// Returns the names and contents of all files in `folder`, sorted by name.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
    let mut all: Vec<_> = files
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect();
    all.sort();
    all
}

/// Returns a folder with a square level, and a project, a scene, settings and a baked navmesh for it.
fn yard() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("yard.obj", SQUARE);
    write("yard.cfg", "agent_radius=0.3\n");
    write("yard.gset", "f yard.obj\n");
    write("yard.walkable", &project_of("yard.obj"));
    succeeds(folder.path(), &["bake", "yard.obj", "-o", "yard.bin"]);
    folder
}

fn project_of(level: &str) -> String {
    format!(r#"{{"walkable_project":3,"level":{{"file":"{level}"}},"document":{{}}}}"#)
}

/// Returns the arguments of all commands that read a file called `name`.
fn readers(name: &str) -> Vec<Vec<&str>> {
    let mut all = vec![
        vec!["bake", name, "-o", "x.bin"],
        vec!["bake", "yard.obj", "--settings", name, "-o", "x.bin"],
        vec!["watch", name, "-o", "x.bin"],
        vec!["bin", name, "-o", "x.tri"],
        vec!["info", name],
        vec!["path", name, "--from", "1,0,1", "--to", "2,0,2"],
        vec!["path", "yard.bin", "--queries", name],
        vec!["path", "yard.bin", "--from", "1,0,1", "--to", "2,0,2", "--costs-of", name],
        vec!["test", name],
        vec!["test", "yard.obj", name],
        vec!["links", name, "yard.obj"],
        vec!["links", "yard.bin", name],
        vec!["search", name, "--from", "1,0,1", "--to", "2,0,2"],
        vec!["bench-scen", name],
        vec!["bench-scen", "yard.map.scen", "--map", name],
    ];
    if cfg!(feature = "window") {
        all.push(vec!["shot", name, "-o", "x.png"]);
    }
    all
}

#[test]
fn a_project_whose_level_is_a_project_is_rejected() {
    let folder = yard();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("self.walkable", &project_of("self.walkable"));
    write("a.walkable", &project_of("b.WALKABLE"));
    write("b.WALKABLE", &project_of("a.walkable"));
    write("outer.walkable", &project_of("yard.walkable"));
    for name in ["self.walkable", "a.walkable", "outer.walkable"] {
        for args in [
            &["bake", name, "-o", "x.bin"][..],
            &["info", name],
            &["bin", name, "-o", "x.tri"],
            &["watch", name, "-o", "x.bin"],
            &["links", "yard.bin", name],
        ] {
            fails(folder.path(), args, 1, &[name, "is a project too"]);
        }
    }
    succeeds(folder.path(), &["bake", "yard.walkable", "-o", "x.bin"]);
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_rejected_by_every_command() {
    let folder = yard();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("yard.map"), "type octile\nheight 1\nwidth 1\nmap\n.\n").unwrap();
    fs::write(at("yard.map.scen"), "version 1\n").unwrap();
    let endings = ["obj", "glb", "gset", "walkable", "cfg", "bin", "map", "scen", "3dmap"];
    for ending in endings {
        let pipe = format!("pipe.{ending}");
        assert!(Command::new("mkfifo").arg(at(&pipe)).status().unwrap().success());
        std::os::unix::fs::symlink("/dev/zero", at(&format!("zero.{ending}"))).unwrap();
    }
    let before = contents(folder.path());
    // The extension decides how a level is read, so every command gets every extension at least once.
    for (index, args) in readers("NAME").iter().enumerate() {
        for kind in ["pipe", "zero"] {
            // `search` reads a file as a map or as a level; maps are tested below.
            let is_search = args[0] == "search";
            let ending = if is_search { "glb" } else { endings[index % endings.len()] };
            for ending in [ending, "obj"] {
                let name = format!("{kind}.{ending}");
                let args: Vec<_> =
                    args.iter().map(|&arg| if arg == "NAME" { &*name } else { arg }).collect();
                // `bench-scen` opens the map of that name first, so only the start of the name is checked.
                let words = [&*format!("{kind}."), "only regular files are read"];
                fails(folder.path(), &args, 1, &words);
            }
        }
    }
    for name in ["pipe.map", "zero.3dmap"] {
        let args = ["search", name, "--from", "1,1", "--to", "2,2"];
        fails(folder.path(), &args, 1, &[name, "only regular files are read"]);
    }
    assert_eq!(contents(folder.path()), before);
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_named_in_files_are_rejected() {
    let folder = yard();
    let at = |name: &str| folder.path().join(name);
    assert!(Command::new("mkfifo").arg(at("pipe.obj")).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", at("zero.obj")).unwrap();
    for mesh in ["/dev/zero", "zero.obj", "pipe.obj"] {
        fs::write(at("scene.gset"), format!("f {mesh}\n")).unwrap();
        fs::write(at("project.walkable"), project_of(mesh)).unwrap();
        let gltf = format!(
            r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"uri":"{mesh}","byteLength":36}}],
            "bufferViews":[{{"buffer":0,"byteLength":36}}],
            "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],"nodes":[{{"mesh":0}}]}}"#
        );
        fs::write(at("level.gltf"), gltf).unwrap();
        for name in ["scene.gset", "project.walkable", "level.gltf"] {
            fails(folder.path(), &["bake", name, "-o", "x.bin"], 1, &[mesh]);
        }
    }
    assert!(!at("x.bin").exists());
}

#[test]
fn oversized_files_are_rejected_unread() {
    let folder = yard();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("yard.map"), "type octile\nheight 1\nwidth 1\nmap\n.\n").unwrap();
    fs::write(at("yard.map.scen"), "version 1\n").unwrap();
    for ending in ["obj", "gset", "walkable", "cfg", "bin", "map", "scen"] {
        // A sparse file, which takes no space on disk.
        File::create(at(&format!("huge.{ending}"))).unwrap().set_len(40 << 30).unwrap();
    }
    for (args, limit) in [
        (&["bake", "huge.obj", "-o", "x.bin"][..], "512 MiB"),
        (&["bake", "huge.gset", "-o", "x.bin"], "16 MiB"),
        (&["bake", "huge.walkable", "-o", "x.bin"], "64 MiB"),
        (&["bake", "yard.obj", "--settings", "huge.cfg", "-o", "x.bin"], "16 MiB"),
        (&["info", "huge.bin"], "512 MiB"),
        (&["path", "huge.bin", "--from", "1,0,1", "--to", "2,0,2"], "512 MiB"),
        (&["path", "yard.bin", "--queries", "huge.cfg"], "64 MiB"),
        (&["search", "huge.map", "--from", "1,1", "--to", "2,2"], "64 MiB"),
        (&["bench-scen", "huge.scen", "--map", "yard.map"], "64 MiB"),
    ] {
        fails(folder.path(), args, 1, &["huge.", "40960 MiB", limit]);
    }
}

#[test]
fn a_side_file_must_be_in_the_folder_of_its_level() {
    let folder = yard();
    fs::create_dir(folder.path().join("sub")).unwrap();
    fs::write(folder.path().join("outside.bin"), [0; 36]).unwrap();
    let gltf = r#"{"asset":{"version":"2.0"},"buffers":[{"uri":"../outside.bin","byteLength":36}],
        "bufferViews":[{"buffer":0,"byteLength":36}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}]}"#;
    fs::write(folder.path().join("sub/level.gltf"), gltf).unwrap();
    let words = ["../outside.bin", "leaves the level's folder"];
    fails(folder.path(), &["bake", "sub/level.gltf", "-o", "x.bin"], 1, &words);
}

#[test]
fn no_output_overwrites_its_input() {
    let folder = yard();
    let base = folder.path();
    fs::create_dir(base.join("sub")).unwrap();
    fs::hard_link(base.join("yard.obj"), base.join("hard.obj")).unwrap();
    let corners = [0.0_f32, 0.0, 0.0, 0.0, 0.0, 9.0, 9.0, 0.0, 0.0];
    fs::write(base.join("level.gltf"), GLTF).unwrap();
    fs::write(base.join("level.buf"), corners.map(f32::to_le_bytes).concat()).unwrap();
    succeeds(base, &["bin", "yard.obj", "-o", "yard.tri"]);
    let mut outputs = vec!["yard.obj", "./yard.obj", "sub/../yard.obj", "hard.obj"];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("yard.obj", base.join("soft.obj")).unwrap();
        outputs.push("soft.obj");
    }
    let before = contents(base);
    for output in outputs {
        for args in [
            &["bake", "yard.obj", "-o", output][..],
            &["bake", "yard.obj", "-o", output, "--layers", "--set", "tile_size=32"],
            &["bake", "yard.obj", "-o", "x.bin", "--report", output],
            &["bake", "yard.gset", "-o", output],
            &["bake", "yard.walkable", "-o", output],
            &["bake", "hard.obj", "-o", output],
            &["watch", "yard.obj", "-o", output],
            &["watch", "yard.walkable", "-o", output],
            &["bin", "yard.obj", "-o", output],
            &["bin", "level.gltf", "yard.gset", "-o", output],
        ] {
            fails(base, args, 2, &[output, "write to another file"]);
        }
    }
    for args in [
        &["bake", "yard.gset", "-o", "yard.gset"][..],
        &["bake", "yard.walkable", "-o", "yard.walkable"],
        &["bake", "yard.obj", "--settings", "yard.cfg", "-o", "yard.cfg"],
        &["bake", "yard.obj", "--settings", "yard.cfg", "-o", "x.bin", "--report", "yard.cfg"],
        &["bake", "level.gltf", "-o", "level.buf"],
        &["bake", "yard.tri", "-o", "yard.tri", "--set", "tile_size=32"],
        &["bin", "yard.obj", "level.gltf", "-o", "level.gltf"],
    ] {
        fails(base, args, 2, &["would overwrite the input file", "write to another file"]);
    }
    assert_eq!(contents(base), before);
}

#[test]
fn no_output_overwrites_another() {
    let folder = yard();
    let base = folder.path();
    fs::create_dir(base.join("sub")).unwrap();
    let before = contents(base);
    for args in [
        &["bake", "yard.obj", "-o", "x.bin", "--report", "sub/../x.bin"][..],
        &["bake", "yard.obj", "-o", "yard.bin", "--report", "yard.bin"],
        &["generate", "sample", "-o", "s.cfg"],
        &["generate", "maze", "-o", "yard.cfg"],
    ] {
        fails(base, args, 2, &["name two different files"]);
    }
    assert_eq!(contents(base), before);
    if cfg!(unix) {
        succeeds(base, &["bake", "yard.obj", "-o", "/dev/null", "--report", "/dev/null"]);
    }
}

/// Files that other inputs refer to: the level of a project or a scene, materials, buffers, and the settings of a suite.
const REFERENCES: [(&str, &str); 5] = [
    ("yard.walkable", "yard.obj"),
    ("yard.gset", "yard.obj"),
    ("yard.obj", "sub/yard.mtl"),
    ("yard.walkable", "sub/yard.mtl"),
    ("level.gltf", "level.buf"),
];

/// Writes a level with materials in `sub`, a glTF level with a buffer, and path tests into the folder of [`yard`].
fn write_references(base: &Path) {
    fs::create_dir(base.join("sub")).unwrap();
    fs::write(base.join("yard.obj"), format!("mtllib sub/yard.mtl\n{SQUARE}")).unwrap();
    fs::write(base.join("sub/yard.mtl"), "newmtl red\nKd 1 0 0\n").unwrap();
    fs::write(base.join("level.gltf"), GLTF).unwrap();
    let corners = [0.0_f32, 0.0, 0.0, 0.0, 0.0, 9.0, 9.0, 0.0, 0.0];
    fs::write(base.join("level.buf"), corners.map(f32::to_le_bytes).concat()).unwrap();
    let suite = "walkable_suite 1\nlevel yard.obj\nsettings yard.cfg\n";
    let case = "path Across\nstart 1 0 1\nend 8 0 8\nexpect reachable\n";
    fs::write(base.join("yard.suite"), [suite, case].concat()).unwrap();
}

#[test]
fn no_output_overwrites_a_file_that_an_input_refers_to() {
    let folder = yard();
    let base = folder.path();
    write_references(base);
    let before = [contents(base), contents(&base.join("sub"))];
    for (level, file) in REFERENCES {
        let mut commands = vec![
            vec!["bake", level, "-o", file],
            vec!["bake", level, "-o", "x.bin", "--report", file],
            vec!["watch", level, "-o", file],
            vec!["export", level, "--format", "json", "-o", file],
            vec!["export", level, "--stage", "slope", "--format", "json", "-o", file],
            vec!["bin", level, "-o", file],
            vec!["repro", "save", level, "--at", "1,0,1", "-o", file],
            vec!["sweep", level, "--vary", "agent_radius=0.3", "--csv", file],
            vec!["sweep", level, "--vary", "agent_radius=0.3", "--resume", file],
            vec!["soak", level, "--junit", file],
            vec!["test", level, "yard.suite", "--junit", file],
        ];
        if cfg!(feature = "window") {
            commands.push(vec!["diff", "yard.bin", level, "--picture", file]);
            commands.push(vec!["soak", level, "--picture", file]);
            commands.push(vec!["shot", level, "-o", file]);
        }
        for args in commands {
            let words = [file, "would overwrite the input file", "write to another file"];
            fails(base, &args, 2, &words);
            let after = [contents(base), contents(&base.join("sub"))];
            assert_eq!(after, before, "{args:?}");
        }
    }
    for file in ["yard.obj", "yard.cfg"] {
        fails(base, &["test", "yard.suite", "--junit", file], 2, &[file, "would overwrite"]);
    }
    assert_eq!(contents(base), before[0]);
}

#[test]
fn no_output_overwrites_what_an_input_refers_to_without_being_read() {
    let folder = yard();
    let base = folder.path();
    write_references(base);
    let write = |name: &str, text: &str| fs::write(base.join(name), text).unwrap();
    write("floor.obj", SQUARE);
    write("sub/yard.mtl", "newmtl red\nmap_Kd wood.png\n");
    write("sub/wood.png", "a picture");
    write(
        "image.gltf",
        &GLTF.replace("\"nodes\"", "\"images\":[{\"uri\":\"wood.png\"}],\"nodes\""),
    );
    write("wood.png", "a picture");
    write("scene.walkable", r#"{"walkable_project":6,"level":{"file":"yard.gset"},"document":{}}"#);
    let before = [contents(base), contents(&base.join("sub"))];
    let vary = ["sweep", "floor.obj", "--vary", "agent_radius=0.3", "--suite", "yard.suite"];
    for args in [
        &["bake", "floor.obj", "--settings", "yard.walkable", "-o", "yard.obj"][..],
        &["bake", "floor.obj", "--settings", "yard.gset", "-o", "yard.obj"],
        &[
            "export",
            "floor.obj",
            "--settings",
            "scene.walkable",
            "--format",
            "json",
            "-o",
            "yard.obj",
        ],
        &["test", "floor.obj", "yard.suite", "--junit", "yard.obj"],
        &["test", "floor.obj", "yard.suite", "--junit", "yard.cfg"],
        &[&vary[..], &["--csv", "yard.obj"]].concat(),
        &["bake", "yard.obj", "-o", "sub/wood.png"],
        &["bake", "image.gltf", "-o", "wood.png"],
        &["farm", "slurm", "yard.gset", "-o", "new", "--result", "../yard.obj"],
    ] {
        fails(base, args, 2, &["would overwrite the input file"]);
        assert_eq!([contents(base), contents(&base.join("sub"))], before, "{args:?}");
    }
    // The folder does not exist yet.
    for args in [
        &["farm", "slurm", "yard.obj", "-o", "new", "--result", "../new/bake.sbatch"][..],
        &["watch", "yard.obj", "-o", "./new/x/0_0_0.tile", "--tiles", "new/x"],
    ] {
        fails(base, args, 2, &["name two different files"]);
    }
    assert_eq!([contents(base), contents(&base.join("sub"))], before);
}

#[test]
fn inputs_with_names_of_the_program_stay() {
    let folder = yard();
    let base = folder.path();
    let temporary = ".walkable-a1B2c3d4E5f6g7H8.tmp";
    fs::copy(base.join("yard.cfg"), base.join(temporary)).unwrap();
    succeeds(base, &["bake", "yard.obj", "--settings", temporary, "-o", "x.bin"]);
    assert!(base.join(temporary).exists());
    let cached = ["bake", "yard.obj", "--cache", "tiles"];
    succeeds(base, &[&cached[..], &["-o", "x.bin"]].concat());
    let group = fs::read_dir(base.join("tiles")).unwrap().next().unwrap().unwrap();
    let entry = fs::read_dir(group.path()).unwrap().next().unwrap().unwrap().path();
    let entry_text = entry.to_str().unwrap().to_owned();
    let words = ["--cache", "tiles", "overwrite"];
    fails(base, &[&cached[..], &["-o", &entry_text]].concat(), 2, &words);
    fs::copy(base.join("yard.cfg"), &entry).unwrap();
    let settings = ["--settings", &*entry_text, "-o", "x.bin"];
    fails(base, &[&cached[..], &settings].concat(), 2, &words);
}

#[test]
fn files_of_agents_replace_only_what_the_program_wrote() {
    let folder = yard();
    let base = folder.path();
    let agents =
        r#"{"agents":{"list":[{"name":"Knight","settings":{}},{"name":"Bat","settings":{}}]}}"#;
    let project =
        format!(r#"{{"walkable_project":6,"level":{{"file":"yard.obj"}},"document":{agents}}}"#);
    fs::write(base.join("two.walkable"), project).unwrap();
    for (format, name) in [("x.glb", "x_bat.glb"), ("x.bin", "x_bat.bin"), ("x.ply", "x_bat.ply")] {
        let export = ["export", "two.walkable", "--all-agents", "-o", format];
        for _ in 0..2 {
            succeeds(base, &export);
        }
        fs::write(base.join(name), "glTF of an artist").unwrap();
        let before = contents(base);
        fails(base, &export, 2, &[name, "did not write it"]);
        #[cfg(unix)]
        {
            fs::remove_file(base.join(name)).unwrap();
            std::os::unix::fs::symlink("yard.cfg", base.join(name)).unwrap();
            fails(base, &export, 2, &[name, "did not write it"]);
            fs::remove_file(base.join(name)).unwrap();
            fs::write(base.join(name), "glTF of an artist").unwrap();
        }
        assert_eq!(contents(base), before);
    }
}

#[test]
fn a_folder_of_outputs_overwrites_no_input_and_nothing_that_is_not_its_own() {
    let folder = yard();
    let base = folder.path();
    fs::create_dir(base.join("out")).unwrap();
    let token = "0123456789abcdef";
    let names = [
        ("finding-1.txt", "1 0 1\n8 0 8\n"),
        ("navmesh.bin", SQUARE),
        ("0_0_0.tile", token),
        ("submit.sh", "agent_radius=0.3\n"),
        ("world.bin", SQUARE),
        ("walkable.1", "my page\n"),
        ("notes.txt", "my notes\n"),
    ];
    let listen = ["watch", "yard.obj", "--listen", "127.0.0.1:0", "--token-file"];
    let settings = "out/submit.sh";
    for (args, name) in [
        (vec!["soak", "yard.obj", "--places", "out/finding-1.txt", "--save", "out"], names[0]),
        (vec!["soak", "yard.obj", "--save", "out"], names[0]),
        (vec!["soak", "out/navmesh.bin", "--save", "out"], names[1]),
        (vec!["soak", "yard.obj", "--save", "out"], names[1]),
        ([&listen[..], &["out/0_0_0.tile", "-o", "out/0_0_0.tile"]].concat(), names[2]),
        ([&listen[..], &["out/0_0_0.tile", "-o", "x.bin", "--tiles", "out"]].concat(), names[2]),
        (vec!["watch", "yard.obj", "-o", "x.bin", "--tiles", "out"], names[2]),
        (vec!["farm", "slurm", "yard.obj", "--settings", settings, "-o", "out"], names[3]),
        (vec!["farm", "k8s", "yard.obj", "--settings", settings, "-o", "out"], names[3]),
        (vec!["farm", "slurm", "yard.obj", "-o", "out"], names[3]),
        (vec!["farm", "slurm", "out/world.bin", "-o", "out"], names[4]),
        (vec!["farm", "slurm", "out/world.bin", "-o", "out", "--result", "world.bin"], names[4]),
        (vec!["farm", "k8s", "/world/world.bin", "-o", "out"], names[4]),
        (vec!["man", "-o", "out"], names[5]),
    ] {
        for (name, text) in [name, names[6]] {
            fs::write(base.join("out").join(name), text).unwrap();
        }
        let before = (contents(base), contents(&base.join("out")));
        fails(base, &args, 2, &[name.0]);
        assert_eq!((contents(base), contents(&base.join("out"))), before, "{args:?}");
        fs::remove_file(base.join("out").join(name.0)).unwrap();
    }
    // The program replaces what it wrote.
    for _ in 0..2 {
        succeeds(base, &["farm", "slurm", "yard.obj", "-o", "out"]);
        succeeds(base, &["farm", "k8s", "yard.obj", "-o", "out"]);
        succeeds(base, &["man", "-o", "out"]);
        succeeds(base, &["watch", "yard.obj", "-o", "x.bin", "--tiles", "out"]);
    }
    assert_eq!(fs::read_to_string(base.join("out/notes.txt")).unwrap(), names[6].1);
}

#[test]
fn a_file_beside_the_output_replaces_only_what_the_program_wrote() {
    let folder = yard();
    let base = folder.path();
    fs::write(base.join("mine.cfg"), "# by hand\nagent_radius=0.37\n").unwrap();
    fs::write(base.join("mine.tiles.unfinished"), "by hand").unwrap();
    fs::write(base.join("longer.tiles.unfinished"), "also by hand").unwrap();
    succeeds(base, &["bake", "yard.obj", "--shard", "1/1", "-o", "one.part"]);
    let before = contents(base);
    fails(base, &["generate", "maze", "-o", "mine.obj"], 2, &["mine.cfg", "did not write"]);
    for name in ["mine.tiles", "longer.tiles"] {
        let words = [&*format!("{name}.unfinished"), "not a tile store"];
        fails(base, &["bake", "yard.obj", "-o", name], 1, &words);
        fails(base, &["merge", "one.part", "-o", name], 1, &words);
        let settings = ["--settings", &*format!("{name}.unfinished")];
        let args = [&["bake", "yard.obj", "-o", name][..], &settings].concat();
        fails(base, &args, 2, &["would overwrite the input file"]);
    }
    assert_eq!(contents(base), before);
    for _ in 0..2 {
        succeeds(base, &["generate", "maze", "-o", "maze.obj"]);
        succeeds(base, &["generate", "maze", "--seed", "7", "-o", "maze.obj"]);
        succeeds(base, &["bake", "yard.obj", "-o", "yard.tiles"]);
        succeeds(base, &["merge", "one.part", "-o", "merged.tiles"]);
    }
}

#[cfg(unix)]
#[test]
fn a_link_in_a_folder_of_outputs_is_not_followed() {
    let folder = yard();
    let base = folder.path();
    fs::create_dir(base.join("out")).unwrap();
    let before = contents(base);
    for (name, args) in [
        ("0_0_0.tile", ["watch", "yard.obj", "-o", "x.bin", "--tiles", "out"]),
        ("navmesh.bin", ["soak", "yard.obj", "--save", "out", "--agents", "2"]),
    ] {
        std::os::unix::fs::symlink("../yard.cfg", base.join("out").join(name)).unwrap();
        fails(base, &args, 2, &[name, "did not write it"]);
        assert_eq!(contents(base), before);
        fs::remove_file(base.join("out").join(name)).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_dangling_symbolic_link_is_followed() {
    let folder = yard();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("store")).unwrap();
    std::os::unix::fs::symlink("store/tiles.bin", at("latest.bin")).unwrap();
    succeeds(folder.path(), &["bake", "yard.obj", "-o", "latest.bin"]);
    assert!(fs::symlink_metadata(at("latest.bin")).unwrap().is_symlink());
    assert_eq!(fs::read(at("store/tiles.bin")).unwrap(), fs::read(at("yard.bin")).unwrap());
}

#[test]
fn leftovers_of_a_killed_write_are_removed_by_the_next() {
    let folder = yard();
    let left = folder.path().join(".walkable-x1Y2z3a4B5c6d7E8.tmp");
    let own = folder.path().join(".walkable-config");
    fs::write(&left, "half a file").unwrap();
    fs::write(&own, "by hand").unwrap();
    succeeds(folder.path(), &["bake", "yard.obj", "-o", "x.bin"]);
    assert!(!left.exists() && own.exists());
}

/// Starts `walkable watch` for the level of [`yard`].
fn watch(folder: &Path) -> Child {
    let args = ["watch", "yard.obj", "-o", "x.bin", "--when-asked"];
    walkable(folder, &args).stdin(Stdio::piped()).spawn().unwrap()
}

#[test]
fn any_line_is_a_request_whatever_its_bytes() {
    let folder = yard();
    let mut child = watch(folder.path());
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut answer = || answers.next().unwrap().unwrap();
    assert!(answer().starts_with("x.bin: "));
    for line in [&b"\xff\n"[..], b"\n", b"\0\x80abc\r\n", b"look\n"] {
        input.write_all(line).unwrap();
        assert_eq!(answer(), "unchanged", "{line:?}");
    }
    // The last line needs no newline.
    input.write_all(b"\xff").unwrap();
    drop(input);
    assert_eq!(answer(), "unchanged");
    assert!(ended(child, "watch").status.success());
}

#[test]
fn an_endless_line_is_rejected() {
    let folder = yard();
    let mut child = watch(folder.path());
    let mut input = child.stdin.take().unwrap();
    let write = move || {
        let chunk = vec![b'x'; 1 << 20];
        // Four times the memory that the program may use; it must end long before.
        (0..8192).take_while(|_| input.write_all(&chunk).is_ok()).count()
    };
    let flood = thread::Builder::new().name("flood".to_owned()).spawn(write).unwrap();
    let output = ended(child, "watch");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("a line of the standard input is longer than"), "{said}");
    assert!(flood.join().unwrap() < 64, "it read on");
}

#[cfg(target_os = "linux")]
#[test]
fn the_number_of_threads_is_limited() {
    let folder = tempfile::tempdir().unwrap();
    let ground = SQUARE.replace('9', "600");
    fs::write(folder.path().join("wide.obj"), ground).unwrap();
    let bake = ["bake", "wide.obj", "-o", "x.bin", "--threads", "65535", "--set", "tile_size=16"];
    for more in [&["--set", "cell_size=0.5"][..], &["--set", "cell_size=0.5", "--layers"]] {
        let args = [&bake[..], more].concat();
        let mut child = walkable(folder.path(), &args).spawn().unwrap();
        let tasks = format!("/proc/{}/task", child.id());
        let mut most = 0;
        while child.try_wait().unwrap().is_none() {
            most = most.max(fs::read_dir(&tasks).map_or(0, Iterator::count));
            thread::yield_now();
        }
        let n_cores = thread::available_parallelism().unwrap().get();
        // There may also be a thread pool and the main thread, in addition to the bake threads.
        assert!((2..=6 * n_cores + 2).contains(&most), "{most} threads on {n_cores} cores");
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn a_bake_that_would_take_too_long_is_rejected() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str| folder.path().join(name);
    fs::write(file("small.obj"), SQUARE).unwrap();
    // A level of 4 million square meters takes some seconds to bake.
    fs::write(file("large.obj"), SQUARE.replace('9', "2000")).unwrap();
    let bake =
        |level, time| ["bake", level, "--set", "tile_size=64", "-o", "x.bin", "--max-time", time];
    let said = ["the bake takes ", "more than the limit of 1 s; set ", "or raise --max-time"];
    fails(folder.path(), &bake("large.obj", "1s"), 1, &said);
    fails(folder.path(), &bake("small.obj", "soon"), 2, &["as in 90s, 30min or 2h"]);
    assert!(!file("x.bin").exists());
    succeeds(folder.path(), &bake("small.obj", "1s"));
}

#[cfg(unix)]
#[test]
fn file_names_need_not_be_utf_8() {
    use std::{
        ffi::{OsStr, OsString},
        os::unix::ffi::OsStrExt as _,
    };

    let folder = TempDir::new().unwrap();
    let odd = OsStr::from_bytes(b"y\xffrd");
    let inner = folder.path().join(odd);
    fs::create_dir(&inner).unwrap();
    // Each file name is the non-UTF-8 name plus an extension.
    let named = |ending: &str| {
        let mut name = odd.to_owned();
        name.push(ending);
        inner.join(name)
    };
    fs::write(named(".obj"), SQUARE).unwrap();
    fs::write(named(".cfg"), "tile_size=32\n").unwrap();
    fs::write(inner.join("square.obj"), SQUARE).unwrap();
    fs::write(named(".gset"), "f square.obj\n").unwrap();
    let run = |line: &str| {
        let word = |word: &str| match word.strip_prefix('@') {
            Some(ending) => named(ending).into_os_string(),
            None => OsString::from(word),
        };
        let mut command = walkable(folder.path(), &[]);
        ended(command.args(line.split(' ').map(word)).spawn().unwrap(), line)
    };
    for line in [
        "bake @.obj --settings @.cfg -o @.bin --report @.json",
        "bake @.obj --settings @.cfg -o @.layers --layers",
        "bake @.gset -o @.2.bin",
        "watch @.obj --settings @.cfg -o @.3.bin --tiles @.tiles",
        "bin @.obj -o @.tri",
        "bake @.tri --settings @.cfg -o @.4.bin",
        "info @.obj",
        "info @.bin",
        "path @.bin --from=4,0,4 --to=5,0,5",
        "links @.bin @.obj",
        "search @.obj --from=4,0,4 --to=5,0,5",
        "generate maze --seed=1 --size=20 -o @.maze.obj",
    ] {
        let output = run(line);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{line}: {said}");
    }
    for ending in [".json", ".layers", ".2.bin", ".3.bin", ".tiles", ".4.bin", ".maze.obj"] {
        assert!(named(ending).exists(), "{ending}");
    }
    // The message contains the valid UTF-8 part of the missing file's name.
    let output = run("info @.gone");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("rd.gone: "));
}

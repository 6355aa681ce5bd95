//! The files of `walkable farm` bake a level as one process does. `.ci/farm` runs them with Slurm.
#![cfg(unix)]

use std::{env, ffi::OsString, fs, path::Path, process::Command};

use serde_json::Value;
use tempfile::TempDir;

use crate::run::run_in;

const N: u32 = 3;
const SETTINGS: [&str; 2] = ["--set", "tile_size=48"];

/// Runs a shell in `folder` with the program in its path.
#[track_caller]
fn shell(folder: &Path, args: &[&str], environment: &[(&str, String)]) {
    let program = Path::new(env!("CARGO_BIN_EXE_walkable"));
    let mut path = OsString::from(program.parent().unwrap());
    path.push(":");
    path.push(env::var_os("PATH").unwrap());
    let mut command = Command::new(args[0]);
    command.args(&args[1..]).current_dir(folder).env("PATH", path);
    let output = command.envs(environment.iter().map(|(key, value)| (key, value))).output();
    let output = output.unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{args:?}: {said}");
}

/// Returns a folder with a level, and the files of `cluster` in `farm files`.
fn folder_with(cluster: &str, level: &str, more: &[&str]) -> TempDir {
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| run_in(folder.path(), args).succeeded();
    run(&["generate", "sample", "-o", "it's a level.obj"]);
    run(&["bin", "it's a level.obj", "-o", "it's a level.tri"]);
    let shards = N.to_string();
    let farm = ["farm", cluster, level, "-o", "farm files", "--shards", &shards];
    let written = run(&[&farm[..], &SETTINGS, more].concat());
    assert_eq!(written.lines().count(), 3);
    folder
}

/// Compares the result of the cluster with that of a bake of `level`.
#[track_caller]
fn assert_same(folder: &Path, level: &str, result: &str) {
    run_in(folder, &[&["bake", level, "-o", result], &SETTINGS[..]].concat()).succeeded();
    let [whole, merged] =
        [folder.join(result), folder.join("farm files").join(result)].map(fs::read);
    assert!(whole.unwrap() == merged.unwrap());
}

#[test]
fn jobs_of_slurm_bake_and_merge() {
    for (level, more, result) in [
        ("it's a level.tri", &[][..], "world.tiles"),
        ("it's a level.obj", &[], "world.bin"),
        ("it's a level.obj", &["--result", "my town.tiles"], "my town.tiles"),
    ] {
        let folder = folder_with("slurm", level, more);
        run_slurm_jobs(&folder.path().join("farm files"));
        assert_same(folder.path(), level, result);
    }
}

fn run_slurm_jobs(farm: &Path) {
    shell(farm, &["bash", "-n", "submit.sh"], &[]);
    fs::create_dir(farm.join("parts")).unwrap();
    for number in (1..=N).rev() {
        let number = ("SLURM_ARRAY_TASK_ID", number.to_string());
        shell(farm, &["bash", "bake.sbatch"], &[number]);
    }
    shell(farm, &["bash", "merge.sbatch"], &[]);
    let job = fs::read_to_string(farm.join("bake.sbatch")).unwrap();
    assert!(job.starts_with("#!/bin/bash\n#SBATCH ") && job.contains("--array=1-3\n"), "{job}");
}

#[test]
fn jobs_of_kubernetes_bake_and_merge() {
    let folder = folder_with("k8s", "../it's a level.tri", &[]);
    let farm = folder.path().join("farm files");
    shell(&farm, &["sh", "-n", "submit.sh"], &[]);
    let job = |name: &str| -> Value {
        serde_json::from_slice(&fs::read(farm.join(name)).unwrap()).unwrap()
    };
    let script = |job: &Value| {
        let command = &job["spec"]["template"]["spec"]["containers"][0]["command"];
        command[2].as_str().unwrap().to_owned()
    };
    let bake = job("bake.json");
    assert_eq!((&bake["spec"]["completions"], &bake["kind"]), (&N.into(), &"Job".into()));
    for index in 0..N {
        let index = ("JOB_COMPLETION_INDEX", index.to_string());
        shell(&farm, &["sh", "-c", &script(&bake)], &[index]);
    }
    shell(&farm, &["sh", "-c", &script(&job("merge.json"))], &[]);
    assert_same(folder.path(), "it's a level.tri", "world.tiles");
}

#[test]
fn wrong_arguments_are_refused() {
    let folder = TempDir::new().unwrap();
    let run = |more: &[&str]| {
        let farm = ["farm", "slurm", "level.obj", "-o", "files"];
        run_in(folder.path(), &[&farm[..], more].concat())
    };
    run(&["--shards", "0"]).failed(2, &["--shards"]);
    run(&["--set", "tile_size"]).failed(2, &["--set takes KEY=VALUE"]);
    run(&["--memory", "cows"]).failed(2, &["--memory"]);
    assert!(!folder.path().join("files").exists());
}

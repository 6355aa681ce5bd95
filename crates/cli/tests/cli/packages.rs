//! Shell completions and manual pages, which packages install.

use std::{fs, process::Command};

use tempfile::TempDir;

use crate::run::run_in;

/// Returns the words that bash proposes for the last of `words`.
#[cfg(target_os = "linux")]
#[track_caller]
fn proposed(words: &[&str]) -> Vec<String> {
    let folder = TempDir::new().unwrap();
    let script = run_in(folder.path(), &["completions", "bash"]).succeeded();
    fs::write(folder.path().join("walkable"), script).unwrap();
    let ask = format!(
        "source ./walkable && COMP_WORDS=({}) && COMP_CWORD={} && \
         _walkable walkable \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\" && \
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words.join(" "),
        words.len() - 1
    );
    let mut bash = Command::new("bash");
    let output = bash.args(["--norc", "-c", &*ask]).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn bash_completes_commands_options_and_values() {
    assert_eq!(proposed(&["walkable", "ba"]), ["bake"]);
    assert_eq!(proposed(&["walkable", "bake", "--max-t"]), ["--max-time"]);
    assert_eq!(
        proposed(&["walkable", "export", "a.bin", "--format", "god"]),
        ["godot", "godot-mesh", "godot3"]
    );
    assert_eq!(proposed(&["walkable", "repro", "sh"]), ["shrink"]);
}

#[test]
fn completions_exist_for_known_shells_only() {
    let folder = TempDir::new().unwrap();
    for (shell, words) in [
        ("zsh", "#compdef walkable\n"),
        ("fish", "complete -c walkable"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion"),
    ] {
        let script = run_in(folder.path(), &["completions", shell]).succeeded();
        assert!(script.contains(words), "{shell}: {script}");
    }
    run_in(folder.path(), &["completions", "tcsh"]).failed(2, &["tcsh", "bash"]);
    run_in(folder.path(), &["completions"]).failed(2, &["SHELL"]);
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = TempDir::new().unwrap();
    let said = run_in(folder.path(), &["man", "-o", "."]).succeeded();
    let page = |name: &str| {
        let text = fs::read_to_string(folder.path().join(name));
        text.unwrap_or_else(|error| panic!("{name}: {error}\n{said}"))
    };
    let version = concat!("walkable ", env!("CARGO_PKG_VERSION"));
    assert!(page("walkable.1").contains(version), "{}", page("walkable.1"));
    let help = run_in(folder.path(), &["help"]).succeeded();
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let listed = commands.lines().take_while(|line| !line.is_empty());
    let mut names: Vec<_> = listed
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(names.contains(&"bake") && names.contains(&"man"), "{help}");
    names.extend(["farm-k8s", "farm-slurm", "repro-run", "repro-save", "repro-shrink"]);
    for name in &names {
        let text = page(&format!("walkable-{name}.1"));
        assert!(text.contains(".SH SYNOPSIS") && text.contains(version), "{name}: {text}");
    }
    assert!(page("walkable-bake.1").contains("\\-\\-max\\-memory"), "{}", page("walkable-bake.1"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), names.len() + 1, "{said}");
    run_in(folder.path(), &["man", "-o", "absent"]).failed(1, &["cannot write absent"]);
}

//! The state of the files after a fault, and what the editor reported before it.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use walkable::bake::BakeConfig;
use walkable_editor::habits::HabitsFile;
use walkable_test_support::faults::{Fault, inject, record};
use walkable_workspace::{
    project::{Project, Recovery},
    scene_files::read_project,
};

use super::saver::{export_in, project_in};

/// The kinds of files that are saved.
const ALL: [&str; 4] = ["project", "export", "recovery", "habits"];
const KILLS: usize = 300;

/// The outcome of a run of the saver.
struct Run {
    is_whole: bool,
    /// For each kind, the number that was reported as saved last.
    saved: [Option<u16>; 4],
    /// For each kind, the error that was reported to the user.
    told: [String; 4],
    said: String,
}

/// Saves the numbers `from` and `from + 1`.
fn save(folder: &Path, from: u16, with: impl FnOnce(&mut Command)) -> Run {
    let mut saver = Command::new(std::env::current_exe().unwrap());
    saver.env("WALKABLE_SAVES_IN", folder).env("WALKABLE_SAVES_FROM", from.to_string());
    with(&mut saver);
    let output = saver.stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(!errors.contains("panicked"), "{said}\n{errors}");
    let lines = |of: &'static str| move |line: &&str| line.split(' ').nth(1) == Some(of);
    let saved = ALL.map(|of| {
        let line = said.lines().filter(|line| line.starts_with("saved ")).rfind(lines(of));
        line.map(|line| line.rsplit(' ').next().unwrap().parse().unwrap())
    });
    let told = ALL.map(|of| {
        let lines = said.lines().filter(|line| line.starts_with("told ")).filter(lines(of));
        lines.collect::<Vec<_>>().join("\n")
    });
    Run { is_whole: said.ends_with("end\n"), saved, told, said }
}

fn number_in(bounds: Option<walkable::geom::Aabb>) -> Option<u16> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it was whole")]
    bounds.map(|bounds| bounds.max.x as u16)
}

fn number_of(project: &Project) -> Option<u16> {
    number_in(project.document.bounds.first().map(|bound| bound.of))
}

/// Reads the numbers on disk as the program does. The recovery file then counts as opened.
fn on_disk(folder: &Path) -> [Option<u16>; 4] {
    let project = project_in(folder);
    let project = project.exists().then(|| number_of(&read_project(&project).unwrap())).flatten();
    let export = fs::read_to_string(export_in(folder)).ok();
    let export = export
        .and_then(|text| number_in(BakeConfig::parse(&text).unwrap().bounds.first().copied()));
    let (place, left) = Recovery::start(&folder.join("unsaved")).unwrap();
    let kept = left.files.iter().filter_map(|file| number_of(&read_project(file).unwrap()));
    let kept = kept.max();
    left.files.iter().for_each(|file| fs::remove_file(file).unwrap());
    drop(place);
    let habits = HabitsFile::new(folder).read().unwrap();
    let habits = habits.map(|habits| u16::try_from(habits.prefs.max_secs).unwrap());
    [project, export, kept, habits]
}

fn temporaries(folder: &Path) -> Vec<String> {
    let all = [folder.to_owned(), folder.join("unsaved")];
    let entries = all.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with(".walkable-")).collect()
}

/// Checks that each number is at least the last one reported as saved, and at most the last one begun.
fn check(run: &Run, before: [Option<u16>; 4], now: [Option<u16>; 4], begun: u16, at: &str) {
    for (index, of) in ALL.into_iter().enumerate() {
        let saved = run.saved[index].max(before[index]);
        let (found, said) = (now[index], &run.said);
        if of == "recovery" {
            // Work that is in the project need not be in the recovery file.
            let lost = saved > now[0] && found < saved;
            assert!(
                !lost,
                "{at}: {saved:?} was kept, {found:?} is found, saved is {:?}\n{said}",
                now[0]
            );
        } else {
            assert!(found >= saved, "{at}: {of} {saved:?} was saved, {found:?} is there\n{said}");
        }
        assert!(found.is_none_or(|found| found <= begun), "{at}: {of} {found:?}\n{said}");
    }
}

/// Returns the changes of one run.
fn changes(folder: &Path, from: u16) -> Vec<String> {
    let log = tempfile::tempdir().unwrap();
    let log = log.path().join("log");
    let run = save(folder, from, |saver| record(saver, folder, &log));
    assert!(run.is_whole, "{}", run.said);
    let text = fs::read_to_string(log).unwrap();
    text.lines().map(|line| line.split_once(' ').unwrap().1.to_owned()).collect()
}

/// Checks that each file is synced before it is renamed, and its folder afterwards. The list of open levels is not
/// essential.
fn check_order(changes: &[String]) {
    let mut n_renamed = 0;
    for (at, change) in changes.iter().enumerate() {
        if let Some(target) = change.strip_prefix("rename ")
            && !target.ends_with("running-0.open")
        {
            n_renamed += 1;
            let folder = Path::new(target).parent().unwrap().display().to_string();
            let is_ready = changes[at - 1].starts_with(&format!("sync {folder}/.walkable-"));
            assert!(is_ready, "{target} gets its name after {}", changes[at - 1]);
            assert_eq!(changes[at + 1], format!("sync {folder}"), "after {target}");
        }
    }
    assert_eq!(n_renamed, 8, "two of each: {changes:#?}");
}

fn kill_everywhere(n_kills: usize) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    save(folder, 1, |_| ());
    let mut before = on_disk(folder);
    let n_changes = changes(folder, 3).len();
    let (mut n_killed, mut n_runs) = (0, 0);
    while n_killed < n_kills {
        let from = u16::try_from(5 + 2 * n_runs).unwrap();
        // A few more than there are, because files left by the previous kill are removed first.
        let at = 1 + n_runs % (n_changes + 4);
        n_runs += 1;
        let run = save(folder, from, |saver| inject(saver, folder, Fault::Kill, at));
        n_killed += usize::from(!run.is_whole);
        let now = on_disk(folder);
        check(&run, before, now, from + 1, &format!("killed at change {at}"));
        before = [now[0], now[1], None, now[3]];
    }
    // The next run removes the files left by the kills.
    assert!(save(folder, u16::MAX - 2, |_| ()).is_whole);
    assert_eq!(temporaries(folder), Vec::<String>::new());
    println!("{n_killed} kills at {n_changes} changes: nothing lost, nothing half-written");
}

fn fail_everywhere(fault: Fault) {
    let changes = {
        let folder = tempfile::tempdir().unwrap();
        save(folder.path(), 1, |_| ());
        changes(folder.path(), 3)
    };
    let mut n_told = 0;
    for (at, change) in (1..).zip(&changes) {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        save(folder, 1, |_| ());
        let before = on_disk(folder);
        let run = save(folder, 3, |saver| inject(saver, folder, fault, at));
        let said_at = format!("{fault:?} at change {at}, {change}");
        assert!(run.is_whole, "{said_at}: the program goes on\n{}", run.said);
        let now = on_disk(folder);
        check(&run, before, now, 4, &said_at);
        let mut n_failed = 0;
        for (index, of) in ALL.into_iter().enumerate() {
            let (is_saved, told) = (run.saved[index] == Some(4), &run.told[index]);
            assert!(
                is_saved || !told.is_empty(),
                "{said_at}: nothing is said of {of}\n{}",
                run.said
            );
            n_failed += usize::from(!is_saved);
        }
        // A single failure affects at most one save.
        assert!(fault == Fault::Full || n_failed <= 1, "{said_at}: {}", run.said);
        let was_told = run.told.iter().any(|told| !told.is_empty());
        n_told += usize::from(was_told);
        // The list of open levels, also under its temporary name, and a recovery file that is no longer needed.
        let renamed = changes[at..].iter().find_map(|change| change.strip_prefix("rename "));
        let is_list = change.contains(".walkable-")
            && renamed.is_some_and(|target| target.ends_with("running-0.open"));
        let is_harmless =
            is_list || change.starts_with("remove ") || change.contains("running-0.open");
        assert!(was_told || is_harmless, "{said_at}: nothing is said\n{}", run.said);
        assert_eq!(temporaries(folder), Vec::<String>::new(), "{said_at}");
    }
    let n_changes = changes.len();
    println!("{fault:?} at each of {n_changes} changes: told of {n_told}");
}

pub(crate) fn run() {
    let kills = std::env::var("WALKABLE_KILLS").ok().and_then(|n| n.parse().ok());
    let folder = tempfile::tempdir().unwrap();
    save(folder.path(), 1, |_| ());
    check_order(&changes(folder.path(), 3));
    fail_everywhere(Fault::Broken);
    fail_everywhere(Fault::Full);
    kill_everywhere(kills.unwrap_or(KILLS));
}

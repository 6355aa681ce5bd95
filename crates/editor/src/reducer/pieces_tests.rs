//! The editor with levels that are stored in pieces.

use std::{
    fs,
    path::{Path, PathBuf},
};

use walkable::mesh::{ImportOptions, UpAxis};
use walkable_workspace::pieces::PieceSource;
use web_time::Instant;

use super::{Effect, Event, REST, Tick, world_tests::Running};
use crate::{
    command::{Command, PiecesCommand},
    jobs::{
        export::Clash,
        pieces::SortMessage,
        slot::JobEvent,
        tasks::TaskMessage,
        work::{JobMessage, JobStatus, Work, WorkReport},
    },
    session::{ExportKind, LevelSource, Severity, SortProgress},
    task::TaskId,
};

/// Triangles along each side of a piece, times two.
const N: u16 = 12;

/// A folder `town` with pieces, and other files.
struct Pieces {
    folder: tempfile::TempDir,
}

impl Pieces {
    fn new() -> Self {
        let pieces = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(pieces.town()).unwrap();
        fs::write(pieces.town().join("notes.txt"), "not a level").unwrap();
        (0..4).for_each(|index| pieces.write(index));
        pieces
    }

    fn town(&self) -> PathBuf {
        self.folder.path().join("town")
    }

    fn sorted(&self) -> PathBuf {
        self.folder.path().join("town.tri")
    }

    fn piece(&self, index: u16) -> PathBuf {
        self.town().join(format!("piece-{index}.obj"))
    }

    /// Writes a square of ground as a piece.
    fn write(&self, index: u16) {
        use std::fmt::Write as _;
        let mut text = String::new();
        let numbers = || (0..=N).flat_map(|z| (0..=N).map(move |x| (x, z)));
        for (x, z) in numbers() {
            writeln!(text, "v {} 0 {z}", index * N + x).unwrap();
        }
        for (x, z) in numbers().filter(|(x, z)| *x < N && *z < N) {
            let [a, b] = [z, z + 1].map(|z| z * (N + 1) + x + 1);
            writeln!(text, "f {a} {b} {} {}", b + 1, a + 1).unwrap();
        }
        fs::write(self.piece(index), text).unwrap();
    }

    fn sort_to(&self, to: &Path) -> Running {
        let mut running = Running::new(100);
        running.run(PiecesCommand::Sort(PieceSource::Folder(self.town())));
        running.run(Command::ExportTo(ExportKind::Sorted, to.to_owned()));
        running
    }
}

fn commands(running: &Running) -> Vec<Command> {
    let command = |effect: &Effect| match effect {
        Effect::Command(command) => Some(command.clone()),
        _ => None,
    };
    running.effects.iter().filter_map(command).collect()
}

#[test]
fn a_folder_of_pieces_is_sorted_and_opened() {
    let pieces = Pieces::new();
    let mut running = pieces.sort_to(&pieces.sorted());
    let load = Command::Load(LevelSource::File(pieces.sorted()));
    assert_eq!(commands(&running), std::slice::from_ref(&load));
    assert_eq!(running.session().opened.pieces.progress, None);
    running.run(load);
    let world = running.session().world().expect("a part is loaded");
    assert_eq!(world.n_triangles, 4 * 2 * usize::from(N * N));
    assert!((world.bounds.size().x - 4.0 * f32::from(N)).abs() < 1e-3);
    let log = &running.session().log;
    assert!(log.iter().any(|entry| entry.text().contains("triangles of 4 pieces")));
}

#[test]
fn a_piece_that_cannot_be_read_is_named_and_the_open_level_stays() {
    let pieces = Pieces::new();
    let mut running = pieces.sort_to(&pieces.sorted());
    running.run(Command::Load(LevelSource::File(pieces.sorted())));
    let before = fs::read(pieces.sorted()).unwrap();
    running.effects.clear();
    fs::write(pieces.piece(2), "v 1 2\n").unwrap();
    running.run(Command::Replace(ExportKind::Sorted, pieces.sorted()));
    let mut errors = running.session().log.iter().filter(|entry| entry.severity == Severity::Error);
    let error = errors.find(|entry| entry.text().contains("piece-2.obj"));
    assert!(error.expect("it is reported").text().contains("line 1"));
    assert_eq!(commands(&running), []);
    assert!(running.session().world().is_some());
    assert_eq!(fs::read(pieces.sorted()).unwrap(), before);
    // The folder of the file has the pieces, the file, and nothing else.
    assert_eq!(fs::read_dir(pieces.folder.path()).unwrap().count(), 2);
}

#[test]
fn an_existing_file_is_replaced_only_after_confirmation() {
    let pieces = Pieces::new();
    fs::write(pieces.sorted(), "precious").unwrap();
    let mut running = pieces.sort_to(&pieces.sorted());
    let (path, of) = (pieces.sorted(), pieces.sorted());
    let clash = Clash { kind: ExportKind::Sorted, path, of, has_changed: false };
    let asks = |effect: &Effect| matches!(effect, Effect::AskReplace(asked) if *asked == clash);
    assert!(running.effects.iter().any(asks));
    assert_eq!(fs::read(pieces.sorted()).unwrap(), b"precious");
    running.run(Command::Replace(ExportKind::Sorted, pieces.sorted()));
    assert_eq!(commands(&running).len(), 1);
    assert!(fs::read(pieces.sorted()).unwrap().starts_with(b"WTRI"));
}

#[test]
fn a_piece_is_not_overwritten_and_a_folder_without_pieces_is_refused() {
    let pieces = Pieces::new();
    let before = fs::read(pieces.piece(0)).unwrap();
    let mut running = pieces.sort_to(&pieces.sorted());
    running.run(Command::Replace(ExportKind::Sorted, pieces.piece(0)));
    let says = |running: &Running, text: &str| {
        running.session().log.iter().any(|entry| entry.text().contains(text))
    };
    assert!(says(&running, "would overwrite the input file"));
    assert_eq!(fs::read(pieces.piece(0)).unwrap(), before);
    let empty = pieces.folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    running.run(PiecesCommand::Sort(PieceSource::Folder(empty)));
    running.run(Command::ExportTo(ExportKind::Sorted, pieces.folder.path().join("x.tri")));
    assert!(says(&running, "there are no level files (OBJ, glTF, PLY, STL)"));
}

#[test]
fn nothing_is_opened_after_a_sort_was_cancelled() {
    let pieces = Pieces::new();
    let mut running = Running::new(100);
    running.run(PiecesCommand::Sort(PieceSource::Folder(pieces.town())));
    let export = Command::ExportTo(ExportKind::Sorted, pieces.sorted());
    running.editor.take(Event::Command(export));
    let progress = SortProgress { piece: "piece-0.obj".to_owned(), n_done: 0, n_pieces: 4 };
    let reading = TaskMessage::SortPieces(JobEvent::Message(SortMessage::Reading(progress)));
    let reading = JobMessage::Task(Box::new(reading));
    let status = JobStatus { running: TaskId::SortPieces.into(), ..JobStatus::default() };
    running.editor.take(Event::Work(WorkReport { messages: vec![reading], status }));
    assert!(running.session().opened.pieces.progress.is_some());
    running.run(PiecesCommand::Cancel);
    assert_eq!(running.session().opened.pieces.progress, None);
    assert_eq!(commands(&running), [], "nothing is opened");
}

#[test]
fn import_options_apply_to_all_pieces_and_are_stored_in_the_project() {
    let pieces = Pieces::new();
    let mut running = pieces.sort_to(&pieces.sorted());
    running.run(Command::Load(LevelSource::File(pieces.sorted())));
    let size = |running: &Running| running.session().world().unwrap().bounds.size();
    let flat = size(&running);
    assert_eq!(running.session().document().import, ImportOptions::default());
    assert!(Command::ImportOptions.is_ready(running.session()));

    let import = ImportOptions { up: UpAxis::Z, scale: 2.0, ..ImportOptions::default() };
    running.run(PiecesCommand::Import(import));
    running.effects.clear();
    running.run(Command::Replace(ExportKind::Sorted, pieces.sorted()));
    let load = commands(&running).remove(0);
    running.run(load);
    // The ground lies in x and z, and z points up now.
    let upright = size(&running);
    assert!((upright.x - 2.0 * flat.x).abs() < 1e-3, "{upright}");
    assert!((upright.y - 2.0 * flat.z).abs() < 1e-3, "{upright}");
    assert_eq!(running.session().document().import, import);
    assert_eq!(running.session().opened.level.as_ref().unwrap().import, import);
    // The options belong to the file, which undo does not change; nothing is read again.
    assert_eq!(running.session().wanted_import(), None);

    // The next time, the project tells them.
    let project = running.session().to_project().unwrap();
    let text = project.to_text(pieces.folder.path()).unwrap();
    fs::write(pieces.folder.path().join("town.walkable"), text).unwrap();
    let mut later = Running::new(100);
    let project = pieces.folder.path().join("town.walkable");
    later.run(Command::Load(LevelSource::File(project)));
    assert!((size(&later) - upright).length() < 1e-3, "the options are not applied twice");
    assert!(!Command::ImportOptions.is_ready(later.session()), "the pieces are unknown");
    later.run(PiecesCommand::Sort(PieceSource::Folder(pieces.town())));
    assert!(later.effects.iter().any(|effect| matches!(effect, Effect::PieceOptions)));
    assert_eq!(later.session().opened.pieces.import, import);
}

#[test]
fn a_file_that_is_open_is_read_once_after_its_pieces_were_sorted_again() {
    let pieces = Pieces::new();
    let mut running = pieces.sort_to(&pieces.sorted());
    running.run(Command::Load(LevelSource::File(pieces.sorted())));
    let watched = |running: &mut Running| {
        let jobs = JobStatus::default();
        let tick = Tick { now: Instant::now(), rest: REST, jobs };
        let effects = running.editor.editor_mut().reduce(Event::Tick(tick));
        let is_watch = |effect: &Effect| matches!(effect, Effect::Work(Work::Watch(_)));
        effects.iter().filter(|effect| is_watch(effect)).count()
    };
    assert_eq!(watched(&mut running), 0, "it is watched already");
    let (path, import) = (pieces.sorted(), ImportOptions::default());
    let written = SortMessage::Written { path, n_triangles: 8, n_pieces: 4, import };
    let written = TaskMessage::SortPieces(JobEvent::Message(written));
    let messages = vec![JobMessage::Task(Box::new(written))];
    let status = JobStatus::default();
    running.editor.editor_mut().reduce(Event::Work(WorkReport { messages, status }));
    // Watching begins anew with the file as it was written, so that this is no change that has to be read.
    assert_eq!(watched(&mut running), 1);
}

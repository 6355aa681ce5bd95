//! Writes all tiles of a tile store or level that is loaded in part, in the background.

use walkable::{
    bake::AreaTable, diagnostic::Phrase, export::ExportFormat, monitor::Cancelled, phrase,
};
use walkable_workspace::{files::Output, lang, store_export::StoreExport};

use super::{
    export::{Clash, Target, Written, clash},
    slot::Reporter,
    store_source::{OpenedSource, StoreSource},
    task::{FollowUp, Job, Task, TaskResources},
};
use crate::session::{Session, StoreExportPhase, StoreExportProgress};

/// Number of tiles between two messages about the progress.
const STEP: usize = 256;

#[derive(Clone, Debug, PartialEq)]
pub struct StoreExportRequest {
    pub source: StoreSource,
    pub format: ExportFormat,
    pub areas: AreaTable,
    pub target: Target,
    pub resources: TaskResources,
}

#[derive(Debug)]
pub enum StoreExportMessage {
    Asks(Clash),
    Entered(StoreExportProgress),
    Written(Box<Written>),
}

impl Job for StoreExportRequest {
    type Message = StoreExportMessage;

    fn carry_out(self, report: &Reporter<StoreExportMessage>) {
        let Target { path, losses, agent, .. } = self.target.clone();
        let result = match export(self, report) {
            Ok(Outcome::Asks(clash)) => return report.send(StoreExportMessage::Asks(clash)),
            Ok(Outcome::Written(n_bytes)) => Ok(n_bytes),
            // Messages of a cancelled job are dropped.
            Err(error) if error.is::<Cancelled>() => return,
            Err(error) => Err(lang::error(&error)),
        };
        let of_agents = agent.map(|agent| (path.clone(), agent)).into_iter().collect();
        let written = Written { path, result, project: None, losses, of_agents };
        report.send(StoreExportMessage::Written(Box::new(written)));
    }
}

impl Task for StoreExportRequest {
    const THREAD: &'static str = "export tile store";
    const ENDS_WITH_LEVEL: bool = false;

    fn what() -> Phrase {
        phrase!("Writing")
    }

    fn set_resources(&mut self, resources: &TaskResources) {
        self.resources = resources.clone();
    }

    fn apply(session: &mut Session, message: StoreExportMessage) -> Option<FollowUp> {
        match message {
            StoreExportMessage::Asks(clash) => Some(FollowUp::AskReplace(clash)),
            StoreExportMessage::Entered(progress) => {
                session.opened.store_export = Some(progress);
                None
            }
            StoreExportMessage::Written(written) => Some(FollowUp::Written(written)),
        }
    }

    fn end(session: &mut Session) -> Option<FollowUp> {
        session.opened.store_export = None;
        None
    }
}

enum Outcome {
    Asks(Clash),
    Written(usize),
}

fn export(
    request: StoreExportRequest,
    report: &Reporter<StoreExportMessage>,
) -> anyhow::Result<Outcome> {
    let StoreExportRequest { source, format, areas, target, resources } = request;
    let TaskResources { folders, navmesh_bytes: max_bytes } = resources;
    if let Some(clash) = clash(&target).map_err(anyhow::Error::msg)? {
        return Ok(Outcome::Asks(clash));
    }
    let name = target.path.file_name().unwrap_or(target.path.as_os_str());
    let name = name.to_string_lossy().into_owned();
    let entered = |phase, [n_done, n_tiles]: [usize; 2]| {
        let progress = StoreExportProgress { phase, file: name.clone(), n_done, n_tiles };
        report.send(StoreExportMessage::Entered(progress));
    };
    let baked = &mut |n| entered(StoreExportPhase::Baking, n);
    let settings = source.settings();
    let OpenedSource { store, file, path, .. } = source.open(&folders, baked, report)?;
    Output::file(&*target.path, "output").check([path])?;
    let settings = settings.as_ref();
    let mut export = StoreExport { store: &store, file, areas: &areas, settings, max_bytes };
    let written = &mut |n: [usize; 2]| {
        if n[0].is_multiple_of(STEP) {
            entered(StoreExportPhase::Writing, n);
        }
    };
    let n_bytes = export.write(format, &target.path, written, report)?;
    Ok(Outcome::Written(usize::try_from(n_bytes).unwrap_or(usize::MAX)))
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        path::{Path, PathBuf},
        sync::{
            Arc,
            mpsc::{Receiver, sync_channel},
        },
    };

    use walkable::{
        bake::{BakeConfig, BakeSettings},
        diagnostic::Phrase,
        level::{LevelKind, generate},
        mesh::{BinnedLevel, BinnedWriter},
    };
    use walkable_workspace::whole_level::WholeLevel;

    use super::*;
    use crate::{
        jobs::{
            export::Consent,
            slot::{JobEvent, JobSlot},
            store_source::SourceFolders,
        },
        session::ExportKind,
    };

    fn level(folder: &Path) -> WholeLevel {
        let mut writer = BinnedWriter::new(Vec::new(), 8.0).unwrap();
        writer.add(&generate(LevelKind::Terrain, 3, 80.0).unwrap().mesh).unwrap();
        let (path, bytes) = (folder.join("world.tri"), writer.finish().unwrap());
        fs::write(&path, &bytes).unwrap();
        let hash = BinnedLevel::read(&mut std::io::Cursor::new(&bytes)).unwrap().hash();
        let settings = BakeSettings { tile_size: 16, ..BakeSettings::default() };
        let config = BakeConfig { settings, ..BakeConfig::default() };
        WholeLevel { path, hash, config, uses_cache: false }
    }

    fn request(level: &WholeLevel, format: ExportFormat, path: PathBuf) -> StoreExportRequest {
        let (kind, consent) = (ExportKind::Whole(format), Consent::Anything);
        let target =
            Target { kind, path, consent, sources: Vec::new(), losses: Vec::new(), agent: None };
        let source = StoreSource::Level(Box::new(level.clone()));
        let stores = level.path.parent().map(|folder| folder.join("levels"));
        let folders = SourceFolders { stores, cache: None };
        let resources = TaskResources { folders, ..TaskResources::default() };
        StoreExportRequest { source, format, areas: AreaTable::default(), target, resources }
    }

    fn slot() -> (JobSlot<StoreExportMessage>, Receiver<()>) {
        let (sender, wakes) = sync_channel(100_000);
        let wake = Arc::new(move || sender.try_send(()).unwrap_or_default());
        (JobSlot::new("test", wake), wakes)
    }

    fn start(slot: &mut JobSlot<StoreExportMessage>, request: StoreExportRequest) {
        slot.request(move |report| request.carry_out(report));
    }

    /// Waits until the job is done; returns the phases and the result.
    fn wait(
        slot: &mut JobSlot<StoreExportMessage>,
        wakes: &Receiver<()>,
    ) -> (Vec<StoreExportPhase>, Option<Result<usize, Phrase>>) {
        let (mut phases, mut result) = (Vec::new(), None);
        let mut events = slot.poll();
        while slot.has_thread() {
            wakes.recv().unwrap();
            events.extend(slot.poll());
        }
        for event in events {
            match event {
                JobEvent::Message(StoreExportMessage::Entered(now)) => phases.push(now.phase),
                JobEvent::Message(StoreExportMessage::Written(written)) => {
                    result = Some(written.result);
                }
                JobEvent::Message(StoreExportMessage::Asks(clash)) => panic!("{clash:?}"),
                JobEvent::Panicked(why) => panic!("{why}"),
                JobEvent::Finished => {}
            }
        }
        phases.dedup();
        (phases, result)
    }

    #[test]
    fn a_stopped_export_of_a_level_leaves_the_earlier_file_and_goes_on_later() {
        let folder = tempfile::tempdir().unwrap();
        let level = level(folder.path());
        let (mut slot, wakes) = slot();
        let path = folder.path().join("world.bin");
        fs::write(&path, "earlier").unwrap();
        start(&mut slot, request(&level, ExportFormat::Detour, path.clone()));
        let is_baking = |event: &JobEvent<StoreExportMessage>| matches!(event, JobEvent::Message(StoreExportMessage::Entered(now)) if now.n_done > 0);
        while !slot.poll().iter().any(is_baking) {
            wakes.recv().unwrap();
        }
        slot.cancel();
        assert_eq!(wait(&mut slot, &wakes), (Vec::new(), None));
        assert_eq!(fs::read(&path).unwrap(), b"earlier");
        let names = |folder: &Path| -> Vec<String> {
            let entries = fs::read_dir(folder).unwrap();
            let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let mut names: Vec<_> = names.collect();
            names.sort();
            names
        };
        assert_eq!(names(folder.path()), ["levels", "world.bin", "world.tri"]);

        let done = [StoreExportPhase::Baking, StoreExportPhase::Writing];
        start(&mut slot, request(&level, ExportFormat::Detour, path.clone()));
        let (phases, result) = wait(&mut slot, &wakes);
        assert_eq!(phases, done);
        assert_eq!(result, Some(Ok(fs::read(&path).unwrap().len())));
        let [store] = &names(&folder.path().join("levels"))[..] else { panic!("one store") };
        let store = folder.path().join("levels").join(store);
        let copy = folder.path().join("copy.tiles");
        start(&mut slot, request(&level, ExportFormat::TileStore, copy.clone()));
        assert!(wait(&mut slot, &wakes).1.is_some_and(|result| result.is_ok()));
        assert!(fs::read(copy).unwrap() == fs::read(store).unwrap());
    }

    #[test]
    fn without_a_folder_for_its_tiles_a_level_is_not_exported() {
        let folder = tempfile::tempdir().unwrap();
        let level = level(folder.path());
        let (mut slot, wakes) = slot();
        let path = folder.path().join("world.bin");
        let request = request(&level, ExportFormat::Detour, path.clone());
        start(&mut slot, StoreExportRequest { resources: TaskResources::default(), ..request });
        let why = lang::phrase(&wait(&mut slot, &wakes).1.unwrap().unwrap_err());
        assert!(why.contains("use walkable bake") && !path.exists(), "{why}");
    }
}

//! The open project file, and whether it contains all changes.

use std::path::{Path, PathBuf};

use walkable_workspace::{files::FileKind, project::Project};

use super::{Document, ExportKind, LevelSource, LoadedLevel, Session};

impl Session {
    /// Opens a project that was read from `path`, and its level. Clears the undo history.
    pub fn open_project(
        &mut self,
        level: LoadedLevel,
        project: Project,
        path: PathBuf,
        fingerprint: u64,
    ) {
        self.opened.level = None;
        self.open(level, None);
        let Project { document, look, ends, unsaved_of, on_disk, is_recovered, .. } = project;
        self.begin(document);
        self.shown.look = look;
        [self.path.start, self.path.end] = ends;
        self.update_path();
        if is_recovered {
            (self.project.path, self.project.on_disk) = (unsaved_of, on_disk);
            (self.project.saved, self.project.recovered) = (None, Some(path));
        } else {
            (self.project.path, self.project.on_disk) = (Some(path), Some(fingerprint));
        }
    }

    /// Opens the level and document of a repro file as a new, unsaved project. Clears the undo history.
    pub fn open_repro_level(&mut self, level: LoadedLevel, document: Document) {
        self.opened.level = None;
        self.open(level, None);
        self.begin(document);
        self.project.saved = None;
    }

    /// Returns the content for a project file; `None` without a level.
    pub fn to_project(&self) -> Option<Project> {
        let level = self.opened.level.as_ref()?.source.clone();
        let (document, look) = (self.document().clone(), self.shown.look);
        let part = self.world().map(|world| world.around);
        let ends = [self.path.start, self.path.end];
        let (unsaved_of, on_disk) = (None, None);
        Some(Project {
            level,
            document,
            look,
            part,
            ends,
            unsaved_of,
            on_disk,
            is_recovered: false,
        })
    }

    pub fn saved_to(&mut self, path: PathBuf, document: Document, fingerprint: u64) {
        (self.project.path, self.project.saved) = (Some(path), Some(document));
        self.project.on_disk = Some(fingerprint);
    }

    /// Returns whether something would be lost if the program ended now.
    pub fn is_unsaved(&self) -> bool {
        self.opened.level.is_some() && self.project.saved.as_ref() != Some(self.document())
    }

    /// Returns the file to open to restore this session: the project, else the level or the navmesh.
    pub fn source(&self) -> Option<LevelSource> {
        let project = self.project.path.clone().map(LevelSource::File);
        let level = || self.opened.level.as_ref().map(|level| level.source.clone());
        project.or_else(level).or_else(|| self.opened.imported.clone())
    }

    pub fn files_read(&self) -> Vec<PathBuf> {
        let file = |source: &LevelSource| match source {
            LevelSource::File(path) => Some(path.clone()),
            LevelSource::Builtin(_) => None,
        };
        let mut files: Vec<_> =
            self.project.path.iter().chain(&self.project.recovered).cloned().collect();
        files.extend(self.opened.imported.as_ref().and_then(file));
        if let Some(level) = &self.opened.level {
            files.extend(file(&level.source));
            files.extend(level.beside.iter().chain(&level.companions).cloned());
        }
        files
    }

    /// Returns the open files that an export of `kind` may not replace. A project, settings, scene or sorted level may
    /// replace a file of its own kind.
    pub fn protected_from(&self, kind: ExportKind) -> Vec<PathBuf> {
        let mut files = self.files_read();
        files.retain(|file| match kind {
            ExportKind::Project => Some(file) != self.project.path.as_ref(),
            ExportKind::Settings => FileKind::of_name(file) != Some(FileKind::Settings),
            ExportKind::Gset => FileKind::of_name(file) != Some(FileKind::Scene),
            // The open file may be written again from its pieces.
            ExportKind::Sorted => FileKind::of_name(file) != Some(FileKind::Triangles),
            ExportKind::Mesh(_)
            | ExportKind::AllAgents(_)
            | ExportKind::Whole(_)
            | ExportKind::Stage(_)
            | ExportKind::PathRepro
            | ExportKind::PlaceRepro
            | ExportKind::FindingScene
            | ExportKind::Report
            | ExportKind::ReportTable
            | ExportKind::Lab
            | ExportKind::Picture
            | ExportKind::Sweep
            | ExportKind::Suite
            | ExportKind::Layers => true,
        });
        files
    }

    /// Returns the name of the project file, else of the open level or navmesh.
    pub fn project_name(&self) -> Option<String> {
        let project = self.project.path.as_deref().and_then(Path::file_name);
        project.map(|name| name.to_string_lossy().into_owned()).or_else(|| self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_files_are_protected_except_from_their_own_kind() {
        let mut session = Session::default();
        session.project.path = Some("/a/yard.walkable".into());
        let is_protected = |session: &Session, kind| !session.protected_from(kind).is_empty();
        assert!(!is_protected(&session, ExportKind::Project));
        assert!(is_protected(&session, ExportKind::Report));
        session.project.path = None;
        session.opened.imported = Some(LevelSource::File("/a/yard.bin".into()));
        assert!(is_protected(&session, ExportKind::NAVMESH));
        assert!(is_protected(&session, ExportKind::Settings));
    }
}

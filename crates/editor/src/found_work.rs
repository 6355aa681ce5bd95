//! Unsaved work of runs that crashed: what it is, how old it is, what it changes.

use std::{
    path::{Path, PathBuf},
    time::SystemTime,
};

use crate::{
    document::Document, format, lang::tr, scene_files::read_project, session::LevelSource,
};

/// A recovery file of a crashed run.
#[derive(Clone, Debug)]
pub struct FoundWork {
    /// The recovery file.
    pub file: PathBuf,
    /// Name of the project or level; the path of the file if it cannot be read.
    pub name: String,
    /// The parts of the project that differ from the saved one, or from a new one if it was never saved.
    pub changes: Vec<&'static str>,
    /// Whether the project was saved before.
    pub was_saved: bool,
    written: Option<SystemTime>,
}

impl FoundWork {
    /// Reads a recovery file, and the project that it changes.
    pub fn read(file: &Path) -> Self {
        let written = std::fs::metadata(file).and_then(|metadata| metadata.modified()).ok();
        let project = read_project(file).ok();
        let saved = project.as_ref().and_then(|project| project.unsaved_of.clone());
        let name = project.as_ref().map(|project| match &saved {
            Some(of) => LevelSource::File(of.clone()).name(),
            None => project.level.name(),
        });
        let was_saved = saved.is_some();
        let before = saved.and_then(|of| read_project(&of).ok());
        let before = before.map(|project| project.document).unwrap_or_default();
        let changes = project.map(|project| changed_parts(&before, &project.document));
        Self {
            file: file.to_owned(),
            name: name.unwrap_or_else(|| file.display().to_string()),
            changes: changes.unwrap_or_default(),
            was_saved,
            written,
        }
    }

    /// How long ago the file was written, and its date.
    pub fn age(&self) -> Option<String> {
        let since = |time: SystemTime| time.duration_since(SystemTime::UNIX_EPOCH).ok();
        format::when(since(self.written?)?, since(SystemTime::now())?)
    }

    /// Whether the file still exists.
    pub fn is_there(&self) -> bool {
        self.file.is_file()
    }
}

/// Names of the parts of a document that differ.
fn changed_parts(old: &Document, new: &Document) -> Vec<&'static str> {
    let parts = [
        (tr!("bake settings"), old.settings != new.settings),
        ("agents", old.agents != new.agents),
        (tr!("jumps and drops"), old.jumps != new.jumps),
        (tr!("import options"), old.import != new.import),
        ("areas", old.areas != new.areas),
        ("volumes", old.volumes != new.volumes),
        (tr!("off-mesh links"), old.off_mesh != new.off_mesh),
        (tr!("objects and materials"), old.surfaces != new.surfaces),
        (tr!("bake boxes"), old.bounds != new.bounds),
        ("obstacles", old.obstacles != new.obstacles),
        (tr!("removed tiles"), old.removed_tiles != new.removed_tiles),
        (tr!("painted polygons"), old.strokes != new.strokes),
        ("islands", old.islands != new.islands),
        ("presets", old.presets != new.presets),
        ("paths", old.paths != new.paths),
        (tr!("path filter"), old.path_filter != new.path_filter),
        ("places", old.places != new.places),
        (tr!("path tests"), old.path_tests != new.path_tests),
        ("crowd", old.crowd != new.crowd),
        ("views", old.views != new.views),
        (tr!("limits of the profile"), old.budgets != new.budgets),
    ];
    parts.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::edits;

    #[test]
    fn every_edit_of_a_document_is_a_changed_part() {
        let old = Document::default();
        for edit in edits() {
            let mut new = old.clone();
            edit.clone().apply(&mut new);
            assert_eq!(old == new, changed_parts(&old, &new).is_empty(), "{edit:?}");
        }
    }
}

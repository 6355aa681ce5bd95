//! Unsaved work of runs that crashed: what it is, how old it is, what it changes.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    time::SystemTime,
};

use walkable::bake::PARAMS;

use crate::{
    document::{Document, Named},
    format,
    lang::tr,
    scene_files::read_project,
    session::{LevelSource, SceneItem},
    text,
};

/// Maximum number of differences that are listed for each part.
const MAX_DETAILS: usize = 12;

/// A recovery file of a crashed run.
#[derive(Clone, Debug)]
pub struct FoundWork {
    /// The recovery file.
    pub file: PathBuf,
    /// Name of the project or level; the path of the file if it cannot be read.
    pub name: String,
    /// Whether the project was saved before.
    pub was_saved: bool,
    /// The saved project, or a new one if it was never saved, and the recovered one.
    documents: Option<Box<[Document; 2]>>,
    /// The parts of the project that differ.
    changed: Vec<&'static Part>,
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
        let documents = project.map(|project| Box::new([before, project.document]));
        Self {
            file: file.to_owned(),
            name: name.unwrap_or_else(|| file.display().to_string()),
            was_saved,
            changed: documents.as_deref().map_or_else(Vec::new, changed_parts),
            documents,
            written,
        }
    }

    /// Names of the parts of the project that differ from the saved one, or from a new one if it was never saved.
    pub fn changes(&self) -> impl Iterator<Item = &'static str> {
        self.changed.iter().map(|part| tr(part.name))
    }

    /// Names of the parts that differ, each with the differences in words.
    pub fn comparison(&self) -> Vec<(&'static str, Vec<String>)> {
        let Some([old, new]) = self.documents.as_deref() else { return Vec::new() };
        let lines = |part: &&'static Part| {
            let mut lines = (part.details)(old, new);
            let n_more = lines.len().saturating_sub(MAX_DETAILS);
            lines.truncate(MAX_DETAILS);
            lines.extend((n_more > 0).then(|| tr!("and {n_more} more")));
            (tr(part.name), lines)
        };
        self.changed.iter().map(lines).collect()
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

/// A part of a document: its name, whether it differs between two documents, and the differences in words.
#[derive(Debug)]
struct Part {
    name: &'static str,
    differs: fn(&Document, &Document) -> bool,
    details: fn(&Document, &Document) -> Vec<String>,
}

/// The part of a document that a field holds.
macro_rules! part {
    ($name:expr, $($field:ident).+, $details:expr) => {
        Part {
            name: $name,
            differs: |old, new| old.$($field).+ != new.$($field).+,
            details: $details,
        }
    };
}

static PARTS: [Part; 21] = [
    part!(text!("bake settings"), settings, setting_lines),
    part!(text!("agents"), agents, agent_lines),
    part!(text!("jumps and drops"), jumps, |_, _| Vec::new()),
    part!(text!("import options"), import, |_, _| Vec::new()),
    part!(text!("areas"), areas, |_, _| Vec::new()),
    part!(text!("volumes"), volumes, |old, new| {
        named_lines([old, new], &old.volumes, &new.volumes, SceneItem::Volume)
    }),
    part!(text!("off-mesh links"), off_mesh, |old, new| {
        named_lines([old, new], &old.off_mesh, &new.off_mesh, SceneItem::Link)
    }),
    part!(text!("objects and materials"), surfaces, |old, new| {
        vec![count_line(old.surfaces.len(), new.surfaces.len())]
    }),
    part!(text!("bake boxes"), bounds, |old, new| {
        named_lines([old, new], &old.bounds, &new.bounds, SceneItem::Bound)
    }),
    part!(text!("obstacles"), obstacles, |old, new| {
        named_lines([old, new], &old.obstacles.list, &new.obstacles.list, SceneItem::Obstacle)
    }),
    part!(text!("removed tiles"), removed_tiles, |old, new| {
        vec![count_line(old.removed_tiles.len(), new.removed_tiles.len())]
    }),
    part!(text!("painted polygons"), strokes, |old, new| {
        vec![count_line(old.strokes.len(), new.strokes.len())]
    }),
    part!(text!("islands"), islands, |_, _| Vec::new()),
    part!(text!("presets"), presets, |old, new| {
        let names = |document: &Document| -> Vec<String> {
            document.presets.iter().map(|preset| preset.name.clone()).collect()
        };
        set_lines(&names(old), &names(new))
    }),
    part!(text!("paths"), paths, |old, new| {
        named_lines([old, new], &old.paths, &new.paths, SceneItem::Path)
    }),
    part!(text!("path filter"), path_filter, |_, _| Vec::new()),
    part!(text!("places"), places, |old, new| {
        named_lines([old, new], &old.places, &new.places, SceneItem::Place)
    }),
    part!(text!("path tests"), path_tests, |old, new| {
        vec![count_line(old.path_tests.len(), new.path_tests.len())]
    }),
    part!(text!("crowd"), crowd, |old, new| vec![count_line(old.crowd.len(), new.crowd.len())]),
    part!(text!("views"), views, |old, new| {
        named_lines([old, new], &old.views, &new.views, SceneItem::View)
    }),
    part!(text!("limits of the profile"), budgets, |_, _| Vec::new()),
];

fn from_to(old: &str, new: &str) -> String {
    tr!("{old}, now {new}")
}

/// Says how many items a list had and has.
fn count_line(old: usize, new: usize) -> String {
    if old == new {
        return tr!("{} items, some of them changed", format::count(new));
    }
    from_to(&format::count(old), &format::count(new))
}

/// The settings that differ, with both values.
fn setting_lines(old: &Document, new: &Document) -> Vec<String> {
    let changed = PARAMS.iter().filter_map(|param| {
        let values = [old, new].map(|document| param.get(&document.settings));
        let [old, new] = values.map(|value| format::setting(param, value));
        (values[0] != values[1]).then(|| format!("{}: {}", tr(param.label), from_to(&old, &new)))
    });
    changed.collect()
}

/// The agents that were added, removed or changed.
fn agent_lines(old: &Document, new: &Document) -> Vec<String> {
    let names = |document: &Document| -> Vec<String> {
        document.agents.list.iter().map(|agent| agent.name.clone()).collect()
    };
    let mut lines = set_lines(&names(old), &names(new));
    let changed = new.agents.list.iter().filter(|agent| {
        let mut before = old.agents.list.iter();
        before.any(|old| old.name == agent.name && old != *agent)
    });
    lines.extend(changed.map(|agent| tr!("Changed: {}", agent.name)));
    lines
}

/// The names that were added and removed.
fn set_lines(old: &[String], new: &[String]) -> Vec<String> {
    let added = new.iter().filter(|name| !old.contains(name)).map(|name| tr!("Added: {name}"));
    let removed = old.iter().filter(|name| !new.contains(name)).map(|name| tr!("Removed: {name}"));
    added.chain(removed).collect()
}

/// The objects that were added, removed or changed. An object keeps its number.
fn named_lines<T: PartialEq>(
    [old_document, new_document]: [&Document; 2],
    old: &[Named<T>],
    new: &[Named<T>],
    item: fn(usize) -> SceneItem,
) -> Vec<String> {
    let before: BTreeMap<u32, &Named<T>> = old.iter().map(|one| (one.number, one)).collect();
    let after: BTreeSet<u32> = new.iter().map(|one| one.number).collect();
    let mut lines = vec![from_to(&format::count(old.len()), &format::count(new.len()))];
    for (index, one) in new.iter().enumerate() {
        let name = item(index).name(new_document);
        match before.get(&one.number) {
            None => lines.push(tr!("Added: {name}")),
            Some(old) if *old != one => lines.push(tr!("Changed: {name}")),
            Some(_) => {}
        }
    }
    for (index, one) in old.iter().enumerate() {
        if !after.contains(&one.number) {
            lines.push(tr!("Removed: {}", item(index).name(old_document)));
        }
    }
    lines
}

/// The parts that differ.
fn changed_parts([old, new]: &[Document; 2]) -> Vec<&'static Part> {
    PARTS.iter().filter(|part| (part.differs)(old, new)).collect()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::{
        session::{SavedPlace, new_link, with_link},
        testing::edits,
    };

    #[test]
    fn every_edit_of_a_document_is_a_changed_part() {
        let old = Document::default();
        for edit in edits() {
            let mut new = old.clone();
            edit.clone().apply(&mut new);
            let is_same = old == new;
            let changed = changed_parts(&[old.clone(), new]);
            assert_eq!(is_same, changed.is_empty(), "{edit:?}");
        }
    }

    #[test]
    fn differences_are_said_in_words() {
        let mut old = Document::default();
        for x in [1.0, 2.0] {
            let (edit, _) = with_link(&old, new_link(&old, Vec3::ZERO, Vec3::X * x));
            edit.apply(&mut old);
        }
        old.complete();
        let mut new = old.clone();
        new.settings.agent_radius = 0.8;
        new.off_mesh[1].end = Vec3::Z;
        new.off_mesh.remove(0);
        new.places.push(SavedPlace { at: Vec3::Y }.into());
        new.places[0].name = "Well".to_owned();
        new.complete();
        let documents = [old, new];
        let work = FoundWork {
            file: PathBuf::new(),
            name: String::new(),
            was_saved: true,
            changed: changed_parts(&documents),
            documents: Some(Box::new(documents)),
            written: None,
        };
        let lines: Vec<_> = work
            .comparison()
            .into_iter()
            .map(|(part, lines)| format!("{part}: {}", lines.join("; ")))
            .collect();
        let expected = [
            "bake settings: Radius: 0.6 m, now 0.8 m",
            "off-mesh links: 2, now 1; Changed: Off-mesh link 2; Removed: Off-mesh link 1",
            "places: 0, now 1; Added: Well",
        ];
        assert_eq!(lines, expected);
        let changes: Vec<_> = work.changes().collect();
        assert_eq!(changes, ["bake settings", "off-mesh links", "places"]);
    }
}

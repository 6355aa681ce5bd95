//! Suite files: path tests as text, and the test cases of RecastDemo.
//!
//! A suite file begins with `walkable_suite 1`. Each further line is a keyword and its values; `#` begins a comment.
//! Names are quoted, or go on to the end of the line. `level FILE` and `settings FILE` name the level and its settings
//! relative to the suite file. `path NAME` or `ray NAME` begins a case, and the lines up to the next one belong to it:
//!
//! | line | meaning |
//! |---|---|
//! | `start X Y Z`, `end X Y Z` | ends of the query |
//! | `expect reachable` | a complete path; also `partial`, `not_reachable` |
//! | `length VALUE TOLERANCE`, `cost VALUE TOLERANCE` | length in meters, and cost |
//! | `pass volume "NAME"`, `pass volume NUMBER`, `pass area AREA` | what the path must pass |
//! | `avoid …` | what the path must not pass |
//! | `use link any`, `use link USER_ID`, `avoid link …` | off-mesh links |
//! | `max_ms NUMBER` | maximum time of the search |
//! | `include FLAGS`, `exclude FLAGS`, `area_cost AREA COST` | query filter |
//! | `agent NAME` | the agent on whose navmesh the case runs |

mod recast_demo;
mod text;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use walkable::suite::PathCase;

use crate::{
    document::LevelSource,
    files::{self, FileKind, Format, RemotePath},
    project::relative,
    references,
    scene_files::mesh_file,
};

pub const MAX_CASES: usize = 10_000;
/// Maximum number of expectations or area costs of a case.
pub const MAX_LINES_OF_CASE: usize = 64;
/// Maximum length of a name or path, in bytes.
pub const MAX_NAME_BYTES: usize = 4096;
/// Folder with the levels of RecastDemo, seen from the folder with its test cases.
const RECAST_DEMO_LEVELS: &str = "../Meshes";
/// Prefix of the name of a built-in level.
const BUILTIN: &str = "builtin:";

#[derive(Clone, Debug, Default, PartialEq)]
pub struct SuiteFile {
    /// The level on which the cases run: a level, project or navmesh, or `builtin:NAME`.
    pub level: Option<String>,
    pub settings: Option<String>,
    pub cases: Vec<PathCase>,
    /// Number of rows that are not test cases; RecastDemo ignores them, too.
    pub n_ignored: usize,
}

impl SuiteFile {
    /// Parses a suite file. Errors name the line and the word.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        text::parse(text)
    }

    /// Parses RecastDemo's test cases, which have no expectations. Errors name the line and the word.
    pub fn parse_test_cases(text: &str) -> anyhow::Result<Self> {
        recast_demo::parse(text)
    }

    pub fn to_text(&self) -> String {
        text::write(self)
    }

    /// Reads a suite file, or RecastDemo's test cases. Errors name the file, the line and the word.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let is_test_cases = FileKind::read(path).is_ok_and(|kind| kind == FileKind::TestCases);
        let text = files::read_text(path, Format::Suite)?;
        let parsed = if is_test_cases { Self::parse_test_cases(&text) } else { Self::parse(&text) };
        let suite = parsed.with_context(|| path.display().to_string())?;
        // Also if the command line names others.
        if let Ok(Some(LevelSource::File(level))) = suite.level_source(path) {
            references::declare_file(&level)?;
        }
        if let Ok(Some(settings)) = suite.settings_file(path) {
            references::declare_file(&settings)?;
        }
        Ok(suite)
    }

    /// Returns the level that the suite file at `path` names.
    pub fn level_source(&self, path: &Path) -> Result<Option<LevelSource>, RemotePath> {
        let Some(level) = &self.level else { return Ok(None) };
        if let Some(name) = level.strip_prefix(BUILTIN) {
            return Ok(Some(LevelSource::Builtin(name.to_owned())));
        }
        let beside = mesh_file(path, level)?;
        let in_recast_demo = Path::new(RECAST_DEMO_LEVELS).join(level);
        let in_recast_demo = files::named_in(&files::folder_of(path), &in_recast_demo);
        let is_there = files::is_file(&beside) || !files::is_file(&in_recast_demo);
        Ok(Some(LevelSource::File(if is_there { beside } else { in_recast_demo })))
    }

    /// Returns the text that names `level` in a suite file in `folder`; `None` if the path is not UTF-8.
    pub fn level_for(level: &LevelSource, folder: &Path) -> Option<String> {
        match level {
            LevelSource::Builtin(name) => Some(format!("{BUILTIN}{name}")),
            LevelSource::File(path) => relative(path, folder).to_str().map(str::to_owned),
        }
    }

    /// Returns the settings file that the suite file at `path` names.
    pub fn settings_file(&self, path: &Path) -> Result<Option<PathBuf>, RemotePath> {
        let named = |settings: &String| files::named_by(path, Path::new(settings));
        self.settings.as_ref().map(named).transpose()
    }
}

/// Checks that a suite has no more cases than allowed after one more is added.
fn check_n_cases(n_cases: usize) -> anyhow::Result<()> {
    ensure!(n_cases < MAX_CASES, "a suite has at most {MAX_CASES} cases; split it");
    Ok(())
}

fn check_name(name: &str) -> anyhow::Result<()> {
    let n_bytes = name.len();
    ensure!(n_bytes <= MAX_NAME_BYTES, "a name has {n_bytes} bytes, more than {MAX_NAME_BYTES}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_found_beside_the_suite_and_where_recast_demo_has_them() {
        let folder = tempfile::tempdir().unwrap();
        let cases = folder.path().join("TestCases");
        let levels = folder.path().join("Meshes");
        for folder in [&cases, &levels] {
            std::fs::create_dir(folder).unwrap();
        }
        let path = cases.join("test.txt");
        let suite =
            |level: &str| SuiteFile { level: Some(level.to_owned()), ..SuiteFile::default() };
        let source = |level: &str| suite(level).level_source(&path).unwrap().unwrap();
        assert_eq!(source("builtin:sample"), LevelSource::Builtin("sample".to_owned()));
        assert_eq!(source("yard.obj"), LevelSource::File(cases.join("yard.obj")));
        std::fs::write(levels.join("yard.obj"), "").unwrap();
        assert_eq!(source("yard.obj"), LevelSource::File(cases.join("../Meshes/yard.obj")));
        std::fs::write(cases.join("yard.obj"), "").unwrap();
        assert_eq!(source("yard.obj"), LevelSource::File(cases.join("yard.obj")));
        assert_eq!(SuiteFile::default().level_source(&path), Ok(None));
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("yard.suite");
        std::fs::write(&path, "walkable_suite 1\njump 3\n").unwrap();
        let why = format!("{:#}", SuiteFile::read(&path).unwrap_err());
        assert!(why.contains("yard.suite: line 2: unknown \"jump\""), "{why}");
    }
}

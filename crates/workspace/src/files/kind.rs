//! The kinds of files that the program reads, recognized by their content, or else by their extension.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use walkable::{
    bake::PARAMS,
    mesh::{BinnedLevel, LevelFormat},
    navmesh::NavMesh,
    store::TileStore,
};

use super::{
    endings,
    input::{self, Format},
};
use crate::table;

const START_BYTES: u64 = 4096;

pub const REPRO_ENDING: &str = "repro";

struct Row {
    name: &'static str,
    /// File extensions, in lower case and without the dot.
    endings: &'static [&'static str],
    format: Format,
    is_start: fn(&Start<'_>) -> bool,
}

table! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum FileKind of Row {
        + Level(LevelFormat) by level_row;
        Project {
            name: "a project",
            endings: &[endings::PROJECT],
            format: Format::Project,
            is_start: |start| start.is_json_with("\"walkable_project\""),
        }
        /// A level or a navmesh with a query and its result.
        Repro {
            name: "a repro file",
            endings: &[REPRO_ENDING],
            format: Format::Repro,
            is_start: |start| start.is_json_with("\"walkable_repro\""),
        }
        Suite {
            name: "a path suite",
            endings: &["suite"],
            format: Format::Suite,
            is_start: |start| start.words.first() == Some(&"walkable_suite"),
        }
        /// Test cases of `RecastDemo`, in a `.txt` file. Their first lines may look like those of a scene.
        TestCases {
            name: "a test case file of RecastDemo",
            endings: &[],
            format: Format::Suite,
            is_start: |start| start.is_test_cases(),
        }
        Scene {
            name: "a .gset file",
            endings: &["gset"],
            format: Format::Scene,
            is_start: |start| start.is_scene(),
        }
        /// Spatially sorted triangles, for levels larger than memory.
        Triangles {
            name: "a file of sorted triangles",
            endings: &["tri"],
            format: Format::Level,
            is_start: |start| BinnedLevel::is_start(start.bytes),
        }
        /// Baked tiles: a set, a single tile, or a map of TrinityCore.
        Navmesh {
            name: "a navmesh",
            endings: &["bin", "tile", "navmesh", "mmap", "mmtile"],
            format: Format::Navmesh,
            is_start: |start| NavMesh::is_start(start.bytes),
        }
        /// Baked tiles in a file that is read tile by tile.
        TileStore {
            name: "a tile store",
            endings: &[endings::TILE_STORE],
            format: Format::Navmesh,
            is_start: |start| TileStore::is_start(start.bytes),
        }
        Layers {
            name: "a navmesh of tile cache layers",
            endings: &["tset"],
            format: Format::Navmesh,
            is_start: |start| start.bytes.starts_with(b"TEST"),
        }
        /// Bake settings, with areas, volumes and off-mesh links.
        Settings {
            name: "a settings file",
            endings: &["cfg"],
            format: Format::Settings,
            is_start: |start| start.is_settings(),
        }
        GridMap {
            name: "a grid map",
            endings: &["map"],
            format: Format::Map,
            is_start: |start| start.words.first() == Some(&"type"),
        }
        GridScenario {
            name: "a scenario of a grid map",
            endings: &["scen"],
            format: Format::Scenario,
            is_start: |start| start.is_scenario(),
        }
        VolumeMap {
            name: "a voxel map",
            endings: &["3dmap"],
            format: Format::Map,
            is_start: |start| start.words.first() == Some(&"voxel"),
        }
        PolygonMesh {
            name: "a polygon mesh",
            endings: &["mesh"],
            format: Format::Map,
            is_start: |start| start.words == ["mesh"],
        }
        VolumeScenario {
            name: "a scenario of a voxel map",
            endings: &["3dscen"],
            format: Format::Scenario,
            is_start: |start| start.is_scenario(),
        }
    }
}

const fn level_row(format: LevelFormat) -> Row {
    Row {
        name: format.file(),
        endings: format.extensions(),
        format: Format::LevelFile(format),
        is_start: |_| false,
    }
}

impl FileKind {
    /// Returns the kind of the file `path`, which begins with `start`. The content decides. If it fits several kinds or
    /// none, the extension decides. `None` if neither is known.
    pub fn of(path: &Path, start: &[u8]) -> Option<Self> {
        let start = Start::of(start);
        let fits = |kind: &&Self| match kind {
            Self::Level(format) => format.is_start(start.bytes),
            plain => (plain.row().is_start)(&start),
        };
        let named = Self::of_name(path);
        let by_both = named.filter(|kind| fits(&kind));
        by_both.or_else(|| Self::ALL.iter().find(fits).copied()).or(named)
    }

    pub fn of_name(path: &Path) -> Option<Self> {
        let ending = path.extension()?;
        let has = |kind: &&Self| kind.endings().iter().any(|end| ending.eq_ignore_ascii_case(end));
        Self::ALL.iter().find(has).copied()
    }

    /// Returns whether the extension is that of a piece. Pieces are all kinds of levels except files of sorted
    /// triangles, which are made from pieces.
    pub fn is_piece_name(path: &Path) -> bool {
        let kind = Self::of_name(path);
        kind.is_some_and(|kind| kind.format().is_level() && kind != Self::Triangles)
    }

    /// Returns the one of several files passed together that is opened: a project, scene or scenario before the level that
    /// it names, a glTF file before its buffers, a level before its settings. `None` without files.
    pub fn first_to_open(paths: &[PathBuf]) -> Option<&PathBuf> {
        paths.iter().min_by_key(|path| Self::of_name(path).map_or(u8::MAX, Self::opening_rank))
    }

    const fn opening_rank(self) -> u8 {
        match self {
            Self::Project | Self::Repro => 0,
            Self::Scene | Self::GridScenario | Self::VolumeScenario => 1,
            Self::Level(LevelFormat::Gltf) => 2,
            Self::Level(_)
            | Self::Triangles
            | Self::Navmesh
            | Self::TileStore
            | Self::Layers
            | Self::GridMap
            | Self::VolumeMap
            | Self::PolygonMesh => 3,
            Self::Suite | Self::TestCases | Self::Settings => 4,
        }
    }

    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let start = input::read_start(path, START_BYTES)?;
        let kind = Self::of(path, &start).ok_or_else(|| UnknownKind { path: path.to_owned() });
        Ok(kind?)
    }

    /// Returns the name of the kind, with its article.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    pub const fn endings(self) -> &'static [&'static str] {
        self.row().endings
    }

    pub const fn format(self) -> Format {
        self.row().format
    }
}

/// Lists all kinds with their extensions, as in "a project (.walkable), an OBJ file (.obj)".
pub fn known_kinds() -> String {
    let kind = |kind: &FileKind| {
        let endings: Vec<_> = kind.endings().iter().map(|ending| format!(".{ending}")).collect();
        match &endings[..] {
            [] => kind.name().to_owned(),
            endings => format!("{} ({})", kind.name(), endings.join(", ")),
        }
    };
    FileKind::ALL.iter().map(kind).collect::<Vec<_>>().join(", ")
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct UnknownKind {
    pub path: PathBuf,
}

impl fmt::Display for UnknownKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, known) = (self.path.display(), known_kinds());
        write!(f, "cannot tell what {path} is by its content or its name; known are: {known}")
    }
}

struct Start<'a> {
    bytes: &'a [u8],
    /// The longest prefix that is valid UTF-8.
    text: &'a str,
    /// Words of the first line that is neither blank nor a comment.
    words: Vec<&'a str>,
}

impl<'a> Start<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            // A character cut off at the end is ignored.
            Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
        };
        let mut lines = text.lines().map(str::trim);
        let line = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
        Self { bytes, text, words: line.unwrap_or_default().split_whitespace().collect() }
    }

    fn is_json_with(&self, key: &str) -> bool {
        self.text.trim_start().starts_with('{') && self.text.contains(key)
    }

    /// Returns whether the file begins like a scene: with the name of a level where an OBJ file would have numbers.
    fn is_scene(&self) -> bool {
        match self.words[..] {
            ["f", file, ..] => !file.starts_with(|c: char| c.is_ascii_digit() || c == '-'),
            ["s", _, ..] => self.words.len() > 10,
            _ => false,
        }
    }

    /// Returns whether the file begins like a list of test cases: with a query after lines that a scene may have, too.
    fn is_test_cases(&self) -> bool {
        let is_query = |line: &str| {
            let mut words = line.split_whitespace();
            matches!(words.next(), Some("pf" | "rc")) && words.count() == 8
        };
        matches!(self.words.first(), Some(&("s" | "f" | "pf" | "rc")))
            && self.text.lines().any(is_query)
    }

    fn is_settings(&self) -> bool {
        let first = self.words.first().and_then(|word| word.split('=').next());
        let is_key = |key: &str| PARAMS.iter().any(|param| param.key == key);
        first.is_some_and(is_key)
    }

    fn is_scenario(&self) -> bool {
        matches!(self.words[..], ["version", number] if number.parse::<f32>().is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str, start: &str) -> Option<FileKind> {
        FileKind::of(Path::new(name), start.as_bytes())
    }

    #[test]
    fn content_counts_more_than_the_name() {
        for (start, expected) in [
            ("{\n  \"walkable_project\": 3,", FileKind::Project),
            ("{\n  \"walkable_repro\": 1,", FileKind::Repro),
            ("{\"asset\": {\"version\": \"2.0\"}}", FileKind::Level(LevelFormat::Gltf)),
            ("glTF\u{2}\0\0\0", FileKind::Level(LevelFormat::Gltf)),
            ("# exported\n\nv 1 2 3\n", FileKind::Level(LevelFormat::Obj)),
            ("\u{feff}mtllib yard.mtl\r\n", FileKind::Level(LevelFormat::Obj)),
            ("ply\r\nformat binary_big_endian 1.0\r\n", FileKind::Level(LevelFormat::Ply)),
            ("solid yard\n facet normal 0 0 0\n", FileKind::Level(LevelFormat::Stl)),
            ("f nav_test.obj\n", FileKind::Scene),
            ("s Solo Mesh\nf nav_test.obj\npf 1 2 3 4 5 6 0x3 0x0\n", FileKind::TestCases),
            ("f nav_test.obj\nrc 1 2 3 4 5 6 0x3 0x0\n", FileKind::TestCases),
            ("# of the yard\nwalkable_suite 1\n", FileKind::Suite),
            ("s 0.3 0.2 2 0.6 0.9 45 8 20 12 1.3 6 6 1 0\n", FileKind::Scene),
            ("TESM\u{1}\0\0\0", FileKind::Navmesh),
            ("VAND\u{7}\0\0\0", FileKind::Navmesh),
            ("PAMM\u{7}\0\0\0", FileKind::Navmesh),
            ("TEST\u{1}\0\0\0", FileKind::Layers),
            ("WTST\u{1}\0\0\0", FileKind::TileStore),
            ("WTRI\u{1}\0\0\0", FileKind::Triangles),
            ("# for the yard\nagent_radius = 0.4\n", FileKind::Settings),
            ("cell_size=0.3\n", FileKind::Settings),
            ("type octile\nheight 4\n", FileKind::GridMap),
            ("voxel 4 4 4\n", FileKind::VolumeMap),
            ("mesh\n2\n4 1\n", FileKind::PolygonMesh),
        ] {
            for name in ["a", "a.obj", "a.bin", "a.odd"] {
                assert_eq!(kind(name, start), Some(expected), "{start:?} as {name}");
            }
        }
    }

    #[test]
    fn the_name_decides_where_the_content_does_not() {
        assert_eq!(kind("a.SCEN", "version 1\n"), Some(FileKind::GridScenario));
        assert_eq!(kind("a.3dscen", "version 1\n"), Some(FileKind::VolumeScenario));
        for &known in FileKind::ALL {
            for ending in known.endings() {
                assert_eq!(kind(&format!("a.{ending}"), ""), Some(known));
                assert_eq!(kind(&format!("a.{}", ending.to_uppercase()), "?"), Some(known));
            }
        }
        for nothing in ["", "hello", "f 1 2 3", "{}", "\0\0\0\0"] {
            assert_eq!(kind("a.odd", nothing), None, "{nothing:?}");
        }
    }

    #[test]
    fn of_several_files_the_one_that_names_the_others_is_opened() {
        for (names, opened) in [
            (&["yard.obj", "yard.cfg", "yard.walkable"][..], "yard.walkable"),
            (&["yard.obj", "yard.gset"], "yard.gset"),
            (&["yard.bin", "yard.gltf"], "yard.gltf"),
            (&["arena.map", "arena.map.scen"], "arena.map.scen"),
            (&["yard.suite", "yard.cfg", "wall.png", "yard.ply"], "yard.ply"),
            (&["yard.mtl", "yard.STL"], "yard.STL"),
            (&["yard.cfg", "yard.tiles"], "yard.tiles"),
            (&["notes", "yard.tri"], "yard.tri"),
            (&["b.obj", "a.obj"], "b.obj"),
            (&["notes"], "notes"),
        ] {
            let paths: Vec<_> = names.iter().map(PathBuf::from).collect();
            let first = FileKind::first_to_open(&paths).map(PathBuf::as_path);
            assert_eq!(first, Some(Path::new(opened)), "{names:?}");
        }
        assert_eq!(FileKind::first_to_open(&[]), None);
    }

    #[test]
    fn an_unknown_cause_is_reported_with_the_known_facts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        std::fs::write(&path, "buy milk").unwrap();
        let why = FileKind::read(&path).unwrap_err().to_string();
        assert!(why.contains("notes.txt") && why.contains("an OBJ file (.obj)"), "{why}");
    }
}

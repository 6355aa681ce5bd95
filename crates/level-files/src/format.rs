//! The formats of level files: each is a row here and a module with its reader.

use std::path::Path;

use crate::{
    GltfError, LevelFile, LevelReading, ObjError, PlyError, SideFile, StlError, read_gltf_within,
    read_obj_within, read_ply_within, read_stl_within,
};

/// A format of level files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelFormat {
    /// Wavefront OBJ, with material files.
    Obj,
    /// glTF 2.0, as JSON or binary (GLB).
    Gltf,
    /// PLY, text or binary.
    Ply,
    /// STL, text or binary. A binary file is recognized by its extension only.
    Stl,
}

struct Row {
    name: &'static str,
    /// With its article.
    file: &'static str,
    extensions: &'static [&'static str],
    is_start: fn(&[u8]) -> bool,
    memory_per_byte: u64,
    read: fn(&[u8], &SideFile<'_>, LevelReading) -> Result<LevelFile, LevelFileError>,
}

impl LevelFormat {
    /// All formats.
    pub const ALL: &[Self] = &[Self::Obj, Self::Gltf, Self::Ply, Self::Stl];

    const fn row(self) -> Row {
        match self {
            Self::Obj => Row {
                name: "OBJ",
                file: "an OBJ file",
                extensions: &["obj"],
                is_start: |start| is_obj(&first_words(start)),
                memory_per_byte: 6,
                read: |bytes, side_file, reading| Ok(read_obj_within(bytes, side_file, reading)?),
            },
            Self::Gltf => Row {
                name: "glTF",
                file: "a glTF file",
                extensions: &["glb", "gltf"],
                is_start: is_gltf,
                memory_per_byte: 5,
                read: |bytes, side_file, reading| Ok(read_gltf_within(bytes, side_file, reading)?),
            },
            Self::Ply => Row {
                name: "PLY",
                file: "a PLY file",
                extensions: &["ply"],
                is_start: |start| first_words(start).first() == Some(&&b"ply"[..]),
                memory_per_byte: 5,
                read: |bytes, _, reading| Ok(read_ply_within(bytes, reading)?),
            },
            Self::Stl => Row {
                name: "STL",
                file: "an STL file",
                extensions: &["stl"],
                is_start: |start| {
                    first_words(start)
                        .first()
                        .is_some_and(|word| word.eq_ignore_ascii_case(b"solid"))
                },
                memory_per_byte: 4,
                read: |bytes, _, reading| Ok(read_stl_within(bytes, reading)?),
            },
        }
    }

    /// Returns the format of the file at `path`, which begins with `start`. If neither its content nor its extension is
    /// that of one, returns `None`.
    #[must_use]
    pub fn of(path: &Path, start: &[u8]) -> Option<Self> {
        let by_content = Self::ALL.iter().find(|format| format.is_start(start)).copied();
        by_content.or_else(|| Self::of_extension(path.extension()?.to_str()?))
    }

    /// Returns the format whose files have this extension, without the dot, in upper or lower case.
    #[must_use]
    pub fn of_extension(extension: &str) -> Option<Self> {
        let has = |format: &&Self| {
            format.extensions().iter().any(|known| known.eq_ignore_ascii_case(extension))
        };
        Self::ALL.iter().find(has).copied()
    }

    /// Returns the name, such as "glTF".
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns what a file is called, such as "a glTF file".
    #[must_use]
    pub const fn file(self) -> &'static str {
        self.row().file
    }

    /// Returns the extensions of its files, in lower case and without the dot.
    #[must_use]
    pub const fn extensions(self) -> &'static [&'static str] {
        self.row().extensions
    }

    /// Lists the names of all formats.
    #[must_use]
    pub fn names() -> String {
        Self::ALL.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ")
    }

    /// Returns whether a file that begins with `start` is of this format, judged by its content alone.
    #[must_use]
    pub fn is_start(self, start: &[u8]) -> bool {
        (self.row().is_start)(start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start))
    }

    /// Returns how many bytes of memory reading takes per byte of the file. Measured with the densest files that tools
    /// write; for denser files, the readers themselves limit the memory.
    #[must_use]
    pub const fn memory_per_byte(self) -> u64 {
        self.row().memory_per_byte
    }

    /// Reads a file of this format. `side_file` loads the files that it refers to by their names.
    ///
    /// # Errors
    /// Returns why `bytes` are no file of this format, or what they need more memory for.
    pub fn read(
        self,
        bytes: &[u8],
        side_file: &SideFile<'_>,
        reading: LevelReading,
    ) -> Result<LevelFile, LevelFileError> {
        (self.row().read)(bytes, side_file, reading)
    }
}

/// Why bytes are not a readable level file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub enum LevelFileError {
    /// Of an OBJ file.
    Obj(#[from] ObjError),
    /// Of a glTF file.
    Gltf(#[from] GltfError),
    /// Of a PLY file.
    Ply(#[from] PlyError),
    /// Of an STL file.
    Stl(#[from] StlError),
}

/// Returns the words of the first line that is neither blank nor a comment.
fn first_words(start: &[u8]) -> Vec<&[u8]> {
    let mut lines = start.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let line = lines.find(|line| !line.is_empty() && !line.starts_with(b"#")).unwrap_or_default();
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect()
}

fn is_obj(words: &[&[u8]]) -> bool {
    match words {
        [b"v", x, _, _, ..] => {
            std::str::from_utf8(x).is_ok_and(|number| number.parse::<f32>().is_ok())
        }
        [b"vn" | b"vt" | b"o" | b"g" | b"mtllib" | b"usemtl", _, ..] => true,
        _ => false,
    }
}

fn is_gltf(start: &[u8]) -> bool {
    let is_json = start.trim_ascii_start().starts_with(b"{");
    start.starts_with(b"glTF")
        || is_json && start.windows(b"\"asset\"".len()).any(|word| word == b"\"asset\"")
}

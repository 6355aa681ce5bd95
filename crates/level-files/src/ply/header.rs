//! The header of a PLY file: lines of text that declare elements and their properties.

use super::PlyError;
use crate::file_warnings::excerpt;

/// Maximum number of elements and properties. A header takes more memory than its text.
const MAX_DECLARATIONS: usize = 1024;

/// Type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Number {
    fn named(word: &str) -> Option<Self> {
        Some(match word {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return None,
        })
    }

    pub(super) const fn n_bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// Returns the value that stands for 1 in a component of a color.
    pub(super) fn full_component(self) -> f64 {
        match self {
            Self::I8 => f64::from(i8::MAX),
            Self::U8 => f64::from(u8::MAX),
            Self::I16 => f64::from(i16::MAX),
            Self::U16 => f64::from(u16::MAX),
            Self::I32 => f64::from(i32::MAX),
            Self::U32 => f64::from(u32::MAX),
            Self::F32 | Self::F64 => 1.0,
        }
    }

    const fn is_whole(self) -> bool {
        !matches!(self, Self::F32 | Self::F64)
    }

    /// Decodes a number from its bytes, the lowest byte first.
    pub(super) fn decode(self, bytes: [u8; 8]) -> f64 {
        let [a, b, c, d, ..] = bytes;
        match self {
            Self::I8 => f64::from(i8::from_le_bytes([a])),
            Self::U8 => f64::from(a),
            Self::I16 => f64::from(i16::from_le_bytes([a, b])),
            Self::U16 => f64::from(u16::from_le_bytes([a, b])),
            Self::I32 => f64::from(i32::from_le_bytes([a, b, c, d])),
            Self::U32 => f64::from(u32::from_le_bytes([a, b, c, d])),
            Self::F32 => f64::from(f32::from_le_bytes([a, b, c, d])),
            Self::F64 => f64::from_le_bytes(bytes),
        }
    }

    /// Parses a number of a text file. Numbers of any size and with a decimal point are accepted for every type.
    pub(super) fn parse(self, word: &str) -> Option<f64> {
        match self {
            // Rounded once.
            Self::F32 => word.parse::<f32>().ok().map(f64::from),
            Self::I8 | Self::U8 | Self::I16 | Self::U16 | Self::I32 | Self::U32 | Self::F64 => {
                word.parse().ok()
            }
        }
    }
}

/// Converts a number to an index or a length; `None` if it is negative, not whole, or more than 32 bits.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
pub(super) fn to_index(value: f64) -> Option<u64> {
    let fits = (0.0..=f64::from(u32::MAX)).contains(&value) && value.fract() == 0.0;
    fits.then_some(value as u64)
}

/// How the numbers after the header are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// A property of an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Property<'a> {
    name: &'a str,
    /// Type of the number, or of the items of the list.
    pub(super) number: Number,
    /// Type of the length, if the property is a list.
    pub(super) length: Option<Number>,
}

/// The use of an element.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Vertex {
        /// Indices of the properties x, y and z.
        axes: [usize; 3],
        /// Indices of the properties red, green and blue, if there are all.
        color: Option<[usize; 3]>,
    },
    Face {
        /// Index of the list of vertices.
        corners: usize,
    },
    Other,
}

/// A list of rows with the same properties.
#[derive(Debug)]
pub(super) struct Element<'a> {
    pub(super) name: &'a str,
    pub(super) n: u64,
    pub(super) properties: Vec<Property<'a>>,
    pub(super) kind: Kind,
    line: u32,
}

/// The declarations of a file.
#[derive(Debug)]
pub(super) struct Header<'a> {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element<'a>>,
    /// Offset of the first byte after the header.
    pub(super) end: usize,
    /// Number of lines of the header.
    pub(super) n_lines: u32,
}

impl Header<'_> {
    pub(super) fn vertex(&self) -> Result<&Element<'_>, PlyError> {
        let vertex = self.elements.iter().find(|of| matches!(of.kind, Kind::Vertex { .. }));
        vertex.ok_or(PlyError::NoElement("vertex"))
    }

    pub(super) fn face(&self) -> Result<&Element<'_>, PlyError> {
        let face = self.elements.iter().find(|of| matches!(of.kind, Kind::Face { .. }));
        face.ok_or(PlyError::NoElement("face"))
    }
}

/// Parses the header at the start of a file.
pub(super) fn parse(bytes: &[u8]) -> Result<Header<'_>, PlyError> {
    let rest = bytes.strip_prefix(b"ply").ok_or(PlyError::NotPly)?;
    // The first line decides how lines end: after "end_header", a line feed can be data.
    let end_of_line: &[u8] = match rest {
        [b'\r', b'\n', ..] => b"\r\n",
        [b'\r', ..] => b"\r",
        _ => b"\n",
    };
    let mut lines = Lines { bytes, end_of_line, at: 0, line: 0 };
    if lines.next().is_none_or(|line| line.trim_ascii() != b"ply") {
        return Err(PlyError::NotPly);
    }
    let mut encoding = None;
    let mut elements: Vec<Element<'_>> = Vec::new();
    let mut n_declarations = 0;
    loop {
        let text = lines.next().ok_or(PlyError::NoEndOfHeader)?;
        let line = lines.line;
        let refused = |reason: String| PlyError::Header { line, reason };
        let Ok(text) = std::str::from_utf8(text) else {
            // A comment can have any encoding.
            if text.starts_with(b"comment") || text.starts_with(b"obj_info") {
                continue;
            }
            return Err(refused("not text: the header is damaged or has no end".to_owned()));
        };
        let words: Vec<&str> = text.split_ascii_whitespace().take(6).collect();
        match words[..] {
            [] | ["comment" | "obj_info", ..] => {}
            ["end_header"] => break,
            ["format", name, version] => {
                encoding = Some(encoding_of(name, version).map_err(refused)?);
            }
            ["element", name, n] => {
                let n = n.parse().ok().ok_or_else(|| refused(bad_word("a count", n)))?;
                let kind = Kind::Other;
                elements.push(Element { name, n, properties: Vec::new(), kind, line });
                n_declarations += 1;
            }
            ["property", ref of @ ..] => {
                let property = property(of).map_err(refused)?;
                let Some(element) = elements.last_mut() else {
                    return Err(refused("a property before the first element".to_owned()));
                };
                element.properties.push(property);
                n_declarations += 1;
            }
            _ => return Err(refused(bad_word("a declaration of a PLY header", text.trim()))),
        }
        if n_declarations > MAX_DECLARATIONS {
            let reason = format!("more than {MAX_DECLARATIONS} elements and properties");
            return Err(refused(reason));
        }
    }
    let (line, reason) = (2, "the header has no line \"format\"".to_owned());
    let encoding = encoding.ok_or(PlyError::Header { line, reason })?;
    for at in 0..elements.len() {
        let kind = kind_of(&elements[at], &elements[..at]);
        let line = elements[at].line;
        elements[at].kind = kind.map_err(|reason| PlyError::Header { line, reason })?;
    }
    Ok(Header { encoding, elements, end: lines.at, n_lines: lines.line })
}

fn bad_word(needed: &str, found: &str) -> String {
    format!("\"{}\" is not {needed}", excerpt(found))
}

fn encoding_of(name: &str, version: &str) -> Result<Encoding, String> {
    if version != "1.0" {
        return Err(format!("version {} is not supported, only 1.0", excerpt(version)));
    }
    match name {
        "ascii" => Ok(Encoding::Text),
        "binary_little_endian" => Ok(Encoding::LittleEndian),
        "binary_big_endian" => Ok(Encoding::BigEndian),
        _ => Err(bad_word("ascii, binary_little_endian or binary_big_endian", name)),
    }
}

/// Parses the words of a property after the keyword.
fn property<'a>(words: &[&'a str]) -> Result<Property<'a>, String> {
    let number =
        |word: &str| Number::named(word).ok_or_else(|| bad_word("a type of a number", word));
    match *words {
        ["list", length, item, name] => {
            let (length, number) = (number(length)?, number(item)?);
            if !length.is_whole() {
                return Err(format!("the length of list \"{}\" is not an integer", excerpt(name)));
            }
            Ok(Property { name, number, length: Some(length) })
        }
        [word, name] => Ok(Property { name, number: number(word)?, length: None }),
        _ => Err("a property has a type and a name, or: list, two types and a name".to_owned()),
    }
}

/// Finds the properties of an element that a level needs. `before` are the elements before it.
fn kind_of(element: &Element<'_>, before: &[Element<'_>]) -> Result<Kind, String> {
    let name = excerpt(element.name);
    if element.properties.is_empty() && element.n > 0 {
        return Err(format!("element \"{name}\" has no properties"));
    }
    if !matches!(element.name, "vertex" | "face") {
        return Ok(Kind::Other);
    }
    if before.iter().any(|other| other.name == element.name) {
        return Err(format!("element \"{name}\" is declared twice"));
    }
    let find = |names: &[&str], is_list: bool| {
        let is_it = |of: &Property<'_>| names.contains(&of.name) && of.length.is_some() == is_list;
        element.properties.iter().position(is_it)
    };
    if element.name == "vertex" {
        let axis = |name: &str| {
            let needed = || format!("element \"vertex\" has no property \"{name}\" of one number");
            find(&[name], false).ok_or_else(needed)
        };
        let color = ["red", "green", "blue"].map(|name| find(&[name], false));
        let color = if let [Some(r), Some(g), Some(b)] = color { Some([r, g, b]) } else { None };
        return Ok(Kind::Vertex { axes: [axis("x")?, axis("y")?, axis("z")?], color });
    }
    let corners = find(&["vertex_indices", "vertex_index"], true);
    let corners = corners.ok_or("element \"face\" has no list \"vertex_indices\"")?;
    if !element.properties[corners].number.is_whole() {
        return Err("the vertex indices of faces are not integers".to_owned());
    }
    Ok(Kind::Face { corners })
}

/// The lines of a header.
struct Lines<'a> {
    bytes: &'a [u8],
    end_of_line: &'static [u8],
    /// Offset of the next line.
    at: usize,
    /// Number of the last line, from 1.
    line: u32,
}

impl<'a> Lines<'a> {
    /// Returns the next line without its end; `None` if it has no end.
    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.bytes.get(self.at..)?;
        let n = rest.windows(self.end_of_line.len()).position(|end| end == self.end_of_line)?;
        self.at += n + self.end_of_line.len();
        self.line = self.line.saturating_add(1);
        Some(&rest[..n])
    }
}

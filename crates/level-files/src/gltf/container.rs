use super::GltfError;

/// First bytes of a binary file.
const MAGIC: &[u8] = b"glTF";
/// Magic, version, length of the file.
const HEADER_BYTES: usize = 12;
/// Length and type of a chunk.
const PART_HEADER_BYTES: usize = 8;
const JSON_PART: &[u8] = b"JSON";
const BINARY_PART: &[u8] = b"BIN\0";

/// Returns the JSON of a file, and the bytes of the binary chunk if there is one.
pub(super) fn parts(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), GltfError> {
    if bytes.is_empty() {
        return Err(GltfError::Empty);
    }
    if !bytes.starts_with(MAGIC) {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let is_json = text.trim_ascii_start().starts_with(b"{");
        return if is_json { Ok((text, None)) } else { Err(GltfError::NotGltf) };
    }
    let (header, _) = split(bytes, HEADER_BYTES, "the header")?;
    let version = word(&header[4..]);
    if version != 2 {
        return Err(GltfError::Version { found: version.to_string() });
    }
    // Bytes after the length in the header do not belong to the file.
    let (file, _) = split(bytes, word(&header[8..]).max(HEADER_BYTES), "the file")?;
    let mut rest = &file[HEADER_BYTES..];
    let json = next_part(&mut rest)?;
    if json.kind != JSON_PART {
        return Err(GltfError::NoJson);
    }
    while !rest.is_empty() {
        let part = next_part(&mut rest)?;
        if part.kind == BINARY_PART {
            return Ok((json.content, Some(part.content)));
        }
    }
    Ok((json.content, None))
}

struct Chunk<'a> {
    kind: &'a [u8],
    content: &'a [u8],
}

/// Removes the first chunk of `rest`.
fn next_part<'a>(rest: &mut &'a [u8]) -> Result<Chunk<'a>, GltfError> {
    let (header, after) = split(rest, PART_HEADER_BYTES, "the header of a part")?;
    let kind = &header[4..];
    let what = if kind == JSON_PART { "its JSON part" } else { "its binary part" };
    let content;
    (content, *rest) = split(after, word(header), what)?;
    Ok(Chunk { kind, content })
}

fn split<'a>(
    bytes: &'a [u8],
    needed: usize,
    what: &'static str,
) -> Result<(&'a [u8], &'a [u8]), GltfError> {
    let cut_off = || GltfError::CutOff { what, needed, found: bytes.len() };
    bytes.split_at_checked(needed).ok_or_else(cut_off)
}

/// Reads the little-endian number at the start of `bytes`, which must have at least four bytes.
fn word(bytes: &[u8]) -> usize {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize
}

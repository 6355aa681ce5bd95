use std::{
    borrow::Cow,
    cell::{Cell, OnceCell},
    collections::BTreeMap,
};

use base64::{
    Engine as _,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

use super::{
    GltfError, SideFile, element,
    json::{Buffer, BufferView, Meshopt, Root},
    meshopt, named,
};
use crate::{file_warnings::excerpt, level_memory::most_bytes};

/// Accepts padded and unpadded Base64, because some writers omit the padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Maximum number of indices of sparse accessors that are checked in total. Accessors can share bytes, so a small file
/// can have any number of them.
const MAX_REPLACED: usize = 1 << 28;

/// Maximum total size of decoded buffer views, in bytes: compressed data can be a thousandth of that.
const MAX_DECODED_BYTES: usize = 256 << 20;

/// The data behind accessors; each buffer is loaded on first use.
pub(super) struct Buffers<'a> {
    root: &'a Root,
    /// Size of the file itself, in bytes.
    pub(super) n_file_bytes: usize,
    /// Maximum memory of the level, in bytes.
    max_bytes: usize,
    /// The binary chunk of a GLB file.
    binary: Option<&'a [u8]>,
    side_file: &'a SideFile<'a>,
    /// For each buffer, the first one with the same URI; both share its bytes.
    same_as: Vec<usize>,
    /// One per buffer.
    fetched: Vec<OnceCell<Result<Cow<'a, [u8]>, GltfError>>>,
    /// Total size of the buffers loaded from outside the file, in bytes.
    n_fetched_bytes: Cell<usize>,
    /// Per accessor, the result of checking its sparse indices.
    checked: Vec<OnceCell<Result<(), GltfError>>>,
    n_replaced: Cell<usize>,
    /// Per buffer view, its bytes if they are compressed.
    decoded: Vec<OnceCell<Result<Vec<u8>, GltfError>>>,
    /// Total size of the decoded bytes.
    n_decoded_bytes: Cell<usize>,
}

impl<'a> Buffers<'a> {
    pub(super) fn new(
        root: &'a Root,
        (n_file_bytes, max_bytes): (usize, usize),
        binary: Option<&'a [u8]>,
        side_file: &'a SideFile<'a>,
    ) -> Self {
        let mut first_with = BTreeMap::new();
        let same_as = root.buffers.iter().enumerate().map(|(index, buffer)| {
            let address = buffer.uri.as_deref().map(address);
            address.map_or(index, |address| *first_with.entry(address).or_insert(index))
        });
        Self {
            root,
            n_file_bytes,
            max_bytes,
            binary,
            side_file,
            same_as: same_as.collect(),
            fetched: root.buffers.iter().map(|_| OnceCell::new()).collect(),
            n_fetched_bytes: Cell::new(0),
            checked: root.accessors.iter().map(|_| OnceCell::new()).collect(),
            n_replaced: Cell::new(0),
            decoded: root.buffer_views.iter().map(|_| OnceCell::new()).collect(),
            n_decoded_bytes: Cell::new(0),
        }
    }

    /// Returns the total size of the file and the buffers loaded for it, in bytes.
    pub(super) fn n_bytes(&self) -> usize {
        self.n_file_bytes.saturating_add(self.n_fetched_bytes.get())
    }

    /// Returns the memory limit for building the level, in bytes.
    pub(super) fn most_level_bytes(&self) -> usize {
        most_bytes(self.n_bytes(), self.max_bytes)
    }

    /// Returns the maximum memory of the level, in bytes.
    pub(super) const fn max_bytes(&self) -> usize {
        self.max_bytes
    }

    /// Returns the result of `check` for an accessor with this many sparse elements; calls it only once.
    pub(super) fn check_once(
        &self,
        accessor: usize,
        n_replaced: usize,
        check: impl FnOnce() -> Result<(), GltfError>,
    ) -> Result<(), GltfError> {
        let Some(checked) = self.checked.get(accessor) else { return check() };
        let limited = || {
            let n = self.n_replaced.get().saturating_add(n_replaced);
            self.n_replaced.set(n);
            if n > MAX_REPLACED { Err(GltfError::TooManyReplaced) } else { check() }
        };
        checked.get_or_init(limited).clone()
    }

    /// Returns the bytes of a buffer view, decoded if they are compressed, and its stride if it has one. `by` names the
    /// element that uses it, for errors.
    pub(super) fn view(
        &self,
        index: usize,
        by: impl FnOnce() -> String,
    ) -> Result<(&[u8], Option<usize>), GltfError> {
        let view = named(&self.root.buffer_views, "buffer view", index, by)?;
        let bytes = match view.extensions.meshopt.as_deref() {
            None => self.bytes(index, view.buffer, view.byte_offset, view.byte_length)?,
            Some(layout) => {
                let decoded = self.decoded[index].get_or_init(|| self.decode(index, view, layout));
                decoded.as_ref().map_err(Clone::clone)?
            }
        };
        Ok((bytes, view.byte_stride))
    }

    /// Decodes the compressed bytes of view `index`.
    fn decode(
        &self,
        index: usize,
        view: &BufferView,
        layout: &Meshopt,
    ) -> Result<Vec<u8>, GltfError> {
        let name = || element("buffer view", index, None);
        let extension = "EXT_meshopt_compression";
        let refused = |reason| GltfError::Undecodable { element: name(), extension, reason };
        let n_bytes = layout.count.checked_mul(layout.byte_stride);
        if n_bytes != Some(view.byte_length) {
            let (count, stride, n_bytes) = (layout.count, layout.byte_stride, view.byte_length);
            let reason = format!("{count} elements of {stride} bytes are not its {n_bytes} bytes");
            return Err(refused(reason));
        }
        let n_decoded = self.n_decoded_bytes.get().saturating_add(view.byte_length);
        let max_bytes = MAX_DECODED_BYTES.min(self.max_bytes);
        if n_decoded > max_bytes {
            return Err(GltfError::TooMuchDecoded { max_bytes });
        }
        self.n_decoded_bytes.set(n_decoded);
        let Meshopt { buffer, byte_offset, byte_length, .. } = *layout;
        let bytes = self.bytes(index, buffer, byte_offset, byte_length)?;
        meshopt::decode(bytes, layout).map_err(refused)
    }

    /// Returns a range of the bytes of buffer `at`, for view `index`.
    fn bytes(
        &self,
        index: usize,
        at: usize,
        offset: usize,
        length: usize,
    ) -> Result<&[u8], GltfError> {
        let name = || element("buffer view", index, None);
        let buffer = named(&self.root.buffers, "buffer", at, name)?;
        let first = self.same_as[at];
        let fetched = self.fetched[first].get_or_init(|| self.fetch(first, buffer));
        let bytes = fetched.as_ref().map_err(Clone::clone)?;
        if bytes.len() < buffer.byte_length {
            let (needed, found) = (buffer.byte_length as u128, bytes.len());
            return Err(GltfError::BeyondEnd {
                element: element("buffer", at, None),
                needed,
                found,
            });
        }
        let range = bytes.get(offset..).and_then(|rest| rest.get(..length));
        range.ok_or_else(|| GltfError::BeyondEnd {
            element: name(),
            needed: offset as u128 + length as u128,
            found: bytes.len(),
        })
    }

    fn fetch(&self, index: usize, buffer: &Buffer) -> Result<Cow<'a, [u8]>, GltfError> {
        let name = || element("buffer", index, None);
        let unread = |reason| GltfError::BufferUnread { element: name(), reason };
        let bytes = match (&buffer.uri, self.binary) {
            (Some(uri), _) => Cow::Owned(self.bytes_of(uri).map_err(unread)?),
            (None, Some(binary)) if index == 0 => Cow::Borrowed(binary),
            (None, _) => return Err(unread("it has neither embedded data nor a file".to_owned())),
        };
        if matches!(bytes, Cow::Owned(_)) {
            self.n_fetched_bytes.set(self.n_fetched_bytes.get().saturating_add(bytes.len()));
        }
        Ok(bytes)
    }

    /// Reads a file, or the data in `uri` itself.
    pub(super) fn bytes_of(&self, uri: &str) -> Result<Vec<u8>, String> {
        let Some(data) = uri.strip_prefix("data:") else {
            return (self.side_file)(&side_file_name(&without_percent(uri))?);
        };
        let (_, text) = data.split_once(";base64,").ok_or("its data: text is not in base64")?;
        BASE64.decode(text).map_err(|error| format!("its base64 text is damaged: {error}"))
    }
}

/// Returns the key that identifies buffers and images with the same bytes by their URIs.
pub(super) fn address(uri: &str) -> Cow<'_, str> {
    if uri.starts_with("data:") {
        return Cow::Borrowed(uri);
    }
    let name = without_percent(uri);
    Cow::Owned(side_file_name(&name).unwrap_or(name))
}

/// Normalizes a relative path, without `.` and `..`; returns an error if it leaves the folder of the level.
fn side_file_name(name: &str) -> Result<String, String> {
    let mut steps: Vec<&str> = Vec::new();
    for step in name.split('/') {
        match step {
            ".." if steps.pop().is_none_or(str::is_empty) => {
                return Err(format!("\"{}\" leaves the level's folder", excerpt(name)));
            }
            "." | ".." => {}
            // Two slashes count as one; a leading slash is rejected where the file is opened.
            "" if !steps.is_empty() => {}
            step => steps.push(step),
        }
    }
    Ok(steps.join("/"))
}

/// Percent-decodes `uri`.
fn without_percent(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|_| first == b'%');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let code = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(code.unwrap_or(first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{side_file_name, without_percent};

    #[test]
    fn names_stay_in_the_folder() {
        for (name, beside) in [
            ("level.bin", "level.bin"),
            ("./bins//./level.bin", "bins/level.bin"),
            ("a/../b/level.bin", "b/level.bin"),
            ("/etc/passwd", "/etc/passwd"),
        ] {
            assert_eq!(side_file_name(name).as_deref(), Ok(beside));
        }
        for name in ["../level.bin", "a/../../level.bin", "/../level.bin", ".."] {
            let error = side_file_name(name).unwrap_err();
            assert_eq!(error, format!("\"{name}\" leaves the level's folder"));
        }
    }

    #[test]
    fn percent_signs_stand_for_bytes() {
        let table = [
            ("level.bin", "level.bin"),
            ("two%20towns%2Ebin", "two towns.bin"),
            ("t%C3%BCr", "t\u{fc}r"),
            ("100%", "100%"),
            ("5%2", "5%2"),
            ("%zz", "%zz"),
            ("%\u{e9}1", "%\u{e9}1"),
        ];
        for (uri, name) in table {
            assert_eq!(without_percent(uri), name);
        }
    }
}

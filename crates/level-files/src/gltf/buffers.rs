use std::{borrow::Cow, cell::OnceCell};

use base64::{
    Engine as _,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

use super::{
    GltfError, SideFile, element,
    json::{Buffer, BufferView, Root},
    named,
};

/// Writers differ in whether they fill up the last four letters.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The bytes behind accessors, each buffer fetched when it is first needed.
pub(super) struct Buffers<'a> {
    root: &'a Root,
    /// Bytes of the file itself.
    pub(super) n_file_bytes: usize,
    /// What a binary file carries with it.
    binary: Option<&'a [u8]>,
    side_file: &'a SideFile<'a>,
    /// One per buffer.
    fetched: Vec<OnceCell<Result<Cow<'a, [u8]>, GltfError>>>,
}

impl<'a> Buffers<'a> {
    pub(super) fn new(
        root: &'a Root,
        n_file_bytes: usize,
        binary: Option<&'a [u8]>,
        side_file: &'a SideFile<'a>,
    ) -> Self {
        let fetched = root.buffers.iter().map(|_| OnceCell::new()).collect();
        Self { root, n_file_bytes, binary, side_file, fetched }
    }

    /// The bytes of a view, and how far apart its elements begin where it says so. `by` names who asks.
    pub(super) fn view(
        &self,
        index: usize,
        by: impl FnOnce() -> String,
    ) -> Result<(&[u8], Option<usize>), GltfError> {
        let view = named(&self.root.buffer_views, "buffer view", index, by)?;
        let bytes = self.buffer(index, view)?;
        let beyond = || GltfError::BeyondEnd {
            element: element("buffer view", index, None),
            needed: view.byte_offset as u128 + view.byte_length as u128,
            found: bytes.len(),
        };
        let bytes = bytes.get(view.byte_offset..).and_then(|rest| rest.get(..view.byte_length));
        Ok((bytes.ok_or_else(beyond)?, view.byte_stride))
    }

    /// The bytes of the buffer behind view `index`.
    fn buffer(&self, index: usize, view: &BufferView) -> Result<&[u8], GltfError> {
        let name = || element("buffer view", index, None);
        let buffer = named(&self.root.buffers, "buffer", view.buffer, name)?;
        let fetched = self.fetched[view.buffer].get_or_init(|| self.fetch(view.buffer, buffer));
        match fetched {
            Ok(bytes) => Ok(bytes),
            // Such a buffer stands for what unpacking gives, and need not have bytes.
            Err(_) if buffer.uri.is_none() && view.extensions.meshopt.is_some() => {
                let extension = "EXT_meshopt_compression";
                Err(GltfError::Compressed { element: name(), extension })
            }
            Err(error) => Err(error.clone()),
        }
    }

    fn fetch(&self, index: usize, buffer: &Buffer) -> Result<Cow<'a, [u8]>, GltfError> {
        let name = || element("buffer", index, None);
        let unread = |reason| GltfError::BufferUnread { element: name(), reason };
        let bytes = match (&buffer.uri, self.binary) {
            (Some(uri), _) => Cow::Owned(self.bytes_of(uri).map_err(unread)?),
            (None, Some(binary)) if index == 0 => Cow::Borrowed(binary),
            (None, _) => return Err(unread("it has neither bytes nor a file".to_owned())),
        };
        if bytes.len() < buffer.byte_length {
            let (needed, found) = (buffer.byte_length as u128, bytes.len());
            return Err(GltfError::BeyondEnd { element: name(), needed, found });
        }
        Ok(bytes)
    }

    fn bytes_of(&self, uri: &str) -> Result<Vec<u8>, String> {
        let Some(data) = uri.strip_prefix("data:") else {
            return (self.side_file)(&without_percent(uri));
        };
        let (_, text) = data.split_once(";base64,").ok_or("its data: text is not in base64")?;
        BASE64.decode(text).map_err(|error| format!("its base64 text is damaged: {error}"))
    }
}

/// Text with each `%20` and its like as what it stands for.
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
    use super::without_percent;

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

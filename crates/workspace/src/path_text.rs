//! Paths in JSON: as text, or percent-encoded if they are not UTF-8.

use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::{ffi::OsString, os::unix::ffi::OsStringExt};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PathText {
    /// A path that is valid UTF-8.
    Text(String),
    /// Any other path: `%` and two digits stand for each byte that is not a printable ASCII character.
    Encoded { percent_encoded: String },
}

/// The error for a path that is invalid on this system.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the path `{0}` is not valid on this system")]
pub struct BadPath(String);

impl From<PathBuf> for PathText {
    fn from(path: PathBuf) -> Self {
        match path.into_os_string().into_string() {
            Ok(text) => Self::Text(text),
            Err(path) => Self::Encoded { percent_encoded: encode(path.as_encoded_bytes()) },
        }
    }
}

impl PathText {
    pub fn into_path(self) -> Result<PathBuf, BadPath> {
        match self {
            Self::Text(text) => Ok(text.into()),
            Self::Encoded { percent_encoded: text } => {
                #[cfg(unix)]
                let path = |bytes| Some(<OsString as OsStringExt>::from_vec(bytes));
                #[cfg(not(unix))]
                let path = |bytes| String::from_utf8(bytes).ok();
                decode(&text).and_then(path).map(PathBuf::from).ok_or(BadPath(text))
            }
        }
    }
}

pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    PathText::from(path.to_owned()).serialize(serializer)
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    PathText::deserialize(deserializer)?.into_path().map_err(D::Error::custom)
}

fn encode(bytes: &[u8]) -> String {
    let encoded = bytes.iter().map(|&byte| match byte {
        b'!'..=b'~' if byte != b'%' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    });
    encoded.collect()
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first == b'%' {
            let (digits, after) = rest.split_at_checked(2)?;
            let digits = str::from_utf8(digits).ok().filter(|&digits| is_hex(digits))?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = after;
        } else {
            bytes.push(first);
        }
    }
    Some(bytes)
}

fn is_hex(digits: &str) -> bool {
    digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn any_path_is_read_back_as_it_was_written() {
        let odd = [&b"/a/b.obj"[..], "/ä/100%.obj".as_bytes(), b"/a/\xff%20 \x01.obj", b"\xc3"];
        for bytes in odd {
            let path = PathBuf::from(OsString::from_vec(bytes.to_owned()));
            let json = serde_json::to_string(&PathText::from(path.clone())).unwrap();
            let read: PathText = serde_json::from_str(&json).unwrap();
            assert_eq!(read.into_path().unwrap(), path, "{json}");
        }
        let plain = PathText::from(PathBuf::from("/ä/100%.obj"));
        assert_eq!(serde_json::to_string(&plain).unwrap(), "\"/ä/100%.obj\"");
        for bad in ["%", "%2", "%xy", "a%+1"] {
            let bad = PathText::Encoded { percent_encoded: bad.to_owned() };
            assert!(bad.into_path().is_err());
        }
    }
}

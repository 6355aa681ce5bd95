//! Values as bytes, for messages between the window and its workers.
//!
//! The format names the fields of structs, so a field that is left out keeps its default.

use anyhow::Context as _;
use serde::{Serialize, de::DeserializeOwned};

/// Serializes a value, for [`from_bytes`]. Fails if the value, or a part of it, cannot be sent.
pub fn to_bytes(value: &impl Serialize) -> anyhow::Result<Vec<u8>> {
    rmp_serde::to_vec_named(value).context("it cannot be sent")
}

/// Reads what [`to_bytes`] wrote.
pub fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> anyhow::Result<T> {
    rmp_serde::from_slice(bytes).context("it is damaged")
}

#[cfg(test)]
mod tests {
    use walkable::diagnostic::{Diagnostic, Finding, Location, Meters, Phrase, PhraseArgument};

    use super::*;
    use crate::format::counted_value;

    #[test]
    fn phrases_keep_the_values_of_their_arguments() {
        let found = Diagnostic::new(Finding::LevelTiny { side: Meters(0.5), scale: 100.0 });
        let found = found.at(Location::Line(3)).at(Location::Setting("tile_size".into())).times(2);
        let argument = |name: &'static str, value| PhraseArgument { name: name.into(), value };
        let arguments = vec![
            argument("path", "a".into()),
            argument("tiles", counted_value(3, "tile", "tiles")),
            argument("room", Meters(2.0).into()),
            argument("text", Phrase::verbatim("b").into()),
            argument("found", found.into()),
        ];
        let phrase = Phrase::new("{path}: {tiles}, {room}, {text}, {found}", arguments);
        let bytes = to_bytes(&phrase).unwrap();
        assert_eq!(from_bytes::<Phrase>(&bytes).unwrap(), phrase);
        for n in 0..bytes.len() {
            assert!(from_bytes::<Phrase>(&bytes[..n]).is_err(), "{n} bytes");
        }
    }
}

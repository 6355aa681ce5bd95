//! Escapes characters in text from files that would control a terminal.

use std::{borrow::Cow, fmt::Write as _};

/// Returns `text` with escapes such as `\u001b` for characters that control a terminal, break the line or change the
/// order of the text. JSON has the same escapes, so it keeps its values.
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_unsafe = |c: char| {
        let is_format = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        is_format || c != '\t' && c.is_control()
    };
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 6);
    for c in text.chars() {
        if is_unsafe(c) {
            // Writing to a string cannot fail.
            let _ = write!(safe, "\\u{:04x}", u32::from(c));
        } else {
            safe.push(c);
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tabs_are_printed_of_the_control_characters() {
        let chars = (0..0xa0).chain(0x61b..0x61e).chain(0x200d..0x2070).filter_map(char::from_u32);
        for c in chars {
            let text = format!("a{c}b");
            let is_unsafe = c != '\t' && c.is_control()
                || ['\u{61c}', '\u{200e}', '\u{200f}'].contains(&c)
                || ('\u{2028}'..='\u{202e}').contains(&c)
                || ('\u{2066}'..='\u{2069}').contains(&c);
            let safe = printable(&text);
            assert_eq!(safe != text, is_unsafe, "{c:?}");
            // The value of a JSON string stays the same.
            let json = serde_json::to_string(&text).unwrap();
            let read: String = serde_json::from_str(&printable(&json)).unwrap();
            assert_eq!(read, text);
        }
        assert_eq!(printable("x\u{1b}]52;c;aGk=\u{7}y"), "x\\u001b]52;c;aGk=\\u0007y");
    }
}

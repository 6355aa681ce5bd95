//! The rows after the header of a PLY file.

use super::{
    PlyError,
    header::{Element, Encoding, Header, Number, Property, to_index},
};
use crate::file_warnings::excerpt;

/// Reads the numbers after the header in order.
pub(super) struct Body<'a> {
    rest: &'a [u8],
    encoding: Encoding,
    /// The row: name of the element, its index, and its line in a text file.
    row: (&'a str, u64),
    line: u32,
    /// The words of the row that were not read yet, in a text file.
    words: std::str::SplitAsciiWhitespace<'a>,
}

impl<'a> Body<'a> {
    pub(super) fn new(header: &Header<'_>, bytes: &'a [u8]) -> Self {
        let rest = bytes.get(header.end..).unwrap_or_default();
        let words = "".split_ascii_whitespace();
        Self { rest, encoding: header.encoding, row: ("", 0), line: header.n_lines, words }
    }

    /// Checks that the rest of the file is long enough for the rows of an element.
    pub(super) fn check_size(&self, element: &Element<'_>) -> Result<(), PlyError> {
        let n_bytes = |property: &Property<'_>| match self.encoding {
            // A digit and a separator.
            Encoding::Text => 2,
            _binary => property.length.unwrap_or(property.number).n_bytes() as u128,
        };
        let all = u128::from(element.n) * element.properties.iter().map(n_bytes).sum::<u128>();
        // A text file can end without a separator.
        let needed = all.saturating_sub(u128::from(self.encoding == Encoding::Text));
        let found = self.rest.len();
        if needed > found as u128 {
            let (element, n) = (excerpt(element.name), element.n);
            return Err(PlyError::TooShort { element, n, needed, found });
        }
        Ok(())
    }

    /// Describes the row for messages.
    pub(super) fn place(&self) -> String {
        let (name, index) = self.row;
        let name = excerpt(name);
        match self.encoding {
            Encoding::Text => format!("line {}: {name} {index}", self.line),
            _binary => format!("{name} {index}"),
        }
    }

    /// Begins row `index` of the element `name`.
    pub(super) fn start_row(&mut self, name: &'a str, index: u64) -> Result<(), PlyError> {
        self.row = (name, index);
        if self.encoding != Encoding::Text {
            return Ok(());
        }
        loop {
            let row = self.next_line().ok_or_else(|| self.cut_off())?;
            let text = std::str::from_utf8(row).map_err(|_not_utf8| self.refuse("not text"))?;
            self.words = text.split_ascii_whitespace();
            if self.words.clone().next().is_some() {
                return Ok(());
            }
        }
    }

    /// Checks that no values of the row are left.
    pub(super) fn end_row(&mut self) -> Result<(), PlyError> {
        match self.words.next() {
            Some(word) => {
                let reason = format!("\"{}\" after the last value", excerpt(word));
                Err(self.refuse(&reason))
            }
            None => Ok(()),
        }
    }

    /// Reads a number.
    pub(super) fn value(&mut self, number: Number) -> Result<f64, PlyError> {
        let n = number.n_bytes();
        let mut low_first = [0; 8];
        match self.encoding {
            Encoding::Text => {
                let word = self.words.next().ok_or_else(|| self.refuse("values are missing"))?;
                return number
                    .parse(word)
                    .ok_or_else(|| self.refuse(&format!("\"{}\" is not a number", excerpt(word))));
            }
            Encoding::LittleEndian => low_first[..n].copy_from_slice(self.take(n)?),
            Encoding::BigEndian => {
                low_first[..n].copy_from_slice(self.take(n)?);
                low_first[..n].reverse();
            }
        }
        Ok(number.decode(low_first))
    }

    /// Reads the length of a list.
    pub(super) fn length(&mut self, list: &Property<'_>) -> Result<u64, PlyError> {
        let value = self.value(list.length.unwrap_or(Number::U8))?;
        let n = to_index(value)
            .ok_or_else(|| self.refuse(&format!("the list length {value} is not valid")))?;
        // In a text file, too few values of the row are found as they are read.
        let n_bytes = n.saturating_mul(list.number.n_bytes() as u64);
        let is_cut_off = self.encoding != Encoding::Text && n_bytes > self.rest.len() as u64;
        if is_cut_off { Err(self.cut_off()) } else { Ok(n) }
    }

    /// Skips a number or a list.
    pub(super) fn skip_property(&mut self, property: &Property<'_>) -> Result<(), PlyError> {
        let n = if property.length.is_some() { self.length(property)? } else { 1 };
        if self.encoding == Encoding::Text {
            return (0..n).try_for_each(|_| self.value(property.number).map(|_| ()));
        }
        let n = usize::try_from(n).unwrap_or(usize::MAX);
        self.take(n.saturating_mul(property.number.n_bytes())).map(|_| ())
    }

    /// Skips all rows of an element.
    pub(super) fn skip(&mut self, element: &Element<'a>) -> Result<(), PlyError> {
        for index in 0..element.n {
            self.start_row(element.name, index)?;
            if self.encoding == Encoding::Text {
                self.words = "".split_ascii_whitespace();
                continue;
            }
            element.properties.iter().try_for_each(|property| self.skip_property(property))?;
        }
        Ok(())
    }

    /// Returns the next `n` bytes.
    fn take(&mut self, n: usize) -> Result<&'a [u8], PlyError> {
        let (taken, rest) = self.rest.split_at_checked(n).ok_or_else(|| self.cut_off())?;
        self.rest = rest;
        Ok(taken)
    }

    /// Returns the next line; `None` at the end of the file.
    fn next_line(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        self.line = self.line.saturating_add(1);
        let is_end = |&byte: &u8| byte == b'\n' || byte == b'\r';
        let end = self.rest.iter().position(is_end).unwrap_or(self.rest.len());
        let (row, rest) = self.rest.split_at(end);
        let n = if rest.starts_with(b"\r\n") { 2 } else { 1 };
        self.rest = rest.get(n..).unwrap_or_default();
        Some(row)
    }

    fn cut_off(&self) -> PlyError {
        let (name, index) = self.row;
        let name = excerpt(name);
        PlyError::CutOff {
            place: match self.encoding {
                Encoding::Text => format!("{name} {index}, after line {}", self.line),
                _binary => format!("{name} {index}"),
            },
        }
    }

    fn refuse(&self, reason: &str) -> PlyError {
        PlyError::Element { place: self.place(), reason: reason.to_owned() }
    }
}

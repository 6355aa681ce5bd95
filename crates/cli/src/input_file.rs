//! A file that a command reads; see `guard`.

use std::{ops::Deref, path::PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser as _, ValueParser, ValueParserFactory};

#[derive(Clone, Debug)]
pub(super) struct InputFile(pub(super) PathBuf);

impl Deref for InputFile {
    type Target = PathBuf;

    fn deref(&self) -> &PathBuf {
        &self.0
    }
}

impl ValueParserFactory for InputFile {
    type Parser = ValueParser;

    fn value_parser() -> ValueParser {
        PathBufValueParser::new().map(Self).into()
    }
}

//! A picture of the 3D view, to be written to a file.

use std::{fmt, sync::Arc};

#[derive(Clone, PartialEq, Eq)]
pub struct PngPicture(Arc<Vec<u8>>);

impl From<Vec<u8>> for PngPicture {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Arc::new(bytes))
    }
}

impl PngPicture {
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for PngPicture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PngPicture({} bytes)", self.0.len())
    }
}

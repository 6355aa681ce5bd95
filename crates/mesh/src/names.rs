//! Names of objects and materials, stored once for all parts that share them.
//!
//! Internal to this workspace: [`BinnedLevel`](crate::BinnedLevel) and the crate of level files share it.

use std::{collections::BTreeMap, sync::Arc};

/// Maximum length of the name of an object or material, in bytes. No tool writes longer names; a crafted file could
/// repeat one in each of a million parts.
pub const MAX_NAME_BYTES: usize = 4096;
/// Memory per name in addition to its text: the list, the map and the reference counts.
const BYTES_PER_NAME: usize = 64;
/// The names of a file may take this many bytes per byte of the file, because a name that is combined from an object
/// and a group is in the file only in parts ...
const BYTES_PER_FILE_BYTE: usize = 16;
/// ... plus this many bytes.
const BYTES_MORE: usize = 16 << 20;

/// Why a name is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// A name is too long.
    #[error("a name has {0} bytes, more than the limit of {MAX_NAME_BYTES}; shorten it")]
    TooLong(usize),
    /// The names of the file are too long in total.
    #[error(
        "the names of objects and groups together take more than {0} bytes; shorten the names or use fewer"
    )]
    TooMany(usize),
}

/// Index of a name in its [`NamePool`].
pub type NameId = u32;

/// Interned names: equal texts share one index and one allocation.
#[derive(Debug)]
pub struct NamePool {
    ids: BTreeMap<Arc<str>, NameId>,
    texts: Vec<Arc<str>>,
    n_bytes: usize,
    max_bytes: usize,
}

impl NamePool {
    /// Creates a pool for the names of a file of `n_file_bytes` bytes.
    pub fn for_file(n_file_bytes: usize) -> Self {
        let max_bytes = n_file_bytes.saturating_mul(BYTES_PER_FILE_BYTE).saturating_add(BYTES_MORE);
        Self { ids: BTreeMap::new(), texts: Vec::new(), n_bytes: 0, max_bytes }
    }

    /// Interns a name and returns its index.
    pub fn id(&mut self, text: &str) -> Result<NameId, NameError> {
        if let Some(&id) = self.ids.get(text) {
            return Ok(id);
        }
        if text.len() > MAX_NAME_BYTES {
            return Err(NameError::TooLong(text.len()));
        }
        self.n_bytes += text.len() + BYTES_PER_NAME;
        let id = NameId::try_from(self.texts.len()).ok().filter(|_| self.n_bytes <= self.max_bytes);
        let id = id.ok_or(NameError::TooMany(self.max_bytes))?;
        let shared: Arc<str> = text.into();
        self.texts.push(Arc::clone(&shared));
        self.ids.insert(shared, id);
        Ok(id)
    }

    /// Returns the name with this index.
    pub fn text(&self, id: NameId) -> Arc<str> {
        self.texts.get(id as usize).map_or_else(|| "".into(), Arc::clone)
    }

    /// Interns a name and returns its text.
    pub fn shared(&mut self, text: &str) -> Result<Arc<str>, NameError> {
        self.id(text).map(|id| self.text(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_name_is_kept_once() {
        let mut pool = NamePool::for_file(10);
        let [a, b, again] = ["wall", "", "wall"].map(|name| pool.shared(name).unwrap());
        assert!(Arc::ptr_eq(&a, &again) && !Arc::ptr_eq(&a, &b));
        assert_eq!((&*a, &*b), ("wall", ""));
    }

    #[test]
    fn long_and_many_names_are_refused() {
        let mut pool = NamePool::for_file(0);
        let long = "x".repeat(MAX_NAME_BYTES + 1);
        assert_eq!(pool.id(&long), Err(NameError::TooLong(MAX_NAME_BYTES + 1)));
        let distinct = (0..).map(|n| format!("{}{n}", &long[10..]));
        let error = distinct.map(|name| pool.id(&name)).find_map(Result::err);
        assert_eq!(error, Some(NameError::TooMany(BYTES_MORE)));
        assert!(pool.texts.len() < 5_000);
    }
}

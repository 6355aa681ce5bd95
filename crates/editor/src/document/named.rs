//! Things that the user can name and hide.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};

/// Something placed in the level, with what only the editor knows of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Named<T> {
    /// The user's name for it; empty for its kind and number.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Whether it is left out of the 3D view. It is baked all the same.
    #[serde(default, skip_serializing_if = "is_false")]
    pub hidden: bool,
    /// The thing itself.
    #[serde(flatten)]
    pub of: T,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_false(value: &bool) -> bool {
    !value
}

impl<T> From<T> for Named<T> {
    fn from(of: T) -> Self {
        Self { name: String::new(), hidden: false, of }
    }
}

impl<T> Deref for Named<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.of
    }
}

impl<T> DerefMut for Named<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.of
    }
}

/// `all` without a name, as a settings file gives them.
pub(super) fn nameless<T>(all: Vec<T>) -> Vec<Named<T>> {
    all.into_iter().map(Named::from).collect()
}

/// The things alone.
pub(super) fn bare<T: Clone>(all: &[Named<T>]) -> Vec<T> {
    all.iter().map(|named| named.of.clone()).collect()
}

/// Whether the things are the same, whatever they are called.
pub fn are_alike<T: PartialEq>(a: &[Named<T>], b: &[Named<T>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.of == b.of)
}

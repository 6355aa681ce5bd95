//! What the user can name and hide.

use std::{
    collections::BTreeSet,
    ops::{Deref, DerefMut},
};

use serde::{Deserialize, Serialize};

/// An object with its number, its name and its visibility, which only the editor knows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Named<T> {
    /// Number in its list, counted from 1, which it keeps when others are removed; 0 until the document assigns one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub number: u32,
    /// The user's name; empty for the default name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Whether the object is hidden in the 3D view. It is baked nevertheless.
    #[serde(default, skip_serializing_if = "is_default")]
    pub hidden: bool,
    #[serde(flatten)]
    pub of: T,
}

/// Returns whether a field has its default value and is left out of files.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl<T> From<T> for Named<T> {
    fn from(of: T) -> Self {
        Self { number: 0, name: String::new(), hidden: false, of }
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

/// Maximum number that a file may give an object.
const MAX_NUMBER: u32 = 1_000_000_000;

/// Assigns a number to each object that has none or the same number as an object before it.
pub(super) fn keep_numbers<T>(all: &mut [Named<T>]) {
    let mut taken = BTreeSet::new();
    for named in all.iter_mut() {
        if named.number > MAX_NUMBER || !taken.insert(named.number) {
            named.number = 0;
        }
    }
    let mut next = taken.last().copied().unwrap_or(0);
    for named in all.iter_mut().filter(|named| named.number == 0) {
        next = next.saturating_add(1);
        named.number = next;
    }
}

/// Numbers the objects of a file that have no number by their position.
pub(super) fn number_by_position<T>(all: &mut [Named<T>]) {
    for (named, position) in all.iter_mut().zip(1..).filter(|(named, _)| named.number == 0) {
        named.number = position;
    }
}

/// Removes the numbers that [`number_by_position`] assigns again.
pub(super) fn omit_numbers<T>(all: &mut [Named<T>]) {
    for (named, _) in all.iter_mut().zip(1..).filter(|(named, at)| named.number == *at) {
        named.number = 0;
    }
}

/// Returns `all` without names, as from a settings file.
pub(super) fn nameless<T>(all: Vec<T>) -> Vec<Named<T>> {
    all.into_iter().map(Named::from).collect()
}

pub(super) fn bare<T: Clone>(all: &[Named<T>]) -> Vec<T> {
    all.iter().map(|named| named.of.clone()).collect()
}

pub fn are_alike<T: PartialEq>(a: &[Named<T>], b: &[Named<T>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.of == b.of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_and_are_unique() {
        let check = |numbers: &[u32], expected: &[u32]| {
            let named = |&number: &u32| Named { number, ..Named::from(()) };
            let mut all: Vec<_> = numbers.iter().map(named).collect();
            keep_numbers(&mut all);
            assert_eq!(all.iter().map(|named| named.number).collect::<Vec<_>>(), expected);
        };
        check(&[0, 0, 0], &[1, 2, 3]);
        check(&[1, 3, 0], &[1, 3, 4]);
        check(&[2, 2, 0, 1], &[2, 3, 4, 1]);
        check(&[u32::MAX, 5], &[6, 5]);
    }
}

//! Undo and redo by snapshots.

use std::collections::VecDeque;

use walkable::diagnostic::Phrase;
use walkable_workspace::lang;

const MAX_STEPS: usize = 200;

/// A value that a bake uses only in part.
pub trait Bakes: Clone + PartialEq {
    /// Returns whether a bake of `other` has the same outcome.
    fn bakes_like(&self, other: &Self) -> bool;
}

/// The current value, its earlier values for undo, and the undone values for redo. Each change is one step. All changes
/// between [`History::begin`] and [`History::commit`] are one step together, or none if the value is the same at both
/// ends.
#[derive(Clone, Debug)]
pub struct History<T> {
    present: T,
    /// The name of each step, and the value before it.
    past: VecDeque<(Phrase, T)>,
    future: Vec<(Phrase, T)>,
    open: Option<(Phrase, T)>,
    revision: u64,
    bake_revision: u64,
}

impl<T: Bakes + Default> Default for History<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T: Bakes> History<T> {
    pub fn new(present: T) -> Self {
        Self {
            present,
            past: VecDeque::new(),
            future: Vec::new(),
            open: None,
            revision: 1,
            bake_revision: 1,
        }
    }

    pub fn present(&self) -> &T {
        &self.present
    }

    /// Returns the value at the beginning of the open transaction; without one, the current value.
    pub fn base(&self) -> &T {
        self.open.as_ref().map_or(&self.present, |(_, before)| before)
    }

    /// Returns the revision, which grows whenever the current value changes.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns a number that grows whenever something changes that a bake depends on.
    pub fn bake_revision(&self) -> u64 {
        self.bake_revision
    }

    /// Returns the names of the steps that undo would revert, the last step first, in the language of this thread.
    pub fn past(&self) -> impl ExactSizeIterator<Item = String> {
        self.past.iter().rev().map(|(label, _)| lang::phrase(label))
    }

    /// Returns the names of the steps that redo would apply, the next step first, in the language of this thread.
    pub fn future(&self) -> impl ExactSizeIterator<Item = String> {
        self.future.iter().rev().map(|(label, _)| lang::phrase(label))
    }

    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// Returns whether a transaction is open: the user is still dragging.
    pub fn in_transaction(&self) -> bool {
        self.open.is_some()
    }

    pub fn undo_label(&self) -> Option<String> {
        self.past().next()
    }

    pub fn redo_label(&self) -> Option<String> {
        self.future().next()
    }

    /// Changes the current value: one step, or a part of the open transaction.
    pub fn change(&mut self, label: Phrase, edit: impl FnOnce(&mut T)) {
        let mut next = self.present.clone();
        edit(&mut next);
        if next == self.present {
            return;
        }
        let before = self.replace(next);
        if self.open.is_none() {
            self.push_step(label, before);
        }
    }

    /// Opens a transaction; the one that was open is committed.
    pub fn begin(&mut self, label: Phrase) {
        self.commit();
        self.open = Some((label, self.present.clone()));
    }

    pub fn commit(&mut self) {
        if let Some((label, before)) = self.open.take()
            && before != self.present
        {
            self.push_step(label, before);
        }
    }

    /// Ends the open transaction and restores the value at its beginning. Keeps the redo steps.
    pub fn abort(&mut self) {
        if let Some((_, before)) = self.open.take()
            && before != self.present
        {
            self.replace(before);
        }
    }

    /// Undoes the last step; returns `false` if there is none.
    pub fn undo(&mut self) -> bool {
        self.commit();
        let Some((label, before)) = self.past.pop_back() else { return false };
        let after = self.replace(before);
        self.future.push((label, after));
        true
    }

    /// Redoes the step undone last; returns `false` if there is none.
    pub fn redo(&mut self) -> bool {
        self.commit();
        let Some((label, after)) = self.future.pop() else { return false };
        let before = self.replace(after);
        self.past.push_back((label, before));
        true
    }

    /// Makes `next` the current value, and returns the previous one.
    fn replace(&mut self, next: T) -> T {
        self.revision += 1;
        if !next.bakes_like(&self.present) {
            self.bake_revision += 1;
        }
        std::mem::replace(&mut self.present, next)
    }

    fn push_step(&mut self, label: Phrase, before: T) {
        self.future.clear();
        self.past.push_back((label, before));
        if self.past.len() > MAX_STEPS {
            self.past.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Bakes for i32 {
        /// Compares only tens, so only they count for a bake.
        fn bakes_like(&self, other: &Self) -> bool {
            self / 10 == other / 10
        }
    }

    #[test]
    fn only_changes_that_a_bake_depends_on_require_a_bake() {
        let mut history = History::new(0);
        set(&mut history, 1);
        assert_eq!(history.bake_revision(), 1);
        set(&mut history, 10);
        assert_eq!(history.bake_revision(), 2);
        history.undo();
        assert_eq!(history.bake_revision(), 3);
        assert_eq!(
            (history.past().len(), history.future().collect::<Vec<_>>()),
            (1, vec!["Set 10".to_owned()])
        );
    }

    fn set(history: &mut History<i32>, value: i32) {
        history.change(Phrase::verbatim(format!("Set {value}")), |v| *v = value);
    }

    #[test]
    fn undo_and_redo_walk_the_same_values() {
        let mut history = History::new(0);
        (1..=5).for_each(|value| set(&mut history, value));
        let back: Vec<i32> =
            std::iter::from_fn(|| history.undo().then_some(*history.present())).collect();
        assert_eq!(back, [4, 3, 2, 1, 0]);
        assert_eq!(history.redo_label().as_deref(), Some("Set 1"));
        let forth: Vec<i32> =
            std::iter::from_fn(|| history.redo().then_some(*history.present())).collect();
        assert_eq!(forth, [1, 2, 3, 4, 5]);
    }

    #[test]
    fn a_transaction_is_one_step() {
        let mut history = History::new(0);
        history.begin(Phrase::verbatim("Drag"));
        (1..=5).for_each(|value| set(&mut history, value));
        assert!(history.in_transaction());
        history.commit();
        assert_eq!(history.undo_label().as_deref(), Some("Drag"));
        assert!(history.undo());
        assert_eq!(*history.present(), 0);
        assert!(!history.undo());
    }

    #[test]
    fn a_transaction_that_ends_where_it_began_leaves_no_step() {
        let mut history = History::new(0);
        history.begin(Phrase::verbatim("Drag"));
        set(&mut history, 3);
        set(&mut history, 0);
        history.commit();
        assert_eq!(history.undo_label(), None);
    }

    #[test]
    fn abort_goes_back_and_keeps_redo() {
        let mut history = History::new(0);
        set(&mut history, 1);
        history.undo();
        history.begin(Phrase::verbatim("Drag"));
        set(&mut history, 9);
        history.abort();
        assert_eq!((*history.present(), history.redo_label().as_deref()), (0, Some("Set 1")));
    }

    #[test]
    fn revisions_grow_with_every_change_of_value_and_only_then() {
        let mut history = History::new(0);
        let mut seen = vec![history.revision()];
        set(&mut history, 1);
        seen.push(history.revision());
        set(&mut history, 1);
        assert_eq!(history.revision(), *seen.last().unwrap());
        history.undo();
        seen.push(history.revision());
        history.redo();
        seen.push(history.revision());
        assert!(seen.is_sorted_by(|a, b| a < b), "{seen:?}");
    }

    #[test]
    fn old_steps_are_forgotten() {
        let mut history = History::new(0);
        (1..=300).for_each(|value| set(&mut history, value));
        while history.undo() {}
        assert_eq!(*history.present(), 100);
    }
}

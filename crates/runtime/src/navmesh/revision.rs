//! Detects whether a navmesh has changed.

use std::sync::Arc;

/// Identifies a state of a value. Comparing with an earlier copy shows whether the value has changed since.
#[derive(Clone, Debug, Default)]
pub(crate) struct Revision(Arc<()>);

impl Revision {
    /// Records a change. Takes no time if there are no copies.
    pub(super) fn change(&mut self) {
        if Arc::get_mut(&mut self.0).is_none() {
            self.0 = Arc::new(());
        }
    }

    /// Returns whether both identify the same state.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_sees_changes_on_either_side() {
        let mut first = Revision::default();
        first.change();
        let mut second = first.clone();
        assert!(first.is(&second));
        second.change();
        assert!(!first.is(&second));
        let third = first.clone();
        first.change();
        assert!(!first.is(&third) && !first.is(&second));
    }
}

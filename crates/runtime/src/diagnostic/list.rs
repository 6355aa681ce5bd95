use std::{cmp::Ordering, collections::BTreeMap};

use serde::Serialize;

use super::{Code, Diagnostic};

/// Findings of which all are counted, and the first [`FindingList::MAX_LISTED`] of each code are listed. Its memory does
/// not grow with the number of findings.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FindingList {
    listed: Vec<Diagnostic>,
    counts: BTreeMap<Code, usize>,
}

impl FindingList {
    /// Maximum number of listed findings of a code.
    pub const MAX_LISTED: usize = 100;

    /// Returns the first [`FindingList::MAX_LISTED`] findings of each code.
    pub fn listed(&self) -> &[Diagnostic] {
        &self.listed
    }

    /// Returns the number of findings of one code, listed or not.
    pub fn count(&self, code: Code) -> usize {
        self.counts.get(&code).copied().unwrap_or(0)
    }

    /// Returns the number of findings, listed or not.
    pub fn total(&self) -> usize {
        self.counts.values().sum()
    }

    /// Returns whether there are no findings.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Returns the first finding of each code, which represents all of that code.
    pub fn summary(&self) -> impl Iterator<Item = Diagnostic> + '_ {
        self.counts.iter().filter_map(|(&code, &n)| {
            let first = self.listed.iter().find(|found| found.code() == code);
            Some(first?.clone().times(n))
        })
    }

    /// Counts a finding of `code`, and lists it if there is room.
    pub fn add_with(&mut self, code: Code, found: impl FnOnce() -> Diagnostic) {
        if self.counts(code, 1) {
            let found = found();
            debug_assert_eq!(found.code(), code, "it is counted as what it is");
            self.listed.push(found);
        }
    }

    /// Counts `n` findings of `code`, and returns whether there is room for the first of them. If so, the caller may list
    /// it by [`FindingList::push_counted`].
    pub fn counts(&mut self, code: Code, n: usize) -> bool {
        let count = self.counts.entry(code).or_default();
        let has_room = *count < Self::MAX_LISTED;
        *count += n;
        has_room
    }

    /// Lists a finding that [`FindingList::counts`] counted.
    pub fn push_counted(&mut self, found: Diagnostic) {
        self.listed.push(found);
    }

    /// Adds the findings of another list after its own.
    pub fn append(&mut self, other: Self) {
        let Self { listed, counts: mut rest } = other;
        for one in listed {
            if let Some(n) = rest.get_mut(&one.code()) {
                *n -= one.count();
            }
            self.extend([one]);
        }
        for (code, n) in rest.into_iter().filter(|(_, n)| *n > 0) {
            self.counts(code, n);
        }
    }

    /// Sorts the listed findings.
    pub fn sort_by(&mut self, order: impl FnMut(&Diagnostic, &Diagnostic) -> Ordering) {
        self.listed.sort_by(order);
    }

    /// Returns the listed findings. The last one of a code also stands for those that are not listed: its text ends with
    /// "(and 7 more)".
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        let Self { mut listed, counts } = self;
        for (code, n) in counts {
            let of_code = listed.iter().filter(|found| found.code() == code);
            let n_listed: usize = of_code.map(Diagnostic::count).sum();
            if let Some(last) = listed.iter_mut().rfind(|found| found.code() == code) {
                last.count += n.saturating_sub(n_listed);
            }
        }
        listed
    }
}

impl Extend<Diagnostic> for FindingList {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, found: I) {
        for one in found {
            if self.counts(one.code(), one.count()) {
                self.listed.push(one);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Finding, Meters};

    fn flat(n: usize) -> FindingList {
        let mut list = FindingList::default();
        for width in (0_u8..250).cycle().take(n) {
            list.extend([Finding::HoleTiny { width: Meters(f32::from(width)) }.into()]);
        }
        list
    }

    #[test]
    fn findings_that_are_not_listed_are_counted() {
        let mut list = flat(250);
        list.extend([Finding::PolygonNotConvex {}.into()]);
        assert_eq!(list.listed().len(), FindingList::MAX_LISTED + 1);
        assert_eq!((list.count(Code::HoleTiny), list.total()), (250, 251));
        list.append(flat(1000));
        list.append(flat(3));
        assert_eq!((list.count(Code::HoleTiny), list.total()), (1253, 1254));
        let found = list.into_diagnostics();
        assert_eq!(found.len(), FindingList::MAX_LISTED + 1);
        assert_eq!(found.iter().map(Diagnostic::count).sum::<usize>(), 1254);
        assert!(
            found[FindingList::MAX_LISTED - 1].text().ends_with("(and 1153 more)"),
            "{found:?}"
        );
        assert_eq!(flat(100).into_diagnostics().iter().map(Diagnostic::count).max(), Some(1));
    }
}

//! Fixes that make the selected point walkable.

use std::sync::Arc;

use walkable::explain::{Fix, PlaceAnswer, SettingsFix};

use super::{Hover, Revision, Session};

/// The search for fixes of a point that is not walkable.
#[derive(Clone, Debug, Default)]
pub struct Fixes {
    /// The point, and the revision of its bake.
    asked: Option<(Hover, Revision)>,
    /// Whether fixes are being looked for.
    pub is_busy: bool,
    /// The result of the search, or the reason why it failed.
    result: Option<Result<Arc<PlaceAnswer>, String>>,
}

impl Fixes {
    /// Begins the search for a point.
    pub fn ask(&mut self, place: Hover, revision: Revision) {
        *self = Self { asked: Some((place, revision)), is_busy: true, result: None };
    }

    /// Stores the result of the search.
    pub fn land(&mut self, result: Result<PlaceAnswer, String>) {
        self.result = Some(result.map(Arc::new));
    }
}

impl Session {
    /// Whether the search for fixes of `place` is still running.
    pub fn looks_for_fixes_of(&self, place: Hover) -> bool {
        self.fixes.is_busy && self.has_asked_for_fixes_of(place)
    }

    /// The result for `place`; `None` if there was no search, or if the level or settings have changed since.
    pub fn fixes_of(&self, place: Hover) -> Option<&Result<Arc<PlaceAnswer>, String>> {
        self.has_asked_for_fixes_of(place).then_some(self.fixes.result.as_ref()).flatten()
    }

    fn has_asked_for_fixes_of(&self, place: Hover) -> bool {
        self.fixes.asked == Some((place, self.revision()))
    }

    /// The settings of the fix with this index, for the selected point.
    pub(crate) fn settings_fix(&self, index: usize) -> Option<SettingsFix> {
        let answer = self.fixes_of(self.selection?)?.as_ref().ok()?;
        match answer.fixes.get(index)? {
            Fix::Settings(fix) => Some(fix.clone()),
            Fix::Link(_) | Fix::Options(_) | Fix::Geometry(_) => None,
        }
    }
}

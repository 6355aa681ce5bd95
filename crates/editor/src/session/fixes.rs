//! What would make the selected place walkable.

use std::sync::Arc;

use walkable::explain::{Fix, PlaceAnswer, SettingsFix};

use super::{Hover, Revision, Session};

/// The search for fixes of a place that is not walkable.
#[derive(Clone, Debug, Default)]
pub struct Fixes {
    /// The place and what its bake was made from.
    asked: Option<(Hover, Revision)>,
    /// Whether fixes are being looked for.
    pub is_busy: bool,
    /// What was found, or why nothing could be.
    result: Option<Result<Arc<PlaceAnswer>, String>>,
}

impl Fixes {
    /// Begins the search for a place.
    pub fn ask(&mut self, place: Hover, revision: Revision) {
        *self = Self { asked: Some((place, revision)), is_busy: true, result: None };
    }

    /// Takes in what the search found.
    pub fn land(&mut self, result: Result<PlaceAnswer, String>) {
        self.result = Some(result.map(Arc::new));
    }
}

impl Session {
    /// Whether fixes of `place` were asked for and are still being looked for.
    pub fn looks_for_fixes_of(&self, place: Hover) -> bool {
        self.fixes.is_busy && self.has_asked_for_fixes_of(place)
    }

    /// What was found for `place`; `None` where nothing was asked, or level or settings have changed since.
    pub fn fixes_of(&self, place: Hover) -> Option<&Result<Arc<PlaceAnswer>, String>> {
        self.has_asked_for_fixes_of(place).then_some(self.fixes.result.as_ref()).flatten()
    }

    fn has_asked_for_fixes_of(&self, place: Hover) -> bool {
        self.fixes.asked == Some((place, self.revision()))
    }

    /// The settings that fix number `index` of the selected place sets.
    pub(crate) fn settings_fix(&self, index: usize) -> Option<SettingsFix> {
        let answer = self.fixes_of(self.selection?)?.as_ref().ok()?;
        match answer.fixes.get(index)? {
            Fix::Settings(fix) => Some(fix.clone()),
            Fix::Link(_) | Fix::Options(_) | Fix::Geometry(_) => None,
        }
    }
}

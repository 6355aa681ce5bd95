//! Fixes for the selected point or the path.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use walkable::{
    bake::OffMeshLink,
    diagnostic::Phrase,
    explain::{Fix, LinkFix, SearchTerm},
};

use super::{
    Edit, Hover, PathQuestion, PathState, Revision, Session, ToolKind, new_link, with_link,
};
use crate::task::TaskId;

/// Maximum time to bake a tile for which fixes are looked for without a command.
const QUICK_TILE: Duration = Duration::from_millis(500);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixTarget {
    Place,
    Path,
}

/// The input of a search for fixes: equal questions have equal fixes.
#[derive(Clone, Debug, PartialEq)]
enum FixQuestion {
    Place(Hover, Revision),
    Path(Box<PathQuestion>, Revision),
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FoundFixes {
    /// The fixes, in the order in which they were found; ranked once the search has ended.
    pub fixes: Vec<Fix>,
    /// The obstacles behind the first one, in words. The settings in `fixes` fix them too.
    pub then: Vec<Phrase>,
    /// Whether the search stopped at its limit of bakes.
    pub is_cut_short: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Fixes {
    latest_question: Option<FixQuestion>,
    found: FoundFixes,
    pub error: Option<String>,
}

impl Fixes {
    /// Stores a fix that was found while the search goes on.
    pub fn add(&mut self, fix: Fix) {
        self.found.fixes.push(fix);
    }

    pub fn land(&mut self, result: Result<FoundFixes, String>) {
        match result {
            Ok(found) => self.found = found,
            Err(why) => self.error = Some(why),
        }
    }

    pub fn found(&self) -> &FoundFixes {
        &self.found
    }
}

impl Session {
    pub fn ask_for_fixes(&mut self, target: FixTarget) {
        let latest_question = self.fix_question(target);
        self.fixes = Fixes { latest_question, ..Fixes::default() };
    }

    /// Returns whether to look for fixes of the path without a command: the path tool shows a path that is interrupted,
    /// and its tiles bake quickly. Fixes that were found for a place, or that are being looked for, are not replaced.
    pub(crate) fn should_find_path_fixes(&self) -> bool {
        let is_free = !self.runs(TaskId::Fixes) && self.fixes_of(FixTarget::Place).is_none();
        let tiles = self.bake.tiles.values();
        is_free
            && self.tools.tool == ToolKind::Path
            && self.preview.is_none()
            && !self.history.in_transaction()
            && self.can_find_fixes()
            && self.present_break().is_some()
            && self.fixes_of(FixTarget::Path).is_none()
            && tiles.map(|tile| tile.times.total()).max() <= Some(QUICK_TILE)
    }

    /// Returns whether fixes are being looked for whose point or path has changed since.
    pub(crate) fn has_lost_fixes(&self) -> bool {
        let mut targets = [FixTarget::Place, FixTarget::Path].into_iter();
        self.runs(TaskId::Fixes) && targets.all(|target| self.fixes_of(target).is_none())
    }

    /// Returns the fixes that were found for `target`. `None` if there was no search, or if the target, level or
    /// settings have changed since.
    pub fn fixes_of(&self, target: FixTarget) -> Option<&Fixes> {
        let question = self.fix_question(target)?;
        (self.fixes.latest_question.as_ref() == Some(&question)).then_some(&self.fixes)
    }

    /// Returns whether a search for fixes can start: the bake has ended and is up to date.
    pub fn can_find_fixes(&self) -> bool {
        let bake = self.current_bake();
        bake.plan.is_some() && bake.progress.is_none() && !bake.is_stale(self.revision())
    }

    pub(crate) fn offers(&self, fix: &Fix) -> bool {
        [FixTarget::Place, FixTarget::Path]
            .into_iter()
            .filter_map(|target| self.fixes_of(target))
            .any(|fixes| fixes.found.fixes.contains(fix))
    }

    /// Returns the change to the document that applies `fix`; `None` if the fix does not change the document.
    pub(crate) fn edit_of(&self, fix: &Fix) -> Option<Edit> {
        let document = self.document();
        match fix {
            Fix::Settings(fix) => {
                let settings = fix.applied(&document.settings).ok()?;
                Some(Edit::Settings(Box::new(settings)))
            }
            Fix::Link(LinkFix { start, end, radius, bidirectional }) => {
                let (radius, bidirectional) = (*radius, *bidirectional);
                let link = new_link(document, *start, *end);
                Some(with_link(document, OffMeshLink { radius, bidirectional, ..link }).0)
            }
            Fix::Terms(_) | Fix::Geometry(_) => None,
        }
    }

    fn fix_question(&self, target: FixTarget) -> Option<FixQuestion> {
        let revision = self.revision();
        Some(match target {
            FixTarget::Place => FixQuestion::Place(self.tools.selection?, revision),
            FixTarget::Path => FixQuestion::Path(Box::new(self.path_question()?), revision),
        })
    }
}

impl PathState {
    pub(crate) fn change_terms(&mut self, terms: &[SearchTerm]) {
        for term in terms {
            match *term {
                SearchTerm::MaxNodes(n) => self.max_nodes = n,
                SearchTerm::Include(flags) => self.filter.include_flags = flags,
                SearchTerm::Exclude(flags) => self.filter.exclude_flags = flags,
            }
        }
    }
}

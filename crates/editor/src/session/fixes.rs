//! What would make a place walkable, or have a path lead to its end.

use walkable::{
    bake::OffMeshLink,
    explain::{Fix, LinkFix, SearchTerm},
};

use super::{Edit, Hover, PathQuestion, PathState, Revision, Session, new_link, with_link};

/// What fixes are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixTarget {
    /// The selected place, which is not walkable.
    Place,
    /// The path, which does not lead to its end.
    Path,
}

/// What fixes were looked for: equal questions, equal fixes.
#[derive(Clone, Debug, PartialEq)]
enum FixQuestion {
    /// How an agent can stand at this place.
    Place(Hover, Revision),
    /// How the path can lead to its end.
    Path(Box<PathQuestion>, Revision),
}

/// What a search for fixes found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundFixes {
    /// What helps, the best first once the search has ended.
    pub fixes: Vec<Fix>,
    /// What would be in the way next, in words; the settings help against all of it.
    pub then: Vec<String>,
    /// Whether the limit of bakes ended the search.
    pub is_cut_short: bool,
}

/// The search for fixes, of a place or of the path.
#[derive(Clone, Debug, Default)]
pub struct Fixes {
    asked: Option<FixQuestion>,
    /// Whether fixes are being looked for.
    pub is_busy: bool,
    found: FoundFixes,
    /// Why the search failed.
    pub error: Option<String>,
}

impl Fixes {
    /// Takes in a fix that was found while the search goes on.
    pub fn add(&mut self, fix: Fix) {
        self.found.fixes.push(fix);
    }

    /// Takes in what the whole search found, or why it failed.
    pub fn land(&mut self, result: Result<FoundFixes, String>) {
        match result {
            Ok(found) => self.found = found,
            Err(why) => self.error = Some(why),
        }
    }

    /// What was found so far.
    pub fn found(&self) -> &FoundFixes {
        &self.found
    }
}

impl Session {
    /// Begins the search for fixes of `target`.
    pub fn ask_for_fixes(&mut self, target: FixTarget) {
        let asked = self.fix_question(target);
        self.fixes = Fixes { is_busy: asked.is_some(), asked, ..Fixes::default() };
    }

    /// The search for fixes of `target`; `None` where it was not begun, or `target`, level or settings have changed since.
    pub fn fixes_of(&self, target: FixTarget) -> Option<&Fixes> {
        let question = self.fix_question(target)?;
        (self.fixes.asked.as_ref() == Some(&question)).then_some(&self.fixes)
    }

    /// Whether fixes can be looked for: what is shown was baked from the present settings.
    pub fn can_find_fixes(&self) -> bool {
        let bake = &self.bake;
        bake.plan.is_some() && bake.progress.is_none() && !bake.is_stale(self.revision())
    }

    /// Whether `fix` was found for something that is still as it was.
    pub(crate) fn offers(&self, fix: &Fix) -> bool {
        [FixTarget::Place, FixTarget::Path]
            .into_iter()
            .filter_map(|target| self.fixes_of(target))
            .any(|fixes| fixes.found.fixes.contains(fix))
    }

    /// The change of the document that `fix` is; `None` where it is none.
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
            FixTarget::Place => FixQuestion::Place(self.selection?, revision),
            FixTarget::Path => FixQuestion::Path(Box::new(self.path_question()?), revision),
        })
    }
}

impl PathState {
    /// Searches by other terms from now on.
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

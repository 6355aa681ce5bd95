//! Links that were proposed and wait to be accepted.

use crate::lang::tr;
use walkable::{
    bake::OffMeshLink,
    debug_draw::{DrawList, Paint},
    links::{LinkKind, LinkProposal, LinkSettings, arc},
};

use super::{Document, Edit, Session, new_link, with_link};

/// Proposals and how they were found.
#[derive(Clone, Debug, Default)]
pub struct Proposals {
    /// What was proposed and neither accepted nor dismissed.
    pub list: Vec<LinkProposal>,
    /// Why there are none.
    pub note: Option<String>,
    /// Whether links are being looked for.
    pub is_busy: bool,
}

impl Proposals {
    /// Stores the proposals.
    pub fn land(&mut self, found: Result<Vec<LinkProposal>, String>) {
        (self.list, self.note) = match found {
            Ok(list) if list.is_empty() => {
                (list, Some(tr!("No ledge or gap here can be jumped.").to_owned()))
            }
            Ok(list) => (list, None),
            Err(why) => (Vec::new(), Some(why)),
        };
    }

    /// The paths of all, dashed.
    pub fn picture(&self, settings: &LinkSettings) -> DrawList {
        let mut list = DrawList::default();
        for LinkProposal { start, end, .. } in &self.list {
            for leg in arc(start.point, end.point, settings).windows(2) {
                list.dashed_line([leg[0], leg[1]], 2.0, Paint::OffMesh);
            }
            list.point(end.point, 6.0, Paint::OffMesh);
        }
        list
    }
}

/// What people call a proposal.
pub fn kind_name(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Jump => tr!("Jump"),
        LinkKind::Drop => tr!("Drop"),
    }
}

impl Session {
    /// How far the document's agent leaps.
    pub fn link_settings(&self) -> LinkSettings {
        let settings = &self.document().settings;
        let (height, radius) = (settings.agent_height, settings.agent_radius);
        let usual = LinkSettings::for_agent(height, radius, settings.agent_max_climb);
        LinkSettings { spacing: usual.spacing.max(0.5), ..usual }
    }

    /// The document with `accepted` placed.
    pub fn with_proposals(&self, accepted: &[LinkProposal]) -> Edit {
        let mut document = self.document().clone();
        for proposal in accepted {
            let link = placed(&document, *proposal);
            with_link(&document.clone(), link).0.apply(&mut document);
        }
        Edit::Links(document.off_mesh)
    }
}

fn placed(document: &Document, proposal: LinkProposal) -> OffMeshLink {
    let bidirectional = proposal.kind == LinkKind::Jump;
    let link = new_link(document, proposal.start.point, proposal.end.point);
    OffMeshLink { bidirectional, ..link }
}

//! Proposed off-mesh links that are not accepted yet.

use std::collections::BTreeSet;

use walkable::{
    bake::{BakeSettings, JumpLimit, OffMeshLink},
    debug_draw::{DrawList, Paint},
    diagnostic::Phrase,
    links::{LinkKind, LinkProposal, LinkSettings, arc},
    phrase,
};
use walkable_workspace::{lang::tr, text};

use super::{Document, Edit, Session, new_link, with_link};

#[derive(Clone, Debug, Default)]
pub struct Proposals {
    pub list: Vec<LinkProposal>,
    pub chosen: BTreeSet<usize>,
    /// Index of the proposal that was clicked last, where a range begins.
    anchor: Option<usize>,
    /// Why there are none.
    pub note: Option<Phrase>,
}

impl Proposals {
    /// Selects only this proposal, or none if it is the only selected one.
    pub fn choose(&mut self, number: usize) {
        let is_only_one = self.chosen.iter().eq([&number]);
        self.chosen =
            (!is_only_one && number < self.list.len()).then_some(number).into_iter().collect();
        self.anchor = Some(number);
    }

    pub fn toggle(&mut self, number: usize) {
        if number < self.list.len() && !self.chosen.remove(&number) {
            self.chosen.insert(number);
        }
        self.anchor = Some(number);
    }

    /// Selects the proposals from the one that was clicked last to this one.
    pub fn choose_to(&mut self, number: usize) {
        let from = self.anchor.unwrap_or(number);
        let range = from.min(number)..=from.max(number);
        self.chosen = range.filter(|number| *number < self.list.len()).collect();
        self.anchor = Some(from);
    }

    /// Removes and returns the proposals with these indices. The others stay selected if they were.
    pub fn take(&mut self, numbers: &BTreeSet<usize>) -> Vec<LinkProposal> {
        let (mut taken, mut left, mut chosen) = (Vec::new(), Vec::new(), BTreeSet::new());
        for (number, proposal) in self.list.drain(..).enumerate() {
            if numbers.contains(&number) {
                taken.push(proposal);
                continue;
            }
            if self.chosen.contains(&number) {
                chosen.insert(left.len());
            }
            left.push(proposal);
        }
        (self.list, self.chosen, self.anchor) = (left, chosen, None);
        taken
    }

    pub fn land(&mut self, found: Result<Vec<LinkProposal>, String>) {
        (self.chosen, self.anchor) = (BTreeSet::new(), None);
        (self.list, self.note) = match found {
            Ok(list) if list.is_empty() => {
                (list, Some(phrase!("No ledge or gap here can be jumped.")))
            }
            Ok(list) => (list, None),
            Err(why) => (Vec::new(), Some(Phrase::verbatim(why))),
        };
    }

    /// Draws the paths of all proposals, dashed. Selected ones are highlighted.
    pub fn picture(&self, settings: &LinkSettings) -> DrawList {
        let mut list = DrawList::default();
        for (number, LinkProposal { start, end, .. }) in self.list.iter().enumerate() {
            let is_chosen = self.chosen.contains(&number);
            let (paint, width) =
                if is_chosen { (Paint::Accent, 3.5) } else { (Paint::OffMesh, 2.0) };
            for leg in arc(start.point, end.point, settings).windows(2) {
                list.dashed_line([leg[0], leg[1]], width, paint);
            }
            list.point(end.point, 6.0, paint);
        }
        list
    }
}

pub fn kind_name(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Jump => tr!("Jump"),
        LinkKind::Drop => tr!("Drop"),
    }
}

/// A limit of the jumps and drops of an agent, as a row of a form.
#[derive(Debug)]
pub struct JumpLimitRow {
    pub limit: JumpLimit,
    pub label: &'static str,
    pub tooltip: &'static str,
    /// The value that follows from the agent's size, in meters.
    pub usual: fn(&LinkSettings) -> f32,
}

pub static JUMP_LIMITS: [JumpLimitRow; 3] = [
    JumpLimitRow {
        limit: JumpLimit::UP,
        label: text!("Jump up"),
        tooltip: text!("Maximum height of a jump up. Higher ledges are dropped from only"),
        usual: |usual| usual.max_up,
    },
    JumpLimitRow {
        limit: JumpLimit::DROP,
        label: text!("Drop"),
        tooltip: text!("Maximum height of a drop; 0 for none"),
        usual: |usual| usual.max_drop,
    },
    JumpLimitRow {
        limit: JumpLimit::DISTANCE,
        label: text!("Jump distance"),
        tooltip: text!(
            "Maximum horizontal distance from start to end of a jump or drop. The navmesh ends a radius before a ledge, so gaps are two radii wider in the navmesh than in the level"
        ),
        usual: |usual| usual.max_distance,
    },
];

/// Returns how far an agent jumps and drops if no limits are set.
pub fn usual_jumps(settings: &BakeSettings) -> LinkSettings {
    let (height, radius) = (settings.agent_height, settings.agent_radius);
    LinkSettings::for_agent(height, radius, settings.agent_max_climb)
}

impl Session {
    pub fn link_settings(&self) -> LinkSettings {
        let Document { settings, jumps, .. } = self.document();
        let usual = usual_jumps(settings);
        LinkSettings { spacing: usual.spacing.max(0.5), ..usual }.limited(jumps)
    }

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

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use glam::Vec3;
    use walkable::{bake::JumpLimits, navmesh::PolyRef, query::MeshPoint};

    use super::*;

    #[test]
    fn proposals_are_selected_one_by_one_and_by_range() {
        let at = |x: f32| MeshPoint { poly: PolyRef(NonZeroU64::MIN), point: Vec3::X * x };
        let proposal = |x: f32| LinkProposal { kind: LinkKind::Drop, start: at(x), end: at(x) };
        let mut proposals = Proposals {
            list: (0..6_u8).map(|x| proposal(x.into())).collect(),
            ..Proposals::default()
        };
        let chosen = |proposals: &Proposals| proposals.chosen.iter().copied().collect::<Vec<_>>();
        proposals.choose(1);
        proposals.choose_to(3);
        assert_eq!(chosen(&proposals), [1, 2, 3]);
        proposals.toggle(2);
        proposals.toggle(5);
        assert_eq!(chosen(&proposals), [1, 3, 5]);
        let taken = proposals.take(&[1, 4].into());
        assert_eq!(taken, [1.0, 4.0].map(proposal));
        assert_eq!(proposals.list, [0.0, 2.0, 3.0, 5.0].map(proposal));
        assert_eq!(chosen(&proposals), [2, 3], "the same ones");
        proposals.choose(2);
        proposals.choose(2);
        assert_eq!(chosen(&proposals), [0; 0], "a second click selects none");
        proposals.toggle(9);
        proposals.choose_to(9);
        assert_eq!(chosen(&proposals), [0; 0], "there is no such proposal");
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "limits are set, not computed")]
    fn proposals_keep_to_the_limits_of_the_current_agent() {
        let mut session = Session::default();
        let usual = session.link_settings();
        session.history.change(Phrase::verbatim("Agents"), |document| {
            let mut agents = document.agents.with_one_more(document);
            agents.list[1].jumps =
                JumpLimits { drop: Some(0.0), up: Some(2.5), distance: Some(1.5) };
            document.take_agents(agents);
        });
        assert_eq!(session.link_settings(), usual, "the first agent has no limits");
        session.history.change(Phrase::verbatim("Choose"), |document| {
            document.take_agents(document.agents.choosing(1));
        });
        let limited = session.link_settings();
        assert_eq!([limited.max_drop, limited.max_up, limited.max_distance], [0.0, 2.5, 1.5]);
        session.history.change(Phrase::verbatim("Drop"), |document| {
            let jumps = JumpLimits { drop: Some(3.0), ..document.jumps };
            Edit::Jumps(jumps).apply(document);
        });
        assert_eq!(session.document().agents.list[1].jumps.drop, Some(3.0), "the agent keeps it");
        session.history.undo();
        assert_eq!(session.link_settings(), limited);
    }
}

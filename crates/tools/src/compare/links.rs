//! Off-mesh links that only one of two navmeshes connects.

use std::collections::BTreeMap;

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable_runtime::{diagnostic::Diagnostic, navmesh::NavMesh};

use super::CompareSide;
use crate::links::{LinkReport, LinkState, check_links, off_mesh_links};

/// How an off-mesh link changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkChangeKind {
    /// The link was connected before, and is not connected now.
    Disconnected,
    /// The link was not connected before, and is connected now.
    Connected,
    /// Only the first navmesh has the link.
    Removed,
    /// Only the second navmesh has the link.
    Added,
}

/// An off-mesh link that changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkChange {
    /// How it changed.
    pub kind: LinkChangeKind,
    /// The user ID by which a game identifies the link.
    pub user_id: u32,
    /// The start.
    pub start: Vec3,
    /// The end.
    pub end: Vec3,
    /// State in the first navmesh; `None` if only the second navmesh has it.
    pub before: Option<LinkState>,
    /// State in the second navmesh; `None` if only the first navmesh has it.
    pub after: Option<LinkState>,
    /// Why it is not connected in the second navmesh.
    pub findings: Vec<Diagnostic>,
}

/// Finds the links that changed. Links are the same if they have the same ends and user ID.
pub(super) fn link_changes(before: CompareSide<'_>, after: CompareSide<'_>) -> Vec<LinkChange> {
    let [before, after] = [before, after].map(reports);
    let mut changes = Vec::new();
    for (key, old) in &before {
        let new = after.get(key);
        let kind = match (old.state, new.map(|new| new.state)) {
            (_, None) => LinkChangeKind::Removed,
            (LinkState::Connected, Some(LinkState::Connected)) => continue,
            (LinkState::Connected, Some(_)) => LinkChangeKind::Disconnected,
            (_, Some(LinkState::Connected)) => LinkChangeKind::Connected,
            (_, Some(_)) => continue,
        };
        changes.push(change(kind, Some(old), new));
    }
    let added = after.iter().filter(|(key, _)| !before.contains_key(*key));
    changes.extend(added.map(|(_, new)| change(LinkChangeKind::Added, None, Some(new))));
    changes
}

/// The identity of a link: the bits of its ends, and its user ID.
type LinkKey = ([[u32; 3]; 2], u32);

fn reports(side: CompareSide<'_>) -> BTreeMap<LinkKey, LinkReport> {
    let own = |mesh: &NavMesh| off_mesh_links(mesh);
    let links = side.links.map_or_else(|| own(side.mesh), <[_]>::to_vec);
    let bits = |at: Vec3| at.to_array().map(f32::to_bits);
    let key = |link: &LinkReport| ([bits(link.start), bits(link.end)], link.user_id);
    check_links(side.mesh, &links).into_iter().map(|link| (key(&link), link)).collect()
}

fn change(
    kind: LinkChangeKind,
    before: Option<&LinkReport>,
    after: Option<&LinkReport>,
) -> LinkChange {
    let known = after.or(before);
    LinkChange {
        kind,
        user_id: known.map_or(0, |link| link.user_id),
        start: known.map_or(Vec3::ZERO, |link| link.start),
        end: known.map_or(Vec3::ZERO, |link| link.end),
        before: before.map(|link| link.state),
        after: after.map(|link| link.state),
        findings: after.map_or_else(Vec::new, |link| link.findings.clone()),
    }
}

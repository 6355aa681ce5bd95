//! Lists the differences between two navmeshes for users: one entry for each place, with its text. Independent of the
//! window.

use glam::Vec3;
use walkable::{
    compare::{
        AreaChange, Comparison, GroundChange, GroundPatch, IslandChange, IslandChangeKind,
        IslandGround, LinkChange, LinkChangeKind,
    },
    diagnostic::Location,
    geom::Aabb,
    ids::AreaId,
    links::LinkState,
};

use crate::format::{counted, number};

/// Maximum number of islands that are named in the text of a change.
const MAX_ISLANDS: usize = 5;

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// Ground that only the second navmesh has.
    Gained,
    /// Ground that only the first navmesh has.
    Lost,
    /// Islands that were split, joined, gained or lost.
    Island,
    /// An off-mesh link that changed.
    Link,
    /// Ground with another area or other flags.
    Area,
}

impl ChangeKind {
    /// All kinds, in the order in which they are listed.
    pub const ALL: [Self; 5] = [Self::Gained, Self::Lost, Self::Island, Self::Link, Self::Area];

    /// Returns the label of one change.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gained => "Gained",
            Self::Lost => "Lost",
            Self::Island => "Island",
            Self::Link => "Off-mesh link",
            Self::Area => "Area",
        }
    }

    /// Returns the label of a list of changes.
    pub fn label(self) -> &'static str {
        match self {
            Self::Gained => "Gained",
            Self::Lost => "Lost",
            Self::Island => "Islands",
            Self::Link => "Off-mesh links",
            Self::Area => "Areas",
        }
    }
}

/// One difference between two navmeshes.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Its kind.
    pub kind: ChangeKind,
    /// Its index in the list of the comparison for this kind.
    pub index: usize,
    /// The area that it concerns, in square meters; 0 for links.
    pub area: f64,
    /// A point of it.
    pub point: Vec3,
    /// Its bounds.
    pub bounds: Aabb,
    /// What changed and where.
    pub text: String,
}

/// Lists all changes of a comparison by kind, the largest of each kind first.
pub fn changes(comparison: &Comparison) -> Vec<Change> {
    let Comparison { gained, lost, islands, off_mesh_links, areas, .. } = comparison;
    let patch = |kind| {
        move |(index, patch): (usize, &GroundPatch)| Change {
            kind,
            index,
            area: patch.area,
            point: patch.point,
            bounds: patch.bounds,
            text: patch_text(patch),
        }
    };
    let mut found: Vec<Change> =
        gained.patches.iter().enumerate().map(patch(ChangeKind::Gained)).collect();
    found.extend(lost.patches.iter().enumerate().map(patch(ChangeKind::Lost)));
    found.extend(islands.iter().enumerate().map(|(index, change)| {
        let point = change.point().unwrap_or_default();
        let grounds = change.before.iter().chain(&change.after);
        let around = grounds.min_by(|a, b| {
            let distance = |ground: &IslandGround| ground.point.distance_squared(point);
            distance(a).total_cmp(&distance(b))
        });
        let bounds = around.map_or_else(|| Aabb::around([point]), |ground| ground.bounds);
        let (kind, area) = (ChangeKind::Island, change.area());
        Change { kind, index, area, point, bounds, text: island_text(change) }
    }));
    found.extend(off_mesh_links.iter().enumerate().map(|(index, link)| Change {
        kind: ChangeKind::Link,
        index,
        area: 0.0,
        point: link.start,
        bounds: Aabb::around([link.start, link.end]),
        text: link_text(link),
    }));
    found.extend(areas.iter().enumerate().map(|(index, change)| Change {
        kind: ChangeKind::Area,
        index,
        area: change.area,
        point: change.point,
        bounds: Aabb::around([change.point]),
        text: area_text(change),
    }));
    found
}

/// Returns an area with its unit.
pub fn square_meters(area: f64) -> String {
    format!("{} m²", number(area))
}

/// Returns a summary of the gained or lost ground.
pub fn ground_text(change: &GroundChange, tolerance: f64) -> String {
    let places = counted(change.patches.len(), "place", "places");
    let text = format!("{} in {places}", square_meters(change.area));
    let strips = square_meters(change.strips);
    match change.strips {
        0.0 => text,
        _ if tolerance > 0.0 => {
            format!("{text}, and {strips} in strips narrower than {} m", number(tolerance))
        }
        _ => format!("{text}, and {strips} in smaller places"),
    }
}

/// Returns a point, rounded to centimeters.
pub(crate) fn at(point: Vec3) -> String {
    let rounded = (point * 100.0).round() / 100.0;
    // Adding 0 turns -0 into 0.
    Location::Point(rounded + Vec3::ZERO).to_string()
}

fn patch_text(patch: &GroundPatch) -> String {
    let size = patch.bounds.size();
    let [x, z] = [size.x, size.z].map(|side| number(f64::from(side)));
    format!("{} at {}, {x} m by {z} m", square_meters(patch.area), at(patch.point))
}

fn island_text(change: &IslandChange) -> String {
    let one =
        |island: &IslandGround| format!("{} at {}", square_meters(island.area), at(island.point));
    let list = |islands: &[IslandGround]| {
        let mut list: Vec<_> = islands.iter().take(MAX_ISLANDS).map(one).collect();
        let n_more = islands.len().saturating_sub(MAX_ISLANDS);
        list.extend((n_more > 0).then(|| format!("and {n_more} smaller")));
        list.join(", ")
    };
    let sum = |islands: &[IslandGround]| {
        square_meters(islands.iter().map(|island| island.area).sum::<f64>())
    };
    let IslandChange { before, after, .. } = change;
    match change.kind {
        IslandChangeKind::Split => {
            format!("split: {} into {}: {}", sum(before), after.len(), list(after))
        }
        IslandChangeKind::Joined => {
            format!("joined: {} from {}: {}", sum(after), before.len(), list(before))
        }
        IslandChangeKind::Regrouped => {
            format!("regrouped: {} became {}", list(before), list(after))
        }
        IslandChangeKind::Lost => format!("lost: {}", list(before)),
        IslandChangeKind::Gained => format!("gained: {}", list(after)),
    }
}

fn link_text(link: &LinkChange) -> String {
    let LinkChange { user_id, start, end, .. } = link;
    let ends = format!("link {user_id} from {} to {}", at(*start), at(*end));
    let connected = |state| {
        if state == Some(LinkState::Connected) { "connected" } else { "not connected" }
    };
    let text = match link.kind {
        LinkChangeKind::Disconnected => format!("{ends} is not connected any more"),
        LinkChangeKind::Connected => format!("{ends} is connected now"),
        LinkChangeKind::Removed => format!("{ends} was removed; it was {}", connected(link.before)),
        LinkChangeKind::Added => format!("{ends} was added; it is {}", connected(link.after)),
    };
    match link.findings.first() {
        Some(finding) => format!("{text}: {}", finding.text()),
        None => text,
    }
}

fn area_text(change: &AreaChange) -> String {
    let tag = |(AreaId(area), flags): (AreaId, u16)| format!("area {area}, flags {flags:#06x}");
    let (size, place) = (square_meters(change.area), at(change.point));
    format!("{size} at {place}: {} became {}", tag(change.before), tag(change.after))
}

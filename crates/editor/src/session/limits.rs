//! How much of what a navmesh and its searches can hold is used.

use std::collections::BTreeMap;

use walkable::{
    diagnostic::{Code, Diagnostic, Finding},
    navmesh::Tile,
};

use super::Session;

/// Maximum number of vertices of a tile: larger indices would collide with the 16-bit mark for none.
const MAX_CORNERS: usize = 0xfffd;
/// Maximum number of polygons of a tile, for any reference width: edges store their neighbors in 15 bits.
const MAX_POLYS_OF_DATA: usize = 0x7fff;

/// Something that there can only be so much of, and how much of it is used.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    finding: Finding,
    /// How much is used.
    pub used: usize,
    /// How much there can be.
    pub most: usize,
}

/// A finding of how much is used, of how much there can be, and the percentage.
type Used = fn([usize; 3]) -> Finding;

impl Limit {
    fn new(used: usize, most: usize, of: Used) -> Self {
        Self { finding: of([used, most, percent(used, most)]), used, most }
    }

    /// What it is, what it means and what helps.
    pub fn code(&self) -> Code {
        self.finding.code()
    }

    /// The part that is used, in percent, rounded up.
    pub fn percent(&self) -> usize {
        percent(self.used, self.most)
    }

    /// What to tell people where there is little room left.
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        (self.percent() > 80).then(|| self.finding.clone().into())
    }
}

fn percent(used: usize, most: usize) -> usize {
    (used * 100).div_ceil(most.max(1))
}

/// The limits of the navmesh and of the path's search; none while there is no navmesh.
pub fn limits(session: &Session) -> Vec<Limit> {
    let Some(navmesh) = session.bake.navmesh.as_deref() else { return Vec::new() };
    let params = navmesh.params();
    let most = |size: fn(&Tile) -> usize| navmesh.tiles().map(size).max().unwrap_or_default();
    let (n_tiles, max_tiles) = (navmesh.tiles().count(), whole(params.max_tiles));
    let max_polys = whole(params.max_polys).min(MAX_POLYS_OF_DATA);
    let mut limits = vec![
        Limit::new(n_tiles, max_tiles, |[used, most, percent]| Finding::LimitTiles {
            used,
            most,
            percent,
        }),
        Limit::new(most(|tile| tile.polys.len()), max_polys, |[used, most, percent]| {
            Finding::LimitPolygons { used, most, percent }
        }),
        Limit::new(most(|tile| tile.vertices.len()), MAX_CORNERS, |[used, most, percent]| {
            Finding::LimitVertices { used, most, percent }
        }),
    ];
    limits.extend(layers(session));
    limits.extend(session.path.answer.as_ref().map(|answer| {
        let (used, most) = (answer.path.n_expanded, session.path.max_nodes);
        Limit::new(used, most, |[used, most, percent]| Finding::LimitSearchNodes {
            used,
            most,
            percent,
        })
    }));
    limits
}

/// Layers over one another at a place, where the level is prepared for obstacles.
fn layers(session: &Session) -> Option<Limit> {
    /// As many as Detour's tile cache asks for at once.
    const MOST: usize = 32;
    let layered = session.bake.layered()?;
    let mut at_place: BTreeMap<_, usize> = BTreeMap::new();
    for tile in layered.cache().tiles() {
        *at_place.entry(tile.key().coord()).or_default() += 1;
    }
    let used = at_place.into_values().max().unwrap_or_default();
    Some(Limit::new(used, MOST, |[used, most, percent]| Finding::LimitLayers {
        used,
        most,
        percent,
    }))
}

fn whole(count: u32) -> usize {
    count.try_into().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_up_and_near_from_four_fifths_on() {
        for (used, most, percent, is_near) in [
            (0, 10, 0, false),
            (1, 1000, 1, false),
            (8, 10, 80, false),
            (9, 10, 90, true),
            (3, 0, 300, true),
        ] {
            let limit = Limit::new(used, most, |[used, most, percent]| Finding::LimitTiles {
                used,
                most,
                percent,
            });
            let is = (limit.percent(), limit.diagnostic().is_some());
            assert_eq!(is, (percent, is_near), "{used} of {most}");
        }
    }

    #[test]
    fn without_a_navmesh_nothing_is_used() {
        assert_eq!(limits(&Session::default()), []);
    }
}

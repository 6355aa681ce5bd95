//! How much of what a navmesh and its searches can hold is used.

use std::collections::BTreeMap;

use walkable::navmesh::Tile;

use super::Session;

/// Most corners of a tile: a number more would not fit in 16 bits beside the mark for none.
const MAX_CORNERS: usize = 0xfffd;
/// Most polygons of a tile, whatever the reference: edges name their neighbours by 15 bits.
const MAX_POLYS_OF_DATA: usize = 0x7fff;

/// Something that there can only be so much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// What it is.
    pub name: &'static str,
    /// What it means, and what helps.
    pub what: &'static str,
    /// How much is used.
    pub used: usize,
    /// How much there can be.
    pub most: usize,
}

impl Limit {
    /// The part that is used, in percent, rounded up.
    pub fn percent(&self) -> usize {
        (self.used * 100).div_ceil(self.most.max(1))
    }

    /// Whether there is little room left.
    pub fn is_near(&self) -> bool {
        self.percent() > 80
    }
}

/// The limits of the navmesh and of the path's search; none while there is no navmesh.
pub fn limits(session: &Session) -> Vec<Limit> {
    let Some(navmesh) = session.bake.navmesh.as_deref() else { return Vec::new() };
    let params = navmesh.params();
    let most = |size: fn(&Tile) -> usize| navmesh.tiles().map(size).max().unwrap_or_default();
    let of_references = "Tiles and polygons share the bits of a reference: with 64 bits (setting \
                         References) there is room for more";
    let mut limits = vec![
        Limit {
            name: "Tiles",
            what: of_references,
            used: navmesh.tiles().count(),
            most: whole(params.max_tiles),
        },
        Limit {
            name: "Polygons of a tile",
            what: of_references,
            used: most(|tile| tile.polys.len()),
            most: whole(params.max_polys).min(MAX_POLYS_OF_DATA),
        },
        Limit {
            name: "Corners of a tile",
            what: "A tile's data number corners with 16 bits: smaller tiles have fewer",
            used: most(|tile| tile.vertices.len()),
            most: MAX_CORNERS,
        },
    ];
    limits.extend(layers(session));
    limits.extend(session.path.answer.as_ref().map(|answer| Limit {
        name: "Polygons expanded by the path",
        what: "The search ends where its nodes are used up: see the path's node limit",
        used: answer.path.n_expanded,
        most: session.path.max_nodes,
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
    Some(Limit {
        name: "Layers of a place",
        what: "RecastDemo reads at most 32 layers over one another",
        used: at_place.into_values().max().unwrap_or_default(),
        most: MOST,
    })
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
            let limit = Limit { name: "", what: "", used, most };
            assert_eq!((limit.percent(), limit.is_near()), (percent, is_near), "{used} of {most}");
        }
    }

    #[test]
    fn without_a_navmesh_nothing_is_used() {
        assert_eq!(limits(&Session::default()), []);
    }
}

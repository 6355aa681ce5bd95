//! Checks whether polygons still exist and pass a filter.

use super::Filter;
use crate::navmesh::{NavMesh, PolyRef};

/// Returns whether `poly` exists in the navmesh and passes `filter`.
///
/// Source: `dtNavMeshQuery::isValidPolyRef`.
pub fn is_usable(mesh: &NavMesh, poly: PolyRef, filter: &Filter) -> bool {
    mesh.number(poly).is_some_and(|number| filter.passes_flags(mesh.graph().marks(number).flags))
}

/// Returns the number of polygons at the beginning of `corridor` before the first one that is stale, does not pass
/// `filter`, or is not linked from its predecessor. If there is none, returns the length of the corridor.
pub fn n_usable(mesh: &NavMesh, corridor: &[PolyRef], filter: &Filter) -> usize {
    let is_linked = |index: usize| match index.checked_sub(1) {
        None => true,
        Some(before) => mesh.links(corridor[before]).any(|link| link.to == corridor[index]),
    };
    let is_good =
        |&(index, &poly): &(usize, &PolyRef)| is_usable(mesh, poly, filter) && is_linked(index);
    corridor.iter().enumerate().take_while(is_good).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ids::TileCoord,
        navmesh::sample::{mesh, tile},
    };

    #[test]
    fn corridors_are_valid_up_to_a_removed_excluded_or_unlinked_polygon() {
        let mut mesh = mesh([tile(0, 0, &["..", ".."]), tile(1, 0, &["..", ".."])]);
        let poly = |mesh: &NavMesh, slot, poly| mesh.poly_ref(slot, poly).unwrap();
        let corridor = [poly(&mesh, 0, 0), poly(&mesh, 0, 1), poly(&mesh, 1, 0), poly(&mesh, 1, 1)];
        let filter = Filter { exclude_flags: 2, ..Filter::default() };
        assert_eq!(n_usable(&mesh, &corridor, &filter), 4);
        assert_eq!(n_usable(&mesh, &[corridor[0], corridor[2]], &filter), 1, "not linked");
        mesh.set_flags(corridor[3], 2);
        assert_eq!(n_usable(&mesh, &corridor, &filter), 3);
        mesh.remove_tiles_at(TileCoord::new(1, 0));
        assert_eq!(n_usable(&mesh, &corridor, &filter), 2);
        assert!(is_usable(&mesh, corridor[1], &filter) && !is_usable(&mesh, corridor[2], &filter));
    }
}

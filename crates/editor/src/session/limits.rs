//! How close a navmesh and its searches are to their limits.

pub use walkable::check::Limit;
use walkable::{
    check::{layer_limit, mesh_limits},
    diagnostic::Finding,
};

use super::Session;

/// Returns the limits of the navmesh and of the path's search; none while there is no navmesh.
pub fn limits(session: &Session) -> Vec<Limit> {
    let Some(navmesh) = session.bake.navmesh.as_deref() else { return Vec::new() };
    let mut limits = mesh_limits(navmesh);
    // Layers above one another, if the level is prepared for obstacles.
    let layers = session.bake.layered().map(|layered| layered.cache().tiles());
    limits.extend(layers.map(|tiles| layer_limit(tiles.map(|tile| tile.key().coord()))));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_navmesh_nothing_is_used() {
        assert_eq!(limits(&Session::default()), []);
    }
}

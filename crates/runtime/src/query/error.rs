use crate::navmesh::{PolyRef, TilePlace};

/// Why a query was rejected.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The polygon's tile was removed, or the polygon never was in this navmesh.
    #[error("the mesh has no polygon {poly}")]
    StalePolygon {
        /// Reference of the polygon.
        poly: PolyRef,
    },
    /// A coordinate or length is infinite or not a number, or a length is negative.
    #[error("{what} is not valid")]
    BadNumber {
        /// Name of the value.
        what: &'static str,
    },
    /// A search for shortest paths cannot take area costs into account.
    #[error(
        "the areas of the filter cost differently, which a search for shortest paths cannot weigh"
    )]
    UnequalCosts,
    /// The navmesh has changed since its reachability was computed.
    #[error("the navmesh has changed since its reachability was computed")]
    StaleReachability,
    /// The navmesh has changed since the overlay was updated.
    #[error("the navmesh has changed since the overlay for routes was updated")]
    StaleOverlay,
    /// The cost of a route is too high to be computed.
    #[error("the route costs more than 524287 m of area cost 1")]
    RouteTooExpensive,
    /// A flow field or an overlay for routes would compare more pairs of links than the limit, because many off-mesh
    /// links end at one polygon or lead from cell to cell.
    #[error(
        "there are {n_pairs} ways from one link on to another, more than the limit of {limit}: too many off-mesh links \
         end at one polygon or lead from cell to cell"
    )]
    TooManyLinks {
        /// Number of pairs of a link and one that can follow it.
        n_pairs: u64,
        /// The limit.
        limit: u64,
    },
    /// A tile that a route needs at its ends, or a part of its corridor, is not loaded.
    #[error("tile {tile} is not loaded; routes need all tiles of the cells of their ends")]
    TileNotLoaded {
        /// The tile.
        tile: TilePlace,
    },
    /// The route leads over polygons or links that have changed.
    #[error("the navmesh has changed along the route since it was found")]
    StaleRoute,
}

/// Checks that a point is finite.
pub(super) fn check_finite(what: &'static str, point: glam::Vec3) -> Result<(), QueryError> {
    if point.is_finite() { Ok(()) } else { Err(QueryError::BadNumber { what }) }
}

/// Checks that a length is finite and not negative.
pub(super) fn check_length(what: &'static str, length: f32) -> Result<(), QueryError> {
    let is_length = length.is_finite() && length >= 0.0;
    if is_length { Ok(()) } else { Err(QueryError::BadNumber { what }) }
}

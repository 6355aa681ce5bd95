//! Builds tile data from a heightfield layer: the stages from regions on, for ground seen from above.
//!
//! A layer has one floor per cell, so everything is simpler than for spans: [`regions`] partitions and merges,
//! [`outline`] traces and simplifies, polygons are built by [`polymesh`](super::polymesh), and [`edges`] finds their
//! neighbors. There is no detail mesh: polygons are triangulated between their vertices.
//!
//! Source: `DetourTileCacheBuilder.cpp`.

mod edges;
mod outline;
mod regions;
#[cfg(test)]
mod tests;

use outline::Outline;
use walkable_runtime::{
    diagnostic::{Diagnostic, Finding, Location},
    geom::Aabb,
    ids::{RegionId, TileCoord},
    monitor::Monitor,
    navmesh::{Tile, VERTS_PER_POLYGON},
};

use crate::bake::{
    AreaFlags, BakeError, HeightLayer, MAX_VERTS_PER_POLY, MeshPolygon, OffMeshLink, PolyMesh,
    RawArea,
    class::PolygonKinds,
    limit::{Limit, StageError},
    polymesh::{Builder, Coverage, Draft, MAX_OUTLINE_CORNERS, NoEars, OutlineCorner},
    tile::{TileAgent, TilePlace, build_tile},
};

/// Parameters for building a layer's mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerMeshing {
    /// Clearance that the agent needs, in meters.
    pub agent_height: f32,
    /// Distance that the agent keeps from walls, in meters.
    pub agent_radius: f32,
    /// Highest step that the agent climbs, in meters.
    pub agent_max_climb: f32,
    /// Maximum deviation of a simplified contour, in cells.
    pub edge_max_error: f32,
    /// Off-mesh links; each tile takes those that start in it.
    pub off_mesh: Vec<OffMeshLink>,
    /// Flags of ground polygons by their area.
    pub area_flags: AreaFlags,
}

/// The result of building a layer's mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshedLayer {
    /// Tile data; `None` if nothing is walkable.
    pub tile: Option<Tile>,
    /// The region of each cell of the layer, or none without ground.
    pub regions: Vec<RegionId>,
    /// Simplified contours of the regions.
    pub outlines: Vec<LayerOutline>,
    /// The ground polygons of the tile data, in the same order.
    pub polygons: PolyMesh,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// The contour of one region of a layer. Regions of layers have no holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerOutline {
    /// The region.
    pub region: RegionId,
    /// Area of the ground.
    pub area: RawArea,
    /// At least three vertices, counter-clockwise seen from above: column, height and row of cell corners, relative to
    /// the layer's minimum.
    pub corners: Vec<[u16; 3]>,
}

/// Builds tile data from the layer `number` of the tile at `coord`, without detail mesh and BV tree.
///
/// Source: `dtTileCache::buildNavMeshTile`. Differs: outlines may have any length, and regions any number of neighbors.
///
/// # Errors
/// Returns [`BakeError::Limit`] if there are more than 255 regions or too many vertices, and [`BakeError::Cancelled`]
/// soon after the monitor is cancelled.
pub fn mesh_layer(
    layer: &HeightLayer,
    coord: TileCoord,
    number: u32,
    meshing: &LayerMeshing,
    monitor: &dyn Monitor,
) -> Result<MeshedLayer, BakeError> {
    let place = TilePlace { coord, layer: number };
    mesh(layer, place, meshing, monitor).map_err(|error| error.at(coord))
}

fn mesh(
    layer: &HeightLayer,
    place: TilePlace,
    meshing: &LayerMeshing,
    monitor: &dyn Monitor,
) -> Result<MeshedLayer, StageError> {
    let climb_vx = climb_in_cells(meshing.agent_max_climb, layer.cell_height);
    let regions = regions::cut(layer, climb_vx, monitor)?;
    let outlines = outline::outlines(layer, &regions, climb_vx, meshing.edge_max_error);
    check_corners(&outlines)?;

    let mut warnings = Vec::new();
    let mut builder = Builder::new(VERTS_PER_POLYGON, NoEars::GiveUp, monitor);
    let mut corners = Vec::new();
    for outline in &outlines {
        corners.clear();
        corners.extend(outline.corners.iter().map(|corner| OutlineCorner {
            place: corner.place,
            is_removable: corner.is_removable,
        }));
        if builder.add(&corners, outline.region, outline.area)? != Coverage::Full {
            let crossed = Diagnostic::new(Finding::LayerContourCrossesItself {});
            warnings.push(crossed.at(Location::Region(outline.region.0)));
        }
    }
    let (draft, n_gaps) = builder.finish()?;
    if n_gaps > 0 {
        warnings.push(Finding::BorderPolygonsOverlap { n: n_gaps }.into());
    }
    let polygons = poly_mesh(layer, &draft, &outlines, meshing.edge_max_error);
    let agent = TileAgent {
        height: meshing.agent_height,
        radius: meshing.agent_radius,
        max_climb: meshing.agent_max_climb,
    };
    let kinds = PolygonKinds::by_area(&meshing.area_flags);
    let (tile, more) = build_tile(&polygons, None, (&meshing.off_mesh, kinds), agent, place)?;
    warnings.extend(more);
    let outlines = outlines.into_iter().map(|outline| LayerOutline {
        region: outline.region,
        area: outline.area,
        corners: outline.corners.iter().map(|corner| corner.place).collect(),
    });
    let (regions, outlines) = (regions.ids, outlines.collect());
    Ok(MeshedLayer { tile, regions, outlines, polygons, warnings })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "truncation is meant; what is out of range saturates"
)]
fn climb_in_cells(climb: f32, cell_height: f32) -> u32 {
    (climb / cell_height) as u32
}

fn check_corners(outlines: &[Outline]) -> Result<(), Limit> {
    let n_corners: usize = outlines.iter().map(|outline| outline.corners.len()).sum();
    if n_corners <= MAX_OUTLINE_CORNERS {
        return Ok(());
    }
    Err(Limit {
        what: "number of outline corners",
        value: n_corners as u64,
        limit: MAX_OUTLINE_CORNERS as u64,
        remedy: "use smaller tiles or larger cells",
    })
}

fn poly_mesh(
    layer: &HeightLayer,
    draft: &Draft,
    outlines: &[Outline],
    max_edge_error: f32,
) -> PolyMesh {
    let edges = edges::link(draft, outlines);
    let polygons = draft.pieces.iter().zip(edges).map(|(piece, edges)| MeshPolygon {
        vertices: piece.corners.clone(),
        edges,
        region: piece.region,
        area: piece.area,
    });
    let Aabb { min, max } = layer.bounds;
    PolyMesh {
        origin: min,
        bounds_max: max,
        cell_size: layer.cell_size,
        cell_height: layer.cell_height,
        max_verts_per_poly: VERTS_PER_POLYGON,
        border_vx: 0,
        max_edge_error,
        vertices: draft.vertices.clone(),
        polygons: polygons.collect(),
    }
}

const _: () = assert!(VERTS_PER_POLYGON <= MAX_VERTS_PER_POLY);

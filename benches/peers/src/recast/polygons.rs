//! From regions to tile data.

use recastnavigation_sys::{
    rcAllocContourSet, rcAllocPolyMesh, rcAllocPolyMeshDetail, rcBuildContours,
    rcBuildContoursFlags_RC_CONTOUR_TESS_WALL_EDGES, rcBuildPolyMesh, rcBuildPolyMeshDetail,
    rcCompactHeightfield, rcFreeContourSet, rcFreePolyMesh, rcFreePolyMeshDetail,
};
use walkable::stage::Stage;

use super::{Job, Owned, TileInput, View, signed, tile::tile_data};

/// Maximum number of vertices of polygons in tile data.
const MAX_TILE_CORNERS: u32 = recastnavigation_sys::DT_VERTS_PER_POLYGON as u32;

impl Job<'_> {
    pub(super) fn polygons(&mut self, open: Owned<rcCompactHeightfield>) {
        let context = self.context;
        let input = self.input;
        let TileInput { params, settings, .. } = input;

        let contours = self.stage(Stage::Contours, || unsafe {
            let contours = Owned::new(rcAllocContourSet(), rcFreeContourSet);
            assert!(rcBuildContours(
                context,
                open.pointer,
                params.max_edge_error_vx,
                signed(params.max_edge_len_vx),
                contours.pointer,
                rcBuildContoursFlags_RC_CONTOUR_TESS_WALL_EDGES.cast_signed(),
            ));
            contours
        });
        (self.looker)(Stage::Contours, View::Contours(contours.get()));
        if contours.get().nconts == 0 {
            return;
        }

        let mesh = self.stage(Stage::Polygons, || unsafe {
            let mesh = Owned::new(rcAllocPolyMesh(), rcFreePolyMesh);
            let n = signed(settings.verts_per_poly);
            assert!(rcBuildPolyMesh(context, contours.pointer, n, mesh.pointer));
            mesh
        });
        (self.looker)(Stage::Polygons, View::Polygons(mesh.get()));
        if params.detail_sample_dist <= 0.0 {
            return;
        }

        let detail = self.stage(Stage::Detail, || unsafe {
            let detail = Owned::new(rcAllocPolyMeshDetail(), rcFreePolyMeshDetail);
            assert!(rcBuildPolyMeshDetail(
                context,
                mesh.pointer,
                open.pointer,
                params.detail_sample_dist,
                params.detail_sample_max_error,
                detail.pointer,
            ));
            drop((open, contours));
            detail
        });
        (self.looker)(Stage::Detail, View::Detail(detail.get()));
        if settings.verts_per_poly > MAX_TILE_CORNERS {
            return;
        }

        let data = self.stage(Stage::Tile, || tile_data(input, mesh.get(), detail.get()));
        if let Some(data) = data {
            (self.looker)(Stage::Tile, View::Tile(data.bytes()));
        }
    }
}

//! From triangles to regions.

use recastnavigation_sys::{
    rcAllocCompactHeightfield, rcAllocHeightfield, rcBuildCompactHeightfield, rcBuildDistanceField,
    rcBuildLayerRegions, rcBuildRegions, rcBuildRegionsMonotone, rcCompactHeightfield,
    rcCreateHeightfield, rcErodeWalkableArea, rcFilterLedgeSpans,
    rcFilterLowHangingWalkableObstacles, rcFilterWalkableLowHeightSpans, rcFreeCompactHeightfield,
    rcFreeHeightField, rcHeightfield, rcMarkWalkableTriangles, rcRasterizeTriangles,
};
use walkable::{bake::Partition, stage::Stage};

use super::{Job, Owned, TileInput, View, areas, count, signed};

impl Job<'_> {
    pub(super) fn voxels(&mut self) -> Owned<rcCompactHeightfield> {
        let solid = self.solid();
        self.filter(&solid);
        let open = self.open(solid);
        self.erode(&open);
        self.partition(&open);
        open
    }

    fn solid(&mut self) -> Owned<rcHeightfield> {
        let context = self.context;
        let TileInput { triangles: corners, surfaces, frame, params, settings, .. } = self.input;
        let climb = signed(params.walkable_climb_vx);
        let vertices = self.level.vertices.as_ptr();
        let n_vertices = count(self.level.vertices.len() / 3);
        let triangles = corners.as_ptr().cast::<i32>();
        let n_triangles = count(corners.len());

        let areas = self.stage(Stage::Slope, || {
            let mut areas = vec![0_u8; corners.len()];
            // SAFETY: here and below, all pointers are to arrays of the length passed with them or to
            // structures that Recast allocated.
            unsafe {
                rcMarkWalkableTriangles(
                    context,
                    settings.agent_max_slope,
                    vertices,
                    n_vertices,
                    triangles,
                    n_triangles,
                    areas.as_mut_ptr(),
                );
            }
            areas::paint(&mut areas, surfaces);
            areas
        });

        let solid = self.stage(Stage::Spans, || unsafe {
            let solid = Owned::new(rcAllocHeightfield(), rcFreeHeightField);
            let [min, max] = [frame.bounds.min, frame.bounds.max].map(|corner| corner.to_array());
            assert!(rcCreateHeightfield(
                context,
                solid.pointer,
                signed(frame.n_x),
                signed(frame.n_z),
                min.as_ptr(),
                max.as_ptr(),
                frame.cell_size,
                frame.cell_height,
            ));
            assert!(rcRasterizeTriangles(
                context,
                vertices,
                n_vertices,
                triangles,
                areas.as_ptr(),
                n_triangles,
                solid.pointer,
                climb,
            ));
            solid
        });
        (self.looker)(Stage::Spans, View::Solid(solid.get()));
        solid
    }

    fn filter(&mut self, solid: &Owned<rcHeightfield>) {
        let context = self.context;
        let TileInput { params, settings, release, .. } = self.input;
        let (height, climb) = (signed(params.walkable_height_vx), signed(params.walkable_climb_vx));
        self.stage(Stage::Filtered, || unsafe {
            if settings.filter_low_hanging_obstacles {
                rcFilterLowHangingWalkableObstacles(context, climb, solid.pointer);
            }
            if settings.filter_ledge_spans {
                rcFilterLedgeSpans(context, release.ledge_height(height), climb, solid.pointer);
            }
            if settings.filter_low_height_spans {
                rcFilterWalkableLowHeightSpans(context, height, solid.pointer);
            }
        });
        (self.looker)(Stage::Filtered, View::Solid(solid.get()));
    }

    fn open(&mut self, solid: Owned<rcHeightfield>) -> Owned<rcCompactHeightfield> {
        let context = self.context;
        let params = &self.input.params;
        let (height, climb) = (signed(params.walkable_height_vx), signed(params.walkable_climb_vx));
        let open = self.stage(Stage::Compact, || unsafe {
            let open = Owned::new(rcAllocCompactHeightfield(), rcFreeCompactHeightfield);
            assert!(rcBuildCompactHeightfield(context, height, climb, solid.pointer, open.pointer));
            drop(solid);
            open
        });
        (self.looker)(Stage::Compact, View::Open(open.get()));
        open
    }

    fn erode(&mut self, open: &Owned<rcCompactHeightfield>) {
        let context = self.context;
        let TileInput { params, settings, volumes, .. } = self.input;
        self.stage(Stage::Eroded, || unsafe {
            let radius = signed(params.walkable_radius_vx);
            assert!(rcErodeWalkableArea(context, radius, open.pointer));
            volumes.iter().for_each(|volume| areas::mark(context, volume, open.pointer));
            if settings.filter_median {
                areas::median(context, open.pointer);
            }
        });
        (self.looker)(Stage::Eroded, View::Open(open.get()));
    }

    fn partition(&mut self, open: &Owned<rcCompactHeightfield>) {
        let context = self.context;
        let TileInput { params, settings, .. } = self.input;
        if settings.partition == Partition::Watershed {
            self.stage(Stage::Distance, || unsafe {
                assert!(rcBuildDistanceField(context, open.pointer));
            });
            (self.looker)(Stage::Distance, View::Open(open.get()));
        }
        self.stage(Stage::Regions, || unsafe {
            let border = signed(params.border_vx);
            let [min, merge] = [params.min_region_area_vx, params.merge_region_area_vx].map(signed);
            assert!(match settings.partition {
                Partition::Watershed => rcBuildRegions(context, open.pointer, border, min, merge),
                Partition::Monotone => {
                    rcBuildRegionsMonotone(context, open.pointer, border, min, merge)
                }
                Partition::Layers => rcBuildLayerRegions(context, open.pointer, border, min),
            });
        });
        (self.looker)(Stage::Regions, View::Open(open.get()));
    }
}
